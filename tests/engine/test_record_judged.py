"""What a computer says of turns stands in records as values of its own, and reads back exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadRecord
from engine.record import (
    Entry,
    Judged,
    Record,
    Unwritable,
    read,
    read_score,
    score_words,
    write,
    write_score,
)
from engine.search import DECIDED, WIN
from tests.play import examples

SCORES = st.one_of(
    st.integers(-DECIDED, DECIDED), st.sampled_from([WIN - 1, WIN - 999, 1 - WIN, 999 - WIN])
)
TEXT = '[Result "*"]\n[Setup "ace"]\n\n1. j5i5 {%s} *\n'


@examples(300)
@given(SCORES)
def test_a_score_is_written_and_read_back(score: int) -> None:
    assert read_score(write_score(score)) == score


@pytest.mark.parametrize(
    ("text", "score"),
    [("+0.34", 34), ("-1.20", -120), ("1", 100), ("0.5", 50), ("#3", WIN - 3), ("#-12", 12 - WIN),
     ("0.17,20", 17)],
)  # fmt: skip
def test_scores_as_others_write_them_are_understood(text: str, score: int) -> None:
    assert read_score(text) == score


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (34, "+0.34"),
        (-DECIDED, write_score(-DECIDED)),
        (WIN - 1, "blue has won"),  # by the turn that it stands behind
        (1 - WIN, "red has won"),
        (2 - WIN, "red wins in 1"),  # by the next one
        (WIN - 4, "blue wins in 3"),
    ],
)
def test_a_score_in_words_is_of_the_position_after_its_turn(score: int, words: str) -> None:
    assert score_words(("blue", "red"), score) == words


@pytest.mark.parametrize("text", ["", "x", "#", "#0", "#1000", "1.234", "123456.0", "--1", "٣"])
def test_what_is_no_score_is_refused_with_how_to_write_one(text: str) -> None:
    with pytest.raises(Unwritable, match=r"write \[%eval -1\.20\]"):
        read_score(text)


@examples(60)
@given(
    SCORES,
    st.sampled_from(["", "best", "missed win"]),
    st.sampled_from([(), ("j4j3",), ("j4j3", "a4b4", "j3j4")]),
    st.one_of(st.none(), st.integers(0, 10**6)),
    st.sampled_from(["", "hm", "well [sic] and  more"]),
)
def test_a_judged_turn_reads_back_exactly_beside_everything_else(
    score: int, verdict: str, better: tuple[str, ...], clock_ms: int | None, comment: str
) -> None:
    entry = Entry(("j5i5",), clock_ms, comment, None, Judged(score, verdict, better))
    record = Record("laser-chess", (entry,), setup="ace")
    assert read(write(record, "text")) == record
    assert read(write(record, "json")) == record


def test_a_better_line_is_written_as_its_game_writes_it() -> None:
    found = read(TEXT % "[%eval -1] [%better e4+ a4b4]").turns[0].judged
    assert found is not None
    assert found.better[0].startswith("e4+")
    assert read(TEXT % "[%eval 0]").turns[0].judged == Judged(0)


@pytest.mark.parametrize(
    ("comment", "what"),
    [
        ("[%eval lots]", "is no score"),
        ("[%eval 1] [%eval 2]", r"a second \[%eval\]"),
        ("[%verdict good]", "without a score"),
        ("[%better j4j3]", "without a score"),
        ("[%eval 1] [%verdict VERY BAD]", "is no verdict"),
        ("[%eval 1] [%better j4j8]", "the better line j4j8: illegal move"),
        ("[%eval 1] [%better j4j3 j3j4]", "the better line"),
    ],
)
def test_what_is_wrong_with_it_is_told_with_its_line(comment: str, what: str) -> None:
    with pytest.raises(BadRecord, match=what) as told:
        read(TEXT % comment)
    assert told.value.line == 4


def test_a_score_before_the_first_move_belongs_to_none() -> None:
    with pytest.raises(BadRecord, match=r"this \[%eval\] belongs to no move"):
        read((TEXT % "hm").replace("1. ", "{[%eval 1]} 1. "))


@pytest.mark.parametrize("name", ["eval", "verdict", "better"])
def test_a_comment_cannot_pretend_to_be_a_score(name: str) -> None:
    with pytest.raises(Unwritable, match=f"has a \\[%{name}, which is"):
        Entry(("j5i5",), comment=f"so [%{name} 1]")


@pytest.mark.parametrize("score", [WIN, -WIN, 1.5, True])
def test_no_such_score_can_be_kept(score: int) -> None:
    with pytest.raises(Unwritable):
        Judged(score)
