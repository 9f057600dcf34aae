"""Boards that publish: the newest state, a pulse, a will, and results that are never lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.devices.journal_file import JournalFile
from controller.devices.sentences import BROKER_REJECTS_USER
from controller.session import sentences as session_sentences
from controller.session.journal import recover
from controller.session.referee.state import CALL, Proposal, RefereeState
from controller.session.state import Phase, Session
from controller.tournament import topics
from controller.tournament.local_results import read_local_results
from controller.tournament.messages import read_result, read_state
from controller.tournament.outbox import read_outbox
from controller.tournament.payloads import state_payload
from controller.tournament.publisher import MqttPublisher
from engine.sentences import plain
from tests.support.tournament.message_examples import EVENT, occasion
from tests.support.tournament.published_boards import CLOCK, Board
from tests.support.tournament.recording_broker import PUBLISH, Broker, broker, until
from vision.infer import Difference

Sit = Callable[..., Board]
BEAT_MS, BEATS = 5.0, 3000
WRONG = Difference(0, None, None, 9.0, plain("a8: a red king stands there"))
CALLED = Proposal(3, CALL, session_sentences.CALLS_REFEREE(player="blue"), 0)


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    boards: list[Board] = []

    def sat(url: str, **how: Any) -> Board:
        boards.append(Board(tmp_path, url, **how))
        return boards[-1]

    yield sat
    for board in boards:
        board.close()


def kept(there: Broker, topic: str) -> Any:
    payload = there.retained.get(topic)
    return None if payload is None else json.loads(payload)


def reported(there: Broker, **wanted: Any) -> bool:
    state = kept(there, topics.state_topic(occasion())) or {}
    return all(state.get(key) == value for key, value in wanted.items())


def words(there: Broker, topic: str) -> list[str]:
    """What was said about a board's presence, in order."""
    return [json.loads(each)["presence"] for where, each in there.published if where == topic]


def test_a_state_tells_all_that_a_hall_needs(sit: Sit) -> None:
    with broker() as there:
        board = sit(there.url)
        board.move(2)
        board.publisher_value.page_url = "http://127.0.0.1:8137/"  # the broker is here, too
        until(lambda: reported(there, turns=2, page="http://127.0.0.1:8137/"))
        state = read_state(kept(there, topics.state_topic(occasion())))
        assert state.players == ("Ada", "Grace")
        assert (state.round, state.table, state.title) == (1, 1, "Laser Chess")
        assert state.last_move.startswith("red a4 to b4")
        assert state.guidance == "blue to move"
        assert state.last_hash == board.journal.last_hash
        assert state.result == "*"
        assert board.start.game.read_position(state.position)


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        (
            lambda session: replace(
                session, phase=Phase.MISMATCH, table=replace(session.table, differences=(WRONG,))
            ),
            [str(WRONG.sentence)],
        ),
        (
            lambda session: replace(
                session,
                phase=Phase.PAUSED,
                pause=replace(session.pause, lost_devices={"camera": "unplugged"}),
            ),
            ["camera: unplugged"],
        ),
        (
            lambda session: replace(
                session, phase=Phase.PAUSED, referee=RefereeState(open_proposals=(CALLED,))
            ),
            ["the referee must rule: blue calls the referee"],
        ),
    ],
    ids=["a wrong square", "a lost device", "an open proposal"],
)
def test_a_state_says_why_play_cannot_continue(
    sit: Sit, change: Callable[[Session], Session], reasons: list[str]
) -> None:
    with broker() as there:
        board = sit(there.url)
        board.publisher_value.publish(change(board.session()))
        until(lambda: reported(there, reasons=reasons))
        state = read_state(kept(there, topics.state_topic(occasion())))
        assert state.reasons == tuple(reasons)


