"""The doctor's checks of the computer: libraries, permissions, disk, clocks and stored games."""

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

from controller.builder import sentences
from controller.builder.doctor import checks
from controller.builder.doctor.checks import ROOT_GROUP, DeviceFile, Finding
from controller.devices.factory.clocks import local_time_text
from controller.devices.factory.journals import open_journal
from controller.ports.devices import Clock
from controller.ports.events import WriteFailed
from controller.session.journal import recover
from controller.session.replay import summarise
from controller.storage.games import games_folder, list_journals, read_journal
from engine.errors import LaserboardError
from engine.sentences import Sentence, plain

LIBRARY_MODULES = {
    "numpy": "numpy",
    "opencv-python-headless": "cv2",
    "pyserial": "serial",
    "gpiozero": "gpiozero",
    "PyYAML": "yaml",
}
# Device files and the URL schemes that need them; None: no URL is given, any device is used.
DEVICE_FILES = {
    ("video*",): (None, "usb", "pi", "auto"),
    ("ttyACM*", "ttyUSB*"): (None, "serial", "adalight"),
    ("gpiochip*", "spidev*"): ("gpio",),
}
SYNC_TRIALS = 5
SYNC_TIMEOUT_MS = 10_000.0
CLOCK_TEST_MS = 20.0
MAX_GAMES_READ = 20


def check_libraries() -> Finding:
    """Compares the versions of the libraries with the minimum versions of the package."""
    minimum = dict(re.findall(r"^([\w.-]+)>=([\d.]+)", "\n".join(_requirements()), re.MULTILINE))
    versions = {
        "Python": platform.python_version(),
        "laserboard": _installed_version("laserboard"),
    }
    for name, module in LIBRARY_MODULES.items():
        versions[name] = _imported_version(module, name)
    return checks.evaluate_libraries(versions, {"Python": "3.11", **minimum})


def check_permissions(devices: Path, schemes: Set[str | None]) -> Finding:
    """Tests read and write access to the device files of these URL schemes."""
    paths = [
        path
        for patterns, kinds in DEVICE_FILES.items()
        for pattern in patterns
        for path in sorted(devices.glob(pattern))
        if schemes & set(kinds)
    ]
    return checks.evaluate_permissions(
        DeviceFile(str(path), _group(path), os.access(path, os.R_OK | os.W_OK)) for path in paths
    )


def check_disk(clock: Clock) -> Finding:
    """Measures free space and the time until a journal entry is synced."""
    folder = games_folder()
    trial, took_ms = folder / f".trial-{os.getpid()}", []
    journal, _ = open_journal(trial, clock, lambda: None)
    try:
        for _ in range(SYNC_TRIALS):
            begin_ms = clock.now_ms()
            if not journal.wait(journal.write("trial", {}, begin_ms), SYNC_TIMEOUT_MS):
                failed = [e.sentence for e in journal.events() if isinstance(e, WriteFailed)]
                nothing = sentences.DISK_ACCEPTS_NOTHING(folder=str(folder))
                return checks.failed_finding("disk", failed[0] if failed else nothing)
            took_ms.append(clock.now_ms() - begin_ms)
    finally:
        journal.close()
        trial.unlink(missing_ok=True)
    return checks.evaluate_disk(
        str(folder), shutil.disk_usage(folder).free, statistics.median(took_ms)
    )


def check_clocks(clock: Clock) -> Finding:
    """Compares the date with the newest game, and measures a short wait."""
    begin_ms = clock.now_ms()
    clock.wait_ms(CLOCK_TEST_MS)
    passed_ms = clock.now_ms() - begin_ms
    days = [path.name[:10] for path in list_journals(games_folder())]
    newest = days[0] if days and re.fullmatch(r"\d{4}-\d\d-\d\d", days[0]) else None
    return checks.evaluate_clock(local_time_text(), newest, CLOCK_TEST_MS, passed_ms)


def check_stored_games() -> Finding:
    """Reads the newest games: which can be resumed, and which are damaged."""
    every = list_journals(games_folder())
    unfinished: list[str] = []
    damaged: list[tuple[str, Sentence]] = []
    for path in every[:MAX_GAMES_READ]:
        recovered = recover(read_journal(path))
        tail = recovered.damaged_tail
        if tail is not None:
            damaged.append((path.stem, plain(str(tail))))
        try:
            result = summarise(recovered.entries).result
        except LaserboardError as error:
            damaged += [] if tail is not None else [(path.stem, error.sentence)]
            continue
        if result is None and (tail is None or tail.is_power_cut_tail):
            unfinished.append(path.stem)
    return checks.evaluate_games(unfinished, damaged, len(every))


def _requirements() -> list[str]:
    try:
        return requires("laserboard") or []
    except PackageNotFoundError:
        return []


def _installed_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _imported_version(module: str, name: str) -> str | None:
    """The version of a library that can be imported; None if it cannot."""
    try:
        imported = importlib.import_module(module)
    except ImportError:
        return None
    version_text = getattr(imported, "__version__", None) or _installed_version(name)
    return version_text or str(sentences.UNKNOWN_VERSION())


def _group(path: Path) -> str:
    try:
        return path.group()
    except (OSError, KeyError):
        return ROOT_GROUP
