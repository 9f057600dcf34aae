"""What the game's loop hands to the page: frozen values, so that another thread may read them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.agreement import Start
from controller.layout import Layout
from controller.session_values import Session
from engine.game import AnyTurn
from vision.scene import Thing


@dataclass(frozen=True)
class Sitting:
    """One game of this program, from its set-up to whatever follows."""

    number: int  # counts the games since the program began
    name: str  # under which the game is kept
    start: Start
    board: str
    layout: Layout
    acts: tuple[str, ...] = ()  # what may befall a simulated table, by name; none: it is real
    journal: Path | None = None  # where it is written down

    @property
    def hands(self) -> bool:
        """Whether simulated hands make the moves."""
        return self.start.simulated


@dataclass(frozen=True)
class Fired:
    """A turn whose beams run, or have run, on the table."""

    number: int  # counts every beam since the program began, also those taken back
    turn: AnyTurn
    begun_ms: float
    step_ms: float  # that the beams take for a cell


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for the people at the table."""

    number: int
    sentence: str
    at_ms: float


@dataclass(frozen=True)
class Moment:
    """A game as it is now."""

    sitting: Sitting
    session: Session
    said: tuple[Said, ...] = ()
    fired: Fired | None = None
    busy: bool = False  # a simulated hand is at it
    things: tuple[tuple[int, Thing], ...] = ()  # on a simulated table, by handles
    head: str = ""  # hash of the last entry that is on the disk
