"""The PGN-like text form, read: liberal in how a game is written, strict in what it says.

Every fault is a `BadRecord` with the line of the word that is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine import games
from engine.errors import BadRecord, LaserboardError, excerpt
from engine.game import AnyGame
from engine.record.judged import Judged, Unwritable, read_score
from engine.record.play import BadTurn, Made, Settled, WrongResult, check_result, settle
from engine.record.sections import Line, Section, sections
from engine.record.values import (
    COMMANDS,
    MOST_TURNS,
    RESULTS,
    Entry,
    Record,
    check_comment,
    check_tag,
    option_tags,
    own_tags,
)

_TAG = re.compile(r'[ \t]*\[[ \t]*([^\s"\[\]]+)[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*\][ \t]*', re.ASCII)
_ESCAPED = re.compile(r'\\(["\\])')
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|\{(?P<comment>[^}]*)\}"
    r"|;(?P<rest>[^\n]*)"
    r"|(?P<number>\d+(?:\.+|(?=[\s{;]|$)))"
    r"|(?P<word>[^\s{};]+)"
    r"|(?P<stray>[{}])",
    re.ASCII,
)
_BLANKS = re.compile(r"\s+", re.ASCII)
_COMMAND = re.compile(rf"\[%({'|'.join(COMMANDS)})\b([^\[\]]*)\]")
_CLOCK = re.compile(r"\s*(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)(?:\.(\d{1,3}))?\s*", re.ASCII)


class _Tag(NamedTuple):
    value: str
    line: int


@dataclass(slots=True)
class _Word:
    """A move or a result as it stands in the text, and the comments behind it."""

    text: str
    line: int
    clock_ms: int | None = None
    corrected: str | None = None
    score: int | None = None
    verdict: str = ""
    better: tuple[str, ...] = ()
    comments: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)  # commands, by name


def read_text(text: str) -> Iterator[Record | BadRecord]:
    """The games of a text whose lines end with a line feed, the broken ones as their errors."""
    for section in sections(text):
        game = _read(section)
        if game is not None:
            yield game


def _read(section: Section) -> Record | BadRecord | None:
    try:
        tags, rest = _read_tags(section)
        words = _read_words([*rest, *section.moves], section.line)
        if not tags and not section.worded:
            return None  # blank lines, and comments about nothing
        return _record(section, tags, words)
    except BadRecord as bad:
        return BadRecord(bad.message, bad.line)  # without the frames that led here


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Give an error its line."""
    try:
        yield
    except BadRecord:
        raise
    except LaserboardError as error:
        raise BadRecord(str(error), line) from error


# -- tags -----------------------------------------------------------------------------------------


def _read_tags(section: Section) -> tuple[dict[str, _Tag], list[Line]]:
    """The tags by name, and what stands behind them on their lines: the first moves."""
    tags: dict[str, _Tag] = {}
    rest: list[Line] = []
    for number, line in section.tags:
        at = 0
        while at == 0 or line.startswith("[", at):
            match = _TAG.match(line, at)
            if match is None:
                shown = excerpt(line[at:].strip())
                raise BadRecord(f'{shown} is no tag: write [Name "value"]', number)
            if rest:
                raise BadRecord("a tag after a move: end that game with its result", number)
            name, at = match[1], match.end()
            tag = _Tag(_ESCAPED.sub(r"\1", match[2]), number)
            with _at(number):
                check_tag(name, tag.value)
            if name in tags:
                raise BadRecord(f"the tag {name!r} is there twice; the other one is on line "
                                f"{tags[name].line}", number)  # fmt: skip
            tags[name] = tag
        if at < len(line):
            rest.append((number, line[at:]))
    return tags, rest


def _rules(tags: Mapping[str, _Tag], line: int) -> AnyGame:
    """The game that the tags `Game` and those of its options ask for."""
    name = tags.get("Game", _Tag(games.DEFAULT, line))
    with _at(name.line):
        rules = games.make(name.value)
        if rules.record_form != "text":
            raise Unwritable(f"{name.value} has no text form: its records are JSON")
    for tag_name, own in own_tags(rules).items():
        for written in (each for each in tags if each.lower() == tag_name and each != own):
            raise BadRecord(f"the tag {written!r} must be written {own!r}", tags[written].line)
    options = dict[str, str]()
    for tag_name, option in option_tags(rules).items():
        if tag_name in tags:
            options[option] = tags[tag_name].value
            with _at(tags[tag_name].line):
                rules = rules.with_options(options)
    return rules


# -- moves ----------------------------------------------------------------------------------------


def _read_words(lines: Sequence[Line], line: int) -> list[_Word]:
    """The moves and, last of them, the result; before all an empty word, for the comments that
    come before the first move."""
    words = [_Word("", line)]
    for kind, token, at in _tokens(lines):
        if kind == "word":
            if words[-1].text in RESULTS:
                raise BadRecord(f"{excerpt(token)} comes after the result {words[-1].text}: remove "
                                "it, or begin a new game behind a blank line", at)  # fmt: skip
            words.append(_Word(token, at))
        elif kind == "comment":
            _take_comment(words[-1], token, at)
        elif kind == "rest":
            # A comment to the end of its line may hold a brace; ours may not.
            _take_comment(words[-1], token.replace("}", ")"), at)
        elif token == "{":
            raise BadRecord("the comment that begins here is never closed: write a }", at)
        else:
            raise BadRecord("a } without a { before it: remove it", at)
    return words


