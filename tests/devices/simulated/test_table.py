"""The simulated table: every change is visible in the camera's frames."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import cv2
import numpy as np
import pytest

from controller.config.board_file import load_board
from controller.devices import sentences
from controller.devices.camera.live import LiveCamera
from controller.devices.clock import ManualClock
from controller.devices.factory.cameras import open_camera
from controller.devices.simulated.table import SimulatedTable, TableSource, fit_view
from controller.ports.devices import Frame, Pixels
from controller.ports.events import DeviceBack, DeviceLost
from controller.ports.world import NotOnTable
from engine import games
from tests.support.devices.fake_cameras import HEIGHT, WIDTH, frames_of
from tests.support.engine.sentences import raises
from vision.board import BoardDoesNotFit
from vision.scene import CameraConditions, Hand, Scene, ScenePiece, render
from vision.sentences import NO_ROOM
from vision.tags import CORNERS, dictionary

# --- the simulated table ------------------------------------------------------------------------


class Watched:
    """A table and its camera, with enough pixels to read tags."""

    def __init__(self, width: int = 1280, height: int = 720) -> None:
        board, game = load_board("demo-10x8"), games.make()
        self.game, self.clock = game, ManualClock()
        self.table = SimulatedTable(board, game, fit_view(board, width, height))
        self.camera = LiveCamera(TableSource(self.table), self.clock, threaded=False)
        self._detector = cv2.aruco.ArucoDetector(dictionary(), cv2.aruco.DetectorParameters())

    def frame(self) -> Frame:
        latest = self.camera.latest()
        frame = self.camera.wait(latest.number if latest else 0, 10_000)
        assert frame is not None
        return frame

    def tags(self) -> set[int]:
        """The tags found by OpenCV's detector."""
        _, ids, _ = self._detector.detectMarkers(self.frame().grey)
        return set() if ids is None else {int(n) for n in np.ravel(ids)} - set(CORNERS)


@pytest.fixture(scope="module")
def watched() -> Watched:
    return Watched()


def test_every_tag_on_the_table_can_be_read(watched: Watched) -> None:
    start = watched.game.start()
    watched.table.set_pieces(start.pieces)
    standing = {thing.tag for thing in watched.table.objects.values()}
    assert len(standing) == len(start.pieces) == 26
    assert watched.tags() == standing


def test_pieces_can_be_put_moved_turned_and_taken(watched: Watched) -> None:
    table = watched.table
    grid = table.board.grid
    table.set_pieces({})
    assert watched.tags() == set()
    handle = table.place_piece(5, grid.cell("e4"), 1)
    assert watched.tags() == {5}
    assert table.handle_at(grid.cell("e4")) == handle
    table.move_to(handle, grid.cell("b7"))
    with raises(NotOnTable, sentences.NOTHING_THERE(cell="e4")):
        table.handle_at(grid.cell("e4"))
    table.rotate(handle, 45)
    (thing,) = table.objects.values()
    assert (thing.x_mm, thing.y_mm, thing.angle_degrees) == (60, 60, 135)
    assert watched.tags() == {5}
    assert table.remove(handle) == thing
    assert watched.tags() == set()
    with raises(NotOnTable, sentences.PIECE_GONE(handle=str(handle))):
        table.remove(handle)
    with raises(NotOnTable, sentences.TAG_UNKNOWN(tag=40)):
        table.place_piece(40, 0)


def test_a_tag_can_be_on_the_table_twice(watched: Watched) -> None:
    table = watched.table
    table.set_pieces({})
    piece = watched.game.tags[5]
    handles = {table.place(ScenePiece(5, piece, x, 100)) for x in (60, 260)}
    assert len(handles) == 2
    assert [thing.tag for thing in table.objects.values()] == [5, 5]


def test_a_hand_covers_the_pieces_under_it(watched: Watched) -> None:
    table = watched.table
    table.set_pieces({})
    table.place_piece(5, table.board.grid.cell("e4"))
    assert 5 in watched.tags()
    table.set_hands(Hand(*table.board.centre_mm(table.board.grid.cell("e4")), arm_degrees=180))
    assert 5 not in watched.tags()
    table.set_hands()
    assert 5 in watched.tags()


def test_the_light_can_be_changed(watched: Watched) -> None:
    bright = watched.frame().grey.mean()
    watched.table.set_conditions(CameraConditions(white=0.1))
    assert watched.frame().grey.mean() < 0.6 * bright
    watched.table.set_conditions(CameraConditions(jpeg=30))
    assert watched.frame().grey.mean() == pytest.approx(bright, rel=0.1)
    watched.table.set_conditions(CameraConditions())


def test_an_unchanged_table_is_drawn_once_and_has_noise(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Scene] = []

    def counted(scene: Scene, *rest: Any) -> Pixels:
        drawn.append(scene)
        return render(scene, *rest)

    monkeypatch.setattr("controller.devices.simulated.table.render", counted)
    watched.table.set_pieces({})
    first, second, third = (watched.frame().grey.astype(int) for _ in range(3))
    assert len(drawn) == 1
    differences = (second - first)[100:-100, 100:-100]
    assert 1 < differences.std() < 4, "the noise of two images"
    assert abs(third - second).max() > 0
    watched.table.place_piece(5, 0)
    watched.frame()
    assert len(drawn) == 2


def test_the_simulated_camera_can_be_unplugged_and_can_freeze() -> None:
    watched = Watched(WIDTH, HEIGHT)
    before = watched.frame()
    watched.table.plugged_in = False
    assert watched.camera.wait(before.number, 10_000) is None
    assert isinstance(watched.camera.events()[0], DeviceLost)
    watched.table.plugged_in = True
    assert watched.camera.wait(before.number, 10_000) is not None
    assert isinstance(watched.camera.events()[0], DeviceBack)
    watched.table.frozen = True
    assert watched.camera.wait(10**9, 10_000) is None
    (frozen,) = watched.camera.events()
    assert isinstance(frozen, DeviceLost)
    assert frozen.reason == sentences.NO_GOOD_IMAGE(seconds=3.0)


@pytest.mark.parametrize("url", ["sim://", "sim://photon-10x10?seed=3", "sim://hex-r5"])
def test_a_simulated_table_has_the_pieces_of_a_game_that_fits(url: str) -> None:
    with closing(open_camera(url + "?width=640&height=360" * ("?" not in url), ManualClock(),
                             threaded=False)) as camera:  # fmt: skip
        (frame,) = frames_of(camera, 1)
    assert frame.grey.std() > 10


def test_a_game_that_does_not_fit_the_board_is_refused() -> None:
    misfit = next(name for name in games.GAMES if not games.make(name).setups())
    with raises(BoardDoesNotFit, NO_ROOM):
        open_camera(f"sim://demo-10x8?game={misfit}", ManualClock())
