"""The service manager that supervises this program."""

from __future__ import annotations

import os

from controller.ports.devices import Clock
from controller.ports.supervisor import Supervisor


def is_run_by_systemd() -> bool:
    """Whether systemd started this program as a service."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def open_supervisor(clock: Clock) -> Supervisor:
    """systemd if it started this program, else a supervisor that does nothing."""
    from controller.devices.systemd import supervisor_from_environment

    return supervisor_from_environment(os.environ, clock)
