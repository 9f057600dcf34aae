"""Renders images as text: two pixels per character in colour, otherwise shades of ASCII."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from controller.ports.devices import Pixels

SHADES = " .:-=+*#%@"  # from dark to bright, as on a dark terminal
COLOUR_STEP = 8  # quantisation: fewer colours make longer runs and less output
RESET_CODE = "\x1b[0m"
UPPER_HALF_BLOCK = "▀"


def fit_to_terminal(image: Pixels, columns: int, rows: int) -> Pixels:
    """Scale an image to the terminal, as BGR; a character is two pixels high."""
    height, width = image.shape[:2]
    scale = min(columns / width, 2 * rows / height)
    size = (max(1, round(width * scale)), max(2, 2 * round(height * scale / 2)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small if small.ndim == 3 else np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR))


def image_lines(pixels: Pixels, *, colour: bool) -> list[str]:
    """Lines of text for an image from `fit_to_terminal`."""
    upper, lower = pixels[::2], pixels[1::2]
    if not colour:
        grey = np.mean([upper.mean(axis=2), lower.mean(axis=2)], axis=0)
        shades = (grey * len(SHADES) / 256).astype(int).tolist()
        return ["".join(SHADES[shade] for shade in row) for row in shades]
    both = np.concatenate([upper[..., ::-1], lower[..., ::-1]], axis=2) // COLOUR_STEP * COLOUR_STEP
    packed = both.astype(np.int64) @ (1 << np.arange(40, -1, -8, dtype=np.int64))
    return [_line(row) for row in packed]


def _line(cells: npt.NDArray[np.int64]) -> str:
    """One escape code per run of equal colours."""
    begins = np.concatenate([[0], np.flatnonzero(np.diff(cells)) + 1])
    lengths = np.diff(np.append(begins, len(cells)))
    runs = zip(cells[begins].tolist(), lengths.tolist(), strict=True)
    return "".join([_code(cell) + UPPER_HALF_BLOCK * length for cell, length in runs]) + RESET_CODE


@lru_cache(maxsize=1 << 15)
def _code(cell: int) -> str:
    """The escape code of an upper and a lower colour, packed into six bytes."""
    red, green, blue, *ground = cell.to_bytes(6, "big")
    return f"\x1b[38;2;{red};{green};{blue};48;2;{';'.join(map(str, ground))}m"
