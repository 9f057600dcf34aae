"""What a page has to say and to show: asked of the game once, however often it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.game import AnyGame, Mark, Position
from engine.primer import Lesson, Reach, Strike, Words


class Kind(NamedTuple):
    """One kind of piece."""

    name: str
    reach: Reach
    strikes: Sequence[Strike]


@dataclass(frozen=True, slots=True)
class Matter:
    game: AnyGame
    start: Position
    words: Words
    kinds: Sequence[Kind]
    lessons: Sequence[tuple[Lesson, str]]  # with their words
    marks: Sequence[tuple[Mark, str]]


def matter_of(game: AnyGame, start: Position | None = None) -> Matter:
    primer = game.primer()
    words, lessons = primer.words, primer.lessons()
    position = game.start() if start is None else start
    seen = set(game.marks(position).values())
    return Matter(
        game,
        position,
        words,
        [Kind(each.kind, primer.reach(each), primer.strikes(each)) for each in primer.pieces()],
        [(lessons[name], said) for name, said in words.lessons.items() if said],
        [(mark, said) for mark, said in words.marks.items() if mark in seen],
    )
