"""Writes printed sheets into one PDF, or one SVG for each page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from controller.builder.printables.page_files import PAGE_SUFFIXES, page_files
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console, printable_name, write_bytes
from engine.draw.page import Page


def write_pages(pages: Sequence[Page], out_name: str, title: str, console: Console) -> None:
    """Write all pages into one PDF, or one SVG per page: sheet.svg, or sheet-1.svg and so on."""
    out = Path(out_name)
    if out.suffix.lower() not in PAGE_SUFFIXES:
        raise BadInput(sentences.NOT_A_PAGE_FILE(name=printable_name(out_name)))
    files = page_files(pages, out, title)
    for path, content in files.items():
        write_bytes(str(path), content)
        console.print(printable_name(str(path)) + _page_count(path, len(pages)))


def _page_count(path: Path, pages: int) -> str:
    if path.suffix.lower() != ".pdf":
        return ""
    return f": {pages} page{'s' * (pages != 1)}"
