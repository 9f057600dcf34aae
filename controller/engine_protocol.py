"""The lines between whoever wants a move and a program that plays, as values: docs/engine.md.

Both ends use this module: `setting_out` and `going` say what to ask, `read_reply` understands what
comes back, `Info` and `BestMove` write themselves. A line is words; a word that begins with `{` or
`[` is JSON, to the end of its value, blanks and all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.ports import Question
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.search import DECIDED, STRONGEST, WIN

VERSION = 1
HELLO, OK, IS_READY, READY = "hello", "ok", "isready", "readyok"
STOP, WAIT, QUIT = "stop", "wait", "quit"
LEVEL, CORE, SEED, MARGIN = "Level", "Core", "Seed", "Margin"
MOVES = "moves"
LONGEST_MS = 24 * 3_600_000

_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"\S+")
_WHOLE = re.compile(r"-?[0-9]{1,15}")


class BadLine(LaserboardError, ValueError):
    """A line that asks for nothing that can be done."""


def words(line: str) -> list[str]:
    """The words of a line; JSON is one word."""
    found: list[str] = []
    at = _skip(line, 0)
    while at < len(line):
        if line[at] in "{[":
            try:
                end = strict_json.scan(line, at).end
            except strict_json.NotJson as bad:
                raise BadLine(f"not JSON: {bad} in {excerpt(line[at:])}") from None
        else:
            word = _WORD.match(line, at)
            assert word is not None, "a blank was skipped"
            end = word.end()
        found.append(line[at:end])
        at = _skip(line, end)
    return found


def _skip(line: str, at: int) -> int:
    blank = _BLANK.match(line, at)
    assert blank is not None, "nothing is a blank, too"
    return blank.end()


def whole(text: str, what: str, least: int, most: int) -> int:
    """A whole number from a line."""
    number = int(text) if _WHOLE.fullmatch(text) else least - 1
    if not least <= number <= most:
        raise BadLine(f"{what} must be a whole number from {least} to {most}, not {excerpt(text)}")
    return number


# -- what is asked -----------------------------------------------------------------------------


def setting_out(question: Question, options: Iterable[str]) -> list[str]:
    """The lines that come before `go`; of the program's settings, those it has told of."""
    wanted = {
        LEVEL: question.level or STRONGEST,
        CORE: question.core or "auto",
        SEED: question.seed,
    }
    lines = [f"setoption name {name} value {wanted[name]}" for name in wanted if name in options]
    rules = f" {strict_json.write(dict(question.options))}" if question.options else ""
    moves = f" {MOVES} {' '.join(question.moves)}" if question.moves else ""
    return [*lines, f"game {question.game}{rules}", f"position {question.position}{moves}"]


def going(question: Question, seconds: float | None) -> str:
    """The line that asks for the move, within that time."""
    limits: Mapping[str, Any] = {
        "player": question.player,
        "depth": question.depth,
        "nodes": question.nodes,
        "movetime": None if seconds is None else round(1000 * seconds),
        "softtime": None if question.soft_s is None else round(1000 * question.soft_s),
    }
    told = [f"{name} {value}" for name, value in limits.items() if value is not None]
    return " ".join(["go", *told])


# -- what is answered --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Info:
    """What a program thinks by now: after a depth, and of the move that it plays."""

    depth: int
    score: int  # for the mover, as in `engine.search`
    nodes: int = 0
    time_ms: int = 0
    line: tuple[str, ...] = ()

    def __str__(self) -> str:
        ending = WIN - abs(self.score)
        if abs(self.score) <= DECIDED:
            score = f"cp {self.score}"
        else:
            score = f"win {ending}" if self.score > 0 else f"loss {ending}"
        rate = 1000 * self.nodes // max(1, self.time_ms)
        told = (
            f"info depth {self.depth} score {score} nodes {self.nodes} nps {rate} "
            f"time {self.time_ms}"
        )
        return f"{told} pv {' '.join(self.line)}" if self.line else told

    @property
    def turns_to_end(self) -> int | None:
        return WIN - abs(self.score) if abs(self.score) > DECIDED else None


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to a `go`; with `claim`, the draw is claimed rather than the move made."""

    move: str
    claim: bool = False

    def __str__(self) -> str:
        return f"bestmove {self.move}{' claim' if self.claim else ''}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that was not understood, or a `go` that leads to no move."""

    reason: str

    def __str__(self) -> str:
        return f"error {' '.join(self.reason.split())}"


@dataclass(frozen=True, slots=True)
class Offer:
    """A setting that the program has."""

    name: str


@dataclass(frozen=True, slots=True)
class Said:
    """One of the words that stand for themselves: `ok`, `readyok`."""

    word: str


Reply = Info | BestMove | Refusal | Offer | Said


def read_reply(line: str) -> Reply | None:
    """What a program has said; None for chatter, which every program may make."""
    first, _, rest = line.strip().partition(" ")
    if first == "error":
        return Refusal(rest)
    if first in (OK, READY):
        return Said(first)
    if first not in ("bestmove", "info", "option"):
        return None
    try:
        found = words(rest)
        if first == "info":
            return _read_info(found)
    except BadLine as bad:
        return Refusal(f"{first}: {bad}") if first == "bestmove" else None
    if first == "option":
        return Offer(found[1]) if found[:1] == ["name"] and len(found) > 1 else None
    if not found:
        return Refusal("bestmove without a move")
    return BestMove(found[0], "claim" in found[1:])


def _read_info(found: Sequence[str]) -> Info | None:
    """None where it says nothing of a score: `info string ...` and the like."""
    numbers = {"depth": 0, "nodes": 0, "time": 0}
    score: int | None = None
    rest = iter(found)
    for word in rest:
        if word in numbers:
            numbers[word] = whole(next(rest, ""), word, 0, 10**15)
        elif word == "score":
            score = _read_score(next(rest, ""), next(rest, ""))
        elif word in ("pv", "string"):
            break
    if score is None:
        return None
    return Info(numbers["depth"], score, numbers["nodes"], numbers["time"], tuple(rest))


def _read_score(kind: str, number: str) -> int:
    if kind == "cp":
        return whole(number, "a score", -DECIDED, DECIDED)
    turns = whole(number, "turns", 0, WIN - DECIDED - 1)
    if kind not in ("win", "loss"):
        raise BadLine(f"there is no score {excerpt(kind)}: cp, win or loss")
    return WIN - turns if kind == "win" else turns - WIN
