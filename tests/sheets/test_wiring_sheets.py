"""The wiring sheets show what the driver does: every LED at its place, from both sides."""

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

from controller.building.hookup import Driver, Hookup, hookup
from controller.building.parts import bill
from controller.config import BoardFile, load_board_file, shipped_boards
from controller.devices.clock import SystemClock
from controller.led_address import Simulated
from controller.led_settings import LedSettings
from controller.ports import Pixels
from controller.sheets.ink import LANES, PAPER
from controller.sheets.letters import width
from controller.sheets.page import A4, LETTER, Paper
from controller.sheets.pdf import pdf
from controller.sheets.plan import plan_page
from controller.sheets.strips import strips_page
from controller.sheets.wiring import wiring_pages
from controller.wiring.lamps import simulated_leds
from engine.draw.palette import rgb
from tests.controller.test_led_settings import led_boards
from tests.sheets.rendering import dark_box_mm, rendered
from vision.board import Points

PICTURES = Path(__file__).parents[2] / "hardware" / "pictures"
LIT = [name for name in shipped_boards() if load_board_file(name).leds is not None]
TENTH_MM = 0.1
LANE_COLOURS = [style.colour for style in LANES]
LONG_MS = 30_000


@dataclass(frozen=True)
class Drawn:
    """What a program reads off a strips page."""

    places_mm: Points  # on the board, for each LED; not a number where it is not drawn
    lane: dict[int, int]


def drawn(hooked: Hookup, *, below: bool, paper: Paper = A4) -> Drawn:
    tree = ElementTree.fromstring(strips_page(hooked, paper, below=below).svg())
    shapes = list(tree)
    (frame,) = [each for each in shapes if "data-board" in each.attrib]
    left, top, width = (float(frame.attrib[key]) for key in ("x", "y", "width"))
    scale = width / hooked.layout.board.size_mm[0]
    places = np.full((hooked.layout.leds, 2), np.nan)
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
        places[led] = hooked.layout.board.size_mm[0] - x if below else x, y
        lanes[led] = int(shape.attrib["data-lane"])
    return Drawn(places, lanes)


@contextmanager
def firmware(file: LedSettings) -> Iterator[object]:
    generous = replace(file, ma_limit=65535, watchdog_ms=65535)  # nothing is dimmed or blanked
    leds = simulated_leds(Simulated(), generous, SystemClock())

    def latched(picture: Pixels) -> Pixels:
        assert leds.wait(leds.show(picture), LONG_MS)
        shown = leds.matrix.latched()
        assert shown is not None
        return shown

    try:
        yield latched
    finally:
        leds.close()


def cells_by_driver(hooked: Hookup) -> list[int | None]:
    """For each LED that the firmware lights, the cell that was meant to be lit.

    Cells are numbered from 1; picture k lights those whose number has bit k. All pictures go
    through the real driver into the firmware's core, and what it latches is read back.
    """
    lies = hooked.layout
    assert hooked.file.leds is not None
    numbers = np.zeros(lies.leds, int)
    bits = (lies.board.grid.size + 1).bit_length()
    with firmware(hooked.file.leds) as latched:
        assert callable(latched)
        for bit in range(bits):
            picture = np.zeros((lies.leds, 3), np.uint8)
            for cell, leds in enumerate(lies.cells):
                picture[list(leds), 1] = 20 * ((cell + 1) >> bit & 1)
            numbers |= (latched(picture)[:, 1] > 0).astype(int) << bit
    return [None if number == 0 else int(number) - 1 for number in numbers]


def nearest_cells(hooked: Hookup, places: Points) -> list[int | None]:
    centres = hooked.layout.board.centres_mm()
    return [
        None if np.isnan(place[0]) else int(np.hypot(*(centres - place).T).argmin())
        for place in places
    ]


def agrees(hooked: Hookup) -> None:
    """Layout, driver, firmware and both drawings say the same of every LED."""
    lanes = [lane for lane, count in enumerate(hooked.layout.lanes) for _ in range(count)]
    meant = cells_by_driver(hooked)
    for below in (False, True):
        seen = drawn(hooked, below=below)
        assert seen.places_mm == pytest.approx(hooked.layout.places_mm(), abs=TENTH_MM, nan_ok=True)
        assert nearest_cells(hooked, seen.places_mm) == meant
        assert seen.lane == {led: lanes[led] for led in seen.lane}


