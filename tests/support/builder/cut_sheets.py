"""Cuts caps out of rendered sheets and glues rendered pages to a board.

Uses only the print: caps are found by their tags and cut along their lines, pages are aligned by
their registration marks.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from controller.builder.printables.board import sheet_extent
from controller.builder.printables.board_pages import board_pages, board_single_page, board_tiles
from controller.builder.printables.caps import LINE_MM
from controller.builder.printables.page_files import render_pdf
from controller.builder.printables.tags import tag_pages
from controller.builder.printables.tiles import REGISTRATION_MARK_MM, PageTile
from controller.session.board_fit import FittedBoard
from engine.draw.page import A4, Page, Paper
from tests.support.builder.rendered_pages import Picture
from vision import tags
from vision.board import PhysicalBoard
from vision.scene.prints import INDEX, PrintedSet

SCAN_PER_MM = 6.0
LIGHT = 200  # minimum of all channels: paper and pale tints, but no line
REACH_MM = 32.0  # larger than half a cap
INK_RUNS_PX = 3  # ink spreads by 0.17 mm to each side


def in_colour(pages: Sequence[Page] | Path, per_mm: float = SCAN_PER_MM) -> list[Picture]:
    """The pages, or the pages of a PDF, as BGR pictures."""
    with TemporaryDirectory() as folder:
        file = pages if isinstance(pages, Path) else Path(folder, "sheet.pdf")
        if not isinstance(pages, Path):
            file.write_bytes(render_pdf(pages, "test"))
        command = ["pdftoppm", "-r", f"{per_mm * 25.4}", str(file), f"{folder}/page"]
        subprocess.run(command, check=True)
        found = sorted(Path(folder).glob("*.ppm"))
        return [np.asarray(cv2.imread(str(name)), np.uint8) for name in found]


def cut_out(sheet: Picture) -> dict[int, Picture]:
    """The caps of a sheet by tag, in four channels, with the tag in the middle."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(tags.dictionary(), settings)
    found, numbers, _ = detector.detectMarkers(cv2.cvtColor(sheet, cv2.COLOR_BGR2GRAY))
    paper = (sheet.min(axis=2) > LIGHT).astype(np.uint8)
    caps = {}
    for corners, number in zip(found, np.ravel(np.asarray(numbers)), strict=True):
        square = corners.reshape(4, 2)
        assert square[0][0] < square[1][0], "its upper edge is up"
        assert square[0][1] < square[3][1]
        assert int(number) not in caps, "a tag twice"
        caps[int(number)] = _cut(sheet, paper, square)
    return caps


