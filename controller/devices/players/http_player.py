"""A program on another machine as a `controller.ports.devices.MoveChooser`, asked over HTTP.

One deadline covers name lookup, connection, TLS, headers and body, also if bytes arrive one by one:
the network backend of httpcore gives every call the remaining time and counts the bytes. Failure
reasons never contain the address, because the opponent's program reads them.
"""

from __future__ import annotations

import logging
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

from controller.config.addresses.program import ProgramAddress
from controller.devices import sentences
from controller.devices.worker import DeviceError, close_quietly
from controller.ports.devices import Clock, MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerEvent, PlayerFailed
from engine.errors import LaserboardError
from engine.sentences import Sentence

log = logging.getLogger(__name__)

DEADLINE_S = 4.0
DEADLINE_GRACE_S = 0.15  # then a worker stuck in a name lookup is abandoned
MAX_BODY_BYTES = 64 * 1024
MAX_HEAD_BYTES = 32 * 1024  # status line, headers and chunk framing
MAX_STUCK_WORKERS = 8
WRITE_BYTES = 16 * 1024
REDIRECTS = range(300, 400)
VERSIONS = (b"HTTP/1.0", b"HTTP/1.1")

ParseMove = Callable[[str], str]  # the move of an answer; raises LaserboardError


class _BadAnswer(DeviceError):
    """The answer is unusable."""


class _DeadlineExceeded(_BadAnswer):
    def __init__(self, seconds: float) -> None:
        super().__init__(sentences.NO_ANSWER_IN_TIME(seconds=seconds))


@dataclass(frozen=True, slots=True)
class _Task:
    number: int
    body: bytes
    end_ms: float


