"""SN and LAN of Laser Chess: round trips and errors. Reasons for illegal moves in both games on
squares.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from engine import catalogue
from engine.errors import BadMove, BadPosition, IllegalMove, excerpt
from engine.game import AnyGame, Outcome
from engine.laser_chess import LaserChess, Position
from engine.photon import Photon
from engine.sentences import Sentence
from tests.oracle import laser_chess as slow_chess
from tests.support.engine.random_play import (
    LASER_CHESS,
    PHOTON,
    examples,
    laser_chess_position,
    laser_chess_positions,
)
from tests.support.engine.sentences import Expected, mentions, raises

GRID = LASER_CHESS.start().grid
EMPTY = "l++9/*/*/*/*/*/*/9L"


def board_with_row(number: int, row: str) -> str:
    """Two kings and two lasers, with one row replaced."""
    rows = ["l++9", "5k4", "*", "*", "*", "*", "4K5", "9L"]
    rows[8 - number] = row
    return "/".join(rows)


# -- round trips -----------------------------------------------------------------------------


@given(laser_chess_positions)
@examples(300)
def test_positions_round_trip(position: Position) -> None:
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
def test_moves_round_trip_with_or_without_their_capture(position: Position) -> None:
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
        text = f"{bare}x{wrong}"
        expected = (
            catalogue.WRONG_CAPTURE(move=text, claimed=wrong, captured=captured)
            if captured
            else catalogue.NO_CAPTURE(move=text, claimed=wrong)
        )
        with raises(IllegalMove, expected):
            LASER_CHESS.read_move(position, side, text)


ORIENTATIONS = [
    ("S+++", 3), ("K+", 1), ("B++", 2), ("D+++", 3), ("S", 0), ("K+++", 3),
]  # fmt: skip


@pytest.mark.parametrize(("token", "orientation"), ORIENTATIONS)
def test_every_orientation_round_trips(token: str, orientation: int) -> None:
    text = board_with_row(2, f"4{token}5") if token[0] == "K" else board_with_row(5, f"4{token}5")
    position = LASER_CHESS.read_position(text)
    piece = position.pieces[GRID.cell("e2" if token[0] == "K" else "e5")]
    assert piece.orientation == orientation
    assert LASER_CHESS.write_arrangement(position) == text


# -- malformed SN ----------------------------------------------------------------------------

MALFORMED_SN = [
    ("", catalogue.NOT_SN(text="''")),
    ("   ", catalogue.NOT_SN(text="'   '")),
    (f"{EMPTY} b b", catalogue.NOT_SN(text="'l++9/*/*/*/*/*/*/9L b b'")),
    (f"{board_with_row(5, '*')} w", catalogue.NOT_A_SIDE(value="'w'")),
    (f"{board_with_row(5, '*')} B", catalogue.NOT_A_SIDE(value="'B'")),
    (
        "l++9/5k4/*/*/*/4K5/9L",
        catalogue.WRONG_ROW_COUNT(text="'l++9/5k4/*/*/*/4K5/9L'", rows=8, found=7),
    ),
    (
        "l++9/5k4/*/*/*/*/*/4K5/9L",
        catalogue.WRONG_ROW_COUNT(text="'l++9/5k4/*/*/*/*/*/4K5/9L'", rows=8, found=9),
    ),
    ("5k4", catalogue.WRONG_ROW_COUNT(text="'5k4'", rows=8, found=1)),
    (
        board_with_row(5, ""),
        catalogue.WRONG_ROW_LENGTH(place=catalogue.SN_ROW(row=5, text="''"), found=0, columns=10),
    ),
    (
        board_with_row(5, "9"),
        catalogue.WRONG_ROW_LENGTH(place=catalogue.SN_ROW(row=5, text="'9'"), found=9, columns=10),
    ),
    (
        board_with_row(7, "5k5"),
        catalogue.WRONG_ROW_LENGTH(
            place=catalogue.SN_ROW(row=7, text="'5k5'"), found=11, columns=10
        ),
    ),
    (
        board_with_row(8, "l++8"),
        catalogue.WRONG_ROW_LENGTH(
            place=catalogue.SN_ROW(row=8, text="'l++8'"), found=9, columns=10
        ),
    ),
    (
        board_with_row(1, "8L"),
        catalogue.WRONG_ROW_LENGTH(place=catalogue.SN_ROW(row=1, text="'8L'"), found=9, columns=10),
    ),
    (board_with_row(3, "55"), catalogue.RUN_IN_PARTS(place=catalogue.SN_ROW(row=3, text="'55'"))),
    (board_with_row(3, "B45"), catalogue.RUN_IN_PARTS(place=catalogue.SN_ROW(row=3, text="'B45'"))),
    (
        board_with_row(6, "2x7"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=6, text="'2x7'"), value="'x'"),
    ),
    (board_with_row(6, "2 7"), catalogue.NOT_A_SIDE(value="'7/*/*/*/4K5/9L'")),
    (
        board_with_row(4, "*9"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=4, text="'*9'"), value="'*'"),
    ),
    (
        board_with_row(4, "9*"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=4, text="'9*'"), value="'*'"),
    ),
    (
        board_with_row(4, "**"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=4, text="'**'"), value="'*'"),
    ),
    (
        board_with_row(4, "B*"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=4, text="'B*'"), value="'*'"),
    ),
    (board_with_row(2, "4K++++5"), catalogue.TURNED_TOO_OFTEN),
    (board_with_row(2, "4K+++++++5"), catalogue.TURNED_TOO_OFTEN),
    (
        board_with_row(5, "+9"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=5, text="'+9'"), value="'+'"),
    ),
    (
        board_with_row(5, "1+9"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=5, text="'1+9'"), value="'+'"),
    ),
    (
        board_with_row(5, "B-9"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=5, text="'B-9'"), value="'-'"),
    ),
    (
        board_with_row(5, "10"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=5, text="'10'"), value="'0'"),
    ),
    (
        board_with_row(5, "0B9"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=5, text="'0B9'"), value="'0'"),
    ),
    (
        board_with_row(5, "\u0663B6"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=5, text="'٣B6'"), value="'٣'"),
    ),
    (
        board_with_row(5, "\u017f9"),
        catalogue.NOT_A_PIECE(place=catalogue.SN_ROW(row=5, text="'ſ9'"), value="'ſ'"),
    ),
    ("/" * 500, catalogue.POSITION_TOO_LONG),
]


@pytest.mark.parametrize(("text", "expected"), MALFORMED_SN)
def test_errors_of_malformed_sn_have_place_and_reason(text: str, expected: Expected) -> None:
    with pytest.raises(BadPosition) as caught:
        LASER_CHESS.read_position(text)
    assert mentions(caught.value.sentence, expected)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


# -- impossible arrangements -----------------------------------------------------------------

IMPOSSIBLE = [
    (board_with_row(1, "*"), catalogue.LASER_MISSING(player="blue", cell="j1")),
    (board_with_row(8, "*"), catalogue.LASER_MISSING(player="red", cell="a8")),
    (board_with_row(5, "4L5"), catalogue.LASER_MISPLACED(player="blue", cell="j1", found="e5 j1")),
    (board_with_row(1, "8L1"), catalogue.LASER_MISPLACED(player="blue", cell="j1", found="i1")),
    (board_with_row(5, "l9"), catalogue.LASER_MISPLACED(player="red", cell="a8", found="a8 a5")),
    ("L9/5k4/*/*/*/*/4K5/9l++", catalogue.LASER_MISPLACED(player="blue", cell="j1", found="a8")),
    (
        board_with_row(1, "9L+"),
        catalogue.LASER_POINTS_OFF(player="blue", cell="j1", degrees=90, first=0, second=270),
    ),
    (
        board_with_row(1, "9L++"),
        catalogue.LASER_POINTS_OFF(player="blue", cell="j1", degrees=180, first=0, second=270),
    ),
    (
        board_with_row(8, "l9"),
        catalogue.LASER_POINTS_OFF(player="red", cell="a8", degrees=0, first=180, second=90),
    ),
    (
        board_with_row(8, "l+++9"),
        catalogue.LASER_POINTS_OFF(player="red", cell="a8", degrees=270, first=180, second=90),
    ),
    (
        board_with_row(5, "1BBBBBBBB1"),
        catalogue.TOO_MANY_PIECES(player="blue", count=8, kind="deflector", most=7),
    ),
    (
        board_with_row(5, "1ddd6"),
        catalogue.TOO_MANY_PIECES(player="red", count=3, kind="defender", most=2),
    ),
    (
        board_with_row(5, "1SSS6"),
        catalogue.TOO_MANY_PIECES(player="blue", count=3, kind="switch", most=2),
    ),
    (
        board_with_row(5, "1kk7"),
        catalogue.TOO_MANY_PIECES(player="red", count=3, kind="king", most=1),
    ),
    (
        board_with_row(5, "4K5"),
        catalogue.TOO_MANY_PIECES(player="blue", count=2, kind="king", most=1),
    ),
    (
        board_with_row(5, "B9"),
        catalogue.SQUARE_KEPT_FOR_PLAYER(player="blue", kind="deflector", cell="a5", other="red"),
    ),
    (
        board_with_row(1, "8SL"),
        catalogue.SQUARE_KEPT_FOR_PLAYER(player="blue", kind="switch", cell="i1", other="red"),
    ),
    (
        board_with_row(8, "l++7D1"),
        catalogue.SQUARE_KEPT_FOR_PLAYER(player="blue", kind="defender", cell="i8", other="red"),
    ),
    (
        board_with_row(5, "9d"),
        catalogue.SQUARE_KEPT_FOR_PLAYER(player="red", kind="defender", cell="j5", other="blue"),
    ),
    (
        board_with_row(1, "1s7L"),
        catalogue.SQUARE_KEPT_FOR_PLAYER(player="red", kind="switch", cell="b1", other="blue"),
    ),
    (
        board_with_row(8, "l++b8"),
        catalogue.SQUARE_KEPT_FOR_PLAYER(player="red", kind="deflector", cell="b8", other="blue"),
    ),
    (board_with_row(1, "9k"), catalogue.LASER_MISSING(player="blue", cell="j1")),
    (EMPTY, catalogue.NO_KING()),
]


@pytest.mark.parametrize(("text", "expected"), IMPOSSIBLE)
def test_an_impossible_arrangement_is_refused(text: str, expected: Expected) -> None:
    with raises(BadPosition, expected):
        LASER_CHESS.read_position(text)


RESERVED = [
    (side, square)
    for side, squares in [("b", slow_chess.RED_ONLY), ("r", slow_chess.BLUE_ONLY)]
    for square in squares
]


@pytest.mark.parametrize(("side", "square"), RESERVED)
def test_every_reserved_square_is_refused_to_the_other_side(side: str, square: str) -> None:
    board = slow_chess.parse(board_with_row(5, "*"))
    board[square] = slow_chess.Piece("B", side, 0)
    names = {"b": "blue", "r": "red"}
    expected = catalogue.SQUARE_KEPT_FOR_PLAYER(
        player=names[side], kind="deflector", cell=square, other=names[slow_chess.other_side(side)]
    )
    with raises(BadPosition, expected):
        LASER_CHESS.read_position(slow_chess.format(board))
    board[square] = slow_chess.Piece("B", slow_chess.other_side(side), 0)
    LASER_CHESS.read_position(slow_chess.format(board))


def test_a_position_without_a_king_is_a_finished_game() -> None:
    for row, winner in [(7, 0), (2, 1)]:
        position = LASER_CHESS.read_position(board_with_row(row, "*"))
        assert LASER_CHESS.outcome(position) == Outcome.win(winner, catalogue.KING_CAPTURED())


# -- malformed LAN ---------------------------------------------------------------------------

MALFORMED_LAN = [
    "", " ", "j4", "j4j", "j4j9", "j4j0", "k4j3", "j9j8", "j4 j3", "J4J3", " j4j3", "j4j3 ",
    "j4j3\n", "j4j3x", "j4j3xk9", "j4j3xg3xg3", "j4xg3", "j4u", "f4Ug3", "f4uug3", "h2++", "h2+-",
    "h2*", "h2+90", "h2+x", "+h2", "e2-e3", "e2e3+", "0-0", "e2e3e4", "\uff4a4j3", "j\u0664j3",
    "h2\u2212", "e10e9", "x" * 10_000,
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED_LAN)
def test_errors_of_malformed_lan_say_how_to_write_a_move(text: str) -> None:
    with pytest.raises(BadMove) as caught:
        LASER_CHESS.read_move(LASER_CHESS.start(), 0, text)
    assert caught.value.sentence == catalogue.NOT_LAN(text=excerpt(text))
    assert len(str(caught.value)) < 300


# -- reasons for illegal moves ---------------------------------------------------------------

CROWDED = "l++9/1K4k3/8bB/3D5B/8d1/*/4S+3S1/9L+++"
MORE = "l++3bd++4/1S2K1k3/*/*/3bSd4/*/1B8/9L"
KINGS = "l++9/*/*/4kS4/4KS4/*/*/9L"

WHY_NOT = [
    (CROWDED, "c3c4", catalogue.SQUARE_EMPTY(cell="c3")),
    (CROWDED, "c3+", catalogue.SQUARE_EMPTY(cell="c3")),
    (CROWDED, "g7g6", catalogue.NOT_YOUR_PIECE(kind="king", cell="g7", player="blue")),
    (CROWDED, "i6-", catalogue.NOT_YOUR_PIECE(kind="deflector", cell="i6", player="blue")),
    (CROWDED, "a8-", catalogue.NOT_YOUR_PIECE(kind="laser", cell="a8", player="blue")),
    (CROWDED, "j1-", catalogue.LASER_TURNS_OFF(move="j1+")),
    (MORE, "j1+", catalogue.LASER_TURNS_OFF(move="j1-")),
    (f"{CROWDED} r", "a8+", catalogue.LASER_TURNS_OFF(move="a8-")),
    (CROWDED, "j1j2", catalogue.LASER_NEVER_MOVES()),
    (CROWDED, "j1ui2", catalogue.LASER_NEVER_MOVES()),
    (CROWDED, "d5d7", catalogue.ONE_SQUARE()),
    (CROWDED, "d5d5", catalogue.ONE_SQUARE()),
    (CROWDED, "e2ue2", catalogue.ONE_SQUARE()),
    (CROWDED, "j5a4", catalogue.ONE_SQUARE()),
    (CROWDED, "i2j1", catalogue.LASER_SQUARE_CLOSED(cell="j1")),
    (CROWDED, "i2uj1", catalogue.LASER_SQUARE_CLOSED(cell="j1")),
    (CROWDED, "b7a8", catalogue.LASER_SQUARE_CLOSED(cell="a8")),
    (CROWDED, "b7a7", catalogue.SQUARE_RESERVED(cell="a7", player="red")),
    (CROWDED, "i2i1", catalogue.SQUARE_RESERVED(cell="i1", player="red")),
    (CROWDED, "j5j6", catalogue.SQUARE_OCCUPIED(cell="j6")),
    (MORE, "e4d4", catalogue.SQUARE_OCCUPIED_SWAP(cell="d4", move="e4ud4")),
    (MORE, "e4f4", catalogue.SQUARE_OCCUPIED_SWAP(cell="f4", move="e4uf4")),
    (CROWDED, "d5ue4", catalogue.ONLY_SWITCH_SWAPS()),
    (CROWDED, "j5uj6", catalogue.ONLY_SWITCH_SWAPS()),
    (CROWDED, "e2ue3", catalogue.NOTHING_TO_SWAP(cell="e3", move="e2e3")),
    (KINGS, "f4ue4", catalogue.SWITCH_SWAPS_ONLY(kind="king")),
    (KINGS, "f4ue5", catalogue.SWITCH_SWAPS_ONLY(kind="king")),
    (KINGS, "f4uf5", catalogue.SWITCH_SWAPS_ONLY(kind="switch")),
    (
        "l++9/5k4/*/8bS/*/*/4K5/9L",
        "j5ui5",
        catalogue.SWAP_ONTO_RESERVED(other="red", cell="j5", player="blue"),
    ),
    (
        "l++9/5k4/*/sB8/*/*/4K5/9L r",
        "a5ub5",
        catalogue.SWAP_ONTO_RESERVED(other="blue", cell="a5", player="red"),
    ),
    ("l++9/5k4/*/*/*/*/*/9L", "j1-", catalogue.GAME_OVER),
]


@pytest.mark.parametrize(("text", "move", "reason"), WHY_NOT)
def test_an_illegal_laser_chess_move_has_a_reason(text: str, move: str, reason: Expected) -> None:
    position = LASER_CHESS.read_position(text)
    with pytest.raises(IllegalMove) as caught:
        LASER_CHESS.read_move(position, position.side, move)
    sentence = caught.value.sentence
    assert sentence.key == catalogue.ILLEGAL_MOVE.key
    assert sentence.slots["move"] == repr(move)
    assert sentence.slots["player"] == LASER_CHESS.players[position.side]
    assert mentions(sentence, reason)


def shapes() -> Iterator[tuple[str, str, str, str]]:
    """Texts of rotations and of moves over any distance: source, sign, `u` or nothing, target."""
    names = [GRID.name(cell) for cell in range(GRID.size)]
    for src in names:
        yield from ((src, sign, "", "") for sign in "+-")
        steps = [slow_chess.shifted(src, dx, dy) for dx in range(-2, 3) for dy in range(-1, 2)]
        for dst in {*filter(None, steps), "e5"}:
            yield from ((src, "", swap, dst) for swap in ("", "u"))


def is_true(
    reason: Sentence, position: Position, shape: tuple[str, str, str, str], legal: set[str]
) -> bool:
    """Whether the sentence is true for this move in this position."""
    src, sign, swap, dst = shape
    pieces = {GRID.name(cell): piece for cell, piece in position.pieces.items()}
    side, mine, other = "br"[position.side], pieces.get(src), pieces.get(dst)
    kind = mine.kind if mine else ""
    near = dst in slow_chess.neighbours_of_eight(src)
    facts = {
        catalogue.SQUARE_EMPTY: mine is None and reason.slots.get("cell") == src,
        catalogue.NOT_YOUR_PIECE: mine is not None and mine.owner != position.side,
        catalogue.LASER_TURNS_OFF: bool(sign and kind == "laser"),
        catalogue.LASER_NEVER_MOVES: not sign and kind == "laser",
        catalogue.ONE_SQUARE: not sign and not near,
        catalogue.LASER_SQUARE_CLOSED: dst in ("a8", "j1"),
        catalogue.SQUARE_RESERVED: bool(dst) and not slow_chess.allowed(side, dst),
        catalogue.SQUARE_OCCUPIED: not swap and other is not None,
        catalogue.SQUARE_OCCUPIED_SWAP: not swap and f"{src}u{dst}" in legal,
        catalogue.ONLY_SWITCH_SWAPS: bool(swap) and kind != "switch",
        catalogue.NOTHING_TO_SWAP: bool(swap) and src + dst in legal,
        catalogue.SWITCH_SWAPS_ONLY: bool(swap and other)
        and other is not None
        and reason.slots.get("kind") == other.kind,
        catalogue.SWAP_ONTO_RESERVED: bool(
            swap and other and not slow_chess.allowed("br"[other.owner], src)
        ),
        catalogue.GAME_OVER: LASER_CHESS.outcome(position) is not None,
    }
    return any(true and reason.key == template.key for template, true in facts.items())


@pytest.mark.parametrize("seed", range(24))
def test_every_laser_chess_move_is_legal_or_has_a_true_reason(seed: int) -> None:
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
        reason = caught.value.sentence.slots["reason"]
        assert isinstance(reason, Sentence)
        assert is_true(reason, position, shape, legal), (sn, side, text, reason)


# -- Photon, and both games ------------------------------------------------------------------


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


PHOTON_WHY_NOT = [
    ({"type": "pass"}, catalogue.ONLY_IDLE_PASSES()),
    ({"type": "move", "src": [0, 0], "dst": [0, 1]}, catalogue.SQUARE_EMPTY(cell="a10")),
    ({"type": "rotate", "src": [7, 7], "dir": 1}, catalogue.SQUARE_EMPTY(cell="h3")),
    (
        {"type": "move", "src": [5, 9], "dst": [5, 8]},
        catalogue.NOT_YOUR_PIECE(kind="king", cell="f1", player="red"),
    ),
    (
        {"type": "rotate", "src": [8, 8], "dir": -1},
        catalogue.NOT_YOUR_PIECE(kind="shooter", cell="i2", player="red"),
    ),
    ({"type": "rotate", "src": [4, 4], "dir": 1}, catalogue.DOES_NOT_ROTATE(kind="king")),
    ({"type": "rotate", "src": [4, 5], "dir": -1}, catalogue.DOES_NOT_ROTATE(kind="block")),
    ({"type": "move", "src": [4, 4], "dst": [4, 2]}, catalogue.ONE_SQUARE_STRAIGHT()),
    ({"type": "move", "src": [4, 4], "dst": [5, 5]}, catalogue.ONE_SQUARE_STRAIGHT()),
    ({"type": "move", "src": [4, 4], "dst": [4, 4]}, catalogue.ONE_SQUARE_STRAIGHT()),
    ({"type": "move", "src": [4, 4], "dst": [4, 5]}, catalogue.SQUARE_OCCUPIED(cell="e5")),
]


@pytest.mark.parametrize(("move", "reason"), PHOTON_WHY_NOT)
def test_an_illegal_photon_move_has_a_reason(move: dict[str, Any], reason: Sentence) -> None:
    position = photon_position("K0 4 4", "B0 4 5", "K1 5 9", "S1 8 8")
    text = json.dumps(move, separators=(",", ":"))
    with pytest.raises(IllegalMove) as caught:
        PHOTON.read_move(position, 0, text)
    expected = catalogue.ILLEGAL_MOVE(move=text, player="red", reason=reason)
    assert caught.value.sentence == expected


OVER: list[tuple[AnyGame, Any, str]] = [
    (LASER_CHESS, LASER_CHESS.read_position(board_with_row(7, "*")), "j1-"),
    (PHOTON, photon_position("K0 4 4", "S0 1 1"), '{"type":"rotate","src":[1,1],"dir":1}'),
    (PHOTON, photon_position("K0 4 4", "S0 1 1"), '{"type":"move","src":[4,4],"dst":[4,3]}'),
]
for drawn in (LaserChess(no_capture="automatic", no_capture_turns=1), Photon(max_turns=1)):
    opened: AnyGame = LASER_CHESS if isinstance(drawn, LaserChess) else PHOTON
    after = opened.resolve(opened.start(), {0: opened.legal(opened.start(), 0)[0]}).after
    OVER += [(drawn, after, opened.write_move(after, 1, m)) for m in opened.legal(after, 1)]


def test_a_move_in_a_finished_game_is_refused() -> None:
    assert len(OVER) > 100
    for game, position, text in OVER:
        assert game.outcome(position) is not None
        with raises(IllegalMove, catalogue.GAME_OVER):
            game.read_move(position, position.side, text)


@pytest.mark.parametrize("game", [LASER_CHESS, PHOTON])
def test_a_move_out_of_turn_is_refused(game: AnyGame) -> None:
    position = game.start()
    for move in game.legal(position, 0):
        with raises(IllegalMove, catalogue.NOT_YOUR_TURN):
            game.read_move(position, 1, game.write_move(position, 0, move))
