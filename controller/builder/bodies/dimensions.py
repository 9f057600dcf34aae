"""Computes the OpenSCAD variables of the printed parts from a board file.

Sizes that are the same for all boards are constants of this module.
"""

from __future__ import annotations

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.outlines import cap_outline, foot_outline
from controller.config.board_file import BoardFile
from controller.config.leds import LedSettings
from controller.config.yaml_tree import format_number
from engine.draw.palette import SideShape
from engine.errors import LaserboardError
from vision.board import PhysicalBoard

ScadValue = float | str | bool | tuple[tuple[float, float], ...]

FOOT_MM = 3.0
TRAY_MM = 3.0
MIN_BODY_MM = 12.0  # a lower body has no shape to see and feel
SEAT_GAP_MM = 0.2  # gap around the paper
RIM_MM = 0.8  # two lines of a 0.4 mm nozzle
PAPER_MM = 0.3  # paper of 160 g/m2 and a film of glue
NOSE_MM = 1.4  # length of the point at the front of foot and tray
CAP_BORDER_MM = SEAT_GAP_MM + RIM_MM
GRIP_MM = 1.5  # minimum free space on each side of a piece, not counting the nose
TIP_CLEAR_MM = 0.2  # between the nose and the edge of the cell
KEY_MM, KEY_GAP_MM = 1.5, 0.2
FRAME_MM = 0.8  # height of a mirror's frame above the mirror
TUBE_MM, TUBE_GAP_MM = 20.0, 0.2
PRINT_BED_MM = 220.0
GRID_WALL_HEIGHT_MM = 15.0  # LEDs show as dots above lower walls
STRIP_MM = 10.0


class BodyDoesNotFit(LaserboardError, ValueError):
    """The board file's sizes leave no room for a body."""


def body_width_mm(board: PhysicalBoard) -> float:
    """Width of foot and tray, without the nose."""
    return board.cap_mm + 2 * CAP_BORDER_MM


def check_body_fits(board: PhysicalBoard) -> None:
    """Raise `BodyDoesNotFit` with the sizes that would fit."""
    minimum = FOOT_MM + TRAY_MM + MIN_BODY_MM
    if board.cap_height_mm == 0:
        raise BodyDoesNotFit(sentences.TAGS_LIE_FLAT(board=board.name))
    if board.cap_height_mm < minimum:
        raise BodyDoesNotFit(
            sentences.BODY_TOO_LOW(
                board=board.name, minimum_mm=minimum, height_mm=board.cap_height_mm
            )
        )
    free = board.cell_mm / 2 - max(GRIP_MM, NOSE_MM + TIP_CLEAR_MM) - CAP_BORDER_MM
    if board.cap_mm / 2 > free:
        raise BodyDoesNotFit(
            sentences.CAPS_TOO_WIDE(
                board=board.name,
                cap_mm=board.cap_mm,
                cell_mm=board.cell_mm,
                maximum_mm=round(2 * free, 3),
            )
        )


def piece_variables(board: PhysicalBoard, form: SideShape) -> dict[str, ScadValue]:
    """Variables of `piece.scad` for one side's pieces."""
    check_body_fits(board)
    width = body_width_mm(board)
    return {
        "cell_mm": board.cell_mm,
        "cap_mm": board.cap_mm,
        "cap_height_mm": board.cap_height_mm,
        "foot_mm": FOOT_MM,
        "tray_mm": TRAY_MM,
        "seat_gap_mm": SEAT_GAP_MM,
        "rim_mm": RIM_MM,
        "paper_mm": PAPER_MM,
        "nose_mm": NOSE_MM,
        "front_mm": width / 2,
        "key_mm": KEY_MM,
        "key_gap_mm": KEY_GAP_MM,
        "frame_mm": FRAME_MM,
        "cap_outline": _flip_y(cap_outline(board, form, CAP_BORDER_MM)),
        "foot_outline": _flip_y(foot_outline(board, form, width)),
    }


def mast_variables(tube_mm: float = TUBE_MM) -> dict[str, ScadValue]:
    return {"tube_mm": tube_mm, "tube_gap_mm": TUBE_GAP_MM}


def grid_variables(board: PhysicalBoard, leds: LedSettings) -> dict[str, ScadValue]:
    across, down = leds.per_cell
    return {
        "cell_mm": board.cell_mm,
        "grid_mm": GRID_WALL_HEIGHT_MM,
        "strip_mm": STRIP_MM,
        "leds_across": across,
        "leds_down": down,
    }


def format_scad(value: ScadValue) -> str:
    """Format a value as OpenSCAD source."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case tuple():
            return f"[{', '.join(f'[{x:.4f}, {y:.4f}]' for x, y in value)}]"
        case _:
            return format_number(value)


def scad_variables_file(file: BoardFile) -> str:
    """All variables as `sizes.scad`, so that OpenSCAD can open the sources directly."""
    values = piece_variables(file.board, SideShape.ROUND) | mast_variables()
    if file.leds is not None:
        values |= grid_variables(file.board, file.leds)
    lines = "".join(f"{name} = {format_scad(value)};\n" for name, value in values.items())
    return (
        f"// Sizes of {file.board.name}, for opening the other files in OpenSCAD. Rendering"
        f" replaces\n// them by those of a board file. Written by `laserboard bodies sizes`.\n"
        f"{lines}"
    )


def _flip_y(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """From y down (board) to y up (OpenSCAD)."""
    return tuple((x, -y) for x, y in outline)
