"""Arguments that name a game and a position, and argparse types for numbers."""

from __future__ import annotations

import argparse
import re
from typing import Any

from controller.ui.console import Console
from controller.ui.position_options import PositionOptions
from engine import games
from engine.errors import excerpt
from engine.game import AnyGame


def add_game(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("game")
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
    group = parser.add_argument_group("position (default: the game's first setup)")
    group.add_argument("--setup", metavar="NAME", help="a named setup, see `laserboard setups`")
    group.add_argument(
        "--position",
        metavar="TEXT|@FILE",
        help="a position in the game's own notation; @FILE reads it from a file, @- from stdin",
    )
    group.add_argument(
        "--seed", metavar="N", type=any_number, help="for a game that draws its map from a seed"
    )


def position_options(args: argparse.Namespace) -> PositionOptions:
    return PositionOptions(args.game, args.option, args.setup, args.position, args.seed)


def position_from(args: argparse.Namespace, console: Console) -> tuple[AnyGame, Any]:
    """The game and the position of the arguments."""
    return position_options(args).make_position(console)


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
