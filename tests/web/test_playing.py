"""People who play on the page: real sockets, a real game on a simulated table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.web.attending import NO_TABLE
from controller.web.commands import NewGame
from engine import games
from tests.controller.rooms import Table
from tests.controller.sat_down import BOARDS
from tests.web.playing import play
from tests.web.served import PIN, Served, Socket


def begun(page: Socket) -> None:
    page.until(lambda: page.model.get("ways") and page.model["table"]["phase"] == "turn")


def test_a_turn_is_made_and_fired_from_the_page(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        assert page.do("move", text="j4j3", fire=True)["ok"]
        page.until(lambda: page.model["turn"] and page.model["turn"]["number"] == 1)
        turn = page.model["turn"]
        assert turn["told"] == "j4j3"
        assert turn["beams"][0]["steps"][0]["what"] == "fire"
        page.until(lambda: page.model["board"]["movers"] == [1])
        assert [past["text"] for past in page.model["history"]] == ["j4j3"]
        assert "blue j4 to j3" in [each["sentence"] for each in page.model["said"]]
        page.until(lambda: page.model["table"]["can_move"])
        assert page.do("move", text="a5a6", fire=True)["ok"]
        page.until(lambda: page.model["turn"]["number"] == 2)
        assert page.model["turn"]["told"] == "a5a6"

    table = play(tmp_path, script)
    assert len(table.simulation.session.history) == 2


@pytest.mark.parametrize("name", games.GAMES)
def test_any_way_that_is_offered_can_be_gone_in_every_game(name: str, tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        pressed = []
        for player in page.model["board"]["movers"]:
            ways = [way for each in page.model["ways"].values() for way in each]
            way = next(way for way in ways if way["player"] == player and way["to"] is not None)
            assert page.do("move", player=player, text=way["text"])["ok"]
            page.until(lambda: not page.model["table"]["busy"])
            pressed.append(player)
        page.until(lambda: page.model["table"]["settled"])
        for player in pressed:
            assert page.do("fire", player=player)["ok"]
        page.until(lambda: page.model["history"])

    play(tmp_path, script, table=Table(tmp_path, BOARDS[name], game=name))


def test_what_is_no_move_is_answered_with_its_rule(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        assert "one square" in page.do("move", text="j4j2")["sentence"]
        assert not page.do("move", text="hello")["ok"]
        assert not page.do("move", text="a4a3", player=1)["ok"]

    table = play(tmp_path, script)
    assert not table.simulation.session.history


def test_a_piece_is_put_back_and_another_move_made(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        page.do("move", text="j4j3")
        page.until(lambda: page.model["board"]["lying"])
        assert page.model["board"]["lying"]["origins"] == {"j3": "j4"}
        page.do("put back")
        page.until(lambda: not page.model["board"]["lying"] and page.model["table"]["settled"])

    play(tmp_path, script)


def test_a_rude_hand_is_seen_and_put_right(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        king = next(each for each in page.model["things"] if each["kind"] == "king")
        assert page.do("drag", thing=king["thing"], x=king["x"], y=king["y"] + 5)["ok"]
        page.until(lambda: page.model["table"]["phase"] == "mismatch")
        wrong = page.model["table"]["differences"]
        assert sorted((each["cell"], each["what"]) for each in wrong) == [
            ("f3", "extra"),
            ("f8", "missing"),
        ]
        assert page.model["table"]["reasons"]
        assert page.do("put right")["ok"]
        page.until(lambda: page.model["table"]["phase"] == "turn")
        assert not page.do("take", thing=999_999)["ok"]
        assert not page.do("hand", cell="z99")["ok"]
        assert page.do("hand", cell="e4")["ok"]
        page.until(lambda: not page.model["table"]["settled"])
        assert page.do("hand", cell=None)["ok"]
        page.until(lambda: page.model["table"]["settled"])

    play(tmp_path, script)


def test_what_befalls_the_table_is_told(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        assert "the camera is unplugged" in page.model["game"]["acts"]
        assert page.do("befall", act="the camera is unplugged")["ok"]
        page.until(lambda: page.model["table"]["lost"])
        assert page.model["table"]["phase"] == "paused"
        assert page.do("befall", act="the camera is plugged in")["ok"]
        page.until(lambda: page.model["table"]["phase"] == "turn")
        assert page.do("befall", act="a lamp shines on CELL", told=["e5"])["ok"]
        assert not page.do("befall", act="a lamp shines on CELL")["ok"]
        assert not page.do("befall", act="a lamp shines on CELL", told=["z9"])["ok"]
        assert not page.do("befall", act="the sky falls")["ok"]
        assert not page.do("befall", act="the camera is nudged PX", told=["e5"])["ok"]

    play(tmp_path, script)


def test_players_ask_and_answer(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        page.do("want", wish="offer draw")
        page.until(lambda: page.model["table"]["offer"])
        assert page.model["table"]["offer"] == {"wish": "offer draw", "player": 0}
        page.do("want", wish="decline")
        page.until(lambda: not page.model["table"]["offer"])
        page.do("want", wish="pause")
        page.until(lambda: page.model["table"]["phase"] == "paused")
        page.do("want", wish="continue")
        page.until(lambda: page.model["table"]["phase"] == "turn")
        page.do("want", wish="resign", player=1)
        page.until(lambda: page.model["table"]["outcome"])
        assert page.model["table"]["outcome"]["winner"] == 0

    play(tmp_path, script)


def test_at_a_real_table_the_page_fires_and_people_move(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        page.until(lambda: page.model.get("table", {}).get("phase") == "turn")
        assert "on the board" in page.do("move", text="j4j3")["sentence"]
        assert page.do("drag", thing=1, x=1, y=1)["sentence"] == NO_TABLE
        assert page.do("befall", act="the camera is unplugged")["sentence"] == NO_TABLE
        assert page.do("fire")["ok"]
        page.until(lambda: "no move made yet" in [s["sentence"] for s in page.model["said"]])
        assert page.model["things"] is None

    play(tmp_path, script, hands=False)


def test_a_new_game_is_asked_for(tmp_path: Path) -> None:
    asked: list[NewGame] = []

    def script(_: Served, page: Socket) -> None:
        begun(page)
        assert page.do("new game", setup="sophie", seats=["human", "computer:2"], clock="10m")["ok"]

    play(tmp_path, script, new_games=asked)
    assert asked == [NewGame(None, "sophie", None, ("human", "computer:2"), None, "10m")]


def test_the_leds_are_shown_to_those_who_look(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        assert page.light is None
        assert page.do("watch", light=True)["ok"]
        page.until(lambda: page.light and set(page.light) != {"0"})  # whose turn it is
        assert page.light is not None
        assert len(page.light) == 6 * len(page.model["game"]["leds"])

    play(tmp_path, script)


def test_the_camera_is_shown_with_what_is_read(tmp_path: Path) -> None:
    def script(here: Served, page: Socket) -> None:
        begun(page)
        plain, drawn = here.ask("/camera.jpg"), here.ask("/camera.jpg?overlay=1")
        pictures = [
            cv2.imdecode(np.frombuffer(each.body, np.uint8), cv2.IMREAD_COLOR)
            for each in (plain, drawn)
        ]
        assert all(each.headers["content-type"] == "image/jpeg" for each in (plain, drawn))
        assert int(drawn.headers["x-frame-number"]) > 0
        first, second = (each for each in pictures if each is not None)
        assert first.shape == second.shape
        assert np.abs(first.astype(int) - second.astype(int)).mean() > 1.0

    play(tmp_path, script)


def test_the_pin_is_on_the_board_and_nowhere_in_what_pages_are_told(tmp_path: Path) -> None:
    def script(_: Served, page: Socket) -> None:
        begun(page)
        before = _lit(page)
        assert page.do("show pin")["ok"]
        page.until(lambda: page.light and _count(page.light) > 2 * before)
        assert PIN not in str(page.model)
        assert PIN not in str(page.you)

    table = play(tmp_path, script, pin=PIN)
    assert not any(PIN in said for said in table.heard)
    assert PIN not in (tmp_path / "game.journal").read_text("utf-8")


def _lit(page: Socket) -> int:
    page.do("watch", light=True)
    page.until(lambda: page.light)
    assert page.light is not None
    return _count(page.light)


def _count(light: str) -> int:
    return sum(light[each : each + 6] != "000000" for each in range(0, len(light), 6))
