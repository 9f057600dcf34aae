"""The overlay draws sightings where they are, and sentences below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from engine import games
from engine.draw.palette import player_paints
from engine.game import AnyGame
from tests.support.vision.rendered_tables import DEMO, HEXAGONS, RenderedTable, start
from vision import overlay as module
from vision.board import PhysicalBoard
from vision.board_lock import BoardLock
from vision.camera_model import CameraModel, Lens, Points
from vision.observation import CellState, Evidence, Observation, Sighting
from vision.overlay import BAND, EMPTY_COLOUR, FOUND_COLOUR, HIDDEN_COLOUR, Image, draw_overlay
from vision.tags import CORNERS

SIZE = (1280, 720)
GREY = 60


def blank(width: int = SIZE[0], height: int = SIZE[1]) -> Image:
    return np.full((height, width, 3), GREY, np.uint8)


@cache
def table(board: PhysicalBoard = DEMO) -> RenderedTable:
    return start("spaceships" if board is HEXAGONS else "laser-chess", board)


def nothing_seen(board: PhysicalBoard, state: CellState = CellState.EMPTY) -> Observation:
    cells = board.grid.size
    evidence = Evidence((), np.zeros((cells, 0, 4), np.float32), np.zeros(cells, np.float32))
    return Observation(board.grid, (Sighting(state, confidence=1.0),) * cells, evidence)


def with_sighting(seen: Observation, cell: int, sighting: Sighting) -> Observation:
    sightings = list(seen.sightings)
    sightings[cell] = sighting
    return replace(seen, sightings=tuple(sightings))


def draw(
    seen: Observation,
    board: PhysicalBoard = DEMO,
    *,
    view: CameraModel | None = None,
    corners: tuple[int, ...] = CORNERS,
    sentences: Sequence[str] = (),
    image: Image | None = None,
) -> Image:
    game: AnyGame = games.make("spaceships" if board is HEXAGONS else "laser-chess")
    lock = BoardLock(view or table(board).view, 0.5, corners)
    under = blank() if image is None else image
    return draw_overlay(under, board, lock, seen, game, game.tags, sentences)


def pixels_like(image: Image, colour: tuple[int, ...], strictly: int = 30) -> Points:
    """The pixels (x, y) of about this colour."""
    apart = np.abs(image.astype(int) - np.array(colour)).max(axis=2)
    rows, columns = np.nonzero(apart <= strictly)
    return np.stack([columns, rows], axis=1).astype(np.float64)


def share_within(points: Points, outline: Points) -> float:
    """The share of points inside the outline or on its edge."""
    shape = outline.astype(np.float32).reshape(-1, 1, 2)
    return float(
        np.mean([cv2.pointPolygonTest(shape, (float(x), float(y)), True) > -3 for x, y in points])
    )


def cell_outline(board: PhysicalBoard, cell: int, view: CameraModel, cells: float = 1.0) -> Points:
    """A circle around a cell, at cap height."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) * board.cell_mm * 0.71 * cells
    return view.project(np.array(board.centre_mm(cell)) + circle, board.cap_height_mm)


def colour_of(owner: int, board: PhysicalBoard = DEMO) -> tuple[int, int, int]:
    game: AnyGame = games.make("spaceships" if board is HEXAGONS else "laser-chess")
    bright = player_paints(game.players)[owner].bright
    return int(bright[5:7], 16), int(bright[3:5], 16), int(bright[1:3], 16)


# -- cells -------------------------------------------------------------------------------------


def test_the_input_image_is_not_changed() -> None:
    image = blank()
    draw(nothing_seen(DEMO, CellState.COVERED), sentences=["a sentence"], image=image)
    assert (image == GREY).all()


