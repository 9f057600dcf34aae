"""Builds the firmware's C core as a program for this machine, on first use.

The program is cached in the user's cache folder under a hash of sources and compiler. Several
processes may build it at the same time.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from controller.devices import sentences
from controller.ports.sentences import REMEDY, REMEDY_AFTER_COLON
from engine.errors import LaserboardError
from engine.sentences import Sentence

SOURCES = Path(__file__).parents[3] / "firmware"
FLAGS = ("-std=c11", "-O2")
COMPILERS = ("cc", "gcc", "clang")
COMPILE_TIMEOUT_S = 120


class FirmwareUnavailable(LaserboardError, RuntimeError):
    """The firmware cannot be compiled on this machine."""


def build_native_firmware(sources: Path = SOURCES, cache: Path | None = None) -> Path:
    """Path of the firmware program, compiled if it is not cached."""
    return _build("firmware", sources, ("core", "native"), cache)


def build_native_peer(sources: Path = SOURCES, cache: Path | None = None) -> Path:
    """Path of the smallest program that answers: the baseline of benchmarks."""
    return _build("peer", sources, ("peer",), cache)


def _build(name: str, sources: Path, folders: tuple[str, ...], cache: Path | None) -> Path:
    files = sorted(each for folder in folders for each in sources.glob(f"{folder}/*.[ch]"))
    if not any(each.name == "main.c" for each in files):
        raise FirmwareUnavailable(
            REMEDY_AFTER_COLON(
                problem=sentences.NO_SOURCES(name=name, folder=str(sources)),
                remedy=sentences.INSTALL_AGAIN(),
            )
        )
    compiler = _find_compiler()
    key = hashlib.sha256(repr((compiler, FLAGS)).encode())
    for each in files:
        content = each.read_bytes()
        key.update(f"{each.relative_to(sources)} {len(content)}\n".encode() + content)
    program = (cache or _cache_folder()) / f"{name}-{key.hexdigest()[:16]}"
    if not program.exists():
        _compile(compiler, [each for each in files if each.suffix == ".c"], program)
    return program


def _compile(compiler: list[str], files: list[Path], program: Path) -> None:
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=program.parent)
    except OSError as error:
        raise FirmwareUnavailable(
            REMEDY(
                problem=sentences.FIRMWARE_NOT_STORED(
                    folder=str(program.parent), reason=error.strerror or str(error)
                ),
                remedy=sentences.SET_CACHE_HOME(),
            )
        ) from error
    with folder as name:
        made = Path(name) / program.name
        command = [*compiler, *FLAGS, "-o", str(made), *map(str, files)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            fault = sentences.FAULT(device=shlex.join(compiler), reason=str(error))
            raise FirmwareUnavailable(
                REMEDY(problem=fault, remedy=sentences.USE_MEMORY_LEDS())
            ) from error
        if done.returncode != 0 or not made.exists():
            raise FirmwareUnavailable(
                sentences.COMPILE_FAILED(command=shlex.join(command), errors=done.stderr.strip())
            )
        made.replace(program)  # atomic: no process sees a partial program


def _find_compiler() -> list[str]:
    named = shlex.split(os.environ.get("CC", ""))
    for words in [named] if named else [[each] for each in COMPILERS]:
        compiler = shutil.which(words[0])
        if compiler is not None:
            return [compiler, *words[1:]]
    missing: Sentence = (
        sentences.NAMED_COMPILER_MISSING(name=named[0]) if named else sentences.NO_COMPILER()
    )
    raise FirmwareUnavailable(REMEDY_AFTER_COLON(problem=missing, remedy=sentences.INSTALL_GCC()))


def _cache_folder() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if named else Path.home() / ".cache") / "laserboard"
