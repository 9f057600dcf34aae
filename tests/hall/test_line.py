"""The line to a broker: it comes back by itself, says what is wrong in one sentence, and a hall
never says anything on it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.broker_address import Broker as Address
from controller.broker_address import read_broker_url
from controller.devices.clock import SystemClock
from controller.devices.mqtt import Heard, Line, Message
from controller.devices.result_file import ResultFile
from controller.hall.hearing import Hearing
from controller.hall.overview import Freshness
from controller.hall.topics import all_of
from controller.wiring import listen
from tests.hall.broker import (
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
from tests.hall.examples import EVENT, presence, pulse, result, sent, state

CLOCK = SystemClock()
Open = Callable[..., Line]


@pytest.fixture
def open_line() -> Iterator[Open]:
    lines: list[Line] = []

    def opened(at: Broker | str, password: str = "", **how: object) -> Line:
        url = at if isinstance(at, str) else at.url
        to = Address(read_broker_url(url), password)
        lines.append(Line(to, CLOCK, f"test-{len(lines)}", **how))  # type: ignore[arg-type]
        return lines[-1]

    yield opened
    for line in lines:
        line.close()


def test_a_message_is_delivered_and_said_to_be(open_line: Open) -> None:
    with broker() as there:
        delivered: list[int] = []
        line = open_line(there, delivered=delivered.append)
        until(lambda: line.trouble == "")
        assert line.put(Message("a/b", b"one", True, 7))
        until(lambda: delivered == [7])
        until(lambda: there.retained == {"a/b": b"one"})  # this broker confirms first


def test_without_a_connection_nothing_is_queued_in_secret(
    open_line: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.devices.mqtt.CONNECT_S", 0.5)
    with broker() as there:
        there.answers = False
        line = open_line(there)
        until(lambda: there.sent(CONNECT))
        assert not line.put(Message("a", b"lost"))
        there.answers = True
        monkeypatch.setattr("controller.devices.mqtt.CONNECT_S", 30.0)
        until(lambda: line.trouble == "")
        assert there.retained == {}
        assert there.sent(PUBLISH) == []


def test_it_comes_back_by_itself_and_greets_again(open_line: Open) -> None:
    with broker() as first:
        port = first.port
        line = open_line(first, greeting=lambda: [Message("here", b"yes", True)])
        until(lambda: first.retained)
        first.cut()
        until(lambda: len(first.sent(CONNECT)) == 2)
    until(lambda: line.trouble)
    with broker(port) as second:
        until(lambda: second.retained == {"here": b"yes"})


def test_a_last_will_is_told_when_the_line_is_cut_and_not_when_it_is_closed(
    open_line: Open,
) -> None:
    with broker() as there:
        line = open_line(there, will=Message("will", b"gone", True))
        until(lambda: line.trouble == "")
        there.cut()
        until(lambda: there.retained == {"will": b"gone"})
        until(lambda: line.trouble == "" and len(there.sent(CONNECT)) == 2)
        there.retained.clear()
        line.close()
        until(lambda: there.sent(DISCONNECT))
        assert there.retained == {}


def test_what_is_wrong_is_one_sentence(open_line: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(host: object, *_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, f"{host}: Name or service not known")

    free = own_port()
    line = open_line(f"mqtt://127.0.0.1:{free}")
    until(lambda: line.trouble)
    assert line.trouble == f"no broker answers at mqtt://127.0.0.1:{free}: is it running?"
    line.close()
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    nowhere = open_line("mqtt://nowhere.invalid")
    until(lambda: nowhere.trouble)
    assert "there is no host of that name" in (nowhere.trouble or "")


def test_a_wrong_password_is_told_never_shown_and_tried_again(open_line: Open) -> None:
    with broker(user="club", password="right") as there:
        line = open_line(there, "wr0ng")
        until(lambda: line.trouble)
        assert line.trouble == (
            f"mqtt://club@127.0.0.1:{there.port} does not let club in: is the password right?"
        )
        assert "wr0ng" not in str(vars(line)["_broker"])
        until(lambda: len(there.sent(CONNECT)) >= 2)
        right = open_line(there, "right")
        until(lambda: right.trouble == "")
        nobody = open_line(f"mqtt://127.0.0.1:{there.port}")
        until(lambda: nobody.trouble)
        assert "lets nobody in without a name" in (nobody.trouble or "")


def test_something_that_is_no_broker_is_told_so(
    open_line: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.devices.mqtt.CONNECT_S", 0.3)
    with broker() as there:
        there.answers = False
        line = open_line(there)
        until(lambda: line.trouble)
        assert "does not answer as a broker does" in (line.trouble or "")


def test_what_is_heard_says_whether_the_broker_had_kept_it(open_line: Open) -> None:
    with broker() as there:
        there.publish("a/b", b"old", retain=True)
        heard: list[Heard] = []
        line = open_line(there, topics=("a/#",), heard=heard.append)
        until(lambda: heard)
        there.publish("a/c", b"new")
        until(lambda: len(heard) == 2)
        assert [(each.payload, each.retained) for each in heard] == [
            (b"old", True),
            (b"new", False),
        ]
        assert line.trouble == ""


def test_a_hall_never_publishes_anything(tmp_path: Path) -> None:
    """Every packet that it sends, through connecting, listening, a cut and leaving."""
    with broker() as there:
        for body, what in ((state(), "state"), (presence(), "presence"), (result(), "result")):
            there.publish(*sent(what, body), retain=True)
        memory = ResultFile(tmp_path / "a.results", CLOCK, 100)
        hearing = Hearing(EVENT, ("Ada", "Grace"), there.url, CLOCK, memory)
        to = Address(read_broker_url(there.url))
        stop = listen(to, CLOCK, all_of(EVENT), hearing.heard, hearing.changed)
        until(lambda: hearing.hall().overview.finished())
        there.publish(*sent("pulse", pulse()))
        until(
            lambda: (
                [each.freshness(CLOCK.now_ms()) for each in hearing.hall().overview.in_order()]
                == [Freshness.LIVE]
            )
        )
        there.cut()
        until(lambda: len(there.sent(CONNECT)) == 2)
        until(lambda: len(there.sent(SUBSCRIBE)) == 2)
        stop()
        hearing.close()
        until(lambda: there.sent(DISCONNECT))
        quiet = {CONNECT, SUBSCRIBE, PUBACK, PINGREQ, DISCONNECT}
        assert {each.kind for each in there.packets} <= quiet
        for packet in there.sent(CONNECT):
            assert not packet.body[7] & 4, "not even a will"
