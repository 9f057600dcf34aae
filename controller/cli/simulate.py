"""`laserboard simulate` hosts a game at a simulated table; `demo` does so for two computers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from controller.cli.args.event import add_event, publisher_from, table_number
from controller.cli.args.faults import add_faults, fault_choice, fault_list_requested
from controller.cli.args.players import add_players, game_options
from controller.cli.args.position import count_number
from controller.cli.args.web import add_page, page_options, page_requested
from controller.cli.command import Subcommands, add_command
from controller.config.board_names import DEFAULT_BOARD
from controller.ui.console import BadInput, Console
from controller.ui.hosting.options import DeviceOptions, PlayOptions

if TYPE_CHECKING:
    from controller.ui.hosting.game_options import GameOptions

DEFAULT_LEDS = "sim://"
DEFAULT_LEVELS = "6,4"
SPEEDS = (0.1, 10.0)  # faster, the simulated camera cannot keep up


def add(commands: Subcommands) -> None:
    simulate = add_command(
        commands,
        "simulate",
        _simulate,
        "play on a simulated table: no camera, no LEDs, no pieces needed",
        "  laserboard simulate --page                        against the computer, in a browser\n"
        "  laserboard simulate --page --red human            two people, in a browser\n"
        "  laserboard simulate --blue human --red computer:4\n"
        "  laserboard simulate --blue computer:3 --red computer:3 --turns 6 --fast\n"
        "  laserboard simulate --script tests/scripts/one-turn.game\n"
        "  laserboard simulate --script tests/scripts/one-turn.game --leds 'sim://?drop=0.02'\n"
        "  laserboard simulate --red computer:2 --chaos 7\n"
        "  laserboard simulate --red computer:2 --fault unplug@12s --fault bump@30s",
        "The whole program runs as at a real table: images are rendered and read, and the "
        "firmware's C code drives the LEDs. Choose a move with the arrow keys or type it (j4j3); "
        "simulated hands carry it out. With --page and no player named, the computer (computer:3) "
        "plays second. A script has one sentence per line: actions (blue moves j4 j3, red bumps "
        "c7, blue presses fire, red accepts), faults (power cut, the camera is unplugged, the disk "
        "is full) and expectations (expect captured g3, expect mismatch c7, expect resumed). The "
        "first expectation that is not met ends the script with exit status 1.",
    )
    _add_arguments(simulate)
    simulate.set_defaults(speed=1.0)

    demo = add_command(
        commands,
        "demo",
        _demo,
        "watch the computer play against itself on a simulated table",
        "  laserboard demo\n"
        "  laserboard demo --setup sophie --levels 5,5 --random-seed 3\n"
        "  laserboard demo --levels 1,1 --turns 4 --fast",
        "The same as `laserboard simulate` with two computers, with the same options. Without a "
        "terminal it prints one line for each turn and the last position.",
    )
    demo.add_argument(
        "--levels",
        metavar="A,B",
        default=DEFAULT_LEVELS,
        help=f"the level of each side, 1 to 8 (default {DEFAULT_LEVELS})",
    )
    demo.add_argument(
        "--speed", metavar="X", type=_speed, default=1.0, help="2 is twice as fast (default 1)"
    )
    _add_arguments(demo)


def _add_arguments(simulate: argparse.ArgumentParser) -> None:
    simulate.add_argument("--script", metavar="FILE.game", help="play the sentences of a script")
    simulate.add_argument(
        "--resume", metavar="NAME", help="resume a stored game: last, or a name from `games list`"
    )
    simulate.add_argument("--board", metavar="NAME|FILE", help=f"default {DEFAULT_BOARD}")
    simulate.add_argument(
        "--initial-position",
        metavar="SETUP|POSITION",
        help="the pieces on the table at the start; set the table up on the page",
    )
    simulate.add_argument("--turns", metavar="N", type=count_number, help="stop after N turns")
    simulate.add_argument(
        "--fast",
        action="store_true",
        help="run in simulated time, as fast as possible; prints one line for each event",
    )
    simulate.add_argument(
        "--camera",
        metavar="URL",
        help="the simulated camera: sim:// with options such as ?width=1920&tilt_degrees=30"
        "&light=0.1 (dim), &barrel=0.2 (a wide lens), &prints=FOLDER (a paper board)",
    )
    simulate.add_argument(
        "--leds",
        metavar="URL",
        help=f"sim://, with faults such as ?drop=0.02, or memory:// (default {DEFAULT_LEDS})",
    )
    simulate.add_argument("--voice", metavar="KIND", help="espeak speaks every turn (default none)")
    simulate.add_argument(
        "--speaker", metavar="URL", help="terminal:// rings the bell (default none://)"
    )
    simulate.add_argument(
        "--picture",
        metavar="FILE.png",
        help="save the camera's image of the last beam at its brightest",
    )
    add_faults(simulate)
    add_players(simulate)
    add_event(simulate, _TableAction)
    add_page(simulate)


class _TableAction(argparse.Action):
    """`--table`: the table's number, or a setup or position, as before `--initial-position`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        text = str(values)
        if not text.lstrip("-").isdigit():
            namespace.initial_position = text
            return
        try:
            namespace.table_number = table_number(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentError(self, str(error)) from None


def _demo(args: argparse.Namespace, console: Console) -> int:
    levels = args.levels.split(",")
    if len(levels) != 2 or not all(re.fullmatch("[1-8]", level) for level in levels):
        raise BadInput(f"--levels {args.levels!r}: write two levels 1 to 8, such as 6,4")
    choice = game_options(args)
    first, second = (f"computer:{level}" for level in levels)
    seats = {**choice.seats, "first": first, "second": second}
    return _host(args, replace(choice, seats=seats), console)


def _simulate(args: argparse.Namespace, console: Console) -> int:
    return _host(args, game_options(args), console)


def _host(args: argparse.Namespace, game: GameOptions, console: Console) -> int:
    from controller.ui.hosting.simulated_games import (
        SimulationOptions,
        host_simulation,
        list_faults,
    )

    if fault_list_requested(args):
        return list_faults(console)
    choice = SimulationOptions(
        game,
        board=args.board,
        script=args.script,
        resume=args.resume,
        initial_position=args.initial_position,
        faults=fault_choice(args),
        turns=args.turns,
        picture=args.picture,
        fast=args.fast,
        speed=args.speed,
        page_requested=page_requested(args),
    )
    return host_simulation(choice, simulation_options(args, console), console)


def simulation_options(args: argparse.Namespace, console: Console) -> PlayOptions:
    """The options of a simulated table: devices, page and publisher."""
    devices = DeviceOptions(args.camera, args.leds, None, args.speaker, args.voice)
    return PlayOptions(devices, page_options(args, console), publisher_from(args))


def _speed(text: str) -> float:
    """argparse type: a speed relative to real time."""
    least, most = SPEEDS
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not least <= speed <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a speed from {least:g} to {most:g}")
    return speed
