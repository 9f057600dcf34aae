"""The section `leds` is read and written back, and every error names its line."""

from __future__ import annotations

import pytest
from hypothesis import given

from controller.config.board_file import BoardFile, load_board_file, read_board, write_board
from controller.config.led_strips import LedStrip
from controller.config.leds import LedSettings
from controller.config.yaml_tree import BadConfig
from controller.lighting import output
from controller.lighting.layout import led_layout
from controller.lighting.output import OutputStage
from tests.support.lighting.random_led_boards import allow_slow_examples, led_boards

HEAD = """\
board: {kind: square, columns: 3, rows: 2, cell_mm: 40}
tags: {tag_mm: 26, cap_mm: 34, cap_height_mm: 30, corner_mm: 26, corner_offset_mm: 24}
"""
HEX = HEAD.replace("kind: square, columns: 3, rows: 2", "kind: hex, hex: {radius: 1}")
GOOD = """\
leds:
  per_cell: [1, 1]
  ma_limit: 1000
  strips:
    - {lane: 0}
"""
TWO = """\
leds:
  ma_limit: 1000
  strips:
    - {cells: [a2, c2]}
    - {cells: [a1, c1]}
"""


def read(leds: str, head: str = HEAD) -> LedSettings:
    section = read_board(head + leds, "boards/x.yaml").leds
    assert section is not None
    return section


def complaint(leds: str, head: str = HEAD) -> str:
    with pytest.raises(BadConfig) as caught:
        read(leds, head)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    return message


def mapped(leds: str, head: str = HEAD) -> dict[str, tuple[int, ...]]:
    made = led_layout(read_board(head + leds, "boards/x.yaml"))
    assert made is not None
    grid = made.board.grid
    return {grid.name(cell): numbers for cell, numbers in enumerate(made.cells)}


# --- reading -----------------------------------------------------------------------------


def test_a_board_without_the_section_has_no_leds() -> None:
    assert read_board(HEAD, "x.yaml").leds is None


def test_omitted_keys_have_their_defaults() -> None:
    assert read(GOOD) == LedSettings((LedStrip(count=6),), 1000)
    assert read("leds: {ma_limit: 7, strips: [{}]}\n").strips == (LedStrip(count=6),)


def test_every_key_is_read() -> None:
    text = """\
leds:
  per_cell: [2, 1]
  strips:
    - {lane: 1, start: 3, count: 26, origin_corner: lower_right, axis: columns, serpentine: false,
       reversed: true, skip: [5, 0, 25], gaps: {cell: 1, turn: 1}}
    - {cells: [], count: 4}
  overrides: {a1: [3, 0]}
  color_order: BRG
  gamma: 2.8
  brightness: 100
  ma_limit: 900
  ma_per_led: 36
  watchdog_ms: 2000
  url: "sim://?drop=0.01&lag_ms=20"
  effects: calm
"""
    down = LedStrip(1, 3, 26, None, "lower_right", "columns", False, True, (0, 5, 25), 1, 1)
    url = "sim://?drop=0.01&lag_ms=20"
    assert read(text) == LedSettings(
        (down, LedStrip(0, 0, 4, ())),
        *(900, (2, 1), (("a1", (3, 0)),), "BRG", 2.8, 100, 36, 2000, url, "calm"),
    )


def test_the_output_stage_follows_the_section() -> None:
    more = "  gamma: 2.8\n  brightness: 100\n  ma_per_led: 36\n"
    assert output.for_settings(read(GOOD + more)) == OutputStage(2.8, 100, 1000, 36, 6)


def test_a_strip_starts_where_the_previous_one_on_its_lane_ends() -> None:
    assert [strip.start for strip in read(TWO).strips] == [0, 3]
    assert read(TWO).leds_per_lane == (6,)
    apart = TWO.replace("{cells: [a2", "{lane: 1, cells: [a2")
    assert [strip.start for strip in read(apart).strips] == [0, 0]
    assert read(apart).leds_per_lane == (3, 3)
    later = TWO.replace("[a1, c1]", "[a1, c1], start: 10")
    assert read(later).leds_per_lane == (13,)


def test_any_two_opposite_corners_name_the_same_rectangle() -> None:
    for corners in ("a2, c2", "c2, a2"):
        assert mapped(TWO.replace("a2, c2", corners)) == mapped(TWO)


