"""Parses the contestants of a match: `level:3`, `native`, `python:level=7`, `cmd:./other --fast`.

`cmd:` is any program that speaks the protocol of docs/engine.md; the others are our own.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from shutil import which

from controller.computer import sentences
from controller.computer.protocol import MAX_TIME_MS
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.search import CORES, DEEPEST, STRONGEST

MAX_NODES = 10**12


class BadContestant(LaserboardError, ValueError):
    """Text that is not a contestant."""


@dataclass(frozen=True, slots=True)
class MoveLimits:
    """Limits of one move; None: no such limit."""

    movetime: int | None = None  # milliseconds
    depth: int | None = None
    nodes: int | None = None

    def __str__(self) -> str:
        limits = ((each.name, getattr(self, each.name)) for each in fields(self))
        return ", ".join(f"{name} {value}" for name, value in limits if value is not None)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a match, with its own limits if it has any."""

    name: str
    command: tuple[str, ...] = ()  # of a program; empty: our own player
    core: str | None = None
    level: int | None = None
    limits: MoveLimits = MoveLimits()


_MAXIMA = {"level": STRONGEST, "depth": DEEPEST, "nodes": MAX_NODES, "movetime": MAX_TIME_MS}


def parse_contestant(text: str) -> Contestant:
    """Parse a contestant."""
    if text.isdecimal():
        return parse_contestant(f"level:{text}")
    kind, colon, rest = text.partition(":")
    if kind == "cmd":
        return Contestant(text, _command(rest))
    if kind == "level":
        return Contestant(text, level=_number("level", rest, text))
    if kind not in CORES or bool(colon) != bool(rest):
        raise BadContestant(sentences.NO_SUCH_PLAYER(value=excerpt(text)))
    settings: dict[str, int] = {}
    for part in rest.split(",") if rest else ():
        key, _, value = part.partition("=")
        if key not in _MAXIMA:
            hint = did_you_mean(key, _MAXIMA)
            raise BadContestant(
                sentences.NO_SUCH_SETTING(value=excerpt(text), key=excerpt(key), hint=hint)
            )
        settings[key] = _number(key, value, text)
    level = settings.pop("level", None)
    return Contestant(text, core=kind, level=level, limits=MoveLimits(**settings))


def _number(key: str, value: str, text: str) -> int:
    number = int(value) if value.isdecimal() and len(value) < 15 else 0
    if not 1 <= number <= _MAXIMA[key]:
        raise BadContestant(
            sentences.SETTING_RANGE(
                value=excerpt(text), key=key, most=_MAXIMA[key], number=excerpt(value)
            )
        )
    return number


def _command(text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise BadContestant(
            sentences.COMMAND_UNREADABLE(command=text, reason=str(error))
        ) from error
    if not command:
        raise BadContestant(sentences.COMMAND_EMPTY())
    if which(command[0]) is None:
        raise BadContestant(sentences.NO_SUCH_PROGRAM(name=excerpt(command[0])))
    return command
