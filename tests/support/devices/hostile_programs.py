"""Hostile HTTP programs on real sockets: one behaviour for each connection.

A behaviour has a kind, random numbers from a seed, and whether its answer is valid. `behaviours(n)`
gives n of them, every kind at least once.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

GOOD = b'{"type":"laser","direction":[1,0,-1]}'
BLOCK = b"x" * 65536
GIB = 1024**3
BOMB = gzip.compress(b" " * 10_000_000 + GOOD)
LIMIT_S = 8.0  # of every connection, so that tests end

Act = Callable[[socket.socket, Random], None]


@dataclass(frozen=True)
class Behaviour:
    """What a program does on each request."""

    kind: str
    act: Act
    counts: bool = False  # an unusual but valid answer

    def __str__(self) -> str:
        return self.kind


# -- small parts -------------------------------------------------------------------------------


def request(conn: socket.socket) -> bytes:
    """Read one complete request."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = conn.recv(65536)
        if not part:
            raise ConnectionError("the client has gone away")
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length")
    )
    while len(body) < length:
        body += conn.recv(65536)
    return body


def head(*lines: str, status: str = "HTTP/1.1 200 OK") -> bytes:
    return "\r\n".join((status, *lines, "", "")).encode("latin-1")


def answer(body: bytes, *more: str, kind: str = "application/json", status: str = "HTTP/1.1 200 OK",
           length: object = None) -> bytes:  # fmt: skip
    size = len(body) if length is None else length
    return head(f"Content-Type: {kind}", f"Content-Length: {size}", *more, status=status) + body


def says(data: bytes | Callable[[Random], bytes]) -> Act:
    """Answers every request with that and keeps the connection open."""

    def act(conn: socket.socket, rng: Random) -> None:
        made = data if isinstance(data, bytes) else data(rng)
        while True:
            request(conn)
            conn.sendall(made)

    return act


def body(text: bytes | str | Callable[[Random], bytes | str]) -> Act:
    def data(rng: Random) -> bytes:
        made = text(rng) if callable(text) else text
        return answer(made.encode("utf-8", "surrogatepass") if isinstance(made, str) else made)

    return says(data)


def linger(conn: socket.socket) -> None:
    """Keep the connection open until the client closes it."""
    with contextlib.suppress(OSError):
        while conn.recv(65536):
            continue


def reset(conn: socket.socket) -> None:
    conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    conn.close()


def flood(first: bytes, block: bytes, most: int = GIB) -> Act:
    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        request(conn)
        conn.sendall(first)
        for _ in range(0, most, len(block)):
            conn.sendall(block)

    return act


def drip(data: bytes, every_s: float = 0.15) -> Act:
    """Sends one byte at a time, so that no single wait is long."""

    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        request(conn)
        silent = threading.Event()
        for at in range(len(data)):
            conn.sendall(data[at : at + 1])
            silent.wait(every_s)
        linger(conn)

    return act


def cut(at: str) -> Act:
    """A connection that is reset or closed at one of several stages."""

    def act(conn: socket.socket, rng: Random) -> None:
        whole = answer(GOOD)
        if at != "accept":
            request(conn)
        if at == "head":
            conn.sendall(whole[: rng.randrange(1, whole.index(b"\r\n\r\n"))])
        elif at == "body":
            conn.sendall(whole[: -rng.randrange(1, len(GOOD))])
        (reset if rng.random() < 0.6 else socket.socket.close)(conn)

    return act


def silent(stage: str) -> Act:
    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        if stage != "deaf":
            request(conn)
        if stage == "head":
            conn.sendall(head("Content-Type: application/json", "Content-Length: 40"))
        threading.Event().wait(LIMIT_S)

    return act


def deep(rng: Random) -> str:
    depth = rng.choice([41, 500, 5_000, 30_000])
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}")])
    inner = "1"
    return f'{{"type":"move","direction":{opening * depth}{inner}{closing * depth}}}'[:65_000]


def wrong(rng: Random) -> str:
    """JSON that is no move."""
    junk = [None, 0, -1, 1.5, True, "", "move", [], {}, [1, 0], [1, 0, -1, 0], ["1", "0", "-1"],
            [1.0, 0.0, -1.0], [True, False, -1], [2, 0, -2], [0, 0, 0], [10**50, 0, -(10**50)],
            {"q": 1}, [[1, 0, -1]], "[1,0,-1]"]  # fmt: skip
    kind = rng.choice(["move", "laser", "noop", "MOVE", "fly", None, 7, ["move"], {"a": 1}])
    made = {"type": kind, "direction": rng.choice(junk)}
    return json.dumps(rng.choice([made, made, [made], made["direction"], {"action": made}]))


