"""Spaceships: two ships on a map of hexagons, both act at once: moves first, then lasers."""

from engine.spaceships.rules import Spaceships
from engine.spaceships.state import Action, Kind, Position, Ship, Status
from engine.spaceships.terrain import Terrain

__all__ = ["Action", "Kind", "Position", "Ship", "Spaceships", "Status", "Terrain"]
