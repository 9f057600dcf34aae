"""Tags in wrong places are reported with their piece and cells; others are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.session.board_fit import FittedBoard, fit_board
from engine import games
from engine.sentences import Sentence, Template
from tests.support.vision.rendered_tables import DEMO, HEXAGONS, LARGE, PAPER, RenderedTable, start
from vision import sentences
from vision.board import PhysicalBoard
from vision.board_lock import DetectedTags, detect_tags
from vision.camera_model import CameraModel, Lens
from vision.observation import CellState, Observation, Problem, ProblemKind, Sighting
from vision.reader import Reader
from vision.scene import ScenePiece
from vision.stray_tags import find_stray_tags

BLUE_KING = sentences.PIECE_TAG(tag=13, player="blue", piece="king")

BARREL = Lens(0.8, None, (-0.25, 0.05, 0.0, 0.0, 0.0), calibrated=True)


def stray_problems(table: RenderedTable, top: FittedBoard | None = None) -> list[Problem]:
    """The stray tags in an image of the table, as `laserboard see` finds them."""
    top = top or fit_board(table.board, games.make("laser-chess"))
    reader = Reader(top.board, top.pieces_by_tag, top.lens)
    grey = table.frame()
    seen = reader.read(grey)
    assert reader.lock is not None
    view = reader.lock.camera
    return list(
        find_stray_tags(detect_tags(grey, ()), top.board, view, seen, reader.tags, top.describe_tag)
    )


def names(problem: Problem, board: PhysicalBoard = DEMO) -> set[str]:
    return {board.grid.name(cell) for cell in problem.cells}


def with_piece_at(
    table: RenderedTable, tag: int, x_mm: float, y_mm: float, degrees: float = 0
) -> RenderedTable:
    piece = table.scene.pieces[0].piece
    return table.with_pieces(*table.scene.pieces, ScenePiece(tag, piece, x_mm, y_mm, degrees))


# -- no problems -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "board", "tilt"),
    [("laser-chess", DEMO, 0.0), ("laser-chess", DEMO, 35.0), ("laser-chess", PAPER, 30.0),
     ("photon", LARGE, 30.0), ("spaceships", HEXAGONS, 25.0)],
)  # fmt: skip
def test_a_correct_board_has_no_stray_tags(name: str, board: PhysicalBoard, tilt: float) -> None:
    table = start(name, board, tilt)
    assert stray_problems(table, fit_board(board, games.make(name))) == []


def test_a_spare_in_its_place_is_not_reported() -> None:
    board = replace(DEMO, spares=((34, 13),))
    table = start()
    x, y = DEMO.centre_mm(DEMO.grid.cell("e3"))
    assert (
        stray_problems(with_piece_at(table, 34, x, y), fit_board(board, games.make("laser-chess")))
        == []
    )


def test_a_crooked_piece_that_was_read_is_not_reported() -> None:
    """The reader itself reports it."""
    assert stray_problems(start().shifted(DEMO.grid.cell("e1"), 3.0, -6.0, 12.0)) == []


# -- between and beside ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "x_mm", "y_mm", "tag", "player", "piece", "between"),
    [
        ("h2", 20, 0, 23, "blue", "deflector", {"h2", "i2"}),
        ("h2", 0, -20, 23, "blue", "deflector", {"h2", "h3"}),
        ("j1", 0, -20, 25, "blue", "laser", {"j1", "j2"}),
        ("a8", 20, 0, 12, "red", "laser", {"a8", "b8"}),
    ],
)
def test_a_piece_between_two_squares_is_named_with_both(
    cell: str, x_mm: float, y_mm: float, tag: int, player: str, piece: str, between: set[str]
) -> None:
    [problem] = stray_problems(start().shifted(DEMO.grid.cell(cell), x_mm, y_mm))
    assert problem.kind is ProblemKind.BETWEEN
    assert problem.tags == (tag,)
    assert names(problem) == between
    first, second = (DEMO.grid.name(each) for each in problem.cells)
    what = sentences.PIECE_TAG(tag=tag, player=player, piece=piece)
    assert problem.sentence == sentences.BETWEEN_CELLS(tag=what, cell=first, other=second)


def test_a_ship_between_two_hexagons_is_named_with_both() -> None:
    table = start("spaceships", HEXAGONS)
    ship = table.scene.pieces[0]
    cell = int(table.board.grid.cell("a6"))
    assert table.piece_on(cell) is ship
    [problem] = stray_problems(
        table.shifted(cell, 20.0), fit_board(HEXAGONS, games.make("spaceships"))
    )
    assert problem.kind is ProblemKind.BETWEEN
    assert names(problem, HEXAGONS) == {"a6", "b6"}
    ship_tag = sentences.PIECE_TAG(tag=12, player="first", piece="ship")
    first, second = (HEXAGONS.grid.name(each) for each in problem.cells)
    assert problem.sentence == sentences.BETWEEN_CELLS(tag=ship_tag, cell=first, other=second)


@pytest.mark.parametrize(("x_mm", "y_mm", "near"), [(185, -45, "e8"), (-45, 135, "a5")])
@pytest.mark.parametrize(
    ("tag", "what"), [(13, BLUE_KING), (40, sentences.UNUSED_TAG(tag=40, game="Laser Chess"))]
)
def test_a_tag_beside_the_board_is_reported_with_the_nearest_square(
    x_mm: float, y_mm: float, near: str, tag: int, what: Sentence
) -> None:
    table = start().with_pieces(*(t for t in start().scene.pieces if t.tag != 13))
    [problem] = stray_problems(with_piece_at(table, tag, x_mm, y_mm, 30))
    assert problem.kind is ProblemKind.OFF_BOARD
    assert problem.tags == (tag,)
    assert names(problem) == {near}
    assert problem.sentence == sentences.BESIDE_BOARD(tag=what, cell=near)


@pytest.mark.parametrize(("cell", "x_mm", "y_mm"), [("e1", 0, 26), ("a8", -24, -24)])
def test_a_piece_on_the_edge_of_the_board_is_not_between_two_squares(
    cell: str, x_mm: float, y_mm: float
) -> None:
    [problem] = stray_problems(start().shifted(DEMO.grid.cell(cell), x_mm, y_mm))
    assert problem.kind is ProblemKind.OFF_BOARD
    assert names(problem) == {cell}
    [tag] = problem.tags
    what = fit_board(DEMO, games.make("laser-chess")).describe_tag(tag)
    assert problem.sentence == sentences.ON_EDGE(tag=what, cell=cell)


# -- foreign and crooked -----------------------------------------------------------------------


@pytest.mark.parametrize("tag", [40, 30, 34])
def test_a_foreign_tag_on_a_square_must_be_removed(tag: int) -> None:
    x, y = DEMO.centre_mm(DEMO.grid.cell("e3"))
    [problem] = stray_problems(with_piece_at(start(), tag, x + 3, y - 2, 20))
    assert problem.kind is ProblemKind.FOREIGN
    what = sentences.UNUSED_TAG(tag=tag, game="Laser Chess")
    assert problem.sentence == sentences.FOREIGN_TAG(cell="e3", tag=what)
    assert (names(problem), problem.tags) == ({"e3"}, (tag,))


def test_pieces_too_crooked_to_be_read_are_reported() -> None:
    """A few would be read by the second attempt; so many are not."""
    table, top = start(), fit_board(DEMO, games.make("laser-chess"))
    cells = [DEMO.grid.cell(name) for name in ("a8", "j1", "d6", "h2", "g3", "c7", "a4", "a5")]
    for cell in cells:
        table = table.shifted(cell, degrees=45)
    problems = stray_problems(table)
    assert {cell for problem in problems for cell in problem.cells} == set(cells)
    for problem in problems:
        assert problem.kind is ProblemKind.CROOKED
        [name], [tag] = names(problem), problem.tags
        degrees = problem.sentence.slots["degrees"]
        assert degrees == pytest.approx(44, abs=2)
        what = top.describe_tag(tag)
        assert problem.sentence == sentences.ASKEW(cell=name, tag=what, degrees=degrees)


@pytest.mark.parametrize(
    ("off_mm", "degrees", "template", "measured"),
    [
        (0, 0, sentences.HARD_TO_READ, {}),
        (10, 0, sentences.OFF_CENTRE, {"mm": 10}),
        (5, -30, sentences.ASKEW, {"degrees": 30}),
    ],
)
def test_a_tag_that_was_not_read_is_reported_with_the_cause(
    off_mm: float, degrees: float, template: Template, measured: dict[str, int]
) -> None:
    h2 = DEMO.grid.cell("h2")
    grey, top = start().shifted(h2, off_mm, 0, degrees).frame(), fit_board(DEMO, games.make())
    reader = Reader(DEMO, top.pieces_by_tag)
    seen = reader.read(grey)
    unread = tuple(
        Sighting(CellState.COVERED) if cell == h2 else each
        for cell, each in enumerate(seen.sightings)
    )
    assert reader.lock is not None
    [problem] = find_stray_tags(
        detect_tags(grey, ()),
        DEMO,
        reader.lock.camera,
        replace(seen, sightings=unread),
        reader.tags,
        top.describe_tag,
    )
    what = sentences.PIECE_TAG(tag=23, player="blue", piece="deflector")
    slots = {name: problem.sentence.slots[name] for name in measured}
    assert slots == pytest.approx(measured, abs=1)
    assert problem.sentence == template(cell="h2", tag=what, **slots)
    assert (problem.kind, problem.cells, problem.tags) == (ProblemKind.CROOKED, (h2,), (23,))


@pytest.mark.parametrize(("x_mm", "y_mm"), [(-16.0, 0.0), (0.0, -16.0)])
def test_a_piece_off_its_square_towards_the_edge_is_not_between_two(
    x_mm: float, y_mm: float
) -> None:
    [problem] = stray_problems(start().shifted(DEMO.grid.cell("a8"), x_mm, y_mm))
    assert problem.kind is ProblemKind.CROOKED
    assert names(problem) == {"a8"}
    what = sentences.PIECE_TAG(tag=12, player="red", piece="laser")
    assert problem.sentence == sentences.OFF_CENTRE(cell="a8", tag=what, mm=16)


def test_a_tag_in_a_square_where_another_was_read_is_reported() -> None:
    grey, top = start().frame(), fit_board(DEMO, games.make())
    reader, e1 = Reader(DEMO, top.pieces_by_tag), DEMO.grid.cell("e1")
    seen = reader.read(grey)
    mistaken = tuple(
        replace(each, tag=24) if cell == e1 else each for cell, each in enumerate(seen.sightings)
    )
    assert reader.lock is not None
    [problem] = find_stray_tags(
        detect_tags(grey, ()),
        DEMO,
        reader.lock.camera,
        replace(seen, sightings=mistaken),
        reader.tags,
        top.describe_tag,
    )
    assert problem.tags == (13,)
    assert problem.sentence == sentences.HARD_TO_READ(cell="e1", tag=BLUE_KING)


def test_a_second_piece_with_a_tag_that_was_read_elsewhere_is_a_stray() -> None:
    [problem] = stray_problems(with_piece_at(start(), 13, 200, 140))
    assert problem.kind is ProblemKind.BETWEEN
    first, second = (DEMO.grid.name(each) for each in problem.cells)
    assert problem.sentence == sentences.BETWEEN_CELLS(tag=BLUE_KING, cell=first, other=second)


# -- lenses and corners ------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["a8", "j1"])
def test_lens_distortion_does_not_move_stray_tags(cell: str) -> None:
    view = CameraModel.looking_down(DEMO.size_mm, 1280, 720, 0.7, 15.0, 4.0, BARREL)
    table, top = replace(start(), view=view), fit_board(DEMO, games.make("laser-chess"), BARREL)
    assert stray_problems(table, top) == []
    inwards = 1 if cell == "a8" else -1
    [problem] = stray_problems(table.shifted(DEMO.grid.cell(cell), 17.5 * inwards), top)
    assert problem.kind is ProblemKind.BETWEEN
    assert problem.cells[0] == DEMO.grid.cell(cell), "the nearer one"
    assert names(problem) == ({"a8", "b8"} if cell == "a8" else {"i1", "j1"})


def test_corner_tags_are_not_strays() -> None:
    table = start()
    found = detect_tags(table.frame())
    corners = DetectedTags({tag: quads for tag, quads in found.quads.items() if 26 <= tag <= 29})
    nothing = Reader(DEMO, range(26)).read(table.frame())
    bare: Observation = replace(nothing, sightings=(Sighting(CellState.EMPTY),) * DEMO.grid.size)
    describe = fit_board(DEMO, games.make()).describe_tag
    assert len(corners.quads) == 4
    assert list(find_stray_tags(corners, DEMO, table.view, bare, range(26), describe)) == []
