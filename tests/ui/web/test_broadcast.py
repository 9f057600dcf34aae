"""Slow pages, flooding pages, many pages and invalid messages do not affect other pages."""

from __future__ import annotations

import json
import logging
import operator
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

from controller.ui.web import broadcast, live_socket, sentences
from controller.ui.web.commands import _READERS, BadCommand, read_command
from controller.ui.web.game_view import Message
from engine.sentences import plain, read_sentence
from tests.support.web.page_examples import moment
from tests.support.web.served_page import KEY, ServedPage, Socket, served

GAME = moment("laser-chess")
LONG = "a sentence that makes a message long " * 200


@pytest.fixture(scope="module")
def served_page() -> Iterator[ServedPage]:
    with served() as found:
        yield found


def publish(served_page: ServedPage, number: int, sentence: str = "") -> None:
    served_page.page.publish(replace(GAME, messages=(Message(number, plain(sentence), 0.0),)))


@contextmanager
def client_that_never_reads(served_page: ServedPage) -> Iterator[socket.socket]:
    """A client that opens its socket and never reads."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", served_page.page.port))
        line.sendall(
            f"GET /live HTTP/1.1\r\nHost: {served_page.host}\r\nOrigin: {served_page.origin}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        yield line


def test_a_client_that_never_reads_delays_no_other_and_is_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_socket, "SEND_TIMEOUT_S", 1.0)
    with (
        served() as served_page,
        client_that_never_reads(served_page),
        served_page.socket() as page,
    ):
        page.until(lambda: page.model)
        clients = served_page.page._broadcaster.clients
        page.until(lambda: len(clients) == 2)
        for number in range(1, 200):
            publish(served_page, number, f"{number} {LONG}")
            page.until(lambda: page.model["messages"][0]["number"] >= number)  # noqa: B023
        end = time.monotonic() + 20
        while len(clients) > 1 and time.monotonic() < end:
            page.receive()
        assert len(clients) == 1, "the client that never reads is disconnected"


def test_a_defect_in_the_messages_is_logged_and_is_no_slow_page(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> list[str]:
        raise RuntimeError("a defect in next_messages")

    with served() as served_page:
        monkeypatch.setattr(broadcast.Broadcaster, "next_messages", fail)
        with served_page.socket() as page, pytest.raises(ConnectionClosed) as closed:
            page.until(lambda: False)
    assert closed.value.rcvd is None or closed.value.rcvd.code != live_socket.CLOSE_TOO_SLOW
    assert logged_errors(caplog, logging.ERROR) == ["a defect in next_messages"]


def test_a_failed_send_is_logged_for_debugging(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("the connection is gone")

    caplog.set_level(logging.DEBUG, live_socket.__name__)
    with served() as served_page:
        monkeypatch.setattr(WebSocket, "send_text", fail)
        with served_page.socket() as page, pytest.raises(ConnectionClosed) as closed:
            page.until(lambda: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == live_socket.CLOSE_TOO_SLOW
    assert logged_errors(caplog, logging.DEBUG) == ["the connection is gone"]


def logged_errors(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    """The exceptions with a traceback in log lines of this level."""
    return [
        str(each.exc_info[1])
        for each in caplog.records
        if each.levelno == level and each.exc_info is not None and each.exc_info[2] is not None
    ]


def test_a_page_that_was_paused_gets_the_newest_state_and_not_all_states() -> None:
    with served() as served_page, served_page.socket() as page:
        page.until(lambda: page.model)
        before = page.states
        for number in range(1, 300):
            publish(served_page, number, LONG)
        page.until(lambda: page.model["messages"][0]["number"] == 299)
        assert page.states - before < 150


def test_a_page_that_floods_commands_is_disconnected(served_page: ServedPage) -> None:
    def flood(page: Socket) -> None:
        for number in range(5000):
            page.line.send(json.dumps({"id": number, "do": "watch_leds", "on": False}))
        page.until(lambda: False)

    with served_page.socket() as page:
        page.until(lambda: page.user)
        with pytest.raises(ConnectionClosed) as closed:
            flood(page)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == live_socket.CLOSE_TOO_MANY


def test_the_number_of_pages_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_socket, "MAX_CLIENTS", 5)
    with served() as served_page, ExitStack() as pages:
        for _ in range(5):
            page = pages.enter_context(served_page.socket())
            page.until(lambda: page.model)  # noqa: B023
        with served_page.socket() as late, pytest.raises(ConnectionClosed) as closed:
            late.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == live_socket.CLOSE_TOO_MANY


def test_a_silent_game_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "HEARTBEAT_S", 0.2)
    with served() as served_page, served_page.socket() as page:
        page.until(lambda: page.model)
        quiet = [page.receive() for _ in range(4)]
        assert all(each["type"] == "heartbeat" for each in quiet)
        assert quiet[-1]["loop_silent_ms"] > quiet[0]["loop_silent_ms"] + 300

        def loop_is_silent_for_less() -> bool:
            served_page.page.mark_tick()
            return bool(page.receive()["loop_silent_ms"] < quiet[-1]["loop_silent_ms"])

        page.until(loop_is_silent_for_less)


@pytest.mark.slow
def test_commands_that_the_game_does_not_process_are_refused_and_not_queued() -> None:
    with served() as served_page, served_page.socket(served_page.log_in(key=KEY)) as page:
        page.until(lambda: page.user)
        refused = None
        for number in range(400):
            page.line.send(json.dumps({"id": number, "do": "fire"}))
            time.sleep(0.041)  # just below the rate limit
            if number > 200:
                refused = read_sentence(page.answer(number)["sentence"])
                break
        assert refused == sentences.GAME_BUSY()
        assert len(served_page.page.take_commands(999)) == 200


# -- invalid input -----------------------------------------------------------------------------

# The field names of every command, from the readers: a renamed field is fuzzed under its new name.
KEYS = sorted({key for required, optional, _ in _READERS.values() for key in required + optional})
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.integers(), st.floats(), st.text(max_size=30),
    st.sampled_from(["human", "computer:3", "j4j3", "e4", "resign", "laser-chess", "5m+3s"]),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inside: st.one_of(
        st.lists(inside, max_size=4), st.dictionaries(st.sampled_from(KEYS), inside, max_size=4)
    ),
    max_leaves=8,
)
OWN_ID = 31_415_926  # that no nonsense has


def commands_named(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Commands with the fields of this name, at times with a wrong id or a field too many."""
    required, optional, _ = _READERS.get(name, ((), (), None))
    envelope: dict[str, st.SearchStrategy[Any]] = {"id": st.integers(0, 99), "do": st.just(name)}
    own = st.fixed_dictionaries(
        envelope | dict.fromkeys(required, VALUES), optional=dict.fromkeys(optional, VALUES)
    )
    wrong = st.dictionaries(st.sampled_from(["id", *KEYS]), VALUES, max_size=1)
    return st.builds(operator.or_, own, st.one_of(st.just({}), wrong))


