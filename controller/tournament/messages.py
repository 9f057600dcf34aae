"""The messages that boards publish, as values; reading validates every field.

Unknown keys are ignored, because later versions may add some. The keys on the wire (`guide`,
`head`, `last`, `waits`) are older than the names of the fields here. Messages of version 0.1 have
no `sentences`: text alone is a plain sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any
from unicodedata import normalize
from urllib.parse import urlsplit

from controller.session.setup import MAX_TABLE_NUMBER
from controller.tournament import sentences
from controller.tournament.keyed_sentences import read_keyed
from controller.tournament.topics import PRESENCE, PULSE, RESULT, STATE
from engine import strict_json
from engine.catalogue import NOT_TEXT
from engine.errors import LaserboardError, excerpt
from engine.record import RESULTS
from engine.record.catalogue import NOT_A_RESULT
from engine.sentences import Sentence

MAX_PAYLOAD_BYTES = {STATE: 64 * 1024, PULSE: 4 * 1024, PRESENCE: 4 * 1024, RESULT: 2 * 1024 * 1024}
MAX_NAME_CHARS, MAX_SENTENCE_CHARS, MAX_POSITION_CHARS = 80, 400, 16 * 1024
MAX_REASONS = 20
MAX_PLAYER_NAME_CHARS = 60
MAX_AWAITING = 3  # both players and the referee
MAX_MS = 10**12
UNFINISHED = "*"
_HASH = re.compile("[0-9a-f]{64}")


class BadMessage(LaserboardError, ValueError):
    """A message that does not have the form of ours."""


class Presence(StrEnum):
    """Whether a board is connected."""

    HERE = "here"
    LEFT = "left"  # it disconnected properly
    LOST = "lost"  # the broker published its last will


@dataclass(frozen=True, slots=True)
class ClockTimes:
    """Remaining times, and the players whose clocks run."""

    left_ms: tuple[int, int]
    running: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PulseMessage:
    """Sent once a second by a running board."""

    instance: str  # random id of the program at that table
    number: int
    quiet_ms: int  # since the last tick of the game's loop
    clocks: ClockTimes | None


@dataclass(frozen=True, slots=True)
class BoardState:
    """The state of a running game."""

    instance: str
    round: int
    table: int
    game: str
    options: Mapping[str, Any]
    title: str
    sides: tuple[str, str]
    players: tuple[str, str]
    phase: str
    guidance: Sentence
    reasons: tuple[Sentence, ...]
    clocks: ClockTimes | None
    turns: int
    position: str
    last_move: Sentence | None  # description of the last turn
    last_hash: str  # of the journal
    result: str  # UNFINISHED while the game is running
    reason: Sentence | None
    page_url: str  # empty if there is none, or none that other computers can reach


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game. One with more entries of the same game replaces it."""

    round: int
    table: int
    game_id: str  # the hash of its journal's first entry
    game: str
    title: str
    sides: tuple[str, str]
    players: tuple[str, str]
    result: str  # UNFINISHED withdraws an earlier result
    reason: Sentence | None
    turns: int
    last_hash: str
    entries: int
    started: str
    record: str  # JSON
    text: str  # empty if the game has no text form
    awaiting: tuple[Sentence, ...] = ()  # whose confirmation is missing

    @property
    def is_over(self) -> bool:
        return self.result != UNFINISHED


# -- reading -------------------------------------------------------------------------------------


def read_payload(kind: str, payload: bytes) -> Mapping[str, Any]:
    """Decode a payload of unknown origin to a JSON object."""
    if len(payload) > MAX_PAYLOAD_BYTES[kind]:
        raise BadMessage(sentences.TOO_MANY_BYTES(bytes=len(payload), kind=kind))
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadMessage(sentences.NOT_TEXT(kind=kind)) from error
    body = strict_json.read(text, BadMessage)
    if not isinstance(body, dict):
        raise BadMessage(sentences.NOT_AN_OBJECT(kind=kind, value=excerpt(body)))
    return body


def read_presence(body: Mapping[str, Any]) -> tuple[Presence, str]:
    """The presence of a board, and the instance that reported it."""
    found = body.get("presence")
    if not isinstance(found, str) or found not in set(Presence):
        raise BadMessage(sentences.BAD_PRESENCE(value=excerpt(found)))
    return Presence(found), _text(body, "instance", MAX_NAME_CHARS)


def read_pulse(body: Mapping[str, Any]) -> PulseMessage:
    return PulseMessage(
        _text(body, "instance", MAX_NAME_CHARS),
        _int(body, "number", 0, 10**12),
        _int(body, "quiet_ms", 0, MAX_MS),
        _clock_times(body.get("clocks")),
    )


def read_state(body: Mapping[str, Any]) -> BoardState:
    options = body.get("options", {})
    if not isinstance(options, dict) or len(options) > 40:
        raise BadMessage(sentences.BAD_OPTIONS(value=excerpt(options)))
    reasons = strict_json.require_list(body.get("reasons", []), "reasons", BadMessage)[:MAX_REASONS]
    outcome, keyed = body.get("outcome"), _keyed(body)
    return BoardState(
        instance=_text(body, "instance", MAX_NAME_CHARS),
        round=_int(body, "round", 1, MAX_TABLE_NUMBER),
        table=_int(body, "table", 1, MAX_TABLE_NUMBER),
        game=_text(body, "game", MAX_NAME_CHARS),
        options=options,
        title=_text(body, "title", MAX_NAME_CHARS),
        sides=_pair(body, "sides"),
        players=_pair(body, "players"),
        phase=_text(body, "phase", MAX_NAME_CHARS),
        guidance=read_keyed(_text(body, "guide", MAX_SENTENCE_CHARS), keyed.get("guide")),
        reasons=_sentences(reasons, keyed.get("reasons"), MAX_SENTENCE_CHARS),
        clocks=_clock_times(body.get("clocks")),
        turns=_int(body, "turns", 0, 10**6),
        position=_text(body, "position", MAX_POSITION_CHARS, clip=False),
        last_move=_optional_sentence(body, "last", keyed),
        last_hash=_hash(body, "head"),
        result=UNFINISHED if outcome is None else _result(outcome),
        reason=None if outcome is None else _optional_sentence(outcome, "reason", keyed),
        page_url=safe_page_url(body.get("page")),
    )


