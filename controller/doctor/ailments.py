"""The doctor's table: what people notice, which check finds it, and what to do about it.

The checks take their remedies from here, and so does `docs/troubleshooting.md`.
"""

from __future__ import annotations

from enum import Enum


class Ailment(Enum):
    """What can be wrong; braces in a remedy are filled in by the check."""

    # -- the machine
    MISSING = (
        "python",
        "A command ends with `ModuleNotFoundError`.",
        "in Laserboard's folder `rm -rf .venv && make venv` brings them, on a Pi"
        " `sudo ./install.sh`",
    )
    OLD = (
        "python",
        "An update of the system, and then errors nobody has seen before.",
        "in Laserboard's folder `rm -rf .venv && make venv` brings newer ones, on a Pi"
        " `sudo ./install.sh`",
    )
    DEFECT = (
        "any",
        "A line of the doctor names a Python error.",
        "this is a defect of Laserboard: please report it, with this line",
    )
    NO_BOARD_FILE = (
        "file",
        "The board file is not found.",
        "name a board that is there; `laserboard init` writes a file to start from",
    )
    BAD_BOARD_FILE = (
        "file",
        "The board file was edited, and now nothing starts.",
        "mend that line; `laserboard init` writes a file to start from",
    )
    BARRED = (
        "permissions",
        "A camera or a serial port is there, but permission is denied.",
        "`sudo usermod -aG {groups} $USER`, then log out and in again",
    )
    ROOT_ONLY = (
        "permissions",
        "Only root may use a device.",
        "only root may: a udev rule must give them to a group of yours",
    )
    # -- eyes
    NO_CAMERA = (
        "camera",
        "No camera is found.",
        "plug in a USB camera, or connect one to the Pi (then `sudo apt install"
        " python3-picamera2`)",
    )
    NOT_HEARD = (
        "any device",
        "A device was there a moment ago and does not answer any more.",
        "unplug it, plug it in again, and try once more",
    )
    UNLOCKED = (
        "camera",
        "The picture gets brighter and darker by itself, and pieces flicker.",
        "name an exposure: ?exposure_ms=8 at the end of the camera's URL",
    )
    SLOW_CAMERA = (
        "camera",
        "A move is seen seconds after the hand is gone.",
        "too slow to follow hands: more light, or a smaller picture (?width=1280)",
    )
    GLARE = (
        "light",
        "Pieces near a lamp or window are not read.",
        "less light, or a shorter exposure (?exposure_ms=5 after the camera's URL)",
    )
    NOT_IN_VIEW = (
        "board",
        "The board is not found in the picture.",
        "put the whole board under the camera",
    )
    MISMEASURED = (
        "board",
        "Pieces on one side of the board are read, those on the other are not.",
        "measure the board file's cell_mm and corner_offset_mm again; if they are right,"
        " `laserboard calibrate lens`",
    )
    TINY = (
        "board",
        "By day all is well, in the evening pieces get lost.",
        "more light; or bring the camera nearer, or ask it for larger pictures: ?width=1920",
    )
    COVERED = (
        "pieces",
        "A square is called covered although nobody is near.",
        "something covers {cells}: take it away, or move the lamp",
    )
    # -- light and sound
    LEDS_COUNTED_WRONG = (
        "leds",
        "The beam runs beside the pieces, or ends in the middle of the board.",
        "correct `leds.strips` in the board file; `laserboard leds walk` shows which is where",
    )
    LEDS_SILENT = (
        "leds",
        "The LEDs stay dark, or freeze.",
        "check the cable and the power supply; `laserboard leds stats` counts what is lost",
    )
    LEDS_DAMAGED = (
        "leds",
        "Single LEDs flash in wrong colours.",
        "damaged on the way since it started ({counts}): a shorter or better cable",
    )
    LEDS_NOT_FOUND = (
        "leds",
        "The LEDs are plugged in, but stay dark from the start.",
        "plug it in; `laserboard ports` shows what answers; or `leds.url: sim://`",
    )
    DIM = (
        "current",
        "The beam is hard to see by day.",
        "dim by day: a stronger power supply, and then a higher `leds.ma_limit`",
    )
    NO_ESPEAK = (
        "voice",
        "Turns are not spoken.",
        "`sudo apt install espeak-ng`, or `voice: none` under `play`",
    )
    MUTE = ("voice", "The voice has stopped.", "`voice: none` under `play`")
    NOT_PLAYED = (
        "computer",
        "The computer is to play a game that it does not know.",
        "write `players: [human, human]`",
    )
    NO_CORE = (
        "computer",
        "The computer plays weakly, or thinks for long.",
        "install Laserboard again where there is a C compiler (`sudo apt install gcc libc6-dev`)",
    )
    # -- what is kept
    FULL = (
        "disk",
        "The laser does not fire: the turn cannot be written down.",
        "make room: every turn is written before its beam is shown",
    )
    SLOW_DISK = (
        "disk",
        "There is a pause between the press and the beam.",
        "every beam waits for this disk: a better card or stick would be quicker",
    )
    BUSY = (
        "clock",
        "Game clocks jump.",
        "let the machine do less besides, and look again",
    )
    WRONG_DAY = (
        "clock",
        "Games are kept under a wrong date.",
        "let the machine set its clock (`timedatectl`): games are named by their day",
    )

    def __init__(self, check: str, symptom: str, remedy: str) -> None:
        self.check = check
        self.symptom = symptom
        self.remedy = remedy

    def remedy_for(self, **facts: str) -> str:
        return self.remedy.format(**facts)
