"""All boards of an event as one immutable value: a message in, the next state out.

Boards are identified by their table. The age of a board counts from its last pulse, by the clock
of the receiver (times are passed in). A last will counts immediately, if it comes from the instance
that sent the last pulse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from controller.tournament import sentences, topics
from controller.tournament.messages import (
    BadMessage,
    BoardState,
    ClockTimes,
    GameResult,
    Presence,
    clip_line,
    read_payload,
    read_presence,
    read_pulse,
    read_result,
    read_state,
)
from engine.sentences import Sentence, plain

# Pulses come once a second: a board is stale after two missed ones and some network delay.
STALE_MS, LOST_MS = 2_500.0, 8_000.0
PUBLISHER_WINDOW_MS = 5_000.0
MAX_BOARDS, MAX_RESULTS = 200, 5_000
MAX_REJECTION_CHARS = 300


class Freshness(StrEnum):
    """How current the messages of a board are."""

    WAITING = "waiting"  # known from retained messages, no pulse yet
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"
    LEFT = "left"  # it disconnected properly


@dataclass(frozen=True, slots=True)
class TournamentBoard:
    """The board of one table."""

    table: int
    first_message_ms: float
    state: BoardState | None = None
    clocks: ClockTimes | None = None
    clocks_at_ms: float = 0.0  # when `clocks` was received
    last_pulse_ms: float | None = None  # the last known tick of the game's loop
    presence: Presence | None = None
    instance: str = ""
    publishers: Mapping[str, float] = field(default_factory=dict)  # last pulse by instance

    def age_ms(self, now_ms: float) -> float:
        """Time since the last pulse; without a pulse, since the first message."""
        return max(
            0.0,
            now_ms - (self.first_message_ms if self.last_pulse_ms is None else self.last_pulse_ms),
        )

    def freshness(self, now_ms: float) -> Freshness:
        if self.presence is Presence.LEFT:
            return Freshness.LEFT
        age_ms = self.age_ms(now_ms)
        if self.presence is Presence.LOST or age_ms > LOST_MS:
            return Freshness.LOST
        if age_ms > STALE_MS:
            return Freshness.STALE
        return Freshness.WAITING if self.last_pulse_ms is None else Freshness.LIVE

    def active_publishers(self, now_ms: float) -> int:
        """The number of programs that publish as this table; more than one is a mistake."""
        return sum(now_ms - each_ms <= PUBLISHER_WINDOW_MS for each_ms in self.publishers.values())


@dataclass(frozen=True)
class TournamentState:
    """The state of an event: its boards and results."""

    event: str
    boards: Mapping[int, TournamentBoard] = field(default_factory=dict)
    results: Mapping[tuple[int, int, str], GameResult] = field(default_factory=dict)
    rejected_count: int = 0  # invalid messages
    last_rejection: Sentence | None = None  # the reason of the last one

    def boards_by_table(self) -> tuple[TournamentBoard, ...]:
        return tuple(self.boards[table] for table in sorted(self.boards))

    def finished_results(self) -> tuple[GameResult, ...]:
        """Results by round and table; a table may have several in a round."""
        return tuple(self.results[key] for key in sorted(self.results) if self.results[key].is_over)

    # -- updates -------------------------------------------------------------------------------

    def receive(self, topic: str, payload: bytes, retained: bool, at_ms: float) -> TournamentState:
        """The state after a message; an invalid message only increases `rejected_count`."""
        parsed = topics.read_topic(topic)
        if parsed is None or parsed.event != self.event:
            return self._reject(sentences.FOREIGN_TOPIC(topic=topic[:80]))
        if not payload and retained:
            return self
        try:
            body = read_payload(parsed.kind, payload)
            match parsed.kind:
                case topics.RESULT:
                    result = read_result(body)
                    if (result.round, result.table) != (parsed.round, parsed.table):
                        raise BadMessage(sentences.OTHER_ROUND())
                    return self.add_result(result)
                case topics.STATE:
                    state = read_state(body)
                    if state.table != parsed.table:
                        raise BadMessage(sentences.OTHER_TABLE())
                    return self._with_board(self._with_state(parsed.table, state, at_ms))
                case topics.PRESENCE:
                    presence, instance = read_presence(body)
                    return self._with_board(
                        self._with_presence(parsed.table, presence, instance, at_ms)
                    )
                case _:
                    # A retained pulse is old: it does not show that the board is running.
                    return (
                        self
                        if retained
                        else self._with_board(self._with_pulse(parsed.table, body, at_ms))
                    )
        except BadMessage as error:
            return self._reject(
                sentences.REJECTED(table=parsed.table, kind=parsed.kind, reason=error.sentence)
            )

    def add_result(self, result: GameResult) -> TournamentState:
        """Add a result, unless a newer one of the same game is known."""
        key = (result.round, result.table, result.game_id)
        before = self.results.get(key)
        if before is not None and before.entries >= result.entries:
            return self
        if before is None and len(self.results) >= MAX_RESULTS:
            return self._reject(sentences.TOO_MANY_RESULTS())
        return replace(self, results={**self.results, key: result})

    def _reject(self, why: Sentence) -> TournamentState:
        if len(str(why)) > MAX_REJECTION_CHARS:  # escaped characters of unknown origin
            why = plain(clip_line(str(why), MAX_REJECTION_CHARS))
        return replace(self, rejected_count=self.rejected_count + 1, last_rejection=why)

    def _known_or_new_board(self, table: int, at_ms: float) -> TournamentBoard:
        known = self.boards.get(table)
        if known is None and len(self.boards) >= MAX_BOARDS:
            raise BadMessage(sentences.TOO_MANY_TABLES())
        return known or TournamentBoard(table, at_ms)

    def _with_board(self, board: TournamentBoard) -> TournamentState:
        return replace(self, boards={**self.boards, board.table: board})

    def _with_state(self, table: int, state: BoardState, at_ms: float) -> TournamentBoard:
        board = replace(self._known_or_new_board(table, at_ms), state=state)
        if state.clocks is not None and board.clocks_at_ms < at_ms:
            board = replace(board, clocks=state.clocks, clocks_at_ms=at_ms)
        return board if state.clocks is not None else replace(board, clocks=None)

    def _with_presence(
        self, table: int, presence: Presence, instance: str, at_ms: float
    ) -> TournamentBoard:
        board = self._known_or_new_board(table, at_ms)
        gone = presence is not Presence.HERE
        if gone and board.instance and instance != board.instance:
            return board  # from an earlier instance: another one is running there now
        return replace(board, presence=presence, instance=instance)

    def _with_pulse(self, table: int, body: Mapping[str, object], at_ms: float) -> TournamentBoard:
        pulse, board = read_pulse(body), self._known_or_new_board(table, at_ms)
        recent = {
            each: pulse_ms
            for each, pulse_ms in board.publishers.items()
            if at_ms - pulse_ms <= PUBLISHER_WINDOW_MS
        }
        publishers = {**dict(list(recent.items())[-8:]), pulse.instance: at_ms}
        return replace(
            board,
            last_pulse_ms=max(
                board.first_message_ms,
                at_ms - pulse.quiet_ms,
                board.last_pulse_ms or board.first_message_ms,
            ),
            clocks=pulse.clocks,
            clocks_at_ms=at_ms,
            presence=Presence.HERE,
            instance=pulse.instance,
            publishers=publishers,
        )
