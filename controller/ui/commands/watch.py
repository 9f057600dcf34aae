"""Prints the position, changes and moves that a camera sees on a board."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any

from controller.builder.calibration.watcher import TableWatcher
from controller.config.board_file import load_board_file
from controller.ports.devices import Camera
from controller.session.board_fit import FittedBoard, fit_board
from controller.ui.commands.camera import (
    START_TIMEOUT_MS,
    first_frame,
    note_events,
    open_board_camera,
)
from controller.ui.console import Console
from controller.ui.position_options import PositionOptions
from controller.ui.sentences import GAME_ON_BOARD
from engine import games
from vision.reader import Reader

FRAME_TIMEOUT_MS = 1000.0
MIN_FRAMES = 15


@dataclass(frozen=True)
class WatchOptions:
    """Options of `laserboard watch`: board, camera, first position, duration."""

    board: str
    position: PositionOptions  # without a position: the setup that the camera sees
    camera: str | None = None  # None: the board file's, else the first found
    seconds: float | None = None  # None: until Ctrl-C


def watch_board(options: WatchOptions, console: Console) -> int:
    """Print the lines of a `TableWatcher` for the images of a camera."""
    table, position = _fit_board(options, console)
    console.note(GAME_ON_BOARD(game=table.game.title, board=table.board.name))
    camera = open_board_camera(options.board, options.camera, console)
    try:
        reader = Reader(table.board, table.pieces_by_tag, table.lens)
        watcher = TableWatcher(table, position)
        _follow(camera, reader, watcher, options.seconds, console)
    finally:
        camera.close()
    return 0


def _fit_board(options: WatchOptions, console: Console) -> tuple[FittedBoard, Any]:
    """The board with its game, and the first position; None: the camera shows it."""
    file, choice = load_board_file(options.board), options.position
    if not choice.names_position:
        game = None if choice.game is None else games.make(choice.game)
        return fit_board(file.board, game, file.camera.lens), None
    choice = choice.with_default_game(fit_board(file.board).game.name)
    game, position = choice.make_position(console)
    return fit_board(file.board, game, file.camera.lens, position.grid), position


def _follow(
    camera: Camera, reader: Reader, watcher: TableWatcher, seconds: float | None, console: Console
) -> None:
    frame = first_frame(camera, console)
    end_ms = None if seconds is None else console.clock.now_ms() + 1000 * seconds
    for seen in count(1):
        for line in watcher.observe(reader.read(frame.grey), frame.at_ms):
            console.print(line)
            console.out.flush()
        # A slow computer needs some frames until the board counts as settled.
        if end_ms is not None and console.clock.now_ms() > end_ms and seen >= MIN_FRAMES:
            return
        while (newer := camera.wait(frame.number, FRAME_TIMEOUT_MS)) is None:
            if any(lost.is_permanent for lost in note_events(camera, console)):
                return
            if end_ms is not None and console.clock.now_ms() > end_ms + START_TIMEOUT_MS:
                return
        frame = newer
