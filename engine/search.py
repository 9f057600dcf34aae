"""The computer player: iterative deepening alpha-beta with a transposition table.

`choose` works on a game's fast `Board` and knows no game; where the compiled core is there and
knows the game, that one searches, for the same choice of levels. It knows no time either: a
deadline is a `stop` callable. Under a depth or node limit the same seed gives the same choice,
always.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Generic, NamedTuple

from engine.board import DRAWN, A, Board
from engine.errors import BadOption, LaserboardError, excerpt
from engine.game import AnyGame, Player
from engine.turn_based import TurnBased

WIN = 1_000_000
DECIDED = WIN - 1000  # beyond this, a score counts the turns to the end
INFINITE = 2 * WIN
DEEPEST = 40
NO_LIMIT = 1 << 62
TABLE_SIZE = 200_000  # about 100 MB
SAFE_DEPTH = 2  # my move and the answer: what it takes to see a win and a loss in one


class Level(NamedTuple):
    """How strong: the deepest search, the most nodes, and by how much it misjudges a move.

    A plain one looks at every move to the same depth and no further, as a beginner does: what is
    captured the turn after, it does not see.
    """

    depth: int
    nodes: int | None
    noise: int  # in the units of `Board.score`
    plain: bool = False


# From level 3 on every move is looked at two turns deep, whatever the limit.
LEVELS = (
    Level(1, None, 250, plain=True),
    Level(1, None, 60, plain=True),
    Level(2, None, 180, plain=True),
    Level(3, 20_000, 220, plain=True),
    Level(3, 40_000, 70, plain=True),
    Level(3, 60_000, 60),
    Level(5, 120_000, 30),
    Level(DEEPEST, None, 0),
)
STRONGEST = len(LEVELS)
FIRST_SAFE_LEVEL = 3
CORES = ("auto", "native", "python")


@dataclass(frozen=True, slots=True)
class Limit:
    """What a search may spend. Time is not among it: that is what `stop` is for.

    `core` is what thinks: `native` (compiled), `python`, or `auto`, the best there is.
    """

    level: int = STRONGEST
    depth: int | None = None
    nodes: int | None = None
    seed: int = 0
    core: str = "auto"
    full_width: bool = False  # every move to the same depth, and nothing taken from the table

    def __post_init__(self) -> None:
        if not 1 <= self.level <= STRONGEST:
            raise BadOption(f"levels go from 1 to {STRONGEST}, there is no {self.level}")
        if self.depth is not None and not 1 <= self.depth <= DEEPEST:
            raise BadOption(f"a search can be 1 to {DEEPEST} turns deep, not {self.depth}")
        if self.nodes is not None and self.nodes < 1:
            raise BadOption(f"a search needs at least 1 node, not {self.nodes}")
        if self.core not in CORES:
            raise BadOption(f"a core is one of {', '.join(CORES)}, not {excerpt(self.core)}")

    @property
    def endless(self) -> bool:
        """Nothing in it would end a search before `DEEPEST`."""
        return self.level == STRONGEST and self.depth is None and self.nodes is None


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, its score for the mover, the play expected, and what it took to find.

    `claim`: rather than move, the computer would claim the draw that it may claim now.
    """

    move: Any
    score: int
    line: tuple[Any, ...]
    nodes: int
    depth: int
    claim: bool = False

    @property
    def turns_to_end(self) -> int | None:
        """In how many single turns the game is won or lost, if that has been seen."""
        return WIN - abs(self.score) if abs(self.score) > DECIDED else None


class NoComputer(LaserboardError, ValueError):
    """A game, or a position, in which the computer has nothing to choose."""


def never() -> bool:
    return False


def go_on(_: Choice) -> bool:
    return False


def choose(
    game: AnyGame,
    position: Any,
    limit: Limit,
    stop: Callable[[], bool] = never,
    player: Player | None = None,
    enough: Callable[[Choice], bool] = go_on,
) -> Choice:
    """The move that the computer would play, as `player` where several are to move.

    `enough` is shown the choice after each depth, and ends the search by saying so. Once `stop`
    says so, the best move so far is returned; from level 3 on not before every move has been
    looked at two turns deep, which takes a moment only.
    """
    ended = game.outcome(position)
    if ended is not None:
        raise NoComputer(f"the game is over: {ended}")
    if stop is never and limit.endless:
        raise BadOption("level 8 thinks until it is stopped: give it a depth, nodes or a time")
    if not isinstance(game, TurnBased):
        duel = game.duel(position)
        if duel is None:
            raise NoComputer(f"the computer does not play {game.title} yet")
        from engine import duels  # not before it is needed: starting must be quick

        return duels.choose(duel, game.to_move(position)[0] if player is None else player,
                            limit, stop)  # fmt: skip
    rules = None if limit.core == "python" else game.compiled(position)
    if rules is not None:
        from engine.native.thinking import think  # as above

        choice = think(rules, Plan.of(game, position, limit), stop, enough)
    elif limit.core == "native":
        from engine.native import NoCore, missing

        raise NoCore(missing() or f"the compiled core does not know {game.title} positions like it")
    else:
        choice = _Search(Plan.of(game, position, limit), stop, enough).run()
    return replace(choice, claim=choice.score < 0 and game.claimable(position) is not None)


