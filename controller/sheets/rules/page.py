"""The page of a game: all it has to say on one side of paper, the pictures as large as fit."""

from __future__ import annotations

from collections.abc import Iterator

from controller.sheets.page import Page, Paper, page
from controller.sheets.rules.blocks import below
from controller.sheets.rules.matter import matter_of
from controller.sheets.rules.parts import Parts
from engine.draw.shapes import tag
from engine.errors import LaserboardError
from engine.game import AnyGame, Position

MARGIN_MM = 10.0
LARGEST, SMALLEST, STEP = 0.12, 0.05, 0.002  # millimetres for a hundredth of a cell
LEAST_GAP, WIDEST_GAP = 3.2, 9.0  # between parts
LEAST_TEXT = 33.0  # narrower columns are hard to read


class TooMuchToSay(LaserboardError, ValueError):
    """A game whose words and pictures do not fit on one page."""


def rules_page(game: AnyGame, paper: Paper, start: Position | None = None) -> Page:
    """How the game is played under its options; `start` is shown as the set-up."""
    matter = matter_of(game, start)
    width, height = paper.width_mm - 2 * MARGIN_MM, paper.height_mm - 2 * MARGIN_MM
    for scale in _scales():
        parts = Parts(matter, scale, width)
        drawn = parts.drawn()
        gap = (height - sum(part.height for part in drawn)) / (len(drawn) - 1)
        if gap >= LEAST_GAP and parts.narrowest() >= LEAST_TEXT:
            whole = below(drawn, min(gap, WIDEST_GAP))
            return page(paper, [_white(paper), whole.at(MARGIN_MM, MARGIN_MM)])
    raise TooMuchToSay(
        f"the rules of {game.title} do not fit on one {paper.name} page: "
        f"shorten engine/data/rules/{game.name}.yml"
    )


def _scales() -> Iterator[float]:
    for i in range(round((LARGEST - SMALLEST) / STEP) + 1):
        yield LARGEST - STEP * i


def _white(paper: Paper) -> str:
    """A screen may be dark; the words are too."""
    return tag("rect", width=paper.width_mm, height=paper.height_mm, fill="#ffffff")
