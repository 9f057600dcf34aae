"""Annotations of turns in records: scores and better lines round-trip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import catalogue
from engine.errors import BadRecord
from engine.record import (
    Record,
    RecordAnnotation,
    RecordedTurn,
    Unwritable,
    read_record,
    read_score,
    score_sentence,
    write_record,
    write_score,
)
from engine.record import catalogue as record_catalogue
from engine.search import DECIDED, WIN
from engine.sentences import Sentence, plain
from tests.support.engine.random_play import examples
from tests.support.engine.sentences import Expected, mentions, raises

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
def test_scores_in_the_notation_of_other_programs_are_read(text: str, score: int) -> None:
    assert read_score(text) == score


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (34, plain("+0.34")),
        (-DECIDED, plain(write_score(-DECIDED))),
        (WIN - 1, catalogue.SCORE_HAS_WON(player="blue")),  # by the annotated turn
        (1 - WIN, catalogue.SCORE_HAS_WON(player="red")),
        (2 - WIN, catalogue.SCORE_WINS_IN(player="red", turns=1)),  # by the next turn
        (WIN - 4, catalogue.SCORE_WINS_IN(player="blue", turns=3)),
    ],
)
def test_a_score_belongs_to_the_position_after_its_turn(score: int, expected: Sentence) -> None:
    assert score_sentence(("blue", "red"), score) == expected


@pytest.mark.parametrize("text", ["", "x", "#", "#0", "#1000", "1.234", "123456.0", "--1", "٣"])
def test_an_invalid_score_is_refused(text: str) -> None:
    with raises(Unwritable, record_catalogue.NOT_A_SCORE(value=repr(text))):
        read_score(text)


@examples(60)
@given(
    SCORES,
    st.sampled_from(["", "best", "missed win"]),
    st.sampled_from([(), ("j4j3",), ("j4j3", "a4b4", "j3j4")]),
    st.one_of(st.none(), st.integers(0, 10**6)),
    st.sampled_from(["", "hm", "well [sic] and  more"]),
)
def test_an_annotated_turn_round_trips(
    score: int, verdict: str, better: tuple[str, ...], clock_ms: int | None, comment: str
) -> None:
    entry = RecordedTurn(
        ("j5i5",), clock_ms, comment, None, RecordAnnotation(score, verdict, better)
    )
    record = Record("laser-chess", (entry,), setup="ace")
    assert read_record(write_record(record, "text")) == record
    assert read_record(write_record(record, "json")) == record


def test_a_better_line_is_written_in_canonical_notation() -> None:
    annotation = read_record(TEXT % "[%eval -1] [%better e4+ a4b4]").turns[0].annotation
    assert annotation is not None
    assert annotation.better[0].startswith("e4+")
    assert read_record(TEXT % "[%eval 0]").turns[0].annotation == RecordAnnotation(0)


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("[%eval lots]", record_catalogue.NOT_A_SCORE(value="'lots'")),
        ("[%eval 1] [%eval 2]", record_catalogue.COMMAND_TWICE(command="eval")),
        ("[%verdict good]", record_catalogue.COMMAND_WITHOUT_SCORE(command="verdict")),
        ("[%better j4j3]", record_catalogue.COMMAND_WITHOUT_SCORE(command="better")),
        ("[%eval 1] [%verdict VERY BAD]", record_catalogue.NOT_A_VERDICT(value="'VERY BAD'")),
        ("[%eval 1] [%better j4j8]", record_catalogue.BAD_BETTER_LINE),
        ("[%eval 1] [%better j4j3 j3j4]", record_catalogue.BAD_BETTER_LINE),
    ],
)
def test_a_bad_annotation_is_an_error_with_its_line(comment: str, expected: Expected) -> None:
    with pytest.raises(BadRecord) as caught:
        read_record(TEXT % comment)
    assert caught.value.line == 4
    assert mentions(caught.value.sentence, expected)


def test_a_score_before_the_first_move_is_refused() -> None:
    with raises(BadRecord, record_catalogue.COMMAND_WITHOUT_MOVE(command="eval")):
        read_record((TEXT % "hm").replace("1. ", "{[%eval 1]} 1. "))


@pytest.mark.parametrize("name", ["eval", "verdict", "better"])
def test_a_comment_cannot_contain_a_command(name: str) -> None:
    with raises(Unwritable, record_catalogue.COMMENT_COMMAND(command=name, field="annotation")):
        RecordedTurn(("j5i5",), comment=f"so [%{name} 1]")


@pytest.mark.parametrize("score", [WIN, -WIN, 1.5, True])
def test_a_score_out_of_range_is_refused(score: int) -> None:
    with pytest.raises(Unwritable):
        RecordAnnotation(score)
