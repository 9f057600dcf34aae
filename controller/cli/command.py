"""Adding a command: every one has a sentence, a longer help and an example."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from textwrap import fill
from typing import Any

from controller.cli.console import Console
from controller.wiring import BOARD_VARIABLE, DEFAULT_BOARD, OWN_BOARD

Subcommands = Any  # argparse keeps the type to itself


def add_command(
    commands: Subcommands,
    name: str,
    run: Callable[[argparse.Namespace, Console], int],
    summary: str,
    example: str,
    more: str = "",
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=fill(f"{summary[0].upper()}{summary[1:]}. {more}", 78),
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser


def add_own_board(parser: argparse.ArgumentParser) -> None:
    """Which board, where that is the one at hand unless somebody names another."""
    parser.add_argument(
        "--board",
        metavar="NAME|FILE",
        help=f"which board (default: what {BOARD_VARIABLE} names in the environment, else"
        f" {OWN_BOARD}, if it is in this folder, else {DEFAULT_BOARD})",
    )
