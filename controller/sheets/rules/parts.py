"""The parts of a page, from top to bottom: words have one size, pictures follow the scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from controller.sheets.rules.blocks import (
    ACCENT,
    TEXT_MM,
    Block,
    below,
    beside,
    bulleted,
    centred,
    space,
    text,
    wide,
)
from controller.sheets.rules.matter import Kind, Matter
from engine.beam import What
from engine.draw.shapes import tag
from engine.primer import Chapter, Effect, Strike

SOFT = "#5d6777"
LINE = "#cbd2dd"
TINT = "#f6f8fb"
SMALL_MM = 2.9
HEAD_MM = 4.4
COLUMN_GAP = 7.0
CARD_PAD = 2.2
CARD_GAP = 2.6
LESSON_GAP = 9.0
CAPTION = 40.0
REACH = 0.74  # of the scale: these pictures show more cells
CHIP_MM, MARK_MM = 7.0, 4.6
HIGHEST_BOARD = 84.0
HIGHEST_COLUMN = 98.0  # of words beside a low board


class _Shown(NamedTuple):
    """A kind of piece in pictures."""

    kind: str
    reach: Block
    strikes: Block


@dataclass(frozen=True, slots=True)
class Parts:
    matter: Matter
    scale: float  # millimetres for a hundredth of a cell
    width: float

    def drawn(self) -> list[Block]:
        top, rest = self._opening()
        pieces = below([self._key(), self._pieces()])
        return [self._heading(), top, pieces, *self._closing(rest)]

    # -- the parts ---------------------------------------------------------------------------

    def _heading(self) -> Block:
        sides = beside([self._side(0), self._side(1)], 5, middled=True)
        name = text(self.matter.game.title, self.width, 9.5, bold=True)
        aim = text(self.matter.words.aim, self.width, 4.4, fill=ACCENT, bold=True)
        bar = tag("path", d=f"M0 0H{self.width:.2f}", stroke=ACCENT, stroke_width=0.7)
        drawn = name.svg + sides.at(self.width - sides.width, 2.6)
        first = Block(self.width, name.height, drawn)
        return below([first, space(0.6), Block(self.width, 2.6, bar), aim])

    def _side(self, owner: int) -> Block:
        """Whose pieces look how."""
        chip = self.matter.chips[owner]
        name = text(self.matter.game.players[owner].capitalize(), 60, 4, bold=True)
        return beside([chip.scaled(CHIP_MM / chip.width), name], 1.6, middled=True)

    def _opening(self) -> tuple[Block, Sequence[Chapter]]:
        """The set-up with the first chapters beside it, and the chapters that had no room."""
        words, picture = self.matter.words, self.matter.board
        widest = min(0.5 * self.width, 350 * self.scale + 60)
        picture = picture.scaled(min(widest / picture.width, HIGHEST_BOARD / picture.height))
        board = picture.width
        column = self.width - board - COLUMN_GAP
        under = [
            beside([mark.scaled(MARK_MM / mark.width), text(said, board - 8, SMALL_MM)], 1.8,
                   middled=True)
            for mark, said in self.matter.marks
        ]  # fmt: skip
        left = below([
            picture,
            space(1),
            text(words.start, board, SMALL_MM, fill=SOFT),
            space(1.2),
            below(under, 0.6),
        ])  # fmt: skip
        told: list[Block] = []
        rest = list(words.chapters)
        while rest:
            more = [*told, _chapter(rest[0], column)]
            if told and below(more, 3).height > max(left.height, HIGHEST_COLUMN):
                break
            told = more
            rest.pop(0)
        return beside([wide(left, board), wide(below(told, 3), column)], COLUMN_GAP), rest

    def _key(self) -> Block:
        """The heading of the pieces, and how to read their pictures."""
        title = _title("The pieces, and what a beam does to them")
        said = text("black arrows: where it may go and turn; coloured arrow: a beam",
                    self.width, SMALL_MM, fill=SOFT)  # fmt: skip
        drawn = title.svg + said.at(self.width - said.width, 1.3)
        return Block(self.width, title.height, drawn)

    def _pieces(self) -> Block:
        """A card for each piece; two that need little room share a row."""
        drawn = []
        for row in self._rows():
            room = self._text_room(row)
            cards = [
                beside(
                    [
                        reach,
                        wide(_named(kind, self.matter.words.pieces[kind], room), room),
                        strikes,
                    ],
                    3,
                    middled=True,
                )
                for kind, reach, strikes in row
            ]
            high = max(card.height for card in cards)
            drawn.append(beside([_card(card, high) for card in cards], CARD_GAP))
        return below(drawn, CARD_GAP)

    def narrowest(self) -> float:
        """The room for words on the fullest card."""
        return min(map(self._text_room, self._rows()))

    def _rows(self) -> list[list[_Shown]]:
        shown = [
            _Shown(kind.name, kind.reach.scaled(REACH * self.scale), self._strikes(kind))
            for kind in self.matter.kinds
        ]
        small = [each for each in shown if each.strikes.width < 0.25 * self.width]
        pairs = [list(pair) for pair in zip(small[::2], small[1::2], strict=False)]
        return [[each] for each in shown if not any(each in pair for pair in pairs)] + pairs

    def _text_room(self, row: Sequence[_Shown]) -> float:
        fixed = sum(each.reach.width + each.strikes.width + 6 + 2 * CARD_PAD for each in row)
        return (self.width - fixed - CARD_GAP * (len(row) - 1)) / len(row)

    def _strikes(self, kind: Kind) -> Block:
        alike = len({strike.heading for strike, _ in kind.strikes}) == 1
        return beside(
            [
                self._strike(strike, picture.scaled(self.scale), alike=alike)
                for strike, picture in kind.strikes
            ],
            1.5,
        )

    def _strike(self, strike: Strike, picture: Block, *, alike: bool) -> Block:
        """A picture, and what it shows in a word or two."""
        effect = strike.effect
        outcome = text(_outcome(effect), CAPTION, SMALL_MM, bold=True)
        said = [outcome, text("any side", CAPTION, SMALL_MM, fill=SOFT)] if alike else [outcome]
        room = max(block.width for block in (picture, *said))
        whole = below([centred(block, room) for block in (picture, space(0.7), *said)])
        named = tag("g", whole.svg, class_="strike", data_kind=strike.piece.kind,
                    data_heading=strike.heading, data_what=effect.what)  # fmt: skip
        return Block(whole.width, whole.height, named)

    def _closing(self, chapters: Sequence[Chapter]) -> list[Block]:
        """What is left to say: lessons, and chapters in two columns."""
        lessons, parts = self.matter.lessons, list[Block]()
        if len(lessons) == 1:
            picture = lessons[0][0].scaled(self.scale)
            said = text(lessons[0][1], self.width - picture.width - 4 - 2 * CARD_PAD)
            whole = wide(beside([picture, said], 4, middled=True), self.width - 2 * CARD_PAD)
            parts.append(_card(whole, whole.height))
        elif lessons:
            parts.append(below([_title("Good to know"), self._strip(lessons)]))
        if len(chapters) == 1:
            parts.append(wide(_chapter(chapters[0], self.width), self.width))
        elif chapters:
            half = (self.width - COLUMN_GAP) / 2
            blocks = [wide(_chapter(chapter, half), half) for chapter in chapters]
            columns = [below(blocks[::2], 3), below(blocks[1::2], 3)]
            parts.append(beside([wide(column, half) for column in columns], COLUMN_GAP))
        return parts

    def _strip(self, lessons: Sequence[tuple[Block, str]]) -> Block:
        """Pictures in a row, or in two where they would be too small, their words below."""
        needed = self.scale * sum(picture.width for picture, _ in lessons)
        free = self.width - LESSON_GAP * len(lessons)
        if needed > 1.15 * free:
            half = (len(lessons) + 1) // 2
            return below([self._strip(lessons[:half]), self._strip(lessons[half:])], 3)
        scale = self.scale * min(1, free / needed)
        pictures = [picture.scaled(scale) for picture, _ in lessons]
        high = max(picture.height for picture in pictures)
        gap = (self.width - sum(picture.width for picture in pictures)) / len(lessons)
        column = self.width / len(lessons)
        even = all(picture.width + LESSON_GAP / 2 <= column for picture in pictures)
        blocks = []
        for picture, (_, said) in zip(pictures, lessons, strict=True):
            room = column if even else picture.width + gap
            raised = Block(picture.width, high, picture.at(0, (high - picture.height) / 2))
            caption = text(said, room - 4, centred=True)
            blocks.append(below([centred(raised, room), space(1.2), centred(caption, room)]))
        return beside(blocks, 0)


_OUTCOMES = {
    What.TURN: "bounces",
    What.ABSORB: "is stopped",
    What.CAPTURE: "out!",
    What.ANNIHILATE: "beams end",
    What.PASS: "goes on",
}


def _outcome(effect: Effect) -> str:
    return f"loses {effect.lost}" if effect.what is What.DAMAGE else _OUTCOMES[effect.what]


def _title(said: str) -> Block:
    title = text(said, 200, HEAD_MM, bold=True)
    return Block(title.width, title.height + 1.2, title.svg)


def _chapter(chapter: Chapter, room: float) -> Block:
    lines = [bulleted(line, room) for line in chapter.lines]
    return below([_title(chapter.title), below(lines, 0.9)])


def _named(kind: str, said: str, room: float) -> Block:
    return below([
        text(kind.capitalize(), room, 4, bold=True),
        space(0.6),
        text(said, room, TEXT_MM),
    ])  # fmt: skip


def _card(inside: Block, height: float) -> Block:
    """A frame with round corners."""
    wide_mm, high_mm = inside.width + 2 * CARD_PAD, height + 2 * CARD_PAD
    frame = tag("rect", width=wide_mm, height=high_mm, rx=2.2, fill=TINT, stroke=LINE,
                stroke_width=0.25)  # fmt: skip
    placed = inside.at(CARD_PAD, CARD_PAD + (height - inside.height) / 2)
    return Block(wide_mm, high_mm, frame + placed)
