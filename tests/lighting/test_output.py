"""The output stage: gamma, brightness, and the current limit by the formula of the protocol."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from controller.lighting.output import (
    BadPictureSize,
    OutputStage,
    estimate_current_ma,
    limit_current,
    reorder_channels,
)
from controller.lighting.sentences import WRONG_CANVAS
from controller.ports.devices import COLOR_ORDERS
from tests.support.engine.sentences import raises
from tests.support.paths import FIRMWARE

PROTOCOL = FIRMWARE / "PROTOCOL.md"

Picture = npt.NDArray[np.uint8]
Canvas = npt.NDArray[np.float32]


def canvases(leds: int) -> st.SearchStrategy[Canvas]:
    return st_numpy.arrays(np.float32, (leds, 3), elements=st.floats(0, 1, width=32))


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    leds = draw(st.integers(1, 60))
    elements = st.sampled_from([0, 1, 2, 127, 254, 255]) | st.integers(0, 255)
    return draw(st_numpy.arrays(np.uint8, (leds, 3), elements=elements))


def by_the_protocol(picture: list[int], brightness: int, limit: int, per_led: int) -> list[int]:
    """The formula of PROTOCOL.md, in numbers that never overflow."""
    n = len(picture) // 3
    c = [channel * brightness // 255 for channel in picture]
    total = sum(c)
    if (total * per_led + 764) // 765 + n > limit:
        room = limit - n if limit > n else 0
        scale = min(65536, room * 765 * 65536 // (total * per_led)) if total else 0
        c = [channel * scale // 65536 for channel in c]
    return c


unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
limits, per_led = st.integers(0, 5000) | st.integers(0, 65535), st.integers(1, 255)


@unhurried
@given(pictures(), limits, per_led)
def test_the_limit_is_computed_by_the_formula_of_the_protocol(
    picture: Picture, limit: int, per_led: int
) -> None:
    got = limit_current(picture, limit, per_led)
    assert got.dtype == np.uint8
    assert got.ravel().tolist() == by_the_protocol(picture.ravel().tolist(), 255, limit, per_led)


@pytest.mark.parametrize(
    ("leds", "limit", "channel"),
    # Computed by hand; any off-by-one error would round to another number.
    [(1, 12, 50), (3, 14, 16), (3, 157, 237), (3, 168, 255), (3, 167, 253), (3, 3, 0), (3, 2, 0)],
)
def test_white_is_dimmed_to_the_values_of_the_protocol_page(
    leds: int, limit: int, channel: int
) -> None:
    white = np.full((leds, 3), 255, np.uint8)
    assert set(limit_current(white, limit, 55).ravel().tolist()) == {channel}


@unhurried
@given(pictures(), limits, per_led)
def test_no_picture_takes_more_than_the_limit(picture: Picture, limit: int, per_led: int) -> None:
    assume(limit >= len(picture))  # dark LEDs take 1 mA each
    got = limit_current(picture, limit, per_led)
    assert sum(got.ravel().tolist()) * per_led <= (limit - len(picture)) * 765
    assert estimate_current_ma(got, per_led) <= limit


@unhurried
@given(pictures(), limits, per_led)
def test_limiting_twice_equals_limiting_once(picture: Picture, limit: int, per_led: int) -> None:
    once = limit_current(picture, limit, per_led)
    assert (limit_current(once, limit, per_led) == once).all()


@unhurried
@given(pictures(), limits, limits, per_led)
def test_a_lower_limit_makes_nothing_brighter(
    picture: Picture, one: int, other: int, per_led: int
) -> None:
    low, high = sorted((one, other))
    assert (limit_current(picture, low, per_led) <= limit_current(picture, high, per_led)).all()
    assert (limit_current(picture, high, per_led) <= picture).all()


@unhurried
@given(
    canvases(7),
    st.floats(1, 4),
    st.integers(1, 255),
    st.integers(8, 600),
)
def test_gamma_brightness_and_limit_are_applied_in_this_order(
    canvas: Canvas, gamma: float, brightness: int, limit: int
) -> None:
    got = OutputStage(gamma, brightness, limit, 55, 7)(canvas)
    curved = OutputStage(gamma, 255, 65535, 55, 7)(canvas)
    exact = 255 * canvas.astype(np.float64) ** gamma
    assert np.abs(curved - exact).max() <= 0.5 + 255 * gamma / 4095 / 2 + 1e-3
    assert got.ravel().tolist() == by_the_protocol(curved.ravel().tolist(), brightness, limit, 55)
    assert estimate_current_ma(got, 55) <= limit


@unhurried
@given(canvases(5), st.floats(1, 4), st.integers(1, 255), st.integers(6, 400))
def test_a_brighter_canvas_value_is_never_darker_on_the_board(
    canvas: Canvas, gamma: float, brightness: int, limit: int
) -> None:
    got = OutputStage(gamma, brightness, limit, 55, 5)(canvas).ravel()[canvas.ravel().argsort()]
    assert (np.diff(got.astype(int)) >= 0).all()


def test_black_and_full_brightness_are_unchanged_below_the_limit() -> None:
    finish = OutputStage(2.2, 255, 65535, 55, 2)
    canvas = np.array([(0, 0, 0), (1, 0, 1)], np.float32)
    assert finish(canvas).tolist() == [[0, 0, 0], [255, 0, 255]]


def test_invalid_canvas_values_are_clipped() -> None:
    canvas = np.array([(-1, np.nan, -np.inf), (2, np.inf, 1)], np.float32)
    assert OutputStage(2.2, 255, 65535, 55, 2)(canvas).tolist() == [[0, 0, 0], [255, 255, 255]]


def test_a_limit_below_the_idle_current_leaves_all_leds_dark() -> None:
    assert not OutputStage(2.2, 255, 79, 55, 80)(np.ones((80, 3), np.float32)).any()


def test_white_on_all_leds_uses_most_of_the_limit() -> None:
    for leds, limit in ((80, 3000), (320, 8000), (720, 15000)):
        white = OutputStage(2.2, 255, limit, 55, leds)(np.ones((leds, 3), np.float32))
        assert 0.95 * limit < estimate_current_ma(white, 55) <= limit


def test_a_canvas_of_the_wrong_size_is_refused() -> None:
    with raises(BadPictureSize, WRONG_CANVAS(shape="80 x 3", leds=91)):
        OutputStage(2.2, 255, 3000, 55, 91)(np.zeros((80, 3), np.float32))


def test_the_output_stage_does_not_change_the_canvas() -> None:
    canvas = np.full((4, 3), 0.7, np.float32)
    OutputStage(2.2, 99, 20, 55, 4)(canvas)
    assert (canvas == np.float32(0.7)).all()


def test_colour_orders_are_those_of_the_protocol() -> None:
    text = PROTOCOL.read_text("utf-8")
    listed = re.findall(r"\b([0-5]) ([RGB]{3})\b", text)
    assert {name: int(number) for number, name in listed} == COLOR_ORDERS
    assert sorted(COLOR_ORDERS.values()) == list(range(6))


@pytest.mark.parametrize("order", COLOR_ORDERS)
def test_channels_are_sent_in_the_order_of_the_leds(order: str) -> None:
    picture = np.array([[ord("R"), ord("G"), ord("B")]], np.uint8)
    assert bytes(reorder_channels(picture, order)).decode() == order
