"""A text of many games, cut into one section a game before any of it is believed.

A section is a block of tags and what follows it. It ends where the next block of tags begins, even
in the middle of a comment that nobody closed: a broken game never takes the next one with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.record.values import RESULTS

Line = tuple[int, str]  # its number, counted from 1, and what stands on it

_TAG_LINE = re.compile(r"[ \t]*\[(?!%)")
# Inside a comment a bracket may be just that; a whole tag is the next game.
_SURE_TAG_LINE = re.compile(r'[ \t]*\[[ \t]*[A-Za-z0-9][\w+#=:-]*[ \t]+".*"[ \t]*\]', re.ASCII)
_TAG_NAME = re.compile(r"[ \t]*\[[ \t]*([A-Za-z0-9][\w+#=:-]*)", re.ASCII)
_OPENING = re.compile(r"[{;]")
# Other blanks than these may be all that a line of a comment holds.
_WORD = re.compile(r"\S+", re.ASCII)


@dataclass(slots=True)
class Section:
    """The lines of one game. `line` is the first of them."""

    line: int
    tags: list[Line] = field(default_factory=list)
    moves: list[Line] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    parted: bool = False  # a blank line has come after the tags
    begun: bool = False  # moves have come, or a comment
    worded: bool = False  # something has come that is no comment
    ended: bool = False  # the last word is a result
    in_comment: bool = False

    def is_next_game(self, line: str) -> bool:
        """Does a line of tags belong to a new game?

        Blank lines between the tags of one game are not unheard of, so after one a tag that is
        there already has to show it; `Event`, which comes first, shows it sooner.
        """
        name = _name(line)
        again = name in self.names
        if name == "Event":
            return self.begun or again or (self.parted and bool(self.names))
        return self.begun or (again and self.parted)

    def add_tags(self, number: int, line: str) -> None:
        if not self.tags:
            self.moves.clear()  # comments so far, about the file and not about this game
        self.tags.append((number, line))
        self.names.add(_name(line))

    def add(self, number: int, line: str) -> None:
        if not _WORD.search(line):
            self.parted = True
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
            self.begun = self.begun or self.in_comment
        if words:
            self.begun = self.worded = True
            self.ended = words[-1] in RESULTS


def sections(text: str) -> Iterator[Section]:
    """The games of a text, in order. Lines that begin with `%` are for others, and left out."""
    section = Section(1)
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("%"):
            continue
        pattern = _SURE_TAG_LINE if section.in_comment else _TAG_LINE
        if pattern.match(line):
            if section.is_next_game(line):
                yield section
                section = Section(number)
            section.add_tags(number, line)
        elif section.ended and not section.in_comment and not _WORD.search(line):
            yield section
            section = Section(number + 1)
        else:
            section.add(number, line)
    yield section


def _name(line: str) -> str:
    match = _TAG_NAME.match(line)
    return match[1] if match else ""
