"""Spoken sentences through espeak-ng, in a terminal, or nowhere: each a `ports.devices.Voice`.

A sentence is spoken to its end. Of the sentences that arrive meanwhile only the newest is spoken.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Sequence
from typing import TextIO

from controller.devices import sentences
from controller.devices.worker import Worker
from controller.ports.devices import Clock
from controller.ports.events import DeviceEvent, DeviceRemark
from controller.ports.sentences import REMEDY
from engine.sentences import Sentence, plain

log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
MAX_SENTENCE_CHARS = 1000  # more than a minute of speech
SPEAK_TIMEOUT_S = 120.0


class EspeakVoice(Worker[DeviceEvent]):
    """Speaks through espeak-ng: one process for each sentence, started by a thread.

    Looks for the program when there is a sentence to speak. Reports each problem once; a problem
    never stops a game.
    """

    join_s = 5.0
    name = PROGRAM

    def __init__(
        self,
        clock: Clock,
        language: str = "en",
        words_per_minute: int = 160,
        program: str = PROGRAM,
        timeout_s: float = SPEAK_TIMEOUT_S,
    ) -> None:
        super().__init__()
        self._clock, self._program, self._timeout_s = clock, program, timeout_s
        self._options = ("-v", language, "-s", str(words_per_minute), "-b", "1", "--stdin")
        # Guarded by `_changed`:
        self._next_text: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._reported: set[Sentence] = set()
        self._start(self.name)

    def say(self, sentence: Sentence) -> None:
        with self._changed:
            if not self._closed:
                self._next_text = speakable_text(sentence)
                self._changed.notify_all()

    def _on_close(self) -> None:
        with self._changed:
            if self._process is not None:
                self._process.kill()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._next_text or self._closed)
                if self._closed:
                    return
                text, self._next_text = self._next_text or "", None
            path = shutil.which(self._program)
            if path is None:
                self._report_once(
                    REMEDY(
                        problem=sentences.NO_ESPEAK(program=PROGRAM),
                        remedy=sentences.INSTALL_ESPEAK(program=PROGRAM),
                    )
                )
            else:
                self._speak([path, *self._options], text)

    def _speak(self, command: Sequence[str], text: str) -> None:
        try:
            speaking = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that Ctrl-C in the terminal does not reach it
            )
        except OSError as error:
            log.debug("cannot start %s", command[0], exc_info=True)
            reason = error.strerror or str(error)
            self._report_once(sentences.NOT_SPOKEN(program=command[0], reason=reason))
            return
        with self._changed:
            self._process = speaking
            if self._closed:
                speaking.kill()
        complaint: bytes | None
        failure: Sentence | None
        try:
            _, complaint = speaking.communicate(text.encode(), self._timeout_s)
        except subprocess.TimeoutExpired:
            speaking.kill()
            speaking.communicate()
            complaint = None
        with self._changed:
            self._process = None
            if self._closed:
                return
        if complaint is None:
            late = sentences.SPEECH_TIMED_OUT()
            failure = sentences.NOT_SPOKEN(program=self.name, reason=late)
        else:
            errors = complaint.decode("utf-8", "replace")
            failure = _failure_sentence(self.name, speaking.returncode, errors)
        if failure is not None:
            self._report_once(failure)

    def _report_once(self, sentence: Sentence) -> None:
        with self._changed:
            if sentence not in self._reported:
                self._reported.add(sentence)
                self._add_event(DeviceRemark(self.name, sentence, self._clock.now_ms()))


class TerminalVoice:
    """Prints the sentences."""

    name = "terminal://"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._closed = False

    def say(self, sentence: Sentence) -> None:
        text = speakable_text(sentence)
        if not self._closed and text:
            print(f'"{text}"', file=self._stream, flush=True)

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._closed = True


class NullVoice:
    """Says nothing."""

    name = "none://"

    def say(self, sentence: Sentence) -> None:
        """Does nothing."""

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        """Does nothing."""


def is_espeak_installed() -> bool:
    """Whether espeak-ng is installed."""
    return shutil.which(PROGRAM) is not None


def speakable_text(sentence: Sentence) -> str:
    """A sentence as one line of text without espeak-ng commands, cut to MAX_SENTENCE_CHARS."""
    printable = "".join(char if char.isprintable() else " " for char in str(sentence))
    # espeak-ng reads [[...]] as phonemes.
    return " ".join(printable.replace("[", " ").replace("]", " ").split())[:MAX_SENTENCE_CHARS]


def _failure_sentence(program: str, code: int, complaint: str) -> Sentence | None:
    """Why the sentence was not audible, or None. Without a sound card espeak-ng exits with 0."""
    errors = [line for line in complaint.splitlines() if line.lower().startswith("error")]
    if not errors and code == 0:
        return None
    lines = errors or complaint.strip().splitlines()
    reason = plain(lines[-1].strip()) if lines else sentences.ENDED_WITH(code=code)
    problem = sentences.NOT_SPOKEN(program=program, reason=reason)
    if "ALSA" in complaint:
        return REMEDY(problem=problem, remedy=sentences.CHECK_LOUDSPEAKER())
    return problem
