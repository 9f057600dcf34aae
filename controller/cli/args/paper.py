"""Arguments of commands that make printed sheets: --paper, --out; writes their pages to files."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.draw.page import Paper


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


def paper_from(args: argparse.Namespace) -> Paper:
    from engine.draw.page import PAPERS

    return PAPERS[args.paper]
