"""The tables of `hardware/bodies/README.md`."""

from __future__ import annotations

from tests.support.paths import HARDWARE

GUIDE = (HARDWARE / "bodies" / "README.md").read_text("utf-8")


def guide_rows(board: str) -> list[list[str]]:
    """The rows of the tables in the guide that begin with the name of a board."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")][1:]
        for line in GUIDE.splitlines()
        if line.startswith(f"| {board} ")
    ]
