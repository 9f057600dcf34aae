"""The lines of the engine protocol as values: docs/engine.md.

Both ends use this module: `setup_lines` and `go_line` write requests, `read_reply` parses replies,
and `SearchProgress` and `BestMove` render themselves with `str()`. A line consists of words; a word
that begins with `{` or `[` is JSON to the end of its value, including blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.ports.devices import MoveQuestion
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.search import DECIDED, STRONGEST, WIN

VERSION = 1
HELLO, OK, IS_READY, READY = "hello", "ok", "isready", "readyok"
STOP, WAIT, QUIT = "stop", "wait", "quit"
LEVEL, CORE, SEED, MARGIN = "Level", "Core", "Seed", "Margin"
MOVES = "moves"
MAX_TIME_MS = 24 * 3_600_000

_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"\S+")
_INTEGER = re.compile(r"-?[0-9]{1,15}")


class BadLine(LaserboardError, ValueError):
    """A line that is not a valid request."""


def split_words(line: str) -> list[str]:
    """The words of a line; JSON is one word."""
    found: list[str] = []
    at = _skip(line, 0)
    while at < len(line):
        if line[at] in "{[":
            try:
                end = strict_json.scan(line, at).end
            except strict_json.NotJson as error:
                raise BadLine(f"not JSON: {error} in {excerpt(line[at:])}") from None
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


def parse_int(text: str, what: str, minimum: int, maximum: int) -> int:
    """Parse an integer of a line."""
    number = int(text) if _INTEGER.fullmatch(text) else minimum - 1
    if not minimum <= number <= maximum:
        raise BadLine(
            f"{what} must be a whole number from {minimum} to {maximum}, not {excerpt(text)}"
        )
    return number


# -- requests ----------------------------------------------------------------------------------


def setup_lines(question: MoveQuestion, options: Iterable[str]) -> list[str]:
    """The lines before `go`, with only those settings that the program has announced."""
    settings = {
        LEVEL: question.level or STRONGEST,
        CORE: question.search_core or "auto",
        SEED: question.seed,
    }
    lines = [
        f"setoption name {name} value {settings[name]}" for name in settings if name in options
    ]
    rules = f" {strict_json.write(dict(question.options))}" if question.options else ""
    moves = f" {MOVES} {' '.join(question.moves)}" if question.moves else ""
    return [*lines, f"game {question.game}{rules}", f"position {question.position}{moves}"]


def go_line(question: MoveQuestion, seconds: float | None) -> str:
    """The line that asks for a move within `seconds`."""
    limits: Mapping[str, Any] = {
        "player": question.player,
        "depth": question.depth,
        "nodes": question.nodes,
        "movetime": None if seconds is None else round(1000 * seconds),
        "softtime": None if question.soft_limit_s is None else round(1000 * question.soft_limit_s),
    }
    limits_text = [f"{name} {value}" for name, value in limits.items() if value is not None]
    return " ".join(["go", *limits_text])


# -- replies -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """The state of a search: after each depth, and for the chosen move."""

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
        text = (
            f"info depth {self.depth} score {score} nodes {self.nodes} nps {rate} "
            f"time {self.time_ms}"
        )
        return f"{text} pv {' '.join(self.line)}" if self.line else text

    @property
    def turns_to_end(self) -> int | None:
        return WIN - abs(self.score) if abs(self.score) > DECIDED else None


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to a `go`; with `claim`, the draw is claimed instead of making the move."""

    move: str
    claim: bool = False

    def __str__(self) -> str:
        return f"bestmove {self.move}{' claim' if self.claim else ''}"


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """The reply to an invalid line, or to a `go` that leads to no move."""

    reason: str

    def __str__(self) -> str:
        return f"error {' '.join(self.reason.split())}"


@dataclass(frozen=True, slots=True)
class OptionReply:
    """A setting that the program has."""

    name: str


@dataclass(frozen=True, slots=True)
class StatusReply:
    """A reply of one word: `ok`, `readyok`."""

    status: str


Reply = SearchProgress | BestMove | ErrorReply | OptionReply | StatusReply


def read_reply(line: str) -> Reply | None:
    """Parse a reply; None for any other output, which programs may print."""
    first, _, rest = line.strip().partition(" ")
    if first == "error":
        return ErrorReply(rest)
    if first in (OK, READY):
        return StatusReply(first)
    if first not in ("bestmove", "info", "option"):
        return None
    try:
        found = split_words(rest)
        if first == "info":
            return _read_info(found)
    except BadLine as error:
        return ErrorReply(f"{first}: {error}") if first == "bestmove" else None
    if first == "option":
        return OptionReply(found[1]) if found[:1] == ["name"] and len(found) > 1 else None
    if not found:
        return ErrorReply("bestmove without a move")
    return BestMove(found[0], "claim" in found[1:])


def _read_info(found: Sequence[str]) -> SearchProgress | None:
    """None without a score, as in `info string ...`."""
    numbers = {"depth": 0, "nodes": 0, "time": 0}
    score: int | None = None
    rest = iter(found)
    for word in rest:
        if word in numbers:
            numbers[word] = parse_int(next(rest, ""), word, 0, 10**15)
        elif word == "score":
            score = _read_score(next(rest, ""), next(rest, ""))
        elif word in ("pv", "string"):
            break
    if score is None:
        return None
    return SearchProgress(numbers["depth"], score, numbers["nodes"], numbers["time"], tuple(rest))


def _read_score(kind: str, number: str) -> int:
    if kind == "cp":
        return parse_int(number, "a score", -DECIDED, DECIDED)
    turns = parse_int(number, "turns", 0, WIN - DECIDED - 1)
    if kind not in ("win", "loss"):
        raise BadLine(f"there is no score {excerpt(kind)}: cp, win or loss")
    return WIN - turns if kind == "win" else turns - WIN
