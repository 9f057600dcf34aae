"""`laserboard leds`: tests the LEDs and their wiring; `laserboard ports`: lists serial ports."""

from __future__ import annotations

import argparse

from controller.cli.args.position import (
    add_position,
    milliseconds_number,
    position_options,
    seconds_number,
)
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.config.board_names import default_board
from controller.ui.console import Console

PACE_MS, SECONDS, DIGITS = 250, 3.0, "42"
PICTURES = ("idle", "thinking", "winner", "clock-low", "legal", "number")


def add(commands: Subcommands) -> None:
    leds = add_command(
        commands,
        "leds",
        _leds,
        "test the LEDs: light one after the other, show colours or a beam, count lost pictures",
        "  laserboard leds walk --leds serial://auto\n"
        "  laserboard leds test --leds serial://auto\n"
        "  laserboard leds walk --board full-10x8 --pace 100\n"
        "  laserboard leds show --setup ace --beam blue\n"
        "  laserboard leds show --picture number --digits 42 --board hex-r5\n"
        "  laserboard leds stats --leds 'sim://?drop=0.01&flip=0.01'",
        "walk lights one LED after the other and names the cell above it. test shows full colours "
        "and the current they draw. show shows a beam or another picture of a game. stats sends "
        "pictures for a while and counts those that were confirmed, repeated or lost. If neither "
        "--leds nor the board file (`leds.url`) names LEDs, they are drawn in the terminal.",
    )
    leds.add_argument(
        "what", metavar="walk|test|show|stats", choices=["walk", "test", "show", "stats"]
    )
    leds.add_argument(
        "--leds",
        metavar="URL",
        help="serial://auto, adalight:///dev/ttyUSB0, ddp://wled.local, gpio://spi, terminal://,"
        " memory://, none:// or sim:// (default: the board file's, else terminal://)",
    )
    add_own_board(leds)
    leds.add_argument(
        "--pace",
        metavar="MS",
        type=milliseconds_number,
        default=PACE_MS,
        help=f"walk: time for each LED (default {PACE_MS})",
    )
    leds.add_argument(
        "--seconds",
        metavar="S",
        type=seconds_number,
        default=SECONDS,
        help=f"show, stats: duration (default {SECONDS:g}; a beam has its own duration)",
    )
    leds.add_argument(
        "--beam",
        metavar="SIDE",
        help="show: the beams of this side's lasers as they stand (default: the side to move)",
    )
    leds.add_argument(
        "--picture",
        choices=PICTURES,
        help="show: another picture of a game (default: a beam)",
    )
    leds.add_argument("--square", metavar="CELL", help="show --picture legal: the piece to move")
    leds.add_argument(
        "--digits",
        metavar="N",
        default=DIGITS,
        help=f"show --picture number: the number (default {DIGITS})",
    )
    add_position(leds)
    leds.set_defaults(game=None)
    _add_ports(commands)


def _leds(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.led_test import LedPictureOptions, LedTestOptions, run_led_test

    picture = LedPictureOptions(
        position_options(args), args.picture, args.beam, args.square, args.digits
    )
    options = LedTestOptions(
        args.what, args.board or default_board(), args.leds, args.pace, args.seconds, picture
    )
    return run_led_test(options, console)


def _add_ports(commands: Subcommands) -> None:
    add_command(
        commands,
        "ports",
        _ports,
        "list the serial ports, and mark those with the Laserboard firmware",
        "  laserboard ports\n  laserboard leds test --leds serial:///dev/ttyACM0",
        "Opens each port and sends a HELLO. Reports a port that another program uses.",
    )


def _ports(args: argparse.Namespace, console: Console) -> int:  # noqa: ARG001
    from controller.ui.commands.led_test import list_ports

    return list_ports(console)
