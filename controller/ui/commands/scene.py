"""Renders a picture of a table as a camera would take it, with its ground truth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.storage.image_files import save_png
from controller.ui.console import BadInput, Console, write_file
from engine.errors import did_you_mean, excerpt
from engine.game import AnyGame, Piece
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.scene import SCENARIOS, BuiltScenario, TagTruth, build_scenario
from vision.sentences import NO_SCENARIO


@dataclass(frozen=True)
class SceneOptions:
    """What is rendered: scenario, seed, board and pieces; and the files to write."""

    scenario: str
    shot: int
    board: PhysicalBoard
    game: AnyGame
    pieces: Mapping[Cell, Piece] | None  # None: all pieces, on random cells
    size: tuple[int, int]
    out: str | None = None
    lock_out: str | None = None
    truth: str | None = None


def list_scenarios(console: Console) -> int:
    for name in SCENARIOS:
        console.print(name)
    return 0


def check_scenario(name: str) -> None:
    if name not in SCENARIOS:
        suggestion = did_you_mean(name, SCENARIOS)
        raise BadInput(NO_SCENARIO(name=excerpt(name), suggestion=suggestion))


def render_scene(options: SceneOptions, console: Console) -> int:
    """Render the picture, the same view in good light, and the ground truth."""
    game = options.game
    built = build_scenario(
        options.scenario, options.board, options.shot, options.size, options.pieces, game
    )
    if options.out is not None:
        save_png(options.out, built.frame)
    if options.lock_out is not None:
        save_png(options.lock_out, built.lock_frame)
    if options.truth is not None:
        write_file(options.truth, json.dumps(_truth(built, game), indent=1) + "\n", console)
    return 0


def _truth(built: BuiltScenario, game: AnyGame) -> dict[str, Any]:
    grid = built.scene.board.grid

    def orientation(each: TagTruth) -> int:
        return (game.tags[each.tag].orientation + each.orientation) % grid.headings

    return {
        "tags": [
            {
                "tag": each.tag,
                "cell": None if each.cell is None else grid.name(each.cell),
                "orientation": round(grid.degrees(orientation(each))) % 360,
                "angle_degrees": round(each.angle_degrees % 360, 1),
                "x_mm": round(each.x_mm, 1),
                "y_mm": round(each.y_mm, 1),
                "visible": each.visible,
                "visible_fraction": round(each.visible_fraction, 3),
            }
            for each in built.truth.tags
        ],
        "covered": sorted(grid.name(cell) for cell in built.truth.covered),
        "game": game.name,
    }
