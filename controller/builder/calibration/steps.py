"""`CalibrationSteps`: a step is done when its score has been good for `HOLD_MS`.

A value: `add_frame` returns the next one. Scores of focus, light and reading are here, the score
of the position is in `camera_position`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from controller.builder import calibration_sentences as sentences
from controller.builder.calibration.camera_position import score_position
from controller.builder.calibration.frame import CORNER_TROUBLES, CalibrationFrame, board_outline_px
from controller.builder.calibration.image_quality import REFERENCE_WIDTH
from controller.builder.calibration.score import (
    STEPS,
    CalibrationFinding,
    CalibrationStep,
    StepScore,
    interpolate_points,
    score_step,
)
from controller.builder.sentences import join_names
from engine.grid import Cell
from engine.sentences import Sentence
from vision.observation import CellState

HOLD_MS = 2000.0
COMPARISON_WINDOW_MS = 2000.0  # of the images that are compared for flicker and shaking
MIN_SAMPLES = 4  # images needed to detect flicker or shaking
MAX_CORNER_ERROR_PX = 2.2  # of a good lens, in an image of the reference width


@dataclass(frozen=True)
class FrameSample:
    """Values of an image that are compared with later images."""

    at_ms: float
    white_level: float
    corners_mm: tuple[float, ...]  # board corners in the image, scaled to millimetres


@dataclass(frozen=True)
class CalibrationSteps:
    """The current step, and the scores of the last image."""

    step_index: int = 0  # len(STEPS): over
    scores: tuple[StepScore, ...] = ()  # of the last image, one per step
    best_focus: int = 0
    good_since_ms: float | None = None
    hold_share: float = 0.0  # share of HOLD_MS that the step has been good
    recent_samples: tuple[FrameSample, ...] = ()
    lens_sentence: Sentence | None = None

    @property
    def is_over(self) -> bool:
        return self.step_index >= len(STEPS)

    @property
    def step(self) -> CalibrationStep:
        return STEPS[min(self.step_index, len(STEPS) - 1)]

    @property
    def current_score(self) -> StepScore | None:
        """Score of the current step."""
        return self.scores[STEPS.index(self.step)] if self.scores else None

    @property
    def total_points(self) -> int:
        return round(sum(each.points for each in self.scores) / len(STEPS))

    @property
    def is_good(self) -> bool:
        return bool(self.scores) and all(each.is_good for each in self.scores)

    def add_frame(self, frame: CalibrationFrame) -> CalibrationSteps:
        """Scores an image; goes to the next step if this one was good long enough."""
        recent = self._updated_samples(frame)
        best = self.best_focus if self.step_index else 0  # the camera still moves in step 0
        focus = score_focus(frame, best)
        scores = (
            score_position(frame),
            focus,
            score_light(frame, recent),
            score_reading(frame, recent),
        )
        good = scores[STEPS.index(self.step)].is_good
        since = frame.at_ms if self.good_since_ms is None else self.good_since_ms
        held = min(1.0, (frame.at_ms - since) / HOLD_MS) if good else 0.0
        after = replace(
            self,
            scores=scores,
            best_focus=max(best, focus.points),
            good_since_ms=since if good else None,
            hold_share=held,
            recent_samples=recent,
            lens_sentence=lens_advice(frame),
        )
        return after.skip_step() if held >= 1 and not self.is_over else after

    def skip_step(self) -> CalibrationSteps:
        """The next step, whatever the score is."""
        return replace(
            self,
            step_index=min(self.step_index + 1, len(STEPS)),
            good_since_ms=None,
            hold_share=0.0,
        )

    def go_back(self) -> CalibrationSteps:
        return replace(
            self, step_index=max(0, self.step_index - 1), good_since_ms=None, hold_share=0.0
        )

    def reset_comparison(self) -> CalibrationSteps:
        """After a lost camera: later images are not compared with earlier ones."""
        return replace(self, good_since_ms=None, hold_share=0.0, recent_samples=())

    def _updated_samples(self, frame: CalibrationFrame) -> tuple[FrameSample, ...]:
        if frame.lock is None or frame.cell_light is None:
            return ()
        corners = board_outline_px(frame.table, frame.lock)
        scale = frame.table.board.size_mm[0] / float(np.hypot(*(corners[1] - corners[0])))
        new = FrameSample(
            frame.at_ms, frame.cell_light.white_level, tuple((scale * corners).ravel().tolist())
        )
        return (
            *(g for g in self.recent_samples if frame.at_ms - g.at_ms <= COMPARISON_WINDOW_MS),
            new,
        )


def score_focus(frame: CalibrationFrame, best: int) -> StepScore:
    """Sharpness of the edges on the board; `best` is the best score so far."""
    blur_px = frame.quality.blur_px
    if blur_px is None:
        return StepScore(CalibrationStep.FOCUS, 0, sentences.NO_EDGES_TO_FOCUS())
    blur = blur_px * REFERENCE_WIDTH / frame.width
    points = interpolate_points(blur, (1.1, 100), (1.5, 80), (2.0, 60), (2.6, 35), (4.0, 0))
    advice = (
        sentences.TURN_LENS_RING_BACK(points=points, best=best)
        if best > points
        else sentences.TURN_LENS_RING(points=points)
    )
    return score_step(
        CalibrationStep.FOCUS,
        [CalibrationFinding(points, advice)],
        sentences.FOCUS_GOOD(blur_px=f"{blur:.1f}"),
    )


def score_light(frame: CalibrationFrame, samples: tuple[FrameSample, ...]) -> StepScore:
    """Exposure, evenness, reflections, flicker."""
    if frame.cell_light is None:
        quality = frame.quality
        advice = (
            sentences.LIGHT_NOT_MEASURED() if quality.is_bright else quality.brightness().sentence
        )
        return StepScore(CalibrationStep.LIGHT, 30, advice)
    findings = list(frame.cell_light.findings(frame.table.board))
    if len(samples) >= MIN_SAMPLES:
        whites = [each.white_level for each in samples]
        flicker = (max(whites) - min(whites)) / max(1.0, float(np.mean(whites)))
        points = interpolate_points(flicker, (0.04, 100), (0.1, 70), (0.3, 30))
        advice = sentences.LIGHT_FLICKERS(percent=round(100 * flicker))
        findings.append(CalibrationFinding(points, advice))
    if frame.exposure_locked is False:
        findings.append(CalibrationFinding(80, sentences.EXPOSURE_CHANGES()))
    praise = sentences.LIGHT_GOOD(level=round(frame.cell_light.white_level))
    return score_step(CalibrationStep.LIGHT, findings, praise)


def score_reading(frame: CalibrationFrame, samples: tuple[FrameSample, ...]) -> StepScore:
    """Covered cells, confidence of the pieces, and shaking."""
    if frame.lock is None:
        return StepScore(CalibrationStep.READING, 0, sentences.BOARD_NOT_FOUND_YET())
    observation = frame.observation
    read = {
        cell: sighting.confidence
        for cell, sighting in enumerate(observation.sightings)
        if sighting.state is CellState.OCCUPIED
    }
    findings = [_covered_finding(frame), _confidence_finding(frame, read)]
    for problem in observation.problems:
        if problem.kind not in CORNER_TROUBLES:
            findings.append(CalibrationFinding(65, problem.sentence))
    if len(samples) >= MIN_SAMPLES:
        corners = np.array([each.corners_mm for each in samples]).reshape(len(samples), -1, 2)
        shift = float(np.hypot(*np.ptp(corners, axis=0).T).mean())
        points = interpolate_points(shift, (1.5, 100), (4.0, 70), (10, 20))
        advice = sentences.IMAGE_SHAKES(shift_mm=f"{shift:.1f}")
        findings.append(CalibrationFinding(points, advice))
    empty = len(observation.sightings) - len(read) - len(observation.covered())
    praise = sentences.READING_GOOD(pieces=len(read), empty=empty)
    return score_step(CalibrationStep.READING, findings, praise)


def _covered_finding(frame: CalibrationFrame) -> CalibrationFinding:
    names = [frame.table.board.grid.name(cell) for cell in frame.observation.covered()]
    cells = len(frame.observation.sightings)
    return CalibrationFinding(
        interpolate_points(len(names), (0, 100), (1, 70), (4, 55), (12, 30), (max(cells, 13), 0)),
        sentences.CELLS_NOT_SEEN(cells=join_names(names)),
    )


def _confidence_finding(frame: CalibrationFrame, read: Mapping[Cell, float]) -> CalibrationFinding:
    if not read:
        return CalibrationFinding(50, sentences.NO_PIECE_READ())
    worst = min(read, key=lambda cell: read[cell])
    return CalibrationFinding(
        interpolate_points(read[worst], (0.5, 40), (0.8, 75), (0.95, 100)),
        sentences.PIECE_READ_BADLY(
            cell=frame.table.board.grid.name(worst), percent=round(100 * read[worst])
        ),
    )


def lens_advice(frame: CalibrationFrame) -> Sentence | None:
    """Whether the lens should be calibrated, by the error of the corner tags."""
    if frame.lock is None:
        return None
    error = frame.lock.error_px * REFERENCE_WIDTH / frame.width
    good, bad = (
        (sentences.LENS_FITS, sentences.CALIBRATE_LENS_AGAIN)
        if frame.table.lens.calibrated
        else (sentences.LENS_FITS_UNCALIBRATED, sentences.CALIBRATE_LENS)
    )
    return (good if error <= MAX_CORNER_ERROR_PX else bad)(error_px=f"{error:.1f}")
