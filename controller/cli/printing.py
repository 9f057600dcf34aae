"""`laserboard print`: sheets for the printer, exact to a tenth of a millimetre."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli import print_wiring
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, shown, write_bytes

if TYPE_CHECKING:
    from controller.sheets.page import Page, Paper


def add(commands: Subcommands) -> None:
    from controller.cli import print_rules  # it needs what is below

    printing = add_command(
        commands,
        "print",
        _nothing,
        "make sheets to print: tags, board, rules, calibration, wiring, parts",
        "  laserboard print rules\n  laserboard print wiring --board demo-10x8",
        'Print at 100 % ("actual size"), and measure the ruler on the sheet: it is 100 mm long.',
    )
    sheets = printing.add_subparsers(title="sheets", metavar="SHEET", required=True)
    _add_calibration(sheets)
    print_rules.add(sheets)
    print_wiring.add_sheets(sheets)


def add_paper(parser: argparse.ArgumentParser, usual_file: str) -> None:
    parser.add_argument(
        "--paper", choices=["a4", "letter"], default="a4", help="a4 (default) or letter"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        default=usual_file,
        help=f"a .pdf, or an .svg, one for each page (default {usual_file})",
    )


def paper_of(args: argparse.Namespace) -> Paper:
    from controller.sheets.page import PAPERS

    return PAPERS[args.paper]


def write_pages(
    pages: Sequence[Page], args: argparse.Namespace, title: str, console: Console
) -> None:
    """All pages in one PDF, or each in an SVG of its own: sheet.svg, or sheet-1.svg and so on."""
    out = Path(args.out)
    match out.suffix.lower():
        case ".pdf":
            from controller.sheets.pdf import pdf

            write_bytes(args.out, pdf(pages, title))
            said = [f"{shown(args.out)}: {len(pages)} page{'s' * (len(pages) != 1)}"]
        case ".svg":
            names = [
                str(out if len(pages) == 1 else out.with_stem(f"{out.stem}-{number}"))
                for number in range(1, len(pages) + 1)
            ]
            for name, page in zip(names, pages, strict=True):
                write_bytes(name, page.svg().encode("utf-8"))
            said = [shown(name) for name in names]
        case _:
            raise BadInput(f"--out {shown(args.out)}: name a .pdf or an .svg")
    console.print("\n".join(said))


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
