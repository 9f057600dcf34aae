"""The reference itself, on small cases worked out by hand and drawn as comments.

Photon drawings: one word a square, `.` is empty; K0 B0 b0 king, whole and damaged block of
player 0; ^0 >0 v0 <0 a shooter by its direction; NE0 SE0 SW0 NW0 a mirror by its face.
A drawing is the top left corner of the board; the rest is empty.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from . import laser_chess, photon, positions

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
def test_a_setup_is_written_as_it_was_read(sn: str) -> None:
    assert laser_chess.format(laser_chess.parse(sn)) == sn


def test_reading_puts_each_piece_on_its_square() -> None:
    board = laser_chess.parse("l++9/5k4/*/8bS+++/*/*/4K+5/9L+++")
    assert board == {
        "a8": laser_chess.Piece("L", "r", 180),
        "f7": laser_chess.Piece("K", "r", 0),
        "i5": laser_chess.Piece("B", "r", 0),
        "j5": laser_chess.Piece("S", "b", 270),
        "e2": laser_chess.Piece("K", "b", 90),
        "j1": laser_chess.Piece("L", "b", 270),
    }


# ---------------------------------------------------------------- Laser Chess: light

# The line of a mirror, with x on the face of the deflector:
#
#     0  \      90 x /    180  \ x   270  /
#       x \         /           \        / x
#
# A row: kind, orientation, then what happens to a beam travelling up, right, down, left.
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
def test_a_beam_at_a_piece(
    kind: str, orientation: int, up: str, right: str, down: str, left: str
) -> None:
    for side in ("b", "r"):
        piece = laser_chess.Piece(kind, side, orientation)
        assert laser_chess.strike(piece, "up") == up
        assert laser_chess.strike(piece, "right") == right
        assert laser_chess.strike(piece, "down") == down
        assert laser_chess.strike(piece, "left") == left


def test_blue_shines_out_of_ace_at_the_top_right() -> None:
    # 8        .       up j2 j3; B on j4 \ faces SW: left
    # 5  h / . j /     b++ on h4 \ faces NE: up; b+++ on h5 / faces SE: right
    # 4  h \ . j \     B+ on j5 / faces NW: up j6 j7 j8 and out
    # 1        ^
    path = ["j1", "j2", "j3", "j4", "i4", "h4", "h5", "i5", "j5", "j6", "j7", "j8"]
    assert laser_chess.beam(ACE, "b") == (path, "exit", None)


def test_a_beam_that_comes_home_is_absorbed_by_its_laser() -> None:
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


def test_blue_stays_out_of_the_cells_of_red() -> None:
    # a1 a2 a3 are Red's, b1 is Blue's.
    sn = "l++9/5k4/*/*/*/*/1K8/9L"
    expected = ["b2b1", "b2b3", "b2c1", "b2c2", "b2c3", "b2+", "b2-", "j1-"]
    assert sorted(laser_chess.legal(sn, "b")) == sorted(expected)


def test_red_stays_out_of_the_cells_of_blue() -> None:
    # b8 is Blue's; nobody enters a8; a7 a6 are Red's. On c8 the king stands before its own laser.
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


def test_a_swap_turns_nobody() -> None:
    sn = "l++9/5k4/*/*/5S+4/6b++3/4K5/9L"
    assert swaps(sn, "b") == ["f4ug3"]
    new_sn, side, path, outcome = laser_chess.apply(sn, "b", "f4ug3")
    assert new_sn == "l++9/5k4/*/*/5b++4/6S+3/4K5/9L"
    assert (side, path[0], path[-1], outcome) == ("r", "j1", "j8", "ongoing")


def test_a_king_may_turn_and_its_turn_is_written() -> None:
    sn = "l++9/5k4/*/*/*/*/4K5/9L"
    assert laser_chess.apply(sn, "b", "e2-")[0] == "l++9/5k4/*/*/*/*/4K+++5/9L"


def test_a_capture_is_written_where_the_piece_stands_after_the_action() -> None:
    # B+ on j4 / faces NW: a beam travelling up hits its back, wherever it goes in the column.
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


def test_own_king_hit_loses() -> None:
    # K on i2: to j2 is in front of its own laser.
    sn = "l++9/5k4/*/*/*/*/8K1/9L"
    assert "i2j2xj2" in laser_chess.legal(sn, "b")
    assert laser_chess.apply(sn, "b", "i2j2xj2") == (
        "l++9/5k4/*/*/*/*/*/9L",
        "r",
        ["j1", "j2"],
        "0-1 king captured",
    )


def test_the_other_king_hit_wins() -> None:
    # Row 7: the beam turns left at j7 (B \ faces SW) and reaches k on f7.
    sn = "l++9/5k3B/*/*/*/*/4K5/9L+++"
    new_sn, side, path, outcome = laser_chess.apply(sn, "b", "j1+xf7")
    assert new_sn == "l++9/9B/*/*/*/*/4K5/9L"
    assert path == ["j1", "j2", "j3", "j4", "j5", "j6", "j7", "i7", "h7", "g7", "f7"]
    assert (side, outcome) == ("r", "1-0 king captured")
    assert laser_chess.legal(new_sn, "r") == []


def test_only_the_movers_laser_fires() -> None:
    # Red's laser points down at the red b on a7, which would be captured; Blue moves.
    sn = "l++9/b4k4/*/*/*/*/4K5/9L"
    assert laser_chess.apply(sn, "b", "e2+")[0] == "l++9/b4k4/*/*/*/*/4K+5/9L"
    # ... and when Red moves it is: b at 0 faces SW, a beam travelling down hits its back.
    assert "f7+xa7" in laser_chess.legal(sn, "r")


def test_a_game_that_ended_adds_nothing_to_perft() -> None:
    # Blue: K h1 -> g1 g2 h2 i2 (i1 is Red's), 2 turns, laser 1 = 7. The laser to the left (j1-)
    # burns the K on h1. Red: k f7 8 moves, 2 turns, laser 1 = 11 answers to each of the other 6.
    sn = "l++9/5k4/*/*/*/*/*/7K1L"
    assert sorted(laser_chess.legal(sn, "b")) == sorted(
        ["h1g1", "h1g2", "h1h2", "h1i2", "h1+", "h1-", "j1-xh1"]
    )
    assert laser_chess.perft(sn, "b", 1) == 7
    assert laser_chess.perft(sn, "b", 2) == 6 * 11


def test_mercury_burns_a_blue_deflector_on_68_of_72_first_moves() -> None:
    actions = laser_chess.legal(MERCURY, "b")
    assert len(actions) == 72
    assert sum(1 for lan in actions if "x" in lan) == 68


def test_the_repetition_key_folds_kings_and_half_turns_of_switches_only() -> None:
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


# ---------------------------------------------------------------- Photon: a drawing of a state


def draw(drawing: str, turn: int = 0) -> dict[str, Any]:
    board: list[list[dict[str, Any] | None]] = [[None] * 10 for _ in range(10)]
    for y, line in enumerate(drawing.strip().splitlines()):
        for x, word in enumerate(line.split()):
            if word != ".":
                board[y][x] = draw_piece(word[:-1], int(word[-1]))
    return {"board": board, "turn": turn, "history": []}


def draw_piece(what: str, player: int) -> dict[str, Any]:
    if what == "K":
        return {"type": "K", "player": player, "hp": 1, "orientation": 0}
    if what == "B":
        return {"type": "B", "player": player, "hp": 2, "orientation": 0}
    if what == "b":
        return {"type": "B", "player": player, "hp": 1, "orientation": 0}
    if what in ("^", ">", "v", "<"):
        return {"type": "S", "player": player, "hp": 1, "orientation": "^>v<".index(what)}
    face = ["NE", "SE", "SW", "NW"].index(what)
    return {"type": "M", "player": player, "hp": 1, "orientation": face}


def beams_of(drawing: str, two_sided: bool = False, independent: bool = False) -> list[str]:
    """Each beam as text: `fire 0,0 pass 1,0 ...`."""
    texts = []
    for steps in photon.beams(draw(drawing), two_sided, independent):
        words = [f"{step['what']} {step['cell'][0]},{step['cell'][1]}" for step in steps]
        texts.append(" ".join(words))
    return texts


# ---------------------------------------------------------------- Photon: beams


def test_a_beam_alone_crosses_the_board_and_leaves() -> None:
    assert beams_of(". . . . . . . >0") == ["fire 7,0 pass 8,0 pass 9,0 leave 9,0"]


def test_a_beam_may_leave_at_once() -> None:
    assert beams_of("^0") == ["fire 0,0 leave 0,0"]


def test_beams_that_swap_squares_annihilate_on_the_edge() -> None:
    # >0 . . <1    step 1: 1,0 and 2,0; then they would swap
    assert beams_of(">0 . . <1") == [
        "fire 0,0 pass 1,0 annihilate 1,0",
        "fire 3,0 pass 2,0 annihilate 2,0",
    ]


def test_adjacent_shooters_facing_each_other_both_survive() -> None:
    assert beams_of(">0 <1") == ["fire 0,0 annihilate 0,0", "fire 1,0 annihilate 1,0"]
    state = draw(">0 <1 . K0 K1")
    new_state, _, outcome = photon.apply(state, {"type": "move", "src": [3, 0], "dst": [3, 1]})
    assert outcome == "ongoing"
    assert new_state["board"][0][0] == draw_piece(">", 0)
    assert new_state["board"][0][1] == draw_piece("<", 1)


def test_a_shooter_that_looks_away_is_hit_by_its_neighbour() -> None:
    assert beams_of(">0 >1") == [
        "fire 0,0 hit 1,0",
        "fire 1,0 pass 2,0 pass 3,0 pass 4,0 pass 5,0 pass 6,0 pass 7,0 pass 8,0 pass 9,0 "
        "leave 9,0",
    ]


def test_a_swap_with_a_mirror_square_counts() -> None:
    # >0 . SW .     step 2: the beam of 0,0 turns at 2,0 and heads down to 2,1;
    # .  . .  .     the beam of 2,3 is on 2,1 and heads up to 2,0: they swap
    # .  . .  .
    # .  . ^1 .
    assert beams_of(">0 . SW0\n. . .\n. . .\n. . ^1") == [
        "fire 0,0 pass 1,0 turn 2,0 annihilate 2,0",
        "fire 2,3 pass 2,2 pass 2,1 annihilate 2,1",
    ]


def test_a_swap_between_two_mirrors_counts() -> None:
    # .  v0 .  .     1,0 shines down on NE (1,1), which sends it right;
    # .  NE SW .     2,2 shines up on SW (2,1), which sends it left: they swap at once
    # .  .  ^1 .
    assert beams_of(". v0 . .\n. NE0 SW0 .\n. . ^1 .") == [
        "fire 1,0 turn 1,1 annihilate 1,1",
        "fire 2,2 turn 2,1 annihilate 2,1",
    ]


def test_beams_head_on_on_one_empty_square_annihilate() -> None:
    assert beams_of(">0 . <1") == [
        "fire 0,0 annihilate 1,0",
        "fire 2,0 annihilate 1,0",
    ]


def test_beams_at_a_right_angle_on_one_empty_square_annihilate() -> None:
    # >0 .      both reach 1,0 in step 1
    # .  ^1
    assert beams_of(">0 .\n. ^1") == [
        "fire 0,0 annihilate 1,0",
        "fire 1,1 annihilate 1,0",
    ]


def test_three_beams_on_one_empty_square_annihilate() -> None:
    # .  v0 .
    # >0 .  <1
    assert beams_of(". v0 .\n>0 . <1") == [
        "fire 1,0 annihilate 1,1",
        "fire 0,1 annihilate 1,1",
        "fire 2,1 annihilate 1,1",
    ]


def test_beams_that_cross_at_different_steps_do_not_meet() -> None:
    # >0 .       the first is on 1,0 in step 1, the second in step 2 on its way out at the top
    # .  .
    # .  ^1
    got = beams_of(">0 .\n. .\n. ^1")
    assert got[0].endswith("pass 9,0 leave 9,0")
    assert got[1] == "fire 1,2 pass 1,1 pass 1,0 leave 1,0"


def test_an_ended_beam_leaves_nothing_behind() -> None:
    # .  .  .  .  .      the beams of 0,1 and 2,1 meet on 1,1 in step 1;
    # >0 .  <1 .  .      the beam of 1,3 comes to 1,1 in step 2 and passes
    # .  .  .  .  .
    # .  ^0 .  .  .
    got = beams_of(". . .\n>0 . <1\n. . .\n. ^0 .")
    assert got[2] == "fire 1,3 pass 1,2 pass 1,1 pass 1,0 leave 1,0"


def test_a_swap_is_settled_before_beams_share_a_square() -> None:
    # .  .  .  v0     step 1: 1,2  2,2 and 3,1 (from 3,0).
    # .  .  .  .      Step 2: 1,2 and 2,2 swap and end. The third comes to 3,2, a shooter's
    # >0 .  .  <1     square, and hits it: the swap has not changed that.
    assert beams_of(". . . v0\n. . . .\n>0 . . <1") == [
        "fire 3,0 pass 3,1 hit 3,2",
        "fire 0,2 pass 1,2 annihilate 1,2",
        "fire 3,2 pass 2,2 annihilate 2,2",
    ]


def test_swapped_beams_do_not_meet_a_third_on_the_square_they_would_have_reached() -> None:
    # .  v0 .  .      step 1: 1,1 (from 1,0), 1,2 (from 0,2), 2,2 (from 3,2).
    # .  .  .  .      step 2: 1,2 and 2,2 swap and end; the first comes to 1,2 alone, and passes
    # >0 .  .  <1
    got = beams_of(". v0 . .\n. . . .\n>0 . . <1")
    assert got[0].startswith("fire 1,0 pass 1,1 pass 1,2 pass 1,3 ")
    assert got[0].endswith("pass 1,9 leave 1,9")
    assert got[1] == "fire 0,2 pass 1,2 annihilate 1,2"


# A row: face, then the heading of light that comes in heading N, E, S, W; "" is the back.
FACES = [
    ("NE", "", "", "E", "N"),
    ("SE", "E", "", "", "S"),
    ("SW", "W", "S", "", ""),
    ("NW", "", "N", "W", ""),
]
BACKS = [
    ("NE", "W", "S", "", ""),
    ("SE", "", "N", "W", ""),
    ("SW", "", "", "E", "N"),
    ("NW", "E", "", "", "S"),
]


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("incoming", range(4))
def test_a_mirror_by_its_face(row: int, incoming: int, two_sided: bool) -> None:
    # The mirror is on 1,1; the shooter is beside it, shining at it.
    shooter_x, shooter_y = [(1, 2), (0, 1), (1, 0), (2, 1)][incoming]
    state = draw("")
    state["board"][1][1] = draw_piece(FACES[row][0], 0)
    state["board"][shooter_y][shooter_x] = draw_piece("^>v<"[incoming], 1)
    steps = photon.beams(state, two_sided=two_sided)[0]
    outgoing = FACES[row][1 + incoming]
    if two_sided and outgoing == "":
        outgoing = BACKS[row][1 + incoming]
    if outgoing == "":
        assert steps[1:] == [{"cell": [1, 1], "what": "hit"}]
    else:
        next_cell = {"N": [1, 0], "E": [2, 1], "S": [1, 2], "W": [0, 1]}[outgoing]
        assert steps[1] == {"cell": [1, 1], "what": "turn"}
        assert steps[2]["cell"] == next_cell


def test_beams_on_the_same_face_of_a_mirror_annihilate() -> None:
    # .  v0 .      NE takes light from above and from the right
    # .  NE <1
    assert beams_of(". v0 .\n. NE0 <1") == [
        "fire 1,0 annihilate 1,1",
        "fire 2,1 annihilate 1,1",
    ]


def test_beams_on_the_same_face_do_not_save_a_mirror_from_a_hit_in_the_back() -> None:
    # .  v0 .
    # >0 NE <1      0,1 hits the back, and all three are at the mirror in step 1
    assert beams_of(". v0 .\n>0 NE0 <1") == [
        "fire 1,0 annihilate 1,1",
        "fire 0,1 hit 1,1",
        "fire 2,1 annihilate 1,1",
    ]


def test_two_beams_on_the_back_of_a_mirror_both_hit() -> None:
    # >0 NE .      SW of this mirror is its back: no face, so nothing annihilates
    # .  ^1 .
    assert beams_of(">0 NE0\n. ^1") == ["fire 0,0 hit 1,0", "fire 1,1 hit 1,0"]


def test_beams_on_both_sides_of_a_mirror_go_their_own_ways() -> None:
    # .  v0 .      one-sided: the second hits the back; two-sided: it turns down
    # >1 NE .
    one_sided = beams_of(". v0 .\n>1 NE0 .")
    assert one_sided[0].startswith("fire 1,0 turn 1,1 pass 2,1 ")
    assert one_sided[1] == "fire 0,1 hit 1,1"
    both = beams_of(". v0 .\n>1 NE0 .", two_sided=True)
    assert both[0].startswith("fire 1,0 turn 1,1 pass 2,1 ")
    assert both[1].startswith("fire 0,1 turn 1,1 pass 1,2 ")


def test_beams_on_the_same_back_of_a_two_sided_mirror_annihilate() -> None:
    assert beams_of(">0 NE0\n. ^1", two_sided=True) == [
        "fire 0,0 annihilate 1,0",
        "fire 1,1 annihilate 1,0",
    ]


def test_every_beam_on_a_piece_counts() -> None:
    # >0 B1 <0     two points in one turn: the block is gone
    state = draw(">0 B1 <0 K0 . K1")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [3, 0], "dst": [4, 0]})
    assert [steps[-1] for steps in shots] == [{"cell": [1, 0], "what": "hit"}] * 2
    assert new_state["board"][0][1] is None
    assert outcome == "ongoing"


def test_a_block_loses_one_point_to_one_beam() -> None:
    state = draw(">0 B1 . K0 . K1")
    move = {"type": "move", "src": [3, 0], "dst": [4, 0]}
    state, _, _ = photon.apply(state, move)
    assert state["board"][0][1] == draw_piece("b", 1)
    state, _, _ = photon.apply(state, {"type": "move", "src": [5, 0], "dst": [6, 0]})
    assert state["board"][0][1] is None


def test_what_is_destroyed_this_turn_still_stops_every_beam() -> None:
    # >0 b1 . K1      the block goes in step 1, the beam of 1,2 comes in step 2 and stops too
    # .  .  . .
    # .  ^0 . K0
    state = draw(">0 b1 . K1\n. . . .\n. ^0 . K0")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [3, 2], "dst": [4, 2]})
    assert [steps[-1] for steps in shots] == [{"cell": [1, 0], "what": "hit"}] * 2
    assert new_state["board"][0][1] is None
    assert outcome == "ongoing"


def test_a_mirror_destroyed_this_turn_still_reflects() -> None:
    # .  v0 .  .      >1 on 0,1 hits the back of NE on 1,1; the other beam is turned all the same
    # >1 NE .  K1
    # K0
    state = draw(". v0 . .\n>1 NE0 . K1\nK0 . . .")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [0, 2], "dst": [0, 3]})
    assert shots[0][-1] == {"cell": [3, 1], "what": "hit"}
    assert new_state["board"][1][1] is None
    assert outcome == "1-0 king captured"


def test_a_beam_may_come_back_and_destroy_its_own_shooter() -> None:
    # SE . SW      from 1,2 left to 0,2, where NE sends it up; SE right; SW down; NW left: home
    # .  . .
    # NE <0 NW
    assert beams_of("SE0 . SW0\n. . .\nNE0 <0 NW0") == [
        "fire 1,2 turn 0,2 pass 0,1 turn 0,0 pass 1,0 turn 2,0 pass 2,1 turn 2,2 hit 1,2"
    ]


def test_independent_beams_go_through_one_another() -> None:
    assert beams_of(">0 <1", independent=True) == ["fire 0,0 hit 1,0", "fire 1,0 hit 0,0"]
    assert beams_of(">0 . <1", independent=True) == [
        "fire 0,0 pass 1,0 hit 2,0",
        "fire 2,0 pass 1,0 hit 0,0",
    ]
    # v0 on 1,0 turns right and hits the shooter on 2,1; <1 turns up and hits the one on 1,0.
    assert beams_of(". v0 .\n. NE0 <1", independent=True) == [
        "fire 1,0 turn 1,1 hit 2,1",
        "fire 2,1 turn 1,1 hit 1,0",
    ]


def test_beams_are_ordered_by_row_then_column() -> None:
    got = photon.beams(draw(". . ^0\n<0 . .\n. v1 ."))
    assert [steps[0]["cell"] for steps in got] == [[2, 0], [0, 1], [1, 2]]


# ---------------------------------------------------------------- Photon: actions and ends


def test_the_standard_setup_has_29_first_moves() -> None:
    # King 2, block 3, each of two shooters and two mirrors 4 moves and 2 turns: 2 + 3 + 24.
    assert len(photon.legal(photon.standard())) == 29


def test_the_standard_setup_is_point_symmetric() -> None:
    board = photon.standard()["board"]
    for y in range(10):
        for x in range(10):
            piece, twin = board[y][x], board[9 - y][9 - x]
            if piece is None:
                assert twin is None
                continue
            assert twin["type"] == piece["type"]
            assert twin["player"] == 1 - piece["player"]
            half_turn = 2 if piece["type"] in ("S", "M") else 0
            assert twin["orientation"] == (piece["orientation"] + half_turn) % 4


def test_kings_and_blocks_do_not_turn_and_nobody_moves_diagonally() -> None:
    # K0 B0 .      K0 can only go down; B0 right and down; the shooter is Blue's
    # .  .  ^1
    # K1
    state = draw("K0 B0 .\n. . ^1\nK1 . .")
    assert photon.legal(state) == [
        {"type": "move", "src": [0, 0], "dst": [0, 1]},
        {"type": "move", "src": [1, 0], "dst": [2, 0]},
        {"type": "move", "src": [1, 0], "dst": [1, 1]},
    ]


def test_a_turn_is_clockwise_for_1_and_wraps_round() -> None:
    state = draw("^0 . NW0 . K0 . . K1")
    turned, _, _ = photon.apply(state, {"type": "rotate", "src": [0, 0], "dir": -1})
    assert turned["board"][0][0] == draw_piece("<", 0)
    turned, _, _ = photon.apply(state, {"type": "rotate", "src": [2, 0], "dir": 1})
    assert turned["board"][0][2] == draw_piece("NE", 0)


def test_a_player_without_an_action_passes_and_the_beams_fire() -> None:
    # K0 B1 <1      Red is boxed in; the beam of 2,0 hits Blue's own block
    # B1 .  .
    # .  K1 .
    state = draw("K0 B1 <1\nB1 . .\n. K1 .")
    assert photon.legal(state) == [{"type": "pass"}]
    new_state, shots, outcome = photon.apply(state, {"type": "pass"})
    assert new_state["board"][0][1] == draw_piece("b", 1)
    assert len(shots) == 1
    assert outcome == "ongoing"
    assert new_state["turn"] == 1
    assert new_state["history"] == [{"type": "pass"}]


OUTCOMES = [
    (">0 . . K1 . . . . . K0", "1-0 king captured"),
    (">0 . . K0 . . . . . K1", "0-1 king captured"),
    ("K0 <1 . . . . K1 <0", "1/2-1/2 both kings captured"),
    (">0 . . B1 K1 . . . . K0", "ongoing"),
]


@pytest.mark.parametrize(("drawing", "expected"), OUTCOMES)
def test_outcomes_by_kings(drawing: str, expected: str) -> None:
    state = draw(drawing)
    # A mirror far from everything turns, so that the drawing itself fires.
    state["board"][9][0] = draw_piece("NE", 0)
    _, _, outcome = photon.apply(state, {"type": "rotate", "src": [0, 9], "dir": 1})
    assert outcome == expected


def test_no_shooter_left_is_a_draw_and_ends_the_game() -> None:
    # >0 .  SW      the only beam turns down at 2,0, left at 2,2, up at 0,2 and is home again
    # .  .  .
    # NE .  NW
    state = draw(">0 . SW0\n. . .\nNE0 . NW0\n. . . . . K0 . K1")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [5, 3], "dst": [5, 4]})
    assert shots[0][-1] == {"cell": [0, 0], "what": "hit"}
    assert outcome == "1/2-1/2 no shooter left"
    assert photon.legal(new_state) == []


def test_a_state_without_a_king_has_no_legal_action() -> None:
    assert photon.legal(draw("K0 . >0")) == []
    assert photon.legal(draw("K1 . >0")) == []


def test_apply_does_not_change_its_input() -> None:
    state = draw(">0 B1 . K0 . K1")
    move = {"type": "move", "src": [3, 0], "dst": [3, 1]}
    state_before, move_before = copy.deepcopy(state), copy.deepcopy(move)
    new_state, _, _ = photon.apply(state, move)
    assert (state, move) == (state_before, move_before)
    assert new_state["history"] == [move]
    assert new_state["turn"] == 1


# ---------------------------------------------------------------- random positions


def test_random_laser_chess_positions_keep_the_rules() -> None:
    rng = random.Random(1)
    for _ in range(300):
        sn, side = positions.laser_chess(rng)
        board = laser_chess.parse(sn)
        assert laser_chess.format(board) == sn
        assert side in ("b", "r")
        for colour, corner, headings in [("b", "j1", [0, 270]), ("r", "a8", [90, 180])]:
            mine = [(square, piece) for square, piece in board.items() if piece.side == colour]
            for kind, most in [("K", 1), ("S", 2), ("D", 2), ("B", 7), ("L", 1)]:
                assert sum(1 for _, piece in mine if piece.kind == kind) <= most
            assert board[corner].kind == "L"
            assert board[corner].orientation in headings
            for square, _ in mine:
                assert square == corner or laser_chess.allowed(colour, square)
        assert laser_chess.count_kings(board) >= 1


def test_random_photon_positions_keep_the_rules_and_show_every_kind_of_step() -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(600):
        state = positions.photon(rng)
        pieces = photon.pieces_of(state)
        for player in (0, 1):
            kinds = [piece["type"] for piece in pieces.values() if piece["player"] == player]
            assert kinds.count("K") <= 1
            assert kinds.count("S") <= 4
        for piece in pieces.values():
            assert piece["hp"] == 1 or (piece["type"], piece["hp"]) == ("B", 2)
            assert piece["orientation"] in range(4)
        moves = photon.legal(state)
        if moves == [{"type": "pass"}]:
            seen.add("must pass")
        if moves:
            seen.add(photon.apply(state, rng.choice(moves))[2])
        endings: dict[tuple[int, int, int], int] = {}
        for steps in photon.beams(state):
            x, y = steps[-1]["cell"]
            seen.update(step["what"] for step in steps)
            if steps[-1]["what"] == "annihilate":
                held = "a mirror" if (x, y) in pieces else "an empty square"
                if steps[-2]["cell"] == [x, y]:
                    from_start = len(steps) == 2
                    seen.add("swap from a shooter" if from_start else f"swap from {held}")
                else:
                    seen.add(f"meet on {held}")
                    when = (x, y, len(steps))
                    endings[when] = endings.get(when, 0) + 1
                    seen.add(f"{endings[when]} on {held}")
    assert seen >= {
        "fire",
        "pass",
        "turn",
        "hit",
        "annihilate",
        "leave",
        "must pass",
        "ongoing",
        "1-0 king captured",
        "0-1 king captured",
        "1/2-1/2 both kings captured",
        "1/2-1/2 no shooter left",
        "swap from a shooter",
        "swap from a mirror",
        "swap from an empty square",
        "meet on a mirror",
        "meet on an empty square",
        "3 on an empty square",
        "4 on an empty square",
    }
