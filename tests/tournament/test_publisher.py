"""The publisher of a board: newest state, heartbeat, last will, and results without loss."""

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
from controller.session.guidance import guidance_for
from controller.session.journal import recover
from controller.session.referee.state import CALL, Proposal, RefereeState
from controller.session.state import Phase, Session
from controller.tournament import topics
from controller.tournament.local_results import read_local_results
from controller.tournament.messages import read_result, read_state
from controller.tournament.outbox import read_outbox
from controller.tournament.payloads import state_payload
from controller.tournament.publisher import MqttPublisher
from engine import catalogue
from engine.sentences import plain
from tests.support.tournament.message_examples import EVENT, tournament_entry
from tests.support.tournament.published_boards import CLOCK, Board
from tests.support.tournament.recording_broker import PUBLISH, Broker, broker, until
from vision.infer import Difference

OpenBoard = Callable[..., Board]
TICK_MS, TICKS = 5.0, 3000
WRONG = Difference(0, None, None, 9.0, plain("a8: a red king stands there"))
CALLED = Proposal(3, CALL, session_sentences.CALLS_REFEREE(player="blue"), 0)


@pytest.fixture
def open_board(tmp_path: Path) -> Iterator[OpenBoard]:
    boards: list[Board] = []

    def opened(url: str, **how: Any) -> Board:
        boards.append(Board(tmp_path, url, **how))
        return boards[-1]

    yield opened
    for board in boards:
        board.close()


def retained_json(mqtt_broker: Broker, topic: str) -> Any:
    payload = mqtt_broker.retained.get(topic)
    return None if payload is None else json.loads(payload)


def reported(mqtt_broker: Broker, **wanted: Any) -> bool:
    state = retained_json(mqtt_broker, topics.state_topic(tournament_entry())) or {}
    return all(state.get(key) == value for key, value in wanted.items())


def presence_messages(mqtt_broker: Broker, topic: str) -> list[str]:
    """The presence messages of a board, in order."""
    return [json.loads(each)["presence"] for where, each in mqtt_broker.published if where == topic]


def test_a_state_has_every_field_of_the_overview(open_board: OpenBoard) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        board.move(2)
        board.publisher_value.page_url = "http://127.0.0.1:8137/"  # the broker is here, too
        until(lambda: reported(mqtt_broker, turns=2, page="http://127.0.0.1:8137/"))
        state = read_state(retained_json(mqtt_broker, topics.state_topic(tournament_entry())))
        assert state.players == ("Ada", "Grace")
        assert (state.round, state.table, state.title) == (1, 1, "Laser Chess")
        assert str(state.last_move).startswith("red a4 to b4")
        assert state.guidance == guidance_for(board.session()).sentence
        assert str(state.guidance) == "blue to move"
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
                pause=replace(session.pause, lost_devices={"camera": plain("unplugged")}),
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
    open_board: OpenBoard, change: Callable[[Session], Session], reasons: list[str]
) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        board.publisher_value.publish(change(board.session()))
        until(lambda: reported(mqtt_broker, reasons=reasons))
        state = read_state(retained_json(mqtt_broker, topics.state_topic(tournament_entry())))
        assert state.reasons == guidance_for(change(board.session())).reasons


