"""The views besides the board: the LEDs as last confirmed, and the camera's image with an overlay.

The page's threads render them when a client asks, never the game's loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from controller.ports.devices import Camera, Clock, Frame, LedMatrix, Pixels
from controller.ports.frames import CapturedFrame
from controller.session.board_fit import FittedBoard
from controller.ui.web import sentences
from vision.camera_pose import BoardLock
from vision.observation import Observation
from vision.overlay import draw_overlay

MAX_WIDTH_PX = 1280
JPEG_QUALITY = 72
MIN_INTERVAL_MS = 125.0  # between two images, for all clients together
STALE_MS = 1_000.0  # an older reading is not drawn over the newest image


@dataclass(frozen=True)
class CameraView:
    """The camera and the LEDs of one game's table."""

    leds: LedMatrix
    gamma: float
    camera: Camera
    captured_frame: Callable[[], CapturedFrame | None]
    table: FittedBoard

    def leds_hex(self) -> str:
        """Every LED as six hexadecimal digits, with the gamma undone; empty if all are dark."""
        shown = self.leds.shown()
        if shown is None:
            return ""
        corrected = (np.asarray(shown, np.float32) / 255.0) ** (1.0 / self.gamma)
        return bytes(np.rint(corrected * 255.0).astype(np.uint8)).hex()

    def render_jpeg(self, with_overlay: bool) -> tuple[Frame, bytes] | None:
        """The newest image as JPEG, with an overlay of the reading. Slow: call it in a thread."""
        newest, captured = self.camera.latest(), self.captured_frame()
        if newest is None:
            return None
        if not with_overlay or captured is None:
            return newest, _jpeg(_colour(newest))
        if newest.at_ms - captured.frame.at_ms > STALE_MS:
            return newest, _jpeg(
                self._with_overlay(
                    newest, None, captured.observation, (str(sentences.NOTHING_READ()),)
                )
            )
        texts = tuple(str(each.sentence) for each in captured.observation.problems)
        return captured.frame, _jpeg(
            self._with_overlay(captured.frame, captured.lock, captured.observation, texts)
        )

    def _with_overlay(
        self, frame: Frame, lock: BoardLock | None, observation: Observation, texts: tuple[str, ...]
    ) -> Pixels:
        table = self.table
        return draw_overlay(
            _colour(frame), table.board, lock, observation, table.game, table.pieces_by_tag, texts
        )


@dataclass(frozen=True, slots=True)
class CameraImage:
    """A JPEG image, with the number and time of its frame."""

    jpeg: bytes
    number: int
    taken_ms: float


class CameraImageCache:
    """Renders one image at a time, at most 8 a second; between two it returns the last one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = asyncio.Lock()
        self._images: dict[bool, tuple[CameraView, CameraImage, float]] = {}

    async def latest_image(self, camera_view: CameraView, with_overlay: bool) -> CameraImage | None:
        """The newest image; None: there is none yet."""
        async with self._lock:
            cached = self._images.get(with_overlay)
            if cached is not None and cached[0] is camera_view:
                newest = camera_view.camera.latest()
                is_recent = self._clock.now_ms() - cached[2] < MIN_INTERVAL_MS
                if is_recent or newest is None or newest.number == cached[1].number:
                    return cached[1]
            rendered = await asyncio.to_thread(camera_view.render_jpeg, with_overlay)
            if rendered is None:
                return None
            frame, jpeg = rendered
            image = CameraImage(jpeg, frame.number, frame.at_ms)
            self._images[with_overlay] = camera_view, image, self._clock.now_ms()
            return image


def _colour(frame: Frame) -> Pixels:
    if frame.bgr is not None:
        return frame.bgr
    return np.asarray(cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _jpeg(pixels: Pixels) -> bytes:
    height, width = pixels.shape[:2]
    if width > MAX_WIDTH_PX:
        size = (MAX_WIDTH_PX, round(height * MAX_WIDTH_PX / width))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    _, content = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return content.tobytes()
