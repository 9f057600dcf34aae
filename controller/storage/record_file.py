"""Writes the records of games to a file while they are played, in a worker thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue

from controller.session.replay import ReplayedGame, game_record
from controller.session.setup import GameSetup
from controller.session.state import Phase, Session
from engine.game import AnyTurn, Outcome
from engine.record import write_record

SaveText = Callable[[str], None]
log = logging.getLogger(__name__)


class RecordFile:
    """One line of JSON per game, rewritten after each turn that the journal has on disk."""

    def __init__(self, save: SaveText) -> None:
        self._save = save
        self._finished_lines: list[str] = []  # of earlier games
        self._line = ""
        self._saved_state: tuple[int, Outcome | None] = (0, None)
        self._work: SimpleQueue[tuple[GameSetup, tuple[AnyTurn, ...], Outcome | None] | None]
        self._work = SimpleQueue()
        self._trouble: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="record", daemon=True)
        self._thread.start()

    def update(self, setup: GameSetup, session: Session) -> None:
        """Queue the game for writing if it has changed; raises the error of an earlier write."""
        if self._trouble is not None:
            raise self._trouble
        ended = session.outcome if session.phase is Phase.OVER else None
        now = len(session.history), ended
        if now != self._saved_state and not session.writing.unwritten:
            self._saved_state = now
            turns = tuple(past.turn for past in session.history)
            self._work.put((setup, turns, ended))

    def next_game(self) -> None:
        """Keep the line of this game and start another."""
        self.close()
        if self._line:
            self._finished_lines.append(self._line)
        self._line, self._saved_state = "", (0, None)
        self._thread = threading.Thread(target=self._run, name="record", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until everything is written."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (task := self._work.get()) is not None:
            start, turns, ended = task
            played = ReplayedGame(start, turns, (None,) * len(turns), result=ended)
            try:
                self._line = write_record(game_record(played), "json")
                self._save("".join((*self._finished_lines, self._line)))
            except Exception as error:  # raised by the next `update`
                log.exception("cannot write the record")
                self._trouble = error
