"""Renders pages as a printer does: PDF, rasterised by poppler."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import numpy.typing as npt

from controller.builder.printables.page_files import render_pdf
from engine.draw.page import Page

Picture = npt.NDArray[np.uint8]

PER_MM = 20
_DPI = PER_MM * 25.4


def rendered(pages: Sequence[Page], per_mm: float = PER_MM) -> list[Picture]:
    """Grey pictures of all pages with `per_mm` pixels per millimetre."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "sheet.pdf")
        file.write_bytes(render_pdf(pages, "test"))
        return rendered_file(file, per_mm)


def rendered_file(file: Path, per_mm: float = PER_MM) -> list[Picture]:
    with TemporaryDirectory() as folder:
        command = ["pdftoppm", "-gray", "-r", f"{per_mm * 25.4}", str(file), f"{folder}/page"]
        subprocess.run(command, check=True)
        pictures = [cv2.imread(str(name), 0) for name in sorted(Path(folder).iterdir())]
    return [np.asarray(picture, np.uint8) for picture in pictures]


def dark_box_mm(picture: Picture, per_mm: float = PER_MM) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the black area, in millimetres."""
    rows, columns = np.nonzero(picture < 64)
    left, right = columns.min() / per_mm, (columns.max() + 1) / per_mm
    return float(left), float(rows.min() / per_mm), float(right), float((rows.max() + 1) / per_mm)


def rendered_part(
    file: Path, page: int, left: float, top: float, width: float, height: float
) -> Picture:
    """A grey picture of a rectangle of one page, in millimetres."""
    box = [str(round(n * PER_MM)) for n in (left, top, width, height)]
    with TemporaryDirectory() as folder:
        command = ["pdftoppm", "-gray", "-r", f"{_DPI}", "-f", str(page), "-l", str(page),
                   *(n for pair in zip(("-x", "-y", "-W", "-H"), box, strict=True) for n in pair),
                   str(file), f"{folder}/part"]  # fmt: skip
        subprocess.run(command, check=True)
        (name,) = Path(folder).iterdir()
        return np.asarray(cv2.imread(str(name), 0), np.uint8)


def longest_ruler_mm(strip: Picture, per_mm: float = PER_MM) -> list[float]:
    """Positions of a ruler's long strokes, relative to the first one."""
    strokes = np.flatnonzero((strip < 100).sum(axis=0) > 3.5 * per_mm)
    starts = strokes[np.diff(strokes, prepend=-9) > 1] / per_mm
    return [float(n) for n in starts - starts[0]]


def unlike_tag(
    picture: Picture, dark: npt.NDArray[np.bool_], side_mm: float, per_mm: float = PER_MM
) -> str:
    """The first module that is more than 0.1 mm off; empty if there is none.

    The tag's upper left corner must be that of the picture.
    """
    rows, columns = dark.shape
    step, slack = side_mm / columns, 0.1
    for row in range(rows):
        for column in range(columns):
            x, y = column * step, row * step
            left, top = (round((n + slack) * per_mm) for n in (x, y))
            right, bottom = (round((n + step - slack) * per_mm) for n in (x, y))
            module = picture[top:bottom, left:right]
            if not ((module < 64).all() if dark[row, column] else (module > 192).all()):
                return f"module {column}, {row} of {columns} x {rows}"
    return ""
