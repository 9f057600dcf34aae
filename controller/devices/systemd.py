"""systemd as a `controller.ports.supervisor.Supervisor`: sends the datagrams of sd_notify(3).

Only the game loop sends heartbeats. If it hangs, they stop and systemd restarts the program.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

from controller.ports.devices import Clock
from controller.ports.supervisor import Supervisor
from engine.errors import LaserboardError, excerpt

NOTIFY_INTERVAL_MS = 1_000.0  # between two heartbeats
MAX_STATUS_CHARS = 400


class BadSupervisor(LaserboardError, ValueError):
    """NOTIFY_SOCKET is invalid."""


class NullSupervisor:
    """No supervisor: the program was started by hand."""

    is_heartbeat_due = False

    def send_heartbeat(self, sentence: str) -> None:
        """Does nothing."""

    def announce_stop(self, why: str) -> None:
        """Does nothing."""


class SystemdSupervisor:
    """systemd behind its notification socket."""

    def __init__(self, address: str, clock: Clock, watchdog_ms: float | None = None) -> None:
        self._address = socket_address(address)
        self._clock = clock
        # A quarter of systemd's timeout: three heartbeats may be late or lost.
        self._interval_ms = min(
            NOTIFY_INTERVAL_MS, NOTIFY_INTERVAL_MS if watchdog_ms is None else watchdog_ms / 4
        )
        self._has_watchdog = watchdog_ms is not None
        self._due_ms = clock.now_ms()
        self._ready, self._status = False, ""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)

    @property
    def is_heartbeat_due(self) -> bool:
        return self._clock.now_ms() >= self._due_ms

    def send_heartbeat(self, sentence: str) -> None:
        self._due_ms = self._clock.now_ms() + self._interval_ms
        status = _one_line(sentence)
        lines = [
            *([] if self._ready else ["READY=1"]),
            *([] if status == self._status else [f"STATUS={status}"]),
            *(["WATCHDOG=1"] if self._has_watchdog else []),
        ]
        if lines and self._send(lines):
            self._ready, self._status = True, status

    def announce_stop(self, why: str) -> None:
        self._send(["STOPPING=1", f"STATUS={_one_line(why)}"])
        self._socket.close()

    def _send(self, lines: list[str]) -> bool:
        """Whether systemd received it; otherwise the next heartbeat repeats it."""
        try:
            self._socket.sendto("\n".join(lines).encode(), self._address)
        except OSError:
            return False
        return True


def supervisor_from_environment(environment: Mapping[str, str], clock: Clock) -> Supervisor:
    """The supervisor named by the environment. WATCHDOG_PID may name another process."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return NullSupervisor()
    watchdog_ms = None
    if environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
        wait_us = environment.get("WATCHDOG_USEC", "")
        watchdog_ms = int(wait_us) / 1000 if wait_us.isdecimal() and int(wait_us) else None
    return SystemdSupervisor(address, clock, watchdog_ms)


def socket_address(name: str) -> str:
    """The address of the socket: a path, or a name in the abstract namespace."""
    if name.startswith("/"):
        return name
    if name.startswith("@") and len(name) > 1:
        return f"\0{name[1:]}"
    raise BadSupervisor(
        f"NOTIFY_SOCKET is {excerpt(name)}: a path or an @name is understood; unset it to run"
        " without a service manager"
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:MAX_STATUS_CHARS]
