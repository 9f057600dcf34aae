"""`laserboard`: finds the command, runs it, and turns every error of ours into one clear line."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from controller.cli.console import BAD_INPUT, Console
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
    """All commands. They are imported here, so that Ctrl-C meanwhile ends the program quietly."""
    from importlib.metadata import version

    from controller.cli import (
        arena,
        bench,
        buttons,
        calibrate,
        camera,
        computer,
        demo,
        doctor,
        games,
        hall,
        init,
        leds,
        look,
        play,
        ports,
        printing,
        records,
        referee,
        see,
        simulate,
        soak,
        table,
        watch,
    )

    top = _Parser(
        prog="laserboard",
        description="Laser games on a real table: rules, records and a computer player.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"laserboard {version('laserboard')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for group in (
        *(demo, look, play, computer, records, games),
        *(see, watch, camera, calibrate),
        *(
            table,
            simulate,
            referee,
            arena,
            hall,
            leds,
            ports,
            buttons,
            printing,
            init,
            doctor,
            bench,
            soak,
        ),
    ):
        group.add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    # Before numpy is loaded: a frame is read by many small products, which threads only slow down.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    known = parser()
    args = known.parse_args(arguments)
    if "run" not in args:
        known.print_help()
        return 0
    if sys.stdout is None:
        print("laserboard: standard output is closed", file=sys.stderr)
        return BAD_INPUT
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Records are UTF-8 whatever the terminal's language is.
            stream.reconfigure(encoding="utf-8", errors="replace")
    leaving = _Leaving()
    leaving.heed()
    try:
        status: int = args.run(args, _console())
        sys.stdout.flush()
    except LaserboardError as error:
        print(f"laserboard: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        _drop_output()  # the reader (`| head`) has seen enough
        return 0
    except OSError as error:
        _drop_output()
        print(f"laserboard: cannot write the output: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 128 + leaving.number
    return status


def _console() -> Console:
    from controller.wiring import system_clock

    able = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    forced = os.environ.get("FORCE_COLOR", "0") not in ("", "0")
    colour = (able or forced) and not os.environ.get("NO_COLOR")
    columns, rows = shutil.get_terminal_size()
    size = (columns, rows) if able else None
    return Console(sys.stdout, sys.stderr, colour, size, system_clock())


class _Leaving:
    """Whoever ends the program ends it as Ctrl-C does, so that everything is left as it was."""

    number: int = signal.SIGINT

    def heed(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup wants it to go on
                signal.signal(number, self._leave)

    def _leave(self, number: int, frame: FrameType | None) -> None:
        self.number = number
        # A loop has a handler of its own: an exception in the midst of it would not be heard alone.
        ctrl_c = signal.getsignal(signal.SIGINT)
        if not callable(ctrl_c):
            sys.exit(128 + number)
        ctrl_c(signal.SIGINT, frame)


def _drop_output() -> None:
    """Keep Python from complaining at exit about output that nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
