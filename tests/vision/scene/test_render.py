"""The simulated camera draws tags, pieces, hands and light as its ground truth states."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from engine import games
from engine.catalogue import DID_YOU_MEAN
from engine.errors import UnknownName
from engine.game import Piece
from engine.grid import Grid, HexGrid, SquareGrid
from tests.support.engine.sentences import raises
from vision import sentences
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Lens
from vision.scene import (
    SCENARIOS,
    CameraConditions,
    Hand,
    LedLight,
    Reflection,
    RoomLight,
    Scene,
    ScenePiece,
    Shadow,
    build_scenario,
    compute_truth,
    light_cells,
    nudge_camera,
    place_pieces,
    render,
)
from vision.scene.camera import LUMINANCE, develop, linear
from vision.scene.hands import outside_mm
from vision.scene.sprites import square_mm
from vision.scene.surface import cell_outline_mm
from vision.scene.table import NoTagLeft, cell_at
from vision.tags import CORNERS, dictionary

Frame = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]

BOARD = PhysicalBoard("test", SquareGrid(10, 8))
SQUARES, HEXAGONS = SquareGrid(10, 8), HexGrid.hexagon(4)
BENT = Lens(distortion=(-0.08, 0.02, 0.001, -0.001, 0.0))
CLEAN = CameraConditions(noise=0.0, veil=0.0, vignetting=0.0)
SHARP = replace(CLEAN, blur_px=0.4)
DEFLECTOR = Piece("deflector", 0)
GREEN = (0.0, 1.0, 0.0)


def camera_over(board: PhysicalBoard, tilt: float = 0.0, lens: Lens | None = None) -> CameraModel:
    return CameraModel.looking_down(board.size_mm, fill=0.66, tilt_degrees=tilt, lens=lens)


def take_frame(
    scene: Scene, view: CameraModel, conditions: CameraConditions = CLEAN, seed: int = 0
) -> Frame:
    return render(scene, view, conditions, np.random.default_rng(seed))


def piece_on(name: str, tag: int = 5, angle: float = 0.0, piece: Piece = DEFLECTOR) -> ScenePiece:
    return ScenePiece(tag, piece, *BOARD.centre_mm(BOARD.grid.cell(name)), angle)


def detected(frame: Frame) -> dict[int, Points]:
    """The corners of every tag that OpenCV finds, clockwise from the upper left one."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary()).detectMarkers(grey)
    if ids is None:
        return {}
    tags = (int(tag) for tag in np.ravel(ids))
    return {tag: np.reshape(c, (4, 2)) for tag, c in zip(tags, corners, strict=True)}


def patch(
    frame: Frame, view: CameraModel, at_mm: tuple[float, float], height_mm: float = 0.0
) -> Points:
    """The mean colour around a point in linear light (BGR)."""
    x, y = np.rint(view.project([at_mm], height_mm)[0]).astype(int)
    return np.asarray(linear(frame[y - 2 : y + 3, x - 2 : x + 3] / 255).mean(axis=(0, 1)))


# -- positions ------ --------------------------------------------------------------------------


