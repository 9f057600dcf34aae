"""The bill of materials has the parts and quantities that a board needs."""

from __future__ import annotations

import re
from math import ceil

import pytest

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.dimensions import GRID_WALL_HEIGHT_MM, TUBE_MM
from controller.builder.bodies.mast import CAMERAS, compute_mast
from controller.builder.electrics.bill_of_materials import (
    PARTS_FILE,
    BadParts,
    BillOfMaterials,
    make_bill,
    read_parts,
    rim_mm,
)
from controller.builder.electrics.connections import LedDriver
from controller.builder.printables.board_pages import board_pages
from controller.builder.printables.tags import tag_pages
from controller.config.board_file import load_board, load_board_file, read_board, shipped_boards
from controller.session.board_fit import fit_board
from engine.draw.page import A4
from engine.sentences import Template
from tests.support.builder.printing_guide import guide_rows
from tests.support.builder.rendered_parts import BOARDS

KNOWN = read_parts(PARTS_FILE.read_text("utf-8"))
GUIDE = (PARTS_FILE.parent / "README.md").read_text("utf-8")
LIT = [name for name in shipped_boards() if load_board_file(name).leds is not None]


def counted(made: BillOfMaterials) -> dict[str, float]:
    counts: dict[str, float] = {}
    for line in made.lines:
        counts[line.key] = counts.get(line.key, 0) + line.quantity
    return counts


def billed(name: str, driver: LedDriver | None = None) -> BillOfMaterials:
    return make_bill(load_board_file(name), driver)


def test_a_paper_board_with_an_existing_webcam_costs_nothing() -> None:
    made = billed("paper-10x8")
    assert {line.group for line in made.lines} == {"have"}
    assert made.total_eur() == made.total_eur("optional") == 0
    assert made.wiring is None
    assert {"computer", "camera", "paper"} <= counted(made).keys()


def test_the_number_of_sheets_is_the_number_of_printed_pages() -> None:
    full_board = load_board("paper-10x8")
    top = fit_board(full_board)
    printed = [
        *board_pages(full_board, top.board, top.game, A4),
        *tag_pages(top.board, [top.game], A4),
    ]
    rules = 1
    assert counted(billed("paper-10x8"))["paper"] == len(printed) + rules
    assert "**1. Print.** Eight pages" in GUIDE
    assert len(printed) + rules == 8


@pytest.mark.parametrize("name", BOARDS)
def test_the_filament_covers_the_amounts_in_the_printing_guide(name: str) -> None:
    """Another test compares the guide with the solids. Filament is counted in steps of 10 g."""
    counts, (_, pieces, stand, grid) = counted(billed(name)), guide_rows(name)[0]
    keys = ("filament", "mast_filament", "grid")
    for key, reported in zip(keys, (pieces, stand, grid), strict=True):
        found = re.search(r"(\d+) g", reported)
        grams = int(found[1]) if found else 0
        assert grams <= counts.get(key, 0) <= grams + 15, key


def test_foil_is_listed_only_for_boards_with_mirrors() -> None:
    assert "foil" in counted(billed("demo-10x8"))
    assert "foil" not in counted(billed("hex-r5"))


@pytest.mark.parametrize("name", LIT)
def test_the_tubes_are_long_enough_for_any_camera(name: str) -> None:
    masts = [compute_mast(load_board(name), camera) for camera in CAMERAS.values()]
    (line,) = [each for each in billed(name).lines if each.key == "tubes"]
    cut = max(each.upright_mm for each in masts), max(each.arm_mm for each in masts)
    assert line.name.endswith(": {:g} + {:g} mm".format(*cut))
    assert line.quantity == ceil(sum(cut) / 100) / 10
    assert f"{TUBE_MM:g} mm outside" in line.name


def test_walls_and_rim_have_the_sizes_in_the_build_guide() -> None:
    (walls,) = [each for each in billed("demo-10x8").lines if each.key == "walls"]
    assert f"strips of {GRID_WALL_HEIGHT_MM:g} mm" in walls.name
    text = " ".join(GUIDE.split())
    assert (
        f"a wall (the printed grid, or strips of foam board) of {GRID_WALL_HEIGHT_MM:g} mm" in text
    )
    demo, full = (rim_mm(load_board(name)) for name in ("demo-10x8", "full-10x8"))
    assert f"{demo:g} mm on each side here, {full:g} mm on the full board" in text


def test_flat_pieces_need_no_filament_foil_or_glue() -> None:
    text = """\
board: {kind: square, columns: 10, rows: 8, cell_mm: 40}
tags: {tag_mm: 26, cap_mm: 34, cap_height_mm: 0, corner_mm: 26, corner_offset_mm: 24}
leds: {ma_limit: 3000, strips: [{lane: 0}]}
"""
    assert not {"filament", "foil", "glue"} & counted(make_bill(read_board(text, "x.yaml"))).keys()


