"""Laser Chess: 10 x 8 squares, one laser per side, the mover's laser fires after each turn."""

from engine.laser_chess.position import Move, Position
from engine.laser_chess.rules import LaserChess

__all__ = ["LaserChess", "Move", "Position"]
