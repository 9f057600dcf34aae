"""Names of boards by default, apart from `board_file`: help texts must not load numpy."""

from __future__ import annotations

import os
from pathlib import Path

OWN_BOARD = "laserboard.yaml"  # what `laserboard init` writes
BOARD_VARIABLE = "LASERBOARD_BOARD"  # environment variable that names another board
DEFAULT_BOARD = "demo-10x8"


def own_board_path() -> str | None:
    """The user's board file: named by `BOARD_VARIABLE`, else in the current folder, else None."""
    named = os.environ.get(BOARD_VARIABLE)
    return named or (OWN_BOARD if Path(OWN_BOARD).is_file() else None)


def default_board() -> str:
    """The board without `--board`: the user's own, else the shipped `DEFAULT_BOARD`."""
    return own_board_path() or DEFAULT_BOARD
