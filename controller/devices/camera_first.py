"""Whichever camera is there: looked for whenever one is to be opened, so that it may be plugged in
late, or somewhere else than before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.devices.camera import Source, Unavailable
from controller.ports import CameraDetails, CameraFound, Pixels

NONE_FOUND = "there is none: plug one in"


class FirstSource:
    """See `controller.devices.camera.Source`; `make` makes a source of a URL that was found."""

    def __init__(
        self,
        name: str,
        find: Callable[[], Sequence[CameraFound]],
        make: Callable[[str], Source],
    ) -> None:
        self.name = name
        self._find, self._make = find, make
        self._source: Source | None = None

    @property
    def interval_ms(self) -> float:
        return 0.0 if self._source is None else self._source.interval_ms

    def open(self) -> CameraDetails:
        self.close()
        found = self._find()
        usable = [each.url for each in found if not each.trouble]
        if not usable:
            troubles = [f"{each.url}: {each.trouble}" for each in found]
            raise Unavailable("; ".join(troubles) or NONE_FOUND)
        self._source = self._make(usable[0])
        return self._source.open()

    def read(self) -> Pixels | None:
        if self._source is None:
            raise Unavailable("not open")
        return self._source.read()

    def remarks(self) -> list[str]:
        return [] if self._source is None else self._source.remarks()

    def close(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            source.close()
