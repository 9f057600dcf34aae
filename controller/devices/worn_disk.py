"""A disk that is sometimes full, read-only or slow, and that a power cut may take away.

It counts time by the clock of whoever writes: where time is simulated, a slow disk is slow in it.
"""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

from controller.devices.journal_file import Disk
from controller.ports import Clock

LAST_BYTES = 20  # that a disk takes before it is full
LOOK_S = 0.001  # how often a slow disk looks at the clock


class WornDisk(Disk):
    """Takes everything, unless it is told not to."""

    def __init__(self) -> None:
        self.trouble: int | None = None  # an errno
        self.slow_ms = 0.0  # that every sync takes
        self.clock: Clock | None = None
        self._left = LAST_BYTES
        self._gone = False
        self._due_ms: float | None = None  # when the sync that is under way will be done

    def fails_with(self, trouble: int | None) -> None:
        self.trouble, self._left = trouble, LAST_BYTES

    def go(self) -> None:
        """Nothing more is taken, as when whoever writes is no more: what was taken stays."""
        self._gone = True

    def come_back(self, clock: Clock) -> None:
        self._gone, self.clock, self._due_ms = False, clock, None

    @property
    def holds_back(self) -> bool:
        """Whether a sync is under way that will not be done before time has passed."""
        due_ms, clock = self._due_ms, self.clock
        if due_ms is None or clock is None or not self.slow_ms:
            return False
        return clock.now_ms() < due_ms

    def open(self, path: Path, flags: int) -> int:
        if self.trouble == errno.EROFS and flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return super().open(path, flags)

    def write(self, file: int, content: bytes) -> int:
        self._check_there()
        if self.trouble == errno.ENOSPC and self._left:
            part, self._left = content[: self._left], 0
            return super().write(file, part)
        if self.trouble is not None:
            raise OSError(self.trouble, os.strerror(self.trouble))
        return super().write(file, content)

    def truncate(self, file: int, length: int) -> None:
        self._check_there()
        super().truncate(file, length)

    def sync(self, file: int) -> None:
        if self.slow_ms and self.clock is not None:
            self._due_ms = self.clock.now_ms() + self.slow_ms
            while self.holds_back and not self._gone:
                time.sleep(LOOK_S)
            self._due_ms = None
        self._check_there()
        super().sync(file)

    def _check_there(self) -> None:
        if self._gone:
            raise OSError(errno.EIO, "the power is off")
