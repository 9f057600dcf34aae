"""Every fault there is, by name: what it is in the sentences of a script, when it may happen, how
it is undone, and what a reasonable person does about it.

What stands in capitals is filled in when it happens (`filling.py`): MOVED is the piece that was
just put down, PIECE and OTHER are two more, FREE is a cell where nothing stands, NEAR one beside.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.errors import LaserboardError, did_you_mean, excerpt


class NoSuchChaos(LaserboardError, ValueError):
    """A fault, or a time for one, that nobody understands."""


class Moment(StrEnum):
    """When something may happen."""

    SET_UP = "set-up"  # while the board is set up
    BEFORE = "before a move"  # somebody is to move, and the table is at rest
    MOVING = "with a move"  # while a hand makes one: it slips
    FIRING = "beam"  # while the beam runs
    THINKING = "computer"  # while the computer thinks, or its move waits to be made
    ANY = "any time"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong. Its name is for people, too."""

    name: str
    what: str
    when: tuple[Moment, ...]
    happens: tuple[str, ...]
    person: str  # what a reasonable one does
    script: str  # in tests/games, which shows how it ends
    undone: tuple[str, ...] = ()
    lasts_s: float = 0.0  # before it is undone
    cable: bool = False  # needs LEDs on a cable

    @property
    def by_hand(self) -> bool:
        return any(each.startswith("WHO ") for each in self.happens)


_HANDS = (Moment.BEFORE, Moment.MOVING, Moment.FIRING, Moment.THINKING)
_ANY = (Moment.ANY,)
_RIGHT = "puts right what the lights ask for"
_WAITS = "waits"

