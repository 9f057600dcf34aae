"""The reference implementation of Laser Chess, on small positions computed by hand."""

from __future__ import annotations

import pytest

from . import laser_chess

ACE = "l++3d++kd++b+++2/2b7/3B+6/b++1B1ss+1b+++1B+/b+++1B+1S+S1b++1B/6b+++3/7B++2/2B+DKD3L"
SETUPS = [
    ACE,
    "l++3d++kd++s+2/*/3B+2b++3/b++B2B+++s+2b+++B+/b+++B+2S+b+2b++B/3B2b+++3/*/2S+DKD3L",
    "l++3bd++b+++3/5k4/b++3bd++s+3/b+++1s1B+1B+++3/3b+1b+++1S1B+/3S+DB++3B/4K5/3B+DB++3L",
    "l++3bkb+++2S+/5d++b+++3/b+++2s+1d++4/b++3B+3B1/1b++3b+++3B/4D1S+2B+/3B+D5/s+2B+KB++3L",
    "l++3kB+b+++3/3d++1d+3B/b++3bb+++1S+1B+/7s2/2S7/b+++1s+1B+B++3B/b++3D+++1D3/3B+b+++K3L",
]
MERCURY = SETUPS[3]


# ---------------------------------------------------------------- Laser Chess: text


@pytest.mark.parametrize("sn", SETUPS)
def test_a_setup_round_trips(sn: str) -> None:
    assert laser_chess.format(laser_chess.parse(sn)) == sn


def test_setup_notation_gives_each_piece_its_square() -> None:
    board = laser_chess.parse("l++9/5k4/*/8bS+++/*/*/4K+5/9L+++")
    assert board == {
        "a8": laser_chess.Piece("L", "r", 180),
        "f7": laser_chess.Piece("K", "r", 0),
        "i5": laser_chess.Piece("B", "r", 0),
        "j5": laser_chess.Piece("S", "b", 270),
        "e2": laser_chess.Piece("K", "b", 90),
        "j1": laser_chess.Piece("L", "b", 270),
    }


# ---------------------------------------------------------------- Laser Chess: beams

# The line of a mirror; x marks the face of the deflector:
#
#     0  \      90 x /    180  \ x   270  /
#       x \         /           \        / x
#
# Kind, orientation, and the effect on a beam that travels up, right, down, left.
STRIKES = [
    ("B", 0, "left", "down", "captures", "captures"),
    ("B", 90, "captures", "up", "left", "captures"),
    ("B", 180, "captures", "captures", "right", "up"),
    ("B", 270, "right", "captures", "captures", "down"),
    ("S", 0, "left", "down", "right", "up"),
    ("S", 90, "right", "up", "left", "down"),
    ("S", 180, "left", "down", "right", "up"),
    ("S", 270, "right", "up", "left", "down"),
    ("D", 0, "captures", "captures", "absorbed", "captures"),
    ("D", 90, "captures", "captures", "captures", "absorbed"),
    ("D", 180, "absorbed", "captures", "captures", "captures"),
    ("D", 270, "captures", "absorbed", "captures", "captures"),
    ("K", 0, "captures", "captures", "captures", "captures"),
    ("K", 270, "captures", "captures", "captures", "captures"),
    ("L", 0, "absorbed", "absorbed", "absorbed", "absorbed"),
    ("L", 180, "absorbed", "absorbed", "absorbed", "absorbed"),
]


@pytest.mark.parametrize(("kind", "orientation", "up", "right", "down", "left"), STRIKES)
def test_the_effect_of_a_beam_on_a_piece(
    kind: str, orientation: int, up: str, right: str, down: str, left: str
) -> None:
    for side in ("b", "r"):
        piece = laser_chess.Piece(kind, side, orientation)
        assert laser_chess.strike(piece, "up") == up
        assert laser_chess.strike(piece, "right") == right
        assert laser_chess.strike(piece, "down") == down
        assert laser_chess.strike(piece, "left") == left


def test_the_first_beam_of_blue_in_ace_leaves_at_j8() -> None:
    # 8        .       up j2 j3; B on j4 \ faces SW: left
    # 5  h / . j /     b++ on h4 \ faces NE: up; b+++ on h5 / faces SE: right
    # 4  h \ . j \     B+ on j5 / faces NW: up j6 j7 j8 and out
    # 1        ^
    path = ["j1", "j2", "j3", "j4", "i4", "h4", "h5", "i5", "j5", "j6", "j7", "j8"]
    assert laser_chess.beam(ACE, "b") == (path, "exit", None)


def test_a_beam_that_returns_to_its_laser_is_absorbed() -> None:
    # 4  / . . \     j4 B \ faces SW: left; g4 B+++ / faces SE: down;
    # 3  . . . .     g1 B++ \ faces NE: right, over i1 into the laser
    # 2  . . . .
    # 1  \ . . ^
    #    g h i j
    sn = "l++9/5k4/*/*/6B+++2B/*/1K8/6B++2L"
    path = ["j1", "j2", "j3", "j4", "i4", "h4", "g4", "g3", "g2", "g1", "h1", "i1", "j1"]
    assert laser_chess.beam(sn, "b") == (path, "absorbed", "j1")


