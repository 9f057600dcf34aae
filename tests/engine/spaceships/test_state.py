"""Spaceships states and actions as JSON: they round-trip, and invalid input is one clear error."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import catalogue
from engine.errors import BadMove, BadPosition, LaserboardError
from engine.game import MAX_SEED
from engine.grid import CUBE_STEPS, MAX_COORDINATE, HexGrid
from engine.sentences import Sentence
from engine.spaceships import Action, ActionKind, Position, Ship, Spaceships, Status, Terrain
from engine.spaceships.state import (
    LAST_ROUND,
    MAX_ACTION_LENGTH,
    MAX_SCORE,
    MAX_STATE_LENGTH,
    read_action,
    write_action,
)
from tests.support.engine.random_play import examples
from tests.support.engine.sentences import Expected, mentions, raises

GAME = Spaceships()
START = GAME.start()


def sample() -> dict[str, Any]:
    """The state of the documentation, on the smallest possible grid."""
    return {
        "status": "play",
        "round": 1,
        "grid": [
            {"coordinates": [-4, 0, 4], "terrain": "land"},
            {"coordinates": [4, 0, -4], "terrain": "void"},
            {"coordinates": [4, 1, -5], "terrain": "land"},
            {"coordinates": [1, 1, -2], "terrain": "mountain"},
        ],
        "players": [
            {"nick": "Snorre", "hitpoints": 100, "coordinates": [-4, 0, 4], "score": 0},
            {"nick": "Ørjan", "hitpoints": 95, "coordinates": [4, 1, -5], "score": -5},
        ],
        "events": [
            {"type": "move", "nick": "Snorre", "coordinates": [-4, 0, 4]},
            {"type": "laser", "nick": "Ørjan", "start": [4, 1, -5], "end": [1, 1, -2]},
        ],
    }


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# -- positions ---------------------------------------------------------------------------------


def test_the_documented_state_is_read() -> None:
    position = GAME.read_position(json.dumps(sample(), indent=2))
    assert position == Position(
        grid=HexGrid(((-4, 0, 4), (4, 0, -4), (4, 1, -5), (1, 1, -2))),
        terrain=(Terrain.LAND, Terrain.VOID, Terrain.LAND, Terrain.MOUNTAIN),
        ships=(Ship("Snorre", 100, 0, 0), Ship("Ørjan", 95, 2, -5)),
        round=1,
        status=Status.PLAY,
        events=(
            {"type": "move", "nick": "Snorre", "coordinates": [-4, 0, 4]},
            {"type": "laser", "nick": "Ørjan", "start": [4, 1, -5], "end": [1, 1, -2]},
        ),
        seed=None,
    )


def test_a_state_is_written_on_one_line_as_documented() -> None:
    assert GAME.write_position(GAME.read_position(json.dumps(sample()))) == compact(sample())


def test_the_seed_is_written_where_it_is_known() -> None:
    known = sample() | {"seed": -12}
    assert GAME.read_position(compact(known)).seed == -12
    assert GAME.write_position(GAME.read_position(compact(known))) == compact(known)
    assert json.loads(GAME.write_position(START))["seed"] == 1


EVENTS: list[dict[str, Any]] = [
    {"type": "move", "nick": "Ørjan", "coordinates": [4, 1, -5]},
    {"type": "collision", "nick": "Ørjan", "coordinates": [4, 1, -5], "hitpoints": 5},
    {
        "type": "collision", "nick": "Snorre", "coordinates": [-4, 0, 4], "hitpoints": 0,
        "reason": "void at [4, 0, -4]",
    },
    {"type": "laser", "nick": "Snorre", "start": [-4, 0, 4], "end": [-4, 0, 4]},
    {"type": "laser-hit", "nick": "Snorre", "hitpoints": 100},
    {"type": "noop", "nick": "Snorre", "reason": "späť"},
    {"type": "noop", "nick": "Snorre"},
]  # fmt: skip


@pytest.mark.parametrize("event", EVENTS)
def test_every_kind_of_event_is_read_and_written(event: dict[str, Any]) -> None:
    text = compact(sample() | {"events": [event]})
    position = GAME.read_position(text)
    assert position.events == (event,)
    assert GAME.write_position(position) == text


def test_a_hit_in_the_old_spelling_is_a_hit() -> None:
    old = {"type": ":laser-hit", "nick": "Snorre", "hitpoints": 100}
    position = GAME.read_position(compact(sample() | {"events": [old]}))
    assert position.events == (old | {"type": "laser-hit"},)


def test_positions_that_differ_in_their_events_differ() -> None:
    assert GAME.read_position(compact(sample())) != GAME.read_position(
        compact(sample() | {"events": []})
    )


def test_a_position_is_hashable() -> None:
    assert {GAME.read_position(compact(sample())): 1}[GAME.read_position(compact(sample()))] == 1


# Place of the error, sentence, and the change of the sample.
Change = Callable[[dict[str, Any]], object]
FLAWS: list[tuple[str, Expected, Change]] = [
    ("status", catalogue.NOT_ONE_OF, lambda s: s.update(status="won")),
    ("status", catalogue.NOT_ONE_OF, lambda s: s.update(status=None)),
    ("status", catalogue.NOT_ONE_OF, lambda s: s.update(status=["play"])),
    ("round", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(round=0)),
    ("round", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(round=True)),
    ("round", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(round=1.0)),
    ("round", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(round="1")),
    ("round", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(round=LAST_ROUND + 1)),
    ("seed", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(seed=None)),
    ("seed", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(seed=1.5)),
    ("seed", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(seed=False)),
    ("seed", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s.update(seed=MAX_SEED + 1)),
    ("a state", catalogue.UNKNOWN_KEY, lambda s: s.update(stauts="play")),
    ("a state", catalogue.MISSING_KEY, lambda s: s.pop("events")),
    ("grid", catalogue.NOT_AN_ARRAY, lambda s: s.update(grid={})),
    ("players[0].coordinates", catalogue.NOT_ON_GRID, lambda s: s.update(grid=[])),
    ("grid[1]", catalogue.NOT_AN_OBJECT, lambda s: s["grid"].__setitem__(1, [4, 0, -4])),
    ("grid[1]", catalogue.UNKNOWN_KEY, lambda s: s["grid"][1].update(terain="void")),
    ("grid[1].terrain", catalogue.NOT_ONE_OF, lambda s: s["grid"][1].update(terrain="sea")),
    (
        "grid[1].coordinates",
        catalogue.NOT_COORDINATES,
        lambda s: s["grid"][1].update(coordinates=[4, 0]),
    ),
    (
        "grid[1].coordinates",
        catalogue.NOT_COORDINATES,
        lambda s: s["grid"][1].update(coordinates=[4, 0, -3]),
    ),
    (
        "grid[1].coordinates",
        catalogue.NOT_COORDINATES,
        lambda s: s["grid"][1].update(coordinates=[4, 0, -4.0]),
    ),
    (
        "grid[1].coordinates",
        catalogue.NOT_COORDINATES,
        lambda s: s["grid"][1].update(coordinates=[True, 0, -1]),
    ),
    (
        "grid[1].coordinates",
        catalogue.NOT_COORDINATES,
        lambda s: s["grid"][1].update(coordinates=[51, 0, -51]),
    ),
    (
        "",
        catalogue.TOO_MANY_DIGITS(digits=1000),
        lambda s: s["grid"][1].update(coordinates=[10**999, 0, -(10**999)]),
    ),
    (
        "",
        catalogue.TILE_TWICE(tile="[-4, 0, 4]"),
        lambda s: s["grid"][1].update(coordinates=[-4, 0, 4]),
    ),
    ("players", catalogue.NOT_AN_ARRAY_OF, lambda s: s["players"].pop()),
    ("players", catalogue.NOT_AN_ARRAY_OF, lambda s: s["players"].append(s["players"][0])),
    ("players[0]", catalogue.NOT_AN_OBJECT, lambda s: s["players"].__setitem__(0, "Snorre")),
    ("players[0]", catalogue.UNKNOWN_KEY, lambda s: s["players"][0].update(url="http://localhost")),
    ("players[0].nick", catalogue.TEXT_UNFIT, lambda s: s["players"][0].update(nick="")),
    ("players[0].nick", catalogue.TEXT_UNFIT, lambda s: s["players"][0].update(nick="  ")),
    ("players[0].nick", catalogue.TEXT_UNFIT, lambda s: s["players"][0].update(nick=7)),
    ("players[0].nick", catalogue.TEXT_UNFIT, lambda s: s["players"][0].update(nick="x" * 41)),
    ("players[0].nick", catalogue.TEXT_UNFIT, lambda s: s["players"][0].update(nick="a\tb")),
    ("players[0].nick", catalogue.TEXT_UNFIT, lambda s: s["players"][0].update(nick="a\u2028b")),
    (
        "",
        catalogue.HALF_CHARACTER(value="'\\ud800'"),
        lambda s: s["players"][0].update(nick="\ud800"),
    ),
    (
        "",
        catalogue.NICKS_ALIKE(value="('Ørjan', 'Ørjan')"),
        lambda s: s["players"][0].update(nick="Ørjan"),
    ),
    (
        "players[1].hitpoints",
        catalogue.NOT_A_WHOLE_NUMBER,
        lambda s: s["players"][1].update(hitpoints=-1),
    ),
    (
        "players[1].hitpoints",
        catalogue.NOT_A_WHOLE_NUMBER,
        lambda s: s["players"][1].update(hitpoints=101),
    ),
    (
        "players[1].hitpoints",
        catalogue.NOT_A_WHOLE_NUMBER,
        lambda s: s["players"][1].update(hitpoints=True),
    ),
    ("players[1].score", catalogue.NOT_A_WHOLE_NUMBER, lambda s: s["players"][1].update(score=0.5)),
    (
        "players[1].score",
        catalogue.NOT_A_WHOLE_NUMBER,
        lambda s: s["players"][1].update(score=MAX_SCORE + 1),
    ),
    (
        "players[1].coordinates",
        catalogue.NOT_ON_GRID,
        lambda s: s["players"][1].update(coordinates=[0, 0, 0]),
    ),
    (
        "",
        catalogue.SHIPS_TOGETHER(tile="[-4, 0, 4]"),
        lambda s: s["players"][1].update(coordinates=[-4, 0, 4]),
    ),
    (
        "players[1]",
        catalogue.SHIP_NOT_ON_LAND,
        lambda s: s["players"][1].update(coordinates=[4, 0, -4]),
    ),
    (
        "players[1]",
        catalogue.SHIP_NOT_ON_LAND,
        lambda s: s["players"][1].update(coordinates=[1, 1, -2]),
    ),
    ("events", catalogue.NOT_AN_ARRAY, lambda s: s.update(events=None)),
    ("events[0]", catalogue.WRONG_TYPE, lambda s: s.update(events=["move"])),
    ("events[0]", catalogue.WRONG_TYPE, lambda s: s["events"][0].update(type="jump")),
    ("events[0]", catalogue.WRONG_TYPE, lambda s: s["events"][0].update(type=["move"])),
    ("events[0]", catalogue.WRONG_TYPE, lambda s: s["events"][0].update(type=":move")),
    ("events[0]", catalogue.WRONG_TYPE, lambda s: s["events"][0].pop("type")),
    ("events[0].nick", catalogue.NOT_ONE_OF, lambda s: s["events"][0].update(nick="Mallory")),
    ("events[0]", catalogue.UNKNOWN_KEY, lambda s: s["events"][0].update(reason="why")),
    (
        "events[0].coordinates",
        catalogue.NOT_ON_GRID,
        lambda s: s["events"][0].update(coordinates=[0, 0, 0]),
    ),
    ("events[1]", catalogue.MISSING_KEY, lambda s: s["events"][1].pop("end")),
    ("events[1].start", catalogue.NOT_COORDINATES, lambda s: s["events"][1].update(start=5)),
    (
        "events[0].hitpoints",
        catalogue.NOT_A_WHOLE_NUMBER,
        lambda s: s.update(events=[EVENTS[4] | {"hitpoints": -1}]),
    ),
    (
        "events[0].hitpoints",
        catalogue.NOT_A_WHOLE_NUMBER,
        lambda s: s.update(events=[EVENTS[4] | {"hitpoints": 1001}]),
    ),
    (
        "events[0].reason",
        catalogue.TEXT_UNFIT,
        lambda s: s.update(events=[EVENTS[5] | {"reason": None}]),
    ),
    (
        "events[0].reason",
        catalogue.TEXT_UNFIT,
        lambda s: s.update(events=[EVENTS[5] | {"reason": "a\nb"}]),
    ),
    (
        "events[0].reason",
        catalogue.TEXT_UNFIT,
        lambda s: s.update(events=[EVENTS[5] | {"reason": "x" * 201}]),
    ),
]


def names_place(sentence: Sentence, place: str) -> bool:
    return not place or place in (sentence.slots.get("what"), sentence.slots.get("place"))


@pytest.mark.parametrize(("place", "expected", "change"), FLAWS)
def test_a_flaw_in_a_state_is_an_error_with_place_and_reason(
    place: str, expected: Expected, change: Change
) -> None:
    state = sample()
    change(state)
    with pytest.raises(BadPosition) as caught:
        GAME.read_position(json.dumps(state))
    assert names_place(caught.value.sentence, place)
    assert mentions(caught.value.sentence, expected)
    assert "\n" not in str(caught.value)
    str(caught.value).encode()


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


TEXTS = [
    "",
    "x",
    "null",
    "[]",
    "{}",
    '"play"',
    compact(sample()) + "}",
    compact(sample())[:-1],
    "\ufeff" + compact(sample()),
    compact(sample()).replace('"round":1', '"round":NaN'),
    compact(sample()).replace('"round":1', '"round":Infinity'),
    compact(sample()).replace('"round":1', '"round":-Infinity'),
    compact(sample()).replace('"round":1', '"round":1e999'),
    compact(sample()).replace('"round":1', '"round":1,"round":1'),
    compact(sample()).replace('"round":1', '"round":' + "1" * 5000),
    nested(100_000),
    '{"a":' * 100_000,
    " " * MAX_STATE_LENGTH + compact(sample()),
    compact(sample()).replace("Snorre", "\ud800"),
    compact(sample()).replace("Snorre", r"\ud800"),
    compact(sample()).replace('"round"', r'"\ud800"'),
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:30]))
def test_text_that_is_not_a_state_is_one_error(text: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.read_position(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_deep_nesting_raises_our_own_error() -> None:
    # Values that the parser accepts may be too deep to be quoted in an error.
    state = sample() | {"events": [{"type": "noop", "nick": "Snorre", "reason": "HERE"}]}
    template = compact(state).replace('"HERE"', "{}")
    shallow, deep = compact(sample()).split('"round":1')
    for depth in (*range(1, 1100), 100_000):
        inside = nested(depth)
        for text in (inside, f'{shallow}"round":{inside}{deep}', template.replace("{}", inside)):
            with pytest.raises(BadPosition):
                GAME.read_position(text)
        with pytest.raises(BadMove):
            read_action(f'{{"type":"noop","reason":{inside}}}')


def test_a_state_has_at_most_the_hit_points_of_the_game() -> None:
    state = sample()
    state["players"][0]["hitpoints"] = 500
    assert Spaceships(hit_points=500).read_position(compact(state)).ships[0].hit_points == 500
    with raises(BadPosition, catalogue.NOT_A_WHOLE_NUMBER):
        GAME.read_position(compact(state))


def test_the_widest_grid_round_trips() -> None:
    grid = HexGrid.hexagon(MAX_COORDINATE)
    ships = (Ship("a" * 40, 1000, 0, -MAX_SCORE), Ship("b" * 40, 1000, 1, -MAX_SCORE))
    position = Position(grid, (Terrain.LAND,) * grid.size, ships, seed=-MAX_SEED)
    game = Spaceships(hit_points=1000)
    assert game.read_position(game.write_position(position)) == position


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path]
    for key, each in inner:
        at = (*path, key)
        found += paths(each, at) if isinstance(each, dict | list) else [at]
    return found


@examples(300)
@given(st.sampled_from([path for path in paths(sample()) if path]), JSON)
def test_a_state_with_any_value_replaced_round_trips_or_is_refused(
    path: tuple[Any, ...], value: Any
) -> None:
    state = sample()
    inner: Any = state
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        position = GAME.read_position(json.dumps(state))
    except LaserboardError:
        return
    text = GAME.write_position(position)
    assert GAME.read_position(text) == position
    assert text.splitlines() == [text]
    text.encode()


@examples(200)
@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_a_state_or_an_error(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.read_position(text)


# -- actions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", range(6))
def test_a_move_and_a_laser_are_written_with_their_direction(heading: int) -> None:
    for kind, action in (("move", Action.move(heading)), ("laser", Action.laser(heading))):
        text = GAME.write_move(START, 0, action)
        assert text == compact({"type": kind, "direction": CUBE_STEPS[heading]})
        assert GAME.read_move(START, 0, text) == action


def test_a_noop_is_written_with_its_reason() -> None:
    text = '{"type":"noop","reason":"för sent"}'
    assert GAME.read_move(START, 1, text) == Action.noop("för sent")
    assert GAME.write_move(START, 1, Action.noop("för sent")) == text


BAD_ACTIONS: list[tuple[str, Expected, str]] = [
    ("", catalogue.NOT_JSON_AT(problem="expecting value", line=1, column=1, text="''"), ""),
    ("", catalogue.NOT_JSON_AT(problem="expecting value", line=1, column=1, text="'move'"), "move"),
    ("an action", catalogue.WRONG_TYPE, "null"),
    ("an action", catalogue.WRONG_TYPE, "[1,0,-1]"),
    ("an action", catalogue.WRONG_TYPE, "{}"),
    ("an action", catalogue.WRONG_TYPE, '{"type":"jump","direction":[1,0,-1]}'),
    ("an action", catalogue.WRONG_TYPE, '{"type":["move"],"direction":[1,0,-1]}'),
    ("an action", catalogue.MISSING_KEY, '{"type":"move"}'),
    ("an action", catalogue.UNKNOWN_KEY, '{"type":"move","coordinates":[1,0,-1]}'),
    ("an action", catalogue.UNKNOWN_KEY, '{"type":"move","direciton":[1,0,-1]}'),
    ("an action", catalogue.UNKNOWN_KEY, '{"type":"move","direction":[1,0,-1],"x":1}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"move","direction":[0,0,0]}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"move","direction":[2,0,-2]}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"move","direction":[2,-1,-1]}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"move","direction":[1,0]}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"laser","direction":[1.0,0,-1]}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"laser","direction":[true,0,-1]}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"laser","direction":"east"}'),
    ("direction", catalogue.NOT_ONE_OF, '{"type":"laser","direction":null}'),
    ("", catalogue.NO_NUMBER(value="NaN"), '{"type":"laser","direction":[NaN,0,0]}'),
    (
        "",
        catalogue.KEY_TWICE(key="'direction'"),
        '{"type":"move","direction":[1,0,-1],"direction":[1,0,-1]}',
    ),
    ("an action", catalogue.MISSING_KEY, '{"type":"noop"}'),
    ("reason", catalogue.TEXT_UNFIT, '{"type":"noop","reason":""}'),
    ("reason", catalogue.TEXT_UNFIT, '{"type":"noop","reason":5}'),
    ("reason", catalogue.TEXT_UNFIT, r'{"type":"noop","reason":"\n"}'),
    ("reason", catalogue.TEXT_UNFIT, r'{"type":"noop","reason":"a\nb"}'),
    ("", catalogue.HALF_CHARACTER(value="'\\udc00'"), r'{"type":"noop","reason":"\udc00"}'),
    ("", catalogue.HALF_CHARACTER(value="'\\udc00'"), '{"type":"noop","reason":"\udc00"}'),
    ("an action", catalogue.UNKNOWN_KEY, '{"type":"noop","reason":"x","direction":[1,0,-1]}'),
    (
        "",
        catalogue.TEXT_TOO_LONG(length=4028, most=4000),
        " " * MAX_ACTION_LENGTH + '{"type":"noop","reason":"x"}',
    ),
]


@pytest.mark.parametrize(("place", "expected", "text"), BAD_ACTIONS)
def test_an_invalid_action_is_refused_with_place_and_reason(
    place: str, expected: Expected, text: str
) -> None:
    with pytest.raises(BadMove) as caught:
        GAME.read_move(START, 0, text)
    assert names_place(caught.value.sentence, place)
    assert mentions(caught.value.sentence, expected)
    assert "\n" not in str(caught.value)


def test_an_action_nested_too_deeply_is_refused() -> None:
    """Python's parser or our own limit refuses it, depending on the version of Python."""
    with pytest.raises(BadMove) as caught:
        GAME.read_move(START, 0, nested(1900))
    refusals = (catalogue.NOT_JSON_AT, catalogue.NESTED_TOO_DEEPLY)
    assert any(mentions(caught.value.sentence, each) for each in refusals)


