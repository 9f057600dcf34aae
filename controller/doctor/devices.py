"""The doctor's look at LEDs, buttons, sound and the computer player: each is opened and tried."""

from __future__ import annotations

from typing import TextIO

import numpy as np

from controller import wiring
from controller.button_settings import ButtonSettings, SpeakerSettings
from controller.doctor import checks
from controller.doctor.ailments import Ailment
from controller.doctor.checks import Finding, Level
from controller.led_settings import LedSettings
from controller.ports import (
    Clock,
    DeviceLost,
    DeviceRemark,
    LedMatrix,
    PlayerFailed,
    Question,
    Signal,
    Voice,
)
from engine import native
from engine.game import AnyGame
from engine.turn_based import TurnBased

LEDS_MS = 5_000.0
GLOW = 12  # of 255: enough to see that they live
VOICE_MS = 1_500.0
LOOK_MS = 50.0


def leds(settings: LedSettings | None, named: str | None, clock: Clock, stream: TextIO) -> Finding:
    """Can they be reached, do they confirm a picture, and what did they miss?"""
    if settings is None:
        told = "the board file has none: beams are shown on the screen only"
        return Finding("leds", Level.GOOD, told)
    url = named or settings.url
    if url is None:
        ours = [f"serial://{port.path}" for port in wiring.find_ports() if port.board]
        if not ours:
            told = "the board file names none, and no board of ours answers on USB"
            return Finding("leds", Level.WARNING, told, Ailment.LEDS_NOT_FOUND.remedy)
        url = ours[0]
    matrix = wiring.open_leds(url, settings, clock, lambda _: "", stream)
    try:
        count = sum(settings.lanes)
        lost, confirmed = _shown(matrix, count, clock)
        details = matrix.details()
        if lost or details is None:
            return checks.lost("leds", matrix.name, lost, LEDS_MS)
        counts = wiring.board_counts(matrix)
    finally:
        matrix.close()
    return checks.leds(matrix.name, details, count, confirmed, counts)


def _shown(matrix: LedMatrix, count: int, clock: Clock) -> tuple[list[DeviceLost], bool]:
    """How the matrix was lost, if it was; and whether it confirmed a faint picture."""
    number = matrix.show(np.full((count, 3), GLOW, np.uint8))
    end_ms = clock.now_ms() + LEDS_MS
    while clock.now_ms() < end_ms:
        if matrix.wait(number, LOOK_MS):
            return [], True
        lost = [each for each in matrix.events() if isinstance(each, DeviceLost)]
        if lost:
            return lost, False
    return [], False


def buttons(settings: ButtonSettings, clock: Clock) -> Finding:
    """Which are there? Whether they arrive only a finger can tell."""
    if settings.url is None:
        return Finding("buttons", Level.GOOD, "the board file names none: people press keys")
    opened = wiring.open_buttons(settings.url, clock, settings)
    try:
        names = ", ".join(opened.names) or "nothing to press"
        lost = [each for each in opened.events() if isinstance(each, DeviceLost)]
    finally:
        opened.close()
    if lost:
        return checks.lost("buttons", opened.name, lost, 0)
    hint = f" ({opened.hint})" if opened.hint else ""
    return Finding("buttons", Level.GOOD, f"{opened.name}: {names}{hint}")


def speaker(settings: SpeakerSettings, clock: Clock, stream: TextIO) -> Finding:
    """Can it be told something?"""
    if settings.url is None:
        return Finding("speaker", Level.GOOD, "the board file names none")
    opened = wiring.open_speaker(settings.url, clock, settings, stream)
    try:
        opened.tell(Signal.READY)
        clock.wait_ms(LOOK_MS)
        lost = [each for each in opened.events() if isinstance(each, DeviceLost)]
    finally:
        opened.close()
    if lost:
        return checks.lost("speaker", opened.name, lost, 0)
    return Finding("speaker", Level.GOOD, f"{opened.name}: told to be seen and heard just now")


def voice(kind: str, clock: Clock, stream: TextIO) -> Finding:
    """Are turns spoken, if they are to be?"""
    opened = wiring.open_voice(kind, clock, stream)
    try:
        if kind == "auto" and opened.name == "none://":
            told = "turns are not spoken: espeak-ng is not on this machine"
            return Finding("voice", Level.WARNING, told, Ailment.NO_ESPEAK.remedy)
        opened.say("ready")
        trouble = _trouble(opened, clock) if kind in ("auto", "espeak") else None
    finally:
        opened.close()
    if trouble is not None:
        what, _, remedy = trouble.partition("; ")
        return Finding("voice", Level.WARNING, what, remedy or Ailment.MUTE.remedy)
    said = {"none": "nothing is spoken", "terminal": "turns are printed, not spoken"}
    return Finding("voice", Level.GOOD, said.get(kind, f"{opened.name} speaks the turns"))


def _trouble(speaking: Voice, clock: Clock) -> str | None:
    """What is wrong with it, if that is told soon."""
    end_ms = clock.now_ms() + VOICE_MS
    while clock.now_ms() < end_ms:
        for event in speaking.events():
            if isinstance(event, DeviceRemark):
                return event.sentence
        clock.wait_ms(LOOK_MS)
    return None


def computer(game: AnyGame, wanted: bool, clock: Clock) -> Finding:
    """Does it answer, where it can?"""
    if not game.computer_plays(game.start()):
        told = f"it does not play {game.title} yet"
        if wanted:
            return Finding("computer", Level.BAD, told, Ailment.NOT_PLAYED.remedy)
        return Finding("computer", Level.GOOD, f"{told}, and nobody asked it to")
    player = wiring.open_player(clock)
    begin_ms = clock.now_ms()
    try:
        player.think(Question(game.name, game.write_position(game.start()), level=1, seconds=5.0))
        while not (events := player.events()):
            clock.wait_ms(LOOK_MS)
    finally:
        player.close()
    if isinstance(events[0], PlayerFailed):
        return Finding("computer", Level.BAD, events[0].reason, Ailment.DEFECT.remedy)
    took_s = (clock.now_ms() - begin_ms) / 1000
    told = f"it starts and answers in {took_s:.1f} s"
    if isinstance(game, TurnBased) and native.missing():
        told += ", but thinks slowly: its compiled core is not there"
        return Finding("computer", Level.WARNING, told, Ailment.NO_CORE.remedy)
    return Finding("computer", Level.GOOD, told)
