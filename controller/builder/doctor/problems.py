"""Table of the problems that the doctor knows: check, symptom, remedy.

The checks take their remedies from it, and `docs/troubleshooting.md` is generated from it.
"""

from __future__ import annotations

from enum import Enum

from controller.builder import sentences
from engine.sentences import Sentence, Template


class KnownProblem(Enum):
    """A problem, its check, its symptom, and the template of its remedy."""

    # -- computer
    LIBRARY_MISSING = (
        "python",
        sentences.SYMPTOM_LIBRARY_MISSING(),
        sentences.REMEDY_LIBRARIES,
    )
    LIBRARY_TOO_OLD = (
        "python",
        sentences.SYMPTOM_LIBRARY_TOO_OLD(),
        sentences.REMEDY_LIBRARIES,
    )
    PROGRAM_DEFECT = (
        "any",
        sentences.SYMPTOM_PROGRAM_DEFECT(),
        sentences.REMEDY_PROGRAM_DEFECT,
    )
    NO_BOARD_FILE = (
        "file",
        sentences.SYMPTOM_NO_BOARD_FILE(),
        sentences.REMEDY_NO_BOARD_FILE,
    )
    BAD_BOARD_FILE = (
        "file",
        sentences.SYMPTOM_BAD_BOARD_FILE(),
        sentences.REMEDY_BAD_BOARD_FILE,
    )
    PERMISSION_DENIED = (
        "permissions",
        sentences.SYMPTOM_PERMISSION_DENIED(),
        sentences.REMEDY_PERMISSION_DENIED,
    )
    ROOT_ONLY = (
        "permissions",
        sentences.SYMPTOM_ROOT_ONLY(),
        sentences.REMEDY_ROOT_ONLY,
    )
    # -- camera
    NO_CAMERA = (
        "camera",
        sentences.SYMPTOM_NO_CAMERA(),
        sentences.REMEDY_NO_CAMERA,
    )
    DEVICE_SILENT = (
        "any device",
        sentences.SYMPTOM_DEVICE_SILENT(),
        sentences.REMEDY_DEVICE_SILENT,
    )
    EXPOSURE_NOT_LOCKED = (
        "camera",
        sentences.SYMPTOM_EXPOSURE_NOT_LOCKED(),
        sentences.REMEDY_EXPOSURE_NOT_LOCKED,
    )
    SLOW_CAMERA = (
        "camera",
        sentences.SYMPTOM_SLOW_CAMERA(),
        sentences.REMEDY_SLOW_CAMERA,
    )
    GLARE = (
        "light",
        sentences.SYMPTOM_GLARE(),
        sentences.REMEDY_GLARE,
    )
    BOARD_NOT_IN_VIEW = (
        "board",
        sentences.SYMPTOM_BOARD_NOT_IN_VIEW(),
        sentences.REMEDY_BOARD_NOT_IN_VIEW,
    )
    BOARD_MISMEASURED = (
        "board",
        sentences.SYMPTOM_BOARD_MISMEASURED(),
        sentences.REMEDY_BOARD_MISMEASURED,
    )
    TAGS_TOO_SMALL = (
        "board",
        sentences.SYMPTOM_TAGS_TOO_SMALL(),
        sentences.REMEDY_TAGS_TOO_SMALL,
    )
    CELLS_COVERED = (
        "pieces",
        sentences.SYMPTOM_CELLS_COVERED(),
        sentences.REMEDY_CELLS_COVERED,
    )
    # -- light and sound
    LEDS_MISCOUNTED = (
        "leds",
        sentences.SYMPTOM_LEDS_MISCOUNTED(),
        sentences.REMEDY_LEDS_MISCOUNTED,
    )
    LEDS_SILENT = (
        "leds",
        sentences.SYMPTOM_LEDS_SILENT(),
        sentences.REMEDY_LEDS_SILENT,
    )
    LEDS_DAMAGED = (
        "leds",
        sentences.SYMPTOM_LEDS_DAMAGED(),
        sentences.REMEDY_LEDS_DAMAGED,
    )
    LEDS_NOT_FOUND = (
        "leds",
        sentences.SYMPTOM_LEDS_NOT_FOUND(),
        sentences.REMEDY_LEDS_NOT_FOUND,
    )
    LEDS_DIM = (
        "current",
        sentences.SYMPTOM_LEDS_DIM(),
        sentences.REMEDY_LEDS_DIM,
    )
    NO_ESPEAK = (
        "voice",
        sentences.SYMPTOM_NO_ESPEAK(),
        sentences.REMEDY_NO_ESPEAK,
    )
    VOICE_STOPPED = (
        "voice",
        sentences.SYMPTOM_VOICE_STOPPED(),
        sentences.REMEDY_VOICE_STOPPED,
    )
    COMPUTER_CANNOT_PLAY = (
        "computer",
        sentences.SYMPTOM_COMPUTER_CANNOT_PLAY(),
        sentences.REMEDY_COMPUTER_CANNOT_PLAY,
    )
    NO_COMPILED_CORE = (
        "computer",
        sentences.SYMPTOM_NO_COMPILED_CORE(),
        sentences.REMEDY_NO_COMPILED_CORE,
    )
    # -- disk and clock
    DISK_FULL = (
        "disk",
        sentences.SYMPTOM_DISK_FULL(),
        sentences.REMEDY_DISK_FULL,
    )
    SLOW_DISK = (
        "disk",
        sentences.SYMPTOM_SLOW_DISK(),
        sentences.REMEDY_SLOW_DISK,
    )
    MACHINE_BUSY = (
        "clock",
        sentences.SYMPTOM_MACHINE_BUSY(),
        sentences.REMEDY_MACHINE_BUSY,
    )
    WRONG_DATE = (
        "clock",
        sentences.SYMPTOM_WRONG_DATE(),
        sentences.REMEDY_WRONG_DATE,
    )

    def __init__(self, check: str, symptom: Sentence, remedy: Template) -> None:
        self.check = check
        self.symptom = symptom
        self.remedy = remedy
