"""A turn in words for the ear: `blue e4 to e5, takes g3`. Pure, and the same for every game.

What a player did before the beams is read by `engine.draw.words`; here it becomes something that
can be followed without a look at the board.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.draw.words import action
from engine.game import AnyGame, AnyTurn, Loss, Outcome, Player

_SENSES = {"right": "clockwise", "left": "counterclockwise"}


def turn_words(game: AnyGame, turn: AnyTurn) -> str:
    """What happened, in the order in which one would tell it, the end of the game last."""
    decisive = _decisive(turn)
    parts = [f"{game.players[player]} {_deed(game, turn, player)}" for player, _ in turn.moves]
    parts += _losses(game, turn, [loss for loss in turn.losses if loss is not decisive])
    told = ", ".join(parts)
    if turn.outcome is None:
        return told
    if decisive is None:
        return f"{told}. {outcome_words(game, turn.outcome)}"
    lit = any(decisive.cell == beam.end.cell for beam in turn.beams)
    piece = f"{game.players[decisive.piece.owner]}'s {decisive.piece.kind}"
    where = turn.aimed.grid.name(decisive.cell)
    reason = f"{piece} on {where} is {'hit' if lit else 'lost'}"
    return f"{told}. {outcome_words(game, turn.outcome, reason)}"


def outcome_words(game: AnyGame, outcome: Outcome, reason: str = "") -> str:
    """How a game ended: `resignation: blue wins`; `reason` in place of the outcome's own."""
    winner = outcome.winner
    verdict = "a draw" if winner is None else f"{game.players[winner]} wins"
    return f"{reason or outcome.reason}: {verdict}"


def _deed(game: AnyGame, turn: AnyTurn, player: Player) -> str:
    """What the player did before the beams."""
    words = action(game, turn, player)
    cell, _, sense = words.partition(" turns ")
    return f"turns {cell} {_SENSES[sense]}" if sense else words


def _losses(game: AnyGame, turn: AnyTurn, losses: list[Loss]) -> list[str]:
    name = turn.aimed.grid.name
    removed = [loss for loss in losses if loss.removed]
    movers = [player for player, _ in turn.moves]
    parts = []
    for owner, player in enumerate(game.players):
        cells = [name(loss.cell) for loss in removed if loss.piece.owner == owner]
        if not cells:
            continue
        if len(movers) > 1:
            parts.append(f"{player} loses {_and(cells)}")
        elif owner in movers:
            parts.append(f"loses its own {_and(cells)}")
        else:
            parts.insert(0, f"takes {_and(cells)}")
    for loss in losses:
        if not loss.removed:
            points = "hit point" if loss.hits == 1 else "hit points"
            left = loss.piece.hit_points - loss.hits
            parts.append(f"{name(loss.cell)} loses {loss.hits} {points}, {left} left")
    return parts


def _decisive(turn: AnyTurn) -> Loss | None:
    """The one piece by whose loss the game was lost: the outcome's reason names its kind."""
    if turn.outcome is None or turn.outcome.winner is None:
        return None
    lost = [
        loss
        for loss in turn.removed
        if loss.piece.owner != turn.outcome.winner and loss.piece.kind in turn.outcome.reason
    ]
    return lost[0] if len(lost) == 1 else None


def _and(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
