"""Programs over HTTP: every answer gives a move or a reason, before the deadline."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from controller.config.addresses.program import BadProgram, parse_program_url
from controller.devices import sentences
from controller.devices.clock import SystemClock
from controller.devices.players import http_player
from controller.devices.players.http_player import HttpPlayer
from controller.ports.devices import MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerEvent, PlayerFailed
from engine import games
from engine.sentences import Sentence
from tests.support.devices.hostile_programs import (
    CHUNKED,
    GOOD,
    KINDS,
    LIMIT_S,
    Behaviour,
    Server,
    answer,
    behaviours,
    linger,
    request,
    says,
)
from tests.support.engine.sentences import mentions

CLOCK = SystemClock()
GAME = games.make_http_game("spaceships")
START = GAME.start_with(7, ("Ada", "Grace"))
ANSWER_S = 30.0  # deadline for programs that answer, on a slow machine
QUICK_S = 0.6  # deadline for programs that never end
NEVER_DONE = {
    *("headers drip", "body drips", "100 Continue drips"),
    *("no answer", "headers and no body", "does not even read"),
}
MOVE = '{"type":"laser","direction":[1,0,-1]}'


def understand(text: str) -> str:
    return GAME.write_move(START, 0, GAME.read_answer(text))


class ServedProgram:
    """A program and the player that asks it."""

    def __init__(self, server: Server, deadline_s: float = ANSWER_S, url: str = "") -> None:
        self.server, self.new_event = server, threading.Event()
        address = parse_program_url(url or server.url)
        self.player = HttpPlayer(CLOCK, address, understand, self.new_event.set, deadline_s)

    def ask(self) -> PlayerEvent:
        self.new_event.clear()
        number = self.player.think(MoveQuestion(GAME.name, GAME.request_body(START)))
        give_up_ms = CLOCK.now_ms() + 1000 * 2 * ANSWER_S
        while CLOCK.now_ms() < give_up_ms:
            if events := self.player.events():
                assert [event.number for event in events] == [number]
                return events[0]
            self.new_event.wait(0.02)
        raise AssertionError("timed out")

    def reason(self) -> Sentence:
        event = self.ask()
        assert isinstance(event, PlayerFailed), event
        return event.reason

    def use_long_timeouts(self) -> None:
        """Use the long deadline from the next question on."""
        self.player._deadline_s = ANSWER_S


@pytest.fixture
def served() -> Iterator[Callable[..., ServedProgram]]:
    made: list[ServedProgram] = []

    def serve(
        act: object, seed: int = 0, deadline_s: float = ANSWER_S, url: str = ""
    ) -> ServedProgram:
        behaviour = Behaviour("", act)  # type: ignore[arg-type]
        made.append(ServedProgram(Server(behaviour, seed), deadline_s, url))
        return made[-1]

    yield serve
    for each in made:
        each.player.close()
        each.server.close()


# -- what is posted ----------------------------------------------------------------------------


def test_the_state_is_posted_in_the_documented_form(served: Callable[..., ServedProgram]) -> None:
    seen: list[bytes] = []

    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        seen.append(conn.recv(65536, socket.MSG_PEEK))
        seen.append(request(conn))
        conn.sendall(answer(GOOD))
        linger(conn)

    asked = served(act)
    event = asked.ask()
    assert isinstance(event, PlayerAnswered)
    assert event.move == MOVE
    head = seen[0].partition(b"\r\n\r\n")[0].decode().split("\r\n")
    assert head[0] == "POST /secret-path HTTP/1.1"
    headers = dict(line.lower().split(": ", 1) for line in head[1:])
    assert headers["host"] == f"127.0.0.1:{asked.server.port}"
    assert headers["content-type"] == "application/json"
    assert headers["accept-encoding"] == "identity"
    state = json.loads(seen[1])
    assert list(state) == ["status", "round", "grid", "players", "events"]
    assert state["status"] == "play"
    assert [player["nick"] for player in state["players"]] == ["Ada", "Grace"]
    assert set(state["grid"][0]) == {"coordinates", "terrain"}


def test_a_connection_is_kept_open_between_rounds(served: Callable[..., ServedProgram]) -> None:
    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        while True:
            request(conn)
            conn.sendall(answer(GOOD))

    asked = served(act)
    assert all(isinstance(asked.ask(), PlayerAnswered) for _ in range(5))
    assert asked.server.connections == 1


def test_a_closed_connection_is_opened_again(
    served: Callable[..., ServedProgram],
) -> None:
    """A keep-alive connection may end just when the next round begins."""
    closed = threading.Event()

    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        request(conn)
        conn.sendall(answer(GOOD))
        if not closed.is_set():
            closed.set()
            request(conn)  # reads the next request and closes
            conn.close()
        linger(conn)

    asked = served(act)
    assert all(isinstance(asked.ask(), PlayerAnswered) for _ in range(2))
    assert asked.server.connections == 2


def test_proxies_of_the_environment_are_not_used(
    served: Callable[..., ServedProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert isinstance(served(says(answer(GOOD))).ask(), PlayerAnswered)


def test_a_name_and_password_in_the_url_are_sent_as_authorization() -> None:
    seen: list[bytes] = []

    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        seen.append(conn.recv(65536, socket.MSG_PEEK))
        request(conn)
        conn.sendall(answer(GOOD))
        linger(conn)

    server = Server(Behaviour("", act))
    asked = ServedProgram(server, url=f"http://ada:pass%20word@127.0.0.1:{server.port}/")
    assert isinstance(asked.ask(), PlayerAnswered)
    assert b"authorization: basic ywrhonbhc3mgd29yza==" in seen[0].lower()
    assert b"ada:" not in seen[0]
    asked.player.close()
    server.close()


# -- one of each kind --------------------------------------------------------------------------

EVERY_KIND = list(behaviours(3 * len(KINDS)))


@pytest.mark.parametrize(
    ("behaviour", "seed"), EVERY_KIND, ids=[f"{b.kind}-{s}" for b, s in EVERY_KIND]
)
def test_every_behaviour_gives_a_move_or_a_reason_in_time(
    behaviour: Behaviour, seed: int, served: Callable[..., ServedProgram]
) -> None:
    asked = served(behaviour.act, seed, QUICK_S if behaviour.kind in NEVER_DONE else ANSWER_S)
    begin_ms = CLOCK.now_ms()
    event = asked.ask()
    if behaviour.counts:
        assert isinstance(event, PlayerAnswered), event
        assert event.move == MOVE
        return
    assert isinstance(event, PlayerFailed), event
    if behaviour.kind in NEVER_DONE:
        assert event.reason == sentences.NO_ANSWER_IN_TIME(seconds=QUICK_S)
        assert CLOCK.now_ms() - begin_ms < 1000 * LIMIT_S / 2
    else:
        late = sentences.NO_ANSWER_IN_TIME
        assert not mentions(event.reason, late), "the answer is refused before the deadline"
    action = GAME.no_answer(str(event.reason))
    assert action.reason == str(event.reason), "the reason fits an event unchanged"
    for secret in ("127.0.0.1", str(asked.server.port), "secret-path", "passwd", "169.254"):
        assert secret not in str(event.reason)


REASONS = {
    "redirects are not followed": says(answer(GOOD, "Location: /x", status="HTTP/1.1 302 Found")),
    "status 500 instead of 200": says(answer(GOOD, status="HTTP/1.1 500 Oops")),
    "a compressed answer": says(answer(GOOD, "Content-Encoding: gzip")),
    "another charset": says(answer(GOOD, kind="application/json; charset=latin-1")),
    "not application/json": says(answer(GOOD, kind="image/png")),
    "more than 64 KiB": says(answer(b" " * 65_537)),
    "not UTF-8": says(answer(b'"\xff"')),
    "the type must be move or laser, not 'fly'": says(
        answer(b'{"type":"fly","direction":[1,0,-1]}')
    ),
    "the direction must be one of the six": says(answer(b'{"type":"move","direction":[1,1,-2]}')),
    "not JSON: nested too deeply": says(answer(b"[" * 60_000)),
    "no answer within 0.6 s": KINDS["no answer"][0],
    "not HTTP/1.1, or breaks off": says(b"SSH-2.0-OpenSSH\r\n\r\n"),
}


@pytest.mark.parametrize("fragment", REASONS)
def test_the_reason_names_the_error(fragment: str, served: Callable[..., ServedProgram]) -> None:
    deadline_s = QUICK_S if fragment.startswith("no answer") else ANSWER_S
    assert fragment in str(served(REASONS[fragment], deadline_s=deadline_s).reason())


def test_the_size_of_an_answer_without_a_length_is_limited(
    served: Callable[..., ServedProgram],
) -> None:
    large = b"11800\r\n" + b" " * 0x11800 + b"\r\n0\r\n\r\n"  # 70 KiB
    assert "more than 64 KiB" in str(served(says(CHUNKED + large)).reason())


def test_an_endless_header_is_refused_before_the_deadline(
    served: Callable[..., ServedProgram],
) -> None:
    for kind in ("endless 100 Continue", "endless trailers", "1 GiB of headers"):
        assert not mentions(served(KINDS[kind][0]).reason(), sentences.NO_ANSWER_IN_TIME)


def test_a_closed_port_is_reported_without_its_number(
    served: Callable[..., ServedProgram],
) -> None:
    asked = served(says(b""))
    asked.server.close()
    assert asked.reason() == sentences.PROGRAM_REFUSED()


def test_an_unknown_host_is_reported_without_its_name(
    served: Callable[..., ServedProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(host: object, *_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, f"{host}: Name or service not known")

    asked = served(says(b""), url="http://unknown.invalid/")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert asked.reason() == sentences.PROGRAM_HOST_UNKNOWN()


def test_a_hanging_name_lookup_ends_at_the_deadline(
    served: Callable[..., ServedProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hanging name lookup cannot be interrupted: its thread is abandoned."""
    hangs = threading.Event()
    real = socket.getaddrinfo

    def stuck(*args: object, **more: object) -> object:
        hangs.wait(4 * LIMIT_S)
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", stuck)
    asked = served(says(answer(GOOD)), deadline_s=QUICK_S)
    begin_ms = CLOCK.now_ms()
    assert asked.reason() == sentences.NO_ANSWER_IN_TIME(seconds=QUICK_S)
    assert CLOCK.now_ms() - begin_ms < 1000 * LIMIT_S / 2
    monkeypatch.setattr(socket, "getaddrinfo", real)
    asked.use_long_timeouts()
    assert isinstance(asked.ask(), PlayerAnswered)
    hangs.set()


