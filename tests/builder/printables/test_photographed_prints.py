"""The reader reads printed boards and caps, photographed at an angle in bad light."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.config.board_file import load_board
from controller.session.board_fit import FittedBoard, fit_board
from engine import games
from engine.draw.page import A4, LETTER, Paper
from engine.game import Piece
from engine.grid import Cell
from tests.support.builder.cut_sheets import printed_table
from vision.board import BoardDoesNotFit
from vision.observation import Observation, Problem
from vision.reader import Reader
from vision.scene import SCENARIOS, BuiltScenario, PrintedSet, Scenario, build_scenario

BOARDS = ("demo-10x8", "full-10x8", "hex-r5", "paper-10x8", "photon-10x10", "wled-10x8")
STEEP = 30.0
# All scenarios except those that paper cannot pass: a lamp below it, or a reflection.
LIGHTS = ("plain", "dim", "dimmer", "noise_12", "jpeg_30", "motion_4", "defocus_2", "small_60",
          "placement", "nudge_4")  # fmt: skip


def fitting() -> list[tuple[str, str]]:
    pairs = []
    for board in BOARDS:
        for game in games.GAMES:
            try:
                fit_board(load_board(board), games.make(game))
            except BoardDoesNotFit:
                continue
            pairs.append((board, game))
    return pairs


def photographed(
    top: FittedBoard, prints: PrintedSet, scenario: Scenario, seed: int
) -> BuiltScenario:
    """The starting position of a game, with paper pieces."""
    pieces = top.game.start().pieces
    return build_scenario(scenario, top.board, seed, (1280, 720), pieces, top.game, prints)


def read(top: FittedBoard, staged: BuiltScenario) -> Observation:
    reader = Reader(top.board, top.pieces_by_tag)
    assert not isinstance(reader.find(_grey(staged.lock_frame)), Problem)
    return reader.read(_grey(staged.frame))


def _grey(frame: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def as_they_stand(top: FittedBoard) -> dict[Cell, Piece]:
    """The starting position as the camera shows it, without hit points."""
    meant = {(each.kind, each.owner): each for each in top.pieces_by_tag.values()}
    return {
        cell: replace(piece, hit_points=meant[piece.kind, piece.owner].hit_points)
        for cell, piece in top.game.start().pieces.items()
    }


def test_a_printed_paper_set_is_read_at_an_angle_in_bad_light() -> None:
    full_board = load_board("paper-10x8")
    top = fit_board(full_board)
    dim = replace(SCENARIOS["dim"], tilt_degrees=STEEP)
    observation = read(top, photographed(top, printed_table(top, full_board), dim, seed=3))
    assert observation.pieces(top.pieces_by_tag) == as_they_stand(top)
    assert not observation.problems
    assert not observation.covered(), "print on a cell is not taken for an object"


@pytest.mark.slow
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize(("board", "game"), fitting())
def test_every_board_and_game_is_read_from_its_prints(board: str, game: str, paper: Paper) -> None:
    full_board = load_board(board)
    top = fit_board(full_board, games.make(game))
    prints = printed_table(top, full_board, paper)
    for seed, light in enumerate(LIGHTS):
        scenario = replace(SCENARIOS[light], tilt_degrees=STEEP)
        staged = photographed(top, prints, scenario, seed)
        observation = read(top, staged)
        assert observation.pieces(top.pieces_by_tag) == as_they_stand(top), light
        # Bodies throw sharp shadows on white paper: such cells may count as covered.
        if not top.board.cap_height_mm:
            covered = [cell for cell in observation.covered() if cell not in staged.truth.covered]
            assert len(covered) <= 0.03 * top.board.grid.size, (light, covered)