@pytest.mark.parametrize("cap_height_mm", [30.0, 0.0])
@pytest.mark.parametrize("tilt", [0.0, 35.0])
@pytest.mark.parametrize("grid", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_tags_are_drawn_at_their_ground_truth_positions(
    grid: Grid, tilt: float, cap_height_mm: float
) -> None:
    board = PhysicalBoard("test", grid, cap_height_mm=cap_height_mm)
    pieces = tuple(
        ScenePiece(n, DEFLECTOR, *board.centre_mm(cell), grid.degrees(n % grid.headings) + n - 9)
        for n, cell in enumerate(range(1, grid.size, grid.size // 18))
    )
    view = camera_over(board, tilt, BENT)
    scene = Scene(board, pieces)
    found = detected(take_frame(scene, view, SHARP))
    assert set(found) == {*CORNERS, *(placed.tag for placed in pieces)}
    errors = []
    for seen in compute_truth(scene, view).tags:
        assert seen.visible
        corners = square_mm(board.tag_mm, seen.x_mm, seen.y_mm, seen.angle_degrees)
        errors.append(found[seen.tag] - view.project(corners, cap_height_mm))
    for tag, (x, y) in zip(CORNERS, board.corner_tags_mm(), strict=True):
        errors.append(found[tag] - view.project(square_mm(board.corner_mm, x, y)))
    assert np.hypot(*np.concatenate(errors).T).max() < 1.5
    assert np.abs(np.mean(errors, axis=(0, 1))).max() < 0.15  # no common shift


def test_a_quarter_turn_of_a_piece_rotates_its_tag_by_a_quarter() -> None:
    view = camera_over(BOARD)
    seen = [
        detected(take_frame(Scene(BOARD, (piece_on("e4", angle=angle),)), view, SHARP))[5]
        for angle in (0.0, 90.0)
    ]
    assert np.abs(np.roll(seen[0], -1, axis=0) - seen[1]).max() < 1.5


@pytest.mark.parametrize("grid", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_the_ground_truth_has_the_cell_and_the_heading(grid: Grid) -> None:
    board = PhysicalBoard("test", grid)
    for heading in range(grid.headings):
        for off in (-20.0, 20.0):
            angle = grid.degrees(heading) + off
            x, y = board.centre_mm(grid.size // 2)
            placed = ScenePiece(3, DEFLECTOR, x + 15, y - 8, angle + 360)
            (reported,) = compute_truth(Scene(board, (placed,)), camera_over(board)).tags
            assert (reported.cell, reported.orientation) == (grid.size // 2, heading)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "name"),
    [(8.0, 100.0, "a6"), (-8.0, 100.0, None), (392.0, 312.0, "j1"), (392.0, 328.0, None)],
)
def test_the_board_ends_at_its_edge(x_mm: float, y_mm: float, name: str | None) -> None:
    (reported,) = compute_truth(
        Scene(BOARD, (ScenePiece(5, DEFLECTOR, x_mm, y_mm),)), camera_over(BOARD)
    ).tags
    assert reported.cell == (None if name is None else BOARD.grid.cell(name))


def test_a_piece_beside_the_board_is_on_no_cell() -> None:
    placed = ScenePiece(5, DEFLECTOR, -60.0, 100.0)
    view = camera_over(BOARD)
    (reported,) = compute_truth(Scene(BOARD, (placed,)), view).tags
    assert reported.cell is None
    assert reported.visible
    assert 5 in detected(take_frame(Scene(BOARD, (placed,)), view))


def test_a_tag_that_leaves_the_image_is_not_visible() -> None:
    view = camera_over(BOARD)
    to_board = np.linalg.inv(view.homography(BOARD.cap_height_mm))
    x, y, scale = to_board @ np.array([-0.5, view.height / 2, 1.0])
    (reported,) = compute_truth(
        Scene(BOARD, (ScenePiece(5, DEFLECTOR, x / scale, y / scale),)), view
    ).tags
    assert reported.visible_fraction == pytest.approx(0.5, abs=0.06)
    assert not reported.visible


@pytest.mark.parametrize("name", list(games.GAMES))
def test_pieces_of_every_game_are_placed_with_their_tags(name: str) -> None:
    game = games.make(name)
    position = game.start(seed=game.default_seed) if not game.setups() else game.start()
    board = PhysicalBoard("test", position.grid)
    pieces = place_pieces(board, position.pieces, game.tags)
    assert len({placed.tag for placed in pieces}) == len(pieces)
    reported = compute_truth(Scene(board, pieces), camera_over(board)).tags
    read = {}
    for seen in reported:
        meant = game.tags[seen.tag]
        assert seen.cell is not None
        orientation = (meant.orientation + seen.orientation) % board.grid.headings
        read[seen.cell] = replace(meant, orientation=orientation)
    standing = position.pieces.items()
    assert read == {c: replace(p, hit_points=read[c].hit_points) for c, p in standing}


def test_a_tag_may_be_glued_on_rotated() -> None:
    """The piece points right when its tag is upright, so it points up when the tag points left."""
    (placed,) = place_pieces(BOARD, {0: Piece("gun", 0, 0)}, {7: Piece("gun", 0, 1)})
    assert placed.angle_degrees == 270.0


def test_more_pieces_than_tags_are_refused() -> None:
    game = games.make()
    king = next(piece for piece in game.tags.values() if piece.kind == "king")
    with raises(NoTagLeft, sentences.NO_TAG_LEFT(piece=king.kind, player=king.owner)):
        place_pieces(BOARD, {0: king, 1: king}, game.tags)


# -- hidden tags -------------------------------------------------------------------------------


def test_the_ground_truth_has_the_hidden_share_of_a_tag() -> None:
    """The hand is green and the caps are white, so green pixels are hidden."""
    pieces = tuple(
        ScenePiece(n, DEFLECTOR, *BOARD.centre_mm(20 + 2 * n), 90.0 * n) for n in range(18)
    )
    hand = Hand(190.0, 110.0, arm_degrees=160.0, height_mm=60.0, skin=GREEN, sleeve=GREEN)
    scene, view = Scene(BOARD, pieces, hands=(hand,)), camera_over(BOARD, 20.0, BENT)
    frame = take_frame(scene, view)
    blue, green, red = np.moveaxis(linear(frame / 255), -1, 0)
    covered = (green > 2 * blue + 0.01) & (green > 2 * red + 0.01)
    reported = compute_truth(scene, view).tags
    assert {seen.visible for seen in reported} == {True, False}
    assert any(seen.visible_fraction == 0 for seen in reported)
    for seen in reported:
        corners = square_mm(BOARD.tag_mm, seen.x_mm, seen.y_mm, seen.angle_degrees)
        tag = np.zeros(frame.shape[:2], np.uint8)
        outline = np.rint(view.project(corners, BOARD.cap_height_mm)).astype(np.int32)
        cv2.fillConvexPoly(tag, outline, 1)
        assert seen.visible_fraction == pytest.approx(1 - covered[tag > 0].mean(), abs=0.06)


def test_covered_cells_are_those_under_the_hand() -> None:
    x, y = BOARD.centre_mm(BOARD.grid.cell("e4"))
    view = camera_over(BOARD)
    reported = compute_truth(Scene(BOARD, hands=(Hand(x, y, arm_degrees=180.0),)), view)
    names = {BOARD.grid.name(cell) for cell in reported.covered}
    assert {"e3", "e2", "e1"} <= names
    assert not names & {f"{column}{row}" for column in "abcj" for row in range(1, 9)}
    assert not names & {f"{column}{row}" for column in "abcdefghij" for row in (6, 7, 8)}
    assert compute_truth(Scene(BOARD), view).covered == frozenset()


def test_a_right_hand_has_its_thumb_on_the_left() -> None:
    little_finger = np.array([(53.0, 64.0), (-53.0, 64.0)])
    for left in (False, True):
        right_side, left_side = outside_mm(Hand(0, 0, arm_degrees=180.0, left=left), little_finger)
        assert (right_side < 0) == (not left)
        assert (left_side < 0) == left


def test_a_hand_casts_a_shadow_away_from_the_lamp() -> None:
    view = camera_over(BOARD)
    room = RoomLight(lamp_degrees=-90.0, elevation_degrees=45.0)
    hand = Hand(200.0, 60.0, arm_degrees=180.0, height_mm=80.0)
    right, left = (326.0, 260.0), (126.0, 260.0)
    with_hand = take_frame(Scene(BOARD, hands=(hand,), room=room), view)
    without = take_frame(Scene(BOARD, room=room), view)
    assert patch(with_hand, view, right).sum() < 0.75 * patch(without, view, right).sum()
    assert patch(with_hand, view, left).sum() > 0.95 * patch(without, view, left).sum()


def test_a_piece_hides_the_side_of_the_one_behind_it() -> None:
    """From the near side, the cap on e3 hides the body on e4, in any order of pieces."""
    behind, before = piece_on("e4", tag=5, angle=180.0), piece_on("e3", tag=6)
    view = camera_over(BOARD, 35.0)
    alone = take_frame(Scene(BOARD, (behind,)), view)
    both = take_frame(Scene(BOARD, (behind, before)), view)
    assert np.array_equal(both, take_frame(Scene(BOARD, (before, behind)), view))
    rim = (before.x_mm, before.y_mm - 15.5)  # of the cap on e3
    assert patch(both, view, rim, BOARD.cap_height_mm).min() > 0.6
    assert patch(alone, view, rim, BOARD.cap_height_mm).min() < 0.2
    assert {5, 6} <= set(detected(both))


def test_a_piece_that_stands_on_another_hides_its_tag() -> None:
    far, near = piece_on("e4", tag=5), replace(piece_on("e4", tag=6), x_mm=190.0, y_mm=190.0)
    reported = {
        seen.tag: seen
        for seen in compute_truth(Scene(BOARD, (near, far)), camera_over(BOARD, 30.0)).tags
    }
    assert reported[6].visible
    assert reported[5].visible_fraction < 0.5


def test_flat_discs_have_no_side() -> None:
    """With caps at height 0, only the cap and its soft contact shadow are drawn."""
    flat = replace(BOARD, cap_height_mm=0.0)
    placed = piece_on("e4")
    view = camera_over(flat, 35.0)
    drawn = take_frame(Scene(flat, (placed,)), view).astype(int)
    beside = (placed.x_mm, placed.y_mm + 20.5)
    empty = take_frame(Scene(flat), view)
    assert np.abs(drawn - empty).max() > 100
    assert patch(drawn.astype(np.uint8), view, beside) == pytest.approx(
        patch(empty, view, beside), rel=0.3
    )


# -- light ---------------------------------------------------------------------------------------


def test_half_the_white_level_halves_the_linear_light() -> None:
    pieces = tuple(piece_on(name, tag) for tag, name in enumerate(("b2", "e5", "h7")))
    scene, view = Scene(BOARD, pieces), camera_over(BOARD)
    full, half = (
        linear(take_frame(scene, view, replace(CLEAN, white=white)) / 255) for white in (0.8, 0.4)
    )
    bright = full > 0.05
    assert np.median(half[bright] / full[bright]) == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize(("white", "level"), [(0.10, 89), (0.05, 63), (0.02, 39)])
def test_white_paper_has_the_requested_exposure(white: float, level: int) -> None:
    placed = piece_on("e4")
    frame = take_frame(Scene(BOARD, (placed,)), camera_over(BOARD), replace(CLEAN, white=white))
    x, y = np.rint(
        camera_over(BOARD).project([(placed.x_mm, placed.y_mm - 15)], BOARD.cap_height_mm)[0]
    ).astype(int)
    assert frame[y, x].mean() == pytest.approx(level, abs=1.5)


def test_a_lamp_lights_its_own_cell() -> None:
    view = camera_over(BOARD)
    cell, next_cell, far = (BOARD.grid.cell(name) for name in ("e4", "f4", "b7"))
    dark = take_frame(Scene(BOARD), view)
    shining = take_frame(
        Scene(BOARD, led_lights=light_cells(BOARD, [(cell, (0.8, 0.0, 0.0))])), view
    )
    gained = {
        c: patch(shining, view, BOARD.centre_mm(c)) - patch(dark, view, BOARD.centre_mm(c))
        for c in (cell, next_cell, far)
    }
    blue, green, red = gained[cell]
    assert red > 0.4
    assert max(blue, green) < 0.02
    assert gained[next_cell][2] < 0.1 * red
    assert gained[far][2] < 0.01 * red


@pytest.mark.parametrize("lens", [None, BENT], ids=["straight", "bent"])
@pytest.mark.parametrize("grid", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_a_lit_cell_fills_its_outline(grid: Grid, lens: Lens | None) -> None:
    board = PhysicalBoard("test", grid)
    view, cell = camera_over(board, 35.0, lens), 3
    dark = take_frame(Scene(board), view).astype(int)
    shining = take_frame(
        Scene(board, led_lights=light_cells(board, [(cell, (1.0, 1.0, 1.0))])), view
    )
    glowing = (shining - dark).min(axis=-1) > 60
    outline = view.project(cell_outline_mm(board, cell)).astype(np.float32)
    area = cv2.moments(outline)
    y, x = np.mean(np.nonzero(glowing), axis=1)
    assert glowing.sum() == pytest.approx(area["m00"], rel=0.1)
    assert x == pytest.approx(area["m10"] / area["m00"], abs=0.35)
    assert y == pytest.approx(area["m01"] / area["m00"], abs=0.35)


def test_an_off_centre_lamp_stays_within_its_cell() -> None:
    view = camera_over(BOARD)
    x, y = BOARD.centre_mm(BOARD.grid.cell("e4"))
    dark = take_frame(Scene(BOARD), view)
    shining = take_frame(Scene(BOARD, led_lights=(LedLight(x + 15, y, (1.0, 1.0, 1.0)),)), view)
    inside, outside = (x + 16, y), (x + 26, y)
    assert (patch(shining, view, inside) - patch(dark, view, inside)).min() > 0.4
    assert (patch(shining, view, outside) - patch(dark, view, outside)).max() < 0.1


def test_lamps_light_the_sides_of_pieces_but_not_their_caps() -> None:
    placed = piece_on("e4", angle=180.0, piece=Piece("block", 0))
    view = camera_over(BOARD, 35.0)
    lamps = light_cells(BOARD, [(BOARD.grid.cell("e3"), (0.0, 0.0, 1.5))])
    dark, shining = (take_frame(Scene(BOARD, (placed,), each), view) for each in ((), lamps))
    side, cap = (placed.x_mm, placed.y_mm + 15), (placed.x_mm, placed.y_mm - 15)
    assert patch(shining, view, side, 15.0)[0] > 1.15 * patch(dark, view, side, 15.0)[0]
    assert patch(shining, view, cap, 30.0) == pytest.approx(patch(dark, view, cap, 30.0), rel=0.02)


def test_a_shadow_darkens_half_of_the_table() -> None:
    pieces = (piece_on("b4", 5), piece_on("i4", 6))
    room = RoomLight(shadows=(Shadow(200.0, 160.0, towards_degrees=90.0, depth=0.75),))
    view = camera_over(BOARD)
    lit_room, shaded = (
        take_frame(Scene(BOARD, pieces, room=each), view) for each in (RoomLight(), room)
    )
    for placed, part in zip(pieces, (1.0, 0.25), strict=True):
        rim = (placed.x_mm, placed.y_mm - 15)
        before = patch(lit_room, view, rim, BOARD.cap_height_mm)
        assert patch(shaded, view, rim, BOARD.cap_height_mm) == pytest.approx(
            part * before, rel=0.03
        )


def test_a_reflection_saturates_ink_and_paper() -> None:
    placed = piece_on("e4")
    glare = RoomLight(reflections=(Reflection(placed.x_mm, placed.y_mm, 30.0, 2.5),))
    view = camera_over(BOARD)
    ink = (placed.x_mm, placed.y_mm - 11.2)  # the black border of the tag
    plain, drowned = (
        take_frame(Scene(BOARD, (placed,), room=r), view) for r in (RoomLight(), glare)
    )
    assert patch(plain, view, ink, BOARD.cap_height_mm).max() < 0.2
    assert patch(drowned, view, ink, BOARD.cap_height_mm).min() > 0.98


# -- the camera ----------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_a_grey_sensor_records_the_brightness_of_the_same_table(grid: Grid) -> None:
    board = PhysicalBoard("test", grid)
    x_mm, y_mm = (length / 2 for length in board.size_mm)
    room = RoomLight(
        shadows=(Shadow(x_mm, y_mm, towards_degrees=90.0, depth=0.5),),
        reflections=(Reflection(x_mm + 80, y_mm, 20.0, 1.0),),
    )
    near = cell_at(board, x_mm, y_mm + 25)
    assert near is not None
    lamps = light_cells(board, [(3, (0.0, 0.0, 0.5)), (near, (1.0, 0.4, 0.0))])
    pieces = (
        ScenePiece(5, DEFLECTOR, x_mm, y_mm),
        ScenePiece(6, Piece("king", 1), x_mm + 60, y_mm),
    )
    scene = Scene(board, pieces, lamps, room=room, hands=(Hand(x_mm - 90, y_mm, 180.0),))
    view = camera_over(board, 20.0, BENT)
    frame = take_frame(scene, view)
    colours = linear(frame / 255) @ LUMINANCE
    grey = linear(take_frame(scene, view, replace(CLEAN, grey=True)) / 255)
    unclipped = frame.max(axis=2) < 255  # no colour is clipped
    assert unclipped.mean() > 0.9
    assert np.abs(grey - colours)[unclipped].max() < 0.01
    noisy = take_frame(scene, view, replace(CLEAN, grey=True, noise=4.0, jpeg=90)).astype(float)
    assert noisy.shape == grey.shape
    assert 2.0 < (noisy - take_frame(scene, view, replace(CLEAN, grey=True))).std() < 5.0


@pytest.mark.parametrize("deviation", [3.0, 12.0])
def test_noise_has_the_requested_deviation(deviation: float) -> None:
    even = np.full((360, 640, 3), 0.4, np.float32)
    still = replace(CLEAN, noise=deviation)
    first, second = (develop(even.copy(), still, np.random.default_rng(n)) for n in (1, 2))
    grey = cv2.cvtColor(first, cv2.COLOR_BGR2GRAY).astype(float)
    assert grey.std() == pytest.approx(deviation, rel=0.1)
    other = cv2.cvtColor(second, cv2.COLOR_BGR2GRAY).astype(float)
    assert abs(np.corrcoef(grey.ravel(), other.ravel())[0, 1]) < 0.02


def test_motion_blur_follows_its_direction_and_keeps_the_brightness() -> None:
    point = np.zeros((101, 101, 3), np.float32)
    point[50, 50] = 8.0
    moving = replace(CLEAN, white=1.0, blur_px=0.0, motion_px=10.0, motion_degrees=90.0)
    still = develop(point.copy(), moving, np.random.default_rng(0))
    smear = linear(still[..., 1] / 255)
    rows, columns = np.nonzero(smear > 0.5 * smear.max())
    assert np.ptp(columns) == 0
    assert np.ptp(rows) == 10
    assert smear.sum() == pytest.approx(8.0, rel=0.02)


def test_blur_has_the_requested_deviation() -> None:
    edge = np.zeros((80, 80, 3), np.float32)
    edge[:, 40:] = 1.0
    seen = develop(edge, replace(CLEAN, white=1.0, blur_px=3.2), np.random.default_rng(0))
    slope = np.diff(linear(seen[40, :, 1] / 255.0))
    x = np.arange(len(slope))
    middle = np.sum(x * slope)
    assert np.sqrt(np.sum((x - middle) ** 2 * slope)) == pytest.approx(3.2, rel=0.05)


def test_a_nudge_shifts_the_image_by_its_pixels() -> None:
    view = camera_over(BOARD, 20.0)
    middle = [(BOARD.size_mm[0] / 2, BOARD.size_mm[1] / 2)]
    for towards, expected in ((0.0, (18.0, 0.0)), (90.0, (0.0, 18.0))):
        moved = nudge_camera(view, 18.0, towards).project(middle) - view.project(middle)
        assert moved[0] == pytest.approx(expected, abs=0.4)


# -- scenarios -----------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_image() -> None:
    first = build_scenario("mixed_hi", BOARD, seed=3)
    build_scenario("plain", BOARD, seed=4)
    again = build_scenario("mixed_hi", BOARD, seed=3)
    assert np.array_equal(first.frame, again.frame)
    assert np.array_equal(first.lock_frame, again.lock_frame)
    assert (first.truth, first.scene, first.camera) == (again.truth, again.scene, again.camera)
    other = build_scenario("mixed_hi", BOARD, seed=4)
    assert other.scene.pieces != first.scene.pieces


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((640, 360), id="360p"),
        pytest.param((1280, 720), id="720p", marks=pytest.mark.slow),
        pytest.param((1920, 1080), id="1080p", marks=pytest.mark.slow),
    ],
)
def test_every_scenario_can_be_built(size: tuple[int, int]) -> None:
    for name in SCENARIOS:
        staged = build_scenario(name, BOARD, seed=2, size=size)
        assert staged.frame.shape == (size[1], size[0], 3), name
        assert staged.frame.dtype == np.uint8
        assert len(staged.truth.tags) == 26
        assert staged.frame.std() > 3, name
        assert (staged.camera == staged.lock_camera) == (not SCENARIOS[name].nudge_px)
        assert bool(staged.truth.covered) == bool(SCENARIOS[name].hands), name


def test_a_scenario_is_scaled_with_the_image() -> None:
    low, high = (build_scenario("mixed_hi", BOARD, 5, size) for size in ((1280, 720), (1920, 1080)))
    assert high.conditions.motion_px == pytest.approx(1.5 * low.conditions.motion_px)
    assert high.conditions.blur_px == pytest.approx(1.5 * low.conditions.blur_px)
    assert high.scene == low.scene


@pytest.mark.parametrize("grid", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_the_lock_frame_shows_all_four_corners(grid: Grid) -> None:
    board = PhysicalBoard("test", grid)
    staged = build_scenario("mixed_hi", board, seed=1)
    found = detected(staged.lock_frame)
    for tag, (x, y) in zip(CORNERS, board.corner_tags_mm(), strict=True):
        corners = staged.lock_camera.project(square_mm(board.corner_mm, x, y))
        assert np.abs(found[tag] - corners).max() < 2.5


def test_given_pieces_are_drawn() -> None:
    game = games.make()
    pieces = game.start().pieces
    staged = build_scenario("plain", BOARD, seed=1, pieces=pieces, game=game)
    assert {seen.cell for seen in staged.truth.tags} == set(pieces)


def test_an_unknown_scenario_is_refused_with_a_suggestion() -> None:
    with raises(UnknownName, DID_YOU_MEAN(name="motion_10")):
        build_scenario("motion_1O", BOARD, seed=1)


@pytest.mark.parametrize("kind", ["king", "wizard"])
def test_every_kind_of_piece_is_drawn(kind: str) -> None:
    """A kind without a shape is a plain block."""
    placed = piece_on("e4", piece=Piece(kind, 1))
    frame = take_frame(Scene(BOARD, (placed,)), camera_over(BOARD, 35.0))
    blue, _, red = patch(frame, camera_over(BOARD, 35.0), (placed.x_mm, placed.y_mm + 18.5), 2.0)
    assert red > 2 * blue  # the base of the second player's piece
