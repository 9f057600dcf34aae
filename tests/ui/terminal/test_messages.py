"""The messages on the player's screen."""

from __future__ import annotations

from dataclasses import replace

from controller.session.state import Phase
from controller.ui.terminal.messages import ScreenMessages
from tests.support.play.keyboard_sessions import session


def test_a_refusal_disappears_at_the_next_event() -> None:
    messages, now = ScreenMessages(), session()
    messages.add("the board is set up")
    messages.update(now)
    messages.add("no move made yet")
    messages.update(now)
    assert messages.messages == ("the board is set up", "no move made yet")
    # A frame is not an event.
    messages.update(replace(now, table=replace(now.table, last_frame_ms=99.0)))
    assert messages.messages == ("the board is set up", "no move made yet")
    messages.add("blue j4 to j3")
    messages.update(replace(now, phase=Phase.FIRING))
    assert messages.messages == ("the board is set up", "blue j4 to j3")


def test_a_new_refusal_replaces_the_old_one() -> None:
    messages, now = ScreenMessages(), session()
    messages.update(now)
    for sentence in ("j9 is empty", "no move made yet"):
        messages.add(sentence)
        messages.update(now)
    assert messages.messages == ("no move made yet",)


def test_messages_about_events_stay_for_a_while() -> None:
    messages = ScreenMessages()
    for turns in range(20):
        messages.add(f"turn {turns}")
        messages.update(session(turns=turns % 2))
    assert messages.messages == tuple(f"turn {turns}" for turns in range(8, 20))
