"""Photon positions and moves: frozen values and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import catalogue, strict_json
from engine.errors import BadMove, BadPosition, LaserboardError, excerpt
from engine.game import Piece
from engine.grid import SquareGrid
from engine.photon.pieces import BLOCK, CRACKED, GRID, HIT_POINTS, KING, LETTERS, NAMES, TURNABLE
from engine.piece_codes import KIND, ORIENTATION, OWNER, encode_piece, rotate_piece

PIECES = (
    None,
    *(Piece(NAMES[KIND[c]], OWNER[c], ORIENTATION[c], HIT_POINTS[KIND[c]]) for c in range(1, 41)),
)
MAX_HISTORY = 100_000


@dataclass(frozen=True, slots=True)
class Move:
    """A step to `dst`, a rotation in place, or `PASS` for a player without another action."""

    src: int
    dst: int
    turn: int = 0  # 1 clockwise, -1 counter-clockwise; then dst is src


PASS = Move(-1, -1)


@dataclass(frozen=True, slots=True)
class Position:
    """A piece code per square, the side to move, and all moves so far.

    `keys_since_capture` is only for the draw rules: it is not compared and not in the JSON.
    """

    squares: bytes
    side: int
    history: tuple[Move, ...] = ()
    keys_since_capture: tuple[bytes, ...] = field(default=(), compare=False, repr=False)

    @property
    def grid(self) -> SquareGrid:
        return GRID

    @property
    def pieces(self) -> Mapping[int, Piece]:
        return {s: piece for s, c in enumerate(self.squares) if (piece := PIECES[c])}

    @property
    def key(self) -> bytes:
        """The key of the repetition rule."""
        return self.squares + bytes((self.side,))

    def count(self, kind: int, owner: int) -> int:
        return sum(1 for c in self.squares if KIND[c] == kind and OWNER[c] == owner)


def apply_move(squares: bytes, move: Move) -> bytes:
    """The arrangement after a legal move, before the beams."""
    after = bytearray(squares)
    if move.turn:
        after[move.src] = rotate_piece(squares[move.src], move.turn)
    elif move != PASS:
        after[move.src], after[move.dst] = 0, squares[move.src]
    return bytes(after)


def parse_setup(drawing: str) -> Position:
    """A starting position from the drawing in `data/setups.yml`."""
    tokens = drawing.split()
    assert len(tokens) == GRID.size, "a drawing has 100 squares"
    squares = bytes(
        0 if t == "." else encode_piece(int(t.islower()), LETTERS.index(t[0].upper()), int(t[1]))
        for t in tokens
    )
    return Position(squares, 0)


# -- positions as JSON ------------------------------------------------------------------------


def read_position(text: str) -> Position:
    state = strict_json.require_object(
        strict_json.read(text, BadPosition),
        "a state",
        BadPosition,
        ("board", "turn"),
        ("history",),
    )
    rows = strict_json.require_list(state["board"], "board", BadPosition, GRID.rows)
    squares = bytearray()
    for y, row in enumerate(rows):
        cells = strict_json.require_list(row, f"board[{y}]", BadPosition, GRID.columns)
        squares += bytes(_read_piece(cell, f"board[{y}][{x}]") for x, cell in enumerate(cells))
    side = strict_json.require_int(state["turn"], "turn", BadPosition, 0, 1)
    history = strict_json.require_list(state.get("history", []), "history", BadPosition)
    if len(history) > MAX_HISTORY:
        raise BadPosition(catalogue.HISTORY_TOO_LONG(count=len(history), most=MAX_HISTORY))
    moves = tuple(_move(entry, f"history[{i}]", BadPosition) for i, entry in enumerate(history))
    position = Position(bytes(squares), side, moves)
    for owner in (0, 1):
        kings = position.count(KING, owner)
        if kings > 1:
            raise BadPosition(catalogue.TOO_MANY_KINGS(player=owner, count=kings))
    return position


def _read_piece(value: Any, where: str) -> int:
    if value is None:
        return 0
    piece = strict_json.require_object(
        value, where, BadPosition, ("type", "player", "hp", "orientation")
    )
    if piece["type"] not in ("K", "S", "M", "B"):
        raise BadPosition(catalogue.WRONG_PIECE_TYPE(place=where, value=excerpt(piece["type"])))
    kind = LETTERS.index(piece["type"])
    hit_points = strict_json.require_int(
        piece["hp"], f"{where}: hp", BadPosition, 1, HIT_POINTS[kind]
    )
    if kind == BLOCK and hit_points == 1:
        kind = CRACKED
    owner = strict_json.require_int(piece["player"], f"{where}: player", BadPosition, 0, 1)
    most = 3 if kind in TURNABLE else 0
    orientation = strict_json.require_int(
        piece["orientation"], f"{where}: orientation", BadPosition, 0, most
    )
    return encode_piece(owner, kind, orientation)


def write_position(position: Position) -> str:
    history = [move_json(move) for move in position.history]
    board = _board_json(position.squares)
    return strict_json.write({"board": board, "turn": position.side, "history": history})


def write_pieces(pieces: Mapping[int, Piece]) -> str:
    """The `board` of a state with any pieces."""
    return strict_json.write({"board": _board_json(encode_squares(pieces))})


def encode_squares(pieces: Mapping[int, Piece]) -> bytes:
    squares = bytearray(GRID.size)
    for square, piece in pieces.items():
        if piece.kind not in NAMES:
            raise BadPosition(catalogue.NO_SUCH_KIND(kind=piece.kind, kinds=NAMES))
        kind = NAMES.index(piece.kind)
        if kind == BLOCK and piece.hit_points == 1:
            kind = CRACKED
        squares[square] = encode_piece(
            piece.owner, kind, piece.orientation if kind in TURNABLE else 0
        )
    return bytes(squares)


def _board_json(squares: bytes) -> list[list[dict[str, Any] | None]]:
    columns = GRID.columns
    return [
        [_piece_json(c) for c in squares[i : i + columns]] for i in range(0, GRID.size, columns)
    ]


def _piece_json(c: int) -> dict[str, Any] | None:
    if c == 0:
        return None
    return {
        "type": LETTERS[KIND[c]],
        "player": OWNER[c],
        "hp": HIT_POINTS[KIND[c]],
        "orientation": ORIENTATION[c],
    }


# -- moves as JSON ----------------------------------------------------------------------------


def read_move(text: str) -> Move:
    return _move(strict_json.read(text, BadMove), "a move", BadMove)


def write_move(move: Move) -> str:
    return strict_json.write(move_json(move))


def move_json(move: Move) -> dict[str, Any]:
    if move == PASS:
        return {"type": "pass"}
    if move.turn:
        return {"type": "rotate", "src": list(GRID.xy(move.src)), "dir": move.turn}
    return {"type": "move", "src": list(GRID.xy(move.src)), "dst": list(GRID.xy(move.dst))}


_MOVE_KEYS: Mapping[str, tuple[str, ...]] = {
    "move": ("type", "src", "dst"),
    "rotate": ("type", "src", "dir"),
    "pass": ("type",),
}


def _move(value: Any, what: str, error: type[LaserboardError]) -> Move:
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _MOVE_KEYS:
        raise error(catalogue.NOT_A_PHOTON_MOVE(what=what, value=excerpt(value)))
    entry = strict_json.require_object(value, what, error, _MOVE_KEYS[kind])
    if kind == "pass":
        return PASS
    src = _square(entry["src"], f"{what}: src", error)
    if kind == "move":
        return Move(src, _square(entry["dst"], f"{what}: dst", error))
    if type(entry["dir"]) is not int or entry["dir"] not in (1, -1):
        raise error(catalogue.NOT_A_ROTATION(what=what, value=excerpt(entry["dir"])))
    return Move(src, src, entry["dir"])


def _square(value: Any, what: str, error: type[LaserboardError]) -> int:
    x, y = (
        strict_json.require_int(v, what, error, 0, 9)
        for v in strict_json.require_list(value, what, error, 2)
    )
    return GRID.at(x, y)
