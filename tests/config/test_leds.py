"""The section `leds` is read and written back, and every error names its line."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given

from controller.config import sentences
from controller.config.board_file import BoardFile, load_board_file, read_board, write_board
from controller.config.led_strips import LedStrip
from controller.config.leds import LedSettings
from controller.config.yaml_tree import BadConfig
from controller.lighting import output
from controller.lighting.layout import led_layout
from controller.lighting.output import OutputStage
from engine import catalogue
from engine.sentences import Sentence
from tests.support.config.sentences import (
    at_key,
    got,
    got_list,
    known,
    missing,
    near,
    number,
    one_of,
    unknown_key,
    whole,
)
from tests.support.lighting.random_led_boards import allow_slow_examples, led_boards

at = partial(at_key, "boards/x.yaml")

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


def refusal(leds: str, head: str = HEAD) -> Sentence:
    with pytest.raises(BadConfig) as caught:
        read(leds, head)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    return caught.value.sentence


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
    ("old", "new", "expected"),
    [
        ("ma_limit", "ma_limits", at(5, "leds.ma_limits", unknown_key(near("ma_limit")))),
        ("  ma_limit: 1000\n", "", at(4, "leds", missing("ma_limit"))),
        ("  strips:\n    - {lane: 0}\n", "", at(4, "leds", missing("strips"))),
        ("\n    - {lane: 0}", " []", at(6, "leds.strips", got_list(0, sentences.LIST_OF_STRIPS()))),
        (
            "\n    - {lane: 0}",
            " zigzag",
            at(6, "leds.strips", got("'zigzag'", sentences.LIST_OF_STRIPS())),
        ),
        ("[1, 1]", "[1]", at(4, "leds.per_cell", got_list(1, sentences.LEDS_PER_CELL()))),
        ("[1, 1]", "[0, 1]", at(4, "leds.per_cell[0]", got("'0'", whole(1, 9)))),
        (
            "[1, 1]",
            "[4, 3]",
            at(
                4,
                "leds.per_cell",
                sentences.TOO_MANY_LEDS_IN_CELL(columns=4, rows=3, count=12, most=9),
            ),
        ),
        ("1000", "6", at(5, "leds.ma_limit", sentences.POWER_TOO_LOW(leds=6))),
        ("1000", "65536", at(5, "leds.ma_limit", got("'65536'", whole(1, 65535)))),
    ],
)
def test_an_error_names_its_line(old: str, new: str, expected: Sentence) -> None:
    assert refusal(GOOD.replace(old, new)) == expected


@pytest.mark.parametrize(
    ("strip", "expected"),
    [
        ("3", at(7, "leds.strips[0]", got("'3'", sentences.SECTION_LINES()))),
        ("{lane: 4}", at(7, "leds.strips[0].lane", got("'4'", whole(0, 3)))),
        ("{lane: 1}", at(7, "leds.strips[0]", sentences.LANE_SKIPPED(lane=1, before=0))),
        ("{serpentin: yes}", at(7, "leds.strips[0].serpentin", unknown_key(near("serpentine")))),
        (
            "{serpentine: 1}",
            at(7, "leds.strips[0].serpentine", got("'1'", sentences.TRUE_OR_FALSE())),
        ),
        ("{reversed: 1}", at(7, "leds.strips[0].reversed", got("'1'", sentences.TRUE_OR_FALSE()))),
        ("{axis: row}", at(7, "leds.strips[0].axis", got("'row'", one_of("rows", "columns")))),
        (
            "{origin_corner: a8}",
            at(
                7,
                "leds.strips[0].origin_corner",
                got("'a8'", one_of("upper_left", "upper_right", "lower_left", "lower_right")),
            ),
        ),
        ("{start: -1}", at(7, "leds.strips[0].start", got("'-1'", whole(0, 2303)))),
        ("{start: 2304}", at(7, "leds.strips[0].start", got("'2304'", whole(0, 2303)))),
        ("{count: 7}", at(7, "leds.strips[0].count", sentences.WRONG_LED_COUNT(count=7, needed=6))),
        ("{count: 5}", at(7, "leds.strips[0].count", sentences.WRONG_LED_COUNT(count=5, needed=6))),
        (
            "{count: 6, skip: [2]}",
            at(7, "leds.strips[0].count", sentences.WRONG_LED_COUNT(count=6, needed=7)),
        ),
        (
            "{count: 6, gaps: {turn: 1}}",
            at(7, "leds.strips[0].count", sentences.WRONG_LED_COUNT(count=6, needed=7)),
        ),
        ("{skip: [1, 1]}", at(7, "leds.strips[0].skip[1]", sentences.NUMBER_TWICE(number=1))),
        ("{skip: 1}", at(7, "leds.strips[0].skip", got("'1'", sentences.SKIPPED_LEDS()))),
        (
            "{skip: [0, 9]}",
            at(7, "leds.strips[0].skip", sentences.SKIP_BEYOND_STRIP(led=9, count=7, last=6)),
        ),
        ("{gaps: 1}", at(7, "leds.strips[0].gaps", got("'1'", sentences.SECTION_LINES()))),
        ("{gaps: {row: 1}}", at(7, "leds.strips[0].gaps.row", unknown_key(known("cell", "turn")))),
        ("{gaps: {turn: 31}}", at(7, "leds.strips[0].gaps.turn", got("'31'", whole(0, 30)))),
        ("{cells: [a2]}", at(7, "leds.strips[0].cells", got_list(1, sentences.TWO_CELLS()))),
        ("{cells: a2}", at(7, "leds.strips[0].cells", got("'a2'", sentences.CELL_RECTANGLE()))),
        (
            "{cells: [a2, d2]}",
            at(7, "leds.strips[0].cells[1]", catalogue.NOT_A_SQUARE(name="'d2'", last="c2")),
        ),
        ("{cells: [1, c1]}", at(7, "leds.strips[0].cells[0]", got("'1'", sentences.CELL_NAME()))),
        ("{cells: []}", at(7, "leds.strips[0]", missing("count"))),
        (
            "{cells: [], count: 6, skip: [1]}",
            at(7, "leds.strips[0].skip", sentences.STRIP_UNDER_NO_CELL()),
        ),
    ],
)
def test_an_error_in_a_strip_names_its_line(strip: str, expected: Sentence) -> None:
    assert refusal(GOOD.replace("{lane: 0}", strip)) == expected


@pytest.mark.parametrize(
    ("strip", "expected"),
    [
        ("{start: 2300}", at(7, "leds.strips", sentences.TOO_MANY_LEDS(count=2306, most=2304))),
        (
            "{cells: [a2, b2]}",
            at(
                7,
                "leds.strips",
                sentences.DARK_CELLS_AND_MORE(
                    cells=(
                        "c2",
                        "a1",
                        "b1",
                    ),
                    count=1,
                ),
            ),
        ),
        (
            "{cells: [], count: 6}",
            at(
                7,
                "leds.strips",
                sentences.DARK_CELLS_AND_MORE(
                    cells=(
                        "a2",
                        "b2",
                        "c2",
                    ),
                    count=3,
                ),
            ),
        ),
    ],
)
def test_a_strip_that_does_not_fit_the_board_is_named(strip: str, expected: Sentence) -> None:
    assert refusal(GOOD.replace("{lane: 0}", strip)) == expected


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ("{d1: [0]}", at(8, "leds.overrides.d1", catalogue.NOT_A_SQUARE(name="'d1'", last="c2"))),
        (
            "{a1: 0}",
            at(8, "leds.overrides.a1", got("'0'", sentences.LEDS_UNDER_CELL(count=1, cell="a1"))),
        ),
        (
            "{a1: [5, 6]}",
            at(8, "leds.overrides.a1", got_list(2, sentences.LEDS_UNDER_CELL(count=1, cell="a1"))),
        ),
        ("{a1: [6]}", at(8, "leds.overrides.a1[0]", got("'6'", whole(0, 5)))),
        (
            "{a1: [5], b1: [3]}",
            at(8, "leds.overrides.b1[0]", sentences.LED_UNDER_BOTH(led=3, other="c1", cell="b1")),
        ),
        (
            "{a1: [5], b1: [5]}",
            at(8, "leds.overrides.b1[0]", sentences.LED_UNDER_BOTH(led=5, other="a1", cell="b1")),
        ),
        ("{a1: [5], a1: [5]}", at(8, "leds.overrides.a1", sentences.KEY_TWICE(line=8))),
        ("[5]", at(8, "leds.overrides", got(sentences.A_LIST(), sentences.SECTION_LINES()))),
    ],
)
def test_an_error_in_an_override_names_its_line(overrides: str, expected: Sentence) -> None:
    assert refusal(f"{GOOD}  overrides: {overrides}\n") == expected


def test_an_led_that_an_override_lists_twice_is_named() -> None:
    text = GOOD.replace("[1, 1]", "[2, 1]") + "  overrides:\n    b1: [8, 9]\n    a1: [10, 10]\n"
    assert refusal(text) == at(10, "leds.overrides.a1[1]", sentences.LED_TWICE(led=10))


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        (
            "color_order",
            "GBRW",
            at(
                8,
                "leds.color_order",
                got("'GBRW'", one_of("RGB", "GRB", "BRG", "RBG", "GBR", "BGR")),
            ),
        ),
        ("gamma", "0.5", at(8, "leds.gamma", got("'0.5'", number(1, 4)))),
        ("brightness", "0", at(8, "leds.brightness", got("'0'", whole(1, 255)))),
        ("brightness", "50 %", at(8, "leds.brightness", got("'50 %'", whole(1, 255)))),
        ("ma_per_led", "256", at(8, "leds.ma_per_led", got("'256'", whole(1, 255)))),
        ("watchdog_ms", "49", at(8, "leds.watchdog_ms", got("'49'", whole(50, 65535)))),
        (
            "url",
            "/dev/ttyACM0",
            at(
                8,
                "leds.url",
                sentences.BAD_URL(
                    device="LEDs",
                    url="'/dev/ttyACM0'",
                    complaint=sentences.WRITE_URL(examples=sentences.LED_URLS()),
                ),
            ),
        ),
        (
            "url",
            "srial://auto",
            at(
                8,
                "leds.url",
                sentences.BAD_URL(
                    device="LEDs",
                    url="'srial://auto'",
                    complaint=sentences.UNKNOWN_KIND(hint=near("serial")),
                ),
            ),
        ),
        ("url", "7", at(8, "leds.url", got("'7'", sentences.LED_PLACE()))),
        ("effects", "wild", at(8, "leds.effects", got("'wild'", one_of("normal", "calm")))),
    ],
)
def test_a_wrong_setting_names_its_line(key: str, value: str, expected: Sentence) -> None:
    assert refusal(f"{GOOD}  {key}: {value}\n") == expected


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (
            "{cells: [a1, c1], start: 2}",
            at(
                7,
                "leds.strips[1]",
                sentences.LEDS_OF_OTHER_STRIP(first=2, last=2, lane=0, strip=0, free=3),
            ),
        ),
        (
            "{cells: [a1, c1], start: 0}",
            at(
                7,
                "leds.strips[1]",
                sentences.LEDS_OF_OTHER_STRIP(first=0, last=2, lane=0, strip=0, free=3),
            ),
        ),
        (
            "{cells: [a1, c2]}",
            at(7, "leds.strips[1]", sentences.CELL_HAS_LEDS(cell="a2", strip=0)),
        ),
        (
            "{cells: [a1, c1], lane: 2}",
            at(7, "leds.strips[1]", sentences.LANE_SKIPPED(lane=2, before=1)),
        ),
        ("{cells: [a1, b1]}", at(6, "leds.strips", sentences.DARK_CELLS(cells=("c1",)))),
    ],
)
def test_overlapping_strips_are_named(second: str, expected: Sentence) -> None:
    assert refusal(TWO.replace("{cells: [a1, c1]}", second)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[1, 1]", "[3, 3]", at(4, "leds.per_cell", sentences.HEXAGON_HAS_ONE_LED())),
        (
            "lane: 0",
            "axis: columns",
            at(7, "leds.strips[0].axis", sentences.HEXAGONS_HAVE_NO_COLUMNS()),
        ),
        (
            "lane: 0",
            "cells: [b3, z9]",
            at(7, "leds.strips[0].cells[1]", catalogue.NOT_A_TILE(name="'z9'")),
        ),
    ],
)
def test_settings_that_hexagons_cannot_have_are_refused(
    old: str, new: str, expected: Sentence
) -> None:
    assert refusal(GOOD.replace(old, new), HEX) == expected


def test_the_largest_board_has_16_by_16_cells_of_9_leds() -> None:
    largest = HEAD.replace("columns: 3, rows: 2", "columns: 16, rows: 16")
    text = "leds:\n  ma_limit: 65535\n  per_cell: [3, 3]\n  strips: [{}]\n"
    assert read(text, largest).leds_per_lane == (2304,)
    too_long = at(6, "leds.strips[0]", sentences.STRIP_TOO_LONG(count=2448, most=2304))
    assert refusal(text, largest.replace("rows: 16", "rows: 17")) == too_long
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
