"""Sheets with all tags that games on a board need, each on its cap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.dimensions import CAP_BORDER_MM
from controller.builder.bodies.outlines import cap_outline
from controller.builder.printables.caps import PrintedCap, draw_cap
from controller.builder.printables.marks import ruler
from controller.session.sentences import join_and
from engine.draw import pieces as glyphs
from engine.draw.page import GREY, Page, Paper, make_page, text_line
from engine.draw.palette import Paint, SideShape, piece_tones, player_paints
from engine.errors import LaserboardError
from engine.game import AnyGame, Piece
from vision import tags
from vision.board import PhysicalBoard
from vision.scene.piece_shapes import Outline

HEAD_MM = 12.0
FOOT_MM = 12.0
GAP_MM = 2.0
WIDEST_GAP_MM = 6.0
TAB_MM = 3.0
LOWEST_BODY_MM = 8.0  # lower pieces show their kind on a tab


class CapTooLarge(LaserboardError, ValueError):
    """A cap does not fit on the paper."""


@dataclass(frozen=True, slots=True)
class PlacedCap:
    """A cap on a sheet; (x, y) is the middle of its tag."""

    cap: PrintedCap
    x: float
    y: float


def tag_pages(
    board: PhysicalBoard, games: Sequence[AnyGame], paper: Paper, spares: int = 0
) -> list[Page]:
    """The sheets with title, instructions and ruler."""
    sheets = arrange_caps(list_caps(board, games, spares), paper)
    titles = [game.title for game in games]
    title = sentences.TAGS_TITLE(games=join_and(titles))
    left, right = paper.margin_mm, paper.width_mm - paper.margin_mm
    instruction = sentences.TAGS_TAB() if _tab_mm(board) else sentences.TAGS_ARROW()
    pages = []
    for number, sheet in enumerate(sheets, start=1):
        page = sentences.PAGE_OF(title=board.name, page=number, pages=len(sheets))
        parts = [
            text_line(str(title), left, left + 4.5, 5, bold=True),
            text_line(str(page), right, left + 4.5, 3.2, anchor="end"),
            text_line(str(instruction), left, left + 9, 2.8, fill=GREY),
            *(draw_cap(each.cap, each.x, each.y) for each in sheet),
            ruler(left, paper.height_mm - left - 7),
        ]  # fmt: skip
        pages.append(make_page(paper, parts))
    return pages


def list_caps(board: PhysicalBoard, games: Sequence[AnyGame], spares: int = 0) -> list[PrintedCap]:
    """The caps in the order of printing: both sides, corners, spares."""
    needed = sorted(
        {number for game in games for number in _needed_tags(game)},
        key=lambda number: (list(SideShape).index(_paint(number, games).shape), number),
    )
    stand_ins = dict(board.spares)
    caps = [_piece_cap(number, number, board, games) for number in needed]
    caps += _corner_caps(board)
    for number in tags.SPARES[:spares]:
        stands_for = stand_ins.get(number)
        if stands_for is not None and _meanings(stands_for, games):
            caps.append(_piece_cap(number, stands_for, board, games))
        else:
            spare = str(sentences.SPARE_TAG(tag=number))
            caps.append(PrintedCap(number, spare, board.tag_mm, board.cap_mm))
    return caps


def arrange_caps(caps: Sequence[PrintedCap], paper: Paper) -> list[list[PlacedCap]]:
    """Rows from the top, with as many caps per row and sheet as fit."""
    room_x = paper.width_mm - 2 * paper.margin_mm
    room_y = paper.height_mm - 2 * paper.margin_mm - HEAD_MM - FOOT_MM
    tallest = max(each.height_mm for each in caps)
    widest = max(each.width_mm for each in caps)
    columns = int((room_x + GAP_MM) // (widest + GAP_MM))
    rows = int((room_y + GAP_MM) // (tallest + GAP_MM))
    if columns < 1 or rows < 1:
        raise CapTooLarge(sentences.CAP_TOO_LARGE(cap_mm=widest, paper=paper.name))
    gap_x = _even_gap(room_x, columns, widest)
    gap_y = _even_gap(room_y, rows, tallest)
    left = (paper.width_mm - columns * widest - (columns - 1) * gap_x) / 2
    top = paper.margin_mm + HEAD_MM
    sheets = []
    for start in range(0, len(caps), columns * rows):
        sheet = []
        for index, each in enumerate(caps[start : start + columns * rows]):
            row, column = divmod(index, columns)
            x = left + column * (widest + gap_x) + widest / 2
            bottom = top + row * (tallest + gap_y) + tallest
            sheet.append(PlacedCap(each, x, bottom - each.width_mm / 2))
        sheets.append(sheet)
    return sheets


def _even_gap(room: float, count: int, size: float) -> float:
    return min(WIDEST_GAP_MM, (room - count * size) / max(1, count - 1))


def _needed_tags(game: AnyGame) -> Iterator[int]:
    """The first tags of each kind, as many as the largest starting position needs."""
    most: Counter[tuple[str, int]] = Counter()
    for setup in game.setups() or (None,):
        position = game.start(setup)
        most |= Counter((piece.kind, piece.owner) for piece in position.pieces.values())
    for number, piece in sorted(game.tags.items()):
        if most[piece.kind, piece.owner] > 0:
            most[piece.kind, piece.owner] -= 1
            yield number


def _meanings(number: int, games: Sequence[AnyGame]) -> list[tuple[AnyGame, Piece]]:
    return [(game, game.tags[number]) for game in games if number in game.tags]


def _side(game: AnyGame, piece: Piece) -> str:
    return game.players[piece.owner]


def _paint(number: int, games: Sequence[AnyGame]) -> Paint:
    """Colours and shape of the tag's side."""
    game, piece = _meanings(number, games)[0]
    return player_paints(game.players)[piece.owner]


