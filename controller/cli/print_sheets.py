"""`laserboard print`: writes printed sheets (tags, board, calibration, rules, wiring, parts)."""

from __future__ import annotations

import argparse

from controller.cli import print_wiring
from controller.cli.args.paper import add_paper, sheet_output
from controller.cli.args.position import any_number, position_options
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.config.board_names import default_board
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
        "print the chessboard with tags for `laserboard calibrate lens`",
        "  laserboard print calibration --paper letter",
        "Glue it to something flat.",
    )
    calibration.add_argument(
        "--squares", metavar="CxR", default="7x5", help="squares of the sheet (default 7x5)"
    )
    add_paper(calibration, "calibration.pdf")


def _calibration(args: argparse.Namespace, console: Console) -> int:
    from controller.cli.calibrate import parse_sheet
    from controller.ui.commands.sheets import print_calibration

    return print_calibration(parse_sheet(args.squares), sheet_output(args), console)


def _add_board(sheets: Subcommands) -> None:
    parser = add_command(
        sheets,
        "board",
        _board,
        "print the board with its corner tags, on pages to glue together or on one sheet",
        "  laserboard print board --board paper-10x8\n"
        "  laserboard print board --board hex-r5 --paper sheet --out hexagons.pdf",
        "Prints the names of cells, and marks those that a game reserves for one player. Pages are "
        "named A1, A2 ... in the first row, B1 in the second. Cut each page along its dashed lines "
        "and glue it onto the grey strips of the pages left of it and above it.",
    )
    add_own_board(parser)
    parser.add_argument(
        "--game",
        metavar="NAME",
        help=f"{', '.join(games.GAMES)} (default: the first that fits the board)",
    )
    add_paper(parser, "board.pdf", sheet="one page in full size, for a print shop")


def _board(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.sheets import print_board

    return print_board(args.board or default_board(), args.game, sheet_output(args), console)


_SINGLE_GAME_ARGS = ("option", "setup", "seed")


def _add_rules(sheets: Subcommands) -> None:
    rules = add_command(
        sheets,
        "rules",
        _rules,
        "print the rules, a page for each game: setup, pieces, and the effect of beams on them",
        "  laserboard print rules\n"
        f"  laserboard print rules --game {games.DEFAULT} --paper letter --out rules.svg",
        "Every picture of a beam shows a turn that the game has played with the given options.",
    )
    names = ", ".join(games.GAMES)
    rules.add_argument("--game", metavar="NAME", help=f"one of {names} (default: all)")
    rules.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a rule option, may be repeated; `laserboard setups --options` lists them",
    )
    rules.add_argument("--setup", metavar="NAME", help="the setup to show")
    rules.add_argument(
        "--seed", metavar="N", type=any_number, help="for a game that draws its map from a seed"
    )
    rules.set_defaults(position=None)
    add_paper(rules, "rules.pdf")


def _rules(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.sheets import print_rules

    if args.game is None:
        for name in _SINGLE_GAME_ARGS:
            if getattr(args, name) not in (None, []):
                raise BadInput(f"--{name} is for one game: say --game NAME too")
    return print_rules(position_options(args), sheet_output(args), console)


def _add_tags(sheets: Subcommands) -> None:
    parser = add_command(
        sheets,
        "tags",
        _tags,
        "print the tags of all pieces and of the board's corners, to cut out",
        "  laserboard print tags --board paper-10x8\n"
        "  laserboard print tags --board paper-10x8 --paper letter --spares 3",
        "Prints as many tags of each kind as the game's largest setup needs, in the size of the "
        "board file. Caps of one player have round corners, those of the other cut corners, like "
        "their bodies. Caps of flat pieces have a tab in front with a picture of the piece; caps "
        "of bodies only have an arrow.",
    )
    add_own_board(parser)
    parser.add_argument(
        "--game",
        metavar="NAME",
        nargs="+",
        help=f"one or more of {', '.join(games.GAMES)}; shared tags are printed once "
        "(default: the first that fits the board)",
    )
    parser.add_argument(
        "--spares",
        metavar="N",
        type=any_number,
        default=0,
        help="number of spare tags, up to 16: with `spares: {34: 5}` in the board file, tag 34 "
        "replaces tag 5",
    )
    add_paper(parser, "tags.pdf")


def _tags(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.sheets import print_tags
    from vision.tags import SPARES

    if not 0 <= args.spares <= len(SPARES):
        raise BadInput(f"--spares {args.spares}: there are {len(SPARES)}, from 0 up")
    board, output = args.board or default_board(), sheet_output(args)
    return print_tags(board, args.game or (), args.spares, output, console)
