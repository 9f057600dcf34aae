"""Runs the calibration steps with a camera: live on a terminal, else as a few lines."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from controller.builder.calibration import (
    EXCELLENT_POINTS,
    CalibrationFrame,
    CalibrationSteps,
    FrameAnalyzer,
    StepScore,
)
from controller.config.board_file import load_board_file
from controller.config.board_names import default_board
from controller.devices.factory.inputs import open_terminal_keys
from controller.ports.devices import Camera, Clock, Frame, Pixels
from controller.ports.events import DeviceLost, DeviceRemark
from controller.session.board_fit import FittedBoard, fit_board
from controller.session.sentences import DEVICE_LOST, DEVICE_REMARK
from controller.storage.image_files import save_png
from controller.ui.commands import sentences
from controller.ui.commands.camera import first_frame, open_board_camera
from controller.ui.console import BadInput, Console, printable_name
from controller.ui.terminal.calibration_screen import (
    MIN_TERMINAL_SIZE,
    render_calibration_screen,
    summary_lines,
)
from engine import games
from engine.sentences import Sentence
from vision.overlay import draw_overlay

EVALUATE_MS = 180.0  # between two images that are scored, at least
KEY_POLL_MS = 200.0  # a key is noticed within that time, even if no image comes
LINE_INTERVAL_MS = 1000.0  # between two lines, without a terminal
HOME, CLEAR_BELOW, CLEAR = "\x1b[H", "\x1b[J", "\x1b[2J"
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
QUIT_KEYS, BACK_KEYS, NEXT_KEYS = ("q", "Q"), ("b", "B"), ("enter", "space")
EXIT_NOT_GOOD = 1


@dataclass(frozen=True, slots=True)
class CalibrationOptions:
    """Options of `laserboard calibrate`: board, camera, game, live or one image, output image."""

    board: str | None = None
    camera: str | None = None
    game: str | None = None
    once: bool = False
    picture: str | None = None
    seconds: float | None = None  # None: until all steps are done


class _Display(Protocol):
    """Shows the steps."""

    def show(self, steps: CalibrationSteps, analysis: CalibrationFrame, frame: Frame) -> None: ...

    def trouble(self, sentence: Sentence | None) -> None:
        """Why the camera gives no images; None: it works again."""

    def remark(self, sentence: Sentence) -> None: ...

    def pressed_keys(self) -> list[str]: ...

    def close(self) -> None: ...


def run_calibration(options: CalibrationOptions, console: Console) -> int:
    """0: every step is good in the last image, 1: one is not."""
    if options.picture is not None and not options.picture.lower().endswith(".png"):
        raise BadInput(sentences.IMAGE_NOT_PNG(name=printable_name(options.picture)))
    board_name = options.board or default_board()
    file = load_board_file(board_name)
    game = None if options.game is None else games.make(options.game)
    board = fit_board(file.board, game, file.camera.lens)
    with closing(open_board_camera(board_name, options.camera, console)) as camera:
        frame = first_frame(camera, console)
        live = _LiveCalibration(camera, board, console.clock, options.seconds)
        analysis = live.analyze(frame)
        steps = CalibrationSteps().add_frame(analysis)
        if not options.once:
            with closing(_open_display(console)) as display:
                steps, analysis, frame = live.run(steps, analysis, frame, display)
    if options.picture is not None:
        save_png(options.picture, _with_overlay(steps, analysis, frame))
    for line in summary_lines(steps, colour=console.colour):
        console.print(line)
    return 0 if steps.is_good else EXIT_NOT_GOOD


class _LiveCalibration:
    """The steps with a camera, one image after another."""

    def __init__(
        self, camera: Camera, table: FittedBoard, clock: Clock, seconds: float | None
    ) -> None:
        self._camera, self._analyzer, self._clock = camera, FrameAnalyzer(table), clock
        self._end_ms = None if seconds is None else clock.now_ms() + 1000 * seconds
        self._ended = False  # the person quit, or the camera is lost for good

    def analyze(self, frame: Frame) -> CalibrationFrame:
        details = self._camera.details()
        locked = details.exposure_locked if details else None
        return self._analyzer.analyze(frame.grey, frame.at_ms, locked)

    def run(
        self, steps: CalibrationSteps, analysis: CalibrationFrame, frame: Frame, display: _Display
    ) -> tuple[CalibrationSteps, CalibrationFrame, Frame]:
        """Run until the last step is done, the time is up, or the person quits."""
        display.show(steps, analysis, frame)
        number = frame.number
        while True:
            before, steps = steps, self._press_keys(steps, display.pressed_keys())
            if steps.is_over or self._ended or self._time_is_up():
                return steps, analysis, frame
            newer = self._camera.wait(number, KEY_POLL_MS)
            if newer is None:
                steps = self._take_camera_events(steps, display)
            else:
                number = newer.number
                if newer.at_ms - analysis.at_ms >= EVALUATE_MS:
                    analysis, frame = self.analyze(newer), newer
                    steps = steps.add_frame(analysis)
            if steps is not before:
                display.show(steps, analysis, frame)

    def _time_is_up(self) -> bool:
        return self._end_ms is not None and self._clock.now_ms() >= self._end_ms

    def _press_keys(self, steps: CalibrationSteps, keys: list[str]) -> CalibrationSteps:
        for key in keys:
            if key in QUIT_KEYS:
                self._ended = True
            elif key in BACK_KEYS:
                steps = steps.go_back()
            elif key in NEXT_KEYS:
                steps = steps.skip_step()
        return steps

    def _take_camera_events(self, steps: CalibrationSteps, display: _Display) -> CalibrationSteps:
        for event in self._camera.events():
            match event:
                case DeviceRemark():
                    display.remark(DEVICE_REMARK(device=event.device, remark=event.sentence))
                case DeviceLost():
                    display.trouble(DEVICE_LOST(device=event.device, reason=event.reason))
                    self._ended = self._ended or event.is_permanent
                    steps = steps.reset_comparison()
                case _:
                    display.trouble(None)
        return steps


def _open_display(console: Console) -> _Display:
    if console.size is None:
        return _Lines(console)
    if console.size[0] < MIN_TERMINAL_SIZE[0] or console.size[1] < MIN_TERMINAL_SIZE[1]:
        (columns, rows), (own_columns, own_rows) = MIN_TERMINAL_SIZE, console.size
        sentence = sentences.LIVE_NEEDS_TERMINAL(
            columns=columns, rows=rows, own_columns=own_columns, own_rows=own_rows
        )
        console.note(sentence)
        return _Lines(console)
    return _Screen(console, console.size)


class _Screen:
    """Redraws the terminal in place."""

    def __init__(self, console: Console, size: tuple[int, int]) -> None:
        self._console, self._size = console, size
        self._trouble: Sentence | None = None
        self._remarks: list[Sentence] = []  # printed at the end: the screen has no room
        self._keys = open_terminal_keys(console.clock, self._leave, self._enter)
        self._enter()

    def show(self, steps: CalibrationSteps, analysis: CalibrationFrame, frame: Frame) -> None:
        lines = render_calibration_screen(
            steps,
            analysis,
            _colour_image(frame),
            self._size,
            self._trouble,
            colour=self._console.colour,
        )
        text = "".join(f"{line}\x1b[K\n" for line in lines)
        self._console.out.write(HOME + text + CLEAR_BELOW)
        self._console.out.flush()

    def trouble(self, sentence: Sentence | None) -> None:
        self._trouble = sentence

    def remark(self, sentence: Sentence) -> None:
        self._remarks.append(sentence)

    def pressed_keys(self) -> list[str]:
        return self._keys.pressed()

    def _enter(self) -> None:
        self._console.hold_log(True)
        self._console.out.write(HIDE_CURSOR + CLEAR)

    def _leave(self) -> None:
        self._console.out.write(SHOW_CURSOR)
        self._console.out.flush()
        self._console.hold_log(False)

    def close(self) -> None:
        self._keys.close()
        self._console.out.write(HOME + CLEAR_BELOW + SHOW_CURSOR)
        self._console.out.flush()
        self._console.hold_log(False)
        for remark in [*self._remarks, *filter(None, [self._trouble])]:
            self._console.note(remark)


class _Lines:
    """Prints a line when the score changes, at most one a second."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last_score: StepScore | None = None
        self._last_line_ms = 0.0

    def show(self, steps: CalibrationSteps, analysis: CalibrationFrame, frame: Frame) -> None:
        score = steps.current_score
        if score is None or steps.is_over:
            return
        last = self._last_score
        if last is not None and last.step is score.step:
            fine = min(last.points, score.points) >= EXCELLENT_POINTS
            if (
                fine
                or last.sentence == score.sentence
                or analysis.at_ms - self._last_line_ms < LINE_INTERVAL_MS
            ):
                return
        self._last_score, self._last_line_ms = score, analysis.at_ms
        self._console.note(f"{score.step:9} {score.points:3}  {score.sentence}")

    def trouble(self, sentence: Sentence | None) -> None:
        self._console.note(sentence or sentences.CAMERA_WORKS_AGAIN())

    def remark(self, sentence: Sentence) -> None:
        self._console.note(sentence)

    def pressed_keys(self) -> list[str]:
        return []

    def close(self) -> None:
        """Nothing is open."""


def _colour_image(frame: Frame) -> Pixels:
    """The frame as BGR; a grey camera gives grey."""
    if frame.bgr is not None:
        return frame.bgr
    return np.asarray(cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _with_overlay(steps: CalibrationSteps, analysis: CalibrationFrame, frame: Frame) -> Pixels:
    table = analysis.table
    lines = [f"{each.step} {each.points}: {each.sentence}" for each in steps.scores]
    image = _colour_image(frame)
    return draw_overlay(
        image,
        table.board,
        analysis.lock,
        analysis.observation,
        table.game,
        table.pieces_by_tag,
        lines,
    )
