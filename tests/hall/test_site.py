"""The hall's page: everything can be read by whoever is in, nothing can be asked for by anybody."""

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

import controller.hall
import controller.web
from controller.devices.clock import SteppedClock
from controller.devices.result_file import ResultFile
from controller.hall.hearing import Hearing
from controller.hall.messages import read_state
from controller.hall.shown import hall_json, hall_text
from controller.hall.site import SHARED, Site, picture
from controller.web.server import Page, PageSettings
from engine import games
from tests.hall.examples import EVENT, presence, pulse, result, sent, state
from tests.web.served import KEY, PIN, Served

CLOCK = SteppedClock()  # however slow the machine is, nothing grows old
STATIC = Path(controller.hall.__file__).parent / "static"
MODULES = sorted(STATIC.glob("*.js"))
INDEX = (STATIC / "index.html").read_text("utf-8")


def hearing_in(folder: Path, *players: str) -> Hearing:
    memory = ResultFile(folder / "hall.results", CLOCK, 1000)
    return Hearing(EVENT, players, "mqtt://broker.local", CLOCK, memory)


def hear(hearing: Hearing, what: str, body: Any, table: int = 1, round_: int = 1) -> None:
    hearing.heard(*sent(what, body, table, round_), False)


@contextmanager
def site(hearing: Hearing, pin: str | None = None) -> Iterator[Served]:
    found = Site(PageSettings(KEY, 0, pin, 740_000, None), CLOCK, hearing)
    try:
        yield Served(cast(Page, SimpleNamespace(port=found.port)))
    finally:
        found.close()


@pytest.fixture
def hearing(tmp_path: Path) -> Iterator[Hearing]:
    found = hearing_in(tmp_path, "Ada", "Grace", "Jürgen")
    hear(found, "presence", presence())
    hear(found, "state", state())
    hear(found, "pulse", pulse(clocks={"left_ms": [61_000, 5_000], "running": [0]}))
    hear(found, "result", result(2, 2), 2, 2)
    yield found
    found.close()


def test_the_hall_is_told_as_json(hearing: Hearing) -> None:
    with site(hearing) as here:
        told = here.ask("/hall.json").json
        assert told["event"] == EVENT
        (board,) = told["boards"]
        assert (board["table"], board["freshness"]) == (1, "live")
        assert board["game"]["players"] == ["Ada", "Grace"]
        assert board["clocks"]["left_ms"] == [61_000, 5_000]
        assert [each["round"] for each in told["rounds"]] == [1, 2, 3]
        assert told["standings"][0] | {"name": "Ada", "points": "1"} == told["standings"][0]
        assert told["rounds"][1]["games"][0]["result"] == "1-0"


def test_a_board_is_drawn_once_for_every_position(hearing: Hearing) -> None:
    with site(hearing) as here:
        name = here.ask("/hall.json").json["boards"][0]["game"]["picture"]
        drawn = here.ask(f"/boards/1/{name}.svg")
        assert (drawn.status, drawn.headers["content-type"]) == (200, "image/svg+xml")
        assert b"<svg" in drawn.body
        assert "immutable" in drawn.headers["cache-control"]
        for wrong in ("/boards/1/0123.svg", f"/boards/2/{name[::-1]}.svg", "/boards/x/y.svg"):
            assert here.ask(wrong).status == 404


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_can_be_drawn(name: str) -> None:
    game = games.make(name)
    position = game.write_position(game.start())
    told = state(game=name, options=game.options(), position=position)
    assert picture(read_state(told)).startswith("<svg")


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
def test_a_position_that_is_none_is_not_drawn_and_harms_nobody(more: dict[str, Any]) -> None:
    assert picture(read_state(state(**more))) == ""


def test_all_games_come_as_one_file_with_their_heads(hearing: Hearing) -> None:
    with site(hearing) as here:
        answer = here.ask("/games.zip")
        assert "attachment" in answer.headers["content-disposition"]
        with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
            assert archive.testzip() is None
            heads = json.loads(archive.read("heads.json"))
            (game,) = heads["games"]
            assert (game["round"], game["table"], game["head"]) == (2, 2, "ab" * 32)
            assert archive.read(game["record"]).decode() == result()["record"]
            assert sorted(archive.namelist())[-1] == "heads.json"
            assert all(re.fullmatch(r"[\w./-]+", name) for name in archive.namelist())


# -- doors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/hall.json", "/games.zip", "/boards/1/x.svg"])
def test_with_a_pin_nobody_sees_anything_before_they_entered(hearing: Hearing, path: str) -> None:
    with site(hearing, PIN) as here:
        assert here.ask(path).status == 401
        cookie = here.enter(pin=PIN)
        assert here.ask(path, cookie=cookie).status in (200, 404)
        assert here.post("/enter", {"pin": "000000"}).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", None])
