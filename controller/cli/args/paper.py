"""Arguments of commands that make printed sheets: --paper, --out."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.ui.commands.pages import SheetOutput


def add_paper(parser: argparse.ArgumentParser, usual_file: str, sheet: str | None = None) -> None:
    """`--paper` and `--out`. `sheet` is the help of `--paper sheet`, for one page of any size."""
    papers, help_text = ["a4", "letter"], "a4 (default) or letter"
    if sheet is not None:
        papers, help_text = [*papers, "sheet"], f"a4 (default), letter, or sheet: {sheet}"
    parser.add_argument("--paper", choices=papers, default="a4", help=help_text)
    parser.add_argument(
        "--out",
        metavar="FILE",
        default=usual_file,
        help=f"a .pdf file, or .svg: one file per page (default {usual_file})",
    )


def sheet_output(args: argparse.Namespace) -> SheetOutput:
    from controller.ui.commands.pages import SheetOutput

    return SheetOutput(args.paper, args.out)
