"""What every sheet shares: which paper, which file, and how its pages get there."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.console import BadInput, Console, shown, write_bytes

if TYPE_CHECKING:
    from controller.sheets.page import Page, Paper


def add_paper(parser: argparse.ArgumentParser, usual_file: str, sheet: str | None = None) -> None:
    """`sheet` says what one sheet as large as need be is called, where there is such a thing."""
    papers, told = ["a4", "letter"], "a4 (default) or letter"
    if sheet is not None:
        papers, told = [*papers, "sheet"], f"a4 (default), letter, or sheet: {sheet}"
    parser.add_argument("--paper", choices=papers, default="a4", help=told)
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
