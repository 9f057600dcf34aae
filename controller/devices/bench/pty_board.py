"""Programs that serve a pty, for benchmarks: the firmware, and the smallest peer that answers.

Both end when their standard input closes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.devices.leds.native_firmware import build_native_firmware, build_native_peer
from controller.devices.leds.serial_port import SerialPort

ANSWER_TIMEOUT_S = 5.0


class PtyBoard:
    """A program that prints the path of its pty and serves it: by default the firmware."""

    def __init__(self, program: Path | None = None, *options: str) -> None:
        command = [str(program or build_native_firmware()), *(options or ("--pty",))]
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


class MinimalPeer:
    """Answers each frame with one byte: the lower bound of the latency."""

    def __init__(self) -> None:
        self._board = PtyBoard(build_native_peer(), "serve")
        self._port = SerialPort(self._board.path, 1_000_000)
        self._port.open()

    def exchange(self, frame: bytes) -> None:
        """Send a frame and wait for its byte."""
        self._port.write(frame, ANSWER_TIMEOUT_S)
        if not self._port.read(ANSWER_TIMEOUT_S):
            raise TimeoutError("the peer does not answer")

    def close(self) -> None:
        self._port.close()
        self._board.close()
