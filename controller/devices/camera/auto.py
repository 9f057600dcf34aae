"""`auto://`: searches for a camera each time it opens one, so that the camera may be plugged in
late or into another port."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.devices import sentences
from controller.devices.camera.live import CameraUnavailable, FrameSource
from controller.ports.devices import CameraDetails, DetectedCamera, Pixels
from controller.ports.sentences import REMEDY_AFTER_COLON
from engine.sentences import Sentence, joined


class AutoSource:
    """A `FrameSource` that opens the first camera found. `make` makes a source for its URL."""

    def __init__(
        self,
        name: str,
        find: Callable[[], Sequence[DetectedCamera]],
        make: Callable[[str], FrameSource],
    ) -> None:
        self.name = name
        self._find, self._make = find, make
        self._source: FrameSource | None = None

    @property
    def interval_ms(self) -> float:
        return 0.0 if self._source is None else self._source.interval_ms

    def open(self) -> CameraDetails:
        self.close()
        cameras = self._find()
        usable = [each.url for each in cameras if each.trouble is None]
        if not usable:
            troubles = [
                sentences.FAULT(device=each.url, reason=each.trouble)
                for each in cameras
                if each.trouble is not None
            ]
            raise CameraUnavailable(
                joined(troubles)
                if troubles
                else REMEDY_AFTER_COLON(
                    problem=sentences.NO_CAMERA(), remedy=sentences.PLUG_ONE_IN()
                )
            )
        self._source = self._make(usable[0])
        return self._source.open()

    def read(self) -> Pixels | None:
        if self._source is None:
            raise CameraUnavailable(sentences.NOT_OPEN())
        return self._source.read()

    def remarks(self) -> list[Sentence]:
        return [] if self._source is None else self._source.remarks()

    def close(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            source.close()
