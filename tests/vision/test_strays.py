"""Tags that are not where they belong: each is named, with its piece and the cells; others not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from controller.tabletop import Tabletop, fitted
from engine import games
from tests.vision.tables import DEMO, HEXAGONS, LARGE, PAPER, Setting, start
from vision.board import PhysicalBoard
from vision.observation import Observation, Problem, Sighting, State, Trouble
from vision.pose import Found, detect
from vision.reader import Reader
from vision.scene import Thing
from vision.strays import strays
from vision.view import Lens, View

BARREL = Lens(0.8, None, (-0.25, 0.05, 0.0, 0.0, 0.0), calibrated=True)


def told(table: Setting, top: Tabletop | None = None) -> list[Problem]:
    """What is said of the strays in a picture of the table, as `laserboard see` finds them."""
    top = top or fitted(table.board, games.make("laser-chess"))
    reader = Reader(top.board, top.meanings, top.lens)
    grey = table.frame()
    seen = reader.read(grey)
    assert reader.lock is not None
    view = reader.lock.view
    return list(strays(detect(grey, ()), top.board, view, seen, reader.tags, top.described))


def names(problem: Problem, board: PhysicalBoard = DEMO) -> set[str]:
    return {board.grid.name(cell) for cell in problem.cells}


def with_thing(table: Setting, tag: int, x_mm: float, y_mm: float, degrees: float = 0) -> Setting:
    piece = table.scene.things[0].piece
    return table.with_things(*table.scene.things, Thing(tag, piece, x_mm, y_mm, degrees))


# -- nothing is said ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "board", "tilt"),
    [("laser-chess", DEMO, 0.0), ("laser-chess", DEMO, 35.0), ("laser-chess", PAPER, 30.0),
     ("photon", LARGE, 30.0), ("spaceships", HEXAGONS, 25.0)],
)  # fmt: skip
def test_nothing_is_said_of_a_proper_board(name: str, board: PhysicalBoard, tilt: float) -> None:
    table = start(name, board, tilt)
    assert told(table, fitted(board, games.make(name))) == []


def test_nothing_is_said_of_a_spare_in_its_place() -> None:
    board = replace(DEMO, spares=((34, 13),))
    table = start()
    x, y = DEMO.centre_mm(DEMO.grid.cell("e3"))
    assert told(with_thing(table, 34, x, y), fitted(board, games.make("laser-chess"))) == []


def test_nothing_is_said_of_a_crooked_piece_that_was_read() -> None:
    """The reader itself says that."""
    assert told(start().shifted(DEMO.grid.cell("e1"), 3.0, -6.0, 12.0)) == []


# -- between and beside ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "x_mm", "y_mm", "tag", "what", "between"),
    [
        ("h2", 20, 0, 23, "tag 23 (blue deflector)", {"h2", "i2"}),
        ("h2", 0, -20, 23, "tag 23 (blue deflector)", {"h2", "h3"}),
        ("j1", 0, -20, 25, "tag 25 (blue laser)", {"j1", "j2"}),
        ("a8", 20, 0, 12, "tag 12 (red laser)", {"a8", "b8"}),
    ],
)
def test_a_piece_between_two_squares_is_named_with_both(
    cell: str, x_mm: float, y_mm: float, tag: int, what: str, between: set[str]
) -> None:
    [problem] = told(start().shifted(DEMO.grid.cell(cell), x_mm, y_mm))
    assert problem.trouble is Trouble.BETWEEN
    assert problem.tags == (tag,)
    assert names(problem) == between
    first, second = (DEMO.grid.name(each) for each in problem.cells)
    assert problem.sentence == (
        f"{what} stands between {first} and {second}: put it in the middle of one"
    )


def test_a_ship_between_two_hexagons_is_named_with_both() -> None:
    table = start("spaceships", HEXAGONS)
    ship = table.scene.things[0]
    cell = int(table.board.grid.cell("a6"))
    assert table.thing(cell) is ship
    [problem] = told(table.shifted(cell, 20.0), fitted(HEXAGONS, games.make("spaceships")))
    assert problem.trouble is Trouble.BETWEEN
    assert names(problem, HEXAGONS) == {"a6", "b6"}
    assert problem.sentence.startswith("tag 12 (first ship) stands between ")


@pytest.mark.parametrize(("x_mm", "y_mm", "near"), [(185, -45, "e8"), (-45, 135, "a5")])
@pytest.mark.parametrize(
    ("tag", "what"), [(13, "tag 13 (blue king)"), (40, "tag 40 (no piece of Laser Chess)")]
)
def test_what_lies_beside_the_board_is_named_with_the_nearest_square(
    x_mm: float, y_mm: float, near: str, tag: int, what: str
) -> None:
    table = start().with_things(*(t for t in start().scene.things if t.tag != 13))
    [problem] = told(with_thing(table, tag, x_mm, y_mm, 30))
    assert problem.trouble is Trouble.OFF_BOARD
    assert problem.tags == (tag,)
    assert names(problem) == {near}
    assert problem.sentence == f"{what} lies beside the board, near {near}"


@pytest.mark.parametrize(("cell", "x_mm", "y_mm"), [("e1", 0, 26), ("a8", -24, -24)])
def test_a_piece_on_the_edge_of_the_board_is_not_between_two_squares(
    cell: str, x_mm: float, y_mm: float
) -> None:
    [problem] = told(start().shifted(DEMO.grid.cell(cell), x_mm, y_mm))
    assert problem.trouble is Trouble.OFF_BOARD
    assert names(problem) == {cell}
    assert f"stands on the edge of the board at {cell}: put it in the middle" in problem.sentence


# -- foreign and crooked -----------------------------------------------------------------------


@pytest.mark.parametrize("tag", [40, 30, 34])
def test_a_foreign_tag_on_a_square_is_to_be_taken_off(tag: int) -> None:
    x, y = DEMO.centre_mm(DEMO.grid.cell("e3"))
    [problem] = told(with_thing(start(), tag, x + 3, y - 2, 20))
    assert problem.trouble is Trouble.FOREIGN
    assert problem.sentence == f"e3: tag {tag} (no piece of Laser Chess): take it off"
    assert (names(problem), problem.tags) == ({"e3"}, (tag,))


def test_pieces_too_crooked_to_be_read_are_named() -> None:
    """A few would be looked at twice, and read; so many are not."""
    table, top = start(), fitted(DEMO, games.make("laser-chess"))
    cells = [DEMO.grid.cell(name) for name in ("a8", "j1", "d6", "h2", "g3", "c7", "a4", "a5")]
    for cell in cells:
        table = table.shifted(cell, degrees=45)
    problems = told(table)
    assert {cell for problem in problems for cell in problem.cells} == set(cells)
    for problem in problems:
        assert problem.trouble is Trouble.CROOKED
        what, _, how = problem.sentence.partition(" stands ")
        [name], [tag] = names(problem), problem.tags
        assert what == f"{name}: {top.described(tag)}"
        degrees, _, advice = how.partition(" ")
        assert int(degrees) == pytest.approx(44, abs=2)
        assert advice == "degrees askew: straighten it"


@pytest.mark.parametrize(
    ("off_mm", "degrees", "sentence"),
    [
        (0, 0, "is there, but hard to read: free it of hands, shadow and glare"),
        (10, 0, "stands (9|10|11) mm off the middle: straighten it"),
        (5, -30, "stands (29|30|31) degrees askew: straighten it"),
    ],
)
def test_a_tag_that_was_not_read_in_its_place_is_told_what_is_wrong_with_it(
    off_mm: float, degrees: float, sentence: str
) -> None:
    h2 = DEMO.grid.cell("h2")
    grey, top = start().shifted(h2, off_mm, 0, degrees).frame(), fitted(DEMO, games.make())
    reader = Reader(DEMO, top.meanings)
    seen = reader.read(grey)
    unread = tuple(
        Sighting(State.COVERED) if cell == h2 else each for cell, each in enumerate(seen.sightings)
    )
    assert reader.lock is not None
    [problem] = strays(
        detect(grey, ()),
        DEMO,
        reader.lock.view,
        replace(seen, sightings=unread),
        reader.tags,
        top.described,
    )
    assert re.fullmatch(rf"h2: tag 23 \(blue deflector\) {sentence}", problem.sentence)
    assert (problem.trouble, problem.cells, problem.tags) == (Trouble.CROOKED, (h2,), (23,))


@pytest.mark.parametrize(("x_mm", "y_mm"), [(-16.0, 0.0), (0.0, -16.0)])
def test_a_piece_off_its_square_towards_the_edge_is_not_between_two(
    x_mm: float, y_mm: float
) -> None:
    [problem] = told(start().shifted(DEMO.grid.cell("a8"), x_mm, y_mm))
    assert problem.trouble is Trouble.CROOKED
    assert names(problem) == {"a8"}
    assert problem.sentence == "a8: tag 12 (red laser) stands 16 mm off the middle: straighten it"


def test_a_tag_in_a_square_where_another_was_read_is_told() -> None:
    grey, top = start().frame(), fitted(DEMO, games.make())
    reader, e1 = Reader(DEMO, top.meanings), DEMO.grid.cell("e1")
    seen = reader.read(grey)
    mistaken = tuple(
        replace(each, tag=24) if cell == e1 else each for cell, each in enumerate(seen.sightings)
    )
    assert reader.lock is not None
    [problem] = strays(
        detect(grey, ()),
        DEMO,
        reader.lock.view,
        replace(seen, sightings=mistaken),
        reader.tags,
        top.described,
    )
    assert problem.tags == (13,)
    assert problem.sentence.startswith("e1: tag 13 (blue king) ")


def test_a_second_piece_with_a_tag_that_was_read_elsewhere_is_a_stray() -> None:
    [problem] = told(with_thing(start(), 13, 200, 140))
    assert problem.trouble is Trouble.BETWEEN
    assert problem.sentence.startswith("tag 13 (blue king) stands between ")


# -- lenses and corners ------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["a8", "j1"])
def test_a_lens_that_bends_does_not_move_what_it_sees(cell: str) -> None:
    view = View.looking_down(DEMO.size_mm, 1280, 720, 0.7, 15.0, 4.0, BARREL)
    table, top = replace(start(), view=view), fitted(DEMO, games.make("laser-chess"), BARREL)
    assert told(table, top) == []
    inwards = 1 if cell == "a8" else -1
    [problem] = told(table.shifted(DEMO.grid.cell(cell), 17.5 * inwards), top)
    assert problem.trouble is Trouble.BETWEEN
    assert problem.cells[0] == DEMO.grid.cell(cell), "the nearer one"
    assert names(problem) == ({"a8", "b8"} if cell == "a8" else {"i1", "j1"})


def test_corner_tags_are_no_strays() -> None:
    table = start()
    found = detect(table.frame())
    corners = Found({tag: quads for tag, quads in found.quads.items() if 26 <= tag <= 29})
    nothing = Reader(DEMO, range(26)).read(table.frame())
    bare: Observation = replace(nothing, sightings=(Sighting(State.EMPTY),) * DEMO.grid.size)
    assert len(corners.quads) == 4
    assert list(strays(corners, DEMO, table.view, bare, range(26), str)) == []
