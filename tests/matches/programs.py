"""Programs that speak the engine protocol, well or badly, to play matches against."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

# What it does when it is to move: `moves` counts them, `real` would be a good one.
TEMPLATE = """
import os, random, sys, time
while sys.stdin.readline() != "hello\\n":  # at once: the rest takes its time to be there
    pass
print("ok", flush=True)
sys.path.insert(0, {root!r})
from controller.engine_lines import Listener
from controller.devices.clock import SystemClock
listener = Listener(print, SystemClock())
moves = 0
print = __import__("functools").partial(print, flush=True)
for line in sys.stdin:
    if line == "isready\\n":
        print("readyok")
    elif line.startswith("go"):
        moves += 1
        thought = listener.hear(line)
        game, position, player = thought.game, thought.position, thought.player
        legal = game.legal(position, player)
        real = game.write_move(position, player, random.Random(len(legal)).choice(legal))
        {deed}
    else:
        listener.hear(line)
"""
ROOT = Path(__file__).parents[2]


def program(folder: Path, deed: str) -> str:
    """A player, as `laserboard match` is told of it, that does that when it is to move."""
    script = folder / "program.py"
    script.write_text(TEMPLATE.format(root=str(ROOT), deed=deed))
    return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(script))}"


WELL = 'print(f"bestmove {real}")'
CRASHES = 'sys.exit("out of cheese") if moves > 1 else print(f"bestmove {real}")'
CHEATS = 'print("bestmove a1a8" if moves > 1 else f"bestmove {real}")'
HANGS = 'time.sleep(600) if moves > 1 else print(f"bestmove {real}")'
GIVES_UP = 'print("error I am\\0 tired")'
