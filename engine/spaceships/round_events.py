"""The events of a round of Spaceships in words, and the texts for collisions in events.

Events are JSON that goes to programs, journals and records, so their texts are data. Spectators
get the sentences of `round_event`.
"""

from __future__ import annotations

from engine import catalogue
from engine.game import Player, Turn
from engine.grid import Cube
from engine.http_game import RoundEvent
from engine.sentences import Sentence, plain
from engine.spaceships.state import Action, Event, Position
from engine.spaceships.terrain import Terrain


def collision_reason(
    position: Position, player: Player, target: Cube, other: Cube | None
) -> str | None:
    """Why a ship collides on its way to `target` while the other one moves to `other`.

    The text goes into the event. `_collision_sentence` reads it.
    """
    where, cell = list(target), position.grid.find(target)
    if cell is None:
        return f"off the grid at {where}"
    if position.terrain[cell] is not Terrain.LAND:
        return f"{position.terrain[cell]} at {where}"
    if cell == position.ships[1 - player].cell:
        return f"the other ship held {where}"
    if target == other:
        return f"both moved to {where}"
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
            reason, lost = _collision_sentence(str(event["reason"])), event["hitpoints"]
            collides = catalogue.COLLIDES(reason=reason, hit_points=lost)
            return RoundEvent(player, collides, failed=True)
        case "laser":
            return RoundEvent(player, catalogue.FIRES_TO(start=name("start"), end=name("end")))
        case "laser-hit":
            return RoundEvent(player, catalogue.IS_HIT(hit_points=event["hitpoints"]), hit=True)
        case _:
            idle = catalogue.DOES_NOTHING(reason=str(event["reason"]))
            return RoundEvent(player, idle, failed=True)


def _collision_sentence(reason: str) -> Sentence:
    """The reason of a collision without its coordinates."""
    for start, template in catalogue.COLLISION_REASONS.items():
        if reason.startswith(start):
            return template()
    return plain(reason)
