"""The contract of every LED matrix, and its behaviour after a loss."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from controller.devices import sentences
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.leds.live import (
    LedLink,
    LedsUnavailable,
    LiveLeds,
    PictureLost,
)
from controller.devices.leds.local import MemoryLink, NullLink
from controller.lighting.output import BadPictureSize
from controller.ports.devices import LedMatrix, LedStats, MatrixDetails, Pixels
from controller.ports.events import DeviceBack, DeviceEvent, DeviceLost
from engine.sentences import plain
from tests.support.devices.led_peers import KINDS, LEDS, Peer, eventually, make_peer, picture
from tests.support.engine.sentences import raises

DARK = np.zeros((LEDS, 3), np.uint8)
WHITE = np.full((LEDS, 3), 255, np.uint8)
CAN_BE_LOST = [kind for kind in KINDS if kind not in ("terminal", "spi")]
ALL_MS = 30_000


@pytest.fixture(params=KINDS)
def peer(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Peer]:
    yield from opened(request.param, tmp_path)


@pytest.fixture(params=CAN_BE_LOST)
def fragile(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Peer]:
    yield from opened(request.param, tmp_path)


def opened(kind: str, folder: Path) -> Iterator[Peer]:
    made = make_peer(kind, folder)
    yield made
    made.close()
    assert made.complaints == []


def calm(peer: Peer) -> bool:
    """Whether the peer's cable has no faults."""
    return not (hasattr(peer, "matrix") and peer.matrix.faults.drop)


def shown(leds: LedMatrix, expected: Pixels) -> int:
    number = leds.show(expected)
    assert leds.wait(number, ALL_MS)
    return number


def next_events(peer: Peer) -> list[DeviceEvent]:
    events: list[DeviceEvent] = []

    def some() -> bool:
        events.extend(peer.leds.events())
        return bool(events)

    eventually(some, "an event")
    return events


# --- every matrix -------------------------------------------------------------------------------


def test_the_peer_displays_the_shown_picture(peer: Peer) -> None:
    one_changed = picture(2)
    one_changed[7] ^= 0x55
    for expected in (picture(1), DARK, WHITE, picture(2), one_changed, one_changed, picture(3)):
        shown(peer.leds, expected)
        peer.displays(expected)


def test_numbers_count_up_from_one_and_a_shown_picture_includes_older_ones(peer: Peer) -> None:
    numbers = [peer.leds.show(picture(seed)) for seed in range(5)]
    assert numbers == [1, 2, 3, 4, 5]
    assert all(peer.leds.wait(number, ALL_MS) for number in reversed(numbers))
    assert not peer.leds.wait(6, 20), "that picture was never sent"


def test_the_last_confirmed_picture_is_available_and_read_only(peer: Peer) -> None:
    assert peer.leds.shown() is None
    expected = picture(1)
    shown(peer.leds, expected)
    now = peer.leds.shown()
    assert now is not None
    assert np.array_equal(now, expected)
    with pytest.raises(ValueError, match="read-only"):
        now[0, 0] = 1


def test_the_newest_picture_wins(peer: Peer) -> None:
    for seed in range(100):
        last = peer.leds.show(picture(seed))
    assert peer.leds.wait(last, ALL_MS)
    peer.displays(picture(99))
    stats = peer.leds.stats()
    assert stats.shown == 100
    assert stats.acknowledged + stats.skipped == 100
    assert stats.pending == 0
    assert stats.latency_ms > 0


def test_changing_the_array_after_show_does_not_change_the_picture(peer: Peer) -> None:
    canvas = picture(1)
    number = peer.leds.show(canvas)
    canvas[:] = 0
    assert peer.leds.wait(number, ALL_MS)
    peer.displays(picture(1))


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((LEDS + 1, 3), np.uint8), np.zeros((LEDS, 4), np.uint8), np.zeros((LEDS, 3))],
    ids=["too many", "four colours", "not bytes"],
)
def test_a_picture_of_the_wrong_size_is_refused_at_once(peer: Peer, wrong: Pixels) -> None:
    with raises(BadPictureSize, sentences.WRONG_PICTURE) as caught:
        peer.leds.show(wrong)
    assert caught.value.sentence.slots["count"] == LEDS
    assert peer.leds.stats() == LedStats()


