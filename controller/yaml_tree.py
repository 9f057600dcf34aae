"""A YAML file as a tree of places that know their file, line and path, read with types.

Text comes in, plain values go out, and every complaint is one line: where, what was got, what is
wanted. Numbers are decimal: YAML's octal, sexagesimal, infinite and boolean "numbers" are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from engine.errors import LaserboardError, did_you_mean, excerpt

LARGEST_FILE = 64 * 1024
DEEPEST = 8
NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]{0,29})(\.[0-9]{0,30})?([eE][-+]?[0-9]{1,3})?")
STANDARD_TAG = "tag:yaml.org,2002:"


class BadConfig(LaserboardError, ValueError):
    """A file of settings that cannot be used; and where, as far as that is one place."""

    def __init__(self, complaint: str, path: str = "", line: int = 0, unknown: bool = False):
        super().__init__(complaint)
        self.path, self.line = path, line
        self.unknown = unknown  # nobody knows the key there


@dataclass(frozen=True, slots=True)
class Place:
    """One node of a file: what is written there, and where."""

    file: str
    path: str  # tags.cap_mm
    node: yaml.Node

    def error(self, complaint: str, unknown: bool = False) -> BadConfig:
        line = self.node.start_mark.line + 1
        told = f"{self.path}: {complaint}" if self.path else complaint
        return BadConfig(f"{self.file}:{line}: {told}", self.path, line, unknown)

    def wanted(self, what: str) -> BadConfig:
        return self.error(f"got {self.got()}, want {what}")

    def got(self) -> str:
        """What is written here, in a few words."""
        if isinstance(self.node, yaml.MappingNode):
            return "a section"
        if isinstance(self.node, yaml.SequenceNode):
            return "a list"
        if self.node.tag == f"{STANDARD_TAG}null" and not self.node.value:
            return "nothing"
        return excerpt(self.node.value)

    def is_text(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    def section(self, *known: str) -> Section:
        """The keys of a mapping; one that is not known is an error."""
        entries: dict[str, Place] = {}
        for key, value in self.pairs():
            name = key.node.value
            if name not in known:
                raise key.error(f"unknown key{did_you_mean(name, known)}", unknown=True)
            entries[name] = value
        return Section(self, entries)

    def pairs(self) -> Iterator[tuple[Place, Place]]:
        """The keys and values of a mapping, each key once."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wanted("a section of `key: value` lines")
        first_lines: dict[str, int] = {}
        for key, value in self.node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise Place(self.file, self.path, key).wanted("a plain key")
            path = f"{self.path}.{_shown(key.value)}" if self.path else _shown(key.value)
            at = Place(self.file, path, key)
            if key.value in first_lines:
                raise at.error(f"given twice, first on line {first_lines[key.value]}")
            first_lines[key.value] = key.start_mark.line + 1
            yield at, Place(self.file, path, value)

    def items(self, fewest: int, most: int, what: str) -> list[Place]:
        """The entries of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.wanted(what)
        if not fewest <= len(self.node.value) <= most:
            raise self.error(f"got a list of {len(self.node.value)}, want {what}")
        return [
            Place(self.file, f"{self.path}[{index}]", node)
            for index, node in enumerate(self.node.value)
        ]

    def number(self, low: float, high: float, unit: str = "") -> float:
        value = self._decimal()
        if value is None or not low <= value <= high:
            raise self.wanted(f"a number from {low:g} to {high:g}{unit and f' {unit}'}")
        return value

    def whole(self, low: int, high: int) -> int:
        value = self._decimal()
        if value is None or not low <= value <= high or value != int(value):
            raise self.wanted(f"a whole number from {low} to {high}")
        return int(value)

    def _decimal(self) -> float | None:
        """The number that is written here without quotes."""
        plain = isinstance(self.node, yaml.ScalarNode) and self.node.style is None
        return float(self.node.value) if plain and NUMBER.fullmatch(self.node.value) else None

    def yes_or_no(self) -> bool:
        words = {"true": True, "yes": True, "false": False, "no": False}
        if self.node.tag != f"{STANDARD_TAG}bool" or self.node.value.lower() not in words:
            raise self.wanted("true or false")
        return words[self.node.value.lower()]

    def choice(self, *words: str) -> str:
        if not self.is_text() or self.node.value not in words:
            raise self.wanted(" or ".join(words))
        return str(self.node.value)

    def text(self, what: str) -> str:
        if self.node.tag != f"{STANDARD_TAG}str" or not self.node.value.strip():
            raise self.wanted(what)
        return str(self.node.value)

    def plain(self, what: str, empty: bool = False) -> str:
        """What is written here, letter by letter, even if YAML would call it a number or a no."""
        quoted = isinstance(self.node, yaml.ScalarNode) and self.node.style is not None
        if not self.is_text() or not (self.node.value.strip() or (empty and quoted)):
            raise self.wanted(what)
        return str(self.node.value)


@dataclass(frozen=True, slots=True)
class Section:
    """A mapping whose keys are all known."""

    place: Place
    entries: Mapping[str, Place]

    def __getitem__(self, key: str) -> Place:
        """A key that must be there."""
        if key not in self.entries:
            raise self.place.error(f"{key!r} is missing")
        return self.entries[key]

    def get(self, key: str) -> Place | None:
        return self.entries.get(key)

    def refuse(self, key: str, why: str) -> None:
        """A known key that has no meaning beside the others."""
        if key in self.entries:
            raise self.entries[key].error(why)


def read_tree(text: str, file: str) -> Place:
    """The root of a YAML text; `file` is what to call it in errors."""
    if len(text) > LARGEST_FILE:
        raise BadConfig(f"{file}: longer than {LARGEST_FILE // 1024} KiB: no file of settings")
    try:
        node = _Loader(text).get_single_node()
    except yaml.MarkedYAMLError as bad:
        line = bad.problem_mark.line + 1 if bad.problem_mark else 1
        raise BadConfig(f"{file}:{line}: not YAML: {bad.problem or bad.context}") from None
    except yaml.reader.ReaderError as bad:
        line = text.count("\n", 0, bad.position) + 1
        raise BadConfig(f"{file}:{line}: not YAML: it has a control character") from None
    if node is None:
        raise BadConfig(f"{file}: is empty")
    return Place(file, "", node)


def read_file(path: Path, what: str) -> str:
    """The text of a file that a person named; `what` it should be, for the error."""
    shown = _shown(str(path))
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as bad:
        reason = bad.strerror if isinstance(bad, OSError) else bad
        raise BadConfig(f"cannot read the {what} {shown}: {reason or bad}") from None
    if len(content) > LARGEST_FILE:
        raise BadConfig(f"{shown}: larger than {LARGEST_FILE // 1024} KiB: this is no {what}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        line = content[: bad.start].count(b"\n") + 1
        raise BadConfig(f"{shown}:{line}: not UTF-8 text (byte {bad.start})") from None


def write_number(value: float) -> str:
    """A number that reads back the same, here and in any other YAML reader."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    mantissa, e, exponent = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


class _Loader(yaml.SafeLoader):
    """Builds nodes only, without aliases (which can blow up) and not too deep."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _refused(event, "anchors (&) and aliases (*) are not taken, write the value out")
        if self._depth == DEEPEST:
            raise _refused(event, f"nested deeper than {DEEPEST} levels")
        self._depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _refused(event: yaml.Event, problem: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=cast(Any, event.start_mark))


def _shown(name: str) -> str:
    """A name on one line, and not endless."""
    return name if name.isprintable() and 0 < len(name) <= 200 else excerpt(name)
