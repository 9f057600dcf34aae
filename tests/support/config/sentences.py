"""Short forms of the sentences that refuse a value of a board file or of a URL."""

from __future__ import annotations

from controller.config import sentences
from engine import catalogue
from engine.sentences import Sentence


def near(name: str) -> Sentence:
    return catalogue.DID_YOU_MEAN(name=name)


def known(*names: str) -> Sentence:
    return catalogue.KNOWN_NAMES(names=names)


def number(low: float, high: float) -> Sentence:
    return sentences.NUMBER_RANGE(low=low, high=high)


def number_of(unit: str, low: float, high: float) -> Sentence:
    return sentences.NUMBER_RANGE_UNIT(low=low, high=high, unit=unit)


def whole(low: int, high: int) -> Sentence:
    return sentences.WHOLE_NUMBER_RANGE(low=low, high=high)


def got(value: str | Sentence, want: str | Sentence) -> Sentence:
    return sentences.GOT_WANT(value=value, want=want)


def option(name: str, value: str, want: Sentence) -> Sentence:
    return sentences.OPTION_WANT(option=name, value=repr(value), want=want)