def test_a_working_matrix_reports_no_event(peer: Peer) -> None:
    for seed in range(5):
        shown(peer.leds, picture(seed))
    if calm(peer):
        assert peer.leds.events() == []
        stats = peer.leds.stats()
        assert (stats.acknowledged, stats.losses, stats.restarts) == (5, 0, 0)


def test_a_matrix_describes_itself(peer: Peer) -> None:
    eventually(lambda: peer.leds.details() is not None)
    details = peer.leds.details()
    assert details is not None
    assert (details.leds, details.acknowledges) == (LEDS, peer.answers)
    assert details.description


def test_closing_switches_all_leds_off(peer: Peer) -> None:
    if hasattr(peer, "matrix"):
        closing_the_simulation = peer.matrix.close
        peer.matrix.close = lambda: None
        peer.matrix.faults = type(peer.matrix.faults)()
    number = shown(peer.leds, WHITE)
    peer.displays(WHITE)
    peer.leds.close()
    peer.displays(DARK)
    assert peer.leds.shown() is None
    assert not peer.leds.wait(number, ALL_MS)
    peer.leds.close()
    assert not [thread for thread in threading.enumerate() if thread.name == peer.leds.name]
    if hasattr(peer, "matrix"):
        peer.matrix.close = closing_the_simulation


def test_a_matrix_may_be_closed_before_its_first_connection() -> None:
    leds = LiveLeds(MemoryLink(LEDS, unavailable_reason=plain("not there")), SystemClock())
    leds.show(WHITE)
    leds.close()
    assert not leds.wait(1, ALL_MS)


def test_without_leds_every_picture_counts_as_shown() -> None:
    leds = LiveLeds(NullLink(LEDS), SystemClock())
    shown(leds, WHITE)
    details = leds.details()
    assert details == MatrixDetails(LEDS, False, sentences.NO_LEDS())
    leds.close()


# --- loss and return ----------------------------------------------------------------------------


def test_loss_and_return_of_a_matrix_are_one_event_each(fragile: Peer) -> None:
    shown(fragile.leds, picture(1))
    fragile.displays(picture(1))
    fragile.leds.events()
    fragile.lose()
    lost = next_events(fragile)
    assert isinstance(lost[0], DeviceLost)
    assert lost[0].device == fragile.leds.name
    assert lost[0].reason
    assert not lost[0].is_permanent
    assert fragile.leds.shown() is None
    assert not fragile.leds.wait(1, 20), "the displayed picture is unknown after a loss"
    fragile.come_back()
    back = lost[1:] or next_events(fragile)
    assert isinstance(back[0], DeviceBack)
    if calm(fragile):
        assert len(lost) == 1, "reported once"
        assert fragile.leds.stats().losses == 1


def test_the_picture_is_restored_after_a_loss(fragile: Peer) -> None:
    shown(fragile.leds, picture(1))
    fragile.lose()
    eventually(lambda: fragile.leds.shown() is None, "the loss")
    fragile.come_back()
    assert fragile.leds.wait(1, ALL_MS)
    fragile.displays(picture(1))
    stats = fragile.leds.stats()
    assert (stats.shown, stats.acknowledged, stats.skipped) == (1, 1, 0), "counted once"


def test_a_picture_sent_during_a_loss_is_shown_after_it(fragile: Peer) -> None:
    shown(fragile.leds, picture(1))
    fragile.lose()
    eventually(lambda: fragile.leds.shown() is None, "the loss")
    for seed in range(2, 10):
        number = fragile.leds.show(picture(seed))
    fragile.come_back()
    assert fragile.leds.wait(number, ALL_MS)
    fragile.displays(picture(9))
    stats = fragile.leds.stats()
    assert (stats.shown, stats.pending) == (9, 0)
    assert stats.skipped >= (7 if calm(fragile) else 0)


def test_a_matrix_that_is_plugged_in_later_is_found(fragile: Peer) -> None:
    fragile.lose()
    fragile.leds.show(picture(1))
    fragile.come_back()
    assert fragile.leds.wait(1, ALL_MS)
    fragile.displays(picture(1))


# --- with a manual clock ------------------------------------------------------------------------


def unthreaded(link: LedLink) -> tuple[LiveLeds, ManualClock]:
    clock = ManualClock()
    return LiveLeds(link, clock, threaded=False), clock


class Recorded(MemoryLink):
    """Records when it was opened."""

    def __init__(self, clock: ManualClock, **options: object) -> None:
        super().__init__(LEDS, **options)  # type: ignore[arg-type]
        self.clock = clock
        self.tried_ms: list[float] = []

    def open(self) -> MatrixDetails:
        self.tried_ms.append(self.clock.now_ms())
        return super().open()


