"""Where the camera stands, and where it should: directions are told from the side of row 1."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from controller.calibrating.look import Look, outline_px
from controller.calibrating.verdict import Finding, Step, Verdict, points, verdict
from controller.picture_quality import DARKEST_WHITE, MOST_SATURATED, REFERENCE_WIDTH, SOFT_PX
from vision.board import PhysicalBoard
from vision.observation import Trouble
from vision.pose import Lock
from vision.solving import tag_square
from vision.tags import CORNERS
from vision.view import Points

MANY_PIECES = 3  # that are seen: then the board is there, and too near
BOTH_WAYS = 0.5  # of the longer way: a shorter one that is worth telling
CUT_OFF, HIDDEN = 40, 60  # points


def position(look: Look) -> Verdict:
    if look.lock is None:
        return verdict(Step.POSITION, [Finding(_found_points(look), _why_not_found(look))], "")
    filled = _filled(look, look.lock)
    praise = f"all four corners are seen, the board fills {100 * filled:.0f} % of the picture"
    return verdict(Step.POSITION, _findings(look, look.lock, filled), praise)


def _findings(look: Look, lock: Lock, filled: float) -> Iterator[Finding]:
    board = look.table.board
    outside = [tag for tag in CORNERS if _outside(lock, board, tag)]
    if outside:
        yield Finding(CUT_OFF, _into_picture(board, lock, outside))
    for problem in look.seen.problems:
        if problem.trouble is Trouble.CORNER_HIDDEN and not set(problem.tags) & set(outside):
            yield Finding(HIDDEN, problem.sentence)
    share = f"the board fills {100 * filled:.0f} % of the picture"
    yield Finding(
        points(filled, (0.15, 10), (0.45, 75), (0.6, 100)),
        f"{share}: move the camera nearer, or zoom in",
    )
    yield Finding(
        points(filled, (0.95, 100), (1.0, 60)), f"{share}: move the camera higher, or zoom out"
    )
    tilt, foot = _tilt(lock), _foot(lock)
    yield Finding(
        points(tilt, (20, 100), (30, 75), (45, 30)),
        f"the camera looks from the side, {tilt:.0f} degrees off straight down: move"
        f" it {_way(board, np.array(board.size_mm) / 2 - foot)}",
    )


def _found_points(look: Look) -> int:
    """Something for every corner tag that was found, so that a hand sees that it gets warmer."""
    lost = [each for each in look.seen.problems if each.trouble is Trouble.NO_BOARD]
    return 10 * len(lost[0].tags) if lost else 0


def _why_not_found(look: Look) -> str:
    quality = look.quality
    if quality.white < DARKEST_WHITE:
        return "too dark to find the board: more light, or a longer exposure"
    if quality.saturated > 10 * MOST_SATURATED:
        return "too bright to find the board: a shorter exposure, or less light"
    blur = (quality.blur_px or 0.0) * REFERENCE_WIDTH / look.width
    if blur > SOFT_PX:
        return "too blurred to find the board: turn the lens ring until the picture is sharp"
    if len(look.tags - set(CORNERS)) >= MANY_PIECES and not look.tags & set(CORNERS):
        return "pieces are seen, but no corner of the board: move the camera higher, or zoom out"
    return next((each.sentence for each in look.seen.problems), "no board is seen")


def _filled(look: Look, lock: Lock) -> float:
    """The board's share of the picture's width or height, whichever is more."""
    spans = np.ptp(outline_px(look.table, lock), axis=0)
    return float((spans / (lock.view.width, lock.view.height)).max())


def _outside(lock: Lock, board: PhysicalBoard, tag: int) -> bool:
    seen = lock.view.project(tag_square(board, tag))
    return bool((seen < 0).any() or (seen > (lock.view.width, lock.view.height)).any())


def _into_picture(board: PhysicalBoard, lock: Lock, outside: list[int]) -> str:
    tags = np.concatenate([lock.view.project(tag_square(board, tag)) for tag in CORNERS])
    spans = np.ptp(tags, axis=0) / (lock.view.width, lock.view.height)
    if spans.max() > 1:
        return "the board does not fit into the picture: move the camera higher, or zoom out"
    corners = board.corner_tags_mm()[[CORNERS.index(tag) for tag in outside]]
    way = _way(board, corners.mean(axis=0) - np.array(board.size_mm) / 2)
    near = dict(zip(CORNERS, board.corner_cells(), strict=True))
    return (
        f"the board is cut off at {' and '.join(near[tag] for tag in outside)}: move the"
        f" camera {way}"
    )


def _way(board: PhysicalBoard, way_mm: Points) -> str:
    """A way over the board in words; row 1 is where one stands."""
    across, down = (float(n) for n in way_mm)
    words = []
    if abs(across) >= BOTH_WAYS * abs(down):
        words.append("to the right" if across > 0 else "to the left")
    if abs(down) >= BOTH_WAYS * abs(across):
        far, near = (
            "".join(filter(str.isdigit, board.corner_cells()[index])) or name
            for index, name in ((0, "far"), (3, "near"))
        )
        words.append(f"towards row {near if down > 0 else far}")
    return f"{' and '.join(words)} (seen from row 1)"


def _turned(lock: Lock) -> Points:
    turned, _ = cv2.Rodrigues(np.array(lock.view.rotation))
    return np.asarray(turned, np.float64)


def _tilt(lock: Lock) -> float:
    """Degrees between where the camera looks and straight down."""
    return float(np.degrees(np.arccos(np.clip(_turned(lock)[2, 2], -1, 1))))


def _foot(lock: Lock) -> Points:
    """The point of the board's plane right below the camera, in millimetres."""
    return np.asarray((-_turned(lock).T @ np.array(lock.view.translation_mm))[:2])