def test_leds_of_the_second_lane_are_numbered_after_the_first() -> None:
    cells = mapped(TWO.replace("{cells: [a2", "{lane: 1, cells: [a2"))
    assert (cells["a1"], cells["a2"]) == ((0,), (3,))


def test_skipped_leds_and_gaps_are_under_no_cell() -> None:
    gaps = mapped(GOOD.replace("lane: 0", "lane: 0, skip: [0, 1], gaps: {cell: 2, turn: 1}"))
    assert gaps == {"a2": (2,), "b2": (5,), "c2": (8,), "c1": (10,), "b1": (13,), "a1": (16,)}


def test_a_cell_gap_does_not_split_a_cell() -> None:
    wide = GOOD.replace("[1, 1]", "[2, 1]").replace("lane: 0", "gaps: {cell: 1}")
    assert mapped(wide)["b2"] == (3, 4)


def test_a_reversed_strip_is_numbered_down_to_the_corner() -> None:
    backwards = mapped(GOOD.replace("lane: 0", "reversed: true, skip: [0]"))
    assert backwards == {"a1": (1,), "b1": (2,), "c1": (3,), "c2": (4,), "b2": (5,), "a2": (6,)}


def test_an_override_replaces_the_strips() -> None:
    swapped = mapped(GOOD + "  overrides: {a2: [1], b2: [0]}\n")
    assert (swapped["a2"], swapped["b2"], swapped["c2"]) == ((1,), (0,), (2,))
    wide = GOOD.replace("[1, 1]", "[2, 1]") + "  overrides: {a2: [1, 0]}\n"
    assert mapped(wide)["a2"] == (1, 0)  # in the order of the places, not of the LED numbers


def test_overrides_alone_can_map_a_board() -> None:
    text = "leds:\n  ma_limit: 99\n  strips: [{cells: [], count: 9}]\n  overrides:\n"
    expected = {"a1": (8,), "b1": (6,), "c1": (5,), "a2": (0,), "b2": (1,), "c2": (2,)}
    text += "".join(f"    {cell}: {list(numbers)}\n" for cell, numbers in expected.items())
    assert mapped(text) == expected


def test_hexagons_are_mapped_by_complete_rows() -> None:
    assert mapped(GOOD, HEX) == {
        "b3": (0,), "c3": (1,), "c2": (2,), "b2": (3,), "a2": (4,), "a1": (5,), "b1": (6,),
    }  # fmt: skip
    two = "  strips: [{cells: [b2, c3]}, {cells: [a1, a1], origin_corner: upper_right}]\n"
    cells = mapped(f"leds:\n  ma_limit: 99\n{two}", HEX)
    assert (cells["c3"], cells["a2"], cells["b1"], cells["a1"]) == ((1,), (4,), (5,), (6,))


# --- errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ma_limit", "ma_limits", "5: leds.ma_limits: unknown key, did you mean 'ma_limit'?"),
        ("  ma_limit: 1000\n", "", "4: leds: 'ma_limit' is missing"),
        ("  strips:\n    - {lane: 0}\n", "", "4: leds: 'strips' is missing"),
        ("\n    - {lane: 0}", " []", "6: leds.strips: got a list of 0, want a list of strips"),
        ("\n    - {lane: 0}", " zigzag", "6: leds.strips: got 'zigzag', want a list of strips"),
        ("[1, 1]", "[1]", "4: leds.per_cell: got a list of 1, want a list of two numbers"),
        ("[1, 1]", "[0, 1]", "4: leds.per_cell[0]: got '0', want a whole number from 1 to 9"),
        ("[1, 1]", "[4, 3]", "4: leds.per_cell: 4 x 3 are 12 LEDs in a cell: at most 9"),
        ("1000", "6", "5: leds.ma_limit: 6 LEDs take 6 mA when they are dark: want more"),
        ("1000", "65536", "5: leds.ma_limit: got '65536', want a whole number from 1 to 65535"),
    ],
)
def test_an_error_names_its_line(old: str, new: str, message: str) -> None:
    assert f"boards/x.yaml:{message}" in complaint(GOOD.replace(old, new))


