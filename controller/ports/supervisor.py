"""Protocol of the service supervisor; `controller.devices.systemd` implements it."""

from __future__ import annotations

from typing import Protocol


class Supervisor(Protocol):
    """The service manager, such as systemd, that restarts the program if heartbeats stop.

    No method blocks.
    """

    @property
    def is_heartbeat_due(self) -> bool: ...

    def send_heartbeat(self, sentence: str) -> None:
        """Send a heartbeat and the current status. The first one also reports that the program
        is ready."""

    def announce_stop(self, why: str) -> None:
        """Report that the program ends."""
