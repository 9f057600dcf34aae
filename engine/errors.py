"""The one error family. Each error says what, where, what was got, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class LaserboardError(Exception):
    """Everything that can go wrong with input; anything else that escapes is a defect."""


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
    """A game record that cannot be read; `line` is where, counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.message = message
        self.line = line


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`, did you mean 'serpentine'?` or, if nothing is near, `; known: a, b, c`."""
    names = list(known)
    near = get_close_matches(word[:100], names, n=1)
    if near:
        return f", did you mean {near[0]!r}?"
    return f"; known: {', '.join(names)}"


def excerpt(value: object, limit: int = 60) -> str:
    """A value as it was got, short enough for one line of an error."""
    if isinstance(value, str) and len(value) > limit:
        return f"{value[:limit]!r}..."
    text = repr(value)
    return text if len(text) <= 2 * limit else f"{text[:limit]}..."
