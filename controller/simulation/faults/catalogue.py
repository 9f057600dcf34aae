"""The catalogue of faults: for each the script lines that cause and undo it, the times at which it
may happen, and the expected response of a person.

`placeholders.py` replaces the words in capitals: MOVED is the piece just put down, PIECE and OTHER
are two more, FREE is an empty cell, NEAR is a neighbour of MOVED.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.errors import LaserboardError, did_you_mean, excerpt


class BadFaultSchedule(LaserboardError, ValueError):
    """A fault or its time cannot be parsed."""


class FaultTiming(StrEnum):
    """The phases of a game in which a fault may happen."""

    SET_UP = "set-up"
    BEFORE_MOVE = "before a move"  # the table has settled
    DURING_MOVE = "with a move"  # right after a hand has moved a piece
    FIRING = "beam"
    THINKING = "computer"  # the computer thinks, or its move is not made yet
    ANY = "any time"


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """One kind of fault."""

    name: str
    description: str
    timings: tuple[FaultTiming, ...]
    sentences: tuple[str, ...]
    person_response: str
    example_script: str  # in tests/scripts
    undo_sentences: tuple[str, ...] = ()
    duration_s: float = 0.0  # until it is undone
    needs_led_cable: bool = False


_HAND_TIMINGS = (
    FaultTiming.BEFORE_MOVE,
    FaultTiming.DURING_MOVE,
    FaultTiming.FIRING,
    FaultTiming.THINKING,
)
_ANY_TIME = (FaultTiming.ANY,)
_PUTS_RIGHT = "puts right what the lights ask for"
_WAITS = "waits"

CATALOGUE: tuple[FaultSpec, ...] = (
    # -- hands -----------------------------------------------------------------------------------
    FaultSpec(
        "bump",
        "a piece is bumped aside and most of the way round",
        _HAND_TIMINGS,
        ("WHO bumps PIECE",),
        _PUTS_RIGHT,
        "bumps",
    ),
    FaultSpec(
        "wrong-move",
        "the piece is put where it may not go",
        (FaultTiming.DURING_MOVE,),
        ("WHO moves MOVED FREE",),
        "reads the rule, and moves again",
        "too-far",
    ),
    FaultSpec(
        "double-move",
        "a second piece is moved as well",
        (FaultTiming.DURING_MOVE,),
        ("WHO moves PIECE FREE",),
        _PUTS_RIGHT,
        "double-move",
    ),
    FaultSpec(
        "crooked",
        "the piece is put down crooked",
        (FaultTiming.DURING_MOVE,),
        ("WHO turns MOVED CROOKED",),
        "puts it straight if asked",
        "crooked",
    ),
    FaultSpec(
        "between",
        "the piece is put down between two squares",
        (FaultTiming.DURING_MOVE,),
        ("WHO pushes MOVED towards NEAR",),
        "puts it on its square",
        "between-squares",
    ),
    FaultSpec(
        "swapped",
        "two pieces change places",
        (FaultTiming.BEFORE_MOVE, FaultTiming.THINKING, FaultTiming.FIRING),
        ("WHO swaps PIECE OTHER",),
        _PUTS_RIGHT,
        "swapped",
    ),
    FaultSpec(
        "swapped-tags",
        "two pieces wear each other's tags",
        (FaultTiming.BEFORE_MOVE, FaultTiming.THINKING, FaultTiming.SET_UP),
        ("WHO swaps the tags of PIECE OTHER",),
        _PUTS_RIGHT,
        "swapped-tags",
    ),
    FaultSpec(
        "foreign-tag",
        "a tag that is no piece of the game is laid on the board",
        _HAND_TIMINGS,
        ("WHO lays tag TAG on FREE",),
        "takes it off",
        "foreign-tag",
    ),
    FaultSpec(
        "taken",
        "a piece is taken off that was not captured",
        _HAND_TIMINGS,
        ("WHO takes PIECE",),
        "puts it back",
        "lost-piece",
    ),
    FaultSpec(
        "hand-stays",
        "a hand stays over the board while fire is pressed",
        (FaultTiming.DURING_MOVE,),
        ("WHO covers FREE",),
        _WAITS,
        "hand-stays",
        ("WHO leaves",),
        3.0,
    ),
    FaultSpec(
        "hand-in-the-beam",
        "a hand comes while the beam runs, and stays",
        (FaultTiming.FIRING,),
        ("WHO covers PIECE",),
        _WAITS,
        "hand-in-the-beam",
        ("WHO leaves",),
        4.0,
    ),
    FaultSpec(
        "hand-while-thinking",
        "a hand comes while the computer thinks, and stays",
        (FaultTiming.THINKING,),
        ("WHO covers PIECE",),
        _WAITS,
        "hand-while-thinking",
        ("WHO leaves",),
        4.0,
    ),
    # -- light and camera ------------------------------------------------------------------------
    FaultSpec(
        "glare",
        "a lamp is mirrored on a square",
        _ANY_TIME,
        ("a lamp shines on PIECE",),
        "moves the lamp",
        "glare",
        ("all lamps are gone",),
        12.0,
    ),
    FaultSpec(
        "lamp",
        "a lamp is switched on beside the table",
        _ANY_TIME,
        ("a lamp is switched on",),
        _WAITS,
        "lamp-switched-on",
        ("the lamp is switched off",),
        15.0,
    ),
    FaultSpec(
        "lights-out",
        "the light goes out",
        _ANY_TIME,
        ("the light goes out",),
        "switches it on",
        "lights-out",
        ("the light comes on",),
        5.0,
    ),
    FaultSpec(
        "nudge",
        "the camera is knocked out of place",
        _ANY_TIME,
        ("the camera is nudged SHIFT",),
        _WAITS,
        "camera-nudged",
    ),
    FaultSpec(
        "freeze",
        "the camera sends nothing any more",
        _ANY_TIME,
        ("the camera freezes",),
        _WAITS,
        "camera-freezes",
        ("the camera goes on",),
        3.0,
    ),
    FaultSpec(
        "lost-camera",
        "the camera is unplugged",
        _ANY_TIME,
        ("the camera is unplugged",),
        "plugs it in",
        "camera-unplugged",
        ("the camera is plugged in",),
        4.0,
    ),
    # -- LEDs ------------------------------------------------------------------------------------
    FaultSpec(
        "unplug",
        "the LEDs' cable is pulled",
        _ANY_TIME,
        ("the LED cable is pulled",),
        "plugs it in",
        "led-cable",
        ("the LED cable is plugged in",),
        4.0,
        needs_led_cable=True,
    ),
    FaultSpec(
        "corrupt",
        "the LEDs' cable loses and damages messages",
        _ANY_TIME,
        ("the LED cable goes bad 3",),
        _WAITS,
        "led-cable-goes-bad",
        ("the LED cable is sound again",),
        6.0,
        needs_led_cable=True,
    ),
    FaultSpec(
        "reboot",
        "the LEDs' board starts anew",
        _ANY_TIME,
        ("the LED board restarts",),
        _WAITS,
        "led-board-restarts",
        needs_led_cable=True,
    ),
    # -- disk, clock, power ----------------------------------------------------------------------
    FaultSpec(
        "disk-full",
        "the disk is full",
        _ANY_TIME,
        ("the disk is full",),
        "makes room and goes on",
        "disk-full",
        ("the disk has room again",),
        6.0,
    ),
    FaultSpec(
        "disk-read-only",
        "the disk is read-only",
        _ANY_TIME,
        ("the disk is read-only",),
        "sees to it and goes on",
        "disk-read-only",
        ("the disk has room again",),
        6.0,
    ),
    FaultSpec(
        "slow-disk",
        "the disk takes seconds for every entry",
        _ANY_TIME,
        ("the disk is slow",),
        _WAITS,
        "slow-disk",
        ("the disk is quick again",),
        12.0,
    ),
    FaultSpec(
        "clock-jump",
        "the machine stands still for a while",
        _ANY_TIME,
        ("the clock jumps 20",),
        _WAITS,
        "clock-jumps",
    ),
    FaultSpec(
        "kill",
        "the program is killed (kill -9), and started again",
        _ANY_TIME,
        ("the program is killed",),
        "starts it again, and puts right what it asks for",
        "killed",
    ),
    FaultSpec(
        "power-cut",
        "the power goes, in the middle of an entry",
        _ANY_TIME,
        ("power cut",),
        "starts it again, and puts right what it asks for",
        "power-cut",
    ),
)

FAULTS_BY_NAME = {fault.name: fault for fault in CATALOGUE}


def find_fault(name: str) -> FaultSpec:
    if name not in FAULTS_BY_NAME:
        hint = did_you_mean(name, FAULTS_BY_NAME)
        raise BadFaultSchedule(
            f"there is no fault {excerpt(name)}{hint}; `--fault list` shows them all"
        )
    return FAULTS_BY_NAME[name]


def catalogue_table() -> list[str]:
    """The catalogue as a text table, for `--fault list`."""
    rows = [("fault", "what happens", "when", "undone after", "a person"), *map(_row, CATALOGUE)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _row(fault: FaultSpec) -> tuple[str, ...]:
    after = f"{fault.duration_s:g} s" if fault.undo_sentences else "-"
    return fault.name, fault.description, ", ".join(fault.timings), after, fault.person_response