def read_result(body: Mapping[str, Any]) -> GameResult:
    keyed = _keyed(body)
    return GameResult(
        round=_int(body, "round", 1, MAX_TABLE_NUMBER),
        table=_int(body, "table", 1, MAX_TABLE_NUMBER),
        game_id=_hash(body, "game_id") or _raise_missing("game_id"),
        game=_text(body, "game", MAX_NAME_CHARS),
        title=_text(body, "title", MAX_NAME_CHARS),
        sides=_pair(body, "sides"),
        players=_pair(body, "players"),
        result=_result(body),
        reason=_optional_sentence(body, "reason", keyed),
        turns=_int(body, "turns", 0, 10**6),
        last_hash=_hash(body, "head") or _raise_missing("head"),
        entries=_int(body, "entries", 1, 10**9),
        started=_text(body, "started", MAX_NAME_CHARS),
        record=_text(body, "record", MAX_PAYLOAD_BYTES[RESULT], clip=False),
        text=_text(body, "text", MAX_PAYLOAD_BYTES[RESULT], clip=False),
        awaiting=_awaiting(body.get("waits", []), keyed),
    )


def safe_page_url(value: Any) -> str:
    """The URL of a board's page, if it is a plain http(s) origin; otherwise empty."""
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


def clip_line(text: str, most: int) -> str:
    """Shorten to `most` characters and replace control characters, so that it is one line."""
    line = "".join(char if char.isprintable() else " " for char in text[: most + 1])
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _text(body: Any, key: str, most: int, *, clip: bool = True) -> str:
    value = body.get(key, "") if isinstance(body, dict) else None
    if not isinstance(value, str):
        raise BadMessage(NOT_TEXT(what=key, value=excerpt(value)))
    if clip:
        return clip_line(value, most)
    if len(value) > most:
        raise BadMessage(sentences.FIELD_TOO_LONG(field=key, length=len(value), most=most))
    return value


def _int(body: Mapping[str, Any], key: str, least: int, most: int) -> int:
    return strict_json.require_int(body.get(key), key, BadMessage, least, most)


def _pair(body: Mapping[str, Any], key: str) -> tuple[str, str]:
    first, second = strict_json.require_list(body.get(key), key, BadMessage, 2)
    if not isinstance(first, str) or not isinstance(second, str):
        raise BadMessage(sentences.NOT_TWO_NAMES(field=key))
    return clip_line(first, MAX_NAME_CHARS), clip_line(second, MAX_NAME_CHARS)


def _keyed(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keys and slots of the sentences in a message, by the key of their text."""
    keyed = body.get("sentences")
    return keyed if isinstance(keyed, dict) else {}


def _optional_sentence(body: Any, key: str, keyed: Mapping[str, Any]) -> Sentence | None:
    text = _text(body, key, MAX_SENTENCE_CHARS)
    return read_keyed(text, keyed.get(key)) if text else None


def _sentences(texts: list[Any], keyed: Any, most: int) -> tuple[Sentence, ...]:
    """One sentence for each text; items that are no text are dropped."""
    known = keyed if isinstance(keyed, list) else []
    return tuple(
        read_keyed(clip_line(text, most), each)
        for text, each in zip_longest(texts, known[: len(texts)])
        if isinstance(text, str)
    )


def _awaiting(value: Any, keyed: Mapping[str, Any]) -> tuple[Sentence, ...]:
    names = strict_json.require_list(value, "waits", BadMessage)[:MAX_AWAITING]
    if not all(isinstance(each, str) for each in names):
        raise BadMessage(sentences.BAD_AWAITING())
    return _sentences(names, keyed.get("waits"), MAX_NAME_CHARS)


def _hash(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key, "")
    if not isinstance(value, str) or (value and not _HASH.fullmatch(value)):
        raise BadMessage(sentences.NOT_A_HASH(field=key, value=excerpt(value)))
    return value


def _raise_missing(key: str) -> str:
    raise BadMessage(sentences.FIELD_MISSING(field=key))


def _result(body: Any) -> str:
    value = body.get("result") if isinstance(body, dict) else None
    if not isinstance(value, str) or value not in RESULTS:
        raise BadMessage(NOT_A_RESULT(value=excerpt(value), results=tuple(RESULTS)))
    return value


def _clock_times(value: Any) -> ClockTimes | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadMessage(sentences.BAD_CLOCKS(value=excerpt(value)))
    first, second = (
        strict_json.require_int(each, "left_ms", BadMessage, 0, MAX_MS)
        for each in strict_json.require_list(value.get("left_ms"), "left_ms", BadMessage, 2)
    )
    running = strict_json.require_list(value.get("running"), "running", BadMessage)[:2]
    players = tuple(strict_json.require_int(each, "running", BadMessage, 0, 1) for each in running)
    return ClockTimes((first, second), players)


def normalize_name(name: str) -> str:
    """A key that is equal for all spellings of a name: case, spaces and Unicode forms."""
    return " ".join(normalize("NFKC", name).casefold().split())
