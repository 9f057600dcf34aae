"""The doctor's checks of LEDs, buttons, sound and computer player: each opens and tries one."""

from __future__ import annotations

from typing import TextIO

import numpy as np

from controller.builder import sentences
from controller.builder.doctor import checks
from controller.builder.doctor.checks import Finding, Severity
from controller.builder.doctor.problems import KnownProblem
from controller.config.buttons import ButtonSettings, SpeakerSettings
from controller.config.leds import LedSettings
from controller.devices.factory.inputs import (
    open_buttons,
    open_computer_player,
    open_speaker,
    open_voice,
)
from controller.devices.factory.leds import find_serial_ports, open_leds, read_board_stats
from controller.ports.devices import Clock, LedMatrix, MoveQuestion, Voice
from controller.ports.events import DeviceLost, DeviceRemark, PlayerFailed, Signal
from controller.ports.sentences import problem_and_remedy
from engine import native
from engine.game import AnyGame
from engine.turn_based import TurnBased

LEDS_TIMEOUT_MS = 5_000.0
TEST_LEVEL = 12  # of 255: just bright enough to see
VOICE_TIMEOUT_MS = 1_500.0
POLL_MS = 50.0


def check_leds(
    settings: LedSettings | None, requested_url: str | None, clock: Clock, stream: TextIO
) -> Finding:
    """Sends the LEDs a dim picture and reads the board's error counters."""
    if settings is None:
        return Finding("leds", Severity.GOOD, sentences.NO_LEDS_IN_FILE())
    url = requested_url or settings.url
    if url is None:
        ours = [f"serial://{port.path}" for port in find_serial_ports() if port.is_laserboard]
        if not ours:
            return Finding(
                "leds",
                Severity.WARNING,
                sentences.LEDS_NOT_NAMED(),
                KnownProblem.LEDS_NOT_FOUND.remedy(),
            )
        url = ours[0]
    matrix = open_leds(url, settings, clock, lambda _: "", stream)
    try:
        count = sum(settings.leds_per_lane)
        lost, confirmed = _show_test_picture(matrix, count, clock)
        details = matrix.details()
        if lost or details is None:
            return checks.device_lost_finding("leds", matrix.name, lost, LEDS_TIMEOUT_MS)
        counts = read_board_stats(matrix)
    finally:
        matrix.close()
    return checks.evaluate_leds(matrix.name, details, count, confirmed, counts)


def _show_test_picture(
    matrix: LedMatrix, count: int, clock: Clock
) -> tuple[list[DeviceLost], bool]:
    """The events of a lost matrix, and whether it confirmed a dim picture."""
    number = matrix.show(np.full((count, 3), TEST_LEVEL, np.uint8))
    end_ms = clock.now_ms() + LEDS_TIMEOUT_MS
    while clock.now_ms() < end_ms:
        if matrix.wait(number, POLL_MS):
            return [], True
        lost = [each for each in matrix.events() if isinstance(each, DeviceLost)]
        if lost:
            return lost, False
    return [], False


def check_buttons(settings: ButtonSettings, clock: Clock) -> Finding:
    """Lists the buttons. It cannot press them: `laserboard buttons test` does that."""
    if settings.url is None:
        return Finding("buttons", Severity.GOOD, sentences.NO_BUTTONS_IN_FILE())
    buttons = open_buttons(settings.url, clock, settings)
    try:
        lost = [each for each in buttons.events() if isinstance(each, DeviceLost)]
    finally:
        buttons.close()
    if lost:
        return checks.device_lost_finding("buttons", buttons.name, lost, 0)
    names = tuple(buttons.names) or sentences.NOTHING_TO_PRESS()
    summary = sentences.BUTTONS_FOUND(url=buttons.name, buttons=names)
    if buttons.hint:
        summary = sentences.BUTTONS_FOUND_WITH_HINT(
            url=buttons.name, buttons=names, hint=buttons.hint
        )
    return Finding("buttons", Severity.GOOD, summary)


def check_speaker(settings: SpeakerSettings, clock: Clock, stream: TextIO) -> Finding:
    """Plays a signal."""
    if settings.url is None:
        return Finding("speaker", Severity.GOOD, sentences.NO_SPEAKER_IN_FILE())
    speaker = open_speaker(settings.url, clock, settings, stream)
    try:
        speaker.play_signal(Signal.READY)
        clock.wait_ms(POLL_MS)
        lost = [each for each in speaker.events() if isinstance(each, DeviceLost)]
    finally:
        speaker.close()
    if lost:
        return checks.device_lost_finding("speaker", speaker.name, lost, 0)
    return Finding("speaker", Severity.GOOD, sentences.SPEAKER_TRIED(url=speaker.name))


def check_voice(kind: str, clock: Clock, stream: TextIO) -> Finding:
    """Speaks a word and waits for an error of the speech program."""
    voice = open_voice(kind, clock, stream)
    try:
        if kind == "auto" and voice.name == "none://":
            return Finding(
                "voice",
                Severity.WARNING,
                sentences.ESPEAK_MISSING(),
                KnownProblem.NO_ESPEAK.remedy(),
            )
        voice.say(sentences.VOICE_READY())
        remark = _wait_for_remark(voice, clock) if kind in ("auto", "espeak") else None
    finally:
        voice.close()
    if remark is not None:
        problem, remedy = problem_and_remedy(remark.sentence)
        remedy = remedy or KnownProblem.VOICE_STOPPED.remedy()
        return Finding("voice", Severity.WARNING, problem, remedy)
    silent = {"none": sentences.VOICE_OFF(), "terminal": sentences.VOICE_PRINTED()}
    summary = silent.get(kind, sentences.VOICE_SPEAKS(url=voice.name))
    return Finding("voice", Severity.GOOD, summary)


def _wait_for_remark(voice: Voice, clock: Clock) -> DeviceRemark | None:
    end_ms = clock.now_ms() + VOICE_TIMEOUT_MS
    while clock.now_ms() < end_ms:
        for event in voice.events():
            if isinstance(event, DeviceRemark):
                return event
        clock.wait_ms(POLL_MS)
    return None


def check_computer(game: AnyGame, required: bool, clock: Clock) -> Finding:
    """Asks the computer player for a move. `required`: it has a side in the board file."""
    if not game.computer_plays(game.start()):
        if required:
            return Finding(
                "computer",
                Severity.BAD,
                sentences.COMPUTER_CANNOT_PLAY(game=game.title),
                KnownProblem.COMPUTER_CANNOT_PLAY.remedy(),
            )
        return Finding("computer", Severity.GOOD, sentences.COMPUTER_NOT_NEEDED(game=game.title))
    player = open_computer_player(clock)
    begin_ms = clock.now_ms()
    try:
        player.think(
            MoveQuestion(game.name, game.write_position(game.start()), level=1, time_limit_s=5.0)
        )
        while not (events := player.events()):
            clock.wait_ms(POLL_MS)
    finally:
        player.close()
    if isinstance(events[0], PlayerFailed):
        return Finding(
            "computer",
            Severity.BAD,
            events[0].reason,
            KnownProblem.PROGRAM_DEFECT.remedy(),
        )
    seconds = f"{(clock.now_ms() - begin_ms) / 1000:.1f}"
    if isinstance(game, TurnBased) and native.missing_reason():
        return Finding(
            "computer",
            Severity.WARNING,
            sentences.COMPUTER_IS_SLOW(seconds=seconds),
            KnownProblem.NO_COMPILED_CORE.remedy(),
        )
    return Finding("computer", Severity.GOOD, sentences.COMPUTER_ANSWERS(seconds=seconds))
