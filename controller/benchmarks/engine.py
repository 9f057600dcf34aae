"""Measures the engine: perft leaves, beams and search nodes a second.

Compares perft(3) of the first setup with python-chess's perft(3) from its start position. Both make
and undo every leaf, and alternate so that load on the machine affects both. The compiled core is
compared with the pure Python board in the same way, then searches every setup at full width to
depth 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from controller.ports.devices import Clock
from engine import games
from engine.errors import LaserboardError
from engine.game import AnyGame
from engine.native import missing_reason
from engine.search import Limit, choose
from engine.turn_based import TurnBased

DEPTH = 3
SLICE_MS = 250.0
FULL_DEPTH = 5
COMPILED_NODES = 400_000


class PythonChessMissing(LaserboardError, ImportError):
    """python-chess is not installed."""


@dataclass(slots=True)
class Rate:
    """A rate measured in slices; the median ignores slices with load on the machine."""

    slices: list[float] = field(default_factory=list)
    spent_ms: float = 0.0

    def add(self, clock: Clock, work: Callable[[], int]) -> None:
        """Measure one slice of at least `SLICE_MS`."""
        start_ms, count = clock.now_ms(), 0
        while (spent_ms := clock.now_ms() - start_ms) < SLICE_MS:
            count += work()
        self.slices.append(1000 * count / spent_ms)
        self.spent_ms += spent_ms

    @property
    def per_second(self) -> float:
        return median(self.slices)


def run(clock: Clock, min_seconds: float) -> Iterator[str]:
    """Measure each rate for at least `min_seconds`, and yield the lines of a report."""
    least_ms = 1000 * min_seconds
    game = games.make()
    start = game.start()
    board = game.board(start)
    assert board is not None, "the default game has a fast board"
    yield f"{game.title}, setup {game.default_setup}; each measured for {min_seconds:g} s or more"

    ours, theirs, core = Rate(), Rate(), Rate()
    their_perft = _python_chess_perft()
    compiled = game.native_rules(start) if isinstance(game, TurnBased) else None
    while min(ours.spent_ms, theirs.spent_ms) <= least_ms:
        ours.add(clock, lambda: board.perft(DEPTH))
        theirs.add(clock, their_perft)
        if compiled is not None:
            core.add(clock, lambda: compiled.perft(start, DEPTH))
    yield f"perft({DEPTH}) laserboard    {ours.per_second:12,.0f} leaves/s"
    yield f"perft({DEPTH}) python-chess  {theirs.per_second:12,.0f} leaves/s"
    yield f"ratio                 {ours.per_second / theirs.per_second:12.1f} x"
    if compiled is None:
        yield str(missing_reason())
    else:
        yield f"perft({DEPTH}) compiled core {core.per_second:12,.0f} leaves/s"
        yield f"compiled to Python    {core.per_second / ours.per_second:12.1f} x"
        yield from _depths(clock, game)
    yield f"beams traced          {_repeat(clock, least_ms, _trace_all(game, start)):12,.0f} /s"
    for name in games.GAMES:
        player = games.make(name)
        position = player.start()
        if player.board(position) is not None:
            nodes = _repeat(clock, least_ms, _search(player, position))
            yield f"{'choose, ' + name:21} {nodes:12,.0f} nodes/s"


def _python_chess_perft() -> Callable[[], int]:
    try:
        import chess
    except ImportError as error:
        raise PythonChessMissing(
            "python-chess is not here to compare with: pip install chess"
        ) from error

    def perft(board: chess.Board, depth: int) -> int:
        count = 0
        for move in board.legal_moves:
            board.push(move)
            count += 1 if depth == 1 else perft(board, depth - 1)
            board.pop()
        return count

    board = chess.Board()
    return lambda: perft(board, DEPTH)


def _repeat(clock: Clock, least_ms: float, work: Callable[[], int]) -> float:
    rate = Rate()
    while rate.spent_ms <= least_ms:
        rate.add(clock, work)
    return rate.per_second


def _trace_all(game: AnyGame, position: Any) -> Callable[[], int]:
    def work() -> int:
        return sum(len(game.standing_beams(position, player)) for player in (0, 1))

    return work


def _depths(clock: Clock, game: AnyGame) -> Iterator[str]:
    """The time of the compiled core for a full-width search, and its depth after a second."""
    for setup in game.setups():
        start, start_ms = game.start(setup), clock.now_ms()
        full = choose(game, start, Limit(depth=FULL_DEPTH, core="native", full_width=True))
        spent_s = (clock.now_ms() - start_ms) / 1000
        found = choose(game, start, Limit(core="native"), _deadline(clock, 1000.0))
        yield (
            f"{setup:21} full width to depth {FULL_DEPTH} in {spent_s:.2f} s, "
            f"{full.nodes:,} nodes; in 1 s depth {found.depth}"
        )


def _deadline(clock: Clock, ms: float) -> Callable[[], bool]:
    end_ms = clock.now_ms() + ms
    return lambda: clock.now_ms() >= end_ms


def _search(game: AnyGame, position: Any) -> Callable[[], int]:
    # Enough nodes that the search outweighs its setup.
    compiled = isinstance(game, TurnBased) and game.native_rules(position) is not None
    limit = Limit(nodes=COMPILED_NODES) if compiled else Limit(depth=4)
    return lambda: choose(game, position, limit).nodes
