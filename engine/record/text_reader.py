"""Reads the PGN-like text form of records. Layout is free, content is checked.

Every fault is a `BadRecord` with the line of the faulty word.
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
from engine.record import catalogue
from engine.record.annotations import RecordAnnotation, Unwritable, read_score
from engine.record.play import (
    BadTurn,
    CanonicalTurn,
    UncheckedTurn,
    WrongResult,
    canonicalise,
    check_result,
)
from engine.record.splitter import GameSection, Line, split_games
from engine.record.values import (
    COMMANDS,
    MAX_TURNS,
    RESULTS,
    Record,
    RecordedTurn,
    check_comment,
    check_tag,
    option_tags,
    reserved_tags,
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
    """A move or a result in the text, and the comments after it."""

    text: str
    line: int
    clock_ms: int | None = None
    corrected: str | None = None
    score: int | None = None
    verdict: str = ""
    better: tuple[str, ...] = ()
    comments: list[str] = field(default_factory=list)
    seen_commands: set[str] = field(default_factory=set)


def read_text(text: str) -> Iterator[Record | BadRecord]:
    """The games of a text with line feeds. Broken games are yielded as errors."""
    for section in split_games(text):
        game = _read_section(section)
        if game is not None:
            yield game


def _read_section(section: GameSection) -> Record | BadRecord | None:
    try:
        tags, rest = _read_tags(section)
        words = _read_words([*rest, *section.moves], section.line)
        if not tags and not section.has_words:
            return None  # only blank lines and comments
        return _record(section, tags, words)
    except BadRecord as error:
        return BadRecord(error.message, error.line)  # without a traceback that holds the text


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Add the line to an error."""
    try:
        yield
    except BadRecord:
        raise
    except LaserboardError as error:
        raise BadRecord(error.sentence, line) from error


# -- tags -----------------------------------------------------------------------------------------


def _read_tags(section: GameSection) -> tuple[dict[str, _Tag], list[Line]]:
    """The tags by name, and the rest of their lines: the first moves."""
    tags: dict[str, _Tag] = {}
    rest: list[Line] = []
    for number, line in section.tags:
        at = 0
        while at == 0 or line.startswith("[", at):
            match = _TAG.match(line, at)
            if match is None:
                shown = excerpt(line[at:].strip())
                raise BadRecord(catalogue.NOT_A_TAG(text=shown), number)
            if rest:
                raise BadRecord(catalogue.TAG_AFTER_MOVE(), number)
            name, at = match[1], match.end()
            tag = _Tag(_ESCAPED.sub(r"\1", match[2]), number)
            with _at(number):
                check_tag(name, tag.value)
            if name in tags:
                raise BadRecord(catalogue.TAG_TWICE_ON_LINE(tag=name, line=tags[name].line), number)
            tags[name] = tag
        if at < len(line):
            rest.append((number, line[at:]))
    return tags, rest


def _rules(tags: Mapping[str, _Tag], line: int) -> AnyGame:
    """The game of the tag `Game`, with the options of their tags."""
    name = tags.get("Game", _Tag(games.DEFAULT, line))
    with _at(name.line):
        rules = games.make(name.value)
        if rules.record_form != "text":
            raise Unwritable(catalogue.RECORDS_ARE_JSON(game=name.value))
    for tag_name, own in reserved_tags(rules).items():
        for written in (each for each in tags if each.lower() == tag_name and each != own):
            raise BadRecord(catalogue.TAG_SPELLING(tag=written, own=own), tags[written].line)
    options = dict[str, str]()
    for tag_name, option in option_tags(rules).items():
        if tag_name in tags:
            options[option] = tags[tag_name].value
            with _at(tags[tag_name].line):
                rules = rules.with_options(options)
    return rules


# -- moves ----------------------------------------------------------------------------------------


def _read_words(lines: Sequence[Line], line: int) -> list[_Word]:
    """An empty word for the comments before the first move, then the moves and the result."""
    words = [_Word("", line)]
    for kind, token, at in _tokens(lines):
        if kind == "word":
            if words[-1].text in RESULTS:
                raise BadRecord(
                    catalogue.AFTER_THE_RESULT(text=excerpt(token), result=words[-1].text), at
                )
            words.append(_Word(token, at))
        elif kind == "comment":
            _take_comment(words[-1], token, at)
        elif kind == "rest":
            # A comment to the end of the line may hold a brace, a comment of a record may not.
            _take_comment(words[-1], token.replace("}", ")"), at)
        elif token == "{":
            raise BadRecord(catalogue.COMMENT_NOT_CLOSED(), at)
        else:
            raise BadRecord(catalogue.STRAY_BRACE(), at)
    return words


