"""A speaker and a voice that record their calls with the time."""

from __future__ import annotations

from controller.ports.devices import Clock
from controller.ports.events import DeviceEvent, Signal
from engine.sentences import Sentence


class RecordingSpeaker:
    """Records signals."""

    name = "none://"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._closed = False
        self.signals: list[tuple[float, Signal]] = []

    def play_signal(self, signal: Signal) -> None:
        if not self._closed:
            self.signals.append((self._clock.now_ms(), signal))

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True


class RecordingVoice:
    """Records sentences."""

    name = "none://"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._closed = False
        self.sentences: list[tuple[float, Sentence]] = []

    def say(self, sentence: Sentence) -> None:
        if not self._closed and str(sentence):
            self.sentences.append((self._clock.now_ms(), sentence))

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True
