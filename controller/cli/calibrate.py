"""`laserboard calibrate`: set up the camera step by step, or calibrate its lens with a sheet."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from controller.cli.args.position import seconds_number
from controller.cli.camera import add_camera
from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console, printable_name, write_file
from engine import games
from engine.errors import excerpt

if TYPE_CHECKING:
    from vision.calibration import Calibration, CalibrationSheet

LENS_SECONDS = 180.0


def add(commands: Subcommands) -> None:
    calibrate = add_command(
        commands,
        "calibrate",
        _calibrate,
        "set the camera up step by step: position, focus, light, reading; or calibrate its lens",
        "  laserboard calibrate --camera usb://0           step by step, with a live picture\n"
        "  laserboard calibrate --once --picture seen.png  score one picture\n"
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
        metavar="PICTURE",
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
        help="score one picture and exit (default: live, step by step)",
    )
    calibrate.add_argument(
        "--picture",
        metavar="FILE.png",
        help="save the last picture, with the result of reading drawn on it",
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
    sheet = parse_sheet(args.squares)
    if args.what == "sheet":
        return _print_sheet(sheet, args, console)
    from controller.config.board_file import default_board
    from controller.ui.commands.lens_calibration import capture_views, load_views
    from vision.calibration import calibrate

    if args.pictures and args.camera:
        raise BadInput("give pictures or --camera, not both")
    if args.pictures:
        views = load_views(args.pictures, sheet, console)
    else:
        seconds = LENS_SECONDS if args.seconds is None else args.seconds
        board = args.board or default_board()
        views = capture_views(board, args.camera, sheet, seconds, console)
    return _write_lens(calibrate(views), args, console)


def parse_sheet(text: str) -> CalibrationSheet:
    from vision.calibration import CalibrationSheet

    size = re.fullmatch("([0-9]{1,3})x([0-9]{1,3})", text)
    if size is None:
        raise BadInput(f"--squares {excerpt(text)}: write columns and rows, such as 7x5")
    return CalibrationSheet(int(size[1]), int(size[2]))


def _print_sheet(sheet: CalibrationSheet, args: argparse.Namespace, console: Console) -> int:
    from controller.storage.image_files import save_png

    if args.pictures:
        raise BadInput("`calibrate sheet` takes no pictures: give --out FILE.png")
    save_png(args.out, sheet.picture())
    console.print(
        f"{printable_name(args.out)}: print it as large as the paper allows,"
        " glue it to something flat"
    )
    return 0


def _write_lens(calibration: Calibration, args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_file import write_lens

    remarks = (
        f"From {len(calibration.used)} pictures of {calibration.width} x {calibration.height}, by"
        " `laserboard calibrate lens`; holds for any size of the same shape.",
        f"Corners are off by {calibration.score_px:.2f} px: {calibration.verdict()}.",
    )
    write_file(args.out, write_lens(calibration.lens, remarks), console)
    for name in calibration.left_out:
        console.note(f"left out: {name}: it does not agree with the others")
    if args.out != "-":
        console.print(f"focal length   {calibration.lens.focal:.3f} picture widths")
        console.print(f"error          {calibration.score_px:.2f} px: {calibration.verdict()}")
        console.print(f"lens           {printable_name(args.out)}")
    return 0
