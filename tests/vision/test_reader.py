"""The reader on rendered frames: reading, reading again after changes, following the camera."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine import games
from engine.sentences import Template, joined
from tests.support.vision.rendered_tables import (
    DEMO,
    HEXAGONS,
    LARGE,
    PAPER,
    RenderedTable,
    read_tags,
    real_tags,
    setting,
    start,
)
from vision import sentences
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel
from vision.cell_history import READINGS_AFTER_CHANGE
from vision.observation import CellState, Observation, Problem, ProblemKind
from vision.reader import RETRY_FRAMES, Reader
from vision.scene import (
    SCENARIOS,
    CameraConditions,
    Hand,
    Reflection,
    RoomLight,
    build_scenario,
    compute_truth,
    light_cells,
    nudge_camera,
)

# Saturated pixels carry no information, and with all difficulties at once some tags are lost: at
# most this many. Elsewhere all but one tag must be read.
FOUND_AGAIN = RETRY_FRAMES + 3  # frames until a lost board is found
GUIDE_LIGHT = (0.12, 0.1, 0.06)  # of white paper in full light: the brightest guide
MIN_READ = {"strong_glare": 0.7, "mixed_hi": 0.7, "motion_10": 0.8, "defocus_3": 0.9}


def settled(reader: Reader, setting: RenderedTable, frames: int = 3) -> Observation:
    """The observation after several frames of an unchanged table."""
    for seed in range(10, 10 + frames):
        seen = reader.read(setting.frame(seed))
    return seen


def cells(board: PhysicalBoard, *names: str) -> list[int]:
    return [board.grid.cell(name) for name in names]


# -- reading -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_scenario_gives_a_wrong_tag_and_few_hide_one(scenario: str) -> None:
    staged = build_scenario(scenario, DEMO, seed=77)
    reader = Reader(DEMO, games.make().tags)
    lock = cv2.cvtColor(staged.lock_frame, cv2.COLOR_BGR2GRAY)
    assert not isinstance(reader.find(np.asarray(lock, np.uint8)), Problem)
    reader.read(np.asarray(lock, np.uint8))
    reader.forget()
    seen = reader.read(np.asarray(cv2.cvtColor(staged.frame, cv2.COLOR_BGR2GRAY), np.uint8))
    read = read_tags(seen)
    real = {DEMO.grid.name(each.cell): each for each in staged.truth.tags if each.cell is not None}
    for name, (tag, orientation) in read.items():
        assert name in real, name
        assert (tag, orientation) == (real[name].tag, real[name].orientation), name
    visible = [name for name, each in real.items() if each.visible]
    missed = [name for name in visible if name not in read]
    assert len(missed) <= (1 - MIN_READ.get(scenario, 0.96)) * len(visible), missed


@pytest.mark.parametrize(
    ("name", "board"),
    [("laser-chess", DEMO), ("laser-chess", PAPER), ("laser-chess", LARGE), ("photon", LARGE),
     ("spaceships", HEXAGONS)],
)  # fmt: skip
@pytest.mark.parametrize("tilt", [0.0, 35.0])
def test_every_board_is_read(name: str, board: PhysicalBoard, tilt: float) -> None:
    table = start(name, board, tilt)
    reader = Reader(table.board, games.make(name).tags)
    seen = reader.read(table.frame())
    assert read_tags(seen) == real_tags(table)
    assert seen.problems == ()
    pieces = seen.pieces(games.make(name).tags)
    position = games.make(name).start()
    for cell, piece in position.pieces.items():
        assert (pieces[cell].kind, pieces[cell].owner) == (piece.kind, piece.owner)


def test_a_ship_may_point_to_any_of_six_neighbours() -> None:
    game = games.make("spaceships")
    position = game.start()
    for heading in range(6):
        pieces = {
            cell: replace(piece, orientation=heading) for cell, piece in position.pieces.items()
        }
        table = setting(pieces, game, HEXAGONS.with_grid(position.grid))
        seen = Reader(table.board, game.tags).read(table.frame())
        assert seen.pieces(game.tags) == {
            cell: replace(piece, hit_points=1) for cell, piece in pieces.items()
        }


def test_place_and_angle_are_measured() -> None:
    table = start()
    [cell] = cells(DEMO, "e1")
    table = table.shifted(cell, 4, -3, 9)
    seen = Reader(DEMO, range(26)).read(table.frame()).sightings[cell]
    assert seen.offset_mm == pytest.approx((4, -3), abs=1.0)
    assert seen.residual_degrees == pytest.approx(9, abs=2.0)


@pytest.mark.parametrize(
    ("off_mm", "turned", "template", "measured"),
    [
        (0, 20, sentences.PIECE_CLOCKWISE, {"degrees": 20}),
        (0, -20, sentences.PIECE_COUNTER_CLOCKWISE, {"degrees": 20}),
        (9.5, 0, sentences.PIECE_OFF_CENTRE, {"mm": 9.5}),
        (0, 40, sentences.PIECE_CLOCKWISE, {"degrees": 40}),
    ],
)
def test_a_displaced_piece_is_read_and_reported(
    off_mm: float, turned: float, template: Template, measured: dict[str, float]
) -> None:
    table = start()
    [cell] = cells(DEMO, "e1")
    table = table.shifted(cell, off_mm, 0, turned)
    seen = Reader(DEMO, range(26)).read(table.frame())
    assert read_tags(seen) == real_tags(table)
    [problem] = seen.problems
    assert problem.kind is ProblemKind.CROOKED
    assert problem.cells == (cell,)
    slots = {name: problem.sentence.slots[name] for name in measured}
    assert slots == pytest.approx(measured, rel=0.2)
    assert problem.sentence == template(cell="e1", **slots)


def test_a_duplicate_tag_is_reported() -> None:
    table = start()
    twin = replace(table.piece_on(cells(DEMO, "e1")[0]), x_mm=20.0, y_mm=100.0)
    seen = Reader(DEMO, range(26)).read(table.with_pieces(*table.scene.pieces, twin).frame())
    [problem] = seen.problems
    assert problem.kind is ProblemKind.DUPLICATE
    cells_named = joined(["a6", "e1"], " and ")
    assert problem.sentence == sentences.DUPLICATE_TAG(tag=twin.tag, cells=cells_named)


# -- changes -----------------------------------------------------------------------------------


def test_a_table_at_rest_is_not_read_again() -> None:
    table = start()
    reader = table.reader()
    settled(reader, table, READINGS_AFTER_CHANGE)
    for seed in range(5):
        seen = reader.read(table.frame(seed))
        assert seen.changed == frozenset()
        assert read_tags(seen) == real_tags(table)


@pytest.mark.parametrize("noise", [1.5, 12.0, 25.0])
def test_after_a_move_only_its_cells_are_read_again(noise: float) -> None:
    table = replace(start(), conditions=CameraConditions(noise=noise))
    reader = table.reader()
    settled(reader, table, READINGS_AFTER_CHANGE)
    source, target = cells(DEMO, "c1", "c2")
    after = table.moved(source, target)
    moving = reader.read(after.frame(5))
    assert moving.sightings[target].state is CellState.COVERED  # until the piece is at rest
    seen = reader.read(after.frame(6))
    assert {source, target} <= seen.changed
    assert len(seen.changed) <= 8, "neighbours' shadows may change, not the whole board"
    assert read_tags(seen) == real_tags(after)
    assert seen.sightings[source].state is CellState.EMPTY


def test_a_quarter_turn_is_read() -> None:
    table = start()
    reader = table.reader()
    [cell] = cells(DEMO, "c1")
    after = table.shifted(cell, degrees=90)
    assert read_tags(settled(reader, after)) == real_tags(after)


@pytest.mark.parametrize("skin", [(0.52, 0.29, 0.19), (0.09, 0.05, 0.035), (0.75, 0.55, 0.45)])
def test_cells_under_a_hand_are_covered_and_come_back(skin: tuple[float, float, float]) -> None:
    table = start()
    reader = table.reader()
    over = table.seen_with(hands=(Hand(170.0, 220.0, 180.0, skin=skin),))
    hidden = {
        each.cell: each
        for each in compute_truth(over.scene, over.view).tags
        if each.cell is not None and each.visible_fraction < 0.5
    }
    assert len(hidden) >= 2
    for seed in range(4):
        seen = reader.read(over.frame(seed))
        for cell in hidden:
            assert seen.sightings[cell].state is CellState.COVERED, DEMO.grid.name(cell)
        assert read_tags(seen).items() <= real_tags(table).items()
    assert read_tags(settled(reader, table)) == real_tags(table)


# -- a moved camera or board -------------------------------------------------------------------


def moved_view(table: RenderedTable, pixels: float) -> RenderedTable:
    return replace(table, view=nudge_camera(table.view, pixels, 210.0))


@pytest.mark.parametrize("pixels", [4.0, 10.0, 18.0, 60.0])
def test_a_moved_camera_is_followed(pixels: float) -> None:
    table = start()
    reader = table.reader()
    after = moved_view(table, pixels)
    seen = settled(reader, after, frames=FOUND_AGAIN)
    assert read_tags(seen) == real_tags(table)
    assert seen.problems == ()


@pytest.mark.parametrize("turn", [182.0, 92.0])
def test_a_rotated_board_is_found_again(turn: float) -> None:
    table = start(turn=2.0)
    reader = table.reader()
    fill = 0.72 if turn > 100 else 0.5
    view = CameraModel.looking_down(DEMO.size_mm, 1280, 720, fill, 15.0, turn)
    after = replace(table, view=view)
    for seed in range(FOUND_AGAIN):
        seen = reader.read(after.frame(seed))
        assert read_tags(seen).items() <= real_tags(table).items(), "never on the wrong square"
    assert read_tags(seen) == real_tags(table)


def test_a_move_made_while_the_camera_was_bumped_is_read() -> None:
    table = start()
    reader = table.reader()
    source, target = cells(DEMO, "c1", "c2")
    after = moved_view(table.moved(source, target), 18.0)
    assert read_tags(settled(reader, after, frames=FOUND_AGAIN)) == real_tags(after)


@pytest.mark.parametrize("light", [0.4, 2.0])
def test_switching_a_lamp_changes_no_reading(light: float) -> None:
    table = start()
    reader = table.reader()
    white = table.conditions.white
    after = replace(table, conditions=replace(table.conditions, white=white * light))
    assert read_tags(settled(reader, after)) == real_tags(table)


def test_leds_at_full_brightness_change_no_reading() -> None:
    table = start()
    reader = table.reader()
    lamps = light_cells(DEMO, [(cell, (5.0, 4.0, 4.0)) for cell in range(0, DEMO.grid.size, 2)])
    after = table.seen_with(led_lights=lamps)
    assert read_tags(settled(reader, after)) == real_tags(table)
    assert read_tags(settled(reader, table)) == real_tags(table)


@pytest.mark.parametrize(
    ("name", "board"), [("laser-chess", DEMO), ("photon", LARGE), ("spaceships", HEXAGONS)]
)
@pytest.mark.parametrize("afresh", [False, True])
def test_glare_covers_a_piece_at_any_led_brightness(
    name: str, board: PhysicalBoard, afresh: bool
) -> None:
    table = start(name, board)
    reader = table.reader()
    pieces = [table.board.grid.cell(each) for each in list(real_tags(table))[:4]]
    every = range(table.board.grid.size)
    reader.lit_cells = frozenset(every)
    lamps = light_cells(table.board, [(cell, GUIDE_LIGHT) for cell in every])
    spots = [Reflection(*table.board.centre_mm(cell), 14.0, 2.5) for cell in pieces]
    glare = table.seen_with(led_lights=lamps, room=RoomLight(reflections=tuple(spots)))
    if afresh:
        reader.forget()
    seen = settled(reader, glare)
    assert {seen.sightings[cell].state for cell in pieces} == {CellState.COVERED}
    assert read_tags(settled(reader, table.seen_with(led_lights=lamps))) == real_tags(table)


def test_with_lights_on_cells_stay_covered_until_the_hand_is_gone() -> None:
    table = start()
    source, target, hand = cells(DEMO, "i4", "j3", "i4")
    edge = cells(DEMO, *(f"j{row}" for row in range(1, 9)))
    lamps = light_cells(DEMO, [(cell, GUIDE_LIGHT) for cell in edge])
    table = table.seen_with(led_lights=lamps)
    reader = table.seen_with(led_lights=()).reader()
    reader.lit_cells = frozenset(edge)
    settled(reader, table)
    after = table.moved(source, target)
    over = after.seen_with(hands=(Hand(*DEMO.centre_mm(hand), arm_degrees=180.0),))
    seen = settled(reader, over, frames=8)
    assert seen.sightings[target].state is CellState.COVERED
    seen = settled(reader, after, frames=4)
    assert read_tags(seen) == real_tags(after)
    assert seen.covered() == ()


def test_a_change_of_resolution_searches_the_board_again() -> None:
    table = start()
    reader = table.reader()
    large = replace(
        table,
        view=CameraModel.looking_down(DEMO.size_mm, 1920, 1080, 0.72, 15.0, 2.0),
        conditions=table.conditions.scaled(1.5),
    )
    assert read_tags(settled(reader, large)) == real_tags(table)


# -- without a board ---------------------------------------------------------------------------


def test_without_a_board_every_cell_is_covered_and_the_reason_is_reported() -> None:
    dark = np.zeros((720, 1280), np.uint8)
    seen = Reader(DEMO, range(26)).read(dark)
    assert not seen.locked
    assert len(seen.covered()) == DEMO.grid.size
    [problem] = seen.problems
    assert problem.kind is ProblemKind.NO_BOARD
    assert problem.sentence == sentences.NO_BOARD()


def test_a_covered_lens_reads_nothing_and_reading_continues_afterwards() -> None:
    table = start()
    reader = table.reader()
    for _ in range(2 * RETRY_FRAMES):
        seen = reader.read(np.full((720, 1280), 30, np.uint8))
        assert read_tags(seen) == {}
    assert read_tags(settled(reader, table)) == real_tags(table)


def test_a_board_that_comes_into_view_is_found_automatically() -> None:
    table = start()
    reader = Reader(DEMO, range(26))
    for _ in range(3):
        assert not reader.read(np.full((720, 1280), 90, np.uint8)).locked
    seen = settled(reader, table, frames=RETRY_FRAMES)
    assert read_tags(seen) == real_tags(table)


def test_a_board_rotated_by_180_degrees_is_read_in_the_right_orientation() -> None:
    """After the rotation every corner tag and every cell is at the place of another one."""
    table = start(tilt=0.0, turn=0.0)
    reader = table.reader()
    after = replace(table, view=CameraModel.looking_down(DEMO.size_mm, 1280, 720, 0.72, 0.0, 180.0))
    for seed in range(FOUND_AGAIN):
        seen = reader.read(after.frame(seed))
        assert read_tags(seen).items() <= real_tags(table).items()
    assert read_tags(seen) == real_tags(table)


def test_a_camera_bumped_by_a_whole_square_does_not_shift_the_pieces() -> None:
    """A shift by one square would let every piece be read on the wrong cell."""
    table = start(tilt=0.0, turn=0.0)
    reader = table.reader()
    first, second = (
        table.view.project([DEMO.centre_mm(cell)], 30) for cell in cells(DEMO, "d4", "e4")
    )
    square = float(np.hypot(*(second - first)[0]))
    after = replace(table, view=nudge_camera(table.view, square, 90.0))
    for seed in range(FOUND_AGAIN):
        seen = reader.read(after.frame(seed))
        assert read_tags(seen).items() <= real_tags(table).items()
    assert read_tags(seen) == real_tags(table)
