"""The first turns of a game, by chance: so that players who never vary play different games.

Nobody is harmed in them if that can be helped: nothing is struck where anything else can be played,
and whoever moves next cannot win at once.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from engine.game import AnyGame, AnyTurn


def opening(game: AnyGame, position: Any, turns: int, random: Random) -> tuple[AnyTurn, ...]:
    """So many turns from `position`; fewer where every other turn lets the other win."""
    made: list[AnyTurn] = []
    while len(made) < turns:
        turn = _harmless(game, position, random)
        if turn is None:
            break
        made.append(turn)
        position = turn.after
    return tuple(made)


def _harmless(game: AnyGame, position: Any, random: Random) -> AnyTurn | None:
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
        elif not winnable(game, turn.after):
            return turn
    struck.sort(key=lambda turn: len(turn.losses))
    return next((turn for turn in struck if not winnable(game, turn.after)), None)


def winnable(game: AnyGame, position: Any) -> bool:
    """Whether somebody who is to move can win in this very turn."""
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
