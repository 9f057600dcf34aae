"""Voices and computer players opened by the factory."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from controller.config.play import VOICE_CHOICES
from controller.devices import sentences
from controller.devices.clock import ManualClock
from controller.devices.factory.inputs import open_computer_player, open_voice
from engine import catalogue
from engine.errors import UnknownName
from engine.sentences import plain
from tests.support.engine.sentences import raises


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def names() -> dict[str, str]:
    found = {}
    for kind in VOICE_CHOICES:
        voice = open_voice(kind, ManualClock(), StringIO())
        found[kind] = voice.name
        voice.close()
        voice.close()
    return found


def test_auto_speaks_only_where_espeak_is_installed(tools: Path) -> None:
    assert names() == {
        "auto": "none://",
        "espeak": "espeak-ng",
        "terminal": "terminal://",
        "none": "none://",
    }
    (tools / "espeak-ng").write_text("#!/bin/sh\n")
    (tools / "espeak-ng").chmod(0o755)
    assert names()["auto"] == "espeak-ng"


def test_the_silent_voice_gives_no_output_and_no_event() -> None:
    stream = StringIO()
    voice = open_voice("none", ManualClock(), stream)
    voice.say(plain("e4 to e5"))
    assert (stream.getvalue(), voice.events()) == ("", [])


def test_an_unknown_voice_is_refused_with_a_suggestion() -> None:
    with raises(
        UnknownName,
        sentences.NO_SUCH_VOICE(value="'espaek'", suggestion=catalogue.DID_YOU_MEAN(name="espeak")),
    ):
        open_voice("espaek", ManualClock(), StringIO())


def test_a_player_can_be_closed_before_its_first_question() -> None:
    player = open_computer_player(ManualClock())
    assert player.events() == []
    player.close()
    player.close()
