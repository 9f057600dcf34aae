"""`laserboard replay` and `laserboard convert`: print and convert game records."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console

if TYPE_CHECKING:
    pass


def add(commands: Subcommands) -> None:
    replay = add_command(
        commands,
        "replay",
        _replay,
        "print every turn of a record, its captures and the last position",
        "  laserboard replay game.pgn --svg pictures",
        "A file may hold many games, as text or as JSON. A broken game is reported with its line "
        "number; the other games are still printed.",
    )
    replay.add_argument("file", metavar="FILE", help="a record; - reads standard input")
    replay.add_argument("--svg", metavar="DIR", help="also draw every turn into DIR")

    convert = add_command(
        commands,
        "convert",
        _convert,
        "convert a record from text to JSON, or from JSON to text",
        "  laserboard convert game.pgn > game.json\n"
        "  laserboard convert game.json --output game.pgn",
    )
    convert.add_argument("file", metavar="FILE", help="a record; - reads standard input")
    convert.add_argument(
        "--to", choices=["text", "json"], help="the form to write (default: the other one)"
    )
    convert.add_argument("--output", metavar="FILE", help="write to FILE (default: print it)")


def _replay(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.record_conversion import replay_records

    return replay_records(args.file, args.svg, console)


def _convert(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.record_conversion import convert_records

    return convert_records(args.file, args.to, args.output, console)