def test_a_beam_stops_at_the_other_laser() -> None:
    # j8 holds B \ facing SW: the beam turns left along row 8, which is empty up to a8.
    sn = "l++8B/5k4/*/*/*/*/4K5/9L"
    path = ["j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8"]
    path += ["i8", "h8", "g8", "f8", "e8", "d8", "c8", "b8", "a8"]
    assert laser_chess.beam(sn, "b") == (path, "absorbed", "a8")


def test_a_shield_stops_a_beam() -> None:
    # Red's laser points right (90); D+++ on d8 shows its shield to the left.
    sn = "l+2d+++6/5k4/*/*/*/*/4K5/9L"
    assert laser_chess.beam(sn, "r") == (["a8", "b8", "c8", "d8"], "absorbed", "d8")


# ---------------------------------------------------------------- Laser Chess: actions


def test_a_king_alone_has_eight_moves_two_turns_and_its_laser() -> None:
    sn = "l++9/5k4/*/*/*/*/4K5/9L"
    expected = ["e2d1", "e2e1", "e2f1", "e2d2", "e2f2", "e2d3", "e2e3", "e2f3"]
    expected += ["e2+", "e2-", "j1-"]
    assert sorted(laser_chess.legal(sn, "b")) == sorted(expected)


def test_blue_may_not_enter_cells_reserved_for_red() -> None:
    # a1 a2 a3 are Red's, b1 is Blue's.
    sn = "l++9/5k4/*/*/*/*/1K8/9L"
    expected = ["b2b1", "b2b3", "b2c1", "b2c2", "b2c3", "b2+", "b2-", "j1-"]
    assert sorted(laser_chess.legal(sn, "b")) == sorted(expected)


def test_red_may_not_enter_cells_reserved_for_blue() -> None:
    # b8 is Blue's; no piece enters a8; a7 a6 are Red's. On c8 the king is in its own laser's beam.
    sn = "l+9/1k8/*/*/*/*/4K5/9L"
    expected = ["b7a7", "b7a6", "b7b6", "b7c6", "b7c7", "b7c8xc8", "b7+", "b7-", "a8+"]
    assert sorted(laser_chess.legal(sn, "r")) == sorted(expected)


LASER_TURNS = [
    ("l++9/5k4/*/*/*/*/4K5/9L", "b", "j1-", "L+++"),
    ("l++9/5k4/*/*/*/*/4K5/9L+++", "b", "j1+", "L"),
    ("l++9/5k4/*/*/*/*/4K5/9L", "r", "a8-", "l+"),
    ("l+9/5k4/*/*/*/*/4K5/9L", "r", "a8+", "l++"),
]


@pytest.mark.parametrize(("sn", "side", "lan", "laser"), LASER_TURNS)
def test_a_laser_only_turns_between_its_two_inward_directions(
    sn: str, side: str, lan: str, laser: str
) -> None:
    corner = lan[:2]
    assert [action for action in laser_chess.legal(sn, side) if action[:2] == corner] == [lan]
    rows = laser_chess.apply(sn, side, lan)[0].split("/")
    assert rows[7] == "9" + laser if side == "b" else rows[0] == laser + "9"


def swaps(sn: str, side: str) -> list[str]:
    return sorted(action for action in laser_chess.legal(sn, side) if action[2] == "u")


def test_no_swap_puts_red_on_a_cell_of_blue() -> None:
    # 5 | . b S |   j5 is Blue's: the red b may not land on it
    assert swaps("l++9/5k4/*/8bS/*/*/4K5/9L", "b") == []


def test_no_swap_puts_blue_on_a_cell_of_red() -> None:
    # 5 | s B . |   a5 is Red's: the blue B may not land on it
    assert swaps("l++9/5k4/*/sB8/*/*/4K5/9L", "r") == []


def test_no_switch_lands_on_a_cell_of_the_other_side() -> None:
    # 8 | . b . |   i8 is Red's: the blue S on h7 may not land on it
    # 7 | S . . |
    assert swaps("l++7b1/1k5S2/*/*/*/*/4K5/9L", "b") == []


def test_a_switch_swaps_with_deflectors_and_defenders_of_both_sides_only() -> None:
    # 6  . B . d .      S on f5 swaps with B e6, d g6 and b f4,
    # 5  . k S S .      never with k e5, S g5, or (too far) D f2
    # 4  . . b . .
    sn = "l++9/*/4B1d3/4kSS3/5b4/*/4KD4/9L"
    got = [action for action in swaps(sn, "b") if action[:2] == "f5"]
    assert got == ["f5ue6", "f5uf4", "f5ug6"]


def test_no_switch_swaps_with_a_laser() -> None:
    # The blue S on i2 touches j1, the red s on b7 touches a8.
    sn = "l+9/1s8/*/5k4/*/*/4K3S1/9L"
    assert swaps(sn, "b") == []
    assert swaps(sn, "r") == []


