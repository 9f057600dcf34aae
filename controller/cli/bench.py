"""`laserboard bench`: the benchmarks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from controller.cli.args.position import count_number, seconds_number
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console

PARTS = ("scenarios", "clips", "false", "moves")


def add(commands: Subcommands) -> None:
    bench = add_command(
        commands,
        "bench",
        _bench,
        "measure speed and accuracy, each compared with a baseline in the same run",
        "  laserboard bench engine\n"
        "  laserboard bench vision --part clips\n"
        "  laserboard bench vision --frames 20      all parts, about half an hour\n"
        "  laserboard bench latency --board demo-10x8 --turns 10\n"
        "  laserboard bench web --seconds 10\n"
        "  laserboard bench startup",
    )
    bench.add_argument(
        "what",
        metavar="engine|vision|light|latency|web|startup",
        choices=["engine", "vision", "light", "latency", "web", "startup"],
        help="engine: perft, beams and search, compared with python-chess; "
        "vision: reading rendered frames, compared with OpenCV's detector; "
        "light: latency of LED pictures, compared with a minimal program that answers; "
        "latency: from the settled frame to the beam, compared with OpenCV's detector; "
        "web: a page with many spectators, compared with none; "
        "startup: start-up time and memory, compared with importing OpenCV",
    )
    bench.add_argument(
        "--seconds",
        metavar="S",
        type=seconds_number,
        default=2.0,
        help="engine: time for each line; light: time of 60 pictures a second; web: time of each "
        "round (default 2)",
    )
    bench.add_argument(
        "--part",
        metavar="NAME",
        choices=PARTS,
        action="append",
        help=f"vision: {', '.join(PARTS)}; may be repeated (default: all)",
    )
    bench.add_argument(
        "--frames",
        metavar="N",
        type=count_number,
        default=5,
        help="vision: frames of each scenario (default 5)",
    )
    bench.add_argument(
        "--cells",
        metavar="N",
        type=count_number,
        default=100_000,
        help="vision: cells without a tag, for false accepts (default 100000)",
    )
    bench.add_argument(
        "--turns",
        metavar="N",
        type=count_number,
        help="vision: moves to recognise (default 1000); latency: turns of a game (default 30)",
    )
    bench.add_argument(
        "--jobs",
        metavar="N",
        type=count_number,
        default=1,
        help="vision: processes for the part moves (default 1)",
    )
    bench.add_argument(
        "--spectators",
        metavar="N",
        type=count_number,
        default=100,
        help="web: number of spectators (default 100)",
    )
    bench.add_argument(
        "--board",
        metavar="NAME|FILE",
        action="append",
        help="latency: may be repeated (default demo-10x8 and full-10x8); web, startup: one board "
        "(default demo-10x8)",
    )


def _bench(args: argparse.Namespace, console: Console) -> int:
    benches = {
        "engine": _engine,
        "vision": _vision,
        "light": _light,
        "latency": _latency,
        "web": _web,
        "startup": _startup,
    }
    for line in benches[args.what](args, console):
        console.print(line)
        console.out.flush()
    return 0


def _engine(args: argparse.Namespace, console: Console) -> Iterator[str]:
    from controller.benchmarks import engine

    return engine.run(console.clock, args.seconds)


def _vision(args: argparse.Namespace, console: Console) -> Iterator[str]:
    from controller.benchmarks.vision import VisionBenchmark

    bench = VisionBenchmark(console.clock)
    yield bench.describe_versions()
    parts = args.part or PARTS
    if "scenarios" in parts:
        yield from bench.scenario_lines(args.frames)
    if "clips" in parts:
        yield from bench.clip_lines(max(1, args.frames // 5))
    if "false" in parts:
        yield from bench.false_accept_lines(args.cells)
    if "moves" in parts:
        from controller.benchmarks import move_inference

        yield from move_inference.run(args.turns or 1000, jobs=args.jobs)


def _light(args: argparse.Namespace, console: Console) -> Iterator[str]:
    from controller.benchmarks.leds import LedBenchmark

    return LedBenchmark(console.clock).report_lines(seconds=args.seconds)


def _latency(args: argparse.Namespace, console: Console) -> Iterator[str]:
    from controller.benchmarks.latency import BOARDS, ROUNDS, TURNS, LatencyBenchmark

    for number, board in enumerate(args.board or BOARDS):
        if number:
            yield ""
        yield from LatencyBenchmark(board, console.clock).report_lines(args.turns or TURNS, ROUNDS)


def _web(args: argparse.Namespace, console: Console) -> Iterator[str]:
    from controller.benchmarks.web import BOARD, ROUNDS, WebBenchmark

    (board,) = args.board or (BOARD,)
    return WebBenchmark(console.clock, board).report_lines(args.spectators, ROUNDS, args.seconds)


def _startup(args: argparse.Namespace, console: Console) -> Iterator[str]:
    from controller.benchmarks.startup import BOARD, StartupBenchmark

    (board,) = args.board or (BOARD,)
    return StartupBenchmark(console.clock, board).report_lines()
