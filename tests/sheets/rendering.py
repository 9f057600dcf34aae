"""Pages as a printer would put them on paper: PDF, rendered by poppler."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import numpy.typing as npt

from controller.sheets.page import Page
from controller.sheets.pdf import pdf

Picture = npt.NDArray[np.uint8]

PER_MM = 20
_DPI = PER_MM * 25.4


def rendered(pages: Sequence[Page], per_mm: float = PER_MM) -> list[Picture]:
    """Each page in grey, `per_mm` pixels for every millimetre."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "sheet.pdf")
        file.write_bytes(pdf(pages, "test"))
        return rendered_file(file, per_mm)


def rendered_file(file: Path, per_mm: float = PER_MM) -> list[Picture]:
    with TemporaryDirectory() as folder:
        command = ["pdftoppm", "-gray", "-r", f"{per_mm * 25.4}", str(file), f"{folder}/page"]
        subprocess.run(command, check=True)
        pictures = [cv2.imread(str(name), 0) for name in sorted(Path(folder).iterdir())]
    return [np.asarray(picture, np.uint8) for picture in pictures]


def dark_box_mm(picture: Picture, per_mm: float = PER_MM) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is black, in millimetres."""
    rows, columns = np.nonzero(picture < 64)
    left, right = columns.min() / per_mm, (columns.max() + 1) / per_mm
    return float(left), float(rows.min() / per_mm), float(right), float((rows.max() + 1) / per_mm)
