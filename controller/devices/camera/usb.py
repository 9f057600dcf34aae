"""A USB camera through OpenCV's V4L2: requests a mode, locks exposure, and verifies both.

Drivers accept settings and ignore them, or apply them some frames later, so every setting is read
back. Frames arrive as MJPG and are decoded directly to grey.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from controller.config.addresses.camera import UsbCameraAddress, camera_name
from controller.devices import sentences
from controller.devices.camera.live import CameraUnavailable
from controller.ports.devices import CameraDetails, Pixels
from controller.ports.sentences import REMEDY_AFTER_COLON
from controller.storage.image_files import is_complete_jpeg
from engine.sentences import Sentence

SETTLING_FRAMES = 15  # until automatic exposure, white balance and focus settle
APPLY_FRAMES = 10  # until a driver has applied a setting
# Values of V4L2_CID_EXPOSURE_AUTO; the unit of V4L2_CID_EXPOSURE_ABSOLUTE is 100 us.
MANUAL, APERTURE_PRIORITY = 1, 3
EXPOSURE_STEPS_PER_MS = 10
MJPG = cv2.VideoWriter.fourcc(*"MJPG")
PLANAR = {cv2.VideoWriter.fourcc(*name) for name in ("NV12", "NV21", "YU12", "YV12")}
BRIGHTNESS_CHANNEL = {cv2.VideoWriter.fourcc(*"YUYV"): 0, cv2.VideoWriter.fourcc(*"UYVY"): 1}


class Capture(Protocol):
    """The methods of `cv2.VideoCapture` in use."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def get(self, propId: int) -> float: ...  # noqa: N803
    def set(self, propId: int, value: float) -> bool: ...  # noqa: N803
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def open_v4l2(device: str) -> Capture:
    silence_opencv_log()
    return cv2.VideoCapture(int(device) if device.isdigit() else device, cv2.CAP_V4L2)


def silence_opencv_log() -> None:
    """Keep OpenCV's own messages off the terminal: this program reports the problems."""
    library: Any = cv2
    if hasattr(library, "setLogLevel"):  # OpenCV 4
        library.setLogLevel(0)
    else:
        library.utils.logging.setLogLevel(0)


