"""The bill of materials: as many of each as the board needs, and nothing that is not explained."""

from __future__ import annotations

import re
from math import ceil

import pytest

from controller.bodies.mast import CAMERAS, mast
from controller.bodies.sizes import GRID_MM, TUBE_MM
from controller.building.hookup import Driver
from controller.building.parts import FILE, BadParts, Bill, bill, read_parts, rim_mm
from controller.config import load_board, load_board_file, read_board, shipped_boards
from controller.sheets.board_pages import board_pages
from controller.sheets.page import A4
from controller.sheets.tags import tag_pages
from controller.tabletop import fitted
from tests.hardware.solids import BOARDS
from tests.hardware.test_guide import rows

KNOWN = read_parts(FILE.read_text("utf-8"))
GUIDE = (FILE.parent / "README.md").read_text("utf-8")
LIT = [name for name in shipped_boards() if load_board_file(name).leds is not None]


def counted(made: Bill) -> dict[str, float]:
    counts: dict[str, float] = {}
    for line in made.lines:
        counts[line.key] = counts.get(line.key, 0) + line.quantity
    return counts


def billed(name: str, driver: Driver | None = None) -> Bill:
    return bill(load_board_file(name), driver)


def test_paper_costs_nothing_for_who_has_a_webcam() -> None:
    made = billed("paper-10x8")
    assert {line.group for line in made.lines} == {"have"}
    assert made.total_eur() == made.total_eur("optional") == 0
    assert made.hookup is None
    assert {"computer", "camera", "paper"} <= counted(made).keys()


def test_of_paper_there_are_as_many_sheets_as_are_printed() -> None:
    whole = load_board("paper-10x8")
    top = fitted(whole)
    printed = [
        *board_pages(whole, top.board, top.game, A4),
        *tag_pages(top.board, [top.game], A4),
    ]
    rules = 1
    assert counted(billed("paper-10x8"))["paper"] == len(printed) + rules
    assert "**1. Print.** Eight pages" in GUIDE
    assert len(printed) + rules == 8


@pytest.mark.parametrize("name", BOARDS)
def test_there_is_filament_for_what_the_printing_guide_says(name: str) -> None:
    """Which another test compares with the solids; bought in steps of 10 g."""
    counts, (_, pieces, stand, grid) = counted(billed(name)), rows(name)[0]
    keys = ("filament", "mast_filament", "grid")
    for key, told in zip(keys, (pieces, stand, grid), strict=True):
        found = re.search(r"(\d+) g", told)
        grams = int(found[1]) if found else 0
        assert grams <= counts.get(key, 0) <= grams + 15, key


def test_mirrors_have_foil_and_a_board_without_mirrors_needs_none() -> None:
    assert "foil" in counted(billed("demo-10x8"))
    assert "foil" not in counted(billed("hex-r5"))


@pytest.mark.parametrize("name", LIT)
def test_the_tubes_are_long_enough_for_any_camera(name: str) -> None:
    masts = [mast(load_board(name), camera) for camera in CAMERAS.values()]
    (line,) = [each for each in billed(name).lines if each.key == "tubes"]
    cut = max(each.upright_mm for each in masts), max(each.arm_mm for each in masts)
    assert line.name.endswith(": {:g} + {:g} mm".format(*cut))
    assert line.quantity == ceil(sum(cut) / 100) / 10
    assert f"{TUBE_MM:g} mm outside" in line.name


def test_walls_and_rim_are_those_of_the_build_guide() -> None:
    (walls,) = [each for each in billed("demo-10x8").lines if each.key == "walls"]
    assert f"strips of {GRID_MM:g} mm" in walls.name
    text = " ".join(GUIDE.split())
    assert f"a wall (the printed grid, or strips of foam board) of {GRID_MM:g} mm" in text
    demo, full = (rim_mm(load_board(name)) for name in ("demo-10x8", "full-10x8"))
    assert f"{demo:g} mm on each side here, {full:g} mm on the full board" in text


def test_flat_pieces_need_no_filament() -> None:
    text = """\
board: {kind: square, columns: 10, rows: 8, cell_mm: 40}
tags: {tag_mm: 26, cap_mm: 34, cap_height_mm: 0, corner_mm: 26, corner_offset_mm: 24}
leds: {ma_limit: 3000, strips: [{lane: 0}]}
"""
    assert not {"filament", "foil", "glue"} & counted(bill(read_board(text, "x.yaml"))).keys()


