"""Caps cut to fit a hexagon leave little white at a tag's corners: it is read all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.bodies.outlines import cap_outline
from controller.bodies.sizes import AROUND_CAP_MM
from controller.config import load_board
from engine import games
from engine.draw.palette import Form
from engine.game import Piece
from tests.vision.tables import read_tags, setting
from vision.scene import Conditions, bodies
from vision.scene.bodies import Outline

BOARD = load_board("hex-r5")
CELLS = (12, 40)
BAD_LIGHT = Conditions(white=0.1, noise=12)


@pytest.mark.parametrize("turned", [0, pytest.param(1, marks=pytest.mark.slow), 5])
def test_a_ship_with_a_trimmed_cap_is_read(turned: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bodies.owned

    def trimmed(width: float, form: Form) -> Outline:
        if width != BOARD.cap_mm:  # the foot
            return whole(width, form)
        return cap_outline(BOARD, form, AROUND_CAP_MM)

    monkeypatch.setattr(bodies, "owned", trimmed)
    game = games.make("spaceships")
    first, second = CELLS
    pieces = {first: Piece("ship", 0, turned), second: Piece("ship", 1, (turned + 2) % 6)}
    table = replace(setting(pieces, game, BOARD, tilt=20.0), conditions=BAD_LIGHT)
    assert read_tags(table.reader().read(table.frame(2))) == {
        BOARD.grid.name(first): (12, turned),
        BOARD.grid.name(second): (25, (turned + 2) % 6),
    }
