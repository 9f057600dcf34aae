"""The contract of every camera, and its behaviour after a loss."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.config.addresses.camera import (
    ImageFolderAddress,
    PiCameraAddress,
    UsbCameraAddress,
    VideoFileAddress,
)
from controller.config.board_file import load_board
from controller.devices import sentences
from controller.devices.camera import live
from controller.devices.camera.discovery import find_cameras
from controller.devices.camera.files import ImageFolderSource, VideoFileSource
from controller.devices.camera.live import (
    FROZEN_AFTER_MS,
    OPEN_TIMEOUT_MS,
    FrameSource,
    LiveCamera,
)
from controller.devices.camera.pi import PiSource
from controller.devices.camera.usb import UsbSource
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.factory.cameras import open_camera
from controller.devices.simulated.table import SimulatedTable, TableSource, fit_view
from controller.ports.devices import CameraDetails, Clock, Frame, Pixels
from controller.ports.events import DeviceBack, DeviceLost
from controller.ports.sentences import problem_and_remedy
from engine import games
from engine.sentences import Sentence
from tests.support.devices.fake_cameras import (
    HEIGHT,
    WIDTH,
    Picamera2Driver,
    V4l2Driver,
    Webcam,
    frames_of,
    write_film,
    write_folder,
)

LONG_S = 30.0  # for events that come soon, on a busy machine
IMAGES = 500  # so that a recording does not end on a busy machine


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a video file and a folder of images."""
    folder = tmp_path_factory.mktemp("recorded")
    write_film(folder / "film.mp4", IMAGES)
    write_folder(folder / "pictures", IMAGES)
    return folder


def small_table() -> SimulatedTable:
    board, game = load_board("demo-10x8"), games.make()
    table = SimulatedTable(board, game, fit_view(board, WIDTH, HEIGHT))
    table.set_pieces(game.start().pieces)
    return table


def source_of(kind: str, folder: Path, clock: Clock) -> FrameSource:
    frame_ms = 33 if isinstance(clock, ManualClock) else 1
    match kind:
        case "usb":
            expected = UsbCameraAddress(width=WIDTH, height=HEIGHT, exposure_ms=5)
            return UsbSource(expected, V4l2Driver(clock, frame_ms).open)
        case "pi":
            return PiSource(
                PiCameraAddress(width=WIDTH, height=HEIGHT),
                lambda: Picamera2Driver(clock, frame_ms),
            )
        case "film":
            return VideoFileSource(VideoFileAddress(str(folder / "film.mp4")))
        case "folder":
            return ImageFolderSource(ImageFolderAddress(str(folder / "pictures"), 50))
        case "simulated":
            return TableSource(small_table(), fps=50)
        case _:
            raise AssertionError(kind)


KINDS = ("usb", "pi", "film", "folder", "simulated")
NO_THREAD, THREAD = "no thread", "thread"


@pytest.fixture(params=[(kind, how) for kind in KINDS for how in (NO_THREAD, THREAD)], ids=" ".join)
def camera(
    request: pytest.FixtureRequest, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LiveCamera]:
    kind, how = request.param
    clock: Clock = ManualClock() if how == NO_THREAD else SystemClock()
    if how == THREAD:  # a busy machine must not look like a frozen camera
        monkeypatch.setattr(live, "FROZEN_AFTER_MS", 1000 * LONG_S)
        monkeypatch.setattr(live, "OPEN_TIMEOUT_MS", 1000 * LONG_S)
        monkeypatch.setattr(LiveCamera, "join_s", LONG_S)
    made = LiveCamera(source_of(kind, recorded, clock), clock, threaded=how == THREAD)
    yield made
    made.close()


# --- every camera -------------------------------------------------------------------------------


def test_frames_are_grey_images_of_the_reported_size(camera: LiveCamera) -> None:
    (frame,) = frames_of(camera, 1)
    details = camera.details()
    assert details is not None
    assert frame.grey.shape == (details.height, details.width) == (HEIGHT, WIDTH)
    assert frame.grey.dtype == np.uint8
    assert frame.grey.std() > 10, "not an empty image"
    if frame.bgr is not None:
        assert frame.bgr.shape == (HEIGHT, WIDTH, 3)


def test_numbers_count_up_and_time_does_not_go_back(camera: LiveCamera) -> None:
    frames = frames_of(camera, 5)
    assert frames[0].number >= 1
    for earlier, later in pairwise(frames):
        assert later.number > earlier.number
        assert later.at_ms >= earlier.at_ms


def test_frames_are_read_only(camera: LiveCamera) -> None:
    (frame,) = frames_of(camera, 1)
    for array in (frame.grey, frame.bgr):
        if array is not None:
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 1


