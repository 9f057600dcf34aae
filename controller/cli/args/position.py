"""Arguments that name a game and a position, and argparse types for numbers."""

from __future__ import annotations

import argparse
import re
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


def game_from(args: argparse.Namespace, name: str | None = None) -> AnyGame:
    """The game of the arguments; `name` for commands whose `--game` has no default."""
    options = {}
    for text in args.option:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--option {text!r}: write KEY=VALUE")
        options[key.replace("-", "_")] = value
    return games.make(name or args.game, options)


def position_from(
    args: argparse.Namespace, console: Console, game_name: str | None = None
) -> tuple[AnyGame, Any]:
    game = game_from(args, game_name)
    given = [name for name in ("setup", "position", "seed") if getattr(args, name) is not None]
    if len(given) > 1:
        raise BadInput(f"--{given[0]} and --{given[1]} both name a position: give one of them")
    if args.position is None:
        warning = game.warning(args.setup)
        if warning:
            console.note(f"warning: {warning}")
        return game, game.start(args.setup, args.seed)
    text: str = args.position
    if text.startswith("@"):
        text = read_file(text[1:])
    return game, game.read_position(text.strip())


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
