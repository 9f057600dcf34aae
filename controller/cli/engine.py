"""`laserboard engine`: the computer player for other programs, by lines of text."""

from __future__ import annotations

import argparse
import sys

from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console


def add(commands: Subcommands) -> None:
    add_command(
        commands,
        "engine",
        _engine,
        "the computer player for other programs: lines in, lines out, much like UCI",
        "  printf 'position setup ace\\ngo depth 3\\nwait\\n' | laserboard engine",
        "`hello` tells what it is, plays and can be set to; `setoption name Level value 3` sets "
        "it; `game NAME`, `position SN b|r moves ...` and `position setup NAME` say where; `go "
        "movetime MS`, `go depth N`, `go btime MS rtime MS` ask for a move; `stop` wants it now. "
        "Answers are `info`, `bestmove MOVE` and `error`. docs/engine.md has every line. The end "
        "of its input, or `quit`, ends it.",
    )


def _engine(_: argparse.Namespace, console: Console) -> int:
    from controller.devices.factory.inputs import serve_engine

    if sys.stdin is None:
        raise BadInput("an engine is spoken to on standard input, which is closed")
    return serve_engine(sys.stdin.buffer, console.out.fileno())
