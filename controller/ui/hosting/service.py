"""A game at a table as a service: signs of life from its loop, what people read there, and how it
asks for the computer to be switched off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from controller.devices.factory.service import is_run_by_systemd, open_supervisor
from engine.errors import LaserboardError

if TYPE_CHECKING:
    from controller.session.state import Session
    from controller.table.loop import Loop
    from controller.ui.console import Console

# By this exit status the service has its computer switched off: see install/laserboard.service.
# The program itself switches nothing off, whoever presses what.
EXIT_SHUTDOWN = 100
STAYS_ON = "this computer stays on: as a service, Laserboard would have it switched off now"


@contextmanager
def supervise(console: Console) -> Iterator[Callable[[Loop], None]]:
    """What is to be called at every beat of a game; the end is told as well."""
    supervisor = open_supervisor(console.clock)

    def beat(loop: Loop) -> None:
        if supervisor.is_heartbeat_due:
            supervisor.send_heartbeat(status_sentence(loop.session))

    why = "asked to leave"
    try:
        yield beat
    except LaserboardError as error:
        why = str(error)
        raise
    finally:
        supervisor.announce_stop(why)


def exit_status_after(shutdown: bool, console: Console) -> int:
    """The exit status, once everything is closed."""
    if shutdown and is_run_by_systemd():
        return EXIT_SHUTDOWN
    if shutdown:
        console.note(STAYS_ON)
    return 0


def status_sentence(session: Session) -> str:
    """The sentence at the table, why play cannot go on, and every device that is away."""
    from controller.session.guidance import guidance_for

    guidance = guidance_for(session)
    shown = [str(each) for each in guidance.reasons]
    away = [f"{name}: {why}" for name, why in session.pause.lost_devices.items()]
    reasons = [*shown, *(each for each in away if each not in shown)]
    return f"{guidance.sentence} ({'; '.join(reasons)})" if reasons else str(guidance.sentence)
