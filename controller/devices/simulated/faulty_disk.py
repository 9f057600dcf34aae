"""A `Disk` that can be full, read-only, slow, or without power.

Delays follow the writer's clock: with simulated time, a slow disk is slow in simulated time.
"""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

from controller.devices.journal_file import Disk
from controller.ports.devices import Clock

BYTES_BEFORE_FULL = 20  # accepted by a full disk before it fails
POLL_S = 0.001  # interval at which a slow disk checks the clock


class FaultyDisk(Disk):
    """The real disk until a fault is set."""

    def __init__(self) -> None:
        self.error_number: int | None = None  # errno of every write
        self.sync_delay_ms = 0.0  # duration of every sync
        self.clock: Clock | None = None
        self._bytes_left = BYTES_BEFORE_FULL
        self._powered_off = False
        self._due_ms: float | None = None  # when the running sync ends

    def fail_with(self, trouble: int | None) -> None:
        self.error_number, self._bytes_left = trouble, BYTES_BEFORE_FULL

    def power_off(self) -> None:
        """Ignore further writes, as after a power cut; earlier writes stay."""
        self._powered_off = True

    def power_on(self, clock: Clock) -> None:
        self._powered_off, self.clock, self._due_ms = False, clock, None

    @property
    def is_delaying(self) -> bool:
        """Whether a sync waits for time to pass."""
        due_ms, clock = self._due_ms, self.clock
        if due_ms is None or clock is None or not self.sync_delay_ms:
            return False
        return clock.now_ms() < due_ms

    def open(self, path: Path, flags: int) -> int:
        if self.error_number == errno.EROFS and flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return super().open(path, flags)

    def write(self, file: int, content: bytes) -> int:
        self._check_power()
        if self.error_number == errno.ENOSPC and self._bytes_left:
            part, self._bytes_left = content[: self._bytes_left], 0
            return super().write(file, part)
        if self.error_number is not None:
            raise OSError(self.error_number, os.strerror(self.error_number))
        return super().write(file, content)

    def truncate(self, file: int, length: int) -> None:
        self._check_power()
        super().truncate(file, length)

    def sync(self, file: int) -> None:
        if self.sync_delay_ms and self.clock is not None:
            self._due_ms = self.clock.now_ms() + self.sync_delay_ms
            while self.is_delaying and not self._powered_off:
                time.sleep(POLL_S)
            self._due_ms = None
        self._check_power()
        super().sync(file)

    def _check_power(self) -> None:
        if self._powered_off:
            raise OSError(errno.EIO, "the power is off")
