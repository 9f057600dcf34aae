"""Table of the problems that the doctor knows: check, symptom, remedy.

The checks take their remedies from it, and `docs/troubleshooting.md` is generated from it.
"""

from __future__ import annotations

from enum import Enum

from controller.builder import sentences
from engine.sentences import Template


class KnownProblem(Enum):
    """A problem, its check, its symptom, and the template of its remedy."""

    # -- computer
    LIBRARY_MISSING = (
        "python",
        "A command ends with `ModuleNotFoundError`.",
        sentences.REMEDY_LIBRARY_MISSING,
    )
    LIBRARY_TOO_OLD = (
        "python",
        "New errors after an update of the system.",
        sentences.REMEDY_LIBRARY_TOO_OLD,
    )
    PROGRAM_DEFECT = (
        "any",
        "A line of the doctor names a Python error.",
        sentences.REMEDY_PROGRAM_DEFECT,
    )
    NO_BOARD_FILE = (
        "file",
        "The board file is not found.",
        sentences.REMEDY_NO_BOARD_FILE,
    )
    BAD_BOARD_FILE = (
        "file",
        "The board file was edited, and now nothing starts.",
        sentences.REMEDY_BAD_BOARD_FILE,
    )
    PERMISSION_DENIED = (
        "permissions",
        "A camera or a serial port is there, but permission is denied.",
        sentences.REMEDY_PERMISSION_DENIED,
    )
    ROOT_ONLY = (
        "permissions",
        "Only root may use a device.",
        sentences.REMEDY_ROOT_ONLY,
    )
    # -- camera
    NO_CAMERA = (
        "camera",
        "No camera is found.",
        sentences.REMEDY_NO_CAMERA,
    )
    DEVICE_SILENT = (
        "any device",
        "A device was there a moment ago and does not answer any more.",
        sentences.REMEDY_DEVICE_SILENT,
    )
    EXPOSURE_NOT_LOCKED = (
        "camera",
        "The picture gets brighter and darker by itself, and pieces flicker.",
        sentences.REMEDY_EXPOSURE_NOT_LOCKED,
    )
    SLOW_CAMERA = (
        "camera",
        "A move is seen seconds after the hand is gone.",
        sentences.REMEDY_SLOW_CAMERA,
    )
    GLARE = (
        "light",
        "Pieces near a lamp or window are not read.",
        sentences.REMEDY_GLARE,
    )
    BOARD_NOT_IN_VIEW = (
        "board",
        "The board is not found in the picture.",
        sentences.REMEDY_BOARD_NOT_IN_VIEW,
    )
    BOARD_MISMEASURED = (
        "board",
        "Pieces on one side of the board are read, those on the other are not.",
        sentences.REMEDY_BOARD_MISMEASURED,
    )
    TAGS_TOO_SMALL = (
        "board",
        "Pieces are read by day, but not in the evening.",
        sentences.REMEDY_TAGS_TOO_SMALL,
    )
    CELLS_COVERED = (
        "pieces",
        "A square counts as covered although no hand is near.",
        sentences.REMEDY_CELLS_COVERED,
    )
    # -- light and sound
    LEDS_MISCOUNTED = (
        "leds",
        "The beam runs beside the pieces, or ends in the middle of the board.",
        sentences.REMEDY_LEDS_MISCOUNTED,
    )
    LEDS_SILENT = (
        "leds",
        "The LEDs stay dark, or freeze.",
        sentences.REMEDY_LEDS_SILENT,
    )
    LEDS_DAMAGED = (
        "leds",
        "Single LEDs flash in wrong colours.",
        sentences.REMEDY_LEDS_DAMAGED,
    )
    LEDS_NOT_FOUND = (
        "leds",
        "The LEDs are plugged in, but stay dark from the start.",
        sentences.REMEDY_LEDS_NOT_FOUND,
    )
    LEDS_DIM = (
        "current",
        "The beam is hard to see by day.",
        sentences.REMEDY_LEDS_DIM,
    )
    NO_ESPEAK = (
        "voice",
        "Turns are not spoken.",
        sentences.REMEDY_NO_ESPEAK,
    )
    VOICE_STOPPED = (
        "voice",
        "The voice has stopped.",
        sentences.REMEDY_VOICE_STOPPED,
    )
    COMPUTER_CANNOT_PLAY = (
        "computer",
        "The computer has a seat in a game that it cannot play.",
        sentences.REMEDY_COMPUTER_CANNOT_PLAY,
    )
    NO_COMPILED_CORE = (
        "computer",
        "The computer plays weakly, or thinks for long.",
        sentences.REMEDY_NO_COMPILED_CORE,
    )
    # -- disk and clock
    DISK_FULL = (
        "disk",
        "The laser does not fire: the turn cannot be written.",
        sentences.REMEDY_DISK_FULL,
    )
    SLOW_DISK = (
        "disk",
        "There is a pause between the press and the beam.",
        sentences.REMEDY_SLOW_DISK,
    )
    MACHINE_BUSY = (
        "clock",
        "Game clocks jump.",
        sentences.REMEDY_MACHINE_BUSY,
    )
    WRONG_DATE = (
        "clock",
        "Games are kept under a wrong date.",
        sentences.REMEDY_WRONG_DATE,
    )

    def __init__(self, check: str, symptom: str, remedy: Template) -> None:
        self.check = check
        self.symptom = symptom
        self.remedy = remedy
