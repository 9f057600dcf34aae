"""What the page is told of a game."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from controller.session_values import Phase
from controller.web.moment import Said
from controller.web.parcels import Parcels
from controller.web.snapshot import board_part, table_part
from engine import games
from tests.controller.sat_down import session
from tests.web.examples import example, moment, shown, sitting, written
from vision.infer import Exact


@pytest.mark.parametrize("name", games.GAMES)
def test_the_document_shows_what_the_program_sends(name: str) -> None:
    assert shown()[name] == written(name), "`python -m tests.web.examples` writes them anew"


@pytest.mark.parametrize("name", games.GAMES)
def test_every_way_is_a_legal_move_that_reads_back(name: str) -> None:
    now = moment(name)
    game, position = now.session.table.game, now.session.position
    parts = example(name)["parts"]
    assert parts["ways"]
    for origin, ways in parts["ways"].items():
        for way in ways:
            move = game.read_move(position, way["player"], way["text"])
            assert position.grid.name(game.origin(position, way["player"], move)) == origin


@pytest.mark.parametrize("name", games.GAMES)
def test_things_stand_where_the_pieces_are_and_face_as_they_do(name: str) -> None:
    parts = example(name)["parts"]
    places = {cell: (x, y) for cell, x, y in parts["game"]["grid"]["cells"]}
    wanted = {
        (*(round(part, 2) for part in places[each["cell"]]), each["kind"], each["degrees"])
        for each in parts["board"]["pieces"]
    }
    there = {
        (round(each["x"], 2), round(each["y"], 2), each["kind"], each["degrees"])
        for each in parts["things"]
    }
    assert there == wanted


@pytest.mark.parametrize("name", games.GAMES)
def test_every_led_of_a_cell_lies_on_it(name: str) -> None:
    now = moment(name)
    parts = example(name)["parts"]
    cells = parts["game"]["grid"]["cells"]
    for number, leds in enumerate(now.sitting.layout.cells):
        _, x, y = cells[number]
        for led in leds:
            left, top = parts["game"]["leds"][led]
            assert abs(left - x) <= 0.5
            assert abs(top - y) <= 0.5


def test_only_what_has_changed_is_sent() -> None:
    parcels, now = Parcels(), moment("laser-chess")
    assert parcels.take(now)
    before = parcels.number
    later = replace(now, said=(*now.said, Said(2, "hands off the board, please", 9.0)))
    assert parcels.take(later)
    text = parcels.message(before, 0.0)
    assert text is not None
    assert list(json.loads(text)["parts"]) == ["said"]


def test_a_frame_that_changes_nothing_is_no_news() -> None:
    parcels, now = Parcels(), moment("laser-chess")
    assert parcels.take(now)
    seen_again = replace(now, session=replace(now.session, seen_ms=123.0, facing={}))
    assert not parcels.take(seen_again)
    assert parcels.message(parcels.number, 0.0) is None


def test_whoever_missed_changes_gets_all_of_them_at_once() -> None:
    parcels, now = Parcels(), moment("laser-chess")
    parcels.take(now)
    before = parcels.number
    parcels.take(replace(now, said=()))
    paused = replace(now, said=(), session=replace(now.session, phase=Phase.PAUSED))
    parcels.take(paused)
    text = parcels.message(before, 0.0)
    assert text is not None
    parts = json.loads(text)["parts"]
    assert set(parts) == {"said", "table", "ways"}
    assert parts["table"]["phase"] == "paused"


def test_a_turn_that_is_taken_back_leaves_the_move_list() -> None:
    parcels, now = Parcels(), moment("laser-chess")
    parcels.take(now)
    before = parcels.number
    shorter = replace(now.session, history=now.session.history[:1])
    parcels.take(replace(now, session=shorter))
    text = parcels.message(before, 0.0)
    assert text is not None
    assert len(json.loads(text)["parts"]["history"]) == 1


def test_at_a_real_table_nothing_is_said_of_simulated_things() -> None:
    now = session("laser-chess")
    parcels = Parcels()
    real = replace(moment("laser-chess"), sitting=sitting(now, simulated=False), things=())
    parcels.take(real)
    text = parcels.message(0, 0.0)
    assert text is not None
    parts = json.loads(text)["parts"]
    assert parts["things"] is None
    assert parts["game"]["acts"] == []
    assert not parts["table"]["can_move"]


def test_a_clock_counts_down_without_being_sent_again() -> None:
    """What is sent of a running clock holds for as long as nobody does anything."""
    clocks = example("laser-chess")["parts"]["clocks"]
    now = moment("laser-chess").session.clocks
    gone_ms = 20_000 - clocks["at_ms"] - clocks["delay_left_ms"][0]
    assert clocks["left_ms"][0] - max(0, gone_ms) == now.remaining_ms(0, 20_000.0)


def test_what_the_computer_has_in_mind_is_not_told_before_the_person_has_fired() -> None:
    now = session("spaceships", computer=3)
    game, position = now.table.game, now.position
    moves = {
        player: game.read_move(position, player, text)
        for player, text in (
            (0, '{"type":"move","direction":[1,0,-1]}'),
            (1, '{"type":"move","direction":[-1,0,1]}'),
        )
    }
    turn = game.resolve(position, moves)
    lies = replace(now, inference=Exact((turn,), 9.0), chosen={1: moves[1]})
    board = board_part(lies)
    assert {each["cell"] for each in board["pieces"]} == {"b6", "k6"}
    assert board["last"] == ["a6", "b6"]
    assert board["lying"]["origins"] == {"b6": "a6"}
    assert "j6" not in json.dumps(board)
    parts = table_part(replace(moment("spaceships"), session=lies))
    assert parts["chosen"] == [1]
