"""A turn as JSON, for programs that do not know the rules of the game."""

from __future__ import annotations

import json
from typing import Any

from engine.beam import Step
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Grid, Heading


def turn_json(game: AnyGame, turn: AnyTurn) -> dict[str, Any]:
    """Cells and players by name, moves and positions in the notation of the game."""
    grid = turn.after.grid
    name = grid.name
    document: dict[str, Any] = {
        "moves": {
            game.players[player]: move_value(game, turn.before, player, move)
            for player, move in turn.moves
        },
        "beams": [
            {
                "player": game.players[beam.owner],
                "steps": [step_json(grid, step) for step in beam.steps],
            }
            for beam in turn.beams
        ],
        "losses": [
            {
                "cell": name(loss.cell),
                "kind": loss.piece.kind,
                "player": game.players[loss.piece.owner],
                "hits": loss.hits,
                "removed": loss.removed,
            }
            for loss in turn.losses
        ],
        "aimed": position_value(game, turn.aimed),
        "position": position_value(game, turn.after),
        "outcome": "ongoing" if turn.outcome is None else str(turn.outcome),
    }
    if turn.events:
        document["events"] = [dict(event) for event in turn.events]
    return document


def step_json(grid: Grid, step: Step) -> dict[str, Any]:
    """Headings are degrees clockwise from straight up. `edge`: the beam ends while leaving."""

    def degrees(heading: Heading | None) -> float | None:
        return None if heading is None else grid.degrees(heading)

    return {
        "cell": grid.name(step.cell),
        "what": str(step.event),
        "entered": degrees(step.entered),
        "left": degrees(step.left),
        "edge": step.on_edge,
    }


def move_value(game: AnyGame, position: Any, player: Player, move: Any) -> Any:
    """A move for a JSON document: JSON if the game writes JSON, else its text."""
    return _value(game, game.write_move(position, player, move))


def position_value(game: AnyGame, position: Any) -> Any:
    return _value(game, game.write_position(position))


def _value(game: AnyGame, text: str) -> Any:
    return json.loads(text) if game.record_form == "json" else text
