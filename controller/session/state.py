"""The state of one game: `Session` and the values that it groups. Frozen.

`controller.session.step.step` takes a `Session` and an event, and returns the next session and its
effects. Each group is reset by a new value, such as `turn=TurnInProgress()`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from controller.session import sentences
from controller.session.board_fit import FittedBoard
from controller.session.clocks import Clocks
from controller.session.effects import Think, Write
from controller.session.events import Request
from controller.session.referee.policy import RefereePolicies
from controller.session.referee.state import RefereeState
from controller.session.setup import PuzzleGoal, Seat
from engine.game import AnyGame, AnyTurn, Outcome, Player
from engine.grid import Cell
from engine.move_reasons import MoveReason
from engine.sentences import Sentence
from vision.hypotheses import Hypotheses, Turns
from vision.infer import Difference, Inference
from vision.observation import Problem
from vision.settling import Settled, SettleDetector

CAMERA, LEDS = "camera", "LEDs"
ESSENTIAL_DEVICES = (CAMERA, LEDS)  # play pauses without one of them


class Phase(StrEnum):
    """The phases of a game."""

    SETTING_UP = "setting up"  # the table does not show the position yet
    TURN = "turn"  # the clock runs for the players to move
    WAITING_FOR_OTHER = "waiting for the other"  # one of two players has pressed fire
    CHOOSING_TURN = "choosing turn"  # several turns fit: a person must choose
    COMPUTER_THINKING = "computer thinking"
    COMPUTER_TO_MOVE = "computer to move"  # people carry out its move
    FIRING = "firing"  # the turn is written, then its beams are shown
    CLEARING = "clearing"  # people take off and move what the beams changed
    MISMATCH = "mismatch"  # no turn leads to what the table shows
    PAUSED = "paused"
    OVER = "over"


READING_PHASES = frozenset(Phase) - {Phase.FIRING, Phase.PAUSED, Phase.OVER}
LOOK_CLOSER_PHASES = (Phase.SETTING_UP, Phase.MISMATCH, Phase.CLEARING, Phase.CHOOSING_TURN)


class Origin(StrEnum):
    """Who or what caused a journal entry."""

    CAMERA = "camera"
    PLAYER = "player"
    COMPUTER = "computer"
    REFEREE = "referee"
    CLOCK = "clock"


class TakeBackRule(StrEnum):
    """Whether turns may be taken back."""

    ASK = "ask"  # the other player; the computer always agrees
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class TablePreferences:
    """How the people at this table want to play."""

    # Fire without a press after a turn has stood on the table for this time; None: never.
    auto_fire_ms: float | None = None
    take_back: TakeBackRule = TakeBackRule.ASK
    has_operator: bool = False  # simulated hands make the computer's moves and clear the board
    min_round_ms: float = 0.0  # shortest round of a game without hands


class PlayedTurn(NamedTuple):
    """A turn that was played, with the position and the clocks before it."""

    position: Any
    clocks: Clocks
    turn: AnyTurn


@dataclass(frozen=True)
class SessionSetup:
    """The part of a session that does not change during a game."""

    fitted_board: FittedBoard
    seats: tuple[Seat, Seat]
    preferences: TablePreferences = TablePreferences()
    policies: RefereePolicies | None = None  # None: no referee
    random_seed: int = 0  # of the computer's choices
    moved_by_hand: bool = True  # False: no piece is moved by hand, and turns follow immediately


@dataclass(frozen=True)
class TableReading:
    """The camera's view of the table, compared with the position."""

    settle_detector: SettleDetector = field(default_factory=SettleDetector)
    settled: Settled | None = None  # None while something moves
    problems: tuple[Problem, ...] = ()  # with the frame, or with how pieces stand
    last_frame_ms: float | None = None
    last_seen_orientations: Mapping[Cell, int] = field(default_factory=dict)
    hypotheses: Hypotheses | None = None  # the turns that the table may show next
    inference: Inference | None = None  # the turns that it shows
    settled_since_ms: float | None = None
    differences: tuple[Difference, ...] = ()  # to be put right before play continues
    unseen_cells: tuple[Cell, ...] = ()  # to be seen before play continues
    # `settled_since_ms` of the mismatch that was reported last: the same mismatch counts once.
    reported_mismatch_ms: float | None = None
    unreadable_since_ms: float | None = field(default=None, compare=False)
    lights_out: bool = field(default=False, compare=False)  # see `inference.update_lights`

    def without_inference(self) -> TableReading:
        """The same view without its inference."""
        return replace(
            self,
            settled=None,
            inference=None,
            settled_since_ms=None,
            differences=(),
        )


@dataclass(frozen=True)
class Hint:
    """A hint for the player to move: a turn, or in a puzzle at first only the piece to move."""

    turn: AnyTurn | None = None
    reason: MoveReason | None = None  # why the turn is good
    cell: Cell | None = None  # of the piece to move


