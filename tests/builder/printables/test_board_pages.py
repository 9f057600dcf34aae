"""The printed board, rendered from its PDF: one sheet, and pages glued together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.builder import paper_sentences as sentences
from controller.builder.printables.board import (
    Extent,
    cell_labels,
    constant_marks,
    corner_tag_boxes,
    sheet_extent,
)
from controller.builder.printables.board_pages import board_pages, board_single_page, board_tiles
from controller.builder.printables.page_files import render_pdf
from controller.builder.printables.tiles import (
    FOOT_MM,
    HEAD_MM,
    OVERLAP_MM,
    REGISTRATION_MARK_MM,
    TooManyPages,
)
from controller.config.board_file import load_board
from controller.session.board_fit import FittedBoard, fit_board
from engine import games
from engine.draw.page import A4, LETTER, Page, Paper
from engine.game import Mark
from engine.grid import HexGrid, SquareGrid
from tests.support.builder.cut_sheets import glued
from tests.support.builder.rendered_pages import (
    PER_MM,
    longest_ruler_mm,
    rendered,
    rendered_part,
    unlike_tag,
)
from tests.support.cli import Laserboard
from vision import tags
from vision.board import PhysicalBoard

BOARDS = ("paper-10x8", "full-10x8", "photon-10x10", "hex-r5")  # the others equal paper-10x8
BLACK, DRAWN = 64, 215
Mask = npt.NDArray[np.bool_]


def laid(name: str) -> tuple[PhysicalBoard, FittedBoard]:
    whole = load_board(name)
    return whole, fit_board(whole)


def as_sheet(name: str) -> Page:
    whole, top = laid(name)
    (sheet,) = board_single_page(whole, top.board, top.game)
    return sheet


def on_pages(name: str, paper: Paper) -> list[Page]:
    whole, top = laid(name)
    return board_pages(whole, top.board, top.game, paper)


@pytest.fixture(scope="module", params=BOARDS)
def sheet(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[PhysicalBoard, Path]:
    file = tmp_path_factory.mktemp("sheet") / "board.pdf"
    file.write_bytes(render_pdf([as_sheet(request.param)], "test"))
    return load_board(request.param), file


# -- exactness of the one sheet ----------------------------------------------------------------


def test_corner_tags_are_at_their_positions_to_a_tenth_of_a_millimetre(
    sheet: tuple[PhysicalBoard, Path],
) -> None:
    board, file = sheet
    area, side = sheet_extent(board), board.corner_mm
    for number, (x, y) in zip(tags.CORNERS, board.corner_tags_mm(), strict=True):
        left, top = float(x) - side / 2 - area.left, float(y) - side / 2 - area.top
        picture = rendered_part(file, 1, left, top, side, side)
        assert not unlike_tag(picture, tags.modules(number) == 0, side), number


def test_cells_have_the_size_in_the_board_file(sheet: tuple[PhysicalBoard, Path]) -> None:
    """Measures the cell edges along a line through the middle of a row."""
    board, file = sheet
    area, cell = sheet_extent(board), board.cell_mm
    middle = min(range(board.grid.size), key=lambda c: abs(board.centre_mm(c)[1] - area.height / 2))
    row = [board.centre_mm(c) for c in range(board.grid.size)
           if board.centre_mm(c)[1] == pytest.approx(board.centre_mm(middle)[1])]  # fmt: skip
    # Slightly below the middle, beside rings and names.
    y = row[0][1] + 0.05 * cell - area.top
    strip = rendered_part(file, 1, 0, y, area.width, 0.5).min(axis=0)
    inside = [x for x in _lines_mm(strip) if -1 < x + area.left < board.size_mm[0] + 1]
    edges = sorted({round(x + side * cell / 2 - area.left, 3) for x, _ in row for side in (-1, 1)})
    found = [min(inside, key=lambda x: abs(x - edge)) for edge in edges]
    assert len(edges) == len(row) + 1
    assert found == pytest.approx(edges, abs=0.1)


def _lines_mm(strip: np.ndarray) -> list[float]:
    """The centres of dark lines across a strip."""
    dark = np.concatenate(([False], strip < DRAWN, [False]))
    ends = np.flatnonzero(np.diff(dark.astype(int)))
    return [(a + b) / 2 / PER_MM for a, b in zip(ends[::2], ends[1::2], strict=True)]


# -- pages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("name", BOARDS)
def test_everything_is_in_the_printable_area_of_its_page(name: str, paper: Paper) -> None:
    board = load_board(name)
    tiles = board_tiles(board, paper)
    area = sheet_extent(board)
    for tile in tiles:
        x, y = tile.origin
        margin = tile.paper.margin_mm
        assert tile.printed_area.left + x >= margin - 1e-6
        assert tile.printed_area.right + x <= tile.paper.width_mm - margin + 1e-6
        assert tile.printed_area.top + y >= margin + HEAD_MM - 1e-6
        assert tile.printed_area.bottom + y <= tile.paper.height_mm - margin - FOOT_MM + 1e-6
    assert sum(
        tile.visible_area.width * tile.visible_area.height for tile in tiles
    ) == pytest.approx(area.width * area.height)


@pytest.mark.parametrize("name", ["paper-10x8", "photon-10x10"])
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_pages_are_cut_between_squares(name: str, paper: Paper) -> None:
    board = load_board(name)
    for tile in board_tiles(board, paper):
        assert (
            tile.visible_area.left == sheet_extent(board).left
            or tile.visible_area.left % board.cell_mm == 0
        )
        assert (
            tile.visible_area.top == sheet_extent(board).top
            or tile.visible_area.top % board.cell_mm == 0
        )


def test_neighbouring_pages_share_two_crosses_and_a_strip_for_glue() -> None:
    tiles = {tile.name: tile for tile in board_tiles(load_board("paper-10x8"), A4)}
    assert list(tiles) == ["A1", "A2", "B1", "B2", "C1", "C2"]
    for one, other in (("A1", "A2"), ("A1", "B1"), ("B1", "B2"), ("C1", "C2"), ("B2", "C2")):
        assert len({*tiles[one].registration_marks} & {*tiles[other].registration_marks}) == 2, (
            one,
            other,
        )
    assert tiles["A1"].printed_area.right - tiles["A1"].visible_area.right == OVERLAP_MM
    assert tiles["A1"].printed_area.bottom - tiles["A1"].visible_area.bottom == OVERLAP_MM
    assert tiles["C2"].printed_area == tiles["C2"].visible_area


def any_board() -> st.SearchStrategy[PhysicalBoard]:
    hexagons = st.builds(HexGrid.hexagon, st.integers(1, 6))
    squares = st.builds(SquareGrid, st.integers(2, 12), st.integers(2, 12))
    return st.builds(PhysicalBoard, st.just("any"), hexagons | squares, cell_mm=st.floats(30, 70))


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("name", BOARDS)
def test_no_cell_name_is_cut(name: str, paper: Paper) -> None:
    board = load_board(name)
    tiles = board_tiles(board, paper)
    for each in cell_labels(board):
        (whole,) = [tile for tile in tiles if tile.visible_area.overlaps(each.box)]
        assert whole.visible_area.left <= each.box.left < each.box.right <= whole.visible_area.right
        assert whole.visible_area.top <= each.box.top < each.box.bottom <= whole.visible_area.bottom


@settings(deadline=None, max_examples=60)
@given(any_board(), st.sampled_from([A4, LETTER]))
@example(load_board("hex-r5"), A4)
@example(load_board("full-10x8"), A4)
def test_no_registration_cross_is_on_a_name_or_a_tag(board: PhysicalBoard, paper: Paper) -> None:
    boxes = [*(each.box for each in cell_labels(board)), *corner_tag_boxes(board)]
    for tile in board_tiles(board, paper):
        assert len(set(tile.registration_marks)) == len(tile.registration_marks)
        for x, y in tile.registration_marks:
            cross = Extent(
                x - REGISTRATION_MARK_MM / 2,
                y - REGISTRATION_MARK_MM / 2,
                x + REGISTRATION_MARK_MM / 2,
                y + REGISTRATION_MARK_MM / 2,
            )
            assert not any(box.overlaps(cross) for box in boxes)


@pytest.mark.parametrize("name", BOARDS)
def test_every_cell_name_is_on_one_page(name: str) -> None:
    whole, top = laid(name)
    written = "".join(page.to_svg() for page in on_pages(name, A4))
    counted = Counter(each.text for each in cell_labels(top.board))
    for text, count in counted.items():
        found = written.count(f">{text}</text>")
        rulers = len(board_tiles(whole, A4)) if text.isdigit() and int(text) % 10 == 0 else 0
        assert found == count + rulers, text


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        ("paper-10x8", A4),
        *(
            pytest.param(name, paper, marks=pytest.mark.slow)
            for name in BOARDS
            for paper in (A4, LETTER)
            if (name, paper) != ("paper-10x8", A4)
        ),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_pages_joined_at_their_crosses_equal_the_single_sheet(name: str, paper: Paper) -> None:
    per_mm = 10.0
    tiles = board_tiles(load_board(name), paper)
    made = glued(tiles, rendered(on_pages(name, paper), per_mm), per_mm)
    (whole,) = rendered([as_sheet(name)], per_mm)
    whole = whole[: made.shape[0], : made.shape[1]]
    for level in (BLACK, DRAWN):
        one, other = whole < level, made < level
        assert not (one & ~_wider(other))[2:-2, 2:-2].any(), level
        # Only pages have crosses and cutting lines.
        for tile in tiles:
            boxes = [Extent(x - 3, y - 3, x + 3, y + 3) for x, y in tile.registration_marks]
            left, top = tile.visible_area.left, tile.visible_area.top
            boxes.append(
                Extent(left - 0.3, tile.printed_area.top, left + 0.3, tile.printed_area.bottom)
            )
            boxes.append(
                Extent(tile.printed_area.left, top - 0.3, tile.printed_area.right, top + 0.3)
            )
            for box in boxes:
                _clear(other, box, sheet_extent(load_board(name)), per_mm)
        assert not (other & ~_wider(one))[5:-5, 5:-5].any(), level


def _wider(mask: Mask) -> Mask:
    """The mask with 0.1 mm around it."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))) > 0


