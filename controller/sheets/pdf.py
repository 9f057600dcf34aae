"""Pages as one PDF file."""

from __future__ import annotations

from collections.abc import Sequence

from controller.sheets.page import Page
from engine.errors import LaserboardError


class NoPdf(LaserboardError, RuntimeError):
    """PDFs need a library that is not part of every installation."""


def pdf(pages: Sequence[Page], title: str) -> bytes:
    try:
        from fpdf import FPDF
        from fpdf.svg import SVGObject
    except ImportError:
        raise NoPdf(
            "PDFs need fpdf2: `pip install fpdf2` where Laserboard is installed, on a Pi"
            " `sudo ./install.sh`; or write SVG: --out sheet.svg"
        ) from None
    document = FPDF(unit="mm")
    document.set_auto_page_break(False)
    document.set_margin(0)
    document.set_title(title)
    document.set_creator("laserboard")
    for page in pages:
        document.add_page(format=(page.width_mm, page.height_mm))
        SVGObject(page.svg()).draw_to_page(document, 0, 0)
    return bytes(document.output())
