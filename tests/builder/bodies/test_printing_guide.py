"""The numbers in `hardware/bodies/README.md` are those that the program computes."""

from __future__ import annotations

import re

import pytest

from controller.builder.bodies.mast import CAMERAS, compute_mast
from controller.builder.bodies.mesh import read_stl
from controller.builder.bodies.openscad import render_parts
from controller.builder.bodies.parts import PartGroup, printed_parts
from controller.builder.bodies.print_estimate import PrintEstimate, estimate_print
from controller.config.board_file import load_board, load_board_file
from tests.support.builder.printing_guide import GUIDE, guide_rows
from tests.support.builder.rendered_parts import BOARDS, KEPT
from tests.support.paths import HARDWARE


@pytest.mark.parametrize("name", BOARDS)
def test_the_guide_has_the_lengths_of_the_tubes(name: str) -> None:
    board = load_board(name)
    masts = [compute_mast(board, camera) for camera in CAMERAS.values()]
    reported = [f"{each.upright_mm:.0f} mm" for each in masts] + [f"{masts[0].arm_mm:.0f} mm"]
    assert guide_rows(name)[1] == reported


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_the_guide_has_the_filament_and_hours_of_a_board(name: str) -> None:
    made = printed_parts(load_board_file(name))
    totals = dict.fromkeys(PartGroup, PrintEstimate(0, 0))
    for part, stl, _ in render_parts(made, KEPT):
        totals[part.group] = totals[part.group].plus(estimate_print(read_stl(stl)), part.count)
    printed = [part for part in made if part.group is PartGroup.PIECES]
    trays = sum(part.count for part in printed if part.name.startswith("tray-"))
    bodies = sum(part.count for part in printed) - trays
    count, pieces, stand, grid = guide_rows(name)[0]
    assert count == f"{bodies} + {trays}"
    assert pieces == str(totals[PartGroup.PIECES])
    assert stand == str(totals[PartGroup.MAST])
    tiles = sum(part.count for part in made if part.group is PartGroup.GRID)
    assert grid == (f"{tiles} tiles, {totals[PartGroup.GRID]}" if tiles else "none for hexagons")


def test_the_pictures_of_the_guide_exist() -> None:
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", GUIDE)
    assert len(shown) == 5
    assert all((HARDWARE / "bodies" / path).is_file() for path in shown)
