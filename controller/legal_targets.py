"""Where a piece may be carried: for the words and for the light, which must say the same."""

from __future__ import annotations

from controller.session_values import Session
from engine.grid import Cell


def targets(session: Session, source: Cell) -> set[Cell]:
    """Where the piece on a cell may be carried now; nowhere if both players act at once."""
    game, position = session.table.game, session.position
    if len(session.movers) != 1:
        return set()
    (player,) = session.movers
    return {
        cell
        for move in game.legal(position, player)
        if game.origin(position, player, move) == source
        for cell in game.resolve(position, {player: move}).aimed.pieces.keys()
        - position.pieces.keys()
    }
