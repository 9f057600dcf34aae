"""Strict JSON for untrusted text: no repeated keys, no NaN, no lone surrogates, limited sizes.

`read` raises one of our errors for any fault. `scan` reads one value out of several and reports
its faults, so that the end of a faulty value is known. `require_object`, `require_list` and
`require_int` check values.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from math import isinf
from typing import Any, NamedTuple

from engine import catalogue
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.sentences import Sentence

MAX_LENGTH = 4_000_000
MAX_NESTING = 40
MAX_DIGITS = 60

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class NotJson(Exception):
    """Text that is not JSON. `at` is the index of the fault."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Scanned(NamedTuple):
    """A value, the index of its end, and its fault, if it has one."""

    value: Any
    end: int
    fault: Sentence | None


def read(text: str, error: type[LaserboardError]) -> Any:
    """The value of a JSON text. Raises `error` with place and reason."""
    if len(text) > MAX_LENGTH:
        raise error(catalogue.JSON_TOO_LONG(length=len(text), most=MAX_LENGTH))
    shown = excerpt(text)
    try:
        scanned = scan(text, len(text) - len(text.lstrip()))
    except NotJson as bad:
        line, column = text.count("\n", 0, bad.at) + 1, bad.at - text.rfind("\n", 0, bad.at)
        raise error(
            catalogue.NOT_JSON_AT(problem=str(bad), line=line, column=column, text=shown)
        ) from None
    if scanned.fault:
        raise error(catalogue.HAS_FAULT(subject=shown, fault=scanned.fault))
    rest = text[scanned.end :].strip()
    if rest:
        raise error(catalogue.NOT_JSON_AFTER(rest=excerpt(rest), text=shown))
    return scanned.value


def scan(text: str, at: int) -> Scanned:
    """The value that begins at index `at`. Raises `NotJson`."""
    faults: list[Sentence] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
            faults.append(catalogue.KEY_TWICE(key=excerpt(twice)))
        return members

    def constant(name: str) -> None:
        faults.append(catalogue.NO_NUMBER(value=name))

    def integer(digits: str) -> int:
        if len(digits) <= MAX_DIGITS:
            return int(digits)
        faults.append(catalogue.TOO_MANY_DIGITS(digits=len(digits)))
        return 0

    def real(digits: str) -> float:
        number = float(digits)
        if isinf(number):
            faults.append(catalogue.NUMBER_TOO_LARGE(value=excerpt(digits)))
        return number

    decoder = json.JSONDecoder(
        object_pairs_hook=unique, parse_constant=constant, parse_int=integer, parse_float=real
    )
    try:
        value, end = decoder.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise NotJson(error.msg[:1].lower() + error.msg[1:], error.pos) from None
    except RecursionError:
        raise NotJson("nested too deeply", at) from None
    return Scanned(value, end, faults[0] if faults else find_flaw(value))


def find_flaw(value: Any) -> Sentence | None:
    """The fault of a value that plain JSON allows: a lone surrogate, or deep nesting."""
    level = [value]
    for _ in range(MAX_NESTING):
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                below += each
                below += each.values()
            elif isinstance(each, list):
                below += each
            elif isinstance(each, str) and _LONE_SURROGATE.search(each):
                return catalogue.HALF_CHARACTER(value=excerpt(each))
        if not below:
            return None
        level = below
    return catalogue.NESTED_TOO_DEEPLY(most=MAX_NESTING)


def write(value: Any) -> str:
    """Compact, on one line."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def require_object(
    value: Any,
    what: str,
    error: type[LaserboardError],
    required: tuple[str, ...],
    optional: tuple[str, ...] = (),
) -> Mapping[str, Any]:
    """`value`, checked to be an object with these keys and no others. Errors call it `what`."""
    if not isinstance(value, dict):
        raise error(catalogue.NOT_AN_OBJECT(what=what, value=excerpt(value)))
    known = (*required, *optional)
    for name in value:
        if name not in known:
            hint = did_you_mean(name, known)
            raise error(catalogue.UNKNOWN_KEY(what=what, key=excerpt(name), hint=hint))
    for name in required:
        if name not in value:
            raise error(catalogue.MISSING_KEY(what=what, key=name))
    return value


def require_int(value: Any, what: str, error: type[LaserboardError], least: int, most: int) -> int:
    """`value`, checked to be a whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise error(
            catalogue.NOT_A_WHOLE_NUMBER(what=what, least=least, most=most, value=excerpt(value))
        )
    return value


def require_list(
    value: Any, what: str, error: type[LaserboardError], count: int | None = None
) -> list[Any]:
    """`value`, checked to be an array, of `count` entries unless that is None."""
    if isinstance(value, list) and count in (None, len(value)):
        return value
    if count is None:
        raise error(catalogue.NOT_AN_ARRAY(what=what, value=excerpt(value)))
    raise error(catalogue.NOT_AN_ARRAY_OF(what=what, count=count, value=excerpt(value)))
