"""A game as its journal tells it: entries in, the position with all that led to it out.

Here stands what the bodies of "game", "turn", "take back" and "result" hold; other kinds, and
other keys in these, are for others to know. Whatever cannot have happened ends the telling there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.clocks import Clocks
from controller.journal import Entry
from engine import games, strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, AnyTurn, Outcome, Player
from engine.record import RESULTS, Record, record_of

FORMAT = 1
GAME, TURN, TAKE_BACK, RESULT = "game", "turn", "take back", "result"
HUMAN, COMPUTER, PROGRAM = "human", "computer:", "program"


class BadGame(LaserboardError, ValueError):
    """A journal that tells no game, or something in it that cannot have happened."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits on one side."""

    name: str
    level: int | None = None  # of the computer; None: a person, or
    program: bool = False  # somebody's program, reached over HTTP: where, is never written down

    @property
    def computer(self) -> bool:
        """No person: whose moves people make for it."""
        return self.level is not None or self.program

    @property
    def kind(self) -> str:
        """`human`, `computer:3` or `program`."""
        if self.program:
            return PROGRAM
        return HUMAN if self.level is None else f"{COMPUTER}{self.level}"

    def __str__(self) -> str:
        return self.name or self.kind


@dataclass(frozen=True, slots=True)
class Start:
    """What was agreed before the first turn."""

    game: AnyGame
    seats: tuple[Seat, ...]
    setup: str | None = None  # or else:
    seed: int | None = None  # or else:
    position: Any = None
    time_control: str = ""
    version: str = ""  # of the Laserboard that wrote it
    started: str = ""  # day and time, as a wall clock showed them
    board: str = ""  # the one it is played on: its name or its file
    simulated: bool = False  # whether that board is not there

    def first(self) -> Any:
        """The position before the first turn."""
        if self.position is not None:
            return self.position
        return self.game.start(self.setup, self.seed)


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
    result: Outcome | None = None  # as a "result" says
    taken_back: int = 0  # turns
    fault: Fault | None = None

    @property
    def position(self) -> Any:
        return self.turns[-1].after if self.turns else self.start.first()

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


def game_body(start: Start) -> dict[str, Any]:
    game = start.game
    if start.position is not None:
        begin: dict[str, Any] = {"position": game.write_position(start.position)}
    elif start.seed is not None or not game.setups():
        begin = {"seed": game.default_seed if start.seed is None else start.seed}
    else:
        begin = {"setup": start.setup or game.default_setup}
    return begin | {
        "format": FORMAT,
        "game": game.name,
        "options": game.options(),
        "players": [{"name": seat.name, "kind": seat.kind} for seat in start.seats],
        "time_control": start.time_control,
        "laserboard": start.version,
        "started": start.started,
        "board": start.board,
        "simulated": start.simulated,
    }


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


# -- bodies, read ------------------------------------------------------------------------------


def replay(entries: Sequence[Entry]) -> Played:
    """The game up to the last entry, or to the first that cannot have happened (`fault`).

    `BadGame` if not even the first entry says which game it is.
    """
    played = Played(read_start(entries))
    for line, entry in enumerate(entries[1:], start=2):
        try:
            played = _STEPS.get(entry.kind, _nothing)(played, entry.body)
        except LaserboardError as error:
            return replace(played, fault=Fault(line, str(error)))
    return played


def read_start(entries: Sequence[Entry]) -> Start:
    if not entries:
        raise BadGame("it holds no entry: nothing was played")
    if entries[0].kind != GAME:
        raise BadGame(f"it begins with {excerpt(entries[0].kind)}, not with the game")
    body = entries[0].body
    version = body.get("format")
    if version != FORMAT:
        raise BadGame(f"its format is {excerpt(version)}, and this Laserboard reads {FORMAT}: "
                      "use the one that wrote it, or a newer one")  # fmt: skip
    game = games.make(_text(body, "game"), _object(body.get("options", {}), "options"))
    given = [name for name in ("setup", "seed", "position") if name in body]
    if len(given) != 1:
        raise BadGame(f"a game begins with a setup, a seed or a position, not with {given}")
    seats = _seats(body)
    if len(seats) != len(game.players):
        raise BadGame(f"{game.name} has {len(game.players)} players, not {len(seats)}")
    start = Start(
        game,
        seats,
        setup=_text(body, "setup") if "setup" in body else None,
        seed=body.get("seed"),
        position=game.read_position(_text(body, "position")) if "position" in body else None,
        time_control=_text(body, "time_control", ""),
        version=_text(body, "laserboard", ""),
        started=_text(body, "started", ""),
        board=_text(body, "board", ""),
        simulated=body.get("simulated") is True,
    )
    start.first()
    return start


