"""`laserboard print`: sheets for the printer, exact to a tenth of a millimetre."""

from __future__ import annotations

import argparse

from controller.cli import print_wiring
from controller.cli.args.paper import add_paper, paper_from, write_pages
from controller.cli.args.position import any_number, position_from
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.ui.console import BadInput, Console
from engine import games


def add(commands: Subcommands) -> None:
    printing = add_command(
        commands,
        "print",
        _nothing,
        "make sheets to print: tags, board, rules, calibration, wiring, parts",
        "  laserboard print tags --board paper-10x8\n"
        "  laserboard print board --board paper-10x8 --paper letter\n"
        "  laserboard print rules\n  laserboard print wiring --board demo-10x8",
        'Print at 100 % ("actual size"), and measure the ruler on the sheet: it is 100 mm long.',
    )
    sheets = printing.add_subparsers(title="sheets", metavar="SHEET", required=True)
    _add_tags(sheets)
    _add_board(sheets)
    _add_calibration(sheets)
    _add_rules(sheets)
    print_wiring.add_sheets(sheets)


def _nothing(_: argparse.Namespace, __: Console) -> int:
    raise BadInput("say which sheet; see `laserboard print --help`")


def _add_calibration(sheets: Subcommands) -> None:
    calibration = add_command(
        sheets,
        "calibration",
        _calibration,
        "the chessboard with tags that `laserboard calibrate lens` learns a lens from",
        "  laserboard print calibration --paper letter",
        "Glue it to something flat.",
    )
    calibration.add_argument(
        "--squares", metavar="CxR", default="7x5", help="squares of the sheet (default 7x5)"
    )
    add_paper(calibration, "calibration.pdf")


def _calibration(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.printables.calibration import calibration_pages
    from controller.cli.calibrate import parse_sheet

    pages = calibration_pages(parse_sheet(args.squares), paper_from(args))
    write_pages(pages, args, "Laserboard calibration sheet", console)
    return 0


HIGHEST_ON_PAPER_MM = 12.0  # shadows of lower pieces do no harm


def _add_board(sheets: Subcommands) -> None:
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
    from controller.builder.printables.board_pages import board_pages, board_single_page
    from controller.config.board_file import default_board, load_board
    from controller.session.board_fit import fit_board

    whole = load_board(args.board or default_board())
    top = fit_board(whole, None if args.game is None else games.make(args.game))
    if args.paper == "sheet":
        pages = board_single_page(whole, top.board, top.game)
    else:
        pages = board_pages(whole, top.board, top.game, paper_from(args))
    write_pages(pages, args, f"Board {whole.name}", console)
    if whole.cap_height_mm > HIGHEST_ON_PAPER_MM:
        console.note(
            f"note: pieces {whole.cap_height_mm:g} mm high throw sharp shadows on white paper, and "
            "the camera may take shaded squares for covered ones: hang it straight above, and "
            "light the table from several sides"
        )
    return 0


_SINGLE_GAME_ARGS = ("option", "setup", "seed")


def _add_rules(sheets: Subcommands) -> None:
    rules = add_command(
        sheets,
        "rules",
        _rules,
        "how to play, a page for each game: set-up, pieces, and what a beam does to them",
        "  laserboard print rules\n"
        f"  laserboard print rules --game {games.DEFAULT} --paper letter --out rules.svg",
        "Every picture of a beam is of a turn that the game has played, under the options that "
        "are given.",
    )
    names = ", ".join(games.GAMES)
    rules.add_argument("--game", metavar="NAME", help=f"one of {names} (default: all of them)")
    rules.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a rule option of the --game, may be repeated; `laserboard setups --options`",
    )
    rules.add_argument("--setup", metavar="NAME", help="the --game's set-up to show")
    rules.add_argument(
        "--seed", metavar="N", type=any_number, help="the same where a map is drawn from a seed"
    )
    rules.set_defaults(position=None)
    add_paper(rules, "rules.pdf")


def _rules(args: argparse.Namespace, console: Console) -> int:
    from engine.draw.rules.page import rules_page

    paper = paper_from(args)
    if args.game is None:
        for name in _SINGLE_GAME_ARGS:
            if getattr(args, name) not in (None, []):
                raise BadInput(f"--{name} is for one game: say --game NAME too")
        pages = [rules_page(kind(), paper) for kind in games.GAMES.values()]
    else:
        game, start = position_from(args, console)
        pages = [rules_page(game, paper, start)]
    write_pages(pages, args, "How to play", console)
    return 0


def _add_tags(sheets: Subcommands) -> None:
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
    from controller.builder.printables.tags import tag_pages
    from controller.config.board_file import default_board, load_board
    from controller.session.board_fit import fit_board
    from vision.tags import SPARES

    if not 0 <= args.spares <= len(SPARES):
        raise BadInput(f"--spares {args.spares}: there are {len(SPARES)}, from 0 up")
    board = load_board(args.board or default_board())
    named = [games.make(name) for name in dict.fromkeys(args.game)] if args.game else [None]
    tops = [fit_board(board, game) for game in named]
    played = [top.game for top in tops]
    pages = tag_pages(tops[0].board, played, paper_from(args), args.spares)
    write_pages(pages, args, f"Tags for {board.name}", console)
    return 0
