"""What `laserboard doctor` makes of what it measured: values in, one `Finding` out. All pure.

A finding has a sentence that says what is there and, unless that is good, a remedy: what a person
can do about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from controller.doctor.ailments import Ailment
from controller.finish import milliamps
from controller.led_settings import LedSettings
from controller.picture_quality import DARKEST_WHITE, MOST_SATURATED, Quality
from controller.ports import CameraDetails, DeviceEvent, DeviceLost, MatrixDetails
from controller.tabletop import Tabletop
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.infer import check
from vision.observation import Observation, Problem
from vision.solving import Lock
from vision.view import View

SLOWEST_RATE_HZ = 4.0
SMALLEST_TAG_PX = 20.0  # 14 are read in good light, but leave no room for bad light
LOOSE_FIT = 0.6  # a confidence that something is measured wrongly, or bent
FEWEST_BYTES, FEW_BYTES = 5_000_000, 200_000_000
SLOW_SYNC_MS = 250.0
FIRST_YEAR, LAST_YEAR = 2025, 2100
LEAST_LIGHT = 0.15  # of full white: less is hard to see by day
NAMED = 5
UNCALIBRATED = "lens not calibrated, as most need not be"
NOBODY_ELSE = "root"  # a group that nobody should be in
BAD_COUNTS = ("bad crc", "overflow", "malformed")


class Level(StrEnum):
    """How bad it is."""

    GOOD = "good"
    WARNING = "warning"  # one can play, but not as well as one could
    BAD = "bad"
    SKIPPED = "skipped"  # something before it must be put right first


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    level: Level
    sentence: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """A device that exists, and whether we may use it."""

    path: str
    group: str  # who may
    allowed: bool


def lost(name: str, device: str, events: Iterable[DeviceEvent], patience_ms: float) -> Finding:
    """A device that is not there, in its own words."""
    for event in events:
        if isinstance(event, DeviceLost):
            joint = ": " if ": " in event.reason else "; "
            return failed(name, event.reason, joint, f"{device}: ")
    told = f"{device}: no answer in {patience_ms / 1000:g} s"
    return Finding(name, Level.BAD, told, Ailment.NOT_HEARD.remedy)


def failed(name: str, text: str, joint: str = "; ", before: str = "") -> Finding:
    """An error as a finding: what comes after the joint is what to do."""
    told, _, remedy = text.partition(joint)
    return Finding(name, Level.BAD, before + told, remedy)


def skipped(name: str, why: str) -> Finding:
    return Finding(name, Level.SKIPPED, f"not looked at: {why}")


# -- the machine -------------------------------------------------------------------------------


def libraries(found: Mapping[str, str | None], least: Mapping[str, str]) -> Finding:
    """Versions by name; None is not installed."""
    missing = [name for name, version in found.items() if version is None]
    old = [
        f"{name} {found[name]} (wants {wanted})"
        for name, wanted in least.items()
        if found.get(name) and _numbers(found[name] or "") < _numbers(wanted)
    ]
    told = ", ".join(f"{name} {version}" for name, version in found.items() if version)
    if missing:
        return Finding(
            "python",
            Level.BAD,
            f"not installed: {', '.join(missing)}; there is {told}",
            Ailment.MISSING.remedy,
        )
    if old:
        return Finding("python", Level.BAD, f"too old: {', '.join(old)}", Ailment.OLD.remedy)
    return Finding("python", Level.GOOD, told)


def permissions(devices: Iterable[DeviceFile]) -> Finding:
    every = list(devices)
    barred = [each for each in every if not each.allowed]
    if barred:
        groups = ",".join(sorted({each.group for each in barred} - {NOBODY_ELSE}))
        ailment = Ailment.BARRED if groups else Ailment.ROOT_ONLY
        told = f"you may not use {_listed([each.path for each in barred])}"
        return Finding("permissions", Level.BAD, told, ailment.remedy_for(groups=groups))
    what = f"every device may be used ({_listed([each.path for each in every])})"
    return Finding("permissions", Level.GOOD, what if every else "no device here that needs any")


# -- what the camera sees ----------------------------------------------------------------------


def camera(name: str, details: CameraDetails, taken_ms: Sequence[float]) -> Finding:
    """A camera that gives pictures; `taken_ms` are the moments of some in a row."""
    locked = {True: ", exposure locked", False: ", exposure NOT locked", None: ""}
    rate_hz, rate = None, ""
    if len(taken_ms) > 1 and taken_ms[-1] > taken_ms[0]:
        rate_hz = 1000 * (len(taken_ms) - 1) / (taken_ms[-1] - taken_ms[0])
        rate = f", {rate_hz:.0f} pictures a second"
    told = f"{name}: {details.width} x {details.height}{rate}{locked[details.exposure_locked]}"
    remedies = list(details.remarks)
    if details.exposure_locked is False:
        remedies.append(Ailment.UNLOCKED.remedy)
    if rate_hz is None or rate_hz < SLOWEST_RATE_HZ:
        remedies.append(Ailment.SLOW_CAMERA.remedy)
    return _judged("camera", told, remedies)


def light(quality: Quality, width: int) -> Finding:
    remedies, (dark, advice) = [], _parted(quality.brightness())
    told = f"white is {quality.white:.0f} of 255: {dark}"
    if quality.saturated > MOST_SATURATED:
        told = f"white is {quality.white:.0f} of 255: {advice}"
        remedies.append(Ailment.GLARE.remedy)
    elif advice:
        remedies.append(advice)
    sharp, advice = _parted(quality.sharpness(width))
    if quality.blur_px is None:
        sharp = "sharpness cannot be told"
    elif advice:
        remedies.append(advice)
    found = _judged("light", f"{told}; {sharp}", remedies)
    return replace(found, level=Level.BAD) if quality.white < DARKEST_WHITE else found


def _parted(verdict: str) -> tuple[str, str]:
    what, _, advice = verdict.partition(": ")
    return what, advice


def board(found: Lock | Problem, table: Tabletop) -> Finding:
    """The board in the picture, and how well it lies where the camera's pose says."""
    if isinstance(found, Problem):
        what, _, remedy = found.sentence.partition(": ")
        return Finding("board", Level.BAD, what, remedy or Ailment.NOT_IN_VIEW.remedy)
    across = tag_pixels(found.view, table.board)
    lens = "lens calibrated" if table.lens.calibrated else UNCALIBRATED
    told = (
        f"found by {len(found.corners)} corner tags, {found.error_px:.1f} px off;"
        f" tags are {across:.0f} px wide; {lens}"
    )
    remedies = [problem.sentence for problem in found.problems]
    if found.confidence < LOOSE_FIT and len(found.corners) == 4:
        remedies.append(Ailment.MISMEASURED.remedy)
    if across < SMALLEST_TAG_PX:
        remedies.append(Ailment.TINY.remedy)
    return _judged("board", told, remedies)


