"""The queue of results: whatever is torn, killed or full, what was synced is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.devices.clock import SystemClock
from controller.devices.result_file import ResultFile
from controller.hall.messages import BadMessage
from controller.hall.queue import ENTRIES_EACH, MOST_KEPT, Queue, read_queue, written_anew
from controller.journal import recover
from tests.hall.examples import result

CLOCK = SystemClock()


def open_outbox(path: Path) -> ResultFile:
    return ResultFile(path, CLOCK)


def tables(outbox: ResultFile) -> list[int]:
    return [each.result.table for each in outbox.waiting()]


def filled(path: Path, *bodies: dict[str, Any]) -> None:
    outbox = open_outbox(path)
    for body in bodies:
        assert outbox.tell(body)
    assert outbox.synced(10_000)
    outbox.close()


def test_what_was_told_is_there_after_a_restart(tmp_path: Path) -> None:
    filled(tmp_path / "a.queue", result(1), result(2))
    again = open_outbox(tmp_path / "a.queue")
    assert tables(again) == [1, 2]
    assert again.queue.unsent == 2
    assert not again.tell(result(1))  # the same is no news
    again.delivered(again.waiting()[0].result)
    again.close()
    last = open_outbox(tmp_path / "a.queue")
    assert (last.queue.unsent, tables(last)) == (1, [1, 2])
    last.close()


def test_a_queue_torn_at_any_byte_keeps_all_that_was_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.queue"
    filled(path, result(1, text="", record=""), result(2, text="", record=""))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for at in range(len(whole)):
        kept = [1] if at >= first else []
        found = read_queue(recover(whole[:at]).entries)
        assert [each.result.table for each in found.results.values()] == kept, at
        if at % 101 and at not in (first - 1, first, first + 1, len(whole) - 1):
            continue  # a disk is slow: there, some will do
        torn = tmp_path / f"{at}.queue"
        torn.write_bytes(whole[:at])
        outbox = open_outbox(torn)
        assert tables(outbox) == kept, at
        assert outbox.tell(result(3))
        assert outbox.synced(10_000)
        outbox.close()
        assert read_queue(recover(torn.read_bytes()).entries).unsent == len(kept) + 1


def test_a_damaged_queue_is_set_aside_and_the_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.queue"
    filled(path, result(1), result(2))
    path.write_bytes(path.read_bytes().replace(b"Ada", b"Eva", 1))
    outbox = open_outbox(path)
    assert "damaged-1" in outbox.remarks[0]
    assert (tmp_path / "a.queue.damaged-1").exists()
    assert outbox.tell(result(3))
    assert outbox.synced(10_000)
    outbox.close()


def test_a_queue_that_another_program_has_is_not_waited_for(tmp_path: Path) -> None:
    one = open_outbox(tmp_path / "a.queue")
    other = open_outbox(tmp_path / "a.queue")
    assert "in memory only" in other.remarks[0]
    assert other.tell(result(1))
    assert other.synced(0)
    assert tables(other) == [1]
    one.close()
    other.close()


def test_a_folder_that_cannot_be_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    outbox = open_outbox(tmp_path / "file" / "a.queue")
    assert outbox.remarks
    assert outbox.tell(result(1))
    outbox.close()


def test_the_newest_of_a_game_takes_the_place_of_the_older(tmp_path: Path) -> None:
    outbox = open_outbox(tmp_path / "a.queue")
    outbox.tell(result(1))
    outbox.delivered(outbox.waiting()[0].result)
    outbox.tell(result(1, result="0-1", entries=30))
    assert [(each.result.result, each.sent) for each in outbox.waiting()] == [("0-1", False)]
    outbox.close()


def test_a_delivery_of_the_older_does_not_count_for_the_newer() -> None:
    old, new = result(1), result(1, entries=30)
    queue = Queue().told(old)
    first = next(iter(queue.results.values())).result
    queue = queue.told(new).delivered(first.game_id, first.entries)
    assert queue.unsent == 1


def test_the_queue_is_bounded_and_what_is_not_sent_stays_longest() -> None:
    queue = Queue()
    for table in range(1, MOST_KEPT + 1):
        queue = queue.told(result(table))
        told = list(queue.results.values())[-1].result
        if table % 2:
            queue = queue.delivered(told.game_id, told.entries)
    for table in range(MOST_KEPT + 1, MOST_KEPT + 31):
        queue = queue.told(result(table))
    assert len(queue.results) == MOST_KEPT
    assert queue.unsent == 50 + 30


def test_a_queue_reads_back_as_the_same_when_it_is_written_anew() -> None:
    queue = Queue().told(result(1)).told(result(2))
    told = next(iter(queue.results.values())).result
    queue = queue.delivered(told.game_id, told.entries)
    recovered = recover(written_anew(queue))
    assert recovered.torn is None
    assert read_queue(recovered.entries) == queue


def test_a_long_file_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.queue"
    filled(path, *(result(1, entries=entries) for entries in range(1, 40)), result(2))
    monkeypatch.setattr("controller.devices.result_file.ENTRIES_EACH", 0)
    outbox = open_outbox(path)
    assert sorted(tables(outbox)) == [1, 2]
    outbox.tell(result(3))
    assert outbox.synced(10_000)
    outbox.close()
    assert len(recover(path.read_bytes()).entries) == 3
    assert ENTRIES_EACH > 3  # or else a full queue is written anew every time


def test_what_nobody_could_read_is_refused() -> None:
    with pytest.raises(BadMessage):
        Queue().told({"result": "1-0"})
