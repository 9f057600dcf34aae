"""The registry: every game by its name. A fourth game is one more line here.

A game's module is imported when the game is first asked for: on a small computer, those who play
one game should not wait for the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.errors import UnknownName, did_you_mean, excerpt
from engine.game import AnyGame

if TYPE_CHECKING:
    from engine.arena import AnyArena

_CLASSES = {
    "laser-chess": "engine.laser_chess.LaserChess",
    "photon": "engine.photon.Photon",
    "spaceships": "engine.spaceships.Spaceships",
}
DEFAULT = "laser-chess"
OVER_HTTP = ("spaceships",)  # those that are an `engine.arena.Arena`: programs play them


class _Registry(Mapping[str, type[AnyGame]]):
    def __getitem__(self, name: str) -> type[AnyGame]:
        module, _, cls = _CLASSES[name].rpartition(".")
        found: type[AnyGame] = getattr(import_module(module), cls)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


GAMES: Mapping[str, type[AnyGame]] = _Registry()


def arena(name: str, options: Mapping[str, Any] | None = None) -> AnyArena:
    """A game that programs play."""
    from engine.arena import Arena

    game = make(name, options)
    assert isinstance(game, Arena), f"{name} is listed among the games that programs play"
    return game


def make(name: str = DEFAULT, options: Mapping[str, Any] | None = None) -> AnyGame:
    """The game of that name under these options."""
    if name not in _CLASSES:
        raise UnknownName(f"there is no game {excerpt(name)}{did_you_mean(name, GAMES)}")
    return GAMES[name].with_options(options or {})
