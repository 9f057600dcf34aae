"""Adds commands and options to the parser. Every command has a summary, a help and examples."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from textwrap import fill
from typing import Any

from controller.config.board_names import BOARD_VARIABLE, DEFAULT_BOARD, OWN_BOARD
from controller.ui.console import Console

Subcommands = Any  # argparse's type of subparsers is private


def add_command(
    commands: Subcommands,
    name: str,
    run: Callable[[argparse.Namespace, Console], int],
    summary: str,
    example: str,
    more: str = "",
    *,
    hidden: bool = False,
) -> argparse.ArgumentParser:
    """Add a command. A `hidden` one is a former name, not in the list of commands."""
    listed = {} if hidden else {"help": summary}
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        **listed,
        description=fill(f"{summary[0].upper()}{summary[1:]}. {more}", 78),
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    add_log_options(parser)
    return parser


def add_log_options(parser: argparse.ArgumentParser, *, top: bool = False) -> None:
    """`--verbose` and `--log`, before or after the command; only the top help shows them."""
    # A suppressed default keeps the top parser's value.
    default: dict[str, Any] = {} if top else {"default": argparse.SUPPRESS}
    texts = ("print the log to standard error", "write the log with tracebacks to FILE")
    verbose, file = texts if top else (argparse.SUPPRESS, argparse.SUPPRESS)
    parser.add_argument("--verbose", action="store_true", help=verbose, **default)
    parser.add_argument("--log", metavar="FILE", dest="log_file", help=file, **default)


def add_renamed(group: argparse._ActionsContainer, name: str, old_name: str, **how: Any) -> None:
    """Add an option whose old name is still accepted, but not shown in the help."""
    action = group.add_argument(name, **how)
    hidden = {**how, "dest": action.dest, "help": argparse.SUPPRESS, "default": argparse.SUPPRESS}
    group.add_argument(old_name, **hidden)


def add_own_board(parser: argparse.ArgumentParser) -> None:
    """`--board`, by default the user's own board file."""
    parser.add_argument(
        "--board",
        metavar="NAME|FILE",
        help=f"a shipped board or a board file (default: ${BOARD_VARIABLE}, else ./{OWN_BOARD} if"
        f" it exists, else {DEFAULT_BOARD})",
    )
