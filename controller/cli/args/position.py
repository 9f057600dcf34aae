"""Arguments that name a game and a position, and argparse types for numbers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.ui.console import BadInput, Console, read_file
from engine import games
from engine.errors import did_you_mean, excerpt
from engine.game import AnyGame, Player


def add_game(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which game")
    group.add_argument(
        "--game",
        metavar="NAME",
        default=games.DEFAULT,
        help=f"{', '.join(games.GAMES)} (default {games.DEFAULT})",
    )
    group.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a rule option, may be repeated; `laserboard setups --options` lists them",
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    group = parser.add_argument_group("which position (default: the game's first setup)")
    group.add_argument("--setup", metavar="NAME", help="a named setup, see `laserboard setups`")
    group.add_argument(
        "--position",
        metavar="TEXT|@FILE",
        help="a position in the game's own notation; @FILE reads it from a file, @- from stdin",
    )
    group.add_argument(
        "--seed", metavar="N", type=any_number, help="for a game that draws its map from a seed"
    )


@dataclass(frozen=True, slots=True)
class PositionChoice:
    """Which game with which options, from which position; None: not given."""

    game: str | None
    options: Sequence[str]
    setup: str | None
    position: str | None
    seed: int | None

    def given_flags(self) -> list[str]:
        values = {name: getattr(self, name) for name in ("game", "setup", "position", "seed")}
        return [f"--{name}" for name, value in values.items() if value is not None]

    def make_position(self, console: Console) -> tuple[AnyGame, Any]:
        """The game and its position; reads the file of `@FILE`."""
        game = make_game(self.game, self.options)
        given = [name for name in ("setup", "position", "seed") if getattr(self, name) is not None]
        if len(given) > 1:
            raise BadInput(f"--{given[0]} and --{given[1]} both name a position: give one of them")
        if self.position is None:
            warning = game.warning(self.setup)
            if warning:
                console.note(f"warning: {warning}")
            return game, game.start(self.setup, self.seed)
        text = self.position
        if text.startswith("@"):
            text = read_file(text[1:])
        return game, game.read_position(text.strip())


def make_game(name: str | None, given_options: Sequence[str]) -> AnyGame:
    options = {}
    for text in given_options:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--option {text!r}: write KEY=VALUE")
        options[key.replace("-", "_")] = value
    assert name is not None, "a command without a usual game names one"
    return games.make(name, options)


def position_choice(args: argparse.Namespace) -> PositionChoice:
    return PositionChoice(args.game, args.option, args.setup, args.position, args.seed)


def game_from(args: argparse.Namespace, name: str | None = None) -> AnyGame:
    """The game of the arguments; `name` for commands whose `--game` has no default."""
    return make_game(name or args.game, args.option)


def position_from(
    args: argparse.Namespace, console: Console, game_name: str | None = None
) -> tuple[AnyGame, Any]:
    choice = position_choice(args)
    return replace(choice, game=game_name or choice.game).make_position(console)


def player_from(game: AnyGame, side: str | None, default: Player) -> Player:
    """The player with this name or first letter."""
    if side is None:
        return default
    for player, name in enumerate(game.players):
        if side.lower() in (name, name[0]):
            return player
    raise BadInput(f"there is no side {side!r}{did_you_mean(side, game.players)}")


def any_number(text: str) -> int:
    """argparse type: a whole number."""
    if not re.fullmatch("-?[0-9]{1,30}", text):
        raise argparse.ArgumentTypeError(f"{excerpt(text)} is not a whole number")
    return int(text)


def count_number(text: str) -> int:
    """argparse type: a whole number from 1 up."""
    if not re.fullmatch("[0-9]{1,12}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{excerpt(text)} is not a whole number from 1 up")
    return int(text)


def seconds_number(text: str) -> float:
    """argparse type: a time in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{excerpt(text)} is not a time in seconds, 0 to 86400")
    return seconds


def milliseconds_number(text: str) -> int:
    """argparse type: a short time in milliseconds."""
    if not re.fullmatch("[0-9]{1,6}", text):
        raise argparse.ArgumentTypeError(f"{excerpt(text)} is not a time in ms, 0 to 999999")
    return int(text)
