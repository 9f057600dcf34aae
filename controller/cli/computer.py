"""`laserboard computer`: prints the computer's move in a position."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from controller.cli.args.players import add_random_seed, warn_slow_engine
from controller.cli.args.position import (
    add_position,
    count_number,
    position_from,
    seconds_number,
)
from controller.cli.command import Subcommands, add_command
from controller.computer.server import pv_texts
from controller.ports.devices import Clock
from controller.ui.console import Console
from engine.game import AnyGame
from engine.search import STRONGEST, Choice, Limit, choose, never_stop

DEFAULT_SECONDS = 2.0


def add(commands: Subcommands) -> None:
    computer = add_command(
        commands,
        "computer",
        _computer,
        "let the computer choose a move",
        "  laserboard computer --setup ace --seconds 2\n"
        "  laserboard computer --depth 3 --random-seed 7    the same every time",
        "The first line is the move, the second the score, depth and expected line. In games with "
        "simultaneous moves there are two lines for each player. A level limits the depth even if "
        "time is left; from level 3 on the computer searches at least 2 turns ahead.",
    )
    add_position(computer)
    spend = computer.add_mutually_exclusive_group()
    spend.add_argument(
        "--seconds", metavar="S", type=seconds_number, help="time to think (default 2)"
    )
    spend.add_argument("--depth", metavar="N", type=count_number, help="turns to search ahead")
    spend.add_argument("--nodes", metavar="N", type=count_number, help="positions to search")
    computer.add_argument(
        "--level", metavar="N", type=count_number, default=STRONGEST, help="1 (easy) to 8 (default)"
    )
    add_random_seed(computer, default=0)


def _computer(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    timed = args.depth is None and args.nodes is None
    seconds = args.seconds if args.seconds is not None else DEFAULT_SECONDS
    limit = Limit(args.level, args.depth, args.nodes, args.random_seed)
    stop = deadline(console.clock, seconds) if timed else never_stop
    warn_slow_engine(game, console)
    for mover in game.to_move(position):
        choice = choose(game, position, limit, stop, mover)
        console.print(game.write_move(position, mover, choice.move))
        console.print(describe_choice(game, position, choice))
    return 0


def deadline(clock: Clock, seconds: float) -> Callable[[], bool]:
    """A `stop` function that returns true when the time is up."""
    end_ms = clock.now_ms() + 1000 * seconds
    return lambda: clock.now_ms() >= end_ms


def describe_choice(game: AnyGame, position: Any, choice: Choice) -> str:
    """Score, depth, nodes and the expected moves, on one line."""
    ending = choice.turns_to_end
    if ending is None:
        verdict = f"score {choice.score / 100:+.2f}"
    else:
        verdict = f"{'wins' if choice.score > 0 else 'loses'} in {ending}"
    texts = pv_texts(game, position, choice)
    line = f"  line {' '.join(texts)}" if texts else ""  # none for simultaneous moves
    return f"{verdict}  depth {choice.depth}  nodes {choice.nodes}{line}"
