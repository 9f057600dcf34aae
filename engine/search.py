"""The computer player: iterative deepening alpha-beta with a transposition table.

`choose` works on the fast `Board` of any game. If the compiled core is built and knows the game,
it searches instead, with the same levels. There is no clock here: a deadline is a `stop` callable.
Under a depth or node limit, the same seed always gives the same choice. `LEVELS` are for games in
which players take turns; `engine.matrix_game` has those for simultaneous actions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Generic, NamedTuple

from engine import catalogue
from engine.board import DRAWN, A, Board
from engine.errors import BadOption, LaserboardError, excerpt
from engine.game import AnyGame, Player
from engine.turn_based import TurnBased

WIN = 1_000_000
DECIDED = WIN - 1000  # scores beyond this count the turns to the end
INFINITE = 2 * WIN
DEEPEST = 40
NO_LIMIT = 1 << 62
TABLE_SIZE = 200_000  # about 100 MB
SAFE_DEPTH = 2  # a move and the answer: enough to see a win or a loss in one


class Level(NamedTuple):
    """The strength of the computer: depth, nodes, and a random error of move scores.

    A plain level searches all moves to the same depth without quiescence, like a beginner: it
    does not see a capture one turn later.
    """

    depth: int
    nodes: int | None
    noise: int  # in the units of `Board.score`
    plain: bool = False


# From level 3 on, all moves are searched at least two turns deep, regardless of limits.
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
    """The limits of a search, except time: use `stop` for that.

    `core` is `native` (compiled), `python`, or `auto` for the best available.
    """

    level: int = STRONGEST
    depth: int | None = None
    nodes: int | None = None
    seed: int = 0
    core: str = "auto"
    full_width: bool = False  # all moves to the same depth, without cutoffs from the table

    def __post_init__(self) -> None:
        if not 1 <= self.level <= STRONGEST:
            raise BadOption(catalogue.NO_SUCH_LEVEL(most=STRONGEST, level=self.level))
        if self.depth is not None and not 1 <= self.depth <= DEEPEST:
            raise BadOption(catalogue.BAD_SEARCH_DEPTH(most=DEEPEST, depth=self.depth))
        if self.nodes is not None and self.nodes < 1:
            raise BadOption(catalogue.BAD_NODE_LIMIT(nodes=self.nodes))
        if self.core not in CORES:
            raise BadOption(catalogue.NO_SUCH_CORE(cores=CORES, value=excerpt(self.core)))

    @property
    def endless(self) -> bool:
        """Whether no limit would end a search before `DEEPEST`."""
        return self.level == STRONGEST and self.depth is None and self.nodes is None


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, its score for the mover, the expected line, and the effort of the search.

    `claim`: the computer prefers to claim a draw now.
    """

    move: Any
    score: int
    line: tuple[Any, ...]
    nodes: int
    depth: int
    claim: bool = False

    @property
    def turns_to_end(self) -> int | None:
        """The number of single turns to a win or loss, if the search has found one."""
        return WIN - abs(self.score) if abs(self.score) > DECIDED else None


class NoComputer(LaserboardError, ValueError):
    """A game or position for which the computer cannot choose a move."""


def never_stop() -> bool:
    return False


def never_enough(_: Choice) -> bool:
    return False


def choose(
    game: AnyGame,
    position: Any,
    limit: Limit,
    stop: Callable[[], bool] = never_stop,
    player: Player | None = None,
    enough: Callable[[Choice], bool] = never_enough,
) -> Choice:
    """The computer's move, as `player` if several players are to move.

    `enough` gets the choice after each depth and returns whether to end the search. When `stop`
    returns true, `choose` returns the best move so far. From level 3 on, it first searches all
    moves two turns deep, which takes only a moment.
    """
    ended = game.outcome(position)
    if ended is not None:
        raise NoComputer(catalogue.GAME_OVER(outcome=ended.sentence))
    if stop is never_stop and limit.endless:
        raise BadOption(catalogue.ENDLESS_SEARCH())
    if not isinstance(game, TurnBased):
        simultaneous = game.simultaneous_game(position)
        if simultaneous is None:
            raise NoComputer(catalogue.NO_COMPUTER(game=game.title))
        from engine import matrix_game  # lazy, for a quick start

        acting = game.to_move(position)[0] if player is None else player
        return matrix_game.choose(simultaneous, acting, limit, stop)
    rules = None if limit.core == "python" else game.native_rules(position)
    if rules is not None:
        from engine.native.search import search_natively  # as above

        choice = search_natively(rules, SearchPlan.of(game, position, limit), stop, enough)
    elif limit.core == "native":
        from engine.native import NativeCoreMissing, missing_reason

        raise NativeCoreMissing(missing_reason() or catalogue.CORE_CANNOT(game=game.title))
    else:
        choice = _Search(SearchPlan.of(game, position, limit), stop, enough).run()
    return replace(choice, claim=choice.score < 0 and game.claimable(position) is not None)


class _Stopped(Exception):
    pass


class _Entry(NamedTuple):
    """An entry of the transposition table: a score that is exact or a bound."""

    depth: int
    bound: int  # -1: at most this score, 0: exactly, 1: at least
    score: int
    action: Any


