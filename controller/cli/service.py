"""A game at a table as a service: signs of life from its loop, what people read there, and how it
asks for the computer to be switched off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from controller.wiring import is_service, open_supervisor
from engine.errors import LaserboardError

if TYPE_CHECKING:
    from controller.cli.console import Console
    from controller.loop import Loop
    from controller.session_values import Session

# By this exit status the service has its computer switched off: see install/laserboard.service.
# The program itself switches nothing off, whoever presses what.
SWITCH_OFF = 100
STAYS_ON = "this computer stays on: as a service, Laserboard would have it switched off now"


@contextmanager
def supervised(console: Console) -> Iterator[Callable[[Loop], None]]:
    """What is to be called at every beat of a game; the end is told as well."""
    supervisor = open_supervisor(console.clock)

    def beat(loop: Loop) -> None:
        if supervisor.is_due:
            supervisor.going(status(loop.session))

    why = "asked to leave"
    try:
        yield beat
    except LaserboardError as error:
        why = str(error)
        raise
    finally:
        supervisor.leaving(why)


def parted(off: bool, console: Console) -> int:
    """The exit status, once everything is closed."""
    if off and is_service():
        return SWITCH_OFF
    if off:
        console.note(STAYS_ON)
    return 0


def status(session: Session) -> str:
    """The sentence at the table, why play cannot go on, and every device that is away."""
    from controller.guide import guide

    told = guide(session)
    away = [f"{name}: {why}" for name, why in session.lost.items()]
    reasons = [*told.reasons, *(each for each in away if each not in told.reasons)]
    return f"{told.sentence} ({'; '.join(reasons)})" if reasons else told.sentence
