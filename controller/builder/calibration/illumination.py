"""Measures the light on the board cell by cell: dark, saturated, uneven, reflected.

The white paper of caps and corner tags shows the brightness. A reflection also brightens black
print; more light on the paper does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from controller.builder import calibration_sentences as sentences
from controller.builder.calibration.image_quality import SATURATED_LEVEL
from controller.builder.calibration.score import CalibrationFinding, interpolate_points
from controller.builder.sentences import join_names
from controller.ports.devices import Pixels
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.board_lock import BoardLock
from vision.camera_model import Points
from vision.observation import CellState, Observation
from vision.tags import CORNERS

Floats = npt.NDArray[np.float64]

PATCH_SAMPLES = 12  # per side of a patch
PATCH_WIDTH_TAGS = 1.2  # width of a patch in tag widths, with some of the white border
DARK_PERCENTILE, BRIGHT_PERCENTILE = 10, 90  # print and paper of a patch
GLARE_SHARE = 0.15  # of the light of white paper: more on black print is a reflection
GLARE_LEVEL = 0.8  # of white: minimum level of a reflection; skin and sleeves are darker
SPOT_DISTANCE_CELLS = 1.6  # reflections nearer than this are one lamp
GAMMA = 2.2  # from pixel levels to light


@dataclass(frozen=True)
class CellLight:
    """Light on the board, in pixel levels and shares."""

    white_level: float  # median of the paper
    black_level: float  # median of the print
    saturated_share: float  # share of the paper that is saturated
    evenness: float  # light on the darkest paper, as a share of the brightest
    darkest_cell: Cell  # at or next to the darkest paper
    glare_cells: tuple[Cell, ...]  # one cell per reflection, the brightest first

    def findings(self, board: PhysicalBoard) -> Iterator[CalibrationFinding]:
        name = board.grid.name
        yield CalibrationFinding(
            interpolate_points(self.white_level, (0, 0), (30, 40), (70, 75), (110, 100)),
            sentences.LIGHT_DARK(),
        )
        yield CalibrationFinding(
            interpolate_points(self.saturated_share, (0.1, 100), (0.3, 70), (1, 30)),
            sentences.LIGHT_TOO_BRIGHT(percent=round(100 * self.saturated_share)),
        )
        if self.glare_cells:
            one = len(self.glare_cells) == 1
            reflection = sentences.LAMP_REFLECTS if one else sentences.LAMPS_REFLECT
            yield CalibrationFinding(
                max(30, 70 - 10 * len(self.glare_cells)),
                reflection(cells=join_names([name(cell) for cell in self.glare_cells])),
            )
        yield CalibrationFinding(
            interpolate_points(self.evenness, (0.1, 20), (0.25, 60), (0.4, 80), (0.6, 100)),
            sentences.LIGHT_UNEVEN(cell=name(self.darkest_cell)),
        )
        yield CalibrationFinding(
            interpolate_points(
                1 - self.black_level / max(1.0, self.white_level), (0.1, 10), (0.3, 75), (0.5, 100)
            ),
            sentences.TAGS_PALE(),
        )


def measure_cell_light(
    grey: Pixels, board: PhysicalBoard, lock: BoardLock, observation: Observation
) -> CellLight:
    """Measures every cell at the height of the caps, and the corner tags."""
    corners = [index for index, tag in enumerate(CORNERS) if tag in lock.corners]
    cells = _patch_levels(grey, lock, board.centres_mm(), board.tag_mm, board.cap_height_mm)
    tags = _patch_levels(grey, lock, board.corner_tags_mm()[corners], board.corner_mm, 0.0)
    occupied = np.array([each.state is CellState.OCCUPIED for each in observation.sightings])
    dark, bright = np.concatenate([cells[occupied], tags]).T
    places = np.concatenate([board.centres_mm()[occupied], board.corner_tags_mm()[corners]])
    away = board.centres_mm() - places[int(np.argmin(bright))]
    low, high = np.percentile(_linear_light(bright), (5, 95))
    return CellLight(
        float(np.median(bright)),
        float(np.median(dark)),
        float((bright >= SATURATED_LEVEL).mean()),
        float(low / max(high, 1e-6)),
        int(np.argmin(np.hypot(*away.T))),
        _glare_spots(board, _glare_shares(cells, occupied, float(np.percentile(bright, 95)))),
    )


def _linear_light(levels: Floats) -> Floats:
    return np.asarray((levels / 255) ** GAMMA)


def _patch_levels(
    grey: Pixels, lock: BoardLock, places_mm: Points, tag_mm: float, up_mm: float
) -> Floats:
    """The dark and the bright level of the patch at each place."""
    along = ((np.arange(PATCH_SAMPLES) + 0.5) / PATCH_SAMPLES - 0.5) * PATCH_WIDTH_TAGS * tag_mm
    around = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    pixels = lock.camera.project((places_mm[:, None] + around).reshape(-1, 2), up_mm)
    x, y = pixels.astype(np.float32).reshape(len(places_mm), -1, 2).transpose(2, 0, 1)
    patches = cv2.remap(
        grey,
        np.ascontiguousarray(x),
        np.ascontiguousarray(y),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(
        np.percentile(patches, (DARK_PERCENTILE, BRIGHT_PERCENTILE), axis=1).T, np.float64
    )


def _glare_shares(cells: Floats, occupied: npt.NDArray[np.bool_], white: float) -> Floats:
    """For each cell the excess light on its dark parts, as a share of white paper's light.

    Print is compared with the paper around it, because a shadow darkens both.
    """
    dark, bright = _linear_light(cells).T
    usual = np.full(len(cells), np.median(dark[~occupied]) if (~occupied).any() else 0.0)
    if occupied.any():
        usual[occupied] = bright[occupied] * np.median(dark[occupied] / bright[occupied])
    is_bright = cells[:, 1] > GLARE_LEVEL * white
    return np.where(is_bright, (dark - usual) / _linear_light(np.array(white)), 0.0)


def _glare_spots(board: PhysicalBoard, glare: Floats) -> tuple[Cell, ...]:
    """The cells with reflections; of neighbouring cells only the brightest."""
    spots: list[Cell] = []
    centres = board.centres_mm()
    for cell in np.argsort(-glare).tolist():
        distances = [float(np.hypot(*(centres[cell] - centres[spot]))) for spot in spots]
        if glare[cell] > GLARE_SHARE and all(
            each > SPOT_DISTANCE_CELLS * board.cell_mm for each in distances
        ):
            spots.append(cell)
    return tuple(spots)