class HttpPlayer:
    """One program. A thread that hangs in a request is abandoned and replaced."""

    def __init__(
        self,
        clock: Clock,
        address: ProgramAddress,
        parse_move: ParseMove,
        on_event: Callable[[], None] = lambda: None,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self.name = "a program"
        self._clock, self._address, self._parse_move = clock, address, parse_move
        self._on_event, self._deadline_s = on_event, deadline_s
        self._lock = threading.Lock()
        self._count = 0
        self._task: _Task | None = None
        self._events: list[PlayerEvent] = []
        self._worker: _Worker | None = None
        self._stuck: list[_Worker] = []
        self._closed = False

    def think(self, question: MoveQuestion) -> int:
        """Post the position of the question to the program."""
        with self._lock:
            self._count += 1
            now_ms, number = self._clock.now_ms(), self._count
            self._events.clear()
            self._task = _Task(number, question.position.encode(), now_ms + 1000 * self._deadline_s)
            worker = self._idle_worker()
            if worker is None:
                hang = sentences.REQUESTS_HANG()
                self._finish_task(number, PlayerFailed(number, hang, now_ms))
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
            if task is not None and now_ms > task.end_ms + 1000 * DEADLINE_GRACE_S:
                late = sentences.NO_ANSWER_IN_TIME(seconds=self._deadline_s)
                self._finish_task(task.number, PlayerFailed(task.number, late, now_ms))
            events, self._events = self._events, []
            return events

    def close(self) -> None:
        with self._lock:
            self._closed, self._task = True, None
            for worker in (self._worker, *self._stuck):
                if worker is not None:
                    worker.tasks.put(None)

    # -- the workers ---------------------------------------------------------------------------

    def _idle_worker(self) -> _Worker | None:
        """A worker without a task; None if too many hang."""
        self._stuck = [each for each in self._stuck if each.busy]
        if self._worker is not None and self._worker.busy:
            self._worker.tasks.put(None)  # it ends after its current request
            self._stuck.append(self._worker)
            self._worker = None
        if len(self._stuck) >= MAX_STUCK_WORKERS:
            return None
        if self._worker is None:
            self._worker = _Worker(self._run)
        self._worker.busy = True
        return self._worker

    def _run(self, worker: _Worker) -> None:
        line = _HttpConnection(self._clock, self._address)
        try:
            while (task := worker.tasks.get()) is not None:
                event = self._run_task(line, task)
                with self._lock:
                    worker.busy = False
                    self._finish_task(task.number, event)
                self._on_event()
        finally:
            line.close()

    def _run_task(self, line: _HttpConnection, task: _Task) -> PlayerEvent:
        try:
            move = self._parse_move(line.post(task.body, task.end_ms, self._deadline_s))
            if self._clock.now_ms() > task.end_ms:
                raise _DeadlineExceeded(self._deadline_s)
            return PlayerAnswered(task.number, move, 0, self._clock.now_ms())
        except (_BadAnswer, LaserboardError) as wrong:
            return PlayerFailed(task.number, wrong.sentence, self._clock.now_ms())
        except Exception as defect:
            log.exception("cannot read the answer of a program")
            reason = sentences.ANSWER_UNREADABLE(error=type(defect).__name__)
            return PlayerFailed(task.number, reason, self._clock.now_ms())

    def _finish_task(self, number: int, event: PlayerEvent) -> None:
        if self._task is not None and self._task.number == number:
            self._task = None
            self._events.append(event)


class _Worker:
    """A thread and its task queue; None ends the thread."""

    def __init__(self, run: Callable[[_Worker], None]) -> None:
        self.tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self.busy = False
        threading.Thread(target=run, args=(self,), name="a program", daemon=True).start()


# -- one conversation --------------------------------------------------------------------------


class _HttpConnection:
    """The connection to one program, kept open between requests."""

    def __init__(self, clock: Clock, address: ProgramAddress) -> None:
        self._address = address
        self._backend = _Backend(clock)
        secure = ssl.create_default_context() if address.scheme == "https" else None
        # httpcore by itself uses no proxies, retries, HTTP/2 or cookies.
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
        close_quietly(self._pool.close, "a program")

    def post(self, body: bytes, end_ms: float, deadline_s: float) -> str:
        """Post a body and return the text of the answer. Raises `_BadAnswer`."""
        budget = self._backend.budget = _RequestBudget(end_ms)
        connected = self._backend.connection_count
        try:
            try:
                return self._post_once(body)
            except httpcore.RemoteProtocolError:
                # The server may have closed the kept-open connection at this moment.
                if self._backend.connection_count != connected or budget.bytes_read:
                    raise
                return self._post_once(body)
        except _BadAnswer:
            if self._backend.left_s() <= 0:
                raise _DeadlineExceeded(deadline_s) from None
            raise
        except httpcore.TimeoutException as error:
            raise _DeadlineExceeded(deadline_s) from error
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
            # `from None`: errors of httpcore may quote the header with the password.
            raise _BadAnswer(_failure_sentence(error)) from None

    def _post_once(self, body: bytes) -> str:
        headers: dict[bytes | str, bytes | str] = {
            "Host": self._host_header(),
            "User-Agent": _user_agent(),
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
        if self._address.authorization:
            headers["Authorization"] = self._address.authorization
        with self._pool.stream("POST", self._url, headers=headers, content=body) as response:
            _check_headers(response)
            received = bytearray()
            for part in response.iter_stream():
                received += part
                if len(received) > MAX_BODY_BYTES:
                    raise _BadAnswer(sentences.ANSWER_TOO_LONG(kib=MAX_BODY_BYTES // 1024))
        try:
            return received.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _BadAnswer(sentences.ANSWER_NOT_UTF8()) from error

    def _host_header(self) -> str:
        address = self._address
        host = f"[{address.host}]" if ":" in address.host else address.host
        usual = {"http": 80, "https": 443}[address.scheme]
        return host if address.port == usual else f"{host}:{address.port}"


@cache
def _user_agent() -> str:
    return f"laserboard/{version('laserboard')}"


def _check_headers(response: httpcore.Response) -> None:
    """Refuse redirects, compression, other types and large bodies before reading the body."""
    if response.extensions.get("http_version") not in VERSIONS:
        raise _BadAnswer(sentences.ANSWER_NOT_HTTP())
    if response.status in REDIRECTS:
        raise _BadAnswer(sentences.ANSWER_REDIRECTS(status=response.status))
    if not 200 <= response.status < 300:
        raise _BadAnswer(sentences.ANSWER_STATUS(status=response.status))
    headers = {name.lower(): value for name, value in response.headers}
    if headers.get(b"content-encoding", b"identity").strip().lower() not in (b"identity", b""):
        raise _BadAnswer(sentences.ANSWER_COMPRESSED())
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) > MAX_BODY_BYTES:
        raise _BadAnswer(sentences.ANSWER_TOO_LONG(kib=MAX_BODY_BYTES // 1024))
    kind, *parameters = headers.get(b"content-type", b"").decode("latin-1").lower().split(";")
    # Many small servers declare everything as text: `parse_move` validates the content.
    if kind.strip() and "json" not in kind and not kind.strip().startswith("text/"):
        raise _BadAnswer(sentences.ANSWER_NOT_JSON())
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset" and value.strip(' "\t') not in ("utf-8", "utf8", "us-ascii"):
            raise _BadAnswer(sentences.ANSWER_CHARSET())


def _failure_sentence(trouble: Exception) -> Sentence:
    """Why there is no answer, without the address."""
    cause: BaseException | None = trouble
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return sentences.PROGRAM_HOST_UNKNOWN()
        if isinstance(cause, ssl.SSLCertVerificationError):
            return sentences.PROGRAM_UNTRUSTED()
        if isinstance(cause, ssl.SSLError):
            return sentences.PROGRAM_TLS_FAILED()
        if isinstance(cause, ConnectionRefusedError):
            return sentences.PROGRAM_REFUSED()
        if isinstance(cause, OSError) and cause.strerror:
            return sentences.CONNECTION_BROKE_BY(reason=cause.strerror.lower())
        cause = cause.__cause__ or cause.__context__
    if isinstance(trouble, httpcore.ProtocolError):
        return sentences.ANSWER_NOT_HTTP()
    return sentences.CONNECTION_BROKE()


# -- connections with a budget -----------------------------------------------------------------


@dataclass(slots=True)
class _RequestBudget:
    """Deadline and byte count of one request."""

    end_ms: float
    bytes_read: int = 0


class _Backend(httpcore.NetworkBackend):
    """Opens connections that share the budget of the current request."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._real = clock, httpcore.SyncBackend()
        self.budget = _RequestBudget(0.0)
        self.connection_count = 0

    def left_s(self) -> float:
        return (self.budget.end_ms - self._clock.now_ms()) / 1000

    def remaining_or_timeout_s(self) -> float:
        """The remaining time; raises ReadTimeout if it is over."""
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
        self.connection_count += 1
        options = (*(socket_options or ()), (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1))
        opened = self._real.connect_tcp(
            host, port, self.remaining_or_timeout_s(), local_address, options
        )
        return _Stream(opened, self)


class _Stream(httpcore.NetworkStream):
    """Limits the time and the bytes of every call to the budget."""

    def __init__(self, real: httpcore.NetworkStream, backend: _Backend) -> None:
        self._real, self._backend = real, backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        budget = self._backend.budget
        content = self._real.read(max_bytes, self._backend.remaining_or_timeout_s())
        budget.bytes_read += len(content)
        if budget.bytes_read > MAX_BODY_BYTES + MAX_HEAD_BYTES:
            raise _BadAnswer(sentences.ANSWER_TOO_LONG(kib=MAX_BODY_BYTES // 1024))
        return content

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for at in range(0, len(buffer), WRITE_BYTES):
            self._real.write(buffer[at : at + WRITE_BYTES], self._backend.remaining_or_timeout_s())

    def close(self) -> None:
        self._real.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        secure = self._real.start_tls(
            ssl_context, server_hostname, self._backend.remaining_or_timeout_s()
        )
        return _Stream(secure, self._backend)

    def get_extra_info(self, info: str) -> Any:
        return self._real.get_extra_info(info)
