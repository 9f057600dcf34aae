"""What a page has to say and to show: asked of the game once, however often it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from controller.sheets.rules.blocks import Block
from controller.sheets.rules.figures import Artist
from engine.game import AnyGame, Position
from engine.primer import Strike, Words


class Kind(NamedTuple):
    """One kind of piece."""

    name: str
    reach: Block
    strikes: Sequence[tuple[Strike, Block]]


@dataclass(frozen=True, slots=True)
class Matter:
    """All pictures are in hundredths of a cell."""

    game: AnyGame
    words: Words
    board: Block
    chips: Sequence[Block]  # of the two sides
    marks: Sequence[tuple[Block, str]]
    kinds: Sequence[Kind]
    lessons: Sequence[tuple[Block, str]]


def matter_of(game: AnyGame, start: Position | None = None) -> Matter:
    primer, artist = game.primer(), Artist(game)
    words, lessons = primer.words, primer.lessons()
    position = game.start() if start is None else start
    there = set(game.marks(position).values())
    return Matter(
        game,
        words,
        artist.set_up(position),
        [artist.chip(owner, position.grid.headings) for owner in range(len(game.players))],
        [
            (artist.mark(mark, position), said)
            for mark, said in words.marks.items()
            if mark in there
        ],
        [
            Kind(
                piece.kind,
                artist.reach(primer.reach(piece)),
                [(strike, artist.strike(strike)) for strike in primer.strikes(piece)],
            )
            for piece in primer.pieces()
        ],
        [(artist.lesson(lessons[name]), said) for name, said in words.lessons.items() if said],
    )
