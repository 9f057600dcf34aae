"""Lists the cameras, and tests the images of one: rate, exposure, brightness, sharpness."""

from __future__ import annotations

from dataclasses import dataclass

from controller.builder.calibration.image_quality import measure_quality
from controller.builder.sentences import FRAME_RATE
from controller.storage.image_files import save_png
from controller.ui.commands import sentences
from controller.ui.commands.camera import (
    first_frame,
    note_events,
    open_board_camera,
)
from controller.ui.console import Console, printable_name
from engine.sentences import Sentence


def list_cameras(console: Console) -> int:
    """Print the cameras that are found, and their troubles."""
    from controller.devices.factory.cameras import find_cameras

    cameras = find_cameras()
    for each in cameras:
        trouble = "" if each.trouble is None else f" ({each.trouble})"
        console.print(f"{each.url:10} {each.name}{trouble}")
    if not cameras:
        console.note(sentences.NO_CAMERA_FOUND())
    return 0


@dataclass(frozen=True, slots=True)
class CameraTestOptions:
    """Options of `laserboard camera test`: camera, duration, the file for its last image."""

    board: str
    camera: str | None  # None: the board file's, else the first found
    seconds: float
    out: str | None = None


def test_camera(options: CameraTestOptions, console: Console) -> int:
    """Print the rate of a camera, and the quality of its last image."""
    camera = open_board_camera(options.board, options.camera, console)
    try:
        last = first_frame(camera, console)
        taken_ms: list[float] = []  # without the first frame: the camera starts slowly
        end_ms = console.clock.now_ms() + 1000 * options.seconds
        while (left_ms := end_ms - console.clock.now_ms()) > 0:
            frame = camera.wait(last.number, left_ms)
            if frame is not None:
                last = frame
                taken_ms.append(frame.at_ms)
            elif note_events(camera, console):
                break
        details = camera.details()
    finally:
        camera.close()
    height, width = last.grey.shape
    quality = measure_quality(last.grey)
    rate = sentences.TOO_FEW_IMAGES()
    if len(taken_ms) > 1 and taken_ms[-1] > taken_ms[0]:
        rate_hz = 1000 * (len(taken_ms) - 1) / (taken_ms[-1] - taken_ms[0])
        rate = FRAME_RATE(rate_hz=f"{rate_hz:.1f}")
    locked = {
        True: sentences.LOCKED(),
        False: sentences.NOT_LOCKED(),
        None: sentences.NOTHING_TO_LOCK(),
    }
    sharpness = quality.sharpness(width).sentence
    if quality.blur_px is not None:
        sharpness = sentences.EDGES_BLURRED(blur_px=f"{quality.blur_px:.1f}", verdict=sharpness)
    lines: dict[str, str | Sentence] = {
        "camera": camera.name,
        "picture": f"{width} x {height}",
        "rate": rate,
        "exposure": locked[details.exposure_locked if details else None],
        "white balance": locked[details.white_balance_locked if details else None],
        "brightness": sentences.BRIGHTNESS(
            mean=round(quality.mean_level),
            white=round(quality.white_level),
            verdict=quality.brightness().sentence,
        ),
        "sharpness": sharpness,
    }
    if options.out is not None:
        save_png(options.out, last.grey)
        lines["saved"] = printable_name(options.out)
    for key, value in lines.items():
        console.print(f"{key:14} {value}")
    return 0
