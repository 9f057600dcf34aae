"""`laserboard print`: sheets for the printer, exact to a tenth of a millimetre."""

from __future__ import annotations

import argparse

from controller.cli import print_board, print_rules, print_tags, print_wiring
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console
from controller.cli.paper import add_paper, paper_of, write_pages


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
    print_tags.add(sheets)
    print_board.add(sheets)
    _add_calibration(sheets)
    print_rules.add(sheets)
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
    from controller.cli.calibrate import sheet_of
    from controller.sheets.calibration import calibration_pages

    pages = calibration_pages(sheet_of(args.squares), paper_of(args))
    write_pages(pages, args, "Laserboard calibration sheet", console)
    return 0
