"""Plays thousands of fast games by the compiled core under sanitizers, and replays them.

Run `python -m tests.support.engine.native_self_play --games 2000 --jobs 2` (`make test-native`).
Every fifth chunk of games is Photon. The core must not crash, leak, overflow, play an illegal move,
return no move, or react late to a stop. The driver scales the time limit to the machine's speed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import engine.laser_chess.native_tables as laser
import engine.photon.native_tables as photon
from engine.board import DRAWN
from engine.games import make
from engine.laser_chess.evaluation import feature_weights, piece_values
from engine.native.binding import FOLDER
from engine.native.rules import encode_move
from engine.turn_based import TurnBased

SOURCES = ("common.c", "full.c", "laser.c", "photon.c", "search.c")
FLAGS = ("-std=c11", "-O2", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
LASER, PHOTON = "laser", "photon"
GAMES = {LASER: "laser-chess", PHOTON: "photon"}
CHUNK, PHOTON_EACH = 50, 5


@dataclass(frozen=True, slots=True)
class Tally:
    """Totals of the games."""

    games: int
    turns: int
    decided: int
    late: int  # searches that exceeded the limit between two calls of `stop`
    longest_ms: float  # the longest CPU time between two calls of `stop`


def build(folder: Path) -> Path:
    """Compile the driver with sanitizers."""
    program = folder / "games"
    sources = [Path(__file__).with_name("native_self_play.c"), *(FOLDER / name for name in SOURCES)]
    subprocess.run(["cc", *FLAGS, "-o", program, *sources, "-lm"], check=True)
    return program


def play(program: Path, folder: Path, games: int, seed: int, which: str = LASER) -> Tally:
    """Play games in the compiled core, and replay each with the Python rules."""
    game = make(GAMES[which])
    assert isinstance(game, TurnBased)
    starts = [game.start(name) for name in game.setups()]
    tables, positions = folder / f"tables-{which}", folder / f"positions-{which}"
    known = (
        photon.native_tables(False, True)
        if which == PHOTON
        else laser.native_tables(piece_values(), feature_weights())
    )
    tables.write_bytes(bytes(known))
    positions.write_bytes(b"".join(s.squares + bytes((s.side,)) for s in starts))
    done = subprocess.run(
        [program, which, tables, positions, str(games), str(seed)],
        capture_output=True,
        text=True,
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"},
    )
    assert done.returncode == 0, done.stderr
    *lines, last = done.stdout.splitlines()
    assert len(lines) == games
    turns = decided = 0
    for line in lines:
        start, *moves, winner = line.split()
        position = starts[int(start)]
        for move in moves:
            legal = {encode_move(each): each for each in game.legal(position, position.side)}
            assert int(move) in legal, f"{game.write_position(position)}: {move} is not legal"
            position = game.play(position, legal[int(move)]).after
        ended = game.outcome(position)
        assert winner == ("-" if ended is None else str(_number(ended.winner)))
        turns += len(moves)
        decided += ended is not None
    _, late, longest_us = last.split()
    return Tally(games, turns, decided, int(late), int(longest_us) / 1000)


def _number(winner: int | None) -> int:
    return DRAWN if winner is None else winner


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(args.jobs) as workers:
        program = build(Path(name))
        seeds = range(args.seed, args.seed + args.games // CHUNK)

        def play_chunk(seed: int) -> Tally:
            which = LASER if seed % PHOTON_EACH else PHOTON
            return play(program, Path(name), CHUNK, seed, which)

        seen: list[Tally] = []
        for each in workers.map(play_chunk, seeds):
            seen.append(each)
            total = sum(one.games for one in seen)
            print(
                f"{total} games, longest {max(one.longest_ms for one in seen):.1f} ms", flush=True
            )
    turns, decided = (sum(getattr(one, what) for one in seen) for what in ("turns", "decided"))
    late = sum(one.late for one in seen)
    print(f"{turns} turns, {decided} games decided, {late} times too long without a call of stop")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
