"""When two names are the same person: capitals, blanks and how a letter was typed do not matter."""

from __future__ import annotations

from unicodedata import normalize

LONGEST_NAME = 60


def same(name: str) -> str:
    """What is equal for all ways of writing a name."""
    return " ".join(normalize("NFKC", name).casefold().split())
