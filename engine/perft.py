"""Perft: counts all sequences of turns to a depth, the usual test of a move generator.

A sequence counts if it is exactly `depth` turns long. A game that ends earlier adds nothing.
Draw rules are off.
"""

from __future__ import annotations

from math import prod
from typing import Any

from engine.board import Board
from engine.game import AnyGame, AnyTurn


def perft(game: AnyGame, position: Any, depth: int) -> int:
    """The number of sequences of `depth` legal turns."""
    return sum(count for _, count in divide(game, position, depth))


def divide(game: AnyGame, position: Any, depth: int) -> list[tuple[tuple[Any, ...], int]]:
    """The counts by first turn: the moves of all players to move, and the count below it."""
    if game.outcome(position) is not None:
        return []
    board = game.board(position)
    if board is None:
        return [
            (tuple(move for _, move in turn.moves), _count_turns(game, turn, depth))
            for turn in game.turns(position)
        ]
    counts = []
    for action in board.actions():
        move = board.move(action)
        counts.append(((move,), _count_on_board(board, action, depth)))
    return counts


def _count_on_board(board: Board[Any, Any], action: Any, depth: int) -> int:
    if depth == 1:
        return 1
    board.play(action)
    count = 0
    if board.winner is None:
        actions = board.actions()
        # Counting the last turn does not need to play it.
        count = (
            len(actions)
            if depth == 2
            else sum(_count_on_board(board, a, depth - 1) for a in actions)
        )
    board.take_back()
    return count


def _count_turns(game: AnyGame, turn: AnyTurn, depth: int) -> int:
    if depth == 1:
        return 1
    if turn.outcome is not None:
        return 0
    after = turn.after
    if depth == 2:
        return prod(len(game.legal(after, p)) for p in game.to_move(after))
    return sum(_count_turns(game, each, depth - 1) for each in game.turns(after))
