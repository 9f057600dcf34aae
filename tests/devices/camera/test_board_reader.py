"""Reading frames into observations in a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from controller.devices import sentences
from controller.devices.camera.board_reader import FrameReader, ThreadedReader
from controller.devices.worker import defect_sentence
from controller.ports.devices import CameraDetails, Frame
from controller.ports.events import DeviceBack, DeviceEvent, DeviceLost
from controller.ports.frames import Observed
from engine.grid import SquareGrid
from vision.observation import Evidence, Observation

TIMEOUT_S = 20.0
NOTHING = np.zeros(0, np.float32)
SEEN = Observation(SquareGrid(1, 1), (), Evidence((), NOTHING, NOTHING), locked=False)


class Album:
    """A camera that gives the frames added by the test."""

    name = "album://"

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._events: list[DeviceEvent] = []

    def lay_in(self, number: int, *events: DeviceEvent) -> None:
        with self._changed:
            self._frame = Frame(np.zeros((2, 2), np.uint8), float(number), number)
            self._events += events
            self._changed.notify_all()

    def latest(self) -> Frame | None:
        return self._frame

    def wait(self, after: int, timeout_ms: float) -> Frame | None:
        def there() -> bool:
            return self._frame is not None and self._frame.number > after

        with self._changed:
            return self._frame if self._changed.wait_for(there, timeout_ms / 1000) else None

    def events(self) -> list[DeviceEvent]:
        with self._changed:
            events, self._events = self._events, []
            return events

    def details(self) -> CameraDetails | None:
        return None

    def close(self) -> None:
        """Does nothing."""


class Weary(FrameReader):
    """A reader that fails on frames with some numbers."""

    def __init__(self, *unreadable: int) -> None:
        self._unreadable, self._last_frame = unreadable, None

    def read(self, frame: Frame) -> Observed:
        if frame.number in self._unreadable:
            raise ZeroDivisionError("a defect")
        return Observed(SEEN, frame.at_ms)


class Watched:
    """A camera, its threaded reader, and the events of each frame."""

    def __init__(self, frame_reader: FrameReader, album: Album | None = None) -> None:
        self.album, self._arrived = album or Album(), threading.Semaphore(0)
        self.reader = ThreadedReader(self.album, frame_reader, self._arrived.release)

    def see(self, number: int, *events: DeviceEvent) -> list[Observed | DeviceEvent]:
        self.album.lay_in(number, *events)
        return self.next_events()

    def next_events(self) -> list[Observed | DeviceEvent]:
        assert self._arrived.acquire(timeout=TIMEOUT_S), "timed out: no event"
        return self.reader.read_events()


@pytest.fixture
def watched() -> Iterator[Watched]:
    watched = Watched(Weary(2, 3, 5))
    yield watched
    watched.reader.close()


def test_images_that_cannot_be_read_are_reported_once_like_a_lost_camera(
    watched: Watched,
) -> None:
    assert watched.see(1) == [Observed(SEEN, 1)]
    (lost,) = watched.see(2)
    assert isinstance(lost, DeviceLost)
    assert lost.reason == sentences.IMAGES_UNREADABLE(error="ZeroDivisionError", message="a defect")
    watched.album.lay_in(3)
    assert watched.see(4) == [DeviceBack("album://", 4), Observed(SEEN, 4)]


def test_after_a_camera_event_a_failure_is_reported_again(watched: Watched) -> None:
    watched.see(2)
    back = DeviceBack("album://", 5)
    assert [type(each) for each in watched.see(5, back)] == [DeviceBack, DeviceLost]


def test_a_thread_that_died_is_reported_as_a_lost_camera() -> None:
    class Defective(Album):
        def wait(self, after: int, timeout_ms: float) -> Frame | None:
            raise ZeroDivisionError(f"a defect after {after}")

    watched = Watched(Weary(), Defective())
    (lost,) = watched.next_events()
    assert isinstance(lost, DeviceLost)
    assert lost.is_permanent
    assert lost.reason == defect_sentence(ZeroDivisionError("a defect after 0"))
    watched.reader.close()
