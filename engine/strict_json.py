"""JSON as strangers send it, read without surprises: no repeated keys, no NaN, no half characters.

`read` turns whatever is wrong into one of our errors; `scan` reads one value of many, where what
is wrong inside it does not hide where it ends; `fields`, `items` and `whole` take values apart.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from math import isinf
from typing import Any, NamedTuple

from engine.errors import LaserboardError, did_you_mean, excerpt

LONGEST = 4_000_000
DEEPEST = 40
LONGEST_NUMBER = 60

_HALF = re.compile("[\ud800-\udfff]")


class NotJson(Exception):
    """Text that is no JSON; `at` is where it stops being any."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Scanned(NamedTuple):
    """A value, where it ends, and what is wrong with it, if anything is."""

    value: Any
    end: int
    wrong: str


def read(text: str, error: type[LaserboardError]) -> Any:
    """The value that `text` stands for, or `error` with the place and the reason."""
    if len(text) > LONGEST:
        raise error(f"{len(text)} characters of JSON are too many; at most {LONGEST}")
    shown = excerpt(text)
    try:
        found = scan(text, len(text) - len(text.lstrip()))
    except NotJson as bad:
        row, column = text.count("\n", 0, bad.at) + 1, bad.at - text.rfind("\n", 0, bad.at)
        raise error(f"not JSON: {bad} (line {row}, column {column}) in {shown}") from None
    if found.wrong:
        raise error(f"{shown} {found.wrong}")
    rest = text[found.end :].strip()
    if rest:
        raise error(f"not JSON: {excerpt(rest)} after the end of the value in {shown}")
    return found.value


def scan(text: str, at: int) -> Scanned:
    """The value that begins at `at`; `NotJson` if none does."""
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


def write(value: Any) -> str:
    """Compact, on one line."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def fields(
    value: Any,
    what: str,
    error: type[LaserboardError],
    required: tuple[str, ...],
    optional: tuple[str, ...] = (),
) -> Mapping[str, Any]:
    """`value` as an object with these keys and no others; `what` names it in the error."""
    if not isinstance(value, dict):
        raise error(f"{what} must be an object, not {excerpt(value)}")
    known = (*required, *optional)
    for name in value:
        if name not in known:
            raise error(f"{what} has an unknown key {excerpt(name)}{did_you_mean(name, known)}")
    for name in required:
        if name not in value:
            raise error(f"{what} lacks {name!r}")
    return value


def whole(value: Any, what: str, error: type[LaserboardError], least: int, most: int) -> int:
    """`value` as a whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise error(f"{what} must be a whole number from {least} to {most}, not {excerpt(value)}")
    return value


def items(
    value: Any, what: str, error: type[LaserboardError], count: int | None = None
) -> list[Any]:
    """`value` as an array, of `count` entries if that is given."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        size = "" if count is None else f" of {count}"
        raise error(f"{what} must be an array{size}, not {excerpt(value)}")
    return value
