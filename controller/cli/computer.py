"""`laserboard computer`: what would the computer play here?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from controller.cli.agreed import note_slow_core
from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console
from controller.cli.positions import (
    add_position,
    any_number,
    count_number,
    position_from,
    seconds_number,
)
from controller.engine_lines import line_texts
from controller.ports import Clock
from engine.game import AnyGame
from engine.search import STRONGEST, Choice, Limit, choose, never

DEFAULT_SECONDS = 2.0


def add(commands: Subcommands) -> None:
    computer = add_command(
        commands,
        "computer",
        _computer,
        "let the computer choose a move",
        "  laserboard computer --setup ace --seconds 2\n"
        "  laserboard computer --depth 3 --chance 7    the same every time",
        "The move is on the first line; the second says how it was found. Where both act at once, "
        "there are two lines for each player. A level caps how "
        "far it looks, whatever the time; from level 3 on it looks 2 turns ahead at least.",
    )
    add_position(computer)
    spend = computer.add_mutually_exclusive_group()
    spend.add_argument(
        "--seconds", metavar="S", type=seconds_number, help="time to think (default 2)"
    )
    spend.add_argument("--depth", metavar="N", type=count_number, help="turns to look ahead")
    spend.add_argument("--nodes", metavar="N", type=count_number, help="positions to look at")
    computer.add_argument(
        "--level", metavar="N", type=count_number, default=STRONGEST, help="1 (easy) to 8 (default)"
    )
    # `--seed` is taken: it names a map. Chance in the computer's play has its own.
    computer.add_argument(
        "--chance",
        metavar="N",
        type=any_number,
        default=0,
        help="another number, another equal move",
    )


def _computer(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    timed = args.depth is None and args.nodes is None
    seconds = args.seconds if args.seconds is not None else DEFAULT_SECONDS
    limit = Limit(args.level, args.depth, args.nodes, args.chance)
    stop = deadline(console.clock, seconds) if timed else never
    note_slow_core(game, console)
    for mover in game.to_move(position):
        choice = choose(game, position, limit, stop, mover)
        console.print(game.write_move(position, mover, choice.move))
        console.print(explain(game, position, choice))
    return 0


def deadline(clock: Clock, seconds: float) -> Callable[[], bool]:
    """A `stop` that says so once the time is up."""
    end_ms = clock.now_ms() + 1000 * seconds
    return lambda: clock.now_ms() >= end_ms


def explain(game: AnyGame, position: Any, choice: Choice) -> str:
    """Score, depth, nodes and the play expected, on one line."""
    ending = choice.turns_to_end
    if ending is None:
        verdict = f"score {choice.score / 100:+.2f}"
    else:
        verdict = f"{'wins' if choice.score > 0 else 'loses'} in {ending}"
    texts = line_texts(game, position, choice)
    line = f"  line {' '.join(texts)}" if texts else ""  # nobody knows what both will do at once
    return f"{verdict}  depth {choice.depth}  nodes {choice.nodes}{line}"
