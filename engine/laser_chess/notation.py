"""Laser Chess as text: Setup Notation (SN) for arrangements, Laser Algebraic Notation (LAN) for
moves. Both are canonical: every valid text is written back unchanged.
"""

from __future__ import annotations

import re

from engine import catalogue
from engine.errors import BadMove, BadPosition, excerpt
from engine.laser_chess.pieces import GRID, LETTERS, RED
from engine.laser_chess.position import Move, Position, check_arrangement
from engine.piece_codes import KIND, ORIENTATION, OWNER, encode_piece

_SIDE_LETTERS = "br"
_TOKEN = re.compile(r"[1-9]|[KSDBLksdbl]\+*")
_SQUARE = "[a-j][1-8]"
_LAN = re.compile(rf"({_SQUARE})(?:(u?)({_SQUARE})|([+-]))(?:x({_SQUARE}))?", re.ASCII)
MAX_SN_LENGTH = 400


def read_position(text: str) -> Position:
    """SN, optionally followed by a space and the side to move, `b` (the default) or `r`."""
    if len(text) > MAX_SN_LENGTH:
        raise BadPosition(catalogue.POSITION_TOO_LONG(text=excerpt(text), length=len(text)))
    words = text.split()
    if len(words) not in (1, 2):
        raise BadPosition(catalogue.NOT_SN(text=excerpt(text)))
    side = words[1] if len(words) == 2 else "b"
    if side not in ("b", "r"):
        raise BadPosition(catalogue.NOT_A_SIDE(value=excerpt(side)))
    squares = read_sn(words[0])
    check_arrangement(squares)
    return Position(squares, _SIDE_LETTERS.index(side))


def write_position(position: Position) -> str:
    return f"{write_sn(position.squares)} {_SIDE_LETTERS[position.side]}"


def read_sn(sn: str) -> bytes:
    """The piece codes of an arrangement. `check_arrangement` checks whether a game can have it."""
    rows = sn.split("/")
    if len(rows) != GRID.rows:
        raise BadPosition(
            catalogue.WRONG_ROW_COUNT(text=excerpt(sn), rows=GRID.rows, found=len(rows))
        )
    return b"".join(_read_row(row, GRID.rows - i) for i, row in enumerate(rows))


def _read_row(row: str, number: int) -> bytes:
    place = catalogue.SN_ROW(row=number, text=excerpt(row))
    if row == "*":
        return bytes(GRID.columns)
    squares = bytearray()
    at, after_digit = 0, False
    while at < len(row):
        token = _TOKEN.match(row, at)
        if token is None:
            raise BadPosition(catalogue.NOT_A_PIECE(place=place, value=excerpt(row[at])))
        text, at = token[0], token.end()
        if text.isdigit():
            if after_digit:
                raise BadPosition(catalogue.RUN_IN_PARTS(place=place))
            squares += bytes(int(text))
            after_digit = True
            continue
        after_digit = False
        if len(text) > 4:
            raise BadPosition(
                catalogue.TURNED_TOO_OFTEN(place=place, text=text, times=len(text) - 1)
            )
        owner = RED if text[0].islower() else 0
        squares.append(encode_piece(owner, LETTERS.index(text[0].upper()), len(text) - 1))
    if len(squares) != GRID.columns:
        raise BadPosition(
            catalogue.WRONG_ROW_LENGTH(place=place, found=len(squares), columns=GRID.columns)
        )
    return bytes(squares)


def write_sn(squares: bytes) -> str:
    columns = GRID.columns
    return "/".join(_write_row(squares[i : i + columns]) for i in range(0, GRID.size, columns))


def _write_row(row: bytes) -> str:
    if not any(row):
        return "*"
    text, run = "", 0
    for c in row:
        if c == 0:
            run += 1
            continue
        letter = LETTERS[KIND[c]]
        text += (str(run) if run else "") + (letter.lower() if OWNER[c] == RED else letter)
        text += "+" * ORIENTATION[c]
        run = 0
    return text + (str(run) if run else "")


def read_lan(text: str) -> tuple[Move, int | None]:
    """A move, and the square of the capture that the text claims, if any."""
    match = _LAN.fullmatch(text)
    if match is None:
        raise BadMove(catalogue.NOT_LAN(text=excerpt(text)))
    source, swap, target, sign, captured = match.groups()
    src = GRID.cell(source)
    if sign:
        move = Move(src, src, turn=1 if sign == "+" else -1)
    else:
        move = Move(src, GRID.cell(target), swap=bool(swap))
    return move, GRID.cell(captured) if captured else None


def write_lan(move: Move, captured: int | None) -> str:
    capture = "" if captured is None else f"x{GRID.name(captured)}"
    if move.turn:
        return f"{GRID.name(move.src)}{'+' if move.turn == 1 else '-'}{capture}"
    return f"{GRID.name(move.src)}{'u' if move.swap else ''}{GRID.name(move.dst)}{capture}"
