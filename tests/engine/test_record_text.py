"""The PGN-like text: how it looks, what a reader forgives, what it does not, and that a broken
game never takes a good one with it.
"""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.errors import BadRecord
from engine.record import Entry, Record, read, read_games, write, write_games
from tests.engine.test_record import TEXT_GAMES, records
from tests.play import examples

WON = Record(
    "laser-chess",
    (Entry(("h6g5",), 591_000, "hm"), Entry(("e6+xe8",), 600_250)),
    "1-0",
    "sophie",
    options=(("no_capture_turns", 50), ("repetition", "automatic")),
    tags=(
        ("Event", 'The "Cup"'),
        ("Site", "C:\\hall"),
        ("Blue", "Ann"),
        ("Red", "Bo"),
        ("TimeControl", "600"),
        ("Termination", "king captured"),
        ("Opening", "short"),
    ),
    comment="before",
)
WON_TEXT = r"""[Event "The \"Cup\""]
[Site "C:\\hall"]
[Blue "Ann"]
[Red "Bo"]
[Result "1-0"]
[Setup "sophie"]
[TimeControl "600"]
[Termination "king captured"]
[Repetition "automatic"]
[NoCaptureTurns "50"]
[Opening "short"]

{before} 1. h6g5 {[%clk 0:09:51] hm} 1... e6+xe8 {[%clk 0:10:00.250]} 1-0
"""

# -- writing ---------------------------------------------------------------------------------


def test_a_record_looks_like_this() -> None:
    assert write(WON) == WON_TEXT
    assert read(WON_TEXT) == WON


def test_a_game_that_starts_with_the_second_player_says_so() -> None:
    start = "l++9/5k4/*/8bS/*/*/4K5/9L r"
    record = Record("laser-chess", (Entry(("f7f6",)), Entry(("e2e3xi5",))), start=start)
    assert write(record) == f'[Result "*"]\n[SN "{start}"]\n\n1... f7f6 2. e2e3xi5 *\n'
    assert read(write(record)) == record


def test_moves_and_comments_are_wrapped_at_80_columns() -> None:
    turns = [Entry((move,), comment="a word or two") for move in ("j1-", "a8-", "j1+", "a8+")] * 20
    lines = write(Record("laser-chess", tuple(turns))).splitlines()
    assert all(60 < len(line) <= 80 for line in lines[3:-1])


@pytest.mark.parametrize("word", ["[", '[Event "x"]', "%", "[%emt", "{", ";"])
def test_no_wrapped_line_looks_like_something_else(word: str) -> None:
    comment = f"{'x' * 30} {word} {word} {word} " * 9 + "end"
    record = Record("laser-chess", (Entry(("j4j3",), comment=comment),))
    assert read(write(record)) == record
    moves = write(record).split("\n\n")[1].splitlines()
    assert len(moves) > 3
    assert not [line for line in moves if line[0] in "[%"]


def test_a_wrapped_line_of_nothing_but_a_wide_space_is_kept() -> None:
    comment = f"{'x' * 80} \u3000 {'y' * 80} \xa0 {'z' * 80}"
    record = Record("laser-chess", (Entry(("j4j3",), comment=comment),))
    assert read(write(record)) == record


# -- what is forgiven ------------------------------------------------------------------------

PLAIN = Record(
    "laser-chess", (Entry(("j5+xj5",)), Entry(("a5a6",)), Entry(("j4j3",))), tags=(("Event", "e"),)
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
        f"% for somebody else\n{HEAD}%\n\n1. j5+\n% {{ ( nonsense\na5a6 2. j4j3 *",
    ],
)
def test_a_reader_forgives_how_a_game_is_written(text: str) -> None:
    assert list(read_games(text)) == [PLAIN]


def test_a_game_may_have_no_tags_at_all() -> None:
    bare = Record("laser-chess", PLAIN.turns)
    assert list(read_games(MOVES)) == [bare]
    assert list(read_games(f"{MOVES}\n\n{MOVES}\n\n{HEAD}\n{MOVES}")) == [bare, bare, PLAIN]
    assert list(read_games(f"{{hm}} {MOVES}")) == [Record("laser-chess", PLAIN.turns, comment="hm")]