class UsbSource:
    """A `FrameSource` for a USB camera."""

    interval_ms = 0.0

    def __init__(
        self, address: UsbCameraAddress, opener: Callable[[str], Capture] = open_v4l2
    ) -> None:
        self._address, self._opener = address, opener
        self._capture: Capture | None = None
        self._fourcc = 0

    @property
    def name(self) -> str:
        return camera_name(self._address)

    def open(self) -> CameraDetails:
        self.close()
        capture = self._opener(self._address.place)
        if not capture.isOpened():
            capture.release()
            raise CameraUnavailable(explain_open_failure(self._address.place))
        self._capture = capture
        remarks = self._request_mode(capture)
        exposure = self._lock_exposure(capture, remarks)
        balance = self._lock_white_balance(capture, remarks)
        self._lock_focus(capture, remarks)
        first = self._first_image()
        height, width = first.shape[:2]
        address = self._address
        if (width, height) != (address.width, address.height):
            remarks.append(
                sentences.OTHER_SIZE(
                    width=address.width,
                    height=address.height,
                    given_width=width,
                    given_height=height,
                )
            )
        fps = capture.get(cv2.CAP_PROP_FPS)
        return CameraDetails(
            width, height, fps if fps > 0 else None, exposure, balance, tuple(remarks)
        )

    def read(self) -> Pixels | None:
        if self._capture is None:
            raise CameraUnavailable(sentences.NOT_OPEN())
        good, raw = self._capture.read()
        if not good or raw is None:
            raise CameraUnavailable(self._explain_no_frame())
        return to_grey(np.asarray(raw), self._fourcc)

    def remarks(self) -> list[Sentence]:
        return []

    def close(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _request_mode(self, capture: Capture) -> list[Sentence]:
        """Set the format first: sizes and rates depend on it."""
        address = self._address
        remarks: list[Sentence] = []
        capture.set(cv2.CAP_PROP_FOURCC, MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, address.width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, address.height)
        capture.set(cv2.CAP_PROP_FPS, address.fps)
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        self._fourcc = int(capture.get(cv2.CAP_PROP_FOURCC))
        if self._fourcc != MJPG:
            got = self._fourcc.to_bytes(4, "little", signed=self._fourcc < 0)
            name = got.decode("ascii", "replace").strip("\0 ")
            remarks.append(sentences.CAMERA_SENDS(format=name or sentences.RAW_IMAGES()))
        fps = capture.get(cv2.CAP_PROP_FPS)
        if 0 < fps < address.fps - 0.5:
            remarks.append(sentences.OTHER_RATE(asked=address.fps, given=fps))
        return remarks

    def _lock_exposure(self, capture: Capture, remarks: list[Sentence]) -> bool:
        address = self._address
        if address.exposure_ms is None:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, APERTURE_PRIORITY)
            self._skip_frames(SETTLING_FRAMES)
            steps = capture.get(cv2.CAP_PROP_EXPOSURE)
        else:
            steps = float(max(1, round(address.exposure_ms * EXPOSURE_STEPS_PER_MS)))
        if not self._set_and_verify(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL):
            # Some drivers accept manual mode only after automatic mode was set.
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, APERTURE_PRIORITY)
            if not self._set_and_verify(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL):
                remarks.append(sentences.EXPOSURE_NOT_LOCKED())
                return False
        if steps > 0 and not self._set_and_verify(cv2.CAP_PROP_EXPOSURE, steps):
            got = capture.get(cv2.CAP_PROP_EXPOSURE) / EXPOSURE_STEPS_PER_MS
            asked = steps / EXPOSURE_STEPS_PER_MS
            remarks.append(sentences.OTHER_EXPOSURE(asked=asked, taken=got))
        if address.gain is not None and not self._set_and_verify(cv2.CAP_PROP_GAIN, address.gain):
            got = capture.get(cv2.CAP_PROP_GAIN)
            remarks.append(sentences.OTHER_GAIN(asked=address.gain, taken=got))
        return True

    def _lock_white_balance(self, capture: Capture, remarks: list[Sentence]) -> bool | None:
        kelvin = self._address.white_balance_k
        if capture.get(cv2.CAP_PROP_AUTO_WB) < 0:
            return None  # a monochrome camera
        locked = self._set_and_verify(cv2.CAP_PROP_AUTO_WB, 0)
        if not locked:
            remarks.append(sentences.WHITE_BALANCE_NOT_LOCKED())
        elif kelvin is not None and not self._set_and_verify(cv2.CAP_PROP_WB_TEMPERATURE, kelvin):
            got = capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
            remarks.append(sentences.OTHER_WHITE_BALANCE(asked=kelvin, taken=got))
        return locked

    def _lock_focus(self, capture: Capture, remarks: list[Sentence]) -> None:
        """Lock the focus; a camera without autofocus answers -1."""
        if capture.get(cv2.CAP_PROP_AUTOFOCUS) > 0 and not self._set_and_verify(
            cv2.CAP_PROP_AUTOFOCUS, 0
        ):
            remarks.append(sentences.FOCUS_NOT_LOCKED())
        focus = self._address.focus
        if focus is not None and not self._set_and_verify(cv2.CAP_PROP_FOCUS, focus):
            remarks.append(sentences.OTHER_FOCUS(asked=focus))

    def _set_and_verify(self, setting: int, value: float) -> bool:
        """Set a property and wait some frames until the driver confirms it."""
        assert self._capture is not None
        self._capture.set(setting, value)
        for _ in range(APPLY_FRAMES):
            if abs(self._capture.get(setting) - value) < 0.5:
                return True
            self._skip_frames(1)
        return False

    def _skip_frames(self, frames: int) -> None:
        for _ in range(frames):
            self.read()

    def _first_image(self) -> Pixels:
        for _ in range(APPLY_FRAMES):
            image = self.read()
            if image is not None:
                return image
        raise CameraUnavailable(sentences.ONLY_DAMAGED_IMAGES())

    def _explain_no_frame(self) -> Sentence:
        device = device_path(self._address.place)
        if self._opener is open_v4l2 and not device.exists():
            gone = sentences.CAMERA_GONE(path=str(device))
            return REMEDY_AFTER_COLON(problem=gone, remedy=sentences.WAS_IT_UNPLUGGED())
        return sentences.IMAGES_STOPPED()


def to_grey(raw: Any, fourcc: int) -> Pixels | None:
    """Convert a V4L2 frame, compressed or not, to grey; None if it is damaged."""
    if raw.dtype != np.uint8 or raw.size == 0:
        return None
    if raw.ndim == 3 and raw.shape[2] == 3:
        return np.asarray(cv2.cvtColor(raw, cv2.COLOR_BGR2GRAY), np.uint8)
    if raw.ndim == 3 and raw.shape[2] == 2:
        return np.ascontiguousarray(raw[:, :, BRIGHTNESS_CHANNEL.get(fourcc, 0)])
    if raw.ndim == 2 and min(raw.shape) > 1:
        rows = raw.shape[0] * 2 // 3 if fourcc in PLANAR else raw.shape[0]
        return np.array(raw[:rows])
    packed = raw.ravel()
    if not is_complete_jpeg(packed.tobytes()):
        return None  # a truncated frame: its lower part would be plain grey
    grey = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)
    return None if grey is None else np.asarray(grey, np.uint8)


def device_path(place: str) -> Path:
    return Path(f"/dev/video{place}" if place.isdigit() else place)


def explain_open_failure(place: str) -> Sentence:
    """Why a device cannot be opened, and what to do about it."""
    device = device_path(place)
    path = str(device)
    if not device.exists():
        problem, remedy = sentences.NO_SUCH_DEVICE(path=path), sentences.PLUG_CAMERA_IN()
    elif not os.access(device, os.R_OK | os.W_OK):
        problem, remedy = sentences.CAMERA_FORBIDDEN(path=path), sentences.JOIN_VIDEO_GROUP()
    else:
        problem = sentences.CAMERA_DOES_NOT_OPEN(path=path)
        remedy = sentences.IN_USE_OR_NO_CAMERA()
    return REMEDY_AFTER_COLON(problem=problem, remedy=remedy)
