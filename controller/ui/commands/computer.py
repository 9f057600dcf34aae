"""Prints the computer's move in a position; serves the engine protocol on standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from controller.computer.server import pv_texts
from controller.devices.factory.inputs import serve_engine
from controller.ports.devices import Clock
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console
from controller.ui.hosting.preferences import warn_slow_engine
from engine.game import AnyGame
from engine.search import Choice, Limit, choose, never_stop


def print_best_moves(
    game: AnyGame, position: Any, limit: Limit, seconds: float | None, console: Console
) -> int:
    """Print the move of each player to move, found within `seconds` (None: within `limit`)."""
    stop = never_stop if seconds is None else deadline(console.clock, seconds)
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


def serve_protocol(console: Console) -> int:
    """Answer the commands of the engine protocol until standard input ends."""
    if sys.stdin is None:
        raise BadInput(sentences.STANDARD_INPUT_CLOSED())
    return serve_engine(sys.stdin.buffer, console.out.fileno())
