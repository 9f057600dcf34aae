"""Programs on ptys of their own, with nothing in between: for benchmarks.

`Board` is the firmware itself, `Peer` the least that can answer. Both end with their input.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.devices.leds_port import Port
from controller.devices.native_firmware import native_firmware, native_peer

PATIENCE_S = 5.0


class Board:
    """A program that prints the path of its pty and serves it."""

    def __init__(self, program: Path | None = None, *options: str) -> None:
        command = [str(program or native_firmware()), *(options or ("--pty",))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self.path = self._process.stdout.readline().decode().strip()

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        for end in (self._process.stdin, self._process.stdout):
            if end is not None:
                end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Peer:
    """Answers one byte after the last byte of each frame, and nothing faster can."""

    def __init__(self) -> None:
        self._board = Board(native_peer(), "serve")
        self._port = Port(self._board.path, 1_000_000)
        self._port.open()

    def exchange(self, frame: bytes) -> None:
        """Send a frame and wait for the one byte."""
        self._port.write(frame, PATIENCE_S)
        if not self._port.read(PATIENCE_S):
            raise TimeoutError("the peer does not answer")

    def close(self) -> None:
        self._port.close()
        self._board.close()
