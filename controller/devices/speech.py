"""Sentences said aloud by espeak-ng, in a terminal, or remembered: each a `controller.ports.Voice`.

What is being said is said to its end; of what comes meanwhile, only the newest is said next.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Sequence
from typing import TextIO

from controller.ports import Clock, DeviceEvent, DeviceRemark

PROGRAM = "espeak-ng"
MISSING = (
    f"turns are not spoken: {PROGRAM} is not on this machine; `sudo apt install {PROGRAM}`, "
    "or do without"
)
LONGEST_SENTENCE = 1000  # more than a minute: nobody would listen
PATIENCE_S = 120.0
JOIN_S = 5.0


class EspeakVoice:
    """Speaks through espeak-ng, one process a sentence, from a thread of its own.

    The program is looked for when there is something to say. Trouble is told once, not with every
    sentence, and never stops a game.
    """

    name = PROGRAM

    def __init__(
        self,
        clock: Clock,
        language: str = "en",
        words_per_minute: int = 160,
        program: str = PROGRAM,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._clock, self._program, self._patience_s = clock, program, patience_s
        self._options = ("-v", language, "-s", str(words_per_minute), "-b", "1", "--stdin")
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._next: str | None = None
        self._speaking: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._events: list[DeviceEvent] = []
        self._told: set[str] = set()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def say(self, sentence: str) -> None:
        with self._changed:
            if not self._closed:
                self._next = for_the_ear(sentence)
                self._changed.notify_all()

    def events(self) -> list[DeviceEvent]:
        with self._changed:
            events, self._events = self._events, []
            return events

    def close(self) -> None:
        with self._changed:
            self._closed, self._next = True, None
            if self._speaking is not None:
                self._speaking.kill()
            self._changed.notify_all()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._next and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                sentence, self._next = self._next or "", None
            found = shutil.which(self._program)
            if found is None:
                self._remark(MISSING)
            else:
                self._speak([found, *self._options], sentence)

    def _speak(self, command: Sequence[str], sentence: str) -> None:
        try:
            speaking = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in a terminal is not meant for it
            )
        except OSError as trouble:
            self._remark(f"turns are not spoken: {command[0]}: {trouble.strerror}")
            return
        with self._changed:
            self._speaking = speaking
            if self._closed:
                speaking.kill()
        try:
            _, complaint = speaking.communicate(sentence.encode(), self._patience_s)
        except subprocess.TimeoutExpired:
            speaking.kill()
            speaking.communicate()
            complaint = b"error: it did not come to an end"
        with self._changed:
            self._speaking = None
            if self._closed:
                return
        reason = _trouble(speaking.returncode, complaint.decode("utf-8", "replace"))
        if reason:
            self._remark(f"turns are not spoken: {self.name}: {reason}")

    def _remark(self, sentence: str) -> None:
        with self._changed:
            if sentence not in self._told:
                self._told.add(sentence)
                self._events.append(DeviceRemark(self.name, sentence, self._clock.now_ms()))


class TerminalVoice:
    """Prints what would be said."""

    name = "terminal://"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._closed = False

    def say(self, sentence: str) -> None:
        if not self._closed and for_the_ear(sentence):
            print(f'"{for_the_ear(sentence)}"', file=self._stream, flush=True)

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True


class SilentVoice:
    """Says nothing."""

    name = "none://"

    def say(self, sentence: str) -> None:
        """Nobody hears it."""

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        """There is nothing to end."""


class RecordingVoice:
    """Remembers what it was to say, and when: for simulation and tests. Says nothing."""

    name = "none://"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._closed = False
        self.said: list[tuple[float, str]] = []

    def say(self, sentence: str) -> None:
        if not self._closed and for_the_ear(sentence):
            self.said.append((self._clock.now_ms(), for_the_ear(sentence)))

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True


def can_speak() -> bool:
    """Whether espeak-ng is on this machine."""
    return shutil.which(PROGRAM) is not None


def for_the_ear(sentence: str) -> str:
    """One line without signs that espeak-ng would take for orders, and not too long."""
    printable = "".join(sign if sign.isprintable() else " " for sign in sentence)
    # Two brackets begin phonemes.
    return " ".join(printable.replace("[", " ").replace("]", " ").split())[:LONGEST_SENTENCE]


def _trouble(code: int, complaint: str) -> str:
    """Why nothing was heard; empty if it was. Without a sound card espeak-ng ends with 0."""
    errors = [line for line in complaint.splitlines() if line.lower().startswith("error")]
    if not errors and code == 0:
        return ""
    lines = errors or complaint.strip().splitlines() or [f"it ended with {code}"]
    hint = "; is there a loudspeaker? `aplay -l` lists them" if "ALSA" in complaint else ""
    return lines[-1].strip() + hint