@pytest.mark.parametrize("driver", [None, *Driver])
@pytest.mark.parametrize("name", LIT)
def test_there_is_one_of_everything_that_is_wired(name: str, driver: Driver | None) -> None:
    made = billed(name, driver)
    counts, hooked = counted(made), made.hookup
    assert hooked is not None
    feeds = hooked.power.feeds
    assert counts["resistor"] == len(hooked.data)
    assert counts["capacitor"] == len(feeds)
    assert counts["fuse"] == len(feeds) + 1
    assert counts["supply"] == hooked.power.supplies
    assert counts["button"] == sum(each.kind == "button" for each in hooked.switches)
    (box,) = [line for line in made.lines if line.key == "fuse_box"]
    assert int(box.name.split()[-2]) >= len(feeds) + 1
    assert ("pico" in counts) == (hooked.driver is Driver.PICO)
    assert ("wled" in counts) == (hooked.driver is Driver.WLED)
    assert ("shifter" in counts) == (hooked.driver is not Driver.WLED)
    for size in {each.wire.mm2 for each in hooked.connections() if each.wire is not None}:
        assert [line for line in made.lines if f"wire, {size:g} mm²" in line.name]


@pytest.mark.parametrize(
    ("name", "driver", "key", "quantity"),
    [
        ("demo-10x8", None, "single_leds", 80),
        ("demo-10x8", Driver.SPI, "clocked_leds", 80),
        ("full-10x8", None, "strip", 13.2),  # 12 m and a tenth
        ("full-10x8", Driver.SPI, "clocked_strip", 13.2),
        ("hex-r5", None, "single_leds", 91),
        ("photon-10x10", None, "single_leds", 100),
    ],
)
def test_the_strip_is_one_whose_leds_lie_right(
    name: str, driver: Driver | None, key: str, quantity: float
) -> None:
    assert counted(billed(name, driver))[key] == quantity


def test_every_fourth_led_of_a_denser_strip_is_a_strip_too() -> None:
    text = """\
board: {kind: square, columns: 10, rows: 8, cell_mm: 40}
tags: {tag_mm: 26, cap_mm: 34, cap_height_mm: 30, corner_mm: 26, corner_offset_mm: 24}
leds: {ma_limit: 3000, strips: [{gaps: {cell: 3}}]}
"""
    made = bill(read_board(text, "x.yaml"))
    (line,) = [line for line in made.lines if line.key == "strip"]
    assert "100 LEDs a metre" in line.name
    assert line.quantity == 3.3  # 296 LEDs and a tenth


def test_a_board_that_no_game_fits_has_a_bill_without_pieces() -> None:
    text = """\
board: {kind: square, columns: 3, rows: 2, cell_mm: 40}
tags: {tag_mm: 26, cap_mm: 34, cap_height_mm: 30, corner_mm: 26, corner_offset_mm: 24}
leds: {ma_limit: 300, strips: [{lane: 0}]}
"""
    made = bill(read_board(text, "x.yaml"))
    assert "filament" not in counted(made)
    assert set(made.typical_ma) == {"nobody plays", "the winner"}


def test_the_full_board_costs_more_than_the_demo() -> None:
    demo, full = billed("demo-10x8"), billed("full-10x8")
    assert 50 < demo.total_eur() < full.total_eur() < 500
    assert demo.total_eur() == pytest.approx(
        sum(line.quantity * line.eur_each for line in demo.lines if line.group == ""), abs=0.2
    )


def test_every_part_of_the_file_is_needed_by_some_board() -> None:
    used = {
        line.key
        for name in shipped_boards()
        for driver in ([*Driver] if name in ("demo-10x8", "full-10x8") else [None])
        for line in billed(name, driver).lines
    }
    assert used == set(KNOWN)
    for part in KNOWN.values():
        assert ("{size}" in part.name) >= (len(part.eur) > 1)
        assert all(price >= 0 for price in part.eur.values())


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("{name: x, for: y}", "wants name, for and eur"),
        ("{name: x, for: y, eur: 1, colour: red}", "wants name, for and eur"),
        ("{name: x, for: y, eur: 1, group: maybe}", "group is have or optional"),
    ],
)
def test_a_part_that_is_not_understood_is_named(entry: str, complaint: str) -> None:
    with pytest.raises(BadParts, match=f"parts.yaml: lamp: .*{complaint}"):
        read_parts(f"lamp: {entry}")
