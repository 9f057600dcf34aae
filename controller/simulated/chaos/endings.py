"""How each fault ended for the people at the table, told from what the game went through between
the fault and the next turn that was completed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from controller.session_values import Phase, Session
from engine.grid import Cell

_ASKING = (Phase.SETTING_UP, Phase.MISMATCH, Phase.CONFIRMING)
_READY = (Phase.TURN, Phase.COMPUTER_THINKING, Phase.COMPUTER_TO_MOVE, Phase.OVER)


class Ending(StrEnum):
    """From the least to the most that it took."""

    ALONE = "recovered alone"
    ASKED = "asked a person"
    PAUSED = "paused"
    RESUMED = "resumed"


@dataclass
class Befallen:
    """A fault that happened, and what came of it so far."""

    fault: str
    at_ms: float
    turns: int  # that were made before it, or being fired: the next one tells
    lives: int
    ending: Ending = Ending.ALONE
    undone: bool = True
    over: bool = False

    def worse(self, ending: Ending) -> None:
        if list(Ending).index(ending) > list(Ending).index(self.ending):
            self.ending = ending


class Endings:
    """All that befell one game."""

    def __init__(self, befallen: Iterable[Befallen] = ()) -> None:
        self.befallen = list(befallen)

    def begins(self, fault: str, session: Session, at_ms: float, lives: int) -> Befallen:
        one = Befallen(fault, at_ms, len(session.history), lives)
        self.befallen.append(one)
        return one

    def watch(self, session: Session, lives: int) -> None:
        """One more beat."""
        for one in self.befallen:
            if one.over:
                continue
            if lives != one.lives:
                one.worse(Ending.RESUMED)
            if session.phase is Phase.PAUSED:
                one.worse(Ending.PAUSED)
            elif session.phase in _ASKING or _more_than_captured(session):
                one.worse(Ending.ASKED)
            done = completed(session) > one.turns and session.phase in _READY
            one.over = one.undone and (done or session.phase is Phase.OVER)

    def counted(self) -> Counter[tuple[str, str]]:
        """How often each fault ended how."""
        return Counter((one.fault, str(one.ending)) for one in self.befallen)


def completed(session: Session) -> int:
    """Turns whose beams have run."""
    return len(session.history) - (session.beneath is Phase.FIRING)


def _more_than_captured(session: Session) -> bool:
    """Whether people must clear more than their turn left them to clear anyway."""
    if session.phase is not Phase.CLEARING or not session.history:
        return False
    wrong = {each.cell for each in session.differences} | set(session.unseen)
    return bool(wrong - _left_over(session))


def _left_over(session: Session) -> set[Cell]:
    turn = session.history[-1].turn
    aimed, after = turn.aimed.pieces, turn.after.pieces
    changed = {cell for cell in {*aimed, *after} if aimed.get(cell) != after.get(cell)}
    return changed | {loss.cell for loss in turn.removed}