@pytest.mark.parametrize("name", LIT)
def test_a_shipped_board_is_drawn_as_it_is_driven(name: str) -> None:
    agrees(hookup(load_board_file(name)))


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(led_boards())
def test_any_board_is_drawn_as_it_is_driven(file: BoardFile) -> None:
    agrees(hookup(file))


@pytest.mark.slow
@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(led_boards())
def test_very_many_boards_are_drawn_as_they_are_driven(file: BoardFile) -> None:
    agrees(hookup(file))


@settings(deadline=None, max_examples=10, suppress_health_check=list(HealthCheck))
@given(led_boards(), st.sampled_from(Driver))
def test_every_sheet_of_any_board_is_well_formed_and_on_the_paper(
    file: BoardFile, driver: Driver
) -> None:
    hooked = hookup(file, driver)
    for page in (plan_page(hooked, A4), strips_page(hooked, LETTER, below=True)):
        for shape in ElementTree.fromstring(page.svg()).iter():
            for key in shape.attrib.keys() & {"x", "y", "cx", "cy"}:
                most = page.width_mm if "x" in key else page.height_mm
                assert 0 <= float(shape.attrib[key]) <= most, shape.attrib


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("name", ["demo-10x8", "hex-r5"])
def test_on_paper_every_number_stands_on_its_led(tmp_path: Path, name: str, below: bool) -> None:
    """Read off the PDF by poppler: words, and where they are."""
    hooked = hookup(load_board_file(name))
    page = strips_page(hooked, A4, below=below)
    file = tmp_path / "strips.pdf"
    file.write_bytes(pdf([page], "strips"))
    told = subprocess.run(
        ["pdftotext", "-bbox", str(file), "-"], check=True, capture_output=True, text=True
    ).stdout
    words: dict[str, list[tuple[float, float]]] = {}
    box = r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.+?)</word>'
    for x0, y0, x1, y1, word in re.findall(box, told):
        x, y = ((float(a) + float(b)) / 2 * 25.4 / 72 for a, b in ((x0, x1), (y0, y1)))
        words.setdefault(word, []).append((x, y))
    marks = [each for each in ElementTree.fromstring(page.svg()) if "data-led" in each.attrib]
    assert len(marks) == hooked.layout.leds
    for mark in marks:
        x, y = float(mark.attrib["cx"]), float(mark.attrib["cy"])
        places = np.array(words[mark.attrib["data-led"]])
        assert np.hypot(*(places - (x, y)).T).min() < 1.0


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_nothing_is_beyond_the_edges_that_a_printer_reaches(paper: Paper) -> None:
    hooked = hookup(load_board_file("full-10x8"), Driver.PICO)
    sheets = wiring_pages(hooked, bill(hooked.file), paper, ("plan", "connections", "parts"))
    for page, picture in zip(sheets, rendered(sheets, per_mm=4), strict=True):
        left, top, right, bottom = dark_box_mm(picture, per_mm=4)
        assert min(left, top) > 7
        assert right < page.width_mm - 7
        assert bottom < page.height_mm - 7


def test_from_below_a_is_on_the_right() -> None:
    hooked = hookup(load_board_file("demo-10x8"))
    tree = ElementTree.fromstring(strips_page(hooked, A4, below=True).svg())
    across = {text.text: float(text.attrib["x"]) for text in tree if text.text in ("a", "j")}
    assert across["a"] > across["j"]
    titles = [text.text for text in tree if text.text and "BELOW" in text.text]
    assert titles == ["demo-10x8: strips, seen from BELOW"]


def test_lanes_differ_without_colour() -> None:
    """LEDs are paler or darker, and what joins them is dashed: their own rims are whole."""
    hooked = hookup(load_board_file("full-10x8"))
    tree = ElementTree.fromstring(strips_page(hooked, A4, below=False).svg())
    marks = [shape for shape in tree if "data-led" in shape.attrib]
    assert not any("stroke-dasharray" in shape.attrib for shape in marks)
    tints: dict[str, set[float]] = {}
    for shape in marks:
        if shape.attrib["fill"] != shape.attrib["stroke"]:  # the first of a line is filled
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


