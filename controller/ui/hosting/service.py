"""Runs a table as a systemd service: heartbeats with a status, and the exit status that makes
systemd switch the computer off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from controller.devices.factory.service import is_run_by_systemd, open_supervisor
from controller.ui.hosting import sentences
from engine.errors import LaserboardError
from engine.sentences import joined

if TYPE_CHECKING:
    from controller.session.state import Session
    from controller.table.loop import Loop
    from controller.ui.console import Console

# With this exit status systemd switches the computer off: see install/laserboard.service. The
# program itself never does.
EXIT_SHUTDOWN = 100


@contextmanager
def supervise(console: Console) -> Iterator[Callable[[Loop], None]]:
    """Yields a function to call at every tick, which sends heartbeats; announces the end."""
    supervisor = open_supervisor(console.clock)

    def send_heartbeat(loop: Loop) -> None:
        if supervisor.is_heartbeat_due:
            supervisor.send_heartbeat(status_sentence(loop.session))

    why = str(sentences.ASKED_TO_LEAVE())
    try:
        yield send_heartbeat
    except LaserboardError as error:
        why = str(error)
        raise
    finally:
        supervisor.announce_stop(why)


def exit_status_after(shutdown: bool, console: Console) -> int:
    """The exit status after a game; notes that the computer stays on without systemd."""
    if shutdown and is_run_by_systemd():
        return EXIT_SHUTDOWN
    if shutdown:
        console.note(sentences.STAYS_ON())
    return 0


def status_sentence(session: Session) -> str:
    """The guidance for the players, the reasons why play cannot continue, and lost devices."""
    from controller.session.guidance import guidance_for
    from controller.session.sentences import DEVICE_LOST

    guidance = guidance_for(session)
    lost = [
        DEVICE_LOST(device=name, reason=why) for name, why in session.pause.lost_devices.items()
    ]
    reasons = [*guidance.reasons, *(each for each in lost if each not in guidance.reasons)]
    if not reasons:
        return str(guidance.sentence)
    return str(sentences.STATUS(guidance=guidance.sentence, reasons=joined(reasons)))
