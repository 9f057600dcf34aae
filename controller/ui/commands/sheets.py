"""`laserboard print`: tags, board, rules and calibration sheet."""

from __future__ import annotations

from collections.abc import Sequence

from controller.builder.printables.board_pages import board_pages, board_single_page
from controller.builder.printables.calibration import calibration_pages
from controller.builder.printables.tags import tag_pages
from controller.config.board_file import load_board
from controller.session.board_fit import fit_board
from controller.ui.commands import sentences
from controller.ui.commands.pages import WHOLE_SHEET, SheetOutput, write_pages
from controller.ui.console import Console
from controller.ui.position_options import PositionOptions
from engine import games
from engine.draw.rules.page import rules_page
from vision.calibration import CalibrationSheet

HIGHEST_ON_PAPER_MM = 12.0  # higher pieces throw shadows that the camera may misread


def print_calibration(sheet: CalibrationSheet, output: SheetOutput, console: Console) -> int:
    pages = calibration_pages(sheet, output.paper)
    return write_pages(pages, output, str(sentences.CALIBRATION_SHEET()), console)


def print_board(board_name: str, game: str | None, output: SheetOutput, console: Console) -> int:
    """The board on pages to glue together, or on one sheet."""
    board = load_board(board_name)
    fitted = fit_board(board, None if game is None else games.make(game))
    if output.paper_name == WHOLE_SHEET:
        pages = board_single_page(board, fitted.board, fitted.game)
    else:
        pages = board_pages(board, fitted.board, fitted.game, output.paper)
    write_pages(pages, output, str(sentences.BOARD_SHEET(board=board.name)), console)
    if board.cap_height_mm > HIGHEST_ON_PAPER_MM:
        console.note(sentences.HIGH_PIECES_ON_PAPER(height_mm=board.cap_height_mm))
    return 0


def print_tags(
    board_name: str, named: Sequence[str], spares: int, output: SheetOutput, console: Console
) -> int:
    """The tags of the named games (without a name: of the first that fits), each printed once."""
    board = load_board(board_name)
    chosen = [games.make(name) for name in dict.fromkeys(named)]
    fitted = [fit_board(board, game) for game in chosen or (None,)]
    pages = tag_pages(fitted[0].board, [each.game for each in fitted], output.paper, spares)
    return write_pages(pages, output, str(sentences.TAG_SHEET(board=board.name)), console)


def print_rules(choice: PositionOptions, output: SheetOutput, console: Console) -> int:
    """The rules of one game, or a page for each game."""
    if choice.game is None:
        pages = [rules_page(kind(), output.paper) for kind in games.GAMES.values()]
    else:
        game, start = choice.make_position(console)
        pages = [rules_page(game, output.paper, start)]
    return write_pages(pages, output, str(sentences.RULES_SHEET()), console)
