"""A journal file: a thread appends each entry and syncs it before it reports `Written`.

Opening cuts off a tail that a power cut damaged, and keeps it beside the file. A failed write
leaves no partial line; the thread then writes nothing until `retry`, which checks the file again.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.devices import sentences
from controller.devices.worker import Worker
from controller.ports.devices import BadJournal, Clock, JournalExists
from controller.ports.events import DeviceRemark, JournalEvent, WriteFailed, Written
from controller.ports.sentences import REMEDY
from controller.session.journal import (
    DamagedTail,
    JournalEntry,
    RecoveredJournal,
    format_entry,
    next_entry,
    recover,
)
from engine.errors import LaserboardError
from engine.sentences import Sentence

log = logging.getLogger(__name__)

NEW_FILE_MODE = 0o644
_DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)
_READ_ONLY_ERRORS = (errno.EROFS, errno.EACCES, errno.EPERM)
_FILE_GONE_ERRORS = (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ESTALE, errno.ENOTDIR)


class DiskFault(OSError):
    """A fault of the disk that no system call reported: an errno and a sentence."""

    def __init__(self, number: int, sentence: Sentence) -> None:
        super().__init__(number, str(sentence))
        self.sentence = sentence


def disk_fault_reason(trouble: OSError) -> Sentence | str:
    """Why the disk failed, in a sentence or in the system's words."""
    if isinstance(trouble, DiskFault):
        return trouble.sentence
    return trouble.strerror or str(trouble)


class Disk:
    """The system calls on files. `FaultyDisk` replaces it in simulations and tests."""

    def open(self, path: Path, flags: int) -> int:
        return os.open(path, flags, NEW_FILE_MODE)

    def write(self, file: int, content: bytes) -> int:
        """The number of bytes written, which may be fewer than given."""
        return os.write(file, content)

    def truncate(self, file: int, length: int) -> None:
        os.ftruncate(file, length)

    def sync(self, file: int) -> None:
        os.fsync(file)

    def read(self, file: int) -> bytes:
        parts = []
        at = 0
        while part := os.pread(file, 1 << 20, at):
            parts.append(part)
            at += len(part)
        return b"".join(parts)

    def close(self, file: int) -> None:
        os.close(file)


