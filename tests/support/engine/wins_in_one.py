"""Wins and losses in one turn, by brute force through the public contract of the games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.game import AnyGame
from engine.search import WIN, Choice


def winning_moves(game: AnyGame, position: Any) -> Iterator[Any]:
    """The moves that win in this turn."""
    for move in game.legal(position, position.side):
        outcome = game.resolve(position, {position.side: move}).outcome
        if outcome is not None and outcome.winner == position.side:
            yield move


def can_win(game: AnyGame, position: Any) -> bool:
    return next(winning_moves(game, position), None) is not None


def allows_a_loss(game: AnyGame, position: Any, move: Any) -> bool:
    """Whether the move loses, or the other player can then win in one turn."""
    turn = game.resolve(position, {position.side: move})
    if turn.outcome is not None:
        return bool(turn.outcome.winner == 1 - position.side)
    return can_win(game, turn.after)


def assert_safe(game: AnyGame, position: Any, choice: Choice) -> None:
    won = list(winning_moves(game, position))
    if won:
        assert choice.move in won
        assert (choice.score, choice.turns_to_end, choice.depth) == (WIN - 1, 1, 1)
    elif allows_a_loss(game, position, choice.move):
        moves = game.legal(position, position.side)
        assert all(allows_a_loss(game, position, m) for m in moves), game.write_position(position)