def test_the_latest_frame_is_available_without_waiting(camera: LiveCamera) -> None:
    (frame,) = frames_of(camera, 1)
    latest = camera.latest()
    assert latest is not None
    assert latest.number >= frame.number


def test_unfetched_frames_are_dropped(camera: LiveCamera) -> None:
    frame = camera.wait(4, 20_000)
    assert frame is not None
    assert frame.number >= 5
    newest, latest = camera.wait(0, 0), camera.latest()
    assert newest is not None
    assert latest is not None
    assert newest.number >= frame.number, "the newest, not the next"
    assert latest.number >= newest.number


def test_a_working_camera_reports_no_event(camera: LiveCamera) -> None:
    frames_of(camera, 3)
    assert camera.events() == []


def test_a_closed_camera_gives_no_frames_and_closing_twice_is_allowed(camera: LiveCamera) -> None:
    (frame,) = frames_of(camera, 1)
    camera.close()
    camera.close()
    assert camera.wait(frame.number, 60_000) is None
    assert not [thread for thread in threading.enumerate() if thread.name == camera.name]


def test_waiting_for_a_frame_times_out(camera: LiveCamera) -> None:
    frames_of(camera, 1)
    assert camera.wait(10**9, 30) is None


@pytest.mark.parametrize("kind", KINDS)
def test_waiting_ends_at_the_given_timeout(kind: str, recorded: Path) -> None:
    clock = ManualClock()
    with closing(LiveCamera(source_of(kind, recorded, clock), clock, threaded=False)) as camera:
        frames_of(camera, 1)
        before = clock.now_ms()
        assert camera.wait(10**9, 100) is None
        assert 100 <= clock.now_ms() - before < 100 + 34, "and one frame of a real device"


@pytest.mark.parametrize("url", ["usb://0", "pi://"])
def test_a_real_camera_of_this_machine_keeps_the_contract(url: str) -> None:
    found = [each.url for each in find_cameras() if not each.trouble]
    if not any(each.startswith(url[:5]) for each in found):
        pytest.skip(f"this machine has no {url} camera")
    with closing(open_camera(url, SystemClock())) as camera:
        frames = frames_of(camera, 5)
        details = camera.details()
        assert details is not None
        assert frames[-1].grey.shape == (details.height, details.width)


# --- loss and return ----------------------------------------------------------------------------


def test_loss_and_return_of_a_camera_are_one_event_each() -> None:
    webcam = Webcam()
    camera, driver = webcam.camera, webcam.driver
    before = frames_of(camera, 3)[-1]
    driver.plugged_in = False
    assert camera.wait(before.number, 5_000) is None
    (lost,) = camera.events()
    assert isinstance(lost, DeviceLost)
    assert lost.device == "usb://0"
    assert lost.reason == sentences.IMAGES_STOPPED()
    assert not lost.is_permanent
    latest = camera.latest()
    assert latest is before, "the last image is still there"
    driver.plugged_in = True
    after = camera.wait(before.number, 20_000)
    assert after is not None
    assert after.number == before.number + 1, "numbering continues"
    (back,) = camera.events()
    assert back == DeviceBack("usb://0", after.at_ms)
    assert driver.released == len(driver.opened_ms) - 1, "every lost device was closed"


def test_a_failing_close_of_the_driver_is_ignored() -> None:
    webcam = Webcam(release_fails=True)
    (before,) = frames_of(webcam.camera, 1)
    webcam.driver.plugged_in = False
    assert webcam.camera.wait(before.number, 5_000) is None
    webcam.driver.plugged_in = True
    webcam.camera.events()
    assert webcam.camera.wait(before.number, 20_000) is not None
    webcam.camera.close()


def test_a_lost_camera_is_retried_with_backoff() -> None:
    webcam = Webcam(plugged_in=False)
    camera = webcam.camera
    assert camera.wait(0, 60_000) is None, "returns early because of the event"
    (lost,) = camera.events()
    assert isinstance(lost, DeviceLost)
    assert problem_and_remedy(lost.reason) == (
        sentences.NO_SUCH_DEVICE(path="/dev/video0"),
        sentences.PLUG_CAMERA_IN(),
    )
    assert camera.wait(0, 60_000) is None
    gaps = np.diff(webcam.driver.opened_ms)
    assert gaps[:5] == pytest.approx([500, 1000, 2000, 4000, 8000])
    assert max(gaps) == pytest.approx(LiveCamera.longest_retry_ms)
    assert camera.events() == [], "reported once, not at every try"
    webcam.driver.plugged_in = True
    assert camera.wait(0, 20_000) is not None
    assert isinstance(camera.events()[0], DeviceBack)


