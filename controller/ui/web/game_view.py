"""What the game's loop hands to the page: frozen values, so that another thread may read them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.lighting.layout import LedLayout
from controller.ports.events import JournalEntry
from controller.session.setup import GameSetup
from controller.session.state import Session
from engine.game import AnyTurn
from engine.sentences import Sentence
from vision.scene import ScenePiece


@dataclass(frozen=True)
class GameSummary:
    """One game of this program, from its set-up to whatever follows."""

    number: int  # counts the games since the program began
    name: str  # under which the game is kept
    setup: GameSetup
    board: str
    layout: LedLayout
    fault_names: tuple[
        str, ...
    ] = ()  # what may befall a simulated table, by name; none: it is real
    journal_path: Path | None = None  # where it is written down

    @property
    def simulated_hands(self) -> bool:
        """Whether simulated hands make the moves."""
        return self.setup.simulated


@dataclass(frozen=True)
class FiredTurn:
    """A turn whose beams run, or have run, on the table."""

    number: int  # counts every beam since the program began, also those taken back
    turn: AnyTurn
    started_ms: float
    step_ms: float  # that the beams take for a cell


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for the people at the table."""

    number: int
    sentence: Sentence
    at_ms: float


@dataclass(frozen=True)
class GameView:
    """A game as it is now."""

    game: GameSummary
    session: Session
    messages: tuple[Message, ...] = ()
    fired_turn: FiredTurn | None = None
    hands_busy: bool = False  # a simulated hand is at it
    objects: tuple[tuple[int, ScenePiece], ...] = ()  # on a simulated table, by handles
    entries: tuple[JournalEntry, ...] = ()  # of the journal, as far as they are on disk

    @property
    def last_hash(self) -> str:
        """The hash of the last entry on disk; empty before the first."""
        return self.entries[-1].hash if self.entries else ""
