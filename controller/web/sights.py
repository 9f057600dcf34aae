"""What can be looked at beside the board: the LEDs as they were last confirmed, and what the camera
sees. Made in the page's threads when somebody looks, and never by the game's loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from controller.ports import Camera, Clock, Frame, LedMatrix, Pixels
from controller.sight import Glimpse
from controller.tabletop import Tabletop
from vision.observation import Observation
from vision.overlay import overlay
from vision.solving import Lock

WIDEST = 1280
QUALITY = 72
LEAST_MS = 125.0  # between two pictures, however many want one
STALE_MS = 1_000.0  # what was read so long before is not drawn over what is seen now
NOT_READ = "nothing is read now"


@dataclass(frozen=True)
class Sights:
    """Of one game's table."""

    leds: LedMatrix
    gamma: float
    camera: Camera
    glimpse: Callable[[], Glimpse | None]
    table: Tabletop

    def light(self) -> str:
        """Every LED as six hexadecimal digits, as bright as people see it; empty: all dark."""
        shown = self.leds.shown()
        if shown is None:
            return ""
        seen = (np.asarray(shown, np.float32) / 255.0) ** (1.0 / self.gamma)
        return bytes(np.rint(seen * 255.0).astype(np.uint8)).hex()

    def picture(self, drawn: bool) -> tuple[Frame, bytes] | None:
        """The newest picture as JPEG, with what is read in it; takes its time."""
        newest, glimpse = self.camera.latest(), self.glimpse()
        if newest is None:
            return None
        if not drawn or glimpse is None:
            return newest, _jpeg(_colour(newest))
        if newest.at_ms - glimpse.frame.at_ms > STALE_MS:
            return newest, _jpeg(self._drawn(newest, None, glimpse.seen, (NOT_READ,)))
        told = tuple(each.sentence for each in glimpse.seen.problems)
        return glimpse.frame, _jpeg(self._drawn(glimpse.frame, glimpse.lock, glimpse.seen, told))

    def _drawn(
        self, frame: Frame, lock: Lock | None, seen: Observation, told: tuple[str, ...]
    ) -> Pixels:
        table = self.table
        return overlay(_colour(frame), table.board, lock, seen, table.game, table.meanings, told)


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture as it is sent."""

    jpeg: bytes
    number: int
    taken_ms: float


class Darkroom:
    """Makes pictures one at a time, and not too often: whoever comes in between gets the last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._working = asyncio.Lock()
        self._made: dict[bool, tuple[Sights, Photograph, float]] = {}

    async def photograph(self, sights: Sights, drawn: bool) -> Photograph | None:
        """The newest picture; None: there is none yet."""
        async with self._working:
            made = self._made.get(drawn)
            if made is not None and made[0] is sights:
                newest = sights.camera.latest()
                young = self._clock.now_ms() - made[2] < LEAST_MS
                if young or newest is None or newest.number == made[1].number:
                    return made[1]
            found = await asyncio.to_thread(sights.picture, drawn)
            if found is None:
                return None
            frame, jpeg = found
            photograph = Photograph(jpeg, frame.number, frame.at_ms)
            self._made[drawn] = sights, photograph, self._clock.now_ms()
            return photograph

    def forget(self) -> None:
        """The table is gone."""
        self._made.clear()


def _colour(frame: Frame) -> Pixels:
    if frame.bgr is not None:
        return frame.bgr
    return np.asarray(cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _jpeg(picture: Pixels) -> bytes:
    high, wide = picture.shape[:2]
    if wide > WIDEST:
        size = (WIDEST, round(high * WIDEST / wide))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return content.tobytes()
