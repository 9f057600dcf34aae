"""Games as scripts: what hands do on a table, line by line, and what must come of it.

    setup ace
    blue moves j4 j3
    blue presses fire
    expect turn j4j3

A `#` begins a remark. Nothing is done here: text comes in, frozen steps go out, and every complaint
names file and line. Names of cells, games and boards are checked by whoever plays the script.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.errors import LaserboardError, did_you_mean, excerpt

LONGEST_SCRIPT = 2_000  # lines
LONGEST_WAIT_MS = 600_000.0

SETTINGS = ("board", "game", "setup", "position", "seed", "leds")  # before the first act
# What somebody does: `blue moves j4 j3`.
DEEDS = {
    "moves": ("CELL", "CELL"),
    "turns": ("CELL", "DEGREES"),
    "takes": ("CELL",),
    "covers": ("CELL",),  # with a hand that stays
    "leaves": (),
    "presses": ("fire",),
}
EXPECTED = (
    *("turn", "beam", "lit", "dark", "captured", "position"),
    *("phase", "wrong", "guide", "says"),
)


class BadScript(LaserboardError, ValueError):
    """A script that cannot be played."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line: somebody does something, time passes (`wait`), or something is expected."""

    line: int
    who: str  # nobody: ""
    verb: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(word for word in (self.who, self.verb, *self.words) if word)


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
        first, rest = words[0], tuple(words[1:])
        if first in SETTINGS:
            if acts:
                raise BadScript(f"{file}:{number}: {first} must come before the first act")
            if first in settings:
                raise BadScript(f"{file}:{number}: {first} is given twice")
            if not rest:
                raise BadScript(f"{file}:{number}: {first}: a name is missing")
            settings[first] = " ".join(rest)
        elif first in ("expect", "wait"):
            acts.append(_checked(Act(number, "", first, rest), file))
        elif rest and rest[0] in DEEDS:
            acts.append(_checked(Act(number, first, rest[0], rest[1:]), file))
        else:
            verb = rest[0] if rest else first
            hint = did_you_mean(verb, [*DEEDS, *SETTINGS, "expect", "wait"])
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
        if len(act.words) < 2 and act.words[0] not in ("captured", "wrong"):
            raise BadScript(f"{where}: expect what?")
        return act
    wanted = ("MS",) if act.verb == "wait" else DEEDS[act.verb]
    named = " ".join(word for word in (act.who, act.verb, *wanted) if word)
    if len(act.words) != len(wanted):
        raise BadScript(f"{where}: write `{named}`")
    for word, kind in zip(act.words, wanted, strict=True):
        if kind in ("MS", "DEGREES") and not _is_number(word):
            raise BadScript(f"{where}: {excerpt(word)} is no number")
        if kind == "fire" and word != kind:
            raise BadScript(f"{where}: write `{named}`")
    return act


def _is_number(word: str) -> bool:
    try:
        return abs(float(word)) <= LONGEST_WAIT_MS
    except ValueError:
        return False
