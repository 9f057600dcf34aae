"""Checks of sentences and of the errors that carry them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from controller.devices.worker import DeviceError
from engine.catalogue import NOT_A_WHOLE_NUMBER
from engine.errors import LaserboardError
from engine.sentences import Sentence, Template

Expected = Sentence | Template
E = TypeVar("E", bound=LaserboardError | DeviceError)


def mentions(sentence: Sentence, expected: Expected) -> bool:
    """Whether the sentence is the expected one, or has it in a slot. A template fits any slots."""
    return any(
        part.key == expected.key if isinstance(expected, Template) else part == expected
        for part in parts(sentence)
    )


def parts(sentence: Sentence) -> Iterator[Sentence]:
    """The sentence, and all sentences in its slots."""
    yield sentence
    for slot in sentence.slots.values():
        for each in slot if isinstance(slot, tuple) else (slot,):
            if isinstance(each, Sentence):
                yield from parts(each)


def whole_number(what: str, least: int, most: int, value: str) -> Sentence:
    """What the reader of a journal or a command says about a number that is wrong."""
    return NOT_A_WHOLE_NUMBER(what=what, least=least, most=most, value=value)


@contextmanager
def raises(error: type[E], expected: Expected) -> Iterator[pytest.ExceptionInfo[E]]:
    """Expect that error, and that its sentence mentions the expected one."""
    with pytest.raises(error) as caught:
        yield caught
    assert mentions(caught.value.sentence, expected), repr(caught.value.sentence)
