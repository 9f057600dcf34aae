"""`laserboard watch`: prints the position, changes and moves that a camera sees on a board."""

from __future__ import annotations

import argparse

from controller.cli.args.position import add_position, position_options, seconds_number
from controller.cli.camera import add_camera
from controller.cli.command import Subcommands, add_command
from controller.config.board_names import default_board
from controller.ui.console import Console


def add(commands: Subcommands) -> None:
    watch = add_command(
        commands,
        "watch",
        _watch,
        "watch a board with a camera: its position, changes and moves",
        "  laserboard watch --camera usb://0\n"
        "  laserboard watch --camera file://game.mp4 --setup ace\n"
        "  laserboard watch --camera sim:// --seconds 5",
        "Moves are followed from the given position, else from the setup that the camera sees. "
        "A move counts when the board has settled. Ctrl-C ends the command.",
    )
    add_camera(watch)
    add_position(watch)
    watch.set_defaults(game=None)
    watch.add_argument(
        "--seconds", metavar="S", type=seconds_number, help="duration (default: until Ctrl-C)"
    )


def _watch(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.watch import WatchOptions, watch_board

    board = args.board or default_board()
    options = WatchOptions(board, position_options(args), args.camera, args.seconds)
    return watch_board(options, console)
