"""Typed access to a YAML file, with errors of the form `file:line: key: got X, want Y`.

A `ConfigNode` knows its file, line and key path. Numbers are decimal: YAML's octal, sexagesimal,
infinite and boolean "numbers" are refused, as are anchors and aliases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from engine.errors import LaserboardError, did_you_mean, excerpt

MAX_FILE_BYTES = 64 * 1024
MAX_DEPTH = 8
DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]{0,29})(\.[0-9]{0,30})?([eE][-+]?[0-9]{1,3})?")
STANDARD_TAG = "tag:yaml.org,2002:"


class BadConfig(LaserboardError, ValueError):
    """An invalid file of settings; `path` and `line` of the key, if one key is to blame."""

    def __init__(self, complaint: str, path: str = "", line: int = 0, unknown: bool = False):
        super().__init__(complaint)
        self.path, self.line = path, line
        self.is_unknown_key = unknown


@dataclass(frozen=True, slots=True)
class ConfigNode:
    """One node of a YAML file and its place."""

    file: str
    path: str  # such as tags.cap_mm
    node: yaml.Node

    def error(self, complaint: str, unknown: bool = False) -> BadConfig:
        line = self.node.start_mark.line + 1
        sentence = f"{self.path}: {complaint}" if self.path else complaint
        return BadConfig(f"{self.file}:{line}: {sentence}", self.path, line, unknown)

    def wrong_value(self, what: str) -> BadConfig:
        return self.error(f"got {self.describe_value()}, want {what}")

    def describe_value(self) -> str:
        """The value for an error message."""
        if isinstance(self.node, yaml.MappingNode):
            return "a section"
        if isinstance(self.node, yaml.SequenceNode):
            return "a list"
        if self.node.tag == f"{STANDARD_TAG}null" and not self.node.value:
            return "nothing"
        return excerpt(self.node.value)

    def is_scalar(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    def section(self, *known: str) -> ConfigSection:
        """Read a mapping; unknown keys are errors."""
        entries: dict[str, ConfigNode] = {}
        for key, value in self.pairs():
            name = key.node.value
            if name not in known:
                raise key.error(f"unknown key{did_you_mean(name, known)}", unknown=True)
            entries[name] = value
        return ConfigSection(self, entries)

    def pairs(self) -> Iterator[tuple[ConfigNode, ConfigNode]]:
        """The keys and values of a mapping; duplicate keys are errors."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wrong_value("a section of `key: value` lines")
        first_lines: dict[str, int] = {}
        for key, value in self.node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ConfigNode(self.file, self.path, key).wrong_value("a plain key")
            path = (
                f"{self.path}.{_printable_name(key.value)}"
                if self.path
                else _printable_name(key.value)
            )
            at = ConfigNode(self.file, path, key)
            if key.value in first_lines:
                raise at.error(f"given twice, first on line {first_lines[key.value]}")
            first_lines[key.value] = key.start_mark.line + 1
            yield at, ConfigNode(self.file, path, value)

    def items(self, fewest: int, most: int, what: str) -> list[ConfigNode]:
        """The items of a list of `fewest` to `most`."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.wrong_value(what)
        if not fewest <= len(self.node.value) <= most:
            raise self.error(f"got a list of {len(self.node.value)}, want {what}")
        return [
            ConfigNode(self.file, f"{self.path}[{index}]", node)
            for index, node in enumerate(self.node.value)
        ]

    def number(self, low: float, high: float, unit: str = "") -> float:
        value = self._decimal()
        if value is None or not low <= value <= high:
            raise self.wrong_value(f"a number from {low:g} to {high:g}{unit and f' {unit}'}")
        return value

    def integer(self, low: int, high: int) -> int:
        value = self._decimal()
        if value is None or not low <= value <= high or value != int(value):
            raise self.wrong_value(f"a whole number from {low} to {high}")
        return int(value)

    def _decimal(self) -> float | None:
        """The unquoted decimal number here, if it is one."""
        plain = isinstance(self.node, yaml.ScalarNode) and self.node.style is None
        return float(self.node.value) if plain and DECIMAL.fullmatch(self.node.value) else None

    def boolean(self) -> bool:
        words = {"true": True, "yes": True, "false": False, "no": False}
        if self.node.tag != f"{STANDARD_TAG}bool" or self.node.value.lower() not in words:
            raise self.wrong_value("true or false")
        return words[self.node.value.lower()]

    def choice(self, *words: str) -> str:
        if not self.is_scalar() or self.node.value not in words:
            raise self.wrong_value(" or ".join(words))
        return str(self.node.value)

    def text(self, what: str) -> str:
        if self.node.tag != f"{STANDARD_TAG}str" or not self.node.value.strip():
            raise self.wrong_value(what)
        return str(self.node.value)

    def raw_text(self, what: str, empty: bool = False) -> str:
        """The text as written, even where YAML sees a number or a boolean."""
        quoted = isinstance(self.node, yaml.ScalarNode) and self.node.style is not None
        if not self.is_scalar() or not (self.node.value.strip() or (empty and quoted)):
            raise self.wrong_value(what)
        return str(self.node.value)


@dataclass(frozen=True, slots=True)
class ConfigSection:
    """A mapping with known keys only."""

    node: ConfigNode
    entries: Mapping[str, ConfigNode]

    def __getitem__(self, key: str) -> ConfigNode:
        """A required key."""
        if key not in self.entries:
            raise self.node.error(f"{key!r} is missing")
        return self.entries[key]

    def get(self, key: str) -> ConfigNode | None:
        return self.entries.get(key)

    def refuse(self, key: str, why: str) -> None:
        """Raise an error if a known key is given that conflicts with others."""
        if key in self.entries:
            raise self.entries[key].error(why)


def parse_yaml(text: str, file: str) -> ConfigNode:
    """Parse a YAML text; errors name `file`."""
    if len(text) > MAX_FILE_BYTES:
        raise BadConfig(f"{file}: longer than {MAX_FILE_BYTES // 1024} KiB: no file of settings")
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
    return ConfigNode(file, "", node)


def read_config_text(path: Path, what: str) -> str:
    """Read a file of settings; errors call it `what`."""
    shown = _printable_name(str(path))
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as bad:
        reason = bad.strerror if isinstance(bad, OSError) else bad
        raise BadConfig(f"cannot read the {what} {shown}: {reason or bad}") from None
    if len(content) > MAX_FILE_BYTES:
        raise BadConfig(f"{shown}: larger than {MAX_FILE_BYTES // 1024} KiB: this is no {what}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        line = content[: bad.start].count(b"\n") + 1
        raise BadConfig(f"{shown}:{line}: not UTF-8 text (byte {bad.start})") from None


def format_number(value: float) -> str:
    """A number that any YAML reader reads back the same."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    mantissa, e, exponent = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


class _Loader(yaml.SafeLoader):
    """Composes nodes only; refuses aliases (exponential expansion) and deep nesting."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _yaml_error(
                event, "anchors (&) and aliases (*) are not taken, write the value out"
            )
        if self._depth == MAX_DEPTH:
            raise _yaml_error(event, f"nested deeper than {MAX_DEPTH} levels")
        self._depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _yaml_error(event: yaml.Event, problem: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=cast(Any, event.start_mark))


def _printable_name(name: str) -> str:
    """A file name on one line, shortened."""
    return name if name.isprintable() and 0 < len(name) <= 200 else excerpt(name)