def test_only_our_own_names_are_answered(hearing: Hearing, host: str | None) -> None:
    with site(hearing) as here:
        assert here.ask("/hall.json", host=host).status in (400, 421)


@pytest.mark.parametrize("path", ["/", "/hall.json", "/games.zip", "/boards/1/x.svg", "/static/x"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_asked_for(hearing: Hearing, path: str, method: str) -> None:
    with site(hearing) as here:
        how = {"origin": here.origin, "content_type": "application/json"}
        answer = here.ask(path, method=method, body=b"{}", **how)
        assert answer.status in (404, 405)
        assert "error" in answer.json


def test_another_sites_page_may_not_enter(hearing: Hearing) -> None:
    with site(hearing, PIN) as here:
        assert here.post("/enter", {"pin": PIN}, origin="http://evil.example").status == 403


def test_every_answer_says_what_a_browser_may_do_with_it(hearing: Hearing) -> None:
    with site(hearing) as here:
        for path in ("/", "/hall.json", "/games.zip", "/nothing"):
            headers = here.ask(path).headers
            assert headers["content-security-policy"].startswith("default-src 'none'")
            assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/static/../site.py", "/static/%2e%2e/site.py", "/static/page.js"]
)
def test_only_the_halls_own_files_are_given(hearing: Hearing, path: str) -> None:
    with site(hearing) as here:
        assert here.ask(f"/static/{path}").status == 404


# -- what it remembers ---------------------------------------------------------------------------


def test_a_hall_that_is_started_again_knows_its_results_without_a_broker(tmp_path: Path) -> None:
    first = hearing_in(tmp_path)
    hear(first, "result", result())
    hear(first, "result", result(2, result="0-1"), 2)
    first.close()
    again = hearing_in(tmp_path)
    assert [each.result for each in again.hall().overview.finished()] == ["1-0", "0-1"]
    hear(again, "result", result())
    assert len(again.hall().overview.finished()) == 2
    again.close()


def test_the_hall_in_text(hearing: Hearing) -> None:
    text = hall_text(hearing.hall(), CLOCK.now_ms())
    assert "● table 1   live" in text
    assert "round 1  Ada - Grace  turn 2  1:01 / 0:05" in text
    assert re.search(r"round 2\n.*rests +Jürgen", text, re.DOTALL)
    assert "Sonneborn-Berger" in text


def test_two_different_results_of_one_game_count_for_nobody(tmp_path: Path) -> None:
    found = hearing_in(tmp_path, "Ada", "Grace")
    hear(found, "result", result())
    hear(found, "result", result(game_id="cd" * 32, result="0-1"))
    told = hall_json(found.hall(), CLOCK.now_ms())
    assert "a matter for the referee" in told["rounds"][0]["games"][0]["remark"]
    assert [row["points"] for row in told["standings"]] == ["0", "0"]
    found.close()


def test_people_who_sat_at_another_table_have_still_played_their_game(tmp_path: Path) -> None:
    found = hearing_in(tmp_path, "Ada", "Grace")
    hear(found, "result", result(7, players=["GRACE", "ada"], result="0-1"), 7)
    hear(found, "result", result(8, players=["Eve", "Mallory"]), 8)
    lines = hall_json(found.hall(), CLOCK.now_ms())["rounds"][0]["games"]
    assert [(line["table"], line["result"]) for line in lines] == [(7, "0-1"), (8, "1-0")]
    assert "not among the pairings" in lines[1]["remark"]
    found.close()


# -- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small_and_imports_what_is_there(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith("// ")
    assert len(text.splitlines()) <= 300
    web = Path(controller.web.__file__).parent / "static"
    for names, source in re.findall(r'import \{([^}]+)\} from "\./([^"]+)";', text):
        there = (web if source in SHARED else STATIC) / source
        exported = set(
            re.findall(r"export (?:async )?(?:function|class|const) (\w+)", there.read_text())
        )
        rest = re.sub(r"import [^;]+;", "", text)
        for name in re.findall(r"\w+", names):
            assert name in exported, f"{path.name}: {source} exports no {name}"
            assert re.search(rf"\b{name}\b", rest), f"{path.name}: {name} is not used"


def test_every_element_that_is_asked_for_is_there() -> None:
    there = set(re.findall(r'\bid="([^"]+)"', INDEX))
    web = Path(controller.web.__file__).parent / "static" / "entering.js"
    for path in (*MODULES, web):
        for name in re.findall(r'\bat\("([^"]+)"\)', path.read_text("utf-8")):
            assert name in there, f"{path.name}: there is no #{name}"


def test_nothing_is_inline_and_nothing_comes_from_outside() -> None:
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", INDEX)
    for path in (*MODULES, STATIC / "hall.css", STATIC / "index.html"):
        assert not re.search(r"https?://|@import|url\(|innerHTML", path.read_text("utf-8"))
