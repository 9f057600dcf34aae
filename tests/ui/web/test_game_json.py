"""The JSON of a game for the page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from controller.session import sentences
from controller.session.state import Phase
from controller.ui.web.game_json import board_part, table_part
from controller.ui.web.game_view import Message
from controller.ui.web.state_diff import StateDiff
from engine import games
from tests.support.play.keyboard_sessions import session
from tests.support.web.page_examples import example, game_summary, moment, shown, written
from vision.infer import Exact


@pytest.mark.parametrize("name", games.GAMES)
def test_the_examples_of_the_document_are_up_to_date(name: str) -> None:
    assert shown()[name] == written(name), (
        "`python -m tests.support.web.page_examples` writes them anew"
    )


@pytest.mark.parametrize("name", games.GAMES)
def test_every_listed_move_is_legal_and_round_trips(name: str) -> None:
    now = moment(name)
    game, position = now.session.game, now.session.position
    parts = example(name)["parts"]
    assert parts["legal_moves"]
    for origin, ways in parts["legal_moves"].items():
        for way in ways:
            move = game.read_move(position, way["player"], way["text"])
            assert position.grid.name(game.origin(position, way["player"], move)) == origin


@pytest.mark.parametrize("name", games.GAMES)
def test_objects_have_the_positions_and_headings_of_the_pieces(name: str) -> None:
    parts = example(name)["parts"]
    places = {cell: (x, y) for cell, x, y in parts["game"]["grid"]["cells"]}
    wanted = {
        (*(round(part, 2) for part in places[each["cell"]]), each["kind"], each["degrees"])
        for each in parts["board"]["pieces"]
    }
    there = {
        (round(each["x"], 2), round(each["y"], 2), each["kind"], each["degrees"])
        for each in parts["objects"]
    }
    assert there == wanted


@pytest.mark.parametrize("name", games.GAMES)
def test_every_led_of_a_cell_is_inside_the_cell(name: str) -> None:
    now = moment(name)
    parts = example(name)["parts"]
    cells = parts["game"]["grid"]["cells"]
    for number, leds in enumerate(now.game.layout.cells):
        _, x, y = cells[number]
        for led in leds:
            left, top = parts["game"]["leds"][led]
            assert abs(left - x) <= 0.5
            assert abs(top - y) <= 0.5


def test_only_changed_parts_are_sent() -> None:
    state_diffs, now = StateDiff(), moment("laser-chess")
    assert state_diffs.update(now)
    before = state_diffs.number
    later = replace(now, messages=(*now.messages, Message(2, sentences.HANDS_OFF(), 9.0)))
    assert state_diffs.update(later)
    text = state_diffs.message(before, 0.0)
    assert text is not None
    assert list(json.loads(text)["parts"]) == ["messages"]


def test_an_unchanged_frame_is_not_sent() -> None:
    state_diffs, now = StateDiff(), moment("laser-chess")
    assert state_diffs.update(now)
    seen_again = replace(
        now,
        session=replace(
            now.session,
            table=replace(now.session.table, last_frame_ms=123.0, last_seen_orientations={}),
        ),
    )
    assert not state_diffs.update(seen_again)
    assert state_diffs.message(state_diffs.number, 0.0) is None


def test_a_page_that_missed_changes_gets_all_of_them_at_once() -> None:
    state_diffs, now = StateDiff(), moment("laser-chess")
    state_diffs.update(now)
    before = state_diffs.number
    state_diffs.update(replace(now, messages=()))
    paused = replace(now, messages=(), session=replace(now.session, phase=Phase.PAUSED))
    state_diffs.update(paused)
    text = state_diffs.message(before, 0.0)
    assert text is not None
    parts = json.loads(text)["parts"]
    assert set(parts) == {"messages", "table", "legal_moves"}
    assert parts["table"]["phase"] == "paused"


def test_a_turn_that_is_taken_back_leaves_the_move_list() -> None:
    state_diffs, now = StateDiff(), moment("laser-chess")
    state_diffs.update(now)
    before = state_diffs.number
    shorter = replace(now.session, history=now.session.history[:1])
    state_diffs.update(replace(now, session=shorter))
    text = state_diffs.message(before, 0.0)
    assert text is not None
    assert len(json.loads(text)["parts"]["history"]) == 1


def test_a_real_table_sends_no_simulated_objects() -> None:
    now = session("laser-chess")
    state_diffs = StateDiff()
    real = replace(moment("laser-chess"), game=game_summary(now, simulated=False), objects=())
    state_diffs.update(real)
    text = state_diffs.message(0, 0.0)
    assert text is not None
    parts = json.loads(text)["parts"]
    assert parts["objects"] is None
    assert parts["game"]["faults"] == []
    assert not parts["table"]["can_move"]


def test_a_clock_counts_down_without_being_sent_again() -> None:
    """The parts of a running clock stay equal until an event happens."""
    clocks = example("laser-chess")["parts"]["clocks"]
    now = moment("laser-chess").session.clocks
    gone_ms = 20_000 - clocks["at_ms"] - clocks["delay_left_ms"][0]
    assert clocks["left_ms"][0] - max(0, gone_ms) == now.remaining_ms(0, 20_000.0)


def test_the_computers_move_is_hidden_until_the_person_fires() -> None:
    now = session("spaceships", computer=3)
    game, position = now.game, now.position
    moves = {
        player: game.read_move(position, player, text)
        for player, text in (
            (0, '{"type":"move","direction":[1,0,-1]}'),
            (1, '{"type":"move","direction":[-1,0,1]}'),
        )
    }
    turn = game.resolve(position, moves)
    lies = replace(
        now,
        table=replace(now.table, inference=Exact((turn,), 9.0)),
        computer=replace(now.computer, moves={1: moves[1]}),
    )
    board = board_part(lies)
    assert {each["cell"] for each in board["pieces"]} == {"b6", "k6"}
    assert board["last_turn_cells"] == ["a6", "b6"]
    assert board["unfired_turn"]["origins"] == {"b6": "a6"}
    assert "j6" not in json.dumps(board)
    parts = table_part(replace(moment("spaceships"), session=lies))
    assert parts["programs_decided"] == [1]
