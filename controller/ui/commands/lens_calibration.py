"""Collects views of the calibration sheet: from picture files, or live from a camera."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from controller.storage.image_files import BadImageFile, read_grey_image
from controller.ui.commands.camera import first_frame, note_events, open_board_camera
from controller.ui.console import Console, printable_name
from vision.calibration import (
    CalibrationSheet,
    SheetRejection,
    SheetView,
    find_sheet,
    is_new_view,
    measure_coverage,
)

STEADY_FRACTION = 0.004  # of the picture's width, from one picture to the next
MOST_ADVICE = 3
HINT_MS = 3000.0  # between two hints to the person who holds the sheet


def load_views(names: Sequence[str], sheet: CalibrationSheet, console: Console) -> list[SheetView]:
    """Views from picture files; notes the files that are left out."""
    views: list[SheetView] = []
    for name in names:
        try:
            view = find_sheet(read_grey_image(name), sheet, printable_name(name))
        except BadImageFile as bad:
            console.note(f"left out: {bad}")
            continue
        if isinstance(view, SheetRejection):
            console.note(f"left out: {printable_name(name)}: {view}")
        else:
            views.append(view)
    if views:
        for advice in measure_coverage(views).advice()[:MOST_ADVICE]:
            console.note(str(advice))
    return views


def capture_views(
    board_name: str,
    camera_url: str | None,
    sheet: CalibrationSheet,
    seconds: float,
    console: Console,
) -> list[SheetView]:
    """Views from a camera while a person shows it the sheet, until they cover the picture."""
    views: list[SheetView] = []
    before: SheetView | None = None
    clock, number = console.clock, 0
    with closing(open_board_camera(board_name, camera_url, console)) as camera:
        first_frame(camera, console)
        end_ms, hinted_ms = clock.now_ms() + 1000 * seconds, clock.now_ms()
        while (left_ms := end_ms - clock.now_ms()) > 0:
            frame = camera.wait(number, left_ms)
            if frame is None:
                if note_events(camera, console):
                    break
                continue
            number = frame.number
            result = find_sheet(frame.grey, sheet, f"view {len(views) + 1}")
            view = None if isinstance(result, SheetRejection) else result
            if view and _is_steady(before, view) and is_new_view(view, views):
                views.append(view)
                missing = measure_coverage(views).advice()
                if not missing:
                    break
                console.note(f"view {len(views)} taken; {missing[0]}")
                hinted_ms = clock.now_ms()
            elif clock.now_ms() - hinted_ms > HINT_MS:
                console.note("hold it still, elsewhere" if view else str(result))
                hinted_ms = clock.now_ms()
            before = view
    return views


def _is_steady(before: SheetView | None, view: SheetView) -> bool:
    if before is None:
        return False
    earlier, later = (each.picture_points.mean(axis=0) for each in (before, view))
    return float(abs(earlier - later).max()) < STEADY_FRACTION * view.width