def tag_pixels(view: View, board: PhysicalBoard) -> float:
    """How wide a piece's tag is in the middle of the board, in the picture."""
    middle = board.centres_mm().mean(axis=0)
    ends = middle + np.array([[-board.tag_mm / 2, 0], [board.tag_mm / 2, 0]])
    left, right = view.project(ends, board.cap_height_mm)
    return float(np.hypot(*(right - left)))


def pieces(seen: Observation, table: Tabletop, setup: str | None) -> Finding:
    """What stands on the board, beside what a game begins with."""
    game = table.game
    wanted = game.start(setup)
    named = setup or game.default_setup if game.setups() else None
    read = len(seen.pieces(table.meanings))
    told = f"{read} of the {len(wanted.pieces)} pieces of {game.title} read"
    covered = seen.covered()
    remedies = [problem.sentence for problem in seen.problems]
    if covered:
        names = _listed([_cell(table, cell) for cell in covered])
        remedies.append(Ailment.COVERED.remedy_for(cells=names))
    if remedies:
        return _judged("pieces", told, remedies)
    if named is None and read == len(wanted.pieces):  # where they begin depends on the map
        return Finding("pieces", Level.GOOD, told)
    differences = _differences(seen, table, wanted)
    if not differences:
        return Finding("pieces", Level.GOOD, f"{told}, set up as {named}")
    first = f"for {named or 'the first map'}: {'; '.join(differences[:2])}"
    more = f"; and {len(differences) - 2} more" if len(differences) > 2 else ""
    remedy = f"{first}{more} (`laserboard play` guides you through it)"
    return Finding("pieces", Level.WARNING, told, remedy)


def _differences(seen: Observation, table: Tabletop, wanted: Any) -> list[str]:
    if wanted.grid != seen.grid:
        return ["its board has another size"]
    found = check(table.game, wanted, seen.evidence, table.meanings)
    return [each.sentence for each in found.differences]


# -- light, sound, disk ------------------------------------------------------------------------


