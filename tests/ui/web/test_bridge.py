"""Games played through the page with real sockets on a simulated table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.lighting.animation import LightEffects
from controller.lighting.animation.beams import BEAM_TIMINGS
from controller.session.sentences import NO_MOVE
from controller.table.next_game import NewGame
from controller.ui.sentences import MOVE_BY_HAND
from controller.ui.web.sentences import REAL_TABLE
from engine import games
from engine.catalogue import ONE_SQUARE
from engine.draw.catalogue import GOES, PLAYER_ACTS
from tests.support.paths import ROOT
from tests.support.play.keyboard_sessions import BOARDS
from tests.support.play.simulated_rigs import Table
from tests.support.web.page_play import play
from tests.support.web.served_page import PIN, ServedPage, Socket


def wait_for_turn(page: Socket) -> None:
    page.until(lambda: page.model.get("legal_moves") and page.model["table"]["phase"] == "turn")


def test_a_turn_is_played_and_fired_from_the_page(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        assert page.do("move", text="j4j3", fire=True)["ok"]
        page.until(lambda: page.model["turn"] and page.model["turn"]["number"] == 1)
        turn = page.model["turn"]
        assert turn["notation"]["text"] == "j4j3"
        assert turn["beams"][0]["steps"][0]["what"] == "fire"
        page.until(lambda: page.model["board"]["to_move"] == [1])
        assert [past["notation"]["text"] for past in page.model["history"]] == ["j4j3"]
        assert PLAYER_ACTS(player="blue", action=GOES(start="j4", end="j3")) in page.messages
        page.until(lambda: page.model["table"]["can_move"])
        assert page.do("move", text="a5a6", fire=True)["ok"]
        page.until(lambda: page.model["turn"]["number"] == 2)
        assert page.model["turn"]["notation"]["text"] == "a5a6"

    table = play(tmp_path, script)
    assert len(table.simulation.session.history) == 2


@pytest.mark.parametrize("name", games.GAMES)
def test_every_offered_move_can_be_played_in_every_game(name: str, tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        pressed = []
        for player in page.model["board"]["to_move"]:
            ways = [way for each in page.model["legal_moves"].values() for way in each]
            way = next(way for way in ways if way["player"] == player and way["to"] is not None)
            assert page.do("move", player=player, text=way["text"])["ok"]
            page.until(lambda: not page.model["table"]["hands_busy"])
            pressed.append(player)
        page.until(lambda: page.model["table"]["settled"])
        for player in pressed:
            assert page.do("fire", player=player)["ok"]
        page.until(lambda: page.model["history"])

    play(tmp_path, script, table=Table(tmp_path, BOARDS[name], game=name))


def test_an_illegal_move_is_refused_with_its_rule(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        refusal = page.refusal("move", text="j4j2")
        assert refusal.slots["reason"] == ONE_SQUARE()
        assert not page.do("move", text="hello")["ok"]
        assert not page.do("move", text="a4a3", player=1)["ok"]

    table = play(tmp_path, script)
    assert not table.simulation.session.history


def test_a_move_is_taken_back_and_replaced(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        page.do("move", text="j4j3")
        page.until(lambda: page.model["board"]["unfired_turn"])
        assert page.model["board"]["unfired_turn"]["origins"] == {"j3": "j4"}
        page.do("put_back")
        page.until(
            lambda: not page.model["board"]["unfired_turn"] and page.model["table"]["settled"]
        )

    play(tmp_path, script)


def test_an_illegal_change_of_the_board_is_reported_and_corrected(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        king = next(each for each in page.model["objects"] if each["kind"] == "king")
        assert page.do("drag", object=king["object"], x=king["x"], y=king["y"] + 5)["ok"]
        page.until(lambda: page.model["table"]["phase"] == "mismatch")
        wrong = page.model["table"]["differences"]
        assert sorted((each["cell"], each["what"]) for each in wrong) == [
            ("f3", "extra"),
            ("f8", "missing"),
        ]
        assert page.model["table"]["reasons"]
        assert page.do("reset_pieces")["ok"]
        page.until(lambda: page.model["table"]["phase"] == "turn")
        assert not page.do("take_off", object=999_999)["ok"]
        assert not page.do("cover_cell", cell="z99")["ok"]
        assert page.do("cover_cell", cell="e4")["ok"]
        page.until(lambda: not page.model["table"]["settled"])
        assert page.do("cover_cell", cell=None)["ok"]
        page.until(lambda: page.model["table"]["settled"])

    play(tmp_path, script)


def test_the_beams_of_the_page_are_as_slow_as_those_of_calm_leds(tmp_path: Path) -> None:
    demo = (ROOT / "hardware/boards/demo-10x8.yaml").read_text("utf-8")
    board = tmp_path / "calm.yaml"
    board.write_text(demo.replace("effects: normal", "effects: calm"), "utf-8")

    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        assert page.do("move", text="j4j3", fire=True)["ok"]
        page.until(lambda: page.model["turn"] and page.model["turn"]["number"] == 1)
        turn = page.model["turn"]
        longest = max(len(beam["steps"]) for beam in turn["beams"])
        calm, normal = (BEAM_TIMINGS[each] for each in (LightEffects.CALM, LightEffects.NORMAL))
        assert turn["step_ms"] == round(min(calm.cell_ms, calm.max_travel_ms / longest), 1)
        assert turn["step_ms"] > normal.cell_ms

    play(tmp_path, script, table=Table(tmp_path, str(board)))


def test_table_faults_are_reported(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        assert "the camera is unplugged" in page.model["game"]["faults"]
        assert page.do("inject_fault", fault="the camera is unplugged")["ok"]
        page.until(lambda: page.model["table"]["lost_devices"])
        assert page.model["table"]["phase"] == "paused"
        assert page.do("inject_fault", fault="the camera is plugged in")["ok"]
        page.until(lambda: page.model["table"]["phase"] == "turn")
        assert page.do("inject_fault", fault="a lamp shines on CELL", args=["e5"])["ok"]
        assert not page.do("inject_fault", fault="a lamp shines on CELL")["ok"]
        assert not page.do("inject_fault", fault="a lamp shines on CELL", args=["z9"])["ok"]
        assert not page.do("inject_fault", fault="the sky falls")["ok"]
        assert not page.do("inject_fault", fault="the camera is nudged PX", args=["e5"])["ok"]

    play(tmp_path, script)


def test_players_offer_and_accept(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        page.do("request", request="offer draw")
        page.until(lambda: page.model["table"]["offer"])
        assert page.model["table"]["offer"] == {"request": "offer draw", "player": 0}
        page.do("request", request="decline")
        page.until(lambda: not page.model["table"]["offer"])
        page.do("request", request="pause")
        page.until(lambda: page.model["table"]["phase"] == "paused")
        page.do("request", request="continue")
        page.until(lambda: page.model["table"]["phase"] == "turn")
        page.do("request", request="resign", player=1)
        page.until(lambda: page.model["table"]["outcome"])
        assert page.model["table"]["outcome"]["winner"] == 0

    play(tmp_path, script)


def test_at_a_real_table_the_page_fires_but_moves_no_piece(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        page.until(lambda: page.model.get("table", {}).get("phase") == "turn")
        assert page.refusal("move", text="j4j3") == MOVE_BY_HAND()
        assert page.refusal("drag", object=1, x=1, y=1) == REAL_TABLE()
        assert page.refusal("inject_fault", fault="the camera is unplugged") == REAL_TABLE()
        assert page.refusal("fire") == NO_MOVE()
        page.until(lambda: NO_MOVE() in page.messages)
        assert page.model["objects"] is None

    play(tmp_path, script, hands=False)


def test_a_new_game_is_requested(tmp_path: Path) -> None:
    asked: list[NewGame] = []

    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        assert page.do("new_game", setup="sophie", seats=["human", "computer:2"], clock="10m")["ok"]

    play(tmp_path, script, new_games=asked)
    assert asked == [NewGame(setup="sophie", seats=("human", "computer:2"), clock="10m")]


def test_the_leds_are_sent_to_pages_that_watch_them(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        assert page.leds is None
        assert page.do("watch_leds", on=True)["ok"]
        page.until(lambda: page.leds and set(page.leds) != {"0"})  # whose turn it is
        assert page.leds is not None
        assert len(page.leds) == 6 * len(page.model["game"]["leds"])

    play(tmp_path, script)


def test_the_camera_is_shown_with_the_reading(tmp_path: Path) -> None:
    def script(served_page: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        plain, drawn = served_page.ask("/camera.jpg"), served_page.ask("/camera.jpg?overlay=1")
        images = [
            cv2.imdecode(np.frombuffer(each.body, np.uint8), cv2.IMREAD_COLOR)
            for each in (plain, drawn)
        ]
        assert all(each.headers["content-type"] == "image/jpeg" for each in (plain, drawn))
        assert int(drawn.headers["x-frame-number"]) > 0
        first, second = (each for each in images if each is not None)
        assert first.shape == second.shape
        assert np.abs(first.astype(int) - second.astype(int)).mean() > 1.0

    play(tmp_path, script)


def test_the_pin_is_never_sent_to_a_page(tmp_path: Path) -> None:
    def script(_: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        before = _lit(page)
        assert page.do("show_pin")["ok"]
        page.until(lambda: page.leds and _count(page.leds) > 2 * before)
        assert PIN not in str(page.model)
        assert PIN not in str(page.user)

    table = play(tmp_path, script, pin=PIN)
    assert not any(PIN in str(said) for said in table.messages)
    assert PIN not in (tmp_path / "game.journal").read_text("utf-8")


def _lit(page: Socket) -> int:
    page.do("watch_leds", on=True)
    page.until(lambda: page.leds)
    assert page.leds is not None
    return _count(page.leds)


def _count(light: str) -> int:
    return sum(light[each : each + 6] != "000000" for each in range(0, len(light), 6))
