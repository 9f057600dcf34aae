"""The events of a round of Spaceships in words, and the texts for collisions in events.

Events are JSON that goes to programs, journals and records, so their texts are data. Spectators
get the sentences of `round_event`.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import catalogue
from engine.game import Player, Turn
from engine.grid import CUBE_STEPS, Cube
from engine.http_game import RoundEvent
from engine.sentences import Sentence
from engine.spaceships.state import Action, ActionKind, Event, Position
from engine.spaceships.terrain import Terrain


class Collision(NamedTuple):
    """Why a ship collides: for spectators, and as the text of the event."""

    reason: Sentence
    text: str


def move_target(tile: Cube, action: Action) -> Cube | None:
    """The tile that a ship moves to, on the grid or not. None if it does not move."""
    if action.kind != ActionKind.MOVE or action.heading is None:
        return None
    (q, r, s), (dq, dr, ds) = tile, CUBE_STEPS[action.heading]
    return q + dq, r + dr, s + ds


def collision_of(
    position: Position, player: Player, target: Cube, other: Cube | None
) -> Collision | None:
    """The collision of a ship on its way to `target` while the other one moves to `other`."""
    where, cell = list(target), position.grid.find(target)
    if cell is None:
        return Collision(catalogue.COLLISION_OFF_GRID(), f"off the grid at {where}")
    if position.terrain[cell] is Terrain.VOID:
        return Collision(catalogue.COLLISION_VOID(), f"void at {where}")
    if position.terrain[cell] is Terrain.MOUNTAIN:
        return Collision(catalogue.COLLISION_MOUNTAIN(), f"mountain at {where}")
    if cell == position.ships[1 - player].cell:
        return Collision(catalogue.COLLISION_SHIP(), f"the other ship held {where}")
    if target == other:
        return Collision(catalogue.COLLISION_BOTH(), f"both moved to {where}")
    return None


def round_event(turn: Turn[Position, Action], event: Event) -> RoundEvent:
    """One event in words."""
    grid = turn.before.grid
    player = [ship.nick for ship in turn.before.ships].index(event["nick"])

    def name(key: str) -> str:
        cell = grid.find(tuple(event[key]))
        return "?" if cell is None else grid.name(cell)

    match event["type"]:
        case "move":
            return RoundEvent(player, catalogue.FLIES_TO(cell=name("coordinates")))
        case "collision":
            reason = _collision_reason(turn, player)
            collides = catalogue.COLLIDES(reason=reason, hit_points=event["hitpoints"])
            return RoundEvent(player, collides, failed=True)
        case "laser":
            return RoundEvent(player, catalogue.FIRES_TO(start=name("start"), end=name("end")))
        case "laser-hit":
            return RoundEvent(player, catalogue.IS_HIT(hit_points=event["hitpoints"]), hit=True)
        case _:
            idle = catalogue.DOES_NOTHING(reason=str(event["reason"]))
            return RoundEvent(player, idle, failed=True)


def _collision_reason(turn: Turn[Position, Action], player: Player) -> Sentence:
    before, actions = turn.before, dict(turn.moves)
    first, second = (
        move_target(before.grid.tiles[ship.cell], actions[number])
        for number, ship in enumerate(before.ships)
    )
    target, other = (second, first) if player else (first, second)
    collision = None if target is None else collision_of(before, player, target, other)
    assert collision is not None, "the event says that the ship collides"
    return collision.reason
