"""Flags of the C compiler, and functions that find and run programs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-pedantic"]
SANITIZED = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def need(program: str, package: str) -> str:
    """The path of a program; the test fails if it is missing."""
    path = shutil.which(program)
    if path is None:
        pytest.fail(f"the firmware's tests need {program}: sudo apt-get install {package}")
    return path


def run(*command: str | Path, timeout_s: float = 600, cwd: Path | None = None) -> str:
    """Run a command and return its output; fails with the output if the command fails."""
    done = subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        timeout=timeout_s,
        text=True,
        errors="replace",
        cwd=cwd,
    )
    if done.returncode != 0:
        pytest.fail(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout
