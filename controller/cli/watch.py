"""`laserboard watch`: prints the position, changes and moves that a camera sees on a board."""

from __future__ import annotations

import argparse
from itertools import count
from typing import TYPE_CHECKING

from controller.cli.args.position import add_position, position_from, seconds_number
from controller.cli.camera import add_camera, camera_from
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console

if TYPE_CHECKING:
    from controller.builder.calibration.watcher import TableWatcher
    from controller.ports.devices import Camera
    from vision.reader import Reader

FRAME_TIMEOUT_MS = 1000.0
FEWEST_FRAMES = 15


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
    from controller.builder.calibration.watcher import TableWatcher
    from controller.config.board_file import default_board, load_board_file
    from controller.session.board_fit import fit_board
    from engine import games
    from vision.reader import Reader

    file = load_board_file(args.board or default_board())
    position = None
    if args.position is not None or args.setup is not None or args.seed is not None:
        args.game = args.game or fit_board(file.board).game.name
        game, position = position_from(args, console)
        table = fit_board(file.board, game, file.camera.lens, position.grid)
    else:
        chosen = None if args.game is None else games.make(args.game)
        table = fit_board(file.board, chosen, file.camera.lens)
    console.note(f"{table.game.title} on {table.board.name}")
    camera = camera_from(args, console)
    try:
        reader = Reader(table.board, table.pieces_by_tag, table.lens)
        _follow(camera, reader, TableWatcher(table, position), args.seconds, console)
    finally:
        camera.close()
    return 0


def _follow(
    camera: Camera, reader: Reader, watcher: TableWatcher, seconds: float | None, console: Console
) -> None:
    from controller.ui.commands.camera import START_TIMEOUT_MS, first_frame, note_events

    frame = first_frame(camera, console)
    end_ms = None if seconds is None else console.clock.now_ms() + 1000 * seconds
    for seen in count(1):
        for line in watcher.observe(reader.read(frame.grey), frame.at_ms):
            console.print(str(line))
            console.out.flush()
        # A slow computer needs some frames until the board counts as settled.
        if end_ms is not None and console.clock.now_ms() > end_ms and seen >= FEWEST_FRAMES:
            return
        while (newer := camera.wait(frame.number, FRAME_TIMEOUT_MS)) is None:
            if any(lost.is_permanent for lost in note_events(camera, console)):
                return
            if end_ms is not None and console.clock.now_ms() > end_ms + START_TIMEOUT_MS:
                return
        frame = newer
