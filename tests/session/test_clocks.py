"""Clocks: each time control computed by hand, and properties of all of them."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.session import sentences
from controller.session.clocks import (
    CLOCK_FORMS,
    BadClock,
    ClockKind,
    Clocks,
    TimeControl,
    format_clock,
)
from tests.support.engine.random_play import examples
from tests.support.engine.sentences import Expected, mentions, raises

# -- text --------------------------------------------------------------------------------------

READ = {
    "none": TimeControl(),
    "10m": TimeControl(ClockKind.SUDDEN_DEATH, 600_000),
    "1h30m": TimeControl(ClockKind.SUDDEN_DEATH, 5_400_000),
    "1.5s": TimeControl(ClockKind.SUDDEN_DEATH, 1500),
    "5m+3s": TimeControl(ClockKind.FISCHER, 300_000, 3000),
    "5m-bronstein-3s": TimeControl(ClockKind.BRONSTEIN, 300_000, 3000),
    "5m-delay-3s": TimeControl(ClockKind.DELAY, 300_000, 3000),
    "30s/move": TimeControl(ClockKind.PER_MOVE, 30_000),
}
ALSO = {
    " 10M ": "10m",
    "90m": "1h30m",
    "60s": "1m",
    "5m + 3s": "5m+3s",
    "5m fischer 3s": "5m+3s",
    "5m+0s": "5m",
    "5m bronstein 3s": "5m-bronstein-3s",
    "5mb3s": "5m-bronstein-3s",
    "5md3s": "5m-delay-3s",
    "5m d3s": "5m-delay-3s",
    "30s per move": "30s/move",
    "off": "none",
}
WRITE = sentences.CLOCK_WRITE(forms=CLOCK_FORMS)
TEACHES: dict[str, Expected] = {
    "5": sentences.CLOCK_UNIT(example="5m or 5s"),
    "5+3": sentences.CLOCK_UNIT(example="5m+3s"),
    "5m+3": WRITE,
    "": WRITE,
    "ten minutes": WRITE,
    "5m-byoyomi-3s": sentences.CLOCK_NO_KIND(kind="byoyomi", forms=CLOCK_FORMS),
    "3s5m": sentences.CLOCK_UNIT_ORDER(text="3s5m"),
    "5m5m": sentences.CLOCK_UNIT_ORDER(text="5m5m"),
    "0s": sentences.CLOCK_BASE,
    "0m+5s": sentences.CLOCK_BASE,
    "25h": sentences.CLOCK_BASE,
    "9" * 400 + "h": sentences.CLOCK_TOO_LONG,
    "0.0001s": sentences.CLOCK_TOO_FINE,
    "-5m": WRITE,
    "٣m": WRITE,
}


@pytest.mark.parametrize("text", READ)
def test_a_time_control_is_read_and_written_as_documented(text: str) -> None:
    assert TimeControl.parse(text) == READ[text]
    assert str(READ[text]) == text


@pytest.mark.parametrize("text", ALSO)
def test_a_time_control_may_be_written_in_other_ways(text: str) -> None:
    assert str(TimeControl.parse(text)) == ALSO[text]


@pytest.mark.parametrize("text", TEACHES)
def test_an_invalid_time_control_says_what_to_write(text: str) -> None:
    with pytest.raises(BadClock) as error:
        TimeControl.parse(text)
    assert mentions(error.value.sentence, TEACHES[text])
    assert len(str(error.value)) < 500


def test_every_form_in_the_help_can_be_read() -> None:
    forms = [each.split(" (")[0] for each in CLOCK_FORMS.split("; ")]
    assert {TimeControl.parse(form).kind for form in forms} == set(ClockKind)


lengths_ms = st.integers(1, 24 * 3_600_000)
controls = st.one_of(
    st.just(TimeControl()),
    st.builds(
        TimeControl, st.sampled_from([ClockKind.SUDDEN_DEATH, ClockKind.PER_MOVE]), lengths_ms
    ),
    st.builds(
        TimeControl,
        st.sampled_from([ClockKind.FISCHER, ClockKind.BRONSTEIN, ClockKind.DELAY]),
        lengths_ms,
        lengths_ms,
    ),
)


@examples(200)
@given(controls)
def test_every_time_control_round_trips(control: TimeControl) -> None:
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    ("left_ms", "shown"),
    [
        (None, "no clock"), (0, "0:00"), (1, "0:00.1"), (7250, "0:07.3"), (9899, "0:09.9"),
        (9950, "0:10"), (10_000, "0:10"), (59_001, "1:00"), (299_000, "4:59"),
        (3_723_000, "1:02:03"),
    ],
)  # fmt: skip
def test_a_clock_shows_zero_only_when_its_flag_has_fallen(
    left_ms: float | None, shown: str
) -> None:
    assert format_clock(left_ms) == shown


# -- each control by hand ----------------------------------------------------------------------

# Seconds of thinking time for each move, and the clock after the move.
BY_HAND: dict[str, list[tuple[float, float | None]]] = {
    "10s": [(3, 7), (2, 5), (4, 1), (1, 0)],
    "10s+2s": [(3, 9), (1, 10), (0, 12), (11, 3), (3, 0)],
    "10s-bronstein-2s": [(3, 9), (1, 9), (2, 9), (8, 3), (3, 0)],
    "10s-delay-2s": [(3, 9), (1, 9), (2, 9), (8, 3), (5, 0)],
    "10s/move": [(3, 10), (9, 10), (10, 0)],
    "none": [(1000, None), (100_000, None)],
}


def seconds(left_ms: float | None) -> float | None:
    return None if left_ms is None else left_ms / 1000


@pytest.mark.parametrize("text", BY_HAND)
def test_a_time_control_agrees_with_the_table_computed_by_hand(text: str) -> None:
    clocks, now_ms = Clocks.for_control(TimeControl.parse(text)), 5000.0
    untouched = clocks.left_ms[1]
    for thought_s, shown_s in BY_HAND[text]:
        clocks = clocks.start(0, now_ms)
        now_ms += 1000 * thought_s
        clocks = clocks.after_move(0, now_ms)
        assert seconds(clocks.remaining_ms(0, now_ms)) == shown_s
        assert clocks.left_ms[1] == untouched
        assert clocks.at(now_ms).fallen == ((0,) if shown_s == 0 else ())
        now_ms += 777  # no clock runs during a beam


def test_the_clock_stands_still_during_a_delay() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s-delay-2s")).start(1, 0)
    shown = [clocks.remaining_ms(1, at_ms) for at_ms in (0, 1000, 2000, 2500, 11_999, 12_000)]
    assert shown == [10_000, 10_000, 10_000, 9500, 1, 0]
    assert clocks.next_flag_ms() == 12_000


def test_a_pause_stops_the_clock_and_gives_no_second_delay() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s-delay-2s")).start(0, 0).stop(None, 1500)
    assert clocks.remaining_ms(0, 60_000) == 10_000
    assert clocks.next_flag_ms() is None
    clocks = clocks.start(0, 60_000)
    assert clocks.next_flag_ms() == 70_500
    assert clocks.after_move(0, 62_500).left_ms[0] == 8000


@pytest.mark.parametrize(("text", "left_s"), [("10s+2s", 9), ("10s-bronstein-2s", 9)])
def test_the_increment_is_added_when_the_move_is_written(text: str, left_s: float) -> None:
    clocks = Clocks.for_control(TimeControl.parse(text)).start(0, 0).stop(0, 3000)
    assert clocks.after_move(0, 9000).left_ms[0] == 1000 * left_s


# -- both clocks at once, flags ----------------------------------------------------------------


def test_both_clocks_run_at_once_and_stop_separately() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s+1s")).start((0, 1), 0)
    clocks = clocks.after_move(1, 2000)
    assert clocks.running == (0,)
    clocks = clocks.after_move(0, 5000)
    assert clocks.left_ms == (6000, 9000)
    assert clocks.running == ()


def test_the_first_fallen_flag_counts_however_late_it_is_checked() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s")).with_remaining(1, 4000).start((0, 1), 0)
    assert clocks.next_flag_ms() == 4000
    assert not clocks.at(3999).fallen
    for late_ms in (4000, 9999, 10_000, 1e9):
        assert clocks.at(late_ms).fallen[0] == 1
    slowly = clocks.at(5000).at(10_000)
    assert slowly.left_ms == (0, 0)
    assert slowly.fallen == (1,)
    both = clocks.stop(None, 1e9)
    assert both.left_ms == (0, 0)
    assert both.fallen == (1,)


def test_two_flags_at_the_same_moment_have_both_fallen() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s")).start((0, 1), 500)
    assert clocks.at(10_499).fallen == ()
    assert clocks.at(20_000).fallen == (0, 1)


@pytest.mark.parametrize(
    ("text", "low_ms"), [("5m", 10_000), ("100s", 10_000), ("30s", 3000), ("5s/move", 500)]
)
def test_time_is_low_below_ten_seconds_or_a_tenth_of_the_initial_time(
    text: str, low_ms: float
) -> None:
    clocks = Clocks.for_control(TimeControl.parse(text)).start((0, 1), 0).after_move(1, 100)
    when_ms = clocks.left_ms[0] + 100 - low_ms
    assert clocks.players_low_on_time(when_ms) == ()
    assert clocks.players_low_on_time(when_ms + 1) == (0,), "the other's stands still"


def test_time_is_not_low_without_a_clock_or_while_it_is_stopped() -> None:
    assert Clocks().start((0, 1), 0).players_low_on_time(1e9) == ()
    assert (
        Clocks.for_control(TimeControl.parse("10s"))
        .start(0, 0)
        .stop(None, 9500)
        .players_low_on_time(9600)
        == ()
    )


def test_starting_one_clock_stops_the_other() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s")).start(0, 0).start(1, 3000).stop(1, 4000)
    assert clocks.left_ms == (7000, 9000)


def test_a_move_after_the_flag_adds_no_time() -> None:
    for text in ("10s+5s", "10s-bronstein-5s", "10s/move"):
        clocks = Clocks.for_control(TimeControl.parse(text)).start(0, 0).after_move(0, 10_000)
        assert clocks.left_ms[0] == 0
        assert clocks.at(10_000).fallen[0] == 0


def test_a_referee_can_put_time_on_a_clock_that_ran_out() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s")).start(0, 0).stop(None, 11_000)
    clocks = clocks.with_remaining(0, 60_000)
    assert not clocks.at(11_000).fallen
    assert clocks.start(0, 20_000).next_flag_ms() == 80_000
    assert clocks.with_remaining(1, 0).at(11_000).fallen[0] == 1


def test_a_running_clock_that_is_set_continues_from_the_new_time() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s")).start(0, 0).with_remaining(0, 5000, 2000)
    assert clocks.remaining_ms(0, 3000) == 4000


@pytest.mark.parametrize("left_ms", [-1, float("nan"), float("inf"), 1e12])
def test_a_clock_cannot_be_set_out_of_its_range(left_ms: float) -> None:
    with raises(BadClock, sentences.CLOCK_CANNOT_SHOW):
        Clocks.for_control(TimeControl.parse("10s")).with_remaining(0, left_ms)
    with raises(BadClock, sentences.NO_CLOCK_TO_SET):
        Clocks().with_remaining(0, 5)


def test_there_are_clocks_for_two_players_only() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s"))
    for wrong in (2, -1):
        with raises(BadClock, sentences.NO_CLOCK_OF):
            clocks.start((0, wrong), 0)
        with raises(BadClock, sentences.NO_CLOCK_OF):
            clocks.stop(wrong, 0)
        with raises(BadClock, sentences.NO_CLOCK_OF):
            clocks.after_move(wrong, 0)


def test_taking_a_move_back_restores_both_clocks() -> None:
    before = Clocks.for_control(TimeControl.parse("10s+2s")).start(0, 0)
    after = before.after_move(0, 4000).start(1, 5000).at(6000)
    again = after.restored_from(before)
    assert again.left_ms == (10_000, 10_000)
    assert again.running == ()
    assert again.start(0, 9000).remaining_ms(0, 9500) == 9500


def test_after_a_power_cut_the_clocks_are_stopped_and_continue_on_a_new_time_base() -> None:
    saved = Clocks.for_control(TimeControl.parse("10s")).start(0, 1e9).at(1e9 + 3000)
    resumed = Clocks.from_json(json.loads(json.dumps(saved.as_json()))).stopped_for_resume()
    assert resumed.remaining_ms(0, 5) == 7000
    assert resumed.start(0, 100).remaining_ms(0, 1100) == 6000


def test_a_step_back_in_time_takes_no_time() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s")).start(0, 5000).at(6000)
    assert clocks.remaining_ms(0, 2000) == 9000
    assert clocks.stop(0, 2000).start(0, 3000).remaining_ms(0, 7000) == 8000


def test_an_hour_of_play_is_counted_exactly() -> None:
    clocks, now_ms = Clocks.for_control(TimeControl.parse("30m+1s")), 0.0
    for move in range(240):
        clocks = clocks.start(move % 2, now_ms)
        now_ms += 15_000
        clocks = clocks.after_move(move % 2, now_ms)
    assert now_ms == 3_600_000
    assert clocks.left_ms == (120_000, 120_000)
    assert not clocks.at(now_ms).fallen


# -- properties --------------------------------------------------------------------------------

steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["start 0", "start 1", "start both", "stop", "stop 0", "moved 0", "moved 1"]
        ),
        st.integers(-500, 5000),
    ),
    max_size=40,
)
short_controls = st.one_of(
    st.just(TimeControl()),
    st.builds(
        TimeControl,
        st.sampled_from([ClockKind.SUDDEN_DEATH, ClockKind.PER_MOVE]),
        st.integers(1, 20_000),
    ),
    st.builds(
        TimeControl,
        st.sampled_from([ClockKind.FISCHER, ClockKind.BRONSTEIN, ClockKind.DELAY]),
        st.integers(1, 20_000),
        st.integers(1, 4000),
    ),
)


def step(clocks: Clocks, what: str, at_ms: float) -> Clocks:
    match what.split():
        case ["start", "both"]:
            return clocks.start((0, 1), at_ms)
        case ["start", player]:
            return clocks.start(int(player), at_ms)
        case ["stop", player]:
            return clocks.stop(int(player), at_ms)
        case ["moved", player]:
            return clocks.after_move(int(player), at_ms)
        case _:
            return clocks.stop(None, at_ms)


def played(control: TimeControl, script: list[tuple[str, int]]) -> list[tuple[Clocks, float]]:
    """The clocks before the script and after each step, with the time."""
    clocks, now_ms = Clocks.for_control(control), 0.0
    found = [(clocks, now_ms)]
    for what, later_ms in script:
        now_ms += later_ms
        clocks = step(clocks, what, now_ms)
        found.append((clocks, now_ms))
    return found


@examples(200)
@given(st.integers(1, 60_000), steps)
def test_time_left_plus_time_used_is_the_initial_time(
    base_ms: int, script: list[tuple[str, int]]
) -> None:
    used_ms = [0.0, 0.0]
    for (clocks, _), (later, _) in pairwise(
        played(TimeControl(ClockKind.SUDDEN_DEATH, base_ms), script)
    ):
        for player in clocks.running:
            used_ms[player] += (later.at_ms or 0) - (clocks.at_ms or 0)
        for player in (0, 1):
            assert later.left_ms[player] == max(0, base_ms - used_ms[player])


@examples(200)
@given(short_controls, steps)
def test_no_clock_is_below_zero_and_a_fallen_flag_stays_fallen(
    control: TimeControl, script: list[tuple[str, int]]
) -> None:
    for (clocks, _), (later, now_ms) in pairwise(played(control, script)):
        assert min(later.left_ms) >= 0
        if clocks.fallen:
            assert later.fallen == clocks.fallen
        assert (not later.at(now_ms).fallen) == (not later.fallen)
        if control.kind is not ClockKind.NONE:
            assert bool(later.fallen) == (min(later.left_ms) == 0)


@examples(200)
@given(short_controls, steps)
def test_the_flag_falls_exactly_at_next_flag_ms(
    control: TimeControl, script: list[tuple[str, int]]
) -> None:
    for clocks, _ in played(control, script):
        wake_ms = clocks.next_flag_ms()
        if wake_ms is not None:
            assert clocks.at(wake_ms).fallen
            assert not clocks.at(wake_ms - 0.5).fallen
        elif not clocks.fallen:
            assert not clocks.at(1e12).fallen


@examples(300)
@given(
    st.floats(0, 1e10),
    st.floats(0.001, 1e6),
    st.lists(st.floats(0, 1), max_size=5),
    st.integers(0, 3000),
)
def test_the_flag_has_fallen_at_next_flag_ms_despite_rounding(
    start_ms: float, left_ms: float, looks: list[float], delay_ms: int
) -> None:
    kind = ClockKind.DELAY if delay_ms else ClockKind.SUDDEN_DEATH
    clocks = Clocks.for_control(TimeControl(kind, 1000, delay_ms)).with_remaining(0, left_ms)
    clocks = clocks.start(0, start_ms)
    for share in sorted(looks):
        clocks = clocks.at(start_ms + share * (left_ms + delay_ms))
    wake_ms = clocks.next_flag_ms()
    assert clocks.fallen or (wake_ms is not None and clocks.at(wake_ms).fallen[0] == 0)


@examples(200)
@given(st.integers(1, 20_000), st.integers(1, 4000), steps)
def test_bronstein_never_gives_more_time_than_before_the_move(
    base_ms: int, extra_ms: int, script: list[tuple[str, int]]
) -> None:
    before = [float(base_ms), float(base_ms)]
    states = played(TimeControl(ClockKind.BRONSTEIN, base_ms, extra_ms), script)
    for (what, _), (clocks, _) in zip(script, states[1:], strict=True):
        for player in (0, 1):
            assert clocks.left_ms[player] <= before[player]
        if what.startswith("moved"):
            before[int(what[-1])] = clocks.left_ms[int(what[-1])]


@examples(200)
@given(short_controls, steps, st.integers(0, 20_000))
def test_reading_a_clock_in_between_changes_nothing(
    control: TimeControl, script: list[tuple[str, int]], later_ms: int
) -> None:
    clocks, now_ms = played(control, script)[-1]
    halfway = clocks.at(now_ms + later_ms // 2)
    assert halfway.at(now_ms + later_ms) == clocks.at(now_ms + later_ms)


@examples(200)
@given(short_controls, steps)
def test_clocks_round_trip_through_json(
    control: TimeControl, script: list[tuple[str, int]]
) -> None:
    for clocks, _ in played(control, script):
        assert Clocks.from_json(json.loads(json.dumps(clocks.as_json()))) == clocks


@pytest.mark.parametrize(
    "change",
    [
        {"control": 5}, {"control": "5"}, {"left_ms": [1]}, {"left_ms": [1, -1]},
        {"left_ms": [1, "2"]}, {"spent_ms": [True, 0]}, {"running": [2]}, {"running": [0, 0]},
        {"fallen": 0}, {"at_ms": "now"}, {"at_ms": float("inf")}, {"surplus": 1},
    ],
)  # fmt: skip
def test_invalid_json_of_clocks_is_refused(change: dict[str, object]) -> None:
    good = Clocks.for_control(TimeControl.parse("5m+3s")).as_json()
    with pytest.raises(BadClock):
        Clocks.from_json(good | change)
    with pytest.raises(BadClock):
        Clocks.from_json([good])


def test_an_invalid_time_is_refused() -> None:
    clocks = Clocks.for_control(TimeControl.parse("10s")).start(0, 0)
    with raises(BadClock, sentences.BAD_TIME):
        clocks.at(float("nan"))
    assert replace(clocks) == clocks
