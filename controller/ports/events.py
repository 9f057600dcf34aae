"""Events that devices report to the loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device stopped answering. Its driver retries, unless the loss is permanent."""

    device: str
    reason: Sentence
    at_ms: float
    is_permanent: bool = False  # such as the end of a recorded clip


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """A lost device works again."""

    device: str
    at_ms: float


@dataclass(frozen=True, slots=True)
class DeviceRemark:
    """Something that people should know and that does not stop play."""

    device: str
    sentence: Sentence
    at_ms: float


DeviceEvent = DeviceLost | DeviceBack | DeviceRemark


@dataclass(frozen=True, slots=True)
class Pressed:
    """A person pressed a button, at the table or on a screen."""

    button: str  # one of `controller.ports.buttons.BUTTONS`
    at_ms: float
    request_id: int = 0  # the number under which a screen waits for the answer; 0: none waits


class Signal(StrEnum):
    """The signals of lamp and buzzer."""

    READY = "ready"
    YOUR_TURN = "your turn"
    FIRE = "fire"
    CAPTURE = "capture"
    WRONG = "wrong"
    TIME_LOW = "time low"
    OVER = "over"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One entry of a journal. `controller.session.journal.next_entry` makes it."""

    number: int  # from 1
    kind: str
    at_ms: float
    body: Mapping[str, Any]  # JSON, as it comes back from a file
    previous_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class Written:
    """An entry is on the disk and survives a power cut."""

    number: int
    at_ms: float
    entry: JournalEntry | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class WriteFailed:
    """An entry could not be written; later ones wait until `Journal.retry` succeeds."""

    number: int
    sentence: Sentence  # the problem, and what a person can do
    at_ms: float


JournalEvent = Written | WriteFailed | DeviceRemark


@dataclass(frozen=True, slots=True)
class PlayerAnswered:
    """The move that a computer player or a program chose."""

    number: int  # of the question
    move: str
    score: int  # for the mover, in hundredths of a common piece
    at_ms: float
    line: tuple[str, ...] = ()  # the play expected, this move first
    depth: int = 0
    claim: bool = False  # it claims the draw instead of moving
    turns_to_end: int | None = None  # turns to a win or a loss that the search has found
    nodes: int = 0
    thought_ms: float = 0.0  # from question to answer, by the clock of this process


@dataclass(frozen=True, slots=True)
class PlayerFailed:
    """The player gives no move for this question."""

    number: int
    reason: Sentence
    at_ms: float


PlayerEvent = PlayerAnswered | PlayerFailed
