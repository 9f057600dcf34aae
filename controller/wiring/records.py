"""Where games are written down, and the day on which they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from controller.ports import (
    Clock,
    Journal,
)

if TYPE_CHECKING:
    from controller.evidence import EvidenceKeeper
    from controller.journal import Entry
    from controller.referee_settings import EvidenceSettings
    from controller.tabletop import Tabletop


class OpenFile(Protocol):
    """How a journal is opened, on whatever disk; see `journal_at`."""

    def __call__(
        self, path: Path, clock: Clock, told: Callable[[], None], new: bool | None = None
    ) -> tuple[Journal, tuple[Entry, ...]]: ...


def journal_at(
    path: Path, clock: Clock, told: Callable[[], None], new: bool | None = None
) -> tuple[Journal, tuple[Entry, ...]]:
    """A journal to write on, and all that it tells so far; a new one if there is none.

    Or one that must be `new`, or must not.
    """
    from controller.devices.journal_file import JournalFile

    journal = JournalFile(path, clock, new=not path.exists() if new is None else new, told=told)
    return journal, journal.recovered.entries


def new_journal(
    clock: Clock, told: Callable[[], None] = lambda: None, opened: OpenFile = journal_at
) -> Journal:
    """A journal for a game that begins today, under a name that nobody has."""
    from controller.devices.clock import wall_clock
    from controller.devices.journal_file import JournalExists
    from controller.game_store import games_folder, new_path

    day = wall_clock().partition(" ")[0]
    while True:
        try:
            return opened(new_path(games_folder(), day), clock, told, new=True)[0]
        except JournalExists:
            continue  # another Laserboard was faster


def open_evidence(
    journal: Path,
    top: Tabletop,
    settings: EvidenceSettings,
    clock: Clock,
    told: Callable[[], None] = lambda: None,
) -> EvidenceKeeper:
    """A keeper of pictures, beside the journal that will link them."""
    from controller.devices.evidence_keeper import FolderKeeper
    from controller.evidence_store import evidence_folder

    return FolderKeeper(evidence_folder(journal), top, settings, clock, told=told)


def no_evidence() -> EvidenceKeeper:
    """For games without a referee: nothing is kept."""
    from controller.devices.blind import NoKeeper

    return NoKeeper()


def wall_clock() -> str:
    """Day and time, as people write them."""
    from controller.devices.clock import wall_clock as now

    return now()


def today() -> int:
    """The day as a number, for what lasts some days."""
    from controller.devices.clock import today as now

    return now()


def wall_seconds() -> float:
    """Seconds since 1970, to tell how old files are."""
    from controller.devices.clock import wall_seconds as now

    return now()
