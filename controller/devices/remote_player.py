"""A program somewhere else as a `controller.ports.Player`: asked over HTTP, with one deadline.

httpcore does the HTTP, over connections that know when the time is up and how much was read: name,
connection, TLS, headers and body share the same seconds, however slowly they drip. Nothing of the
address ever gets into a reason: the other player's program reads those.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from queue import SimpleQueue
from typing import Any

import httpcore

from controller.ports import Chosen, Clock, PlayerEvent, PlayerFailed, Question
from controller.program_address import ProgramAddress
from engine.errors import LaserboardError

DEADLINE_S = 4.0
GRACE_S = 0.15  # a worker that is stuck in a name look-up is not waited for any longer
LARGEST_BODY = 64 * 1024
LARGEST_HEAD = 32 * 1024  # status lines, headers and the framing of the body
MOST_STUCK = 8
CHUNK = 16 * 1024
REDIRECTS = range(300, 400)
VERSIONS = (b"HTTP/1.0", b"HTTP/1.1")
NOT_HTTP = "an answer that is not HTTP/1.1, or breaks off"

Understand = Callable[[str], str]  # an answer as a move of the game; an error of ours if it is none


class _Refused(Exception):
    """An answer that is none, and why."""


class _Late(_Refused):
    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")


@dataclass(frozen=True, slots=True)
class _Task:
    number: int
    body: bytes
    end_ms: float


class RemotePlayer:
    """One program. A worker thread speaks with it; one that hangs is left behind and replaced."""

    def __init__(
        self,
        clock: Clock,
        address: ProgramAddress,
        understand: Understand,
        told: Callable[[], None] = lambda: None,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self.name = "a program"
        self._clock, self._address, self._understand = clock, address, understand
        self._told, self._deadline_s = told, deadline_s
        self._lock = threading.Lock()
        self._count = 0
        self._task: _Task | None = None
        self._events: list[PlayerEvent] = []
        self._worker: _Worker | None = None
        self._stuck: list[_Worker] = []
        self._closed = False

    def think(self, question: Question) -> int:
        """Post the position of the question, which is what the program is to read."""
        with self._lock:
            self._count += 1
            now_ms, number = self._clock.now_ms(), self._count
            self._events.clear()
            self._task = _Task(number, question.position.encode(), now_ms + 1000 * self._deadline_s)
            worker = self._ready()
            if worker is None:
                self._answered(number, PlayerFailed(number, "earlier requests still hang", now_ms))
            else:
                worker.tasks.put(self._task)
            return number

    def stop(self) -> None:
        with self._lock:
            self._task = None
            self._events.clear()

    def events(self) -> list[PlayerEvent]:
        with self._lock:
            task, now_ms = self._task, self._clock.now_ms()
            if task is not None and now_ms > task.end_ms + 1000 * GRACE_S:
                late = PlayerFailed(task.number, str(_Late(self._deadline_s)), now_ms)
                self._answered(task.number, late)
            events, self._events = self._events, []
            return events

    def close(self) -> None:
        with self._lock:
            self._closed, self._task = True, None
            for worker in (self._worker, *self._stuck):
                if worker is not None:
                    worker.tasks.put(None)

    # -- the workers ---------------------------------------------------------------------------

    def _ready(self) -> _Worker | None:
        """One that has nothing to do; None if too many hang."""
        self._stuck = [each for each in self._stuck if each.busy]
        if self._worker is not None and self._worker.busy:
            self._worker.tasks.put(None)  # it ends when it comes to its end
            self._stuck.append(self._worker)
            self._worker = None
        if len(self._stuck) >= MOST_STUCK:
            return None
        if self._worker is None:
            self._worker = _Worker(self._run)
        self._worker.busy = True
        return self._worker

    def _run(self, worker: _Worker) -> None:
        line = _Line(self._clock, self._address)
        try:
            while (task := worker.tasks.get()) is not None:
                event = self._event(line, task)
                with self._lock:
                    worker.busy = False
                    self._answered(task.number, event)
                self._told()
        finally:
            line.close()

    def _event(self, line: _Line, task: _Task) -> PlayerEvent:
        try:
            move = self._understand(line.ask(task.body, task.end_ms, self._deadline_s))
            if self._clock.now_ms() > task.end_ms:
                raise _Late(self._deadline_s)
            return Chosen(task.number, move, 0, self._clock.now_ms())
        except (_Refused, LaserboardError) as wrong:
            return PlayerFailed(task.number, str(wrong), self._clock.now_ms())
        except Exception as defect:  # the round must go on, whatever a stranger sends
            reason = f"an answer that cannot be read ({type(defect).__name__})"
            return PlayerFailed(task.number, reason, self._clock.now_ms())

    def _answered(self, number: int, event: PlayerEvent) -> None:
        if self._task is not None and self._task.number == number:
            self._task = None
            self._events.append(event)


class _Worker:
    """A thread and what it is to do; None ends it."""

    def __init__(self, run: Callable[[_Worker], None]) -> None:
        self.tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self.busy = False
        threading.Thread(target=run, args=(self,), name="a program", daemon=True).start()


# -- one conversation --------------------------------------------------------------------------


class _Line:
    """The connection to one program: kept open between requests, and never shared."""

    def __init__(self, clock: Clock, address: ProgramAddress) -> None:
        self._address = address
        self._backend = _Backend(clock)
        secure = ssl.create_default_context() if address.scheme == "https" else None
        # No proxies, no retries, no HTTP/2, no cookies: httpcore does only what it is told.
        self._pool = httpcore.ConnectionPool(
            ssl_context=secure, max_connections=1, network_backend=self._backend
        )
        self._url = httpcore.URL(
            scheme=address.scheme.encode(),
            host=address.host.encode(),
            port=address.port,
            target=address.target.encode(),
        )

    def close(self) -> None:
        with contextlib.suppress(Exception):  # there is nothing left to lose
            self._pool.close()

    def ask(self, body: bytes, end_ms: float, deadline_s: float) -> str:
        """The text of the answer, or `_Refused`."""
        budget = self._backend.budget = _Budget(end_ms)
        connected = self._backend.connected
        try:
            try:
                return self._asked(body)
            except httpcore.RemoteProtocolError:
                # A connection that was kept open may just have been closed at the other end.
                if self._backend.connected != connected or budget.read:
                    raise
                return self._asked(body)
        except _Refused as refused:
            if self._backend.left_s() <= 0:
                raise _Late(deadline_s) from None
            raise refused from None
        except httpcore.TimeoutException:
            raise _Late(deadline_s) from None
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as trouble:
            raise _Refused(_reason(trouble)) from None

    def _asked(self, body: bytes) -> str:
        headers: dict[bytes | str, bytes | str] = {
            "Host": self._host(),
            "User-Agent": _agent(),
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
        if self._address.authorization:
            headers["Authorization"] = self._address.authorization
        with self._pool.stream("POST", self._url, headers=headers, content=body) as response:
            _check_head(response)
            found = bytearray()
            for part in response.iter_stream():
                found += part
                if len(found) > LARGEST_BODY:
                    raise _Refused(f"an answer of more than {LARGEST_BODY // 1024} KiB")
        try:
            return found.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise _Refused("an answer that is not UTF-8") from None

    def _host(self) -> str:
        address = self._address
        host = f"[{address.host}]" if ":" in address.host else address.host
        usual = {"http": 80, "https": 443}[address.scheme]
        return host if address.port == usual else f"{host}:{address.port}"


@cache
def _agent() -> str:
    return f"laserboard/{version('laserboard')}"


def _check_head(response: httpcore.Response) -> None:
    """Refuse what no program needs, before any of its body is read."""
    if response.extensions.get("http_version") not in VERSIONS:
        raise _Refused(NOT_HTTP)
    if response.status in REDIRECTS:
        raise _Refused(f"status {response.status}: redirects are not followed")
    if not 200 <= response.status < 300:
        raise _Refused(f"status {response.status} instead of 200")
    headers = {name.lower(): value for name, value in response.headers}
    if headers.get(b"content-encoding", b"identity").strip().lower() not in (b"identity", b""):
        raise _Refused("a compressed answer: send it as it is")
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) > LARGEST_BODY:
        raise _Refused(f"an answer of more than {LARGEST_BODY // 1024} KiB")
    kind, *parameters = headers.get(b"content-type", b"").decode("latin-1").lower().split(";")
    # Many small servers call everything text; what it really is, its reader finds out.
    if kind.strip() and "json" not in kind and not kind.strip().startswith("text/"):
        raise _Refused("an answer that is not application/json")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset" and value.strip(' "\t') not in ("utf-8", "utf8", "us-ascii"):
            raise _Refused("an answer in another charset than UTF-8")


def _reason(trouble: Exception) -> str:
    """Why there is no answer, without anything that names the place."""
    cause: BaseException | None = trouble
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "cannot be reached: the name of its host is not known"
        if isinstance(cause, ssl.SSLCertVerificationError):
            return "cannot be trusted: its certificate is not valid"
        if isinstance(cause, ssl.SSLError):
            return "no secure connection: TLS failed"
        if isinstance(cause, ConnectionRefusedError):
            return "cannot be reached: nobody listens there"
        if isinstance(cause, OSError) and cause.strerror:
            return f"the connection broke: {cause.strerror.lower()}"
        cause = cause.__cause__ or cause.__context__
    if isinstance(trouble, httpcore.ProtocolError):
        return NOT_HTTP
    return "the connection broke"


# -- connections with a budget -----------------------------------------------------------------


@dataclass(slots=True)
class _Budget:
    """What one request may spend."""

    end_ms: float
    read: int = 0  # bytes


class _Backend(httpcore.NetworkBackend):
    """Opens connections that share the budget of the request under way."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._real = clock, httpcore.SyncBackend()
        self.budget = _Budget(0.0)
        self.connected = 0  # connections that were opened

    def left_s(self) -> float:
        return (self.budget.end_ms - self._clock.now_ms()) / 1000

    def wait_s(self) -> float:
        """What is left to wait; too late if nothing is."""
        left_s = self.left_s()
        if left_s <= 0:
            raise httpcore.ReadTimeout("the time is up")
        return left_s

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        self.connected += 1
        options = (*(socket_options or ()), (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1))
        opened = self._real.connect_tcp(host, port, self.wait_s(), local_address, options)
        return _Stream(opened, self)


class _Stream(httpcore.NetworkStream):
    """A connection on which nothing takes longer, or brings more, than the budget allows."""

    def __init__(self, real: httpcore.NetworkStream, backend: _Backend) -> None:
        self._real, self._backend = real, backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        budget = self._backend.budget
        content = self._real.read(max_bytes, self._backend.wait_s())
        budget.read += len(content)
        if budget.read > LARGEST_BODY + LARGEST_HEAD:
            raise _Refused(f"an answer of more than {LARGEST_BODY // 1024} KiB")
        return content

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for at in range(0, len(buffer), CHUNK):
            self._real.write(buffer[at : at + CHUNK], self._backend.wait_s())

    def close(self) -> None:
        self._real.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        secure = self._real.start_tls(ssl_context, server_hostname, self._backend.wait_s())
        return _Stream(secure, self._backend)

    def get_extra_info(self, info: str) -> Any:
        return self._real.get_extra_info(info)
