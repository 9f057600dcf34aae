"""What every sheet shares: which paper, which file, and how its pages get there."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.ui.console import BadInput, Console, printable_name, write_bytes

if TYPE_CHECKING:
    from engine.draw.page import Page, Paper


def add_paper(parser: argparse.ArgumentParser, usual_file: str, sheet: str | None = None) -> None:
    """`sheet` says what one sheet as large as need be is called, where there is such a thing."""
    papers, help_text = ["a4", "letter"], "a4 (default) or letter"
    if sheet is not None:
        papers, help_text = [*papers, "sheet"], f"a4 (default), letter, or sheet: {sheet}"
    parser.add_argument("--paper", choices=papers, default="a4", help=help_text)
    parser.add_argument(
        "--out",
        metavar="FILE",
        default=usual_file,
        help=f"a .pdf, or an .svg, one for each page (default {usual_file})",
    )


def paper_from(args: argparse.Namespace) -> Paper:
    from engine.draw.page import PAPERS

    return PAPERS[args.paper]


def write_pages(
    pages: Sequence[Page], args: argparse.Namespace, title: str, console: Console
) -> None:
    """All pages in one PDF, or each in an SVG of its own: sheet.svg, or sheet-1.svg and so on."""
    from controller.builder.printables.page_files import PAGE_SUFFIXES, page_files

    out = Path(args.out)
    if out.suffix.lower() not in PAGE_SUFFIXES:
        raise BadInput(f"--out {printable_name(args.out)}: name a .pdf or an .svg")
    files = page_files(pages, out, title)
    for path, content in files.items():
        write_bytes(str(path), content)
        console.print(printable_name(str(path)) + _page_count(path, len(pages)))


def _page_count(path: Path, pages: int) -> str:
    if path.suffix.lower() != ".pdf":
        return ""
    return f": {pages} page{'s' * (pages != 1)}"
