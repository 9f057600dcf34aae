"""`laserboard init`: writes a commented board file with the URLs of detected devices."""

from __future__ import annotations

import argparse
from pathlib import Path
from textwrap import fill

from controller.cli.command import Subcommands, add_command
from controller.config.board_names import DEFAULT_BOARD, OWN_BOARD
from controller.devices.factory.cameras import find_cameras
from controller.devices.factory.leds import find_serial_ports
from controller.ui.console import BadInput, Console, printable_name, write_file

CAMERA_TIMEOUT_S, PORT_TIMEOUT_S = 10.0, 20.0
STDOUT = "-"
LIST_WIDTH = 80
FOUND_AT_START = "searched for when a game begins"


def add(commands: Subcommands) -> None:
    init = add_command(
        commands,
        "init",
        _init,
        "write a board file with a comment on every key",
        "  laserboard init\n"
        "  laserboard init ./mine.yaml --board hex-r5\n"
        "  laserboard init --board list",
        "Fills in the URLs of the camera and the LEDs that are plugged in. Asks no questions, and "
        "does not overwrite a file without --force.",
    )
    init.add_argument(
        "file", metavar="FILE", nargs="?", default=OWN_BOARD, help=f"default {OWN_BOARD}"
    )
    init.add_argument(
        "--board",
        metavar="NAME",
        default=DEFAULT_BOARD,
        help=f"the shipped board to start from (default {DEFAULT_BOARD}); `list` lists them",
    )
    init.add_argument(
        "--no-devices",
        action="store_true",
        help="fill in no devices: the program then searches for them when a game begins",
    )
    init.add_argument("--force", action="store_true", help="overwrite an existing file")


def _init(args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_file import read_board
    from controller.config.template import board_file_template

    if args.board == "list":
        return _list(console)
    _check_names(args.file, args.board, args.force)
    if args.no_devices:
        camera = leds = None
        about_camera = about_leds = FOUND_AT_START
    else:
        camera, about_camera = _found_camera()
        leds, about_leds = _found_leds()
    text = board_file_template(args.board, camera, leds)
    file = read_board(text, args.file)
    write_file(args.file, text, console)
    if args.file == STDOUT:
        return 0
    console.print(f"wrote {printable_name(args.file)}, made from {args.board}")
    console.print(f"camera: {about_camera}")
    if file.leds is not None:
        named = file.leds.url
        leds_text = about_leds if named in (None, leds) else f"{named}, as {args.board} has them"
        console.print(f"LEDs: {leds_text}")
    console.print("edit it to match your table, then run:")
    for command in ("doctor", "play"):
        console.print(f"  laserboard {command} --board {printable_name(args.file)}")
    return 0


def _check_names(file: str, board: str, force: bool) -> None:
    from controller.config.board_file import shipped_boards
    from engine.errors import did_you_mean, excerpt

    if board not in shipped_boards():
        raise BadInput(
            f"there is no shipped board {excerpt(board)}{did_you_mean(board, shipped_boards())}"
            " (`laserboard init --board list` tells about them)"
        )
    if file == STDOUT:
        return
    if not file.endswith((".yaml", ".yml")):
        raise BadInput(f"{excerpt(file)}: a board file ends with .yaml, such as ./mine.yaml")
    if not force and Path(file).exists():
        raise BadInput(
            f"{printable_name(file)} is there already: name another file, or add --force"
        )


def _list(console: Console) -> int:
    from controller.config.board_file import SHIPPED_BOARDS_FOLDER, shipped_boards

    for name in shipped_boards():
        remarks = (SHIPPED_BOARDS_FOLDER / f"{name}.yaml").read_text("utf-8").partition("\n\n")[0]
        sentence = remarks.replace("\n#", "").removeprefix("# ").partition(". ")[0].rstrip(".")
        console.print(fill(f"{name:14} {sentence}", LIST_WIDTH, subsequent_indent=" " * 15))
    return 0


def _found_camera() -> tuple[str | None, str]:
    """The URL of a detected camera, if any, and a sentence about it."""
    from controller.builder.doctor.timeout import CheckTimedOut, run_with_timeout

    try:
        found = run_with_timeout(CAMERA_TIMEOUT_S, find_cameras)
    except (CheckTimedOut, OSError) as trouble:
        return None, f"not found ({trouble}); name it under `camera`"
    for each in found:
        if not each.trouble:
            return each.url, f"{each.url} ({each.name})"
    if found:
        return None, f"{found[0].url}: {found[0].trouble}"
    return None, "none found; plug one in and name it under `camera`, or write sim:// there"


def _found_leds() -> tuple[str | None, str]:
    """The URL of detected LEDs, if any, and a sentence about them."""
    from controller.builder.doctor.timeout import CheckTimedOut, run_with_timeout

    try:
        found = run_with_timeout(PORT_TIMEOUT_S, find_serial_ports)
    except (CheckTimedOut, OSError) as trouble:
        return None, f"not found ({trouble}); name them under `leds`"
    for port in found:
        if port.is_laserboard:
            return f"serial://{port.path}", f"serial://{port.path} ({port.reply})"
    return None, "no board answers on USB; plug it in and name it under `leds`, or write sim://"
