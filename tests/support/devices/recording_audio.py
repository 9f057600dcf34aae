"""A speaker and a voice that record their calls with the time."""

from __future__ import annotations

from controller.devices.audio.speech import speakable_text
from controller.ports.devices import Clock
from controller.ports.events import DeviceEvent, Signal


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
        self.sentences: list[tuple[float, str]] = []

    def say(self, sentence: str) -> None:
        if not self._closed and speakable_text(sentence):
            self.sentences.append((self._clock.now_ms(), speakable_text(sentence)))

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True
