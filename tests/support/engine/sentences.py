"""Checks of sentences and of the errors that carry them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from controller.devices.worker import DeviceError
from engine.catalogue import NOT_A_WHOLE_NUMBER
from engine.errors import LaserboardError
from engine.sentences import Sentence, Slot, Template

Expected = Sentence | Template
E = TypeVar("E", bound=LaserboardError | DeviceError)


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


def whole_number(what: str, least: int, most: int, value: str) -> Sentence:
    """What the reader of a journal or a command says about a number that is wrong."""
    return NOT_A_WHOLE_NUMBER(what=what, least=least, most=most, value=value)


@contextmanager
def raises(error: type[E], expected: Expected) -> Iterator[pytest.ExceptionInfo[E]]:
    """Expect that error, and that its sentence mentions the expected one."""
    with pytest.raises(error) as caught:
        yield caught
    assert mentions(caught.value.sentence, expected), repr(caught.value.sentence)
