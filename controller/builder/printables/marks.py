"""Elements of many sheets: tag modules, a ruler to check the print size, cutting lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from controller.builder import paper_sentences as sentences
from engine.draw.page import FAINT, GREY, INK, text_line
from engine.draw.shapes import element, format_number

BLACK = "#000000"
RULER_MM = 100.0
CUT_LINE_STYLE: Mapping[str, str | float] = {
    "stroke": FAINT,
    "stroke_width": 0.15,
    "stroke_dasharray": "1.2 0.8",
}


def draw_modules(dark: npt.NDArray[np.bool_], x: float, y: float, side: float) -> str:
    """Black modules as one path, so that printers leave no gaps between them."""
    step = side / dark.shape[1]
    runs: list[str] = []
    for row, line in enumerate(dark):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False]))))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            left, top = format_mm(x + start * step), format_mm(y + row * step)
            runs.append(f"M{left} {top}h{format_mm((end - start) * step)}v{format_mm(step)}"
                        f"H{left}Z")  # fmt: skip
    return element("path", d="".join(runs), fill=BLACK)


def format_mm(value: float) -> str:
    """Micrometre precision: adjacent modules must touch."""
    return f"{value:.3f}"


def ruler(x: float, y: float) -> str:
    """A ruler of 100 mm, with instructions for the case that it is shorter."""
    strokes = []
    for millimetre in range(int(RULER_MM) + 1):
        length = 4.0 if millimetre % 10 == 0 else 2.8 if millimetre % 5 == 0 else 1.6
        strokes.append(
            f"M{format_number(x + millimetre)} {format_number(y)}v{format_number(length)}"
        )
    numbers = [
        text_line(str(tens), x + tens, y + 6.6, 2.4, anchor="middle") for tens in range(0, 101, 10)
    ]
    edge = f"M{format_number(x)} {format_number(y)}h{format_number(RULER_MM)}"
    return element(
        "g",
        element("path", d="".join(strokes), fill="none", stroke=INK, stroke_width=0.15),
        element("path", d=edge, stroke=INK, stroke_width=0.2),
        *numbers,
        text_line(str(sentences.RULER()), x + RULER_MM + 4, y + 3.4, 2.8, fill=GREY),
    )


def paragraph(lines: Sequence[str], x: float, y: float, size: float, fill: str = INK) -> str:
    """Lines of text; the baseline of the first is at y."""
    return "".join(
        text_line(line, x, y + 1.35 * size * row, size, fill=fill) for row, line in enumerate(lines)
    )
