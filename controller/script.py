"""Games as scripts: what hands do on a table, line by line, and what must come of it.

    setup ace
    move j4 j3
    fire
    expect turn j4j3

A `#` begins a remark. Nothing is done here: text comes in, frozen steps go out, and every complaint
names file and line. Names of cells, games and boards are checked by whoever plays the script.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.errors import LaserboardError, did_you_mean, excerpt

LONGEST_SCRIPT = 2_000  # lines
LONGEST_WAIT_MS = 600_000.0

# What is played, before the first act. Each at most once; the number of words after it.
SETTINGS = {"board": 1, "game": 1, "setup": 1, "position": 1, "seed": 1, "leds": 1}
ACTS = {
    "move": "CELL CELL",
    "turn": "CELL DEGREES",
    "take": "CELL",
    "hand": "CELL",
    "away": "",
    "wait": "MS",
    "fire": "",
    "expect": "turn|beam|lit|dark|captured|position|says ...",
}
EXPECTED = ("turn", "beam", "lit", "dark", "captured", "position", "says")


class BadScript(LaserboardError, ValueError):
    """A script that cannot be played."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line that does or demands something."""

    line: int
    verb: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words))


@dataclass(frozen=True)
class Script:
    """What is played, on what, and all that happens."""

    file: str
    settings: dict[str, str] = field(default_factory=dict)
    acts: tuple[Act, ...] = ()

    def error(self, act: Act, complaint: str) -> BadScript:
        return BadScript(f"{self.file}:{act.line}: {act}: {complaint}")


def read_script(text: str, file: str) -> Script:
    """A script from its text; `file` is what to call it in errors."""
    settings: dict[str, str] = {}
    acts: list[Act] = []
    lines = text.splitlines()
    if len(lines) > LONGEST_SCRIPT:
        raise BadScript(f"{file}: longer than {LONGEST_SCRIPT} lines")
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        verb, rest = words[0], tuple(words[1:])
        if verb in SETTINGS:
            if acts:
                raise BadScript(f"{file}:{number}: {verb} must come before the first act")
            if verb in settings:
                raise BadScript(f"{file}:{number}: {verb} is given twice")
            if len(rest) < 1:
                raise BadScript(f"{file}:{number}: {verb}: a name is missing")
            settings[verb] = " ".join(rest)
        elif verb in ACTS:
            acts.append(_checked(Act(number, verb, rest), file))
        else:
            hint = did_you_mean(verb, [*SETTINGS, *ACTS])
            raise BadScript(f"{file}:{number}: {excerpt(verb)} is no word of a script{hint}")
    named = [name for name in ("setup", "position", "seed") if name in settings]
    if len(named) > 1:
        raise BadScript(f"{file}: {named[0]} and {named[1]} both name a position: give one")
    if not acts:
        raise BadScript(f"{file}: nothing happens in it")
    return Script(file, settings, tuple(acts))


def _checked(act: Act, file: str) -> Act:
    where = f"{file}:{act.line}: {act}"
    if act.verb == "expect":
        if not act.words or act.words[0] not in EXPECTED:
            hint = did_you_mean(act.words[0] if act.words else "", EXPECTED)
            raise BadScript(f"{where}: cannot expect that{hint}")
        if len(act.words) < 2 and act.words[0] != "captured":
            raise BadScript(f"{where}: expect what?")
        return act
    wanted = ACTS[act.verb].split()
    if len(act.words) != len(wanted):
        raise BadScript(f"{where}: write `{' '.join([act.verb, *wanted])}`")
    for word, kind in zip(act.words, wanted, strict=True):
        if kind in ("MS", "DEGREES") and not _is_number(word):
            raise BadScript(f"{where}: {excerpt(word)} is no number")
    return act


def _is_number(word: str) -> bool:
    try:
        return abs(float(word)) <= LONGEST_WAIT_MS
    except ValueError:
        return False
