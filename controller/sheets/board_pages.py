"""The printed board as pages: one sheet of full size, or pages to cut and glue together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from controller.sheets.board import Extent, board_parts, corner_boxes, extent, names
from controller.sheets.marks import CUT, number3, ruler
from controller.sheets.page import FAINT, GREY, INK, Page, Paper, page, words
from controller.sheets.tiles import CROSS_MM, HEAD_MM, Tile, tiled
from engine.draw.shapes import ORIGIN, circle, tag
from engine.game import AnyGame
from vision.board import PhysicalBoard

WHITE, GLUE, HERE = "#ffffff", "#e4e9f0", "#5d6879"
SHEET_FOOT_MM = 14.0
LEAST_WIDTH_MM = 210.0  # of a sheet: the ruler and its words
PLACE_MM = 3.2  # high: one page on the little map


def board_sheet(whole: PhysicalBoard, playing: PhysicalBoard, game: AnyGame) -> list[Page]:
    """One page as large as the board with its rim, and a ruler below to check the print."""
    area = extent(whole)
    width = max(area.width, LEAST_WIDTH_MM)
    x, y = (width - area.width) / 2 - area.left, -area.top
    parts = [
        _moved(x, y, board_parts(whole, playing, game)),
        tag("path", d=f"M0 {number3(area.height)}H{number3(width)}", **CUT),
        ruler(6, area.height + 4),
        words(_title(whole, game), width - 6, area.height + 12, 2.8, anchor="end", fill=FAINT),
    ]
    return [Page(width, area.height + SHEET_FOOT_MM, parts)]


def board_pages(
    whole: PhysicalBoard, playing: PhysicalBoard, game: AnyGame, paper: Paper
) -> list[Page]:
    """The same over pages of paper, each with its name, a map and a ruler."""
    tiles = board_tiles(whole, paper, playing)
    return [
        page(
            tile.paper,
            [
                _moved(
                    *tile.origin,
                    [
                        *board_parts(whole, playing, game, named=tile.kept),
                        *_seams(tile),
                        *_frame(tile),
                        *_crosses(tile),
                    ],
                ),
                *_head(tile, tiles, _title(whole, game)),
                ruler(tile.paper.margin_mm, tile.paper.height_mm - tile.paper.margin_mm - 8),
            ],
        )
        for tile in tiles
    ]


def board_tiles(
    whole: PhysicalBoard, paper: Paper, playing: PhysicalBoard | None = None
) -> list[Tile]:
    """How the board is cut: along the lines of its squares where that is possible.

    Hexagons have no such lines: they are cut between their names.
    """
    (width, height), cell = whole.size_mm, whole.cell_mm
    if whole.grid.headings == 4:
        columns = [cell * n for n in range(1, round(width / cell))]
        rows = [cell * n for n in range(1, round(height / cell))]
    else:
        columns = [cell * (n / 2 + 0.25) for n in range(round(2 * width / cell))]
        middles = {round(whole.centre_mm(n)[1], 6) for n in range(whole.grid.size)}
        rows = [y + side * cell / sqrt(3) for y in sorted(middles) for side in (-1, 1)]
    clear = [each.box for each in names(playing or whole)]
    return tiled(extent(whole), paper, (columns, rows), [*clear, *corner_boxes(whole)])


def _title(board: PhysicalBoard, game: AnyGame) -> str:
    return f"{board.name}: {game.title}"


def _moved(x: float, y: float, parts: Sequence[str]) -> str:
    return tag("g", *parts, transform=f"translate({number3(x)} {number3(y)})")


def _rect(area: Extent, **attributes: str | float) -> str:
    return tag("rect", x=area.left, y=area.top, width=area.width, height=area.height, **attributes)


def _seams(tile: Tile) -> Iterator[str]:
    """The strips for glue and the lines to cut along."""
    area, kept = tile.area, tile.kept
    if area.right > kept.right:
        yield _rect(Extent(kept.right, area.top, area.right, area.bottom), fill=GLUE,
                    fill_opacity=0.7)  # fmt: skip
    if area.bottom > kept.bottom:
        yield _rect(Extent(area.left, kept.bottom, area.right, area.bottom), fill=GLUE,
                    fill_opacity=0.7)  # fmt: skip
    right, bottom = (f"{number3(each)}" for each in (area.right, area.bottom))
    lines = f"M{number3(kept.left)} {number3(area.top)}V{bottom}"
    lines += f"M{number3(area.left)} {number3(kept.top)}H{right}"
    if area.right == kept.right:
        lines += f"M{right} {number3(area.top)}V{bottom}"
    if area.bottom == kept.bottom:
        lines += f"M{number3(area.left)} {bottom}H{right}"
    yield tag("path", d=lines, fill="none", **CUT)


def cross(x: float, y: float) -> str:
    """A ring with a cross in it: halves of it meet when two pages lie well."""
    half = CROSS_MM / 2
    strokes = f"M{number3(-half)} 0H{number3(half)}M0 {number3(-half)}V{number3(half)}"
    return tag(
        "g",
        circle(ORIGIN, 0.6 * half, fill="none", stroke=INK, stroke_width=0.15),
        tag("path", d=strokes, fill="none", stroke=INK, stroke_width=0.15),
        transform=f"translate({number3(x)} {number3(y)})",
    )


def _crosses(tile: Tile) -> Iterator[str]:
    return (cross(x, y) for x, y in tile.crosses)


def _frame(tile: Tile) -> Iterator[str]:
    """White over what belongs to other pages."""
    area, far = tile.area, 2000.0
    for part in (
        Extent(area.left - far, area.top - far, area.left - 0.2, area.bottom + far),
        Extent(area.right + 0.2, area.top - far, area.right + far, area.bottom + far),
        Extent(area.left - far, area.top - far, area.right + far, area.top - 0.2),
        Extent(area.left - far, area.bottom + 0.2, area.right + far, area.bottom + far),
    ):
        yield _rect(part, fill=WHITE)


def _head(tile: Tile, tiles: Sequence[Tile], title: str) -> Iterator[str]:
    paper, left = tile.paper, tile.paper.margin_mm
    columns, rows = (
        1 + max(n) for n in zip(*((each.column, each.row) for each in tiles), strict=True)
    )
    high = min(PLACE_MM, (HEAD_MM - 2) / rows)
    wide = 1.3 * high
    map_left = paper.width_mm - left - columns * wide
    yield words(tile.name, left, left + 7, 8.5, bold=True)
    yield words(f"{title}, page {tiles.index(tile) + 1} of {len(tiles)}", left + 17, left + 3.6,
                3.6, bold=True)  # fmt: skip
    yield words(_told(tile), left + 17, left + 8, 2.8, fill=GREY)
    for each in tiles:
        spot = Extent(
            map_left + each.column * wide,
            left + each.row * high,
            map_left + (each.column + 1) * wide,
            left + (each.row + 1) * high,
        )
        fill = HERE if each is tile else WHITE
        yield _rect(spot, fill=fill, stroke=FAINT, stroke_width=0.2)


def _told(tile: Tile) -> str:
    """What to do with this page."""
    beside = [name for there, name in (
        (tile.column > 0, f"{tile.name[0]}{tile.column}"),
        (tile.row > 0, f"{chr(ord(tile.name[0]) - 1)}{tile.column + 1}"),
    ) if there]  # fmt: skip
    if not beside:
        return "Print at 100 %. Cut along the dashed lines; the grey strips stay, for glue."
    return (
        f"Print at 100 %. Cut along the dashed lines. Glue it onto the grey strip of "
        f"{' and '.join(beside)}: the crosses meet."
    )
