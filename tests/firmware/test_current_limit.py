"""Brightness and current limit of the firmware against the formula of PROTOCOL.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.lighting.output import limit_current
from tests.support.firmware.current_limit import limited_pixels
from tests.support.firmware.native_board import ACK, CONFIG, FRAME, HELLO, Board, config

MAX_LEDS = 2304


@pytest.fixture(scope="module")
def board(firmware: Path) -> Iterator[Board]:
    with Board(firmware) as running:
        running.ask(HELLO, 0, b"\x01\x00")
        running.picture()  # the dark picture of the start
        yield running


channels = st.one_of(st.just(255), st.sampled_from([0, 1, 254]), st.integers(0, 255))
patterns = st.lists(channels, min_size=3, max_size=60).map(bytes)
counts = st.one_of(st.integers(1, 30), st.sampled_from([80, 320, 720, MAX_LEDS]))


@settings(deadline=None, max_examples=300)
@given(
    pattern=patterns,
    leds=counts,
    brightness=st.one_of(st.just(255), st.integers(0, 255)),
    share=st.one_of(st.floats(0, 1.2), st.sampled_from([0.0, 1.0])),
    nudge=st.integers(-2, 2),
    ma_per_led=st.one_of(st.just(55), st.integers(1, 255)),
)
def test_no_picture_takes_more_than_the_limit(
    board: Board,
    pattern: bytes,
    leds: int,
    brightness: int,
    share: float,
    nudge: int,
    ma_per_led: int,
) -> None:
    """Draws limits near the current of the picture, where rounding matters."""
    rgb = (pattern * (3 * leds // len(pattern) + 1))[: 3 * leds]
    takes_ma = sum(c * brightness // 255 for c in rgb) * ma_per_led // 765 + leds
    limit_ma = min(max(round(takes_ma * share) + nudge, 0), 65535)
    settings_of_board = config(
        leds, brightness=brightness, limit_ma=limit_ma, ma_per_led=ma_per_led
    )
    # Dark, so that each message gives exactly one picture of the new number of LEDs.
    assert board.ask(7, 1).kind == ACK
    assert board.ask(CONFIG, 2, settings_of_board).kind == ACK
    board.picture()
    assert board.picture() == bytes(3 * leds)
    assert board.ask(FRAME, 3, rgb).kind == ACK
    shown = board.picture()

    assert shown == limited_pixels(rgb, brightness, limit_ma, ma_per_led)
    dimmed = np.array([c * brightness // 255 for c in rgb], np.uint8).reshape(-1, 3)
    assert limit_current(dimmed, limit_ma, ma_per_led).tobytes() == shown, "the host does the same"
    if limit_ma >= leds:
        assert (sum(shown) * ma_per_led + 764) // 765 + leds <= limit_ma
    else:
        assert not any(shown)


def test_pictures_below_the_limit_are_left_alone(board: Board) -> None:
    rgb = bytes(range(240))
    assert board.ask(7, 1).kind == ACK
    assert board.ask(CONFIG, 2, config(80, limit_ma=65535)).kind == ACK
    assert board.ask(FRAME, 3, rgb).kind == ACK
    board.picture()
    board.picture()
    assert board.picture() == rgb
