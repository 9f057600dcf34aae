"""Executes the lines of the engine protocol: docs/engine.md.

`EngineServer` keeps settings, game and position. A `go` makes a `SearchRequest` of them, which
`run_search` executes. The caller decides in which thread or process: see
`controller.devices.players.process_player`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.computer.protocol import (
    CORE,
    HELLO,
    IS_READY,
    LEVEL,
    MARGIN,
    MAX_TIME_MS,
    MOVES,
    OK,
    QUIT,
    READY,
    SEED,
    STOP,
    VERSION,
    WAIT,
    BadLine,
    BestMove,
    SearchProgress,
    parse_int,
    split_words,
)
from controller.ports.devices import Clock
from controller.session.time_budget import (
    MARGIN_MS,
    SearchedDepth,
    TimeBudget,
    allocate_time,
    should_stop_search,
)
from engine import games, strict_json
from engine.errors import did_you_mean, excerpt
from engine.game import AnyGame, Player
from engine.search import CORES, DEEPEST, STRONGEST, Choice, Limit, choose

MAX_SEED = MAX_COUNT = 10**15
SendReply = Callable[[object], None]

# The caller that runs the searches handles these.
RUNNER_COMMANDS = (STOP, WAIT, QUIT)


@dataclass(frozen=True, slots=True)
class IntegerOption:
    """An integer setting."""

    default: int
    minimum: int
    maximum: int

    def __str__(self) -> str:
        return f"type number default {self.default} min {self.minimum} max {self.maximum}"

    def read(self, name: str, text: str) -> int:
        return parse_int(text, name, self.minimum, self.maximum)


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """A setting with some choices; the first is the default."""

    choices: tuple[str, ...]

    @property
    def default(self) -> str:
        return self.choices[0]

    def __str__(self) -> str:
        choices = " ".join(f"var {each}" for each in self.choices)
        return f"type choice default {self.default} {choices}"

    def read(self, name: str, text: str) -> str:
        if text not in self.choices:
            raise BadLine(f"{name} must be one of {', '.join(self.choices)}, not {excerpt(text)}")
        return text


OPTIONS: Mapping[str, IntegerOption | ChoiceOption] = {
    LEVEL: IntegerOption(STRONGEST, 1, STRONGEST),
    CORE: ChoiceOption(CORES),
    SEED: IntegerOption(0, -MAX_SEED, MAX_SEED),
    MARGIN: IntegerOption(round(MARGIN_MS), 0, 60_000),
}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A position in which to choose a move, and the limits of the search."""

    game: AnyGame
    position: Any
    player: Player
    limit: Limit
    time_budget: TimeBudget
    started_ms: float
    endless: bool  # only a `stop` ends it


@dataclass(frozen=True, slots=True)
class _KnownPosition:
    """A position with its text and moves: the next one is often the same with one more move."""

    text: str
    moves: tuple[str, ...]
    position: Any


