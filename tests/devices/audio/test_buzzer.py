"""Lamp and buzzer: the sound of each signal, the flash limit, and that nothing blocks."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.buttons import BadSpeaker, SpeakerSettings
from controller.devices import sentences
from controller.devices.audio.buzzer import (
    SIGNAL_PATTERNS,
    GpioOutput,
    NullSpeaker,
    PatternSpeaker,
    TerminalSpeaker,
)
from controller.devices.clock import ManualClock, SystemClock
from controller.ports.devices import Speaker
from controller.ports.events import DeviceLost, Signal
from controller.ports.sentences import problem_and_remedy
from tests.support.devices.fake_pins import Pins, PwmPins
from tests.support.devices.recording_audio import RecordingSpeaker
from tests.support.engine.sentences import raises

THREE_HZ_MS = 1000 / 3


class RecordingOutput:
    """A lamp and a buzzer that record their states with the time."""

    name = "recording output"

    def __init__(self, clock: ManualClock | SystemClock) -> None:
        self.clock = clock
        self.lights: list[tuple[float, bool]] = []
        self.sounds: list[tuple[float, float | None]] = []
        self.breaks = False
        self.closed = 0
        self.silent = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.hanging = threading.Event()

    def set_lamp(self, lit: bool) -> None:
        self.lights.append((self.clock.now_ms(), lit))

    def set_pitch(self, pitch_hz: float | None) -> None:
        if self.breaks:
            raise OSError("the wire is off")
        if pitch_hz is None and not self.may_go_on.is_set():
            self.hanging.set()
            self.may_go_on.wait(20)
        self.sounds.append((self.clock.now_ms(), pitch_hz))
        if pitch_hz is None:
            self.silent.set()

    def close(self) -> None:
        self.closed += 1


class Fixture:
    """A speaker without a thread on a manual clock."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.output = RecordingOutput(self.clock)
        self.speaker = PatternSpeaker(self.output, self.clock, threaded=False)

    def listen(self, duration_ms: float) -> None:
        end_ms = self.clock.now_ms() + duration_ms
        while True:
            left_ms = self.speaker.update()
            until_end_ms = end_ms - self.clock.now_ms()
            if left_ms is None or left_ms >= until_end_ms:
                break
            assert left_ms > 0
            self.clock.wait_ms(left_ms)
        self.clock.wait_ms(until_end_ms)


def assert_slower_than_three_hz(output: RecordingOutput) -> None:
    lit = [at_ms for at_ms, is_lit in output.lights if is_lit]
    for earlier, later in pairwise(lit):
        assert later - earlier >= THREE_HZ_MS


def pitches(signal: Signal) -> list[float | None]:
    fixture = Fixture()
    fixture.speaker.play_signal(signal)
    fixture.listen(10_000)
    return [pitch for _, pitch in fixture.output.sounds]


def test_every_signal_has_a_distinct_sound_that_ends() -> None:
    tunes = [tuple(pitches(signal)) for signal in Signal]
    assert all(tune[0] is not None and tune[-1] is None for tune in tunes)
    assert len(set(tunes)) == len(Signal)


def test_a_signal_is_played_in_its_rhythm() -> None:
    fixture = Fixture()
    fixture.clock.wait_ms(1000)
    fixture.speaker.play_signal(Signal.CAPTURE)
    fixture.listen(5000)
    assert fixture.output.sounds == [(1000, 784), (1100, None), (1130, 392), (1380, None)]
    assert fixture.output.lights == [(1380, True)], "and the lamp stays lit"


def test_playing_a_signal_does_not_block() -> None:
    fixture = Fixture()
    for signal in Signal:
        fixture.speaker.play_signal(signal)
    assert fixture.clock.now_ms() == 0
    assert fixture.output.sounds == []


def test_the_newest_signal_replaces_the_previous_one() -> None:
    fixture = Fixture()
    fixture.speaker.play_signal(Signal.OVER)
    fixture.listen(200)
    fixture.speaker.play_signal(Signal.YOUR_TURN)
    fixture.listen(5000)
    assert fixture.output.sounds == [(0, 1047), (150, 1319), (200, 1320), (280, None)]


