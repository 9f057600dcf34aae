"""What was agreed before the first turn, as a value and as the first entry of a journal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from controller.journal import Entry
from controller.laws import Laws
from engine import games, strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, Player

FORMAT = 1
GAME = "game"
HUMAN, COMPUTER, PROGRAM = "human", "computer:", "program"
MOST_TABLES = 9999  # and rounds
MOST_GOAL_TURNS = 9


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
class Occasion:
    """What a game is part of: somebody's event, one of its rounds, one of its tables."""

    event: str
    round: int = 1
    table: int = 1

    def __str__(self) -> str:
        return f"{self.event}, round {self.round}, table {self.table}"


@dataclass(frozen=True, slots=True)
class Goal:
    """What a puzzle asks for: that player wins in so many of their own turns."""

    name: str  # `puzzle 17`
    player: Player
    turns: int
    line: tuple[str, ...]  # a solution; its first move is the only one that wins in time


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
    occasion: Occasion | None = None  # None: people just play
    laws: Laws | None = None  # by which a referee judges; None: there is none
    goal: Goal | None = None  # of a puzzle; None: it is a game

    def first(self) -> Any:
        """The position before the first turn."""
        if self.position is not None:
            return self.position
        return self.game.start(self.setup, self.seed)


# -- written -----------------------------------------------------------------------------------


def game_body(start: Start) -> dict[str, Any]:
    game = start.game
    if start.position is not None:
        begin: dict[str, Any] = {"position": game.write_position(start.position)}
    elif start.seed is not None or not game.setups():
        begin = {"seed": game.default_seed if start.seed is None else start.seed}
    else:
        begin = {"setup": start.setup or game.default_setup}
    if start.occasion is not None:
        begin |= {"occasion": asdict(start.occasion)}
    if start.laws is not None:
        begin |= {"laws": start.laws.as_json()}
    if start.goal is not None:
        begin |= {"goal": {**asdict(start.goal), "line": list(start.goal.line)}}
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


# -- read --------------------------------------------------------------------------------------


def read_start(entries: Sequence[Entry]) -> Start:
    """From a journal; `BadGame` if not even its first entry says which game it is."""
    if not entries:
        raise BadGame("it holds no entry: nothing was played")
    if entries[0].kind != GAME:
        raise BadGame(f"it begins with {excerpt(entries[0].kind)}, not with the game")
    body = entries[0].body
    version = body.get("format")
    if version != FORMAT:
        raise BadGame(f"its format is {excerpt(version)}, and this Laserboard reads {FORMAT}: "
                      "use the one that wrote it, or a newer one")  # fmt: skip
    game = games.make(text(body, "game"), mapping(body.get("options", {}), "options"))
    given = [name for name in ("setup", "seed", "position") if name in body]
    if len(given) != 1:
        raise BadGame(f"a game begins with a setup, a seed or a position, not with {given}")
    seats = seats_of(body)
    if len(seats) != len(game.players):
        raise BadGame(f"{game.name} has {len(game.players)} players, not {len(seats)}")
    start = Start(
        game,
        seats,
        setup=text(body, "setup") if "setup" in body else None,
        seed=body.get("seed"),
        position=game.read_position(text(body, "position")) if "position" in body else None,
        time_control=text(body, "time_control", ""),
        version=text(body, "laserboard", ""),
        started=text(body, "started", ""),
        board=text(body, "board", ""),
        simulated=body.get("simulated") is True,
        occasion=_occasion(body["occasion"]) if "occasion" in body else None,
        laws=Laws.from_json(body["laws"]) if "laws" in body else None,
        goal=_goal(body["goal"]) if "goal" in body else None,
    )
    start.first()
    return start


def _occasion(value: Any) -> Occasion:
    found = mapping(value, "occasion")
    round_, table = (
        strict_json.whole(found.get(name), name, BadGame, 1, MOST_TABLES)
        for name in ("round", "table")
    )
    return Occasion(text(found, "event"), round_, table)


def _goal(value: Any) -> Goal:
    found = mapping(value, "goal")
    line = strict_json.items(found.get("line"), "the line of a goal", BadGame)
    if not all(isinstance(move, str) for move in line):
        raise BadGame(f"the line of a goal must be moves, not {excerpt(line)}")
    return Goal(
        text(found, "name"),
        strict_json.whole(found.get("player"), "the player of a goal", BadGame, 0, 1),
        strict_json.whole(found.get("turns"), "the turns of a goal", BadGame, 1, MOST_GOAL_TURNS),
        tuple(line),
    )


def seats_of(body: Mapping[str, Any]) -> tuple[Seat, ...]:
    players = strict_json.items(body.get("players"), "players", BadGame)
    return tuple(_seat(mapping(each, "a player")) for each in players)


def _seat(player: Mapping[str, Any]) -> Seat:
    name, kind = text(player, "name", ""), text(player, "kind", HUMAN)
    if kind == HUMAN:
        return Seat(name)
    if kind == PROGRAM:
        return Seat(name, program=True)
    level = re.fullmatch(rf"{COMPUTER}([0-9]{{1,3}})", kind)
    if level is None:
        raise BadGame(f"{excerpt(kind)} is no player: human, computer:3 or program")
    return Seat(name, int(level[1]))


def mapping(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadGame(f"{what} must be an object, not {excerpt(value)}")
    return value


def text(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if not isinstance(value, str):
        raise BadGame(f"{name} must be text, not {excerpt(value)}")
    return value
