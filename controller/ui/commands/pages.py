"""Writes printed sheets into one PDF, or one SVG for each page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.builder.printables.page_files import PAGE_SUFFIXES, page_files
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console, printable_name, write_bytes
from engine.draw.page import PAPERS, Page, Paper
from engine.sentences import Sentence

WHOLE_SHEET = "sheet"  # instead of a paper: one page in full size


@dataclass(frozen=True, slots=True)
class SheetOutput:
    """The paper and the file of a printed sheet."""

    paper_name: str  # of `PAPERS`, or `WHOLE_SHEET`
    file: str

    @property
    def paper(self) -> Paper:
        return PAPERS[self.paper_name]


def write_pages(pages: Sequence[Page], output: SheetOutput, title: str, console: Console) -> int:
    """Write all pages into one PDF, or one SVG per page: sheet.svg, or sheet-1.svg and so on."""
    out = Path(output.file)
    if out.suffix.lower() not in PAGE_SUFFIXES:
        raise BadInput(sentences.NOT_A_PAGE_FILE(name=printable_name(output.file)))
    files = page_files(pages, out, title)
    for path, content in files.items():
        write_bytes(str(path), content)
        console.print(_written_file(path, len(pages)))
    return 0


def _written_file(path: Path, pages: int) -> str | Sentence:
    name = printable_name(str(path))
    if path.suffix.lower() != ".pdf":
        return name
    template = sentences.ONE_PAGE_WRITTEN if pages == 1 else sentences.PAGES_WRITTEN
    return template(name=name, count=pages)
