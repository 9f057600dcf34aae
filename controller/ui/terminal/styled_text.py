"""Styled lines of a screen: spans of text with colours, truncated, wrapped and padded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from controller.ui.terminal.canvas import colour_code
from engine.draw import palette
from engine.sentences import Sentence

DIM = "#7c89a3"
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Span:
    """Text in one colour; None is the terminal's colour."""

    text: str
    ink: str | None = None
    bold: bool = False


StyledLine = Sequence[Span]


def plain(text: str | Sentence, ink: str | None = palette.INK) -> StyledLine:
    return (Span(str(text), ink),)


def bold(text: str | Sentence, ink: str | None = palette.PAPER) -> StyledLine:
    return (Span(str(text), ink, bold=True),)


def dim(text: str | Sentence) -> StyledLine:
    return (Span(str(text), DIM),)


def single_line(text: str) -> str:
    """Replace characters that would move the cursor by spaces."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def display_width(text: str) -> int:
    """The number of terminal columns of a text."""
    return sum(map(_character_columns, text))


def _character_columns(sign: str) -> int:
    if combining(sign):
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1


def truncate(text: str, columns: int) -> str:
    """Shorten a text to `columns`, ending in an ellipsis."""
    text = single_line(text)
    if display_width(text) <= columns:
        return text
    kept, used = "", display_width(ELLIPSIS)
    for sign in text:
        used += _character_columns(sign)
        if used > columns:
            break
        kept += sign
    return kept.rstrip() + ELLIPSIS if columns > 0 else ""


def wrap_lines(text: str, columns: int, most_lines: int) -> list[str]:
    """Wrap a text at words into at most `most_lines` lines; the last is truncated."""
    lines = [""]
    for word in single_line(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if display_width(longer) <= columns or not lines[-1] or len(lines) == most_lines:
            lines[-1] = longer
        else:
            lines.append(word)
    return [truncate(line, columns) for line in lines]


def render_line(line: StyledLine, columns: int, *, colour: bool, pad: bool = False) -> str:
    """Render a line in at most `columns`; with `pad`, in exactly that many."""
    text, left = "", columns
    for span in line:
        shown = truncate(span.text, left)
        left -= display_width(shown)
        if colour and shown.strip() and (span.ink or span.bold):
            text += colour_code(span.ink, None, bold=span.bold) + shown + "\x1b[0m"
        else:
            text += shown
        if left <= 0:
            break
    return text + " " * left if pad else text


def justify(left: StyledLine, right: StyledLine, columns: int) -> StyledLine:
    """Put one part at the left end and one at the right end of a line."""
    between = columns - sum(display_width(span.text) for span in (*left, *right))
    return (*left, Span(" " * max(between, 1)), *right)


def join_lines(lines: Iterable[StyledLine], between: str) -> StyledLine:
    """Join lines into one, separated by `between`."""
    spans: list[Span] = []
    for line in lines:
        spans += [Span(between, DIM), *line] if spans else line
    return spans
