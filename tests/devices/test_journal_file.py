"""Journals on real files: sync before `Written`, full disks, faults and kill -9."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices import sentences
from controller.devices.clock import ManualClock
from controller.devices.journal_file import Disk, JournalFile
from controller.ports.devices import BadJournal, Journal, JournalExists
from controller.ports.events import DeviceRemark, WriteFailed, Written
from controller.ports.sentences import REMEDY
from controller.session.journal import recover
from controller.session.sentences import (
    CHECKSUM_WRONG,
    DAMAGED_AND_ONE,
    DAMAGED_LATER,
    DAMAGED_SECOND,
    LINE_CUT_OFF,
)
from engine.sentences import Template
from tests.support.engine.random_play import examples
from tests.support.engine.sentences import mentions, raises
from tests.support.paths import ROOT

TIMEOUT_MS = 60_000.0


class BadDisk(Disk):
    """A real disk with short writes and injected errors."""

    def __init__(self, most: int = 1 << 20) -> None:
        self.most = most
        self.room: int | None = None  # bytes until it is full
        self.sync_fails = 0  # number of failing syncs
        self.truncate_fails = False
        self.open_fails = 0  # errno
        self.done: list[str] = []
        self.synced = 0  # size of the last synced file
        self.syncing: Callable[[int], object] = os.fstat

    def open(self, path: Path, flags: int) -> int:
        if self.open_fails:
            raise OSError(self.open_fails, os.strerror(self.open_fails))
        return super().open(path, flags)

    def write(self, file: int, content: bytes) -> int:
        part = content[: self.most]
        if self.room is not None:
            if self.room == 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            part = part[: self.room]
            self.room -= len(part)
        self.done.append("write")
        return super().write(file, part)

    def truncate(self, file: int, length: int) -> None:
        if self.truncate_fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self.done.append("truncate")
        super().truncate(file, length)

    def sync(self, file: int) -> None:
        self.syncing(file)
        if self.sync_fails:
            self.sync_fails -= 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self.done.append("sync")
        super().sync(file)
        if stat.S_ISREG(os.fstat(file).st_mode):
            self.synced = os.fstat(file).st_size


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "2026-03-01-1.journal"


Opener = Callable[..., JournalFile]


@pytest.fixture
def opened(path: Path) -> Iterator[Opener]:
    """Opens journals and closes them at the end."""
    journals: list[JournalFile] = []

    def open_one(**how: Any) -> JournalFile:
        journals.append(JournalFile(path, ManualClock(), **how))
        return journals[-1]

    yield open_one
    for journal in journals:
        journal.close()


def write_some(journal: JournalFile, count: int) -> None:
    """Write entries and wait until they are synced."""
    for i in range(count):
        number = journal.write("turn", {"i": i}, i)
    assert journal.wait(number, TIMEOUT_MS)


def failure(journal: JournalFile, number: int) -> WriteFailed:
    """The failure event of an entry."""
    assert not journal.wait(number, TIMEOUT_MS)
    failed = [each for each in journal.events() if isinstance(each, WriteFailed)]
    assert [each.number for each in failed] == [number]
    return failed[0]


# -- writing -----------------------------------------------------------------------------------


def test_written_entries_are_read_back_after_reopening(path: Path, opened: Opener) -> None:
    journal: Journal = opened()
    assert [journal.write(kind, {"of": kind}, 5) for kind in ("game", "turn")] == [1, 2]
    assert journal.last_requested == 2
    assert journal.wait(2, TIMEOUT_MS)
    assert [each for each in journal.events() if isinstance(each, Written)] == [
        Written(1, 0.0),
        Written(2, 0.0),
    ]
    assert journal.events() == []
    journal.close()
    journal.close()
    again = opened()
    assert again.last_requested == 2
    assert [(each.kind, each.body) for each in again.recovered.entries] == [
        ("game", {"of": "game"}),
        ("turn", {"of": "turn"}),
    ]
    assert again.write("result", {}, 6) == 3
    assert again.wait(3, TIMEOUT_MS)
    assert len(recover(path.read_bytes()).entries) == 3


def test_closing_writes_the_queued_entries(path: Path, opened: Opener) -> None:
    journal = opened()
    for i in range(50):
        journal.write("turn", {"i": i}, i)
    journal.close()
    assert len(recover(path.read_bytes()).entries) == 50
    with raises(BadJournal, sentences.JOURNAL_CLOSED(journal=str(path))):
        journal.write("turn", {}, 0)


def test_an_entry_is_reported_as_written_only_after_its_sync(opened: Opener) -> None:
    disk = BadDisk()
    journal = opened(disk=disk)
    seen: list[list[Any]] = []
    disk.syncing = lambda _file: seen.append(journal.events())
    disk.done.clear()
    write_some(journal, 1)
    assert disk.done == ["write", "sync"]
    assert seen == [[]]
    assert journal.events() == [Written(1, 0.0)]


def test_every_entry_is_synced_separately(opened: Opener) -> None:
    disk = BadDisk()
    journal = opened(disk=disk)
    disk.done.clear()
    write_some(journal, 5)
    assert disk.done == ["write", "sync"] * 5


def test_a_new_journal_syncs_its_folders_too(path: Path, opened: Opener) -> None:
    synced: list[str] = []
    disk = BadDisk()
    disk.syncing = lambda file: synced.append(str(Path(f"/proc/self/fd/{file}").readlink()))
    opened(disk=disk)
    assert synced == [str(path.parent.parent), str(path), str(path.parent)]


def test_short_writes_are_completed(path: Path, opened: Opener) -> None:
    journal = opened(disk=BadDisk(most=7))
    write_some(journal, 3)
    assert len(recover(path.read_bytes()).entries) == 3


def test_the_callback_is_called_for_every_event(opened: Opener) -> None:
    reported: list[int] = []
    journal = opened(on_event=lambda: reported.append(1))
    write_some(journal, 3)
    journal.close()
    assert len(reported) == 3


# -- what fails --------------------------------------------------------------------------------


def test_a_full_disk_stops_writing_and_leaves_no_partial_line(path: Path, opened: Opener) -> None:
    disk = BadDisk()
    journal = opened(disk=disk)
    write_some(journal, 2)
    number, good = 2, path.read_bytes()
    for room in (0, 1, 40, 150):
        disk.room = room
        number = journal.write("turn", {"room": room}, 3)
        assert mentions(failure(journal, number).sentence, sentences.MAKE_ROOM)
        assert path.read_bytes() == good
        disk.room = None
        journal.retry()
        assert journal.wait(number, TIMEOUT_MS)
        good = path.read_bytes()
    journal.close()
    assert [each.number for each in opened().recovered.entries] == [1, 2, 3, 4, 5, 6]


def test_a_disk_that_accepts_nothing_is_reported_in_a_sentence(path: Path, opened: Opener) -> None:
    disk = BadDisk()
    journal = opened(disk=disk)
    write_some(journal, 1)
    disk.most = 0
    assert failure(journal, journal.write("turn", {}, 1)).sentence == REMEDY(
        problem=sentences.CANNOT_WRITE(file=str(path), reason=sentences.DISK_ACCEPTS_NOTHING()),
        remedy=sentences.COPY_FOLDER(folder=str(path.parent)),
    )


def test_a_torn_tail_is_not_truncated_if_the_disk_is_too_full_to_save_it(
    path: Path, opened: Opener
) -> None:
    journal = opened()
    write_some(journal, 2)
    journal.close()
    intact = path.read_bytes()
    path.write_bytes(intact + intact[:100])
    disk = BadDisk()
    for room in (0, 40):
        disk.room = room
        with raises(BadJournal, sentences.MAKE_ROOM(folder=str(path.parent))):
            opened(disk=disk)
        assert path.read_bytes() == intact + intact[:100]
        assert list(path.parent.iterdir()) == [path]
    disk.room = None
    assert len(opened(disk=disk).recovered.entries) == 2
    assert path.with_name(f"{path.name}.torn").read_bytes() == intact[:100]


def test_no_later_entry_is_written_before_the_failed_one(path: Path, opened: Opener) -> None:
    disk = BadDisk()
    journal = opened(disk=disk)
    write_some(journal, 1)
    disk.room = 0
    third = [journal.write("turn", {}, i) for i in (1, 2)][-1]
    failure(journal, 2)
    disk.room = None
    journal.write("turn", {}, 3)
    assert not journal.wait(third, 100)
    assert len(recover(path.read_bytes()).entries) == 1
    journal.retry()
    assert journal.wait(4, TIMEOUT_MS)
    assert [each.number for each in recover(path.read_bytes()).entries] == [1, 2, 3, 4]


def test_after_a_failed_sync_the_entry_is_written_again(path: Path, opened: Opener) -> None:
    """The kernel drops pages that it could not write: they must be written again."""
    disk = BadDisk()
    journal = opened(disk=disk)
    write_some(journal, 1)
    good = path.read_bytes()
    disk.sync_fails = 2
    number = journal.write("turn", {}, 1)
    assert mentions(failure(journal, number).sentence, sentences.COPY_FOLDER)
    assert path.read_bytes() == good
    disk.done.clear()
    journal.retry()
    assert journal.wait(number, TIMEOUT_MS)
    assert disk.done[-2:] == ["write", "sync"]


def test_truncating_a_partial_line_is_retried(path: Path, opened: Opener) -> None:
    disk = BadDisk()
    journal = opened(disk=disk)
    write_some(journal, 1)
    good = path.read_bytes()
    disk.room, disk.truncate_fails = 30, True
    failure(journal, journal.write("turn", {}, 1))
    assert len(path.read_bytes()) == len(good) + 30
    disk.room = None
    journal.retry()
    failure(journal, 2)
    disk.truncate_fails = False
    journal.retry()
    assert journal.wait(2, TIMEOUT_MS)
    assert len(recover(path.read_bytes()).entries) == 2


def test_a_partial_line_left_by_a_failure_is_a_torn_tail_at_the_next_start(opened: Opener) -> None:
    disk = BadDisk()
    journal = opened(disk=disk)
    write_some(journal, 1)
    disk.room, disk.truncate_fails = 30, True
    failure(journal, journal.write("turn", {}, 1))
    journal.close()
    assert len(opened().recovered.entries) == 1


def test_a_removed_journal_is_reported_and_written_again(path: Path, opened: Opener) -> None:
    journal = opened()
    write_some(journal, 3)
    path.unlink()
    failed = failure(journal, journal.write("turn", {}, 1))
    assert mentions(failed.sentence, sentences.PUT_DISK_BACK)
    journal.retry()
    assert journal.wait(4, TIMEOUT_MS)
    assert len(recover(path.read_bytes()).entries) == 4


def test_a_journal_whose_folder_was_removed_is_written_again(path: Path, opened: Opener) -> None:
    journal = opened()
    write_some(journal, 2)
    shutil.rmtree(path.parent)
    failure(journal, journal.write("turn", {}, 1))
    journal.retry()
    assert journal.wait(3, TIMEOUT_MS)
    assert len(recover(path.read_bytes()).entries) == 3


def test_another_file_at_its_path_is_not_changed(path: Path, opened: Opener) -> None:
    journal = opened()
    write_some(journal, 1)
    path.unlink()
    path.write_text("a letter")
    failed = failure(journal, journal.write("turn", {}, 1))
    assert mentions(failed.sentence, sentences.FILE_REPLACED)
    journal.retry()
    assert failure(journal, 2).sentence == sentences.JOURNAL_CHANGED(journal=str(path))
    assert path.read_text() == "a letter"
    path.unlink()
    journal.retry()
    assert journal.wait(2, TIMEOUT_MS)


def test_an_unexpected_failure_is_reported_with_a_traceback_in_the_log(
    opened: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Disk):
        def write(self, file: int, content: bytes) -> int:
            raise ZeroDivisionError("a defect")

    journal = opened(disk=Broken())
    assert failure(journal, journal.write("game", {}, 0)).sentence == sentences.DEFECT_IN(
        name=journal.name, error="ZeroDivisionError", message="a defect"
    )
    assert [each.message for each in caplog.records if each.exc_info] == [
        f"{journal.name}: cannot write"
    ]


@dataclass(frozen=True)
class Write:
    """Write an entry on a disk with this much room and these failures."""

    room: int | None = None
    sync_fails: int = 0
    truncate_fails: bool = False


class Repair:
    """Repair the disk and retry."""


@dataclass(frozen=True)
class Crash:
    """Stop, lose some of the unsynced bytes, and start again."""

    lost: int = 0


disk_steps = st.lists(
    st.builds(Write)
    | st.builds(Write, st.none() | st.integers(0, 300), st.integers(0, 2), st.booleans())
    | st.builds(Repair)
    | st.builds(Crash, st.integers(0, 300)),
    max_size=20,
)


@given(disk_steps)
@examples(100)
def test_no_entry_reported_as_written_is_lost_by_any_failure_or_crash(
    steps: list[Write | Repair | Crash],
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.journal"
        asked: list[int] = []  # body of every entry
        written = 0
        disk = BadDisk()
        journal = JournalFile(path, ManualClock(), disk=disk)
        for i, step in enumerate([*steps, Crash()]):
            match step:
                case Write():
                    disk.room, disk.sync_fails = step.room, step.sync_fails
                    disk.truncate_fails = step.truncate_fails
                    asked.append(i)
                    assert journal.write("turn", {"i": i}, i) == len(asked)
                    journal.wait(len(asked), TIMEOUT_MS)
                case Repair():
                    disk.room, disk.sync_fails, disk.truncate_fails = None, 0, False
                    journal.retry()
                    assert journal.wait(len(asked), TIMEOUT_MS)
            reported = [each.number for each in journal.events() if isinstance(each, Written)]
            assert reported == list(range(written + 1, written + 1 + len(reported)))
            written += len(reported)
            if isinstance(step, Crash):
                journal.close()
                content = path.read_bytes()
                path.write_bytes(content[: max(disk.synced, len(content) - step.lost)])
                disk = BadDisk()
                journal = JournalFile(path, ManualClock(), disk=disk)
                found = [entry.body["i"] for entry in journal.recovered.entries]
                assert len(found) >= written
                assert found == asked[: len(found)]
                asked, written = found, len(found)
        journal.close()


# -- opening -----------------------------------------------------------------------------------


def test_a_torn_tail_is_truncated_saved_and_reported(path: Path, opened: Opener) -> None:
    journal = opened()
    write_some(journal, 3)
    journal.close()
    content = path.read_bytes()
    path.write_bytes(content[:-10])
    again = opened()
    good = content[: content.index(b"\n", content.index(b"\n") + 1) + 1]
    assert path.read_bytes() == good
    assert path.with_name(path.name + ".torn").read_bytes() == content[len(good) : -10]
    (remark,) = again.events()
    assert isinstance(remark, DeviceRemark)
    damage = DAMAGED_LATER(line=3, reason=LINE_CUT_OFF(), count=2)
    assert remark.sentence == sentences.BYTES_CUT_OFF(
        journal=str(path),
        damage=damage,
        count=len(content) - 10 - len(good),
        file=f"{path.name}.torn",
    )
    write_some(again, 1)
    assert len(recover(path.read_bytes()).entries) == 3


def test_a_saved_torn_tail_never_replaces_another(path: Path, opened: Opener) -> None:
    path.parent.mkdir()
    for tail in (b"one", b"two", b"one"):
        path.write_bytes(tail)
        opened().close()
    kept = sorted(each for each in path.parent.iterdir() if each != path)
    assert [each.read_bytes() for each in kept] == [b"one", b"two"]


def test_a_torn_tail_that_cannot_be_saved_is_not_truncated(path: Path, opened: Opener) -> None:
    path.parent.mkdir()
    path.write_bytes(b"half a li")
    disk = BadDisk()
    disk.room = 0
    with raises(BadJournal, sentences.MAKE_ROOM(folder=str(path.parent))):
        opened(disk=disk)
    assert path.read_bytes() == b"half a li"


def test_damage_before_intact_entries_is_never_truncated_automatically(
    path: Path, opened: Opener
) -> None:
    journal = opened()
    write_some(journal, 3)
    journal.close()
    content = path.read_bytes().replace(b'"i":1', b'"i":7')
    path.write_bytes(content)
    damage = DAMAGED_SECOND(line=2, reason=CHECKSUM_WRONG())
    with raises(BadJournal, DAMAGED_AND_ONE(damage=damage)) as caught:
        opened()
    assert mentions(caught.value.sentence, sentences.KEEP_INTACT_LINES(lines=1, journal=str(path)))
    assert path.read_bytes() == content


def test_a_changed_last_line_is_damage_and_not_a_torn_tail(path: Path, opened: Opener) -> None:
    journal = opened()
    write_some(journal, 3)
    journal.close()
    content = path.read_bytes().replace(b'"i":2', b'"i":7')
    path.write_bytes(content)
    with raises(BadJournal, DAMAGED_LATER(line=3, reason=CHECKSUM_WRONG(), count=2)) as caught:
        opened()
    assert mentions(caught.value.sentence, sentences.KEEP_INTACT_LINES(lines=2, journal=str(path)))
    assert path.read_bytes() == content


def test_a_journal_has_only_one_writer(path: Path, opened: Opener) -> None:
    journal = opened()
    with raises(BadJournal, sentences.JOURNAL_IN_USE(journal=str(path))):
        opened()
    journal.close()
    opened()


def test_a_new_journal_never_continues_an_old_one(path: Path, opened: Opener) -> None:
    opened().close()
    with raises(JournalExists, sentences.JOURNAL_EXISTS(journal=str(path))):
        opened(new=True)


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.EROFS, sentences.ALLOW_WRITING),
        (errno.EACCES, sentences.ALLOW_WRITING),
        (errno.ENOSPC, sentences.MAKE_ROOM),
    ],
)
def test_a_journal_that_cannot_be_created_has_a_remedy(
    opened: Opener, number: int, remedy: Template
) -> None:
    disk = BadDisk()
    disk.open_fails = number
    with raises(BadJournal, remedy):
        opened(disk=disk)


def test_a_folder_is_refused_as_a_journal(path: Path, opened: Opener) -> None:
    path.mkdir(parents=True)
    with raises(BadJournal, sentences.CORRECT_FOLDER(folder=str(path.parent))):
        opened()


# -- kill -9 -----------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from controller.devices.clock import SystemClock
from controller.devices.journal_file import JournalFile

journal = JournalFile(Path(sys.argv[1]), SystemClock())
while True:
    number = journal.write("turn", {"moves": "x" * (int(sys.argv[2]) % 5000)}, 0)
    if not journal.wait(number, 60_000):
        sys.exit("not written")
    print(number, flush=True)
"""