def test_the_backoff_is_reset_when_a_camera_is_back() -> None:
    webcam = Webcam()
    frames_of(webcam.camera, 1)
    for _ in range(3):
        webcam.driver.plugged_in = False
        webcam.camera.wait(10**9, 1_200)
        webcam.driver.plugged_in = True
        webcam.camera.wait(10**9, 5_000)
    webcam.driver.plugged_in = False
    tries = len(webcam.driver.opened_ms)
    webcam.camera.wait(10**9, 100)
    webcam.camera.wait(10**9, 600)
    assert len(webcam.driver.opened_ms) == tries + 1


def test_waiting_works_without_fetching_events() -> None:
    webcam = Webcam(plugged_in=False)
    assert webcam.camera.wait(0, 1_000) is None
    before = webcam.clock.now_ms()
    assert webcam.camera.wait(0, 1_000) is None
    assert webcam.clock.now_ms() - before >= 1_000


def test_a_hanging_camera_is_reported_as_lost() -> None:
    clock = ManualClock()
    driver = V4l2Driver(clock)
    address = UsbCameraAddress(width=WIDTH, height=HEIGHT, exposure_ms=5)
    with closing(LiveCamera(UsbSource(address, driver.open), clock)) as camera:
        frames_of(camera, 2)
        driver.hold.clear()
        assert driver.hanging.wait(LONG_S)
        last = camera.latest()
        assert last is not None
        assert not [event for event in camera.events() if isinstance(event, DeviceLost)]
        clock.wait_ms(2 * FROZEN_AFTER_MS)
        (lost,) = camera.events()
        assert isinstance(lost, DeviceLost)
        assert lost.reason == sentences.IMAGES_STOPPED()
        driver.hold.set()
        frame = camera.wait(last.number, 10**9)
        assert frame is not None
        assert any(isinstance(event, DeviceBack) for event in camera.events())


class Slow:
    """Opens at once; its first image takes long."""

    name, interval_ms = "slow://", 0.0

    def __init__(self) -> None:
        self.asked, self.ready = threading.Event(), threading.Event()

    def open(self) -> CameraDetails:
        return CameraDetails(WIDTH, HEIGHT, None)

    def read(self) -> Pixels:
        self.asked.set()
        self.ready.wait()
        return np.zeros((HEIGHT, WIDTH), np.uint8)

    def remarks(self) -> list[Sentence]:
        return []

    def close(self) -> None:
        self.ready.set()


def test_the_first_image_may_take_as_long_as_opening() -> None:
    clock, source = ManualClock(), Slow()
    with closing(LiveCamera(source, clock)) as camera:
        camera.events()
        assert source.asked.wait(LONG_S)
        clock.wait_ms(2 * FROZEN_AFTER_MS)
        assert camera.events() == []
        clock.wait_ms(OPEN_TIMEOUT_MS)
        (lost,) = camera.events()
        assert isinstance(lost, DeviceLost)
        source.ready.set()
        assert camera.wait(0, 10**9) is not None


def test_a_hanging_camera_does_not_prevent_exit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LiveCamera, "join_s", 0.01)
    driver = V4l2Driver(ManualClock())
    driver.hold.clear()
    camera = LiveCamera(UsbSource(UsbCameraAddress(), driver.open), SystemClock())
    assert driver.hanging.wait(LONG_S)
    camera.close()
    thread = next(each for each in threading.enumerate() if each.name == "usb://0")
    assert thread.daemon
    driver.hold.set()
    thread.join(LONG_S)
    assert driver.released >= 1, "the device is closed by the thread that opened it"


def test_closing_wakes_waiting_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveCamera, "join_s", 0.01)
    driver = V4l2Driver(ManualClock())
    driver.hold.clear()
    camera = LiveCamera(UsbSource(UsbCameraAddress(), driver.open), SystemClock())
    assert driver.hanging.wait(LONG_S)
    answers: list[Frame | None] = []
    hour_ms = 3_600_000
    waiting = threading.Thread(target=lambda: answers.append(camera.wait(0, hour_ms)), daemon=True)
    waiting.start()
    camera.close()
    waiting.join(LONG_S)
    driver.hold.set()
    assert answers == [None]


def test_an_unexpected_driver_error_is_a_loss_with_a_traceback_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = ManualClock()
    driver = V4l2Driver(clock)

    def torn(number: int) -> bool:
        if number == 10:
            raise cv2.error("bad news")
        return False

    driver.torn = torn
    camera = LiveCamera(
        UsbSource(UsbCameraAddress(exposure_ms=5), driver.open), clock, threaded=False
    )
    assert camera.wait(10**9, 10_000) is None
    lost = camera.events()[0]
    assert isinstance(lost, DeviceLost)
    assert lost.reason == sentences.DEFECT(error="error", message="bad news")
    assert [each.message for each in caplog.records if each.exc_info] == [
        "usb://0: the driver failed"
    ]
    assert camera.wait(0, 10_000) is not None
