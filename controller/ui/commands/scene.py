"""Renders an image of a table as a camera would take it, with its ground truth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.config.board_file import load_board
from controller.session.board_fit import fit_board
from controller.storage.image_files import save_png
from controller.ui.console import BadInput, Console, write_file
from controller.ui.position_options import PositionOptions
from engine.errors import did_you_mean, excerpt
from engine.game import AnyGame, Piece
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.scene import SCENARIOS, BuiltScenario, TagTruth, build_scenario
from vision.sentences import NO_SCENARIO


@dataclass(frozen=True)
class SceneOptions:
    """Options of `laserboard scene`: scenario, seed, board, pieces, and the files to write."""

    scenario: str
    shot: int
    board: str
    position: PositionOptions  # without a position: all pieces, on random cells
    size: tuple[int, int]
    out: str | None = None
    lock_out: str | None = None
    truth: str | None = None


def list_scenarios(console: Console) -> int:
    for name in SCENARIOS:
        console.print(name)
    return 0


def render_scene(options: SceneOptions, console: Console) -> int:
    """Render the image, the same view in good light, and the ground truth."""
    if options.scenario not in SCENARIOS:
        suggestion = did_you_mean(options.scenario, SCENARIOS)
        raise BadInput(NO_SCENARIO(name=excerpt(options.scenario), suggestion=suggestion))
    game, board, pieces = _set_table(options, console)
    built = build_scenario(options.scenario, board, options.shot, options.size, pieces, game)
    if options.out is not None:
        save_png(options.out, built.frame)
    if options.lock_out is not None:
        save_png(options.lock_out, built.lock_frame)
    if options.truth is not None:
        write_file(options.truth, json.dumps(_truth(built, game), indent=1) + "\n", console)
    return 0


def _set_table(
    options: SceneOptions, console: Console
) -> tuple[AnyGame, PhysicalBoard, Mapping[Cell, Piece] | None]:
    """The game, the board with its grid, and the pieces; None: on random cells."""
    board = load_board(options.board)
    choice = options.position.with_default_game(fit_board(board).game.name)
    if choice.names_position:
        game, position = choice.make_position(console)
        return game, board.with_grid(position.grid), position.pieces
    game = choice.make_game()
    return game, fit_board(board, game).board, None


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
