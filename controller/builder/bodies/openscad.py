"""Runs OpenSCAD: renders printed parts to STL files, with a cache.

The name of a cached file contains a hash of the code, the variables and OpenSCAD's version.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.dimensions import format_scad
from controller.builder.bodies.parts import PrintedPart
from engine.errors import LaserboardError

SCAD_FOLDER = Path(__file__).parents[3] / "hardware" / "bodies"
PROGRAM = "openscad"
RENDER_TIMEOUT_S = 600


class OpenScadError(LaserboardError, RuntimeError):
    """OpenSCAD is missing, or cannot render a part."""


def render_parts(
    parts: Sequence[PrintedPart], cache_folder: Path, sources: Path = SCAD_FOLDER
) -> Iterator[tuple[PrintedPart, Path, bool]]:
    """Render parts on all cores; yields each part, its STL file, and whether the file is new."""
    program = _find_program()
    cache_folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        yield from threads.map(
            lambda part: (part, *_render_part(program, part, cache_folder, sources)), parts
        )


def _render_part(
    program: str, part: PrintedPart, cache_folder: Path, sources: Path
) -> tuple[Path, bool]:
    stl = cache_folder / f"{part.group}-{part.name}-{_cache_key(program, part, sources)}.stl"
    if stl.exists():
        return stl, False
    with tempfile.TemporaryDirectory(dir=cache_folder) as folder:
        output = Path(folder) / "part.stl"
        defines = [
            word
            for name, value in part.variables
            for word in ("-D", f"{name}={format_scad(value)}")
        ]
        command = [program, "-q", "--export-format", "binstl", "-o", str(output), *defines]
        try:
            ended = subprocess.run(
                [*command, "--hardwarnings", str(sources / part.scad_file)],
                capture_output=True,
                text=True,
                timeout=RENDER_TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise OpenScadError(
                sentences.OPENSCAD_TIMED_OUT(part=part.name, seconds=RENDER_TIMEOUT_S)
            ) from error
        if ended.returncode != 0 or not output.exists():
            message = ended.stderr.strip() or sentences.EXIT_STATUS(status=ended.returncode)
            raise OpenScadError(
                sentences.OPENSCAD_FAILED(part=part.name, file=part.scad_file, output=message)
            )
        output.replace(stl)  # atomic: the cache never holds part of a file
    return stl, True


def _cache_key(program: str, part: PrintedPart, sources: Path) -> str:
    key = hashlib.sha256(repr((_program_version(program), part.scad_file, part.variables)).encode())
    for each in sorted(sources.glob("*.scad")):
        if each.name in _included_sources(sources, part.scad_file):
            key.update(scad_code(each.read_text("utf-8")).encode())
    return key.hexdigest()[:16]


def scad_code(text: str) -> str:
    """OpenSCAD source without comments and white space."""
    return re.sub(r"//[^\n]*|/\*.*?\*/|\s+", "", text, flags=re.DOTALL)


def _included_sources(sources: Path, name: str) -> set[str]:
    """A source and all files that it includes."""
    included = {name}
    for line in (sources / name).read_text("utf-8").splitlines():
        if line.startswith("include <"):
            included |= _included_sources(sources, line.split("<")[1].split(">")[0])
    return included


def _find_program() -> str:
    program = shutil.which(PROGRAM)
    if program is None:
        raise OpenScadError(sentences.OPENSCAD_MISSING())
    return program


@cache
def _program_version(program: str) -> str:
    ended = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return ended.stdout + ended.stderr


def copy_if_changed(stl: Path, path: Path) -> None:
    """Copy a rendered part to a file unless the same file is there."""
    if not path.exists() or path.read_bytes() != stl.read_bytes():
        shutil.copyfile(stl, path)
