"""Opens cameras and board readers, and lists the cameras of this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from controller.config.addresses.camera import (
    AutoCameraAddress,
    CameraAddress,
    ImageFolderAddress,
    PiCameraAddress,
    SimulatedCameraAddress,
    UsbCameraAddress,
    VideoFileAddress,
    camera_name,
    parse_camera_url,
)
from controller.config.board_names import DEFAULT_BOARD
from controller.ports.devices import Camera, Clock, DetectedCamera
from engine import games
from engine.sentences import Sentence

if TYPE_CHECKING:
    from controller.devices.camera.live import FrameSource
    from controller.devices.simulated.table import SimulatedTable
    from controller.ports.frames import BoardReader
    from vision.reader import Reader


def open_camera(
    url: str,
    clock: Clock,
    width: int | None = None,
    height: int | None = None,
    board: str | None = None,
    threaded: bool = True,
) -> Camera:
    """Open the camera of a URL, such as `usb://0`, `pi://`, `auto://`, `file://game.mp4` or `sim://`.

    Does not wait: the camera starts in its thread, and one that is not plugged in is reported as a
    `DeviceLost` event. A bad URL raises `BadCamera`. `width`, `height` and `board` are defaults
    for a URL without them. With `threaded=False`, `Camera.wait` reads the frames.
    """
    from controller.devices.camera.live import LiveCamera

    return LiveCamera(_make_source(parse_camera_url(url, width, height), board), clock, threaded)


def _make_source(address: CameraAddress, board: str | None = None) -> FrameSource:
    from controller.devices.camera.auto import AutoSource
    from controller.devices.camera.files import ImageFolderSource, VideoFileSource
    from controller.devices.camera.pi import PiSource
    from controller.devices.camera.usb import UsbSource

    match address:
        case UsbCameraAddress():
            return UsbSource(address)
        case PiCameraAddress():
            return PiSource(address)
        case AutoCameraAddress(_, width, height):
            return AutoSource(
                camera_name(address),
                find_cameras,
                lambda url: _make_source(parse_camera_url(url, width, height)),
            )
        case VideoFileAddress():
            return VideoFileSource(address)
        case ImageFolderAddress():
            return ImageFolderSource(address)
        case SimulatedCameraAddress():
            from controller.devices.simulated.table import TableSource  # loads the renderer

            table = simulated_table(address, board)
            return TableSource(table, camera_name(address), address.fps, address.seed)
        case _:
            assert_never(address)


def simulated_table(address: SimulatedCameraAddress, board: str | None = None) -> SimulatedTable:
    """A simulated table with the starting position of the game of its board file."""
    from controller.config.board_file import load_board
    from controller.devices.simulated.table import SimulatedTable, fit_view
    from controller.session.board_fit import fit_board
    from vision.camera_model import Lens
    from vision.scene import CameraConditions, PrintedSet

    named = games.make(address.game) if address.game else None
    top = fit_board(load_board(address.place or board or DEFAULT_BOARD), named)
    position = top.game.start(address.setup, None if top.game.setups() else address.seed)
    playing = top.board.with_grid(position.grid)
    lens = Lens(distortion=(-address.barrel, 0, 0, 0, 0)) if address.barrel else Lens()
    view = fit_view(playing, address.width, address.height, address.tilt_degrees, lens)
    conditions = CameraConditions(address.light, address.noise, grey=address.sensor == "grey")
    prints = None if address.prints is None else PrintedSet.load(Path(address.prints))
    table = SimulatedTable(playing, top.game, view, conditions.scaled(address.height / 720), prints)
    table.set_pieces(position.pieces)
    return table


def open_table_camera(
    table: SimulatedTable,
    clock: Clock,
    threaded: bool = True,
    before_frame: Callable[[], None] = lambda: None,
) -> Camera:
    """A camera over a simulated table; it calls `before_frame` before each frame."""
    from controller.devices.camera.live import LiveCamera
    from controller.devices.simulated.table import TableSource

    return LiveCamera(TableSource(table, before_frame=before_frame), clock, threaded)


def open_board_reader(
    camera: Camera,
    reader: Reader,
    on_event: Callable[[], None] | None,
    describe_tag: Callable[[int], Sentence],
) -> BoardReader:
    """Read the frames of a camera in a thread that calls `on_event`; without it, when polled.

    `describe_tag` gives the words for a tag number.
    """
    from controller.devices.camera.board_reader import FrameReader, PolledReader, ThreadedReader

    frame_reader = FrameReader(reader, describe_tag)
    if on_event is None:
        return PolledReader(camera, frame_reader)
    return ThreadedReader(camera, frame_reader, on_event)


def open_null_camera() -> tuple[Camera, BoardReader]:
    """No camera and no reader: for games without a physical board."""
    from controller.devices.null import NullBoardReader, NullCamera

    return NullCamera(), NullBoardReader()


def find_cameras() -> list[DetectedCamera]:
    """The cameras of this machine, each with its URL or the reason why it is unusable."""
    from controller.devices.camera.discovery import find_cameras as find

    return find()
