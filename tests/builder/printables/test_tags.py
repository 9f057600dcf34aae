"""The sheets of tags, rendered from their PDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.dimensions import CAP_BORDER_MM
from controller.builder.bodies.outlines import cap_outline
from controller.builder.printables.caps import QUIET_MODULES, PrintedCap
from controller.builder.printables.tags import CapTooLarge, arrange_caps, list_caps, tag_pages
from controller.config.board_file import load_board
from controller.session.board_fit import fit_board
from engine import games
from engine.draw.page import A4, LETTER, PAPERS, Paper
from engine.draw.palette import player_paints
from tests.support.builder.cut_sheets import SCAN_PER_MM, all_caps, in_colour
from tests.support.builder.rendered_pages import Picture, longest_ruler_mm, rendered, unlike_tag
from tests.support.cli import Laserboard
from vision import tags
from vision.board import PhysicalBoard
from vision.scene.piece_shapes import CUT, ROUNDING

PAPER = "paper-10x8"
PER_MM = 12.0


def board_of(name: str, game: str | None = None) -> PhysicalBoard:
    return fit_board(load_board(name), games.make(game) if game else None).board


def caps_of(board: str, *played: str, spares: int = 0) -> list[PrintedCap]:
    return list_caps(board_of(board, played[0]), [games.make(name) for name in played], spares)


@cache
def printed(board: str, paper: str) -> tuple[Picture, ...]:
    game = fit_board(load_board(board)).game
    return tuple(rendered(tag_pages(board_of(board), [game], PAPERS[paper]), PER_MM))


# -- exactness ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "paper"), [(PAPER, "a4"), ("full-10x8", "letter")])
def test_every_module_of_a_tag_is_printed_to_a_tenth_of_a_millimetre(
    board: str, paper: str
) -> None:
    all_of_it = list_caps(board_of(board), [fit_board(load_board(board)).game])
    sheets = arrange_caps(all_of_it, PAPERS[paper])
    for sheet, picture in zip(sheets, printed(board, paper), strict=True):
        for placed in sheet:
            side = placed.cap.tag_mm
            left, top = (round((n - side / 2) * PER_MM) for n in (placed.x, placed.y))
            dark = tags.modules(placed.cap.tag) == 0
            wrong = unlike_tag(picture[top:, left:], dark, side, PER_MM)
            assert not wrong, f"{placed.cap.name}: {wrong}"


@pytest.mark.parametrize(("board", "paper"), [(PAPER, "a4"), ("full-10x8", "letter")])
def test_nothing_is_printed_in_the_quiet_zone_of_a_tag(board: str, paper: str) -> None:
    all_of_it = list_caps(board_of(board), [fit_board(load_board(board)).game])
    sheets = arrange_caps(all_of_it, PAPERS[paper])
    for sheet, picture in zip(sheets, printed(board, paper), strict=True):
        for placed in sheet:
            side = placed.cap.tag_mm
            quiet = QUIET_MODULES * side / tags.MODULES
            around = _window(picture, placed.x, placed.y, side / 2 + quiet + 1)
            outside = np.ones(around.shape, np.uint8)
            middle = side / 2 + quiet + 1
            _window(outside, middle, middle, side / 2 + 0.1)[:] = 0
            away_mm = cv2.distanceTransform(outside, cv2.DIST_L2, 5) / PER_MM
            near = (away_mm > 0) & (away_mm < quiet - 0.1)
            assert around[near].min() > 250, placed.cap.name


def _window(picture: Picture, x: float, y: float, half: float) -> Picture:
    left, top, right, bottom = (round(n * PER_MM) for n in (x - half, y - half, x + half, y + half))
    return picture[top:bottom, left:right]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_printed_ruler_is_100_mm_long(paper: str) -> None:
    for picture in printed(PAPER, paper):
        foot = picture[-round(15.4 * PER_MM) :]
        assert longest_ruler_mm(foot, PER_MM) == pytest.approx(range(0, 101, 10), abs=0.1)


# -- contents ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "played"),
    [(PAPER, "laser-chess"), ("photon-10x10", "photon"), ("hex-r5", "spaceships")],
)
def test_the_set_has_the_pieces_of_the_largest_setup(board: str, played: str) -> None:
    game = games.make(played)
    found = [each for each in caps_of(board, played) if each.tag not in tags.CORNERS]
    assert len({each.tag for each in found}) == len(found)
    count = Counter((game.tags[n].kind, game.tags[n].owner) for n in (each.tag for each in found))
    starts = [game.start(setup) for setup in game.setups() or [None]]
    needs = [Counter((p.kind, p.owner) for p in each.pieces.values()) for each in starts]
    assert all(need <= count for need in needs)
    assert all(any(need[kind] == n for need in needs) for kind, n in count.items())


def test_the_corner_tags_are_named_after_the_cells_beside_them() -> None:
    corners = [each.name for each in caps_of(PAPER, "laser-chess") if each.tag in tags.CORNERS]
    assert corners == [
        "Corner 26: at a8", "Corner 27: at j8", "Corner 28: at j1", "Corner 29: at a1"
    ]  # fmt: skip


def test_a_tag_of_two_games_is_printed_once_with_both_names() -> None:
    found = {each.tag: each for each in caps_of("photon-10x10", "laser-chess", "photon")}
    assert found[5].name == "Red deflector, mirror 5"
    assert found[30].name == "Red shooter 30"
    assert found[5].paint == found[30].paint, "one side has one shape"
    assert len(found) == 26 + 4 + len(tags.CORNERS)


def test_spares_are_named_after_the_pieces_in_the_board_file() -> None:
    board = replace(board_of(PAPER), spares=((35, 5),))
    found = list_caps(board, [games.make()], spares=2)
    assert [each.name for each in found[-2:]] == ["Spare 34", "Red deflector 35 for 5"]
    assert found[-1].paint == player_paints(("red",))[0]


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_a_whole_set_fits_on_one_sheet(paper: Paper) -> None:
    (sheet,) = arrange_caps(caps_of(PAPER, "laser-chess"), paper)
    assert len(sheet) == 30


def test_caps_do_not_touch_and_stay_in_the_printable_area() -> None:
    for board, played in ((PAPER, "laser-chess"), ("full-10x8", "laser-chess")):
        for paper in (A4, LETTER):
            for sheet in arrange_caps(caps_of(board, played, spares=16), paper):
                boxes = [_box(each.cap, each.x, each.y) for each in sheet]
                assert all(_apart(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
                lowest = paper.height_mm - paper.margin_mm - 10
                for left, top, right, bottom in boxes:
                    assert left >= paper.margin_mm - 1e-9
                    assert right <= paper.width_mm - paper.margin_mm + 1e-9
                    assert top > 18
                    assert bottom <= lowest


Box = tuple[float, float, float, float]


def _box(cap: PrintedCap, x: float, y: float) -> Box:
    half = cap.width_mm / 2
    return x - half, y - half - cap.tab_mm, x + half, y + half


def _apart(a: Box, b: Box) -> bool:
    return a[2] + 1 <= b[0] or b[2] + 1 <= a[0] or a[3] + 1 <= b[1] or b[3] + 1 <= a[1]


def test_a_cap_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(CapTooLarge) as refused:
        arrange_caps([PrintedCap(0, "huge", 200, 230)], A4)
    assert refused.value.sentence == sentences.CAP_TOO_LARGE(cap_mm=230, paper="A4")


# -- cut out -----------------------------------------------------------------------------------


def test_the_shape_of_a_cap_shows_owner_and_front() -> None:
    board = board_of(PAPER)
    cut = all_caps(in_colour(tag_pages(board, [games.make()], A4)))
    assert set(cut) == {*games.make().tags, *tags.CORNERS}
    for number, piece in games.make().tags.items():
        mask = cut[number][..., 3] > 0
        assert _reach_mm(mask, up=True) == pytest.approx(board.cap_mm / 2 + 3, abs=0.3)
        assert _reach_mm(mask, up=False) == pytest.approx(board.cap_mm / 2, abs=0.3)
        width = board.cap_mm
        missing = ((ROUNDING * width) ** 2 * (1 - np.pi / 4), (CUT * width) ** 2 / 2)[piece.owner]
        assert _missing_mm2(mask, width) == pytest.approx(missing, abs=1.0)


def _reach_mm(mask: np.ndarray, up: bool) -> float:
    rows = np.flatnonzero(mask.any(axis=1))
    middle = len(mask) / 2
    return float(middle - rows[0] if up else rows[-1] + 1 - middle) / SCAN_PER_MM


def _missing_mm2(mask: np.ndarray, width: float) -> float:
    """The area missing at the lower right corner."""
    rows, columns = (n / 2 for n in mask.shape)
    half = width / 2 * SCAN_PER_MM
    corner = mask[round(rows) : round(rows + half), round(columns) : round(columns + half)]
    return float((~corner).sum()) / SCAN_PER_MM**2


# -- the command -------------------------------------------------------------------------------


def test_the_command_writes_a_pdf_or_pages_of_svg(laserboard: Laserboard, tmp_path: Path) -> None:
    out = tmp_path / "tags.pdf"
    reported = laserboard.prints("print", "tags", "--board", PAPER, "--out", str(out))
    assert reported.endswith("tags.pdf: 1 page\n")
    assert out.read_bytes().startswith(b"%PDF")
    laserboard.prints("print", "tags", "--board", "full-10x8", "--paper", "letter", "--out",
                      str(tmp_path / "tags.svg"))  # fmt: skip
    assert sorted(each.name for each in tmp_path.glob("*.svg")) == ["tags-1.svg", "tags-2.svg"]
    assert "BLUE KING 13" in (tmp_path / "tags-1.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--spares", "17"), "--spares 17: there are 16"),
        (("--spares", "-1"), "--spares -1: there are 16"),
        (("--board", "hex-r5", "--game", "photon"), "has no room for 10 x 10 squares"),
        (("--game", "chess"), "there is no game 'chess'"),
        (("--out", "tags.png"), "name a .pdf or an .svg"),
    ],
)
def test_a_bad_option_is_refused(
    laserboard: Laserboard, arguments: Sequence[str], complaint: str
) -> None:
    assert complaint in laserboard.refuses("print", "tags", *arguments)


@pytest.mark.parametrize(
    ("name", "game"),
    [("demo-10x8", "laser-chess"), ("photon-10x10", "photon"), ("hex-r5", "spaceships")],
)
def test_a_cap_fits_the_seat_of_its_printed_body(name: str, game: str) -> None:
    """A paper cap lies flush in the seat of the printed tray, for both sides."""
    board, rules = board_of(name, game), games.make(game)
    cut = all_caps(in_colour(tag_pages(board, [rules], A4)))
    near = np.ones((2 * round(0.5 * SCAN_PER_MM) + 1,) * 2, np.uint8)  # the line is 0.3 mm wide
    for number in {*cut} & {*rules.tags}:
        piece = rules.tags[number]
        mask = (cut[number][..., 3] > 0).astype(np.uint8)
        seat = np.zeros_like(mask)
        shape = cap_outline(board, player_paints(rules.players)[piece.owner].shape, CAP_BORDER_MM)
        middle = np.array(mask.shape[::-1]) / 2
        cv2.fillPoly(seat, [np.rint(np.array(shape) * SCAN_PER_MM + middle).astype(np.int32)], 1)
        assert not (mask > cv2.dilate(seat, near)).any(), f"tag {number} does not fit"
        assert not (seat > cv2.dilate(mask, near)).any(), f"tag {number} lies loose"
