"""Fake drivers: a V4L2 capture and a picamera2 that drop frames, refuse settings and vanish."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.config.addresses.camera import UsbCameraAddress
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.usb import UsbSource
from controller.devices.clock import ManualClock
from controller.ports.devices import Camera, Clock, Frame
from controller.ports.events import DeviceLost
from controller.storage.image_files import save_png
from engine.sentences import Sentence

WIDTH, HEIGHT = 320, 240
FILM_FRAMES, FOLDER_IMAGES = 40, 12
MJPG, YUYV = (cv2.VideoWriter.fourcc(*name) for name in ("MJPG", "YUYV"))

PADDING = 64  # bytes at the end of every row
# Modes change at once or not at all; these settings may lag.
CONTROLS = {cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_WB}


def scenery(width: int, height: int, number: int = 0) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A grey ramp with a bright bar at the position of the frame number."""
    image = np.tile(np.linspace(20, 160, width, dtype=np.uint8), (height, 1))
    left = 10 * number % (width - 20)
    image[:, left : left + 20] = 230
    return image


@dataclass
class V4l2Driver:
    """A webcam and its driver, for several captures opened in turn."""

    clock: Clock
    frame_ms: float = 33.0
    size: tuple[int, int] | None = None  # None: as requested
    fourcc: int = MJPG
    fps: float | None = None
    manual_exposure: bool = True  # whether it supports manual exposure
    white_balance: bool = True
    colours: bool = True
    settings_lag: int = 0  # frames until a setting can be read back
    auto_exposure_value: float = 250.0  # automatic exposure
    has_autofocus: bool = False
    plugged_in: bool = True
    torn: Callable[[int], bool] = lambda _: False
    hold: threading.Event = field(default_factory=threading.Event)  # cleared: reads hang
    hanging: threading.Event = field(default_factory=threading.Event)
    opened_ms: list[float] = field(default_factory=list)
    asked: list[tuple[int, float]] = field(default_factory=list)
    frames: int = 0
    released: int = 0
    release_fails: bool = False

    def __post_init__(self) -> None:
        self.hold.set()

    def open(self, device: str) -> V4l2Capture:
        self.opened_ms.append(self.clock.now_ms())
        return V4l2Capture(self)


