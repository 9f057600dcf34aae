"""A status lamp and a buzzer as a `controller.ports.Speaker`; also in a terminal, or none at all.

Every signal is a rhythm. The newest replaces the one before, and however fast they come, the lamp
goes on at most three times a second: faster flashing can hurt people.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from controller.button_settings import BadSpeaker, SpeakerSettings
from controller.ports import Clock, DeviceEvent, DeviceLost, Signal

SHORTEST_FLASH_MS = 334.0  # from one lighting up to the next
JOIN_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of a rhythm."""

    duration_ms: float
    lamp: bool
    pitch_hz: float | None = None  # None: silent


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Beats to play once, and others to go on with. Without those, the lamp stays lit at the end:
    all is well."""

    once: tuple[Beat, ...]
    forever: tuple[Beat, ...] = ()

    def at(self, elapsed_ms: float) -> tuple[Beat, float | None]:
        """The beat at that time, and how long it still lasts; None: for good."""
        for beats in (self.once, self.forever):
            length_ms = sum(beat.duration_ms for beat in beats)
            if beats and beats is self.forever:
                elapsed_ms %= length_ms
            for beat in beats:
                if elapsed_ms < beat.duration_ms:
                    return beat, beat.duration_ms - elapsed_ms
                elapsed_ms -= beat.duration_ms
        return LIT, None


LIT = Beat(0.0, lamp=True)


def _melody(*notes: tuple[float, float | None]) -> tuple[Beat, ...]:
    """Notes of so many ms and a pitch, while the lamp is dark: a lit lamp winks once."""
    return tuple(Beat(duration_ms, False, pitch_hz) for duration_ms, pitch_hz in notes)


# Each is told from the others by ear; pitches are within what `TonalBuzzer` is given below.
RHYTHMS: Mapping[Signal, Rhythm] = {
    Signal.READY: Rhythm(_melody((120, 880), (40, None), (200, 1320))),
    Signal.YOUR_TURN: Rhythm(_melody((80, 1320))),
    Signal.FIRE: Rhythm(_melody((60, 2640), (60, 1760), (60, 1175), (90, 784))),
    Signal.CAPTURE: Rhythm(_melody((100, 784), (30, None), (250, 392))),
    Signal.WRONG: Rhythm(_melody((150, 330), (80, None), (300, 262))),
    Signal.TIME_LOW: Rhythm(
        (Beat(60, False, 1760), Beat(440, True), Beat(60, False, 1760), Beat(440, True))
    ),
    Signal.OVER: Rhythm(_melody((150, 1047), (150, 1319), (150, 1568), (400, 2093))),
    # The lamp blinks until something else is told; nobody could bear that of the buzzer.
    Signal.TROUBLE: Rhythm(
        _melody((200, 392), (100, None), (200, 392), (100, None), (200, 392)),
        forever=(Beat(500, False), Beat(500, True)),
    ),
}


class Output(Protocol):
    """What lights up and sounds."""

    name: str

    def light(self, lit: bool) -> None: ...

    def sound(self, pitch_hz: float | None) -> None: ...

    def close(self) -> None: ...


class RhythmSpeaker:
    """Plays rhythms on a lamp and a buzzer, in a thread of its own.

    With `threaded=False` there is none: whoever has the clock calls `play`.
    """

    def __init__(self, output: Output, clock: Clock, threaded: bool = True) -> None:
        self._output, self._clock = output, clock
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._told: tuple[Signal, float] | None = None
        self._closed = False
        self._broken = False
        self._events: list[DeviceEvent] = []
        # Only for whoever plays:
        self._lit = False
        self._lit_ms = float("-inf")
        self._pitch_hz: float | None = None
        self._thread: threading.Thread | None = None
        if threaded:
            self._thread = threading.Thread(target=self._run, name=output.name, daemon=True)
            self._thread.start()

    @property
    def name(self) -> str:
        return self._output.name

    def tell(self, signal: Signal) -> None:
        with self._changed:
            if signal is Signal.TROUBLE and self._told is not None and self._told[0] is signal:
                return  # it is being told, and would never get past its beginning
            self._told = (signal, self._clock.now_ms())
            self._changed.notify_all()

    def events(self) -> list[DeviceEvent]:
        with self._changed:
            events, self._events = self._events, []
            return events

    def close(self) -> None:
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        if self._thread is None:
            self._output.close()
        else:
            self._thread.join(JOIN_SECONDS)  # a driver that hangs is left behind: it is a daemon

    def play(self) -> float | None:
        """Put lamp and buzzer where they belong now; ms until that changes, None: by a signal."""
        with self._changed:
            told = self._told
            if told is None or self._broken or self._closed:
                return None
        signal, start_ms = told
        now_ms = self._clock.now_ms()
        beat, left_ms = RHYTHMS[signal].at(now_ms - start_ms)
        try:
            return self._play(beat, left_ms, now_ms)
        except Exception as defect:  # of a driver: the game goes on without
            reason = f"{type(defect).__name__}: {defect}"
            with self._changed:
                self._broken = True
                self._events.append(DeviceLost(self.name, reason, now_ms, for_good=True))
            with contextlib.suppress(Exception):
                self._output.close()  # rather dark than a buzzer that does not end
            return None

    def _play(self, beat: Beat, left_ms: float | None, now_ms: float) -> float | None:
        if beat.pitch_hz != self._pitch_hz:
            self._output.sound(beat.pitch_hz)
            self._pitch_hz = beat.pitch_hz
        if beat.lamp and not self._lit:
            early_ms = self._lit_ms + SHORTEST_FLASH_MS - now_ms
            if early_ms > 0:
                return early_ms if left_ms is None else min(early_ms, left_ms)
            self._lit_ms = now_ms
        if beat.lamp != self._lit:
            self._output.light(beat.lamp)
            self._lit = beat.lamp
        return left_ms

    def _run(self) -> None:
        while not self._closed:
            told = self._told
            left_ms = self.play()
            with self._changed:
                if self._told is told and not self._closed:
                    self._changed.wait(None if left_ms is None else left_ms / 1000)
        self._output.close()


class GpioOutput:
    """A lamp and a buzzer on the Pi's pins, either of which may be missing."""

    name = "gpio://"

    def __init__(self, settings: SpeakerSettings, factory: Any) -> None:
        from gpiozero import LED, Buzzer, TonalBuzzer  # type: ignore[import-untyped]

        self._factory, self._tones = factory, settings.tones
        self._lamp: Any = None
        self._buzzer: Any = None
        what, pin = "the lamp", settings.lamp
        try:
            if pin is not None:
                self._lamp = LED(pin, pin_factory=factory)
            what, pin = "the buzzer", settings.buzzer
            if pin is not None and settings.tones:
                # 220 to 3520 Hz
                self._buzzer = TonalBuzzer(pin, mid_tone="A5", octaves=2, pin_factory=factory)
            elif pin is not None:
                self._buzzer = Buzzer(pin, pin_factory=factory)
        except Exception as bad:  # of gpiozero or of lgpio, which share no base
            self.close()
            raise BadSpeaker(
                f"{what} on pin {pin}: {bad}; is another program using the pin? `speaker` in the"
                " board file names another"
            ) from None

    def light(self, lit: bool) -> None:
        if self._lamp is not None:
            self._lamp.value = lit

    def sound(self, pitch_hz: float | None) -> None:
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
    """Says signals in words, and rings the terminal's bell for what must not be missed."""

    name = "terminal://"
    rings: Iterable[Signal] = (Signal.WRONG, Signal.TIME_LOW, Signal.TROUBLE)

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._closed = False

    def tell(self, signal: Signal) -> None:
        if not self._closed:
            bell = "\a" if signal in self.rings and self._stream.isatty() else ""
            print(f"{bell}[{signal}]", file=self._stream, flush=True)

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True


class RecordingSpeaker:
    """Remembers what it was told, and when: for simulation and tests. Says nothing."""

    name = "none://"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._closed = False
        self.told: list[tuple[float, Signal]] = []

    def tell(self, signal: Signal) -> None:
        if not self._closed:
            self.told.append((self._clock.now_ms(), signal))

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True


class SilentSpeaker:
    """A board without lamp and buzzer."""

    name = "none://"

    def tell(self, signal: Signal) -> None:
        """Nobody hears it."""

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        """There is nothing to let go."""
