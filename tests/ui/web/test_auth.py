"""Authentication: hosts, origins, paths, secrets and roles refuse every unauthorised request."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from controller.ui.web import sentences
from controller.ui.web.request_guard import MAX_BODY_BYTES, SECURITY_HEADERS
from engine.draw.page import A4
from engine.draw.rules.page import rules_page
from engine.games import make
from tests.support.web.served_page import KEY, PIN, ServedPage, served


@pytest.fixture(scope="module")
def served_page() -> Iterator[ServedPage]:
    with served() as found:
        yield found


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[ServedPage]:
    with served(pin=PIN, entered=tmp_path / "entered.json") as found:
        yield found


# -- hosts and origins -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.2:{port}",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1:{port}@evil.example",
        "localhost.:{port}",
        "[::1]:{port}",
        "",
        None,
    ],
)
def test_a_request_with_a_foreign_host_header_is_refused(
    served_page: ServedPage, host: str | None
) -> None:
    given = None if host is None else host.format(port=served_page.page.port)
    answer = served_page.ask("/", host=given)
    assert answer.status in (400, 421), answer.body
    assert b"<script" not in answer.body


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LocalHost:{port}"])
def test_a_request_with_an_own_host_header_is_answered(served_page: ServedPage, host: str) -> None:
    assert served_page.ask("/", host=host.format(port=served_page.page.port)).status == 200


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://{host}", "http://{host}/", "{host}"]
)
def test_a_post_from_another_origin_is_refused(served_page: ServedPage, origin: str | None) -> None:
    given = None if origin is None else origin.format(host=served_page.host)
    assert served_page.post("/login", {"key": KEY}, origin=given).status == 403


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://{host}"])
def test_a_socket_from_another_origin_is_refused(
    served_page: ServedPage, origin: str | None
) -> None:
    given = None if origin is None else origin.format(host=served_page.host)
    with pytest.raises(InvalidStatus) as refused, served_page.socket(origin=given):
        pytest.fail("it was opened")
    assert refused.value.response.status_code == 403


def test_forwarded_headers_grant_no_access(lan: ServedPage) -> None:
    for host, status in ((lan.host, 401), ("evil.example", 421)):
        answer = lan.ask(
            "/games.json",
            host=host,
            x_forwarded_for="127.0.0.1",
            x_forwarded_host=lan.host,
            x_real_ip="::1",
            forwarded="for=127.0.0.1;host=localhost",
        )
        assert answer.status == status


# -- headers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/static/play/main.js", 200),
        ("/user.json", 200),
        ("/drawing.json", 200),
        ("/rules.svg", 200),
        ("/games.json", 200),
        ("/nothing", 404),
        ("/games/none/game.json", 404),
        ("/camera.jpg", 503),
    ],
)
def test_every_answer_has_the_security_headers(
    served_page: ServedPage, path: str, status: int
) -> None:
    answer = served_page.ask(path)
    assert answer.status == status
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name.lower()] == value
    assert "server" not in answer.headers
    policy = answer.headers["content-security-policy"]
    assert "'none'" in policy
    assert "unsafe" not in policy
    assert "cache-control" in answer.headers


def test_the_rules_page_is_that_of_the_current_game(
    served_page: ServedPage, lan: ServedPage
) -> None:
    answer = served_page.ask("/rules.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.body.decode() == rules_page(make("laser-chess"), A4).to_svg()
    assert lan.ask("/rules.svg").status == lan.ask("/drawing.json").status == 401


def test_the_cookie_is_limited_to_this_page(served_page: ServedPage) -> None:
    answer = served_page.post("/login", {"key": KEY})
    reported = answer.headers["set-cookie"].lower()
    assert "httponly" in reported
    assert "samesite=strict" in reported
    assert f"laserboard-{served_page.page.port}=" in reported
    assert KEY.lower() not in reported


def test_the_page_complies_with_its_content_security_policy(served_page: ServedPage) -> None:
    html = served_page.ask("/").body.decode()
    assert "http://" not in html
    assert "https://" not in html
    assert " style=" not in html
    assert " onclick" not in html


# -- paths and sizes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static//etc/passwd",
        "/static/%00",
        "/games/../../../etc/passwd/game.json",
        "/games/..%2f..%2fetc%2fpasswd/game.json",
        "/games/%2fetc%2fpasswd/game.json",
        "/games/last/game.json",
        "/games/./record.txt",
    ],
)
def test_no_path_reaches_the_file_system(served_page: ServedPage, path: str) -> None:
    answer = served_page.ask(path)
    assert answer.status == 404
    assert b"root:" not in answer.body
    assert b"import" not in answer.body


def test_a_request_that_is_too_long_is_refused(served_page: ServedPage) -> None:
    assert served_page.post("/login", b" " * (MAX_BODY_BYTES + 1)).status == 413
    assert served_page.post("/login", b"{}", content_length="999999999").status == 413
    # Without a body: the server would reset the connection over bytes that it has not read.
    assert served_page.post("/login", b"", content_length="x").status in (400, 411)
    assert served_page.ask("/static/" + "a" * 3000).status == 414


def test_a_post_must_be_json(served_page: ServedPage) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        assert served_page.post("/login", {"key": KEY}, content_type=kind).status == 415
    for body in (b"", b"[]", b"{", b'{"key":1}', b'{"key":"a","pin":"b"}', b"\xff\xfe"):
        assert served_page.post("/login", body).status == 400


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_other_methods_are_refused(served_page: ServedPage, method: str) -> None:
    assert served_page.ask("/", method=method).status in (400, 405)


# -- secrets ---------------------------------------------------------------------------------


def test_without_the_pin_no_content_is_served(lan: ServedPage) -> None:
    for path in ("/games.json", "/camera.jpg", "/drawing.json", "/new_game.json"):
        assert lan.ask(path).status == 401
    assert lan.ask("/user.json").json["role"] is None
    with lan.socket() as page, pytest.raises(ConnectionClosed) as closed:
        page.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401


def test_the_right_pin_logs_in_and_a_wrong_one_does_not(lan: ServedPage) -> None:
    assert lan.post("/login", {"pin": "000000"}).status == 403
    assert lan.post("/login", {"pin": PIN + "0"}).status == 403
    cookie = lan.log_in(pin=PIN)
    assert lan.ask("/user.json", cookie=cookie).json["role"] == "spectator"
    name, _, secret = cookie.partition("=")
    who, _, token = secret.partition(".")
    for wrong in ("", ".", who, f"{who}.", f"{who}.{token[:-1]}", f"{who}.{token}x", f"x.{token}"):
        assert lan.ask("/games.json", cookie=f"{name}={wrong}").status == 401


def test_guesses_are_throttled_without_a_permanent_lockout(tmp_path: Path) -> None:
    from controller.devices.clock import ManualClock

    clock = ManualClock()
    with served(pin=PIN, entered=tmp_path / "entered.json", clock=clock) as lan:
        statuses = [lan.post("/login", {"pin": f"{n:06}"}).status for n in range(8)]
        assert statuses == [403] * 5 + [429] * 3
        refused = lan.post("/login", {"pin": PIN})  # even the right one waits
        assert refused.status == 429
        assert int(refused.headers["retry-after"]) >= 1
        clock.wait_ms(5_001.0)
        assert lan.post("/login", {"pin": PIN}).status == 200


def test_the_session_file_is_private_and_contains_no_secrets(tmp_path: Path) -> None:
    path = tmp_path / "page" / "entered.json"
    with served(pin=PIN, entered=path) as lan:
        guest, host = lan.log_in(pin=PIN), lan.log_in(key=KEY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    content = path.read_text("utf-8")
    for secret in (PIN, KEY, guest.partition(".")[2], host.partition(".")[2]):
        assert secret not in content
    assert {each["role"] for each in json.loads(content)["entered"]} == {"spectator", "host"}


def test_a_login_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "entered.json"
    with served(pin=PIN, entered=path) as lan:
        cookie, port = lan.log_in(key=KEY), lan.page.port
    with served(pin="314159", entered=path) as again:
        cookie = cookie.replace(f"laserboard-{port}", f"laserboard-{again.page.port}")
        assert again.ask("/user.json", cookie=cookie).json["role"] == "host"
        assert again.post("/logout", {}, cookie=cookie).status == 200
        assert again.ask("/user.json", cookie=cookie).json["role"] is None


@pytest.mark.parametrize("content", ["", "{", '{"format":1,"entered":[{}]}', '{"format":2}'])
def test_a_broken_session_file_grants_no_login(tmp_path: Path, content: str) -> None:
    path = tmp_path / "entered.json"
    path.write_text(content)
    path.chmod(0o600)
    with served(pin=PIN, entered=path) as lan:
        assert lan.ask("/games.json", cookie="x=y").status == 401
        assert lan.ask("/games.json", cookie=lan.log_in(pin=PIN)).status == 200


def test_a_session_file_that_others_can_read_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "entered.json"
    with served(pin=PIN, entered=path) as lan:
        cookie, port = lan.log_in(key=KEY), lan.page.port
    path.chmod(0o644)
    with served(pin=PIN, entered=path) as again:
        cookie = cookie.replace(f"laserboard-{port}", f"laserboard-{again.page.port}")
        assert again.ask("/games.json", cookie=cookie).status == 401


# -- roles -----------------------------------------------------------------------------------


def test_a_spectator_cannot_act(served_page: ServedPage) -> None:
    with served_page.socket() as page:
        page.until(lambda: page.user)
        assert page.user["role"] == "spectator"
        for does, reported in (
            ("move", {"text": "j4j3"}),
            ("fire", {}),
            ("request", {"request": "resign"}),
            ("request", {"request": "pause"}),
            ("drag", {"object": 1, "x": 1, "y": 1}),
            ("inject_fault", {"fault": "the camera is unplugged"}),
            ("cover_cell", {"cell": "e4"}),
        ):
            assert page.refusal(does, **reported) == sentences.SPECTATORS_CANNOT()
        for does in ("new_game", "show_pin"):
            assert page.refusal(does) == sentences.HOST_ONLY()
        assert page.refusal("take_seat", player=0) == sentences.NOT_LOGGED_IN()
    assert served_page.page.take_commands(99) == []


def test_a_player_acts_only_for_their_own_seat(lan: ServedPage) -> None:
    with lan.socket(lan.log_in(pin=PIN)) as page, lan.socket(lan.log_in(pin=PIN)) as other:
        page.until(lambda: page.user and page.model)
        other.until(lambda: other.user and other.model)
        assert page.do("take_seat", player=0)["ok"]
        assert other.refusal("take_seat", player=0) == sentences.SEAT_TAKEN()
        assert page.refusal("fire", player=1) == sentences.NOT_YOUR_SEAT()
        refusal = page.refusal("request", request="resign", player=1)
        assert refusal == sentences.NOT_YOUR_SEAT()
        assert page.refusal("new_game") == sentences.HOST_ONLY()
        assert other.refusal("leave_seat", player=0) == sentences.NOT_YOUR_SEAT()
        page.line.send('{"id":70,"do":"fire"}')
        page.line.send('{"id":71,"do":"watch_leds","on":false}')
        page.answer(71)
        (wanted,) = lan.page.take_commands(99)
        assert wanted.command == _fire(0)
        assert page.user["role"] == "player"
        assert page.do("leave_seat")["ok"]
        assert other.do("take_seat", player=0)["ok"]


def test_a_referee_clears_a_seat(lan: ServedPage) -> None:
    with lan.socket(lan.log_in(pin=PIN)) as player, lan.socket(lan.log_in(key=KEY)) as referee:
        player.until(lambda: player.user and player.model)
        referee.until(lambda: referee.user)
        assert player.do("take_seat", player=1)["ok"]
        assert referee.do("leave_seat", player=1)["ok"]
        player.until(lambda: player.user["role"] == "spectator")
        assert player.refusal("fire") == sentences.SPECTATORS_CANNOT()


def _fire(player: int) -> object:
    from controller.ui.intents import PressFire

    return PressFire(player)
