"""What was said at the table, as a screen remembers it: what happened stays for a while, and an
answer to somebody, a refusal most often, passes with the next thing that happens."""

from __future__ import annotations

from collections import deque

from controller.session_values import Session
from controller.terminal.ways import lying

REMEMBERED = 12  # sentences


class Sayings:
    """Sentences come in as they are said; `at` sorts them by what the session was doing."""

    def __init__(self) -> None:
        self._kept: deque[str] = deque(maxlen=REMEMBERED)
        self._new: list[str] = []
        self._answers: tuple[str, ...] = ()
        self._last: object = None

    def hear(self, sentence: str) -> None:
        self._new.append(sentence)

    def at(self, session: Session) -> None:
        """What was said since this was last called belongs to this session. While nothing
        happens, a sentence is an answer: the newest is shown, and only until something does."""
        now = _events(session)
        if now != self._last:
            self._kept.extend(self._new)
            self._answers = ()
        elif self._new:
            self._answers = tuple(self._new)
        self._last = now
        self._new.clear()

    @property
    def said(self) -> tuple[str, ...]:
        """The newest last."""
        return (*self._kept, *self._answers)


def _events(session: Session) -> object:
    """Different whenever something has happened that people should know."""
    asked = session.offer, session.hint, session.question is None
    table = tuple(session.lost), session.trouble, lying(session) is not None
    return session.position, session.phase, session.outcome, asked, table
