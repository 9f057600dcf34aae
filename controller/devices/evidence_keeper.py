"""Pictures of every turn, kept in a folder by a thread: cut out, encoded, written, synced.

Nothing here stops a game. What cannot be kept is told once, until something can be again.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from controller.devices.clock import wall_seconds
from controller.devices.journal_file import Disk
from controller.evidence import EvidenceEvent, EvidenceFailed, Photographed, Picture
from controller.evidence_picture import Developed, developed
from controller.evidence_store import MB, megabytes, prune, pruning, stock
from controller.ports import Clock, DeviceRemark
from controller.referee_settings import EvidenceSettings
from controller.sight import Glimpse
from controller.tabletop import Tabletop
from engine.errors import LaserboardError

MOST_WAITING = 6  # turns: each holds two pictures in memory
JOIN_SECONDS = 10.0  # a disk that hangs is left behind: the thread is a daemon
PRIVATE = 0o700


class NoRoom(LaserboardError, OSError):
    """The quota is full of pictures that must stay."""


@dataclass(frozen=True)
class _Task:
    turn: int
    before: Glimpse | None
    after: Glimpse | None
    matter: int | None = None


class FolderKeeper:
    """The pictures of one game, in a folder that other games share.

    `told` is called from the keeper's thread whenever there is a new event.
    """

    def __init__(
        self,
        folder: Path,
        top: Tabletop,
        settings: EvidenceSettings,
        clock: Clock,
        *,
        disk: Disk | None = None,
        told: Callable[[], None] = lambda: None,
        now_s: Callable[[], float] = wall_seconds,
    ) -> None:
        self._folder, self._top, self._settings = folder, top, settings
        self._clock, self._told, self._now_s = clock, told, now_s
        self._disk = disk or Disk()
        self._before: Glimpse | None = None
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._waiting: deque[_Task] = deque()
        self._events: list[EvidenceEvent] = []
        self._busy = True  # it looks through the folder first
        self._closed = False
        self._failing = False
        # Only for the thread:
        self._used = 0
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return str(self._folder)

    def before(self, glimpse: Glimpse | None) -> None:
        self._before = glimpse

    def turn(self, number: int, glimpse: Glimpse | None) -> None:
        task, self._before = _Task(number, self._before, glimpse), None
        self._ask(task)

    def matter(self, number: int, turn: int, glimpse: Glimpse | None) -> None:
        self._ask(_Task(turn, self._before, glimpse, number))

    def _ask(self, task: _Task) -> None:
        with self._changed:
            if self._closed:
                return
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append(task)
                self._changed.notify_all()
                return
        self._fail(task.turn, f"the disk of {self.name} is too slow for pictures of every turn")

    def events(self) -> list[EvidenceEvent]:
        with self._changed:
            events, self._events = self._events, []
            return events

    def wait(self, timeout_ms: float) -> bool:
        with self._changed:
            return self._changed.wait_for(
                lambda: not (self._waiting or self._busy), timeout_ms / 1000
            )

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_SECONDS)

    # -- the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        self._tidy()
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if not self._waiting:
                    return
                task, self._busy = self._waiting.popleft(), True
            try:
                before, after = self._keep(task.before), self._keep(task.after)
            except OSError as trouble:
                self._fail(task.turn, self._sentence(trouble))
            except Exception as defect:  # the thread must not die in silence
                self._fail(task.turn, f"{self.name}: {type(defect).__name__}: {defect}")
            else:
                with self._changed:
                    self._failing = False
                now_ms = self._clock.now_ms()
                self._tell(Photographed(task.turn, before, after, now_ms, task.matter))

    def _tidy(self) -> None:
        """Remove what is past its time, before a game begins."""
        try:
            self._prune(0)
        except (LaserboardError, OSError) as trouble:
            self._tell(DeviceRemark(self.name, f"old pictures stay: {trouble}", self._now_ms()))

    def _prune(self, room: int) -> None:
        found = stock(self._folder, self._now_s(), self._settings.quota_mb * MB - room)
        plan = pruning(found, self._settings, room)
        self._used = found.total
        prune(self._folder, plan)
        self._used = plan.left
        if str(plan):
            self._tell(DeviceRemark(self.name, str(plan), self._now_ms()))

    def _keep(self, glimpse: Glimpse | None) -> Picture | None:
        made = None if glimpse is None else developed(glimpse, self._top)
        if made is None:
            return None
        self._make_room(made)
        self._make_folder()
        for name, content in zip(made.picture.names(), (made.jpeg, made.seen), strict=True):
            self._put(self._folder / name, content)
        return made.picture

    def _make_room(self, made: Developed) -> None:
        size, quota = len(made.jpeg) + len(made.seen), self._settings.quota_mb * MB
        if self._used + size > quota:
            self._prune(size)
        if self._used + size > quota:
            raise NoRoom(
                f"no picture of this turn: {megabytes(self._used)} of pictures are kept of games "
                f"that are not over, and the quota is {self._settings.quota_mb} MB; raise "
                "referee.evidence.quota_mb in the board file"
            )

    def _make_folder(self) -> None:
        if not self._folder.is_dir():
            self._folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            self._sync_folder(self._folder.parent)

    def _put(self, path: Path, content: bytes) -> None:
        """A whole file that a power cut cannot take away any more, or none."""
        if self._is_there(path, content):
            os.utime(path)  # young again, so that nobody removes it before it is linked
            return
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
        file = self._disk.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            try:
                rest = memoryview(content)
                while rest:
                    taken = self._disk.write(file, bytes(rest))
                    if taken == 0:
                        raise OSError(errno.EIO, "the disk takes no bytes")
                    rest = rest[taken:]
                self._disk.sync(file)
            finally:
                self._disk.close(file)
            part.rename(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
        self._sync_folder(self._folder)
        self._used += len(content)

    def _is_there(self, path: Path, content: bytes) -> bool:
        """Whether that very file is there already; one that is torn is written again."""
        try:
            return sha256(path.read_bytes()).digest() == sha256(content).digest()
        except FileNotFoundError:
            return False

    def _sync_folder(self, folder: Path) -> None:
        """A new file's name is on the disk only when its folder is."""
        file = self._disk.open(folder, os.O_RDONLY)
        try:
            self._disk.sync(file)
        finally:
            self._disk.close(file)

    def _now_ms(self) -> float:
        return self._clock.now_ms()

    def _tell(self, event: EvidenceEvent) -> None:
        with self._changed:
            self._events.append(event)
        self._told()

    def _fail(self, turn: int, sentence: str) -> None:
        with self._changed:
            before, self._failing = self._failing, True
        if not before:
            self._tell(EvidenceFailed(turn, sentence, self._now_ms()))

    def _sentence(self, trouble: OSError) -> str:
        if isinstance(trouble, LaserboardError):
            return str(trouble)
        why = trouble.strerror or str(trouble)
        if trouble.errno in (errno.ENOSPC, errno.EDQUOT):
            remedy = "make room on the disk, or `laserboard games evidence prune`"
        elif trouble.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            remedy = f"let yourself write in {self.name}"
        else:
            remedy = f"see to that in {self.name}"
        return f"no picture of this turn: {why}; {remedy}; play goes on without"
