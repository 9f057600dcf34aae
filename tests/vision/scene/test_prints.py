"""Paper boards and caps on the rendered table."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.game import Piece
from engine.sentences import Template
from tests.support.engine.sentences import raises
from tests.support.vision.rendered_tables import PAPER
from vision import sentences
from vision.camera_model import CameraModel
from vision.scene import CameraConditions, PrintedSet, Scene, ScenePiece, render
from vision.scene.prints import BadPrints

VIEW = CameraModel.looking_down(PAPER.size_mm, fill=0.6, tilt_degrees=20)
STILL = CameraConditions(noise=0)


def blank(colour: int = 255) -> PrintedSet:
    """A board in one colour, and cap 3, which is white with a black bar at its upper edge."""
    board = np.full((410, 490, 3), colour, np.uint8)
    cap = np.full((34, 34, 4), 255, np.uint8)
    cap[:6, :, :3] = 0
    return PrintedSet.from_images(board, -45, -45, {3: cap}, 1.0)


def grey(scene: Scene) -> np.ndarray:
    frame = render(scene, VIEW, STILL, np.random.default_rng(1))
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))


def level(image: np.ndarray, x_mm: float, y_mm: float) -> int:
    x, y = VIEW.project([(x_mm, y_mm)])[0]
    return int(image[round(y), round(x)])


def test_a_printed_board_has_the_place_of_a_built_one() -> None:
    image = grey(Scene(PAPER, prints=blank()))
    inside = [level(image, x, y) for x, y in ((-40, -40), (440, -40), (440, 360), (200, 160))]
    assert min(inside) > 180, "white paper up to the rim"
    assert level(image, -60, 160) < 150, "the table beside it"


@pytest.mark.parametrize(("turned", "towards"), [(0, (0, -1)), (90, (1, 0)), (180, (0, 1))])
def test_a_paper_cap_rotates_with_its_piece(turned: float, towards: tuple[int, int]) -> None:
    placed = ScenePiece(3, Piece("defender", 1), 180, 140, turned)
    image = grey(Scene(PAPER, (placed,), prints=blank()))
    front = level(image, 180 + 14 * towards[0], 140 + 14 * towards[1])
    back = level(image, 180 - 14 * towards[0], 140 - 14 * towards[1])
    assert front < 100 < 180 < back


def test_a_tag_without_a_printed_cap_is_drawn_as_usual() -> None:
    placed = ScenePiece(4, Piece("defender", 1), 180, 140)
    image = grey(Scene(PAPER, (placed,), prints=blank()))
    assert level(image, 180, 140 - 12) < 100, "the black border of its tag"


def folder_of_prints(folder: Path, **changes: object) -> Path:
    cv2.imwrite(str(folder / "board.png"), np.full((410, 490, 3), 255, np.uint8))
    cv2.imwrite(str(folder / "cap.png"), np.full((34, 34, 4), 255, np.uint8))
    board = {"file": "board.png", "left_mm": -45, "top_mm": -45}
    reported = {"px_per_mm": 1, "board": board, "caps": {"3": "cap.png"}, **changes}
    (folder / "prints.json").write_text(json.dumps(reported))
    return folder


def test_prints_are_loaded_from_a_folder(tmp_path: Path) -> None:
    prints = PrintedSet.load(folder_of_prints(tmp_path))
    assert (prints.raster.left_mm, prints.raster.width_mm) == (-45, 490)
    assert list(prints.caps) == [3]
    assert prints.caps[3].width_mm == 34


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"px_per_mm": 0}, sentences.PRINTS_SCALE),
        ({"px_per_mm": "many"}, sentences.PRINTS_INVALID),
        ({"board": {"file": "board.png"}}, sentences.PRINTS_INVALID),
        ({"caps": {"3": "board.png"}}, sentences.PRINTS_INVALID),
        ({"caps": {"3": "none.png"}}, sentences.PRINTS_UNREADABLE),
        ({"caps": [3]}, sentences.PRINTS_INVALID),
    ],
)
def test_a_folder_with_other_content_is_refused(
    tmp_path: Path, changes: dict[str, object], expected: Template
) -> None:
    with raises(BadPrints, expected) as caught:
        PrintedSet.load(folder_of_prints(tmp_path, **changes))
    assert caught.value.sentence.slots["file"] == str(tmp_path / "prints.json")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with raises(BadPrints, sentences.PRINTS_UNREADABLE):
        PrintedSet.load(tmp_path)