def test_every_lane_is_darker_than_the_one_before_and_its_numbers_can_be_read() -> None:
    tints = [grey(style.tint) for style in LANES]
    assert all(a > b + 0.08 for a, b in pairwise(tints))
    assert tints[-1] > 0.55


def grey(colour: str) -> float:
    """How bright it is on a grey print, from 0 to 1."""
    red, green, blue = rgb(colour)
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("name", LIT)
def test_a_number_of_an_led_lies_within_its_rim(name: str, below: bool) -> None:
    tree = ElementTree.fromstring(strips_page(hookup(load_board_file(name)), A4, below=below).svg())
    shapes = list(tree)
    for mark, text in pairwise(shapes):
        if "data-led" in mark.attrib:
            size, inner = float(text.attrib["font-size"]), float(mark.attrib["r"]) - 0.25
            half = width(str(text.text), size) / 2
            assert np.hypot(half, 0.36 * size) < inner, mark.attrib["data-led"]


@pytest.mark.parametrize("below", [False, True])
def test_no_number_at_the_end_of_a_row_of_hexagons_lies_on_a_line(below: bool) -> None:
    hooked = hookup(load_board_file("hex-r5"))
    tree = ElementTree.fromstring(strips_page(hooked, A4, below=below).svg())
    (frame,) = [each for each in tree if "data-board" in each.attrib]
    assert frame.attrib["stroke"] == "none"
    corners = [
        [(float(x), float(y)) for x, y in re.findall(r"([\d.]+)[, ]([\d.]+)", places)]
        for shape in tree
        for places in (shape.attrib.get("points", ""),)
        if shape.tag.endswith("polygon") and shape.attrib.get("fill") == PAPER
    ]
    cells = shapely.MultiPolygon([shapely.Polygon(each) for each in corners])
    assert len(cells.geoms) == hooked.layout.board.grid.size
    ends = [
        text
        for text in tree
        if (text.text or "").isdigit() and text.attrib.get("text-anchor") in ("start", "end")
    ]
    assert len(ends) == 2 * 11
    for text in ends:
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        size = float(text.attrib["font-size"])
        wide = width(str(text.text), size, bold=True)
        left = x - wide if text.attrib["text-anchor"] == "end" else x
        box = shapely.box(left, y - 0.75 * size, left + wide, y)
        assert cells.distance(box) > 0.5, text.text


@pytest.mark.parametrize("name", LIT)
def test_every_feed_and_every_fuse_is_on_the_sheets(name: str) -> None:
    hooked = hookup(load_board_file(name))
    told = " ".join(
        text.text or ""
        for page in wiring_pages(hooked, bill(hooked.file), A4, ("plan", "above", "power"))
        for text in ElementTree.fromstring(page.svg()).iter()
    )
    for feed in hooked.power.feeds:
        assert len(re.findall(rf"\b{feed.name}\b", told)) >= 3
        assert f"{feed.name} {feed.fuse_a:g} A" in told
    assert f"5 V, {hooked.power.supply_a} A" in told


@pytest.mark.parametrize(
    ("board", "driver", "leds"),
    [
        ("full-10x8", None, "serial://auto"),
        ("demo-10x8", Driver.SPI, "gpio://spi"),
        ("wled-10x8", None, "ddp://wled.local"),
    ],
)
def test_the_first_light_is_for_the_leds_and_not_for_the_terminal(
    board: str, driver: Driver | None, leds: str
) -> None:
    told = plan_page(hookup(load_board_file(board), driver), A4).svg()
    assert f"laserboard leds walk --board {board}<" in told
    assert f"--leds {leds}: each LED where it says?" in told


@pytest.mark.parametrize(
    ("file", "board", "sheet"),
    [
        ("wiring-demo.svg", "demo-10x8", "plan"),
        ("strips-demo-above.svg", "demo-10x8", "above"),
        ("strips-demo-below.svg", "demo-10x8", "below"),
        ("wiring-full.svg", "full-10x8", "plan"),
    ],
)
def test_the_drawings_of_the_guide_are_what_is_drawn_now(file: str, board: str, sheet: str) -> None:
    hooked = hookup(load_board_file(board))
    (page,) = wiring_pages(hooked, bill(hooked.file), A4, (sheet,))
    assert (PICTURES / file).read_text("utf-8") == page.svg(), (
        "`make -C hardware -f drawings.mk drawings` draws it anew"
    )
