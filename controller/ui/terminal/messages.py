"""What was said at the table, as a screen remembers it: what happened stays for a while, and an
answer to somebody, a refusal most often, passes with the next thing that happens."""

from __future__ import annotations

from collections import deque

from controller.session.move_options import unfired_turn
from controller.session.state import Session

MOST_MESSAGES = 12  # sentences


class ScreenMessages:
    """Sentences come in as they are said; `update` sorts them by what the session was doing."""

    def __init__(self) -> None:
        self._kept: deque[str] = deque(maxlen=MOST_MESSAGES)
        self._new: list[str] = []
        self._answers: tuple[str, ...] = ()
        self._last: object = None

    def add(self, sentence: str) -> None:
        self._new.append(sentence)

    def update(self, session: Session) -> None:
        """What was said since this was last called belongs to this session. While nothing
        happens, a sentence is an answer: the newest is shown, and only until something does."""
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
        """The newest last."""
        return (*self._kept, *self._answers)


def _event_key(session: Session) -> object:
    """Different whenever something has happened that people should know."""
    asked = session.offer, session.turn.hint_turn, session.computer.thinking is None
    table = (
        tuple(session.pause.lost_devices),
        session.pause.trouble,
        unfired_turn(session) is not None,
    )
    return session.position, session.phase, session.outcome, asked, table