class V4l2Capture:
    """One opened device; the methods are those of `cv2.VideoCapture`."""

    def __init__(self, driver: V4l2Driver) -> None:
        self._driver = driver
        self._opened = driver.plugged_in
        self._values: dict[int, float] = {
            cv2.CAP_PROP_FOURCC: YUYV,
            cv2.CAP_PROP_FRAME_WIDTH: 640,
            cv2.CAP_PROP_FRAME_HEIGHT: 480,
            cv2.CAP_PROP_FPS: 30.0,
            cv2.CAP_PROP_CONVERT_RGB: 1.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: driver.auto_exposure_value,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4000.0,
            cv2.CAP_PROP_GAIN: 10.0,
        }
        if not driver.colours:
            del self._values[cv2.CAP_PROP_AUTO_WB]
        if driver.has_autofocus:
            self._values |= {cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 30.0}
        self._pending: list[tuple[int, int, float]] = []  # frame, setting, value

    def isOpened(self) -> bool:  # noqa: N802
        return self._opened

    def get(self, propId: int) -> float:  # noqa: N803
        return self._values.get(propId, -1.0)

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        driver = self._driver
        driver.asked.append((propId, value))
        if propId not in self._values:
            return False
        if propId == cv2.CAP_PROP_FOURCC:
            value = driver.fourcc
        elif propId == cv2.CAP_PROP_FRAME_WIDTH and driver.size:
            value = driver.size[0]
        elif propId == cv2.CAP_PROP_FRAME_HEIGHT and driver.size:
            value = driver.size[1]
        elif propId == cv2.CAP_PROP_FPS and driver.fps:
            value = driver.fps
        elif propId == cv2.CAP_PROP_AUTO_EXPOSURE and not driver.manual_exposure:
            return True  # reports success and ignores the setting
        elif propId == cv2.CAP_PROP_AUTO_WB and not driver.white_balance:
            return True
        elif propId == cv2.CAP_PROP_EXPOSURE and self.get(cv2.CAP_PROP_AUTO_EXPOSURE) != 1:
            return False
        lag = driver.settings_lag if propId in CONTROLS else 0
        self._pending.append((driver.frames + lag, propId, float(value)))
        self._settle()
        return True

    def read(self) -> tuple[bool, Any]:
        driver = self._driver
        if not driver.hold.is_set():
            driver.hanging.set()
            driver.hold.wait()
        driver.clock.wait_ms(driver.frame_ms)
        if not driver.plugged_in or not self._opened:
            return False, None
        driver.frames += 1
        self._settle()
        width, height = int(self.get(cv2.CAP_PROP_FRAME_WIDTH)), int(self.get(4))
        grey = scenery(width, height, driver.frames)
        if self.get(cv2.CAP_PROP_CONVERT_RGB):
            return True, cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
        if driver.fourcc == YUYV:
            return True, np.dstack([grey, np.full_like(grey, 128)])
        if driver.fourcc != MJPG:
            return True, grey
        packed = cv2.imencode(".jpg", grey)[1].reshape(1, -1)
        if driver.torn(driver.frames):
            packed = packed[:, : packed.size // 2]
        return True, np.hstack([packed, np.zeros((1, 64), np.uint8)])  # drivers pad

    def release(self) -> None:
        self._opened = False
        self._driver.released += 1
        if self._driver.release_fails:
            raise cv2.error("no such device")

    def _settle(self) -> None:
        due = [each for each in self._pending if each[0] <= self._driver.frames]
        self._pending = [each for each in self._pending if each not in due]
        for _, setting, value in due:
            self._values[setting] = value


class Picamera2Driver:
    """Replaces the class `Picamera2`, with one camera."""

    def __init__(self, clock: Clock, frame_ms: float = 33.0, cameras: int = 1) -> None:
        self.clock, self.frame_ms, self.cameras = clock, frame_ms, cameras
        self.controls: dict[str, Any] = {"ExposureTime": 12_345, "AnalogueGain": 2.0}
        self.chosen = dict(self.controls)
        self.alive = True
        self.obeys = True
        self.frames = 0
        self.size = (0, 0)
        self.format = ""
        self.log: list[str] = []

    def __call__(self, number: int) -> Picamera2Driver:
        self.log.append(f"open {number}")
        return self

    def global_camera_info(self) -> list[dict[str, Any]]:
        usb = {"Num": 9, "Model": "webcam", "Id": "/base/usb@1/cam"}
        return [{"Num": n, "Model": "imx708", "Id": "/base/i2c"} for n in range(self.cameras)] + [
            usb
        ] * bool(self.cameras > 1)

    def create_video_configuration(self, **expected: Any) -> dict[str, Any]:
        return expected

    def configure(self, configuration: dict[str, Any]) -> None:
        self.size, self.format = configuration["main"]["size"], configuration["main"]["format"]
        self.controls |= configuration["controls"]

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": {"size": self.size}}

    def start(self) -> None:
        self.log.append("start")

    def stop(self) -> None:
        self.log.append("stop")

    def close(self) -> None:
        self.log.append("close")

    def set_controls(self, controls: dict[str, Any]) -> None:
        if self.obeys:
            self.controls |= controls

    def capture_metadata(self, wait: bool) -> Callable[[], Any]:
        assert not wait
        locked = self.controls.get("AeEnable") is False
        seen = self.controls if locked else self.chosen
        return lambda: {"ExposureTime": seen["ExposureTime"] - 20, "AnalogueGain": 2.0,
                        "ColourGains": (1.5, 1.9)}  # fmt: skip

    def capture_array(self, name: str, wait: bool) -> Callable[[], Any]:
        assert (name, wait, self.format) == ("main", False, "YUV420")
        width, height = self.size
        self.frames += 1
        planes = np.full((height * 3 // 2, width + PADDING), 128, np.uint8)
        planes[:height, :width] = scenery(width, height, self.frames)
        return lambda: planes

    def wait(self, job: Callable[[], Any], timeout: float) -> Any:
        if not self.alive:
            self.clock.wait_ms(timeout * 1000)
            raise TimeoutError
        self.clock.wait_ms(self.frame_ms)
        return job()


class Webcam:
    """A USB camera on a manual clock, without a thread."""

    def __init__(self, address: UsbCameraAddress | None = None, **driver: object) -> None:
        self.clock = ManualClock()
        self.driver = V4l2Driver(self.clock, **driver)  # type: ignore[arg-type]
        expected = address or UsbCameraAddress(width=WIDTH, height=HEIGHT, exposure_ms=5)
        self.camera = LiveCamera(UsbSource(expected, self.driver.open), self.clock, threaded=False)

    def remarks(self) -> tuple[Sentence, ...]:
        details = self.camera.details()
        assert details is not None
        return details.remarks


def write_film(path: Path, frames: int = FILM_FRAMES, fps: float = 30.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (WIDTH, HEIGHT))
    assert writer.isOpened()
    for number in range(frames):
        writer.write(cv2.cvtColor(scenery(WIDTH, HEIGHT, number), cv2.COLOR_GRAY2BGR))
    writer.release()
    return path


def write_folder(path: Path, images: int = FOLDER_IMAGES) -> Path:
    path.mkdir()
    for number in range(images):
        save_png(path / f"{number}.png", scenery(WIDTH, HEIGHT, number))
    return path


def frames_of(camera: Camera, count: int) -> list[Frame]:
    frames: list[Frame] = []
    while len(frames) < count:
        frame = camera.wait(frames[-1].number if frames else 0, 20_000)
        if frame is None:  # an event is pending
            events = camera.events()
            assert events
            assert not any(isinstance(event, DeviceLost) for event in events), events
        else:
            frames.append(frame)
    return frames