@examples(200)
@given(st.text() | JSON.map(json.dumps))
@example('{"type":"noop","reason":"\\ud83d\\ude80"}')
def test_any_text_is_an_action_that_round_trips_or_an_error(text: str) -> None:
    try:
        action = GAME.read_move(START, 0, text)
    except LaserboardError:
        return
    assert GAME.read_move(START, 0, GAME.write_move(START, 0, action)) == action


@examples(200)
@given(st.text(st.characters()), st.integers(1, 300))
def test_a_noop_can_be_made_of_any_text(reason: str, times: int) -> None:
    action = Action.noop(reason * times)
    assert action.kind is ActionKind.NOOP
    assert read_action(write_action(action)) == action


def test_a_reason_that_fits_is_unchanged() -> None:
    assert Action.noop("no answer in 4 s 🚀").reason == "no answer in 4 s 🚀"
    assert Action.noop("a\nb").reason == "a?b"


@examples(200)
@given(st.sampled_from(Status), st.integers(1, LAST_ROUND), st.text(max_size=50))
def test_any_accepted_nick_round_trips(status: Status, number: int, nick: str) -> None:
    try:
        start = GAME.start_with(None, (nick, "the other"))
    except LaserboardError:
        return
    position = Position(start.grid, start.terrain, start.ships, number, status)
    assert GAME.read_position(GAME.write_position(position)) == position
