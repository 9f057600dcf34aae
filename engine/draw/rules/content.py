"""The content of a rules page: texts and pictures, made once and laid out at several scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.draw.rules.blocks import LayoutBlock
from engine.draw.rules.figures import RulesIllustrator
from engine.game import AnyGame, Position
from engine.tutorial import Strike, TutorialText


class PieceRules(NamedTuple):
    """One kind of piece."""

    name: str
    reach: LayoutBlock
    strikes: Sequence[tuple[Strike, LayoutBlock]]


@dataclass(frozen=True, slots=True)
class RulesContent:
    """The texts and pictures of one game. Pictures are in hundredths of a cell."""

    game: AnyGame
    words: TutorialText
    board: LayoutBlock
    chips: Sequence[LayoutBlock]  # of the two sides
    marks: Sequence[tuple[LayoutBlock, str]]
    kinds: Sequence[PieceRules]
    lessons: Sequence[tuple[LayoutBlock, str]]


def collect_rules_content(game: AnyGame, start: Position | None = None) -> RulesContent:
    tutorial, illustrator = game.tutorial(), RulesIllustrator(game)
    words, lessons = tutorial.text, tutorial.lessons()
    position = game.start() if start is None else start
    marks, headings = set(game.marks(position).values()), position.grid.headings
    return RulesContent(
        game,
        words,
        illustrator.draw_setup(position),
        [illustrator.draw_chip(owner, headings) for owner in range(len(game.players))],
        [
            (illustrator.draw_mark(mark, position), caption)
            for mark, caption in words.marks.items()
            if mark in marks
        ],
        [
            PieceRules(
                piece.kind,
                illustrator.draw_reach(tutorial.move_range(piece)),
                [(strike, illustrator.draw_strike(strike)) for strike in tutorial.strikes(piece)],
            )
            for piece in tutorial.pieces()
        ],
        [
            (illustrator.draw_lesson(lessons[name]), caption)
            for name, caption in words.lessons.items()
            if caption
        ],
    )
