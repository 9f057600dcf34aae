"""Calibrates a lens with views of the calibration sheet: from image files, or from a camera."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from controller.config.board_file import write_lens
from controller.storage.image_files import BadImageFile, read_grey_image, save_png
from controller.ui.commands import sentences
from controller.ui.commands.camera import first_frame, note_events, open_board_camera
from controller.ui.console import Console, printable_name, write_file
from vision.calibration import (
    Calibration,
    CalibrationSheet,
    SheetRejection,
    SheetView,
    calibrate,
    find_sheet,
    is_new_view,
    measure_coverage,
)

STEADY_FRACTION = 0.004  # of the image's width, from one image to the next
MAX_ADVICE = 3
HINT_MS = 3000.0  # between two hints to the person who holds the sheet


@dataclass(frozen=True, slots=True)
class LensOptions:
    """The sheet, its images or the camera that takes them, and the lens file to write."""

    sheet: CalibrationSheet
    out: str  # -: standard output
    images: Sequence[str]  # empty: from the camera
    board: str
    camera: str | None
    seconds: float  # the time limit of the camera


def calibrate_lens(options: LensOptions, console: Console) -> int:
    """Compute the lens from views of the sheet, and write the lens file."""
    if options.images:
        views = load_views(options.images, options.sheet, console)
    else:
        views = capture_views(
            options.board, options.camera, options.sheet, options.seconds, console
        )
    return _write_lens(calibrate(views), options.out, console)


def load_views(names: Sequence[str], sheet: CalibrationSheet, console: Console) -> list[SheetView]:
    """Views from image files; notes the files that are left out."""
    views: list[SheetView] = []
    for name in names:
        try:
            view = find_sheet(read_grey_image(name), sheet, printable_name(name))
        except BadImageFile as error:
            console.note(sentences.VIEW_LEFT_OUT(reason=error.sentence))
            continue
        if isinstance(view, SheetRejection):
            reason = sentences.IN_FILE(name=printable_name(name), reason=view.value)
            console.note(sentences.VIEW_LEFT_OUT(reason=reason))
        else:
            views.append(view)
    if views:
        for advice in measure_coverage(views).advice()[:MAX_ADVICE]:
            console.note(advice)
    return views


def capture_views(
    board_name: str,
    camera_url: str | None,
    sheet: CalibrationSheet,
    seconds: float,
    console: Console,
) -> list[SheetView]:
    """Views from a camera while a person shows it the sheet, until they cover the image."""
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
            result = find_sheet(frame.grey, sheet, str(sentences.VIEW_NAME(number=len(views) + 1)))
            view = None if isinstance(result, SheetRejection) else result
            if view and _is_steady(before, view) and is_new_view(view, views):
                views.append(view)
                missing = measure_coverage(views).advice()
                if not missing:
                    break
                console.note(sentences.VIEW_TAKEN(number=len(views), advice=missing[0]))
                hinted_ms = clock.now_ms()
            elif clock.now_ms() - hinted_ms > HINT_MS:
                console.note(
                    result.value if isinstance(result, SheetRejection) else sentences.HOLD_STILL()
                )
                hinted_ms = clock.now_ms()
            before = view
    return views


def _is_steady(before: SheetView | None, view: SheetView) -> bool:
    if before is None:
        return False
    earlier, later = (each.image_points.mean(axis=0) for each in (before, view))
    return float(abs(earlier - later).max()) < STEADY_FRACTION * view.width


def write_sheet(sheet: CalibrationSheet, out: str, console: Console) -> int:
    """Draw the calibration sheet into a PNG."""
    save_png(out, sheet.picture())
    console.print(sentences.SHEET_DRAWN(name=printable_name(out)))
    return 0


def _write_lens(calibration: Calibration, out: str, console: Console) -> int:
    origin = sentences.LENS_ORIGIN(
        images=len(calibration.used), width=calibration.width, height=calibration.height
    )
    error_px, verdict = f"{calibration.score_px:.2f}", calibration.verdict()
    error = sentences.LENS_ERROR(error_px=error_px, verdict=verdict)
    write_file(out, write_lens(calibration.lens, (str(origin), str(error))), console)
    for name in calibration.left_out:
        console.note(sentences.VIEW_DISAGREES(name=name))
    if out != "-":
        console.print(sentences.FOCAL_LENGTH(focal=f"{calibration.lens.focal:.3f}"))
        console.print(sentences.REPROJECTION_ERROR(error_px=error_px, verdict=verdict))
        console.print(sentences.LENS_FILE(name=printable_name(out)))
    return 0
