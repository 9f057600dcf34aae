"""Effects: the output of `step`, which the loop carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.ports.devices import MoveQuestion
from controller.ports.events import Signal
from engine.game import AnyTurn, Player
from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Write:
    """Write a journal entry; `Written` or `WriteFailed` follows with its number."""

    number: int
    kind: str
    body: dict[str, Any]
    at_ms: float


@dataclass(frozen=True)
class ShowBeams:
    """Show the beams of a turn; `BeamsShown` follows, also if the LEDs are lost meanwhile."""

    turn: AnyTurn


@dataclass(frozen=True)
class Think:
    """Ask the computer or a program for a move; `MoveChosen` or `ChoiceFailed` follows."""

    player: Player
    question: MoveQuestion
    hint: bool = False


@dataclass(frozen=True, slots=True)
class StopThinking:
    """Drop all open questions to the computer and to programs."""


@dataclass(frozen=True, slots=True)
class PlaySignal:
    """Play a signal with lamp and buzzer."""

    signal: Signal


@dataclass(frozen=True, slots=True)
class Announce:
    """Say a sentence to the people at the table."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Refuse:
    """A request is refused. The people at the table get the reason like an announcement."""

    request_id: int  # 0: no screen waits for the answer
    reason: Sentence


@dataclass(frozen=True, slots=True)
class Done:
    """The request with this number was carried out."""

    request_id: int


@dataclass(frozen=True, slots=True)
class CaptureEvidence:
    """Store an image of the table: at the start of a turn (neither number is set), after the
    turn `turn`, or for the proposal `proposal` during that turn."""

    turn: int | None = None
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class Shutdown:
    """End the program. See `PauseState.shutdown_requested_ms`."""


Effect = (
    Write
    | ShowBeams
    | Think
    | StopThinking
    | PlaySignal
    | Announce
    | Refuse
    | Done
    | CaptureEvidence
    | Shutdown
)
