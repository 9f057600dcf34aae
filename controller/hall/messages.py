"""What boards tell, as values: read from whatever comes over the network, and believed only where
it has the right shape. Keys that are not known here are left to later versions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from controller.agreement import MOST_TABLES
from controller.hall.topics import PRESENCE, PULSE, RESULT, STATE
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.record import RESULTS

LARGEST = {STATE: 64 * 1024, PULSE: 4 * 1024, PRESENCE: 4 * 1024, RESULT: 2 * 1024 * 1024}
LONGEST_NAME, LONGEST_SENTENCE, LONGEST_POSITION = 80, 400, 16 * 1024
MOST_REASONS = 20
MOST_WAITS = 3  # both players and the referee
LONGEST_MS = 10**12
UNFINISHED = "*"
_HEAD = re.compile("[0-9a-f]{64}")


class BadMessage(LaserboardError, ValueError):
    """Something that no board of ours has sent."""


class Presence(StrEnum):
    """Whether a board is there, by its own word or by the broker's."""

    HERE = "here"
    LEFT = "left"  # it said goodbye
    LOST = "lost"  # its last will


@dataclass(frozen=True, slots=True)
class Faces:
    """Both clocks."""

    left_ms: tuple[int, int]
    running: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pulse:
    """A board is alive: once a second."""

    instance: str  # of the program at that table
    number: int
    quiet_ms: int  # since the game's own loop was heard of
    clocks: Faces | None


@dataclass(frozen=True, slots=True)
class State:
    """A game as it stands."""

    instance: str
    round: int
    table: int
    game: str
    options: Mapping[str, Any]
    title: str
    sides: tuple[str, str]
    players: tuple[str, str]
    phase: str
    guide: str
    reasons: tuple[str, ...]
    clocks: Faces | None
    turns: int
    position: str
    last: str  # the last move in words
    head: str  # of its journal
    result: str  # UNFINISHED: it goes on
    reason: str
    page: str  # its own address; empty: none that others could reach


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. A later one of the same game, with more entries, stands in its place."""

    round: int
    table: int
    game_id: str  # the hash of its journal's first entry
    game: str
    title: str
    sides: tuple[str, str]
    players: tuple[str, str]
    result: str  # UNFINISHED: what was told before does not hold any more
    reason: str
    turns: int
    head: str
    entries: int
    started: str
    record: str  # JSON
    text: str  # empty where the game has no such form
    waits: tuple[str, ...] = ()  # for whom, before it stands

    @property
    def over(self) -> bool:
        return self.result != UNFINISHED


# -- reading -------------------------------------------------------------------------------------


def read_body(what: str, payload: bytes) -> Mapping[str, Any]:
    """The object in a payload, which may be anything."""
    if len(payload) > LARGEST[what]:
        raise BadMessage(f"{len(payload)} bytes are too many for a {what}")
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError:
        raise BadMessage(f"a {what} is no text") from None
    body = strict_json.read(text, BadMessage)
    if not isinstance(body, dict):
        raise BadMessage(f"a {what} must be an object, not {excerpt(body)}")
    return body


def read_presence(body: Mapping[str, Any]) -> tuple[Presence, str]:
    """Whether that board is there, and which program says so."""
    found = body.get("presence")
    if not isinstance(found, str) or found not in set(Presence):
        raise BadMessage(f"presence is {excerpt(found)}, not here, left or lost")
    return Presence(found), _text(body, "instance", LONGEST_NAME)


def read_pulse(body: Mapping[str, Any]) -> Pulse:
    return Pulse(
        _text(body, "instance", LONGEST_NAME),
        _whole(body, "number", 0, 10**12),
        _whole(body, "quiet_ms", 0, LONGEST_MS),
        _faces(body.get("clocks")),
    )


def read_state(body: Mapping[str, Any]) -> State:
    options = body.get("options", {})
    if not isinstance(options, dict) or len(options) > 40:
        raise BadMessage(f"options must be a small object, not {excerpt(options)}")
    reasons = strict_json.items(body.get("reasons", []), "reasons", BadMessage)[:MOST_REASONS]
    outcome = body.get("outcome")
    return State(
        instance=_text(body, "instance", LONGEST_NAME),
        round=_whole(body, "round", 1, MOST_TABLES),
        table=_whole(body, "table", 1, MOST_TABLES),
        game=_text(body, "game", LONGEST_NAME),
        options=options,
        title=_text(body, "title", LONGEST_NAME),
        sides=_pair(body, "sides"),
        players=_pair(body, "players"),
        phase=_text(body, "phase", LONGEST_NAME),
        guide=_text(body, "guide", LONGEST_SENTENCE),
        reasons=tuple(shown(each, LONGEST_SENTENCE) for each in reasons if isinstance(each, str)),
        clocks=_faces(body.get("clocks")),
        turns=_whole(body, "turns", 0, 10**6),
        position=_text(body, "position", LONGEST_POSITION, clip=False),
        last=_text(body, "last", LONGEST_SENTENCE),
        head=_head(body, "head"),
        result=UNFINISHED if outcome is None else _result(outcome),
        reason="" if outcome is None else _text(outcome, "reason", LONGEST_SENTENCE),
        page=safe_address(body.get("page")),
    )


def read_result(body: Mapping[str, Any]) -> Result:
    return Result(
        round=_whole(body, "round", 1, MOST_TABLES),
        table=_whole(body, "table", 1, MOST_TABLES),
        game_id=_head(body, "game_id") or _refuse("game_id"),
        game=_text(body, "game", LONGEST_NAME),
        title=_text(body, "title", LONGEST_NAME),
        sides=_pair(body, "sides"),
        players=_pair(body, "players"),
        result=_result(body),
        reason=_text(body, "reason", LONGEST_SENTENCE),
        turns=_whole(body, "turns", 0, 10**6),
        head=_head(body, "head") or _refuse("head"),
        entries=_whole(body, "entries", 1, 10**9),
        started=_text(body, "started", LONGEST_NAME),
        record=_text(body, "record", LARGEST[RESULT], clip=False),
        text=_text(body, "text", LARGEST[RESULT], clip=False),
        waits=_names(body.get("waits", [])),
    )


def safe_address(value: Any) -> str:
    """The address of a board's page, if it can be nothing else; empty otherwise."""
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        return ""
    try:
        parts = urlsplit(value)
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host or not re.fullmatch(r"[\w.:-]+", host):
        return ""
    if "@" in parts.netloc or parts.path not in ("", "/") or parts.query or parts.fragment:
        return ""
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{'' if port is None else f':{port}'}/"