class JournalFile(Worker[JournalEvent]):
    """One journal, locked for writing by this process.

    `recovered` holds its entries at opening. The thread calls `on_event` after each new event.
    """

    join_s = 10.0

    def __init__(
        self,
        path: Path,
        clock: Clock,
        *,
        new: bool = False,
        disk: Disk | None = None,
        on_event: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._path, self._clock, self._on_event = path, clock, on_event
        self._disk = disk or Disk()
        # Guarded by `_changed`:
        self._queue: deque[JournalEntry] = deque()
        self._failed = False
        # Used by the thread only, once it runs:
        self._file: int | None = None
        self._content = bytearray()  # the file's content, to compare with or to write again

        self.recovered = self._open_and_recover(new)
        entries = self.recovered.entries
        self._last_entry = entries[-1] if entries else None
        self._written_number = len(entries)
        self._last_hash = entries[-1].hash if entries else ""
        self._start(self.name)

    @property
    def name(self) -> str:
        return str(self._path)

    @property
    def last_requested(self) -> int:
        with self._changed:
            return 0 if self._last_entry is None else self._last_entry.number

    @property
    def last_hash(self) -> str:
        with self._changed:
            return self._last_hash

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        with self._changed:
            if self._closed:
                raise BadJournal(sentences.JOURNAL_CLOSED(journal=self.name))
            self._last_entry = next_entry(self._last_entry, kind, body, at_ms)
            self._queue.append(self._last_entry)
            self._changed.notify_all()
            return self._last_entry.number

    def wait(self, number: int, timeout_ms: float) -> bool:
        with self._changed:
            self._changed.wait_for(
                lambda: self._written_number >= number or self._failed or self._closed,
                timeout_ms / 1000,
            )
            return self._written_number >= number

    def retry(self) -> None:
        with self._changed:
            self._failed = False
            self._changed.notify_all()

    # -- the thread --------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or (self._queue and not self._failed))
                if not self._queue or self._failed:
                    return
                entry = self._queue[0]
            try:
                self._write_entry(entry)
            except OSError as trouble:
                log.warning("%s: cannot write: %s", self.name, trouble)
                self._fail(entry, self._error_sentence(trouble))
            except Exception as defect:
                log.exception("%s: cannot write", self.name)
                error = type(defect).__name__
                sentence = sentences.DEFECT_IN(name=self.name, error=error, message=str(defect))
                self._fail(entry, sentence)
            else:
                with self._changed:
                    self._queue.popleft()
                    self._written_number, self._last_hash = entry.number, entry.hash
                    self._add_event(Written(entry.number, self._clock.now_ms(), entry))
                self._on_event()

    def _finish(self) -> None:
        self._close_file()

    def _write_entry(self, entry: JournalEntry) -> None:
        """Append one entry and sync it. A failure restores the file's previous length."""
        if self._file is None:
            self._reopen()
        assert self._file is not None
        _check_still_there(self._path, self._file)
        line = format_entry(entry)
        try:
            self._append(self._file, line)
            self._disk.sync(self._file)
        except BaseException:
            # After a failed fsync the kernel marks the pages clean, and a second fsync would
            # succeed for bytes that never reached the disk: they must be written again.
            with contextlib.suppress(OSError):  # else `retry` or the next start cuts the line off
                self._disk.truncate(self._file, len(self._content))
                self._disk.sync(self._file)
            raise
        self._content += line

    def _append(self, file: int, content: bytes) -> None:
        while content:
            taken = self._disk.write(file, content)
            if taken == 0:
                raise DiskFault(errno.EIO, sentences.DISK_ACCEPTS_NOTHING())
            content = content[taken:]

    def _reopen(self) -> None:
        """Open the file after a failure; if it is gone, write a new one with the same content."""
        exists = self._path.exists()
        # Renamed when complete: a partial file must never replace the journal.
        path = self._path if exists else self._path.with_name(f"{self._path.name}.part")
        if not exists:
            self._make_folders(self._path.parent)
            path.unlink(missing_ok=True)
        file = self._open_path(path, new=not exists)
        try:
            _lock_file(path, file)
            if exists:
                self._check_unchanged(self._disk.read(file))
                self._disk.truncate(file, len(self._content))
                self._disk.sync(file)
            else:
                self._append(file, bytes(self._content))
                self._disk.sync(file)
                path.rename(self._path)
                self._sync_folder(self._path.parent)
        except BaseException:
            self._disk.close(file)
            raise
        self._file = file

    def _check_unchanged(self, content: bytes) -> None:
        if not content.startswith(self._content):
            raise BadJournal(sentences.JOURNAL_CHANGED(journal=self.name))

    def _fail(self, entry: JournalEntry, sentence: Sentence) -> None:
        self._close_file()
        with self._changed:
            self._failed = True
            self._add_event(WriteFailed(entry.number, sentence, self._clock.now_ms()))
        self._on_event()

    def _close_file(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):  # every entry is synced already
                self._disk.close(file)

    # -- opening -----------------------------------------------------------------------------

    def _open_and_recover(self, new: bool) -> RecoveredJournal:
        try:
            exists = self._path.exists()
            if exists and new:
                raise JournalExists(sentences.JOURNAL_EXISTS(journal=self.name))
            if not exists:
                self._make_folders(self._path.parent)
            file = self._open_path(self._path, new=not exists)
            try:
                _lock_file(self._path, file)
                content = self._disk.read(file)
                recovered = recover(content)
                if recovered.damaged_tail is not None:
                    self._cut_damaged_tail(file, content, recovered.damaged_tail)
                # If the previous writer was killed, its last bytes may not be synced yet.
                self._disk.sync(file)
                self._sync_folder(self._path.parent)
            except BaseException:
                self._disk.close(file)
                raise
        except FileExistsError as error:
            raise JournalExists(sentences.JOURNAL_JUST_CREATED(journal=self.name)) from error
        except OSError as error:
            if isinstance(error, LaserboardError):
                raise
            raise BadJournal(self._error_sentence(error)) from error
        self._file = file
        kept = len(content) if recovered.damaged_tail is None else recovered.damaged_tail.at_byte
        self._content += content[:kept]
        return recovered

    def _cut_damaged_tail(self, file: int, content: bytes, tail: DamagedTail) -> None:
        """Save a damaged tail beside the journal, then cut it off."""
        if not tail.is_power_cut_tail:
            remedy = sentences.KEEP_INTACT_LINES(lines=tail.line - 1, journal=self.name)
            if tail.line == 1:
                remedy = sentences.BEGIN_NEW_GAME()
            fault = sentences.JOURNAL_FAULT(journal=self.name, damage=tail.sentence)
            raise BadJournal(REMEDY(problem=fault, remedy=remedy))
        beside = self._save_tail(content[tail.at_byte :])
        self._disk.truncate(file, tail.at_byte)
        sentence = (
            sentences.BYTE_CUT_OFF(journal=self.name, damage=tail.sentence, file=beside.name)
            if tail.lost_bytes == 1
            else sentences.BYTES_CUT_OFF(
                journal=self.name, damage=tail.sentence, count=tail.lost_bytes, file=beside.name
            )
        )
        self._add_event(DeviceRemark(self.name, sentence, self._clock.now_ms()))

    def _save_tail(self, tail: bytes) -> Path:
        """Write these bytes to FILE.torn or FILE.torn-N, never over another file."""
        number = 1
        while True:
            end = ".torn" if number == 1 else f".torn-{number}"
            beside = self._path.with_name(self._path.name + end)
            if not beside.exists():
                break
            if beside.read_bytes() == tail:
                return beside  # a previous start was killed after it saved the tail
            number += 1
        file = self._open_path(beside, new=True)
        try:
            self._append(file, tail)
            self._disk.sync(file)
        except OSError:
            beside.unlink(missing_ok=True)  # the disk is full: the tail stays in the journal
            raise
        finally:
            self._disk.close(file)
        self._sync_folder(beside.parent)
        return beside

    def _open_path(self, path: Path, new: bool) -> int:
        flags = os.O_RDWR | os.O_APPEND
        return self._disk.open(path, flags | (os.O_CREAT | os.O_EXCL if new else 0))

    def _make_folders(self, folder: Path) -> None:
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        for each in reversed(missing):
            each.mkdir(exist_ok=True)
            self._sync_folder(each.parent)

    def _sync_folder(self, folder: Path) -> None:
        """Sync a folder, so that the name of a new file survives a power cut."""
        file = self._disk.open(folder, os.O_RDONLY)
        try:
            self._disk.sync(file)
        finally:
            self._disk.close(file)

    def _error_sentence(self, trouble: OSError) -> Sentence:
        if isinstance(trouble, LaserboardError):
            return trouble.sentence
        folder = str(self._path.parent)
        if trouble.errno in _DISK_FULL_ERRORS:
            remedy = sentences.MAKE_ROOM(folder=folder)
        elif trouble.errno in _READ_ONLY_ERRORS:
            remedy = sentences.ALLOW_WRITING(folder=folder)
        elif trouble.errno in _FILE_GONE_ERRORS:
            remedy = sentences.PUT_DISK_BACK()
        elif trouble.errno == errno.EIO:
            remedy = sentences.COPY_FOLDER(folder=folder)
        else:
            remedy = sentences.CORRECT_FOLDER(folder=folder)
        problem = sentences.CANNOT_WRITE(file=self.name, reason=disk_fault_reason(trouble))
        return REMEDY(problem=problem, remedy=remedy)


def _lock_file(path: Path, file: int) -> None:
    """Lock the file for this process as long as it is open."""
    import fcntl  # not available on Windows

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BadJournal(sentences.JOURNAL_IN_USE(journal=str(path))) from error


def _check_still_there(path: Path, file: int) -> None:
    """Raise if the path no longer names the open file: writes to it would be lost."""
    if not os.path.samestat(path.stat(), os.fstat(file)):
        raise DiskFault(errno.ENOENT, sentences.FILE_REPLACED())
