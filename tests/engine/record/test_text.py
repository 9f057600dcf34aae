"""The PGN-like text form: its layout, accepted variants, errors, and files with several games."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import catalogue
from engine.errors import BadRecord
from engine.game import Outcome
from engine.record import (
    RESULTS,
    Record,
    RecordedTurn,
    read_games,
    read_record,
    write_games,
    write_record,
)
from engine.record import catalogue as record_catalogue
from tests.support.engine.random_play import examples
from tests.support.engine.random_records import TEXT_GAMES, records
from tests.support.engine.record_texts import SIZE, WON, WON_TEXT, mutated
from tests.support.engine.sentences import Expected, mentions

# -- writing ---------------------------------------------------------------------------------


def test_a_record_has_the_documented_format() -> None:
    assert write_record(WON) == WON_TEXT
    assert read_record(WON_TEXT) == WON


def test_a_game_that_starts_with_the_second_player_has_a_tag_for_it() -> None:
    start = "l++9/5k4/*/8bS/*/*/4K5/9L r"
    record = Record(
        "laser-chess", (RecordedTurn(("f7f6",)), RecordedTurn(("e2e3xi5",))), start=start
    )
    assert write_record(record) == f'[Result "*"]\n[SN "{start}"]\n\n1... f7f6 2. e2e3xi5 *\n'
    assert read_record(write_record(record)) == record


def test_moves_and_comments_are_wrapped_at_80_columns() -> None:
    turns = [
        RecordedTurn((move,), comment="a word or two") for move in ("j1-", "a8-", "j1+", "a8+")
    ] * 20
    lines = write_record(Record("laser-chess", tuple(turns))).splitlines()
    assert all(60 < len(line) <= 80 for line in lines[3:-1])


@pytest.mark.parametrize("word", ["[", '[Event "x"]', "%", "[%emt", "{", ";"])
def test_no_wrapped_line_begins_like_a_tag_or_a_comment(word: str) -> None:
    comment = f"{'x' * 30} {word} {word} {word} " * 9 + "end"
    record = Record("laser-chess", (RecordedTurn(("j4j3",), comment=comment),))
    assert read_record(write_record(record)) == record
    moves = write_record(record).split("\n\n")[1].splitlines()
    assert len(moves) > 3
    assert not [line for line in moves if line[0] in "[%"]


def test_a_wrapped_line_with_only_a_wide_space_is_kept() -> None:
    comment = f"{'x' * 80} \u3000 {'y' * 80} \xa0 {'z' * 80}"
    record = Record("laser-chess", (RecordedTurn(("j4j3",), comment=comment),))
    assert read_record(write_record(record)) == record


# -- accepted variants -----------------------------------------------------------------------

PLAIN = Record(
    "laser-chess",
    (RecordedTurn(("j5+xj5",)), RecordedTurn(("a5a6",)), RecordedTurn(("j4j3",))),
    tags=(("Event", "e"),),
)
MOVES = "1. j5+xj5 a5a6 2. j4j3 *"
HEAD = '[Event "e"]\n[Result "*"]\n[Setup "ace"]\n'


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\n{MOVES}\n",
        f"\ufeff{HEAD}\n{MOVES}",
        f"{HEAD}\n{MOVES}\n".replace("\n", "\r\n"),
        f"{HEAD}\n{MOVES}\n".replace("\n", "\r"),
        f"\n\n \n{HEAD}\n\n\n   {MOVES}\n\n\n",
        f'[Event "e"]\n\n{MOVES}',
        f"{HEAD}{MOVES}",
        f'[Setup "Ace"] [Result "*"][ Event   "e" ]\n{MOVES}',
        f'  [Event "e"]\n\t[Setup "ace"]\t\n\n{MOVES}',
        f'[Event "e"]\n\n[Result "*"]\n\n[Setup "ace"]\n\n{MOVES}',
        f'[Event "e"] {MOVES}',
        f'[Event "e"]\n[Repetition "claim"]\n[NoCaptureTurns "100"]\n[Game "laser-chess"]\n{MOVES}',
        f"{HEAD}\n1.j5+xj5 a5a6 2.j4j3 *",
        f"{HEAD}\n1 j5+ 1... a5a6\n\n2...\n\tj4j3\n\n*",
        f"{HEAD}\nj5+ a5a6 j4j3 *",
        f"% for another program\n{HEAD}%\n\n1. j5+\n% {{ ( nonsense\na5a6 2. j4j3 *",
    ],
)
def test_a_reader_accepts_other_layouts(text: str) -> None:
    assert list(read_games(text)) == [PLAIN]


def test_a_game_may_have_no_tags_at_all() -> None:
    bare = Record("laser-chess", PLAIN.turns)
    assert list(read_games(MOVES)) == [bare]
    assert list(read_games(f"{MOVES}\n\n{MOVES}\n\n{HEAD}\n{MOVES}")) == [bare, bare, PLAIN]
    assert list(read_games(f"{{hm}} {MOVES}")) == [Record("laser-chess", PLAIN.turns, comment="hm")]


def test_comments_belong_to_the_move_before_them() -> None:
    text = """; about the file
