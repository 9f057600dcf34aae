"""`laserboard`: finds the command, runs it, and turns every error of ours into one clear line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from controller.cli import bench, computer, demo, look, play, records
from controller.cli.console import BAD_INPUT, Console
from controller.wiring import system_clock
from engine.errors import LaserboardError

EPILOG = """\
examples:
  laserboard demo                        the computer plays itself, beams and all
  laserboard show --setup sophie         a starting position
  laserboard legal --square e4           the moves of one piece
  laserboard computer --seconds 2        what would the computer play?
`laserboard COMMAND --help` explains a command, with an example.
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def parser() -> argparse.ArgumentParser:
    top = _Parser(
        prog="laserboard",
        description="Laser games on a real table: rules, records and a computer player.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for group in (demo, look, play, computer, records, bench):
        group.add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    on_terminal = sys.stdout.isatty()
    colour = on_terminal and not os.environ.get("NO_COLOR")
    if os.environ.get("FORCE_COLOR"):
        colour = True
    console = Console(sys.stdout, sys.stderr, colour, on_terminal, system_clock())
    try:
        status: int = args.run(args, console)
        sys.stdout.flush()
    except LaserboardError as error:
        console.note(f"laserboard: {error}")
        return BAD_INPUT
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