def leds(
    name: str,
    details: MatrixDetails,
    wanted: int,
    confirmed: bool,
    counts: Mapping[str, int] | None,
) -> Finding:
    """LEDs that were reached and sent a picture."""
    told = f"{name}: {details.described}, {details.leds} LEDs"
    if details.leds != wanted:
        return Finding(
            "leds",
            Level.BAD,
            f"{told}, but the board file has {wanted}",
            Ailment.LEDS_COUNTED_WRONG.remedy,
        )
    if not confirmed:
        told += "; a picture was not confirmed"
        return Finding("leds", Level.BAD, told, Ailment.LEDS_SILENT.remedy)
    if not details.answers:
        told += "; they confirm nothing, so look yourself: `laserboard leds walk`"
    else:
        told += ", a picture shown and confirmed"
    bad = [f"{counts[key]} {key}" for key in BAD_COUNTS if counts and counts.get(key)]
    remedy = Ailment.LEDS_DAMAGED.remedy_for(counts=", ".join(bad))
    return _judged("leds", told, [remedy] if bad else [])


def current(settings: LedSettings) -> Finding:
    """What the LEDs may take, beside what they would."""
    count = sum(settings.lanes)
    full = np.full((count, 3), settings.brightness, np.uint8)
    most = milliamps(full, settings.ma_per_led)
    if most <= settings.ma_limit:
        told = f"full white takes {most} mA, the limit is {settings.ma_limit} mA"
        return Finding("current", Level.GOOD, told)
    part = (settings.ma_limit - count) / (most - count)
    told = (
        f"full white would take {most} mA: held to {settings.ma_limit} mA, which is"
        f" {100 * part:.0f} % of it"
    )
    return _judged("current", told, [Ailment.DIM.remedy] if part < LEAST_LIGHT else [])


def disk(folder: str, free_bytes: int, sync_ms: float) -> Finding:
    took = f"{sync_ms:.0f} ms" if sync_ms >= 1 else "under 1 ms"
    told = f"games are kept in {folder}: {_bytes(free_bytes)} free, written in {took}"
    room = Ailment.FULL.remedy
    if free_bytes < FEWEST_BYTES:
        return Finding("disk", Level.BAD, told, room)
    remedies = [room] if free_bytes < FEW_BYTES else []
    if sync_ms > SLOW_SYNC_MS:
        remedies.append(Ailment.SLOW_DISK.remedy)
    return _judged("disk", told, remedies)


def clock(wall: str, newest_day: str | None, waited_ms: float, passed_ms: float) -> Finding:
    """The wall clock (`2026-03-01 19:30`), and whether the other one runs as it should."""
    if not 0.8 * waited_ms <= passed_ms <= 20 * waited_ms + 1000:
        return Finding(
            "clock",
            Level.BAD,
            f"{waited_ms:.0f} ms of waiting took {passed_ms:.0f} ms: game clocks would be wrong",
            Ailment.BUSY.remedy,
        )
    remedy = Ailment.WRONG_DAY.remedy
    if not FIRST_YEAR <= int(wall[:4]) <= LAST_YEAR:
        return Finding("clock", Level.WARNING, f"it is not {wall}, is it?", remedy)
    if newest_day is not None and wall[:10] < newest_day:
        told = f"it says {wall}, but a game was played on {newest_day}"
        return Finding("clock", Level.WARNING, told, remedy)
    return Finding("clock", Level.GOOD, wall)


def games(unfinished: Sequence[str], harmed: Sequence[tuple[str, str]], kept: int) -> Finding:
    """Kept games: the names of those that can go on, and what is wrong with others."""
    told = f"{kept} kept" if kept else "none kept yet"
    if unfinished:
        count = "one" if len(unfinished) == 1 else str(len(unfinished))
        told += f", {count} can go on: {_listed(unfinished)} (`laserboard resume`)"
    remedies = [f"{name}: {harm}" for name, harm in harmed[:2]]
    if len(harmed) > 2:
        remedies.append(f"{len(harmed) - 2} more: `laserboard games verify`")
    return _judged("games", told, remedies)


def _judged(name: str, told: str, remedies: Sequence[str]) -> Finding:
    level = Level.WARNING if remedies else Level.GOOD
    return Finding(name, level, told, "; ".join(remedies))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _cell(table: Tabletop, cell: Cell) -> str:
    return table.board.grid.name(cell)


def _bytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("[0-9]+", version)[:3]))