def redirect(rng: Random) -> bytes:
    target = rng.choice(["file:///etc/passwd", "http://169.254.169.254/latest/meta-data/", "/a",
                         "http://[::1]:22/", "gopher://127.0.0.1:70/_", "//host/"])  # fmt: skip
    status = rng.choice([301, 302, 303, 307, 308])
    return answer(GOOD, f"Location: {target}", status=f"HTTP/1.1 {status} Go")


def bad_chunk(rng: Random) -> bytes:
    size = rng.choice(
        ["-5", "0x25", "zz", "", "25 25", "F" * 40, "+25", "7fffffffffffffff", "25;" + "e" * 10**6]
    )
    first = head("Content-Type: application/json", "Transfer-Encoding: chunked")
    return first + f"{size}\r\n".encode() + GOOD + b"\r\n0\r\n\r\n"


def bad_status(rng: Random) -> bytes:
    line = rng.choice(["HTTP/0.9 200 OK", "HTTP/9.9 200 OK", "HTTP/1.1 abc OK", "HTTP/1.1 99 OK",
                       "HTTP/1.1 1000 OK", "ICY 200 OK", "SSH-2.0-OpenSSH_9.6", "\x16\x03\x01\x02",
                       "HTTP/1.1", "200 OK", "", "HTTP/2 200"])  # fmt: skip
    return answer(GOOD, status=line)


def bad_header(rng: Random) -> bytes:
    line = rng.choice(["no colon", ": empty", "a b: c", "x: \x00y", "x\x7f: y",
                       "Content-Length: -1",
                       "Content-Length: 1e3", "Content-Length: 9" + "9" * 40, "Content-Length: 4",
                       "Transfer-Encoding: gzip",
                       "Transfer-Encoding: chunked, chunked"])  # fmt: skip
    return answer(GOOD, line)


def status(rng: Random) -> bytes:
    code = rng.choice([204, 304, 400, 401, 403, 404, 405, 418, 429, 500, 502, 503, 511])
    return answer(b"" if code in (204, 304) else GOOD, status=f"HTTP/1.1 {code} Sorry")


def bomb(rng: Random) -> bytes:
    coding = rng.choice(["gzip", "deflate", "br", "gzip, gzip", "x-gzip", "zstd"])
    return answer(BOMB, f"Content-Encoding: {coding}")


def other_kind(rng: Random) -> bytes:
    kind = rng.choice(["image/png", "application/octet-stream", "multipart/form-data; boundary=x",
                       "application/xml", "video/mp4"])  # fmt: skip
    return answer(GOOD, kind=kind)


def other_charset(rng: Random) -> bytes:
    charset = rng.choice(["latin-1", "utf-16", "shift_jis", "utf-7", "cp1252"])
    return answer(GOOD, kind=f"application/json; charset={charset}")


def unsound(rng: Random) -> bytes | str:
    texts: list[bytes | str] = [
        '{"type":"move","direction":NaN}', '{"type":"move","direction":[1,0,-Infinity]}',
        '{"type":"move","type":"laser","direction":[1,0,-1]}', '{"type":"\ud800","direction":[1]}',
        '{"type":"move","direction":[1e999,0,-1]}', f'{{"type":"move","direction":[{"9" * 5000}]}}',
        "", " " * 60_000, "{", '{"type":"move","direction":[1,0,-1]', GOOD.decode() * 2,
        b"\xff\xfe" + GOOD.decode().encode("utf-16-le"), b'{"type":"\xc3\x28"}', b"\x00" * 500,
        "<html>Internal Server Error</html>", "move 1 0 -1", "\ufeff\ufeff{}",
        '"' + "x" * 65_000 + '"',
    ]  # fmt: skip
    return rng.choice(texts)


