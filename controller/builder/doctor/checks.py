"""Pure part of `laserboard doctor`: turns measured values into a `Finding` each.

A finding is a sentence about the result and, unless it is good, a remedy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from controller.builder import sentences
from controller.builder.calibration.image_quality import (
    MAX_SATURATED_SHARE,
    MIN_WHITE_LEVEL,
    ImageQuality,
)
from controller.builder.doctor.problems import KnownProblem
from controller.builder.sentences import join_names
from controller.config.leds import LedSettings
from controller.lighting.output import estimate_current_ma
from controller.ports.devices import CameraDetails, MatrixDetails
from controller.ports.events import DeviceEvent, DeviceLost
from controller.ports.sentences import problem_and_remedy
from controller.session.board_fit import FittedBoard
from engine.sentences import Sentence, joined
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel
from vision.camera_pose import BoardLock
from vision.infer import check_position
from vision.observation import Observation, Problem

MIN_FRAME_RATE_HZ = 4.0
MIN_TAG_PX = 20.0  # tags of 14 px are read in good light only
MIN_FIT_CONFIDENCE = 0.6  # below it the board is bent or its file has wrong sizes
MIN_FREE_BYTES, LOW_FREE_BYTES = 5_000_000, 200_000_000
SLOW_SYNC_MS = 250.0
FIRST_YEAR, LAST_YEAR = 2025, 2100
MIN_LIGHT_SHARE = 0.15  # of full white: less is hard to see by day
MAX_NAMES = 5
ROOT_GROUP = "root"  # `usermod` must not suggest this group
ERROR_COUNTERS = ("bad crc", "overflow", "malformed")


class Severity(StrEnum):
    """How serious a finding is."""

    GOOD = "good"
    WARNING = "warning"  # play is possible, but worse than it could be
    BAD = "bad"
    SKIPPED = "skipped"  # another finding must be fixed first


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    name: str
    level: Severity
    sentence: Sentence
    remedy: Sentence | None = None


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """A file in `/dev`, the group that may use it, and whether this user may."""

    path: str
    group: str
    allowed: bool


def device_lost_finding(
    name: str, device: str, events: Iterable[DeviceEvent], timeout_ms: float
) -> Finding:
    """A device that is lost or does not answer."""
    for event in events:
        if isinstance(event, DeviceLost):
            problem, remedy = problem_and_remedy(event.reason)
            lost = sentences.DEVICE_LOST(device=device, reason=problem)
            return Finding(name, Severity.BAD, lost, remedy)
    silent = sentences.DEVICE_SILENT(device=device, seconds=timeout_ms / 1000)
    return Finding(name, Severity.BAD, silent, KnownProblem.DEVICE_SILENT.remedy())


def failed_finding(name: str, reason: Sentence) -> Finding:
    """An error as a finding."""
    return Finding(name, Severity.BAD, *problem_and_remedy(reason))


def skipped_finding(name: str, reason: Sentence) -> Finding:
    return Finding(name, Severity.SKIPPED, sentences.NOT_CHECKED(reason=reason))


# -- the computer ------------------------------------------------------------------------------


def evaluate_libraries(versions: Mapping[str, str | None], minimum: Mapping[str, str]) -> Finding:
    """`versions` by name; None: not installed."""
    missing = tuple(name for name, version in versions.items() if version is None)
    outdated = tuple(
        sentences.LIBRARY_TOO_OLD(name=name, version=versions[name] or "", minimum=least)
        for name, least in minimum.items()
        if versions.get(name) and _version_numbers(versions[name] or "") < _version_numbers(least)
    )
    found = tuple(f"{name} {version}" for name, version in versions.items() if version)
    if missing:
        return Finding(
            "python",
            Severity.BAD,
            sentences.LIBRARIES_MISSING(missing=missing, found=found),
            KnownProblem.LIBRARY_MISSING.remedy(),
        )
    if outdated:
        return Finding(
            "python",
            Severity.BAD,
            sentences.LIBRARIES_TOO_OLD(libraries=outdated),
            KnownProblem.LIBRARY_TOO_OLD.remedy(),
        )
    return Finding("python", Severity.GOOD, sentences.LIBRARIES_FOUND(libraries=found))


def evaluate_permissions(devices: Iterable[DeviceFile]) -> Finding:
    every = list(devices)
    forbidden = [each for each in every if not each.allowed]
    if forbidden:
        groups = ",".join(sorted({each.group for each in forbidden} - {ROOT_GROUP}))
        remedy = (
            KnownProblem.PERMISSION_DENIED.remedy(groups=groups)
            if groups
            else KnownProblem.ROOT_ONLY.remedy()
        )
        return Finding(
            "permissions",
            Severity.BAD,
            sentences.DEVICES_FORBIDDEN(devices=_paths(forbidden)),
            remedy,
        )
    allowed = sentences.DEVICES_ALLOWED(devices=_paths(every)) if every else sentences.NO_DEVICES()
    return Finding("permissions", Severity.GOOD, allowed)


# -- camera, board and pieces ------------------------------------------------------------------


def evaluate_camera(name: str, details: CameraDetails, frame_times_ms: Sequence[float]) -> Finding:
    """A camera that gives images; `frame_times_ms` are the times of consecutive frames."""
    summary = [sentences.CAMERA_FORMAT(camera=name, width=details.width, height=details.height)]
    rate_hz = None
    if len(frame_times_ms) > 1 and frame_times_ms[-1] > frame_times_ms[0]:
        rate_hz = 1000 * (len(frame_times_ms) - 1) / (frame_times_ms[-1] - frame_times_ms[0])
        summary.append(sentences.FRAME_RATE(rate_hz=round(rate_hz)))
    remedies = list(details.remarks)
    if details.exposure_locked is True:
        summary.append(sentences.EXPOSURE_LOCKED())
    elif details.exposure_locked is False:
        summary.append(sentences.EXPOSURE_NOT_LOCKED())
        remedies.append(KnownProblem.EXPOSURE_NOT_LOCKED.remedy())
    if rate_hz is None or rate_hz < MIN_FRAME_RATE_HZ:
        remedies.append(KnownProblem.SLOW_CAMERA.remedy())
    return _finding_from_remedies("camera", joined(summary, ", "), remedies)


def evaluate_light(quality: ImageQuality, width: int) -> Finding:
    brightness, sharpness = quality.brightness(), quality.sharpness(width)
    remedies = []
    if quality.saturated_share > MAX_SATURATED_SHARE:
        remedies.append(KnownProblem.GLARE.remedy())
    elif brightness.advice is not None:
        remedies.append(brightness.advice)
    if quality.blur_px is not None and sharpness.advice is not None:
        remedies.append(sharpness.advice)
    light = sentences.WHITE_LEVEL(level=round(quality.white_level), verdict=brightness.verdict)
    finding = _finding_from_remedies("light", joined([light, sharpness.verdict]), remedies)
    too_dark = quality.white_level < MIN_WHITE_LEVEL
    return replace(finding, level=Severity.BAD) if too_dark else finding


def evaluate_board(found: BoardLock | Problem, table: FittedBoard) -> Finding:
    """The board in the image, and how well the camera's pose fits it."""
    if isinstance(found, Problem):
        remedy = found.sentence if found.tags else KnownProblem.BOARD_NOT_IN_VIEW.remedy()
        return Finding("board", Severity.BAD, sentences.BOARD_NOT_FOUND(), remedy)
    tag_px = tag_width_px(found.camera, table.board)
    calibrated = table.lens.calibrated
    lens = sentences.LENS_CALIBRATED() if calibrated else sentences.LENS_NOT_CALIBRATED()
    summary = sentences.BOARD_FOUND(
        corners=len(found.corners),
        error_px=f"{found.error_px:.1f}",
        tag_px=round(tag_px),
        lens=lens,
    )
    remedies = [problem.sentence for problem in found.problems]
    if found.confidence < MIN_FIT_CONFIDENCE and len(found.corners) == 4:
        remedies.append(KnownProblem.BOARD_MISMEASURED.remedy())
    if tag_px < MIN_TAG_PX:
        remedies.append(KnownProblem.TAGS_TOO_SMALL.remedy())
    return _finding_from_remedies("board", summary, remedies)


