"""Under which topics a board tells of itself: `laserboard/1/EVENT/TABLE/...`.

An event may be called anything: whatever MQTT would take for a sign of its own is escaped as in a
URL. A topic that would not be written exactly so is nobody's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import quote, unquote

from controller.agreement import MOST_TABLES, Occasion
from engine.errors import LaserboardError, excerpt

ROOT = "laserboard/1"  # the number is that of the messages' form
STATE, PULSE, PRESENCE, RESULT = "state", "pulse", "presence", "result"
LONGEST_EVENT = 80
_NUMBER = re.compile("[1-9][0-9]{0,3}")


class BadEvent(LaserboardError, ValueError):
    """Something that no event, round or table can be called."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a message is about."""

    event: str
    table: int
    what: str
    round: int | None = None  # of a result


def event_name(text: str) -> str:
    """A name as it is compared and shown: the same letters are the same name on every computer."""
    name = " ".join(normalize("NFC", text).split())
    if not 0 < len(name) <= LONGEST_EVENT or not name.isprintable():
        raise BadEvent(
            f"{excerpt(text)} is no name of an event: a line of 1 to {LONGEST_EVENT} letters"
        )
    return name


def base(occasion: Occasion) -> str:
    """Where all topics of a table begin."""
    return f"{ROOT}/{escaped(occasion.event)}/{occasion.table}"


def state(occasion: Occasion) -> str:
    return f"{base(occasion)}/{STATE}"


def pulse(occasion: Occasion) -> str:
    return f"{base(occasion)}/{PULSE}"


def presence(occasion: Occasion) -> str:
    return f"{base(occasion)}/{PRESENCE}"


def result(occasion: Occasion) -> str:
    return f"{base(occasion)}/{RESULT}/{occasion.round}"


def all_of(event: str) -> str:
    """What to subscribe to."""
    return f"{ROOT}/{escaped(event)}/#"


def escaped(name: str) -> str:
    """A name without signs that mean something to a broker or a file system."""
    return quote(name, safe="").replace(".", "%2E")


def read_topic(text: str) -> Topic | None:
    """What a topic is about; None: it is none of ours."""
    begins = f"{ROOT}/"
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
    if seat is None or escaped(named) != event:
        return None
    return Topic(named, seat, what, number)


def _number(text: str) -> int | None:
    found = int(text) if _NUMBER.fullmatch(text) else 0
    return found if 1 <= found <= MOST_TABLES else None