def kill_repeatedly(path: Path, times: int, seed: int) -> int:
    """Repeatedly let a process write, kill it at a random time and check the file."""
    randomly = random.Random(seed)
    printed = 0
    for _ in range(times):
        command = [sys.executable, "-c", WRITER, str(path), str(randomly.randrange(10_000))]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            try:
                for _ in range(randomly.randrange(1, 12)):
                    printed = int(process.stdout.readline())
                # A random time within the writing of an entry.
                for _ in range(randomly.randrange(3000)):
                    process.poll()
            finally:
                process.send_signal(signal.SIGKILL)
            for line in process.stdout.read().splitlines(keepends=True):
                if line.endswith(b"\n"):
                    printed = int(line)
        found = recover(path.read_bytes())
        numbers = [entry.number for entry in found.entries]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= printed, "an entry reported as written is lost"
        assert found.damaged_tail is None or found.damaged_tail.is_power_cut_tail
    return printed


def test_a_writer_killed_at_any_time_loses_no_written_entry(path: Path, opened: Opener) -> None:
    printed = kill_repeatedly(path, 20, seed=1)
    journal = opened()
    assert len(journal.recovered.entries) >= printed >= 20
    write_some(journal, 1)


@pytest.mark.slow
def test_a_writer_killed_500_times_loses_no_written_entry(tmp_path: Path) -> None:
    for seed in range(10):  # short files, because every check reads the whole file
        path = tmp_path / f"{seed}.journal"
        assert kill_repeatedly(path, 50, seed) >= 50
        with closing(JournalFile(path, ManualClock())) as journal:
            write_some(journal, 1)
