"""`laserboard bench`: the benchmarks."""

from __future__ import annotations

import argparse

from controller.bench import engine
from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console
from controller.cli.positions import seconds_number


def add(commands: Subcommands) -> None:
    bench = add_command(
        commands,
        "bench",
        _bench,
        "measure how fast it is, against python-chess in the same run",
        "  laserboard bench engine",
    )
    bench.add_argument(
        "what", metavar="engine", choices=["engine"], help="engine: perft, beams, search"
    )
    bench.add_argument(
        "--seconds", metavar="S", type=seconds_number, default=2.0, help="at least, for each line"
    )


def _bench(args: argparse.Namespace, console: Console) -> int:
    for line in engine.run(console.clock, args.seconds):
        console.print(line)
        console.out.flush()
    return 0