def test_a_lost_matrix_is_retried_at_once_and_then_with_backoff() -> None:
    clock = ManualClock()
    link = Recorded(clock, unavailable_reason=plain("no cable"))
    leds = LiveLeds(link, clock, threaded=False)
    leds.show(WHITE)
    assert not leds.wait(1, 60_000)
    gaps = np.diff(link.tried_ms)
    assert gaps[:6] == pytest.approx([100, 200, 400, 800, 1600, 3200])
    assert gaps[6:] == pytest.approx([LiveLeds.longest_retry_ms] * len(gaps[6:]))
    assert leds.events() == [DeviceLost("memory://", plain("no cable"), 0)], "reported once"
    link.unavailable_reason = None
    assert leds.wait(1, 2 * LiveLeds.longest_retry_ms)
    (back,) = leds.events()
    assert isinstance(back, DeviceBack)
    link.unavailable_reason = plain("again")
    leds.show(DARK)
    leds.wait(2, 1)
    tried = len(link.tried_ms)
    leds.wait(2, LiveLeds.first_retry_ms)
    assert len(link.tried_ms) == tried + 1, "the backoff is reset after a return"


def test_a_matrix_that_opens_and_then_fails_is_retried_with_backoff() -> None:
    clock = ManualClock()

    class Dead(Recorded):
        def send(self, picture: Pixels, before: Pixels | None) -> None:
            raise LedsUnavailable(plain("no answer"))

    link = Dead(clock)
    leds = LiveLeds(link, clock, threaded=False)
    leds.show(WHITE)
    assert not leds.wait(1, 60_000)
    assert len(link.tried_ms) < 20
    assert leds.events() == [DeviceLost("memory://", plain("no answer"), 0)], (
        "there is no DeviceBack"
    )
    assert leds.stats().pending == 1


def test_keep_alive_is_sent_between_pictures() -> None:
    link = MemoryLink(LEDS, keep_alive_ms=100)
    leds, _ = unthreaded(link)
    assert leds.wait(leds.show(WHITE), 10)
    leds.wait(2, 1_050)
    assert link.keep_alive_count == 10
    for _ in range(10):
        assert leds.wait(leds.show(WHITE), 10)
        leds.wait(10**9, 60)
    assert link.keep_alive_count == 10, "a picture is one too"


def test_a_matrix_that_went_dark_by_itself_gets_the_whole_picture_again() -> None:
    class Forgetful(MemoryLink):
        befores: list[Pixels | None] = []  # noqa: RUF012
        gone = False

        def send(self, picture: Pixels, before: Pixels | None) -> None:
            self.befores.append(before)
            super().send(picture, before)

        def keep_alive(self) -> None:
            if self.gone:
                self.gone = False
                raise PictureLost

    link = Forgetful(LEDS, keep_alive_ms=100)
    leds, _ = unthreaded(link)
    assert leds.wait(leds.show(WHITE), 10)
    link.gone = True
    leds.wait(2, 250)
    assert [each is None for each in link.befores] == [True, True]
    assert np.array_equal(link.pictures[1], WHITE)
    assert leds.events() == [], "that is no loss"
    assert leds.stats().acknowledged == 1


def test_the_link_gets_the_previous_picture_with_each_new_one() -> None:
    befores: list[Pixels | None] = []

    class Noting(MemoryLink):
        def send(self, picture: Pixels, before: Pixels | None) -> None:
            befores.append(before)
            super().send(picture, before)

    leds, _ = unthreaded(Noting(LEDS))
    for expected in (WHITE, DARK, WHITE):
        assert leds.wait(leds.show(expected), 10)
    assert befores[0] is None
    assert [each.max() for each in befores[1:] if each is not None] == [255, 0]


def test_a_dark_board_without_a_picture_gets_none() -> None:
    class Dark(MemoryLink):
        def keep_alive(self) -> None:
            super().keep_alive()
            raise PictureLost

    link = Dark(LEDS, keep_alive_ms=100)
    leds, _ = unthreaded(link)
    leds.wait(1, 1000)
    assert 9 <= link.keep_alive_count <= 11


