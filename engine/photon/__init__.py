"""Photon: 10 x 10 squares, several shooters per side, and all of them fire after every action."""

from engine.photon.rules import Photon
from engine.photon.state import Move, Position

__all__ = ["Move", "Photon", "Position"]
