"""systemd as a `controller.ports_service.Supervisor`: datagrams as sd_notify(3) describes them.

A sign of life comes from the loop of the game itself, and from nowhere else: when the loop hangs
there is none, and systemd starts the program again.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

from controller.ports import Clock
from controller.ports_service import Supervisor
from engine.errors import LaserboardError, excerpt

USUAL_MS = 1_000.0  # between two signs of life
LONGEST_STATUS = 400


class BadSupervisor(LaserboardError, ValueError):
    """The environment names a supervisor that cannot be spoken to."""


class NoSupervisor:
    """Somebody started the program by hand."""

    is_due = False

    def going(self, sentence: str) -> None:
        """Nobody listens."""

    def leaving(self, why: str) -> None:
        """Nobody listens."""


class Systemd:
    """The service manager behind a socket."""

    def __init__(self, address: str, clock: Clock, watchdog_ms: float | None = None) -> None:
        self._address = socket_address(address)
        self._clock = clock
        # A quarter of what systemd waits for: three may be late or lost.
        self._interval_ms = min(USUAL_MS, USUAL_MS if watchdog_ms is None else watchdog_ms / 4)
        self._watched = watchdog_ms is not None
        self._due_ms = clock.now_ms()
        self._ready, self._status = False, ""
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._line.setblocking(False)

    @property
    def is_due(self) -> bool:
        return self._clock.now_ms() >= self._due_ms

    def going(self, sentence: str) -> None:
        self._due_ms = self._clock.now_ms() + self._interval_ms
        status = _one_line(sentence)
        said = [
            *([] if self._ready else ["READY=1"]),
            *([] if status == self._status else [f"STATUS={status}"]),
            *(["WATCHDOG=1"] if self._watched else []),
        ]
        if said and self._send(said):
            self._ready, self._status = True, status

    def leaving(self, why: str) -> None:
        self._send(["STOPPING=1", f"STATUS={_one_line(why)}"])
        self._line.close()

    def _send(self, said: list[str]) -> bool:
        """Whether it was taken; what was not is said again with the next sign of life."""
        try:
            self._line.sendto("\n".join(said).encode(), self._address)
        except OSError:
            return False
        return True


def supervisor_of(environment: Mapping[str, str], clock: Clock) -> Supervisor:
    """Whoever the environment names; systemd names the one process that it watches, too."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return NoSupervisor()
    watchdog_ms = None
    if environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
        wait_us = environment.get("WATCHDOG_USEC", "")
        watchdog_ms = int(wait_us) / 1000 if wait_us.isdecimal() and int(wait_us) else None
    return Systemd(address, clock, watchdog_ms)


def socket_address(name: str) -> str:
    """What a socket is called by the kernel: a path, or a name in the abstract space."""
    if name.startswith("/"):
        return name
    if name.startswith("@") and len(name) > 1:
        return f"\0{name[1:]}"
    raise BadSupervisor(
        f"NOTIFY_SOCKET is {excerpt(name)}: a path or an @name is understood; unset it to run"
        " without a service manager"
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_STATUS]
