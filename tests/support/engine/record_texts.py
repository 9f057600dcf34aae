"""A record with every tag, and damaged texts of records."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.record import Record, RecordedTurn

SIZE = 25_000
WON = Record(
    "laser-chess",
    (RecordedTurn(("h6g5",), 591_000, "hm"), RecordedTurn(("e6+xe8",), 600_250)),
    "1-0",
    "sophie",
    options=(("no_capture_turns", 50), ("repetition", "automatic")),
    tags=(
        ("Event", 'The "Cup"'),
        ("Site", "C:\\hall"),
        ("Blue", "Ann"),
        ("Red", "Bo"),
        ("TimeControl", "600"),
        ("Termination", "king captured"),
        ("Opening", "short"),
    ),
    comment="before",
)
WON_TEXT = r"""[Event "The \"Cup\""]
[Site "C:\\hall"]
[Blue "Ann"]
[Red "Bo"]
[Result "1-0"]
[Setup "sophie"]
[TimeControl "600"]
[Termination "king captured"]
[Repetition "automatic"]
[NoCaptureTurns "50"]
[Opening "short"]

{before} 1. h6g5 {[%clk 0:09:51] hm} 1... e6+xe8 {[%clk 0:10:00.250]} 1-0
"""


@st.composite
def mutated(draw: DrawFn, text: str) -> str:
    """The text with a few characters removed, doubled or replaced by syntax characters."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.sampled_from((0, 0, 1, 1, 2, 10, len(text))))
        new = draw(
            st.sampled_from(("", "", "{", "}", "[", "]", '"', "\\", ";", "\n", "\n%", "\n[", " "))
            | st.sampled_from(("1-0", "*", "1.", "x", "\ud800", "\x00", "[%clk", "\n\n", text[:at]))
        )
        text = text[:at] + new + text[at + cut :]
    return text
