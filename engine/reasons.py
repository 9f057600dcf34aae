"""Why a move is good, read off the play that the computer expects after it.

A line of moves in, one `Reason` out: the plainest that there is, or None. What people are told is
made of it elsewhere. No search is done here: the line knows best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.beam import What
from engine.errors import LaserboardError
from engine.game import AnyGame, AnyTurn, Loss, Piece, Player
from engine.grid import Cell
from engine.search import DECIDED, WIN
from engine.turn_based import TurnBased

LOOKED_AT = 5  # turns of a line that a reason can be found in


class Aim(StrEnum):
    """What a move is for."""

    WINS = "wins"
    CAPTURES = "captures"
    SAVES = "saves"
    PREPARES = "prepares"
    HOLDS_OUT = "holds out"


@dataclass(frozen=True, slots=True)
class Reason:
    """What a move is for: the piece that it is about, where that stands, and in how many turns of
    the mover it comes about."""

    aim: Aim
    turns: int = 1
    piece: Piece | None = None
    cell: Cell | None = None


def read_line(game: AnyGame, position: Any, texts: Sequence[str]) -> list[AnyTurn]:
    """The turns of a line, up to what cannot be played."""
    turns: list[AnyTurn] = []
    if not isinstance(game, TurnBased):
        return turns
    for text in texts:
        try:
            move = game.read_move(position, position.side, text)
        except LaserboardError:
            break
        turns.append(game.play(position, move))
        position = turns[-1].after
    return turns


def played_out(game: TurnBased[Any, Any], position: Any, moves: Sequence[Any]) -> list[AnyTurn]:
    """The turns of a line that a search has found, up to where the game ends: by a draw that it
    does not look for, that may be sooner."""
    turns: list[AnyTurn] = []
    for move in moves:
        if game.outcome(position) is not None:
            break
        turns.append(game.play(position, move))
        position = turns[-1].after
    return turns


Threat = Callable[[TurnBased[Any, Any], Any, Player], Loss | None]


def standing_threat(game: TurnBased[Any, Any], position: Any, mover: Player) -> Loss | None:
    """The mover's piece that the other's beams strike as everything stands. Quick."""
    for beam in game.standing_beams(position, 1 - mover):
        cell = beam.end.cell
        piece = position.pieces.get(cell)
        if beam.end.what is What.CAPTURE and piece is not None and piece.owner == mover:
            return Loss(cell, piece, piece.hit_points)
    return None


def every_threat(game: TurnBased[Any, Any], position: Any, mover: Player) -> Loss | None:
    """The piece that the mover would lose if the other could move now and took what is worth
    most. Takes some milliseconds: every move of the other is tried."""
    try:
        passed = game.arranged(position, position.pieces, 1 - mover)
    except LaserboardError:
        return None  # such a position there is not
    if game.outcome(passed) is not None:
        return None
    board = game.board(passed)
    worst, most, before = None, 0, board.score()
    for action in board.actions():
        board.play(action)
        gained = WIN if board.winner == 1 - mover else -board.score() - before
        board.take_back()
        if gained > most:
            worst, most = action, gained
    taken = () if worst is None else _taken(game.play(passed, board.move(worst)), mover)
    return taken[0] if taken else None


def reason(
    game: AnyGame, turns: Sequence[AnyTurn], score: int, threat: Threat = standing_threat
) -> Reason | None:
    """Why the first of these turns is good, if `score` is what it leads to for its mover."""
    if not turns or not isinstance(game, TurnBased):
        return None
    ((mover, _),) = turns[0].moves
    ends = WIN - abs(score) if abs(score) > DECIDED else None
    if ends is not None and score > 0:
        struck = _taken(turns[ends - 1], 1 - mover) if len(turns) >= ends else ()
        return _about(Aim.WINS, struck, (ends + 1) // 2)
    taken = _taken(turns[0], 1 - mover)
    if taken:
        return _about(Aim.CAPTURES, taken)
    if ends is not None:
        return Reason(Aim.HOLDS_OUT, ends // 2)
    lost = threat(game, turns[0].before, mover)
    if lost is not None and not any(_taken(turn, mover) for turn in turns[:2]):
        after = threat(game, turns[0].after, mover)
        if after is None or after.piece.kind != lost.piece.kind:
            return _about(Aim.SAVES, (lost,))
    return _prepared(turns, mover)


def _about(aim: Aim, losses: Sequence[Loss], turns: int = 1) -> Reason:
    if not losses:
        return Reason(aim, turns)
    return Reason(aim, turns, losses[0].piece, losses[0].cell)


def _taken(turn: AnyTurn, owner: Player) -> tuple[Loss, ...]:
    return tuple(loss for loss in turn.removed if loss.piece.owner == owner)


def _prepared(turns: Sequence[AnyTurn], mover: Player) -> Reason | None:
    """A capture in the next turn that costs nothing in between."""
    if len(turns) < 3 or any(_taken(turn, mover) for turn in turns[:3]):
        return None
    taken = _taken(turns[2], 1 - mover)
    return _about(Aim.PREPARES, taken, 2) if taken else None
