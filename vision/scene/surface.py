"""The table and the empty board, as rasters of reflectance.

Reflectance is linear, blue first as in OpenCV, and 1 is white paper.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.draw import palette
from engine.draw.shapes import CELL, cell_corners
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.scene.camera import FULL_SCALE, linear
from vision.scene.prints import BOARD_PX_PER_MM
from vision.scene.projection import Points, Raster

Reflectance = npt.NDArray[np.float32]

TABLE_PX_PER_MM = 1.0
TABLE_MARGIN_MM = 420.0
GROOVE_MM = 0.7  # between a tile and the edge of its cell
BED_MM = 2.5  # around the outermost tiles
ROW_OF_HEXAGONS = sqrt(3) / 2  # distance of rows whose centres are 1 apart
SUBPIXEL = 4  # fractional bits in OpenCV's drawing functions
WOOD = ("#6f4a2c", "#b98a58")  # dark and light grain
TILES = ("#39465e", "#46546f", "#3f4f66")  # smoked acrylic: paler than on a screen
GROOVE = "#161b26"
RIM = ("#20262f", "#2b323e")
EDGE = "#4a5466"
LETTERS = "#8793a8"


@lru_cache(maxsize=256)
def reflectance(colour: str) -> Reflectance:
    """A palette colour as linear blue, green, red."""
    return linear(np.array(palette.parse_rgb(colour)[::-1]) / 255).astype(np.float32)


def to_scalar(colour: str) -> list[float]:
    """A palette colour for OpenCV's drawing functions."""
    return [float(channel) for channel in reflectance(colour)]


def to_fixed_point(points: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Points for OpenCV's drawing functions with `shift=SUBPIXEL`."""
    return np.asarray(np.rint(np.asarray(points) * (1 << SUBPIXEL)), np.int32)


def board_raster(board: PhysicalBoard) -> Raster:
    rim = board.corner_offset_mm + board.corner_mm / 2 + 8
    width, height = board.size_mm
    return Raster(-rim, -rim, width + 2 * rim, height + 2 * rim, BOARD_PX_PER_MM)


def table_raster(board: PhysicalBoard) -> Raster:
    (width, height), out = board.size_mm, TABLE_MARGIN_MM
    return Raster(-out, -out, width + 2 * out, height + 2 * out, TABLE_PX_PER_MM)


def cell_outline_mm(board: PhysicalBoard, cell: Cell, inset_mm: float = 0.0) -> Points:
    scale = board.cell_mm / CELL
    outline = np.array(cell_corners(board.grid, inset_mm / scale)) * scale
    return np.asarray(outline + np.array(board.centre_mm(cell)))


@lru_cache(maxsize=4)
def board_surface(board: PhysicalBoard) -> npt.NDArray[np.uint16]:
    """The board from above, `FULL_SCALE` being white. 16 bits warp twice as fast."""
    raster = board_raster(board)
    image = np.empty((*raster.shape, 3), np.float32)
    _rim(image, raster)
    cells = range(board.grid.size)
    bed = [to_fixed_point(raster.pixels(cell_outline_mm(board, cell, -BED_MM))) for cell in cells]
    for outline in bed:
        cv2.fillPoly(image, [outline], to_scalar(GROOVE), shift=SUBPIXEL)
    for cell in cells:
        _tile(image, raster, board, cell)
    _letters(image, raster, board)
    smooth = cv2.GaussianBlur(image, (0, 0), 0.7)
    rng = np.random.default_rng(1)
    smooth *= (1 + 0.03 * rng.standard_normal((*raster.shape, 1))).astype(np.float32)
    return np.asarray(np.clip(smooth * FULL_SCALE, 0, FULL_SCALE), np.uint16)


@lru_cache(maxsize=4)
def table_surface(board: PhysicalBoard) -> Reflectance:
    """A wooden table top: planks with grain along x."""
    raster = table_raster(board)
    rng = np.random.default_rng(2)
    _, y = raster.millimetres()
    bend = _clouds(rng, raster.shape, (90, 420)) * 16 + _clouds(rng, raster.shape, (25, 130)) * 4
    plank = np.floor(y / 130)
    offset = np.sin(plank * 37.1) * 60
    rings = 0.5 + 0.5 * np.sin((y + offset + bend) / 2.9)
    fibre = _clouds(rng, raster.shape, (1.6, 34))
    light = np.clip(0.42 + 0.26 * rings + 0.16 * fibre + 0.12 * np.sin(plank * 11.3), 0, 1)
    dark_wood, light_wood = (reflectance(colour) for colour in WOOD)
    image = dark_wood + light[..., None].astype(np.float32) * (light_wood - dark_wood)
    gap = np.abs((y / 130) % 1 - 0.5) > 0.5 - 0.7 / 130
    image *= np.where(gap, 0.45, 1.0)[..., None].astype(np.float32)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.float32)


