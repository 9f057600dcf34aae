"""The page of the tournament: read only, with authentication by PIN."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import controller.tournament
import controller.ui.web
from controller.devices.clock import SteppedClock
from controller.tournament import sentences
from controller.tournament.messages import read_state
from controller.tournament.outbox_file import OutboxFile
from controller.tournament.subscriber import TournamentSubscriber
from controller.tournament.views import tournament_json, tournament_text
from controller.tournament.web_page import SHARED_FILES, TournamentPage, draw_board
from controller.ui.web.page_server import PageServer, PageSettings
from engine import games
from engine.sentences import sentence_json
from tests.support.tournament.message_examples import EVENT, presence, pulse, result, sent, state
from tests.support.web.served_page import KEY, PIN, ServedPage

CLOCK = SteppedClock()  # boards do not become stale on a slow machine
STATIC = Path(controller.tournament.__file__).parent / "static"
MODULES = sorted(STATIC.glob("*.js"))
INDEX = (STATIC / "index.html").read_text("utf-8")


def subscriber_in(folder: Path, *players: str) -> TournamentSubscriber:
    memory = OutboxFile(folder / "tournament.results", CLOCK, 1000)
    return TournamentSubscriber(EVENT, players, "mqtt://broker.local", CLOCK, memory)


def receive(
    subscriber_value: TournamentSubscriber, what: str, body: Any, table: int = 1, round_: int = 1
) -> None:
    subscriber_value.on_message(*sent(what, body, table, round_), False)


@contextmanager
def site(subscriber_value: TournamentSubscriber, pin: str | None = None) -> Iterator[ServedPage]:
    found = TournamentPage(PageSettings(KEY, 0, pin, 740_000, None), CLOCK, subscriber_value)
    try:
        yield ServedPage(cast(PageServer, SimpleNamespace(port=found.port)))
    finally:
        found.close()


@pytest.fixture
def subscriber_value(tmp_path: Path) -> Iterator[TournamentSubscriber]:
    found = subscriber_in(tmp_path, "Ada", "Grace", "Jürgen")
    receive(found, "presence", presence())
    receive(found, "state", state())
    receive(found, "pulse", pulse(clocks={"left_ms": [61_000, 5_000], "running": [0]}))
    receive(found, "result", result(2, 2), 2, 2)
    yield found
    found.close()


def test_the_tournament_is_reported_as_json(subscriber_value: TournamentSubscriber) -> None:
    with site(subscriber_value) as served_page:
        reported = served_page.ask("/tournament.json").json
        assert reported["event"] == EVENT
        (board,) = reported["boards"]
        assert (board["table"], board["freshness"]) == (1, "live")
        assert board["game"]["players"] == ["Ada", "Grace"]
        assert board["clocks"]["left_ms"] == [61_000, 5_000]
        assert [each["round"] for each in reported["rounds"]] == [1, 2, 3]
        assert reported["standings"][0] | {"name": "Ada", "points": "1"} == reported["standings"][0]
        assert reported["rounds"][1]["games"][0]["result"] == "1-0"


def test_a_board_is_drawn_once_for_every_position(subscriber_value: TournamentSubscriber) -> None:
    with site(subscriber_value) as served_page:
        name = served_page.ask("/tournament.json").json["boards"][0]["game"]["picture"]
        drawn = served_page.ask(f"/boards/1/{name}.svg")
        assert (drawn.status, drawn.headers["content-type"]) == (200, "image/svg+xml")
        assert b"<svg" in drawn.body
        assert "immutable" in drawn.headers["cache-control"]
        for wrong in ("/boards/1/0123.svg", f"/boards/2/{name[::-1]}.svg", "/boards/x/y.svg"):
            assert served_page.ask(wrong).status == 404


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_can_be_drawn(name: str) -> None:
    game = games.make(name)
    position = game.write_position(game.start())
    reported = state(game=name, options=game.options(), position=position)
    assert draw_board(read_state(reported)).startswith("<svg")


@pytest.mark.parametrize(
    "more",
    [
        {"game": "chess"},
        {"position": "nonsense"},
        {"position": "[" * 5000},
        {"options": {"repetition": [1, {}]}},
        {"options": {"x": None}},
        {"game": "photon", "position": '{"a":1}'},
        {"game": "spaceships", "position": "[]"},
    ],
)
def test_an_invalid_position_is_not_drawn(more: dict[str, Any]) -> None:
    assert draw_board(read_state(state(**more))) == ""


def test_all_games_are_downloaded_as_one_archive_with_their_hashes(
    subscriber_value: TournamentSubscriber,
) -> None:
    with site(subscriber_value) as served_page:
        answer = served_page.ask("/games.zip")
        assert "attachment" in answer.headers["content-disposition"]
        with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
            assert archive.testzip() is None
            heads = json.loads(archive.read("heads.json"))
            (game,) = heads["games"]
            assert (game["round"], game["table"], game["head"]) == (2, 2, "ab" * 32)
            assert archive.read(game["record"]).decode() == result()["record"]
            assert sorted(archive.namelist())[-1] == "heads.json"
            assert all(re.fullmatch(r"[\w./-]+", name) for name in archive.namelist())


# -- authentication ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/tournament.json", "/games.zip", "/boards/1/x.svg"])
def test_with_a_pin_every_path_needs_a_login(
    subscriber_value: TournamentSubscriber, path: str
) -> None:
    with site(subscriber_value, PIN) as served_page:
        assert served_page.ask(path).status == 401
        cookie = served_page.log_in(pin=PIN)
        assert served_page.ask(path, cookie=cookie).status in (200, 404)
        assert served_page.post("/login", {"pin": "000000"}).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", None])
def test_a_request_with_a_foreign_host_header_is_refused(
    subscriber_value: TournamentSubscriber, host: str | None
) -> None:
    with site(subscriber_value) as served_page:
        assert served_page.ask("/tournament.json", host=host).status in (400, 421)


@pytest.mark.parametrize(
    "path", ["/", "/tournament.json", "/games.zip", "/boards/1/x.svg", "/static/x"]
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(
    subscriber_value: TournamentSubscriber, path: str, method: str
) -> None:
    with site(subscriber_value) as served_page:
        how = {"origin": served_page.origin, "content_type": "application/json"}
        answer = served_page.ask(path, method=method, body=b"{}", **how)
        assert answer.status in (404, 405)
        assert "error" in answer.json


def test_a_login_from_another_origin_is_refused(subscriber_value: TournamentSubscriber) -> None:
    with site(subscriber_value, PIN) as served_page:
        assert served_page.post("/login", {"pin": PIN}, origin="http://evil.example").status == 403


def test_every_answer_has_the_security_headers(
    subscriber_value: TournamentSubscriber,
) -> None:
    with site(subscriber_value) as served_page:
        for path in ("/", "/tournament.json", "/games.zip", "/nothing"):
            headers = served_page.ask(path).headers
            assert headers["content-security-policy"].startswith("default-src 'none'")
            assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/static/../web_page.py", "/static/%2e%2e/web_page.py", "/static/play/main.js"]
)
def test_only_the_files_of_the_page_are_served(
    subscriber_value: TournamentSubscriber, path: str
) -> None:
    with site(subscriber_value) as served_page:
        assert served_page.ask(path).status == 404


# -- results after a restart ---------------------------------------------------------------------


def test_a_restarted_tournament_has_its_results_without_a_broker(tmp_path: Path) -> None:
    first = subscriber_in(tmp_path)
    receive(first, "result", result())
    receive(first, "result", result(2, result="0-1"), 2)
    first.close()
    again = subscriber_in(tmp_path)
    assert [each.result for each in again.view().state.finished_results()] == ["1-0", "0-1"]
    receive(again, "result", result())
    assert len(again.view().state.finished_results()) == 2
    again.close()


def test_the_overview_as_text(subscriber_value: TournamentSubscriber) -> None:
    text = tournament_text(subscriber_value.view(), CLOCK.now_ms())
    assert "● table 1   live" in text
    assert "round 1  Ada - Grace  turn 2  1:01 / 0:05" in text
    assert re.search(r"round 2\n.*rests +Jürgen", text, re.DOTALL)
    assert str(sentences.TIE_BREAKS()) in text


def test_two_different_results_of_one_game_do_not_count(tmp_path: Path) -> None:
    found = subscriber_in(tmp_path, "Ada", "Grace")
    receive(found, "result", result())
    receive(found, "result", result(game_id="cd" * 32, result="0-1"))
    reported = tournament_json(found.view(), CLOCK.now_ms())
    assert reported["rounds"][0]["games"][0]["remark"] == sentence_json(sentences.DISPUTED())
    assert [row["points"] for row in reported["standings"]] == ["0", "0"]
    found.close()


def test_a_game_at_another_table_counts_for_its_pairing(tmp_path: Path) -> None:
    found = subscriber_in(tmp_path, "Ada", "Grace")
    receive(found, "result", result(7, players=["GRACE", "ada"], result="0-1"), 7)
    receive(found, "result", result(8, players=["Eve", "Mallory"]), 8)
    lines = tournament_json(found.view(), CLOCK.now_ms())["rounds"][0]["games"]
    assert [(line["table"], line["result"]) for line in lines] == [(7, "0-1"), (8, "1-0")]
    assert lines[1]["remark"] == sentence_json(sentences.NOT_PAIRED())
    found.close()


# -- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small_and_its_imports_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith("// ")
    assert len(text.splitlines()) <= 300
    web = Path(controller.ui.web.__file__).parent / "static"
    for names, source in re.findall(r'import \{([^}]+)\} from "\./([^"]+)";', text):
        there = (web if source in SHARED_FILES else STATIC) / source
        exported = set(
            re.findall(r"export (?:async )?(?:function|class|const) (\w+)", there.read_text())
        )
        rest = re.sub(r"import [^;]+;", "", text)
        for name in re.findall(r"\w+", names):
            assert name in exported, f"{path.name}: {source} exports no {name}"
            assert re.search(rf"\b{name}\b", rest), f"{path.name}: {name} is not used"


def test_every_referenced_element_exists() -> None:
    there = set(re.findall(r'\bid="([^"]+)"', INDEX))
    web = Path(controller.ui.web.__file__).parent / "static" / "shared" / "login.js"
    for path in (*MODULES, web):
        for name in re.findall(r'\bbyId\("([^"]+)"\)', path.read_text("utf-8")):
            assert name in there, f"{path.name}: there is no #{name}"


def test_nothing_is_inline_and_nothing_comes_from_outside() -> None:
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", INDEX)
    for path in (*MODULES, STATIC / "main.css", STATIC / "index.html"):
        assert not re.search(r"https?://|@import|url\(|innerHTML", path.read_text("utf-8"))
