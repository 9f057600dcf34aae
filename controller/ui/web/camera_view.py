"""What can be looked at beside the board: the LEDs as they were last confirmed, and what the camera
sees. Made in the page's threads when somebody looks, and never by the game's loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from controller.ports.devices import Camera, Clock, Frame, LedMatrix, Pixels
from controller.ports.frames import CapturedFrame
from controller.session.board_fit import FittedBoard
from controller.ui import sentences
from vision.camera_pose import BoardLock
from vision.observation import Observation
from vision.overlay import draw_overlay

WIDEST_PX = 1280
JPEG_QUALITY = 72
MIN_INTERVAL_MS = 125.0  # between two pictures, however many want one
STALE_MS = 1_000.0  # what was read so long before is not drawn over what is seen now


@dataclass(frozen=True)
class CameraView:
    """Of one game's table."""

    leds: LedMatrix
    gamma: float
    camera: Camera
    captured_frame: Callable[[], CapturedFrame | None]
    table: FittedBoard

    def leds_hex(self) -> str:
        """Every LED as six hexadecimal digits, as bright as people see it; empty: all dark."""
        shown = self.leds.shown()
        if shown is None:
            return ""
        seen = (np.asarray(shown, np.float32) / 255.0) ** (1.0 / self.gamma)
        return bytes(np.rint(seen * 255.0).astype(np.uint8)).hex()

    def render_jpeg(self, with_overlay: bool) -> tuple[Frame, bytes] | None:
        """The newest picture as JPEG, with what is read in it; takes its time."""
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
        self, frame: Frame, lock: BoardLock | None, seen: Observation, texts: tuple[str, ...]
    ) -> Pixels:
        table = self.table
        return draw_overlay(
            _colour(frame), table.board, lock, seen, table.game, table.pieces_by_tag, texts
        )


@dataclass(frozen=True, slots=True)
class CameraImage:
    """A picture as it is sent."""

    jpeg: bytes
    number: int
    taken_ms: float


class CameraImageCache:
    """Makes pictures one at a time, and not too often: whoever comes in between gets the last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = asyncio.Lock()
        self._images: dict[bool, tuple[CameraView, CameraImage, float]] = {}

    async def latest_image(self, camera_view: CameraView, with_overlay: bool) -> CameraImage | None:
        """The newest picture; None: there is none yet."""
        async with self._lock:
            made = self._images.get(with_overlay)
            if made is not None and made[0] is camera_view:
                newest = camera_view.camera.latest()
                young = self._clock.now_ms() - made[2] < MIN_INTERVAL_MS
                if young or newest is None or newest.number == made[1].number:
                    return made[1]
            found = await asyncio.to_thread(camera_view.render_jpeg, with_overlay)
            if found is None:
                return None
            frame, jpeg = found
            photograph = CameraImage(jpeg, frame.number, frame.at_ms)
            self._images[with_overlay] = camera_view, photograph, self._clock.now_ms()
            return photograph

    def forget(self) -> None:
        """The table is gone."""
        self._images.clear()


def _colour(frame: Frame) -> Pixels:
    if frame.bgr is not None:
        return frame.bgr
    return np.asarray(cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _jpeg(picture: Pixels) -> bytes:
    high, wide = picture.shape[:2]
    if wide > WIDEST_PX:
        size = (WIDEST_PX, round(high * WIDEST_PX / wide))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return content.tobytes()
