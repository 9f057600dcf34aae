"""A minimal MQTT 3.1.1 broker that records every packet that it receives.

The only wildcard is a trailing `#`. `cut` closes all connections without a DISCONNECT.
"""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CONNECT, PUBLISH, PUBACK, SUBSCRIBE, PINGREQ, DISCONNECT = 1, 3, 4, 8, 12, 14
TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Packet:
    """What a client has sent."""

    kind: int
    client: str
    flags: int
    body: bytes


@dataclass(eq=False)
class _Client:
    line: socket.socket
    name: str = ""
    will: tuple[str, bytes] | None = None
    topics: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, content: bytes) -> None:
        with self.lock, contextlib.suppress(OSError):
            self.line.sendall(content)


class Broker:
    """A broker that runs from its construction until `close`."""

    def __init__(self, port: int = 0, user: str = "", password: str = "") -> None:
        self._user, self._password = user, password
        self.packets: list[Packet] = []
        self.retained: dict[str, bytes] = {}
        self.published: list[tuple[str, bytes]] = []  # wills, too
        self.answers = True  # if False, no packet is acknowledged and no client is accepted
        self._clients: list[_Client] = []
        self._lock = threading.RLock()
        self._socket = socket.create_server(("127.0.0.1", port or own_port()))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        user = f"{self._user}@" if self._user else ""
        return f"mqtt://{user}127.0.0.1:{self.port}"

    def cut(self) -> None:
        with self._lock:
            for client in self._clients:
                with contextlib.suppress(OSError):
                    client.line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self.cut()

    def sent(self, kind: int) -> list[Packet]:
        with self._lock:
            return [each for each in self.packets if each.kind == kind]

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        with self._lock:
            self.published.append((topic, payload))
            if retain:
                self.retained[topic] = payload
            for client in self._clients:
                if any(_fits(topic, each) for each in client.topics):
                    client.send(_message(topic, payload, retained=False))

    # -- in threads ----------------------------------------------------------------------------

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(_Client(line),), daemon=True).start()

    def _serve(self, client: _Client) -> None:
        left = False
        with self._lock:
            self._clients.append(client)
        try:
            with contextlib.suppress(OSError, EOFError):
                while not left:
                    left = self._packet(client, *_read(client.line))
        finally:
            with self._lock:
                self._clients.remove(client)
            client.line.close()
            if not left and client.will is not None:
                self.publish(*client.will, retain=True)

    def _packet(self, client: _Client, kind: int, flags: int, body: bytes) -> bool:
        with self._lock:
            self.packets.append(Packet(kind, client.name, flags, body))
        if not self.answers:
            return False
        match kind:
            case 1:
                client.send(bytes((0x20, 2, 0, self._connect(client, body))))
            case 3:
                self._published(client, flags, body)
            case 8:
                self._subscribe(client, body)
            case 12:
                client.send(b"\xd0\x00")
            case 14:
                return True
        return False

    def _connect(self, client: _Client, body: bytes) -> int:
        flags, at = body[7], 10

        def text() -> bytes:
            nonlocal at
            (length,) = struct.unpack_from(">H", body, at)
            at += 2 + length
            return body[at - length : at]

        client.name = text().decode()
        if flags & 4:
            client.will = text().decode(), text()
        user = text().decode() if flags & 0x80 else ""
        password = text().decode() if flags & 0x40 else ""
        return 0 if (user, password) == (self._user, self._password) else 5

    def _published(self, client: _Client, flags: int, body: bytes) -> None:
        (length,) = struct.unpack_from(">H", body)
        topic, rest = body[2 : 2 + length].decode(), body[2 + length :]
        if flags & 6:
            client.send(b"\x40\x02" + rest[:2])
            rest = rest[2:]
        self.publish(topic, rest, bool(flags & 1))

    def _subscribe(self, client: _Client, body: bytes) -> None:
        (length,) = struct.unpack_from(">H", body, 2)
        topic = body[4 : 4 + length].decode()
        client.send(b"\x90\x03" + body[:2] + b"\x01")
        with self._lock:
            client.topics.append(topic)
            for each, payload in self.retained.items():
                if _fits(each, topic):
                    client.send(_message(each, payload, retained=True))


@contextmanager
def broker(port: int = 0, user: str = "", password: str = "") -> Iterator[Broker]:
    found = Broker(port, user, password)
    try:
        yield found
    finally:
        found.close()


def own_port() -> int:
    """A free port outside of the range of ephemeral ports.

    The system may assign an ephemeral port to another socket, and a client that keeps connecting to
    an ephemeral port may be connected to itself.
    """
    given = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split()
    lowest = int(given[0])
    ports = range(lowest - 8000, lowest) if lowest > 18_000 else range(10_000, 60_000)
    while True:
        port = random.choice(ports)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def until(met: Callable[[], object], within_s: float = TIMEOUT_S) -> None:
    """Poll the condition until it is true."""
    end_s = time.monotonic() + within_s
    while not met():
        assert time.monotonic() < end_s, "timed out"
        time.sleep(0.01)


def _read(line: socket.socket) -> tuple[int, int, bytes]:
    first = _exactly(line, 1)[0]
    length = shift = 0
    while True:
        part = _exactly(line, 1)[0]
        length |= (part & 127) << shift
        shift += 7
        if not part & 128:
            return first >> 4, first & 15, _exactly(line, length)


def _exactly(line: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        part = line.recv(count - len(found))
        if not part:
            raise EOFError
        found += part
    return found


def _message(topic: str, payload: bytes, retained: bool) -> bytes:
    body = struct.pack(">H", len(topic.encode())) + topic.encode() + payload
    length, head = len(body), bytearray((0x31 if retained else 0x30,))
    while True:
        length, part = divmod(length, 128)
        head.append(part | (128 if length else 0))
        if not length:
            return bytes(head) + body


def _fits(topic: str, wanted: str) -> bool:
    return topic.startswith(wanted[:-1]) if wanted.endswith("#") else topic == wanted