@pytest.mark.parametrize("board", [DEMO, HEXAGONS], ids=lambda board: str(board.name))
def test_a_covered_cell_is_hatched(board: PhysicalBoard) -> None:
    cell = board.grid.cell("c3")
    seen = with_sighting(nothing_seen(board), cell, Sighting(CellState.COVERED))
    marks = pixels_like(draw(seen, board), HIDDEN_COLOUR)
    assert len(marks) > 150
    assert share_within(marks, cell_outline(board, cell, table(board).view)) > 0.99
    assert pixels_like(draw(nothing_seen(board), board), HIDDEN_COLOUR).size == 0


def test_an_empty_board_is_drawn_as_a_plain_grid() -> None:
    image = draw(nothing_seen(DEMO))
    lines = pixels_like(image, EMPTY_COLOUR)
    assert len(lines) > 5000
    board = table().view.project([(0, 0), (400, 0), (400, 320), (0, 320)], DEMO.cap_height_mm)
    assert share_within(lines[::40], board) == 1
    assert image.shape == (720, 1280, 3), "with nothing to say nothing is added"


@pytest.mark.parametrize(("tag", "owner"), [(13, 0), (0, 1)])
@pytest.mark.parametrize("heading", range(4))
def test_a_piece_is_drawn_in_its_owners_colour_and_heading(
    tag: int, owner: int, heading: int
) -> None:
    cell = DEMO.grid.cell("e4")
    sighting = Sighting(CellState.OCCUPIED, tag, heading, confidence=1.0)
    image = draw(with_sighting(nothing_seen(DEMO), cell, sighting))
    marks = pixels_like(image, colour_of(owner))
    assert len(marks) > 150
    assert share_within(marks, cell_outline(DEMO, cell, table().view)) > 0.99
    # Only the tip extends beyond the tag's upper edge.
    sides = []
    for side in range(4):
        angle = np.radians(90 * side)
        tip = np.array(DEMO.centre_mm(cell)) + 16.5 * np.array([np.sin(angle), -np.cos(angle)])
        [[x, y]] = np.round(table().view.project(tip, DEMO.cap_height_mm)).astype(int)
        sides.append(bool(len(pixels_like(image[y : y + 1, x : x + 1], colour_of(owner)))))
    assert sides == [side == heading for side in range(4)]


def test_a_piece_is_drawn_at_its_measured_place() -> None:
    cell = DEMO.grid.cell("e4")
    moved = Sighting(CellState.OCCUPIED, 13, 0, 20.0, (9.0, -7.0), 1.0)
    tags = []
    for sighting in (Sighting(CellState.OCCUPIED, 13, 0, confidence=1.0), moved):
        image = draw(with_sighting(nothing_seen(DEMO), cell, sighting))
        tags.append(np.median(pixels_like(image, colour_of(0)), axis=0))
    there = table().view.project([DEMO.centre_mm(cell), (189.0, 173.0)], DEMO.cap_height_mm)
    assert tags[1] - tags[0] == pytest.approx(there[1] - there[0], abs=4)


def test_ships_are_drawn_on_hexagons() -> None:
    cell = HEXAGONS.grid.cell("f6")
    seen = with_sighting(
        nothing_seen(HEXAGONS), cell, Sighting(CellState.OCCUPIED, 25, 4, confidence=1.0)
    )
    marks = pixels_like(draw(seen, HEXAGONS), colour_of(1, HEXAGONS))
    assert share_within(marks, cell_outline(HEXAGONS, cell, table(HEXAGONS).view)) > 0.99


def test_a_tag_without_a_piece_is_drawn() -> None:
    cell = DEMO.grid.cell("e4")
    seen = with_sighting(
        nothing_seen(DEMO), cell, Sighting(CellState.OCCUPIED, 33, 0, confidence=1.0)
    )
    assert len(pixels_like(draw(seen), HIDDEN_COLOUR)) > 100


def test_a_low_confidence_is_written_beside_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def note(_: Image, text: str, *__: object) -> None:
        written.append(text)

    monkeypatch.setattr(module, "_write", note)
    cell = DEMO.grid.cell("e4")
    for confidence in (1.0, 0.62):
        sighting = Sighting(CellState.OCCUPIED, 18, 0, confidence=confidence)
        draw(with_sighting(nothing_seen(DEMO), cell, sighting))
    assert written == ["B", "B 62%"]


