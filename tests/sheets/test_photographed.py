"""Printed boards and caps, photographed at an angle in bad light: the reader reads them all."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.config import load_board
from controller.sheets.page import A4, LETTER, Paper
from controller.tabletop import Tabletop, fitted
from engine import games
from engine.game import Piece
from engine.grid import Cell
from tests.sheets.scissors import printed_table
from vision.board import DoesNotFit
from vision.observation import Observation, Problem
from vision.reader import Reader
from vision.scene import SCENARIOS, Prints, Scenario, Staged, stage

BOARDS = ("demo-10x8", "full-10x8", "hex-r5", "paper-10x8", "photon-10x10", "wled-10x8")
STEEP = 30.0
# Everything but what no paper is good for: a lamp below it, or mirrored in it.
LIGHTS = ("plain", "dim", "dimmer", "noise_12", "jpeg_30", "motion_4", "defocus_2", "small_60",
          "placement", "nudge_4")  # fmt: skip


def fitting() -> list[tuple[str, str]]:
    found = []
    for board in BOARDS:
        for game in games.GAMES:
            try:
                fitted(load_board(board), games.make(game))
            except DoesNotFit:
                continue
            found.append((board, game))
    return found


def photographed(top: Tabletop, prints: Prints, scenario: Scenario, seed: int) -> Staged:
    """The start of a game, on paper alone."""
    pieces = top.game.start().pieces
    return stage(scenario, top.board, seed, (1280, 720), pieces, top.game, prints)


def read(top: Tabletop, staged: Staged) -> Observation:
    reader = Reader(top.board, top.meanings)
    assert not isinstance(reader.find(_grey(staged.lock_frame)), Problem)
    return reader.read(_grey(staged.frame))


def _grey(frame: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def as_they_stand(top: Tabletop) -> dict[Cell, Piece]:
    """What a table shows of the start: hit points are not to be seen."""
    meant = {(each.kind, each.owner): each for each in top.meanings.values()}
    return {
        cell: replace(piece, hit_points=meant[piece.kind, piece.owner].hit_points)
        for cell, piece in top.game.start().pieces.items()
    }


def test_a_set_of_paper_is_read_at_an_angle_in_bad_light() -> None:
    whole = load_board("paper-10x8")
    top = fitted(whole)
    dim = replace(SCENARIOS["dim"], tilt_degrees=STEEP)
    seen = read(top, photographed(top, printed_table(top, whole), dim, seed=3))
    assert seen.pieces(top.meanings) == as_they_stand(top)
    assert not seen.problems
    assert not seen.covered(), "what is printed on a cell hides nothing"


@pytest.mark.slow
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize(("board", "game"), fitting())
def test_every_board_and_game_is_read_from_paper(board: str, game: str, paper: Paper) -> None:
    whole = load_board(board)
    top = fitted(whole, games.make(game))
    prints = printed_table(top, whole, paper)
    for seed, light in enumerate(LIGHTS):
        scenario = replace(SCENARIOS[light], tilt_degrees=STEEP)
        staged = photographed(top, prints, scenario, seed)
        seen = read(top, staged)
        assert seen.pieces(top.meanings) == as_they_stand(top), light
        # Bodies throw shadows, which are sharp on white paper: such a cell may count as covered.
        if not top.board.cap_height_mm:
            covered = [cell for cell in seen.covered() if cell not in staged.truth.covered]
            assert len(covered) <= 0.03 * top.board.grid.size, (light, covered)