class _Stopped(Exception):
    pass


class _Entry(NamedTuple):
    """What is known of a position: a score that is exact, or only a bound."""

    depth: int
    bound: int  # -1: at most this score, 0: exactly, 1: at least
    score: int
    action: Any


class RootMove(NamedTuple):
    """One action of the position to move in, with what only the game's own rules know of it."""

    action: Any
    error: int  # by which it is misjudged
    ending: int | None  # its score, if it ends the game
    claimable: bool  # may the other side claim a draw then?


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be searched, and how far: a limit, applied to a position."""

    game: TurnBased[Any, Any]
    position: Any
    roots: tuple[RootMove, ...]
    depth: int
    safe_depth: int
    nodes: int
    repeats: bool  # coming back to a position is a draw
    quiet_limit: int  # so are this many single turns without a capture; 0: never
    claims: bool  # not at once then, but once somebody claims it
    turns_left: int  # after so many single turns it is a draw, too; 0: not that soon
    full_width: bool

    @classmethod
    def of(cls, game: TurnBased[Any, Any], position: Any, limit: Limit) -> Plan:
        level = LEVELS[limit.level - 1]
        safe_depth = SAFE_DEPTH if limit.level >= FIRST_SAFE_LEVEL else 1
        left = game.turns_left(position)
        return cls(
            game,
            position,
            _roots(game, position, level.noise, Random(limit.seed)),
            max(safe_depth, min(level.depth, limit.depth or DEEPEST)),
            safe_depth,
            min(level.nodes or NO_LIMIT, limit.nodes or NO_LIMIT),
            game.repetition != "off",
            0 if game.no_capture == "off" else game.no_capture_turns,
            game.no_capture == "claim",
            left if left is not None and left <= DEEPEST else 0,
            limit.full_width or level.plain,
        )


def _roots(
    game: TurnBased[Any, Any], position: Any, noise: int, random: Random
) -> tuple[RootMove, ...]:
    """The actions to choose from, by chance in their order and in how they are misjudged."""
    roots = []
    board = game.board(position)
    actions = board.actions()
    random.shuffle(actions)
    for action in actions:
        turn = game.play(position, board.move(action))
        ending = None
        if turn.outcome is not None:
            winner = turn.outcome.winner
            ending = 0 if winner is None else WIN - 1 if winner == position.side else 1 - WIN
        error = random.randint(-noise, noise)
        roots.append(RootMove(action, error, ending, game.claimable(turn.after) is not None))
    return tuple(roots)


class _Search(Generic[A]):
    """One search. Scores are seen from the side to move; a win in n single turns is WIN - n."""

    def __init__(
        self, plan: Plan, stop: Callable[[], bool], enough: Callable[[Choice], bool]
    ) -> None:
        self.plan = plan
        self.board: Board[A, Any] = plan.game.board(plan.position)
        self.stop, self.enough = stop, enough
        self.stoppable = False
        self.nodes = 0
        self.table: dict[Hashable, _Entry] = {}
        self.past = frozenset(plan.position.quiet)
        self.seen: set[Hashable] = {*plan.position.quiet, plan.position.key}
        self.best = Choice(None, -INFINITE, (), 0, 0)
        self.roots = list(plan.roots)

    def run(self) -> Choice:
        for depth in range(1, self.plan.depth + 1):
            self.stoppable = depth > self.plan.safe_depth
            try:
                self._deepen(depth)
            except _Stopped:
                break
            ending = self.best.turns_to_end
            if ending is not None and ending <= depth:
                break
            if self.enough(replace(self.best, nodes=self.nodes)) and depth >= self.plan.safe_depth:
                break
        return replace(self.best, nodes=self.nodes)

    def _deepen(self, depth: int) -> None:
        """Search every root action to `depth`, and put the best one first for the next time."""
        best, best_score, before = self.roots[0], -INFINITE, self.best
        for root in self.roots:
            # By its error a misjudged move may be lifted over the best.
            floor = best_score - root.error if abs(best_score) < DECIDED else best_score
            score = root.ending
            if score is None:
                try:
                    score = self._value(root.action, depth, floor, INFINITE, 0)
                except _Stopped:
                    # All that came before it are lost: this one may not be.
                    if -INFINITE < best_score < -DECIDED < before.score:
                        move = self.plan.game.board(self.plan.position).move(root.action)
                        self.best = replace(before, move=move, line=(move,))
                    raise
            if root.claimable:
                score = min(score, 0)
            if abs(score) < DECIDED:
                score += root.error
            if score > best_score:
                best, best_score = root, score
                line = self._line(root.action, depth if root.ending is None else 1)
                self.best = Choice(line[0], score, line, self.nodes, depth)
        self.roots.sort(key=lambda root: root is not best)

    def _value(self, action: A, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score of an action for the one who plays it."""
        board = self.board
        mover = board.side
        board.play(action)
        self.nodes += 1
        winner = board.winner
        if winner is not None:
            score = 0 if winner == DRAWN else WIN - ply - 1 if winner == mover else ply + 1 - WIN
        elif ply + 1 == self.plan.turns_left:
            score = 0
        elif depth == 1:
            score = -board.score()
        else:
            score = -self._search(depth - 1, -beta, -alpha, ply + 1)
        board.take_back()
        return score

    def _search(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score of the position, exact between `alpha` and `beta`, else a bound."""
        if self.stoppable and (self.nodes >= self.plan.nodes or self.stop()):
            raise _Stopped
        key = self.board.key()
        # Coming back once is as good as coming back twice. Not one turn down, though: there the
        # answer must be looked at, it may be a win.
        if ply > 1 and self._drawn(key):
            return 0
        entry = self.table.get(key)
        # How many turns are left is no part of the key.
        trusted = not self.plan.full_width and not self.plan.turns_left
        if entry is not None and entry.depth >= depth and trusted:
            known = _to_root(entry.score, ply)
            if entry.bound == 0 or (known >= beta if entry.bound > 0 else known <= alpha):
                return known
        best, start = -INFINITE, alpha
        chosen = None
        fresh = key not in self.seen
        self.seen.add(key)
        for action in self._ordered(depth, entry):
            score = self._value(action, depth, alpha, beta, ply)
            if score > best:
                best, chosen = score, action
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        if fresh:
            self.seen.remove(key)
        if len(self.table) >= TABLE_SIZE:
            self.table.clear()
        bound = 1 if best >= beta else 0 if best > start else -1
        self.table[key] = _Entry(depth, bound, _from_root(best, ply), chosen)
        return best

    def _drawn(self, key: Hashable) -> bool:
        """Nobody claims a draw who can win, or overlooks twice what was overlooked in the game."""
        if 0 < self.plan.quiet_limit <= self.board.quiet:
            return not self.plan.claims or not self._strikes()
        if not self.plan.repeats or key not in self.seen:
            return False
        return key not in self.past or not self._strikes()

    def _strikes(self) -> bool:
        """Whether the side to move wins at once."""
        board = self.board
        mover = board.side
        for action in board.actions():
            board.play(action)
            won = board.winner == mover
            board.take_back()
            if won:
                return True
        return False

    def _ordered(self, depth: int, entry: _Entry | None) -> list[A]:
        """The actions, those that promise most first: then alpha-beta cuts most."""
        board = self.board
        actions = board.actions()
        if depth > 1:
            promise: dict[A, int] = {}
            for action in actions:
                mover = board.side
                board.play(action)
                self.nodes += 1
                won = board.winner == mover
                promise[action] = WIN if won else -board.guess()
                board.take_back()
            actions.sort(key=promise.__getitem__, reverse=True)
        # Positions that play alike share an entry, but a king's turn in one is none in another.
        if entry is not None and entry.action in actions:
            actions.remove(entry.action)
            actions.insert(0, entry.action)
        return actions

    def _line(self, action: A, depth: int) -> tuple[Any, ...]:
        """The play expected: this action, then what the table remembers."""
        board, line = self.board, [self.board.move(action)]
        board.play(action)
        while len(line) < depth and board.winner is None:
            entry = self.table.get(board.key())
            if entry is None or entry.action not in board.actions():
                break
            line.append(board.move(entry.action))
            board.play(entry.action)
        for _ in line:
            board.take_back()
        return tuple(line)


def _from_root(score: int, ply: int) -> int:
    """A score counted from the root, as counted from the position `ply` turns down."""
    return score + ply if score > DECIDED else score - ply if score < -DECIDED else score


def _to_root(score: int, ply: int) -> int:
    return score - ply if score > DECIDED else score + ply if score < -DECIDED else score
