"""`laserboard calibrate`: the camera set up step by step, and what its lens does worked out.

Without a word it is the walk of `calibrate_walk`. `sheet` draws a sheet to print, and `lens` learns
from pictures of it what the lens does.
"""

from __future__ import annotations

import argparse
import re
from contextlib import closing
from typing import TYPE_CHECKING

from controller.cli.camera import add_camera, camera_from, first_frame, note_events
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, shown, write_file
from controller.cli.positions import seconds_number
from engine import games
from engine.errors import excerpt

if TYPE_CHECKING:
    from vision.calibration import Calibration, Sheet, SheetView

STEADY = 0.004  # of the picture's width, from one picture to the next
MOST_ADVICE = 3
LENS_SECONDS = 180.0
HINT_MS = 3000.0  # between two hints to somebody who holds the sheet


def add(commands: Subcommands) -> None:
    calibrate = add_command(
        commands,
        "calibrate",
        _calibrate,
        "set the camera up step by step: position, focus, light, reading; or calibrate its lens",
        "  laserboard calibrate --camera usb://0           the walk, with a live picture\n"
        "  laserboard calibrate --once --picture seen.png  one picture, judged\n"
        "  laserboard calibrate sheet --out sheet.png      print it and glue it to something flat\n"
        "  laserboard calibrate lens --camera usb://0 --out lens.yaml\n"
        "  laserboard calibrate lens photos/*.jpg --out lens.yaml",
        "The walk says at each step what to do next, and goes on when the score has been good for"
        " two seconds; Enter goes on anyway, b back, q quits. The exit status is 1 if a step is"
        " not good enough. Put `lens: lens.yaml` under `camera:` in the board file. Without a"
        " calibrated lens, a usual one is assumed, which will do for most cameras.",
    )
    calibrate.add_argument(
        "what",
        metavar="sheet|lens",
        nargs="?",
        choices=["sheet", "lens"],
        help="draw the sheet, or learn the lens from it; without either: the walk",
    )
    calibrate.add_argument(
        "pictures",
        metavar="PICTURE",
        nargs="*",
        help="lens: photos of the sheet (default: the camera's, while you show it the sheet)",
    )
    add_camera(calibrate)
    calibrate.add_argument(
        "--game",
        metavar="NAME",
        help=f"{', '.join(games.GAMES)} (default: the first that the board is made for)",
    )
    calibrate.add_argument(
        "--once",
        action="store_true",
        help="judge one picture and print the scores (default: step by step, live)",
    )
    calibrate.add_argument(
        "--picture",
        metavar="FILE.png",
        help="save the last picture with what was seen in it",
    )
    calibrate.add_argument(
        "--squares", metavar="CxR", default="7x5", help="squares of the sheet (default 7x5)"
    )
    calibrate.add_argument(
        "--seconds",
        metavar="S",
        type=seconds_number,
        help=f"how long at most (default {LENS_SECONDS:g} for a lens, else until all is done)",
    )
    calibrate.add_argument(
        "--out",
        metavar="FILE",
        help="lens, sheet: the lens file (- prints it), or the sheet's PNG (there is no default)",
    )


def _calibrate(args: argparse.Namespace, console: Console) -> int:
    if args.what is None:
        from controller.cli.calibrate_walk import walk_through

        if args.out is not None:
            raise BadInput("--out goes with `calibrate lens` and `sheet`: else use --picture")
        return walk_through(args, console)
    for option in ("once", "picture", "game"):
        if getattr(args, option):
            raise BadInput(f"--{option} goes with `calibrate` alone, not with {args.what}")
    if args.out is None:
        raise BadInput(f"calibrate {args.what}: the following arguments are required: --out")
    sheet = sheet_of(args.squares)
    if args.what == "sheet":
        return _print_sheet(sheet, args, console)
    from vision.calibration import calibrate

    if args.pictures and args.camera:
        raise BadInput("give pictures or --camera, not both")
    views = _from_pictures(args, sheet, console) if args.pictures else _live(args, sheet, console)
    return _finish(calibrate(views), args, console)


