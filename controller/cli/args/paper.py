"""Arguments of commands that make printed sheets: --paper, --out; writes their pages to files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.ui.console import BadInput, Console, printable_name, write_bytes

if TYPE_CHECKING:
    from engine.draw.page import Page, Paper


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


def write_pages(
    pages: Sequence[Page], args: argparse.Namespace, title: str, console: Console
) -> None:
    """Write all pages into one PDF, or one SVG per page: sheet.svg, or sheet-1.svg and so on."""
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
