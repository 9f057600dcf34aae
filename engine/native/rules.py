"""A game's rules in the compiled core: counting, judging, proving and searching its positions.

Moves are numbers there; `number` is that of a move, whose game is any in which a move has a
source, a destination and a turn.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.errors import BadOption
from engine.native.binding import (
    DEEPEST,
    MOST_FEATURES,
    MOST_OPTIONS,
    MOST_PROVEN,
    NO_ENDING,
    Enough,
    Request,
    Result,
    Root,
    Stop,
)

PASS = 3 << 14
NO_MEMORY = "no memory for the computer player"
_TURN = {0: 0, 1: 1, -1: 2}


def number(move: Any) -> int:
    """The core's number of a move."""
    if move.src < 0:
        return PASS
    return int(move.src | move.dst << 7 | _TURN[move.turn] << 14)


class RootMove(NamedTuple):
    """One move to choose from, with what only the game's own rules know of it."""

    move: int
    error: int  # by which it is misjudged
    ending: int | None  # its score, if it ends the game
    claimable: bool  # may the other side claim a draw then?


class Thought(NamedTuple):
    """What a search has found."""

    root: int
    score: int
    depth: int
    nodes: int
    line: tuple[int, ...]


class MoveValue(NamedTuple):
    """A move with what the beams take by it, for the mover, and the core's flags of it."""

    move: int
    gain: int
    flags: int


@dataclass(frozen=True, slots=True)
class Effort:
    """How far a search may go."""

    depth: int
    safe_depth: int
    nodes: int
    full_width: bool
    repeats: bool
    quiet_limit: int  # 0: none
    claims: bool  # reaching it is no draw before somebody claims it
    turns_left: int  # 0: no end in sight
    table_bits: int


class CompiledRules:
    """The rules of one game, as tables that the core has been given."""

    def __init__(self, core: ctypes.CDLL, rules: int | None) -> None:
        if not rules:
            raise MemoryError(NO_MEMORY)
        self._core, self._rules = core, ctypes.c_void_p(rules)
        # Not at the end of the program: a thread may still be searching.
        weakref.finalize(self, core.lb_free, self._rules).atexit = False

    def perft(self, position: Any, depth: int) -> int:
        """Every sequence of `depth` turns to its last beam, counted."""
        if not 1 <= depth <= DEEPEST:
            raise BadOption(f"turns are counted 1 to {DEEPEST} deep, not {depth}")
        found = self._core.lb_perft(self._rules, position.squares, position.side, depth)
        return int(_remembered(found))

    def moves(self, position: Any) -> list[MoveValue]:
        found = (ctypes.c_int32 * (3 * MOST_OPTIONS))()
        n = self._core.lb_moves(self._rules, position.squares, position.side, found)
        return [MoveValue(*found[3 * i : 3 * i + 3]) for i in range(_remembered(n))]

    def evaluate(self, position: Any) -> tuple[int, list[int]]:
        """The score for the side to move, and what it is made of besides the pieces' worth."""
        found = (ctypes.c_int32 * (1 + MOST_FEATURES))()
        score = self._core.lb_evaluate(self._rules, position.squares, position.side, found)
        if score == NO_ENDING:
            raise MemoryError(NO_MEMORY)
        return score, list(found[1 : 1 + found[0]])

    def solve(self, position: Any, turns: int, stop: Callable[[], bool]) -> list[int] | None:
        """The moves that force a win within `turns` turns of the side to move; None if stopped."""
        if not 1 <= turns <= MOST_PROVEN:
            raise BadOption(f"a win is proven in 1 to {MOST_PROVEN} turns, not in {turns}")
        found = (ctypes.c_int32 * MOST_OPTIONS)()
        with _heard(stop) as asked:
            n = self._core.lb_solve(
                self._rules, position.squares, position.side, turns, asked, found
            )
        return None if n == -2 else list(found[: _remembered(n)])

    def search(
        self,
        position: Any,
        roots: Sequence[RootMove],
        effort: Effort,
        stop: Callable[[], bool],
        enough: Callable[[Thought], bool],
    ) -> Thought:
        """The best of the root moves, by all that the effort allows."""
        listed = (Root * len(roots))(
            *(
                Root(each.move, each.error, NO_ENDING if each.ending is None else each.ending,
                     each.claimable)
                for each in roots
            )
        )  # fmt: skip
        result = Result()
        with _heard(stop, enough) as (asked, shown):
            request = Request(
                squares=position.squares,
                past=b"".join(position.quiet),
                roots=listed,
                stop=asked,
                enough=shown,
                node_limit=effort.nodes,
                side=position.side,
                past_length=len(position.quiet),
                root_count=len(roots),
                repeats=effort.repeats,
                quiet_limit=effort.quiet_limit,
                claims=effort.claims,
                turns_left=effort.turns_left,
                depth_limit=effort.depth,
                safe_depth=effort.safe_depth,
                full_width=effort.full_width,
                table_bits=effort.table_bits,
            )
            _remembered(
                self._core.lb_search(self._rules, ctypes.byref(request), ctypes.byref(result))
            )
        return _thought(result)


def _remembered(found: int) -> int:
    if found < 0:
        raise MemoryError(NO_MEMORY)
    return found


def _thought(result: Result) -> Thought:
    line = tuple(result.line[: result.length])
    return Thought(result.root, result.score, result.depth, result.nodes, line)


@contextmanager
def _heard(
    stop: Callable[[], bool], enough: Callable[[Thought], bool] | None = None
) -> Iterator[Any]:
    """Our functions as the core calls them. What they raise ends the search and is raised after."""
    raised: list[BaseException] = []

    def listening(answer: Callable[[Any], bool]) -> Generator[bool, Any, None]:
        # Suspended inside its own `try`: a signal that came meanwhile (Ctrl-C) is raised as soon as
        # Python runs again, which must not be where nobody but ctypes hears it.
        said = False
        while True:
            try:
                while True:
                    told = yield said
                    said = bool(raised) or bool(answer(told))
            except GeneratorExit:
                raise
            except BaseException as trouble:
                raised.append(trouble)
                said = True

    asking = listening(lambda _: stop())
    next(asking)
    if enough is None:
        yield Stop(asking.__next__)
    else:
        wanted = enough
        showing = listening(lambda result: wanted(_thought(result.contents)))
        next(showing)
        yield Stop(asking.__next__), Enough(showing.send)
    if raised:
        raise raised[0]
