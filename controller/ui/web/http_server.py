"""Where pages are served, and how: the socket, the server, and the names of this computer.

What every page of ours has in common, whatever it shows.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.ui import sentences
from engine.errors import LaserboardError

if TYPE_CHECKING:  # slow to load, and not every command serves a page
    from starlette.types import ASGIApp

log = logging.getLogger(__name__)

DEFAULT_PORT = 8137
LOOPBACK, ALL_INTERFACES = "127.0.0.1", "0.0.0.0"
BACKLOG = 128
SEND_BUFFER_BYTES = 64 * 1024
SEND_TIMEOUT_MS = 30_000
START_TIMEOUT_S, STOP_TIMEOUT_S = 20.0, 5.0


class CannotServe(LaserboardError, OSError):
    """A page that cannot be served."""


def open_listener(port: int | None, lan: bool, default_port: int = DEFAULT_PORT) -> socket.socket:
    """A socket on that port; None: on the usual one, or any if that is taken."""
    where = ALL_INTERFACES if lan else LOOPBACK
    ports = (default_port, 0) if port is None else (port,)
    for each in ports:
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Inherited by every connection: whoever reads nothing must not fill megabytes with it.
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # and is cut off, also if it answers nothing
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SEND_TIMEOUT_MS)
        try:
            found.bind((where, each))
        except OSError as taken:
            found.close()
            if each == ports[-1]:
                reason = taken.strerror or str(taken)
                raise CannotServe(sentences.CANNOT_LISTEN(port=each, reason=reason)) from None
            continue
        found.listen(BACKLOG)
        return found
    raise AssertionError("the last port is taken or it is not")


async def run_server(app: ASGIApp, listener: socket.socket, stop: asyncio.Event) -> None:
    """Until it is over."""
    import uvicorn

    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="websockets-sansio",
        ws_max_size=8192,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=400,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16 * 1024,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    ending = asyncio.create_task(stop.wait())
    await asyncio.wait([serving, ending], return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    ending.cancel()
    await serving


class ThreadedServer(ABC):
    """A page in a thread of its own, with a loop of its own, until it is closed."""

    def __init__(self, port: int | None, lan: bool, default_port: int = DEFAULT_PORT) -> None:
        self._lan = lan
        self._socket = open_listener(port, lan, default_port)
        self.port: int = self._socket.getsockname()[1]
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=f"page {self.port}", daemon=True)

    @property
    def addresses(self) -> list[str]:
        """Where browsers elsewhere find it."""
        return [f"http://{name}:{self.port}/" for name in own_addresses()] if self._lan else []

    def close(self) -> None:
        """Let everybody go; may be called again."""
        self._call_soon(lambda: self._stop.set())
        self._thread.join(STOP_TIMEOUT_S)
        self._socket.close()

    def _start(self) -> None:
        """Once all is there that `_serve` needs; it answers when this comes back."""
        self._thread.start()
        if not self._ready.wait(START_TIMEOUT_S) or self._failed is not None:
            reason = sentences.DOES_NOT_START() if self._failed is None else str(self._failed)
            raise CannotServe(sentences.CANNOT_SERVE(reason=reason))

    def _call_soon(self, work: Callable[[], object]) -> None:
        """In its thread. May be called from any other."""
        with contextlib.suppress(RuntimeError):  # it is closed: nobody is left to be told
            self._loop.call_soon_threadsafe(work)

    # -- in its thread -------------------------------------------------------------------------

    @abstractmethod
    async def _serve(self) -> None:
        """Make the app, and `_serve_app` with it."""

    async def _serve_app(self, app: ASGIApp) -> None:
        self._ready.set()
        await run_server(app, self._socket, self._stop)

    def _run(self) -> None:
        async def served() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            await self._serve()

        try:
            asyncio.run(served())
        except BaseException as error:
            log.exception("the page server stops")
            self._failed = error
        finally:
            self._ready.set()


def own_host_names(lan: bool) -> list[str]:
    """The names under which this computer may be asked for a page, besides its addresses."""
    if not lan:
        return ["localhost"]
    name = socket.gethostname().lower()
    return ["localhost", name, f"{name}.local"]


def own_addresses() -> list[str]:
    """The addresses of this computer in the local network; nothing is sent for that."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # RFC 5737: nobody's; a datagram socket only looks it up
        found.append(probe.getsockname()[0])
    return found or [socket.gethostname()]
