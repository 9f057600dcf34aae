"""Cameras and the eyes behind them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from controller.camera_address import (
    CameraAddress,
    Film,
    First,
    Folder,
    Pi,
    Simulated,
    Usb,
    described,
    read_address,
)
from controller.ports import (
    Camera,
    CameraFound,
    Clock,
)
from engine import games

if TYPE_CHECKING:
    from controller.devices.camera import Source
    from controller.devices.table import Table
    from controller.loop import Eyes
    from vision.reader import Reader

DEFAULT_BOARD = "demo-10x8"


def open_camera(
    url: str,
    clock: Clock,
    width: int | None = None,
    height: int | None = None,
    board: str | None = None,
    threaded: bool = True,
) -> Camera:
    """The camera that a URL names, already at work.

    What no waiting can mend is an error here; a camera that is not plugged in is an event later.
    A size and a board hold where the URL names none; without a thread, `Camera.wait` reads.
    """
    from controller.devices.camera import LiveCamera

    return LiveCamera(_source(read_address(url, width, height), board), clock, threaded)


def _source(address: CameraAddress, board: str | None = None) -> Source:
    from controller.devices.camera_files import FilmSource, FolderSource
    from controller.devices.camera_first import FirstSource
    from controller.devices.camera_pi import PiSource
    from controller.devices.camera_usb import UsbSource
    from controller.devices.table import TableSource

    match address:
        case Usb():
            return UsbSource(address)
        case Pi():
            return PiSource(address)
        case First(_, width, height):
            return FirstSource(
                described(address),
                find_cameras,
                lambda url: _source(read_address(url, width, height)),
            )
        case Film():
            return FilmSource(address)
        case Folder():
            return FolderSource(address)
        case Simulated():
            table = simulated_table(address, board)
            return TableSource(table, described(address), address.fps, address.seed)
        case _:
            assert_never(address)


def simulated_table(address: Simulated, board: str | None = None) -> Table:
    """A table with the starting position of the game that its board is made for."""
    from controller.config import load_board
    from controller.devices.table import Table, view_of
    from controller.tabletop import fitted
    from vision.scene import Conditions, Prints
    from vision.view import Lens

    named = games.make(address.game) if address.game else None
    top = fitted(load_board(address.place or board or DEFAULT_BOARD), named)
    position = top.game.start(address.setup, None if top.game.setups() else address.seed)
    playing = top.board.playing(position.grid)
    lens = Lens(distortion=(-address.barrel, 0, 0, 0, 0)) if address.barrel else Lens()
    view = view_of(playing, address.width, address.height, address.tilt_degrees, lens)
    conditions = Conditions(address.light, address.noise, grey=address.sensor == "grey")
    prints = None if address.prints is None else Prints.load(Path(address.prints))
    table = Table(playing, top.game, view, conditions.scaled(address.height / 720), prints)
    table.lay_out(position.pieces)
    return table


def camera_over(
    table: Table, clock: Clock, threaded: bool = True, glow: Callable[[], None] = lambda: None
) -> Camera:
    """The camera over a simulated table, through which `glow` lets the LEDs shine."""
    from controller.devices.camera import LiveCamera
    from controller.devices.table import TableSource

    return LiveCamera(TableSource(table, glow=glow), clock, threaded)


def open_eyes(
    camera: Camera,
    reader: Reader,
    told: Callable[[], None] | None,
    described: Callable[[int], str],
) -> Eyes:
    """A camera with the reader behind it: in a thread that tells of news, or when asked.

    `described` puts a tag in words.
    """
    from controller.devices.eyes import Glances, Sight, Watching

    sight = Sight(reader, described)
    return Glances(camera, sight) if told is None else Watching(camera, sight, told)


def no_camera() -> tuple[Camera, Eyes]:
    """For games in which nobody has to look."""
    from controller.devices.blind import NoCamera, NoEyes

    return NoCamera(), NoEyes()


def find_cameras() -> list[CameraFound]:
    """The cameras that this machine has."""
    from controller.devices.camera_list import find_cameras as find

    return find()