def _piece_cap(
    number: int, stands_for: int, board: PhysicalBoard, games: Sequence[AnyGame]
) -> PrintedCap:
    meant = _meanings(stands_for, games)
    game, piece = meant[0]
    paint = _paint(stands_for, games)
    glyph = glyphs.draw_piece(
        piece,
        game.letters[piece.kind],
        piece_tones(paint),
        degrees=board.grid.degrees(piece.orientation),
        headings=board.grid.headings,
    )
    name = f"{_cap_name(meant)} {number}"
    if number != stands_for:
        name = str(sentences.STAND_IN(piece=_cap_name(meant), tag=number, replaced=stands_for))
    tab = _tab_mm(board)
    seat: Outline = ()
    if board.grid.headings == 6 and not tab:  # a square cap is too large for a hexagonal body
        seat = cap_outline(board, paint.shape, CAP_BORDER_MM)
    return PrintedCap(number, name, board.tag_mm, board.cap_mm, tab, paint, glyph, seat)


def _cap_name(meant: Sequence[tuple[AnyGame, Piece]]) -> str:
    """`Red deflector`, or with the kinds of several games: `Red deflector, mirror`."""
    kinds: dict[str, list[str]] = {}
    for game, piece in meant:
        known = kinds.setdefault(_side(game, piece), [])
        if piece.kind not in known:
            known.append(piece.kind)
    return "; ".join(f"{side} {', '.join(of)}" for side, of in kinds.items()).capitalize()


def _tab_mm(board: PhysicalBoard) -> float:
    """Length of the tab of flat pieces, which fits between them; 0 for pieces with bodies."""
    if board.cap_height_mm >= LOWEST_BODY_MM:
        return 0.0
    return max(0.0, min(TAB_MM, (board.cell_mm - board.cap_mm) / 2))


def _corner_caps(board: PhysicalBoard) -> list[PrintedCap]:
    width = board.corner_mm * board.cap_mm / board.tag_mm
    return [
        PrintedCap(
            number, str(sentences.CORNER_TAG(tag=number, cell=beside)), board.corner_mm, width
        )
        for number, beside in zip(tags.CORNERS, board.corner_cells(), strict=True)
    ]