def odd(rng: Random) -> bytes:
    """Unusual but valid answers."""
    padded = (
        b'{"nick":"x","why":"' + b"y" * 3000 + b'","type":"laser","direction":[1,0,-1],"z":[[]]}'
    )
    chunks = b"".join(b"1\r\n" + GOOD[at : at + 1] + b"\r\n" for at in range(len(GOOD)))
    chunked = head("Transfer-Encoding: chunked") + chunks + b"0\r\nX-Trailer: 1\r\n\r\n"
    return rng.choice([
        answer(padded), answer(b"\xef\xbb\xbf" + GOOD), answer(b"\n\n " + GOOD + b"  \n"), chunked,
        answer(GOOD, kind="text/html; charset=utf-8"), answer(GOOD, kind="text/plain"),
        answer(GOOD, status="HTTP/1.1 201 Created"), answer(GOOD, status="HTTP/1.1 200"),
        head("Content-Length: 37") + GOOD, answer(GOOD, *(f"X-{n}: 1" for n in range(90))),
        b"HTTP/1.1 103 Early Hints\r\n\r\n" * 3 + answer(GOOD),
    ])  # fmt: skip


def closing(conn: socket.socket, rng: Random) -> None:
    """An answer without a length: it ends with the connection."""
    request(conn)
    conn.sendall(head("Content-Type: application/json", status=f"HTTP/1.{rng.randrange(2)} 200 OK"))
    conn.sendall(GOOD)
    conn.close()


def unasked(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
    """Answers before the request, and several times."""
    conn.sendall(answer(b'{"type":"fly"}') * 5)
    linger(conn)


CHUNKED = head("Content-Type: application/json", "Transfer-Encoding: chunked")
KINDS: dict[str, tuple[Act, bool]] = {
    "JSON that is no action": (body(wrong), False),
    "unsound JSON, text or bytes": (body(unsound), False),
    "deep nesting": (body(deep), False),
    "redirect to file:, metadata, itself": (says(redirect), False),
    "other status": (says(status), False),
    "not HTTP, or HTTP/0.9": (says(bad_status), False),
    "broken or contradicting headers": (says(bad_header), False),
    "bad chunk sizes": (says(bad_chunk), False),
    "compressed, a bomb": (says(bomb), False),
    "wrong content type": (says(other_kind), False),
    "wrong charset": (says(other_charset), False),
    "1 GiB, chunked": (flood(CHUNKED, b"10000\r\n" + BLOCK + b"\r\n"), False),
    "1 GiB, with its length": (flood(answer(b"", length=GIB), BLOCK), False),
    "1 GiB, without a length": (flood(head("Content-Type: application/json"), BLOCK), False),
    "1 GiB of headers": (flood(b"HTTP/1.1 200 OK\r\n", b"X-Y: " + BLOCK[:8000] + b"\r\n"), False),
    "one endless header": (flood(b"HTTP/1.1 200 OK\r\nX: ", BLOCK), False),
    "endless 100 Continue": (flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 500), False),
    "endless trailers": (flood(CHUNKED + b"0\r\n", b"X-Y: " + BLOCK[:4000] + b"\r\n"), False),
    "headers drip": (drip(answer(GOOD)), False),
    "body drips": (drip(CHUNKED + b"1\r\n \r\n" * 100), False),
    "100 Continue drips": (drip(b"HTTP/1.1 100 Continue\r\n\r\n" * 40), False),
    "no answer": (silent("request"), False),
    "headers and no body": (silent("head"), False),
    "does not even read": (silent("deaf"), False),
    "reset or closed on arrival": (cut("accept"), False),
    "reset or closed when asked": (cut("request"), False),
    "reset or closed in the headers": (cut("head"), False),
    "reset or closed in the body": (cut("body"), False),
    "switching protocols": (says(head("Upgrade: x", status="HTTP/1.1 101 Switch")), False),
    "answers before the request, five times": (unasked, False),
    "unusual, but valid": (says(odd), True),
    "ended by the end of the connection": (closing, True),
}


def behaviours(count: int, seed: int = 1) -> Iterator[tuple[Behaviour, int]]:
    """Behaviours of every kind in turn, each with its seed."""
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        act, counts = KINDS[kind]
        yield Behaviour(kind, act, counts), 1000 * seed + number


class Server:
    """A program on a local port with one behaviour for all connections."""

    def __init__(self, behaviour: Behaviour, seed: int = 0) -> None:
        self._behaviour, self._seed = behaviour, seed
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/secret-path"
        self._open: list[socket.socket] = []
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                conn, _ = self._socket.accept()
                self.connections += 1
                conn.settimeout(LIMIT_S)
                self._open.append(conn)
                threading.Thread(target=self._behave, args=(conn,), daemon=True).start()

    def _behave(self, conn: socket.socket) -> None:
        with contextlib.suppress(OSError, ConnectionError):
            self._behaviour.act(conn, Random(self._seed))

    def close(self) -> None:
        for each in (self._socket, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
