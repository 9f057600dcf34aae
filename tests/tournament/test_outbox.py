"""The outbox sends every synced result, also after a torn write, a kill or a full disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.devices.clock import SystemClock
from controller.session.journal import recover
from controller.tournament import sentences
from controller.tournament.messages import BadMessage
from controller.tournament.outbox import (
    MAX_ENTRIES_PER_RESULT,
    MAX_RESULTS_KEPT,
    Outbox,
    read_outbox,
    write_compact,
)
from controller.tournament.outbox_file import OutboxFile
from engine import catalogue
from tests.support.engine.sentences import mentions, raises
from tests.support.tournament.message_examples import result

CLOCK = SystemClock()


def open_outbox(path: Path) -> OutboxFile:
    return OutboxFile(path, CLOCK)


def tables(outbox: OutboxFile) -> list[int]:
    return [each.result.table for each in outbox.queued()]


def filled(path: Path, *bodies: dict[str, Any]) -> None:
    outbox = open_outbox(path)
    for body in bodies:
        assert outbox.add(body)
    assert outbox.wait_until_synced(10_000)
    outbox.close()


def test_queued_results_survive_a_restart(tmp_path: Path) -> None:
    filled(tmp_path / "a.queue", result(1), result(2))
    again = open_outbox(tmp_path / "a.queue")
    assert tables(again) == [1, 2]
    assert again.outbox.unsent_count == 2
    assert not again.add(result(1))  # the same is no news
    again.mark_delivered(again.queued()[0].result)
    again.close()
    last = open_outbox(tmp_path / "a.queue")
    assert (last.outbox.unsent_count, tables(last)) == (1, [1, 2])
    last.close()


def test_a_queue_torn_at_any_byte_keeps_all_complete_entries(tmp_path: Path) -> None:
    path = tmp_path / "a.queue"
    filled(path, result(1, text="", record=""), result(2, text="", record=""))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for at in range(len(whole)):
        kept = [1] if at >= first else []
        found = read_outbox(recover(whole[:at]).entries)
        assert [each.result.table for each in found.results.values()] == kept, at
        if at % 101 and at not in (first - 1, first, first + 1, len(whole) - 1):
            continue  # on a disk the test checks only some of the positions
        torn = tmp_path / f"{at}.queue"
        torn.write_bytes(whole[:at])
        outbox = open_outbox(torn)
        assert tables(outbox) == kept, at
        assert outbox.add(result(3))
        assert outbox.wait_until_synced(10_000)
        outbox.close()
        assert read_outbox(recover(torn.read_bytes()).entries).unsent_count == len(kept) + 1


def test_a_damaged_queue_is_renamed_and_the_game_continues(tmp_path: Path) -> None:
    path = tmp_path / "a.queue"
    filled(path, result(1), result(2))
    path.write_bytes(path.read_bytes().replace(b"Ada", b"Eva", 1))
    outbox = open_outbox(path)
    (remark,) = outbox.remarks
    assert mentions(remark, sentences.QUEUE_SET_ASIDE)
    assert remark.slots["name"] == "a.queue.damaged-1"
    assert (tmp_path / "a.queue.damaged-1").exists()
    assert outbox.add(result(3))
    assert outbox.wait_until_synced(10_000)
    outbox.close()


def test_a_queue_locked_by_another_program_is_not_waited_for(tmp_path: Path) -> None:
    one = open_outbox(tmp_path / "a.queue")
    other = open_outbox(tmp_path / "a.queue")
    assert mentions(other.remarks[0], sentences.STORED_IN_MEMORY)
    assert other.add(result(1))
    assert other.wait_until_synced(0)
    assert tables(other) == [1]
    one.close()
    other.close()


def test_an_impossible_folder_does_not_stop_the_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    outbox = open_outbox(tmp_path / "file" / "a.queue")
    assert outbox.remarks
    assert outbox.add(result(1))
    outbox.close()


def test_a_newer_result_of_a_game_replaces_the_older_one(tmp_path: Path) -> None:
    outbox = open_outbox(tmp_path / "a.queue")
    outbox.add(result(1))
    outbox.mark_delivered(outbox.queued()[0].result)
    outbox.add(result(1, result="0-1", entries=30))
    assert [(each.result.result, each.sent) for each in outbox.queued()] == [("0-1", False)]
    outbox.close()


def test_the_delivery_of_an_older_result_does_not_confirm_a_newer_one() -> None:
    old, new = result(1), result(1, entries=30)
    queue = Outbox().with_result(old)
    first = next(iter(queue.results.values())).result
    queue = queue.with_result(new).with_delivered(first.game_id, first.entries)
    assert queue.unsent_count == 1


def test_the_queue_is_bounded_and_keeps_unsent_results_longest() -> None:
    queue = Outbox()
    for table in range(1, MAX_RESULTS_KEPT + 1):
        queue = queue.with_result(result(table))
        reported = list(queue.results.values())[-1].result
        if table % 2:
            queue = queue.with_delivered(reported.game_id, reported.entries)
    for table in range(MAX_RESULTS_KEPT + 1, MAX_RESULTS_KEPT + 31):
        queue = queue.with_result(result(table))
    assert len(queue.results) == MAX_RESULTS_KEPT
    assert queue.unsent_count == 50 + 30


def test_a_rewritten_queue_has_the_same_content() -> None:
    queue = Outbox().with_result(result(1)).with_result(result(2))
    reported = next(iter(queue.results.values())).result
    queue = queue.with_delivered(reported.game_id, reported.entries)
    recovered = recover(write_compact(queue))
    assert recovered.damaged_tail is None
    assert read_outbox(recovered.entries) == queue


def test_a_long_file_is_rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.queue"
    filled(path, *(result(1, entries=entries) for entries in range(1, 40)), result(2))
    monkeypatch.setattr("controller.tournament.outbox_file.MAX_ENTRIES_PER_RESULT", 0)
    outbox = open_outbox(path)
    assert sorted(tables(outbox)) == [1, 2]
    outbox.add(result(3))
    assert outbox.wait_until_synced(10_000)
    outbox.close()
    assert len(recover(path.read_bytes()).entries) == 3
    assert MAX_ENTRIES_PER_RESULT > 3  # otherwise every write rewrites a full queue


def test_an_unreadable_entry_is_refused() -> None:
    with raises(BadMessage, catalogue.NOT_A_WHOLE_NUMBER):
        Outbox().with_result({"result": "1-0"})
