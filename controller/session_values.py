"""A game's flow as values: who plays, where it stands, what can happen, what is to be done.

`controller.session.step` takes a `Session` and an event and gives the next session and effects.
Everything here is frozen; time comes with the events.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from controller.clocks import Clocks
from controller.played import Seat
from controller.ports import DeviceBack, DeviceLost, Pressed, Signal, WriteFailed, Written
from controller.tabletop import Tabletop
from engine.game import AnyTurn, Outcome, Player
from engine.grid import Cell
from vision.hypotheses import Hypotheses, Turns
from vision.infer import Difference, Inference
from vision.observation import Observation
from vision.steady import Settled, Steady


class Phase(StrEnum):
    """Where a game stands."""

    SETTING_UP = "setting up"  # the table does not show the position yet
    TURN = "turn"  # the clock runs, somebody is to act
    WAITING_FOR_OTHER = "waiting for the other"  # one of two has pressed
    CONFIRMING = "confirming"  # several turns fit: somebody must say which
    COMPUTER_THINKING = "computer thinking"
    COMPUTER_TO_MOVE = "computer to move"  # people carry out what it chose
    FIRING = "firing"  # the turn is written, then its beams run
    CLEARING = "clearing"  # captured pieces are taken off
    MISMATCH = "mismatch"  # the table shows what no turn leads to
    PAUSED = "paused"
    OVER = "over"


class Wish(StrEnum):
    """What players may ask for besides making a move."""

    RESIGN = "resign"
    OFFER_DRAW = "offer draw"
    CLAIM_DRAW = "claim draw"
    TAKE_BACK = "take back"
    ACCEPT = "accept"
    DECLINE = "decline"
    CHOOSE = "choose"  # one of the turns that fit
    PAUSE = "pause"
    CONTINUE = "continue"


# -- events ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Observed:
    """The camera's newest frame was read."""

    observation: Observation
    at_ms: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed."""

    at_ms: float


@dataclass(frozen=True, slots=True)
class Asked:
    """A player wants something."""

    wish: Wish
    player: Player
    at_ms: float
    choice: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """The beams of the turn have been shown."""

    at_ms: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """The computer has made up its mind."""

    player: Player
    move: str
    at_ms: float


Event = (
    Observed
    | Tick
    | Asked
    | Pressed
    | Written
    | WriteFailed
    | Shown
    | Chosen
    | DeviceLost
    | DeviceBack
)


# -- effects -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Write:
    """Put an entry on disk; `Written` or `WriteFailed` comes back with its number."""

    number: int
    kind: str
    body: dict[str, Any]
    at_ms: float


@dataclass(frozen=True)
class Fire:
    """Let the beams of a turn run; `Shown` comes back."""

    turn: AnyTurn


@dataclass(frozen=True)
class Think:
    """Have the computer choose a move for that player; `Chosen` comes back."""

    player: Player
    position: Any
    level: int


@dataclass(frozen=True, slots=True)
class StopThinking:
    """Nobody needs its move any more."""


@dataclass(frozen=True, slots=True)
class Tell:
    """A signal for lamp and buzzer."""

    signal: Signal


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence for the people at the table."""

    sentence: str


Effect = Write | Fire | Think | StopThinking | Tell | Say


# -- the session -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Session:
    """All that a game is between two events."""

    table: Tabletop
    seats: tuple[Seat, Seat]
    position: Any
    clocks: Clocks
    phase: Phase = Phase.SETTING_UP
    resumes: Phase = Phase.TURN  # after a pause
    steady: Steady = field(default_factory=Steady)
    settled: Settled | None = None  # what the table shows, unless something moves
    facing: dict[Cell, int] = field(default_factory=dict)  # how each piece was last seen
    hypotheses: Hypotheses | None = None  # what it may show next
    inference: Inference | None = None  # what it does show
    differences: tuple[Difference, ...] = ()  # what must be put right
    fire_wanted: bool = False  # pressed before the table had settled
    pressed: frozenset[Player] = frozenset()  # who has, of two who act at once
    choices: tuple[Turns, ...] = ()  # to choose from
    known: AnyTurn | None = None  # the computer's turn, to be carried out
    pending: Turns = ()  # to be written and shown, one after the other
    entries: int = 0  # written, or on their way
    unwritten: tuple[Write, ...] = ()
    offer: tuple[Wish, Player] | None = None  # a draw or a take-back that the other may accept
    history: tuple[tuple[Any, Clocks], ...] = ()  # before each turn
    outcome: Outcome | None = None
    trouble: str = ""  # why play cannot go on: the disk, say
    lost: frozenset[str] = frozenset()  # devices that are away

    @property
    def movers(self) -> tuple[Player, ...]:
        return self.table.game.to_move(self.position)
