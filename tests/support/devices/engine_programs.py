"""Programs that speak the engine protocol correctly or incorrectly, for matches."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tests.support.paths import ROOT

# What the program does on `go`: `moves` counts its moves, `real` is a good move.
TEMPLATE = """
import os, random, sys, time
while sys.stdin.readline() != "hello\\n":  # at once: the rest takes its time to be there
    pass
print("ok", flush=True)
sys.path.insert(0, {root!r})
from controller.computer.server import EngineServer
from controller.devices.clock import SystemClock
server = EngineServer(print, SystemClock())
moves = 0
print = __import__("functools").partial(print, flush=True)
for line in sys.stdin:
    if line == "isready\\n":
        print("readyok")
    elif line.startswith("go"):
        moves += 1
        request = server.execute_line(line)
        game, position, player = request.game, request.position, request.player
        legal = game.legal(position, player)
        real = game.write_move(position, player, random.Random(len(legal)).choice(legal))
        {deed}
    else:
        server.execute_line(line)
"""


def program(folder: Path, deed: str) -> str:
    """An argument for `laserboard match`: a program with this behaviour."""
    script = folder / "program.py"
    script.write_text(TEMPLATE.format(root=str(ROOT), deed=deed))
    return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(script))}"


WELL = 'print(f"bestmove {real}")'
CRASHES = 'sys.exit("out of cheese") if moves > 1 else print(f"bestmove {real}")'
CHEATS = 'print("bestmove a1a8" if moves > 1 else f"bestmove {real}")'
HANGS = 'time.sleep(600) if moves > 1 else print(f"bestmove {real}")'
GIVES_UP = 'print("error I am\\0 tired")'
