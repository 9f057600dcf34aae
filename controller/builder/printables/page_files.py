"""Files of printed pages: one PDF for all pages, or one SVG per page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from controller.builder import paper_sentences as sentences
from engine.draw.page import Page
from engine.errors import LaserboardError

PAGE_SUFFIXES = (".pdf", ".svg")


class PdfUnavailable(LaserboardError, RuntimeError):
    """fpdf2 is not installed (extra `print`)."""


def page_files(pages: Sequence[Page], out: Path, title: str) -> dict[Path, bytes]:
    """Paths and contents: `sheet.pdf`, `sheet.svg`, or `sheet-1.svg` and so on."""
    if out.suffix.lower() == ".pdf":
        return {out: render_pdf(pages, title)}
    paths = [out]
    if len(pages) > 1:
        paths = [out.with_stem(f"{out.stem}-{number}") for number in range(1, len(pages) + 1)]
    return {path: page.to_svg().encode("utf-8") for path, page in zip(paths, pages, strict=True)}


def render_pdf(pages: Sequence[Page], title: str) -> bytes:
    try:
        from fpdf import FPDF
        from fpdf.svg import SVGObject
    except ImportError as error:
        raise PdfUnavailable(sentences.PDF_UNAVAILABLE()) from error
    document = FPDF(unit="mm")
    document.set_auto_page_break(False)
    document.set_margin(0)
    document.set_title(title)
    document.set_creator("laserboard")
    for page in pages:
        document.add_page(format=(page.width_mm, page.height_mm))
        SVGObject(page.to_svg()).draw_to_page(document, 0, 0)
    return bytes(document.output())
