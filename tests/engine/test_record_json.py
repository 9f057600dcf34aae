"""Records as JSON: all layouts are read, nothing strange is let in, no game costs another."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadRecord
from engine.games import GAMES, make
from engine.record import (
    Entry,
    Record,
    form_of,
    play,
    read,
    read_games,
    record_of,
    write,
    write_games,
)
from tests.engine.test_record import TEXT_GAMES, records
from tests.engine.test_record_text import SIZE, WON, mutated
from tests.play import examples

ROUND = '{"type":"move","direction":[1,-1,0]}', '{"type":"noop","reason":"late"}'
FLOWN = Record(
    "spaceships",
    (Entry(ROUND, 3_500, "both"), Entry(ROUND)),
    options=(("rounds", 9),),
    seed=7,
    tags=(("Event", "Cüp"),),
    comment="before",
)
FLOWN_VALUE: dict[str, Any] = {
    "game": "spaceships",
    "options": {"rounds": 9},
    "seed": 7,
    "tags": {"Event": "Cüp"},
    "comment": "before",
    "turns": [
        {
            "moves": [
                {"type": "move", "direction": [1, -1, 0]},
                {"type": "noop", "reason": "late"},
            ],
            "clock_ms": 3500,
            "comment": "both",
        },
        {
            "moves": [
                {"type": "move", "direction": [1, -1, 0]},
                {"type": "noop", "reason": "late"},
            ]
        },
    ],
    "result": "*",
}
WON_VALUE: dict[str, Any] = {
    "game": "laser-chess",
    "options": {"no_capture_turns": 50, "repetition": "automatic"},
    "setup": "sophie",
    "tags": dict(WON.tags),
    "comment": "before",
    "turns": [
        {"moves": ["h6g5"], "clock_ms": 591_000, "comment": "hm"},
        {"moves": ["e6+xe8"], "clock_ms": 600_250},
    ],
    "result": "1-0",
}


@pytest.mark.parametrize(("record", "value"), [(FLOWN, FLOWN_VALUE), (WON, WON_VALUE)])
def test_a_record_is_one_line_with_only_what_is_there(
    record: Record, value: dict[str, Any]
) -> None:
    line = write(record, "json")
    assert json.loads(line) == value
    assert list(json.loads(line)) == list(value)
    assert line.count("\n") == 1
    assert read(line) == record


@pytest.mark.parametrize("name", [name for name in GAMES if name not in TEXT_GAMES])
def test_a_position_stands_in_a_record_as_json(name: str) -> None:
    game = make(name)
    position = game.start()
    record = record_of(game, position, [])
    assert json.loads(write(record))["start"] == json.loads(game.write_position(position))
    assert read(write(record)).first() == position


@examples(40)
@given(records(TEXT_GAMES))
def test_text_and_json_turn_into_each_other(record: Record) -> None:
    text, line = write(record, "text"), write(record, "json")
    assert write(read(line), "text") == text
    assert write(read(text), "json") == line
    assert (form_of(text), form_of(line)) == ("text", "json")


def test_moves_without_their_capture_are_completed() -> None:
    turns = [{"moves": ["h6g5"]}, {"moves": ["e6+"]}]
    record = read(json.dumps({**WON_VALUE, "turns": turns}))
    assert record.turns[1].moves == ("e6+xe8",)
    assert [turn.outcome is None for turn in play(record)] == [True, False]


# -- layouts ---------------------------------------------------------------------------------


def pretty(*values: Any, indent: int | str = 2) -> str:
    return "\n".join(json.dumps(value, indent=indent) for value in values)


def array(*values: Any) -> str:
    return json.dumps(values)


def lines(*values: Any) -> str:
    return "\n".join(map(json.dumps, values))


LAYOUTS: dict[str, Callable[..., str]] = {
    "JSON Lines": lines,
    "with blank lines": lambda *values: "\n\n \n" + "\n\n".join(map(json.dumps, values)) + "\n\n",
    "with a byte order mark": lambda *values: "\ufeff" + lines(*values),
    "on one line": lambda *values: " ".join(map(json.dumps, values)),
    "pretty": pretty,
    "by tabs": lambda *values: pretty(*values, indent="\t"),
    "little": lambda *values: pretty(*values, indent=1),
    "an array": array,
    "a pretty array": lambda *values: json.dumps(values, indent=4),
    "an array by lines": lambda *values: "[\n" + ",\n".join(map(json.dumps, values)) + "\n]\n",
    "under the bracket": lambda *values: "[" + "\n,".join(map(json.dumps, values)) + "]",
    "under the brace": lambda *values: "[" + ",\n ".join(map(json.dumps, values)) + "]",
    "by a carriage return": lambda *values: pretty(*values).replace("\n", "\r\n"),
}
# No line begins with a game, so a game without its end goes on to the end of the file.
ONE_LINE = {"on one line", "an array", "under the bracket"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_games_are_read_in_every_layout(layout: str) -> None:
    text = LAYOUTS[layout](FLOWN_VALUE, WON_VALUE, FLOWN_VALUE)
    assert list(read_games(text)) == [FLOWN, WON, FLOWN]
    assert list(read_games(LAYOUTS[layout](WON_VALUE))) == [WON]


def test_an_empty_array_has_no_games() -> None:
    assert list(read_games(" [ ]\n")) == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_game_that_makes_no_sense_costs_no_other_game(layout: str) -> None:
    text = LAYOUTS[layout](FLOWN_VALUE, {**WON_VALUE, "result": "0-1"}, FLOWN_VALUE)
    before, bad, after = read_games(text)
    assert (before, after) == (FLOWN, FLOWN)
    assert isinstance(bad, BadRecord)


@pytest.mark.parametrize("layout", sorted(LAYOUTS.keys() - ONE_LINE))
@pytest.mark.parametrize("cut", [1, 40, 100])
def test_a_game_that_is_cut_off_costs_no_other_game(layout: str, cut: int) -> None:
    marker = {**WON_VALUE, "result": "MARK"}
    text = LAYOUTS[layout](FLOWN_VALUE, marker, FLOWN_VALUE)
    at = text.index("MARK")
    end = text.index("{", at)
    broken = text[: at - cut] + "\n" + text[text.rindex("\n", 0, end) + 1 :]
    before, bad, after = read_games(broken)
    assert (before, after) == (FLOWN, FLOWN)
    assert isinstance(bad, BadRecord)
    assert "cut off" in bad.message or "not JSON" in bad.message


def test_an_array_that_is_cut_off_is_reported() -> None:
    found = list(read_games("[\n" + json.dumps(WON_VALUE) + ",\n"))
    assert found[0] == WON
    assert isinstance(found[1], BadRecord)
    assert "never closed" in found[1].message


def test_what_comes_after_an_array_is_reported() -> None:
    found = list(read_games(array(WON_VALUE) + " x"))
    assert found[0] == WON
    assert isinstance(found[1], BadRecord)


# -- strictness ------------------------------------------------------------------------------


def changed(**changes: Any) -> str:
    return json.dumps({**WON_VALUE, **changes})


def lacking(key: str) -> str:
    return json.dumps({name: value for name, value in WON_VALUE.items() if name != key})


BROKEN = [
    (changed(setupp="ace"), "unknown key 'setupp', did you mean 'setup'?"),
    (lacking("game"), "lacks 'game'"),
    (lacking("turns"), "lacks 'turns'"),
    (lacking("result"), "lacks 'result'"),
    (changed(game="laser-ches"), "did you mean 'laser-chess'?"),
    (changed(game=1), "game must be a string, not 1"),
    (changed(options=[]), "options must be an object"),
    (changed(options={"repetitions": "off"}), "did you mean 'repetition'?"),
    (changed(options={"repetition": []}), "is not one of"),
    (changed(setup="ace", start="x"), "not from both"),
    (changed(setup=None), "setup must be a string, not None"),
    (changed(seed=1), "not from a seed"),
    (changed(seed=True), "not from a seed"),
    (changed(tags={"Event": 1}), "tags.Event must be a string"),
    (changed(tags={"Result": "1-0"}), "not free"),
    (changed(tags=[["Event", "x"]]), "tags must be an object"),
    (changed(turns={}), "turns must be an array"),
    (changed(turns=[[]]), "turns[0] must be an object"),
    (changed(turns=[{}]), "turns[0] lacks 'moves'"),
    (changed(turns=[{"moves": ["h6g5"], "clock": 1}]), "did you mean 'clock_ms'?"),
    (changed(turns=[{"moves": "h6g5"}]), "turns[0].moves must be an array"),
    (changed(turns=[{"moves": [{}]}]), "turns[0].moves[0] must be a string"),
    (changed(turns=[{"moves": ["h6g5"], "clock_ms": "1"}]), "turns[0]: a clock in ms"),
    (changed(turns=[{"moves": ["h6g5"], "clock_ms": True}]), "turns[0]: a clock in ms"),
    (changed(turns=[{"moves": ["h6g5"], "comment": "}"}]), "turns[0]: the comment"),
    (changed(turns=[{"moves": ["h6g5"]}, {"moves": ["h6g5"]}]), "turn 2: illegal move 'h6g5'"),
    (changed(turns=[{"moves": ["h6g5"]}, {"moves": ["e6+xe7"]}]), "captures e8"),
    (changed(turns=[{"moves": ["h6g5", "e6+"]}]), "not the one move of a turn"),
    (changed(result="0-1"), "write 1-0"),
    (changed(result="won"), "is no result"),
    (changed(comment="\ud800"), "half a character"),
    (changed(tags={"\udc00": ""}), "half a character"),
    (changed(comment=float("nan")), "NaN, which is no number"),
    (changed(seed=float("inf")), "Infinity, which is no number"),
    (changed(seed=0).replace(": 0", ": 1e999"), "too large for a number"),
    (changed(seed=0).replace(": 0", ": " + "1" * 5000), "5000 digits"),
    (changed().replace('"setup":', '"game":'), "the key 'game' twice in one object"),
    (changed(setup=1).replace(": 1,", ": " + "[" * 500 + "]" * 500 + ","), "nested too deeply"),
    ('{"game": ' + "[" * SIZE, "nested too deeply"),
    ('{"game": "x', "not JSON: unterminated string at '"),
    ('{"game": ', "cut off"),
    ("{game: 1}", "not JSON: expecting property name"),
    ('{"game": "a\tb"}', "not JSON: invalid control character"),
    ("[1]", "where a game should begin"),
    ('["x"]', "where a game should begin"),
    ("[[]]", "where a game should begin"),
]


@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_nothing_strange_is_let_in(text: str, words: str) -> None:
    (found,) = read_games(f"\n\n{text}\n")
    assert isinstance(found, BadRecord)
    assert (found.line, words in found.message) == (3, True), found


@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_a_broken_line_costs_no_other_line(text: str, words: str) -> None:
    before, bad, after = read_games(write(FLOWN) + text + "\n" + write(FLOWN))
    assert (before, after) == (FLOWN, FLOWN)
    assert isinstance(bad, BadRecord)
    assert bad.line == 2
    assert words in bad.message or "where a game should begin" in bad.message


def test_a_first_line_that_is_no_json_at_all_costs_no_other_line() -> None:
    bad, good = read_games('"game": 1}\n' + write(WON, "json"))
    assert isinstance(bad, BadRecord)
    assert good == WON


def test_a_fault_inside_a_pretty_game_has_its_own_line() -> None:
    text = pretty(FLOWN_VALUE, WON_VALUE)
    line = text.split("\n").index('  "result": "1-0"') + 1
    good, bad = read_games(text.replace('"result": "1-0"', '"result" "1-0"'))
    assert good == FLOWN
    assert isinstance(bad, BadRecord)
    assert bad.line == line


# -- whatever the text is --------------------------------------------------------------------


@examples(300)
@given(st.data())
def test_mutated_json_is_read_as_records_and_errors(data: st.DataObject) -> None:
    layout = data.draw(st.sampled_from(sorted(LAYOUTS)))
    text = data.draw(mutated(LAYOUTS[layout](FLOWN_VALUE, WON_VALUE)))
    for found in read_games(text):
        assert isinstance(found, Record | BadRecord)
        if isinstance(found, Record):
            assert read(write(found)) == found
            assert read(write(found, "json")) == found
        else:
            assert 1 <= found.line <= text.replace("\r", "\n").count("\n") + 1


@examples(300)
@given(st.data())
def test_a_good_line_survives_whatever_stands_before_and_behind_it(data: st.DataObject) -> None:
    broken = data.draw(mutated(write(WON, "json")))
    found = list(read_games(write(FLOWN) + broken + "\n" + write(FLOWN)))
    assert found.count(FLOWN) == 2


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * SIZE,
        '{"a":\n' * SIZE,
        '{"a":[\n' * SIZE,
        "[{" * SIZE,
        "[{\n" * SIZE,
        '{"a":1,' * SIZE,
        "{}" * SIZE,
        "{}\n" * SIZE,
        "{" + ",".join(f'"a{i}":1' for i in range(SIZE)) + "}",
        "{" + '"a":1,' * SIZE + '"b":2}',
        '{"game":"laser-chess","result":"*","turns":[' + '{"moves":["j1-"]},' * SIZE,
        changed(turns=[{"moves": ["j1-"]}] * SIZE),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_the_time_to_read_garbage_grows_with_its_length_only(text: str) -> None:
    began = process_time()
    found = list(read_games(text))
    assert process_time() - began < 60, "far above what it takes, far below its square"
    assert found
    assert all(isinstance(each, BadRecord) for each in found)


def test_games_of_different_kinds_share_a_file() -> None:
    assert list(read_games(write_games([WON, FLOWN]))) == [WON, FLOWN]