def test_trouble_sounds_once_and_blinks_until_another_signal() -> None:
    fixture = Fixture()
    fixture.speaker.play_signal(Signal.TROUBLE)
    fixture.listen(60_000)
    assert len([lit for _, lit in fixture.output.lights if lit]) >= 50
    assert max(at_ms for at_ms, _ in fixture.output.sounds) < 1000
    fixture.speaker.play_signal(Signal.TROUBLE)
    fixture.listen(1000)
    assert max(at_ms for at_ms, _ in fixture.output.sounds) < 1000, "it is already being signalled"
    fixture.speaker.play_signal(Signal.READY)
    fixture.listen(1000)
    quiet = len(fixture.output.lights)
    fixture.listen(60_000)
    assert len(fixture.output.lights) == quiet
    assert fixture.output.lights[-1][1]


@pytest.mark.parametrize("signal", Signal)
def test_no_signal_flashes_the_lamp_above_three_hz(signal: Signal) -> None:
    fixture = Fixture()
    fixture.speaker.play_signal(Signal.READY)
    fixture.listen(1000)
    fixture.speaker.play_signal(signal)
    fixture.listen(10_000)
    assert_slower_than_three_hz(fixture.output)


@given(st.lists(st.tuples(st.sampled_from(Signal), st.integers(0, 700)), max_size=40))
def test_no_sequence_of_signals_flashes_the_lamp_above_three_hz(
    reported: list[tuple[Signal, int]],
) -> None:
    fixture = Fixture()
    for signal, pause_ms in reported:
        fixture.speaker.play_signal(signal)
        fixture.listen(pause_ms)
    fixture.listen(5000)
    assert_slower_than_three_hz(fixture.output)
    assert not reported or any(lit for _, lit in fixture.output.lights), "but it does light up"


def test_a_driver_that_fails_is_reported_once_and_closed() -> None:
    fixture = Fixture()
    fixture.output.breaks = True
    for _ in range(3):
        fixture.speaker.play_signal(Signal.FIRE)
        fixture.listen(1000)
    (lost,) = fixture.speaker.events()
    assert isinstance(lost, DeviceLost)
    assert lost.is_permanent
    assert lost.reason == sentences.DEFECT(error="OSError", message="the wire is off")
    assert fixture.output.closed == 1


# --- the thread ---------------------------------------------------------------------------------


def test_the_thread_plays_signals_and_ends_with_close() -> None:
    output = RecordingOutput(clock := SystemClock())
    speaker = PatternSpeaker(output, clock)
    speaker.play_signal(Signal.YOUR_TURN)
    assert output.silent.wait(20)
    speaker.close()
    speaker.close()
    assert [pitch for _, pitch in output.sounds] == [1320, None]
    assert output.closed == 1
    assert not [each for each in threading.enumerate() if each.name == RecordingOutput.name]


def test_a_driver_that_hangs_does_not_block_and_then_plays_the_newest_signal() -> None:
    output = RecordingOutput(clock := SystemClock())
    output.may_go_on.clear()
    speaker = PatternSpeaker(output, clock)
    speaker.play_signal(Signal.YOUR_TURN)
    assert output.hanging.wait(20)
    play_thread = threading.Thread(target=lambda: speaker.play_signal(Signal.OVER))
    play_thread.start()
    play_thread.join(20)
    assert not play_thread.is_alive()
    assert speaker.events() == []
    output.may_go_on.set()
    end_ms = clock.now_ms() + 20_000
    last_of_over = SIGNAL_PATTERNS[Signal.OVER].intro[-1].pitch_hz
    while last_of_over not in dict(output.sounds).values() and clock.now_ms() < end_ms:
        clock.wait_ms(5)
    assert last_of_over in dict(output.sounds).values()
    speaker.close()


# --- pins ---------------------------------------------------------------------------------------


def on_pins(
    pins: Pins, clock: ManualClock, settings: SpeakerSettings | None = None
) -> PatternSpeaker:
    return PatternSpeaker(GpioOutput(settings or SpeakerSettings(), pins), clock, threaded=False)


