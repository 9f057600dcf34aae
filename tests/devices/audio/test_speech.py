"""Spoken turns: texts for every game, and voices that never block a game."""

from __future__ import annotations

import io
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.devices import sentences
from controller.devices.audio.speech import (
    MAX_SENTENCE_CHARS,
    EspeakVoice,
    TerminalVoice,
    speakable_text,
)
from controller.devices.clock import ManualClock, SystemClock
from controller.ports.devices import Voice
from controller.ports.events import DeviceRemark
from engine.sentences import plain
from tests.support.devices.recording_audio import RecordingVoice
from tests.support.engine.sentences import mentions

LONG_MS = 60_000
CLOCK = SystemClock()

# -- voices ------------------------------------------------------------------------------------


class Booth:
    """A folder with a fake espeak-ng that writes each sentence to a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "espeak-ng"
        self.gate = folder / "gate"
        self.voices: list[EspeakVoice] = []

    def install(self, ending: str = "") -> None:
        said = self.folder / "said"
        self.program.write_text(
            f'#!/bin/sh\ntext=$(cat)\necho "$$ $* | $text" >> {said}\n{ending}\n'
        )
        self.program.chmod(0o755)

    def hold(self) -> str:
        """The process blocks until `let_go`."""
        os.mkfifo(self.gate)
        return f"read word < {self.gate}"

    def let_go(self) -> None:
        with self.gate.open("w") as gate:
            gate.write("go\n")

    def lines(self) -> list[str]:
        said = self.folder / "said"
        return said.read_text("utf-8").splitlines() if said.exists() else []

    def said(self) -> list[str]:
        return [line.partition(" | ")[2] for line in self.lines()]

    def voice(self, **more: Any) -> EspeakVoice:
        self.voices.append(EspeakVoice(CLOCK, program=str(self.program), **more))
        return self.voices[-1]


@pytest.fixture
def booth(tmp_path: Path) -> Iterator[Booth]:
    made = Booth(tmp_path)
    yield made
    for voice in made.voices:
        voice.close()
    assert not [each for each in threading.enumerate() if each.name == EspeakVoice.name]


def await_that(condition: Callable[[], Any]) -> Any:
    end_ms = CLOCK.now_ms() + LONG_MS
    while CLOCK.now_ms() < end_ms:
        if result := condition():
            return result
        CLOCK.wait_ms(5)
    raise AssertionError("timed out")


def test_a_sentence_reaches_espeak_as_text_and_never_as_an_option(booth: Booth) -> None:
    booth.install()
    voice = booth.voice(language="de", words_per_minute=120)
    voice.say(plain("--version; `e4` to ♔ e5,\n takes [[g3]]"))
    await_that(booth.lines)
    assert booth.said() == ["--version; `e4` to ♔ e5, takes g3"]
    assert "-v de -s 120" in booth.lines()[0]
    assert "version" not in booth.lines()[0].partition(" | ")[0]
    assert voice.events() == []


def test_the_newest_sentence_replaces_a_waiting_one_but_not_the_current_one(booth: Booth) -> None:
    booth.install(booth.hold())
    voice = booth.voice()
    voice.say(plain("first"))
    await_that(booth.lines)
    for number in range(1000):
        voice.say(plain(f"number {number}"))
    booth.let_go()
    await_that(lambda: len(booth.lines()) == 2)
    booth.let_go()
    assert booth.said() == ["first", "number 999"]


def test_closing_stops_the_current_sentence_and_leaves_no_process(booth: Booth) -> None:
    booth.install("exec sleep 600")
    voice = booth.voice()
    voice.say(plain("a long story"))
    (line,) = await_that(booth.lines)
    voice.say(plain("another"))
    voice.close()
    voice.close()
    voice.say(plain("after the end"))
    with pytest.raises(ProcessLookupError):
        os.kill(int(line.split()[0]), 0)
    assert booth.said() == ["a long story"]
    assert voice.events() == []


def test_a_missing_espeak_is_reported_once_with_the_package_to_install(booth: Booth) -> None:
    voice = booth.voice()
    voice.say(plain("first"))
    (remark,) = await_that(voice.events)
    assert isinstance(remark, DeviceRemark)
    assert mentions(remark.sentence, sentences.INSTALL_ESPEAK(program="espeak-ng"))
    voice.say(plain("second"))
    await_that(lambda: voice._next_text is None)
    booth.install()
    voice.say(plain("third"))
    await_that(booth.lines)
    assert booth.said() == ["third"], "it is found once it is there"
    assert voice.events() == []


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        ("echo 'ALSA lib pcm.c' >&2; echo 'error: No such file or directory' >&2", "No such file"),
        ("echo 'no such voice' >&2; exit 2", "no such voice"),
        ("exit 3", "it ended with 3"),
    ],
)
def test_a_failure_is_reported_once_and_the_next_text_is_tried(
    booth: Booth, ending: str, reason: str
) -> None:
    booth.install(ending)
    voice = booth.voice()
    voice.say(plain("first"))
    (remark,) = await_that(voice.events)
    assert isinstance(remark, DeviceRemark)
    assert reason in str(remark.sentence)
    voice.say(plain("second"))
    await_that(lambda: len(booth.lines()) == 2)
    voice.close()
    assert voice.events() == []


def test_a_program_that_cannot_be_started_is_reported(booth: Booth) -> None:
    booth.program.write_text("#!/no/such/shell\n")
    booth.program.chmod(0o755)
    voice = booth.voice()
    voice.say(plain("first"))
    (remark,) = await_that(voice.events)
    assert mentions(remark.sentence, sentences.NOT_SPOKEN)


def test_a_hanging_program_is_ended_and_the_next_text_is_spoken(booth: Booth) -> None:
    booth.install('test "$text" = last || exec sleep 600')
    voice = booth.voice(timeout_s=0.2)
    voice.say(plain("first"))
    (remark,) = await_that(voice.events)
    assert mentions(remark.sentence, sentences.SPEECH_TIMED_OUT())
    voice._timeout_s = LONG_MS / 1000  # the next one ends, also on a slow machine
    voice.say(plain("last"))
    await_that(lambda: booth.said()[-1:] == ["last"])


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_the_real_espeak_speaks_a_sentence() -> None:
    """Without a loudspeaker that is the only problem."""
    voice = EspeakVoice(CLOCK)
    voice.say(plain("a4 to a5, takes g3"))
    await_that(lambda: voice._next_text is None and voice._process is None)
    for remark in voice.events():
        assert isinstance(remark, DeviceRemark)
        assert mentions(remark.sentence, sentences.CHECK_LOUDSPEAKER)
    voice.close()


def test_a_terminal_prints_the_sentences() -> None:
    voice = TerminalVoice(screen := io.StringIO())
    voice.say(plain("blue e4 to e5\n"))
    voice.say(plain(""))
    voice.close()
    voice.say(plain("too late"))
    assert screen.getvalue() == '"blue e4 to e5"\n'


def test_the_recording_voice_records_sentences_with_their_time() -> None:
    voice = RecordingVoice(clock := ManualClock())
    voice.say(plain("one"))
    clock.wait_ms(5)
    voice.say(plain("two"))
    voice.close()
    voice.say(plain("three"))
    assert voice.sentences == [(0, plain("one")), (5, plain("two"))]


@pytest.mark.parametrize("kind", ["espeak", "terminal", "recording"])
def test_every_voice_accepts_any_text_without_blocking(kind: str, booth: Booth) -> None:
    kinds: dict[str, Callable[[], Voice]] = {
        "espeak": booth.voice,
        "terminal": lambda: TerminalVoice(io.StringIO()),
        "recording": lambda: RecordingVoice(ManualClock()),
    }
    booth.install()
    voice = kinds[kind]()
    for sentence in ("", " ", "\0\x1b[31m", "x" * 100_000, "[[fi:]]", "\ud800", "e4"):
        voice.say(plain(sentence))
    voice.close()
    assert voice.events() == []


def test_spoken_text_is_one_line_of_limited_length() -> None:
    assert speakable_text(plain(" a\tb\x1b[2J\r\nc ")) == "a b 2J c"
    assert len(speakable_text(plain("x" * 100_000))) == MAX_SENTENCE_CHARS
    assert speakable_text(plain("\ud800e4")) == "e4"
