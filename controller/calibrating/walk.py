"""The walk from step to step: a step is done when it has been good for a while."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from controller.calibrating.look import OF_THE_CORNERS, Look, outline_px
from controller.calibrating.place import position
from controller.calibrating.verdict import STEPS, Finding, Step, Verdict, points, some, verdict
from controller.picture_quality import REFERENCE_WIDTH
from engine.grid import Cell
from vision.observation import State

HOLD_MS = 2000.0  # that long a step must have been good
WINDOW_MS = 2000.0  # pictures that are compared with each other
FEWEST = 4  # pictures that tell of flicker or shaking
BAD_LENS_PX = 2.2  # by which corner tags are off, in a picture of the reference width
NOT_FOUND = "the board is not found yet"


@dataclass(frozen=True)
class Glimpse:
    """What is remembered of a picture, to compare the next ones with."""

    at_ms: float
    white: float
    corners_mm: tuple[float, ...]  # of the board in the picture, at the board's scale


@dataclass(frozen=True)
class Walk:
    """How far somebody has come."""

    at: int = 0  # the step; after the last one: over
    verdicts: tuple[Verdict, ...] = ()  # of the last picture, one a step
    best_focus: int = 0
    good_since_ms: float | None = None
    held: float = 0.0  # part of the time for which the step must be good
    recent: tuple[Glimpse, ...] = ()
    lens: str = ""  # what is to say about it

    @property
    def over(self) -> bool:
        return self.at >= len(STEPS)

    @property
    def step(self) -> Step:
        return STEPS[min(self.at, len(STEPS) - 1)]

    @property
    def verdict(self) -> Verdict | None:
        """Of the step that it is at."""
        return self.verdicts[STEPS.index(self.step)] if self.verdicts else None

    @property
    def total(self) -> int:
        return round(sum(each.points for each in self.verdicts) / len(STEPS))

    @property
    def good(self) -> bool:
        return bool(self.verdicts) and all(each.good for each in self.verdicts)

    def see(self, look: Look) -> Walk:
        """The same walk, one picture later."""
        recent = self._remembered(look)
        best = self.best_focus if self.at else 0  # a camera that moves has another best
        sharp = focus(look, best)
        verdicts = (position(look), sharp, light(look, recent), reading(look, recent))
        good = verdicts[STEPS.index(self.step)].good
        since = look.at_ms if self.good_since_ms is None else self.good_since_ms
        held = min(1.0, (look.at_ms - since) / HOLD_MS) if good else 0.0
        seen = replace(
            self,
            verdicts=verdicts,
            best_focus=max(best, sharp.points),
            good_since_ms=since if good else None,
            held=held,
            recent=recent,
            lens=lens_advice(look),
        )
        return seen.skipped() if held >= 1 and not self.over else seen

    def skipped(self) -> Walk:
        """On to the next step, whatever the score."""
        return replace(self, at=min(self.at + 1, len(STEPS)), good_since_ms=None, held=0.0)

    def back(self) -> Walk:
        return replace(self, at=max(0, self.at - 1), good_since_ms=None, held=0.0)

    def interrupted(self) -> Walk:
        """The camera is lost: what comes next is not compared with what was."""
        return replace(self, good_since_ms=None, held=0.0, recent=())

    def _remembered(self, look: Look) -> tuple[Glimpse, ...]:
        if look.lock is None or look.light is None:
            return ()
        corners = outline_px(look.table, look.lock)
        scale = look.table.board.size_mm[0] / float(np.hypot(*(corners[1] - corners[0])))
        new = Glimpse(look.at_ms, look.light.white, tuple((scale * corners).ravel().tolist()))
        return (*(g for g in self.recent if look.at_ms - g.at_ms <= WINDOW_MS), new)


def focus(look: Look, best: int) -> Verdict:
    """How sharp the edges on the board are; `best` is the most that was reached so far."""
    blur_px = look.quality.blur_px
    if blur_px is None:
        advice = "no strong edges in view: put the board under the camera, in good light"
        return verdict(Step.FOCUS, [Finding(0, advice)], "")
    blur = blur_px * REFERENCE_WIDTH / look.width
    worth = points(blur, (1.1, 100), (1.5, 80), (2.0, 60), (2.6, 35), (4.0, 0))
    reached = f", the best so far was {best}" if best > worth else ""
    advice = f"turn the lens ring until the number stops rising: it is {worth}{reached}"
    return verdict(Step.FOCUS, [Finding(worth, advice)], f"sharp: blurred by {blur:.1f} px only")


def light(look: Look, recent: tuple[Glimpse, ...]) -> Verdict:
    """Exposure, evenness, reflections, flicker."""
    if look.light is None:
        bad = look.quality.brightness()
        if bad == "good":
            bad = f"{NOT_FOUND}: the light on it cannot be judged"
        return verdict(Step.LIGHT, [Finding(30, bad)], "")
    findings = list(look.light.findings(look.table.board))
    if len(recent) >= FEWEST:
        whites = [each.white for each in recent]
        flicker = (max(whites) - min(whites)) / max(1.0, float(np.mean(whites)))
        advice = (
            f"the light flickers by {100 * flicker:.0f} %: use another lamp, or an exposure of"
            " 10 or 20 ms (where mains have 60 Hz, 8.3 or 16.7)"
        )
        findings.append(Finding(points(flicker, (0.04, 100), (0.1, 70), (0.3, 30)), advice))
    if look.exposure_locked is False:
        advice = "the camera changes its exposure by itself: add ?exposure_ms=10 to its URL"
        findings.append(Finding(80, advice))
    praise = f"even and bright enough: paper is at {look.light.white:.0f} of 255"
    return verdict(Step.LIGHT, findings, praise)


def reading(look: Look, recent: tuple[Glimpse, ...]) -> Verdict:
    """How much of what stands on the board is read, how surely, and whether it stays there."""
    if look.lock is None:
        return verdict(Step.READING, [Finding(0, NOT_FOUND)], "")
    seen = look.seen
    read = {c: s.confidence for c, s in enumerate(seen.sightings) if s.state is State.OCCUPIED}
    findings = [_covered(look), _sureness(look, read)]
    for problem in seen.problems:
        if problem.trouble not in OF_THE_CORNERS:
            findings.append(Finding(65, problem.sentence))
    if len(recent) >= FEWEST:
        moved = np.array([each.corners_mm for each in recent]).reshape(len(recent), -1, 2)
        shift = float(np.hypot(*np.ptp(moved, axis=0).T).mean())
        advice = f"the picture shakes by {shift:.1f} mm: fasten the camera and the board"
        findings.append(Finding(points(shift, (1.5, 100), (4.0, 70), (10, 20)), advice))
    empty = len(seen.sightings) - len(read) - len(seen.covered())
    return verdict(Step.READING, findings, f"{len(read)} pieces and {empty} empty cells read")


def _covered(look: Look) -> Finding:
    names = [look.table.board.grid.name(cell) for cell in look.seen.covered()]
    cells = len(look.seen.sightings)
    return Finding(
        points(len(names), (0, 100), (1, 70), (4, 55), (12, 30), (max(cells, 13), 0)),
        f"{some(names)} cannot be seen: take hands and things away, or move the lamp that shines"
        " there",
    )


def _sureness(look: Look, read: Mapping[Cell, float]) -> Finding:
    if not read:
        return Finding(50, "no piece is read: set the pieces up, as for a game")
    least = min(read, key=lambda cell: read[cell])
    sure = f"{look.table.board.grid.name(least)} is read by {100 * read[least]:.0f} % only"
    return Finding(
        points(read[least], (0.5, 40), (0.8, 75), (0.95, 100)),
        f"{sure}: wipe its tag, or print it anew",
    )


def lens_advice(look: Look) -> str:
    """Whether the lens should be calibrated, by how well the corner tags fit."""
    if look.lock is None:
        return ""
    off = look.lock.error_px * REFERENCE_WIDTH / look.width
    fits = f"the corner tags fit to {off:.1f} px"
    if off <= BAD_LENS_PX:
        return f"{'calibrated' if look.table.lens.calibrated else 'not calibrated'}, {fits}: good"
    again = " again" if look.table.lens.calibrated else ""
    return f"{fits} only: calibrate it{again} with `laserboard calibrate lens`"
