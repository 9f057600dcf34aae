"""Debouncing: number, time and order of presses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.debounce import (
    DEBOUNCE_WINDOW_MS,
    MIN_CLOSED_MS,
    ContactEdge,
    Debouncer,
    possible_presses,
)
from controller.ports.buttons import LONG_PRESS_MS
from controller.ports.events import Pressed

MAX_BOUNCE_MS = DEBOUNCE_WINDOW_MS - MIN_CLOSED_MS


def edges_of(button: str, *moments_ms: float) -> list[ContactEdge]:
    """The edges of a contact that is open at first and changes at these times."""
    return [ContactEdge(button, number % 2 == 0, at_ms) for number, at_ms in enumerate(moments_ms)]


def run(
    edges: Iterable[ContactEdge], end_ms: float = 1e6, closed: Iterable[str] = ()
) -> list[Pressed]:
    presses = Debouncer(closed)
    for edge in sorted(edges, key=lambda each: each.at_ms):
        presses.add_edge(edge)
    return presses.take_presses(end_ms)


@dataclass(frozen=True)
class Recording:
    """The edges of a bouncing switch, and the times of the real presses."""

    edges: tuple[ContactEdge, ...]
    real_ms: tuple[float, ...]


def times(shortest_ms: float, longest_ms: float) -> st.SearchStrategy[float]:
    """Multiples of 0.25 ms: their sums are exact."""
    return st.integers(int(4 * shortest_ms), int(4 * longest_ms)).map(lambda each: each / 4)


@st.composite
def recordings(
    draw: st.DrawFn, button: str = "fire 0", shortest_ms: float = 30, gap_ms: float = 30
) -> Recording:
    """Presses that bounce on closing and opening, as long as a worn switch does."""

    def bounces(longest_ms: float) -> list[float]:
        """An even number of edges: the contact ends in the state of the finger."""
        found = sorted(draw(st.sets(times(0.25, longest_ms - 0.25), max_size=12)))
        return found[: len(found) // 2 * 2]

    now_ms, moments, real = draw(times(0, 100)), [], []
    for _ in range(draw(st.integers(0, 6))):
        held_ms = draw(times(shortest_ms, 400))
        real.append(now_ms)
        down = bounces(min(MAX_BOUNCE_MS, held_ms - MIN_CLOSED_MS))
        up = bounces(DEBOUNCE_WINDOW_MS)
        moments += [now_ms, *(now_ms + each for each in down)]
        now_ms += held_ms
        moments += [now_ms, *(now_ms + each for each in up)]
        now_ms += draw(times(gap_ms, 400))
    return Recording(tuple(edges_of(button, *moments)), tuple(real))


@given(recordings())
def test_every_bouncing_press_counts_once_at_its_first_contact(
    recording: Recording,
) -> None:
    reported = run(recording.edges)
    assert [each.at_ms for each in reported] == list(recording.real_ms)


@given(recordings(shortest_ms=2 * MIN_CLOSED_MS, gap_ms=2 * DEBOUNCE_WINDOW_MS))
def test_short_taps_count_once_if_they_are_far_enough_apart(recording: Recording) -> None:
    assert len(run(recording.edges)) == len(recording.real_ms)


@given(recordings("fire 0"), recordings("fire 1"), st.lists(times(0, 3000), max_size=40))
def test_the_presses_do_not_depend_on_the_polling_times(
    first: Recording, second: Recording, asked_ms: list[float]
) -> None:
    edges = sorted((*first.edges, *second.edges), key=lambda each: each.at_ms)
    presses = Debouncer()
    reported: list[Pressed] = []
    asked: list[tuple[float, ContactEdge | None]] = [(at_ms, None) for at_ms in asked_ms]
    for at_ms, edge in sorted([(e.at_ms, e) for e in edges] + asked, key=lambda each: each[0]):
        if edge is not None:
            presses.add_edge(edge)
        else:
            reported += presses.take_presses(at_ms)
    reported += presses.take_presses(1e6)
    assert reported == run(edges)
    assert [each.at_ms for each in reported] == sorted(first.real_ms + second.real_ms)


@given(st.lists(times(0, 10_000), max_size=60), st.sets(st.sampled_from(["fire 0", "pause"])))
def test_any_recording_gives_one_press_per_window(
    moments_ms: list[float], closed: set[str]
) -> None:
    reported = run(edges_of("fire 0", *sorted(moments_ms)), closed=closed)
    for earlier, later in pairwise(reported):
        assert later.at_ms - earlier.at_ms >= DEBOUNCE_WINDOW_MS


def test_a_press_is_reported_before_the_button_is_released() -> None:
    presses = Debouncer()
    presses.add_edge(ContactEdge("fire 0", True, 100))
    assert presses.take_presses(100 + DEBOUNCE_WINDOW_MS - 0.001) == []
    assert presses.take_presses(100 + DEBOUNCE_WINDOW_MS) == [Pressed("fire 0", 100)]
    presses.add_edge(ContactEdge("fire 0", False, 400))
    assert presses.take_presses(10_000) == []


@pytest.mark.parametrize(("closed_ms", "count"), [(MIN_CLOSED_MS - 0.01, 0), (MIN_CLOSED_MS, 1)])
def test_a_contact_shorter_than_the_minimum_is_no_press(closed_ms: float, count: int) -> None:
    assert len(run(edges_of("fire 0", 64, 64 + closed_ms))) == count


def test_a_spike_before_a_press_does_not_suppress_it() -> None:
    assert len(run(edges_of("fire 0", 0, 1, 28, 128))) == 1


def test_a_brief_loss_of_contact_while_held_is_no_second_press() -> None:
    assert run(edges_of("fire 0", 0, 500, 520, 1000)) == [Pressed("fire 0", 0)]


def test_simultaneous_presses_both_count_in_order() -> None:
    presses = Debouncer()
    for button in ("fire 1", "fire 0"):
        presses.add_edge(ContactEdge(button, True, 7))
    assert presses.take_presses(100) == [Pressed("fire 1", 7), Pressed("fire 0", 7)]


def test_the_first_contact_comes_first_even_if_it_bounces_longer() -> None:
    edges = [*edges_of("fire 1", 0, 2, 4, 15, 20), *edges_of("fire 0", 1)]
    presses = Debouncer()
    for edge in sorted(edges, key=lambda each: each.at_ms):
        presses.add_edge(edge)
    reported = [press for now_ms in range(100) for press in presses.take_presses(now_ms)]
    assert reported == [Pressed("fire 1", 0), Pressed("fire 0", 1)]


def test_a_late_edge_counts_and_timestamps_stay_monotonic() -> None:
    presses = Debouncer()
    presses.add_edge(ContactEdge("fire 0", True, 100))
    assert presses.take_presses(150) == [Pressed("fire 0", 100)]
    presses.add_edge(ContactEdge("fire 1", True, 90))
    assert presses.take_presses(151) == [Pressed("fire 1", 100)]


# --- long presses ---------------------------------------------------------------------------------


def test_pause_held_for_three_seconds_is_pause_and_then_power_once() -> None:
    presses = Debouncer()
    presses.add_edge(ContactEdge("pause", True, 0))
    assert presses.take_presses(LONG_PRESS_MS + DEBOUNCE_WINDOW_MS - 0.001) == [Pressed("pause", 0)]
    assert presses.take_presses(LONG_PRESS_MS + DEBOUNCE_WINDOW_MS) == [
        Pressed("power", LONG_PRESS_MS)
    ]
    assert presses.take_presses(100 * LONG_PRESS_MS) == []
    presses.add_edge(ContactEdge("pause", False, 100 * LONG_PRESS_MS))
    assert presses.take_presses(200 * LONG_PRESS_MS) == []


@pytest.mark.parametrize(("held_ms", "count"), [(LONG_PRESS_MS, 0), (LONG_PRESS_MS + 0.001, 1)])
@pytest.mark.parametrize("look_ms", [1, 10_000])
def test_a_press_shorter_than_3_s_switches_nothing_off(
    held_ms: float, count: int, look_ms: int
) -> None:
    presses, reported = Debouncer(), []
    edges = edges_of("pause", 0, held_ms)
    for now_ms in range(0, 20_000, look_ms):
        while edges and edges[0].at_ms <= now_ms:
            presses.add_edge(edges.pop(0))
        reported += presses.take_presses(now_ms)
    assert [each.button for each in reported] == ["pause", *["power"] * count]


def test_the_power_button_does_nothing_unless_it_is_held() -> None:
    assert run(edges_of("power", 0, 1000, 1100, 2000)) == []
    assert run(edges_of("power", 0, 5000)) == [Pressed("power", LONG_PRESS_MS)]


def test_many_short_presses_do_not_add_up_to_a_long_one() -> None:
    moments = [at_ms for start in range(0, 9000, 900) for at_ms in (start, start + 800)]
    assert {each.button for each in run(edges_of("pause", *moments))} == {"pause"}


def test_a_held_contact_that_flickers_is_still_held() -> None:
    edges = edges_of("pause", 0, 3, 5, 1500, 1502, 2999, 3005)
    assert run(edges) == [Pressed("pause", 0), Pressed("power", LONG_PRESS_MS)]


def test_holding_the_fire_button_is_one_press() -> None:
    assert run(edges_of("fire 0", 0)) == [Pressed("fire 0", 0)]


def test_a_button_held_since_before_the_start_is_no_press() -> None:
    opened_and_pressed = [ContactEdge("pause", False, 60_000), ContactEdge("pause", True, 61_000)]
    reported = run(opened_and_pressed, 62_000, closed=["pause"])
    assert reported == [Pressed("pause", 61_000)]
    flicker = [ContactEdge("pause", False, 500), ContactEdge("pause", True, 502)]
    assert run(flicker, closed=["pause"]) == []


def test_the_possible_presses_follow_from_the_wired_buttons() -> None:
    assert possible_presses(["pause", "fire 0"]) == ("fire 0", "pause", "power")
    assert possible_presses(["fire 1", "power"]) == ("fire 1", "power")
    assert possible_presses(["referee"]) == ("referee",)
