"""Sentences in the bodies of journal entries: English text, key and slots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.session import sentences
from engine.catalogue import outcome_reason
from engine.sentences import Sentence, plain, read_sentence, sentence_json


def sentence_fields(sentence: Sentence, name: str = "sentence") -> dict[str, Any]:
    """The keys of a journal entry's body for a sentence: its English text, key and slots."""
    fields = sentence_json(sentence)
    return {name: fields["text"], f"{name}_key": fields["key"], "slots": fields["slots"]}


def read_sentence_fields(body: Mapping[str, Any], name: str = "sentence") -> Sentence:
    """The reverse of `sentence_fields`.

    A body whose key and slots do not give the stored text (version 0.1 has the text alone) is read
    as a plain sentence.
    """
    text = str(body.get(name, ""))
    try:
        sentence = read_sentence({"key": body[f"{name}_key"], "slots": body["slots"]})
        return sentence if str(sentence) == text else plain(text)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return plain(text)


def read_outcome_reason(body: Mapping[str, Any]) -> Sentence:
    """The `reason` of a result. Text alone, as rulings and version 0.1 have it, is looked up."""
    text = str(body.get("reason", ""))
    reason = read_sentence_fields(body, "reason")
    if reason != plain(text):
        return reason
    for template in (sentences.RESIGNED, sentences.AGREED, sentences.OUT_OF_TIME):
        if template.text == text:
            return template()
    if penalty := sentences.PENALTY_FOR.read(text):
        return sentences.PENALTY_FOR(cause=sentences.subject_sentence(penalty["cause"]))
    return outcome_reason(text)
