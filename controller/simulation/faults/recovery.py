"""How each fault ended for the people at the table, told from what the game went through between
the fault and the next turn that was completed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from controller.session.state import Phase, Session
from engine.grid import Cell

_ASKING = (Phase.SETTING_UP, Phase.MISMATCH, Phase.CONFIRMING)
_READY = (Phase.TURN, Phase.COMPUTER_THINKING, Phase.COMPUTER_TO_MOVE, Phase.OVER)


class Recovery(StrEnum):
    """From the least to the most that it took."""

    ALONE = "recovered alone"
    ASKED = "asked a person"
    PAUSED = "paused"
    RESUMED = "resumed"


@dataclass
class FaultOccurrence:
    """A fault that happened, and what came of it so far."""

    fault: str
    at_ms: float
    turns: int  # that were made before it, or being fired: the next one tells
    lives: int
    recovery: Recovery = Recovery.ALONE
    is_undone: bool = True
    is_over: bool = False

    def worsen(self, ending: Recovery) -> None:
        if list(Recovery).index(ending) > list(Recovery).index(self.recovery):
            self.recovery = ending


class RecoveryTracker:
    """All that befell one game."""

    def __init__(self, occurrences: Iterable[FaultOccurrence] = ()) -> None:
        self.occurrences = list(occurrences)

    def start(self, fault: str, session: Session, at_ms: float, lives: int) -> FaultOccurrence:
        one = FaultOccurrence(fault, at_ms, len(session.history), lives)
        self.occurrences.append(one)
        return one

    def observe(self, session: Session, lives: int) -> None:
        """One more beat."""
        for one in self.occurrences:
            if one.is_over:
                continue
            if lives != one.lives:
                one.worsen(Recovery.RESUMED)
            if session.phase is Phase.PAUSED:
                one.worsen(Recovery.PAUSED)
            elif session.phase in _ASKING or _more_than_captured(session):
                one.worsen(Recovery.ASKED)
            done = completed_turns(session) > one.turns and session.phase in _READY
            one.is_over = one.is_undone and (done or session.phase is Phase.OVER)

    def count_recoveries(self) -> Counter[tuple[str, str]]:
        """How often each fault ended how."""
        return Counter((one.fault, str(one.recovery)) for one in self.occurrences)


def completed_turns(session: Session) -> int:
    """Turns whose beams have run."""
    return len(session.history) - (session.underlying_phase is Phase.FIRING)


def _more_than_captured(session: Session) -> bool:
    """Whether people must clear more than their turn left them to clear anyway."""
    if session.phase is not Phase.CLEARING or not session.history:
        return False
    wrong = {each.cell for each in session.table.differences} | set(session.table.unseen_cells)
    return bool(wrong - _cells_to_clear(session))


def _cells_to_clear(session: Session) -> set[Cell]:
    turn = session.history[-1].turn
    aimed, after = turn.aimed.pieces, turn.after.pieces
    changed = {cell for cell in {*aimed, *after} if aimed.get(cell) != after.get(cell)}
    return changed | {loss.cell for loss in turn.removed}
