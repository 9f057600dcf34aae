"""Records as JSON: all layouts are read, invalid games are errors, other games unaffected."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import catalogue
from engine.errors import BadRecord
from engine.games import GAMES, make
from engine.record import (
    Record,
    RecordedTurn,
    detect_form,
    make_record,
    play,
    read_games,
    read_record,
    write_games,
    write_record,
)
from engine.record import catalogue as record_catalogue
from tests.support.engine.random_play import examples
from tests.support.engine.random_records import TEXT_GAMES, records
from tests.support.engine.record_texts import SIZE, WON, mutated
from tests.support.engine.sentences import Expected, mentions

ROUND = '{"type":"move","direction":[1,-1,0]}', '{"type":"noop","reason":"late"}'
FLOWN = Record(
    "spaceships",
    (RecordedTurn(ROUND, 3_500, "both"), RecordedTurn(ROUND)),
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
def test_a_record_is_one_line_without_empty_fields(record: Record, value: dict[str, Any]) -> None:
    line = write_record(record, "json")
    assert json.loads(line) == value
    assert list(json.loads(line)) == list(value)
    assert line.count("\n") == 1
    assert read_record(line) == record


@pytest.mark.parametrize("name", [name for name in GAMES if name not in TEXT_GAMES])
def test_a_position_is_embedded_as_json(name: str) -> None:
    game = make(name)
    position = game.start()
    record = make_record(game, position, [])
    assert json.loads(write_record(record))["start"] == json.loads(game.write_position(position))
    assert read_record(write_record(record)).first_position() == position


@examples(40)
@given(records(TEXT_GAMES))
def test_text_and_json_convert_to_each_other(record: Record) -> None:
    text, line = write_record(record, "text"), write_record(record, "json")
    assert write_record(read_record(line), "text") == text
    assert write_record(read_record(text), "json") == line
    assert (detect_form(text), detect_form(line)) == ("text", "json")


def test_a_missing_capture_is_added_to_a_move() -> None:
    turns = [{"moves": ["h6g5"]}, {"moves": ["e6+"]}]
    record = read_record(json.dumps({**WON_VALUE, "turns": turns}))
    assert record.turns[1].moves == ("e6+xe8",)
    assert [turn.outcome is None for turn in play(record)] == [True, False]


# -- layouts ---------------------------------------------------------------------------------


def indented(*values: Any, indent: int | str = 2) -> str:
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
    "pretty": indented,
    "by tabs": lambda *values: indented(*values, indent="\t"),
    "little": lambda *values: indented(*values, indent=1),
    "an array": array,
    "a pretty array": lambda *values: json.dumps(values, indent=4),
    "an array by lines": lambda *values: "[\n" + ",\n".join(map(json.dumps, values)) + "\n]\n",
    "under the bracket": lambda *values: "[" + "\n,".join(map(json.dumps, values)) + "]",
    "under the brace": lambda *values: "[" + ",\n ".join(map(json.dumps, values)) + "]",
    "by a carriage return": lambda *values: indented(*values).replace("\n", "\r\n"),
}
# No line begins with `{"game"`, so a truncated game extends to the end of the file.
ONE_LINE = {"on one line", "an array", "under the bracket"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_games_are_read_in_every_layout(layout: str) -> None:
    text = LAYOUTS[layout](FLOWN_VALUE, WON_VALUE, FLOWN_VALUE)
    assert list(read_games(text)) == [FLOWN, WON, FLOWN]
    assert list(read_games(LAYOUTS[layout](WON_VALUE))) == [WON]


def test_an_empty_array_has_no_games() -> None:
    assert list(read_games(" [ ]\n")) == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_invalid_game_does_not_affect_other_games(layout: str) -> None:
    text = LAYOUTS[layout](FLOWN_VALUE, {**WON_VALUE, "result": "0-1"}, FLOWN_VALUE)
    before, bad, after = read_games(text)
    assert (before, after) == (FLOWN, FLOWN)
    assert isinstance(bad, BadRecord)


@pytest.mark.parametrize("layout", sorted(LAYOUTS.keys() - ONE_LINE))
@pytest.mark.parametrize("cut", [1, 40, 100])
def test_a_truncated_game_does_not_affect_other_games(layout: str, cut: int) -> None:
    marker = {**WON_VALUE, "result": "MARK"}
    text = LAYOUTS[layout](FLOWN_VALUE, marker, FLOWN_VALUE)
    at = text.index("MARK")
    end = text.index("{", at)
    broken = text[: at - cut] + "\n" + text[text.rindex("\n", 0, end) + 1 :]
    before, bad, after = read_games(broken)
    assert (before, after) == (FLOWN, FLOWN)
    assert isinstance(bad, BadRecord)
    broken_keys = (record_catalogue.GAME_CUT_OFF.key, catalogue.NOT_JSON_NEAR.key)
    assert bad.message.key in broken_keys


def test_a_truncated_array_is_an_error() -> None:
    game, bad = read_games("[\n" + json.dumps(WON_VALUE) + ",\n")
    assert game == WON
    assert isinstance(bad, BadRecord)
    assert bad.message == record_catalogue.ARRAY_NOT_CLOSED()


def test_text_after_an_array_is_an_error() -> None:
    game, bad = read_games(array(WON_VALUE) + " x")
    assert game == WON
    assert isinstance(bad, BadRecord)


# -- validation ------------------------------------------------------------------------------


def changed(**changes: Any) -> str:
    return json.dumps({**WON_VALUE, **changes})


def without(key: str) -> str:
    return json.dumps({name: value for name, value in WON_VALUE.items() if name != key})


BROKEN = [
    (changed(setupp="ace"), catalogue.UNKNOWN_KEY),
    (without("game"), catalogue.MISSING_KEY(what="a game", key="game")),
    (without("turns"), catalogue.MISSING_KEY(what="a game", key="turns")),
    (without("result"), catalogue.MISSING_KEY(what="a game", key="result")),
    (changed(game="laser-ches"), catalogue.DID_YOU_MEAN(name="laser-chess")),
    (changed(game=1), catalogue.NOT_A_STRING(what="game", value="1")),
    (changed(options=[]), catalogue.NOT_AN_OBJECT(what="options", value="[]")),
    (changed(options={"repetitions": "off"}), catalogue.DID_YOU_MEAN(name="repetition")),
    (changed(options={"repetition": []}), catalogue.BAD_OPTION_CHOICE),
    (changed(setup="ace", start="x"), record_catalogue.SETUP_AND_POSITION()),
    (changed(setup=None), catalogue.NOT_A_STRING(what="setup", value="None")),
    (changed(seed=1), catalogue.NO_SEED_BUT_SETUP(game="laser-chess")),
    (changed(seed=True), catalogue.NO_SEED_BUT_SETUP(game="laser-chess")),
    (changed(tags={"Event": 1}), catalogue.NOT_A_STRING(what="tags.Event", value="1")),
    (changed(tags={"Result": "1-0"}), record_catalogue.TAG_RESERVED(tag="Result")),
    (
        changed(tags=[["Event", "x"]]),
        catalogue.NOT_AN_OBJECT(what="tags", value="[['Event', 'x']]"),
    ),
    (changed(turns={}), catalogue.NOT_AN_ARRAY(what="turns", value="{}")),
    (changed(turns=[[]]), catalogue.NOT_AN_OBJECT(what="turns[0]", value="[]")),
    (changed(turns=[{}]), catalogue.MISSING_KEY(what="turns[0]", key="moves")),
    (changed(turns=[{"moves": ["h6g5"], "clock": 1}]), catalogue.DID_YOU_MEAN(name="clock_ms")),
    (
        changed(turns=[{"moves": "h6g5"}]),
        catalogue.NOT_AN_ARRAY(what="turns[0].moves", value="'h6g5'"),
    ),
    (
        changed(turns=[{"moves": [{}]}]),
        catalogue.NOT_A_STRING(what="turns[0].moves[0]", value="{}"),
    ),
    (changed(turns=[{"moves": ["h6g5"], "clock_ms": "1"}]), catalogue.NOT_A_WHOLE_NUMBER),
    (changed(turns=[{"moves": ["h6g5"], "clock_ms": True}]), catalogue.NOT_A_WHOLE_NUMBER),
    (changed(turns=[{"moves": ["h6g5"], "comment": "}"}]), record_catalogue.COMMENT_FAULT),
    (changed(turns=[{"moves": ["h6g5"]}, {"moves": ["h6g5"]}]), catalogue.ILLEGAL_MOVE),
    (
        changed(turns=[{"moves": ["h6g5"]}, {"moves": ["e6+xe7"]}]),
        catalogue.WRONG_CAPTURE(move="e6+xe7", claimed="e7", captured="e8"),
    ),
    (
        changed(turns=[{"moves": ["h6g5", "e6+"]}]),
        record_catalogue.NOT_ONE_WORD(value="('h6g5', 'e6+')"),
    ),
    (changed(result="0-1"), record_catalogue.WRONG_RESULT),
    (changed(result="won"), record_catalogue.NOT_A_RESULT),
    (changed(comment="\ud800"), catalogue.HALF_CHARACTER(value="'\\ud800'")),
    (changed(tags={"\udc00": ""}), catalogue.HALF_CHARACTER(value="'\\udc00'")),
    (changed(comment=float("nan")), catalogue.NO_NUMBER(value="NaN")),
    (changed(seed=float("inf")), catalogue.NO_NUMBER(value="Infinity")),
    (changed(seed=0).replace(": 0", ": 1e999"), catalogue.NUMBER_TOO_LARGE(value="'1e999'")),
    (changed(seed=0).replace(": 0", ": " + "1" * 5000), catalogue.TOO_MANY_DIGITS(digits=5000)),
    (changed().replace('"setup":', '"game":'), catalogue.KEY_TWICE(key="'game'")),
    (
        changed(setup=1).replace(": 1,", ": " + "[" * 500 + "]" * 500 + ","),
        catalogue.NESTED_TOO_DEEPLY(most=40),
    ),
    ('{"game": ' + "[" * SIZE, catalogue.NOT_JSON_NEAR),
    ('{"game": "x', catalogue.NOT_JSON_NEAR(problem="unterminated string", text="'\"x'")),
    ('{"game": ', record_catalogue.GAME_CUT_OFF()),
    ("{game: 1}", catalogue.NOT_JSON_NEAR),
    ('{"game": "a\tb"}', catalogue.NOT_JSON_NEAR),
    ("[1]", record_catalogue.NO_GAME_OBJECT(text="'1'")),
    ('["x"]', record_catalogue.NO_GAME_OBJECT(text="'\"x\"'")),
    ("[[]]", record_catalogue.NO_GAME_OBJECT(text="'[]'")),
]


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_a_broken_game_has_its_line_and_a_reason(text: str, expected: Expected) -> None:
    (bad,) = read_games(f"\n\n{text}\n")
    assert isinstance(bad, BadRecord)
    assert (bad.line, mentions(bad.message, expected)) == (3, True), bad


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_a_broken_line_does_not_affect_other_lines(text: str, expected: Expected) -> None:
    before, bad, after = read_games(write_record(FLOWN) + text + "\n" + write_record(FLOWN))
    assert (before, after) == (FLOWN, FLOWN)
    assert isinstance(bad, BadRecord)
    assert bad.line == 2
    begins = record_catalogue.NO_GAME_OBJECT
    assert mentions(bad.message, expected) or mentions(bad.message, begins)


def test_a_first_line_that_is_not_json_does_not_affect_other_lines() -> None:
    bad, good = read_games('"game": 1}\n' + write_record(WON, "json"))
    assert isinstance(bad, BadRecord)
    assert good == WON


def test_an_error_inside_an_indented_game_has_its_own_line() -> None:
    text = indented(FLOWN_VALUE, WON_VALUE)
    line = text.split("\n").index('  "result": "1-0"') + 1
    good, bad = read_games(text.replace('"result": "1-0"', '"result" "1-0"'))
    assert good == FLOWN
    assert isinstance(bad, BadRecord)
    assert bad.line == line


# -- random text -----------------------------------------------------------------------------


@examples(300)
@given(st.data())
def test_mutated_json_is_read_as_records_and_errors(data: st.DataObject) -> None:
    layout = data.draw(st.sampled_from(sorted(LAYOUTS)))
    text = data.draw(mutated(LAYOUTS[layout](FLOWN_VALUE, WON_VALUE)))
    for found in read_games(text):
        assert isinstance(found, Record | BadRecord)
        if isinstance(found, Record):
            assert read_record(write_record(found)) == found
            assert read_record(write_record(found, "json")) == found
        else:
            assert 1 <= found.line <= text.replace("\r", "\n").count("\n") + 1


@examples(300)
@given(st.data())
def test_a_valid_line_is_read_between_any_other_lines(data: st.DataObject) -> None:
    broken = data.draw(mutated(write_record(WON, "json")))
    found = list(read_games(write_record(FLOWN) + broken + "\n" + write_record(FLOWN)))
    assert found.count(FLOWN) == 2


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * SIZE,
        "[{" * SIZE,
        '{"a":1,' * SIZE,
        pytest.param('{"a":\n' * SIZE, marks=pytest.mark.slow),
        pytest.param('{"a":[\n' * SIZE, marks=pytest.mark.slow),
        pytest.param("[{\n" * SIZE, marks=pytest.mark.slow),
        pytest.param("{}" * SIZE, marks=pytest.mark.slow),
        pytest.param("{}\n" * SIZE, marks=pytest.mark.slow),
        pytest.param(
            "{" + ",".join(f'"a{i}":1' for i in range(SIZE)) + "}", marks=pytest.mark.slow
        ),
        pytest.param("{" + '"a":1,' * SIZE + '"b":2}', marks=pytest.mark.slow),
        pytest.param(
            '{"game":"laser-chess","result":"*","turns":[' + '{"moves":["j1-"]},' * SIZE,
            marks=pytest.mark.slow,
        ),
        pytest.param(changed(turns=[{"moves": ["j1-"]}] * SIZE), marks=pytest.mark.slow),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_the_time_to_read_garbage_is_linear_in_its_length(text: str) -> None:
    began = process_time()
    found = list(read_games(text))
    assert process_time() - began < 60, "far above what it takes, far below its square"
    assert found
    assert all(isinstance(each, BadRecord) for each in found)


def test_games_of_different_kinds_share_a_file() -> None:
    assert list(read_games(write_games([WON, FLOWN]))) == [WON, FLOWN]
