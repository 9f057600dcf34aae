"""Sentences: values with a key and slots, rendered only at the edge."""

from __future__ import annotations

import json
import pickle

import pytest

from engine.errors import BadMove, BadRecord, LaserboardError
from engine.sentences import (
    Catalogue,
    Sentence,
    joined,
    plain,
    read_sentence,
    render,
    sentence_json,
    templates,
)

CATALOGUE = Catalogue("test")
RESIGNED = CATALOGUE("resigned", "{player} resigns")
SCORE = CATALOGUE("score", "{player} leads by {points} after {seconds} s")
BECAUSE = CATALOGUE("because", "{what}, because {why}")
SQUARES = CATALOGUE("squares", "look at {squares}")


def test_a_sentence_is_its_key_and_its_slots() -> None:
    assert RESIGNED(player="blue") == Sentence("test.resigned", {"player": "blue"})
    assert RESIGNED(player="blue") != RESIGNED(player="red")
    assert len({RESIGNED(player="blue"), RESIGNED(player="blue")}) == 1


def test_english_is_the_text_of_a_sentence() -> None:
    assert str(RESIGNED(player="blue")) == "blue resigns"
    assert str(SCORE(player="red", points=3, seconds=1.50)) == "red leads by 3 after 1.5 s"
    assert str(SQUARES(squares=("e4", RESIGNED(player="x")))) == "look at e4, x resigns"


def test_a_sentence_in_a_slot_is_rendered_in_the_same_language() -> None:
    german = {"test.because": "{what}, weil {why}", "test.resigned": "{player} gibt auf"}
    whole = BECAUSE(what=RESIGNED(player="Blau"), why="es spät ist")
    assert render(whole, german) == "Blau gibt auf, weil es spät ist"


@pytest.mark.parametrize("slots", [{}, {"name": "x"}, {"player": "x", "more": "y"}])
def test_slots_must_be_those_of_the_template(slots: dict[str, str]) -> None:
    with pytest.raises(TypeError, match=r"test\.resigned has the slots \['player'\]"):
        RESIGNED(**slots)


def test_a_key_is_registered_once() -> None:
    assert templates()["test.resigned"] is RESIGNED
    with pytest.raises(ValueError, match=r"two sentences have the key test\.resigned"):
        CATALOGUE("resigned", "again")


def test_a_sentence_cannot_be_changed() -> None:
    said = RESIGNED(player="blue")
    with pytest.raises(AttributeError):
        said.key = "other"
    with pytest.raises(TypeError):
        said.slots["player"] = "red"  # type: ignore[index]


@pytest.mark.parametrize(
    "sentence",
    [
        RESIGNED(player="blue"),
        SCORE(player="red", points=3, seconds=1.5),
        BECAUSE(what=RESIGNED(player="blue"), why=plain("of the hour")),
        SQUARES(squares=("e4", RESIGNED(player="x"))),
        joined([RESIGNED(player="blue"), "and so on"]),
    ],
)
def test_sentences_survive_json_and_pickle(sentence: Sentence) -> None:
    assert read_sentence(json.loads(json.dumps(sentence_json(sentence)))) == sentence
    assert pickle.loads(pickle.dumps(sentence)) == sentence
    assert sentence_json(sentence)["text"] == str(sentence)


def test_text_of_version_0_1_is_read_as_a_plain_sentence() -> None:
    assert read_sentence("the game is over") == plain("the game is over")


def test_a_sentence_of_a_later_version_still_shows_its_slots() -> None:
    assert str(Sentence("session.later", {"player": "blue"})) == "session.later, blue"


def test_errors_carry_their_sentence() -> None:
    error: LaserboardError = BadMove(RESIGNED(player="blue"))
    assert error.sentence == RESIGNED(player="blue")
    assert str(error) == "blue resigns"
    assert BadMove("free text").sentence == plain("free text")
    assert str(BadRecord(RESIGNED(player="blue"), 3)) == "line 3: blue resigns"
