"""A paper table, made as a new user makes it: print, cut, glue, calibrate lens and camera.

The commands' PDFs are rendered, cut and glued. A simulated camera with a wide lens looks at them
from the side, in little light.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.builder.printables.board_pages import board_tiles
from controller.config.board_file import load_board, load_lens
from engine.draw.page import A4
from hardware import boards
from tests.support.builder.cut_sheets import SCAN_PER_MM, all_caps, glued, in_colour, inked, kept_in
from tests.support.cli import Laserboard
from tests.support.vision.calibration_sheets import directions
from vision.camera_model import CameraModel, Lens
from vision.scene.camera import CameraConditions, develop
from vision.scene.prints import paper_reflectance
from vision.scene.projection import Raster, warp_to_image

BARREL = 0.2
LENS = Lens(distortion=(-BARREL, 0, 0, 0, 0))
SIZE = (1280, 720)
SQUARE_MM = 35.0  # approximate: affects only the position of the sheet
BAD_LIGHT = CameraConditions(white=0.1, noise=7, grey=True)


def photographs(sheet: Path) -> Iterator[np.ndarray]:
    """Pictures of the calibration sheet in many poses."""
    (page,) = in_colour(sheet, 5)
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    height, width = (length / 5 for length in grey.shape)
    paper = paper_reflectance(np.asarray(grey, np.uint8))
    to_pixels = Raster(-width / 2, -height / 2, width, height, 5).matrix()
    for number, (turned, (x, y, far)) in enumerate(directions()):
        held = (x * SQUARE_MM, y * SQUARE_MM, far * SQUARE_MM)
        light = np.asarray(
            warp_to_image(paper, to_pixels, CameraModel(LENS, *SIZE, turned, held)), np.float32
        )
        yield develop(light[..., None].copy(), BAD_LIGHT, np.random.default_rng(number))


def made_of_paper(laserboard: Laserboard, folder: Path) -> tuple[str, ...]:
    """Prints and sets up everything in `folder`; returns the options for `simulate`."""
    for sheet in ("board", "tags"):
        laserboard.prints("print", sheet, "--board", "paper-10x8", "--out", f"{folder}/{sheet}.pdf")
    laserboard.prints("print", "calibration", "--out", f"{folder}/calibration.pdf")

    tiles = board_tiles(load_board("paper-10x8"), A4)
    board = inked(glued(tiles, in_colour(folder / "board.pdf"), SCAN_PER_MM))
    prints = folder / "paper"
    prints.mkdir()
    caps = all_caps(in_colour(folder / "tags.pdf"))
    kept_in(prints, board, tiles[0].visible_area.left, tiles[0].visible_area.top, caps)

    names = []
    for number, photo in enumerate(photographs(folder / "calibration.pdf")):
        names.append(f"{folder}/photo-{number}.png")
        cv2.imwrite(names[-1], photo)
    laserboard.prints("calibrate", "lens", *names, "--out", f"{folder}/lens.yaml")
    lens = load_lens(f"{folder}/lens.yaml")
    assert lens.focal == pytest.approx(LENS.focal, rel=0.02)
    assert lens.distortion[0] == pytest.approx(-BARREL, abs=0.04)

    text = (Path(str(boards.__path__[0])) / "paper-10x8.yaml").read_text("utf-8")
    mine = folder / "mine.yaml"
    mine.write_text(text + "\ncamera:\n  lens: lens.yaml\n", "utf-8")
    camera = f"sim://?prints={prints}&sensor=grey&tilt_degrees=30&barrel={BARREL}&light=0.1&noise=7"
    asked = ("--board", str(mine), "--camera", camera)
    output = laserboard.prints("calibrate", "--once", *asked)
    assert "26 pieces and 54 empty cells read" in output
    assert "ready to play" in output
    assert "calibrated" in output
    return (*asked, "--leds", "none://")
