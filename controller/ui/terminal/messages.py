"""The messages on the player's screen.

Messages about events stay for a while. An answer to a key, such as a refusal, is removed at the
next event.
"""

from __future__ import annotations

from collections import deque

from controller.session.move_options import unfired_turn
from controller.session.state import Session

MAX_MESSAGES = 12


class ScreenMessages:
    """Collects messages; `update` decides which are events and which are answers."""

    def __init__(self) -> None:
        self._kept: deque[str] = deque(maxlen=MAX_MESSAGES)
        self._new: list[str] = []
        self._answers: tuple[str, ...] = ()
        self._last: object = None

    def add(self, sentence: str) -> None:
        self._new.append(sentence)

    def update(self, session: Session) -> None:
        """Sort the messages since the last call: events if the session has changed since then,
        otherwise answers, which replace earlier answers."""
        now = _event_key(session)
        if now != self._last:
            self._kept.extend(self._new)
            self._answers = ()
        elif self._new:
            self._answers = tuple(self._new)
        self._last = now
        self._new.clear()

    @property
    def messages(self) -> tuple[str, ...]:
        """All messages, newest last."""
        return (*self._kept, *self._answers)


def _event_key(session: Session) -> object:
    """A value that changes with every event that players should know."""
    asked = session.offer, session.turn.hinted_turn, session.computer.thinking is None
    table = (
        tuple(session.pause.lost_devices),
        session.pause.trouble,
        unfired_turn(session) is not None,
    )
    return session.position, session.phase, session.outcome, asked, table