# -- the lock ----------------------------------------------------------------------------------


def test_corner_tags_are_marked_as_found_or_hidden() -> None:
    image = draw(nothing_seen(DEMO), corners=(26, 27, 29))
    view = table().view
    for tag, place in zip(CORNERS, DEMO.corner_tags_mm(), strict=True):
        half = 17.0
        square = place + np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        outline = view.project(square)
        colours = {
            name: sum(share_within(point[None], outline) for point in pixels_like(image, colour))
            for name, colour in (("found", FOUND_COLOUR), ("hidden", HIDDEN_COLOUR))
        }
        assert (colours["found"] > 50) == (tag != 28), tag
        assert (colours["hidden"] > 50) == (tag == 28), tag


def test_lens_distortion_applies_to_the_drawing() -> None:
    bent = Lens(0.87, None, (-0.6, 0.1, 0.0, 0.0, 0.0), True)
    view, cell = replace(table().view, lens=bent), DEMO.grid.cell("a1")
    seen = with_sighting(nothing_seen(DEMO), cell, Sighting(CellState.COVERED))
    marks = pixels_like(draw(seen, view=view), HIDDEN_COLOUR)
    at, height_mm = DEMO.centre_mm(cell), DEMO.cap_height_mm
    assert np.median(marks, axis=0) == pytest.approx(view.project(at, height_mm)[0], abs=4)
    assert np.hypot(*(view.project(at, height_mm) - table().view.project(at, height_mm))[0]) > 15


def test_without_a_board_only_sentences_are_added() -> None:
    image = np.random.default_rng(1).integers(0, 256, (720, 1280, 3)).astype(np.uint8)
    seen = replace(nothing_seen(DEMO, CellState.COVERED), locked=False)
    game = games.make("laser-chess")
    for lock in (None, BoardLock(table().view, 0.5, CORNERS)):
        result = draw_overlay(image, DEMO, lock, seen, game, game.tags, ["no board is seen"])
        assert np.array_equal(result[:720], image)
        assert result.shape[0] > 720


# -- sentences ---------------------------------------------------------------------------------

LONG = (
    "corner tags 26, 27, 28, 29 are seen, but not where those of the board 'the-large-one-in-the-"
    "hall-downstairs' would be: is it the right board file? or was it moved, and if so by whom? "
    "If that is unknown, put it back to where it was, and measure it again from corner to corner"
)


@pytest.mark.parametrize("width", [16, 40, 320, 640, 1280, 2400])
def test_sentences_fit_below_any_image(width: int) -> None:
    under = blank(width, max(16, width // 2))
    seen = replace(nothing_seen(DEMO), locked=False)
    result = draw(seen, image=under, sentences=[LONG, "short"])
    height = under.shape[0]
    assert np.array_equal(result[:height, :width], under)
    words = result[height:]
    assert result.shape[1] >= width
    assert len(words) > 20
    bright = pixels_like(words, (255, 255, 255), 90)
    assert len(bright) > 100
    # Nothing leaves the band: its first and last columns are empty.
    assert (words[:, -4:] == np.array(BAND)).all()
    assert (words[:, :4] == np.array(BAND)).all()


def test_every_sentence_has_its_line() -> None:
    seen = nothing_seen(DEMO)
    heights = [len(draw(seen, sentences=["e4: a piece"] * count)) - 720 for count in range(4)]
    assert heights[0] == 0
    steps = np.diff(heights)
    assert steps[1] == steps[2] == 26
    assert len(draw(seen, sentences=[LONG])) > 720 + heights[1], "a long one has more than one"


def test_letters_without_a_glyph_are_accepted() -> None:
    result = draw(nothing_seen(DEMO), sentences=["Brett 'Grün' – 王 ✓"])
    assert len(pixels_like(result[720:], (255, 255, 255), 90)) > 20