def test_a_swap_rotates_no_piece() -> None:
    sn = "l++9/5k4/*/*/5S+4/6b++3/4K5/9L"
    assert swaps(sn, "b") == ["f4ug3"]
    new_sn, side, path, outcome = laser_chess.apply(sn, "b", "f4ug3")
    assert new_sn == "l++9/5k4/*/*/5b++4/6S+3/4K5/9L"
    assert (side, path[0], path[-1], outcome) == ("r", "j1", "j8", "ongoing")


def test_a_king_may_turn_and_its_turn_is_written() -> None:
    sn = "l++9/5k4/*/*/*/*/4K5/9L"
    assert laser_chess.apply(sn, "b", "e2-")[0] == "l++9/5k4/*/*/*/*/4K+++5/9L"


def test_a_capture_is_written_where_the_piece_stands_after_the_action() -> None:
    # B+ on j4 / faces NW: a beam that travels up hits its back on every square of the column.
    sn = "l++9/5k4/*/*/9B+/*/4K5/9L"
    actions = laser_chess.legal(sn, "b")
    assert "j4j3xj3" in actions
    assert "j4j5xj5" in actions
    assert "j4-" in actions  # 0 degrees: \ faces SW, the beam turns left and leaves at a4
    assert "j4+xj4" in actions  # 180 degrees: faces NE
    assert "j4i4" in actions
    new_sn, _, path, outcome = laser_chess.apply(sn, "b", "j4j3xj3")
    assert new_sn == "l++9/5k4/*/*/*/*/4K5/9L"
    assert (path, outcome) == (["j1", "j2", "j3"], "ongoing")


def test_capturing_the_own_king_loses() -> None:
    # K on i2: on j2 the king is in the beam of its own laser.
    sn = "l++9/5k4/*/*/*/*/8K1/9L"
    assert "i2j2xj2" in laser_chess.legal(sn, "b")
    assert laser_chess.apply(sn, "b", "i2j2xj2") == (
        "l++9/5k4/*/*/*/*/*/9L",
        "r",
        ["j1", "j2"],
        "0-1 king captured",
    )


def test_capturing_the_other_king_wins() -> None:
    # Row 7: the beam turns left at j7 (B \ faces SW) and reaches k on f7.
    sn = "l++9/5k3B/*/*/*/*/4K5/9L+++"
    new_sn, side, path, outcome = laser_chess.apply(sn, "b", "j1+xf7")
    assert new_sn == "l++9/9B/*/*/*/*/4K5/9L"
    assert path == ["j1", "j2", "j3", "j4", "j5", "j6", "j7", "i7", "h7", "g7", "f7"]
    assert (side, outcome) == ("r", "1-0 king captured")
    assert laser_chess.legal(new_sn, "r") == []


def test_only_the_movers_laser_fires() -> None:
    # Red's laser would capture the red b on a7, but Blue moves.
    sn = "l++9/b4k4/*/*/*/*/4K5/9L"
    assert laser_chess.apply(sn, "b", "e2+")[0] == "l++9/b4k4/*/*/*/*/4K+5/9L"
    # Red moves and captures it: b at 0 faces SW, a beam that travels down hits its back.
    assert "f7+xa7" in laser_chess.legal(sn, "r")


def test_a_finished_game_adds_nothing_to_perft() -> None:
    # Blue: K h1 -> g1 g2 h2 i2 (i1 is Red's), 2 turns, laser 1 = 7. The laser to the left (j1-)
    # captures the K on h1. Red: k f7 8 moves, 2 turns, laser 1 = 11 answers to each of the other 6.
    sn = "l++9/5k4/*/*/*/*/*/7K1L"
    assert sorted(laser_chess.legal(sn, "b")) == sorted(
        ["h1g1", "h1g2", "h1h2", "h1i2", "h1+", "h1-", "j1-xh1"]
    )
    assert laser_chess.perft(sn, "b", 1) == 7
    assert laser_chess.perft(sn, "b", 2) == 6 * 11


def test_68_of_72_first_moves_of_mercury_capture_a_blue_deflector() -> None:
    actions = laser_chess.legal(MERCURY, "b")
    assert len(actions) == 72
    assert sum(1 for lan in actions if "x" in lan) == 68


def test_the_repetition_key_ignores_only_king_orientation_and_half_turns_of_switches() -> None:
    def key(row: str, side: str = "b") -> object:
        return laser_chess.repetition_key(f"l++9/5k4/*/{row}/*/*/4K5/9L", side)

    same = laser_chess.repetition_key("l++9/5k+4/*/2S6b/*/*/4K+++5/9L", "b")
    assert key("2S6b") == same
    assert key("2S6b") == key("2S++6b")
    assert key("2S+6b") == key("2S+++6b")
    assert key("2S6b") != key("2S+6b")
    assert key("2S6b") != key("2S6b++")
    assert key("2S6b") != key("2s6b")
    assert key("2S6b") != key("2S6b", "r")
    assert key("2D6b") != key("2D++6b")
