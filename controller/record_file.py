"""The record of a game beside its journal, rewritten turn by turn: whole at any moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from controller.agreement import Start
from controller.played import Played, record
from controller.session_values import Phase, Session
from engine.game import AnyTurn, Outcome
from engine.record import write

Save = Callable[[str], None]


class RecordFile:
    """Games one after the other, a line of JSON each. Only what is on disk already is written;
    the work is done in a thread."""

    def __init__(self, save: Save) -> None:
        self._save = save
        self._before: list[str] = []  # games that are over, or were left
        self._line = ""
        self._known: tuple[int, Outcome | None] = (0, None)
        self._work: SimpleQueue[tuple[Start, tuple[AnyTurn, ...], Outcome | None] | None]
        self._work = SimpleQueue()
        self._trouble: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="record", daemon=True)
        self._thread.start()

    def keep(self, start: Start, session: Session) -> None:
        """Write the game as it stands, if it has gone on; complains if that failed."""
        if self._trouble is not None:
            raise self._trouble
        ended = session.outcome if session.phase is Phase.OVER else None
        now = len(session.history), ended
        if now != self._known and not session.unwritten:
            self._known = now
            turns = tuple(past.turn for past in session.history)
            self._work.put((start, turns, ended))

    def next_game(self) -> None:
        """What was kept stays; another game follows."""
        self.close()
        if self._line:
            self._before.append(self._line)
        self._line, self._known = "", (0, None)
        self._thread = threading.Thread(target=self._run, name="record", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """When all of it is written."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (task := self._work.get()) is not None:
            start, turns, ended = task
            played = Played(start, turns, (None,) * len(turns), result=ended)
            try:
                self._line = write(record(played), "json")
                self._save("".join((*self._before, self._line)))
            except Exception as trouble:  # told to whoever keeps the next turn
                self._trouble = trouble
