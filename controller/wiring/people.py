"""What people press and hear, and the computer that plays against them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TextIO

from controller.button_settings import (
    BadButtons,
    BadSpeaker,
    ButtonSettings,
    SpeakerSettings,
    read_button_url,
    read_speaker_url,
)
from controller.ports import (
    Buttons,
    Clock,
    Player,
    Speaker,
    Voice,
)
from controller.ports_keys import Keys
from engine.errors import UnknownName, did_you_mean, excerpt


def open_play_keys(clock: Clock, away: Callable[[], None], back: Callable[[], None]) -> Keys:
    """The keys of whoever plays in the terminal; `away` and `back` are called around a stop."""
    from controller.devices.raw_keys import RawKeys

    if sys.stdin is None:
        raise BadButtons("no keys can be read: standard input is closed")
    return RawKeys(sys.stdin.fileno(), clock, away, back)


def open_buttons(url: str, clock: Clock, settings: ButtonSettings) -> Buttons:
    """The buttons that a URL names."""
    from controller.devices.buttons import (
        GpioButtons,
        KeyboardButtons,
        NoButtons,
        ScriptedButtons,
        open_pins,
    )

    address = read_button_url(url)
    match address.kind:
        case "gpio":
            pins = open_pins("--buttons keyboard://", BadButtons)
            return GpioButtons(settings.pins, clock, pins)
        case "keyboard":
            if sys.stdin is None:
                raise BadButtons("buttons 'keyboard://': standard input is closed")
            return KeyboardButtons(sys.stdin.fileno(), clock)
        case "script":
            return ScriptedButtons(address.script, clock)
        case _:
            return NoButtons()


def open_speaker(url: str, clock: Clock, settings: SpeakerSettings, stream: TextIO) -> Speaker:
    """The lamp and the buzzer that a URL names."""
    from controller.devices.buttons import open_pins
    from controller.devices.speaker import (
        GpioOutput,
        RhythmSpeaker,
        SilentSpeaker,
        TerminalSpeaker,
    )

    match read_speaker_url(url):
        case "gpio":
            pins = open_pins("--speaker terminal://", BadSpeaker)
            return RhythmSpeaker(GpioOutput(settings, pins), clock)
        case "terminal":
            return TerminalSpeaker(stream)
        case _:
            return SilentSpeaker()


def open_voice(kind: str, clock: Clock, stream: TextIO) -> Voice:
    """Who says turns aloud: `espeak`, `terminal`, `none`, or `auto`: espeak-ng where it is."""
    from controller.devices.speech import EspeakVoice, SilentVoice, TerminalVoice, can_speak
    from controller.play_settings import VOICES

    match kind:
        case "espeak":
            return EspeakVoice(clock)
        case "auto" if can_speak():
            return EspeakVoice(clock)
        case "terminal":
            return TerminalVoice(stream)
        case "auto" | "none":
            return SilentVoice()
        case _:
            raise UnknownName(f"there is no voice {excerpt(kind)}{did_you_mean(kind, VOICES)}")


def open_player(clock: Clock) -> Player:
    """The computer player, in a process of its own."""
    from controller.devices.player import ProcessPlayer

    return ProcessPlayer(clock)


def open_engine(clock: Clock, command: Sequence[str], patience_s: float) -> Player:
    """A program that speaks the engine protocol, or our own without a command. Whatever goes wrong
    is told at once: nothing is asked twice."""
    from controller.devices.player import OWN_ENGINE, Patience, ProcessPlayer

    patience = Patience(answer_ms=1000 * patience_s, tries=1)
    if command:  # how long our own takes to start is not for those who wait to guess
        patience = replace(patience, start_ms=patience.answer_ms)
    return ProcessPlayer(clock, command or OWN_ENGINE, patience)


def open_program(
    url: str, clock: Clock, understand: Callable[[str], str], told: Callable[[], None]
) -> Player:
    """Somebody's program, which answers over HTTP."""
    from controller.devices.remote_player import RemotePlayer
    from controller.program_address import read_program_url

    return RemotePlayer(clock, read_program_url(url), understand, told)


def direct_player(clock: Clock) -> Player:
    """The computer player, which thinks while time stands still."""
    from controller.devices.player import DirectPlayer

    return DirectPlayer(clock)
