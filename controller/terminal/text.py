"""Lines of a screen, made of pieces in a colour each: cut, wrapped and padded to columns. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from controller.terminal.sheet import code
from engine.draw import palette

DIM = "#7c89a3"
CUT = "…"


@dataclass(frozen=True, slots=True)
class Span:
    """Some text in one colour; None is that of the terminal."""

    text: str
    ink: str | None = None
    bold: bool = False


Line = Sequence[Span]


def plain(text: str, ink: str | None = palette.INK) -> Line:
    return (Span(text, ink),)


def bold(text: str, ink: str | None = palette.PAPER) -> Line:
    return (Span(text, ink, bold=True),)


def dim(text: str) -> Line:
    return (Span(text, DIM),)


def clean(text: str) -> str:
    """Text on one line, without anything that would move the cursor."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def width(text: str) -> int:
    """How many columns a terminal takes for it."""
    return sum(map(_columns, text))


def _columns(sign: str) -> int:
    if combining(sign):
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """As much as fits, with a sign that there was more."""
    text = clean(text)
    if width(text) <= columns:
        return text
    kept, used = "", width(CUT)
    for sign in text:
        used += _columns(sign)
        if used > columns:
            break
        kept += sign
    return kept.rstrip() + CUT if columns > 0 else ""


def wrapped(text: str, columns: int, most: int) -> list[str]:
    """At most so many lines, broken between words; what is left over is cut."""
    lines = [""]
    for word in clean(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer) <= columns or not lines[-1] or len(lines) == most:
            lines[-1] = longer
        else:
            lines.append(word)
    return [cut(line, columns) for line in lines]


def painted(line: Line, columns: int, *, colour: bool, pad: bool = False) -> str:
    """The line in at most so many columns, in all of them if it is padded."""
    text, left = "", columns
    for span in line:
        shown = cut(span.text, left)
        left -= width(shown)
        if colour and shown.strip() and (span.ink or span.bold):
            text += code(span.ink, None, bold=span.bold) + shown + "\x1b[0m"
        else:
            text += shown
        if left <= 0:
            break
    return text + " " * left if pad else text


def spread(left: Line, right: Line, columns: int) -> Line:
    """Two pieces of a line at both ends of it."""
    between = columns - sum(width(span.text) for span in (*left, *right))
    return (*left, Span(" " * max(between, 1)), *right)


def joined(lines: Iterable[Line], between: str) -> Line:
    """Lines as one."""
    spans: list[Span] = []
    for line in lines:
        spans += [Span(between, DIM), *line] if spans else line
    return spans
