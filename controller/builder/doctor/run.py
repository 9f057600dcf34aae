"""Runs the doctor's checks one after the other and yields a `Finding` for each.

`checks` turns their measurements into findings. A check that raises an error or exceeds its time
limit is a finding too; its thread is abandoned.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from controller.builder import sentences
from controller.builder.calibration.image_quality import measure_quality
from controller.builder.doctor import checks, device_checks, host_checks
from controller.builder.doctor.checks import Finding, Severity
from controller.builder.doctor.problems import KnownProblem
from controller.builder.doctor.timeout import CheckTimedOut, run_with_timeout
from controller.config.board_file import BoardFile, load_board_file
from controller.devices.factory.cameras import find_cameras, open_camera
from controller.lighting.layout import led_layout
from controller.ports.devices import Camera, Clock, Frame
from controller.ports.events import DeviceLost
from controller.session.board_fit import FittedBoard, fit_board
from engine import games
from engine.errors import LaserboardError
from engine.sentences import joined
from vision.observation import Problem
from vision.reader import Reader

CHECK_TIMEOUT_S = 30.0
COMPUTER_TIMEOUT_S = 90.0
FIRST_FRAME_TIMEOUT_MS = 20_000.0
RATE_WINDOW_MS, MAX_RATE_WINDOW_MS = 1_000.0, 5_000.0
MIN_RATE_FRAMES = 4
READ_FRAMES = 3

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    """The devices to check; a URL of None means the board file's, or a device that is found."""

    board: str
    clock: Clock
    stream: TextIO  # for the terminal bell
    camera: str | None = None
    leds: str | None = None
    devices: Path = Path("/dev")


