"""`laserboard engine`: serves the engine protocol on standard input and output."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console


def add(commands: Subcommands) -> None:
    add_command(
        commands,
        "engine",
        _engine,
        "run the computer player for other programs, with a protocol like UCI",
        "  printf 'position setup ace\\ngo depth 3\\nwait\\n' | laserboard engine",
        "Commands are lines on standard input. `hello` lists games and options; `setoption name "
        "Level value 3` sets an option; `game NAME`, `position SN b|r moves ...` and `position "
        "setup NAME` set the position; `go movetime MS`, `go depth N` and `go btime MS rtime MS` "
        "start a search; `stop` ends it. Answers are `info`, `bestmove MOVE` and `error`. `quit` "
        "or the end of input ends the program. docs/engine.md describes every line.",
    )


def _engine(_: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.computer import serve_protocol

    return serve_protocol(console)