def test_a_defect_in_one_message_stops_no_later_state_or_heartbeat(
    open_board: OpenBoard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        until(lambda: reported(mqtt_broker, turns=0))

        def defective(*values: Any) -> dict[str, Any]:
            return {**state_payload(*values), "guide": object()}

        notes: list[str] = []

        def remarked() -> bool:
            notes.extend(str(each) for each in board.publisher_value.events())
            return any("TypeError" in each for each in notes)

        with monkeypatch.context() as during:
            during.setattr("controller.tournament.publisher.state_payload", defective)
            board.move(1)
            until(remarked)
        assert [each.exc_info is not None for each in caplog.records] == [True]
        pulses = len(mqtt_broker.sent(PUBLISH))
        until(lambda: len(mqtt_broker.sent(PUBLISH)) > pulses)
        board.move(1)
        until(lambda: reported(mqtt_broker, turns=2))


def test_a_page_on_a_loopback_address_is_not_reported(open_board: OpenBoard) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        object.__setattr__(board.publisher_value._broker.address, "host", "broker.local")
        board.publisher_value.page_url = "http://127.0.0.1:8137/"
        board.move(1)
        until(lambda: reported(mqtt_broker, turns=1))
        assert reported(mqtt_broker, page="")


def test_a_heartbeat_is_sent_every_second_in_any_state(open_board: OpenBoard) -> None:
    with broker() as mqtt_broker:
        open_board(mqtt_broker.url)

        def pulses() -> list[Any]:
            topic = topics.pulse_topic(tournament_entry()).encode()
            sent = [each.body for each in mqtt_broker.sent(PUBLISH) if topic in each.body]
            return [json.loads(body[body.index(b"{") :]) for body in sent]

        until(lambda: len(pulses()) >= 3)
        quiet = [each["quiet_ms"] for each in pulses()]
        assert quiet == sorted(quiet)  # the loop reported only once
        numbers = [each["number"] for each in pulses()]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_disconnected_board_is_lost_and_a_closed_one_has_left(open_board: OpenBoard) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        topic = topics.presence_topic(tournament_entry())
        until(lambda: (retained_json(mqtt_broker, topic) or {}).get("presence") == "here")
        mqtt_broker.cut()
        until(lambda: "lost" in presence_messages(mqtt_broker, topic))
        until(lambda: presence_messages(mqtt_broker, topic)[-1] == "here")  # it is back
        board.close()
        until(lambda: (retained_json(mqtt_broker, topic) or {}).get("presence") == "left")


def test_a_result_has_its_record_and_journal_hash(open_board: OpenBoard) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        board.finish()
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry())))
        result = read_result(retained_json(mqtt_broker, topics.result_topic(tournament_entry())))
        assert (result.result, result.turns) == ("1-0", 17)
        assert result.reason == catalogue.KING_CAPTURED()
        assert result.last_hash == board.journal.last_hash
        assert result.game_id == recover(Path(board.journal.name).read_bytes()).entries[0].hash
        assert result.text.endswith("9. e4ud5xf8 1-0\n")
        assert json.loads(result.record)["tags"]["Round"] == "1"
        until(lambda: reported(mqtt_broker, outcome={"result": "1-0", "reason": "king captured"}))


def test_a_result_off_the_board_is_published_too(open_board: OpenBoard) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        board.move(3)
        board.ends("0-1", "blue resigns")
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry())))
        assert (
            retained_json(mqtt_broker, topics.result_topic(tournament_entry()))["reason"]
            == "blue resigns"
        )


def test_a_result_is_queued_on_the_disk_without_a_broker(
    open_board: OpenBoard, tmp_path: Path
) -> None:
    with broker() as mqtt_broker:
        port = mqtt_broker.port
    board = open_board(f"mqtt://127.0.0.1:{port}")
    board.finish()
    queue = tmp_path / "outbox" / "1.queue"
    until(lambda: queue.exists() and read_outbox(recover(queue.read_bytes()).entries).unsent_count)
    board.close()  # must not wait for the delivery of the result
    with broker(port) as mqtt_broker:
        open_board(mqtt_broker.url, round_=2)  # the next game at the same table
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry())))
        until(lambda: not read_outbox(recover(queue.read_bytes()).entries).unsent_count)


def test_queued_results_are_sent_if_the_broker_answers_before_they_are_read(
    open_board: OpenBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broker() as mqtt_broker:
        port = mqtt_broker.port
    board = open_board(f"mqtt://127.0.0.1:{port}")
    board.finish()
    board.close()
    look_back = MqttPublisher._queue_missed_results
    with broker(port) as mqtt_broker:

        def late(publisher_value: MqttPublisher) -> None:
            until(
                lambda: retained_json(
                    mqtt_broker, topics.presence_topic(tournament_entry(round_=2))
                )
            )
            look_back(publisher_value)

        monkeypatch.setattr(MqttPublisher, "_queue_missed_results", late)
        open_board(mqtt_broker.url, round_=2)
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry())))


def test_a_kill_between_the_journal_and_the_queue_loses_no_result(
    open_board: OpenBoard, tmp_path: Path
) -> None:
    with broker() as mqtt_broker:
        port = mqtt_broker.port
    board = open_board(f"mqtt://127.0.0.1:{port}")
    board.finish()
    board.close()
    (tmp_path / "outbox" / "1.queue").unlink()  # as before its first write
    with broker(port) as mqtt_broker:
        open_board(mqtt_broker.url, round_=2)
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry())))