def shown(text: str, most: int) -> str:
    """On one line, and not endless."""
    line = "".join(char if char.isprintable() else " " for char in text[: most + 1])
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _text(body: Any, key: str, most: int, *, clip: bool = True) -> str:
    value = body.get(key, "") if isinstance(body, dict) else None
    if not isinstance(value, str):
        raise BadMessage(f"{key} must be text, not {excerpt(value)}")
    if clip:
        return shown(value, most)
    if len(value) > most:
        raise BadMessage(f"{key} has {len(value)} letters: at most {most}")
    return value


def _whole(body: Mapping[str, Any], key: str, least: int, most: int) -> int:
    return strict_json.whole(body.get(key), key, BadMessage, least, most)


def _pair(body: Mapping[str, Any], key: str) -> tuple[str, str]:
    first, second = strict_json.items(body.get(key), key, BadMessage, 2)
    if not isinstance(first, str) or not isinstance(second, str):
        raise BadMessage(f"{key} must be two names")
    return shown(first, LONGEST_NAME), shown(second, LONGEST_NAME)


def _names(value: Any) -> tuple[str, ...]:
    names = strict_json.items(value, "waits", BadMessage)[:MOST_WAITS]
    if not all(isinstance(each, str) for each in names):
        raise BadMessage("waits must be names")
    return tuple(shown(each, LONGEST_NAME) for each in names)


def _head(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key, "")
    if not isinstance(value, str) or (value and not _HEAD.fullmatch(value)):
        raise BadMessage(f"{key} must be a hash, not {excerpt(value)}")
    return value


def _refuse(key: str) -> str:
    raise BadMessage(f"{key} is missing")


def _result(body: Any) -> str:
    value = body.get("result") if isinstance(body, dict) else None
    if not isinstance(value, str) or value not in RESULTS:
        raise BadMessage(f"{excerpt(value)} is no result: {', '.join(RESULTS)}")
    return value


def _faces(value: Any) -> Faces | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadMessage(f"clocks must be an object, not {excerpt(value)}")
    first, second = (
        strict_json.whole(each, "left_ms", BadMessage, 0, LONGEST_MS)
        for each in strict_json.items(value.get("left_ms"), "left_ms", BadMessage, 2)
    )
    running = strict_json.items(value.get("running"), "running", BadMessage)[:2]
    players = tuple(strict_json.whole(each, "running", BadMessage, 0, 1) for each in running)
    return Faces((first, second), players)
