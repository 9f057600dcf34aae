"""The argument that names a stored game."""

from __future__ import annotations

import argparse

LAST = "last"


def add_stored_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar=f"NAME|FILE|{LAST}",
        nargs="?",
        default=LAST,
        help=f"a name from `games list`, a journal file, or {LAST}: the newest (default)",
    )