def test_closing_is_noticed_even_before_the_thread_waits() -> None:
    """`close` may notify just before the thread waits."""
    leds = LiveLeds(MemoryLink(LEDS), SystemClock())
    assert leds.wait(leds.show(DARK), ALL_MS)
    leds.close()
    late = threading.Thread(target=leds._step, args=(float("inf"),), daemon=True)
    late.start()
    late.join(30)
    assert not late.is_alive()


def test_closing_is_noticed_by_a_thread_that_is_still_opening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LiveLeds, "join_s", 120.0)  # else the thread is abandoned
    entered, go_on = threading.Event(), threading.Event()

    class SlowToOpen(MemoryLink):
        def open(self) -> MatrixDetails:
            entered.set()
            go_on.wait(30)
            return super().open()

    leds = LiveLeds(SlowToOpen(LEDS), SystemClock())
    assert entered.wait(30)
    closing = threading.Thread(target=leds.close)
    closing.start()
    while not leds._closed:
        closing.join(0.001)
    go_on.set()
    closing.join(30)
    assert not closing.is_alive()


def test_an_unexpected_driver_error_is_a_loss_with_a_traceback_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(MemoryLink):
        def send(self, picture: Pixels, before: Pixels | None) -> None:
            if not self.pictures:
                self.pictures.append(picture)
                raise ZeroDivisionError("bad news")
            super().send(picture, before)

    leds, _ = unthreaded(Broken(LEDS))
    leds.show(WHITE)
    assert leds.wait(1, 10_000)
    lost, back = leds.events()
    assert isinstance(lost, DeviceLost)
    assert lost.reason == sentences.DEFECT(error="ZeroDivisionError", message="bad news")
    assert isinstance(back, DeviceBack)
    assert [each.message for each in caplog.records if each.exc_info] == [
        "memory://: the driver failed"
    ]


# --- nothing blocks the caller ------------------------------------------------------------------


class Hanging(MemoryLink):
    """A driver whose `send` blocks until `go` is set."""

    def __init__(self) -> None:
        super().__init__(LEDS)
        self.hangs, self.go = threading.Event(), threading.Event()

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        self.hangs.set()
        self.go.wait(60)
        super().send(picture, before)


def test_show_does_not_block_while_the_driver_hangs() -> None:
    link = Hanging()
    leds = LiveLeds(link, SystemClock())
    first = leds.show(DARK)
    assert link.hangs.wait(30)
    second, third = leds.show(DARK), leds.show(WHITE)
    assert not leds.wait(first, 20)
    assert leds.stats() == LedStats(shown=3, skipped=1)
    assert leds.shown() is None
    assert leds.events() == []
    link.go.set()
    assert leds.wait(third, ALL_MS)
    assert len(link.pictures) == 2, "the picture in between was replaced"
    assert second == 2
    leds.close()


def test_a_hanging_driver_does_not_prevent_exit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LiveLeds, "join_s", 0.01)
    link = Hanging()
    leds = LiveLeds(link, SystemClock())
    leds.show(WHITE)
    assert link.hangs.wait(30)
    leds.close()
    thread = next(each for each in threading.enumerate() if each.name == "memory://")
    assert thread.daemon
    link.go.set()
    thread.join(30)
    assert link.displayed is not None
    assert not link.displayed.any(), "dark in the end"


def test_closing_wakes_waiting_callers() -> None:
    leds = LiveLeds(MemoryLink(LEDS, unavailable_reason=plain("not there")), SystemClock())
    answers: list[bool] = []
    waiting = threading.Thread(target=lambda: answers.append(leds.wait(1, 60_000)))
    waiting.start()
    leds.close()
    waiting.join(30)
    assert answers == [False]


def test_a_call_runs_on_the_link_thread_between_two_pictures() -> None:
    link = MemoryLink(LEDS)
    leds = LiveLeds(link, SystemClock())
    assert leds.call_on_link_thread(lambda: link.open_count, ALL_MS) == 1
    with pytest.raises(ZeroDivisionError):
        leds.call_on_link_thread(lambda: 1 // 0, ALL_MS)
    assert leds.events() == [], "an invalid call is no loss"
    link.unavailable_reason = plain("gone")
    with raises(LedsUnavailable, plain("gone")):
        leds.call_on_link_thread(link.keep_alive, ALL_MS)
    with raises(LedsUnavailable, sentences.NO_ANSWER_WITHIN(leds=leds.name, ms=50)):
        leds.call_on_link_thread(lambda: link.open_count, 50)
    leds.close()
