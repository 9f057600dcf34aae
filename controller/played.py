"""A game as its journal tells it: entries in, the position with all that led to it out.

Here stands what the bodies of "game", "turn", "take back" and "result" hold; other kinds, and
other keys in these, are for others to know. Whatever cannot have happened ends the telling there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.agreement import GAME, BadGame, Start, mapping, read_start, seats_of, text
from controller.clocks import Clocks
from controller.journal import Entry
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, AnyTurn, Outcome, Player
from engine.record import RESULTS, Record, record_of

TURN, TAKE_BACK, CORRECTION, RESULT = "turn", "take back", "correction", "result"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a journal that cannot have happened; what stands before it has."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Played:
    """A game up to where its journal tells it."""

    start: Start
    turns: tuple[AnyTurn, ...] = ()
    clocks: tuple[Clocks | None, ...] = ()  # after each turn
    corrected: tuple[tuple[int, Any], ...] = ()  # positions a referee put after so many turns
    last_clocks: Clocks | None = None  # as the last entry that tells them does
    result: Outcome | None = None  # as a "result" says
    taken_back: int = 0  # turns
    fault: Fault | None = None

    @property
    def position(self) -> Any:
        return self.after(len(self.turns))

    def after(self, turns: int) -> Any:
        """The position after so many turns, or what a referee put in its place."""
        led = self.turns[turns - 1].after if turns else self.start.first()
        return dict(self.corrected).get(turns, led)

    @property
    def ended(self) -> Outcome | None:
        """How it ended: on the board, or else beside it."""
        return self.start.game.outcome(self.position) or self.result


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list says of a game: as the entries claim, nothing played and nothing checked."""

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
    return {"result": result.result, "reason": result.reason}


def take_back_body(turns: int) -> dict[str, Any]:
    return {"turns": turns}


def correction_body(
    game: AnyGame, before: Any, turns: int, after: Any, put: bool, note: str
) -> dict[str, Any]:
    """So many turns count no more, and the board stands otherwise than they had left it; unless
    it was `put` so, that is where the turns before them had led."""
    body = {"turns": turns, "before": game.write_position(before), "note": note}
    return body | {"after": game.write_position(after), "put": put}


# -- bodies, read ------------------------------------------------------------------------------


def replay(entries: Sequence[Entry]) -> Played:
    """The game up to the last entry, or to the first that cannot have happened (`fault`).

    `BadGame` if not even the first entry says which game it is.
    """
    played = Played(read_start(entries))
    for line, entry in enumerate(entries[1:], start=2):
        try:
            played = _STEPS.get(entry.kind, _nothing)(played, entry.body)
            if "clocks" in entry.body:
                played = replace(played, last_clocks=Clocks.from_json(entry.body["clocks"]))
        except LaserboardError as error:
            return replace(played, fault=Fault(line, str(error)))
    return played


def summary(entries: Sequence[Entry]) -> Summary:
    """A game in a few words; `BadGame` if the entries are of none."""
    if not entries or entries[0].kind != GAME:
        raise BadGame("it tells of no game")
    body = entries[0].body
    turns, result = 0, None
    for entry in entries[1:]:
        if entry.kind == TURN:
            turns += 1
        elif entry.kind in (TAKE_BACK, CORRECTION):
            turns, result = max(0, turns - _count(entry.body, 0)), None
        elif entry.kind == RESULT:
            result = read_outcome(entry.body)
    players = tuple(map(str, seats_of(body)))
    return Summary(text(body, "game"), players, text(body, "started", ""), turns, result)


# -- one entry after another -------------------------------------------------------------------


def _turn(played: Played, body: Mapping[str, Any]) -> Played:
    game, position = played.start.game, played.position
    if played.result is not None:
        raise BadGame(f"a turn after the result {played.result}")
    moves = mapping(body.get("moves"), "moves")
    names = [game.players[player] for player in game.to_move(position)]
    if sorted(moves) != sorted(names) and game.outcome(position) is None:
        raise BadGame(f"{' and '.join(names)} must move, not {' and '.join(moves) or 'nobody'}")
    turn = game.resolve(
        position,
        {
            player: game.read_move(position, player, text(moves, game.players[player]))
            for player in game.to_move(position)
            if game.players[player] in moves
        },
    )
    clocks = Clocks.from_json(body["clocks"]) if "clocks" in body else None
    return replace(played, turns=(*played.turns, turn), clocks=(*played.clocks, clocks))