@dataclass(frozen=True)
class TurnInProgress:
    """The turn that the players are making."""

    since_ms: float = 0.0
    pressed: frozenset[Player] = frozenset()  # who has pressed fire
    fire_requested: bool = False  # all have pressed, but the table has not settled
    choices: tuple[Turns, ...] = ()  # the turns that fit, in CHOOSING_TURN
    hint: Hint | None = None
    time_warned: frozenset[Player] = frozenset()  # who was warned of low time

    @property
    def hinted_turn(self) -> AnyTurn | None:
        return None if self.hint is None else self.hint.turn


@dataclass(frozen=True)
class ComputerState:
    """Open questions to the computer and to programs, and their answers."""

    thinking: Think | None = None
    asked_programs: frozenset[Player] = frozenset()  # whose programs have not answered yet
    moves: Mapping[Player, Any] = field(default_factory=dict)  # in games with simultaneous moves
    turn: AnyTurn | None = None  # the computer's turn, for people to carry out


@dataclass(frozen=True)
class FiringState:
    """The turns to be written and shown, one after the other."""

    turns: Turns = ()
    running: bool = False  # the beams are shown now
    show_again: bool = False  # the LEDs were lost while the beams ran


@dataclass(frozen=True)
class PendingWrites:
    """Journal entries that are on their way to the disk."""

    entry_count: int = 0  # written or on their way
    unwritten: tuple[Write, ...] = ()
    refused: bool = False  # the disk did not take one of them
    origin: Origin = field(default=Origin.CAMERA, compare=False)  # of the next entry


@dataclass(frozen=True)
class PuzzleState:
    """The puzzle that is played, if it is one."""

    goal: PuzzleGoal | None = None
    failed_tries: int = 0


@dataclass(frozen=True)
class PauseState:
    """Why the game is paused, and where it continues."""

    phase: Phase = Phase.TURN  # the phase that was interrupted
    requested: bool = False  # until a person continues
    trouble: Sentence | None = None  # with the disk or the computer
    shutdown_requested_ms: float | None = None
    lost_devices: Mapping[str, Sentence] = field(default_factory=dict)  # reason by device


@dataclass(frozen=True)
class Session:
    """The whole state of a game between two events."""

    setup: SessionSetup
    position: Any
    clocks: Clocks
    phase: Phase = Phase.SETTING_UP
    table: TableReading = TableReading()
    turn: TurnInProgress = TurnInProgress()
    computer: ComputerState = ComputerState()
    firing: FiringState = FiringState()
    writing: PendingWrites = PendingWrites()
    referee: RefereeState = field(default_factory=RefereeState)
    puzzle: PuzzleState = PuzzleState()
    pause: PauseState = PauseState()
    clocks_after_turn: Clocks | None = None  # None before the first turn
    offer: tuple[Request, Player] | None = None  # a draw or a take-back, open to the other player
    outcome: Outcome | None = None
    history: tuple[PlayedTurn, ...] = ()

    @property
    def game(self) -> AnyGame:
        return self.setup.fitted_board.game

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self.setup.seats

    @property
    def policies(self) -> RefereePolicies | None:
        """The referee's policies; None without a referee."""
        return self.setup.policies

    @property
    def to_move(self) -> tuple[Player, ...]:
        return self.game.to_move(self.position)

    @property
    def humans_to_move(self) -> tuple[Player, ...]:
        return tuple(each for each in self.to_move if not self.seats[each].is_automated)

    @property
    def still_to_act(self) -> tuple[Player, ...]:
        """Players to move who have neither pressed fire nor answered."""
        done = self.turn.pressed | self.computer.moves.keys()
        return tuple(each for each in self.to_move if each not in done)

    @property
    def underlying_phase(self) -> Phase:
        """The phase without regard to a pause."""
        return self.pause.phase if self.phase is Phase.PAUSED else self.phase

    @property
    def look_closer(self) -> bool:
        """Whether the reader spends more time on each frame: people wait for its answer."""
        return self.phase in LOOK_CLOSER_PHASES and self.table.settled is not None

    @property
    def lights_out(self) -> bool:
        """Whether the guiding lights are off for a moment; see `inference.update_lights`."""
        return self.table.lights_out

    @property
    def missing_devices(self) -> tuple[Sentence, ...]:
        """The essential devices that are lost, each with its reason."""
        lost = self.pause.lost_devices
        return tuple(
            sentences.DEVICE_LOST(device=each, reason=lost[each])
            for each in ESSENTIAL_DEVICES
            if each in lost
        )

    @property
    def obstacles(self) -> tuple[Sentence, ...]:
        """Why play cannot continue, even if a person asks for it."""
        proposals = (
            sentences.REFEREE_MUST_RULE(proposal=each.sentence)
            for each in self.referee.open_proposals
        )
        return (*self.missing_devices, *proposals)
