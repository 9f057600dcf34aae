"""What a screen remembers of what was said."""

from __future__ import annotations

from dataclasses import replace

from controller.session.state import Phase
from controller.ui.terminal.messages import ScreenMessages
from tests.support.play.keyboard_sessions import session


def test_a_refusal_passes_with_the_next_thing_that_happens() -> None:
    sayings, now = ScreenMessages(), session()
    sayings.add("the board is set up")
    sayings.update(now)
    sayings.add("no move made yet")
    sayings.update(now)
    assert sayings.messages == ("the board is set up", "no move made yet")
    sayings.update(
        replace(now, table=replace(now.table, last_frame_ms=99.0))
    )  # a frame is nothing that happens
    assert sayings.messages == ("the board is set up", "no move made yet")
    sayings.add("blue j4 to j3")
    sayings.update(replace(now, phase=Phase.FIRING))
    assert sayings.messages == ("the board is set up", "blue j4 to j3")


def test_of_two_refusals_the_newer_is_shown() -> None:
    sayings, now = ScreenMessages(), session()
    sayings.update(now)
    for sentence in ("j9 is empty", "no move made yet"):
        sayings.add(sentence)
        sayings.update(now)
    assert sayings.messages == ("no move made yet",)


def test_what_happened_is_remembered_for_a_while() -> None:
    sayings = ScreenMessages()
    for turns in range(20):
        sayings.add(f"turn {turns}")
        sayings.update(session(turns=turns % 2))
    assert sayings.messages == tuple(f"turn {turns}" for turns in range(8, 20))