def _take_back(played: Played, body: Mapping[str, Any]) -> Played:
    turns = _count(body)
    back = replace(_shortened(played, turns), taken_back=played.taken_back + turns)
    if "position" in body:
        told = text(body, "position")
        if played.start.game.write_position(back.position) != told:
            raise BadGame(f"taking back leads to another position than {excerpt(told)}")
    return back


def _shortened(played: Played, turns: int) -> Played:
    left = len(played.turns) - turns
    if left < 0:
        raise BadGame(f"{turns} turns taken back of {len(played.turns)}")
    return replace(
        played,
        turns=played.turns[:left],
        clocks=played.clocks[:left],
        corrected=tuple(each for each in played.corrected if each[0] <= left),
        last_clocks=played.clocks[left - 1] if left else None,
        result=None,
    )


def _correction(played: Played, body: Mapping[str, Any]) -> Played:
    game = played.start.game
    before, after = text(body, "before"), text(body, "after")
    if game.write_position(played.position) != before:
        raise BadGame(f"a correction of another position than stood there: {excerpt(before)}")
    left = _shortened(played, _count(body, 0))
    if body.get("put") is True:
        number = len(left.turns)
        others = tuple(each for each in left.corrected if each[0] != number)
        left = replace(left, corrected=(*others, (number, game.read_position(after))))
    if game.write_position(left.position) != after:
        raise BadGame(f"the correction leads to another position than {excerpt(after)}")
    return left


def _result(played: Played, body: Mapping[str, Any]) -> Played:
    result = read_outcome(body)
    before = played.ended
    if before is not None and before.result != result.result:
        raise BadGame(f"the result is {result}, but the game had ended {before}")
    return replace(played, result=result)


def _nothing(played: Played, body: Mapping[str, Any]) -> Played:  # noqa: ARG001
    """What changes no position: a pause, a device lost."""
    return played


_STEPS: Mapping[str, Callable[[Played, Mapping[str, Any]], Played]] = {
    TURN: _turn,
    TAKE_BACK: _take_back,
    CORRECTION: _correction,
    RESULT: _result,
}


def read_outcome(value: Any) -> Outcome:
    """As `result_body` wrote it."""
    body = mapping(value, "a result")
    result = text(body, "result")
    if result not in RESULTS:
        raise BadGame(f"{excerpt(result)} is no result: {', '.join(RESULTS)}")
    return Outcome(result, text(body, "reason", ""))


def _count(body: Mapping[str, Any], least: int = 1) -> int:
    return strict_json.whole(body.get("turns"), "turns taken back", BadGame, least, 1_000_000)


# -- as a record -------------------------------------------------------------------------------


def record(played: Played) -> Record:
    """The game as a record, without what was taken back."""
    start, game = played.start, played.start.game
    tags = {
        side.capitalize(): _printable(str(seat))
        for side, seat in zip(game.players, start.seats, strict=True)
    }
    day = re.match(r"(\d{4})-(\d\d)-(\d\d)", start.started)
    if day:
        tags["Date"] = ".".join(day.groups())
    if start.occasion is not None:
        tags |= {
            "Event": _printable(start.occasion.event),
            "Round": str(start.occasion.round),
            "Board": str(start.occasion.table),
        }
    if start.time_control:
        tags["TimeControl"] = _printable(start.time_control)
    ended = None if played.result is None else replace(
        played.result, reason=_printable(played.result.reason)
    )  # fmt: skip
    put = dict(played.corrected)
    begun = start.setup if start.position is None else start.position
    return record_of(
        game,
        put.get(0, begun),
        played.turns,
        seed=None if 0 in put else start.seed,
        end=put.get(len(played.turns)) if played.turns else None,
        ended=ended,
        tags=tags,
        clocks_ms=[
            _mover_ms(turn, clocks)
            for turn, clocks in zip(played.turns, played.clocks, strict=True)
        ],
    )


def _mover_ms(turn: AnyTurn, clocks: Clocks | None) -> int | None:
    """A record has room for one clock a turn."""
    if clocks is None or len(turn.moves) != 1:
        return None
    left_ms = left(clocks, turn.moves[0][0])
    return None if left_ms is None else max(0, round(left_ms))


def left(clocks: Clocks, player: Player) -> float | None:
    """What a player had left in ms when that was written; None without a clock."""
    return clocks.remaining_ms(player, clocks.at_ms or 0.0)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)
