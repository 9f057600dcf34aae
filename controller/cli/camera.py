"""`laserboard camera`: list the cameras, or test the images of one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.position import seconds_number
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.ui.console import Console

if TYPE_CHECKING:
    pass


def add(commands: Subcommands) -> None:
    camera = add_command(
        commands,
        "camera",
        _camera,
        "list the cameras, or test one: rate, exposure, brightness, sharpness",
        "  laserboard camera list\n  laserboard camera test --camera usb://0 --out seen.png",
    )
    camera.add_argument("what", metavar="list|test", choices=["list", "test"])
    add_camera(camera)
    camera.add_argument(
        "--seconds",
        metavar="S",
        type=seconds_number,
        default=3.0,
        help="duration of the test (default 3)",
    )
    camera.add_argument("--out", metavar="FILE.png", help="save the last image")


def add_camera(parser: argparse.ArgumentParser) -> None:
    """`--camera` and `--board`."""
    parser.add_argument(
        "--camera",
        metavar="URL",
        help="usb://0, pi://, file://game.mp4, folder://pictures or sim://, with options such as"
        " ?width=1920&height=1080&exposure_ms=5 (default: the board file's, else the first found)",
    )
    add_own_board(parser)


def _camera(args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_names import default_board
    from controller.ui.commands.camera_test import CameraTestOptions, list_cameras, test_camera

    if args.what == "list":
        return list_cameras(console)
    board = args.board or default_board()
    return test_camera(CameraTestOptions(board, args.camera, args.seconds, args.out), console)
