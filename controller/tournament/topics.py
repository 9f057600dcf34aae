"""MQTT topics of a board: `laserboard/1/EVENT/TABLE/...`.

Names of events are percent-encoded, because `+`, `#` and `/` have a meaning in MQTT. A topic that
is not encoded exactly as here is rejected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import quote, unquote

from controller.session.setup import MAX_TABLE_NUMBER, TournamentEntry
from controller.tournament import sentences
from engine.errors import LaserboardError, excerpt

TOPIC_ROOT = "laserboard/1"  # 1 is the version of the message format
STATE, PULSE, PRESENCE, RESULT = "state", "pulse", "presence", "result"
MAX_EVENT_CHARS = 80
_NUMBER = re.compile("[1-9][0-9]{0,3}")


class BadEvent(LaserboardError, ValueError):
    """An invalid name of an event."""


@dataclass(frozen=True, slots=True)
class MessageTopic:
    """The parts of a topic."""

    event: str
    table: int
    kind: str
    round: int | None = None  # only for results


def read_event_name(text: str) -> str:
    """Normalize the name of an event, so that equal names are equal on every computer."""
    name = " ".join(normalize("NFC", text).split())
    if not 0 < len(name) <= MAX_EVENT_CHARS or not name.isprintable():
        raise BadEvent(sentences.BAD_EVENT(value=excerpt(text), most=MAX_EVENT_CHARS))
    return name


def table_topic(entry: TournamentEntry) -> str:
    """The prefix of all topics of a table."""
    return f"{TOPIC_ROOT}/{escape(entry.event)}/{entry.table}"


def state_topic(entry: TournamentEntry) -> str:
    return f"{table_topic(entry)}/{STATE}"


def pulse_topic(entry: TournamentEntry) -> str:
    return f"{table_topic(entry)}/{PULSE}"


def presence_topic(entry: TournamentEntry) -> str:
    return f"{table_topic(entry)}/{PRESENCE}"


def result_topic(entry: TournamentEntry) -> str:
    return f"{table_topic(entry)}/{RESULT}/{entry.round}"


def event_filter(event: str) -> str:
    """The subscription filter for an event."""
    return f"{TOPIC_ROOT}/{escape(event)}/#"


def escape(name: str) -> str:
    """Percent-encode a name for use in topics and file names."""
    return quote(name, safe="").replace(".", "%2E")


def read_topic(text: str) -> MessageTopic | None:
    """Parse a topic; None if it is not one of ours."""
    prefix = f"{TOPIC_ROOT}/"
    if not text.startswith(prefix):
        return None
    round_number = None
    match text[len(prefix) :].split("/"):
        case [event, table, (("state" | "pulse" | "presence") as kind)]:
            pass
        case [event, table, "result" as kind, round_]:
            round_number = _number(round_)
            if round_number is None:
                return None
        case _:
            return None
    name, table_number = unquote(event, errors="replace"), _number(table)
    if table_number is None or escape(name) != event:
        return None
    return MessageTopic(name, table_number, kind, round_number)


def _number(text: str) -> int | None:
    found = int(text) if _NUMBER.fullmatch(text) else 0
    return found if 1 <= found <= MAX_TABLE_NUMBER else None
