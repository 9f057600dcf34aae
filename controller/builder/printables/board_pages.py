"""Pages of the printed board: one sheet in full size, or pages to cut and glue together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from controller.builder import paper_sentences as sentences
from controller.builder.printables.board import (
    Extent,
    board_svg_parts,
    cell_labels,
    corner_tag_boxes,
    sheet_extent,
)
from controller.builder.printables.marks import CUT_LINE_STYLE, format_mm, ruler
from controller.builder.printables.tiles import (
    HEAD_MM,
    REGISTRATION_MARK_MM,
    PageTile,
    split_into_tiles,
)
from engine.draw.page import FAINT, GREY, INK, Page, Paper, make_page, text_line
from engine.draw.shapes import ORIGIN, circle, element
from engine.game import AnyGame
from engine.sentences import Sentence
from vision.board import PhysicalBoard

WHITE, GLUE, CURRENT_PAGE_FILL = "#ffffff", "#e4e9f0", "#5d6879"
SHEET_FOOT_MM = 14.0
MIN_SHEET_WIDTH_MM = 210.0  # room for the ruler and its text
MAP_CELL_MM = 3.2  # height of a page on the overview map


def board_single_page(
    full_board: PhysicalBoard, game_board: PhysicalBoard, game: AnyGame
) -> list[Page]:
    """One page as large as the board with its rim, with a ruler below."""
    area = sheet_extent(full_board)
    width = max(area.width, MIN_SHEET_WIDTH_MM)
    x, y = (width - area.width) / 2 - area.left, -area.top
    parts = [
        _translated(x, y, board_svg_parts(full_board, game_board, game)),
        element("path", d=f"M0 {format_mm(area.height)}H{format_mm(width)}", **CUT_LINE_STYLE),
        ruler(6, area.height + 4),
        text_line(
            _title(full_board, game), width - 6, area.height + 12, 2.8, anchor="end", fill=FAINT
        ),
    ]
    return [Page(width, area.height + SHEET_FOOT_MM, parts)]


def board_pages(
    full_board: PhysicalBoard, game_board: PhysicalBoard, game: AnyGame, paper: Paper
) -> list[Page]:
    """The board on several pages, each with its name, an overview map and a ruler."""
    tiles = board_tiles(full_board, paper, game_board)
    return [
        make_page(
            tile.paper,
            [
                _translated(
                    *tile.origin,
                    [
                        *board_svg_parts(
                            full_board, game_board, game, label_area=tile.visible_area
                        ),
                        *_draw_seams(tile),
                        *_mask(tile),
                        *_registration_marks(tile),
                    ],
                ),
                *_page_header(tile, tiles, _title(full_board, game)),
                ruler(tile.paper.margin_mm, tile.paper.height_mm - tile.paper.margin_mm - 8),
            ],
        )
        for tile in tiles
    ]


def board_tiles(
    full_board: PhysicalBoard, paper: Paper, game_board: PhysicalBoard | None = None
) -> list[PageTile]:
    """Splits the board into pages, between squares where possible, else between cell names."""
    (width, height), cell = full_board.size_mm, full_board.cell_mm
    if full_board.grid.headings == 4:
        columns = [cell * n for n in range(1, round(width / cell))]
        rows = [cell * n for n in range(1, round(height / cell))]
    else:
        columns = [cell * (n / 2 + 0.25) for n in range(round(2 * width / cell))]
        middles = {round(full_board.centre_mm(n)[1], 6) for n in range(full_board.grid.size)}
        rows = [y + side * cell / sqrt(3) for y in sorted(middles) for side in (-1, 1)]
    clear = [each.box for each in cell_labels(game_board or full_board)]
    return split_into_tiles(
        sheet_extent(full_board), paper, (columns, rows), [*clear, *corner_tag_boxes(full_board)]
    )


def _title(board: PhysicalBoard, game: AnyGame) -> str:
    return str(sentences.BOARD_AND_GAME(board=board.name, game=game.title))


def _translated(x: float, y: float, parts: Sequence[str]) -> str:
    return element("g", *parts, transform=f"translate({format_mm(x)} {format_mm(y)})")


def _rect(area: Extent, **attributes: str | float) -> str:
    return element(
        "rect", x=area.left, y=area.top, width=area.width, height=area.height, **attributes
    )


def _draw_seams(tile: PageTile) -> Iterator[str]:
    """The strips for glue and the cutting lines."""
    area, kept = tile.printed_area, tile.visible_area
    if area.right > kept.right:
        yield _rect(Extent(kept.right, area.top, area.right, area.bottom), fill=GLUE,
                    fill_opacity=0.7)  # fmt: skip
    if area.bottom > kept.bottom:
        yield _rect(Extent(area.left, kept.bottom, area.right, area.bottom), fill=GLUE,
                    fill_opacity=0.7)  # fmt: skip
    right, bottom = (f"{format_mm(each)}" for each in (area.right, area.bottom))
    lines = f"M{format_mm(kept.left)} {format_mm(area.top)}V{bottom}"
    lines += f"M{format_mm(area.left)} {format_mm(kept.top)}H{right}"
    if area.right == kept.right:
        lines += f"M{right} {format_mm(area.top)}V{bottom}"
    if area.bottom == kept.bottom:
        lines += f"M{format_mm(area.left)} {bottom}H{right}"
    yield element("path", d=lines, fill="none", **CUT_LINE_STYLE)


def registration_mark(x: float, y: float) -> str:
    """A ring with a cross; both pages print it, so that they can be aligned."""
    half = REGISTRATION_MARK_MM / 2
    strokes = f"M{format_mm(-half)} 0H{format_mm(half)}M0 {format_mm(-half)}V{format_mm(half)}"
    return element(
        "g",
        circle(ORIGIN, 0.6 * half, fill="none", stroke=INK, stroke_width=0.15),
        element("path", d=strokes, fill="none", stroke=INK, stroke_width=0.15),
        transform=f"translate({format_mm(x)} {format_mm(y)})",
    )


def _registration_marks(tile: PageTile) -> Iterator[str]:
    return (registration_mark(x, y) for x, y in tile.registration_marks)


def _mask(tile: PageTile) -> Iterator[str]:
    """White rectangles over the parts of other pages."""
    area, far = tile.printed_area, 2000.0
    for part in (
        Extent(area.left - far, area.top - far, area.left - 0.2, area.bottom + far),
        Extent(area.right + 0.2, area.top - far, area.right + far, area.bottom + far),
        Extent(area.left - far, area.top - far, area.right + far, area.top - 0.2),
        Extent(area.left - far, area.bottom + 0.2, area.right + far, area.bottom + far),
    ):
        yield _rect(part, fill=WHITE)


def _page_header(tile: PageTile, tiles: Sequence[PageTile], title: str) -> Iterator[str]:
    paper, left = tile.paper, tile.paper.margin_mm
    columns, rows = (
        1 + max(n) for n in zip(*((each.column, each.row) for each in tiles), strict=True)
    )
    high = min(MAP_CELL_MM, (HEAD_MM - 2) / rows)
    wide = 1.3 * high
    map_left = paper.width_mm - left - columns * wide
    yield text_line(tile.name, left, left + 7, 8.5, bold=True)
    heading = sentences.PAGE_OF(title=title, page=tiles.index(tile) + 1, pages=len(tiles))
    yield text_line(str(heading), left + 17, left + 3.6, 3.6, bold=True)
    yield text_line(str(_instruction(tile)), left + 17, left + 8, 2.8, fill=GREY)
    for each in tiles:
        page = Extent(
            map_left + each.column * wide,
            left + each.row * high,
            map_left + (each.column + 1) * wide,
            left + (each.row + 1) * high,
        )
        fill = CURRENT_PAGE_FILL if each is tile else WHITE
        yield _rect(page, fill=fill, stroke=FAINT, stroke_width=0.2)


def _instruction(tile: PageTile) -> Sentence:
    left = f"{tile.name[0]}{tile.column}"
    above = f"{chr(ord(tile.name[0]) - 1)}{tile.column + 1}"
    if tile.column and tile.row:
        return sentences.PAGE_GLUE_TO_TWO(page=left, other=above)
    if tile.column or tile.row:
        return sentences.PAGE_GLUE_TO_ONE(page=left if tile.column else above)
    return sentences.PAGE_CUT()
