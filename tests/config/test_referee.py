"""The section `referee` is read, and every error names its line and key."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from controller.config import sentences
from controller.config.board_file import load_board, read_board, write_board
from controller.config.referee import (
    KEEP_DAYS_RANGE,
    QUOTA_MB_RANGE,
    EvidenceSettings,
    RefereeSettings,
)
from controller.config.template import board_file_template
from controller.config.yaml_tree import BadConfig
from controller.session import sentences as session_sentences
from controller.session.clocks import MAX_CLOCK_MS
from controller.session.referee.policy import (
    BadPolicies,
    ConfirmedBy,
    Incident,
    Penalty,
    Policy,
    RefereePolicies,
    policy_field,
)
from controller.session.sentences import PENALTY_BOTH, PENALTY_RANGE
from engine.sentences import Sentence
from tests.support.config.sentences import at_key, got, got_list, near, one_of, unknown_key, whole
from tests.support.engine.sentences import raises

# Drawing examples is slow on a busy machine.
PATIENTLY = trying(deadline=None, suppress_health_check=[HealthCheck.too_slow])

BOARD = load_board("demo-10x8")
DEMO = write_board(BOARD)
FIRST = DEMO.count("\n") + 1  # the line of `referee:`
at = partial(at_key, "mine.yaml", FIRST + 1)

penalties = (
    st.builds(Penalty, st.integers(0, MAX_CLOCK_MS))
    | st.just(Penalty(loss=True))
    | st.just(Penalty())
)
policies = st.builds(
    RefereePolicies,
    **{policy_field(each): st.sampled_from(Policy) for each in Incident},
    penalties=st.lists(penalties, min_size=1, max_size=9).map(tuple),
    result_confirmed=st.sampled_from(ConfirmedBy),
)
settings = st.builds(
    RefereeSettings,
    policies,
    st.builds(EvidenceSettings, st.integers(*KEEP_DAYS_RANGE), st.integers(*QUOTA_MB_RANGE)),
)


def read(section: str) -> RefereeSettings:
    return read_board(f"{DEMO}referee:{section}", "mine.yaml").referee


def test_policies_are_read() -> None:
    assert read(
        """
  policies:
    illegal move: log
    repetition: propose
  penalties: [none, 1m30s, loss]
  result_confirmed: referee
  evidence: {keep_days: 30, quota_mb: 2000}
"""
    ) == RefereeSettings(
        RefereePolicies(
            illegal_move=Policy.LOG,
            repetition=Policy.PROPOSE,
            penalties=(Penalty(), Penalty(90_000), Penalty(loss=True)),
            result_confirmed=ConfirmedBy.REFEREE,
        ),
        EvidenceSettings(30, 2000),
    )


def test_without_the_section_the_policies_have_their_defaults() -> None:
    assert read_board(DEMO, "mine.yaml").referee == RefereeSettings()
    assert read(" {}") == RefereeSettings()
    usual = RefereePolicies()
    assert {each.value: usual.policy_for(each).value for each in Incident} == {
        "illegal move": "propose",
        "ambiguous read": "propose",
        "mismatch": "log",
        "flag fall": "accept",
        "king hit": "accept",
        "repetition": "log",
    }
    assert [str(each) for each in usual.penalties] == ["2m", "loss"]
    assert usual.result_confirmed is ConfirmedBy.BOTH
    assert EvidenceSettings() == EvidenceSettings(90, 500)


def test_the_last_penalty_repeats() -> None:
    three = RefereePolicies(penalties=tuple(map(Penalty.parse, ("none", "2m", "loss"))))
    assert [str(three.penalty_for(number)) for number in (1, 2, 3, 4, 100)] == [
        *("none", "2m", "loss", "loss", "loss"),
    ]
    assert read(" {penalties: none}").policies.penalty_for(7).is_none
    with pytest.raises(ValueError, match="counted from 1, not 0"):
        three.penalty_for(0)


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("\n  policy: {}", at("referee.policy", unknown_key(near("policies")))),
        (
            "\n  policies: {ilegal move: log}",
            at("referee.policies.ilegal move", unknown_key(near("illegal move"))),
        ),
        (
            "\n  policies: {king hit: ask}",
            at("referee.policies.king hit", got("'ask'", one_of("accept", "propose", "log"))),
        ),
        ("\n  penalties: 2m", at("referee.penalties", got("'2m'", sentences.PENALTIES()))),
        ("\n  penalties: []", at("referee.penalties", got_list(0, sentences.PENALTIES()))),
        (
            "\n  penalties: [2]",
            at("referee.penalties[0]", session_sentences.BAD_PENALTY(value="'2'")),
        ),
        (
            "\n  penalties: [5m+3s]",
            at("referee.penalties[0]", session_sentences.BAD_PENALTY(value="'5m+3s'")),
        ),
        (
            "\n  penalties: [25h]",
            at("referee.penalties[0]", session_sentences.BAD_PENALTY(value="'25h'")),
        ),
        (
            "\n  penalties: [[2m]]",
            at("referee.penalties[0]", got(sentences.A_LIST(), sentences.PENALTY())),
        ),
        (
            "\n  result_confirmed: one",
            at("referee.result_confirmed", got("'one'", one_of("both", "referee"))),
        ),
        (
            "\n  evidence: {keep_day: 3}",
            at("referee.evidence.keep_day", unknown_key(near("keep_days"))),
        ),
        (
            "\n  evidence: {keep_days: 0}",
            at("referee.evidence.keep_days", got("'0'", whole(1, 3650))),
        ),
        (
            "\n  evidence: {quota_mb: 5}",
            at("referee.evidence.quota_mb", got("'5'", whole(10, 1000000))),
        ),
        ("\n  evidence: off", at("referee.evidence", got("'off'", sentences.SECTION_LINES()))),
    ],
)
def test_an_error_names_its_line(section: str, expected: Sentence) -> None:
    with raises(BadConfig, expected):
        read(section)


@PATIENTLY
@given(settings)
def test_the_section_is_written_and_read_back_the_same(referee: RefereeSettings) -> None:
    text = write_board(BOARD, referee=referee)
    assert read_board(text, "demo-10x8.yaml").referee == referee


@PATIENTLY
@given(policies)
def test_policies_round_trip_through_json(policies: RefereePolicies) -> None:
    assert RefereePolicies.from_json(policies.as_json()) == policies


@pytest.mark.parametrize(
    "change",
    [
        {"policies": {}},
        {"policies": RefereePolicies().as_json()["policies"] | {"king hit": "maybe"}},
        {"penalties": []},
        {"penalties": [3]},
        {"penalties": ["much"]},
        {"result_confirmed": None},
        {"more": 1},
    ],
)
def test_wrong_policies_in_json_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadPolicies):
        RefereePolicies.from_json(RefereePolicies().as_json() | change)


def test_a_penalty_is_time_or_loss() -> None:
    with raises(BadPolicies, PENALTY_BOTH()):
        Penalty(1, loss=True)
    with raises(BadPolicies, PENALTY_RANGE(time_ms=-1)):
        Penalty(-1)


def test_init_writes_the_default_policies() -> None:
    text = board_file_template("demo-10x8")
    section = re.sub(r"(?m)^# ?", "", text[text.index("# referee:") :].partition("\n\n")[0])
    assert read_board(DEMO + section, "mine.yaml").referee == RefereeSettings()
    for each in Incident:
        assert f"\n    {each}: " in section
