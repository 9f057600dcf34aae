"""Text widths in the font of the printed sheets, and line breaking.

The widths are a table here, because SVG is written without the PDF library, and both must break
lines at the same words.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.draw.page import to_latin1

# Helvetica widths in thousandths of the size, from space to tilde.
_REGULAR = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_BOLD = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
    975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
    333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
)  # fmt: skip
_WIDEST = 1015  # for characters outside the tables


def text_width(what: str, size: float, *, bold: bool = False) -> float:
    table = _BOLD if bold else _REGULAR
    codes = (ord(char) - 32 for char in to_latin1(what))
    return size / 1000 * sum(table[c] if 0 <= c < len(table) else _WIDEST for c in codes)


def wrap_text(what: str, size: float, max_width: float, *, bold: bool = False) -> Iterator[str]:
    """Lines no wider than `max_width`. A wider word gets a line of its own."""
    line: list[str] = []
    blank, reached = text_width(" ", size, bold=bold), 0.0
    for word in what.split():
        wide = text_width(word, size, bold=bold)
        if line and reached + blank + wide > max_width:
            yield " ".join(line)
            line, reached = [], 0.0
        reached += wide + (blank if line else 0.0)
        line.append(word)
    if line:
        yield " ".join(line)
