"""`laserboard camera`: which cameras there are, and whether their pictures are good to read."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command, add_own_board
from controller.cli.console import BadInput, Console, shown
from controller.cli.positions import seconds_number
from controller.ports import Camera, DeviceLost, DeviceRemark, Frame
from controller.wiring import find_cameras, open_camera

START_MS = 20_000.0
NONE = (
    "no camera found: plug in a USB camera, or connect one to the Pi (then"
    " `sudo apt install python3-picamera2`); sim:// needs none"
)


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
        help="how long to test (default 3)",
    )
    camera.add_argument("--out", metavar="FILE.png", help="save the last picture")


def add_camera(parser: argparse.ArgumentParser) -> None:
    """The arguments by which a command is told a camera."""
    parser.add_argument(
        "--camera",
        metavar="URL",
        help="usb://0, pi://, file://game.mp4, folder://pictures or sim://, with options such as"
        " ?width=1920&height=1080&exposure_ms=5 (default: the board's, else the first there is)",
    )
    add_own_board(parser)


def camera_from(args: argparse.Namespace, console: Console) -> Camera:
    """The camera that the arguments name; it reads only while somebody waits."""
    from controller.config import load_board_file, usual_board

    board = args.board or usual_board()
    settings = load_board_file(board).camera
    url = args.camera or settings.url
    if url is None:
        found = [each for each in find_cameras() if not each.trouble]
        if not found:
            raise BadInput(NONE)
        url = found[0].url
    return open_camera(url, console.clock, settings.width, settings.height, board, threaded=False)


def first_frame(camera: Camera, console: Console) -> Frame:
    """The first picture, or the reason why there is none."""
    start = console.clock.now_ms()
    while console.clock.now_ms() - start < START_MS:
        frame = camera.wait(0, START_MS)
        note_events(camera, console, fatal=frame is None)
        if frame is not None:
            return frame
    raise BadInput(f"{camera.name}: no picture in {START_MS / 1000:g} s")


def note_events(camera: Camera, console: Console, fatal: bool = False) -> list[DeviceLost]:
    """Tell what happened, and give back the losses. If a loss is fatal, it is an error."""
    lost = []
    for event in camera.events():
        match event:
            case DeviceRemark():
                console.note(f"{event.device}: {event.sentence}")
            case DeviceLost() if fatal:
                raise BadInput(f"{event.device}: {event.reason}")
            case DeviceLost():
                lost.append(event)
                console.note(f"{event.device}: {event.reason}")
            case _:
                console.note(f"{event.device}: works again")
    return lost


def _camera(args: argparse.Namespace, console: Console) -> int:
    return _list(console) if args.what == "list" else _test(args, console)


def _list(console: Console) -> int:
    found = find_cameras()
    for each in found:
        console.print(f"{each.url:10} {each.name}{each.trouble and f' ({each.trouble})'}")
    if not found:
        console.note(NONE)
    return 0


def _test(args: argparse.Namespace, console: Console) -> int:
    from controller.picture_quality import measure
    from controller.pictures import save_picture

    camera = camera_from(args, console)
    try:
        last = first_frame(camera, console)
        taken_ms: list[float] = []  # without the first, which took its time to come
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
    quality = measure(last.grey)
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
        "brightness": f"mean {quality.mean:.0f}, white {quality.white:.0f} of 255:"
        f" {quality.brightness()}",
        "sharpness": f"{blur}{quality.sharpness(width)}",
    }
    if args.out is not None:
        save_picture(args.out, last.grey)
        lines["saved"] = shown(args.out)
    for key, value in lines.items():
        console.print(f"{key:14} {value}")
    return 0
