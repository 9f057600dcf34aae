"""Sentences in messages: key and slots, beside the English text that version 0.1 has alone.

Messages are of unknown origin: key and slots count only if they give the text.
"""

from __future__ import annotations

from typing import Any

from controller.session.sentence_fields import read_sentence_fields
from engine.sentences import Sentence, plain, sentence_json

MAX_DEPTH = 16  # of nested objects and lists: a message as a whole has at most 40
MAX_SLOT_CHARS = 400  # in all slots together; every slot is part of the text


def keyed_json(sentence: Sentence | str) -> dict[str, Any] | None:
    """Key and slots; None if the text says it all, or if they are nested too deeply to be read."""
    if isinstance(sentence, str) or sentence == plain(str(sentence)):
        return None
    fields = sentence_json(sentence)
    keyed = {"key": fields["key"], "slots": fields["slots"]}
    return keyed if _is_small(keyed) else None


def read_keyed(text: str, keyed: Any) -> Sentence:
    """The sentence with this text; a plain one without key and slots that give it."""
    if not isinstance(keyed, dict) or not _is_small(keyed):
        return plain(text)
    body = {"text": text, "text_key": keyed.get("key"), "slots": keyed.get("slots")}
    return read_sentence_fields(body, "text")


def _is_small(keyed: dict[str, Any]) -> bool:
    """Whether the slots can be rendered in little time: a template may repeat its slots."""
    level, chars = [keyed.get("slots")], 0
    for _ in range(MAX_DEPTH):
        chars += sum(len(each) for each in level if isinstance(each, str))
        if chars > MAX_SLOT_CHARS:
            return False
        lists = [each for each in level if isinstance(each, list)]
        objects = [each for each in level if isinstance(each, dict)]
        level = [part for each in lists for part in each]
        level += [part for each in objects for part in each.values()]
        if not level:
            return True
    return False
