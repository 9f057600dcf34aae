"""Short forms of the sentences that refuse a value of a board file or of a URL."""

from __future__ import annotations

from controller.config import sentences
from controller.session.sentences import join_or
from engine import catalogue
from engine.sentences import Sentence


def near(name: str) -> Sentence:
    return catalogue.DID_YOU_MEAN(name=name)


def known(*names: str) -> Sentence:
    return catalogue.KNOWN_NAMES(names=names)


def number(low: float, high: float) -> Sentence:
    return sentences.NUMBER_RANGE(low=low, high=high)


def number_of(unit: str | Sentence, low: float, high: float) -> Sentence:
    return sentences.NUMBER_RANGE_UNIT(low=low, high=high, unit=unit)


def whole(low: int, high: int) -> Sentence:
    return sentences.WHOLE_NUMBER_RANGE(low=low, high=high)


def got(value: str | Sentence, want: str | Sentence) -> Sentence:
    return sentences.GOT_WANT(value=value, want=want)


def got_list(count: int, want: Sentence) -> Sentence:
    return sentences.GOT_LIST_WANT(count=count, want=want)


def missing(key: str) -> Sentence:
    return sentences.KEY_MISSING(key=key)


def unknown_key(hint: Sentence) -> Sentence:
    return sentences.UNKNOWN_KEY(hint=hint)


def one_of(*names: str) -> Sentence:
    return join_or(names)


def option(name: str, value: str, want: Sentence) -> Sentence:
    return sentences.OPTION_WANT(option=name, value=repr(value), want=want)


def at_key(file: str, line: int, key: str, complaint: Sentence) -> Sentence:
    return sentences.AT_KEY(file=file, line=line, key=key, complaint=complaint)
