"""The ChArUco sheet for `laserboard calibrate lens`, as large as the paper allows."""

from __future__ import annotations

import cv2
import numpy as np

from controller.builder import paper_sentences as sentences
from controller.builder.printables.marks import BLACK, draw_modules, ruler
from engine.draw.page import GREY, Page, Paper, make_page, text_line
from engine.draw.shapes import element
from vision.calibration import TAG_SHARE, CalibrationSheet

HEADING_MM = 12.0
FOOT_MM = 14.0


def calibration_pages(sheet: CalibrationSheet, paper: Paper) -> list[Page]:
    """One landscape page; the sheet works at any size, so it fills the paper."""
    across = paper.landscape()
    room_x = across.width_mm - 2 * across.margin_mm
    room_y = across.height_mm - 2 * across.margin_mm - HEADING_MM - FOOT_MM
    square = min(room_x / sheet.columns, room_y / sheet.rows)
    left = (across.width_mm - square * sheet.columns) / 2
    top = across.margin_mm + HEADING_MM
    parts = [
        text_line(str(sentences.CALIBRATION_SHEET()), left, across.margin_mm + 5, 5.5, bold=True),
        text_line(str(sentences.LENS_SHEET()), left, across.margin_mm + 9.8, 3, fill=GREY),
        *_squares(sheet, left, top, square),
        ruler(left, top + square * sheet.rows + 4),
    ]  # fmt: skip
    return [make_page(across, parts)]


def _squares(sheet: CalibrationSheet, left: float, top: float, square: float) -> list[str]:
    board = sheet.board()
    parts = [
        element("rect", x=left + square * x, y=top + square * y, width=square, height=square,
            fill=BLACK)
        for y in range(sheet.rows)
        for x in range(sheet.columns)
        if (x + y) % 2 == 0
    ]  # fmt: skip
    size = board.getDictionary().markerSize + 2
    for number, corners in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = (float(n) for n in corners[0][:2])
        dark = cv2.aruco.generateImageMarker(board.getDictionary(), int(number), size) == 0
        parts.append(
            draw_modules(np.asarray(dark), left + x * square, top + y * square, TAG_SHARE * square)
        )
    return parts
