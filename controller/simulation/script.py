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

MAX_LINES = 2_000  # lines
MAX_NUMBER = 600_000.0

# Before the first act. `blue computer:3` and its like say who sits there.
SETTINGS = (
    *("board", "game", "option", "setup", "position", "seed", "table"),
    *("leds", "clock", "fire", "take_back"),
)
REPEATABLE_SETTINGS = ("option",)  # may be given again
SEAT_SETTINGS = ("blue", "red", "first", "second")

PLAYER_SENTENCES = (
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
# Not by a player. All but the first three are fault names of `devices/simulated/faults.py`.
EVENT_SENTENCES = (
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
EXPECTATION_SENTENCES = (
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
SENTENCES = (*PLAYER_SENTENCES, *EVENT_SENTENCES, *EXPECTATION_SENTENCES)
NUMBER_SLOTS = ("MS", "DEGREES", "PX", "NUMBER", "PERCENT", "SECONDS")
_REST_SLOTS = {"TEXT": 1, "CELLS": 0}  # so many words at least, up to the end of the line


class BadScript(LaserboardError, ValueError):
    """A script that cannot be played."""


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line: somebody does something, something happens, or something is expected."""

    line_number: int
    text: str  # as it is written
    sentence: str  # one of `SENTENCES`
    arguments: tuple[str, ...] = ()  # what stands for its capitals, one by one

    @property
    def is_expectation(self) -> bool:
        return self.sentence in EXPECTATION_SENTENCES

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Script:
    """What is played, on what, and all that happens."""

    file: str
    settings: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    lines: tuple[ScriptLine, ...] = ()

    def make_error(self, act: ScriptLine, complaint: str) -> BadScript:
        return BadScript(f"{self.file}:{act.line_number}: {act}: {complaint}")


def read_script(text: str, file: str) -> Script:
    """A script from its text; `file` is what to call it in errors."""
    settings: dict[str, str] = {}
    options: list[str] = []
    acts: list[ScriptLine] = []
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise BadScript(f"{file}: longer than {MAX_LINES} lines")
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not _is_setting(words):
            acts.append(read_line(words, file, number))
            continue
        key, value = words[0], " ".join(words[1:])
        _check_setting(f"{file}:{number}: {key}", value, bool(acts), key in settings)
        if key in REPEATABLE_SETTINGS:
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
    if words[0] in SEAT_SETTINGS:
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


def read_line(words: list[str], file: str, line: int) -> ScriptLine:
    """One line of a script."""
    text = " ".join(words)
    for sentence in SENTENCES:
        arguments = _match_sentence(sentence.split(), words)
        if arguments is None:
            continue
        kinds = [kind for kind in sentence.split() if kind.isupper() and kind != "LED"]
        for kind, word in zip(kinds, arguments, strict=False):
            if kind in NUMBER_SLOTS and not _is_number(word):
                raise BadScript(f"{file}:{line}: {text}: {excerpt(word)} is no number")
        return ScriptLine(line, text, sentence, tuple(arguments))
    raise BadScript(f"{file}:{line}: {_complaint(words)}")


def _match_sentence(sentence: list[str], words: list[str]) -> list[str] | None:
    """What stands for the capitals of a sentence; None if the words are not that sentence."""
    arguments: list[str] = []
    for at, kind in enumerate(sentence):
        if kind in _REST_SLOTS:
            rest = words[at:]
            return [*arguments, *rest] if len(rest) >= _REST_SLOTS[kind] else None
        if at >= len(words):
            return None
        if kind.isupper() and kind != "LED":
            arguments.append(words[at])
        elif kind != words[at]:
            return None
    return arguments if len(words) == len(sentence) else None


def _complaint(words: list[str]) -> str:
    """What is wrong with a line that is no sentence, and what to write."""
    text = " ".join(words)
    if words[0] == "expect":
        return _similar_sentences(words, 1, EXPECTATION_SENTENCES) or (
            f"{text}: cannot expect that"
            f"{did_you_mean(words[1] if words[1:] else '', _key_words(EXPECTATION_SENTENCES, 1))}"
        )
    known = _similar_sentences(words, 0, EVENT_SENTENCES)
    if known:
        return known
    verb = words[1] if words[1:] else words[0]
    written = _similar_sentences(words, 1, PLAYER_SENTENCES)
    if written:
        return written
    if words[0] in ("the", "a", "all"):
        return f"{text}: nothing like that happens{did_you_mean(text, EVENT_SENTENCES)}"
    hint = did_you_mean(verb, [*_key_words(PLAYER_SENTENCES, 1), *SETTINGS, "expect", "wait"])
    return f"{excerpt(verb)} is no word of a script{hint}"


def _similar_sentences(words: list[str], at: int, sentences: Iterable[str]) -> str:
    """How sentences with the same word at that place are written; empty if there is none."""
    if len(words) <= at or words[at] in ("the", "a", "all"):
        return ""
    alike = [each for each in sentences if each.split()[at] == words[at]]
    if not alike:
        return ""
    named = [f"{words[0]} {each[4:]}" if each.startswith("WHO ") else each for each in alike]
    ways = " or ".join(f"`{each}`" for each in named)
    return f"{' '.join(words)}: write {ways}"


def _key_words(sentences: Iterable[str], at: int) -> list[str]:
    return list(dict.fromkeys(each.split()[at] for each in sentences))


def _is_number(word: str) -> bool:
    try:
        return abs(float(word)) <= MAX_NUMBER
    except ValueError:
        return False
