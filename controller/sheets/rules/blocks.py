"""Parts of a page that know how large they are: text, and parts beside and below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from controller.sheets.letters import width, wrapped
from controller.sheets.page import INK, words
from engine.draw.shapes import Point, circle, moved_to, tag

TEXT_MM = 3.3
LEADING = 1.32  # from line to line, in sizes
ACCENT = "#c2303a"


@dataclass(frozen=True, slots=True)
class Block:
    """Something drawn from (0, 0) to its width and height, in millimetres."""

    width: float
    height: float
    svg: str

    def at(self, x: float, y: float) -> str:
        return tag("g", self.svg, transform=moved_to(Point(x, y))) if self.svg else ""

    def scaled(self, scale: float) -> Block:
        shrunk = tag("g", self.svg, transform=f"scale({scale:.5f})")
        return Block(scale * self.width, scale * self.height, shrunk)


def space(height: float) -> Block:
    return Block(0, height, "")


def text(
    what: str, room: float, size: float = TEXT_MM, *, bold: bool = False, fill: str = INK,
    centred: bool = False,
) -> Block:  # fmt: skip
    lines = list(wrapped(what, size, room, bold=bold))
    x, anchor = (room / 2, "middle") if centred else (0.0, "start")
    drawn = "".join(
        words(line, x, size * (0.95 + LEADING * row), size, bold=bold, fill=fill, anchor=anchor)
        for row, line in enumerate(lines)
    )
    widest = max((width(line, size, bold=bold) for line in lines), default=0.0)
    return Block(room if centred else widest, size * LEADING * len(lines), drawn)


def bulleted(what: str, room: float, size: float = TEXT_MM) -> Block:
    indent = 0.95 * size
    dot = circle(Point(0.28 * size, 0.62 * size), 0.17 * size, fill=ACCENT)
    said = text(what, room - indent, size)
    return Block(room, said.height, dot + said.at(indent, 0))


def below(blocks: Sequence[Block], gap: float = 0.0) -> Block:
    """One under the other, all from the left."""
    tops = accumulate((block.height + gap for block in blocks), initial=0.0)
    drawn = "".join(block.at(0, top) for block, top in zip(blocks, tops, strict=False))
    height = sum(block.height for block in blocks) + gap * max(0, len(blocks) - 1)
    return Block(max((block.width for block in blocks), default=0.0), height, drawn)


def beside(blocks: Sequence[Block], gap: float, *, middled: bool = False) -> Block:
    """From left to right, along their tops or their middles."""
    height = max((block.height for block in blocks), default=0.0)
    lefts = accumulate((block.width + gap for block in blocks), initial=0.0)
    drawn = "".join(
        block.at(left, (height - block.height) / 2 if middled else 0)
        for block, left in zip(blocks, lefts, strict=False)
    )
    total = sum(block.width for block in blocks) + gap * max(0, len(blocks) - 1)
    return Block(total, height, drawn)


def wide(block: Block, width: float) -> Block:
    """The same, taking up that much room."""
    return Block(width, block.height, block.svg)


def centred(block: Block, width: float) -> Block:
    return Block(width, block.height, block.at((width - block.width) / 2, 0))
