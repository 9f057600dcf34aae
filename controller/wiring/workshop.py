"""Programs that make things: solids from OpenSCAD's sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.bodies.parts import Part


def render_parts(parts: Sequence[Part], kept: Path) -> Iterator[tuple[Part, Path, bool]]:
    """Each part, its STL file in the folder `kept`, and whether it was rendered just now."""
    from controller.devices.openscad import render

    return render(parts, kept)
