"""The registry of games by name. To add a game, add a line to `_CLASSES`.

A game's package is imported on first use, so that playing one game does not load the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.catalogue import NO_SUCH_GAME
from engine.errors import UnknownName, did_you_mean, excerpt
from engine.game import AnyGame

if TYPE_CHECKING:
    from engine.http_game import AnyHttpGame

_CLASSES = {
    "laser-chess": "engine.laser_chess.LaserChess",
    "photon": "engine.photon.Photon",
    "spaceships": "engine.spaceships.Spaceships",
}
DEFAULT = "laser-chess"
HTTP_GAMES = ("spaceships",)  # subclasses of `engine.http_game.HttpGame`, played by programs


class _Registry(Mapping[str, type[AnyGame]]):
    def __getitem__(self, name: str) -> type[AnyGame]:
        module, _, cls = _CLASSES[name].rpartition(".")
        game_class: type[AnyGame] = getattr(import_module(module), cls)
        return game_class

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


GAMES: Mapping[str, type[AnyGame]] = _Registry()


def make_http_game(name: str, options: Mapping[str, Any] | None = None) -> AnyHttpGame:
    """A game that programs play over HTTP."""
    from engine.http_game import HttpGame

    game = make(name, options)
    assert isinstance(game, HttpGame), f"{name} is not in HTTP_GAMES"
    return game


def make(name: str = DEFAULT, options: Mapping[str, Any] | None = None) -> AnyGame:
    """The game of that name with these options."""
    if name not in _CLASSES:
        raise UnknownName(NO_SUCH_GAME(name=excerpt(name), hint=did_you_mean(name, GAMES)))
    return GAMES[name].with_options(options or {})