def sheet_of(text: str) -> Sheet:
    from vision.calibration import Sheet

    size = re.fullmatch("([0-9]{1,3})x([0-9]{1,3})", text)
    if size is None:
        raise BadInput(f"--squares {excerpt(text)}: write columns and rows, such as 7x5")
    return Sheet(int(size[1]), int(size[2]))


def _print_sheet(sheet: Sheet, args: argparse.Namespace, console: Console) -> int:
    from controller.pictures import save_picture

    if args.pictures:
        raise BadInput("`calibrate sheet` takes no pictures: give --out FILE.png")
    save_picture(args.out, sheet.picture())
    console.print(
        f"{shown(args.out)}: print it as large as the paper allows, glue it to something flat"
    )
    return 0


def _from_pictures(args: argparse.Namespace, sheet: Sheet, console: Console) -> list[SheetView]:
    from controller.pictures import BadPicture, open_picture
    from vision.calibration import Sight, coverage, find_sheet

    views: list[SheetView] = []
    for name in args.pictures:
        try:
            seen = find_sheet(open_picture(name), sheet, shown(name))
        except BadPicture as bad:
            console.note(f"left out: {bad}")
            continue
        if isinstance(seen, Sight):
            console.note(f"left out: {shown(name)}: {seen}")
        else:
            views.append(seen)
    if views:
        for advice in coverage(views).advice()[:MOST_ADVICE]:
            console.note(advice)
    return views


def _live(args: argparse.Namespace, sheet: Sheet, console: Console) -> list[SheetView]:
    """Watch somebody show the sheet around until all that is needed was seen."""
    from vision.calibration import Sight, adds_something, coverage, find_sheet

    views: list[SheetView] = []
    before: SheetView | None = None
    clock, number = console.clock, 0
    with closing(camera_from(args, console)) as camera:
        first_frame(camera, console)
        seconds = LENS_SECONDS if args.seconds is None else args.seconds
        end_ms, hinted_ms = clock.now_ms() + 1000 * seconds, clock.now_ms()
        while (left_ms := end_ms - clock.now_ms()) > 0:
            frame = camera.wait(number, left_ms)
            if frame is None:
                if note_events(camera, console):
                    break
                continue
            number = frame.number
            seen = find_sheet(frame.grey, sheet, f"view {len(views) + 1}")
            sheet_seen = None if isinstance(seen, Sight) else seen
            if sheet_seen and _steady(before, sheet_seen) and adds_something(sheet_seen, views):
                views.append(sheet_seen)
                missing = coverage(views).advice()
                if not missing:
                    break
                console.note(f"view {len(views)} taken; {missing[0]}")
                hinted_ms = clock.now_ms()
            elif clock.now_ms() - hinted_ms > HINT_MS:
                console.note("hold it still, elsewhere" if sheet_seen else str(seen))
                hinted_ms = clock.now_ms()
            before = sheet_seen
    return views


def _steady(before: SheetView | None, seen: SheetView) -> bool:
    if before is None:
        return False
    earlier, later = (view.picture_points.mean(axis=0) for view in (before, seen))
    return float(abs(earlier - later).max()) < STEADY * seen.width


def _finish(found: Calibration, args: argparse.Namespace, console: Console) -> int:
    from controller.config import write_lens

    remarks = (
        f"From {len(found.used)} pictures of {found.width} x {found.height}, by"
        " `laserboard calibrate lens`; holds for any size of the same shape.",
        f"Corners are off by {found.score_px:.2f} px: {found.verdict()}.",
    )
    write_file(args.out, write_lens(found.lens, remarks), console)
    for name in found.left_out:
        console.note(f"left out: {name}: it does not agree with the others")
    if args.out != "-":
        console.print(f"focal length   {found.lens.focal:.3f} picture widths")
        console.print(f"error          {found.score_px:.2f} px: {found.verdict()}")
        console.print(f"lens           {shown(args.out)}")
    return 0
