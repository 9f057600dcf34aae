"""Parses typed input: commands (`fire`, `f`), squares (`c4d5`), or moves in notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from controller.session.move_options import (
    MoveOption,
    SquareInput,
    can_be_shown,
    explain_not_a_move,
    explain_unreachable,
    move_options,
    parse_squares,
)
from controller.session.state import Session
from controller.ui import sentences
from engine.errors import LaserboardError
from engine.game import Player
from engine.sentences import Sentence

MAX_INPUT_LENGTH = 400  # characters


class TypedCommand(StrEnum):
    """Typed commands. The first letter of a value is its key; `_WORDS` has synonyms."""

    FIRE = "fire"
    HINT = "hint"
    TAKE_BACK = "take back"
    DRAW = "offer draw"
    YES = "yes"
    NO = "no"
    CLAIM = "claim"
    RESIGN = "resign"
    PAUSE = "pause"
    RESET_PIECES = "everything right"
    NEW_GAME = "another game"
    QUIT = "quit"
    HELP = "help"


COMMAND_LETTERS: Mapping[str, TypedCommand] = {
    command.value[0]: command for command in reversed(TypedCommand)
}
_WORDS: Mapping[str, TypedCommand] = {
    **{command.value: command for command in TypedCommand},
    **COMMAND_LETTERS,
    "?": TypedCommand.HELP,
    "back": TypedCommand.TAKE_BACK,
    "takeback": TypedCommand.TAKE_BACK,
    "draw": TypedCommand.DRAW,
    "offer": TypedCommand.DRAW,
    "accept": TypedCommand.YES,
    "decline": TypedCommand.NO,
    "claim draw": TypedCommand.CLAIM,
    "continue": TypedCommand.PAUSE,
    "go on": TypedCommand.PAUSE,
    "new game": TypedCommand.NEW_GAME,
    "again": TypedCommand.NEW_GAME,
    "exit": TypedCommand.QUIT,
    "leave": TypedCommand.QUIT,
}


def parse_typed_command(text: str) -> TypedCommand | None:
    """The typed command, with or without a slash; None if the text is none."""
    return _WORDS.get(" ".join(text.removeprefix("/").lower().split()))


@dataclass(frozen=True)
class TypedMove:
    """A legal move."""

    player: Player
    move: Any


@dataclass(frozen=True)
class AmbiguousMove:
    """Several legal moves that match the text."""

    options: tuple[MoveOption, ...]


def parse_typed_move(
    session: Session, players: Sequence[Player], text: str
) -> TypedMove | AmbiguousMove | Sentence:
    """Parse a legal move of one of the players; a `Sentence` gives the reason if it is none."""
    text = text.removeprefix("/").strip()
    position = session.position
    squares = parse_squares(position, text.lower())
    piece = None if squares is None else position.pieces.get(squares.origin)
    if squares is not None and piece is not None and piece.owner in players:
        options = move_options(
            session.game,
            position,
            piece.owner,
            squares.origin,
            session.table.last_seen_orientations,
        )
        found = squares.matching_options(options)
        if len(found) > 1:
            return AmbiguousMove(found)
        if found:
            return TypedMove(piece.owner, found[0].move)
    sentence = sentences.NO_ONE_CAN_MOVE()
    if players:  # notation names no player: take the first
        read = _parse_notation(session, players[0], text)
        if isinstance(read, TypedMove):
            return read
        sentence = read
    if session.game.record_form == "text" or text.startswith("{") or not players:
        return sentence
    owner = players[0] if piece is None or piece.owner not in players else piece.owner
    return _explain_bad_squares(session, owner, squares, text)


def _parse_notation(session: Session, player: Player, text: str) -> TypedMove | Sentence:
    """Parse a move in the game's notation."""
    game, position = session.game, session.position
    try:
        move = game.read_move(position, player, text)
    except LaserboardError as error:
        return error.sentence
    if move not in game.legal(position, player):
        return sentences.MUST_DO_SOMETHING()
    if not can_be_shown(game, position, player, move):
        return sentences.CANNOT_BE_SHOWN()
    return TypedMove(player, move)


def _explain_bad_squares(
    session: Session, player: Player, squares: SquareInput | None, text: str
) -> Sentence:
    """Why the squares, or a text that is no squares, are not a legal move."""
    game, position = session.game, session.position
    if squares is None:
        return explain_not_a_move(game, position, player, text)
    name = position.grid.name
    if squares.target is not None:
        return explain_unreachable(game, position, player, squares.origin, squares.target)
    if squares.aim is not None:
        return sentences.CANNOT_FIRE_AT(cell=name(squares.origin), target=name(squares.aim))
    return sentences.CANNOT_TURN_SO(cell=name(squares.origin))
