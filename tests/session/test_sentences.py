"""The session's sentences: in journals they keep key, slots and the English text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.session import sentences
from controller.session.journal import format_entry, next_entry, parse_entry
from controller.session.referee.state import PROPOSAL, Proposal, RefereeState, referee_state_of
from controller.session.replay import read_outcome, result_body
from controller.session.sentence_fields import read_sentence_fields, sentence_fields
from engine import catalogue
from engine.game import Outcome
from engine.sentences import Sentence, plain, templates

CALLS = sentences.CALLS_REFEREE(player="blue")
WHICH = sentences.WHICH_TURN(turns=sentences.join_or(["blue e4 to e5", "blue e4 to d4"]))


def session_templates() -> list[str]:
    return [key for key in templates() if key.startswith("session.")]


@pytest.mark.parametrize("key", session_templates())
def test_every_sentence_survives_a_journal(key: str) -> None:
    slots = dict.fromkeys(templates()[key].names, "e4")
    sentence = templates()[key](**slots)
    body = json.loads(json.dumps(sentence_fields(sentence)))
    assert body["sentence"] == str(sentence)
    assert read_sentence_fields(body) == sentence


@pytest.mark.parametrize(
    "body",
    [
        {"sentence": "blue calls the referee"},
        {"sentence": "blue calls", "sentence_key": "session.calls_referee", "slots": {}},
        {"sentence": "blue calls", "sentence_key": "session.calls_referee", "slots": []},
        {"sentence": "blue calls", "sentence_key": 7, "slots": {"player": None}},
        {"sentence": "new words", "sentence_key": "session.of_a_later_version", "slots": {}},
        {
            "sentence": "red calls the referee",
            "sentence_key": "session.calls_referee",
            "slots": {"player": "blue"},
        },
    ],
)
def test_a_text_without_its_key_and_slots_is_read_as_plain_text(body: dict[str, Any]) -> None:
    assert read_sentence_fields(body) == plain(body["sentence"])


REASONS = [
    sentences.RESIGNED(),
    sentences.AGREED(),
    sentences.OUT_OF_TIME(),
    sentences.PENALTY_FOR(cause=sentences.SUBJECTS["illegal move"]()),
    sentences.PENALTY_FOR(cause="coming late"),
    catalogue.KING_CAPTURED(),
    catalogue.TURNS_WITHOUT_CAPTURE(count=100),
    plain("the lamp fell on the board"),
]


@pytest.mark.parametrize("reason", REASONS, ids=str)
def test_the_reason_of_a_result_survives_a_journal(reason: Sentence) -> None:
    outcome = Outcome.win(0, reason)
    body = json.loads(json.dumps(result_body(outcome)))
    assert body["reason"] == str(reason)
    assert read_outcome(body) == outcome


@pytest.mark.parametrize("reason", REASONS, ids=str)
def test_a_result_of_an_old_journal_has_an_equal_reason(reason: Sentence) -> None:
    assert read_outcome({"result": "1-0", "reason": str(reason)}) == Outcome.win(0, reason)


@pytest.mark.parametrize(
    "proposal",
    [
        Proposal(2, "call", CALLS, 0),
        Proposal(2, "ambiguous read", WHICH, choices=(plain("e4 to e5"), CALLS)),
    ],
)
def test_a_proposal_survives_a_journal(proposal: Proposal) -> None:
    first = next_entry(None, "game", {}, 0.0)
    entry = next_entry(first, PROPOSAL, proposal.entry_body(), 1.0)
    again = parse_entry(format_entry(entry)[:-1])
    assert referee_state_of([first, again]) == RefereeState(open_proposals=(proposal,))


def test_a_proposal_of_version_0_1_has_its_texts() -> None:
    body = {"about": "ambiguous read", "sentence": "which was it?", "choices": ["e4 to e5"]}
    (found,) = RefereeState().after_entry(2, PROPOSAL, body).open_proposals
    assert found.sentence == plain("which was it?")
    assert found.choices == (plain("e4 to e5"),)


def test_names_are_joined_as_values() -> None:
    both: Sentence = sentences.join_and(["blue", "red"])
    assert both == sentences.AND(first="blue", second="red")
    assert str(sentences.join_and(["a", "b", "c"])) == "a and b and c"
    assert sentences.join_or(["e4"]) == plain("e4")
