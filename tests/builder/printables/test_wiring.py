"""The wiring sheets agree with the driver about the place of every LED, on both sides."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.builder.electrics.bill_of_materials import make_bill
from controller.builder.electrics.connections import BoardWiring, LedDriver, plan_wiring
from controller.builder.printables.led_strips import led_strips_page
from controller.builder.printables.page_files import render_pdf
from controller.builder.printables.symbols import LANE_STYLES, PAPER
from controller.builder.printables.wiring import wiring_pages
from controller.builder.printables.wiring_plan import wiring_plan_page
from controller.config.addresses.leds import SimulatedLedAddress
from controller.config.board_file import BoardFile, load_board_file, shipped_boards
from controller.config.leds import LedSettings
from controller.devices.clock import SystemClock
from controller.devices.factory.leds import simulated_leds
from controller.ports.devices import Pixels
from engine.draw.font_metrics import text_width
from engine.draw.page import A4, LETTER, Paper
from engine.draw.palette import parse_rgb
from tests.support.builder.rendered_pages import dark_box_mm, rendered
from tests.support.lighting.random_led_boards import led_boards
from tests.support.paths import HARDWARE
from vision.board import Points

PICTURES = HARDWARE / "pictures"
LIT = [name for name in shipped_boards() if load_board_file(name).leds is not None]
TENTH_MM = 0.1
LANE_COLOURS = [style.colour for style in LANE_STYLES]
LONG_MS = 30_000


@dataclass(frozen=True)
class Drawn:
    """LED positions and lanes, read from the SVG of a strips page."""

    places_mm: Points  # on the board, by LED; NaN: not drawn
    lane: dict[int, int]


def drawn(wiring: BoardWiring, *, below: bool, paper: Paper = A4) -> Drawn:
    tree = ElementTree.fromstring(led_strips_page(wiring, paper, below=below).to_svg())
    shapes = list(tree)
    (frame,) = [each for each in shapes if "data-board" in each.attrib]
    left, top, width = (float(frame.attrib[key]) for key in ("x", "y", "width"))
    scale = width / wiring.layout.board.size_mm[0]
    places = np.full((wiring.layout.led_count, 2), np.nan)
    lanes = {}
    for shape, after in zip(shapes, [*shapes[1:], None], strict=True):
        if "data-led" not in shape.attrib:
            continue
        led = int(shape.attrib["data-led"])
        assert after is not None
        assert after.text == str(led), "the number that people read"
        assert np.isnan(places[led, 0]), "drawn twice"
        x, y = (
            (float(shape.attrib[key]) - edge) / scale for key, edge in (("cx", left), ("cy", top))
        )
        places[led] = wiring.layout.board.size_mm[0] - x if below else x, y
        lanes[led] = int(shape.attrib["data-lane"])
    return Drawn(places, lanes)


@contextmanager
def firmware(file: LedSettings) -> Iterator[object]:
    generous = replace(file, ma_limit=65535, watchdog_ms=65535)  # no dimming and no blanking
    leds = simulated_leds(SimulatedLedAddress(), generous, SystemClock())

    def latched(picture: Pixels) -> Pixels:
        assert leds.wait(leds.show(picture), LONG_MS)
        shown = leds.matrix.latched()
        assert shown is not None
        return shown

    try:
        yield latched
    finally:
        leds.close()


def cells_by_driver(wiring: BoardWiring) -> list[int | None]:
    """For each LED the cell that it lights, measured with the real driver and firmware core.

    Cells are numbered from 1; picture k lights the cells whose number has bit k.
    """
    layout = wiring.layout
    assert wiring.file.leds is not None
    numbers = np.zeros(layout.led_count, int)
    bits = (layout.board.grid.size + 1).bit_length()
    with firmware(wiring.file.leds) as latched:
        assert callable(latched)
        for bit in range(bits):
            picture = np.zeros((layout.led_count, 3), np.uint8)
            for cell, leds in enumerate(layout.cells):
                picture[list(leds), 1] = 20 * ((cell + 1) >> bit & 1)
            numbers |= (latched(picture)[:, 1] > 0).astype(int) << bit
    return [None if number == 0 else int(number) - 1 for number in numbers]


def nearest_cells(wiring: BoardWiring, places: Points) -> list[int | None]:
    centres = wiring.layout.board.centres_mm()
    return [
        None if np.isnan(place[0]) else int(np.hypot(*(centres - place).T).argmin())
        for place in places
    ]


def agrees(wiring: BoardWiring) -> None:
    """Layout, driver, firmware and both drawings agree on every LED."""
    lanes = [lane for lane, count in enumerate(wiring.layout.leds_per_lane) for _ in range(count)]
    meant = cells_by_driver(wiring)
    for below in (False, True):
        seen = drawn(wiring, below=below)
        assert seen.places_mm == pytest.approx(
            wiring.layout.led_positions_mm(), abs=TENTH_MM, nan_ok=True
        )
        assert nearest_cells(wiring, seen.places_mm) == meant
        assert seen.lane == {led: lanes[led] for led in seen.lane}


@pytest.mark.parametrize("name", LIT)
def test_every_shipped_board_matches_the_led_order(name: str) -> None:
    agrees(plan_wiring(load_board_file(name)))


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(led_boards())
def test_any_random_board_matches_the_led_order(file: BoardFile) -> None:
    agrees(plan_wiring(file))


@pytest.mark.slow
@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(led_boards())
def test_many_random_boards_match_the_led_order(file: BoardFile) -> None:
    agrees(plan_wiring(file))


@settings(deadline=None, max_examples=10, suppress_health_check=list(HealthCheck))
@given(led_boards(), st.sampled_from(LedDriver))
def test_every_sheet_of_any_board_is_well_formed_and_on_the_paper(
    file: BoardFile, driver: LedDriver
) -> None:
    wiring = plan_wiring(file, driver)
    for page in (wiring_plan_page(wiring, A4), led_strips_page(wiring, LETTER, below=True)):
        for shape in ElementTree.fromstring(page.to_svg()).iter():
            for key in shape.attrib.keys() & {"x", "y", "cx", "cy"}:
                most = page.width_mm if "x" in key else page.height_mm
                assert 0 <= float(shape.attrib[key]) <= most, shape.attrib


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("name", ["demo-10x8", "hex-r5"])
def test_every_number_is_printed_on_its_led(tmp_path: Path, name: str, below: bool) -> None:
    """Poppler reads words and their positions from the PDF."""
    wiring = plan_wiring(load_board_file(name))
    page = led_strips_page(wiring, A4, below=below)
    file = tmp_path / "strips.pdf"
    file.write_bytes(render_pdf([page], "strips"))
    reported = subprocess.run(
        ["pdftotext", "-bbox", str(file), "-"], check=True, capture_output=True, text=True
    ).stdout
    words: dict[str, list[tuple[float, float]]] = {}
    box = r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.+?)</word>'
    for x0, y0, x1, y1, word in re.findall(box, reported):
        x, y = ((float(a) + float(b)) / 2 * 25.4 / 72 for a, b in ((x0, x1), (y0, y1)))
        words.setdefault(word, []).append((x, y))
    marks = [each for each in ElementTree.fromstring(page.to_svg()) if "data-led" in each.attrib]
    assert len(marks) == wiring.layout.led_count
    for mark in marks:
        x, y = float(mark.attrib["cx"]), float(mark.attrib["cy"])
        places = np.array(words[mark.attrib["data-led"]])
        assert np.hypot(*(places - (x, y)).T).min() < 1.0


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_everything_is_in_the_printable_area(paper: Paper) -> None:
    wiring = plan_wiring(load_board_file("full-10x8"), LedDriver.PICO)
    sheets = wiring_pages(wiring, make_bill(wiring.file), paper, ("plan", "connections", "parts"))
    for page, picture in zip(sheets, rendered(sheets, per_mm=4), strict=True):
        left, top, right, bottom = dark_box_mm(picture, per_mm=4)
        assert min(left, top) > 7
        assert right < page.width_mm - 7
        assert bottom < page.height_mm - 7


def test_seen_from_below_column_a_is_on_the_right() -> None:
    wiring = plan_wiring(load_board_file("demo-10x8"))
    tree = ElementTree.fromstring(led_strips_page(wiring, A4, below=True).to_svg())
    across = {text.text: float(text.attrib["x"]) for text in tree if text.text in ("a", "j")}
    assert across["a"] > across["j"]
    titles = [text.text for text in tree if text.text and "BELOW" in text.text]
    assert titles == ["demo-10x8: strips, seen from BELOW"]


def test_lanes_differ_without_colour() -> None:
    """LEDs differ in tint, lines between them in dashes; the circles of LEDs are solid."""
    wiring = plan_wiring(load_board_file("full-10x8"))
    tree = ElementTree.fromstring(led_strips_page(wiring, A4, below=False).to_svg())
    marks = [shape for shape in tree if "data-led" in shape.attrib]
    assert not any("stroke-dasharray" in shape.attrib for shape in marks)
    tints: dict[str, set[float]] = {}
    for shape in marks:
        if shape.attrib["fill"] != shape.attrib["stroke"]:  # the first LED of a line is filled
            tints.setdefault(shape.attrib["data-lane"], set()).add(grey(shape.attrib["fill"]))
    assert set(tints) == {"0", "1"}
    assert all(len(tint) == 1 for tint in tints.values())
    assert min(tints["0"]) > max(tints["1"]) + 0.1
    joins = {
        (shape.attrib["stroke"], "stroke-dasharray" in shape.attrib)
        for shape in tree
        if shape.tag.endswith("polyline") and shape.attrib["stroke"] in LANE_COLOURS
    }
    assert joins == {(LANE_COLOURS[0], False), (LANE_COLOURS[1], True)}


def test_every_lane_is_darker_than_the_previous_one_and_its_numbers_are_readable() -> None:
    tints = [grey(style.tint) for style in LANE_STYLES]
    assert all(a > b + 0.08 for a, b in pairwise(tints))
    assert tints[-1] > 0.55


def grey(colour: str) -> float:
    """Brightness on a grey print, 0 to 1."""
    red, green, blue = parse_rgb(colour)
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("name", LIT)
def test_the_number_of_an_led_is_inside_its_circle(name: str, below: bool) -> None:
    tree = ElementTree.fromstring(
        led_strips_page(plan_wiring(load_board_file(name)), A4, below=below).to_svg()
    )
    shapes = list(tree)
    for mark, text in pairwise(shapes):
        if "data-led" in mark.attrib:
            size, inner = float(text.attrib["font-size"]), float(mark.attrib["r"]) - 0.25
            half = text_width(str(text.text), size) / 2
            assert np.hypot(half, 0.36 * size) < inner, mark.attrib["data-led"]


@pytest.mark.parametrize("below", [False, True])
def test_no_number_at_the_end_of_a_row_of_hexagons_touches_a_line(below: bool) -> None:
    wiring = plan_wiring(load_board_file("hex-r5"))
    tree = ElementTree.fromstring(led_strips_page(wiring, A4, below=below).to_svg())
    (frame,) = [each for each in tree if "data-board" in each.attrib]
    assert frame.attrib["stroke"] == "none"
    corners = [
        [(float(x), float(y)) for x, y in re.findall(r"([\d.]+)[, ]([\d.]+)", places)]
        for shape in tree
        for places in (shape.attrib.get("points", ""),)
        if shape.tag.endswith("polygon") and shape.attrib.get("fill") == PAPER
    ]
    cells = shapely.MultiPolygon([shapely.Polygon(each) for each in corners])
    assert len(cells.geoms) == wiring.layout.board.grid.size
    ends = [
        text
        for text in tree
        if (text.text or "").isdigit() and text.attrib.get("text-anchor") in ("start", "end")
    ]
    assert len(ends) == 2 * 11
    for text in ends:
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        size = float(text.attrib["font-size"])
        wide = text_width(str(text.text), size, bold=True)
        left = x - wide if text.attrib["text-anchor"] == "end" else x
        box = shapely.box(left, y - 0.75 * size, left + wide, y)
        assert cells.distance(box) > 0.5, text.text


@pytest.mark.parametrize("name", LIT)
def test_the_sheets_show_every_feed_with_its_fuse(name: str) -> None:
    wiring = plan_wiring(load_board_file(name))
    reported = " ".join(
        text.text or ""
        for page in wiring_pages(wiring, make_bill(wiring.file), A4, ("plan", "above", "power"))
        for text in ElementTree.fromstring(page.to_svg()).iter()
    )
    for feed in wiring.power.feeds:
        assert len(re.findall(rf"\b{feed.name}\b", reported)) >= 3
        assert f"{feed.name} {feed.fuse_a:g} A" in reported
    assert f"5 V, {wiring.power.supply_a} A" in reported


@pytest.mark.parametrize(
    ("board", "driver", "leds"),
    [
        ("full-10x8", None, "serial://auto"),
        ("demo-10x8", LedDriver.SPI, "gpio://spi"),
        ("wled-10x8", None, "ddp://wled.local"),
    ],
)
def test_the_printed_test_command_has_the_url_of_the_leds(
    board: str, driver: LedDriver | None, leds: str
) -> None:
    reported = wiring_plan_page(plan_wiring(load_board_file(board), driver), A4).to_svg()
    assert f"laserboard leds walk --board {board}<" in reported
    assert f"--leds {leds}: each LED where it says?" in reported


@pytest.mark.parametrize(
    ("file", "board", "sheet"),
    [
        ("wiring-demo.svg", "demo-10x8", "plan"),
        ("strips-demo-above.svg", "demo-10x8", "above"),
        ("strips-demo-below.svg", "demo-10x8", "below"),
        ("wiring-full.svg", "full-10x8", "plan"),
    ],
)
def test_the_drawings_of_the_guide_are_up_to_date(file: str, board: str, sheet: str) -> None:
    wiring = plan_wiring(load_board_file(board))
    (page,) = wiring_pages(wiring, make_bill(wiring.file), A4, (sheet,))
    assert (PICTURES / file).read_text("utf-8") == page.to_svg(), (
        "`make -C hardware -f drawings.mk drawings` draws it anew"
    )
