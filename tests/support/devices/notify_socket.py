"""A fake systemd notification socket."""

from __future__ import annotations

import socket
import time


class NotifySocket:
    """Receives the datagrams of sd_notify(3)."""

    def __init__(self, address: str) -> None:
        self.name = address
        self.status = ""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)

    def receive(self, timeout_s: float = 0.0) -> list[str]:
        """The lines of the next datagram; [] after the timeout."""
        self._socket.settimeout(timeout_s or 0.001)
        try:
            lines = self._socket.recv(4096).decode().split("\n")
        except TimeoutError:
            return []
        reported = [each.removeprefix("STATUS=") for each in lines if each.startswith("STATUS=")]
        self.status = reported[-1] if reported else self.status
        return lines

    def until(self, *words: str, timeout_s: float) -> str:
        """Receive until the status contains all of these words."""
        end = time.monotonic() + timeout_s
        while not all(word in self.status for word in words):
            assert time.monotonic() < end, f"{words} did not come, but: {self.status}"
            self.receive(1.0)
        return self.status

    def close(self) -> None:
        self._socket.close()
