"""A problem and its remedy in one sentence, for errors and for events of devices.

Screens render the whole; the doctor reads the two slots with `problem_and_remedy`.
"""

from __future__ import annotations

from engine.sentences import Catalogue, Sentence, as_sentence, joined

_catalogue = Catalogue("ports")

REMEDY = _catalogue("remedy", "{problem}; {remedy}")
REMEDY_AFTER_COLON = _catalogue("remedy_after_colon", "{problem}: {remedy}")
_KEYS = (REMEDY.key, REMEDY_AFTER_COLON.key)


def problem_and_remedy(sentence: Sentence) -> tuple[Sentence, Sentence | None]:
    """The two parts of a sentence; the remedy is None if the sentence has none.

    A problem that has a remedy of its own gives both remedies: `plug it in; X lists them all`.
    """
    if sentence.key not in _KEYS:
        return sentence, None
    problem, first = problem_and_remedy(_sentence_slot(sentence, "problem"))
    second = _sentence_slot(sentence, "remedy")
    return problem, second if first is None else joined((first, second))


def _sentence_slot(sentence: Sentence, name: str) -> Sentence:
    slot = sentence.slots[name]
    return as_sentence(slot if isinstance(slot, (str, Sentence)) else str(slot))
