"""Laser Chess as text (SN and LAN): round trips, and errors that help; and in both square games
the sentence for every move that the rules do not allow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from engine.errors import BadMove, BadPosition, IllegalMove
from engine.game import AnyGame
from engine.laser_chess import LaserChess, Position
from engine.photon import Photon
from tests.oracle import laser_chess as slow_chess
from tests.play import LASER_CHESS, PHOTON, examples, laser_chess_position, laser_chess_positions

GRID = LASER_CHESS.start().grid
EMPTY = "l++9/*/*/*/*/*/*/9L"


def with_row(number: int, row: str) -> str:
    """Two kings and two lasers, and one row replaced."""
    rows = ["l++9", "5k4", "*", "*", "*", "*", "4K5", "9L"]
    rows[8 - number] = row
    return "/".join(rows)


# -- round trips -----------------------------------------------------------------------------


@given(laser_chess_positions)
@examples(300)
def test_a_position_is_written_as_it_was_read(position: Position) -> None:
    text = LASER_CHESS.write_position(position)
    assert LASER_CHESS.read_position(text) == position
    assert LASER_CHESS.write_position(LASER_CHESS.read_position(text)) == text
    sn, side = text.split()
    assert LASER_CHESS.write_arrangement(position) == sn
    assert slow_chess.format(slow_chess.parse(sn)) == sn
    assert LASER_CHESS.read_position(sn).side == 0
    assert side == "br"[position.side]


@given(laser_chess_positions)
@examples(60)
def test_a_move_is_written_as_it_was_read_with_or_without_its_capture(position: Position) -> None:
    side = position.side
    for move in LASER_CHESS.legal(position, side):
        text = LASER_CHESS.write_move(position, side, move)
        bare, _, captured = text.partition("x")
        assert LASER_CHESS.read_move(position, side, text) == move
        assert LASER_CHESS.read_move(position, side, bare) == move
        losses = LASER_CHESS.resolve(position, {side: move}).losses
        assert [GRID.name(loss.cell) for loss in losses] == ([captured] if captured else [])


@given(laser_chess_positions)
@examples(40)
def test_a_capture_that_does_not_happen_is_refused(position: Position) -> None:
    side = position.side
    for move in LASER_CHESS.legal(position, side)[:12]:
        bare, _, captured = LASER_CHESS.write_move(position, side, move).partition("x")
        wrong = "e5" if captured != "e5" else "e4"
        with pytest.raises(IllegalMove) as caught:
            LASER_CHESS.read_move(position, side, f"{bare}x{wrong}")
        really = captured or "nothing"
        assert str(caught.value) == (
            f"'{bare}x{wrong}' says it captures {wrong}; the beam captures {really}"
        )


ORIENTATIONS = [
    ("S+++", 3), ("K+", 1), ("B++", 2), ("D+++", 3), ("S", 0), ("K+++", 3),
]  # fmt: skip


@pytest.mark.parametrize(("token", "orientation"), ORIENTATIONS)
def test_every_orientation_is_kept_as_turned(token: str, orientation: int) -> None:
    text = with_row(2, f"4{token}5") if token[0] == "K" else with_row(5, f"4{token}5")
    position = LASER_CHESS.read_position(text)
    piece = position.pieces[GRID.cell("e2" if token[0] == "K" else "e5")]
    assert piece.orientation == orientation
    assert LASER_CHESS.write_arrangement(position) == text


# -- what is no SN ---------------------------------------------------------------------------

MALFORMED_SN = [
    ("", "'' is not SN"),
    ("   ", "is not SN"),
    (f"{EMPTY} b b", "is not SN"),
    (f"{with_row(5, '*')} w", "the side to move is 'b' or 'r', not 'w'"),
    (f"{with_row(5, '*')} B", "'b' or 'r', not 'B'"),
    ("l++9/5k4/*/*/*/4K5/9L", "this has 7"),
    ("l++9/5k4/*/*/*/*/*/4K5/9L", "this has 9"),
    ("5k4", "this has 1"),
    (with_row(5, ""), "SN row 5 '': 0 squares, not 10"),
    (with_row(5, "9"), "SN row 5 '9': 9 squares, not 10"),
    (with_row(7, "5k5"), "SN row 7 '5k5': 11 squares, not 10"),
    (with_row(8, "l++8"), "SN row 8 'l++8': 9 squares, not 10"),
    (with_row(1, "8L"), "SN row 1 '8L': 9 squares, not 10"),
    (with_row(3, "55"), "SN row 3 '55': write a run of empty squares as one number"),
    (with_row(3, "B45"), "SN row 3 'B45': write a run of empty squares as one number"),
    (with_row(6, "2x7"), "SN row 6 '2x7': 'x' is not a piece"),
    (with_row(6, "2 7"), "the side to move is 'b' or 'r', not '7/"),
    (with_row(4, "*9"), "SN row 4 '*9': '*' is not a piece"),
    (with_row(4, "9*"), "SN row 4 '9*': '*' is not a piece"),
    (with_row(4, "**"), "an empty row is *"),
    (with_row(4, "B*"), "SN row 4 'B*': '*' is not a piece"),
    (with_row(2, "4K++++5"), "SN row 2 '4K++++5': 'K++++' is turned 4 times; at most 3"),
    (with_row(2, "4K+++++++5"), "is turned 7 times; at most 3"),
    (with_row(5, "+9"), "SN row 5 '+9': '+' is not a piece"),
    (with_row(5, "1+9"), "SN row 5 '1+9': '+' is not a piece"),
    (with_row(5, "B-9"), "SN row 5 'B-9': '-' is not a piece"),
    (with_row(5, "10"), "SN row 5 '10': '0' is not a piece"),
    (with_row(5, "0B9"), "SN row 5 '0B9': '0' is not a piece"),
    (with_row(5, "\u0663B6"), "SN row 5 '\u0663B6': '\u0663' is not a piece"),
    (with_row(5, "\u017f9"), "is not a piece (K S D B L, red in lower case)"),
    ("/" * 500, "is too long for a position (500 characters)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fragment"), MALFORMED_SN)
def test_malformed_sn_says_where_and_what(text: str, fragment: str) -> None:
    with pytest.raises(BadPosition) as caught:
        LASER_CHESS.read_position(text)
    assert fragment in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


# -- SN that no game can have ----------------------------------------------------------------

IMPOSSIBLE = [
    (with_row(1, "*"), "blue needs exactly one laser, on j1; found none"),
    (with_row(8, "*"), "red needs exactly one laser, on a8; found none"),
    (with_row(5, "4L5"), "blue needs exactly one laser, on j1; found e5 j1"),
    (with_row(1, "8L1"), "blue needs exactly one laser, on j1; found i1"),
    (with_row(5, "l9"), "red needs exactly one laser, on a8; found a8 a5"),
    ("L9/5k4/*/*/*/*/4K5/9l++", "blue needs exactly one laser, on j1; found a8"),
    (with_row(1, "9L+"), "blue's laser on j1 points off the board: orientation 90, allowed 0 or"),
    (with_row(1, "9L++"), "orientation 180, allowed 0 or 270"),
    (with_row(8, "l9"), "red's laser on a8 points off the board: orientation 0, allowed 180 or"),
    (with_row(8, "l+++9"), "orientation 270, allowed 180 or 90"),
    (with_row(5, "1BBBBBBBB1"), "blue has 8 pieces of kind deflector; at most 7"),
    (with_row(5, "1ddd6"), "red has 3 pieces of kind defender; at most 2"),
    (with_row(5, "1SSS6"), "blue has 3 pieces of kind switch; at most 2"),
    (with_row(5, "1kk7"), "red has 3 pieces of kind king; at most 1"),
    (with_row(5, "4K5"), "blue has 2 pieces of kind king; at most 1"),
    (with_row(5, "B9"), "blue's deflector on a5: that is kept for red"),
    (with_row(1, "8SL"), "blue's switch on i1: that is kept for red"),
    (with_row(8, "l++7D1"), "blue's defender on i8: that is kept for red"),
    (with_row(5, "9d"), "red's defender on j5: that is kept for blue"),
    (with_row(1, "1s7L"), "red's switch on b1: that is kept for blue"),
    (with_row(8, "l++b8"), "red's deflector on b8: that is kept for blue"),
    (with_row(1, "9k"), "blue needs exactly one laser, on j1; found none"),
    (EMPTY, "there is no king: at least one side must have its king"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fragment"), IMPOSSIBLE)
def test_an_arrangement_that_no_game_can_have_is_refused(text: str, fragment: str) -> None:
    with pytest.raises(BadPosition) as caught:
        LASER_CHESS.read_position(text)
    assert fragment in str(caught.value)


RESERVED = [
    (side, square)
    for side, squares in [("b", slow_chess.RED_ONLY), ("r", slow_chess.BLUE_ONLY)]
    for square in squares
]


@pytest.mark.parametrize(("side", "square"), RESERVED)
def test_every_reserved_square_is_refused_to_the_other_side(side: str, square: str) -> None:
    board = slow_chess.parse(with_row(5, "*"))
    board[square] = slow_chess.Piece("B", side, 0)
    with pytest.raises(BadPosition, match=f"on {square}: that is kept for"):
        LASER_CHESS.read_position(slow_chess.format(board))
    board[square] = slow_chess.Piece("B", slow_chess.other(side), 0)
    LASER_CHESS.read_position(slow_chess.format(board))


def test_a_position_without_one_king_is_a_game_that_is_over() -> None:
    for row, result in [(7, "1-0"), (2, "0-1")]:
        position = LASER_CHESS.read_position(with_row(row, "*"))
        assert str(LASER_CHESS.outcome(position)) == f"{result} king captured"


# -- what is no LAN --------------------------------------------------------------------------

MALFORMED_LAN = [
    "", " ", "j4", "j4j", "j4j9", "j4j0", "k4j3", "j9j8", "j4 j3", "J4J3", " j4j3", "j4j3 ",
    "j4j3\n", "j4j3x", "j4j3xk9", "j4j3xg3xg3", "j4xg3", "j4u", "f4Ug3", "f4uug3", "h2++", "h2+-",
    "h2*", "h2+90", "h2+x", "+h2", "e2-e3", "e2e3+", "0-0", "e2e3e4", "\uff4a4j3", "j\u0664j3",
    "h2\u2212", "e10e9", "x" * 10_000,
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED_LAN)
def test_malformed_lan_says_what_a_move_looks_like(text: str) -> None:
    with pytest.raises(BadMove) as caught:
        LASER_CHESS.read_move(LASER_CHESS.start(), 0, text)
    message = str(caught.value)
    assert repr(text)[:40] in message
    assert "is not a move: write j4j3 (move), f4ug3 (switch swaps), h2+ or h2- (turn)" in message
    assert len(message) < 300


# -- why a move is not legal -----------------------------------------------------------------

CROWDED = "l++9/1K4k3/8bB/3D5B/8d1/*/4S+3S1/9L+++"
MORE = "l++3bd++4/1S2K1k3/*/*/3bSd4/*/1B8/9L"
KINGS = "l++9/*/*/4kS4/4KS4/*/*/9L"
NOT_WITH = "a switch swaps only with a deflector or a defender, not with a"
WHY_NOT = [
    (CROWDED, "c3c4", "c3 is empty"),
    (CROWDED, "c3+", "c3 is empty"),
    (CROWDED, "g7g6", "the king on g7 is not blue's"),
    (CROWDED, "i6-", "the deflector on i6 is not blue's"),
    (CROWDED, "a8-", "the laser on a8 is not blue's"),
    (CROWDED, "j1-", "the laser would point off the board; only j1+ is possible"),
    (MORE, "j1+", "the laser would point off the board; only j1- is possible"),
    (f"{CROWDED} r", "a8+", "the laser would point off the board; only a8- is possible"),
    (CROWDED, "j1j2", "a laser never moves, it only turns"),
    (CROWDED, "j1ui2", "a laser never moves, it only turns"),
    (CROWDED, "d5d7", "a piece moves one square, in any of the 8 directions"),
    (CROWDED, "d5d5", "a piece moves one square, in any of the 8 directions"),
    (CROWDED, "e2ue2", "a piece moves one square, in any of the 8 directions"),
    (CROWDED, "j5a4", "a piece moves one square, in any of the 8 directions"),
    (CROWDED, "i2j1", "nobody enters j1, a laser's square"),
    (CROWDED, "i2uj1", "nobody enters j1, a laser's square"),
    (CROWDED, "b7a8", "nobody enters a8, a laser's square"),
    (CROWDED, "b7a7", "a7 is reserved for red"),
    (CROWDED, "i2i1", "i1 is reserved for red"),
    (CROWDED, "j5j6", "j6 is occupied"),
    (MORE, "e4d4", "d4 is occupied; a swap is written e4ud4"),
    (MORE, "e4f4", "f4 is occupied; a swap is written e4uf4"),
    (CROWDED, "d5ue4", "only a switch swaps"),
    (CROWDED, "j5uj6", "only a switch swaps"),
    (CROWDED, "e2ue3", "e3 is empty: a plain move is written e2e3"),
    (KINGS, "f4ue4", f"{NOT_WITH} king"),
    (KINGS, "f4ue5", f"{NOT_WITH} king"),
    (KINGS, "f4uf5", f"{NOT_WITH} switch"),
    ("l++9/5k4/*/8bS/*/*/4K5/9L", "j5ui5", "it would put a red piece on j5, reserved for blue"),
    ("l++9/5k4/*/sB8/*/*/4K5/9L r", "a5ub5", "it would put a blue piece on a5, reserved for red"),
    ("l++9/5k4/*/*/*/*/*/9L", "j1-", "the game is over: 0-1 king captured"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "move", "reason"), WHY_NOT)
def test_an_illegal_laser_chess_move_says_why(text: str, move: str, reason: str) -> None:
    position = LASER_CHESS.read_position(text)
    side = LASER_CHESS.players[position.side]
    with pytest.raises(IllegalMove) as caught:
        LASER_CHESS.read_move(position, position.side, move)
    assert str(caught.value) == f"illegal move {move!r} for {side}: {reason}"


def shapes() -> Iterator[tuple[str, str, str, str]]:
    """Source, sign, `u` or nothing, target: all rotations, moves near and not so near."""
    names = [GRID.name(cell) for cell in range(GRID.size)]
    for src in names:
        yield from ((src, sign, "", "") for sign in "+-")
        steps = [slow_chess.shifted(src, dx, dy) for dx in range(-2, 3) for dy in range(-1, 2)]
        for dst in {*filter(None, steps), "e5"}:
            yield from ((src, "", swap, dst) for swap in ("", "u"))


def is_true(
    reason: str, position: Position, shape: tuple[str, str, str, str], legal: set[str]
) -> bool:
    """Is what the sentence says a fact about this move in this position?"""
    src, sign, swap, dst = shape
    pieces = {GRID.name(cell): piece for cell, piece in position.pieces.items()}
    side, mine, other = "br"[position.side], pieces.get(src), pieces.get(dst)
    kind = mine.kind if mine else ""
    near = dst in slow_chess.neighbours_of_eight(src)
    facts = {
        r"(..) is empty": mine is None,
        r"the (\w+) on (..) is not (\w+)'s": mine is not None and mine.owner != position.side,
        r"the laser would point off the board; only (..[+-]) is possible": bool(
            sign and kind == "laser"
        ),
        r"a laser never moves, it only turns": not sign and kind == "laser",
        r"a piece moves one square, in any of the 8 directions": not sign and not near,
        r"nobody enters (..), a laser's square": dst in ("a8", "j1"),
        r"(..) is reserved for (\w+)": bool(dst) and not slow_chess.allowed(side, dst),
        r"(..) is occupied": not swap and other is not None,
        r"(..) is occupied; a swap is written (.+)": not swap and f"{src}u{dst}" in legal,
        r"only a switch swaps": bool(swap) and kind != "switch",
        r"(..) is empty: a plain move is written (.+)": bool(swap) and src + dst in legal,
        rf"{NOT_WITH} (king|switch|laser)": bool(swap and other and reason.endswith(other.kind)),
        r"it would put a (\w+) piece on (..), reserved for (\w+)": bool(
            swap and other and not slow_chess.allowed("br"[other.owner], src)
        ),
        r"the game is over: .+": LASER_CHESS.outcome(position) is not None,
    }
    return any(true and re.fullmatch(pattern, reason) for pattern, true in facts.items())


@pytest.mark.parametrize("seed", range(24))
def test_every_laser_chess_move_is_legal_or_refused_for_a_reason_that_is_true(seed: int) -> None:
    position = laser_chess_position(seed)
    sn, side = LASER_CHESS.write_position(position).split()
    legal = {text.partition("x")[0] for text in slow_chess.legal(sn, side)}
    for shape in shapes():
        text = "".join((shape[0], shape[1], shape[2], shape[3]))
        if text in legal:
            LASER_CHESS.read_move(position, position.side, text)
            continue
        with pytest.raises(IllegalMove) as caught:
            LASER_CHESS.read_move(position, position.side, text)
        reason = str(caught.value).partition(": ")[2]
        assert is_true(reason, position, shape, legal), (sn, side, text, reason)


# -- the same for Photon, and for both -------------------------------------------------------


def photon_position(*pieces: str) -> Any:
    """Pieces as `K0 4 9`: type and player, x, y."""
    board: list[list[Any]] = [[None] * 10 for _ in range(10)]
    for word, x, y in (piece.split() for piece in pieces):
        hp = 2 if word[0] == "B" else 1
        board[int(y)][int(x)] = {
            "type": word[0],
            "player": int(word[1]),
            "hp": hp,
            "orientation": 0,
        }
    return PHOTON.read_position(json.dumps({"board": board, "turn": 0}))


ONE_SQUARE = "a piece moves one square up, down, left or right"
PHOTON_WHY_NOT = [
    ({"type": "pass"}, "only a player without any other action passes"),
    ({"type": "move", "src": [0, 0], "dst": [0, 1]}, "a10 is empty"),
    ({"type": "rotate", "src": [7, 7], "dir": 1}, "h3 is empty"),
    ({"type": "move", "src": [5, 9], "dst": [5, 8]}, "the king on f1 is not red's"),
    ({"type": "rotate", "src": [8, 8], "dir": -1}, "the shooter on i2 is not red's"),
    ({"type": "rotate", "src": [4, 4], "dir": 1}, "a king does not rotate"),
    ({"type": "rotate", "src": [4, 5], "dir": -1}, "a block does not rotate"),
    ({"type": "move", "src": [4, 4], "dst": [4, 2]}, ONE_SQUARE),
    ({"type": "move", "src": [4, 4], "dst": [5, 5]}, ONE_SQUARE),
    ({"type": "move", "src": [4, 4], "dst": [4, 4]}, ONE_SQUARE),
    ({"type": "move", "src": [4, 4], "dst": [4, 5]}, "e5 is occupied"),
]  # fmt: skip


@pytest.mark.parametrize(("move", "reason"), PHOTON_WHY_NOT)
def test_an_illegal_photon_move_says_why(move: dict[str, Any], reason: str) -> None:
    position = photon_position("K0 4 4", "B0 4 5", "K1 5 9", "S1 8 8")
    text = json.dumps(move, separators=(",", ":"))
    with pytest.raises(IllegalMove) as caught:
        PHOTON.read_move(position, 0, text)
    assert str(caught.value) == f"illegal move {text} for red: {reason}"


OVER: list[tuple[AnyGame, Any, str]] = [
    (LASER_CHESS, LASER_CHESS.read_position(with_row(7, "*")), "j1-"),
    (PHOTON, photon_position("K0 4 4", "S0 1 1"), '{"type":"rotate","src":[1,1],"dir":1}'),
    (PHOTON, photon_position("K0 4 4", "S0 1 1"), '{"type":"move","src":[4,4],"dst":[4,3]}'),
]
for drawn in (LaserChess(no_capture="automatic", no_capture_turns=1), Photon(max_turns=1)):
    opened: AnyGame = LASER_CHESS if isinstance(drawn, LaserChess) else PHOTON
    after = opened.resolve(opened.start(), {0: opened.legal(opened.start(), 0)[0]}).after
    OVER += [(drawn, after, opened.write_move(after, 1, m)) for m in opened.legal(after, 1)]


def test_a_move_in_a_finished_game_is_told_that_it_is_over() -> None:
    assert len(OVER) > 100
    for game, position, text in OVER:
        assert game.outcome(position) is not None
        with pytest.raises(IllegalMove, match="the game is over"):
            game.read_move(position, position.side, text)


@pytest.mark.parametrize("game", [LASER_CHESS, PHOTON])
def test_a_move_out_of_turn_is_told_so(game: AnyGame) -> None:
    position = game.start()
    for move in game.legal(position, 0):
        with pytest.raises(IllegalMove, match=r"to move|must move|turn"):
            game.read_move(position, 1, game.write_move(position, 0, move))
