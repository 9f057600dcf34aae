"""`laserboard`: finds the command, runs it, and turns every error of ours into one clear line."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from types import FrameType
from typing import NoReturn

from controller.cli.console import BAD_INPUT, Console
from engine.errors import LaserboardError

GROUPS = {
    "to play": (
        *("simulate", "play", "puzzles", "resume", "demo", "games", "replay", "analyse"),
        "computer",
    ),
    "for referees and events": ("referee", "hall", "publish"),
    "to build a board and set it up": (
        *("print", "parts", "bodies", "init", "doctor", "calibrate", "camera", "ports", "leds"),
        *("buttons", "watch", "see"),
    ),
    "for those who write players, programs or rules": (
        *("setups", "show", "legal", "beam", "apply", "perft", "convert", "scene"),
        *("engine", "match", "tune", "bench", "soak"),
    ),
}
WIDEST = 100
EXAMPLES = """\
examples:
  laserboard simulate --page             play in a browser, on a table that is not there
  laserboard play --red computer:3       play at your own table, against the computer
  laserboard doctor                      is everything there that play needs?
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
        analyse,
        arena,
        bench,
        bodies,
        buttons,
        calibrate,
        camera,
        computer,
        demo,
        doctor,
        engine,
        games,
        hall,
        init,
        leds,
        look,
        match,
        play,
        ports,
        print_wiring,
        printing,
        puzzles,
        records,
        referee,
        see,
        simulate,
        soak,
        table,
        tune,
        watch,
    )

    top = _Parser(
        prog="laserboard",
        usage="%(prog)s COMMAND [OPTION ...]",
        description="Laser games on a real table: camera, beams, clocks, records, a computer"
        " player.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"laserboard {version('laserboard')}")
    commands = top.add_subparsers(metavar="COMMAND", help=argparse.SUPPRESS, prog="laserboard")
    for group in (
        *(demo, look, play, computer, engine, match, records, analyse, games, puzzles),
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
            print_wiring,
            init,
            bodies,
            doctor,
            bench,
            tune,
            soak,
        ),
    ):
        group.add(commands)
    summaries = {each.dest: each.help for each in commands._choices_actions}
    top.epilog = f"{_grouped_help(summaries)}\n{EXAMPLES}"
    return top


def grouped(names: Iterable[str]) -> dict[str, list[str]]:
    """Commands by who uses them; what is in no group (matches of programs) is in the last."""
    groups = {title: list(members) for title, members in GROUPS.items()}
    last = list(groups)[-1]
    known = {name for members in GROUPS.values() for name in members}
    groups[last] = [*(name for name in names if name not in known), *groups[last]]
    return groups


def _grouped_help(summaries: Mapping[str, str | None]) -> str:
    """The commands with a sentence each."""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    lines = []
    for title, names in grouped(summaries).items():
        lines.append(f"{title}:")
        lines += [
            fill(
                summaries[name] or "", width, initial_indent=f"  {name:<12}",
                subsequent_indent=" " * 14,
            )
            for name in names
        ]  # fmt: skip
        lines.append("")
    return "\n".join(lines)


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
