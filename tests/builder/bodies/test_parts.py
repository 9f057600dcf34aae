"""Printed parts: closed solids of the right size whose mirrors reflect as the rules say."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pytest
import shapely
import yaml

from controller.builder.bodies.dimensions import FOOT_MM, KEY_MM, TRAY_MM
from controller.builder.bodies.parts import PartGroup, PrintedPart
from controller.config.board_file import SHIPPED_BOARDS_FOLDER as BOARD_FILES
from controller.config.board_file import load_board
from engine.draw.palette import SideShape
from tests.support.builder.part_checks import check_part
from tests.support.builder.rendered_parts import every_part, first_hit, named, section, solid

HEADINGS = {"top": (0, 1), "right": (1, 0), "bottom": (0, -1), "left": (-1, 0)}
HITS = yaml.safe_load((BOARD_FILES.parents[1] / "engine/data/laser_hits.yml").read_text("utf-8"))
FAR_MM = 60.0
QUICK = [("demo-10x8", f"pieces/{name}.stl") for name in ("deflector-cut", "tray-round")]
QUICK.append(("hex-r5", "pieces/tray-cut.stl"))
ALL = every_part()
piece_of = partial(named, "demo-10x8")


@pytest.mark.parametrize(("board", "path"), QUICK)
def test_a_part_is_a_closed_solid_of_the_right_size(board: str, path: str) -> None:
    check_part(board, named(board, path))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "part"), ALL, ids=[f"{board}-{part.path}" for board, part in ALL]
)
def test_every_part_is_a_closed_solid_of_the_right_size(board: str, part: PrintedPart) -> None:
    check_part(board, part)


def struck(kind: str, heading: str, form: SideShape) -> tuple[str, np.ndarray]:
    """The heading of the reflected beam, or `stopped`, and the point that it hits."""
    mesh = solid(piece_of(f"pieces/{kind}-{form}.stl"))
    middle = (FOOT_MM + load_board("demo-10x8").cap_height_mm - TRAY_MM) / 2
    dx, dy = HEADINGS[heading]
    # Beside the middle, because seams of the mesh are there.
    start = (-dx * FAR_MM + 0.31 * abs(dy), -dy * FAR_MM + 0.31 * abs(dx), middle + 5)
    met = first_hit(mesh, start, (dx, dy, 0))
    assert met is not None, f"a beam {heading} misses the {kind}"
    place, normal = met
    onward = np.array((dx, dy)) - 2 * np.dot((dx, dy), normal[:2]) * normal[:2]
    for name, way in HEADINGS.items():
        if np.allclose(onward, way, atol=0.02) and name != heading:
            back = np.allclose(onward, (-dx, -dy), atol=0.02)
            return ("stopped" if back else name), place
    return "stopped", place


@pytest.mark.parametrize(
    "form", [SideShape.CUT, pytest.param(SideShape.ROUND, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize(("kind", "letter"), [("deflector", "b"), ("switch", "s")])
def test_a_printed_mirror_reflects_as_in_the_rules(
    kind: str, letter: str, heading: str, form: SideShape
) -> None:
    says = HITS[heading][letter][0]
    goes, place = struck(kind, heading, form)
    if says == "kill":
        assert np.hypot(*place[:2]) > 5, "the back of the mirror is hit, not its glass"
    else:
        assert goes == says
        assert np.hypot(*place[:2]) < 4, "light turns in the middle of the square"


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_defender_has_its_shield_on_the_side_that_absorbs(heading: str) -> None:
    _, place = struck("defender", heading, SideShape.CUT)
    on_shield = place[1] > 12
    assert on_shield == (HITS[heading]["d"][0] == "nothing")


def test_a_laser_has_its_muzzle_in_front() -> None:
    mesh = solid(piece_of("pieces/laser-cut.stl"))
    axis = FOOT_MM + (load_board("demo-10x8").cap_height_mm - FOOT_MM - TRAY_MM) / 2
    (bottom, _), (side, _) = (
        first_hit(mesh, (x, FAR_MM, axis + 0.1), (0, -1, 0)) for x in (0.1, 3.0)
    )
    assert side[1] > 16, "the muzzle ends at the front edge"
    assert side[1] - bottom[1] > 6, "and is hollow"


@pytest.mark.parametrize("name", ["deflector", "tray"])
def test_the_two_sides_differ_in_shape(name: str) -> None:
    round_, cut = (solid(piece_of(f"pieces/{name}-{form}.stl")) for form in SideShape)
    for height in (FOOT_MM / 2, TRAY_MM - 0.1) if name == "tray" else (FOOT_MM / 2,):
        apart = section(round_, height).symmetric_difference(section(cut, height)).area
        assert apart > 12, f"{apart:.1f} mm2 at {height} mm"


@pytest.mark.parametrize("kind", ["deflector", "switch", "defender"])
def test_a_tray_fits_on_a_body_in_one_way_only(kind: str) -> None:
    board = load_board("demo-10x8")
    body, tray = (solid(piece_of(f"pieces/{name}-cut.stl")) for name in (kind, "tray"))
    keys = section(body, board.cap_height_mm - TRAY_MM + KEY_MM / 2)
    under = section(tray, KEY_MM / 2)
    sockets = shapely.convex_hull(under).difference(under)
    fits = [
        sockets.contains(shapely.affinity.rotate(keys, turn, origin=(0, 0)).buffer(0.1))
        for turn in (0, 90, 180, 270)
    ]
    # A switch is symmetric under half a turn.
    assert fits == [True, False, kind == "switch", False]


def test_a_tile_separates_the_squares_and_lets_the_strips_through() -> None:
    part = named("demo-10x8", "grid/tile-5x4.stl")
    mesh, cell = solid(part), load_board("demo-10x8").cell_mm
    walls, low = section(mesh, 10.0), section(mesh, 1.0)
    for column, row in product(range(5), range(4)):
        middle = shapely.Point((column + 0.5) * cell, (row + 0.5) * cell)
        assert not walls.buffer(15).contains(middle)
    edge = shapely.Point(cell, cell / 2)
    assert walls.contains(edge)
    assert not low.contains(edge), "the strip passes below the wall"
    assert part.group is PartGroup.GRID
    assert part.count * 20 == 80