def transmission(board: PhysicalBoard, raster: Raster) -> Reflectance:
    """The share of LED light that passes: tiles are translucent, the rest is opaque."""
    image = np.zeros(raster.shape, np.float32)
    outlines = [
        to_fixed_point(raster.pixels(cell_outline_mm(board, cell, GROOVE_MM)))
        for cell in range(board.grid.size)
    ]
    cv2.fillPoly(image, outlines, 1.0, shift=SUBPIXEL)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * raster.px_per_mm), np.float32)


def _rim(image: Reflectance, raster: Raster) -> None:
    """A dark frame with a bright line along its edge."""
    rows = np.linspace(0, 1, len(image), dtype=np.float32)[:, None, None]
    dark, bright = (reflectance(colour) for colour in RIM)
    image[:] = dark + rows * (bright - dark)
    line = round(1.2 * raster.px_per_mm)
    for edge in (image[:line], image[-line:], image[:, :line], image[:, -line:]):
        edge[:] = reflectance(EDGE)


def _tile(image: Reflectance, raster: Raster, board: PhysicalBoard, cell: Cell) -> None:
    """A tile with a bright bevel."""
    shade = TILES[_shade_index(board, cell)]
    for inset, colour in ((GROOVE_MM, palette.mix_colours(shade, "#ffffff", 0.16)), (1.5, shade)):
        outline = to_fixed_point(raster.pixels(cell_outline_mm(board, cell, inset)))
        cv2.fillPoly(image, [outline], to_scalar(colour), shift=SUBPIXEL)


def _shade_index(board: PhysicalBoard, cell: Cell) -> int:
    """The shade of a tile, different from its neighbours: two for squares, three for hexagons."""
    x, y = board.grid.centre(cell)
    if board.grid.headings == 4:
        return (int(np.floor(x)) + int(np.floor(y))) % 2
    row = round(y / ROW_OF_HEXAGONS)
    return (round(x - row / 2) - row) % 3


def _letters(image: Reflectance, raster: Raster, board: PhysicalBoard) -> None:
    """The names of columns and rows on the rim of a board of squares."""
    grid = board.grid
    if grid.headings != 4:
        return
    written = np.zeros(raster.shape, np.uint8)
    reach = board.cell_mm / 2 + 11
    for cell in range(grid.size):
        name, (x, y) = grid.name(cell), board.centre_mm(cell)
        for heading, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            if grid.ahead(cell, heading) is None:
                label = name[1:] if heading % 2 else name[0]
                _write(written, raster, label, x + dx * reach, y + dy * reach)
    image += (written / 255)[..., None].astype(np.float32) * (reflectance(LETTERS) - image)


def _write(
    image: npt.NDArray[np.uint8], raster: Raster, text: str, x_mm: float, y_mm: float
) -> None:
    font, size, thick = cv2.FONT_HERSHEY_DUPLEX, 0.28 * raster.px_per_mm, 2
    (width, height), _ = cv2.getTextSize(text, font, size, thick)
    x, y = raster.pixels((x_mm, y_mm))[0]
    at = (round(x - width / 2), round(y + height / 2))
    cv2.putText(image, text, at, font, size, 255, thick)


def _clouds(
    rng: np.random.Generator, shape: tuple[int, int], grain: tuple[float, float]
) -> Reflectance:
    """Smooth random values with spots of size `grain` in pixels."""
    coarse = rng.standard_normal([int(n / g) + 2 for n, g in zip(shape, grain, strict=True)])
    clouds = cv2.resize(
        coarse.astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC
    )
    return np.asarray(clouds, np.float32)
