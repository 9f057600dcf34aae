"""Under which topics a board tells of itself: `laserboard/1/EVENT/TABLE/...`.

An event may be called anything: whatever MQTT would take for a sign of its own is escaped as in a
URL. A topic that would not be written exactly so is nobody's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import quote, unquote

from controller.session.setup import MAX_TABLE_NUMBER, TournamentEntry
from engine.errors import LaserboardError, excerpt

TOPIC_ROOT = "laserboard/1"  # the number is that of the messages' form
STATE, PULSE, PRESENCE, RESULT = "state", "pulse", "presence", "result"
MAX_EVENT_CHARS = 80
_NUMBER = re.compile("[1-9][0-9]{0,3}")


class BadEvent(LaserboardError, ValueError):
    """Something that no event, round or table can be called."""


@dataclass(frozen=True, slots=True)
class MessageTopic:
    """What a message is about."""

    event: str
    table: int
    kind: str
    round: int | None = None  # of a result


def read_event_name(text: str) -> str:
    """A name as it is compared and shown: the same letters are the same name on every computer."""
    name = " ".join(normalize("NFC", text).split())
    if not 0 < len(name) <= MAX_EVENT_CHARS or not name.isprintable():
        raise BadEvent(
            f"{excerpt(text)} is no name of an event: a line of 1 to {MAX_EVENT_CHARS} letters"
        )
    return name


def table_topic(occasion: TournamentEntry) -> str:
    """Where all topics of a table begin."""
    return f"{TOPIC_ROOT}/{escape(occasion.event)}/{occasion.table}"


def state_topic(occasion: TournamentEntry) -> str:
    return f"{table_topic(occasion)}/{STATE}"


def pulse_topic(occasion: TournamentEntry) -> str:
    return f"{table_topic(occasion)}/{PULSE}"


def presence_topic(occasion: TournamentEntry) -> str:
    return f"{table_topic(occasion)}/{PRESENCE}"


def result_topic(occasion: TournamentEntry) -> str:
    return f"{table_topic(occasion)}/{RESULT}/{occasion.round}"


def event_filter(event: str) -> str:
    """What to subscribe to."""
    return f"{TOPIC_ROOT}/{escape(event)}/#"


def escape(name: str) -> str:
    """A name without signs that mean something to a broker or a file system."""
    return quote(name, safe="").replace(".", "%2E")


def read_topic(text: str) -> MessageTopic | None:
    """What a topic is about; None: it is none of ours."""
    begins = f"{TOPIC_ROOT}/"
    if not text.startswith(begins):
        return None
    parts = text[len(begins) :].split("/")
    match parts:
        case [event, table, (("state" | "pulse" | "presence") as what)]:
            number = None
        case [event, table, "result" as what, round_]:
            number = _number(round_)
            if number is None:
                return None
        case _:
            return None
    named, seat = unquote(event, errors="replace"), _number(table)
    if seat is None or escape(named) != event:
        return None
    return MessageTopic(named, seat, what, number)


def _number(text: str) -> int | None:
    found = int(text) if _NUMBER.fullmatch(text) else 0
    return found if 1 <= found <= MAX_TABLE_NUMBER else None
