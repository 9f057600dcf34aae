"""What can be typed: orders such as `fire` or `f`, squares such as `c4d5`, or a game's notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from controller.session_values import Session
from controller.terminal.ways import Pointed, Way, can_be_shown, no_way, not_a_move, pointed, ways
from engine.errors import LaserboardError
from engine.game import Player

LONGEST = 400  # characters that can be typed


class Order(StrEnum):
    """What is wanted besides moves, by the first word for it."""

    FIRE = "fire"
    HINT = "hint"
    TAKE_BACK = "take back"
    DRAW = "offer draw"
    YES = "yes"
    NO = "no"
    CLAIM = "claim"
    RESIGN = "resign"
    PAUSE = "pause"
    PUT_RIGHT = "everything right"
    AGAIN = "another game"
    QUIT = "quit"
    HELP = "help"


LETTERS: Mapping[str, Order] = {order.value[0]: order for order in reversed(Order)}
_WORDS: Mapping[str, Order] = {
    **{order.value: order for order in Order},
    **LETTERS,
    "?": Order.HELP,
    "back": Order.TAKE_BACK,
    "takeback": Order.TAKE_BACK,
    "draw": Order.DRAW,
    "offer": Order.DRAW,
    "accept": Order.YES,
    "decline": Order.NO,
    "claim draw": Order.CLAIM,
    "continue": Order.PAUSE,
    "go on": Order.PAUSE,
    "new game": Order.AGAIN,
    "again": Order.AGAIN,
    "exit": Order.QUIT,
    "leave": Order.QUIT,
}


def order(text: str) -> Order | None:
    """The order that was typed, with or without a slash."""
    return _WORDS.get(" ".join(text.removeprefix("/").lower().split()))


@dataclass(frozen=True)
class Typed:
    """A legal move that was typed."""

    player: Player
    move: Any


@dataclass(frozen=True)
class Unclear:
    """Several moves that were typed alike."""

    choices: tuple[Way, ...]


def read_typed(session: Session, players: Sequence[Player], text: str) -> Typed | Unclear | str:
    """A legal move of one of the players; or a sentence that says why it is none."""
    text = text.removeprefix("/").strip()
    position = session.position
    squares = pointed(position, text.lower())
    piece = None if squares is None else position.pieces.get(squares.origin)
    if squares is not None and piece is not None and piece.owner in players:
        all_ways = ways(session.table.game, position, piece.owner, squares.origin, session.facing)
        found = squares.among(all_ways)
        if len(found) > 1:
            return Unclear(found)
        if found:
            return Typed(piece.owner, found[0].move)
    sentence = "nobody can move now"
    if players:  # of several who may, notation means the one who is asked first
        read = _in_notation(session, players[0], text)
        if isinstance(read, Typed):
            return read
        sentence = read
    if session.table.game.record_form == "text" or text.startswith("{") or not players:
        return sentence
    owner = players[0] if piece is None or piece.owner not in players else piece.owner
    return _not_pointed(session, owner, squares, text)


def _in_notation(session: Session, player: Player, text: str) -> Typed | str:
    """A move as the game itself writes it."""
    game, position = session.table.game, session.position
    try:
        move = game.read_move(position, player, text)
    except LaserboardError as bad:
        return str(bad)
    if move not in game.legal(position, player):
        return "a player has to do something"
    if not can_be_shown(game, position, player, move):
        return "no hands can show that move on a table"
    return Typed(player, move)


def _not_pointed(session: Session, player: Player, squares: Pointed | None, text: str) -> str:
    """Why squares, or what should have been some, are no move."""
    game, position = session.table.game, session.position
    if squares is None:
        return not_a_move(game, position, player, text)
    name = position.grid.name
    if squares.target is not None:
        return no_way(game, position, player, squares.origin, squares.target)
    if squares.aim is not None:
        return f"{name(squares.origin)} cannot fire at {name(squares.aim)}"
    return f"{name(squares.origin)} cannot be turned like that"