def test_a_result_that_a_referee_withdraws_is_withdrawn_from_the_broker_and_published_again(
    open_board: OpenBoard,
) -> None:
    with broker() as mqtt_broker:
        board = open_board(mqtt_broker.url)
        topic = topics.result_topic(tournament_entry())
        board.finish()
        until(lambda: (retained_json(mqtt_broker, topic) or {}).get("result") == "1-0")
        board.withdraws()
        until(lambda: retained_json(mqtt_broker, topic)["result"] == "*")
        until(lambda: reported(mqtt_broker, turns=16, outcome=None))
        board.finish()
        # The last turn and the result are two entries, and each may be published.
        until(lambda: retained_json(mqtt_broker, topic)["head"] == board.journal.last_hash)
        assert retained_json(mqtt_broker, topic)["result"] == "1-0"


def test_a_withdrawn_result_counts_nowhere_after_a_kill(
    open_board: OpenBoard, tmp_path: Path
) -> None:
    with broker() as mqtt_broker:
        port, topic = mqtt_broker.port, topics.result_topic(tournament_entry())
        board = open_board(mqtt_broker.url)
        board.finish()
        until(lambda: retained_json(mqtt_broker, topic))
        payload = mqtt_broker.retained[topic]
    board.close()
    queue = tmp_path / "outbox" / "1.queue"
    before = queue.read_bytes()
    journal = Path(board.journal.name)
    again = JournalFile(journal, CLOCK)  # another program appends an entry and is killed
    board.journal = again
    board.withdraws()
    again.close()
    queue.write_bytes(before)
    with broker(port) as mqtt_broker:
        mqtt_broker.publish(topic, payload, retain=True)
        open_board(mqtt_broker.url, round_=2)
        until(lambda: retained_json(mqtt_broker, topic)["result"] == "*")


def test_a_broker_without_retained_messages_gets_them_again(open_board: OpenBoard) -> None:
    with broker() as mqtt_broker:
        port = mqtt_broker.port
        board = open_board(mqtt_broker.url)
        board.finish()
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry())))
    with broker(port) as mqtt_broker:
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry())))
        until(lambda: reported(mqtt_broker, turns=16))


def test_results_of_other_tables_and_events_are_not_reported_by_this_one(
    open_board: OpenBoard, tmp_path: Path
) -> None:
    with broker() as mqtt_broker:
        open_board(mqtt_broker.url, table=2).finish()
        open_board(mqtt_broker.url, table=3, event="Another").finish()
        until(lambda: retained_json(mqtt_broker, topics.result_topic(tournament_entry(2))))
        assert [
            each["table"] for each in read_local_results(tmp_path / "games", tournament_entry(2))
        ] == [2]
        assert [each["table"] for each in read_local_results(tmp_path / "games", EVENT)] == [2]


def test_publishing_never_blocks_the_loop(open_board: OpenBoard) -> None:
    """The broker accepts connections and never answers."""
    with broker() as mqtt_broker:
        mqtt_broker.answers = False
        board = open_board(mqtt_broker.url)
        session: Session = board.session()
        took_ms, begun_s = [], time.monotonic()
        for _ in range(TICKS):
            worked_s = time.thread_time()
            board.publisher_value.publish(session)
            board.publisher_value.events()
            took_ms.append(1000 * (time.thread_time() - worked_s))
        # CPU time. One call in a hundred may be longer, because of garbage collection.
        assert sorted(took_ms)[-TICKS // 100] < TICK_MS
        # Average elapsed time. An idle machine needs a thousandth of this limit.
        assert 1000 * (time.monotonic() - begun_s) < TICKS * TICK_MS


def test_a_connection_error_is_reported_without_the_password(open_board: OpenBoard) -> None:
    with broker(user="club", password="right") as mqtt_broker:
        board = open_board(mqtt_broker.url, password="wr0ng")
        notes: list[str] = []

        def noted() -> bool:
            notes.extend(map(str, board.publisher_value.events()))
            return bool(notes)

        until(noted)
        assert BROKER_REJECTS_USER.key in notes[0]
        assert "wr0ng" not in "".join(notes)
