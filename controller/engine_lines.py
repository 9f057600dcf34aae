"""What each line of the engine protocol does: docs/engine.md.

A `Listener` remembers settings, game and position; a `go` makes a `Thought` of them, which
`think` thinks to its end. Who runs it, and where, is not decided here: see `player_process`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.engine_protocol import (
    CORE,
    HELLO,
    IS_READY,
    LEVEL,
    LONGEST_MS,
    MARGIN,
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
    Info,
    whole,
    words,
)
from controller.ports import Clock
from controller.thinking_time import MARGIN_MS, Budget, Depth, budget, is_enough
from engine import games, strict_json
from engine.errors import did_you_mean, excerpt
from engine.game import AnyGame, Player
from engine.search import CORES, DEEPEST, STRONGEST, Choice, Limit, choose

LARGEST_SEED = LARGEST_COUNT = 10**15
Say = Callable[[object], None]

# Those that are for whoever runs the thoughts.
OUTER = (STOP, WAIT, QUIT)


@dataclass(frozen=True, slots=True)
class Number:
    """A setting that is a whole number."""

    usual: int
    least: int
    most: int

    def __str__(self) -> str:
        return f"type number default {self.usual} min {self.least} max {self.most}"

    def read(self, name: str, text: str) -> int:
        return whole(text, name, self.least, self.most)


@dataclass(frozen=True, slots=True)
class Choose:
    """A setting that is one of some words, the first where nobody says."""

    words: tuple[str, ...]

    @property
    def usual(self) -> str:
        return self.words[0]

    def __str__(self) -> str:
        choices = " ".join(f"var {each}" for each in self.words)
        return f"type choice default {self.usual} {choices}"

    def read(self, name: str, text: str) -> str:
        if text not in self.words:
            raise BadLine(f"{name} must be one of {', '.join(self.words)}, not {excerpt(text)}")
        return text


SETTINGS: Mapping[str, Number | Choose] = {
    LEVEL: Number(STRONGEST, 1, STRONGEST),
    CORE: Choose(CORES),
    SEED: Number(0, -LARGEST_SEED, LARGEST_SEED),
    MARGIN: Number(round(MARGIN_MS), 0, 60_000),
}


@dataclass(frozen=True, slots=True)
class Thought:
    """A position to choose a move in, and what that may take."""

    game: AnyGame
    position: Any
    player: Player
    limit: Limit
    within: Budget
    begun_ms: float
    endless: bool  # only a `stop` ends it


@dataclass(frozen=True, slots=True)
class _Reached:
    """A position, and how it was told: the next one is often the same with a move more."""

    told: str
    moves: tuple[str, ...]
    position: Any


class Listener:
    """What was said so far. `hear` does what a line asks, all but thinking."""

    def __init__(self, say: Say, clock: Clock) -> None:
        self._say, self._clock = say, clock
        self._settings: dict[str, Any] = {name: each.usual for name, each in SETTINGS.items()}
        self._game: AnyGame | None = games.make()
        self._reached: _Reached | None = None
        self._position: Any = None  # None: where the game starts
        self._lost = False  # what was told last was no position: nobody wants a move in another
        self._commands: Mapping[str, Callable[[list[str]], Thought | None]] = {
            HELLO: self._hello,
            IS_READY: self._is_ready,
            "setoption": self._set_option,
            "game": self._play_game,
            "position": self._go_to,
            "go": self._go,
        }

    def hear(self, line: str) -> Thought | None:
        """Do what it asks; what is to be thought over is given back. `BadLine` and others of our
        errors say what is wrong with it, and nothing has changed then but a position lost."""
        if not line.strip():
            return None
        first, *rest = words(line)
        if first in OUTER:
            raise BadLine(f"{first} stands alone on its line, without {excerpt(' '.join(rest))}")
        if first not in self._commands:
            near = did_you_mean(first, (*self._commands, *OUTER))
            raise BadLine(f"there is no command {excerpt(first)}{near}")
        return self._commands[first](rest)

    # -- the commands ------------------------------------------------------------------------

    def _hello(self, rest: list[str]) -> None:
        from importlib.metadata import version  # not before it is needed: starting must be quick

        self._say(f"name Laserboard {version('laserboard')}")
        self._say(f"protocol {VERSION}")
        self._say(f"games {' '.join(games.GAMES)}")
        for name, setting in SETTINGS.items():
            self._say(f"option name {name} {setting}")
        self._say(OK)

    def _is_ready(self, rest: list[str]) -> None:
        self._say(READY)

    def _set_option(self, rest: list[str]) -> None:
        if len(rest) != 4 or (rest[0], rest[2]) != ("name", "value"):
            raise BadLine("write setoption name NAME value VALUE; `hello` lists the names")
        known = {name.lower(): name for name in SETTINGS}
        if rest[1].lower() not in known:
            near = did_you_mean(rest[1], SETTINGS)
            raise BadLine(f"there is no option {excerpt(rest[1])}{near}")
        name = known[rest[1].lower()]
        self._settings[name] = SETTINGS[name].read(name, rest[3])

    def _play_game(self, rest: list[str]) -> None:
        before, self._game = self._game, None
        if not 1 <= len(rest) <= 2:
            raise BadLine('write game NAME, or game NAME {"option":"value"}')
        options = strict_json.read(rest[1], BadLine) if rest[1:] else {}
        if not isinstance(options, dict):
            raise BadLine(f"options must be an object of JSON, not {excerpt(rest[1])}")
        self._game = games.make(rest[0], options)
        self._position, self._lost = None, False
        if self._game != before:
            self._reached = None

    def _go_to(self, rest: list[str]) -> None:
        game, before = self._known_game(), self._reached
        self._lost = True
        at = rest.index(MOVES) if MOVES in rest else len(rest)
        told, moves = " ".join(rest[:at]), tuple(rest[at + 1 :])
        known = 0 if before is None else len(before.moves)
        if before is not None and (before.told, before.moves) == (told, moves[:known]):
            self._position = played(game, before.position, moves[known:])
        else:
            self._position = played(game, self._placed(game, rest[:at]), moves)
        self._reached, self._lost = _Reached(told, moves, self._position), False

    def _placed(self, game: AnyGame, told: list[str]) -> Any:
        match told:
            case []:
                raise BadLine("write position setup NAME, or position and then the position")
            case ["setup", name]:
                return game.start(name)
            case ["seed", number]:
                return game.start(seed=whole(number, "seed", -LARGEST_SEED, LARGEST_SEED))
            case _:
                return game.read_position(" ".join(told))

    def _go(self, rest: list[str]) -> Thought:
        begun_ms = self._clock.now_ms()
        game = self._known_game()
        if self._lost:
            raise BadLine("there is no position to think over: the last one was refused")
        position = game.start() if self._position is None else self._position
        told, infinite = _limits(rest, game)
        movers = game.to_move(position)
        player = told.pop("player", movers[0])
        if player not in movers and game.outcome(position) is None:
            raise BadLine(f"it is not the turn of player {player}, but of {_listed(movers)}")
        limit = Limit(
            self._settings[LEVEL],
            told.pop("depth", None),
            told.pop("nodes", None),
            self._settings[SEED],
            self._settings[CORE],
        )
        if limit.endless and not told and not infinite:
            raise BadLine(
                f"level {STRONGEST} thinks until it is stopped: say go movetime MS, depth N, "
                "nodes N, or infinite"
            )
        within = _budget(told, player, game, self._settings[MARGIN])
        endless = limit.endless and within == Budget()
        return Thought(game, position, player, limit, within, begun_ms, endless)

    def _known_game(self) -> AnyGame:
        if self._game is None:
            raise BadLine("there is no game: the last one was refused; `hello` lists them")
        return self._game


def played(game: AnyGame, position: Any, texts: tuple[str, ...]) -> Any:
    """The position after these moves, as many a turn as there are players to move."""
    rest = list(texts)
    while rest:
        movers = game.to_move(position)
        if len(rest) < len(movers):
            raise BadLine(f"moves end with half a turn: {excerpt(rest[0])}")
        moves = {player: game.read_move(position, player, rest.pop(0)) for player in movers}
        position = game.resolve(position, moves).after
    return position


def _limits(rest: list[str], game: AnyGame) -> tuple[dict[str, int], bool]:
    """The numbers of a `go` by their names, clocks as `time0` and the like."""
    clocks = {
        f"{called}{what}": f"{what}{player}"
        for player, name in enumerate(game.players)
        for what in ("time", "inc")
        for called in (name[0], name)
    }
    counts = {"movetime": LONGEST_MS, "softtime": LONGEST_MS, "depth": DEEPEST}
    counts |= {"nodes": LARGEST_COUNT, "player": 1}
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
            least = -LONGEST_MS  # a clock may have run out by now
        found[name] = whole(next(left, ""), word, least, counts.get(name, LONGEST_MS))
    return found, infinite


def _budget(told: Mapping[str, int], player: Player, game: AnyGame, margin_ms: int) -> Budget:
    """The time that a `go` allows."""
    found = Budget()
    clocks = [name for name in told if name not in ("movetime", "softtime")]
    if clocks:
        if f"time{player}" not in told:
            name = game.players[player]
            raise BadLine(f"go says nothing of {name}'s clock: add {name[0]}time MS")
        left_ms, more_ms = told[f"time{player}"], max(0, told.get(f"inc{player}", 0))
        found = budget(left_ms, more_ms, margin_ms=margin_ms)
    hard_ms, soft_ms = min(found.hard_ms, told.get("movetime", found.hard_ms)), found.soft_ms
    if "softtime" in told:
        soft_ms = min(told["softtime"], told["softtime"] if soft_ms is None else soft_ms)
    return Budget(hard_ms, soft_ms)


def _listed(players: tuple[Player, ...]) -> str:
    return " and ".join(map(str, players))


# -- thinking ----------------------------------------------------------------------------------


def think(thought: Thought, stopped: Callable[[], bool], clock: Clock, say: Say) -> BestMove:
    """Think it over, and say what is found after every depth; the move comes back."""
    game, position, player = thought.game, thought.position, thought.player
    within = thought.within
    depths: list[Depth] = []
    told: Choice | None = None
    only_move = within.soft_ms is not None and len(game.legal(position, player)) == 1

    def elapsed_ms() -> float:
        return clock.now_ms() - thought.begun_ms

    def stop() -> bool:
        # Who tells of no depth cannot be asked whether that was enough.
        end_ms = within.hard_ms if depths or within.soft_ms is None else within.soft_ms
        return stopped() or elapsed_ms() >= end_ms

    def enough(choice: Choice) -> bool:
        nonlocal told
        told = choice
        depths.append(Depth(elapsed_ms(), choice.move, choice.score))
        say(_info(game, position, choice, elapsed_ms()))
        return is_enough(within, depths, only_move)

    choice = choose(game, position, thought.limit, stop, player, enough)
    if told is None or _found(told) != _found(choice):
        say(_info(game, position, choice, elapsed_ms()))
    return BestMove(game.write_move(position, player, choice.move), choice.claim)


def _found(choice: Choice) -> tuple[Any, ...]:
    return choice.move, choice.score, choice.depth, choice.line


def _info(game: AnyGame, position: Any, choice: Choice, elapsed_ms: float) -> Info:
    line = line_texts(game, position, choice)
    return Info(choice.depth, choice.score, choice.nodes, round(elapsed_ms), line)


def line_texts(game: AnyGame, position: Any, choice: Choice) -> tuple[str, ...]:
    """The play that is expected, as the game writes it; nothing where both act at once."""
    texts: list[str] = []
    for move in choice.line:
        if game.outcome(position) is not None:
            break  # by a draw that the search does not look for
        (mover,) = game.to_move(position)
        texts.append(game.write_move(position, mover, move))
        position = game.resolve(position, {mover: move}).after
    return tuple(texts)
