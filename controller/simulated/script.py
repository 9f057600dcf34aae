"""Games as scripts: what happens at a table, line by line, and what must come of it.

    setup ace
    blue moves j4 j3
    blue presses fire
    expect turn j4j3

A `#` begins a remark. Nothing is done here: text comes in, frozen acts go out, and every complaint
names file and line. A sentence is known by its small words; what stands for its capitals is told
to whoever plays it. Cells, pieces, games and boards are checked there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.errors import LaserboardError, did_you_mean, excerpt

LONGEST_SCRIPT = 2_000  # lines
LARGEST_NUMBER = 600_000.0

# Before the first act. `blue computer:3` and its like say who sits there.
SETTINGS = (
    *("board", "game", "option", "setup", "position", "seed", "table"),
    *("leds", "clock", "fire", "take_back"),
)
MANY = ("option",)  # may be given again
SEATS = ("blue", "red", "first", "second")

DEEDS = (
    "WHO moves CELL CELL",
    "WHO turns CELL right",  # by as much as a piece turns in this game
    "WHO turns CELL left",
    "WHO turns CELL DEGREES",
    "WHO swaps CELL CELL",
    "WHO swaps the tags of CELL CELL",
    "WHO makes that move",  # the one that the lights show: the computer's, or a hint
    "WHO takes CELL",
    "WHO puts PIECE on CELL",
    "WHO puts everything right",
    "WHO bumps CELL",
    "WHO pushes CELL towards CELL",
    "WHO lays tag NUMBER on CELL",
    "WHO covers CELL",  # with a hand that stays
    "WHO leaves",
    "WHO presses fire",  # when the table has come to rest
    "WHO presses fire at once",
    "WHO presses pause",
    "WHO asks for a hint",
    "WHO asks to take back",
    "WHO offers a draw",
    "WHO claims a draw",
    "WHO accepts",
    "WHO declines",
    "WHO chooses NUMBER",
    "WHO resigns",
    "WHO pauses",
    "WHO continues",
)
# What no player does. All but the first three are the names of faults: `controller.devices.faults`.
EVENTS = (
    "wait MS",
    "power cut",  # and half of an entry may be left at the end of the journal
    "the program is killed",
    "the camera is unplugged",
    "the camera is plugged in",
    "the camera freezes",
    "the camera goes on",
    "the camera is nudged PX",
    "the light goes out",
    "the light comes on",
    "a lamp is switched on",
    "the lamp is switched off",
    "a lamp shines on CELL",
    "all lamps are gone",
    "the LED cable is pulled",
    "the LED cable is plugged in",
    "the LED cable goes bad PERCENT",
    "the LED cable is sound again",
    "the LED board restarts",
    "the disk is full",
    "the disk is read-only",
    "the disk has room again",
    "the disk is slow",
    "the disk is quick again",
    "the clock jumps SECONDS",
)
EXPECTATIONS = (
    "expect turn TEXT",  # the last one, as its game writes it
    "expect captured CELLS",
    "expect beam CELLS",  # all that it lit, in order
    "expect lit CELLS",  # by the last beams, among others
    "expect dark CELLS",
    "expect glowing CELLS",  # now, whatever for
    "expect position TEXT",
    "expect to move WHO",
    "expect phase TEXT",
    "expect meanwhile TEXT",  # a phase since the last act
    "expect wrong CELLS",
    "expect mismatch CELLS",
    "expect missing TEXT",  # a device
    "expect guide TEXT",
    "expect reason TEXT",  # why play cannot go on, among others
    "expect says TEXT",  # since the last act
    "expect silence",
    "expect spoken TEXT",
    "expect hint",
    "expect asked WHO",
    "expect clock WHO about TIME",
    "expect clock WHO runs",
    "expect clocks stopped",
    "expect journal NUMBER entries",
    "expect resumed",
    "expect over TEXT",
)
SENTENCES = (*DEEDS, *EVENTS, *EXPECTATIONS)
NUMBERS = ("MS", "DEGREES", "PX", "NUMBER", "PERCENT", "SECONDS")
_REST = {"TEXT": 1, "CELLS": 0}  # so many words at least, up to the end of the line


class BadScript(LaserboardError, ValueError):
    """A script that cannot be played."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line: somebody does something, something happens, or something is expected."""

    line: int
    text: str  # as it is written
    sentence: str  # one of `SENTENCES`
    words: tuple[str, ...] = ()  # what stands for its capitals, one by one

    @property
    def expects(self) -> bool:
        return self.sentence in EXPECTATIONS

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Script:
    """What is played, on what, and all that happens."""

    file: str
    settings: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    acts: tuple[Act, ...] = ()

    def error(self, act: Act, complaint: str) -> BadScript:
        return BadScript(f"{self.file}:{act.line}: {act}: {complaint}")


