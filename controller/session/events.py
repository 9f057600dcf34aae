"""Events: the input of `step`. `controller.ports.events` has those of devices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from controller.ports.events import DeviceBack, DeviceLost, Pressed, WriteFailed, Written
from controller.ports.frames import Observed
from controller.session.evidence import EvidenceCaptured, EvidenceFailed
from controller.session.referee.rulings import Ruling
from engine.game import Player
from engine.sentences import Sentence


class Request(StrEnum):
    """The requests of players besides moves."""

    RESIGN = "resign"
    OFFER_DRAW = "offer draw"
    CLAIM_DRAW = "claim draw"
    TAKE_BACK = "take back"
    ACCEPT = "accept"
    DECLINE = "decline"
    CHOOSE = "choose"  # one of the turns that fit
    HINT = "hint"
    CALL_REFEREE = "call the referee"
    CONFIRM = "confirm"  # the result
    PAUSE = "pause"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed."""

    at_ms: float


@dataclass(frozen=True, slots=True)
class Requested:
    """A player asks for something."""

    request: Request
    player: Player
    at_ms: float
    choice: int = 0  # of CHOOSE, from 0
    request_id: int = 0  # the number under which a screen waits for the answer; 0: none waits


@dataclass(frozen=True, slots=True)
class BeamsShown:
    """The beams of the turn have been shown."""

    at_ms: float


@dataclass(frozen=True, slots=True)
class MoveChosen:
    """The computer or a program has chosen a move, or found a hint."""

    player: Player
    move: str
    at_ms: float
    hint: bool = False  # asked for a person
    claim: bool = False  # it claims the draw instead of moving
    score: int = 0  # for that player
    line: tuple[str, ...] = ()  # the expected line, this move first


@dataclass(frozen=True, slots=True)
class ChoiceFailed:
    """The computer or a program gives no move."""

    player: Player
    reason: Sentence
    at_ms: float


@dataclass(frozen=True, slots=True)
class Ruled:
    """The referee has ruled."""

    ruling: Ruling
    at_ms: float
    request_id: int = 0  # the number under which a screen waits for the answer; 0: none waits


Event = (
    Observed
    | Tick
    | Requested
    | Pressed
    | Written
    | WriteFailed
    | BeamsShown
    | MoveChosen
    | ChoiceFailed
    | DeviceLost
    | DeviceBack
    | Ruled
    | EvidenceCaptured
    | EvidenceFailed
)
