"""The MQTT connection: reconnects, reports problems in one sentence; a tournament view never
publishes."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.config.addresses.broker import Broker as Address
from controller.config.addresses.broker import parse_broker_url
from controller.devices import mqtt, sentences
from controller.devices.clock import SystemClock
from controller.devices.mqtt import PahoConnection
from controller.ports.mqtt import OutgoingMessage, ReceivedMessage
from controller.tournament.boards import Freshness
from controller.tournament.connect import listen
from controller.tournament.outbox_file import OutboxFile
from controller.tournament.subscriber import TournamentSubscriber
from controller.tournament.topics import event_filter
from tests.support.engine.sentences import mentions
from tests.support.tournament.message_examples import EVENT, presence, pulse, result, sent, state
from tests.support.tournament.recording_broker import (
    CONNECT,
    DISCONNECT,
    PINGREQ,
    PUBACK,
    PUBLISH,
    SUBSCRIBE,
    Broker,
    broker,
    own_port,
    until,
)

CLOCK = SystemClock()
Open = Callable[..., PahoConnection]


@pytest.fixture
def open_line() -> Iterator[Open]:
    lines: list[PahoConnection] = []

    def opened(at: Broker | str, password: str = "", **how: object) -> PahoConnection:
        url = at if isinstance(at, str) else at.url
        to = Address(parse_broker_url(url), password)
        lines.append(PahoConnection(to, CLOCK, f"test-{len(lines)}", **how))  # type: ignore[arg-type]
        return lines[-1]

    yield opened
    for line in lines:
        line.close()


def test_a_delivered_message_is_reported(open_line: Open) -> None:
    with broker() as mqtt_broker:
        delivered: list[int] = []
        line = open_line(mqtt_broker, on_delivered=delivered.append)
        until(lambda: line.trouble == "")
        assert line.publish(OutgoingMessage("a/b", b"one", True, 7))
        until(lambda: delivered == [7])
        until(lambda: mqtt_broker.retained == {"a/b": b"one"})  # this broker acknowledges first


def test_publishing_without_a_connection_is_not_queued(
    open_line: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.devices.mqtt.CONNECT_TIMEOUT_S", 0.5)
    with broker() as mqtt_broker:
        mqtt_broker.answers = False
        line = open_line(mqtt_broker)
        until(lambda: mqtt_broker.sent(CONNECT))
        assert not line.publish(OutgoingMessage("a", b"lost"))
        mqtt_broker.answers = True
        monkeypatch.setattr("controller.devices.mqtt.CONNECT_TIMEOUT_S", 30.0)
        until(lambda: line.trouble == "")
        assert mqtt_broker.retained == {}
        assert mqtt_broker.sent(PUBLISH) == []


def test_it_reconnects_and_publishes_the_initial_messages_again(open_line: Open) -> None:
    with broker() as first:
        port = first.port
        line = open_line(first, initial_messages=lambda: [OutgoingMessage("here", b"yes", True)])
        until(lambda: first.retained)
        first.cut()
        until(lambda: len(first.sent(CONNECT)) == 2)
    until(lambda: line.trouble)
    with broker(port) as second:
        until(lambda: second.retained == {"here": b"yes"})


def test_the_last_will_is_published_after_a_lost_connection_and_not_after_close(
    open_line: Open,
) -> None:
    with broker() as mqtt_broker:
        line = open_line(mqtt_broker, will=OutgoingMessage("will", b"gone", True))
        until(lambda: line.trouble == "")
        mqtt_broker.cut()
        until(lambda: mqtt_broker.retained == {"will": b"gone"})
        until(lambda: line.trouble == "" and len(mqtt_broker.sent(CONNECT)) == 2)
        mqtt_broker.retained.clear()
        line.close()
        until(lambda: mqtt_broker.sent(DISCONNECT))
        assert mqtt_broker.retained == {}


def test_a_connection_problem_is_one_sentence(
    open_line: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(host: object, *_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, f"{host}: Name or service not known")

    free = own_port()
    line = open_line(f"mqtt://127.0.0.1:{free}")
    until(lambda: line.trouble)
    assert line.trouble == sentences.NO_BROKER(broker=f"mqtt://127.0.0.1:{free}")
    line.close()
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    nowhere = open_line("mqtt://nowhere.invalid")
    until(lambda: nowhere.trouble)
    assert nowhere.trouble == sentences.BROKER_UNKNOWN(broker="mqtt://nowhere.invalid")


def test_the_log_has_the_traceback_of_a_failed_connection_once(
    open_line: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[object] = []

    def unknown(*args: object, **_: object) -> None:
        attempts.append(args)
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    caplog.set_level(logging.DEBUG, mqtt.__name__)
    open_line("mqtt://nowhere.invalid")
    until(lambda: len(attempts) > 1)
    logged = [each.exc_info[0] for each in caplog.records if each.exc_info]
    assert logged == [socket.gaierror]


def test_a_wrong_password_is_reported_without_it_and_retried(open_line: Open) -> None:
    with broker(user="club", password="right") as mqtt_broker:
        line = open_line(mqtt_broker, "wr0ng")
        until(lambda: line.trouble)
        assert line.trouble == sentences.BROKER_REJECTS_USER(
            broker=f"mqtt://club@127.0.0.1:{mqtt_broker.port}", user="club"
        )
        assert "wr0ng" not in str(vars(line)["_broker"])
        until(lambda: len(mqtt_broker.sent(CONNECT)) >= 2)
        right = open_line(mqtt_broker, "right")
        until(lambda: right.trouble == "")
        anonymous = open_line(f"mqtt://127.0.0.1:{mqtt_broker.port}")
        until(lambda: anonymous.trouble)
        assert anonymous.trouble == sentences.BROKER_NEEDS_USER(
            broker=f"mqtt://127.0.0.1:{mqtt_broker.port}"
        )


def test_a_server_that_is_not_a_broker_is_reported(
    open_line: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.devices.mqtt.CONNECT_TIMEOUT_S", 0.3)
    with broker() as mqtt_broker:
        mqtt_broker.answers = False
        line = open_line(mqtt_broker)
        until(lambda: line.trouble)
        assert line.trouble
        assert mentions(line.trouble, sentences.NOT_A_BROKER)


def test_a_received_message_says_whether_it_was_retained(open_line: Open) -> None:
    with broker() as mqtt_broker:
        mqtt_broker.publish("a/b", b"old", retain=True)
        received: list[ReceivedMessage] = []
        line = open_line(mqtt_broker, topics=("a/#",), on_message=received.append)
        until(lambda: received)
        mqtt_broker.publish("a/c", b"new")
        until(lambda: len(received) == 2)
        assert [(each.payload, each.retained) for each in received] == [
            (b"old", True),
            (b"new", False),
        ]
        assert line.trouble == ""


def test_a_tournament_view_never_publishes(tmp_path: Path) -> None:
    """Checks every packet while connecting, listening, reconnecting and closing."""
    with broker() as mqtt_broker:
        for body, what in ((state(), "state"), (presence(), "presence"), (result(), "result")):
            mqtt_broker.publish(*sent(what, body), retain=True)
        memory = OutboxFile(tmp_path / "a.results", CLOCK, 100)
        subscriber_value = TournamentSubscriber(
            EVENT, ("Ada", "Grace"), mqtt_broker.url, CLOCK, memory
        )
        to = Address(parse_broker_url(mqtt_broker.url))
        stop = listen(
            to,
            CLOCK,
            event_filter(EVENT),
            subscriber_value.on_message,
            subscriber_value.on_connection_change,
        )
        until(lambda: subscriber_value.view().state.finished_results())
        mqtt_broker.publish(*sent("pulse", pulse()))
        until(
            lambda: (
                [
                    each.freshness(CLOCK.now_ms())
                    for each in subscriber_value.view().state.boards_by_table()
                ]
                == [Freshness.LIVE]
            )
        )
        mqtt_broker.cut()
        until(lambda: len(mqtt_broker.sent(CONNECT)) == 2)
        until(lambda: len(mqtt_broker.sent(SUBSCRIBE)) == 2)
        stop()
        subscriber_value.close()
        until(lambda: mqtt_broker.sent(DISCONNECT))
        quiet = {CONNECT, SUBSCRIBE, PUBACK, PINGREQ, DISCONNECT}
        assert {each.kind for each in mqtt_broker.packets} <= quiet
        for packet in mqtt_broker.sent(CONNECT):
            assert not packet.body[7] & 4, "not even a will"
