"""Free text in options of a device URL."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from controller.config.addresses.camera import (
    SimulatedCameraAddress,
    format_camera_url,
    parse_camera_url,
)


@given(st.text(st.characters(codec="utf-8"), min_size=1))
@example("a&b=%31?+ #")
def test_any_text_round_trips(text: str) -> None:
    address = SimulatedCameraAddress(game=text, setup=text)
    assert parse_camera_url(format_camera_url(address)) == address
