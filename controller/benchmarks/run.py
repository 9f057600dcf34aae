"""Runs one of the benchmarks of `laserboard bench`, and prints its lines as they are measured.

Each benchmark is imported when it runs: they need more than the rest of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.ui.console import BadInput, Console

PARTS = ("scenarios", "clips", "false", "moves")  # of the benchmark of the reader
INFERRED_MOVES = 1000


@dataclass(frozen=True, slots=True)
class BenchmarkOptions:
    """The values of the arguments; each benchmark uses some of them."""

    seconds: float
    parts: Sequence[str] | None  # of `PARTS`; None: all
    frames: int
    cells: int
    turns: int | None
    jobs: int
    spectators: int
    boards: Sequence[str] | None


def run_benchmark(name: str, options: BenchmarkOptions, console: Console) -> int:
    for line in BENCHMARKS[name](options, console):
        console.print(line)
        console.out.flush()
    return 0


def _engine(options: BenchmarkOptions, console: Console) -> Iterator[str]:
    from controller.benchmarks import engine

    return engine.run(console.clock, options.seconds)


def _vision(options: BenchmarkOptions, console: Console) -> Iterator[str]:
    from controller.benchmarks.vision import VisionBenchmark

    bench = VisionBenchmark(console.clock)
    yield bench.describe_versions()
    parts = options.parts or PARTS
    if "scenarios" in parts:
        yield from bench.scenario_lines(options.frames)
    if "clips" in parts:
        yield from bench.clip_lines(max(1, options.frames // 5))
    if "false" in parts:
        yield from bench.false_accept_lines(options.cells)
    if "moves" in parts:
        from controller.benchmarks import move_inference

        yield from move_inference.run(options.turns or INFERRED_MOVES, jobs=options.jobs)


def _light(options: BenchmarkOptions, console: Console) -> Iterator[str]:
    from controller.benchmarks.leds import LedBenchmark

    return LedBenchmark(console.clock).report_lines(seconds=options.seconds)


def _latency(options: BenchmarkOptions, console: Console) -> Iterator[str]:
    from controller.benchmarks.latency import BOARDS, ROUNDS, TURNS, LatencyBenchmark

    for number, board in enumerate(options.boards or BOARDS):
        if number:
            yield ""
        bench = LatencyBenchmark(board, console.clock)
        yield from bench.report_lines(options.turns or TURNS, ROUNDS)


def _web(options: BenchmarkOptions, console: Console) -> Iterator[str]:
    from controller.benchmarks.web import BOARD, ROUNDS, WebBenchmark

    bench = WebBenchmark(console.clock, _one_board(options, BOARD))
    return bench.report_lines(options.spectators, ROUNDS, options.seconds)


def _startup(options: BenchmarkOptions, console: Console) -> Iterator[str]:
    from controller.benchmarks.startup import BOARD, StartupBenchmark

    return StartupBenchmark(console.clock, _one_board(options, BOARD)).report_lines()


def _one_board(options: BenchmarkOptions, default: str) -> str:
    boards = options.boards or (default,)
    if len(boards) > 1:
        raise BadInput(f"--board: this benchmark has one board, not {len(boards)}")
    return boards[0]


BENCHMARKS: Mapping[str, Callable[[BenchmarkOptions, Console], Iterator[str]]] = {
    "engine": _engine,
    "vision": _vision,
    "light": _light,
    "latency": _latency,
    "web": _web,
    "startup": _startup,
}