COMMANDS = st.sampled_from([*_READERS, "dance"]).flatmap(commands_named)


TEXTS = st.one_of(COMMANDS.map(json.dumps), VALUES.map(json.dumps), st.text(max_size=200))


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_command_or_is_refused_with_a_sentence(text: str) -> None:
    _is_a_command_or_is_refused(text)


@pytest.mark.slow
@given(TEXTS)
@settings(max_examples=2000, deadline=None)
def test_any_of_many_texts_is_a_command_or_is_refused_with_a_sentence(text: str) -> None:
    _is_a_command_or_is_refused(text)


def _is_a_command_or_is_refused(text: str) -> None:
    try:
        number, _ = read_command(text)
    except BadCommand:
        return  # any other error is a defect
    assert number >= 0


@given(messages=st.lists(st.one_of(COMMANDS.map(json.dumps), st.text(max_size=99), st.binary())))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_invalid_messages_are_answered_and_the_socket_stays_open(
    served_page: ServedPage, messages: list[Any]
) -> None:
    with served_page.socket(served_page.log_in(key=KEY)) as page:
        page.until(lambda: page.model)
        for message in messages[:40]:
            page.line.send(message)
        page.line.send(json.dumps({"id": OWN_ID, "do": "watch_leds", "on": False}))
        assert page.answer(OWN_ID)["ok"]
    served_page.page.take_commands(999)


PATHS = st.one_of(
    st.text(st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters=" #"),
            max_size=60),
    st.lists(st.sampled_from(
        ["games", "static", "..", ".", "%2e%2e", "%00", "%ff", "1.svg", "-1.svg", "game.json",
         "record.txt", "record.", "live", "camera.jpg", "enter", "index.html", ""]
    ), max_size=6).map("/".join),
)  # fmt: skip


@given(
    path=PATHS,
    query=st.text(st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters=" #")),
    method=st.sampled_from(["GET", "HEAD", "POST"]),
    body=st.one_of(st.binary(max_size=200), VALUES.map(lambda value: json.dumps(value).encode())),
    cookie=st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=60),
)
@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_request_is_answered_with_a_500(
    served_page: ServedPage, path: str, query: str, method: str, body: bytes, cookie: str
) -> None:
    reported: dict[str, str | None] = {}
    if method == "POST":
        reported = {"content_type": "application/json", "origin": served_page.origin}
    sent = body if method == "POST" else None
    answer = served_page.ask(
        f"/{path}?{query}",
        method=method,
        body=sent,
        cookie=f"laserboard-{served_page.page.port}={cookie}",
        content_type=reported.get("content_type"),
        origin=reported.get("origin"),
    )
    assert answer.status < 500 or (answer.status == 503 and path.startswith("camera.jpg"))


def test_the_page_still_works_after_invalid_requests(served_page: ServedPage) -> None:
    with served_page.socket() as page:
        page.until(lambda: page.model)
    assert served_page.ask("/").status == 200
