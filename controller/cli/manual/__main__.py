"""Writes the generated pages into a folder: `python -m controller.cli.manual docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from controller.cli.manual import commands, configuration, pictures, troubleshooting

PAGES = {
    "configuration.md": configuration.page,
    "troubleshooting.md": troubleshooting.page,
    "commands.md": commands.page,
    **pictures.PAGES,
}


def main(folder: str) -> None:
    for name, page in PAGES.items():
        Path(folder, name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