def _clear(mask: Mask, box: Extent, whole: Extent, per_mm: float) -> None:
    left, right = (max(0, round((n - whole.left) * per_mm)) for n in (box.left, box.right))
    top, bottom = (max(0, round((n - whole.top) * per_mm)) for n in (box.top, box.bottom))
    mask[top:bottom, left:right] = False


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_every_page_has_a_ruler(paper: Paper, tmp_path: Path) -> None:
    pages = on_pages("paper-10x8", paper)
    file = tmp_path / "board.pdf"
    file.write_bytes(render_pdf(pages, "test"))
    for number, each in enumerate(pages, start=1):
        foot = rendered_part(file, number, 0, each.height_mm - 16.2, each.width_mm, 16)
        assert longest_ruler_mm(foot) == pytest.approx(range(0, 101, 10), abs=0.1)


def test_the_single_sheet_has_a_ruler(sheet: tuple[PhysicalBoard, Path]) -> None:
    board, file = sheet
    foot = rendered_part(file, 1, 0, sheet_extent(board).height + 1, 200, 12)
    assert longest_ruler_mm(foot) == pytest.approx(range(0, 101, 10), abs=0.1)


def test_a_board_of_a_hundred_pages_is_refused() -> None:
    huge = PhysicalBoard("huge", SquareGrid(20, 20), cell_mm=300)
    with pytest.raises(TooManyPages) as refused:
        board_tiles(huge, A4)
    assert refused.value.sentence.key == sentences.TOO_MANY_PAGES.key