@pytest.mark.parametrize(
    ("strip", "message"),
    [
        ("3", ": got '3', want a section"),
        ("{lane: 4}", ".lane: got '4', want a whole number from 0 to 3"),
        ("{lane: 1}", ": lane 1 is used, but lane 0 is not: count lanes from 0"),
        ("{serpentin: yes}", ".serpentin: unknown key, did you mean 'serpentine'?"),
        ("{serpentine: 1}", ".serpentine: got '1', want true or false"),
        ("{reversed: 1}", ".reversed: got '1', want true or false"),
        ("{axis: row}", ".axis: got 'row', want rows or columns"),
        ("{origin_corner: a8}", ".origin_corner: got 'a8', want upper_left or upper_right or lo"),
        ("{start: -1}", ".start: got '-1', want a whole number from 0 to 2303"),
        ("{start: 2304}", ".start: got '2304', want a whole number from 0 to 2303"),
        ("{count: 7}", ".count: got 7, but its cells need 6 LEDs, with `skip` and `gaps`: cor"),
        ("{count: 5}", ".count: got 5, but its cells need 6 LEDs"),
        ("{count: 6, skip: [2]}", ".count: got 6, but its cells need 7 LEDs"),
        ("{count: 6, gaps: {turn: 1}}", ".count: got 6, but its cells need 7 LEDs"),
        ("{skip: [1, 1]}", ".skip[1]: 1 is in the list twice"),
        ("{skip: 1}", ".skip: got '1', want a list of numbers, LEDs of the strip under no cell"),
        ("{skip: [0, 9]}", ".skip: 9 is beyond the strip, whose 7 LEDs are 0 to 6"),
        ("{gaps: 1}", ".gaps: got '1', want a section"),
        ("{gaps: {row: 1}}", ".gaps.row: unknown key; known: cell, turn"),
        ("{gaps: {turn: 31}}", ".gaps.turn: got '31', want a whole number from 0 to 30"),
        ("{cells: [a2]}", ".cells: got a list of 1, want two cells: for one alone write it twice"),
        ("{cells: a2}", ".cells: got 'a2', want a list of two cells"),
        ("{cells: [a2, d2]}", ".cells[1]: 'd2' is not a square: this board has a1 to c2"),
        ("{cells: [1, c1]}", ".cells[0]: got '1', want the name of a cell, such as a1"),
        ("{cells: []}", ": 'count' is missing"),
        ("{cells: [], count: 6, skip: [1]}", ".skip: a strip under no cell (cells: []) has only"),
    ],
)
def test_an_error_in_a_strip_names_its_line(strip: str, message: str) -> None:
    shown = complaint(GOOD.replace("{lane: 0}", strip))
    assert shown.startswith(f"boards/x.yaml:7: leds.strips[0]{message}")


@pytest.mark.parametrize(
    ("strip", "message"),
    [
        ("{start: 2300}", "2306 LEDs in all: at most 2304"),
        ("{cells: [a2, b2]}", "no LED lies under c2, a1, b1 and 1 more: add a strip, or list"),
        ("{cells: [], count: 6}", "no LED lies under a2, b2, c2 and 3 more"),
    ],
)
def test_a_strip_that_does_not_fit_the_board_is_named(strip: str, message: str) -> None:
    shown = complaint(GOOD.replace("{lane: 0}", strip))
    assert shown.startswith(f"boards/x.yaml:7: leds.strips: {message}")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ("{d1: [0]}", "8: leds.overrides.d1: 'd1' is not a square: this board has a1 to c2"),
        ("{a1: 0}", "8: leds.overrides.a1: got '0', want a list of 1: the LEDs under a1"),
        ("{a1: [5, 6]}", "8: leds.overrides.a1: got a list of 2, want a list of 1"),
        ("{a1: [6]}", "8: leds.overrides.a1[0]: got '6', want a whole number from 0 to 5"),
        (
            "{a1: [5], b1: [3]}",
            "8: leds.overrides.b1[0]: LED 3 lies under both c1 and b1: name another LED, or"
            " override c1 too",
        ),
        ("{a1: [5], b1: [5]}", "8: leds.overrides.b1[0]: LED 5 lies under both a1 and b1"),
        ("{a1: [5], a1: [5]}", "8: leds.overrides.a1: given twice"),
        ("[5]", "8: leds.overrides: got a list, want a section"),
    ],
)
def test_an_error_in_an_override_names_its_line(overrides: str, message: str) -> None:
    assert f"boards/x.yaml:{message}" in complaint(f"{GOOD}  overrides: {overrides}\n")


