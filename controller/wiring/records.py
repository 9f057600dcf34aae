"""Where games are written down, and the day on which they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.ports import (
    Clock,
    Journal,
)

if TYPE_CHECKING:
    from controller.journal import Entry


def new_journal(clock: Clock, told: Callable[[], None] = lambda: None) -> Journal:
    """A journal for a game that begins today, under a name that nobody has."""
    from controller.devices.clock import wall_clock
    from controller.devices.journal_file import JournalExists, JournalFile
    from controller.game_store import games_folder, new_path

    day = wall_clock().partition(" ")[0]
    while True:
        try:
            return JournalFile(new_path(games_folder(), day), clock, new=True, told=told)
        except JournalExists:
            continue  # another Laserboard was faster


def journal_at(
    path: Path, clock: Clock, told: Callable[[], None]
) -> tuple[Journal, tuple[Entry, ...]]:
    """A journal to write on, and all that it tells so far; a new one if there is none."""
    from controller.devices.journal_file import JournalFile

    journal = JournalFile(path, clock, new=not path.exists(), told=told)
    return journal, journal.recovered.entries


def wall_clock() -> str:
    """Day and time, as people write them."""
    from controller.devices.clock import wall_clock as now

    return now()


def today() -> int:
    """The day as a number, for what lasts some days."""
    from controller.devices.clock import today as now

    return now()