def tag_width_px(view: CameraModel, board: PhysicalBoard) -> float:
    """The width of a tag in the image, for a piece in the middle of the board."""
    middle = board.centres_mm().mean(axis=0)
    ends = middle + np.array([[-board.tag_mm / 2, 0], [board.tag_mm / 2, 0]])
    left, right = view.project(ends, board.cap_height_mm)
    return float(np.hypot(*(right - left)))


def evaluate_pieces(observation: Observation, table: FittedBoard, setup: str | None) -> Finding:
    """The pieces on the board, compared with a starting position."""
    game = table.game
    start = game.start(setup)
    setup_name = setup or game.default_setup if game.setups() else None
    read, total = len(observation.pieces(table.pieces_by_tag)), len(start.pieces)
    summary = sentences.PIECES_READ(read=read, total=total, game=game.title)
    covered = observation.covered()
    remedies = [problem.sentence for problem in observation.problems]
    if covered:
        names = [table.board.grid.name(cell) for cell in covered]
        remedies.append(KnownProblem.CELLS_COVERED.remedy(cells=join_names(names, MAX_NAMES)))
    if remedies:
        return _finding_from_remedies("pieces", summary, remedies)
    if setup_name is None and read == total:  # starting positions depend on the map
        return Finding("pieces", Severity.GOOD, summary)
    differences = _differences(observation, table, start)
    if not differences and setup_name is not None:
        summary = sentences.PIECES_SET_UP(read=read, total=total, game=game.title, setup=setup_name)
    if not differences:
        return Finding("pieces", Severity.GOOD, summary)
    shown = differences[:2]
    if len(differences) > 2:
        shown.append(sentences.AND_MORE(count=len(differences) - 2))
    remedy = sentences.SETUP_DIFFERS(
        setup=setup_name or sentences.FIRST_MAP(), differences=joined(shown)
    )
    return Finding("pieces", Severity.WARNING, summary, remedy)


