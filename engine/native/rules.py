"""The rules of a game in the compiled core: perft, evaluation, proofs and search.

Moves are numbers there. `encode_move` works for every game whose moves have a source, a
destination and a turn.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import catalogue
from engine.errors import BadOption
from engine.native.binding import (
    MAX_DEPTH,
    MAX_FEATURES,
    MAX_MOVES,
    MAX_PROOF_TURNS,
    NO_ENDING,
    CRootMove,
    CSearchRequest,
    CSearchResult,
    EnoughCallback,
    StopCallback,
)

PASS_CODE = 3 << 14
NO_MEMORY = "no memory for the computer player"
_TURN = {0: 0, 1: 1, -1: 2}


def encode_move(move: Any) -> int:
    """The core's number for a move."""
    if move.src < 0:
        return PASS_CODE
    return int(move.src | move.dst << 7 | _TURN[move.turn] << 14)


class NativeRootMove(NamedTuple):
    """A move at the root, with what only the rules of the game know about it."""

    move: int
    error: int  # random error added to its score
    ending: int | None  # its score if it ends the game
    claimable: bool  # whether the opponent may then claim a draw


class SearchResult(NamedTuple):
    """The result of a search."""

    root: int
    score: int
    depth: int
    nodes: int
    line: tuple[int, ...]


class MoveValue(NamedTuple):
    """A move with the value that its beams gain for the mover, and the core's flags."""

    move: int
    gain: int
    flags: int


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The limits of a search in the core."""

    depth: int
    safe_depth: int
    nodes: int
    full_width: bool
    repeats: bool
    no_capture_limit: int  # 0: none
    claims: bool  # reaching `no_capture_limit` is a draw only if it is claimed
    turns_left: int  # 0: no certain draw in sight
    table_bits: int


class NativeRules:
    """The rules of one game as tables in the core."""

    def __init__(self, core: ctypes.CDLL, rules: int | None) -> None:
        if not rules:
            raise MemoryError(NO_MEMORY)
        self._core, self._rules = core, ctypes.c_void_p(rules)
        # Not at exit: a thread may still be searching.
        weakref.finalize(self, core.lb_free, self._rules).atexit = False

    def perft(self, position: Any, depth: int) -> int:
        """Count all sequences of `depth` turns, with every beam played."""
        if not 1 <= depth <= MAX_DEPTH:
            raise BadOption(catalogue.BAD_PERFT_DEPTH(most=MAX_DEPTH, depth=depth))
        count = self._core.lb_perft(self._rules, position.squares, position.side, depth)
        return int(_check_memory(count))

    def moves(self, position: Any) -> list[MoveValue]:
        values = (ctypes.c_int32 * (3 * MAX_MOVES))()
        n = self._core.lb_moves(self._rules, position.squares, position.side, values)
        return [MoveValue(*values[3 * i : 3 * i + 3]) for i in range(_check_memory(n))]

    def evaluate(self, position: Any) -> tuple[int, list[int]]:
        """The score for the side to move, and its features besides the piece values."""
        values = (ctypes.c_int32 * (1 + MAX_FEATURES))()
        score = self._core.lb_evaluate(self._rules, position.squares, position.side, values)
        if score == NO_ENDING:
            raise MemoryError(NO_MEMORY)
        return score, list(values[1 : 1 + values[0]])

    def solve(self, position: Any, turns: int, stop: Callable[[], bool]) -> list[int] | None:
        """The moves that force a win within `turns` turns of the side to move. None if stopped."""
        if not 1 <= turns <= MAX_PROOF_TURNS:
            raise BadOption(catalogue.BAD_PROOF_TURNS(most=MAX_PROOF_TURNS, turns=turns))
        moves = (ctypes.c_int32 * MAX_MOVES)()
        with _as_callbacks(stop) as stop_callback:
            n = self._core.lb_solve(
                self._rules, position.squares, position.side, turns, stop_callback, moves
            )
        return None if n == -2 else list(moves[: _check_memory(n)])

    def search(
        self,
        position: Any,
        roots: Sequence[NativeRootMove],
        limits: SearchLimits,
        stop: Callable[[], bool],
        enough: Callable[[SearchResult], bool],
    ) -> SearchResult:
        """The best of the root moves within the limits."""
        root_moves = (CRootMove * len(roots))(*map(_root_move, roots))
        result = CSearchResult()
        with _as_callbacks(stop, enough) as (stop_callback, enough_callback):
            request = CSearchRequest(
                squares=position.squares,
                past=b"".join(position.keys_since_capture),
                roots=root_moves,
                stop=stop_callback,
                enough=enough_callback,
                node_limit=limits.nodes,
                side=position.side,
                past_length=len(position.keys_since_capture),
                root_count=len(roots),
                repeats=limits.repeats,
                no_capture_limit=limits.no_capture_limit,
                claims=limits.claims,
                turns_left=limits.turns_left,
                depth_limit=limits.depth,
                safe_depth=limits.safe_depth,
                full_width=limits.full_width,
                table_bits=limits.table_bits,
            )
            _check_memory(
                self._core.lb_search(self._rules, ctypes.byref(request), ctypes.byref(result))
            )
        return _search_result(result)


def _root_move(root: NativeRootMove) -> CRootMove:
    ending = NO_ENDING if root.ending is None else root.ending
    return CRootMove(root.move, root.error, ending, root.claimable)


def _check_memory(count: int) -> int:
    if count < 0:
        raise MemoryError(NO_MEMORY)
    return count


def _search_result(result: CSearchResult) -> SearchResult:
    line = tuple(result.line[: result.length])
    return SearchResult(result.root, result.score, result.depth, result.nodes, line)


@contextmanager
def _as_callbacks(
    stop: Callable[[], bool], enough: Callable[[SearchResult], bool] | None = None
) -> Iterator[Any]:
    """The functions as C callbacks. An exception in one ends the search and is raised after it."""
    raised: list[BaseException] = []

    def make_callback(answer: Callable[[Any], bool]) -> Generator[bool, Any, None]:
        # The generator is suspended inside its `try`: a signal during the search (Ctrl-C) is raised
        # when Python code runs next. Outside a `try`, ctypes would swallow it.
        answered = False
        while True:
            try:
                while True:
                    argument = yield answered
                    answered = bool(raised) or bool(answer(argument))
            except GeneratorExit:
                raise
            except BaseException as error:
                raised.append(error)
                answered = True

    stop_generator = make_callback(lambda _: stop())
    next(stop_generator)
    if enough is None:
        yield StopCallback(stop_generator.__next__)
    else:
        is_enough = enough
        enough_generator = make_callback(lambda result: is_enough(_search_result(result.contents)))
        next(enough_generator)
        yield StopCallback(stop_generator.__next__), EnoughCallback(enough_generator.send)
    if raised:
        raise raised[0]
