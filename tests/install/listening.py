"""The end of the line where systemd sits."""

from __future__ import annotations

import socket
import time


class Listening:
    """A socket that a program is told of, and all that it said there."""

    def __init__(self, address: str) -> None:
        self.name = address
        self.status = ""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)

    def heard(self, patience_s: float = 0.0) -> list[str]:
        """The next message, line by line; nothing if none comes."""
        self._socket.settimeout(patience_s or 0.001)
        try:
            said = self._socket.recv(4096).decode().split("\n")
        except TimeoutError:
            return []
        told = [each.removeprefix("STATUS=") for each in said if each.startswith("STATUS=")]
        self.status = told[-1] if told else self.status
        return said

    def until(self, *words: str, patience_s: float) -> str:
        """Listen until the status has all of these words."""
        end = time.monotonic() + patience_s
        while not all(word in self.status for word in words):
            assert time.monotonic() < end, f"{words} did not come, but: {self.status}"
            self.heard(1.0)
        return self.status

    def close(self) -> None:
        self._socket.close()
