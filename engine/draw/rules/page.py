"""Lays out the rules of a game on one side of paper, with pictures as large as possible."""

from __future__ import annotations

from collections.abc import Iterator

from engine.draw.catalogue import RULES_DO_NOT_FIT
from engine.draw.page import Page, Paper, make_page
from engine.draw.rules.blocks import stack_blocks
from engine.draw.rules.content import collect_rules_content
from engine.draw.rules.sections import RulesSections
from engine.draw.shapes import element
from engine.errors import LaserboardError
from engine.game import AnyGame, Position

MARGIN_MM = 10.0
LARGEST, SMALLEST, STEP = 0.12, 0.05, 0.002  # scales in mm per hundredth of a cell
MIN_GAP, MAX_GAP = 3.2, 9.0  # between sections
MIN_TEXT_WIDTH = 33.0  # narrower columns are hard to read


class RulesDoNotFit(LaserboardError, ValueError):
    """A game whose rules do not fit on one page."""


def rules_page(game: AnyGame, paper: Paper, start: Position | None = None) -> Page:
    """The rules of the game with its options. `start` is shown as the starting position."""
    content = collect_rules_content(game, start)
    width, height = paper.width_mm - 2 * MARGIN_MM, paper.height_mm - 2 * MARGIN_MM
    for scale in _scales():
        sections = RulesSections(content, scale, width)
        blocks = sections.blocks()
        gap = (height - sum(block.height for block in blocks)) / (len(blocks) - 1)
        if gap >= MIN_GAP and sections.min_text_width() >= MIN_TEXT_WIDTH:
            stacked = stack_blocks(blocks, min(gap, MAX_GAP))
            return make_page(paper, [_white(paper), stacked.place_at(MARGIN_MM, MARGIN_MM)])
    raise RulesDoNotFit(
        RULES_DO_NOT_FIT(game=game.title, paper=paper.name, file=f"{game.name}.yml")
    )


def _scales() -> Iterator[float]:
    for i in range(round((LARGEST - SMALLEST) / STEP) + 1):
        yield LARGEST - STEP * i


def _white(paper: Paper) -> str:
    """A white background: the text is dark, and the screen may be dark too."""
    return element("rect", width=paper.width_mm, height=paper.height_mm, fill="#ffffff")
