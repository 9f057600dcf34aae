"""The HTTP server of a page: listening socket, uvicorn in a thread, and this computer's names.

The table's page and the tournament page both derive from `ThreadedServer`.
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

from controller.ui.web import sentences
from engine.errors import LaserboardError

if TYPE_CHECKING:  # slow to import, and most commands serve no page
    from starlette.types import ASGIApp

log = logging.getLogger(__name__)

DEFAULT_PORT = 8137
LOOPBACK, ALL_INTERFACES = "127.0.0.1", "0.0.0.0"
BACKLOG = 128
SEND_BUFFER_BYTES = 64 * 1024
SEND_TIMEOUT_MS = 30_000
START_TIMEOUT_S, STOP_TIMEOUT_S = 20.0, 5.0


class CannotServe(LaserboardError, OSError):
    """The page cannot be served."""


def open_listener(port: int | None, lan: bool, default_port: int = DEFAULT_PORT) -> socket.socket:
    """Listen on a port; None: the default port, or a free one if that is taken."""
    interface = ALL_INTERFACES if lan else LOOPBACK
    ports = (default_port, 0) if port is None else (port,)
    for each in ports:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit both options. A small send buffer limits what a client that reads
        # nothing takes up; the timeout closes a connection that acknowledges nothing.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SEND_TIMEOUT_MS)
        try:
            listener.bind((interface, each))
        except OSError as error:
            listener.close()
            if each == ports[-1]:
                reason = error.strerror or str(error)
                raise CannotServe(sentences.CANNOT_LISTEN(port=each, reason=reason)) from error
            continue
        listener.listen(BACKLOG)
        return listener
    raise AssertionError("unreachable: the last port raises")


async def run_server(app: ASGIApp, listener: socket.socket, stop: asyncio.Event) -> None:
    """Serve the application until `stop` is set."""
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
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    stopping.cancel()
    await serving


class ThreadedServer(ABC):
    """Serves a page in its own thread and event loop until `close`."""

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
        """The URLs for browsers in the local network; empty without `lan`."""
        return [f"http://{name}:{self.port}/" for name in own_addresses()] if self._lan else []

    def close(self) -> None:
        """Disconnect all clients and stop the thread; may be called again."""
        self._call_soon(lambda: self._stop.set())
        self._thread.join(STOP_TIMEOUT_S)
        self._socket.close()

    def _start(self) -> None:
        """Start the thread and wait until it serves. The subclass calls it when it is set up."""
        self._thread.start()
        if not self._ready.wait(START_TIMEOUT_S) or self._failed is not None:
            reason = sentences.DOES_NOT_START() if self._failed is None else str(self._failed)
            raise CannotServe(sentences.CANNOT_SERVE(reason=reason))

    def _call_soon(self, callback: Callable[[], object]) -> None:
        """Call a function in the page's thread; callable from any thread."""
        with contextlib.suppress(RuntimeError):  # the event loop is closed
            self._loop.call_soon_threadsafe(callback)

    # -- in the page's thread ------------------------------------------------------------------

    @abstractmethod
    async def _serve(self) -> None:
        """Build the application and pass it to `_serve_app`."""

    async def _serve_app(self, app: ASGIApp) -> None:
        self._ready.set()
        await run_server(app, self._socket, self._stop)

    def _run(self) -> None:
        async def serve() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            await self._serve()

        try:
            asyncio.run(serve())
        except BaseException as error:
            log.exception("the page server stops")
            self._failed = error
        finally:
            self._ready.set()


def own_host_names(lan: bool) -> list[str]:
    """The valid names in a `Host` header, besides addresses."""
    if not lan:
        return ["localhost"]
    name = socket.gethostname().lower()
    return ["localhost", name, f"{name}.local"]


def own_addresses() -> list[str]:
    """The addresses of this computer in the local network, found without sending anything."""
    addresses: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Connecting a datagram socket only looks up the route; 192.0.2.1 is reserved (RFC 5737).
        probe.connect(("192.0.2.1", 9))
        addresses.append(probe.getsockname()[0])
    return addresses or [socket.gethostname()]
