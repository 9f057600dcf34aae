"""Each kind of camera: negotiating modes, locking exposure, playing and ending."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.config.addresses.camera import BadCamera, PiCameraAddress, UsbCameraAddress
from controller.devices import sentences
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.pi import PiSource
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.factory.cameras import open_camera
from controller.ports.devices import Camera, Frame
from controller.ports.events import DeviceLost, DeviceRemark
from controller.ports.sentences import REMEDY_AFTER_COLON, problem_and_remedy
from controller.storage.image_files import save_png
from tests.support.devices.fake_cameras import (
    HEIGHT,
    WIDTH,
    YUYV,
    Picamera2Driver,
    Webcam,
    frames_of,
    scenery,
    write_film,
    write_folder,
)
from tests.support.engine.sentences import mentions, raises

# --- what the webcam accepts --------------------------------------------------------------------


def test_mjpg_size_and_exposure_are_requested_and_confirmed() -> None:
    address = UsbCameraAddress(
        width=640, height=480, fps=15, exposure_ms=12.5, gain=4, white_balance_k=5000
    )
    webcam = Webcam(address)
    frames_of(webcam.camera, 1)
    details = webcam.camera.details()
    assert details is not None
    assert (details.width, details.height, details.fps) == (640, 480, 15)
    assert (details.exposure_locked, details.white_balance_locked) == (True, True)
    assert details.remarks == ()
    asked = dict(webcam.driver.asked)
    assert asked[cv2.CAP_PROP_EXPOSURE] == 125, "V4L2 counts in 100 us"
    assert (asked[cv2.CAP_PROP_GAIN], asked[cv2.CAP_PROP_WB_TEMPERATURE]) == (4, 5000)
    order = [setting for setting, _ in webcam.driver.asked]
    assert order.index(cv2.CAP_PROP_FOURCC) < order.index(cv2.CAP_PROP_FRAME_WIDTH)


def test_without_an_exposure_the_automatic_one_is_locked() -> None:
    webcam = Webcam(UsbCameraAddress(width=WIDTH, height=HEIGHT), auto_exposure_value=333)
    frames_of(webcam.camera, 1)
    assert (cv2.CAP_PROP_EXPOSURE, 333) in webcam.driver.asked
    assert webcam.driver.frames > 10, "frames were read until the exposure settled"
    details = webcam.camera.details()
    assert details is not None
    assert details.exposure_locked


def test_a_driver_may_apply_a_setting_after_some_frames() -> None:
    webcam = Webcam(settings_lag=3)
    frames_of(webcam.camera, 1)
    details = webcam.camera.details()
    assert details is not None
    assert details.exposure_locked
    assert not [remark for remark in details.remarks if mentions(remark, sentences.OTHER_EXPOSURE)]


def test_a_driver_that_confirms_and_ignores_a_setting_is_reported() -> None:
    webcam = Webcam(manual_exposure=False, white_balance=False)
    assert webcam.camera.wait(0, 10_000) is None, "remarks are pending"
    details = webcam.camera.details()
    assert details is not None
    assert (details.exposure_locked, details.white_balance_locked) == (False, False)
    assert details.remarks == (
        sentences.EXPOSURE_NOT_LOCKED(),
        sentences.WHITE_BALANCE_NOT_LOCKED(),
    )
    reported = [event for event in webcam.camera.events() if isinstance(event, DeviceRemark)]
    assert len(reported) == len(details.remarks), "and reported as remarks"


def test_a_camera_without_colours_has_no_white_balance_to_lock() -> None:
    webcam = Webcam(colours=False)
    frames_of(webcam.camera, 1)
    details = webcam.camera.details()
    assert details is not None
    assert (details.white_balance_locked, details.remarks) == (None, ())


def test_a_size_or_rate_other_than_requested_is_reported() -> None:
    webcam = Webcam(size=(640, 480), fps=5.0)
    (frame,) = frames_of(webcam.camera, 1)
    assert frame.grey.shape == (480, 640)
    assert webcam.remarks() == (
        sentences.OTHER_RATE(asked=30, given=5.0),
        sentences.OTHER_SIZE(width=WIDTH, height=HEIGHT, given_width=640, given_height=480),
    )


def test_a_camera_without_mjpg_is_used_and_reported() -> None:
    webcam = Webcam(fourcc=YUYV)
    (frame,) = frames_of(webcam.camera, 1)
    assert frame.grey.shape == (HEIGHT, WIDTH)
    assert np.array_equal(frame.grey, scenery(WIDTH, HEIGHT, webcam.driver.frames))
    assert sentences.CAMERA_SENDS(format="YUYV") in webcam.remarks()


def test_autofocus_is_switched_off_where_there_is_one() -> None:
    webcam = Webcam(has_autofocus=True)
    frames_of(webcam.camera, 1)
    assert (cv2.CAP_PROP_AUTOFOCUS, 0) in webcam.driver.asked
    webcam = Webcam()
    frames_of(webcam.camera, 1)
    assert (cv2.CAP_PROP_AUTOFOCUS, 0) not in webcam.driver.asked


def test_a_torn_frame_is_skipped() -> None:
    webcam = Webcam(torn=lambda number: number % 2 == 0)
    for frame in frames_of(webcam.camera, 10):
        # OpenCV 4 leaves the lower part undefined; all rows of the scenery are equal.
        rows = frame.grey.astype(int)
        assert np.abs(rows - rows[0]).max() < 20
    assert webcam.camera.events() == []


def test_only_torn_frames_count_as_a_lost_camera() -> None:
    webcam = Webcam()
    last = frames_of(webcam.camera, 1)[-1]
    webcam.driver.torn = lambda _: True
    assert webcam.camera.wait(last.number, 60_000) is None
    (lost,) = webcam.camera.events()
    assert isinstance(lost, DeviceLost)
    assert lost.reason == sentences.NO_GOOD_IMAGE(seconds=3.0)


# --- the Pi's own camera ------------------------------------------------------------------------


def test_the_settled_exposure_of_the_pi_camera_is_locked() -> None:
    clock = ManualClock()
    driver = Picamera2Driver(clock)
    source = PiSource(PiCameraAddress(width=WIDTH, height=HEIGHT, fps=25), lambda: driver)
    with closing(LiveCamera(source, clock, threaded=False)) as camera:
        (frame,) = frames_of(camera, 1)
        details = camera.details()
    assert driver.controls["AeEnable"] is driver.controls["AwbEnable"] is False
    assert driver.controls["ExposureTime"] == 12_345 - 20
    assert driver.controls["FrameDurationLimits"] == (40_000, 40_000)
    assert details is not None
    assert details.exposure_locked
    assert np.array_equal(frame.grey, scenery(WIDTH, HEIGHT, driver.frames)), "Y without padding"
    assert driver.log[-2:] == ["stop", "close"]


def test_the_pi_camera_gets_the_exposure_and_gain_of_its_url() -> None:
    clock = ManualClock()
    driver = Picamera2Driver(clock)
    address = PiCameraAddress(exposure_ms=4.5, gain=3)
    with closing(LiveCamera(PiSource(address, lambda: driver), clock, threaded=False)) as camera:
        frames_of(camera, 1)
    assert (driver.controls["ExposureTime"], driver.controls["AnalogueGain"]) == (4500, 3)


def test_a_pi_camera_that_ignores_its_settings_is_reported() -> None:
    clock = ManualClock()
    driver = Picamera2Driver(clock)
    driver.obeys = False
    source = PiSource(PiCameraAddress(exposure_ms=4.5), lambda: driver)
    with closing(LiveCamera(source, clock, threaded=False)) as camera:
        frames_of(camera, 1)
        details = camera.details()
    assert details is not None
    assert details.exposure_locked is False
    assert sentences.OTHER_EXPOSURE(asked=4.5, taken=12.325) in details.remarks


def test_a_loose_ribbon_cable_is_a_loss() -> None:
    clock = ManualClock()
    driver = Picamera2Driver(clock)
    camera = LiveCamera(PiSource(PiCameraAddress(), lambda: driver), clock, threaded=False)
    (frame,) = frames_of(camera, 1)
    driver.alive = False
    assert camera.wait(frame.number, 30_000) is None
    (lost,) = camera.events()
    assert isinstance(lost, DeviceLost)
    assert mentions(lost.reason, sentences.CHECK_RIBBON)
    driver.alive = True
    assert camera.wait(frame.number, 30_000) is not None


def test_a_pi_without_a_camera_is_reported_with_a_remedy() -> None:
    clock = ManualClock()
    driver = Picamera2Driver(clock, cameras=0)
    camera = LiveCamera(PiSource(PiCameraAddress(), lambda: driver), clock, threaded=False)
    assert camera.wait(0, 10_000) is None
    (lost,) = camera.events()
    assert isinstance(lost, DeviceLost)
    assert problem_and_remedy(lost.reason) == (
        sentences.PI_SEES_NONE(),
        sentences.CHECK_PI_CAMERA(),
    )


def test_a_missing_picamera2_is_reported_with_a_remedy() -> None:
    try:
        import picamera2  # type: ignore[import-not-found,unused-ignore] # noqa: F401
    except ImportError:
        missing, remedy = sentences.NO_PICAMERA2(), sentences.INSTALL_PICAMERA2()
        with raises(BadCamera, REMEDY_AFTER_COLON(problem=missing, remedy=remedy)):
            open_camera("pi://", ManualClock())
    else:
        pytest.skip("picamera2 is installed here")


# --- films and folders --------------------------------------------------------------------------


def all_of(camera: Camera) -> tuple[list[Frame], list[object]]:
    """All frames until the end."""
    frames: list[Frame] = []
    events: list[object] = []
    while not any(isinstance(event, DeviceLost) for event in events):
        frame = camera.wait(frames[-1].number if frames else 0, 60_000)
        frames += [frame] if frame else []
        events += camera.events()
    return frames, events


def test_the_end_of_a_video_is_a_loss_with_a_sentence(tmp_path: Path) -> None:
    film, clock = write_film(tmp_path / "100%_d.mp4", 7, fps=20), ManualClock()
    camera = open_camera(f"file://{film}", clock, threaded=False)
    frames, events = all_of(camera)
    assert [frame.number for frame in frames] == [1, 2, 3, 4, 5, 6, 7]
    (end,) = events
    assert isinstance(end, DeviceLost)
    ended = sentences.VIDEO_ENDED(file="'100%_d.mp4'", count=7)
    assert (end.reason, end.is_permanent) == (ended, True)
    assert np.diff([frame.at_ms for frame in frames]) == pytest.approx([50] * 6), "its own pace"
    assert camera.latest() is frames[-1]
    before = clock.now_ms()
    assert camera.wait(7, 5_000) is None
    assert (camera.events(), clock.now_ms() - before) == ([], 5_000), "it does not begin again"


def test_the_frames_of_a_video_are_its_images(tmp_path: Path) -> None:
    camera = open_camera(
        f"file://{write_film(tmp_path / 'a.mp4', 5)}", ManualClock(), threaded=False
    )
    for number, frame in enumerate(all_of(camera)[0]):
        expected = scenery(WIDTH, HEIGHT, number).astype(int)
        assert np.abs(frame.grey.astype(int) - expected).mean() < 6


def test_a_video_can_be_played_at_another_rate(tmp_path: Path) -> None:
    film = write_film(tmp_path / "a.mp4", 4)
    camera = open_camera(f"file://{film}?fps=4", ManualClock(), threaded=False)
    frames, _ = all_of(camera)
    assert np.diff([frame.at_ms for frame in frames]) == pytest.approx([250] * 3)


def test_a_file_that_is_no_video_is_reported(tmp_path: Path) -> None:
    (tmp_path / "notes.mp4").write_text("no film")
    camera = open_camera(f"file://{tmp_path}/notes.mp4", ManualClock(), threaded=False)
    _, (end,) = all_of(camera)
    assert isinstance(end, DeviceLost)
    no_film = sentences.NOT_A_VIDEO(file="'notes.mp4'")
    assert (end.reason, end.is_permanent) == (no_film, True)
    with raises(BadCamera, sentences.NO_SUCH_FILE()):
        open_camera(f"file://{tmp_path}/none.mp4", ManualClock())
    with raises(BadCamera, sentences.IS_A_FOLDER()):
        open_camera(f"file://{tmp_path}", ManualClock())


def test_the_images_of_a_folder_are_shown_in_the_order_of_their_names(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "a folder")
    (folder / "notes.txt").write_text("not a picture")
    save_png(folder / "²³.png", scenery(WIDTH, HEIGHT, 12))
    camera = open_camera(f"folder://{folder}?fps=4", ManualClock(), threaded=False)
    frames, (end,) = all_of(camera)
    for number, frame in enumerate(frames):  # 10.png sorts after 9.png
        assert np.array_equal(frame.grey, scenery(WIDTH, HEIGHT, number))
    assert np.diff([frame.at_ms for frame in frames]) == pytest.approx([250] * 12)
    assert isinstance(end, DeviceLost)
    assert (end.reason, end.is_permanent) == (sentences.IMAGES_ENDED(count=13), True)


def test_a_slow_folder_does_not_block_wait(tmp_path: Path) -> None:
    clock = ManualClock()
    url = f"folder://{write_folder(tmp_path / 'images')}?fps=0.1"
    camera = open_camera(url, clock, threaded=False)
    frames_of(camera, 1)
    before = clock.now_ms()
    assert camera.wait(1, 200) is None
    assert clock.now_ms() - before == 200


def test_a_slow_folder_is_closed_at_once(tmp_path: Path) -> None:
    camera = open_camera(f"folder://{write_folder(tmp_path / 'images')}?fps=0.01", SystemClock())
    frames_of(camera, 1)
    camera.close()
    assert not [thread for thread in threading.enumerate() if thread.name == camera.name]


def test_a_broken_image_is_named_and_skipped(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "pictures", 4)
    (folder / "0.png").write_bytes(b"")
    whole = (folder / "2.png").read_bytes()
    (folder / "2.png").write_bytes(whole[: len(whole) // 2])
    camera = open_camera(f"folder://{folder}", ManualClock(), threaded=False)
    frames, events = all_of(camera)
    assert len(frames) == 2
    assert np.array_equal(frames[1].grey, scenery(WIDTH, HEIGHT, 3))
    said = [str(event.sentence) for event in events if isinstance(event, DeviceRemark)]
    assert len(said) == 2
    assert "0.png" in said[0]
    assert "the file is empty" in said[0]
    assert "2.png" in said[1]
    assert "cut off" in said[1]


def test_a_folder_with_only_broken_images_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("no picture")
    camera = open_camera(f"folder://{tmp_path}", ManualClock(), threaded=False)
    _, events = all_of(camera)
    lost = [event for event in events if isinstance(event, DeviceLost)]
    assert lost[0].reason == sentences.NO_IMAGE_LEFT()


def test_a_folder_without_images_is_refused_at_once(tmp_path: Path) -> None:
    with raises(BadCamera, sentences.NO_IMAGES(suffixes=(".jpg", ".jpeg", ".png"))):
        open_camera(f"folder://{tmp_path}", ManualClock())
    with raises(BadCamera, sentences.NO_SUCH_FOLDER()):
        open_camera(f"folder://{tmp_path}/none", ManualClock())
    (tmp_path / "file").touch()
    with raises(BadCamera, sentences.IS_A_FILE()):
        open_camera(f"folder://{tmp_path}/file", ManualClock())
