"""The sections of a rules page from top to bottom. Text has a fixed size, pictures are scaled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.beam import BeamEvent
from engine.draw import catalogue
from engine.draw.rules.blocks import (
    ACCENT,
    TEXT_MM,
    LayoutBlock,
    bullet_block,
    centre_block,
    row_of_blocks,
    spacer,
    stack_blocks,
    text_block,
    with_width,
)
from engine.draw.rules.content import PieceRules, RulesContent
from engine.draw.shapes import element
from engine.sentences import Sentence
from engine.tutorial import Chapter, Strike, StrikeEffect

SOFT_INK = "#5d6777"
LINE = "#cbd2dd"
TINT = "#f6f8fb"
SMALL_MM = 2.9
HEAD_MM = 4.4
COLUMN_GAP = 7.0
CARD_PAD = 2.2
CARD_GAP = 2.6
LESSON_GAP = 9.0
CAPTION_WIDTH = 40.0
REACH_SCALE = 0.74  # relative: these pictures show more cells
CHIP_MM, MARK_MM = 7.0, 4.6
MAX_BOARD_HEIGHT = 84.0
MAX_COLUMN_HEIGHT = 98.0  # of text beside a low board


class _PieceCard(NamedTuple):
    """The pictures of a kind of piece."""

    kind: str
    reach: LayoutBlock
    strikes: LayoutBlock


@dataclass(frozen=True, slots=True)
class RulesSections:
    content: RulesContent
    scale: float  # mm per hundredth of a cell
    width: float

    def blocks(self) -> list[LayoutBlock]:
        top, rest = self._opening()
        pieces = stack_blocks([self._key(), self._pieces()])
        return [self._heading(), top, pieces, *self._closing(rest)]

    # -- sections ----------------------------------------------------------------------------

    def _heading(self) -> LayoutBlock:
        sides = row_of_blocks([self._side(0), self._side(1)], 5, middled=True)
        name = text_block(self.content.game.title, self.width, 9.5, bold=True)
        aim = text_block(self.content.words.aim, self.width, 4.4, fill=ACCENT, bold=True)
        bar = element("path", d=f"M0 0H{self.width:.2f}", stroke=ACCENT, stroke_width=0.7)
        drawn = name.svg + sides.place_at(self.width - sides.width, 2.6)
        first = LayoutBlock(self.width, name.height, drawn)
        return stack_blocks([first, spacer(0.6), LayoutBlock(self.width, 2.6, bar), aim])

    def _side(self, owner: int) -> LayoutBlock:
        """The base of a side's pieces with its name."""
        chip = self.content.chips[owner]
        name = text_block(self.content.game.players[owner].capitalize(), 60, 4, bold=True)
        return row_of_blocks([chip.scaled(CHIP_MM / chip.width), name], 1.6, middled=True)

    def _opening(self) -> tuple[LayoutBlock, Sequence[Chapter]]:
        """The starting position beside the first chapters, and the chapters left over."""
        words, picture = self.content.words, self.content.board
        widest = min(0.5 * self.width, 350 * self.scale + 60)
        picture = picture.scaled(min(widest / picture.width, MAX_BOARD_HEIGHT / picture.height))
        board = picture.width
        column = self.width - board - COLUMN_GAP
        under = [
            row_of_blocks(
                [mark.scaled(MARK_MM / mark.width), text_block(caption, board - 8, SMALL_MM)],
                1.8,
                middled=True,
            )
            for mark, caption in self.content.marks
        ]
        left = stack_blocks([
            picture,
            spacer(1),
            text_block(words.start, board, SMALL_MM, fill=SOFT_INK),
            spacer(1.2),
            stack_blocks(under, 0.6),
        ])  # fmt: skip
        chapters: list[LayoutBlock] = []
        rest = list(words.chapters)
        while rest:
            more = [*chapters, _chapter(rest[0], column)]
            if chapters and stack_blocks(more, 3).height > max(left.height, MAX_COLUMN_HEIGHT):
                break
            chapters = more
            rest.pop(0)
        return row_of_blocks(
            [with_width(left, board), with_width(stack_blocks(chapters, 3), column)], COLUMN_GAP
        ), rest

    def _key(self) -> LayoutBlock:
        """The heading of the pieces, and the key to their pictures."""
        title = _title(catalogue.PIECES_TITLE())
        key = text_block(catalogue.PIECES_KEY(), self.width, SMALL_MM, fill=SOFT_INK)
        drawn = title.svg + key.place_at(self.width - key.width, 1.3)
        return LayoutBlock(self.width, title.height, drawn)

    def _pieces(self) -> LayoutBlock:
        """A card for each piece. Two small cards share a row."""
        drawn = []
        for row in self._rows():
            room = self._text_room(row)
            cards = [
                row_of_blocks(
                    [
                        reach,
                        with_width(_named_text(kind, self.content.words.pieces[kind], room), room),
                        strikes,
                    ],
                    3,
                    middled=True,
                )
                for kind, reach, strikes in row
            ]
            high = max(card.height for card in cards)
            drawn.append(row_of_blocks([_card(card, high) for card in cards], CARD_GAP))
        return stack_blocks(drawn, CARD_GAP)

    def min_text_width(self) -> float:
        """The width for text on the fullest card."""
        return min(map(self._text_room, self._rows()))

    def _rows(self) -> list[list[_PieceCard]]:
        shown = [
            _PieceCard(kind.name, kind.reach.scaled(REACH_SCALE * self.scale), self._strikes(kind))
            for kind in self.content.kinds
        ]
        small = [each for each in shown if each.strikes.width < 0.25 * self.width]
        pairs = [list(pair) for pair in zip(small[::2], small[1::2], strict=False)]
        return [[each] for each in shown if not any(each in pair for pair in pairs)] + pairs

    def _text_room(self, row: Sequence[_PieceCard]) -> float:
        fixed = sum(each.reach.width + each.strikes.width + 6 + 2 * CARD_PAD for each in row)
        return (self.width - fixed - CARD_GAP * (len(row) - 1)) / len(row)

    def _strikes(self, kind: PieceRules) -> LayoutBlock:
        alike = len({strike.heading for strike, _ in kind.strikes}) == 1
        return row_of_blocks(
            [
                self._strike(strike, picture.scaled(self.scale), alike=alike)
                for strike, picture in kind.strikes
            ],
            1.5,
        )

    def _strike(self, strike: Strike, picture: LayoutBlock, *, alike: bool) -> LayoutBlock:
        """A picture of a strike with a short caption."""
        effect = strike.effect
        captions = [text_block(_effect_caption(effect), CAPTION_WIDTH, SMALL_MM, bold=True)]
        if alike:
            any_side = catalogue.ANY_SIDE()
            captions.append(text_block(any_side, CAPTION_WIDTH, SMALL_MM, fill=SOFT_INK))
        room = max(block.width for block in (picture, *captions))
        blocks = (picture, spacer(0.7), *captions)
        stacked = stack_blocks([centre_block(block, room) for block in blocks])
        named = element("g", stacked.svg, class_="strike", data_kind=strike.piece.kind,
                    data_heading=strike.heading, data_what=effect.event)  # fmt: skip
        return LayoutBlock(stacked.width, stacked.height, named)

    def _closing(self, chapters: Sequence[Chapter]) -> list[LayoutBlock]:
        """The lessons, and the remaining chapters in two columns."""
        lessons, parts = self.content.lessons, list[LayoutBlock]()
        if len(lessons) == 1:
            picture = lessons[0][0].scaled(self.scale)
            caption = text_block(lessons[0][1], self.width - picture.width - 4 - 2 * CARD_PAD)
            row = with_width(
                row_of_blocks([picture, caption], 4, middled=True), self.width - 2 * CARD_PAD
            )
            parts.append(_card(row, row.height))
        elif lessons:
            title = _title(catalogue.LESSONS_TITLE())
            parts.append(stack_blocks([title, self._strip(lessons)]))
        if len(chapters) == 1:
            parts.append(with_width(_chapter(chapters[0], self.width), self.width))
        elif chapters:
            half = (self.width - COLUMN_GAP) / 2
            blocks = [with_width(_chapter(chapter, half), half) for chapter in chapters]
            columns = [stack_blocks(blocks[::2], 3), stack_blocks(blocks[1::2], 3)]
            parts.append(
                row_of_blocks([with_width(column, half) for column in columns], COLUMN_GAP)
            )
        return parts

    def _strip(self, lessons: Sequence[tuple[LayoutBlock, str]]) -> LayoutBlock:
        """Pictures with captions in a row, or in two rows if they would be too small."""
        needed = self.scale * sum(picture.width for picture, _ in lessons)
        free = self.width - LESSON_GAP * len(lessons)
        if needed > 1.15 * free:
            half = (len(lessons) + 1) // 2
            return stack_blocks([self._strip(lessons[:half]), self._strip(lessons[half:])], 3)
        scale = self.scale * min(1, free / needed)
        pictures = [picture.scaled(scale) for picture, _ in lessons]
        high = max(picture.height for picture in pictures)
        gap = (self.width - sum(picture.width for picture in pictures)) / len(lessons)
        column = self.width / len(lessons)
        even = all(picture.width + LESSON_GAP / 2 <= column for picture in pictures)
        blocks = []
        for picture, (_, text) in zip(pictures, lessons, strict=True):
            room = column if even else picture.width + gap
            raised = LayoutBlock(
                picture.width, high, picture.place_at(0, (high - picture.height) / 2)
            )
            caption = text_block(text, room - 4, centred=True)
            blocks.append(
                stack_blocks([centre_block(raised, room), spacer(1.2), centre_block(caption, room)])
            )
        return row_of_blocks(blocks, 0)


