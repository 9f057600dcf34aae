"""`laserboard print board`: the board itself, on paper."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command, add_own_board
from controller.cli.console import Console
from controller.cli.paper import add_paper, paper_of, write_pages
from engine import games

HIGHEST_ON_PAPER_MM = 12.0  # shadows of lower pieces do no harm


def add(sheets: Subcommands) -> None:
    parser = add_command(
        sheets,
        "board",
        _board,
        "the board with its corner tags, on pages to glue together or on one sheet",
        "  laserboard print board --board paper-10x8\n"
        "  laserboard print board --board hex-r5 --paper sheet --out hexagons.pdf",
        "Cells are named, and marked where a game reserves them for one player. A page is called "
        "A1, A2 ... in the first row, B1 in the second: each is cut along its dashed lines and "
        "glued onto the grey strips of the pages left of it and above it.",
    )
    add_own_board(parser)
    parser.add_argument(
        "--game",
        metavar="NAME",
        help=f"{', '.join(games.GAMES)} (default: the first that the board is made for)",
    )
    add_paper(parser, "board.pdf", sheet="one of full size, for a print shop")


def _board(args: argparse.Namespace, console: Console) -> int:
    from controller.config import load_board, usual_board
    from controller.sheets.board_pages import board_pages, board_sheet
    from controller.tabletop import fitted

    whole = load_board(args.board or usual_board())
    top = fitted(whole, None if args.game is None else games.make(args.game))
    if args.paper == "sheet":
        pages = board_sheet(whole, top.board, top.game)
    else:
        pages = board_pages(whole, top.board, top.game, paper_of(args))
    write_pages(pages, args, f"Board {whole.name}", console)
    if whole.cap_height_mm > HIGHEST_ON_PAPER_MM:
        console.note(
            f"note: pieces {whole.cap_height_mm:g} mm high throw sharp shadows on white paper, and "
            "the camera may take shaded squares for covered ones: hang it straight above, and "
            "light the table from several sides"
        )
    return 0
