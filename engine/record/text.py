"""Writes the PGN-like text form of records: tags, a blank line, numbered moves, the result.

Only for games whose moves are words and whose players take turns. A record has exactly one text,
and reading that gives an equal record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine import games
from engine.record import catalogue
from engine.record.annotations import Unwritable, write_score
from engine.record.values import Record, RecordedTurn, option_tags, tag_order

WIDTH = 80
_LONE_SPACE = re.compile(r"(?<! ) (?! )")


def write_text(record: Record) -> str:
    """A record as text, with a line end after the last line."""
    if record.rules().record_form != "text":
        raise Unwritable(catalogue.NO_TEXT_FORM(game=record.game))
    tags = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in _tags(record))
    return f"{tags}\n{_wrap(_movetext_parts(record))}\n"


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    """All tags in order, including those made from fields of the record."""
    rules = record.rules()
    tags = dict(record.tags) | {"Result": record.result}
    if record.start is not None:
        tags["SN"] = record.start
    elif record.setup is not None:
        tags["Setup"] = record.setup
    if record.game != games.DEFAULT:
        tags["Game"] = record.game
    if record.seed is not None:
        tags["Seed"] = str(record.seed)
    names = {option: tag for tag, option in option_tags(rules).items()}
    for option, value in record.options:
        tags[names[option]] = "none" if value is None else str(value)
    for name in tag_order(rules):
        if name in tags:
            yield name, tags.pop(name)
    yield from tags.items()


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _movetext_parts(record: Record) -> Iterator[str]:
    """The moves and comments in parts. A line may end after each part."""
    yield from _comment_parts((), record.comment)
    first = record.rules().to_move(record.first_position())[0]
    interrupted = True
    for turn, entry in enumerate(record.turns, first):
        number, second = turn // 2 + 1, turn % 2
        prefix = f"{number}... " if interrupted else ""
        yield f"{prefix if second else f'{number}. '}{entry.moves[0]}"
        yield from _comment_parts(_commands(entry), entry.comment)
        interrupted = entry != RecordedTurn(entry.moves)
    yield record.result


def _commands(entry: RecordedTurn) -> Iterator[str]:
    """The commands of a turn's comment, such as `[%clk 0:09:51]`."""
    if entry.clock_ms is not None:
        yield f"[%clk {write_clock(entry.clock_ms)}]"
    if entry.corrected is not None:
        yield f"[%corrected {entry.corrected}]"
    if entry.annotation is not None:
        yield f"[%eval {write_score(entry.annotation.score)}]"
        if entry.annotation.verdict:
            yield f"[%verdict {entry.annotation.verdict}]"
        if entry.annotation.better:
            yield f"[%better {' '.join(entry.annotation.better)}]"


def _comment_parts(commands: Iterable[str], comment: str) -> Iterator[str]:
    """`{[%clk 0:09:51] words}`, split where a line may end.

    Reading turns a line end into one space, so only single spaces split. A line must not begin
    like a tag or an escape.
    """
    before = " ".join(commands)
    words = [before] if before else []
    for word in _LONE_SPACE.split(comment) if comment else ():
        if words and word[0] in "[%":
            words[-1] += f" {word}"
        else:
            words.append(word)
    if words:
        words[0] = "{" + words[0]
        words[-1] += "}"
    yield from words


def write_clock(clock_ms: int) -> str:
    """`0:09:51`, or `0:09:51.250` for a fraction of a second."""
    seconds, ms = divmod(clock_ms, 1000)
    minutes, second = divmod(seconds, 60)
    fraction = f".{ms:03}" if ms else ""
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}{fraction}"


def _wrap(pieces: Iterator[str]) -> str:
    lines: list[str] = []
    line = next(pieces)
    for piece in pieces:
        if len(line) + 1 + len(piece) > WIDTH:
            lines.append(line)
            line = piece
        else:
            line += f" {piece}"
    return "\n".join((*lines, line))