def test_a_late_answer_is_not_used_for_the_next_round(served: Callable[..., ServedProgram]) -> None:
    over = threading.Event()  # set after the first round

    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        request(conn)
        if over.is_set():
            conn.sendall(answer(GOOD))
        else:
            over.wait(2 * ANSWER_S)
            conn.sendall(answer(b'{"type":"move","direction":[0,1,-1]}'))
        linger(conn)

    asked = served(act, deadline_s=QUICK_S)
    assert asked.reason() == sentences.NO_ANSWER_IN_TIME(seconds=QUICK_S)
    over.set()
    asked.use_long_timeouts()
    event = asked.ask()
    assert isinstance(event, PlayerAnswered)
    assert event.move == MOVE


def test_a_stopped_question_gives_no_event(served: Callable[..., ServedProgram]) -> None:
    asked = served(says(answer(GOOD)))
    asked.player.think(MoveQuestion(GAME.name, GAME.request_body(START)))
    asked.player.stop()
    asked.new_event.wait(5)
    assert asked.player.events() == []


def test_no_connection_is_left_open() -> None:
    def files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    server = Server(Behaviour("", says(answer(GOOD))))
    before = files()
    for _ in range(5):
        asked = ServedProgram(server)
        assert isinstance(asked.ask(), PlayerAnswered)
        asked.player.close()
    server.close()
    give_up_ms = CLOCK.now_ms() + 1000 * ANSWER_S
    while CLOCK.now_ms() < give_up_ms:
        if files() <= before:
            return
        threading.Event().wait(0.02)
    raise AssertionError("connections are left open")


# -- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1:8001", "http://", "http:///x", "gopher://x",
        "http://host:port", "http://host:99999", "http://ho st/", "http://host/\x00", "human",
        "http://host:0/", "unix:///run/x", "http://" + "x" * 3000,
    ],
)  # fmt: skip
def test_only_http_urls_are_programs(url: str) -> None:
    with pytest.raises(BadProgram):
        parse_program_url(url)


def test_an_error_about_a_url_does_not_contain_its_password() -> None:
    with pytest.raises(BadProgram) as refused:
        parse_program_url("ftp://ada:secret@host/path")
    assert "secret" not in str(refused.value)


def test_the_representation_of_an_address_has_no_password() -> None:
    address = parse_program_url("https://ada:secret@example.org:8443/play?token=1")
    assert "secret" not in repr(address)
    assert address.target == "/play?token=1"


def test_the_deadline_is_four_seconds_as_in_the_rules() -> None:
    assert http_player.DEADLINE_S == 4.0
