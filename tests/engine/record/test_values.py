"""Records as values: they round-trip, and invalid ones are refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import catalogue
from engine.errors import BadOption, BadPosition, BadRecord, LaserboardError, UnknownName, excerpt
from engine.game import AnyTurn, Outcome
from engine.games import GAMES, make
from engine.record import (
    BadTurn,
    Record,
    RecordedTurn,
    Unwritable,
    WrongResult,
    check_record,
    make_record,
    play,
    read_games,
    read_record,
    write_games,
    write_record,
)
from engine.record import catalogue as record_catalogue
from engine.record.values import check_comment
from engine.sentences import Sentence, plain
from tests.support.engine.random_play import examples, random_turn
from tests.support.engine.random_records import (
    TEXT_GAMES,
    records,
    some_turns,
)
from tests.support.engine.sentences import Expected, mentions, raises

# -- random records --------------------------------------------------------------------------


# -- round trips -----------------------------------------------------------------------------


@examples(150)
@given(records())
def test_every_record_round_trips_through_its_text_form(record: Record) -> None:
    assert read_record(write_record(record)) == record


@examples(60)
@given(records())
def test_every_record_round_trips_through_json(record: Record) -> None:
    assert read_record(write_record(record, "json")) == record


@examples(60)
@given(st.lists(records(TEXT_GAMES), max_size=4))
def test_many_games_in_one_text_read_back_in_order(games: list[Record]) -> None:
    text = write_games(games)
    assert list(read_games(text)) == games
    assert write_games(game for game in read_games(text) if isinstance(game, Record)) == text


@examples(60)
@given(st.lists(records(), max_size=4))
def test_many_games_of_all_kinds_read_back_from_json_lines(games: list[Record]) -> None:
    text = write_games(games, "json")
    assert list(read_games(text)) == games
    assert text.count("\n") == len(games)


@examples(60)
@given(records())
def test_checking_a_valid_record_changes_nothing(record: Record) -> None:
    assert check_record(record) == record


@pytest.mark.parametrize("name", GAMES)
def test_replaying_a_record_gives_its_turns(name: str) -> None:
    game = make(name)
    seed = None if game.setups() else 3
    turns = some_turns(game, game.start(seed=seed), Random(5), 20)
    assert list(play(make_record(game, None, turns, seed=seed))) == turns


def test_a_correction_is_written_after_its_turn() -> None:
    first = GAME.start("ace")
    struck = resolved("j4i5", setup="ace")  # the beam captures a mirror on j5, which is put back
    assert struck[-1].removed
    revived = GAME.read_position(GAME.write_position(first)[:-1] + "r")
    after = random_turn(GAME, revived, Random(1))
    record = make_record(GAME, "ace", [*struck, after])
    assert record.turns[0].corrected == GAME.write_position(revived)
    text = f"1. j4i5xj5 {{[%corrected {GAME.write_position(revived)}]}} 1... "
    assert text in write_record(record).replace("\n", " ")
    assert list(play(read_record(write_record(record)))) == [*struck, after]
    assert list(play(read_record(write_record(record, "json")))) == [*struck, after]
    ended = make_record(GAME, "ace", struck, end=revived)
    assert ended.turns == record.turns[:1]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("{[%corrected xyz]} 1. j4j3 *", record_catalogue.COMMAND_WITHOUT_MOVE),
        ("1. j4j3 {[%corrected xyz]} *", catalogue.AT_TURN),
        ("1. j4j3 {[%corrected 8/8]} {[%corrected 8/8]} *", record_catalogue.COMMAND_TWICE),
    ],
)
def test_an_invalid_correction_is_refused(moves: str, expected: Expected) -> None:
    with raises(BadRecord, expected):
        read_record(f'[Setup "ace"]\n\n{moves}\n')


def test_a_game_without_text_form_is_written_as_json_only() -> None:
    game = next(make(name) for name in GAMES if name not in TEXT_GAMES)
    record = Record(game.name)
    with raises(Unwritable, record_catalogue.NO_TEXT_FORM):
        write_record(record, "text")
    assert write_games([Record("laser-chess"), record]).count("\n") == 2


# -- normalisation ---------------------------------------------------------------------------

SN = "l++9/5k4/*/8bS/*/*/4K5/9L"


def test_a_record_is_normalised() -> None:
    said = Record(
        "laser-chess",
        start=f"  {SN}  ",
        options=(("repetition", "claim"), ("no_capture_turns", "50"), ("no_capture", "off")),
        tags=(("Opening", "quiet"), ("Red", "Ann"), ("Event", "Cup"), ("Blue", "Bob")),
    )
    assert said.start == f"{SN} b"
    assert said.options == (("no_capture", "off"), ("no_capture_turns", 50))
    assert [name for name, _ in said.tags] == ["Event", "Blue", "Red", "Opening"]


def test_a_record_without_a_start_begins_with_the_default_setup() -> None:
    assert Record("laser-chess").setup == "ace"
    assert Record("photon", options=(("beams", "independent"),)).setup == "offset"


# -- records that cannot be written ----------------------------------------------------------


@pytest.mark.parametrize(
    "comment",
    ["a } b", "two\nlines", "tab\there", "\x00", "half \ud800", "[%clk 0:01:00]", " x", "x ", " "],
)
def test_a_comment_that_does_not_round_trip_is_refused(comment: str) -> None:
    with raises(Unwritable, record_catalogue.COMMENT_FAULT):
        RecordedTurn(("j4j3",), comment=comment)
    with raises(Unwritable, record_catalogue.COMMENT_FAULT):
        Record("laser-chess", comment=comment)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        *(
            ("Event", value, record_catalogue.TAG_CONTROL_CHARACTER(tag="Event", value=repr(value)))
            for value in ("two\nlines", "\x7f", "half \udfff", "\u2028")
        ),
        *(
            (name, "x", record_catalogue.NOT_A_TAG_NAME(value=excerpt(name)))
            for name in ("", "two words", '"', "Tür", "x" * 101)
        ),
    ],
)
def test_a_tag_that_does_not_round_trip_is_refused(
    name: str, value: str, expected: Sentence
) -> None:
    with raises(Unwritable, expected):
        Record("laser-chess", tags=((name, value),))


@pytest.mark.parametrize("name", ["Result", "Setup", "SN", "Game", "Seed", "sn", "NoCaptureTurns"])
def test_a_tag_cannot_contradict_the_record(name: str) -> None:
    with raises(Unwritable, record_catalogue.TAG_RESERVED):
        Record("laser-chess", tags=((name, "x"),))


@pytest.mark.parametrize("clock_ms", [-1, 10_000 * 3_600_000, True, 1.5])
def test_a_clock_out_of_range_is_refused(clock_ms: Any) -> None:
    with raises(Unwritable, catalogue.NOT_A_WHOLE_NUMBER):
        RecordedTurn(("j4j3",), clock_ms)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"game": "lazer-chess"}, UnknownName),
        ({"setup": "aces"}, UnknownName),
        ({"setup": "ace", "start": SN}, Unwritable),
        ({"start": "9/9"}, BadPosition),
        ({"seed": 1}, Unwritable),
        ({"game": "spaceships", "seed": 10**40}, Unwritable),
        ({"game": "spaceships", "setup": "ace"}, UnknownName),
        ({"options": (("no_capturing", "off"),)}, BadOption),
        ({"result": "2-0"}, Unwritable),
        ({"tags": (("Event", "a"), ("Event", "b"))}, Unwritable),
        ({"turns": (RecordedTurn(("j4j3", "a5a6")),)}, Unwritable),
        ({"turns": (RecordedTurn(("j4 j3",)),)}, Unwritable),
        ({"turns": (RecordedTurn(("1.",)),)}, Unwritable),
        ({"turns": (RecordedTurn(("j4j3",)),) * 10_001}, Unwritable),
        ({"game": "photon", "turns": (RecordedTurn(("{",)),)}, Unwritable),
        ({"game": "photon", "turns": (RecordedTurn(('{"a":"\\ud800"}',)),)}, Unwritable),
        ({"game": "photon", "turns": (RecordedTurn(("[" * 50 + "]" * 50,)),)}, Unwritable),
    ],
)
def test_an_invalid_record_is_refused(wrong: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        Record(**{"game": "laser-chess", **wrong})
    assert isinstance(caught.value, LaserboardError)


@examples(300)
@given(st.text(max_size=12))
def test_a_comment_is_refused_or_round_trips(comment: str) -> None:
    try:
        check_comment(comment)
    except Unwritable:
        return
    record = Record("laser-chess", (RecordedTurn(("j4j3",), 1250, comment),), comment=comment)
    assert read_record(write_record(record)) == record
    assert read_record(write_record(record, "json")) == record


# -- playing and checking --------------------------------------------------------------------


def test_replay_names_the_illegal_turn() -> None:
    record = Record(
        "laser-chess", tuple(RecordedTurn((move,)) for move in ("j4j3", "a5a6", "e4e6"))
    )
    turns = play(record)
    assert [next(turns).after.side, next(turns).after.side] == [1, 0]
    with pytest.raises(BadTurn) as caught:
        next(turns)
    assert caught.value.index == 2
    assert caught.value.sentence.slots["number"] == 3
    assert mentions(caught.value.sentence, catalogue.ILLEGAL_MOVE)


def test_a_simultaneous_turn_needs_a_move_of_each_player() -> None:
    record = Record("spaceships", (RecordedTurn(('{"type":"noop","reason":"late"}',)),), seed=1)
    count = record_catalogue.WRONG_MOVE_COUNT(
        count=1, players=catalogue.list_of(["first", "second"]), expected=2
    )
    with raises(BadTurn, catalogue.AT_TURN(number=1, problem=count)):
        list(play(record))


def test_checking_adds_missing_captures() -> None:
    given_up = Record("laser-chess", (RecordedTurn(("j5+",), 500, "oops"),), result="0-1")
    assert check_record(given_up).turns == (RecordedTurn(("j5+xj5",), 500, "oops"),)
    assert check_record(given_up).result == "0-1"


@pytest.mark.parametrize("result", ["0-1", "1/2-1/2", "*"])
def test_a_captured_king_determines_the_result(result: str) -> None:
    moves = (RecordedTurn(("h6g5",)), RecordedTurn(("e6+",)))
    assert check_record(Record("laser-chess", moves, "1-0", "sophie")).turns[1].moves == ("e6+xe8",)
    with raises(WrongResult, record_catalogue.WRONG_RESULT):
        check_record(Record("laser-chess", moves, result, "sophie"))


def test_a_record_that_starts_in_a_finished_position_has_no_turns() -> None:
    over = "l++9/*/*/*/*/*/4K5/9L b"
    assert check_record(Record("laser-chess", result="1-0", start=over)).result == "1-0"
    with pytest.raises(WrongResult):
        check_record(Record("laser-chess", result="*", start=over))
    with raises(BadTurn, record_catalogue.OVER_BEFORE_TURN):
        check_record(Record("laser-chess", (RecordedTurn(("e2e3",)),), "1-0", start=over))


# -- the record of a game --------------------------------------------------------------------

GAME = make("laser-chess")


def resolved(*moves: str, setup: str) -> list[AnyTurn]:
    return list(
        play(Record(GAME.name, tuple(RecordedTurn((move,)) for move in moves), setup=setup))
    )


def test_the_last_position_determines_the_result() -> None:
    record = make_record(GAME, "sophie", resolved("h6g5", "e6+", setup="sophie"))
    assert (record.result, record.tag("Termination")) == ("1-0", "king captured")


def test_a_termination_off_the_board_determines_the_result() -> None:
    record = make_record(GAME, None, [], ended=Outcome.win(1, plain("resignation")))
    assert (record.result, record.tag("Termination")) == ("0-1", "resignation")


def test_an_unfinished_game_has_no_result() -> None:
    record = make_record(GAME, "ace", resolved("j4j3", setup="ace"))
    assert (record.result, record.tag("Termination")) == ("*", "unterminated")


def test_a_given_termination_is_kept() -> None:
    record = make_record(GAME, None, [], tags={"Termination": "power cut"})
    assert record.tag("Termination") == "power cut"


def test_a_record_keeps_the_options_and_the_start_of_its_game() -> None:
    game = make("laser-chess", {"repetition": "off"})
    record = make_record(game, game.read_position(f"{SN} r"), [])
    assert (record.options, record.start) == ((("repetition", "off"),), f"{SN} r")


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"ended": Outcome.win(1, plain("time"))}, record_catalogue.ENDED_OTHERWISE),
        (
            {"clocks_ms": [1, 2, 3]},
            record_catalogue.TOO_MANY_EXTRAS(turns=2, clocks=3, comments=0),
        ),
        (
            {"comments": ["a", "b", "c"]},
            record_catalogue.TOO_MANY_EXTRAS(turns=2, clocks=0, comments=3),
        ),
        ({"start": "ace"}, record_catalogue.WRONG_START()),
    ],
)
def test_a_record_that_contradicts_the_game_is_refused(
    wrong: dict[str, Any], expected: Expected
) -> None:
    turns = resolved("h6g5", "e6+", setup="sophie")
    with raises(Unwritable, expected):
        make_record(GAME, turns=turns, **{"start": "sophie", **wrong})


def test_read_record_needs_exactly_one_game() -> None:
    with raises(BadRecord, record_catalogue.NO_GAME_IN_TEXT()):
        read_record("; nothing\n")
    with raises(BadRecord, record_catalogue.MORE_THAN_ONE_GAME()):
        read_record(write_games([Record("laser-chess")] * 2))
    with pytest.raises(BadRecord) as caught:
        read_record(write_record(Record("laser-chess")) + "\n\n1. nonsense *")
    assert caught.value.line == 7


def test_a_record_keeps_the_default_seed() -> None:
    game = make("spaceships")
    record = make_record(game, None, [])
    assert record.seed == game.default_seed
    assert record == make_record(game, None, [], seed=game.default_seed)
    assert '"seed":' in write_record(record)
