"""Whoever watches over a program that nobody sits in front of."""

from __future__ import annotations

import os

from controller.ports import Clock
from controller.ports_service import Supervisor


def is_service() -> bool:
    """Whether this program was started as a service, with nobody in front of it."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def open_supervisor(clock: Clock) -> Supervisor:
    """systemd, where it has started this program as a service."""
    from controller.devices.supervisor import supervisor_of

    return supervisor_of(os.environ, clock)