def _tokens(lines: Sequence[Line]) -> Iterator[tuple[str, str, int]]:
    """What kind each token is of, the token, and the line where it begins."""
    text = "\n".join(line for _, line in lines)
    row = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        assert kind is not None, "every token is of some kind"
        if kind not in ("space", "number"):
            yield kind, match[kind], lines[row][0]
        row += match[0].count("\n")


def _take_comment(word: _Word, raw: str, line: int) -> None:
    """A comment belongs to the word before it."""
    try:
        text, *commands = _COMMAND.split(_BLANKS.sub(_fold, raw))
        for name, told in zip(commands[::3], commands[1::3], strict=True):
            _take(word, name, told)
        for part in (text, *commands[2::3]):
            remark = part.strip(" ")
            if remark:
                check_comment(remark)
                word.comments.append(remark)
    except LaserboardError as error:
        raise BadRecord(str(error), line) from error


def _fold(blanks: re.Match[str]) -> str:
    """Blanks are kept, but a line end is one space, whatever is around it."""
    return " " if blanks[0].strip(" ") else blanks[0]


def _take(word: _Word, name: str, text: str) -> None:
    """A command belongs to the move before it, and says one thing of it once."""
    if not word.text or word.text in RESULTS:
        raise Unwritable(f"this [%{name}] belongs to no move: write it behind one")
    if name in word.taken:
        raise Unwritable(f"a second [%{name}] for one move: leave one of them")
    word.taken.add(name)
    match name:
        case "clk":
            word.clock_ms = _read_clock(text)
        case "corrected":
            word.corrected = text.strip()
        case "eval":
            word.score = read_score(text)
        case "verdict":
            word.verdict = text.strip()
        case _:
            word.better = tuple(text.split())


def _read_clock(text: str) -> int:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise Unwritable(f"{excerpt(text.strip())} is no clock: write [%clk 0:09:51]")
    hours, minutes, seconds, fraction = match.groups("0")
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return 1000 * whole + int(fraction.ljust(3, "0"))


# -- together -------------------------------------------------------------------------------------


def _record(section: Section, tags: Mapping[str, _Tag], words: list[_Word]) -> Record:
    rules = _rules(tags, section.line)
    before, *moves = words
    result = _take_result(before, moves, section)
    if len(moves) > MOST_TURNS:
        raise BadRecord(f"more than {MOST_TURNS} turns in one game", moves[MOST_TURNS].line)
    begun = _begin(rules, tags, section.line)
    try:
        settled, ended = settle(
            rules,
            begun.first(),
            (Made((word.text,), word.corrected, word.better) for word in moves),
        )
        check_result(result.text, ended)
    except BadTurn as error:
        raise BadRecord(str(error), moves[error.index].line) from error
    except WrongResult as error:
        raise BadRecord(str(error), result.line) from error
    _check_result_tag(tags, result.text)
    return replace(
        begun,
        turns=tuple(_entry(written, word) for written, word in zip(settled, moves, strict=True)),
        result=result.text,
        comment=" ".join(before.comments),
    )


def _entry(written: Settled, word: _Word) -> Entry:
    judged = None
    with _at(word.line):
        if word.score is not None:
            judged = Judged(word.score, word.verdict, written.better)
        for name in sorted(word.taken & {"verdict", "better"}) if judged is None else ():
            raise Unwritable(f"a [%{name}] without a score: write [%eval +0.00] beside it")
    return Entry(written.moves, word.clock_ms, " ".join(word.comments), word.corrected, judged)


def _take_result(before: _Word, moves: list[_Word], section: Section) -> _Word:
    if not moves or moves[-1].text not in RESULTS:
        lines = [number for number, _ in (*section.tags, *section.moves)]
        raise BadRecord("the game has no end: write its result behind the last move, one of "
                        f"{', '.join(RESULTS)}", max(lines))  # fmt: skip
    result = moves.pop()
    (moves[-1] if moves else before).comments.extend(result.comments)
    return result


def _begin(rules: AnyGame, tags: Mapping[str, _Tag], line: int) -> Record:
    """The record as far as the tags tell it."""
    setup, start, seed = map(tags.get, ("Setup", "SN", "Seed"))
    own = own_tags(rules).values()
    where = start or setup or seed
    with _at(where.line if where else line):
        return Record(
            rules.name,
            setup=_setup_name(rules, setup.value) if setup else None,
            start=start.value if start else None,
            seed=_read_seed(seed.value) if seed else None,
            options=tuple(rules.options().items()),
            tags=tuple((name, tag.value) for name, tag in tags.items() if name not in own),
        )


def _setup_name(rules: AnyGame, text: str) -> str:
    """People write `Ace`."""
    return text.lower() if text.lower() in rules.setups() else text


def _read_seed(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,40}", text):
        raise Unwritable(f"{excerpt(text)} is no seed: a whole number")
    return int(text)


def _check_result_tag(tags: Mapping[str, _Tag], result: str) -> None:
    said = tags.get("Result")
    if said and said.value != result:
        raise BadRecord(f"the tag Result says {excerpt(said.value)}, but the moves end with "
                        f"{result}: make them agree", said.line)  # fmt: skip
