"""OpenSCAD as a program: from a source and its variables to an STL file, each rendered once.

What was rendered is kept under a name made of the sources, the variables and the program, so that
a change of any of them renders anew, and nothing else does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from controller.bodies.parts import Part
from controller.bodies.sizes import in_scad
from engine.errors import LaserboardError

SOURCES = Path(__file__).parents[2] / "hardware" / "bodies"
PROGRAM = "openscad"
PATIENCE_S = 600


class NoSolid(LaserboardError, RuntimeError):
    """OpenSCAD is missing, or does not make a solid of a part."""


def render(
    parts: Sequence[Part], kept: Path, sources: Path = SOURCES
) -> Iterator[tuple[Part, Path, bool]]:
    """Each part with its STL file and whether it was rendered just now, as many at once as there
    are cores, in the order given."""
    program = _program()
    kept.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        yield from threads.map(lambda part: (part, *_render(program, part, kept, sources)), parts)


def _render(program: str, part: Part, kept: Path, sources: Path) -> tuple[Path, bool]:
    stl = kept / f"{part.group}-{part.name}-{_key(program, part, sources)}.stl"
    if stl.exists():
        return stl, False
    with tempfile.TemporaryDirectory(dir=kept) as folder:
        made = Path(folder) / "part.stl"
        values = [
            word for name, value in part.values for word in ("-D", f"{name}={in_scad(value)}")
        ]
        command = [program, "-q", "--export-format", "binstl", "-o", str(made), *values]
        try:
            done = subprocess.run(
                [*command, "--hardwarnings", str(sources / part.source)],
                capture_output=True,
                text=True,
                timeout=PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NoSolid(f"{part.name}: OpenSCAD took longer than {PATIENCE_S} s") from None
        if done.returncode != 0 or not made.exists():
            said = done.stderr.strip() or f"exit status {done.returncode}"
            raise NoSolid(f"{part.name} ({part.source}): OpenSCAD makes no solid of it\n{said}")
        made.replace(stl)  # at once: nobody ever sees half a file
    return stl, True


def _key(program: str, part: Part, sources: Path) -> str:
    key = hashlib.sha256(repr((_version(program), part.source, part.values)).encode())
    for each in sorted(sources.glob("*.scad")):
        if each.name in _included(sources, part.source):
            key.update(each.read_bytes())
    return key.hexdigest()[:16]


def _included(sources: Path, name: str) -> set[str]:
    """A source and all that it includes."""
    found = {name}
    for line in (sources / name).read_text("utf-8").splitlines():
        if line.startswith("include <"):
            found |= _included(sources, line.split("<")[1].split(">")[0])
    return found


def _program() -> str:
    program = shutil.which(PROGRAM)
    if program is None:
        raise NoSolid(
            "OpenSCAD is not installed: `sudo apt install openscad`, or `make -C hardware`, which"
            " installs it"
        )
    return program


@cache
def _version(program: str) -> str:
    asked = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return asked.stdout + asked.stderr
