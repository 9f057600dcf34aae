"""`laserboard doctor`: checks everything that play needs, and prints a remedy for each problem."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command, add_own_board
from controller.ui.console import Console

if TYPE_CHECKING:
    pass


def add(commands: Subcommands) -> None:
    doctor = add_command(
        commands,
        "doctor",
        _doctor,
        "check everything that play needs, with a remedy for each problem",
        "  laserboard doctor\n"
        "  laserboard doctor --board ./mine.yaml\n"
        "  laserboard doctor --camera sim:// --leds sim://",
        "Checks camera, light, board, pieces, LEDs, buttons, sound, computer player, disk and "
        "clock: one line each, with a remedy under it if needed. The exit status is 1 if a "
        "problem prevents play.",
    )
    add_own_board(doctor)
    found = "(default: the board file's, else a device that is found)"
    doctor.add_argument("--camera", metavar="URL", help=f"usb://0, pi://, sim:// ... {found}")
    doctor.add_argument("--leds", metavar="URL", help=f"serial://auto, sim:// ... {found}")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")


def _doctor(args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_names import default_board
    from controller.ui.commands.doctor import run_doctor

    board = args.board or default_board()
    return run_doctor(board, args.camera, args.leds, console, as_json=args.json)
