"""Scripts that take the place of programs on the search path."""

from __future__ import annotations

import stat
from pathlib import Path


def write_fake_program(folder: Path, name: str, does: str) -> None:
    """Write a script with the name of a program, which is found before the program."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
