"""Where games are kept: one journal each, in a folder of the user's, named by day and number."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.errors import LaserboardError, did_you_mean, excerpt

SUFFIX = ".journal"
LAST = "last"
LARGEST = 256 * 1024 * 1024
_NAME = re.compile(r"(\d{4}-\d\d-\d\d)-(\d{1,9})")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class NoSuchGame(LaserboardError, LookupError):
    """A game that is not kept, or whose file cannot be read."""


def games_folder() -> Path:
    """The folder with all games of this user; it may not exist yet."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The XDG specification wants relative paths ignored.
    base = named if named.is_absolute() else Path.home() / ".local" / "share"
    return base / "laserboard" / "games"


def kept(folder: Path) -> list[Path]:
    """Every journal of a folder, the newest first; those with names of their own come last."""
    try:
        found = [each for each in folder.iterdir() if each.suffix == SUFFIX]
    except FileNotFoundError:
        return []
    except OSError as bad:
        raise NoSuchGame(f"cannot read {folder}: {bad.strerror or bad}") from None
    return sorted(found, key=_age, reverse=True)


def new_path(folder: Path, day: str) -> Path:
    """A name for a game begun on that day (2026-03-01) that no game has yet.

    Where the calendar was set back, it is named after the newest game: the last is the last.
    """
    if not _DAY.fullmatch(day):
        raise ValueError(f"{excerpt(day)} is no day: write it like 2026-03-01")
    named = [match for each in kept(folder) if (match := _named(each))]
    day = max([day, *(match[1] for match in named)])
    numbers = [int(match[2]) for match in named if match[1] == day]
    return folder / f"{day}-{max(numbers, default=0) + 1}{SUFFIX}"


def find(folder: Path, name: str) -> Path:
    """The journal that a person means by a name, by `last` or by a path."""
    games = kept(folder)
    if name == LAST and games:
        return next(filter(_has_something, games), games[0])
    for each in games:
        if name in (each.name, each.stem):
            return each
    try:
        if Path(name).is_file():
            return Path(name)
    except (OSError, ValueError) as bad:  # a folder that may not be read, or a NUL byte
        raise NoSuchGame(f"there is no game {excerpt(name)} ({bad})") from None
    what = f"there is no game and no file {excerpt(name)}"
    if not games:
        raise NoSuchGame(no_games(folder) if name == LAST else f"{what}; {no_games(folder)}")
    near = did_you_mean(name, [*(each.stem for each in games[:5]), LAST])
    raise NoSuchGame(f"{what}{near} (`laserboard games list` shows all)")


def no_games(folder: Path) -> str:
    return f"no game is kept yet: play one with `laserboard simulate`, and it stays in {folder}"


def read(path: Path) -> bytes:
    """The content of a journal."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as bad:
        raise NoSuchGame(f"cannot read {path}: {bad.strerror or bad}") from None
    if len(content) > LARGEST:
        raise NoSuchGame(f"{path} is larger than {LARGEST // 1024**2} MiB: it is no journal")
    return content


def _has_something(path: Path) -> bool:
    """Not the empty file that a power cut leaves of a game which had just begun."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _named(path: Path) -> re.Match[str] | None:
    return _NAME.fullmatch(path.stem)


def _age(path: Path) -> tuple[str, int, str]:
    match = _named(path)
    return (match[1], int(match[2]), "") if match else ("", 0, path.name)
