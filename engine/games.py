"""The registry: every game by its name. A fourth game is one more line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import UnknownName, did_you_mean, excerpt
from engine.game import AnyGame
from engine.laser_chess import LaserChess
from engine.photon import Photon
from engine.spaceships import Spaceships

GAMES: Mapping[str, type[AnyGame]] = {game.name: game for game in (LaserChess, Photon, Spaceships)}
DEFAULT = LaserChess.name


def make(name: str = DEFAULT, options: Mapping[str, Any] | None = None) -> AnyGame:
    """The game of that name under these options."""
    if name not in GAMES:
        raise UnknownName(f"there is no game {excerpt(name)}{did_you_mean(name, GAMES)}")
    return GAMES[name].with_options(options or {})
