"""Camera set-up in four steps: scores each image and gives one sentence of advice per step.

    analyzer, steps = FrameAnalyzer(table), CalibrationSteps()
    steps = steps.add_frame(analyzer.analyze(frame.grey, frame.at_ms))
    steps.current_score.points, steps.current_score.sentence

Pure: opens no device and reads no clock.
"""

from controller.builder.calibration.frame import CalibrationFrame, FrameAnalyzer, analyze_frame
from controller.builder.calibration.score import (
    EXCELLENT_POINTS,
    GOOD_POINTS,
    CalibrationStep,
    StepScore,
)
from controller.builder.calibration.steps import CalibrationSteps

__all__ = [
    "EXCELLENT_POINTS",
    "GOOD_POINTS",
    "CalibrationFrame",
    "CalibrationStep",
    "CalibrationSteps",
    "FrameAnalyzer",
    "StepScore",
    "analyze_frame",
]
