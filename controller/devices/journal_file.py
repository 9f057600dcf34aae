"""A journal in a file: a thread appends each entry and syncs it before it says so.

What a power cut tore off is cut away on opening and kept beside the file. A failed write leaves no
half line; nothing more is written until `retry`, which begins with a fresh look at the file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.journal import Entry, Recovered, Torn, count, following, recover, write_line
from controller.ports import Clock, DeviceRemark, JournalEvent, WriteFailed, Written
from engine.errors import LaserboardError

JOIN_SECONDS = 10.0  # a disk that hangs is left behind: the thread is a daemon
NEW_FILE_MODE = 0o644
_FULL = (errno.ENOSPC, errno.EDQUOT)
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ESTALE, errno.ENOTDIR)


class BadJournal(LaserboardError, OSError):
    """A journal that cannot be opened, and what to do about it."""


class JournalExists(BadJournal):
    """There is a file already where a new journal was to be."""


class Disk:
    """The few things that are done to files; tests put a worse one in its place."""

    def open(self, path: Path, flags: int) -> int:
        return os.open(path, flags, NEW_FILE_MODE)

    def write(self, file: int, content: bytes) -> int:
        """How many bytes were taken: it may be fewer than were given."""
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


class JournalFile:
    """One journal, open for writing by this process alone.

    `recovered` is what it held when it was opened. `told` is called from the writer's thread
    whenever there is a new event.
    """

    def __init__(
        self,
        path: Path,
        clock: Clock,
        *,
        new: bool = False,
        disk: Disk | None = None,
        told: Callable[[], None] = lambda: None,
    ) -> None:
        self._path, self._clock, self._told = path, clock, told
        self._disk = disk or Disk()
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._waiting: deque[Entry] = deque()
        self._events: list[JournalEvent] = []
        self._failed = False
        self._closed = False
        self._written = 0
        self._head = ""
        # Only for the writer's thread, once it runs:
        self._file: int | None = None
        self._content = bytearray()  # all that is on the disk, to compare with and to write anew

        self.recovered = self._open_first(new)
        entries = self.recovered.entries
        self._last = entries[-1] if entries else None
        self._written = len(entries)
        self._head = entries[-1].hash if entries else ""
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return str(self._path)

    @property
    def asked(self) -> int:
        with self._changed:
            return 0 if self._last is None else self._last.number

    @property
    def head(self) -> str:
        with self._changed:
            return self._head

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        with self._changed:
            if self._closed:
                raise BadJournal(f"{self.name} is closed: open it again to write on")
            self._last = following(self._last, kind, body, at_ms)
            self._waiting.append(self._last)
            self._changed.notify_all()
            return self._last.number

    def events(self) -> list[JournalEvent]:
        with self._changed:
            events, self._events = self._events, []
            return events

    def wait(self, number: int, timeout_ms: float) -> bool:
        with self._changed:
            self._changed.wait_for(
                lambda: self._written >= number or self._failed or self._closed,
                timeout_ms / 1000,
            )
            return self._written >= number

    def retry(self) -> None:
        with self._changed:
            self._failed = False
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_SECONDS)

    # -- the writer's thread -----------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or (self._waiting and not self._failed))
                if not self._waiting or self._failed:
                    break
                entry = self._waiting[0]
            try:
                self._put(entry)
            except OSError as trouble:
                self._fail(entry, self._sentence(trouble))
            except Exception as defect:  # the thread must not die in silence
                self._fail(entry, f"{self.name}: {type(defect).__name__}: {defect}")
            else:
                with self._changed:
                    self._waiting.popleft()
                    self._written, self._head = entry.number, entry.hash
                    self._tell(Written(entry.number, self._clock.now_ms()))
                self._told()
        self._let_go()

    def _put(self, entry: Entry) -> None:
        """Append one entry and sync it; where that fails, leave the file as it was before."""
        if self._file is None:
            self._open_again()
        assert self._file is not None, "it has just been opened"
        _check_still_there(self._path, self._file)
        line = write_line(entry)
        try:
            self._append(self._file, line)
            self._disk.sync(self._file)
        except BaseException:
            # After a failed sync the kernel takes its pages for clean, and syncing again would
            # report success for bytes that never arrived: only writing them anew helps.
            with contextlib.suppress(OSError):  # else `retry`, or the next start, cuts it off
                self._disk.truncate(self._file, len(self._content))
                self._disk.sync(self._file)
            raise
        self._content += line

    def _append(self, file: int, content: bytes) -> None:
        while content:
            taken = self._disk.write(file, content)
            if taken == 0:
                raise OSError(errno.EIO, "the disk takes no bytes")
            content = content[taken:]

    def _open_again(self) -> None:
        """After a failure: the same file, or if it is gone, a new one with all that it held."""
        exists = self._path.exists()
        # Half of a journal must never stand where the whole one stood.
        path = self._path if exists else self._path.with_name(f"{self._path.name}.part")
        if not exists:
            self._make_folders(self._path.parent)
            path.unlink(missing_ok=True)
        file = self._open(path, new=not exists)
        try:
            _lock(path, file)
            if exists:
                self._check_same(self._disk.read(file))
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

    def _check_same(self, content: bytes) -> None:
        if not content.startswith(self._content):
            raise BadJournal(
                f"{self.name} was changed by something else: move it away, and the next try "
                "writes the game anew from memory"
            )

    def _fail(self, entry: Entry, sentence: str) -> None:
        self._let_go()
        with self._changed:
            self._failed = True
            self._tell(WriteFailed(entry.number, sentence, self._clock.now_ms()))
        self._told()

    def _let_go(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):  # what matters was synced before
                self._disk.close(file)

    def _tell(self, event: JournalEvent) -> None:
        """Only with `_changed` held."""
        self._events.append(event)
        self._changed.notify_all()

    # -- opening -----------------------------------------------------------------------------

    def _open_first(self, new: bool) -> Recovered:
        try:
            exists = self._path.exists()
            if exists and new:
                raise JournalExists(f"{self.name} is there already: a new game needs a new name")
            if not exists:
                self._make_folders(self._path.parent)
            file = self._open(self._path, new=not exists)
            try:
                _lock(self._path, file)
                content = self._disk.read(file)
                recovered = recover(content)
                if recovered.torn is not None:
                    self._cut_off(file, content, recovered.torn)
                # What was read may be in the machine's memory only, if its writer was killed.
                self._disk.sync(file)
                self._sync_folder(self._path.parent)
            except BaseException:
                self._disk.close(file)
                raise
        except FileExistsError:
            raise JournalExists(f"{self.name} is there already: somebody was faster") from None
        except OSError as trouble:
            if isinstance(trouble, LaserboardError):
                raise
            raise BadJournal(self._sentence(trouble)) from None
        self._file = file
        kept = len(content) if recovered.torn is None else recovered.torn.at_byte
        self._content += content[:kept]
        return recovered

    def _cut_off(self, file: int, content: bytes, torn: Torn) -> None:
        """Keep a torn tail beside the journal, and only then cut it away."""
        if not torn.is_tail:
            remedy = f"to go on from there: head -n {torn.line - 1} {self.name} > NEW.journal"
            if torn.line == 1:
                remedy = "begin a new game, and keep this file for whoever can mend it"
            raise BadJournal(f"{self.name}: {torn}; {remedy}")
        beside = self._keep(content[torn.at_byte :])
        self._disk.truncate(file, torn.at_byte)
        sentence = (
            f"{self.name}: {torn}. That is what a power cut leaves: "
            f"{count(torn.lost_bytes, 'byte was', 'bytes were')} cut off and kept in {beside.name}"
        )
        with self._changed:
            self._tell(DeviceRemark(self.name, sentence, self._clock.now_ms()))

    def _keep(self, tail: bytes) -> Path:
        """A file with these bytes: FILE.torn, or a number behind it, never over another one."""
        number = 1
        while True:
            end = ".torn" if number == 1 else f".torn-{number}"
            beside = self._path.with_name(self._path.name + end)
            if not beside.exists():
                break
            if beside.read_bytes() == tail:
                return beside  # we were killed just after this
            number += 1
        file = self._open(beside, new=True)
        try:
            self._append(file, tail)
            self._disk.sync(file)
        except OSError:
            beside.unlink(missing_ok=True)  # the disk is full: the tail stays where it is
            raise
        finally:
            self._disk.close(file)
        self._sync_folder(beside.parent)
        return beside

    def _open(self, path: Path, new: bool) -> int:
        flags = os.O_RDWR | os.O_APPEND
        return self._disk.open(path, flags | (os.O_CREAT | os.O_EXCL if new else 0))

    def _make_folders(self, folder: Path) -> None:
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        for each in reversed(missing):
            each.mkdir(exist_ok=True)
            self._sync_folder(each.parent)

    def _sync_folder(self, folder: Path) -> None:
        """A new file's name is on the disk only when its folder is."""
        file = self._disk.open(folder, os.O_RDONLY)
        try:
            self._disk.sync(file)
        finally:
            self._disk.close(file)

    def _sentence(self, trouble: OSError) -> str:
        if isinstance(trouble, LaserboardError):
            return str(trouble)
        folder = self._path.parent
        why = trouble.strerror or str(trouble)
        if trouble.errno in _FULL:
            remedy = f"make room on the disk (`df -h {folder}` shows it), then go on"
        elif trouble.errno in _READ_ONLY:
            remedy = f"let yourself write in {folder}, or set XDG_DATA_HOME to a folder of yours"
        elif trouble.errno in _GONE:
            remedy = (
                "if its disk was taken out, put it back, then go on: what is lost is written anew"
            )
        elif trouble.errno == errno.EIO:
            remedy = f"the disk fails: copy {folder} to another one soon, then go on"
        else:
            remedy = f"see to that in {folder}, then go on"
        return f"cannot write {self.name}: {why}; {remedy}"


def _lock(path: Path, file: int) -> None:
    """For this process alone, as long as the file is open."""
    import fcntl  # not on every system

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadJournal(
            f"{path} is being written by another laserboard: end that one first, or begin a new "
            "game"
        ) from None


def _check_still_there(path: Path, file: int) -> None:
    """Writing to a file that somebody has removed succeeds, and is for nothing."""
    if not os.path.samestat(path.stat(), os.fstat(file)):
        raise FileNotFoundError(errno.ENOENT, "another file has taken its place", str(path))
