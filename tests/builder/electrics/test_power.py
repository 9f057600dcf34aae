"""Power: no wire, fuse or supply is overloaded by any board file or picture."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.led_runs import lane_ranges, led_runs
from controller.builder.electrics.power import (
    MAX_SECTION_LEDS,
    MAX_SECTION_MA,
    PowerBudget,
    plan_power,
)
from controller.builder.electrics.typical_load import TypicalPicture, typical_ma
from controller.builder.electrics.wire_sizes import (
    FUSES_A,
    MAX_LOAD_SHARE,
    VOLTS,
    WIRES,
    CurrentTooHigh,
    Wire,
    choose_fuse_a,
    choose_supplies,
)
from controller.builder.electrics.wire_sizes import choose_wire as chosen_wire
from controller.config.board_file import (
    SHIPPED_BOARDS_FOLDER,
    BoardFile,
    load_board_file,
    shipped_boards,
)
from controller.config.leds import LedSettings
from controller.lighting import output
from controller.lighting.layout import LedLayout, led_layout
from controller.lighting.output import estimate_current_ma
from tests.support.lighting.random_led_boards import led_boards
from tests.support.paths import HARDWARE

few = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
LIT = [name for name in shipped_boards() if load_board_file(name).leds is not None]


def lit(file: BoardFile) -> tuple[LedSettings, LedLayout, PowerBudget]:
    made = led_layout(file)
    assert file.leds is not None
    assert made is not None
    return file.leds, made, plan_power(file.leds, made)


# --- for all boards ---------------------------------------------------------------------------


@few
@given(led_boards())
def test_every_led_has_exactly_one_feed_of_limited_size(file: BoardFile) -> None:
    leds, layout, power = lit(file)
    fed = [led for feed in power.feeds for led in range(feed.first, feed.last + 1)]
    assert fed == list(range(layout.led_count))
    assert [feed.number for feed in power.feeds] == list(range(1, len(power.feeds) + 1))
    for feed in power.feeds:
        assert feed.first <= feed.at <= feed.last
        assert {feed.first, feed.last} <= set(lane_ranges(layout)[feed.lane])
        assert feed.last - feed.first < MAX_SECTION_LEDS
        assert feed.ma <= max(MAX_SECTION_MA, leds.ma_per_led + 1)


@few
@given(led_boards())
def test_fuses_carry_their_load_and_wires_their_fuses(file: BoardFile) -> None:
    _, _, power = lit(file)
    for feed in power.feeds:
        assert feed.ma / 1000 <= MAX_LOAD_SHARE * feed.fuse_a + 1e-9
        smaller = [fuse for fuse in FUSES_A if fuse < feed.fuse_a]
        assert not smaller or feed.ma / 1000 > MAX_LOAD_SHARE * smaller[-1]
        assert feed.wire.carries_a >= feed.fuse_a
        assert power.join_wire.carries_a >= feed.fuse_a
    assert power.main_wire.carries_a >= power.supply_a
    assert power.drop_v <= 0.05 * VOLTS + 1e-9


@few
@given(led_boards())
def test_the_supply_gives_the_limit_at_80_percent_load(file: BoardFile) -> None:
    leds, _, power = lit(file)
    assert power.peak_ma == min(leds.ma_limit, power.worst_ma)
    assert power.peak_ma / 1000 <= MAX_LOAD_SHARE * power.supplies * power.supply_a + 1e-9
    assert power.dark_ma == power.leds < leds.ma_limit


@few
@given(led_boards(), st.integers(0, 2**32 - 1), st.sampled_from(["noise", "white", "one section"]))
def test_no_picture_exceeds_the_current_of_feed_or_supply(
    file: BoardFile, seed: int, kind: str
) -> None:
    """Pictures pass gamma, brightness and the current limit, as in play."""
    leds, layout, power = lit(file)
    dice = np.random.default_rng(seed)
    canvas = np.ones((layout.led_count, 3), np.float32)
    if kind == "noise":
        canvas = dice.random((layout.led_count, 3), np.float32)
    elif kind == "one section":
        chosen = power.feeds[int(dice.integers(len(power.feeds)))]
        canvas[: chosen.first] = canvas[chosen.last + 1 :] = 0
    sent = output.for_settings(leds)(canvas)
    assert estimate_current_ma(sent, leds.ma_per_led) <= power.peak_ma
    for feed in power.feeds:
        section = sent[feed.first : feed.last + 1]
        assert estimate_current_ma(section, leds.ma_per_led) <= feed.ma


@few
@given(led_boards(plain=True))
def test_lines_are_straight_and_contain_every_led_once(file: BoardFile) -> None:
    _, layout, _ = lit(file)
    every = led_runs(layout)
    assert [led for line in every for led in line.leds] == list(range(layout.led_count))
    for line in every:
        x, y = layout.led_positions_mm()[list(line.leds)].T
        assert np.ptp(y if line.axis == "rows" else x) == pytest.approx(0, abs=1e-6)


@few
@given(led_boards(plain=True))
def test_sections_end_with_lines_unless_a_line_is_too_long(file: BoardFile) -> None:
    _, layout, power = lit(file)
    starts = {line.first for line in led_runs(layout)}
    longest = max(len(line.leds) for line in led_runs(layout))
    if longest <= min(feed.last - feed.first + 1 for feed in power.feeds):
        assert {feed.first for feed in power.feeds} <= starts


# --- shipped boards ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", LIT)
def test_the_supply_in_the_board_file_is_the_computed_one(name: str) -> None:
    _, _, power = lit(load_board_file(name))
    reported = re.findall(
        r"5 V, (\d+) A", (SHIPPED_BOARDS_FOLDER / f"{name}.yaml").read_text("utf-8")
    )
    assert reported
    assert set(reported) == {str(power.supply_a)}
    assert power.supplies == 1


def test_the_full_board_has_eight_feeds_of_whole_rows_on_one_side() -> None:
    _, layout, power = lit(load_board_file("full-10x8"))
    assert [(feed.first, feed.last) for feed in power.feeds[:2]] == [(0, 89), (90, 179)]
    assert len(power.feeds) == 8
    assert {(feed.fuse_a, feed.wire.mm2, feed.ma) for feed in power.feeds} == {(7.5, 1.0, 5040)}
    assert len({float(layout.led_positions_mm()[feed.at][0]) for feed in power.feeds}) == 1


@pytest.mark.parametrize("name", LIT)
def test_games_take_less_than_three_quarters_of_the_limit(name: str) -> None:
    file = load_board_file(name)
    leds, layout, power = lit(file)
    measured = typical_ma(file, leds, layout)
    assert set(measured) == {"no game", "a beam", "the winner"}
    for taken in measured.values():
        assert power.dark_ma < taken < 0.75 * power.limit_ma


def test_the_power_guide_has_the_computed_numbers() -> None:
    guide = (HARDWARE / "power.md").read_text("utf-8")
    text = " ".join(guide.split())
    rows = re.findall(r"^\| (\d+) mA.*\| 5 V, (\d+) A \|$", guide, re.M)
    assert len(rows) == 4
    for limit, supply in rows:
        assert choose_supplies(int(limit) / 1000) == (1, int(supply))
    demo, full = (load_board_file(name) for name in ("demo-10x8", "full-10x8"))
    assert "could take 4.5 A, 720 of them 40 A" in text
    assert [round(lit(file)[2].worst_ma / 1000, 1) for file in (demo, full)] == [4.5, 40.3]
    assert "on the board of 80 takes 0.4 A, on the board of 720 under 2 A" in text
    beams = [typical_ma(file, *lit(file)[:2])[TypicalPicture.BEAM] for file in (demo, full)]
    assert round(beams[0] / 1000, 1) == 0.4
    assert beams[1] < 2000


# --- wires and fuses --------------------------------------------------------------------------


def test_thicker_wire_carries_more_and_awg_is_at_least_as_thick() -> None:
    for thin, thick in pairwise(WIRES):
        assert (thin.mm2, thin.carries_a) < (thick.mm2, thick.carries_a)
        assert thin.awg > thick.awg
    for each in WIRES:
        millimetres = 0.127 * 92 ** ((36 - each.awg) / 39)  # definition of AWG
        assert np.pi / 4 * millimetres**2 >= each.mm2


def test_the_voltage_drop_counts_both_conductors() -> None:
    assert Wire(1.0, 16, 10).drop_v(5, 1000) == pytest.approx(2 * 5 * 0.0178)


@pytest.mark.parametrize(
    ("amps", "fuse"), [(0.1, 1), (0.8, 1), (0.81, 2), (3, 4), (5.04, 7.5), (6, 7.5), (6.01, 10)]
)
def test_a_fuse_is_loaded_to_80_percent_at_most(amps: float, fuse: float) -> None:
    assert choose_fuse_a(amps) == fuse


@pytest.mark.parametrize(
    ("amps", "count", "each"), [(3, 1, 4), (8, 1, 10), (48, 1, 60), (49, 2, 40), (65.5, 2, 60)]
)
def test_a_current_above_the_largest_supply_takes_two(amps: float, count: int, each: int) -> None:
    assert choose_supplies(amps) == (count, each)


def test_a_current_too_high_for_wires_and_fuses_is_refused() -> None:
    with pytest.raises(CurrentTooHigh) as refused:
        chosen_wire(7.5, 6, 20_000, 0.03)
    assert refused.value.sentence == sentences.NO_WIRE_CARRIES(amps=6, metres=20.0)
    with pytest.raises(CurrentTooHigh) as refused:
        choose_fuse_a(40)
    assert refused.value.sentence == sentences.NO_FUSE_CARRIES(amps=50.0, largest_a=30.0)