[Event "e"]
; about
{ and
  more } 1. j4j3 {one} ; two } three
{ [%emt 1]  [%clk 1:02] four
five  six} a5a6 * {last}"""
    assert read_record(text) == Record(
        "laser-chess",
        (
            RecordedTurn(("j4j3",), 62_000, "one two ) three [%emt 1] four five  six"),
            RecordedTurn(("a5a6",), comment="last"),
        ),
        tags=(("Event", "e"),),
        comment="about and more",
    )


@pytest.mark.parametrize(
    ("clock", "clock_ms"),
    [
        ("0:09:51", 591_000),
        ("0:00:00.250", 250),
        ("0:0:1.5", 1_500),
        ("9:51", 591_000),
        ("  100:00:00  ", 360_000_000),
        ("9999:59:59.999", 35_999_999_999),
    ],
)
def test_a_clock_is_read_in_milliseconds(clock: str, clock_ms: int) -> None:
    record = read_record(f"1. j4j3 {{[%clk {clock}]}} *")
    assert record.turns[0].clock_ms == clock_ms
    assert read_record(write_record(record)) == record


def test_a_bracket_in_a_comment_is_no_tag() -> None:
    text = "1. j4j3 {well\n[sic] and\n[%emt 1]\n [A b]} *"
    assert read_record(text).turns == (
        RecordedTurn(("j4j3",), comment="well [sic] and [%emt 1] [A b]"),
    )


def test_unknown_tags_are_kept_in_their_order() -> None:
    record = read_record(f'[Zeta "1"]\n[Alpha "\\"\\\\\\n"]\n[Event ""]\n\n{MOVES}')
    assert record.tags == (("Event", ""), ("Zeta", "1"), ("Alpha", '"\\\\n'))


@pytest.mark.parametrize(
    "text", ["", "\n \n", "; only a comment", "% escape", "\ufeff", " " * 200_000]
)
def test_a_text_without_a_game_has_none(text: str) -> None:
    assert list(read_games(text)) == []


# -- errors ----------------------------------------------------------------------------------

BROKEN = [
    # text after the tags Event and Result on lines 1 and 2, line of the fault, sentence
    ("\n1. j4j3 e4e6 *", 4, catalogue.NOT_YOUR_PIECE(kind="switch", cell="e4", player="red")),
    ("\n1. j4j3\na5a6\n2. j5+xj4 *", 6, catalogue.NO_CAPTURE(move="j5+xj4", claimed="j4")),
    ("\n1. j4j3 a5a6xj4 *", 4, catalogue.NO_CAPTURE(move="a5a6xj4", claimed="j4")),
    ("\n1. j4j3!\n*", 4, catalogue.NOT_LAN(text="'j4j3!'")),
    ("\n1. (j4j3)\n*", 4, catalogue.NOT_LAN(text="'(j4j3)'")),
    ("\n1. j4j3 \u2665 *", 4, catalogue.NOT_LAN(text="'♥'")),
    ("\n1. j4j3\n", 4, record_catalogue.NO_RESULT(results=RESULTS)),
    ("", 2, record_catalogue.NO_RESULT(results=RESULTS)),
    ("\n1. j4j3 * a5a6", 4, record_catalogue.AFTER_THE_RESULT(text="'a5a6'", result="*")),
    ("\n*\n*", 5, record_catalogue.AFTER_THE_RESULT(text="'*'", result="*")),
    ("\n1. j4j3 {never\nends\n*", 4, record_catalogue.COMMENT_NOT_CLOSED()),
    ("\n1. j4j3 }\n*", 4, record_catalogue.STRAY_BRACE()),
    ("\n1. j4j3\n1-0", 2, record_catalogue.RESULT_TAG_DIFFERS(value="'*'", result="1-0")),
    ("[Site]\n\n*", 3, record_catalogue.NOT_A_TAG(text="'[Site]'")),
    ('[Site "x]\n\n*', 3, record_catalogue.NOT_A_TAG(text="'[Site \"x]'")),
    ('[Ev ent "x"]\n\n*', 3, record_catalogue.NOT_A_TAG(text="'[Ev ent \"x\"]'")),
    ('[Evänt "x"]\n\n*', 3, record_catalogue.NOT_A_TAG_NAME(value="'Evänt'")),
    ('[Site "\x01"]\n\n*', 3, record_catalogue.TAG_CONTROL_CHARACTER(tag="Site", value="'\\x01'")),
    (
        '[Site "\ud800"]\n\n*',
        3,
        record_catalogue.TAG_CONTROL_CHARACTER(tag="Site", value="'\\ud800'"),
    ),
    ('[Result "*"]\n\n*', 3, record_catalogue.TAG_TWICE_ON_LINE(tag="Result", line=2)),
    ('[Setup "aze"]\n\n*', 3, catalogue.DID_YOU_MEAN(name="ace")),
    ('[setup "ace"]\n\n*', 3, record_catalogue.TAG_SPELLING(tag="setup", own="Setup")),
    ('[nocapture "off"]\n\n*', 3, record_catalogue.TAG_SPELLING(tag="nocapture", own="NoCapture")),
    ('[SN "l/9"]\n\n*', 3, catalogue.WRONG_ROW_COUNT(text="'l/9'", rows=8, found=2)),
    (
        '[Setup "ace"]\n[SN "l++9/5k4/*/8bS/*/*/4K5/9L"]\n\n*',
        4,
        record_catalogue.SETUP_AND_POSITION(),
    ),
    ('[Seed "1"]\n\n*', 3, catalogue.NO_SEED_BUT_SETUP(game="laser-chess")),
    ('[Seed "x"]\n\n*', 3, record_catalogue.NOT_A_SEED(value="'x'")),
    ('[Game "chess"]\n\n*', 3, catalogue.NO_SUCH_GAME),
    ('[Game "photon"]\n\n*', 3, record_catalogue.RECORDS_ARE_JSON(game="photon")),
    ('[NoCapture "sometimes"]\n\n*', 3, catalogue.BAD_OPTION_CHOICE),
    ('[NoCaptureTurns "0"]\n\n*', 3, catalogue.BAD_OPTION_NUMBER),
    ("\n1. j4j3 {[%clk soon]}\n*", 4, record_catalogue.NOT_A_CLOCK(value="'soon'")),
    ("\n1. j4j3 {[%clk 0:61:00]}\n*", 4, record_catalogue.NOT_A_CLOCK(value="'0:61:00'")),
    (
        "\n1. j4j3 {[%clk 0:01:00}\n*",
        4,
        record_catalogue.COMMENT_COMMAND(command="clk", field="clock_ms"),
    ),
    (
        "\n1. j4j3 {[%clk 0:01:00]}\n{[%clk 0:01:01]} *",
        5,
        record_catalogue.COMMAND_TWICE(command="clk"),
    ),
    ("\n{[%clk 0:01:00]} 1. j4j3 *", 4, record_catalogue.COMMAND_WITHOUT_MOVE(command="clk")),
    ("\n1. j4j3 {\x00}\n*", 4, record_catalogue.COMMENT_CONTROL_CHARACTER()),
]


@pytest.mark.parametrize(("rest", "line", "expected"), BROKEN)
def test_a_fault_has_its_line_and_a_reason(rest: str, line: int, expected: Expected) -> None:
    (bad,) = read_games(f'[Event "x"]\n[Result "*"]\n{rest}')
    assert isinstance(bad, BadRecord)
    assert (bad.line, mentions(bad.message, expected)) == (line, True), bad
    (bad,) = read_games(f'[Event "x"]\n[Result "*"]\n{rest}'.replace("\n", "\r\n"))
    assert isinstance(bad, BadRecord)
    assert bad.line == line


WON_BY_BLUE = Outcome.win(0, catalogue.KING_CAPTURED()).sentence


@pytest.mark.parametrize(
    ("result", "moves", "line", "expected"),
    [
        (
            "1-0",
            "1. h6g5\ne6+\n0-1",
            6,
            record_catalogue.WRONG_RESULT(result="0-1", outcome=WON_BY_BLUE, expected="1-0"),
        ),
        (
            "*",
            "1. h6g5\ne6+\n*",
            6,
            record_catalogue.WRONG_RESULT(result="*", outcome=WON_BY_BLUE, expected="1-0"),
        ),
        ("0-1", "1. h6g5\ne6+\n1-0", 1, record_catalogue.RESULT_TAG_DIFFERS),
        (
            "1-0",
            "1. h6g5\ne6+\n2. g5h6\n1-0",
            6,
            catalogue.AT_TURN(
                number=3, problem=record_catalogue.OVER_BEFORE_TURN(outcome=WON_BY_BLUE)
            ),
        ),
    ],
)
def test_a_result_must_agree_with_the_board(
    result: str, moves: str, line: int, expected: Expected
) -> None:
    (bad,) = read_games(f'[Result "{result}"]\n[Setup "sophie"]\n\n{moves}\n')
    assert isinstance(bad, BadRecord)
    assert (bad.line, mentions(bad.message, expected)) == (line, True), bad


def test_a_draw_by_rule_is_an_outcome_on_the_board() -> None:
    tags = '[NoCapture "automatic"]\n[NoCaptureTurns "2"]\n\n'
    (bad,) = read_games(f"{tags}1. j4j3 a5a6\n2. j3j2 *")
    assert isinstance(bad, BadRecord)
    assert bad.line == 5
    drawn = Outcome.draw(catalogue.TURNS_WITHOUT_CAPTURE(count=2)).sentence
    assert mentions(bad.message, record_catalogue.OVER_BEFORE_TURN(outcome=drawn))
    assert isinstance(next(read_games(f"{tags}1. j4j3 a5a6 1/2-1/2")), Record)


def test_a_game_has_a_limited_number_of_turns() -> None:
    """Positions hold their history, so replaying takes quadratic time."""
    (bad,) = read_games("e1+\nf8+\n" * 6_000 + "*")
    assert isinstance(bad, BadRecord)
    assert bad.line == 10_001
    assert bad.message == record_catalogue.MORE_TURNS_THAN(most=10_000)


# -- many games ------------------------------------------------------------------------------


@pytest.mark.parametrize("rest", [rest for rest, _, _ in BROKEN])
def test_an_invalid_game_does_not_affect_other_games(rest: str) -> None:
    broken = f'[Event "x"]\n[Result "*"]\n{rest}'
    before, found, after = read_games(f"{WON_TEXT}\n{broken}\n\n{WON_TEXT}")
    assert (before, after) == (WON, WON)
    assert isinstance(found, BadRecord)
    assert found.line > WON_TEXT.count("\n")


@pytest.mark.parametrize(
    "broken",
    [
        '[Event "cut off in the tags"]\n[Si',
        '[Event "cut off in a comment"]\n\n1. j4j3 {a',
        "a word before the first game",
        "{ a comment before the first game",
        '[Event "no blank line follows"]\n\n1. j4j3 e4e6 *',
        '[Event "tags only"]',
        '[Event "tags only"]\n',
        "}",
        '[Event "x"] 1. j4j3',
        '[Event "x"]\n\n1. j4j3 * [Event "y"]',
    ],
)
def test_reading_continues_at_the_next_tags(broken: str) -> None:
    found = list(read_games(f"{broken}\n{WON_TEXT}"))
    assert found[-1] == WON
    assert len(found) == 2
    assert isinstance(found[0], BadRecord)
    assert found[0].line <= 3


def test_errors_carry_the_line_in_the_file() -> None:
    text = f"{WON_TEXT}\n" * 3 + "[Nonsense]\n\n*\n"
    *good, bad = read_games(text)
    assert good == [WON] * 3
    assert isinstance(bad, BadRecord)
    assert bad.line == text.split("\n").index("[Nonsense]") + 1


# -- random text -----------------------------------------------------------------------------


@examples(300)
@given(st.data())
def test_a_mutated_text_is_read_as_records_and_errors(data: st.DataObject) -> None:
    text = data.draw(mutated(WON_TEXT))
    for found in read_games(text):
        assert isinstance(found, Record | BadRecord)
        if isinstance(found, Record):
            assert read_record(write_record(found)) == found
        else:
            assert 1 <= found.line <= text.count("\n") + 1


@examples(300)
@given(st.data())
def test_a_valid_game_is_read_between_any_other_text(data: st.DataObject) -> None:
    broken = [data.draw(mutated(write_record(PLAIN))), data.draw(mutated(write_record(PLAIN)))]
    found = list(read_games(f"{broken[0]}\n\n{WON_TEXT}\n{broken[1]}\n\n{WON_TEXT}"))
    assert found.count(WON) == 2


@examples(200)
@given(st.text(st.sampled_from('[]{}();%*\\"\n\r 1.-/abx+Event\ud800\x00'), max_size=60))
def test_any_text_is_read_without_another_error(text: str) -> None:
    assert all(isinstance(found, Record | BadRecord) for found in read_games(text))


@pytest.mark.parametrize(
    "text",
    [
        "{" * SIZE,
        '[A "b" ' * SIZE,
        "1. j4j3 {" + "[%clk " * SIZE + "} *",
        pytest.param("[" * SIZE, marks=pytest.mark.slow),
        pytest.param("{\n" * SIZE, marks=pytest.mark.slow),
        pytest.param("[\n" * SIZE, marks=pytest.mark.slow),
        pytest.param("{ " * SIZE, marks=pytest.mark.slow),
        pytest.param("[Event \n" * SIZE, marks=pytest.mark.slow),
        pytest.param('[Event "' + "\\" * SIZE, marks=pytest.mark.slow),
        pytest.param("1. j4j3 " + "{a}" * SIZE, marks=pytest.mark.slow),
        pytest.param("1. j4j3 {" + " " * 10 * SIZE + "x}", marks=pytest.mark.slow),
        pytest.param("1. j4j3 {" + " \n" * SIZE + "[A }", marks=pytest.mark.slow),
        pytest.param("1. " + "j1- a8- j1+ a8+ " * (SIZE // 4) + "*", marks=pytest.mark.slow),
        pytest.param('[Event "a"]\n\n1. j4j3 {oops\n\n' * (SIZE // 10), marks=pytest.mark.slow),
        pytest.param('[Event "a"]\n' * (SIZE // 10), marks=pytest.mark.slow),
        pytest.param(
            "".join(f'[Tag{i} "a"]\n\n' for i in range(SIZE // 2)), marks=pytest.mark.slow
        ),
        pytest.param('hello, world [;{"}] 1. e4 \\\n' * (40 * SIZE // 27), marks=pytest.mark.slow),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_the_time_to_read_garbage_is_linear_in_its_length(text: str) -> None:
    began = process_time()
    found = list(read_games(text))
    assert process_time() - began < 15, "far above what it takes, far below its square"
    assert found
    assert all(isinstance(each, BadRecord) for each in found)


@examples(20)
@given(st.lists(records(TEXT_GAMES), min_size=1, max_size=3))
def test_line_ends_and_a_byte_order_mark_make_no_difference(games: list[Record]) -> None:
    text = write_games(games)
    assert list(read_games("\ufeff" + text.replace("\n", "\r\n"))) == games