def test_a_defect_in_one_message_stops_neither_the_next_state_nor_the_pulse(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with broker() as there:
        board = sit(there.url)
        until(lambda: reported(there, turns=0))

        def defective(*values: Any) -> dict[str, Any]:
            return {**state_payload(*values), "guide": object()}

        heard: list[str] = []

        def remarked() -> bool:
            heard.extend(str(each) for each in board.publisher_value.events())
            return any("TypeError" in each for each in heard)

        with monkeypatch.context() as during:
            during.setattr("controller.tournament.publisher.state_payload", defective)
            board.move(1)
            until(remarked)
        assert [each.exc_info is not None for each in caplog.records] == [True]
        pulses = len(there.sent(PUBLISH))
        until(lambda: len(there.sent(PUBLISH)) > pulses)
        board.move(1)
        until(lambda: reported(there, turns=2))


def test_a_page_that_nobody_else_could_reach_is_not_reported(sit: Sit) -> None:
    with broker() as there:
        board = sit(there.url)
        object.__setattr__(board.publisher_value._broker.address, "host", "broker.local")
        board.publisher_value.page_url = "http://127.0.0.1:8137/"
        board.move(1)
        until(lambda: reported(there, turns=1))
        assert reported(there, page="")


def test_a_pulse_comes_every_second_whatever_happens(sit: Sit) -> None:
    with broker() as there:
        sit(there.url)

        def pulses() -> list[Any]:
            here = topics.pulse_topic(occasion()).encode()
            sent = [each.body for each in there.sent(PUBLISH) if here in each.body]
            return [json.loads(body[body.index(b"{") :]) for body in sent]

        until(lambda: len(pulses()) >= 3)
        quiet = [each["quiet_ms"] for each in pulses()]
        assert quiet == sorted(quiet)  # its loop was heard of once
        numbers = [each["number"] for each in pulses()]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_board_that_is_cut_off_is_lost_and_one_that_leaves_says_goodbye(sit: Sit) -> None:
    with broker() as there:
        board = sit(there.url)
        here = topics.presence_topic(occasion())
        until(lambda: (kept(there, here) or {}).get("presence") == "here")
        there.cut()
        until(lambda: "lost" in words(there, here))
        until(lambda: words(there, here)[-1] == "here")  # it is back
        board.close()
        until(lambda: (kept(there, here) or {}).get("presence") == "left")


def test_a_result_comes_with_its_record_and_head(sit: Sit) -> None:
    with broker() as there:
        board = sit(there.url)
        board.finish()
        until(lambda: kept(there, topics.result_topic(occasion())))
        result = read_result(kept(there, topics.result_topic(occasion())))
        assert (result.result, result.reason, result.turns) == ("1-0", "king captured", 17)
        assert result.last_hash == board.journal.last_hash
        assert result.game_id == recover(Path(board.journal.name).read_bytes()).entries[0].hash
        assert result.text.endswith("9. e4ud5xf8 1-0\n")
        assert json.loads(result.record)["tags"]["Round"] == "1"
        until(lambda: reported(there, outcome={"result": "1-0", "reason": "king captured"}))


def test_a_result_beside_the_board_is_reported_too(sit: Sit) -> None:
    with broker() as there:
        board = sit(there.url)
        board.move(3)
        board.ends("0-1", "blue resigns")
        until(lambda: kept(there, topics.result_topic(occasion())))
        assert kept(there, topics.result_topic(occasion()))["reason"] == "blue resigns"


def test_a_result_waits_on_the_disk_while_there_is_no_broker(sit: Sit, tmp_path: Path) -> None:
    with broker() as there:
        port = there.port
    board = sit(f"mqtt://127.0.0.1:{port}")
    board.finish()
    queue = tmp_path / "outbox" / "1.queue"
    until(lambda: queue.exists() and read_outbox(recover(queue.read_bytes()).entries).unsent_count)
    board.close()  # within moments, although nobody has the result
    with broker(port) as there:
        sit(there.url, round_=2)  # the next game at that table
        until(lambda: kept(there, topics.result_topic(occasion())))
        until(lambda: not read_outbox(recover(queue.read_bytes()).entries).unsent_count)


def test_what_waits_is_reported_to_a_broker_that_answers_before_the_publisher_has_looked_back(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broker() as there:
        port = there.port
    board = sit(f"mqtt://127.0.0.1:{port}")
    board.finish()
    board.close()
    look_back = MqttPublisher._queue_missed_results
    with broker(port) as there:

        def late(publisher_value: MqttPublisher) -> None:
            until(lambda: kept(there, topics.presence_topic(occasion(round_=2))))
            look_back(publisher_value)

        monkeypatch.setattr(MqttPublisher, "_queue_missed_results", late)
        sit(there.url, round_=2)
        until(lambda: kept(there, topics.result_topic(occasion())))


def test_a_kill_between_the_journal_and_the_queue_loses_no_result(sit: Sit, tmp_path: Path) -> None:
    with broker() as there:
        port = there.port
    board = sit(f"mqtt://127.0.0.1:{port}")
    board.finish()
    board.close()
    (tmp_path / "outbox" / "1.queue").unlink()  # as if it had never been written
    with broker(port) as there:
        sit(there.url, round_=2)
        until(lambda: kept(there, topics.result_topic(occasion())))


def test_a_result_that_a_referee_withdraws_is_withdrawn_from_the_broker_and_reported_anew(
    sit: Sit,
) -> None:
    with broker() as there:
        board = sit(there.url)
        here = topics.result_topic(occasion())
        board.finish()
        until(lambda: (kept(there, here) or {}).get("result") == "1-0")
        board.withdraws()
        until(lambda: kept(there, here)["result"] == "*")
        until(lambda: reported(there, turns=16, outcome=None))
        board.finish()
        # The last turn and the result are two entries, and each may be published.
        until(lambda: kept(there, here)["head"] == board.journal.last_hash)
        assert kept(there, here)["result"] == "1-0"


def test_a_kill_after_a_result_was_withdrawn_lets_it_stand_nowhere(
    sit: Sit, tmp_path: Path
) -> None:
    with broker() as there:
        port, here = there.port, topics.result_topic(occasion())
        board = sit(there.url)
        board.finish()
        until(lambda: kept(there, here))
        payload = there.retained[here]
    board.close()
    queue = tmp_path / "outbox" / "1.queue"
    before = queue.read_bytes()
    journal = Path(board.journal.name)
    again = JournalFile(journal, CLOCK)  # another program writes on, and is killed at once
    board.journal = again
    board.withdraws()
    again.close()
    queue.write_bytes(before)
    with broker(port) as there:
        there.publish(here, payload, retain=True)
        sit(there.url, round_=2)
        until(lambda: kept(there, here)["result"] == "*")


def test_a_broker_that_forgot_everything_is_reported_again(sit: Sit) -> None:
    with broker() as there:
        port = there.port
        board = sit(there.url)
        board.finish()
        until(lambda: kept(there, topics.result_topic(occasion())))
    with broker(port) as there:
        until(lambda: kept(there, topics.result_topic(occasion())))
        until(lambda: reported(there, turns=16))


def test_results_of_other_tables_and_events_are_not_reported_by_this_one(
    sit: Sit, tmp_path: Path
) -> None:
    with broker() as there:
        sit(there.url, table=2).finish()
        sit(there.url, table=3, event="Another").finish()
        until(lambda: kept(there, topics.result_topic(occasion(2))))
        assert [each["table"] for each in read_local_results(tmp_path / "games", occasion(2))] == [
            2
        ]
        assert [each["table"] for each in read_local_results(tmp_path / "games", EVENT)] == [2]


def test_what_is_handed_over_never_holds_the_loop_up(sit: Sit) -> None:
    """With a broker that takes connections and says nothing."""
    with broker() as there:
        there.answers = False
        board = sit(there.url)
        session: Session = board.session()
        took_ms, begun_s = [], time.monotonic()
        for _ in range(BEATS):
            worked_s = time.thread_time()
            board.publisher_value.publish(session)
            board.publisher_value.events()
            took_ms.append(1000 * (time.thread_time() - worked_s))
        # What it works; but for one in a hundred, in which this thread cleaned up for others.
        assert sorted(took_ms)[-BEATS // 100] < BEAT_MS
        # And what it waits, on the average: it takes a thousandth of that on a quiet machine.
        assert 1000 * (time.monotonic() - begun_s) < BEATS * BEAT_MS


def test_trouble_is_a_remark_and_tells_no_secret(sit: Sit) -> None:
    with broker(user="club", password="right") as there:
        board = sit(there.url, password="wr0ng")
        heard: list[str] = []

        def listened() -> bool:
            heard.extend(map(str, board.publisher_value.events()))
            return bool(heard)

        until(listened)
        assert BROKER_REJECTS_USER.key in heard[0]
        assert "wr0ng" not in "".join(heard)