class EngineServer:
    """The state of a connection. `execute_line` executes everything but searches."""

    def __init__(self, send_reply: SendReply, clock: Clock) -> None:
        self._send_reply, self._clock = send_reply, clock
        self._options: dict[str, Any] = {name: each.default for name, each in OPTIONS.items()}
        self._game: AnyGame | None = games.make()
        self._known_position: _KnownPosition | None = None
        self._position: Any = None  # None: the start of the game
        # After an invalid `position`, a `go` is refused: it is not meant for an earlier one.
        self._position_refused = False
        self._commands: Mapping[str, Callable[[list[str]], SearchRequest | None]] = {
            HELLO: self._hello,
            IS_READY: self._is_ready,
            "setoption": self._set_option,
            "game": self._set_game,
            "position": self._set_position,
            "go": self._make_request,
        }

    def execute_line(self, line: str) -> SearchRequest | None:
        """Execute a line, and return the search it asks for, if any. A `LaserboardError` leaves the
        state unchanged, except that a `go` is refused after an invalid `position`."""
        if not line.strip():
            return None
        first, *rest = split_words(line)
        if first in RUNNER_COMMANDS:
            raise BadLine(f"{first} stands alone on its line, without {excerpt(' '.join(rest))}")
        if first not in self._commands:
            near = did_you_mean(first, (*self._commands, *RUNNER_COMMANDS))
            raise BadLine(f"there is no command {excerpt(first)}{near}")
        return self._commands[first](rest)

    # -- the commands ------------------------------------------------------------------------

    def _hello(self, rest: list[str]) -> None:
        from importlib.metadata import version  # imported here: starting must be fast

        self._send_reply(f"name Laserboard {version('laserboard')}")
        self._send_reply(f"protocol {VERSION}")
        self._send_reply(f"games {' '.join(games.GAMES)}")
        for name, setting in OPTIONS.items():
            self._send_reply(f"option name {name} {setting}")
        self._send_reply(OK)

    def _is_ready(self, rest: list[str]) -> None:
        self._send_reply(READY)

    def _set_option(self, rest: list[str]) -> None:
        if len(rest) != 4 or (rest[0], rest[2]) != ("name", "value"):
            raise BadLine("write setoption name NAME value VALUE; `hello` lists the names")
        known = {name.lower(): name for name in OPTIONS}
        if rest[1].lower() not in known:
            near = did_you_mean(rest[1], OPTIONS)
            raise BadLine(f"there is no option {excerpt(rest[1])}{near}")
        name = known[rest[1].lower()]
        self._options[name] = OPTIONS[name].read(name, rest[3])

    def _set_game(self, rest: list[str]) -> None:
        before, self._game = self._game, None
        if not 1 <= len(rest) <= 2:
            raise BadLine('write game NAME, or game NAME {"option":"value"}')
        options = strict_json.read(rest[1], BadLine) if rest[1:] else {}
        if not isinstance(options, dict):
            raise BadLine(f"options must be an object of JSON, not {excerpt(rest[1])}")
        self._game = games.make(rest[0], options)
        self._position, self._position_refused = None, False
        if self._game != before:
            self._known_position = None

    def _set_position(self, rest: list[str]) -> None:
        game, before = self._require_game(), self._known_position
        self._position_refused = True
        at = rest.index(MOVES) if MOVES in rest else len(rest)
        text, moves = " ".join(rest[:at]), tuple(rest[at + 1 :])
        known = 0 if before is None else len(before.moves)
        if before is not None and (before.text, before.moves) == (text, moves[:known]):
            self._position = position_after(game, before.position, moves[known:])
        else:
            self._position = position_after(game, self._read_start(game, rest[:at]), moves)
        self._known_position = _KnownPosition(text, moves, self._position)
        self._position_refused = False

    def _read_start(self, game: AnyGame, words: list[str]) -> Any:
        match words:
            case []:
                raise BadLine("write position setup NAME, or position and then the position")
            case ["setup", name]:
                return game.start(name)
            case ["seed", number]:
                return game.start(seed=parse_int(number, "seed", -MAX_SEED, MAX_SEED))
            case _:
                return game.read_position(" ".join(words))

    def _make_request(self, rest: list[str]) -> SearchRequest:
        started_ms = self._clock.now_ms()
        game = self._require_game()
        if self._position_refused:
            raise BadLine("there is no position to think over: the last one was refused")
        position = game.start() if self._position is None else self._position
        limits, infinite = _parse_go(rest, game)
        movers = game.to_move(position)
        player = limits.pop("player", movers[0])
        if player not in movers and game.outcome(position) is None:
            raise BadLine(f"it is not the turn of player {player}, but of {_join_players(movers)}")
        limit = Limit(
            self._options[LEVEL],
            limits.pop("depth", None),
            limits.pop("nodes", None),
            self._options[SEED],
            self._options[CORE],
        )
        if limit.endless and not limits and not infinite:
            raise BadLine(
                f"level {STRONGEST} thinks until it is stopped: say go movetime MS, depth N, "
                "nodes N, or infinite"
            )
        within = _time_budget(limits, player, game, self._options[MARGIN])
        endless = limit.endless and within == TimeBudget()
        return SearchRequest(game, position, player, limit, within, started_ms, endless)

    def _require_game(self) -> AnyGame:
        if self._game is None:
            raise BadLine("there is no game: the last one was refused; `hello` lists them")
        return self._game


def position_after(game: AnyGame, position: Any, texts: tuple[str, ...]) -> Any:
    """The position after these moves, one for each player to move in every turn."""
    rest = list(texts)
    while rest:
        movers = game.to_move(position)
        if len(rest) < len(movers):
            raise BadLine(f"moves end with half a turn: {excerpt(rest[0])}")
        moves = {player: game.read_move(position, player, rest.pop(0)) for player in movers}
        position = game.resolve(position, moves).after
    return position


