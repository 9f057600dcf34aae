"""The error classes. Each error says what is wrong, where, which value it got, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from engine.catalogue import AT_LINE, DID_YOU_MEAN, KNOWN_NAMES
from engine.sentences import Sentence, as_sentence


class LaserboardError(Exception):
    """Base of all errors that bad input can cause. Any other exception is a defect.

    `sentence` is the reason. Text is accepted where no catalogue has a sentence.
    """

    def __init__(self, reason: str | Sentence = "", *more: object) -> None:
        self.sentence = as_sentence(reason)
        super().__init__(reason, *more)


class BadPosition(LaserboardError, ValueError):
    """Text or JSON that is not a position."""


class BadMove(LaserboardError, ValueError):
    """Text or JSON that is not a move."""


class IllegalMove(LaserboardError, ValueError):
    """A well-formed move that the rules do not allow here."""


class BadOption(LaserboardError, ValueError):
    """A rule option that does not exist or cannot have this value."""


class UnknownName(LaserboardError, KeyError):
    """A game or setup that does not exist."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would quote it


class BadRecord(LaserboardError, ValueError):
    """A game record that cannot be read. `line` counts from 1."""

    def __init__(self, message: str | Sentence, line: int) -> None:
        super().__init__(AT_LINE(line=line, message=message))
        self.message = as_sentence(message)
        self.line = line


def did_you_mean(word: str, known: Iterable[str]) -> Sentence:
    """The end of a sentence: `, did you mean 'serpentine'?`, or `; known: a, b, c`."""
    names = list(known)
    near = get_close_matches(word[:100], names, n=1)
    if near:
        return DID_YOU_MEAN(name=near[0])
    return KNOWN_NAMES(names=tuple(names))


def excerpt(value: object, limit: int = 60) -> str:
    """The repr of a value, cut to fit on one line of an error."""
    if isinstance(value, str) and len(value) > limit:
        return f"{value[:limit]!r}..."
    text = repr(value)
    return text if len(text) <= 2 * limit else f"{text[:limit]}..."