def test_comments_stay_with_their_moves() -> None:
    text = """; about the file
[Event "e"]
; about
{ and
  more } 1. j4j3 {one} ; two } three
{ [%emt 1]  [%clk 1:02] four
five  six} a5a6 * {last}"""
    assert read(text) == Record(
        "laser-chess",
        (
            Entry(("j4j3",), 62_000, "one two ) three [%emt 1] four five  six"),
            Entry(("a5a6",), comment="last"),
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
    record = read(f"1. j4j3 {{[%clk {clock}]}} *")
    assert record.turns[0].clock_ms == clock_ms
    assert read(write(record)) == record


def test_a_bracket_in_a_comment_is_no_tag() -> None:
    text = "1. j4j3 {well\n[sic] and\n[%emt 1]\n [A b]} *"
    assert read(text).turns == (Entry(("j4j3",), comment="well [sic] and [%emt 1] [A b]"),)


def test_unknown_tags_are_kept_in_their_order() -> None:
    record = read(f'[Zeta "1"]\n[Alpha "\\"\\\\\\n"]\n[Event ""]\n\n{MOVES}')
    assert record.tags == (("Event", ""), ("Zeta", "1"), ("Alpha", '"\\\\n'))


@pytest.mark.parametrize(
    "text", ["", "\n \n", "; only a comment", "% escape", "\ufeff", " " * 200_000]
)
def test_a_text_without_a_game_has_none(text: str) -> None:
    assert list(read_games(text)) == []


# -- what is not -----------------------------------------------------------------------------

BROKEN = [
    # what follows the tags Event and Result on lines 1 and 2; the line at fault; what to say
    ("\n1. j4j3 e4e6 *", 4, "turn 2: illegal move 'e4e6' for red"),
    ("\n1. j4j3\na5a6\n2. j5+xj4 *", 6, "turn 3: 'j5+xj4' says it captures j4; the beam captures"),
    ("\n1. j4j3 a5a6xj4 *", 4, "the beam captures nothing"),
    ("\n1. j4j3!\n*", 4, "turn 1: 'j4j3!' is not a move: write"),
    ("\n1. (j4j3)\n*", 4, "is not a move"),
    ("\n1. j4j3 \u2665 *", 4, "is not a move"),
    ("\n1. j4j3\n", 4, "the game has no end: write its result"),
    ("", 2, "the game has no end: write its result"),
    ("\n1. j4j3 * a5a6", 4, "'a5a6' comes after the result *: remove it"),
    ("\n*\n*", 5, "comes after the result"),
    ("\n1. j4j3 {never\nends\n*", 4, "never closed: write a }"),
    ("\n1. j4j3 }\n*", 4, "without a {"),
    ("\n1. j4j3\n1-0", 2, "the tag Result says '*', but the moves end with 1-0: make them agree"),
    ("[Site]\n\n*", 3, "is no tag: write [Name"),
    ('[Site "x]\n\n*', 3, "is no tag: write [Name"),
    ('[Ev ent "x"]\n\n*', 3, "is no tag: write [Name"),
    ('[Evänt "x"]\n\n*', 3, "no name for a tag"),
    ('[Site "\x01"]\n\n*', 3, "control character"),
    ('[Site "\ud800"]\n\n*', 3, "half of one"),
    ('[Result "*"]\n\n*', 3, "there twice; the other one is on line 2"),
    ('[Setup "aze"]\n\n*', 3, "did you mean 'ace'?"),
    ('[setup "ace"]\n\n*', 3, "must be written 'Setup'"),
    ('[nocapture "off"]\n\n*', 3, "must be written 'NoCapture'"),
    ('[SN "l/9"]\n\n*', 3, "rows"),
    ('[Setup "ace"]\n[SN "l++9/5k4/*/8bS/*/*/4K5/9L"]\n\n*', 4, "not from both"),
    ('[Seed "1"]\n\n*', 3, "not from a seed"),
    ('[Seed "x"]\n\n*', 3, "a whole number"),
    ('[Game "chess"]\n\n*', 3, "there is no game 'chess'"),
    ('[Game "photon"]\n\n*', 3, "its records are JSON"),
    ('[NoCapture "sometimes"]\n\n*', 3, "is not one of claim, automatic, off"),
    ('[NoCaptureTurns "0"]\n\n*', 3, "whole number from 1"),
    ("\n1. j4j3 {[%clk soon]}\n*", 4, "is no clock: write [%clk 0:09:51]"),
    ("\n1. j4j3 {[%clk 0:61:00]}\n*", 4, "is no clock"),
    ("\n1. j4j3 {[%clk 0:01:00}\n*", 4, "has a [%clk"),
    ("\n1. j4j3 {[%clk 0:01:00]}\n{[%clk 0:01:01]} *", 5, "a second [%clk]"),
    ("\n{[%clk 0:01:00]} 1. j4j3 *", 4, "belongs to no move"),
    ("\n1. j4j3 {\x00}\n*", 4, "control character"),
]


@pytest.mark.parametrize(("rest", "line", "words"), BROKEN)
def test_a_fault_is_reported_with_its_line_and_what_to_do(rest: str, line: int, words: str) -> None:
    (found,) = read_games(f'[Event "x"]\n[Result "*"]\n{rest}')
    assert isinstance(found, BadRecord)
    assert (found.line, words in found.message) == (line, True), found
    (found,) = read_games(f'[Event "x"]\n[Result "*"]\n{rest}'.replace("\n", "\r\n"))
    assert isinstance(found, BadRecord)
    assert found.line == line


@pytest.mark.parametrize(
    ("result", "moves", "line", "words"),
    [
        ("1-0", "1. h6g5\ne6+\n0-1", 6, "the game on the board ended 1-0 king captured: write 1-0"),
        ("*", "1. h6g5\ne6+\n*", 6, "write 1-0"),
        ("0-1", "1. h6g5\ne6+\n1-0", 1, "make them agree"),
        ("1-0", "1. h6g5\ne6+\n2. g5h6\n1-0", 6, "turn 3: the game was over before it"),
    ],
)
def test_the_board_has_the_last_word_on_the_result(
    result: str, moves: str, line: int, words: str
) -> None:
    (found,) = read_games(f'[Result "{result}"]\n[Setup "sophie"]\n\n{moves}\n')
    assert isinstance(found, BadRecord)
    assert (found.line, words in found.message) == (line, True), found


def test_a_draw_by_rule_is_on_the_board_too() -> None:
    tags = '[NoCapture "automatic"]\n[NoCaptureTurns "2"]\n\n'
    (found,) = read_games(f"{tags}1. j4j3 a5a6\n2. j3j2 *")
    assert isinstance(found, BadRecord)
    assert found.line == 5
    assert "the game was over before it (1/2-1/2 2 turns without a capture)" in found.message
    assert isinstance(next(read_games(f"{tags}1. j4j3 a5a6 1/2-1/2")), Record)


def test_a_game_may_not_go_on_for_ever() -> None:
    """Games remember all their turns, so replaying takes the square of their number."""
    (found,) = read_games("e1+\nf8+\n" * 6_000 + "*")
    assert isinstance(found, BadRecord)
    assert (found.line, found.message) == (10_001, "more than 10000 turns in one game")


# -- many games ------------------------------------------------------------------------------


@pytest.mark.parametrize("rest", [rest for rest, _, _ in BROKEN])
def test_a_broken_game_costs_no_other_game(rest: str) -> None:
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
def test_reading_goes_on_at_the_next_tags(broken: str) -> None:
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


# -- whatever the text is --------------------------------------------------------------------


@st.composite
def mutated(draw: DrawFn, text: str) -> str:
    """The text with a few characters lost, doubled, or turned into the most harmful others."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.sampled_from((0, 0, 1, 1, 2, 10, len(text))))
        new = draw(
            st.sampled_from(("", "", "{", "}", "[", "]", '"', "\\", ";", "\n", "\n%", "\n[", " "))
            | st.sampled_from(("1-0", "*", "1.", "x", "\ud800", "\x00", "[%clk", "\n\n", text[:at]))
        )
        text = text[:at] + new + text[at + cut :]
    return text


@examples(300)
@given(st.data())
def test_a_mutated_text_is_read_as_records_and_errors(data: st.DataObject) -> None:
    text = data.draw(mutated(WON_TEXT))
    for found in read_games(text):
        assert isinstance(found, Record | BadRecord)
        if isinstance(found, Record):
            assert read(write(found)) == found
        else:
            assert 1 <= found.line <= text.count("\n") + 1


@examples(300)
@given(st.data())
def test_a_good_game_survives_whatever_stands_before_and_behind_it(data: st.DataObject) -> None:
    broken = [data.draw(mutated(write(PLAIN))), data.draw(mutated(write(PLAIN)))]
    found = list(read_games(f"{broken[0]}\n\n{WON_TEXT}\n{broken[1]}\n\n{WON_TEXT}"))
    assert found.count(WON) == 2


@examples(200)
@given(st.text(st.sampled_from('[]{}();%*\\"\n\r 1.-/abx+Event\ud800\x00'), max_size=60))
def test_no_text_at_all_is_too_much(text: str) -> None:
    assert all(isinstance(found, Record | BadRecord) for found in read_games(text))


SIZE = 100_000


@pytest.mark.parametrize(
    "text",
    [
        "{" * SIZE,
        "[" * SIZE,
        "{\n" * SIZE,
        "[\n" * SIZE,
        "{ " * SIZE,
        '[A "b" ' * SIZE,
        "[Event \n" * SIZE,
        '[Event "' + "\\" * SIZE,
        "1. j4j3 " + "{a}" * SIZE,
        "1. j4j3 {" + "[%clk " * SIZE + "} *",
        "1. j4j3 {" + " " * 10 * SIZE + "x}",
        "1. j4j3 {" + " \n" * SIZE + "[A }",
        "1. " + "j1- a8- j1+ a8+ " * (SIZE // 4) + "*",
        '[Event "a"]\n\n1. j4j3 {oops\n\n' * (SIZE // 10),
        '[Event "a"]\n' * (SIZE // 10),
        "".join(f'[Tag{i} "a"]\n\n' for i in range(SIZE // 2)),
        'hello, world [;{"}] 1. e4 \\\n' * (5_000_000 // 27),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_the_time_to_read_garbage_grows_with_its_length_only(text: str) -> None:
    began = process_time()
    found = list(read_games(text))
    assert process_time() - began < 60, "far above what it takes, far below its square"
    assert found
    assert all(isinstance(each, BadRecord) for each in found)


@examples(20)
@given(st.lists(records(TEXT_GAMES), min_size=1, max_size=3))
def test_line_ends_and_a_byte_order_mark_do_not_matter(games: list[Record]) -> None:
    text = write_games(games)
    assert list(read_games("\ufeff" + text.replace("\n", "\r\n"))) == games
