"""JSON as strangers send it, read without surprises: no repeated keys, no NaN, no half characters.

`read` turns whatever is wrong into one of our errors; `fields` takes an object apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.errors import LaserboardError, did_you_mean, excerpt

LONGEST = 4_000_000


class _Refused(ValueError):
    """Valid for the json module, but not for us."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _Refused(f"the key {excerpt(twice)} stands twice in one object")
    return found


def _no_constant(name: str) -> None:
    raise _Refused(f"{name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def read(text: str, error: type[LaserboardError]) -> Any:
    """The value that `text` stands for, or `error` with the place and the reason."""
    if len(text) > LONGEST:
        raise error(f"{len(text)} characters of JSON are too many; at most {LONGEST}")
    try:
        text.encode("utf-8")
        return _DECODER.decode(text)
    except json.JSONDecodeError as bad:
        where = f"line {bad.lineno}, column {bad.colno}"
        raise error(f"not JSON: {bad.msg} ({where}) in {excerpt(text)}") from None
    except UnicodeEncodeError:
        raise error(f"{excerpt(text)} contains half a character (a lone surrogate)") from None
    except RecursionError:
        raise error(f"{excerpt(text)} is nested too deeply") from None
    except ValueError as bad:  # ours, and numbers with thousands of digits
        raise error(f"{bad} in {excerpt(text)}") from None


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