class RootMove(NamedTuple):
    """An action at the root, with what only the rules of the game know about it."""

    action: Any
    error: int  # random error added to its score
    ending: int | None  # its score if it ends the game
    claimable: bool  # whether the opponent may then claim a draw


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """A position to search with all its limits."""

    game: TurnBased[Any, Any]
    position: Any
    roots: tuple[RootMove, ...]
    depth: int
    safe_depth: int
    nodes: int
    repeats: bool  # a repeated position is a draw
    no_capture_limit: int  # single turns without a capture until a draw; 0: no limit
    claims: bool  # such a draw needs a claim
    turns_left: int  # single turns until a certain draw; 0: none in sight
    full_width: bool

    @classmethod
    def of(cls, game: TurnBased[Any, Any], position: Any, limit: Limit) -> SearchPlan:
        level = LEVELS[limit.level - 1]
        safe_depth = SAFE_DEPTH if limit.level >= FIRST_SAFE_LEVEL else 1
        left = game.turns_left(position)
        return cls(
            game,
            position,
            roots=_roots(game, position, level.noise, Random(limit.seed)),
            depth=max(safe_depth, min(level.depth, limit.depth or DEEPEST)),
            safe_depth=safe_depth,
            nodes=min(level.nodes or NO_LIMIT, limit.nodes or NO_LIMIT),
            repeats=game.repetition != "off",
            no_capture_limit=0 if game.no_capture == "off" else game.no_capture_turns,
            claims=game.no_capture == "claim",
            turns_left=left if left is not None and left <= DEEPEST else 0,
            full_width=limit.full_width or level.plain,
        )


def _roots(
    game: TurnBased[Any, Any], position: Any, noise: int, random: Random
) -> tuple[RootMove, ...]:
    """The actions to choose from, in random order and with random errors."""
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
    """One search. Scores are for the side to move. A win in n single turns is `WIN - n`."""

    def __init__(
        self, plan: SearchPlan, stop: Callable[[], bool], enough: Callable[[Choice], bool]
    ) -> None:
        self.plan = plan
        self.board: Board[A, Any] = plan.game.board(plan.position)
        self.stop, self.enough = stop, enough
        self.stoppable = False
        self.nodes = 0
        self.table: dict[Hashable, _Entry] = {}
        self.game_keys = frozenset(plan.position.keys_since_capture)
        self.path_keys: set[Hashable] = {*plan.position.keys_since_capture, plan.position.key}
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
        """Search all root actions to `depth`, and put the best one first for the next depth."""
        best, best_score, before = self.roots[0], -INFINITE, self.best
        for root in self.roots:
            # Its error may lift a move above the best.
            floor = best_score - root.error if abs(best_score) < DECIDED else best_score
            score = root.ending
            if score is None:
                try:
                    score = self._value(root.action, depth, floor, INFINITE, 0)
                except _Stopped:
                    # The moves before this one were searched, and all lose. Prefer this one, whose
                    # score is not known yet.
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
        """The score of an action for its player."""
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
        """The score of the position: exact between `alpha` and `beta`, otherwise a bound."""
        if self.stoppable and (self.nodes >= self.plan.nodes or self.stop()):
            raise _Stopped
        key = self.board.key()
        # One repetition counts as a draw, except one turn below the root: search the reply there,
        # because it may win.
        if ply > 1 and self._is_draw(key):
            return 0
        entry = self.table.get(key)
        # The key does not include the turns left.
        trusted = not self.plan.full_width and not self.plan.turns_left
        if entry is not None and entry.depth >= depth and trusted:
            known = _to_root(entry.score, ply)
            if entry.bound == 0 or (known >= beta if entry.bound > 0 else known <= alpha):
                return known
        best, start = -INFINITE, alpha
        chosen = None
        fresh = key not in self.path_keys
        self.path_keys.add(key)
        for action in self._ordered_actions(depth, entry):
            score = self._value(action, depth, alpha, beta, ply)
            if score > best:
                best, chosen = score, action
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        if fresh:
            self.path_keys.remove(key)
        if len(self.table) >= TABLE_SIZE:
            self.table.clear()
        bound = 1 if best >= beta else 0 if best > start else -1
        self.table[key] = _Entry(depth, bound, _from_root(best, ply), chosen)
        return best

    def _is_draw(self, key: Hashable) -> bool:
        """Whether the position is a draw.

        Exception: a draw that needs a claim, or a repetition of a position of the game, is no
        draw if the side to move can win in this turn.
        """
        if 0 < self.plan.no_capture_limit <= self.board.turns_since_capture:
            return not self.plan.claims or not self._wins_at_once()
        if not self.plan.repeats or key not in self.path_keys:
            return False
        return key not in self.game_keys or not self._wins_at_once()

    def _wins_at_once(self) -> bool:
        """Whether the side to move wins in one turn."""
        board = self.board
        mover = board.side
        for action in board.actions():
            board.play(action)
            won = board.winner == mover
            board.take_back()
            if won:
                return True
        return False

    def _ordered_actions(self, depth: int, entry: _Entry | None) -> list[A]:
        """The actions, the most promising first: then alpha-beta cuts most."""
        board = self.board
        actions = board.actions()
        if depth > 1:
            estimates: dict[A, int] = {}
            for action in actions:
                mover = board.side
                board.play(action)
                self.nodes += 1
                won = board.winner == mover
                estimates[action] = WIN if won else -board.guess()
                board.take_back()
            actions.sort(key=estimates.__getitem__, reverse=True)
        # Equivalent positions share an entry, but a rotation of the king in one is none in another.
        if entry is not None and entry.action in actions:
            actions.remove(entry.action)
            actions.insert(0, entry.action)
        return actions

    def _line(self, action: A, depth: int) -> tuple[Any, ...]:
        """The expected line: this action, then the moves in the table."""
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
    """A score that counts from the root, converted to count from `ply` turns below it."""
    return score + ply if score > DECIDED else score - ply if score < -DECIDED else score


def _to_root(score: int, ply: int) -> int:
    return score - ply if score > DECIDED else score + ply if score < -DECIDED else score
