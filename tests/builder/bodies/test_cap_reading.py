"""The reader reads caps trimmed to a hexagon, which leave little white at the tag's corners."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.builder.bodies.dimensions import CAP_BORDER_MM
from controller.builder.bodies.outlines import cap_outline
from controller.config.board_file import load_board
from engine import games
from engine.draw.palette import SideShape
from engine.game import Piece
from tests.support.vision.rendered_tables import read_tags, setting
from vision.scene import CameraConditions, piece_shapes
from vision.scene.piece_shapes import Outline

BOARD = load_board("hex-r5")
CELLS = (12, 40)
BAD_LIGHT = CameraConditions(white=0.1, noise=12)


@pytest.mark.parametrize("turned", [0, pytest.param(1, marks=pytest.mark.slow), 5])
def test_a_ship_with_a_trimmed_cap_is_read(turned: int, monkeypatch: pytest.MonkeyPatch) -> None:
    untrimmed = piece_shapes.side_outline

    def trimmed(width: float, form: SideShape) -> Outline:
        if width != BOARD.cap_mm:  # the foot
            return untrimmed(width, form)
        return cap_outline(BOARD, form, CAP_BORDER_MM)

    monkeypatch.setattr(piece_shapes, "side_outline", trimmed)
    game = games.make("spaceships")
    first, second = CELLS
    pieces = {first: Piece("ship", 0, turned), second: Piece("ship", 1, (turned + 2) % 6)}
    table = replace(setting(pieces, game, BOARD, tilt=20.0), conditions=BAD_LIGHT)
    assert read_tags(table.reader().read(table.frame(2))) == {
        BOARD.grid.name(first): (12, turned),
        BOARD.grid.name(second): (25, (turned + 2) % 6),
    }
