"""The firmware, compiled once for each run of the tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware.board import FIRMWARE

STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-pedantic"]
SANITIZED = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def need(program: str, package: str) -> str:
    """The path of a program; without it these tests cannot mean anything, so they fail."""
    path = shutil.which(program)
    if path is None:
        pytest.fail(f"the firmware's tests need {program}: sudo apt-get install {package}")
    return path


def run(*command: str | Path, timeout_s: float = 600, cwd: Path | None = None) -> str:
    """What a command prints; the test fails with all of it if the command does."""
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


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The native firmware, which stops at any memory error or undefined behaviour."""
    need("make", "make")
    need("cc", "gcc")
    out = tmp_path_factory.mktemp("firmware")
    run("make", "-C", FIRMWARE, "native-sanitized", f"OUT={out}")
    return out / "laserboard-firmware-sanitized"
