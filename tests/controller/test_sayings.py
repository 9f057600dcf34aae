"""What a screen remembers of what was said."""

from __future__ import annotations

from dataclasses import replace

from controller.session_values import Phase
from controller.terminal.sayings import Sayings
from tests.controller.sat_down import session


def test_a_refusal_passes_with_the_next_thing_that_happens() -> None:
    sayings, now = Sayings(), session()
    sayings.hear("the board is set up")
    sayings.at(now)
    sayings.hear("no move made yet")
    sayings.at(now)
    assert sayings.said == ("the board is set up", "no move made yet")
    sayings.at(replace(now, seen_ms=99.0))  # a frame is nothing that happens
    assert sayings.said == ("the board is set up", "no move made yet")
    sayings.hear("blue j4 to j3")
    sayings.at(replace(now, phase=Phase.FIRING))
    assert sayings.said == ("the board is set up", "blue j4 to j3")


def test_of_two_refusals_the_newer_is_shown() -> None:
    sayings, now = Sayings(), session()
    sayings.at(now)
    for sentence in ("j9 is empty", "no move made yet"):
        sayings.hear(sentence)
        sayings.at(now)
    assert sayings.said == ("no move made yet",)


def test_what_happened_is_remembered_for_a_while() -> None:
    sayings = Sayings()
    for turns in range(20):
        sayings.hear(f"turn {turns}")
        sayings.at(session(turns=turns % 2))
    assert sayings.said == tuple(f"turn {turns}" for turns in range(8, 20))
