"""`laserboard watch`: what a camera sees, live: position, changes, moves."""

from __future__ import annotations

import argparse
from itertools import count
from typing import TYPE_CHECKING

from controller.cli.camera import START_MS, add_camera, camera_from, first_frame, note_events
from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console
from controller.cli.positions import add_position, position_from, seconds_number
from controller.ports import Camera

if TYPE_CHECKING:
    from controller.watching import Watcher
    from vision.reader import Reader

WAIT_MS = 1000.0
FEWEST_FRAMES = 15


def add(commands: Subcommands) -> None:
    watch = add_command(
        commands,
        "watch",
        _watch,
        "watch a board: what stands on it, what changes, which move it was",
        "  laserboard watch --camera usb://0\n"
        "  laserboard watch --camera file://game.mp4 --setup ace\n"
        "  laserboard watch --camera sim:// --seconds 5",
        "Moves are followed from the position given, or from the setup that stands on the board. "
        "A move counts when the board has come to rest. Ctrl-C ends it.",
    )
    add_camera(watch)
    add_position(watch)
    watch.set_defaults(game=None)
    watch.add_argument(
        "--seconds", metavar="S", type=seconds_number, help="how long (default: until Ctrl-C)"
    )


def _watch(args: argparse.Namespace, console: Console) -> int:
    from controller.config import load_board_file, usual_board
    from controller.tabletop import fitted
    from controller.watching import Watcher
    from engine import games
    from vision.reader import Reader

    file = load_board_file(args.board or usual_board())
    position = None
    if args.position is not None or args.setup is not None or args.seed is not None:
        args.game = args.game or fitted(file.board).game.name
        game, position = position_from(args, console)
        table = fitted(file.board, game, file.camera.lens, position.grid)
    else:
        chosen = None if args.game is None else games.make(args.game)
        table = fitted(file.board, chosen, file.camera.lens)
    console.note(f"{table.game.title} on {table.board.name}")
    camera = camera_from(args, console)
    try:
        reader = Reader(table.board, table.meanings, table.lens)
        _follow(camera, reader, Watcher(table, position), args.seconds, console)
    finally:
        camera.close()
    return 0


def _follow(
    camera: Camera, reader: Reader, watcher: Watcher, seconds: float | None, console: Console
) -> None:
    frame = first_frame(camera, console)
    end_ms = None if seconds is None else console.clock.now_ms() + 1000 * seconds
    for seen in count(1):
        for line in watcher.see(reader.read(frame.grey), frame.at_ms):
            console.print(line)
            console.out.flush()
        # A slow computer gets its chance to see a board at rest.
        if end_ms is not None and console.clock.now_ms() > end_ms and seen >= FEWEST_FRAMES:
            return
        while (newer := camera.wait(frame.number, WAIT_MS)) is None:
            if any(lost.for_good for lost in note_events(camera, console)):
                return
            if end_ms is not None and console.clock.now_ms() > end_ms + START_MS:
                return
        frame = newer
