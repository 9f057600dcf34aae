"""Opens journals and evidence writers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from controller.ports.devices import Clock, Journal

if TYPE_CHECKING:
    from controller.config.referee import EvidenceSettings
    from controller.session.board_fit import FittedBoard
    from controller.session.evidence import EvidenceWriter
    from controller.session.journal import JournalEntry


class OpenJournalFile(Protocol):
    """The signature of `open_journal`, also implemented by `TableFaults` on a faulty disk."""

    def __call__(
        self, path: Path, clock: Clock, on_event: Callable[[], None], new: bool | None = None
    ) -> tuple[Journal, tuple[JournalEntry, ...]]: ...


def open_journal(
    path: Path, clock: Clock, on_event: Callable[[], None], new: bool | None = None
) -> tuple[Journal, tuple[JournalEntry, ...]]:
    """Open a journal for appending; returns it with its existing entries.

    `new=True`: the file must not exist; `new=False`: it must; None: either.
    """
    from controller.devices.journal_file import JournalFile

    journal = JournalFile(
        path, clock, new=not path.exists() if new is None else new, on_event=on_event
    )
    return journal, journal.recovered.entries


def create_journal(
    clock: Clock,
    on_event: Callable[[], None] = lambda: None,
    open_file: OpenJournalFile = open_journal,
) -> Journal:
    """Create a journal in the games folder, named after today's date and a free number."""
    from controller.devices.clock import local_time_text
    from controller.ports.devices import JournalExists
    from controller.storage.games import games_folder, new_journal_path

    day = local_time_text().partition(" ")[0]
    while True:
        try:
            return open_file(new_journal_path(games_folder(), day), clock, on_event, new=True)[0]
        except JournalExists:
            continue  # another process took the name


def open_evidence_writer(
    journal: Path,
    top: FittedBoard,
    settings: EvidenceSettings,
    clock: Clock,
    on_event: Callable[[], None] = lambda: None,
) -> EvidenceWriter:
    """A writer of evidence images into the folder beside the journal."""
    from controller.devices.evidence_writer import FolderEvidenceWriter
    from controller.storage.evidence_files import evidence_folder

    return FolderEvidenceWriter(evidence_folder(journal), top, settings, clock, on_event=on_event)
