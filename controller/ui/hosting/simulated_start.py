"""How a game at a simulated table starts: a stored game, the usual board, given pieces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from controller.config.board_file import load_board_file
from controller.config.board_names import DEFAULT_BOARD
from controller.session.board_fit import fit_board
from controller.table.next_game import shipped_board_for
from controller.table.plan import GamePlan, JournalOpener, load_resumable
from controller.ui.hosting.preferences import resumed_plan
from controller.ui.hosting.simulated_table import SimulatedStart
from engine import games
from engine.game import Piece
from engine.grid import Cell
from vision.board import BoardDoesNotFit


def resumed_start(
    path: Path, board: str | None, fire: str | None, random_seed: int
) -> SimulatedStart:
    """The start of a stored game, on its board unless another is named."""
    played = load_resumable(path)
    board_name = board or played.setup.board or DEFAULT_BOARD
    file = load_board_file(board_name)
    plan = resumed_plan(played, file, fire, random_seed)
    return SimulatedStart(board_name, plan, played.position.pieces, JournalOpener(path))


def default_board_for(game_name: str | None) -> str:
    """The demo board, or the shipped board for a game that does not fit there."""
    if game_name is None:
        return DEFAULT_BOARD
    game = games.make(game_name)
    try:
        fit_board(load_board_file(DEFAULT_BOARD).board, game)
    except BoardDoesNotFit:
        return shipped_board_for(game)[0]
    return DEFAULT_BOARD


def pieces_from_text(text: str, plan: GamePlan) -> Mapping[Cell, Piece]:
    """The pieces of a named setup, or of a position."""
    game = plan.setup.game
    position = game.start(text) if text in game.setups() else game.read_position(text)
    pieces: Mapping[Cell, Piece] = position.pieces
    return pieces
