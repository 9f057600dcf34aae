"""`laserboard init`: writes a commented board file with the URLs of detected devices."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.config.board_names import DEFAULT_BOARD, OWN_BOARD
from controller.ui.console import Console


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
    from controller.ui.commands.init import list_shipped_boards, write_board_file

    if args.board == "list":
        return list_shipped_boards(console)
    return write_board_file(
        args.file,
        args.board,
        console,
        search_devices=not args.no_devices,
        overwrite=args.force,
    )
