"""What many sheets have on them: tags, a ruler to check the printer with, lines to cut along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from controller.sheets.page import FAINT, GREY, INK, words
from engine.draw.shapes import number, tag

BLACK = "#000000"
RULER_MM = 100.0
CUT: Mapping[str, str | float] = {
    "stroke": FAINT,
    "stroke_width": 0.15,
    "stroke_dasharray": "1.2 0.8",
}


def modules(dark: npt.NDArray[np.bool_], x: float, y: float, side: float) -> str:
    """A raster of black modules as one shape, so that no printer leaves gaps between them."""
    step = side / dark.shape[1]
    runs: list[str] = []
    for row, line in enumerate(dark):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False]))))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            left, top = number3(x + start * step), number3(y + row * step)
            runs.append(f"M{left} {top}h{number3((end - start) * step)}v{number3(step)}"
                        f"H{left}Z")  # fmt: skip
    return tag("path", d="".join(runs), fill=BLACK)


def number3(value: float) -> str:
    """Micrometres: modules must meet."""
    return f"{value:.3f}"


def ruler(x: float, y: float) -> str:
    """100 mm from the first stroke to the last: below it stands what to do if they are not."""
    strokes = []
    for millimetre in range(int(RULER_MM) + 1):
        length = 4.0 if millimetre % 10 == 0 else 2.8 if millimetre % 5 == 0 else 1.6
        strokes.append(f"M{number(x + millimetre)} {number(y)}v{number(length)}")
    numbers = [
        words(str(tens), x + tens, y + 6.6, 2.4, anchor="middle") for tens in range(0, 101, 10)
    ]
    return tag(
        "g",
        tag("path", d="".join(strokes), fill="none", stroke=INK, stroke_width=0.15),
        tag("path", d=f"M{number(x)} {number(y)}h{number(RULER_MM)}", stroke=INK, stroke_width=0.2),
        *numbers,
        words("100 mm: measure it. If not, print again at 100 % (\"actual size\").",
              x + RULER_MM + 4, y + 3.4, 2.8, fill=GREY),
    )  # fmt: skip


def cut_rectangle(x: float, y: float, width: float, height: float) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill="none", **CUT)


def paragraph(lines: Sequence[str], x: float, y: float, size: float, fill: str = INK) -> str:
    """Lines below each other, the first one standing on y."""
    return "".join(
        words(line, x, y + 1.35 * size * row, size, fill=fill) for row, line in enumerate(lines)
    )