def read_script(text: str, file: str) -> Script:
    """A script from its text; `file` is what to call it in errors."""
    settings: dict[str, str] = {}
    options: list[str] = []
    acts: list[Act] = []
    lines = text.splitlines()
    if len(lines) > LONGEST_SCRIPT:
        raise BadScript(f"{file}: longer than {LONGEST_SCRIPT} lines")
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not _is_setting(words):
            acts.append(read_act(words, file, number))
            continue
        key, value = words[0], " ".join(words[1:])
        _check_setting(f"{file}:{number}: {key}", value, bool(acts), key in settings)
        if key in MANY:
            options.append(value)
        else:
            settings[key] = value
    named = [name for name in ("setup", "position", "seed") if name in settings]
    if len(named) > 1:
        raise BadScript(f"{file}: {named[0]} and {named[1]} both name a position: give one")
    if not acts:
        raise BadScript(f"{file}: nothing happens in it")
    return Script(file, settings, tuple(options), tuple(acts))


def _is_setting(words: list[str]) -> bool:
    if words[0] in SEATS:
        return len(words) == 2 and (words[1] == "human" or words[1].startswith("computer"))
    return words[0] in SETTINGS


def _check_setting(where: str, value: str, late: bool, again: bool) -> None:
    if late:
        raise BadScript(f"{where} must come before the first act")
    if again:
        raise BadScript(f"{where} is given twice")
    if not value:
        raise BadScript(f"{where}: a name is missing")


# -- sentences ---------------------------------------------------------------------------------


def read_act(words: list[str], file: str, line: int) -> Act:
    """One line of a script."""
    text = " ".join(words)
    for sentence in SENTENCES:
        told = _told(sentence.split(), words)
        if told is None:
            continue
        kinds = [kind for kind in sentence.split() if kind.isupper() and kind != "LED"]
        for kind, word in zip(kinds, told, strict=False):
            if kind in NUMBERS and not _is_number(word):
                raise BadScript(f"{file}:{line}: {text}: {excerpt(word)} is no number")
        return Act(line, text, sentence, tuple(told))
    raise BadScript(f"{file}:{line}: {_complaint(words)}")


def _told(sentence: list[str], words: list[str]) -> list[str] | None:
    """What stands for the capitals of a sentence; None if the words are not that sentence."""
    told: list[str] = []
    for at, kind in enumerate(sentence):
        if kind in _REST:
            rest = words[at:]
            return [*told, *rest] if len(rest) >= _REST[kind] else None
        if at >= len(words):
            return None
        if kind.isupper() and kind != "LED":
            told.append(words[at])
        elif kind != words[at]:
            return None
    return told if len(words) == len(sentence) else None


def _complaint(words: list[str]) -> str:
    """What is wrong with a line that is no sentence, and what to write."""
    text = " ".join(words)
    if words[0] == "expect":
        return _nearest(words, 1, EXPECTATIONS) or (
            f"{text}: cannot expect that"
            f"{did_you_mean(words[1] if words[1:] else '', _keys(EXPECTATIONS, 1))}"
        )
    known = _nearest(words, 0, EVENTS)
    if known:
        return known
    verb = words[1] if words[1:] else words[0]
    written = _nearest(words, 1, DEEDS)
    if written:
        return written
    if words[0] in ("the", "a", "all"):
        return f"{text}: nothing like that happens{did_you_mean(text, EVENTS)}"
    hint = did_you_mean(verb, [*_keys(DEEDS, 1), *SETTINGS, "expect", "wait"])
    return f"{excerpt(verb)} is no word of a script{hint}"


def _nearest(words: list[str], at: int, sentences: Iterable[str]) -> str:
    """How sentences with the same word at that place are written; empty if there is none."""
    if len(words) <= at or words[at] in ("the", "a", "all"):
        return ""
    alike = [each for each in sentences if each.split()[at] == words[at]]
    if not alike:
        return ""
    named = [f"{words[0]} {each[4:]}" if each.startswith("WHO ") else each for each in alike]
    ways = " or ".join(f"`{each}`" for each in named)
    return f"{' '.join(words)}: write {ways}"


def _keys(sentences: Iterable[str], at: int) -> list[str]:
    return list(dict.fromkeys(each.split()[at] for each in sentences))


def _is_number(word: str) -> bool:
    try:
        return abs(float(word)) <= LARGEST_NUMBER
    except ValueError:
        return False
