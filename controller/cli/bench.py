"""`laserboard bench`: the benchmarks."""

from __future__ import annotations

import argparse

from controller.benchmarks.run import BENCHMARKS, PARTS, BenchmarkOptions, run_benchmark
from controller.cli.args.position import count_number, seconds_number
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console


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
        metavar="|".join(BENCHMARKS),
        choices=[*BENCHMARKS],
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
    options = BenchmarkOptions(
        seconds=args.seconds,
        parts=args.part,
        frames=args.frames,
        cells=args.cells,
        turns=args.turns,
        jobs=args.jobs,
        spectators=args.spectators,
        boards=args.board,
    )
    return run_benchmark(args.what, options, console)
