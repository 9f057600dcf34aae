"""Explains why a move is good, from the line of play that the computer expects after it.

A line of turns and its score go in. The simplest `MoveReason` comes out, or None, and
`reason_sentence` puts it into words. Nothing is searched here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine import catalogue
from engine.beam import BeamEvent
from engine.errors import LaserboardError
from engine.game import AnyGame, AnyTurn, Loss, Piece, Player
from engine.grid import Cell
from engine.search import DECIDED, WIN
from engine.sentences import Sentence
from engine.turn_based import TurnBased

MAX_REASON_TURNS = 5  # a reason lies within so many turns of a line


class MovePurpose(StrEnum):
    """The purpose of a move."""

    WINS = "wins"
    CAPTURES = "captures"
    SAVES = "saves"
    PREPARES = "prepares"
    HOLDS_OUT = "holds out"


@dataclass(frozen=True, slots=True)
class MoveReason:
    """The purpose of a move, the piece concerned and its cell.

    `turns` counts the mover's turns until the purpose is reached.
    """

    purpose: MovePurpose
    turns: int = 1
    piece: Piece | None = None
    cell: Cell | None = None


def read_line(game: AnyGame, position: Any, texts: Sequence[str]) -> list[AnyTurn]:
    """The turns of a line of move texts, up to the first that cannot be played."""
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


def play_line(game: TurnBased[Any, Any], position: Any, moves: Sequence[Any]) -> list[AnyTurn]:
    """The turns of a line that a search has found, up to the end of the game.

    A draw that the search does not look for may end the game earlier.
    """
    turns: list[AnyTurn] = []
    for move in moves:
        if game.outcome(position) is not None:
            break
        turns.append(game.play(position, move))
        position = turns[-1].after
    return turns


ThreatFinder = Callable[[TurnBased[Any, Any], Any, Player], Loss | None]


def standing_threat(game: TurnBased[Any, Any], position: Any, mover: Player) -> Loss | None:
    """The mover's piece that the opponent's beams strike now. Fast."""
    for beam in game.standing_beams(position, 1 - mover):
        cell = beam.end.cell
        piece = position.pieces.get(cell)
        if beam.end.event is BeamEvent.CAPTURE and piece is not None and piece.owner == mover:
            return Loss(cell, piece, piece.hit_points)
    return None


def worst_threat(game: TurnBased[Any, Any], position: Any, mover: Player) -> Loss | None:
    """The mover's most valuable piece that the opponent could capture if it were to move now.

    Takes some milliseconds: every move of the opponent is tried.
    """
    try:
        passed = game.with_pieces(position, position.pieces, 1 - mover)
    except LaserboardError:
        return None  # not a valid position
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
    taken = () if worst is None else _captured_from(game.play(passed, board.move(worst)), mover)
    return taken[0] if taken else None


def find_reason(
    game: AnyGame, turns: Sequence[AnyTurn], score: int, find_threat: ThreatFinder = standing_threat
) -> MoveReason | None:
    """Why the first of these turns is good. `score` is the score of the line for its mover."""
    if not turns or not isinstance(game, TurnBased):
        return None
    ((mover, _),) = turns[0].moves
    ends = WIN - abs(score) if abs(score) > DECIDED else None
    if ends is not None and score > 0:
        struck = _captured_from(turns[ends - 1], 1 - mover) if len(turns) >= ends else ()
        return _make_reason(MovePurpose.WINS, struck, (ends + 1) // 2)
    taken = _captured_from(turns[0], 1 - mover)
    if taken:
        return _make_reason(MovePurpose.CAPTURES, taken)
    if ends is not None:
        return MoveReason(MovePurpose.HOLDS_OUT, ends // 2)
    lost = find_threat(game, turns[0].before, mover)
    if lost is not None and not any(_captured_from(turn, mover) for turn in turns[:2]):
        after = find_threat(game, turns[0].after, mover)
        if after is None or after.piece.kind != lost.piece.kind:
            return _make_reason(MovePurpose.SAVES, (lost,))
    return _find_prepared_capture(turns, mover)


def _make_reason(aim: MovePurpose, losses: Sequence[Loss], turns: int = 1) -> MoveReason:
    if not losses:
        return MoveReason(aim, turns)
    return MoveReason(aim, turns, losses[0].piece, losses[0].cell)


def _captured_from(turn: AnyTurn, owner: Player) -> tuple[Loss, ...]:
    return tuple(loss for loss in turn.removed if loss.piece.owner == owner)


def _find_prepared_capture(turns: Sequence[AnyTurn], mover: Player) -> MoveReason | None:
    """A capture in the mover's next turn without a loss before it."""
    if len(turns) < 3 or any(_captured_from(turn, mover) for turn in turns[:3]):
        return None
    taken = _captured_from(turns[2], 1 - mover)
    return _make_reason(MovePurpose.PREPARES, taken, 2) if taken else None


def reason_sentence(game: AnyGame, turn: AnyTurn, reason: MoveReason | None) -> Sentence | None:
    """Why that turn is good, in a few words."""
    if reason is None:
        return None
    turns, now = reason.turns, reason.turns == 1
    if reason.purpose is MovePurpose.HOLDS_OUT:
        return catalogue.REASON_HOLDS_OUT_1() if now else catalogue.REASON_HOLDS_OUT(turns=turns)
    if reason.piece is None or reason.cell is None:
        return catalogue.REASON_WINS_NOW() if now else catalogue.REASON_WINS_IN(turns=turns)
    named = {"player": game.players[reason.piece.owner], "kind": reason.piece.kind}
    if reason.purpose is MovePurpose.WINS:
        piece = catalogue.THE_PIECE(**named)
        if now:
            return catalogue.REASON_STRIKES_NOW(piece=piece)
        return catalogue.REASON_STRIKES_IN(piece=piece, turns=turns)
    there = catalogue.THE_PIECE_ON(**named, cell=turn.before.grid.name(reason.cell))
    return _REASONS[reason.purpose](piece=there)


_REASONS = {
    MovePurpose.CAPTURES: catalogue.REASON_CAPTURES,
    MovePurpose.SAVES: catalogue.REASON_SAVES,
    MovePurpose.PREPARES: catalogue.REASON_PREPARES,
}
