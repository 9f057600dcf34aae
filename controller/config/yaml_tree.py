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

from controller.config import sentences
from controller.session.sentences import join_or
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.sentences import Sentence

MAX_FILE_BYTES = 64 * 1024
MAX_DEPTH = 8
DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]{0,29})(\.[0-9]{0,30})?([eE][-+]?[0-9]{1,3})?")
STANDARD_TAG = "tag:yaml.org,2002:"


class BadConfig(LaserboardError, ValueError):
    """An invalid file of settings; `path` and `line` of the key, if one key is to blame.

    `complaint` is the sentence without the place.
    """

    def __init__(
        self,
        sentence: Sentence,
        path: str = "",
        line: int = 0,
        complaint: Sentence | None = None,
    ) -> None:
        super().__init__(sentence)
        self.path, self.line = path, line
        self.complaint = sentence if complaint is None else complaint

    @property
    def is_unknown_key(self) -> bool:
        return self.complaint.key == sentences.UNKNOWN_KEY.key


@dataclass(frozen=True, slots=True)
class ConfigNode:
    """One node of a YAML file and its place."""

    file: str
    path: str  # such as tags.cap_mm
    node: yaml.Node

    def error(self, complaint: Sentence) -> BadConfig:
        line = self.node.start_mark.line + 1
        if self.path:
            sentence = sentences.AT_KEY(
                file=self.file, line=line, key=self.path, complaint=complaint
            )
        else:
            sentence = sentences.AT_LINE(file=self.file, line=line, complaint=complaint)
        return BadConfig(sentence, self.path, line, complaint)

    def wrong_value(self, want: Sentence) -> BadConfig:
        return self.error(sentences.GOT_WANT(value=self.describe_value(), want=want))

    def wrong_length(self, want: Sentence) -> BadConfig:
        return self.error(sentences.GOT_LIST_WANT(count=len(self.node.value), want=want))

    def describe_value(self) -> str | Sentence:
        """The value for an error message."""
        if isinstance(self.node, yaml.MappingNode):
            return sentences.A_SECTION()
        if isinstance(self.node, yaml.SequenceNode):
            return sentences.A_LIST()
        if self.node.tag == f"{STANDARD_TAG}null" and not self.node.value:
            return sentences.NOTHING()
        return excerpt(self.node.value)

    def is_scalar(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    def section(self, *known: str) -> ConfigSection:
        """Read a mapping; unknown keys are errors."""
        entries: dict[str, ConfigNode] = {}
        for key, value in self.pairs():
            name = key.node.value
            if name not in known:
                raise key.error(sentences.UNKNOWN_KEY(hint=did_you_mean(name, known)))
            entries[name] = value
        return ConfigSection(self, entries)

    def pairs(self) -> Iterator[tuple[ConfigNode, ConfigNode]]:
        """The keys and values of a mapping; duplicate keys are errors."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wrong_value(sentences.SECTION_LINES())
        first_lines: dict[str, int] = {}
        for key, value in self.node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ConfigNode(self.file, self.path, key).wrong_value(sentences.PLAIN_KEY())
            path = (
                f"{self.path}.{_printable_name(key.value)}"
                if self.path
                else _printable_name(key.value)
            )
            at = ConfigNode(self.file, path, key)
            if key.value in first_lines:
                raise at.error(sentences.KEY_TWICE(line=first_lines[key.value]))
            first_lines[key.value] = key.start_mark.line + 1
            yield at, ConfigNode(self.file, path, value)

    def items(self, fewest: int, most: int, want: Sentence) -> list[ConfigNode]:
        """The items of a list of `fewest` to `most`."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.wrong_value(want)
        if not fewest <= len(self.node.value) <= most:
            raise self.wrong_length(want)
        return [
            ConfigNode(self.file, f"{self.path}[{index}]", node)
            for index, node in enumerate(self.node.value)
        ]

    def number(self, low: float, high: float, unit: str | Sentence = "") -> float:
        value = self._decimal()
        if value is None or not low <= value <= high:
            raise self.wrong_value(
                sentences.NUMBER_RANGE_UNIT(low=low, high=high, unit=unit)
                if unit
                else sentences.NUMBER_RANGE(low=low, high=high)
            )
        return value

    def integer(self, low: int, high: int) -> int:
        value = self._decimal()
        if value is None or not low <= value <= high or value != int(value):
            raise self.wrong_value(sentences.WHOLE_NUMBER_RANGE(low=low, high=high))
        return int(value)

    def _decimal(self) -> float | None:
        """The unquoted decimal number here, if it is one."""
        plain = isinstance(self.node, yaml.ScalarNode) and self.node.style is None
        return float(self.node.value) if plain and DECIMAL.fullmatch(self.node.value) else None

    def boolean(self) -> bool:
        words = {"true": True, "yes": True, "false": False, "no": False}
        if self.node.tag != f"{STANDARD_TAG}bool" or self.node.value.lower() not in words:
            raise self.wrong_value(sentences.TRUE_OR_FALSE())
        return words[self.node.value.lower()]

    def choice(self, *words: str) -> str:
        if not self.is_scalar() or self.node.value not in words:
            raise self.wrong_value(join_or(words))
        return str(self.node.value)

    def text(self, want: Sentence) -> str:
        if self.node.tag != f"{STANDARD_TAG}str" or not self.node.value.strip():
            raise self.wrong_value(want)
        return str(self.node.value)

    def raw_text(self, want: Sentence, empty: bool = False) -> str:
        """The text as written, even where YAML sees a number or a boolean."""
        quoted = isinstance(self.node, yaml.ScalarNode) and self.node.style is not None
        if not self.is_scalar() or not (self.node.value.strip() or (empty and quoted)):
            raise self.wrong_value(want)
        return str(self.node.value)


@dataclass(frozen=True, slots=True)
class ConfigSection:
    """A mapping with known keys only."""

    node: ConfigNode
    entries: Mapping[str, ConfigNode]

    def __getitem__(self, key: str) -> ConfigNode:
        """A required key."""
        if key not in self.entries:
            raise self.node.error(sentences.KEY_MISSING(key=key))
        return self.entries[key]

    def get(self, key: str) -> ConfigNode | None:
        return self.entries.get(key)

    def refuse(self, key: str, why: Sentence) -> None:
        """Raise an error if a known key is given that conflicts with others."""
        if key in self.entries:
            raise self.entries[key].error(why)


def parse_yaml(text: str, file: str) -> ConfigNode:
    """Parse a YAML text; errors name `file`."""
    if len(text) > MAX_FILE_BYTES:
        raise BadConfig(sentences.TEXT_TOO_LONG(file=file, kib=MAX_FILE_BYTES // 1024))
    problem: str | Sentence
    try:
        node = _Loader(text).get_single_node()
    except _RefusedYaml as error:
        line, problem = error.line, error.problem
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problem = str(error.problem or error.context)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problem = sentences.CONTROL_CHARACTER()
    else:
        if node is None:
            raise BadConfig(sentences.TEXT_EMPTY(file=file))
        return ConfigNode(file, "", node)
    raise BadConfig(sentences.NOT_YAML(file=file, line=line, problem=problem))


def read_config_text(path: Path, what: Sentence) -> str:
    """Read a file of settings; errors call it `what`."""
    shown = _printable_name(str(path))
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadConfig(sentences.FILE_UNREADABLE(what=what, path=shown, reason=reason)) from error
    if len(content) > MAX_FILE_BYTES:
        raise BadConfig(sentences.FILE_TOO_LARGE(path=shown, kib=MAX_FILE_BYTES // 1024, what=what))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadConfig(sentences.FILE_NOT_UTF8(path=shown, line=line, byte=error.start)) from error


def format_number(value: float) -> str:
    """A number that any YAML reader reads back the same."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    mantissa, e, exponent = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


class _RefusedYaml(Exception):
    """YAML that is valid, but not accepted here."""

    def __init__(self, event: yaml.Event, problem: Sentence) -> None:
        super().__init__(problem)
        self.line, self.problem = cast(Any, event.start_mark).line + 1, problem


class _Loader(yaml.SafeLoader):
    """Composes nodes only; refuses aliases (exponential expansion) and deep nesting."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _RefusedYaml(event, sentences.NO_ALIASES())
        if self._depth == MAX_DEPTH:
            raise _RefusedYaml(event, sentences.NESTED_TOO_DEEPLY(most=MAX_DEPTH))
        self._depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _printable_name(name: str) -> str:
    """A file name on one line, shortened."""
    return name if name.isprintable() and 0 < len(name) <= 200 else excerpt(name)
