"""Every size of the printed parts, from a board file to OpenSCAD's variables.

What is a choice of ours stands here, once; what is the builder's stands in the board file.
"""

from __future__ import annotations

from controller.bodies.outlines import cap_outline, foot_outline
from controller.config import BoardFile
from controller.led_settings import LedSettings
from controller.yaml_tree import write_number
from engine.draw.palette import Form
from engine.errors import LaserboardError
from vision.board import PhysicalBoard

Value = float | str | bool | tuple[tuple[float, float], ...]

FOOT_MM = 3.0
TRAY_MM = 3.0
LEAST_BODY_MM = 12.0  # lower, and no shape is left to see and feel
SEAT_GAP_MM = 0.2  # around the paper
RIM_MM = 0.8  # two lines of a 0.4 mm nozzle
PAPER_MM = 0.3  # paper of 160 g and a film of glue
NOSE_MM = 1.4  # the point at the front of foot and tray
AROUND_CAP_MM = SEAT_GAP_MM + RIM_MM
GRIP_MM = 1.5  # free on each side of a piece at least, the nose apart
TIP_CLEAR_MM = 0.2  # between a nose and the edge of its cell
KEY_MM, KEY_GAP_MM = 1.5, 0.2
FRAME_MM = 0.8  # by which a mirror's frame stands out from the glass
TUBE_MM, TUBE_GAP_MM = 20.0, 0.2
BED_MM = 220.0
GRID_MM = 15.0  # walls of the light grid: lower ones show the LEDs as dots
STRIP_MM = 10.0


class NoBody(LaserboardError, ValueError):
    """A board file whose sizes leave no room for a body."""


def width_mm(board: PhysicalBoard) -> float:
    """Of a foot and of a tray, without the nose."""
    return board.cap_mm + 2 * AROUND_CAP_MM


def check(board: PhysicalBoard) -> None:
    """Refuse sizes that no body can have, and say which would do."""
    least = FOOT_MM + TRAY_MM + LEAST_BODY_MM
    if board.cap_height_mm == 0:
        raise NoBody(
            f"{board.name}: its tags lie flat on the board (tags.cap_height_mm is 0), so that its"
            " pieces need no bodies; choose a board with a height, such as demo-10x8"
        )
    if board.cap_height_mm < least:
        raise NoBody(
            f"{board.name}: a body is {least:g} mm high at least, and tags.cap_height_mm is"
            f" {board.cap_height_mm:g}: raise it, or glue the tags on discs of that height"
        )
    free = board.cell_mm / 2 - max(GRIP_MM, NOSE_MM + TIP_CLEAR_MM) - AROUND_CAP_MM
    if board.cap_mm / 2 > free:
        raise NoBody(
            f"{board.name}: with caps of {board.cap_mm:g} mm (tags.cap_mm) no finger comes between"
            f" pieces {board.cell_mm:g} mm apart (board.cell_mm): want caps of"
            f" {2 * free:g} mm or less"
        )


def piece_sizes(board: PhysicalBoard, form: Form) -> dict[str, Value]:
    """The variables of `piece.scad` for one side's pieces."""
    check(board)
    width = width_mm(board)
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
        "cap_outline": _upwards(cap_outline(board, form, AROUND_CAP_MM)),
        "foot_outline": _upwards(foot_outline(board, form, width)),
    }


def mast_sizes(tube_mm: float = TUBE_MM) -> dict[str, Value]:
    return {"tube_mm": tube_mm, "tube_gap_mm": TUBE_GAP_MM}


def grid_sizes(board: PhysicalBoard, leds: LedSettings) -> dict[str, Value]:
    across, down = leds.per_cell
    return {
        "cell_mm": board.cell_mm,
        "grid_mm": GRID_MM,
        "strip_mm": STRIP_MM,
        "leds_across": across,
        "leds_down": down,
    }


def in_scad(value: Value) -> str:
    """A value as OpenSCAD writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case tuple():
            return f"[{', '.join(f'[{x:.4f}, {y:.4f}]' for x, y in value)}]"
        case _:
            return write_number(value)


def opened_by_itself(file: BoardFile) -> str:
    """Every variable as a file, so that OpenSCAD's own window shows a board's parts."""
    values = piece_sizes(file.board, Form.ROUND) | mast_sizes()
    if file.leds is not None:
        values |= grid_sizes(file.board, file.leds)
    lines = "".join(f"{name} = {in_scad(value)};\n" for name, value in values.items())
    return (
        f"// The sizes of {file.board.name}, to open the other files by themselves. Rendering gives"
        f" its own for all\n// of them, from a board file. Written by `laserboard bodies sizes`.\n"
        f"{lines}"
    )


def _upwards(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """From y down, as on a board, to y up; still listed so that the inside is on one side."""
    return tuple((x, -y) for x, y in outline)
