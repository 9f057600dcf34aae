"""A game's flow as values: who plays, where it stands, what can happen, what is to be done.

`controller.session.step` takes a `Session` and an event and gives the next session and effects.
Everything here is frozen; time comes with the events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from controller.affairs import Affairs
from controller.agreement import Goal, Seat
from controller.clocks import Clocks
from controller.evidence import EvidenceFailed, Photographed
from controller.laws import Laws
from controller.ports import (
    DeviceBack,
    DeviceLost,
    Pressed,
    Question,
    Signal,
    WriteFailed,
    Written,
)
from controller.rulings import Ruling
from controller.tabletop import Tabletop
from engine.game import AnyTurn, Outcome, Player
from engine.grid import Cell
from engine.reasons import Reason
from vision.hypotheses import Hypotheses, Turns
from vision.infer import Difference, Inference
from vision.observation import Observation, Problem
from vision.steady import Settled, Steady

CAMERA, LEDS = "camera", "LEDs"
ESSENTIAL = (CAMERA, LEDS)  # without one of them nobody can play


class Phase(StrEnum):
    """Where a game stands."""

    SETTING_UP = "setting up"  # the table does not show the position yet
    TURN = "turn"  # the clock runs, somebody is to act
    WAITING_FOR_OTHER = "waiting for the other"  # one of two has pressed
    CONFIRMING = "confirming"  # several turns fit: somebody must say which
    COMPUTER_THINKING = "computer thinking"
    COMPUTER_TO_MOVE = "computer to move"  # people carry out what it chose
    FIRING = "firing"  # the turn is written, then its beams run
    CLEARING = "clearing"  # what the turn took off or moved by itself is put right by hand
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
    HINT = "hint"
    CALL = "call the referee"
    CONFIRM = "confirm"  # the result
    PAUSE = "pause"
    CONTINUE = "continue"


class Origin(StrEnum):
    """Who or what brought an entry about."""

    CAMERA = "camera"
    PLAYER = "player"
    COMPUTER = "computer"
    REFEREE = "referee"
    CLOCK = "clock"


class TakeBack(StrEnum):
    """Whether turns may be taken back."""

    ASK = "ask"  # the other player; the computer never minds
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Habits:
    """How people like to play at this table."""

    # Fire without a press when one turn has stood on the table for so long; None: never.
    auto_fire_ms: float | None = None
    take_back: TakeBack = TakeBack.ASK
    served: bool = False  # other hands make the computer's moves, and clear the board
    pace_ms: float = 0.0  # a round takes so long at least, where nobody moves anything by hand


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
    hint: bool = False  # it was asked on behalf of a person
    claim: bool = False  # it would rather claim the draw that it may claim now
    score: int = 0  # for that player
    line: tuple[str, ...] = ()  # the play that it expects, this move first


@dataclass(frozen=True, slots=True)
class ChoiceFailed:
    """The computer has given up on what it was asked."""

    player: Player
    reason: str
    at_ms: float


@dataclass(frozen=True, slots=True)
class Ruled:
    """The referee has ruled."""

    ruling: Ruling
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
    | ChoiceFailed
    | DeviceLost
    | DeviceBack
    | Ruled
    | Photographed
    | EvidenceFailed
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
    """Let the beams of a turn run; `Shown` comes back, also if the LEDs are lost meanwhile."""

    turn: AnyTurn


@dataclass(frozen=True)
class Think:
    """Have the computer choose a move for that player; `Chosen` or `ChoiceFailed` comes back."""

    player: Player
    question: Question
    hint: bool = False


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


@dataclass(frozen=True, slots=True)
class Photograph:
    """Keep a picture of the table: after the turn of that number, or as a turn begins; or as it
    is when the referee is asked about something."""

    turn: int | None = None
    matter: int | None = None


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """The goodbye was heard: the program ends. See `Session.parting_ms`."""


Effect = Write | Fire | Think | StopThinking | Tell | Say | Photograph | SwitchOff


# -- the session -------------------------------------------------------------------------------


class Past(NamedTuple):
    """A turn that was played, with what there was before it."""

    position: Any
    clocks: Clocks
    turn: AnyTurn


@dataclass(frozen=True)
class Session:
    """All that a game is between two events."""

    table: Tabletop
    seats: tuple[Seat, Seat]
    position: Any
    clocks: Clocks
    phase: Phase = Phase.SETTING_UP
    habits: Habits = Habits()
    chance: int = 0  # another number, another game of the computer
    hands: bool = True  # somebody moves pieces; else turns follow each other by themselves
    # What the table shows.
    steady: Steady = field(default_factory=Steady)
    settled: Settled | None = None  # unless something moves
    problems: tuple[Problem, ...] = ()  # with the picture, or with how pieces stand
    seen_ms: float | None = None  # when the newest frame was taken
    facing: dict[Cell, int] = field(default_factory=dict)  # how each piece was last seen
    hypotheses: Hypotheses | None = None  # what it may show next
    inference: Inference | None = None  # what it does show
    rested_ms: float | None = None  # since when nothing moves
    differences: tuple[Difference, ...] = ()  # what must be put right
    unseen: tuple[Cell, ...] = ()  # what must be seen before play goes on, to set up or clear
    # The turn that is being made.
    pressed: frozenset[Player] = frozenset()  # who is done with it
    fire_wanted: bool = False  # all are, but the table had not settled
    choices: tuple[Turns, ...] = ()  # to choose from
    question: Think | None = None  # what the computer thinks over
    awaited: frozenset[Player] = frozenset()  # whose programs were asked, and owe an answer
    begun_ms: float = 0.0  # when it began
    chosen: Mapping[Player, Any] = field(default_factory=dict)  # its moves, where both act at once
    known: AnyTurn | None = None  # its turn, to be carried out
    hint: AnyTurn | None = None
    hint_why: Reason | None = None  # it is good
    clue: Cell | None = None  # half a hint: the piece to move
    warned: frozenset[Player] = frozenset()  # that their time is low
    # The turn that is made.
    pending: Turns = ()  # to be written and shown, one after the other
    beam_runs: bool = False
    beam_missed: bool = False  # the LEDs were lost while it ran
    entries: int = 0  # written, or on their way
    unwritten: tuple[Write, ...] = ()
    refused: bool = False  # the disk did not take one of them
    # The game as a whole.
    turn_clocks: Clocks | None = None  # after the last turn; None: as the game begins
    history: tuple[Past, ...] = ()
    offer: tuple[Wish, Player] | None = None  # a draw or a take-back that the other may accept
    outcome: Outcome | None = None
    # The puzzle, if it is one.
    goal: Goal | None = None
    missed: int = 0  # how often it was tried in vain
    # The referee, if there is one.
    laws: Laws | None = None
    affairs: Affairs = field(default_factory=Affairs)
    origin: Origin = field(default=Origin.CAMERA, compare=False)  # of what is being written
    told_ms: float | None = None  # since when what stood wrong was told
    # Why it is paused, and where it goes on.
    resumes: Phase = Phase.TURN
    pause_wanted: bool = False  # until a person says to go on
    trouble: str = ""  # with the disk or the computer
    parting_ms: float | None = None  # since when the table says goodbye, to be switched off
    lost: Mapping[str, str] = field(default_factory=dict)  # devices that are away, and why

    @property
    def movers(self) -> tuple[Player, ...]:
        return self.table.game.to_move(self.position)

    @property
    def people(self) -> tuple[Player, ...]:
        """Those to move who are no computers."""
        return tuple(each for each in self.movers if not self.seats[each].computer)

    @property
    def thinkers(self) -> tuple[Player, ...]:
        """Those to move who are not done."""
        done = self.pressed | self.chosen.keys()
        return tuple(each for each in self.movers if each not in done)

    @property
    def beneath(self) -> Phase:
        """The phase, as if nobody had paused."""
        return self.resumes if self.phase is Phase.PAUSED else self.phase

    @property
    def away(self) -> tuple[str, ...]:
        """Why nobody can play: the essential devices that are lost."""
        return tuple(f"{each}: {self.lost[each]}" for each in ESSENTIAL if each in self.lost)

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Why play cannot go on, whoever wants it to."""
        asked = (f"the referee must rule: {each.sentence}" for each in self.affairs.open)
        return (*self.away, *asked)