CATALOGUE: tuple[Fault, ...] = (
    # -- hands -----------------------------------------------------------------------------------
    Fault(
        "bump",
        "a piece is bumped aside and most of the way round",
        _HANDS,
        ("WHO bumps PIECE",),
        _RIGHT,
        "bumps",
    ),
    Fault(
        "wrong-move",
        "the piece is put where it may not go",
        (Moment.MOVING,),
        ("WHO moves MOVED FREE",),
        "reads the rule, and moves again",
        "too-far",
    ),
    Fault(
        "double-move",
        "a second piece is moved as well",
        (Moment.MOVING,),
        ("WHO moves PIECE FREE",),
        _RIGHT,
        "double-move",
    ),
    Fault(
        "crooked",
        "the piece is put down crooked",
        (Moment.MOVING,),
        ("WHO turns MOVED CROOKED",),
        "puts it straight if asked",
        "crooked",
    ),
    Fault(
        "between",
        "the piece is put down between two squares",
        (Moment.MOVING,),
        ("WHO pushes MOVED towards NEAR",),
        "puts it on its square",
        "between-squares",
    ),
    Fault(
        "swapped",
        "two pieces change places",
        (Moment.BEFORE, Moment.THINKING, Moment.FIRING),
        ("WHO swaps PIECE OTHER",),
        _RIGHT,
        "swapped",
    ),
    Fault(
        "swapped-tags",
        "two pieces wear each other's tags",
        (Moment.BEFORE, Moment.THINKING, Moment.SET_UP),
        ("WHO swaps the tags of PIECE OTHER",),
        _RIGHT,
        "swapped-tags",
    ),
    Fault(
        "foreign-tag",
        "a tag that is no piece of the game is laid on the board",
        _HANDS,
        ("WHO lays tag TAG on FREE",),
        "takes it off",
        "foreign-tag",
    ),
    Fault(
        "taken",
        "a piece is taken off that nobody captured",
        _HANDS,
        ("WHO takes PIECE",),
        "puts it back",
        "lost-piece",
    ),
    Fault(
        "hand-stays",
        "a hand stays over the board while somebody presses fire",
        (Moment.MOVING,),
        ("WHO covers FREE",),
        _WAITS,
        "hand-stays",
        ("WHO leaves",),
        3.0,
    ),
    Fault(
        "hand-in-the-beam",
        "a hand comes while the beam runs, and stays",
        (Moment.FIRING,),
        ("WHO covers PIECE",),
        _WAITS,
        "hand-in-the-beam",
        ("WHO leaves",),
        4.0,
    ),
    Fault(
        "hand-while-thinking",
        "a hand comes while the computer thinks, and stays",
        (Moment.THINKING,),
        ("WHO covers PIECE",),
        _WAITS,
        "hand-while-thinking",
        ("WHO leaves",),
        4.0,
    ),
    # -- light and camera ------------------------------------------------------------------------
    Fault(
        "glare",
        "a lamp is mirrored on a square",
        _ANY,
        ("a lamp shines on PIECE",),
        "moves the lamp",
        "glare",
        ("all lamps are gone",),
        12.0,
    ),
    Fault(
        "lamp",
        "a lamp is switched on beside the table",
        _ANY,
        ("a lamp is switched on",),
        _WAITS,
        "lamp-switched-on",
        ("the lamp is switched off",),
        15.0,
    ),
    Fault(
        "lights-out",
        "the light goes out",
        _ANY,
        ("the light goes out",),
        "switches it on",
        "lights-out",
        ("the light comes on",),
        5.0,
    ),
    Fault(
        "nudge",
        "somebody knocks against the camera",
        _ANY,
        ("the camera is nudged SHIFT",),
        _WAITS,
        "camera-nudged",
    ),
    Fault(
        "freeze",
        "the camera sends nothing any more",
        _ANY,
        ("the camera freezes",),
        _WAITS,
        "camera-freezes",
        ("the camera goes on",),
        3.0,
    ),
    Fault(
        "lost-camera",
        "the camera is unplugged",
        _ANY,
        ("the camera is unplugged",),
        "plugs it in",
        "camera-unplugged",
        ("the camera is plugged in",),
        4.0,
    ),
    # -- LEDs ------------------------------------------------------------------------------------
    Fault(
        "unplug",
        "the LEDs' cable is pulled",
        _ANY,
        ("the LED cable is pulled",),
        "plugs it in",
        "led-cable",
        ("the LED cable is plugged in",),
        4.0,
        cable=True,
    ),
    Fault(
        "corrupt",
        "the LEDs' cable loses and damages messages",
        _ANY,
        ("the LED cable goes bad 3",),
        _WAITS,
        "led-cable-goes-bad",
        ("the LED cable is sound again",),
        6.0,
        cable=True,
    ),
    Fault(
        "reboot",
        "the LEDs' board starts anew",
        _ANY,
        ("the LED board restarts",),
        _WAITS,
        "led-board-restarts",
        cable=True,
    ),
    # -- disk, clock, power ----------------------------------------------------------------------
    Fault(
        "disk-full",
        "the disk is full",
        _ANY,
        ("the disk is full",),
        "makes room and goes on",
        "disk-full",
        ("the disk has room again",),
        6.0,
    ),
    Fault(
        "disk-read-only",
        "the disk is read-only",
        _ANY,
        ("the disk is read-only",),
        "sees to it and goes on",
        "disk-read-only",
        ("the disk has room again",),
        6.0,
    ),
    Fault(
        "slow-disk",
        "the disk takes seconds for every entry",
        _ANY,
        ("the disk is slow",),
        _WAITS,
        "slow-disk",
        ("the disk is quick again",),
        12.0,
    ),
    Fault(
        "clock-jump",
        "the machine stands still for a while",
        _ANY,
        ("the clock jumps 20",),
        _WAITS,
        "clock-jumps",
    ),
    Fault(
        "kill",
        "the program is killed (kill -9), and started again",
        _ANY,
        ("the program is killed",),
        "starts it again, and puts right what it asks for",
        "killed",
    ),
    Fault(
        "power-cut",
        "the power goes, in the middle of an entry",
        _ANY,
        ("power cut",),
        "starts it again, and puts right what it asks for",
        "power-cut",
    ),
)

BY_NAME = {fault.name: fault for fault in CATALOGUE}


def fault_named(name: str) -> Fault:
    if name not in BY_NAME:
        hint = did_you_mean(name, BY_NAME)
        raise NoSuchChaos(f"there is no fault {excerpt(name)}{hint}; `--fault list` shows them all")
    return BY_NAME[name]


def table() -> list[str]:
    """The catalogue, for people to read."""
    rows = [("fault", "what happens", "when", "undone after", "a person"), *map(_row, CATALOGUE)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _row(fault: Fault) -> tuple[str, ...]:
    after = f"{fault.lasts_s:g} s" if fault.undone else "-"
    return fault.name, fault.what, ", ".join(fault.when), after, fault.person
