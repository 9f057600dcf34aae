"""The messages on the player's screen."""

from __future__ import annotations

from dataclasses import replace

from controller.session.state import Phase
from controller.ui.terminal.messages import ScreenMessages
from tests.support.play.keyboard_sessions import session


def test_a_refusal_disappears_at_the_next_event() -> None:
    sayings, now = ScreenMessages(), session()
    sayings.add("the board is set up")
    sayings.update(now)
    sayings.add("no move made yet")
    sayings.update(now)
    assert sayings.messages == ("the board is set up", "no move made yet")
    sayings.update(
        replace(now, table=replace(now.table, last_frame_ms=99.0))
    )  # a frame is not an event
    assert sayings.messages == ("the board is set up", "no move made yet")
    sayings.add("blue j4 to j3")
    sayings.update(replace(now, phase=Phase.FIRING))
    assert sayings.messages == ("the board is set up", "blue j4 to j3")


def test_a_new_refusal_replaces_the_old_one() -> None:
    sayings, now = ScreenMessages(), session()
    sayings.update(now)
    for sentence in ("j9 is empty", "no move made yet"):
        sayings.add(sentence)
        sayings.update(now)
    assert sayings.messages == ("no move made yet",)


def test_messages_about_events_stay_for_a_while() -> None:
    sayings = ScreenMessages()
    for turns in range(20):
        sayings.add(f"turn {turns}")
        sayings.update(session(turns=turns % 2))
    assert sayings.messages == tuple(f"turn {turns}" for turns in range(8, 20))