class DoctorRun:
    """All checks. Later checks use results of earlier ones: board file, frames, board position."""

    def __init__(self, options: DoctorOptions) -> None:
        self.options = options
        self._file: BoardFile | None = None
        self._table: FittedBoard | None = None
        self._frames: list[Frame] = []
        self._reader: Reader | None = None

    def findings(self) -> Iterator[Finding]:
        """Yields each finding as soon as its check ends."""
        clock, stream = self.options.clock, self.options.stream
        yield run_check("python", host_checks.check_libraries)
        yield run_check("file", self._check_board_file)
        yield run_check(
            "permissions",
            lambda: host_checks.check_permissions(self.options.devices, self._url_schemes()),
        )
        for name, check in (
            ("camera", self._check_camera),
            ("light", self._check_light),
            ("board", self._check_board),
            ("pieces", self._check_pieces),
            (
                "leds",
                lambda file: device_checks.check_leds(file.leds, self.options.leds, clock, stream),
            ),
            ("current", _check_current),
            ("buttons", lambda file: device_checks.check_buttons(file.buttons, clock)),
            ("speaker", lambda file: device_checks.check_speaker(file.speaker, clock, stream)),
            ("voice", lambda file: device_checks.check_voice(file.play.voice, clock, stream)),
            ("computer", self._check_computer),
        ):
            yield self._with_file(name, check)
        yield run_check("disk", lambda: host_checks.check_disk(clock))
        yield run_check("clock", lambda: host_checks.check_clocks(clock))
        yield run_check("games", host_checks.check_stored_games)

    def _with_file(self, name: str, check: Callable[[BoardFile], Finding]) -> Finding:
        file = self._file
        if file is None:
            return checks.skipped_finding(name, sentences.NEEDS_BOARD_FILE())
        timeout_s = COMPUTER_TIMEOUT_S if name == "computer" else None
        return run_check(name, lambda: check(file), timeout_s)

    def _check_board_file(self) -> Finding:
        try:
            file = load_board_file(self.options.board)
        except LaserboardError as error:
            exists = Path(self.options.board).exists()
            problem = KnownProblem.BAD_BOARD_FILE if exists else KnownProblem.NO_BOARD_FILE
            return Finding("file", Severity.BAD, error.sentence, problem.remedy())
        game = None if file.play.game is None else games.make(file.play.game)
        self._table, layout = fit_board(file.board, game, file.camera.lens), led_layout(file)
        self._file = file
        summary = sentences.BOARD_FILE_READ(
            game=self._table.game.title,
            board=self.options.board,
            leds=sentences.NO_LEDS() if layout is None else layout.describe(),
        )
        return Finding("file", Severity.GOOD, summary)

    def _url_schemes(self) -> set[str | None]:
        """The URL schemes of the devices to use; None: a device without a URL."""
        file, options = self._file, self.options
        if file is None:
            return {None}
        urls = [options.camera or file.camera.url]
        urls += [options.leds or file.leds.url] if file.leds is not None else []
        urls += [url for url in (file.buttons.url, file.speaker.url) if url is not None]
        return {None if url is None else url.partition(":")[0] for url in urls}

    # -- camera, board and pieces --------------------------------------------------------------

    def _check_camera(self, file: BoardFile) -> Finding:
        settings, options = file.camera, self.options
        url = options.camera or settings.url
        if url is None:
            cameras = find_cameras()
            usable = [each for each in cameras if each.trouble is None]
            if not usable:
                trouble = [
                    sentences.DEVICE_LOST(device=each.url, reason=each.trouble)
                    for each in cameras
                    if each.trouble is not None
                ]
                remedy = joined(trouble) if trouble else KnownProblem.NO_CAMERA.remedy()
                return Finding("camera", Severity.BAD, sentences.NO_CAMERA_FOUND(), remedy)
            url = usable[0].url
        camera = open_camera(
            url, options.clock, settings.width, settings.height, options.board, threaded=False
        )
        try:
            lost = self._collect_frames(camera, 0, FIRST_FRAME_TIMEOUT_MS, 1)
            details = camera.details()
            if not self._frames or details is None:
                return checks.device_lost_finding(
                    "camera", camera.name, lost, FIRST_FRAME_TIMEOUT_MS
                )
            first = self._frames[-1].number
            self._collect_frames(camera, RATE_WINDOW_MS, MAX_RATE_WINDOW_MS, MIN_RATE_FRAMES)
        finally:
            camera.close()
        # The first frame is late because the camera starts.
        taken_ms = [frame.at_ms for frame in self._frames if frame.number > first]
        return checks.evaluate_camera(camera.name, details, taken_ms)

    def _collect_frames(
        self, camera: Camera, least_ms: float, most_ms: float, fewest: int
    ) -> list[DeviceLost]:
        """Collects at least `fewest` frames for `least_ms` to `most_ms`; returns losses at once."""
        clock, enough = self.options.clock, len(self._frames) + fewest
        begin_ms = clock.now_ms()
        while (passed_ms := clock.now_ms() - begin_ms) < most_ms:
            if passed_ms >= least_ms and len(self._frames) >= enough:
                break
            last = self._frames[-1].number if self._frames else 0
            frame = camera.wait(last, most_ms - passed_ms)
            self._frames += [] if frame is None else [frame]
            lost = [each for each in camera.events() if isinstance(each, DeviceLost)]
            if lost:
                return lost
        return []

    def _check_light(self, _: BoardFile) -> Finding:
        if not self._frames:
            return checks.skipped_finding("light", sentences.NEEDS_IMAGE())
        grey = self._frames[-1].grey
        return checks.evaluate_light(measure_quality(grey), grey.shape[1])

    def _check_board(self, _: BoardFile) -> Finding:
        assert self._table is not None
        if not self._frames:
            return checks.skipped_finding("board", sentences.NEEDS_IMAGE())
        reader = Reader(self._table.board, self._table.pieces_by_tag, self._table.lens)
        found = reader.find(self._frames[-1].grey)
        if not isinstance(found, Problem):
            self._reader = reader
        return checks.evaluate_board(found, self._table)

    def _check_pieces(self, file: BoardFile) -> Finding:
        assert self._table is not None
        if self._reader is None:
            return checks.skipped_finding("pieces", sentences.NEEDS_BOARD_IN_IMAGE())
        *_, observation = (self._reader.read(frame.grey) for frame in self._frames[-READ_FRAMES:])
        return checks.evaluate_pieces(observation, self._table, file.play.setup)

    def _check_computer(self, file: BoardFile) -> Finding:
        assert self._table is not None
        required = any(seat.is_automated for seat in file.play.seats)
        return device_checks.check_computer(self._table.game, required, self.options.clock)


def run_check(name: str, check: Callable[[], Finding], timeout_s: float | None = None) -> Finding:
    """Runs a check in a thread; an error or a timeout is a finding too."""
    try:
        return run_with_timeout(timeout_s or CHECK_TIMEOUT_S, check)
    except CheckTimedOut as late:
        log.warning("the check %s timed out: %s", name, late)
        return Finding(name, Severity.BAD, late.sentence, KnownProblem.DEVICE_SILENT.remedy())
    except LaserboardError as error:
        return checks.failed_finding(name, error.sentence)
    except Exception as defect:
        log.exception("the check %s failed", name)
        sentence = sentences.DEFECT(error=type(defect).__name__, message=str(defect))
        return Finding(name, Severity.BAD, sentence, KnownProblem.PROGRAM_DEFECT.remedy())


def _check_current(file: BoardFile) -> Finding:
    if file.leds is None:
        return checks.skipped_finding("current", sentences.NO_LEDS_TO_FEED())
    return checks.evaluate_current(file.leds)
