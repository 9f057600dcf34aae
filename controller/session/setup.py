"""The setup of a game before its first turn: a value, and the first entry of a journal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from controller.session import sentences
from controller.session.journal import JournalEntry
from controller.session.referee.policy import RefereePolicies
from engine import games, strict_json
from engine.catalogue import NOT_AN_OBJECT, NOT_TEXT
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, Player

JOURNAL_FORMAT = 1
GAME = "game"
HUMAN, COMPUTER_PREFIX, PROGRAM = "human", "computer:", "program"
MAX_TABLE_NUMBER = 9999  # for rounds, too
MAX_PUZZLE_TURNS = 9


class BadGame(LaserboardError, ValueError):
    """A journal that holds no game, or an entry that contradicts the game."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The player of one side: a person, the computer at a level, or a program."""

    name: str
    level: int | None = None  # of the computer
    is_program: bool = False  # asked over HTTP; the URL is never stored

    @property
    def is_automated(self) -> bool:
        """Not a person: people carry out its moves."""
        return self.level is not None or self.is_program

    @property
    def kind(self) -> str:
        """`human`, `computer:3` or `program`."""
        if self.is_program:
            return PROGRAM
        return HUMAN if self.level is None else f"{COMPUTER_PREFIX}{self.level}"

    def __str__(self) -> str:
        return self.name or self.kind


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """The event, round and table of a tournament game."""

    event: str
    round: int = 1
    table: int = 1

    def __str__(self) -> str:
        return f"{self.event}, round {self.round}, table {self.table}"


@dataclass(frozen=True, slots=True)
class PuzzleGoal:
    """The goal of a puzzle: `player` wins in `turns` own turns."""

    name: str  # `puzzle 17`
    player: Player
    turns: int
    line: tuple[str, ...]  # a solution; only its first move wins in time


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Everything that is fixed before the first turn."""

    game: AnyGame
    seats: tuple[Seat, ...]
    # One of these three is set.
    setup_name: str | None = None
    seed: int | None = None
    position: Any = None
    time_control: str = ""
    version: str = ""  # of the Laserboard that wrote it
    started: str = ""  # local day and time
    board: str = ""  # name or file of the board
    simulated: bool = False
    tournament_entry: TournamentEntry | None = None
    policies: RefereePolicies | None = None  # None: no referee
    puzzle_goal: PuzzleGoal | None = None  # None: not a puzzle

    def first_position(self) -> Any:
        """The position before the first turn."""
        if self.position is not None:
            return self.position
        return self.game.start(self.setup_name, self.seed)


# -- written -----------------------------------------------------------------------------------


def setup_body(setup: GameSetup) -> dict[str, Any]:
    game = setup.game
    if setup.position is not None:
        begin: dict[str, Any] = {"position": game.write_position(setup.position)}
    elif setup.seed is not None or not game.setups():
        begin = {"seed": game.default_seed if setup.seed is None else setup.seed}
    else:
        begin = {"setup": setup.setup_name or game.default_setup}
    # `occasion` and `laws` are names of version 0.1.
    if setup.tournament_entry is not None:
        begin |= {"occasion": asdict(setup.tournament_entry)}
    if setup.policies is not None:
        begin |= {"laws": setup.policies.as_json()}
    if setup.puzzle_goal is not None:
        begin |= {"goal": {**asdict(setup.puzzle_goal), "line": list(setup.puzzle_goal.line)}}
    return begin | {
        "format": JOURNAL_FORMAT,
        "game": game.name,
        "options": game.options(),
        "players": [{"name": seat.name, "kind": seat.kind} for seat in setup.seats],
        "time_control": setup.time_control,
        "laserboard": setup.version,
        "started": setup.started,
        "board": setup.board,
        "simulated": setup.simulated,
    }


# -- read --------------------------------------------------------------------------------------


def read_setup(entries: Sequence[JournalEntry]) -> GameSetup:
    """The setup in the first entry of a journal; `BadGame` if it is missing or invalid."""
    if not entries:
        raise BadGame(sentences.NO_ENTRY())
    if entries[0].kind != GAME:
        raise BadGame(sentences.FIRST_ENTRY(value=excerpt(entries[0].kind)))
    body = entries[0].body
    version = body.get("format")
    if version != JOURNAL_FORMAT:
        raise BadGame(sentences.OTHER_FORMAT(value=excerpt(version), known=JOURNAL_FORMAT))
    game = games.make(
        require_text(body, "game"), require_mapping(body.get("options", {}), "options")
    )
    start_keys = [name for name in ("setup", "seed", "position") if name in body]
    if len(start_keys) != 1:
        raise BadGame(sentences.BAD_BEGINNING(value=str(start_keys)))
    seats = read_seats(body)
    if len(seats) != len(game.players):
        raise BadGame(
            sentences.PLAYER_COUNT(game=game.name, needed=len(game.players), count=len(seats))
        )
    setup = GameSetup(
        game,
        seats,
        setup_name=require_text(body, "setup") if "setup" in body else None,
        seed=body.get("seed"),
        position=game.read_position(require_text(body, "position")) if "position" in body else None,
        time_control=require_text(body, "time_control", ""),
        version=require_text(body, "laserboard", ""),
        started=require_text(body, "started", ""),
        board=require_text(body, "board", ""),
        simulated=body.get("simulated") is True,
        tournament_entry=_read_tournament_entry(body["occasion"]) if "occasion" in body else None,
        policies=RefereePolicies.from_json(body["laws"]) if "laws" in body else None,
        puzzle_goal=_read_puzzle_goal(body["goal"]) if "goal" in body else None,
    )
    setup.first_position()
    return setup


def _read_tournament_entry(value: Any) -> TournamentEntry:
    found = require_mapping(value, "occasion")
    round_, table = (
        strict_json.require_int(found.get(name), name, BadGame, 1, MAX_TABLE_NUMBER)
        for name in ("round", "table")
    )
    return TournamentEntry(require_text(found, "event"), round_, table)


def _read_puzzle_goal(value: Any) -> PuzzleGoal:
    found = require_mapping(value, "goal")
    line = strict_json.require_list(found.get("line"), "the line of a goal", BadGame)
    if not all(isinstance(move, str) for move in line):
        raise BadGame(sentences.GOAL_LINE(value=excerpt(line)))
    return PuzzleGoal(
        require_text(found, "name"),
        strict_json.require_int(found.get("player"), "the player of a goal", BadGame, 0, 1),
        strict_json.require_int(
            found.get("turns"), "the turns of a goal", BadGame, 1, MAX_PUZZLE_TURNS
        ),
        tuple(line),
    )


def read_seats(body: Mapping[str, Any]) -> tuple[Seat, ...]:
    players = strict_json.require_list(body.get("players"), "players", BadGame)
    return tuple(_read_seat(require_mapping(each, "a player")) for each in players)


def _read_seat(player: Mapping[str, Any]) -> Seat:
    name, kind = require_text(player, "name", ""), require_text(player, "kind", HUMAN)
    if kind == HUMAN:
        return Seat(name)
    if kind == PROGRAM:
        return Seat(name, is_program=True)
    level = re.fullmatch(rf"{COMPUTER_PREFIX}([0-9]{{1,3}})", kind)
    if level is None:
        raise BadGame(sentences.NOT_A_PLAYER(value=excerpt(kind)))
    return Seat(name, int(level[1]))


def require_mapping(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadGame(NOT_AN_OBJECT(what=what, value=excerpt(value)))
    return value


def require_text(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if not isinstance(value, str):
        raise BadGame(NOT_TEXT(what=name, value=excerpt(value)))
    return value
