"""Layout blocks with a known size: text, and blocks beside or below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.draw.font_metrics import text_width, wrap_text
from engine.draw.page import INK, text_line
from engine.draw.shapes import Point, circle, element, translate
from engine.sentences import Sentence

TEXT_MM = 3.3
LEADING = 1.32  # line height, relative to the size
ACCENT = "#c2303a"


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """A drawing from (0, 0) to its width and height, in millimetres."""

    width: float
    height: float
    svg: str

    def place_at(self, x: float, y: float) -> str:
        return element("g", self.svg, transform=translate(Point(x, y))) if self.svg else ""

    def scaled(self, scale: float) -> LayoutBlock:
        shrunk = element("g", self.svg, transform=f"scale({scale:.5f})")
        return LayoutBlock(scale * self.width, scale * self.height, shrunk)


def spacer(height: float) -> LayoutBlock:
    return LayoutBlock(0, height, "")


def text_block(
    text: str | Sentence, room: float, size: float = TEXT_MM, *, bold: bool = False,
    fill: str = INK, centred: bool = False,
) -> LayoutBlock:  # fmt: skip
    lines = list(wrap_text(str(text), size, room, bold=bold))
    x, anchor = (room / 2, "middle") if centred else (0.0, "start")
    drawn = "".join(
        text_line(line, x, size * (0.95 + LEADING * row), size, bold=bold, fill=fill, anchor=anchor)
        for row, line in enumerate(lines)
    )
    widest = max((text_width(line, size, bold=bold) for line in lines), default=0.0)
    return LayoutBlock(room if centred else widest, size * LEADING * len(lines), drawn)


def bullet_block(text: str, room: float, size: float = TEXT_MM) -> LayoutBlock:
    indent = 0.95 * size
    dot = circle(Point(0.28 * size, 0.62 * size), 0.17 * size, fill=ACCENT)
    block = text_block(text, room - indent, size)
    return LayoutBlock(room, block.height, dot + block.place_at(indent, 0))


def stack_blocks(blocks: Sequence[LayoutBlock], gap: float = 0.0) -> LayoutBlock:
    """Blocks below each other, aligned left."""
    tops = accumulate((block.height + gap for block in blocks), initial=0.0)
    drawn = "".join(block.place_at(0, top) for block, top in zip(blocks, tops, strict=False))
    height = sum(block.height for block in blocks) + gap * max(0, len(blocks) - 1)
    return LayoutBlock(max((block.width for block in blocks), default=0.0), height, drawn)


def row_of_blocks(
    blocks: Sequence[LayoutBlock], gap: float, *, middled: bool = False
) -> LayoutBlock:
    """Blocks from left to right, aligned at the top or in the middle."""
    height = max((block.height for block in blocks), default=0.0)
    lefts = accumulate((block.width + gap for block in blocks), initial=0.0)
    drawn = "".join(
        block.place_at(left, (height - block.height) / 2 if middled else 0)
        for block, left in zip(blocks, lefts, strict=False)
    )
    total = sum(block.width for block in blocks) + gap * max(0, len(blocks) - 1)
    return LayoutBlock(total, height, drawn)


def with_width(block: LayoutBlock, width: float) -> LayoutBlock:
    """The same block with another width."""
    return LayoutBlock(width, block.height, block.svg)


def centre_block(block: LayoutBlock, width: float) -> LayoutBlock:
    return LayoutBlock(width, block.height, block.place_at((width - block.width) / 2, 0))
