"""Who plays a match, from a few words: `level:3`, `native`, `python:level=7`, `cmd:./other --fast`.

A `cmd:` is any program that speaks the protocol of docs/engine.md; the others are our own.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from shutil import which

from controller.engine_protocol import LONGEST_MS
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.search import CORES, DEEPEST, STRONGEST

FORMS = "write a level (3 or level:3), native, python, native:level=7, or cmd:PROGRAM ARGUMENT ..."
LARGEST = 10**12


class BadContestant(LaserboardError, ValueError):
    """Words that name no player."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What one move may take; None: not limited by that."""

    movetime: int | None = None  # in milliseconds
    depth: int | None = None
    nodes: int | None = None

    def __str__(self) -> str:
        told = ((each.name, getattr(self, each.name)) for each in fields(self))
        return ", ".join(f"{name} {value}" for name, value in told if value is not None)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a match. What it may spend is its own, where it says so."""

    name: str
    command: tuple[str, ...] = ()  # of a program; nothing: our own
    core: str | None = None
    level: int | None = None
    own: Spending = Spending()


_MOST = {"level": STRONGEST, "depth": DEEPEST, "nodes": LARGEST, "movetime": LONGEST_MS}


def read_contestant(text: str) -> Contestant:
    """A player from its words."""
    if text.isdecimal():
        return read_contestant(f"level:{text}")
    kind, colon, rest = text.partition(":")
    if kind == "cmd":
        return Contestant(text, _command(rest))
    if kind == "level":
        return Contestant(text, level=_number("level", rest, text))
    if kind not in CORES or bool(colon) != bool(rest):
        raise BadContestant(f"there is no player {excerpt(text)}: {FORMS}")
    given: dict[str, int] = {}
    for part in rest.split(",") if rest else ():
        key, _, value = part.partition("=")
        if key not in _MOST:
            raise BadContestant(f"{excerpt(text)} has no {excerpt(key)}{did_you_mean(key, _MOST)}")
        given[key] = _number(key, value, text)
    level = given.pop("level", None)
    return Contestant(text, core=kind, level=level, own=Spending(**given))


def _number(key: str, value: str, text: str) -> int:
    number = int(value) if value.isdecimal() and len(value) < 15 else 0
    if not 1 <= number <= _MOST[key]:
        raise BadContestant(
            f"{excerpt(text)}: {key} is a whole number from 1 to {_MOST[key]}, not {excerpt(value)}"
        )
    return number


def _command(text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text))
    except ValueError as bad:
        raise BadContestant(f"cmd:{text}: {bad}; quote it as in a shell") from None
    if not command:
        raise BadContestant(f"cmd: names no program: {FORMS}")
    if which(command[0]) is None:
        raise BadContestant(
            f"there is no program {excerpt(command[0])} here: write its whole path, or ./NAME"
        )
    return command
