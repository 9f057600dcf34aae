"""What the printing guide says in numbers is what the program computes."""

from __future__ import annotations

import re

import pytest

from controller.bodies.estimate import Estimate, estimate
from controller.bodies.mast import CAMERAS, mast
from controller.bodies.mesh import read_stl
from controller.bodies.parts import Group, parts
from controller.config import load_board, load_board_file
from controller.wiring import render_parts
from tests.hardware.solids import BOARDS, KEPT
from tests.hardware.test_wanted import HARDWARE

GUIDE = (HARDWARE / "bodies" / "README.md").read_text("utf-8")


def rows(board: str) -> list[list[str]]:
    """The rows of the guide's tables that begin with a board's name."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")][1:]
        for line in GUIDE.splitlines()
        if line.startswith(f"| {board} ")
    ]


@pytest.mark.parametrize("name", BOARDS)
def test_the_guide_tells_the_lengths_of_the_tubes(name: str) -> None:
    board = load_board(name)
    masts = [mast(board, camera) for camera in CAMERAS.values()]
    told = [f"{each.upright_mm:.0f} mm" for each in masts] + [f"{masts[0].arm_mm:.0f} mm"]
    assert rows(name)[1] == told


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_the_guide_tells_what_a_board_takes(name: str) -> None:
    made = parts(load_board_file(name))
    totals = dict.fromkeys(Group, Estimate(0, 0))
    for part, stl, _ in render_parts(made, KEPT):
        totals[part.group] = totals[part.group].plus(estimate(read_stl(stl)), part.count)
    printed = [part for part in made if part.group is Group.PIECES]
    trays = sum(part.count for part in printed if part.name.startswith("tray-"))
    bodies = sum(part.count for part in printed) - trays
    count, pieces, stand, grid = rows(name)[0]
    assert count == f"{bodies} + {trays}"
    assert pieces == str(totals[Group.PIECES])
    assert stand == str(totals[Group.MAST])
    tiles = sum(part.count for part in made if part.group is Group.GRID)
    assert grid == (f"{tiles} tiles, {totals[Group.GRID]}" if tiles else "none for hexagons")


def test_the_pictures_of_the_guide_are_there() -> None:
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", GUIDE)
    assert len(shown) == 3
    assert all((HARDWARE / "bodies" / path).is_file() for path in shown)
