"""The values that the game's loop publishes to the page: frozen, so that threads can share them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.lighting.layout import LedLayout
from controller.ports.events import JournalEntry
from controller.session.setup import GameSetup
from controller.session.state import Session
from engine.game import AnyTurn
from engine.sentences import Sentence

if TYPE_CHECKING:  # 20 ms to import, and a real table renders no scenes
    from vision.scene import ScenePiece


@dataclass(frozen=True)
class GameSummary:
    """The part of a game that does not change: its setup and its files."""

    number: int  # of the game, counted since the program started
    name: str  # of its journal
    setup: GameSetup
    board: str
    layout: LedLayout
    fault_names: tuple[str, ...] = ()  # of a simulated table
    journal_path: Path | None = None

    @property
    def simulated_hands(self) -> bool:
        """Whether simulated hands make the moves."""
        return self.setup.simulated


@dataclass(frozen=True)
class FiredTurn:
    """A turn whose beams are shown, or were shown, on the table."""

    number: int  # counts fired turns since the program started, also those taken back
    turn: AnyTurn
    started_ms: float
    step_ms: float  # time of the beams for a cell


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for the people at the table."""

    number: int
    sentence: Sentence
    at_ms: float


@dataclass(frozen=True)
class GameView:
    """The state of a game at one moment."""

    game: GameSummary
    session: Session
    messages: tuple[Message, ...] = ()
    fired_turn: FiredTurn | None = None
    hands_busy: bool = False  # simulated hands are moving pieces
    objects: tuple[tuple[int, ScenePiece], ...] = ()  # on a simulated table, by handles
    entries: tuple[JournalEntry, ...] = ()  # of the journal, as far as they are on disk

    @property
    def last_hash(self) -> str:
        """The hash of the last entry on disk; empty before the first."""
        return self.entries[-1].hash if self.entries else ""
