"""Renders the calibration screen as text: the live image, four score bars and one sentence."""

from __future__ import annotations

from textwrap import wrap

import cv2
import numpy as np

from controller.builder.calibration.frame import CalibrationFrame
from controller.builder.calibration.score import (
    EXCELLENT_POINTS,
    GOOD_POINTS,
    STEPS,
    StepScore,
)
from controller.builder.calibration.steps import CalibrationSteps
from controller.builder.sentences import join_names
from controller.ports.devices import Pixels
from controller.ui.terminal import sentences
from controller.ui.terminal.image_text import RESET_CODE, fit_to_terminal, image_lines
from engine.sentences import Sentence
from vision.board import PhysicalBoard
from vision.camera_model import Points
from vision.camera_pose import tag_square
from vision.observation import CellState
from vision.tags import CORNERS

MIN_TERMINAL_SIZE = (50, 16)  # columns and rows in which the image is still useful
BAR_WIDTH = 20  # characters
SENTENCE_LINES = 2
OTHER_LINES = 3 + len(STEPS) + SENTENCE_LINES  # besides the image; 3: title, space, keys
# BGR
READ_COLOUR = 90, 220, 120
COVERED_COLOUR = 60, 200, 255
EMPTY_COLOUR = 110, 110, 110


def render_calibration_screen(
    steps: CalibrationSteps,
    frame: CalibrationFrame,
    image: Pixels,
    size: tuple[int, int],
    trouble: Sentence | None,
    *,
    colour: bool,
) -> list[str]:
    """The lines of the whole screen; `trouble` replaces the advice of the step."""
    columns, rows = size[0] - 1, size[1] - 1  # a full last line would scroll
    pixels = annotated_thumbnail(image, frame, columns, rows - OTHER_LINES)
    template = sentences.CALIBRATION_HOLD if steps.hold_share else sentences.CALIBRATION_STEP
    number = STEPS.index(steps.step) + 1
    title = str(template(number=number, count=len(STEPS), step=str(steps.step)))
    lines = [title[:columns], *image_lines(pixels, colour=colour), ""]
    for each in steps.scores:
        mark = ">" if each.step is steps.step else " "
        lines.append(f"{mark} {_score_line(each, colour=colour)}")
    advice = steps.current_score.sentence if steps.current_score else ""
    sentence_lines = wrap(str(trouble or advice), columns)[:SENTENCE_LINES]
    return [
        *lines,
        *sentence_lines,
        *[""] * (SENTENCE_LINES - len(sentence_lines)),
        str(sentences.CALIBRATION_KEYS())[:columns],
    ]


def summary_lines(steps: CalibrationSteps, *, colour: bool) -> list[str]:
    """The result as a table."""
    lines = [f"{_score_line(each, colour=colour)}  {each.sentence}" for each in steps.scores]
    bad = [str(each.step) for each in steps.scores if not each.is_good]
    ready = sentences.READY_TO_PLAY()
    if bad:
        ready = sentences.MUST_BE_BETTER(steps=join_names(bad))
    lines.append(f"{'total':9} {' ' * BAR_WIDTH} {steps.total_points:4}  {ready}")
    if steps.lens_sentence:
        lines.append(f"{'lens':9} {' ' * BAR_WIDTH} {'':4}  {steps.lens_sentence}")
    return lines


def annotated_thumbnail(image: Pixels, frame: CalibrationFrame, columns: int, rows: int) -> Pixels:
    """The image at the size of the terminal, with outlines of the corner tags and pieces."""
    drawn = fit_to_terminal(image, columns, rows)
    if frame.lock is None:
        return drawn
    board, view = frame.table.board, frame.lock.camera
    scale = np.array([drawn.shape[1], drawn.shape[0]]) / (view.width, view.height)
    for tag in CORNERS:
        square = view.project(tag_square(board, tag)) * scale
        _frame(drawn, square, READ_COLOUR if tag in frame.lock.corners else COVERED_COLOUR)
    for cell, sighting in enumerate(frame.observation.sightings):
        square = view.project(_square(board, cell), board.cap_height_mm) * scale
        match sighting.state:
            case CellState.OCCUPIED:
                _frame(drawn, square, READ_COLOUR)
            case CellState.COVERED:
                _frame(drawn, square, COVERED_COLOUR)
            case CellState.EMPTY:
                x, y = square.mean(axis=0).astype(int).tolist()
                cv2.circle(drawn, (x, y), 0, EMPTY_COLOUR)
    return drawn


def _square(board: PhysicalBoard, cell: int) -> Points:
    half = board.tag_mm / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return np.asarray(board.centre_mm(cell) + around)


def _frame(drawn: Pixels, corners: Points, colour: tuple[int, int, int]) -> None:
    cv2.polylines(drawn, [np.floor(corners).astype(np.int32)], True, colour)


def _score_line(each: StepScore, *, colour: bool) -> str:
    full = round(BAR_WIDTH * each.points / 100)
    bar = "█" * full + "░" * (BAR_WIDTH - full)
    if colour:
        bar = f"{_ink(each.points)}{bar}{RESET_CODE}"
    return f"{each.step:9} {bar} {each.points:4}"


def _ink(points: int) -> str:
    """Green, yellow or red."""
    return (
        "\x1b[32m"
        if points >= EXCELLENT_POINTS
        else "\x1b[33m"
        if points >= GOOD_POINTS
        else "\x1b[31m"
    )
