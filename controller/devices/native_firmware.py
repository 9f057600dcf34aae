"""The firmware's own C core as a program for this machine, compiled on first use and kept.

It lies in the user's cache folder under a name made of its sources and its compiler, so that a
change of either makes a new one, and several processes may ask at once.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from engine.errors import LaserboardError

SOURCES = Path(__file__).parents[2] / "firmware"
FLAGS = ("-std=c11", "-O2")
COMPILERS = ("cc", "gcc", "clang")
PATIENCE_S = 120


class NoFirmware(LaserboardError, RuntimeError):
    """The firmware cannot be made to run on this machine."""


def native_firmware(sources: Path = SOURCES, cache: Path | None = None) -> Path:
    """The firmware, compiled if it is not there yet."""
    return _program("firmware", sources, ("core", "native"), cache)


def native_peer(sources: Path = SOURCES, cache: Path | None = None) -> Path:
    """The least that answers, which the firmware is measured against."""
    return _program("peer", sources, ("peer",), cache)


def _program(name: str, sources: Path, folders: tuple[str, ...], cache: Path | None) -> Path:
    files = sorted(each for folder in folders for each in sources.glob(f"{folder}/*.[ch]"))
    if not any(each.name == "main.c" for each in files):
        raise NoFirmware(
            f"no {name} sources in {sources}: install laserboard anew, or use --leds memory://"
        )
    compiler = _compiler()
    key = hashlib.sha256(repr((compiler, FLAGS)).encode())
    for each in files:
        content = each.read_bytes()
        key.update(f"{each.relative_to(sources)} {len(content)}\n".encode() + content)
    program = (cache or _cache()) / f"{name}-{key.hexdigest()[:16]}"
    if not program.exists():
        _compile(compiler, [each for each in files if each.suffix == ".c"], program)
    return program


def _compile(compiler: list[str], files: list[Path], program: Path) -> None:
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=program.parent)
    except OSError as trouble:
        raise NoFirmware(
            f"the firmware cannot be kept in {program.parent}: {trouble.strerror}; "
            "set XDG_CACHE_HOME to a folder of yours, or use --leds memory://"
        ) from None
    with folder as name:
        made = Path(name) / program.name
        command = [*compiler, *FLAGS, "-o", str(made), *map(str, files)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as trouble:
            raise NoFirmware(f"{shlex.join(compiler)}: {trouble}; use --leds memory://") from None
        if done.returncode != 0 or not made.exists():
            raise NoFirmware(
                f"{shlex.join(command)} failed; use --leds memory://\n{done.stderr.strip()}"
            )
        made.replace(program)  # at once: nobody ever sees half a program


def _compiler() -> list[str]:
    named = shlex.split(os.environ.get("CC", ""))
    for words in [named] if named else [[each] for each in COMPILERS]:
        found = shutil.which(words[0])
        if found is not None:
            return [found, *words[1:]]
    missing = f"$CC is {named[0]}, which is not there" if named else "no C compiler"
    raise NoFirmware(f"{missing}: install gcc, or use --leds memory://")


def _cache() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if named else Path.home() / ".cache") / "laserboard"
