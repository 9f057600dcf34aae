"""`laserboard`: parses the command line and runs the command.

A `LaserboardError` becomes one line; a defect becomes one line and a traceback in the log.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import fill
from types import FrameType
from typing import Any, NoReturn

from controller.cli.command import add_log_options
from controller.ui.console import BAD_INPUT, Console, printable_name
from engine.errors import LaserboardError

log = logging.getLogger(__name__)

EXIT_DEFECT = 70  # EX_SOFTWARE of sysexits.h
GROUPS = {
    "to play": (
        *("simulate", "play", "puzzles", "resume", "demo", "games", "replay", "analyse"),
        "computer",
    ),
    "for referees and tournaments": ("referee", "tournament"),
    "to build a board and set it up": (
        *("print", "parts", "bodies", "init", "doctor", "calibrate", "camera", "ports", "leds"),
        *("buttons", "watch", "see"),
    ),
    "to write players, programs or rules": (
        *("setups", "show", "legal", "beam", "apply", "perft", "convert", "scene"),
        *("engine", "match", "tune", "bench", "soak"),
    ),
}
MAX_COLUMNS = 100
EXAMPLES = """\
examples:
  laserboard simulate --page             play against the computer, in a browser
  laserboard play --red computer:3       play at your own table, against the computer
  laserboard doctor                      check everything that play needs
`laserboard COMMAND --help` explains a command, with examples. --verbose and --log FILE may stand
before or after the command.
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, without the names of hidden commands."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            names = ", ".join(repr(each.dest) for each in action._choices_actions)
            raise argparse.ArgumentError(action, f"invalid choice: {value!r} (choose from {names})")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands. Imports them here, so that Ctrl-C meanwhile ends quietly."""
    from controller.cli import (
        analyse,
        apply,
        bench,
        bodies,
        buttons,
        calibrate,
        camera,
        computer,
        doctor,
        engine,
        games,
        http_games,
        init,
        leds,
        match,
        play,
        position,
        print_sheets,
        print_wiring,
        puzzles,
        records,
        referee,
        see,
        simulate,
        soak,
        tournament,
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
    add_log_options(top, top=True)
    top.add_argument("--version", action="version", version=f"laserboard {_version()}")
    commands = top.add_subparsers(
        dest="command_name", metavar="COMMAND", help=argparse.SUPPRESS, prog="laserboard"
    )
    for group in (
        *(position, apply, computer, engine, match, records, analyse, games, puzzles),
        *(see, watch, camera, calibrate),
        *(
            play,
            simulate,
            referee,
            http_games,
            tournament,
            leds,
            buttons,
            print_sheets,
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


def group_commands(names: Iterable[str]) -> dict[str, list[str]]:
    """The commands of each group. Commands of HTTP games are added to the last group."""
    groups = {title: list(members) for title, members in GROUPS.items()}
    last = list(groups)[-1]
    known = {name for members in GROUPS.values() for name in members}
    groups[last] = [*(name for name in names if name not in known), *groups[last]]
    return groups


def _grouped_help(summaries: Mapping[str, str | None]) -> str:
    """The commands with their summaries."""
    width = min(MAX_COLUMNS, shutil.get_terminal_size().columns)
    lines = []
    for title, names in group_commands(summaries).items():
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
    # Before numpy is loaded: threads slow down the small matrix products of the reader.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    from controller.cli.log_setup import close_logging, set_up_logging

    known = build_parser()
    args = known.parse_args(arguments)
    if "run" not in args:
        known.print_help()
        return 0
    if sys.stdout is None:
        print("laserboard: standard output is closed", file=sys.stderr)
        return BAD_INPUT
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Records are UTF-8 in every locale.
            stream.reconfigure(encoding="utf-8", errors="replace")
    signals = _ExitSignals()
    signals.install()
    try:
        stderr_log = set_up_logging(args.verbose, args.log_file)
        # Not the arguments: URLs may contain passwords.
        log.info(
            "laserboard %s, Python %s: %s", _version(), sys.version.split()[0], args.command_name
        )
        status: int = args.run(args, _console(stderr_log.hold))
        sys.stdout.flush()
    except LaserboardError as error:
        log.debug("refused", exc_info=True)
        print(f"laserboard: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        _drop_output()  # the reader (`| head`) closed the pipe
        return 0
    except OSError as error:
        log.info("cannot write the output", exc_info=True)
        _drop_output()
        print(f"laserboard: cannot write the output: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 128 + signals.number
    except Exception as defect:
        log.exception("defect")
        print(f"laserboard: {_defect_sentence(defect, args.log_file)}", file=sys.stderr)
        return EXIT_DEFECT
    finally:
        close_logging()
    return status


def _version() -> str:
    from importlib.metadata import version

    return version("laserboard")


def _defect_sentence(defect: Exception, log_file: str | None) -> str:
    traceback = "above" if log_file is None else f"in {printable_name(log_file)}"
    return (
        f"a defect of the program: {type(defect).__name__}: {defect}"
        f" (the traceback is {traceback}; please report it)"
    )


def _console(hold_log: Callable[[bool], None]) -> Console:
    from controller.devices.factory.clocks import system_clock

    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    forced = os.environ.get("FORCE_COLOR", "0") not in ("", "0")
    colour = (is_terminal or forced) and not os.environ.get("NO_COLOR")
    columns, rows = shutil.get_terminal_size()
    size = (columns, rows) if is_terminal else None
    return Console(sys.stdout, sys.stderr, colour, size, system_clock(), hold_log)


class _ExitSignals:
    """Ends the program on SIGTERM and SIGHUP as on Ctrl-C, so that devices are closed."""

    number: int = signal.SIGINT

    def install(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # `nohup` ignores SIGHUP
                signal.signal(number, self._exit)

    def _exit(self, number: int, frame: FrameType | None) -> None:
        self.number = number
        # asyncio has its own handler for Ctrl-C; raising here would interrupt it anywhere.
        ctrl_c = signal.getsignal(signal.SIGINT)
        if not callable(ctrl_c):
            sys.exit(128 + number)
        ctrl_c(signal.SIGINT, frame)


def _drop_output() -> None:
    """Keep Python from reporting at exit that standard output is closed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
