"""Splits a text of many games into one section per game, before any of it is parsed.

A section is a block of tags and the lines after it. It ends where the next block of tags begins,
even inside an unclosed comment, so that a broken game does not swallow the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.record.values import RESULTS

Line = tuple[int, str]  # number from 1, and content

_TAG_LINE = re.compile(r"[ \t]*\[(?!%)")
# Inside a comment a bracket may be text, but a complete tag begins the next game.
_SURE_TAG_LINE = re.compile(r'[ \t]*\[[ \t]*[A-Za-z0-9][\w+#=:-]*[ \t]+".*"[ \t]*\]', re.ASCII)
_TAG_NAME = re.compile(r"[ \t]*\[[ \t]*([A-Za-z0-9][\w+#=:-]*)", re.ASCII)
_OPENING = re.compile(r"[{;]")
# A line of a comment may hold nothing but other blanks than these.
_WORD = re.compile(r"\S+", re.ASCII)


@dataclass(slots=True)
class GameSection:
    """The lines of one game. `line` is the number of the first."""

    line: int
    tags: list[Line] = field(default_factory=list)
    moves: list[Line] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    blank_after_tags: bool = False
    has_content: bool = False  # moves or comments
    has_words: bool = False  # text outside comments
    has_result: bool = False  # the last word is a result
    in_comment: bool = False

    def starts_next_game(self, line: str) -> bool:
        """Whether a line of tags belongs to a new game.

        The tags of one game may have blank lines between them. After one, only a repeated tag
        begins a new game, or `Event`, which always comes first.
        """
        name = _tag_name(line)
        again = name in self.names
        if name == "Event":
            return self.has_content or again or (self.blank_after_tags and bool(self.names))
        return self.has_content or (again and self.blank_after_tags)

    def add_tags(self, number: int, line: str) -> None:
        if not self.tags:
            self.moves.clear()  # comments about the file, not about this game
        self.tags.append((number, line))
        self.names.add(_tag_name(line))

    def add(self, number: int, line: str) -> None:
        if not _WORD.search(line):
            self.blank_after_tags = True
            return
        self.moves.append((number, line))
        words: list[str] = []
        at = 0
        while at < len(line):
            if self.in_comment:
                end = line.find("}", at)
                self.in_comment, at = end < 0, len(line) if end < 0 else end + 1
                continue
            opening = _OPENING.search(line, at)
            stop = opening.start() if opening else len(line)
            words += _WORD.findall(line, at, stop)
            if opening and opening[0] == ";":
                break
            self.in_comment, at = opening is not None, stop + 1
            self.has_content = self.has_content or self.in_comment
        if words:
            self.has_content = self.has_words = True
            self.has_result = words[-1] in RESULTS


def split_games(text: str) -> Iterator[GameSection]:
    """The games of a text in order. Lines that begin with `%` are escapes and are left out."""
    section = GameSection(1)
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("%"):
            continue
        pattern = _SURE_TAG_LINE if section.in_comment else _TAG_LINE
        if pattern.match(line):
            if section.starts_next_game(line):
                yield section
                section = GameSection(number)
            section.add_tags(number, line)
        elif section.has_result and not section.in_comment and not _WORD.search(line):
            yield section
            section = GameSection(number + 1)
        else:
            section.add(number, line)
    yield section


def _tag_name(line: str) -> str:
    match = _TAG_NAME.match(line)
    return match[1] if match else ""
