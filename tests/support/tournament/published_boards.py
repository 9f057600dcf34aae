"""Tables without a camera: a real journal, a session after every turn, a real publisher.

Moves are written without inference, which other tests cover.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from controller.config.addresses.broker import Broker, parse_broker_url
from controller.config.board_file import load_board
from controller.devices.clock import SystemClock
from controller.devices.journal_file import JournalFile
from controller.session.journal import recover
from controller.session.replay import (
    CORRECTION,
    RESULT,
    TURN,
    correction_body,
    replay,
    result_body,
    turn_body,
)
from controller.session.resume import resume_session
from controller.session.setup import GAME, GameSetup, Seat, TournamentEntry, setup_body
from controller.session.state import Phase, Session
from controller.storage.games import read_journal
from controller.tournament.publisher import MqttPublisher
from engine import games
from engine.game import Outcome
from engine.sentences import plain
from tests.support.tournament.message_examples import EVENT

TIMEOUT_MS = 30_000.0
# A whole game. The last move captures the king.
GAME_TEXT = """
j5i6 a4b4 c5d5 h8h7 c1d2 h7g6 j4i5 b4c3 i6- g6f7 d2e3 h4g4 i6j7 f7f6 j7j8 a5b6 e4ud5
"""
MOVES = tuple(GAME_TEXT.split())
CLOCK = SystemClock()


class Board:
    """One table of an event, with methods to play, to kill and to restart it."""

    def __init__(
        self,
        folder: Path,
        url: str,
        table: int = 1,
        round_: int = 1,
        names: tuple[str, str] = ("Ada", "Grace"),
        event: str = EVENT,
        password: str = "",
    ) -> None:
        self.folder, self.table = folder, table
        self._broker = Broker(parse_broker_url(url), password)
        self._path = folder / "games" / f"2026-03-01-{100 * round_ + table}.journal"
        seats = tuple(map(Seat, names))
        game = games.make("laser-chess")
        self.start = GameSetup(
            game,
            seats,
            "ace",
            started="2026-03-01 19:30",
            tournament_entry=TournamentEntry(event, round_, table),
        )
        self._game = game
        self.journal = JournalFile(self._path, CLOCK, new=True)
        self._write(GAME, setup_body(self.start))
        self.played = 0
        self.publisher_value = self.begun()

    def begun(self) -> MqttPublisher:
        self.publisher_value = MqttPublisher(
            self._broker,
            self.start,
            self.journal,
            CLOCK,
            self.folder / "outbox" / f"{self.table}.queue",
            self.folder / "games",
        )
        self.show()
        return self.publisher_value

    def session(self) -> Session:
        entries = recover(read_journal(self._path)).entries
        reported = replay(entries)
        if reported.outcome is None:
            going = resume_session(entries, load_board("demo-10x8"))
            return replace(going, phase=Phase.TURN)
        board, before = load_board("demo-10x8"), [each for each in entries if each.kind != RESULT]
        while replay(before).outcome is not None:
            before.pop()
        going = resume_session(before, board)
        return replace(
            going, phase=Phase.OVER, outcome=reported.outcome, position=reported.position
        )

    def show(self) -> None:
        self._shown = self.session()
        self.publisher_value.publish(self._shown)

    def tick(self) -> None:
        """One tick of the game loop."""
        self.publisher_value.publish(self._shown)

    def move(self, turns: int = 1) -> None:
        self._moves(turns)
        self.show()

    def _moves(self, turns: int) -> None:
        for _ in range(turns):
            position = replay(recover(read_journal(self._path)).entries).position
            (player,) = self._game.to_move(position)
            move = self._game.read_move(position, player, MOVES[self.played])
            turn = self._game.resolve(position, {player: move})
            self._write(TURN, turn_body(self._game, turn))
            self.played += 1

    def finish(self) -> None:
        """Play the last moves. Turn and result are written before the publisher gets the end."""
        self._moves(len(MOVES) - self.played)
        ended = replay(recover(read_journal(self._path)).entries).outcome
        assert ended is not None
        self._ends(ended)

    def ends(self, result: str, reason: str) -> None:
        self._ends(Outcome(result, plain(reason)))

    def _ends(self, outcome: Outcome) -> None:
        self._write(RESULT, result_body(outcome))
        self.show()

    def withdraws(self, turns: int = 1) -> None:
        """Withdraw the last turns and the result."""
        played = replay(recover(read_journal(self._path)).entries)
        left = played.position_after(len(played.turns) - turns)
        body = correction_body(self._game, played.position, turns, left, False, "")
        self._write(CORRECTION, body)
        self.played -= turns
        self.show()

    def close(self) -> None:
        self.journal.close()
        self.publisher_value.close()

    def _write(self, kind: str, body: dict[str, object]) -> None:
        assert self.journal.wait(self.journal.write(kind, body, CLOCK.now_ms()), TIMEOUT_MS)