def test_an_led_that_an_override_lists_twice_is_named() -> None:
    text = GOOD.replace("[1, 1]", "[2, 1]") + "  overrides:\n    b1: [8, 9]\n    a1: [10, 10]\n"
    message = "boards/x.yaml:10: leds.overrides.a1[1]: LED 10 is in the list twice"
    assert complaint(text) == message


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("color_order", "GBRW", "got 'GBRW', want RGB or GRB or BRG"),
        ("gamma", "0.5", "got '0.5', want a number from 1 to 4"),
        ("brightness", "0", "got '0', want a whole number from 1 to 255"),
        ("brightness", "50 %", "got '50 %', want a whole number from 1 to 255"),
        ("ma_per_led", "256", "got '256', want a whole number from 1 to 255"),
        ("watchdog_ms", "49", "got '49', want a whole number from 50 to 65535"),
        ("url", "/dev/ttyACM0", "LEDs '/dev/ttyACM0': write a URL such as serial://auto"),
        ("url", "srial://auto", "LEDs 'srial://auto': unknown kind, did you mean 'serial'?"),
        ("url", "7", "got '7', want where the LEDs are, such as \"serial:///dev/ttyACM0\""),
        ("effects", "wild", "got 'wild', want normal or calm"),
    ],
)
def test_a_wrong_setting_names_its_line(key: str, value: str, message: str) -> None:
    assert f"boards/x.yaml:8: leds.{key}: {message}" in complaint(f"{GOOD}  {key}: {value}\n")


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            "{cells: [a1, c1], start: 2}",
            "7: leds.strips[1]: LEDs 2 to 2 of lane 0 belong to strips[0] already: start at 3,"
            " or leave `start` out",
        ),
        ("{cells: [a1, c1], start: 0}", "7: leds.strips[1]: LEDs 0 to 2 of lane 0 belong to"),
        (
            "{cells: [a1, c2]}",
            "7: leds.strips[1]: a2 has its LEDs from strips[0] already: say with `cells` which"
            " rectangle each strip lies under",
        ),
        ("{cells: [a1, c1], lane: 2}", "7: leds.strips[1]: lane 2 is used, but lane 1 is not"),
        ("{cells: [a1, b1]}", "6: leds.strips: no LED lies under c1: add a strip"),
    ],
)
def test_overlapping_strips_are_named(second: str, message: str) -> None:
    assert f"boards/x.yaml:{message}" in complaint(TWO.replace("{cells: [a1, c1]}", second))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[1, 1]", "[3, 3]", "4: leds.per_cell: a hexagon has one LED, in its middle"),
        ("lane: 0", "axis: columns", "7: leds.strips[0].axis: hexagons have no straight columns"),
        ("lane: 0", "cells: [b3, z9]", "leds.strips[0].cells[1]: 'z9' is not a tile"),
    ],
)
def test_settings_that_hexagons_cannot_have_are_refused(old: str, new: str, message: str) -> None:
    assert message in complaint(GOOD.replace(old, new), HEX)


def test_the_largest_board_has_16_by_16_cells_of_9_leds() -> None:
    largest = HEAD.replace("columns: 3, rows: 2", "columns: 16, rows: 16")
    text = "leds:\n  ma_limit: 65535\n  per_cell: [3, 3]\n  strips: [{}]\n"
    assert read(text, largest).leds_per_lane == (2304,)
    message = complaint(text, largest.replace("rows: 16", "rows: 17"))
    assert "boards/x.yaml:6: leds.strips[0]: its cells need 2448 LEDs: at most 2304" in message
    four = "".join(f"{{lane: {n}, cells: [a{4 * n + 1}, p{4 * n + 4}]}}, " for n in range(4))
    assert read(text.replace("{}", four), largest).leds_per_lane == (576,) * 4


# --- round trips ------------------------------------------------------------------------------


@allow_slow_examples
@given(led_boards())
def test_leds_are_written_and_read_back_the_same(file: BoardFile) -> None:
    text = write_board(file.board, file.camera, file.leds)
    assert read_board(text, "x.yaml") == file


@pytest.mark.parametrize("name", ["demo-10x8", "full-10x8", "hex-r5", "photon-10x10", "wled-10x8"])
def test_a_shipped_board_is_written_and_read_back_the_same(name: str) -> None:
    file = load_board_file(name)
    text = write_board(file.board, file.camera, file.leds)
    assert read_board(text, f"{name}.yaml") == file
