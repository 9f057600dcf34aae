"""`laserboard camera`: list the cameras, or test the pictures of one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.position import seconds_number
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.ui.console import Console, printable_name

if TYPE_CHECKING:
    from controller.ports.devices import Camera


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
    camera.add_argument("--out", metavar="FILE.png", help="save the last picture")


def add_camera(parser: argparse.ArgumentParser) -> None:
    """`--camera` and `--board`."""
    parser.add_argument(
        "--camera",
        metavar="URL",
        help="usb://0, pi://, file://game.mp4, folder://pictures or sim://, with options such as"
        " ?width=1920&height=1080&exposure_ms=5 (default: the board file's, else the first found)",
    )
    add_own_board(parser)


def camera_from(args: argparse.Namespace, console: Console) -> Camera:
    """Open the camera of the command line, else of the board file, else the first found."""
    from controller.config.board_file import default_board
    from controller.ui.commands.camera import open_board_camera

    return open_board_camera(args.board or default_board(), args.camera, console)


def _camera(args: argparse.Namespace, console: Console) -> int:
    return _list(console) if args.what == "list" else _test(args, console)


def _list(console: Console) -> int:
    from controller.devices.factory.cameras import find_cameras
    from controller.ui.commands.camera import NO_CAMERA_FOUND

    cameras = find_cameras()
    for each in cameras:
        console.print(f"{each.url:10} {each.name}{each.trouble and f' ({each.trouble})'}")
    if not cameras:
        console.note(NO_CAMERA_FOUND)
    return 0


def _test(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.calibration.image_quality import measure_quality
    from controller.storage.image_files import save_png
    from controller.ui.commands.camera import first_frame, note_events

    camera = camera_from(args, console)
    try:
        last = first_frame(camera, console)
        taken_ms: list[float] = []  # without the first frame: the camera starts slowly
        end_ms = console.clock.now_ms() + 1000 * args.seconds
        while (left_ms := end_ms - console.clock.now_ms()) > 0:
            frame = camera.wait(last.number, left_ms)
            if frame is not None:
                last = frame
                taken_ms.append(frame.at_ms)
            elif note_events(camera, console):
                break
        details = camera.details()
    finally:
        camera.close()
    height, width = last.grey.shape
    quality = measure_quality(last.grey)
    rate = "too few pictures to tell"
    if len(taken_ms) > 1 and taken_ms[-1] > taken_ms[0]:
        rate = f"{1000 * (len(taken_ms) - 1) / (taken_ms[-1] - taken_ms[0]):.1f} pictures a second"
    locked = {True: "locked", False: "NOT locked", None: "nothing to lock"}
    blur = "" if quality.blur_px is None else f"edges blurred by {quality.blur_px:.1f} px, "
    lines = {
        "camera": camera.name,
        "picture": f"{width} x {height}",
        "rate": rate,
        "exposure": locked[details.exposure_locked if details else None],
        "white balance": locked[details.white_balance_locked if details else None],
        "brightness": f"mean {quality.mean_level:.0f}, white {quality.white_level:.0f} of 255:"
        f" {quality.brightness().sentence}",
        "sharpness": f"{blur}{quality.sharpness(width).sentence}",
    }
    if args.out is not None:
        save_png(args.out, last.grey)
        lines["saved"] = printable_name(args.out)
    for key, value in lines.items():
        console.print(f"{key:14} {value}")
    return 0