_EFFECTS = {
    BeamEvent.TURN: catalogue.BOUNCES,
    BeamEvent.ABSORB: catalogue.IS_STOPPED,
    BeamEvent.CAPTURE: catalogue.IS_OUT,
    BeamEvent.ANNIHILATE: catalogue.BEAMS_END,
    BeamEvent.PASS: catalogue.GOES_ON,
}


def _effect_caption(effect: StrikeEffect) -> Sentence:
    if effect.event is BeamEvent.DAMAGE:
        return catalogue.LOSES(hits=effect.lost_hit_points)
    return _EFFECTS[effect.event]()


def _title(text: str | Sentence) -> LayoutBlock:
    title = text_block(text, 200, HEAD_MM, bold=True)
    return LayoutBlock(title.width, title.height + 1.2, title.svg)


def _chapter(chapter: Chapter, room: float) -> LayoutBlock:
    lines = [bullet_block(line, room) for line in chapter.lines]
    return stack_blocks([_title(chapter.title), stack_blocks(lines, 0.9)])


def _named_text(kind: str, text: str, room: float) -> LayoutBlock:
    return stack_blocks([
        text_block(kind.capitalize(), room, 4, bold=True),
        spacer(0.6),
        text_block(text, room, TEXT_MM),
    ])  # fmt: skip


def _card(inside: LayoutBlock, height: float) -> LayoutBlock:
    """A frame with round corners."""
    wide_mm, high_mm = inside.width + 2 * CARD_PAD, height + 2 * CARD_PAD
    frame = element("rect", width=wide_mm, height=high_mm, rx=2.2, fill=TINT, stroke=LINE,
                stroke_width=0.25)  # fmt: skip
    placed = inside.place_at(CARD_PAD, CARD_PAD + (height - inside.height) / 2)
    return LayoutBlock(wide_mm, high_mm, frame + placed)
