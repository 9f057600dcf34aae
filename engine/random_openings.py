"""Random first turns, so that deterministic players play different games.

Turns without losses are preferred, and the next player must not be able to win in one turn.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from engine.game import AnyGame, AnyTurn


def random_opening(game: AnyGame, position: Any, turns: int, random: Random) -> tuple[AnyTurn, ...]:
    """That many turns from `position`, or fewer if all others let the opponent win in one turn."""
    opening: list[AnyTurn] = []
    while len(opening) < turns:
        turn = _harmless_turn(game, position, random)
        if turn is None:
            break
        opening.append(turn)
        position = turn.after
    return tuple(opening)


def _harmless_turn(game: AnyGame, position: Any, random: Random) -> AnyTurn | None:
    movers = game.to_move(position)
    choices = list(product(*(game.legal(position, player) for player in movers)))
    random.shuffle(choices)
    struck: list[AnyTurn] = []
    for moves in choices:
        turn = game.resolve(position, dict(zip(movers, moves, strict=True)))
        if turn.outcome is not None:
            continue
        if turn.losses:
            struck.append(turn)
        elif not can_win_now(game, turn.after):
            return turn
    struck.sort(key=lambda turn: len(turn.losses))
    return next((turn for turn in struck if not can_win_now(game, turn.after)), None)


def can_win_now(game: AnyGame, position: Any) -> bool:
    """Whether a player to move can win in this turn."""
    board = game.board(position)
    if board is None:
        ends = (turn.outcome for turn in game.turns(position) if turn.outcome is not None)
        return any(end.winner in game.to_move(position) for end in ends)
    mover = board.side
    for action in board.actions():
        board.play(action)
        winner = board.winner
        board.take_back()
        if winner == mover:
            return True
    return False
