"""`ddp://`: WLED and friends over the network (Distributed Display Protocol on UDP), unmodified.

Nothing is confirmed: what was sent is taken for shown, and sent again every second. That a host is
gone shows only if somebody there says so.
"""

from __future__ import annotations

import select
import socket
import struct
from dataclasses import dataclass, field

import numpy as np

from controller.devices.leds import LinkCounts, MatrixSettings, Unavailable
from controller.ports import MatrixDetails, Pixels

PORT = 4048
REPEAT_MS = 1_000.0  # WLED takes its LEDs back after 2.5 s of silence
LEDS_PER_PACKET = 480  # 1440 bytes: fits into one Ethernet frame
HEADER = struct.Struct(">BBBBIH")  # flags, sequence, type, destination, offset, length
VERSION_1, PUSH = 0x40, 0x01
RGB_8_BITS = 0x0B  # type 1 (RGB) in bits 3-5, size 3 (8 bits a channel) in bits 0-2
DISPLAY = 1
FIRST_ANSWER_MS = 50  # for a refusal of the first packet


@dataclass(slots=True)
class DdpLink:
    """One host. WLED itself knows in which order its LEDs want their colours."""

    host: str
    settings: MatrixSettings
    port: int = PORT
    counts: LinkCounts = field(default_factory=LinkCounts)
    _socket: socket.socket | None = None
    _fresh: bool = False  # nothing was sent since it was opened
    _sequence: int = 0
    _last: Pixels | None = None

    @property
    def name(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"ddp://{host}" if self.port == PORT else f"ddp://{host}:{self.port}"

    @property
    def leds(self) -> int:
        return self.settings.leds

    @property
    def keep_alive_ms(self) -> float:
        return REPEAT_MS

    def open(self) -> MatrixDetails:
        self.close()
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_DGRAM)
            family, kind, protocol, _, address = found[0]
            self._socket = socket.socket(family, kind, protocol)
            self._socket.setblocking(False)
            self._socket.connect(address)
        except socket.gaierror:
            raise Unavailable(
                f"the network knows no {self.host}: is it switched on and in the same network? "
                "Its number works too, such as ddp://192.168.1.40"
            ) from None
        except (OSError, UnicodeError) as trouble:
            raise Unavailable(f"{self.host} cannot be reached: {trouble}") from None
        self._fresh = True
        return MatrixDetails(self.leds, False, f"DDP at {self.host} port {self.port}")

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        self._last = picture
        self._send(picture)

    def keep_alive(self) -> None:
        if self._last is not None:
            self._send(self._last)

    def blank(self) -> None:
        self._last = None
        self._send(np.zeros((self.leds, 3), np.uint8))

    def close(self) -> None:
        self._last = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, picture: Pixels) -> None:
        if self._socket is None:
            raise Unavailable(f"{self.name} is not open")
        try:
            for start in range(0, len(picture), LEDS_PER_PACKET):
                part = picture[start : start + LEDS_PER_PACKET]
                last = start + LEDS_PER_PACKET >= len(picture)
                self._sequence = self._sequence % 15 + 1
                self._socket.send(packet(part, start, self._sequence, last))
            if self._fresh:
                self._fresh = False
                refused = select.poll()
                refused.register(self._socket, select.POLLERR)
                refused.poll(FIRST_ANSWER_MS)
            if trouble := self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                raise OSError(trouble, "")
        except ConnectionRefusedError:
            raise Unavailable(
                f"nobody listens on port {self.port} of {self.host}: is DDP on? "
                "(WLED: Config, Sync Interfaces, Realtime)"
            ) from None
        except BlockingIOError:
            self.counts.unanswered += 1  # the network is full: as good as lost on the way
        except OSError as trouble:
            raise Unavailable(f"{self.host} cannot be reached: {trouble}") from None


def packet(part: Pixels, start: int, sequence: int, last: bool) -> bytes:
    """Some LEDs of a picture; with the last of them it is shown."""
    flags = VERSION_1 | PUSH if last else VERSION_1
    header = HEADER.pack(flags, sequence, RGB_8_BITS, DISPLAY, 3 * start, 3 * len(part))
    return header + part.tobytes()
