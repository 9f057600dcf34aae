"""Spaceships: two ships on hexagons act at the same time, first the moves, then the lasers."""

from engine.spaceships.rules import Spaceships
from engine.spaceships.state import Action, ActionKind, Position, Ship, Status
from engine.spaceships.terrain import Terrain

__all__ = ["Action", "ActionKind", "Position", "Ship", "Spaceships", "Status", "Terrain"]
