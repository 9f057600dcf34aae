"""JSON values as they follow each other in a file, each judged alone.

What is wrong inside a value (a key twice, NaN, half a character) does not hide where it ends, so
that whatever comes after it can still be read.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from math import isinf
from typing import Any

from engine.errors import excerpt

DEEPEST = 40
LONGEST_NUMBER = 60

_HALF = re.compile("[\ud800-\udfff]")


class NotJson(Exception):
    """Text that is no JSON; `at` is where it stops being any."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True, slots=True)
class Scanned:
    """A value, where it ends, and what is wrong with it, if anything is."""

    value: Any
    end: int
    wrong: str


def scan(text: str, at: int) -> Scanned:
    """The value that begins at `at`."""
    faults: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
            faults.append(f"has the key {excerpt(twice)} twice in one object")
        return found

    def constant(name: str) -> None:
        faults.append(f"has {name}, which is no number")

    def whole(digits: str) -> int:
        if len(digits) <= LONGEST_NUMBER:
            return int(digits)
        faults.append(f"has a number of {len(digits)} digits")
        return 0

    def real(digits: str) -> float:
        number = float(digits)
        if isinf(number):
            faults.append(f"has {excerpt(digits)}, which is too large for a number")
        return number

    decoder = json.JSONDecoder(
        object_pairs_hook=unique, parse_constant=constant, parse_int=whole, parse_float=real
    )
    try:
        value, end = decoder.raw_decode(text, at)
    except json.JSONDecodeError as bad:
        raise NotJson(bad.msg[:1].lower() + bad.msg[1:], bad.pos) from None
    except RecursionError:
        raise NotJson("nested too deeply", at) from None
    return Scanned(value, end, faults[0] if faults else flaw(value))


def flaw(value: Any) -> str:
    """What is wrong with a value that JSON itself allows, or nothing."""
    level = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                below += each
                below += each.values()
            elif isinstance(each, list):
                below += each
            elif isinstance(each, str) and _HALF.search(each):
                return f"has half a character (a lone surrogate) in {excerpt(each)}"
        if not below:
            return ""
        level = below
    return f"is nested too deeply: at most {DEEPEST} levels"
