"""A picture as text for a terminal: two pixels a character in colour, else a shade of ink."""

from __future__ import annotations

from itertools import groupby

import cv2
import numpy as np

from controller.ports import Pixels

SHADES = " .:-=+*#%@"  # from dark to bright, as on a dark terminal
COARSE = 8  # levels that are told apart: fewer colours make longer runs and less to send
PLAIN = "\x1b[0m"


def fitted(picture: Pixels, columns: int, rows: int) -> Pixels:
    """The picture in colour, as large as there is room for; a character is two pixels high."""
    height, width = picture.shape[:2]
    scale = min(columns / width, 2 * rows / height)
    size = (max(1, round(width * scale)), max(2, 2 * round(height * scale / 2)))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small if small.ndim == 3 else np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR))


def as_text(pixels: Pixels, *, colour: bool) -> list[str]:
    """Lines of text for a picture that was `fitted`."""
    upper, lower = pixels[::2], pixels[1::2]
    if not colour:
        grey = np.mean([upper.mean(axis=2), lower.mean(axis=2)], axis=0)
        shades = (grey * len(SHADES) / 256).astype(int).tolist()
        return ["".join(SHADES[shade] for shade in row) for row in shades]
    both = np.concatenate([upper[..., ::-1], lower[..., ::-1]], axis=2) // COARSE * COARSE
    return [_line([tuple(each) for each in row]) for row in both.tolist()]


def _line(cells: list[tuple[int, ...]]) -> str:
    return "".join(_code(cell) + "▀" * len(list(run)) for cell, run in groupby(cells)) + PLAIN


def _code(cell: tuple[int, ...]) -> str:
    ink, ground = (";".join(map(str, part)) for part in (cell[:3], cell[3:]))
    return f"\x1b[38;2;{ink};48;2;{ground}m"