# -- contents -----------------------------------------------------------------------------------


def test_marks_common_to_all_setups_are_printed_and_maps_are_not() -> None:
    marks = constant_marks(games.make())
    assert len(marks) == 20
    assert set(marks.values()) == {
        Mark.FIRST_ONLY, Mark.SECOND_ONLY, Mark.FIRST_LASER, Mark.SECOND_LASER
    }  # fmt: skip
    assert constant_marks(games.make("spaceships")) == {}


def test_columns_and_rows_are_labelled_on_both_sides() -> None:
    text = as_sheet("paper-10x8").to_svg()
    for label in "abcdefghij12345678":
        assert text.count(f">{label}</text>") == 2, label
    named = as_sheet("hex-r5").to_svg()
    grid = load_board("hex-r5").grid
    assert all(named.count(f">{grid.name(cell)}</text>") == 1 for cell in range(grid.size))


def test_the_command_writes_pages_or_a_single_sheet(laserboard: Laserboard, tmp_path: Path) -> None:
    out = str(tmp_path / "board.pdf")
    asked = ("print", "board", "--board", "paper-10x8", "--out", out)
    assert laserboard.prints(*asked, "--paper", "letter").endswith("board.pdf: 6 pages\n")
    assert laserboard.prints(*asked, "--paper", "sheet").endswith("board.pdf: 1 page\n")
    assert "has no room" in laserboard.refuses(*asked, "--game", "photon")


def test_high_pieces_on_white_paper_give_a_warning(laserboard: Laserboard, tmp_path: Path) -> None:
    out = str(tmp_path / "board.svg")
    ran = laserboard("print", "board", "--board", "demo-10x8", "--paper", "sheet", "--out", out)
    assert ran.status == 0
    assert "30 mm high throw sharp shadows on white paper" in ran.err
    flat = laserboard("print", "board", "--board", "paper-10x8", "--paper", "sheet", "--out", out)
    assert (flat.status, flat.err) == (0, "")