def _tokens(lines: Sequence[Line]) -> Iterator[tuple[str, str, int]]:
    """The kind of each token, the token, and the line where it begins."""
    text = "\n".join(line for _, line in lines)
    row = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        assert kind is not None, "every token has a kind"
        if kind not in ("space", "number"):
            yield kind, match[kind], lines[row][0]
        row += match[0].count("\n")


def _take_comment(word: _Word, raw: str, line: int) -> None:
    """Add a comment to the word before it."""
    try:
        text, *commands = _COMMAND.split(_BLANKS.sub(_fold, raw))
        for name, argument in zip(commands[::3], commands[1::3], strict=True):
            _take_command(word, name, argument)
        for part in (text, *commands[2::3]):
            remark = part.strip(" ")
            if remark:
                check_comment(remark)
                word.comments.append(remark)
    except LaserboardError as error:
        raise BadRecord(error.sentence, line) from error


def _fold(blanks: re.Match[str]) -> str:
    """Keep blanks, but turn a line end and the blanks around it into one space."""
    return " " if blanks[0].strip(" ") else blanks[0]


def _take_command(word: _Word, name: str, text: str) -> None:
    """Add a command to the move before it. Each command may occur once per move."""
    if not word.text or word.text in RESULTS:
        raise Unwritable(catalogue.COMMAND_WITHOUT_MOVE(command=name))
    if name in word.seen_commands:
        raise Unwritable(catalogue.COMMAND_TWICE(command=name))
    word.seen_commands.add(name)
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
        raise Unwritable(catalogue.NOT_A_CLOCK(value=excerpt(text.strip())))
    hours, minutes, seconds, fraction = match.groups("0")
    whole_seconds = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return 1000 * whole_seconds + int(fraction.ljust(3, "0"))


# -- the record -----------------------------------------------------------------------------------


def _record(section: GameSection, tags: Mapping[str, _Tag], words: list[_Word]) -> Record:
    rules = _rules(tags, section.line)
    before, *moves = words
    result = _take_result(before, moves, section)
    if len(moves) > MAX_TURNS:
        raise BadRecord(catalogue.MORE_TURNS_THAN(most=MAX_TURNS), moves[MAX_TURNS].line)
    record = _record_from_tags(rules, tags, section.line)
    try:
        turns, ended = canonicalise(
            rules,
            record.first_position(),
            (UncheckedTurn((word.text,), word.corrected, word.better) for word in moves),
        )
        check_result(result.text, ended)
    except BadTurn as error:
        raise BadRecord(error.sentence, moves[error.index].line) from error
    except WrongResult as error:
        raise BadRecord(error.sentence, result.line) from error
    _check_result_tag(tags, result.text)
    return replace(
        record,
        turns=tuple(_entry(turn, word) for turn, word in zip(turns, moves, strict=True)),
        result=result.text,
        comment=" ".join(before.comments),
    )


def _entry(turn: CanonicalTurn, word: _Word) -> RecordedTurn:
    annotation = None
    with _at(word.line):
        if word.score is not None:
            annotation = RecordAnnotation(word.score, word.verdict, turn.better)
        elif commands := sorted(word.seen_commands & {"verdict", "better"}):
            raise Unwritable(catalogue.COMMAND_WITHOUT_SCORE(command=commands[0]))
    return RecordedTurn(
        turn.moves, word.clock_ms, " ".join(word.comments), word.corrected, annotation
    )


def _take_result(before: _Word, moves: list[_Word], section: GameSection) -> _Word:
    if not moves or moves[-1].text not in RESULTS:
        lines = [number for number, _ in (*section.tags, *section.moves)]
        raise BadRecord(catalogue.NO_RESULT(results=RESULTS), max(lines))
    result = moves.pop()
    (moves[-1] if moves else before).comments.extend(result.comments)
    return result


def _record_from_tags(rules: AnyGame, tags: Mapping[str, _Tag], line: int) -> Record:
    """The record without its turns, from the tags."""
    setup, start, seed = map(tags.get, ("Setup", "SN", "Seed"))
    own = reserved_tags(rules).values()
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
    """The name of a setup. People write `Ace` for `ace`."""
    return text.lower() if text.lower() in rules.setups() else text


def _read_seed(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,40}", text):
        raise Unwritable(catalogue.NOT_A_SEED(value=excerpt(text)))
    return int(text)


def _check_result_tag(tags: Mapping[str, _Tag], result: str) -> None:
    tag = tags.get("Result")
    if tag and tag.value != result:
        raise BadRecord(
            catalogue.RESULT_TAG_DIFFERS(value=excerpt(tag.value), result=result), tag.line
        )
