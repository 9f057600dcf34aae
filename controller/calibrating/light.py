"""The light on the board, cell by cell: too much, too little, uneven, mirrored.

White paper tells how bright it is: the caps of the pieces and the corner tags. A lamp that is
mirrored makes black print bright, which no lamp does that merely shines on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from controller.calibrating.verdict import Finding, points, some
from controller.picture_quality import SATURATED_LEVEL
from controller.ports import Pixels
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.observation import Observation, State
from vision.pose import Lock
from vision.tags import CORNERS
from vision.view import Points

Floats = npt.NDArray[np.float64]

SAMPLES = 12  # a side of every patch
PATCH_TAGS = 1.2  # sides of a tag that a patch is wide: with some of the white around it
DARK, BRIGHT = 10, 90  # percentiles of a patch: its print and its paper
GLARE = 0.15  # of the light of white paper: more than that on black print was mirrored
GLARE_LEVEL = 0.8  # of white: how bright such a cell is at least; skin and sleeves are darker
SPOT_CELLS = 1.6  # cells nearer to each other than this are one spot
GAMMA = 2.2  # from levels to light


@dataclass(frozen=True)
class CellLight:
    """Levels of the picture: of every cell, and of what is white."""

    white: float  # of paper, usually
    black: float  # of print, usually
    clipped: float  # part of the paper that is saturated
    evenness: float  # light on the darkest paper, as part of the brightest
    darkest: Cell  # at or beside the darkest paper
    glare: tuple[Cell, ...]  # where a lamp is mirrored, the worst first, one cell a spot

    def findings(self, board: PhysicalBoard) -> Iterator[Finding]:
        name = board.grid.name
        yield Finding(
            points(self.white, (0, 0), (30, 40), (70, 75), (110, 100)),
            "it is dark: more light on the board, or a longer exposure",
        )
        yield Finding(
            points(self.clipped, (0.1, 100), (0.3, 70), (1, 30)),
            f"too bright: {100 * self.clipped:.0f} % of the tags are as white as the camera can"
            " see; a shorter exposure, or less light",
        )
        lamps, them = (
            ("a lamp reflects", "it") if len(self.glare) == 1 else ("lamps reflect", "them")
        )
        yield Finding(
            100 if not self.glare else max(30, 70 - 10 * len(self.glare)),
            f"{lamps} at {some([name(cell) for cell in self.glare])}: move {them}, or hang thin"
            f" white cloth before {them}",
        )
        yield Finding(
            points(self.evenness, (0.1, 20), (0.25, 60), (0.4, 80), (0.6, 100)),
            f"it is much darker around {name(self.darkest)} than elsewhere: move what throws"
            " the shadow, or add a lamp on that side",
        )
        yield Finding(
            points(1 - self.black / max(1.0, self.white), (0.1, 10), (0.3, 75), (0.5, 100)),
            "the tags are pale, black is nearly as bright as white: let no lamp shine into the"
            " lens, and wipe it",
        )


def cell_light(grey: Pixels, board: PhysicalBoard, lock: Lock, seen: Observation) -> CellLight:
    """Measure the light at every cell, at the height of the caps, and at the corner tags."""
    corners = [index for index, tag in enumerate(CORNERS) if tag in lock.corners]
    cells = _levels(grey, lock, board.centres_mm(), board.tag_mm, board.cap_height_mm)
    tags = _levels(grey, lock, board.corner_tags_mm()[corners], board.corner_mm, 0.0)
    standing = np.array([each.state is State.OCCUPIED for each in seen.sightings])
    dark, bright = np.concatenate([cells[standing], tags]).T
    places = np.concatenate([board.centres_mm()[standing], board.corner_tags_mm()[corners]])
    away = board.centres_mm() - places[int(np.argmin(bright))]
    low, high = np.percentile(_light(bright), (5, 95))
    return CellLight(
        float(np.median(bright)),
        float(np.median(dark)),
        float((bright >= SATURATED_LEVEL).mean()),
        float(low / max(high, 1e-6)),
        int(np.argmin(np.hypot(*away.T))),
        _spots(board, _mirrored(cells, standing, float(np.percentile(bright, 95)))),
    )


def _light(levels: Floats) -> Floats:
    return np.asarray((levels / 255) ** GAMMA)


def _levels(grey: Pixels, lock: Lock, places_mm: Points, tag_mm: float, up_mm: float) -> Floats:
    """The dark and the bright level of the patch at each of these places."""
    along = ((np.arange(SAMPLES) + 0.5) / SAMPLES - 0.5) * PATCH_TAGS * tag_mm
    around = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    pixels = lock.view.project((places_mm[:, None] + around).reshape(-1, 2), up_mm)
    x, y = pixels.astype(np.float32).reshape(len(places_mm), -1, 2).transpose(2, 0, 1)
    seen = cv2.remap(
        grey,
        np.ascontiguousarray(x),
        np.ascontiguousarray(y),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(np.percentile(seen, (DARK, BRIGHT), axis=1).T, np.float64)


def _mirrored(cells: Floats, standing: npt.NDArray[np.bool_], white: float) -> Floats:
    """The light on each cell that its print or its ground cannot have sent, as part of white's.

    In a shadow paper and print are dark alike, so print is compared with the paper around it.
    """
    dark, bright = _light(cells).T
    usual = np.full(len(cells), np.median(dark[~standing]) if (~standing).any() else 0.0)
    if standing.any():
        usual[standing] = bright[standing] * np.median(dark[standing] / bright[standing])
    shines = cells[:, 1] > GLARE_LEVEL * white
    return np.where(shines, (dark - usual) / _light(np.array(white)), 0.0)


def _spots(board: PhysicalBoard, mirrored: Floats) -> tuple[Cell, ...]:
    """The cells on which something is mirrored, of neighbours only the brightest."""
    spots: list[Cell] = []
    centres = board.centres_mm()
    for cell in np.argsort(-mirrored).tolist():
        apart = [float(np.hypot(*(centres[cell] - centres[spot]))) for spot in spots]
        if mirrored[cell] > GLARE and all(each > SPOT_CELLS * board.cell_mm for each in apart):
            spots.append(cell)
    return tuple(spots)
