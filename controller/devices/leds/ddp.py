"""`ddp://`: WLED and others over the network (Distributed Display Protocol on UDP), unmodified.

A host that is gone is noticed only if its network stack refuses the packets.
"""

from __future__ import annotations

import select
import socket
import struct
from dataclasses import dataclass, field

from controller.devices import sentences
from controller.devices.leds.live import LedsUnavailable
from controller.devices.leds.unacknowledged import UnacknowledgedLink
from controller.ports.devices import Pixels
from controller.ports.sentences import REMEDY_AFTER_COLON
from engine.sentences import Sentence

PORT = 4048
LEDS_PER_PACKET = 480  # 1440 bytes fit into one Ethernet frame
HEADER = struct.Struct(">BBBBIH")  # flags, sequence, type, destination, offset, length
VERSION_1, PUSH = 0x40, 0x01
RGB_8_BITS = 0x0B  # type 1 (RGB) in bits 3-5, size 3 (8 bits a channel) in bits 0-2
DESTINATION_DISPLAY = 1
REFUSAL_WAIT_MS = 50  # for a refusal of the first packet


@dataclass
class DdpLink(UnacknowledgedLink):
    """One host. WLED itself reorders the colours for its LEDs."""

    host: str
    port: int = PORT
    _socket: socket.socket | None = field(default=None, init=False)
    _nothing_sent: bool = field(default=False, init=False)  # since it was opened
    _sequence: int = field(default=0, init=False)

    @property
    def name(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"ddp://{host}" if self.port == PORT else f"ddp://{host}:{self.port}"

    def _open_device(self) -> Sentence:
        try:
            addresses = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_DGRAM)
            family, kind, protocol, _, address = addresses[0]
            self._socket = socket.socket(family, kind, protocol)
            self._socket.setblocking(False)
            self._socket.connect(address)
        except socket.gaierror as error:
            raise LedsUnavailable(
                REMEDY_AFTER_COLON(
                    problem=sentences.UNKNOWN_HOST(host=self.host), remedy=sentences.IS_HOST_ON()
                )
            ) from error
        except (OSError, UnicodeError) as error:
            raise self._unreachable(error) from error
        self._nothing_sent = True
        return sentences.DDP_HOST(host=self.host, port=self.port)

    def _close_device(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _transmit(self, picture: Pixels) -> None:
        if self._socket is None:
            raise LedsUnavailable(sentences.DEVICE_NOT_OPEN(device=self.name))
        try:
            for start in range(0, len(picture), LEDS_PER_PACKET):
                part = picture[start : start + LEDS_PER_PACKET]
                last = start + LEDS_PER_PACKET >= len(picture)
                self._sequence = self._sequence % 15 + 1
                self._socket.send(encode_packet(part, start, self._sequence, last))
            if self._nothing_sent:
                self._nothing_sent = False
                refused = select.poll()
                refused.register(self._socket, select.POLLERR)
                refused.poll(REFUSAL_WAIT_MS)
            if trouble := self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                raise OSError(trouble, "")
        except ConnectionRefusedError as error:
            raise LedsUnavailable(
                REMEDY_AFTER_COLON(
                    problem=sentences.DDP_REFUSED(port=self.port, host=self.host),
                    remedy=sentences.IS_DDP_ON(),
                )
            ) from error
        except BlockingIOError:
            self.counts.unanswered += 1  # the send buffer is full: the packet counts as lost
        except OSError as error:
            raise self._unreachable(error) from error

    def _unreachable(self, trouble: Exception) -> LedsUnavailable:
        return LedsUnavailable(sentences.HOST_UNREACHABLE(host=self.host, reason=str(trouble)))


def encode_packet(part: Pixels, start: int, sequence: int, last: bool) -> bytes:
    """Some LEDs of a picture. WLED shows the picture with the last packet."""
    flags = VERSION_1 | PUSH if last else VERSION_1
    header = HEADER.pack(flags, sequence, RGB_8_BITS, DESTINATION_DISPLAY, 3 * start, 3 * len(part))
    return header + part.tobytes()