def summary(entries: Sequence[Entry]) -> Summary:
    """A game in a few words; `BadGame` if the entries are of none."""
    if not entries or entries[0].kind != GAME:
        raise BadGame("it tells of no game")
    body = entries[0].body
    turns, result = 0, None
    for entry in entries[1:]:
        if entry.kind == TURN:
            turns += 1
        elif entry.kind == TAKE_BACK:
            turns, result = max(0, turns - _count(entry.body)), None
        elif entry.kind == RESULT:
            result = _outcome(entry.body)
    players = tuple(map(str, _seats(body)))
    return Summary(_text(body, "game"), players, _text(body, "started", ""), turns, result)


# -- one entry after another -------------------------------------------------------------------


def _turn(played: Played, body: Mapping[str, Any]) -> Played:
    game, position = played.start.game, played.position
    if played.result is not None:
        raise BadGame(f"a turn after the result {played.result}")
    moves = _object(body.get("moves"), "moves")
    names = [game.players[player] for player in game.to_move(position)]
    if sorted(moves) != sorted(names) and game.outcome(position) is None:
        raise BadGame(f"{' and '.join(names)} must move, not {' and '.join(moves) or 'nobody'}")
    turn = game.resolve(
        position,
        {
            player: game.read_move(position, player, _text(moves, game.players[player]))
            for player in game.to_move(position)
            if game.players[player] in moves
        },
    )
    clocks = Clocks.from_json(body["clocks"]) if "clocks" in body else None
    return replace(played, turns=(*played.turns, turn), clocks=(*played.clocks, clocks))


def _take_back(played: Played, body: Mapping[str, Any]) -> Played:
    turns = _count(body)
    left = len(played.turns) - turns
    if left < 0:
        raise BadGame(f"{turns} turns taken back of {len(played.turns)}")
    back = replace(
        played,
        turns=played.turns[:left],
        clocks=played.clocks[:left],
        result=None,
        taken_back=played.taken_back + turns,
    )
    if "position" in body:
        told = _text(body, "position")
        if played.start.game.write_position(back.position) != told:
            raise BadGame(f"taking back leads to another position than {excerpt(told)}")
    return back


def _result(played: Played, body: Mapping[str, Any]) -> Played:
    result = _outcome(body)
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
    RESULT: _result,
}


def _seats(body: Mapping[str, Any]) -> tuple[Seat, ...]:
    players = strict_json.items(body.get("players"), "players", BadGame)
    return tuple(_seat(_object(each, "a player")) for each in players)


def _seat(player: Mapping[str, Any]) -> Seat:
    name, kind = _text(player, "name", ""), _text(player, "kind", HUMAN)
    if kind == HUMAN:
        return Seat(name)
    if kind == PROGRAM:
        return Seat(name, program=True)
    level = re.fullmatch(rf"{COMPUTER}([0-9]{{1,3}})", kind)
    if level is None:
        raise BadGame(f"{excerpt(kind)} is no player: human, computer:3 or program")
    return Seat(name, int(level[1]))


def _outcome(body: Mapping[str, Any]) -> Outcome:
    result = _text(body, "result")
    if result not in RESULTS:
        raise BadGame(f"{excerpt(result)} is no result: {', '.join(RESULTS)}")
    return Outcome(result, _text(body, "reason", ""))


def _count(body: Mapping[str, Any]) -> int:
    return strict_json.whole(body.get("turns"), "turns taken back", BadGame, 1, 1_000_000)


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadGame(f"{what} must be an object, not {excerpt(value)}")
    return value


def _text(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if not isinstance(value, str):
        raise BadGame(f"{name} must be text, not {excerpt(value)}")
    return value


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
    if start.time_control:
        tags["TimeControl"] = _printable(start.time_control)
    ended = None if played.result is None else replace(
        played.result, reason=_printable(played.result.reason)
    )  # fmt: skip
    return record_of(
        game,
        start.setup if start.position is None else start.position,
        played.turns,
        seed=start.seed,
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