def _differences(observation: Observation, table: FittedBoard, position: Any) -> list[Sentence]:
    if position.grid != observation.grid:
        return [sentences.BOARD_SIZE_DIFFERS()]
    checked = check_position(table.game, position, observation.evidence, table.pieces_by_tag)
    return [each.sentence for each in checked.differences]


# -- LEDs, disk, clock, games ------------------------------------------------------------------


def evaluate_leds(
    name: str,
    details: MatrixDetails,
    expected: int,
    confirmed: bool,
    counts: Mapping[str, int] | None,
) -> Finding:
    """LEDs that were reached and sent a picture; `counts` are the board's error counters."""
    leds = sentences.LEDS_FOUND(url=name, description=details.description, count=details.leds)
    if details.leds != expected:
        return Finding(
            "leds",
            Severity.BAD,
            sentences.LEDS_MISCOUNTED(leds=leds, expected=expected),
            KnownProblem.LEDS_MISCOUNTED.remedy(),
        )
    if not confirmed:
        return Finding(
            "leds",
            Severity.BAD,
            sentences.LEDS_UNCONFIRMED(leds=leds),
            KnownProblem.LEDS_SILENT.remedy(),
        )
    summary = (
        sentences.LEDS_CONFIRMED(leds=leds)
        if details.acknowledges
        else sentences.LEDS_NEVER_CONFIRM(leds=leds)
    )
    errors = tuple(
        sentences.ERROR_COUNT(count=counts[key], counter=key)
        for key in ERROR_COUNTERS
        if counts and counts.get(key)
    )
    remedies = [KnownProblem.LEDS_DAMAGED.remedy(counts=errors)] if errors else []
    return _finding_from_remedies("leds", summary, remedies)


