"""Options of a device's URL that are free text."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from controller.camera_address import Simulated, read_address, write_address


@given(st.text(st.characters(codec="utf-8"), min_size=1))
@example("a&b=%31?+ #")
def test_any_word_survives(text: str) -> None:
    address = Simulated(game=text, setup=text)
    assert read_address(write_address(address)) == address