@pytest.mark.parametrize("driver", [None, *LedDriver])
@pytest.mark.parametrize("name", LIT)
def test_every_wired_part_is_on_the_bill(name: str, driver: LedDriver | None) -> None:
    made = billed(name, driver)
    counts, wiring = counted(made), made.wiring
    assert wiring is not None
    feeds = wiring.power.feeds
    assert counts["resistor"] == len(wiring.data_lines)
    assert counts["capacitor"] == len(feeds)
    assert counts["fuse"] == len(feeds) + 1
    assert counts["supply"] == wiring.power.supplies
    assert counts["button"] == sum(each.kind == "button" for each in wiring.gpio_devices)
    (box,) = [line for line in made.lines if line.key == "fuse_box"]
    assert int(box.name.split()[-2]) >= len(feeds) + 1
    assert ("pico" in counts) == (wiring.driver is LedDriver.PICO)
    assert ("wled" in counts) == (wiring.driver is LedDriver.WLED)
    assert ("shifter" in counts) == (wiring.driver is not LedDriver.WLED)
    for size in {each.wire.mm2 for each in wiring.connections() if each.wire is not None}:
        assert [line for line in made.lines if f"wire, {size:g} mm²" in line.name]


@pytest.mark.parametrize(
    ("name", "driver", "key", "quantity"),
    [
        ("demo-10x8", None, "single_leds", 80),
        ("demo-10x8", LedDriver.SPI, "clocked_leds", 80),
        ("full-10x8", None, "strip", 13.2),  # 12 m and a tenth
        ("full-10x8", LedDriver.SPI, "clocked_strip", 13.2),
        ("hex-r5", None, "single_leds", 91),
        ("photon-10x10", None, "single_leds", 100),
    ],
)
def test_the_listed_strip_has_the_led_pitch_of_the_board(
    name: str, driver: LedDriver | None, key: str, quantity: float
) -> None:
    assert counted(billed(name, driver))[key] == quantity


def test_a_strip_with_skipped_leds_is_a_denser_strip() -> None:
    text = """\
board: {kind: square, columns: 10, rows: 8, cell_mm: 40}
tags: {tag_mm: 26, cap_mm: 34, cap_height_mm: 30, corner_mm: 26, corner_offset_mm: 24}
leds: {ma_limit: 3000, strips: [{gaps: {cell: 3}}]}
"""
    made = make_bill(read_board(text, "x.yaml"))
    (line,) = [line for line in made.lines if line.key == "strip"]
    assert "100 LEDs a metre" in line.name
    assert line.quantity == 3.3  # 296 LEDs and a tenth


def test_a_board_that_no_game_fits_has_a_bill_without_pieces() -> None:
    text = """\
board: {kind: square, columns: 3, rows: 2, cell_mm: 40}
tags: {tag_mm: 26, cap_mm: 34, cap_height_mm: 30, corner_mm: 26, corner_offset_mm: 24}
leds: {ma_limit: 300, strips: [{lane: 0}]}
"""
    made = make_bill(read_board(text, "x.yaml"))
    assert "filament" not in counted(made)
    assert set(made.typical_ma) == {"no game", "the winner"}


def test_the_full_board_costs_more_than_the_demo() -> None:
    demo, full = billed("demo-10x8"), billed("full-10x8")
    assert 50 < demo.total_eur() < full.total_eur() < 500
    assert demo.total_eur() == pytest.approx(
        sum(line.quantity * line.eur_each for line in demo.lines if line.group == ""), abs=0.2
    )


def test_every_listed_part_is_needed_by_some_board() -> None:
    used = {
        line.key
        for name in shipped_boards()
        for driver in ([*LedDriver] if name in ("demo-10x8", "full-10x8") else [None])
        for line in billed(name, driver).lines
    }
    assert used == set(KNOWN)
    for part in KNOWN.values():
        assert ("{size}" in part.name) >= (len(part.eur) > 1)
        assert all(price >= 0 for price in part.eur.values())


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("{name: x, for: y}", sentences.BAD_PART_KEYS),
        ("{name: x, for: y, eur: 1, colour: red}", sentences.BAD_PART_KEYS),
        ("{name: x, for: y, eur: 1, group: maybe}", sentences.BAD_PART_GROUP),
    ],
)
def test_an_invalid_part_is_named(entry: str, complaint: Template) -> None:
    with pytest.raises(BadParts) as refused:
        read_parts(f"lamp: {entry}")
    assert refused.value.sentence == complaint(part="lamp")