def evaluate_current(settings: LedSettings) -> Finding:
    """The current limit, compared with the current of full white."""
    count = sum(settings.leds_per_lane)
    white = np.full((count, 3), settings.brightness, np.uint8)
    full_ma, limit_ma = estimate_current_ma(white, settings.ma_per_led), settings.ma_limit
    if full_ma <= limit_ma:
        within = sentences.CURRENT_WITHIN_LIMIT(full_ma=full_ma, limit_ma=limit_ma)
        return Finding("current", Severity.GOOD, within)
    share = (limit_ma - count) / (full_ma - count)
    summary = sentences.CURRENT_LIMITED(
        full_ma=full_ma, limit_ma=limit_ma, percent=round(100 * share)
    )
    remedies = [KnownProblem.LEDS_DIM.remedy()] if share < MIN_LIGHT_SHARE else []
    return _finding_from_remedies("current", summary, remedies)


def evaluate_disk(folder: str, free_bytes: int, sync_ms: float) -> Finding:
    time = sentences.MILLISECONDS(ms=round(sync_ms)) if sync_ms >= 1 else sentences.UNDER_1_MS()
    summary = sentences.DISK_WRITTEN(folder=folder, free=_format_bytes(free_bytes), time=time)
    full = KnownProblem.DISK_FULL.remedy()
    if free_bytes < MIN_FREE_BYTES:
        return Finding("disk", Severity.BAD, summary, full)
    remedies = [full] if free_bytes < LOW_FREE_BYTES else []
    if sync_ms > SLOW_SYNC_MS:
        remedies.append(KnownProblem.SLOW_DISK.remedy())
    return _finding_from_remedies("disk", summary, remedies)


def evaluate_clock(
    wall: str, newest_day: str | None, waited_ms: float, passed_ms: float
) -> Finding:
    """The wall clock (`2026-03-01 19:30`), and the monotonic clock during a wait."""
    if not 0.8 * waited_ms <= passed_ms <= 20 * waited_ms + 1000:
        return Finding(
            "clock",
            Severity.BAD,
            sentences.CLOCK_RUNS_WRONG(waited_ms=round(waited_ms), passed_ms=round(passed_ms)),
            KnownProblem.MACHINE_BUSY.remedy(),
        )
    remedy = KnownProblem.WRONG_DATE.remedy()
    if not FIRST_YEAR <= int(wall[:4]) <= LAST_YEAR:
        return Finding("clock", Severity.WARNING, sentences.CLOCK_YEAR_WRONG(wall=wall), remedy)
    if newest_day is not None and wall[:10] < newest_day:
        behind = sentences.CLOCK_BEHIND_GAME(wall=wall, day=newest_day)
        return Finding("clock", Severity.WARNING, behind, remedy)
    return Finding("clock", Severity.GOOD, sentences.CLOCK_SHOWS(wall=wall))


def evaluate_games(
    unfinished: Sequence[str], damaged: Sequence[tuple[str, Sentence]], stored: int
) -> Finding:
    """Stored games: the names that can be resumed, and the damaged ones with their damage."""
    summary = [sentences.GAMES_STORED(count=stored) if stored else sentences.NO_GAMES_STORED()]
    names = join_names(unfinished, MAX_NAMES)
    if len(unfinished) == 1:
        summary.append(sentences.ONE_RESUMABLE(games=names))
    elif unfinished:
        summary.append(sentences.SEVERAL_RESUMABLE(count=len(unfinished), games=names))
    remedies = [sentences.GAME_DAMAGED(game=name, damage=damage) for name, damage in damaged[:2]]
    if len(damaged) > 2:
        remedies.append(sentences.MORE_DAMAGED(count=len(damaged) - 2))
    return _finding_from_remedies("games", joined(summary, ", "), remedies)


def _finding_from_remedies(name: str, summary: Sentence, remedies: Sequence[Sentence]) -> Finding:
    if not remedies:
        return Finding(name, Severity.GOOD, summary)
    return Finding(name, Severity.WARNING, summary, joined(remedies))


def _paths(devices: Sequence[DeviceFile]) -> Sentence:
    return join_names([each.path for each in devices], MAX_NAMES)


def _format_bytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def _version_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("[0-9]+", version)[:3]))
