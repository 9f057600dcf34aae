"""`laserboard print tags`: every tag that a game needs on a board, to cut out."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command, add_own_board
from controller.cli.console import BadInput, Console
from controller.cli.paper import add_paper, paper_of, write_pages
from controller.cli.positions import any_number
from engine import games


def add(sheets: Subcommands) -> None:
    parser = add_command(
        sheets,
        "tags",
        _tags,
        "the tags of all pieces and of the board's corners, to cut out",
        "  laserboard print tags --board paper-10x8\n"
        "  laserboard print tags --board paper-10x8 --paper letter --spares 3",
        "There are as many of each kind as the game's largest setup needs, as large as the board "
        "file says. One player's corners are round and the other's cut off, like their bodies. "
        "Flat pieces have a tab in front with a picture of the piece; on a body there is only an "
        "arrow.",
    )
    add_own_board(parser)
    parser.add_argument(
        "--game",
        metavar="NAME",
        nargs="+",
        help=f"one or more of {', '.join(games.GAMES)}: a tag that they share is printed once "
        "(default: the first that the board is made for)",
    )
    parser.add_argument(
        "--spares",
        metavar="N",
        type=any_number,
        default=0,
        help="so many of the 16 tags that stand for a lost one: `spares: {34: 5}` in the board "
        "file says which",
    )
    add_paper(parser, "tags.pdf")


def _tags(args: argparse.Namespace, console: Console) -> int:
    from controller.config import load_board, usual_board
    from controller.sheets.tags import tag_pages
    from controller.tabletop import fitted
    from vision.tags import SPARES

    if not 0 <= args.spares <= len(SPARES):
        raise BadInput(f"--spares {args.spares}: there are {len(SPARES)}, from 0 up")
    board = load_board(args.board or usual_board())
    named = [games.make(name) for name in dict.fromkeys(args.game)] if args.game else [None]
    tops = [fitted(board, game) for game in named]
    played = [top.game for top in tops]
    pages = tag_pages(tops[0].board, played, paper_of(args), args.spares)
    write_pages(pages, args, f"Tags for {board.name}", console)
    return 0
