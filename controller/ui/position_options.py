"""Which game and position a command is for: the values of its arguments, and what they name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.ui import sentences
from controller.ui.console import BadInput, Console, read_file
from engine import games
from engine.errors import did_you_mean
from engine.game import AnyGame, Player


@dataclass(frozen=True, slots=True)
class PositionOptions:
    """A game, its options and a position, as the command line gives them; None: not given."""

    game: str | None = None
    options: Sequence[str] = ()  # KEY=VALUE
    setup: str | None = None
    position: str | None = None  # a position, or @FILE
    seed: int | None = None

    @property
    def names_position(self) -> bool:
        return (self.setup, self.position, self.seed) != (None, None, None)

    def given_flags(self) -> list[str]:
        values = {name: getattr(self, name) for name in ("game", "setup", "position", "seed")}
        return [f"--{name}" for name, value in values.items() if value is not None]

    def with_default_game(self, name: str) -> PositionOptions:
        return self if self.game is not None else replace(self, game=name)

    def make_game(self) -> AnyGame:
        assert self.game is not None, "a command without a usual game names one"
        return games.make(self.game, read_options(self.options))

    def make_position(self, console: Console) -> tuple[AnyGame, Any]:
        """The game and its position; reads the file of `@FILE`."""
        game = self.make_game()
        given = [name for name in ("setup", "position", "seed") if getattr(self, name) is not None]
        if len(given) > 1:
            raise BadInput(sentences.TWO_POSITIONS(first=given[0], second=given[1]))
        if self.position is None:
            warning = game.warning(self.setup)
            if warning:
                console.note(sentences.POSITION_WARNING(warning=warning))
            return game, game.start(self.setup, self.seed)
        text = self.position
        if text.startswith("@"):
            text = read_file(text[1:])
        return game, game.read_position(text.strip())


def read_options(texts: Sequence[str]) -> dict[str, str]:
    """Rule options that are written KEY=VALUE."""
    options = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(sentences.OPTION_NEEDS_VALUE(text=text))
        options[key.replace("-", "_")] = value
    return options


def find_player(game: AnyGame, side: str | None, default: Player) -> Player:
    """The player with this name or first letter."""
    if side is None:
        return default
    for player, name in enumerate(game.players):
        if side.lower() in (name, name[0]):
            return player
    raise BadInput(sentences.UNKNOWN_SIDE(side=side, hint=did_you_mean(side, game.players)))