def _parse_go(rest: list[str], game: AnyGame) -> tuple[dict[str, int], bool]:
    """The numbers of a `go` by name, clocks as `time0` and so on; and whether it is infinite."""
    clocks = {
        f"{called}{what}": f"{what}{player}"
        for player, name in enumerate(game.players)
        for what in ("time", "inc")
        for called in (name[0], name)
    }
    counts = {"movetime": MAX_TIME_MS, "softtime": MAX_TIME_MS, "depth": DEEPEST}
    counts |= {"nodes": MAX_COUNT, "player": 1}
    known = dict.fromkeys((*counts, "infinite", *clocks, *clocks.values()))
    found: dict[str, int] = {}
    infinite, left = False, iter(rest)
    for word in left:
        if word == "infinite":
            infinite = True
            continue
        if word not in known:
            raise BadLine(f"go has no {excerpt(word)}{did_you_mean(word, known)}")
        name = clocks.get(word, word)
        if name in found:
            raise BadLine(f"go has {name} twice")
        least = 1 if name in ("depth", "nodes") else 0
        if name in clocks.values():
            least = -MAX_TIME_MS  # a clock may have run out
        found[name] = parse_int(next(left, ""), word, least, counts.get(name, MAX_TIME_MS))
    return found, infinite


def _time_budget(
    limits: Mapping[str, int], player: Player, game: AnyGame, margin_ms: int
) -> TimeBudget:
    """The time that a `go` allows."""
    found = TimeBudget()
    clocks = [name for name in limits if name not in ("movetime", "softtime")]
    if clocks:
        if f"time{player}" not in limits:
            name = game.players[player]
            raise BadLine(f"go says nothing of {name}'s clock: add {name[0]}time MS")
        left_ms, more_ms = limits[f"time{player}"], max(0, limits.get(f"inc{player}", 0))
        found = allocate_time(left_ms, more_ms, margin_ms=margin_ms)
    hard_ms, soft_ms = min(found.hard_ms, limits.get("movetime", found.hard_ms)), found.soft_ms
    if "softtime" in limits:
        soft_ms = min(limits["softtime"], limits["softtime"] if soft_ms is None else soft_ms)
    return TimeBudget(hard_ms, soft_ms)


def _join_players(players: tuple[Player, ...]) -> str:
    return " and ".join(map(str, players))


# -- searching ---------------------------------------------------------------------------------


def run_search(
    request: SearchRequest, stopped: Callable[[], bool], clock: Clock, send_reply: SendReply
) -> BestMove:
    """Search for a move, and report progress after every depth."""
    game, position, player = request.game, request.position, request.player
    within = request.time_budget
    depths: list[SearchedDepth] = []
    last_reported: Choice | None = None
    only_move = within.soft_ms is not None and len(game.legal(position, player)) == 1

    def elapsed_ms() -> float:
        return clock.now_ms() - request.started_ms

    def stop() -> bool:
        # A search that reports no depth cannot stop early: the soft limit is its hard limit.
        end_ms = within.hard_ms if depths or within.soft_ms is None else within.soft_ms
        return stopped() or elapsed_ms() >= end_ms

    def enough(choice: Choice) -> bool:
        nonlocal last_reported
        last_reported = choice
        depths.append(SearchedDepth(elapsed_ms(), choice.move, choice.score))
        send_reply(_progress(game, position, choice, elapsed_ms()))
        return should_stop_search(within, depths, only_move)

    choice = choose(game, position, request.limit, stop, player, enough)
    if last_reported is None or _result_key(last_reported) != _result_key(choice):
        send_reply(_progress(game, position, choice, elapsed_ms()))
    return BestMove(game.write_move(position, player, choice.move), choice.claim)


def _result_key(choice: Choice) -> tuple[Any, ...]:
    return choice.move, choice.score, choice.depth, choice.line


def _progress(game: AnyGame, position: Any, choice: Choice, elapsed_ms: float) -> SearchProgress:
    line = pv_texts(game, position, choice)
    return SearchProgress(choice.depth, choice.score, choice.nodes, round(elapsed_ms), line)


def pv_texts(game: AnyGame, position: Any, choice: Choice) -> tuple[str, ...]:
    """The expected play in the game's notation; empty where both players act simultaneously."""
    texts: list[str] = []
    for move in choice.line:
        if game.outcome(position) is not None:
            break  # by a draw that the search does not consider
        (mover,) = game.to_move(position)
        texts.append(game.write_move(position, mover, move))
        position = game.resolve(position, {mover: move}).after
    return tuple(texts)
