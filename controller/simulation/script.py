"""Parser of scripts, which describe a game at a simulated table line by line:

    setup ace
    blue moves j4 j3
    blue presses fire
    expect turn j4j3

A `#` starts a comment. Text comes in, `ScriptLine`s go out; errors name file and line. Words in
capitals are arguments of a sentence. `script_context.py` checks cells, pieces and players.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.simulation import sentences
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.sentences import Sentence, Template

MAX_LINES = 2_000
MAX_NUMBER = 600_000.0

# Before the first action. A seat is set like this: `blue computer:3`.
SETTINGS = (
    *("board", "game", "option", "setup", "position", "seed", "table"),
    *("leds", "clock", "fire", "take_back"),
)
REPEATABLE_SETTINGS = ("option",)
SEAT_SETTINGS = ("blue", "red", "first", "second")

PLAYER_SENTENCES = (
    "WHO moves CELL CELL",
    "WHO turns CELL right",  # by one step of this game
    "WHO turns CELL left",
    "WHO turns CELL DEGREES",
    "WHO swaps CELL CELL",
    "WHO swaps the tags of CELL CELL",
    "WHO makes that move",  # that the LEDs show: the computer's, or a hint
    "WHO takes CELL",
    "WHO puts PIECE on CELL",
    "WHO puts everything right",
    "WHO bumps CELL",
    "WHO pushes CELL towards CELL",
    "WHO lays tag NUMBER on CELL",
    "WHO covers CELL",  # with a hand, until "WHO leaves"
    "WHO leaves",
    "WHO presses fire",  # when the table has settled
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
# All but the first three are faults of `devices/simulated/faults.py`.
EVENT_SENTENCES = (
    "wait MS",
    "power cut",  # may leave half an entry at the end of the journal
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
    "expect turn TEXT",  # the last one, in the game's notation
    "expect captured CELLS",
    "expect beam CELLS",  # all lit cells, in order
    "expect lit CELLS",  # some of the lit cells
    "expect dark CELLS",
    "expect glowing CELLS",  # now, for any reason
    "expect position TEXT",
    "expect to move WHO",
    "expect phase TEXT",
    "expect meanwhile TEXT",  # a phase since the last action
    "expect wrong CELLS",
    "expect mismatch CELLS",
    "expect missing TEXT",  # a device
    "expect guide TEXT",
    "expect reason TEXT",  # one of the reasons why play cannot go on
    "expect says TEXT",  # a message since the last action
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
_REST_SLOTS = {"TEXT": 1, "CELLS": 0}  # take the rest of the line: minimum number of words


class BadScript(LaserboardError, ValueError):
    """A script has an error; the message names file and line."""


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line: the action of a player, an event, or an expectation."""

    line_number: int
    text: str
    sentence: str  # one of `SENTENCES`
    arguments: tuple[str, ...] = ()  # the words in the place of its capitals

    @property
    def is_expectation(self) -> bool:
        return self.sentence in EXPECTATION_SENTENCES

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Script:
    """Settings and lines of one script."""

    file: str
    settings: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    lines: tuple[ScriptLine, ...] = ()

    def make_error(self, line: ScriptLine, problem: str | Sentence) -> BadScript:
        return BadScript(
            sentences.AT_SCRIPT_LINE(
                file=self.file, number=line.line_number, line=line.text, problem=problem
            )
        )


def read_script(text: str, file: str) -> Script:
    """Parse a script; `file` is its name in errors."""
    settings: dict[str, str] = {}
    options: list[str] = []
    script_lines: list[ScriptLine] = []
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise BadScript(sentences.SCRIPT_TOO_LONG(file=file, most=MAX_LINES))
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not _is_setting(words):
            script_lines.append(read_line(words, file, number))
            continue
        key, value = words[0], " ".join(words[1:])
        wrong = _wrong_setting(value, bool(script_lines), key in settings)
        if wrong is not None:
            raise BadScript(wrong(file=file, line=number, key=key))
        if key in REPEATABLE_SETTINGS:
            options.append(value)
        else:
            settings[key] = value
    named = [name for name in ("setup", "position", "seed") if name in settings]
    if len(named) > 1:
        raise BadScript(sentences.TWO_POSITIONS(file=file, first=named[0], second=named[1]))
    if not script_lines:
        raise BadScript(sentences.SCRIPT_EMPTY(file=file))
    return Script(file, settings, tuple(options), tuple(script_lines))


def _is_setting(words: list[str]) -> bool:
    if words[0] in SEAT_SETTINGS:
        return len(words) == 2 and (words[1] == "human" or words[1].startswith("computer"))
    return words[0] in SETTINGS


def _wrong_setting(value: str, late: bool, again: bool) -> Template | None:
    if late:
        return sentences.SETTING_TOO_LATE
    if again:
        return sentences.SETTING_TWICE
    return None if value else sentences.SETTING_WITHOUT_NAME


# -- sentences ---------------------------------------------------------------------------------


def read_line(words: list[str], file: str, line: int) -> ScriptLine:
    """Parse one line of a script."""
    text = " ".join(words)
    for sentence in SENTENCES:
        arguments = _match_sentence(sentence.split(), words)
        if arguments is None:
            continue
        kinds = [kind for kind in sentence.split() if kind.isupper() and kind != "LED"]
        for kind, word in zip(kinds, arguments, strict=False):
            if kind in NUMBER_SLOTS and not _is_number(word):
                problem = sentences.NOT_A_NUMBER(value=excerpt(word))
                raise BadScript(
                    sentences.AT_SCRIPT_LINE(file=file, number=line, line=text, problem=problem)
                )
        return ScriptLine(line, text, sentence, tuple(arguments))
    raise BadScript(f"{file}:{line}: {_describe_error(words)}")


def _match_sentence(sentence: list[str], words: list[str]) -> list[str] | None:
    """The arguments if the words match the sentence; else None."""
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


def _describe_error(words: list[str]) -> str:
    """The error message for a line that matches no sentence, with suggestions."""
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
        return f"{text}: there is no such event{did_you_mean(text, EVENT_SENTENCES)}"
    hint = did_you_mean(verb, [*_key_words(PLAYER_SENTENCES, 1), *SETTINGS, "expect", "wait"])
    return f"{excerpt(verb)} is not a word of scripts{hint}"


def _similar_sentences(words: list[str], at: int, known: Iterable[str]) -> str:
    """Suggest the sentences with the same word at index `at`; empty if there are none."""
    if len(words) <= at or words[at] in ("the", "a", "all"):
        return ""
    alike = [each for each in known if each.split()[at] == words[at]]
    if not alike:
        return ""
    named = [f"{words[0]} {each[4:]}" if each.startswith("WHO ") else each for each in alike]
    ways = " or ".join(f"`{each}`" for each in named)
    return f"{' '.join(words)}: write {ways}"


def _key_words(known: Iterable[str], at: int) -> list[str]:
    return list(dict.fromkeys(each.split()[at] for each in known))


def _is_number(word: str) -> bool:
    try:
        return abs(float(word)) <= MAX_NUMBER
    except ValueError:
        return False
