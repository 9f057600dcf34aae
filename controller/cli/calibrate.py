"""`laserboard calibrate`: set up the camera step by step, or calibrate its lens with a sheet."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from controller.cli.args.position import seconds_number
from controller.cli.camera import add_camera
from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console
from engine import games
from engine.errors import excerpt

if TYPE_CHECKING:
    from vision.calibration import CalibrationSheet

LENS_SECONDS = 180.0


def add(commands: Subcommands) -> None:
    calibrate = add_command(
        commands,
        "calibrate",
        _calibrate,
        "set the camera up step by step: position, focus, light, reading; or calibrate its lens",
        "  laserboard calibrate --camera usb://0           step by step, with a live image\n"
        "  laserboard calibrate --once --picture seen.png  score one image\n"
        "  laserboard calibrate sheet --out sheet.png      print it and glue it to something flat\n"
        "  laserboard calibrate lens --camera usb://0 --out lens.yaml\n"
        "  laserboard calibrate lens photos/*.jpg --out lens.yaml",
        "Each step gives advice, and ends when its score has been good for two seconds."
        " Enter skips a step, b goes back, q quits. The exit status is 1 if a step is not good"
        " enough. `lens` writes a lens file: put `lens: lens.yaml` under `camera:` in the board"
        " file. Most cameras work well without one.",
    )
    calibrate.add_argument(
        "what",
        metavar="sheet|lens",
        nargs="?",
        choices=["sheet", "lens"],
        help="draw the calibration sheet, or calibrate the lens with it (default: step by step)",
    )
    calibrate.add_argument(
        "pictures",
        metavar="IMAGE",
        nargs="*",
        help="lens: photos of the sheet (default: taken by the camera while you show the sheet)",
    )
    add_camera(calibrate)
    calibrate.add_argument(
        "--game",
        metavar="NAME",
        help=f"{', '.join(games.GAMES)} (default: the first that fits the board)",
    )
    calibrate.add_argument(
        "--once",
        action="store_true",
        help="score one image and exit (default: live, step by step)",
    )
    calibrate.add_argument(
        "--picture",
        metavar="FILE.png",
        help="save the last image, with the result of reading drawn on it",
    )
    calibrate.add_argument(
        "--squares", metavar="CxR", default="7x5", help="squares of the sheet (default 7x5)"
    )
    calibrate.add_argument(
        "--seconds",
        metavar="S",
        type=seconds_number,
        help=f"time limit (default {LENS_SECONDS:g} for a lens, else none)",
    )
    calibrate.add_argument(
        "--out",
        metavar="FILE",
        help="required for lens (the lens file, - prints it) and sheet (a PNG)",
    )


def _calibrate(args: argparse.Namespace, console: Console) -> int:
    if args.what is None:
        from controller.ui.commands.calibration import CalibrationOptions, run_calibration

        if args.out is not None:
            raise BadInput("--out goes with `calibrate lens` and `sheet`: else use --picture")
        options = CalibrationOptions(
            args.board, args.camera, args.game, args.once, args.picture, args.seconds
        )
        return run_calibration(options, console)
    for option in ("once", "picture", "game"):
        if getattr(args, option):
            raise BadInput(f"--{option} goes with `calibrate` alone, not with {args.what}")
    if args.out is None:
        raise BadInput(f"calibrate {args.what}: the following arguments are required: --out")
    from controller.config.board_names import default_board
    from controller.ui.commands.lens_calibration import LensOptions, calibrate_lens, write_sheet

    sheet = parse_sheet(args.squares)
    if args.what == "sheet":
        if args.pictures:
            raise BadInput("`calibrate sheet` takes no images: give --out FILE.png")
        return write_sheet(sheet, args.out, console)
    if args.pictures and args.camera:
        raise BadInput("give images or --camera, not both")
    seconds = LENS_SECONDS if args.seconds is None else args.seconds
    board = args.board or default_board()
    lens_options = LensOptions(sheet, args.out, args.pictures, board, args.camera, seconds)
    return calibrate_lens(lens_options, console)


def parse_sheet(text: str) -> CalibrationSheet:
    from vision.calibration import CalibrationSheet

    size = re.fullmatch("([0-9]{1,3})x([0-9]{1,3})", text)
    if size is None:
        raise BadInput(f"--squares {excerpt(text)}: write columns and rows, such as 7x5")
    return CalibrationSheet(int(size[1]), int(size[2]))
