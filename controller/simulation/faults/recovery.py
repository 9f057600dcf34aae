"""Classifies the recovery from each fault.

The recovery is the worst phase of the game between the fault and the next completed turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from controller.session.state import Phase, Session
from engine.grid import Cell

_ASKING = (Phase.SETTING_UP, Phase.MISMATCH, Phase.CHOOSING_TURN)
_READY = (Phase.TURN, Phase.COMPUTER_THINKING, Phase.COMPUTER_TO_MOVE, Phase.OVER)


class Recovery(StrEnum):
    """How a game recovered, from the mildest to the worst."""

    ALONE = "recovered alone"
    ASKED = "asked a person"
    PAUSED = "paused"
    RESUMED = "resumed"


@dataclass
class FaultOccurrence:
    """A fault that has happened, and the recovery so far."""

    fault: str
    at_ms: float
    turns: int  # in the history when it happened; it is over after one more
    start_count: int
    recovery: Recovery = Recovery.ALONE
    is_undone: bool = True
    is_over: bool = False

    def worsen(self, recovery: Recovery) -> None:
        if list(Recovery).index(recovery) > list(Recovery).index(self.recovery):
            self.recovery = recovery


class RecoveryTracker:
    """Tracks the recovery from all faults of one game."""

    def __init__(self, occurrences: Iterable[FaultOccurrence] = ()) -> None:
        self.occurrences = list(occurrences)

    def start(
        self, fault: str, session: Session, at_ms: float, start_count: int
    ) -> FaultOccurrence:
        occurrence = FaultOccurrence(fault, at_ms, len(session.history), start_count)
        self.occurrences.append(occurrence)
        return occurrence

    def observe(self, session: Session, start_count: int) -> None:
        """Update the occurrences; called at every tick."""
        for occurrence in self.occurrences:
            if occurrence.is_over:
                continue
            if start_count != occurrence.start_count:
                occurrence.worsen(Recovery.RESUMED)
            if session.phase is Phase.PAUSED:
                occurrence.worsen(Recovery.PAUSED)
            elif session.phase in _ASKING or _more_than_captured(session):
                occurrence.worsen(Recovery.ASKED)
            done = completed_turns(session) > occurrence.turns and session.phase in _READY
            occurrence.is_over = occurrence.is_undone and (done or session.phase is Phase.OVER)

    def count_recoveries(self) -> Counter[tuple[str, str]]:
        """Counts by fault and recovery."""
        return Counter((each.fault, str(each.recovery)) for each in self.occurrences)


def completed_turns(session: Session) -> int:
    """Turns whose beams have run."""
    return len(session.history) - (session.underlying_phase is Phase.FIRING)


def _more_than_captured(session: Session) -> bool:
    """Whether there is more to clear than the last turn has left to clear."""
    if session.phase is not Phase.CLEARING or not session.history:
        return False
    wrong = {each.cell for each in session.table.differences} | set(session.table.unseen_cells)
    return bool(wrong - _cells_to_clear(session))


def _cells_to_clear(session: Session) -> set[Cell]:
    turn = session.history[-1].turn
    aimed, after = turn.aimed.pieces, turn.after.pieces
    changed = {cell for cell in {*aimed, *after} if aimed.get(cell) != after.get(cell)}
    return changed | {loss.cell for loss in turn.removed}