def _cut(sheet: Picture, paper: Picture, square: np.ndarray) -> Picture:
    """The part of the sheet inside the line around a tag."""
    x, y = (round(float(n) + 0.5) for n in square.mean(axis=0))
    reach = round(REACH_MM * SCAN_PER_MM)
    around = slice(max(0, y - reach), y + reach), slice(max(0, x - reach), x + reach)
    x, y = x - around[1].start, y - around[0].start
    beside = (x - round((square[1][0] - square[0][0]) / 2 + SCAN_PER_MM), y)
    near = np.ascontiguousarray(paper[around])
    mask = np.zeros((near.shape[0] + 2, near.shape[1] + 2), np.uint8)
    cv2.floodFill(near, mask, beside, 1, flags=4 | (255 << 8) | cv2.FLOODFILL_MASK_ONLY)
    outside, _ = cv2.findContours(mask[1:-1, 1:-1], cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    kept = np.zeros(near.shape, np.uint8)
    cv2.drawContours(kept, outside, -1, 255, cv2.FILLED)
    line = 2 * round(LINE_MM / 2 * SCAN_PER_MM) + 1
    kept = np.asarray(cv2.dilate(kept, np.ones((line, line), np.uint8)), np.uint8)
    rows, columns = np.nonzero(kept)
    half_x = max(x - columns.min(), columns.max() + 1 - x)
    half_y = max(y - rows.min(), rows.max() + 1 - y)
    assert max(half_x, half_y) < reach - 1, "the line around it is not closed"
    place = slice(y - half_y, y + half_y), slice(x - half_x, x + half_x)
    return np.dstack([inked(sheet[around][place]), kept[place]])


def inked(sheet: Picture) -> Picture:
    """The sheet with ink that has spread on the paper."""
    return np.asarray(cv2.erode(sheet, np.ones((INK_RUNS_PX, INK_RUNS_PX), np.uint8)), np.uint8)


def cross_at(page: Picture, near_mm: tuple[float, float], per_mm: float) -> tuple[float, float]:
    """The middle of the cross nearest to a place, in millimetres of the page."""
    half = round(REGISTRATION_MARK_MM / 2 * per_mm)
    drawn = np.full((2 * half + 1, 2 * half + 1), 255, np.uint8)
    thick = max(1, round(0.15 * per_mm))
    cv2.line(drawn, (0, half), (2 * half, half), 0, thick)
    cv2.line(drawn, (half, 0), (half, 2 * half), 0, thick)
    cv2.circle(drawn, (half, half), round(0.6 * half), 0, thick)
    reach = half + round(2 * per_mm)
    x, y = (round(n * per_mm) - reach for n in near_mm)
    part = np.full((2 * reach, 2 * reach), 255, np.uint8)  # it may reach over the page's edge
    top, left = max(0, y), max(0, x)
    there = page[top : y + 2 * reach, left : x + 2 * reach]
    grey = cv2.cvtColor(there, cv2.COLOR_BGR2GRAY) if page.ndim == 3 else there
    part[top - y : top - y + len(grey), left - x : left - x + grey.shape[1]] = grey
    score = cv2.matchTemplate(part, drawn, cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(score)
    assert best > 0.4, f"no cross near {near_mm}"
    across = column + _peak(score[row, column - 1 : column + 2])
    down = row + _peak(score[row - 1 : row + 2, column])
    return (x + across + half + 0.5) / per_mm, (y + down + half + 0.5) / per_mm


def _peak(three: np.ndarray) -> float:
    """The vertex of the parabola through three values, relative to the middle one."""
    before, top, after = (float(n) for n in three)
    return 0.5 * (before - after) / (before - 2 * top + after)


def glued(tiles: Sequence[PageTile], pages: Sequence[Picture], per_mm: float) -> Picture:
    """The board as one picture; each page is aligned by the crosses it shares with earlier ones."""
    first = tiles[0]
    left, top = first.visible_area.left, first.visible_area.top
    right = max(tile.visible_area.right for tile in tiles)
    bottom = max(tile.visible_area.bottom for tile in tiles)
    channels = pages[0].shape[2:]
    size = (round((bottom - top) * per_mm), round((right - left) * per_mm))
    whole = np.full((*size, *channels), 255, np.uint8)
    # Positions of crosses in the picture, from earlier pages.
    known: dict[tuple[float, float], tuple[float, float]] = {}
    for tile, page in zip(tiles, pages, strict=True):
        on_page = {
            cross: cross_at(page, (cross[0] + tile.origin[0], cross[1] + tile.origin[1]), per_mm)
            for cross in tile.registration_marks
        }
        shared = [cross for cross in on_page if cross in known]
        if shared:
            offsets = [np.subtract(known[cross], on_page[cross]) for cross in shared]
            move = np.mean(offsets, axis=0)
        else:
            assert tile is first, f"nothing says where {tile.name} belongs"
            move = np.array([-left, -top]) - tile.origin
        for cross, (x, y) in on_page.items():
            known.setdefault(cross, (x + move[0], y + move[1]))
        _paste(whole, page, tile, move, per_mm)
    return whole


def _paste(whole: Picture, page: Picture, tile: PageTile, move: np.ndarray, per_mm: float) -> None:
    """Pastes the printed area; its left and upper edge cover the glue strips."""
    area, (origin_x, origin_y) = tile.printed_area, tile.origin
    on_page = (area.left + origin_x, area.top + origin_y)
    x, y = (round(n * per_mm) for n in on_page)
    to_x, to_y = (max(0, round(float(n) * per_mm)) for n in np.add(on_page, move))
    width = min(round(area.width * per_mm), whole.shape[1] - to_x)
    height = min(round(area.height * per_mm), whole.shape[0] - to_y)
    whole[to_y : to_y + height, to_x : to_x + width] = page[y : y + height, x : x + width]


def printed_table(top: FittedBoard, whole: PhysicalBoard, paper: Paper | None = None) -> PrintedSet:
    """Board and caps of a game, cut and glued; without `paper` the board is one large sheet."""
    caps = all_caps(in_colour(tag_pages(top.board, [top.game], paper or A4)))
    if paper is None:
        (board,) = in_colour(board_single_page(whole, top.board, top.game))
    else:
        pages = in_colour(board_pages(whole, top.board, top.game, paper))
        board = glued(board_tiles(whole, paper), pages, SCAN_PER_MM)
    area = sheet_extent(whole)
    board = board[: round(area.height * SCAN_PER_MM)]  # below it is a ruler
    return PrintedSet.from_images(inked(board), area.left, area.top, caps, SCAN_PER_MM)


def all_caps(sheets: Iterable[Picture]) -> dict[int, Picture]:
    return {number: cap for sheet in sheets for number, cap in cut_out(sheet).items()}


def kept_in(
    folder: Path, board: Picture, left_mm: float, top_mm: float, caps: Mapping[int, Picture]
) -> None:
    """A folder of prints for `sim://?prints=`."""
    cv2.imwrite(str(folder / "board.png"), board)
    for number, cap in caps.items():
        cv2.imwrite(str(folder / f"cap-{number}.png"), cap)
    reported = {
        "px_per_mm": SCAN_PER_MM,
        "board": {"file": "board.png", "left_mm": left_mm, "top_mm": top_mm},
        "caps": {str(number): f"cap-{number}.png" for number in caps},
    }
    (folder / INDEX).write_text(json.dumps(reported))
