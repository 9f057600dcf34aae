"""Writes the pages into a folder: `python -m controller.manual docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from controller.manual import commands, configuration, rules, troubleshooting, turns

PAGES = {
    "configuration.md": configuration.page,
    "troubleshooting.md": troubleshooting.page,
    "commands.md": commands.page,
    **rules.PAGES,
    **turns.PAGES,
}


def main(folder: str) -> None:
    for name, page in PAGES.items():
        Path(folder, name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
