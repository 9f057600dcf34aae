"""What a person sees during the walk: the live picture, four bars, one sentence. Pure text."""

from __future__ import annotations

from textwrap import wrap

import cv2
import numpy as np

from controller.calibrating.half_blocks import PLAIN, as_text, fitted
from controller.calibrating.look import Look
from controller.calibrating.verdict import FINE, GOOD, STEPS, Verdict, some
from controller.calibrating.walk import Walk
from controller.ports import Pixels
from vision.board import PhysicalBoard
from vision.observation import State
from vision.solving import tag_square
from vision.tags import CORNERS
from vision.view import Points

SMALLEST = (50, 16)  # columns and rows of a terminal in which the picture still says something
BAR = 20  # characters
KEYS = "Enter: go on anyway   b: back   q: quit"
SENTENCE_LINES = 2
AROUND = 3 + len(STEPS) + SENTENCE_LINES  # lines that are not the picture: title, space, keys
READ, COVERED, EMPTY = (90, 220, 120), (60, 200, 255), (110, 110, 110)  # blue, green, red


def screen(
    walk: Walk, look: Look, picture: Pixels, size: tuple[int, int], trouble: str, *, colour: bool
) -> list[str]:
    """The whole screen as lines; `trouble` is told in place of advice."""
    columns, rows = size[0] - 1, size[1] - 1  # a full last line would scroll
    pixels = miniature(picture, look, columns, rows - AROUND)
    hold = " - good, keep it so" if walk.held else ""
    title = f"step {STEPS.index(walk.step) + 1} of {len(STEPS)}: {walk.step}{hold}"
    lines = [title[:columns], *as_text(pixels, colour=colour), ""]
    for each in walk.verdicts:
        mark = ">" if each.step is walk.step else " "
        lines.append(f"{mark} {_scored(each, colour=colour)}")
    sentence = trouble or (walk.verdict.sentence if walk.verdict else "")
    told = wrap(sentence, columns)[:SENTENCE_LINES]
    return [*lines, *told, *[""] * (SENTENCE_LINES - len(told)), KEYS[:columns]]


def summary(walk: Walk, *, colour: bool) -> list[str]:
    """The result as a table."""
    lines = [f"{_scored(each, colour=colour)}  {each.sentence}" for each in walk.verdicts]
    bad = [str(each.step) for each in walk.verdicts if not each.good]
    ready = f"{some(bad)} must be better" if bad else "ready to play"
    lines.append(f"{'total':9} {' ' * BAR} {walk.total:4}  {ready}")
    if walk.lens:
        lines.append(f"{'lens':9} {' ' * BAR} {'':4}  {walk.lens}")
    return lines


def miniature(picture: Pixels, look: Look, columns: int, rows: int) -> Pixels:
    """The picture in few pixels, with what was found drawn over it in those."""
    drawn = fitted(picture, columns, rows)
    if look.lock is None:
        return drawn
    board, view = look.table.board, look.lock.view
    scale = np.array([drawn.shape[1], drawn.shape[0]]) / (view.width, view.height)
    for tag in CORNERS:
        square = view.project(tag_square(board, tag)) * scale
        _frame(drawn, square, READ if tag in look.lock.corners else COVERED)
    for cell, sighting in enumerate(look.seen.sightings):
        square = view.project(_square(board, cell), board.cap_height_mm) * scale
        match sighting.state:
            case State.OCCUPIED:
                _frame(drawn, square, READ)
            case State.COVERED:
                _frame(drawn, square, COVERED)
            case State.EMPTY:
                x, y = square.mean(axis=0).astype(int).tolist()
                cv2.circle(drawn, (x, y), 0, EMPTY)
    return drawn


def _square(board: PhysicalBoard, cell: int) -> Points:
    half = board.tag_mm / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return np.asarray(board.centre_mm(cell) + around)


def _frame(drawn: Pixels, corners: Points, colour: tuple[int, int, int]) -> None:
    cv2.polylines(drawn, [np.floor(corners).astype(np.int32)], True, colour)


def _scored(each: Verdict, *, colour: bool) -> str:
    full = round(BAR * each.points / 100)
    bar = "█" * full + "░" * (BAR - full)
    if colour:
        bar = f"{_ink(each.points)}{bar}{PLAIN}"
    return f"{each.step:9} {bar} {each.points:4}"


def _ink(points: int) -> str:
    """Green, yellow or red."""
    return "\x1b[32m" if points >= FINE else "\x1b[33m" if points >= GOOD else "\x1b[31m"
