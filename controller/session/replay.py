"""Replays a journal: entries in, the game with its position and its turns out.

Writes and reads the bodies of "turn", "take back", "correction" and "result"; other kinds and
other keys are ignored. The first entry that contradicts the game ends the replay as its `fault`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.session import sentences
from controller.session.clocks import Clocks
from controller.session.journal import JournalEntry
from controller.session.sentence_fields import read_outcome_reason, sentence_fields
from controller.session.setup import (
    GAME,
    BadGame,
    GameSetup,
    read_seats,
    read_setup,
    require_mapping,
    require_text,
)
from engine import strict_json
from engine.catalogue import AT_LINE
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, AnyTurn, Outcome, Player
from engine.record import RESULTS, Record, make_record
from engine.record.catalogue import NOT_A_RESULT
from engine.sentences import Sentence, plain

TURN, TAKE_BACK, CORRECTION, RESULT = "turn", "take back", "correction", "result"


@dataclass(frozen=True, slots=True)
class ReplayFault:
    """An entry that contradicts the game; the entries before it are valid."""

    line: int
    reason: Sentence

    @property
    def sentence(self) -> Sentence:
        return AT_LINE(line=self.line, message=self.reason)

    def __str__(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game up to the last valid entry of its journal."""

    setup: GameSetup
    turns: tuple[AnyTurn, ...] = ()
    clocks: tuple[Clocks | None, ...] = ()  # after each turn
    corrections: tuple[tuple[int, Any], ...] = ()  # turns, and the position set after them
    last_clocks: Clocks | None = None  # of the last entry that has them
    result: Outcome | None = None  # of a "result" entry
    taken_back_turns: int = 0
    fault: ReplayFault | None = None

    @property
    def position(self) -> Any:
        return self.position_after(len(self.turns))

    def position_after(self, turns: int) -> Any:
        """The position after so many turns, with the referee's correction."""
        led = self.turns[turns - 1].after if turns else self.setup.first_position()
        return dict(self.corrections).get(turns, led)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: on the board, or by a "result" entry."""
        return self.setup.game.outcome(self.position) or self.result


@dataclass(frozen=True, slots=True)
class JournalSummary:
    """A game for a list, as its entries say; nothing is replayed or checked."""

    game: str
    players: tuple[str, ...]
    started: str
    turns: int
    result: Outcome | None


# -- bodies, written ---------------------------------------------------------------------------


def turn_body(game: AnyGame, turn: AnyTurn, clocks: Clocks | None = None) -> dict[str, Any]:
    moves = {
        game.players[player]: game.write_move(turn.before, player, move)
        for player, move in turn.moves
    }
    return {"moves": moves} | ({} if clocks is None else {"clocks": clocks.as_json()})


def result_body(result: Outcome) -> dict[str, Any]:
    return {"result": result.result, **sentence_fields(result.reason, "reason")}


def take_back_body(turns: int) -> dict[str, Any]:
    return {"turns": turns}


def correction_body(
    game: AnyGame, before: Any, turns: int, after: Any, set_by_hand: bool, note: str
) -> dict[str, Any]:
    """A correction that cancels `turns` turns. `after` is the position before them, unless the
    referee has set another one (`set_by_hand`)."""
    body = {"turns": turns, "before": game.write_position(before), "note": note}
    return body | {"after": game.write_position(after), "put": set_by_hand}


# -- bodies, read ------------------------------------------------------------------------------


def replay(entries: Sequence[JournalEntry]) -> ReplayedGame:
    """The game up to the last entry, or up to the first contradiction (`fault`).

    `BadGame` if the first entry holds no setup.
    """
    played = ReplayedGame(read_setup(entries))
    for line, entry in enumerate(entries[1:], start=2):
        try:
            played = apply_entry(played, entry)
        except LaserboardError as error:
            return replace(played, fault=ReplayFault(line, error.sentence))
    return played


def apply_entry(played: ReplayedGame, entry: JournalEntry) -> ReplayedGame:
    """The game after one more entry; `LaserboardError` if the entry contradicts it."""
    played = _APPLY_BY_KIND.get(entry.kind, _ignore_entry)(played, entry.body)
    if "clocks" in entry.body:
        return replace(played, last_clocks=Clocks.from_json(entry.body["clocks"]))
    return played


def summarise(entries: Sequence[JournalEntry]) -> JournalSummary:
    """A game in a few words; `BadGame` if the entries are of none."""
    if not entries or entries[0].kind != GAME:
        raise BadGame(sentences.NO_GAME())
    body = entries[0].body
    turns, result = 0, None
    for entry in entries[1:]:
        if entry.kind == TURN:
            turns += 1
        elif entry.kind in (TAKE_BACK, CORRECTION):
            turns, result = max(0, turns - _read_turn_count(entry.body, 0)), None
        elif entry.kind == RESULT:
            result = read_outcome(entry.body)
    players = tuple(map(str, read_seats(body)))
    return JournalSummary(
        require_text(body, "game"), players, require_text(body, "started", ""), turns, result
    )


# -- one entry after another -------------------------------------------------------------------


def _apply_turn(played: ReplayedGame, body: Mapping[str, Any]) -> ReplayedGame:
    game, position = played.setup.game, played.position
    if played.result is not None:
        raise BadGame(
            sentences.TURN_AFTER_RESULT(outcome=sentences.outcome_sentence(played.result))
        )
    moves = require_mapping(body.get("moves"), "moves")
    names = [game.players[player] for player in game.to_move(position)]
    if sorted(moves) != sorted(names) and game.outcome(position) is None:
        movers = sentences.join_and(list(moves)) if moves else sentences.NO_MOVER()
        raise BadGame(sentences.WRONG_MOVERS(players=sentences.join_and(names), movers=movers))
    turn = game.resolve(
        position,
        {
            player: game.read_move(position, player, require_text(moves, game.players[player]))
            for player in game.to_move(position)
            if game.players[player] in moves
        },
    )
    clocks = Clocks.from_json(body["clocks"]) if "clocks" in body else None
    return replace(played, turns=(*played.turns, turn), clocks=(*played.clocks, clocks))


def _apply_take_back(played: ReplayedGame, body: Mapping[str, Any]) -> ReplayedGame:
    turns = _read_turn_count(body)
    back = replace(_drop_turns(played, turns), taken_back_turns=played.taken_back_turns + turns)
    if "position" in body:
        written_position = require_text(body, "position")
        if played.setup.game.write_position(back.position) != written_position:
            raise BadGame(sentences.TAKE_BACK_POSITION(value=excerpt(written_position)))
    return back


def _drop_turns(played: ReplayedGame, turns: int) -> ReplayedGame:
    left = len(played.turns) - turns
    if left < 0:
        raise BadGame(sentences.TAKE_BACK_COUNT(turns=turns, played=len(played.turns)))
    return replace(
        played,
        turns=played.turns[:left],
        clocks=played.clocks[:left],
        corrections=tuple(each for each in played.corrections if each[0] <= left),
        last_clocks=played.clocks[left - 1] if left else None,
        result=None,
    )


def _apply_correction(played: ReplayedGame, body: Mapping[str, Any]) -> ReplayedGame:
    game = played.setup.game
    before, after = require_text(body, "before"), require_text(body, "after")
    if game.write_position(played.position) != before:
        raise BadGame(sentences.CORRECTION_BEFORE(value=excerpt(before)))
    left = _drop_turns(played, _read_turn_count(body, 0))
    if body.get("put") is True:
        number = len(left.turns)
        others = tuple(each for each in left.corrections if each[0] != number)
        left = replace(left, corrections=(*others, (number, game.read_position(after))))
    if game.write_position(left.position) != after:
        raise BadGame(sentences.CORRECTION_AFTER(value=excerpt(after)))
    return left


def _apply_result(played: ReplayedGame, body: Mapping[str, Any]) -> ReplayedGame:
    result = read_outcome(body)
    before = played.outcome
    if before is not None and before.result != result.result:
        raise BadGame(
            sentences.OTHER_RESULT(
                outcome=sentences.outcome_sentence(result),
                ended=sentences.outcome_sentence(before),
            )
        )
    return replace(played, result=result)


def _ignore_entry(played: ReplayedGame, body: Mapping[str, Any]) -> ReplayedGame:  # noqa: ARG001
    """An entry that changes no position, such as an incident."""
    return played


_APPLY_BY_KIND: Mapping[str, Callable[[ReplayedGame, Mapping[str, Any]], ReplayedGame]] = {
    TURN: _apply_turn,
    TAKE_BACK: _apply_take_back,
    CORRECTION: _apply_correction,
    RESULT: _apply_result,
}


def read_outcome(value: Any) -> Outcome:
    """The reverse of `result_body`."""
    body = require_mapping(value, "a result")
    result = require_text(body, "result")
    if result not in RESULTS:
        raise BadGame(NOT_A_RESULT(value=excerpt(result), results=tuple(RESULTS)))
    require_text(body, "reason", "")
    return Outcome(result, read_outcome_reason(body))


def _read_turn_count(body: Mapping[str, Any], least: int = 1) -> int:
    return strict_json.require_int(body.get("turns"), "turns taken back", BadGame, least, 1_000_000)


# -- as a record -------------------------------------------------------------------------------


def game_record(played: ReplayedGame) -> Record:
    """The game as a record, without turns that were taken back."""
    start, game = played.setup, played.setup.game
    tags = {
        side.capitalize(): _printable(str(seat))
        for side, seat in zip(game.players, start.seats, strict=True)
    }
    day = re.match(r"(\d{4})-(\d\d)-(\d\d)", start.started)
    if day:
        tags["Date"] = ".".join(day.groups())
    if start.tournament_entry is not None:
        tags |= {
            "Event": _printable(start.tournament_entry.event),
            "Round": str(start.tournament_entry.round),
            "Board": str(start.tournament_entry.table),
        }
    if start.time_control:
        tags["TimeControl"] = _printable(start.time_control)
    put = dict(played.corrections)
    begun = start.setup_name if start.position is None else start.position
    return make_record(
        game,
        put.get(0, begun),
        played.turns,
        seed=None if 0 in put else start.seed,
        end=put.get(len(played.turns)) if played.turns else None,
        ended=_printable_outcome(played.result),
        tags=tags,
        clocks_ms=[
            _mover_clock_ms(turn, clocks)
            for turn, clocks in zip(played.turns, played.clocks, strict=True)
        ],
    )


def _mover_clock_ms(turn: AnyTurn, clocks: Clocks | None) -> int | None:
    """The clock of the mover: a record holds one clock a turn."""
    if clocks is None or len(turn.moves) != 1:
        return None
    left_ms = recorded_remaining_ms(clocks, turn.moves[0][0])
    return None if left_ms is None else max(0, round(left_ms))


def recorded_remaining_ms(clocks: Clocks, player: Player) -> float | None:
    """The player's remaining time when the entry was written; None without a clock."""
    return clocks.remaining_ms(player, clocks.at_ms or 0.0)


def _printable_outcome(outcome: Outcome | None) -> Outcome | None:
    """The outcome, with a reason that a tag can hold."""
    if outcome is None or str(outcome.reason).isprintable():
        return outcome
    return replace(outcome, reason=plain(_printable(str(outcome.reason))))


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)
