"""Opens buttons, keys, speakers, voices and computer players."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import BinaryIO, TextIO

from controller.config.buttons import (
    BadButtons,
    BadSpeaker,
    ButtonSettings,
    SpeakerSettings,
    parse_button_url,
    parse_speaker_url,
)
from controller.devices import sentences
from controller.ports.devices import Buttons, Clock, MoveChooser, Speaker, Voice
from controller.ports.keyboard import Keys
from engine.errors import UnknownName, did_you_mean, excerpt


def open_terminal_keys(
    clock: Clock, on_suspend: Callable[[], None], on_resume: Callable[[], None]
) -> Keys:
    """The keys of this terminal. Calls `on_suspend` before Ctrl-Z stops it, `on_resume` after."""
    from controller.devices.keyboard import TerminalKeys

    if sys.stdin is None:
        raise BadButtons(sentences.NO_KEYS())
    return TerminalKeys(sys.stdin.fileno(), clock, on_suspend, on_resume)


def open_buttons(url: str, clock: Clock, settings: ButtonSettings) -> Buttons:
    """Open the buttons of a URL: `gpio://`, `keyboard://`, `script://...` or `none://`."""
    from controller.devices.buttons import (
        GpioButtons,
        KeyboardButtons,
        NullButtons,
        ScriptedButtons,
        open_gpio,
    )

    address = parse_button_url(url)
    match address.kind:
        case "gpio":
            pins = open_gpio("--buttons keyboard://", BadButtons)
            return GpioButtons(settings.pins, clock, pins)
        case "keyboard":
            if sys.stdin is None:
                raise BadButtons(sentences.KEYBOARD_CLOSED())
            return KeyboardButtons(sys.stdin.fileno(), clock)
        case "script":
            return ScriptedButtons(address.script, clock)
        case _:
            return NullButtons()


def open_speaker(url: str, clock: Clock, settings: SpeakerSettings, stream: TextIO) -> Speaker:
    """Open the lamp and buzzer of a URL: `gpio://`, `terminal://` or `none://`."""
    from controller.devices.audio.buzzer import (
        GpioOutput,
        NullSpeaker,
        PatternSpeaker,
        TerminalSpeaker,
    )
    from controller.devices.buttons import open_gpio

    match parse_speaker_url(url):
        case "gpio":
            pins = open_gpio("--speaker terminal://", BadSpeaker)
            return PatternSpeaker(GpioOutput(settings, pins), clock)
        case "terminal":
            return TerminalSpeaker(stream)
        case _:
            return NullSpeaker()


def open_voice(kind: str, clock: Clock, stream: TextIO) -> Voice:
    """Open a voice: `espeak`, `terminal`, `none`, or `auto`, which is espeak-ng if installed."""
    from controller.config.play import VOICE_CHOICES
    from controller.devices.audio.speech import (
        EspeakVoice,
        NullVoice,
        TerminalVoice,
        is_espeak_installed,
    )

    match kind:
        case "espeak":
            return EspeakVoice(clock)
        case "auto" if is_espeak_installed():
            return EspeakVoice(clock)
        case "terminal":
            return TerminalVoice(stream)
        case "auto" | "none":
            return NullVoice()
        case _:
            raise UnknownName(
                sentences.NO_SUCH_VOICE(
                    value=excerpt(kind), suggestion=did_you_mean(kind, VOICE_CHOICES)
                )
            )


def open_computer_player(clock: Clock) -> MoveChooser:
    """The computer player in a separate process."""
    from controller.devices.players.process_player import ProcessPlayer

    return ProcessPlayer(clock)


def open_engine_player(clock: Clock, command: Sequence[str], timeout_s: float) -> MoveChooser:
    """A program that speaks the engine protocol; without a command, our own engine.

    A failed question is reported immediately and not repeated.
    """
    from controller.devices.players.process_player import OWN_ENGINE, PlayerTimeouts, ProcessPlayer

    timeouts = PlayerTimeouts(answer_ms=1000 * timeout_s, attempts=1)
    if command:  # our own engine keeps its generous start timeout
        timeouts = replace(timeouts, start_ms=timeouts.answer_ms)
    return ProcessPlayer(clock, command or OWN_ENGINE, timeouts)


def open_http_player(
    url: str, clock: Clock, parse_move: Callable[[str], str], on_event: Callable[[], None]
) -> MoveChooser:
    """A program that answers over HTTP. `parse_move` validates its answer."""
    from controller.config.addresses.program import parse_program_url
    from controller.devices.players.http_player import HttpPlayer

    return HttpPlayer(clock, parse_program_url(url), parse_move, on_event)


def open_in_process_player(clock: Clock) -> MoveChooser:
    """The computer player in this thread: it thinks inside `events`, which blocks."""
    from controller.devices.players.process_player import InProcessPlayer

    return InProcessPlayer(clock)


def serve_engine(lines: BinaryIO, out: int) -> int:
    """Answer the engine protocol on a stream until it ends; returns the exit status."""
    from controller.devices.players.engine_main import run

    return run(lines, out)
