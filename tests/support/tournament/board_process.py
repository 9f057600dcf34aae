"""A board in a separate process, which tests can kill and stop:

    python -m tests.support.tournament.board_process FOLDER URL EVENT TABLE ROUND FIRST SECOND

It reads `move N`, `finish` and `leave` from its standard input, and says `done` after each.
"""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

from controller.config.addresses.broker import PASSWORD_VARIABLE
from tests.support.tournament.published_boards import Board

TICK_S = 0.1


def main(folder: str, url: str, event: str, table: str, round_: str, *names: str) -> None:
    first, second = names
    board = Board(
        Path(folder),
        url,
        int(table),
        int(round_),
        (first, second),
        event,
        os.environ.get(PASSWORD_VARIABLE, ""),
    )
    print("ready", flush=True)
    while True:
        if select.select([sys.stdin], [], [], TICK_S)[0]:
            words = sys.stdin.readline().split()
            match words:
                case ["move", turns]:
                    board.move(int(turns))
                case ["finish"]:
                    board.finish()
                case _:
                    board.close()
                    print("done", flush=True)
                    return
            print("done", flush=True)
        board.tick()


if __name__ == "__main__":
    main(*sys.argv[1:])
