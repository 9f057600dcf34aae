"""Signals on a status lamp and a buzzer, in a terminal, or nowhere: each a `ports.devices.Speaker`.

Every signal has a pattern; a new signal replaces the current one. The lamp goes on at most three
times a second, because faster flashing can trigger seizures.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from controller.config.buttons import BadSpeaker, SpeakerSettings
from controller.devices import sentences
from controller.devices.worker import Worker, close_quietly, defect_sentence
from controller.ports.devices import Clock
from controller.ports.events import DeviceEvent, DeviceLost, Signal
from controller.ports.sentences import REMEDY

log = logging.getLogger(__name__)

MIN_FLASH_PERIOD_MS = 334.0  # from one time the lamp goes on to the next


@dataclass(frozen=True, slots=True)
class PatternStep:
    """One step of a pattern."""

    duration_ms: float
    lamp: bool
    pitch_hz: float | None = None  # None: silent


@dataclass(frozen=True, slots=True)
class SignalPattern:
    """Steps to play once, then steps to repeat. Without repeated steps, the lamp stays on."""

    intro: tuple[PatternStep, ...]
    loop: tuple[PatternStep, ...] = ()

    def step_at(self, elapsed_ms: float) -> tuple[PatternStep, float | None]:
        """The step at that time, and how long it still lasts; None: for ever."""
        for steps in (self.intro, self.loop):
            length_ms = sum(step.duration_ms for step in steps)
            if steps and steps is self.loop:
                elapsed_ms %= length_ms
            for step in steps:
                if elapsed_ms < step.duration_ms:
                    return step, step.duration_ms - elapsed_ms
                elapsed_ms -= step.duration_ms
        return LAMP_ON, None


LAMP_ON = PatternStep(0.0, lamp=True)


def _melody(*notes: tuple[float, float | None]) -> tuple[PatternStep, ...]:
    """Notes of a duration and a pitch, with the lamp off: a lamp that was on blinks once."""
    return tuple(PatternStep(duration_ms, False, pitch_hz) for duration_ms, pitch_hz in notes)


# Players can tell them apart by ear. Pitches stay within the range of `TonalBuzzer` below.
SIGNAL_PATTERNS: Mapping[Signal, SignalPattern] = {
    Signal.READY: SignalPattern(_melody((120, 880), (40, None), (200, 1320))),
    Signal.YOUR_TURN: SignalPattern(_melody((80, 1320))),
    Signal.FIRE: SignalPattern(_melody((60, 2640), (60, 1760), (60, 1175), (90, 784))),
    Signal.CAPTURE: SignalPattern(_melody((100, 784), (30, None), (250, 392))),
    Signal.WRONG: SignalPattern(_melody((150, 330), (80, None), (300, 262))),
    Signal.TIME_LOW: SignalPattern(
        (
            PatternStep(60, False, 1760),
            PatternStep(440, True),
            PatternStep(60, False, 1760),
            PatternStep(440, True),
        )
    ),
    Signal.OVER: SignalPattern(_melody((150, 1047), (150, 1319), (150, 1568), (400, 2093))),
    # The lamp blinks until the next signal; the buzzer sounds only once.
    Signal.TROUBLE: SignalPattern(
        _melody((200, 392), (100, None), (200, 392), (100, None), (200, 392)),
        loop=(PatternStep(500, False), PatternStep(500, True)),
    ),
}


class LampBuzzerOutput(Protocol):
    """Hardware with a lamp and a buzzer."""

    name: str

    def set_lamp(self, lit: bool) -> None: ...

    def set_pitch(self, pitch_hz: float | None) -> None: ...

    def close(self) -> None: ...


class PatternSpeaker(Worker[DeviceEvent]):
    """Plays signal patterns on a lamp and a buzzer, in a thread.

    With `threaded=False` there is no thread: the owner of the clock calls `update`.
    """

    join_s = 2.0

    def __init__(self, output: LampBuzzerOutput, clock: Clock, threaded: bool = True) -> None:
        super().__init__()
        self._output, self._clock = output, clock
        # Guarded by `_changed`:
        self._current_signal: tuple[Signal, float] | None = None
        self._broken = False
        # Used by `update` only:
        self._lit = False
        self._lamp_on_ms = float("-inf")
        self._pitch_hz: float | None = None
        if threaded:
            self._start(output.name)

    @property
    def name(self) -> str:
        return self._output.name

    def play_signal(self, signal: Signal) -> None:
        with self._changed:
            if (
                signal is Signal.TROUBLE
                and self._current_signal is not None
                and self._current_signal[0] is signal
            ):
                return  # reports may come faster than the signal plays: do not restart it
            self._current_signal = (signal, self._clock.now_ms())
            self._changed.notify_all()

    def update(self) -> float | None:
        """Set lamp and buzzer for now; ms until the next change, None: until the next signal."""
        with self._changed:
            current = self._current_signal
            if current is None or self._broken or self._closed:
                return None
        signal, start_ms = current
        now_ms = self._clock.now_ms()
        step, left_ms = SIGNAL_PATTERNS[signal].step_at(now_ms - start_ms)
        try:
            return self._apply_step(step, left_ms, now_ms)
        except Exception as defect:
            log.exception("%s: the driver failed", self.name)
            reason = defect_sentence(defect)
            with self._changed:
                self._broken = True
                self._add_event(DeviceLost(self.name, reason, now_ms, is_permanent=True))
            close_quietly(self._output.close, self.name)  # else the buzzer might sound for ever
            return None

    def _apply_step(self, step: PatternStep, left_ms: float | None, now_ms: float) -> float | None:
        if step.pitch_hz != self._pitch_hz:
            self._output.set_pitch(step.pitch_hz)
            self._pitch_hz = step.pitch_hz
        if step.lamp and not self._lit:
            early_ms = self._lamp_on_ms + MIN_FLASH_PERIOD_MS - now_ms
            if early_ms > 0:
                return early_ms if left_ms is None else min(early_ms, left_ms)
            self._lamp_on_ms = now_ms
        if step.lamp != self._lit:
            self._output.set_lamp(step.lamp)
            self._lit = step.lamp
        return left_ms

    def _run(self) -> None:
        while not self._closed:
            current = self._current_signal
            left_ms = self.update()
            with self._changed:
                if self._current_signal is current and not self._closed:
                    self._changed.wait(None if left_ms is None else left_ms / 1000)

    def _finish(self) -> None:
        self._output.close()


class GpioOutput:
    """A lamp and a buzzer on GPIO pins; either may be missing."""

    name = "gpio://"

    def __init__(self, settings: SpeakerSettings, factory: Any) -> None:
        from gpiozero import LED, Buzzer, TonalBuzzer  # type: ignore[import-untyped]

        self._factory, self._tones = factory, settings.tones
        self._lamp: Any = None
        self._buzzer: Any = None
        fault, pin = sentences.LAMP_FAULT, settings.lamp
        try:
            if pin is not None:
                self._lamp = LED(pin, pin_factory=factory)
            fault, pin = sentences.BUZZER_FAULT, settings.buzzer
            if pin is not None and settings.tones:
                # 220 to 3520 Hz
                self._buzzer = TonalBuzzer(pin, mid_tone="A5", octaves=2, pin_factory=factory)
            elif pin is not None:
                self._buzzer = Buzzer(pin, pin_factory=factory)
        except Exception as error:  # the errors of gpiozero and lgpio share no base class
            self.close()
            problem = fault(pin=str(pin), reason=str(error))
            raise BadSpeaker(
                REMEDY(problem=problem, remedy=sentences.IS_SPEAKER_PIN_USED())
            ) from error

    def set_lamp(self, lit: bool) -> None:
        if self._lamp is not None:
            self._lamp.value = lit

    def set_pitch(self, pitch_hz: float | None) -> None:
        if self._buzzer is None:
            return
        if not self._tones:
            self._buzzer.value = pitch_hz is not None
        elif pitch_hz is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(pitch_hz)

    def close(self) -> None:
        devices = (self._lamp, self._buzzer, self._factory)
        self._lamp = self._buzzer = self._factory = None
        for device in devices:
            if device is not None:
                device.close()


class TerminalSpeaker:
    """Prints the name of a signal, and rings the terminal's bell for urgent ones."""

    name = "terminal://"
    bell_signals: Iterable[Signal] = (Signal.WRONG, Signal.TIME_LOW, Signal.TROUBLE)

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._closed = False

    def play_signal(self, signal: Signal) -> None:
        if not self._closed:
            bell = "\a" if signal in self.bell_signals and self._stream.isatty() else ""
            print(f"{bell}[{signal}]", file=self._stream, flush=True)

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True


class NullSpeaker:
    """A board without lamp and buzzer."""

    name = "none://"

    def play_signal(self, signal: Signal) -> None:
        """Does nothing."""

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        """Does nothing."""