def test_a_passive_buzzer_gets_the_pitch_and_the_lamp_its_level() -> None:
    pins = PwmPins(clock := ManualClock())
    speaker = on_pins(pins, clock)
    lamp, buzzer = pins.pin(24), pins.pin(18)
    assert (lamp.state, buzzer.frequency) == (0, None)
    speaker.play_signal(Signal.YOUR_TURN)
    speaker.update()
    assert (lamp.state, buzzer.frequency, buzzer.state) == (0, 1320, 0.5)
    clock.wait_ms(100)
    speaker.update()
    assert (lamp.state, buzzer.frequency) == (1, None)
    speaker.close()
    assert (lamp.function, buzzer.function, pins.closed) == ("input", "input", True)


@pytest.mark.parametrize("signal", Signal)
def test_every_pitch_can_be_played_on_pins(signal: Signal) -> None:
    pins = PwmPins(clock := ManualClock())
    speaker = on_pins(pins, clock)
    speaker.play_signal(signal)
    for _ in range(400):
        speaker.update()
        clock.wait_ms(5)
    assert speaker.events() == []


def test_an_active_buzzer_is_only_switched_on_and_off() -> None:
    pins = Pins(clock := ManualClock())
    speaker = on_pins(pins, clock, SpeakerSettings(tones=False))
    speaker.play_signal(Signal.FIRE)
    speaker.update()
    assert pins.pin(18).state == 1
    clock.wait_ms(1000)
    speaker.update()
    assert (pins.pin(18).state, pins.pin(24).state) == (0, 1)


def test_lamp_or_buzzer_may_be_missing() -> None:
    clock = ManualClock()
    for settings in (SpeakerSettings(lamp=None), SpeakerSettings(buzzer=None)):
        speaker = on_pins(PwmPins(clock), clock, settings)
        speaker.play_signal(Signal.OVER)
        speaker.update()
        assert speaker.events() == []
        speaker.close()


def test_a_pin_in_use_is_named() -> None:
    from gpiozero import Button  # type: ignore[import-untyped]

    pins = PwmPins(ManualClock())
    button = Button(18, pin_factory=pins)
    with raises(BadSpeaker, sentences.IS_SPEAKER_PIN_USED()) as caught:
        GpioOutput(SpeakerSettings(), pins)
    problem, _ = problem_and_remedy(caught.value.sentence)
    assert problem.slots["pin"] == "18"
    assert not button.closed


# --- the others ---------------------------------------------------------------------------------


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_prints_signals_and_rings_the_bell_for_urgent_ones() -> None:
    speaker = TerminalSpeaker(screen := Screen())
    speaker.play_signal(Signal.YOUR_TURN)
    speaker.play_signal(Signal.WRONG)
    assert screen.getvalue() == "[your turn]\n\a[wrong]\n"


def test_no_bell_is_written_to_a_file() -> None:
    speaker = TerminalSpeaker(file := io.StringIO())
    speaker.play_signal(Signal.WRONG)
    assert file.getvalue() == "[wrong]\n"


def test_the_recording_speaker_records_signals_with_their_time() -> None:
    speaker = RecordingSpeaker(clock := ManualClock())
    speaker.play_signal(Signal.READY)
    clock.wait_ms(5)
    speaker.play_signal(Signal.FIRE)
    assert speaker.signals == [(0, Signal.READY), (5, Signal.FIRE)]


@pytest.mark.parametrize("kind", ["pins", "terminal", "recording", "silent"])
def test_every_speaker_accepts_every_signal_even_after_closing(kind: str) -> None:
    clock = ManualClock()
    kinds: dict[str, Callable[[], Speaker]] = {
        "pins": lambda: PatternSpeaker(GpioOutput(SpeakerSettings(), PwmPins(clock)), clock),
        "terminal": lambda: TerminalSpeaker(io.StringIO()),
        "recording": lambda: RecordingSpeaker(clock),
        "silent": NullSpeaker,
    }
    speaker = kinds[kind]()
    for _ in range(2):
        for signal in Signal:
            speaker.play_signal(signal)
        assert speaker.events() == []
        speaker.close()
    assert clock.now_ms() == 0


def test_every_signal_has_a_pattern() -> None:
    assert set(SIGNAL_PATTERNS) == set(Signal)
