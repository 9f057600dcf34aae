"""Writes images of every turn into a folder: a thread crops, encodes, writes and syncs them.

A failure never stops a game. It is reported once, until an image is written again.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from controller.config.referee import EvidenceSettings
from controller.devices import sentences
from controller.devices.clock import unix_time_s
from controller.devices.journal_file import Disk, DiskFault, disk_fault_reason
from controller.devices.worker import Worker
from controller.ports.devices import Clock
from controller.ports.events import DeviceRemark
from controller.ports.frames import CapturedFrame
from controller.session.board_fit import FittedBoard
from controller.session.evidence import (
    EvidenceCaptured,
    EvidenceEvent,
    EvidenceFailed,
    EvidenceImage,
)
from controller.storage.evidence_files import (
    MB,
    format_megabytes,
    plan_pruning,
    prune,
    take_inventory,
)
from controller.storage.evidence_image import EncodedEvidence, encode_evidence
from engine.errors import LaserboardError
from engine.sentences import Sentence

log = logging.getLogger(__name__)

MAX_QUEUED = 6  # turns, each with two images in memory
FOLDER_MODE = 0o700


class QuotaExceeded(LaserboardError, OSError):
    """The quota is used up by images that must not be deleted."""


@dataclass(frozen=True)
class _Task:
    turn: int
    before: CapturedFrame | None
    after: CapturedFrame | None
    proposal: int | None = None


class FolderEvidenceWriter(Worker[EvidenceEvent]):
    """Writes the images of one game into a folder that all games share.

    The thread calls `on_event` after each new event.
    """

    join_s = 10.0

    def __init__(
        self,
        folder: Path,
        fitted_board: FittedBoard,
        settings: EvidenceSettings,
        clock: Clock,
        *,
        disk: Disk | None = None,
        on_event: Callable[[], None] = lambda: None,
        now_s: Callable[[], float] = unix_time_s,
    ) -> None:
        super().__init__()
        self._folder, self._fitted_board, self._settings = folder, fitted_board, settings
        self._clock, self._on_event, self._now_s = clock, on_event, now_s
        self._disk = disk or Disk()
        self._before: CapturedFrame | None = None
        # Guarded by `_changed`:
        self._queue: deque[_Task] = deque()
        self._busy = True  # the thread prunes the folder first
        self._failing = False
        self._used_bytes = 0  # used by the thread only
        self._start("evidence")

    @property
    def name(self) -> str:
        return str(self._folder)

    def capture_before(self, captured: CapturedFrame | None) -> None:
        self._before = captured

    def capture_turn(self, number: int, captured: CapturedFrame | None) -> None:
        task, self._before = _Task(number, self._before, captured), None
        self._enqueue(task)

    def capture_proposal(self, number: int, turn: int, captured: CapturedFrame | None) -> None:
        self._enqueue(_Task(turn, self._before, captured, number))

    def _enqueue(self, task: _Task) -> None:
        with self._changed:
            if self._closed:
                return
            if len(self._queue) < MAX_QUEUED:
                self._queue.append(task)
                self._changed.notify_all()
                return
        self._fail(task.turn, sentences.DISK_TOO_SLOW(folder=self.name))

    def wait(self, timeout_ms: float) -> bool:
        with self._changed:
            return self._changed.wait_for(
                lambda: not (self._queue or self._busy), timeout_ms / 1000
            )

    # -- the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        self._prune_expired()
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closed or self._queue)
                if not self._queue:
                    return
                task, self._busy = self._queue.popleft(), True
            try:
                before, after = self._save_image(task.before), self._save_image(task.after)
            except OSError as trouble:
                log.warning("%s: no image of turn %d: %s", self.name, task.turn, trouble)
                self._fail(task.turn, self._error_sentence(trouble))
            except Exception as defect:
                log.exception("%s: no image of turn %d", self.name, task.turn)
                error = type(defect).__name__
                sentence = sentences.DEFECT_IN(name=self.name, error=error, message=str(defect))
                self._fail(task.turn, sentence)
            else:
                with self._changed:
                    self._failing = False
                now_ms = self._clock.now_ms()
                self._report(EvidenceCaptured(task.turn, before, after, now_ms, task.proposal))

    def _prune_expired(self) -> None:
        """Delete expired images before a game begins."""
        try:
            self._prune(0)
        except (LaserboardError, OSError) as error:
            log.warning("%s: cannot delete old images: %s", self.name, error)
            reason = error.sentence if isinstance(error, LaserboardError) else str(error)
            self._remark(sentences.OLD_IMAGES_STAY(reason=reason))

    def _prune(self, room: int) -> None:
        inventory = take_inventory(self._folder, self._now_s(), self._settings.quota_mb * MB - room)
        plan = plan_pruning(inventory, self._settings, room)
        self._used_bytes = inventory.total_bytes
        prune(self._folder, plan)
        self._used_bytes = plan.remaining_bytes
        if plan.sentence is not None:
            self._remark(plan.sentence)

    def _save_image(self, captured: CapturedFrame | None) -> EvidenceImage | None:
        encoded = None if captured is None else encode_evidence(captured, self._fitted_board)
        if encoded is None:
            return None
        self._make_room(encoded)
        self._make_folder()
        contents = (encoded.jpeg, encoded.reading)
        for name, content in zip(encoded.image.file_names(), contents, strict=True):
            self._write_file(self._folder / name, content)
        return encoded.image

    def _make_room(self, encoded: EncodedEvidence) -> None:
        size, quota = len(encoded.jpeg) + len(encoded.reading), self._settings.quota_mb * MB
        if self._used_bytes + size > quota:
            self._prune(size)
        if self._used_bytes + size > quota:
            raise QuotaExceeded(
                sentences.QUOTA_EXCEEDED(
                    size=format_megabytes(self._used_bytes), quota_mb=self._settings.quota_mb
                )
            )

    def _make_folder(self) -> None:
        if not self._folder.is_dir():
            self._folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            self._sync_folder(self._folder.parent)

    def _write_file(self, path: Path, content: bytes) -> None:
        """Write a complete, synced file, or none."""
        if self._is_already_written(path, content):
            os.utime(path)  # so that no pruning deletes it before the journal names it
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
                        raise DiskFault(errno.EIO, sentences.DISK_ACCEPTS_NOTHING())
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
        self._used_bytes += len(content)

    def _is_already_written(self, path: Path, content: bytes) -> bool:
        """Whether the file exists with this content; a damaged one is written again."""
        try:
            return sha256(path.read_bytes()).digest() == sha256(content).digest()
        except FileNotFoundError:
            return False

    def _sync_folder(self, folder: Path) -> None:
        """Sync a folder, so that the name of a new file survives a power cut."""
        file = self._disk.open(folder, os.O_RDONLY)
        try:
            self._disk.sync(file)
        finally:
            self._disk.close(file)

    def _report(self, event: EvidenceEvent) -> None:
        self._add_event(event)
        self._on_event()

    def _remark(self, sentence: Sentence) -> None:
        self._report(DeviceRemark(self.name, sentence, self._clock.now_ms()))

    def _fail(self, turn: int, sentence: Sentence) -> None:
        with self._changed:
            was_failing, self._failing = self._failing, True
        if not was_failing:
            self._report(EvidenceFailed(turn, sentence, self._clock.now_ms()))

    def _error_sentence(self, trouble: OSError) -> Sentence:
        if isinstance(trouble, LaserboardError):
            return trouble.sentence
        if trouble.errno in (errno.ENOSPC, errno.EDQUOT):
            remedy = sentences.MAKE_ROOM_FOR_IMAGES()
        elif trouble.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            remedy = sentences.ALLOW_WRITING_IMAGES(folder=self.name)
        else:
            remedy = sentences.CORRECT_IMAGE_FOLDER(folder=self.name)
        return sentences.NO_TURN_IMAGE(reason=disk_fault_reason(trouble), remedy=remedy)
