"""The doctor's look at the machine: libraries, permissions, disk, clock and kept games."""

from __future__ import annotations

import importlib
import os
import platform
import re
import shutil
import statistics
from collections.abc import Set
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from controller.doctor import checks
from controller.doctor.checks import NOBODY_ELSE, DeviceFile, Finding
from controller.game_store import games_folder, kept, read
from controller.journal import recover
from controller.played import summary
from controller.ports import Clock, WriteFailed
from controller.wiring import journal_at, wall_clock
from engine.errors import LaserboardError

MODULES = {
    "numpy": "numpy",
    "opencv-python-headless": "cv2",
    "pyserial": "serial",
    "gpiozero": "gpiozero",
    "PyYAML": "yaml",
}
# The files of devices, by the kinds of URL that need them; None: what is found is used.
DEVICE_FILES = {
    ("video*",): (None, "usb", "pi", "auto"),
    ("ttyACM*", "ttyUSB*"): (None, "serial", "adalight"),
    ("gpiochip*", "spidev*"): ("gpio",),
}
SYNCS = 5
SYNC_MS = 10_000.0
WAITED_MS = 20.0
NEWEST_GAMES = 20


def libraries() -> Finding:
    """Are all there, and new enough?"""
    least = dict(re.findall(r"^([\w.-]+)>=([\d.]+)", "\n".join(_required()), re.MULTILINE))
    found = {"Python": platform.python_version(), "laserboard": _installed("laserboard")}
    for name, module in MODULES.items():
        found[name] = _imported(module, name)
    return checks.libraries(found, {"Python": "3.11", **least})


def permissions(devices: Path, wanted: Set[str | None]) -> Finding:
    """May the devices of these kinds be used?"""
    paths = [
        path
        for patterns, kinds in DEVICE_FILES.items()
        for pattern in patterns
        for path in sorted(devices.glob(pattern))
        if wanted & set(kinds)
    ]
    return checks.permissions(
        DeviceFile(str(path), _group(path), os.access(path, os.R_OK | os.W_OK)) for path in paths
    )


def disk(clock: Clock) -> Finding:
    """Is there room, and how long does it take until an entry is safe?"""
    folder = games_folder()
    trial, took_ms = folder / f".trial-{os.getpid()}", []
    journal, _ = journal_at(trial, clock, lambda: None)
    try:
        for _ in range(SYNCS):
            begin_ms = clock.now_ms()
            if not journal.wait(journal.write("trial", {}, begin_ms), SYNC_MS):
                failed = [e.sentence for e in journal.events() if isinstance(e, WriteFailed)]
                return checks.failed("disk", failed[0] if failed else f"{folder} takes nothing")
            took_ms.append(clock.now_ms() - begin_ms)
    finally:
        journal.close()
        trial.unlink(missing_ok=True)
    return checks.disk(str(folder), shutil.disk_usage(folder).free, statistics.median(took_ms))


def clocks(clock: Clock) -> Finding:
    """Do they show and count what they should?"""
    begin_ms = clock.now_ms()
    clock.wait_ms(WAITED_MS)
    passed_ms = clock.now_ms() - begin_ms
    days = [path.name[:10] for path in kept(games_folder())]
    newest = days[0] if days and re.fullmatch(r"\d{4}-\d\d-\d\d", days[0]) else None
    return checks.clock(wall_clock(), newest, WAITED_MS, passed_ms)


def kept_games() -> Finding:
    """Which can go on, and which are harmed?"""
    every = kept(games_folder())
    unfinished, harmed = [], []
    for path in every[:NEWEST_GAMES]:
        recovered = recover(read(path))
        torn = recovered.torn
        if torn is not None:
            harmed.append((path.stem, str(torn)))
        try:
            result = summary(recovered.entries).result
        except LaserboardError as bad:
            harmed += [] if torn is not None else [(path.stem, str(bad))]
            continue
        if result is None and (torn is None or torn.is_tail):
            unfinished.append(path.stem)
    return checks.games(unfinished, harmed, len(every))


def _required() -> list[str]:
    try:
        return requires("laserboard") or []
    except PackageNotFoundError:
        return []


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _imported(module: str, name: str) -> str | None:
    """Its version, if it can really be used."""
    try:
        found = importlib.import_module(module)
    except ImportError:
        return None
    return getattr(found, "__version__", None) or _installed(name) or "of an unknown version"


def _group(path: Path) -> str:
    try:
        return path.group()
    except (OSError, KeyError):
        return NOBODY_ELSE
