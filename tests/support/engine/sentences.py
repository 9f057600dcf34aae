"""Checks of sentences and of the errors that carry them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.errors import LaserboardError
from engine.sentences import Sentence, Slot, Template

Expected = Sentence | Template


def mentions(sentence: Sentence, expected: Expected) -> bool:
    """Whether the sentence is the expected one, or has it in a slot. A template fits any slots."""
    if sentence == expected or (isinstance(expected, Template) and sentence.key == expected.key):
        return True
    return any(
        mentions(part, expected) for slot in sentence.slots.values() for part in _parts(slot)
    )


def _parts(slot: Slot) -> Iterator[Sentence]:
    for each in slot if isinstance(slot, tuple) else (slot,):
        if isinstance(each, Sentence):
            yield each


@contextmanager
def raises(error: type[LaserboardError], expected: Expected) -> Iterator[None]:
    """Expect that error, and that its sentence mentions the expected one."""
    with pytest.raises(error) as caught:
        yield
    assert mentions(caught.value.sentence, expected), caught.value
