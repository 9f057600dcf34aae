"""The folder of journals: one file per game, named by day and number (2026-03-01-2.journal)."""

from __future__ import annotations

import os
import re
from pathlib import Path

from controller.session.journal import recover
from controller.storage import sentences
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.sentences import Sentence

JOURNAL_SUFFIX = ".journal"
LAST = "last"
MAX_JOURNAL_BYTES = 256 * 1024 * 1024
_NAME = re.compile(r"(\d{4}-\d\d-\d\d)-(\d{1,9})")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class NoSuchGame(LaserboardError, LookupError):
    """A game that does not exist, or whose file cannot be read."""


def games_folder() -> Path:
    """The folder of the user's games; it may not exist yet."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The XDG specification says to ignore relative paths.
    base = named if named.is_absolute() else Path.home() / ".local" / "share"
    return base / "laserboard" / "games"


def list_journals(folder: Path) -> list[Path]:
    """All journals of a folder, newest first; those not named by day come last."""
    try:
        found = [each for each in folder.iterdir() if each.suffix == JOURNAL_SUFFIX]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise NoSuchGame(
            sentences.CANNOT_READ(path=str(folder), reason=error.strerror or str(error))
        ) from error
    return sorted(found, key=_age, reverse=True)


def new_journal_path(folder: Path, day: str) -> Path:
    """An unused path for a game started on `day` (2026-03-01).

    If the system date went back, the name follows the newest game, so that `last` stays right.
    """
    if not _DAY.fullmatch(day):
        raise ValueError(f"{excerpt(day)} is no day: write it like 2026-03-01")
    named = [match for each in list_journals(folder) if (match := _match_name(each))]
    day = max([day, *(match[1] for match in named)])
    numbers = [int(match[2]) for match in named if match[1] == day]
    return folder / f"{day}-{max(numbers, default=0) + 1}{JOURNAL_SUFFIX}"


def find_journal(folder: Path, name: str) -> Path:
    """Find a journal by its name, by `last` or by a path."""
    games = list_journals(folder)
    if name == LAST and games:
        return next(filter(_is_not_empty, games), games[0])
    for each in games:
        if name in (each.name, each.stem):
            return each
    try:
        if Path(name).is_file():
            return Path(name)
    except (OSError, ValueError) as error:  # unreadable folder, or a NUL byte
        raise NoSuchGame(
            sentences.NO_SUCH_GAME_BECAUSE(name=excerpt(name), reason=str(error))
        ) from error
    if not games:
        no_games = no_games_message(folder)
        if name == LAST:
            raise NoSuchGame(no_games)
        raise NoSuchGame(sentences.NO_SUCH_GAME_OF_NONE(name=excerpt(name), no_games=no_games))
    hint = did_you_mean(name, [*(each.stem for each in games[:5]), LAST])
    raise NoSuchGame(sentences.NO_SUCH_GAME(name=excerpt(name), hint=hint))


def no_games_message(folder: Path) -> Sentence:
    return sentences.NO_GAMES(folder=str(folder))


def read_journal(path: Path) -> bytes:
    """Read the bytes of a journal."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_JOURNAL_BYTES + 1)
    except OSError as error:
        raise NoSuchGame(
            sentences.CANNOT_READ(path=str(path), reason=error.strerror or str(error))
        ) from error
    if len(content) > MAX_JOURNAL_BYTES:
        raise NoSuchGame(
            sentences.JOURNAL_TOO_LARGE(path=str(path), mib=MAX_JOURNAL_BYTES // 1024**2)
        )
    return content


def discard_if_empty(path: Path) -> bool:
    """Delete a journal that holds nothing but the game's setup; whether it was deleted.

    A ruling before the first turn is an entry too: such a game is kept.
    """
    if len(recover(read_journal(path)).entries) != 1:
        return False
    path.unlink()
    return True


def _is_not_empty(path: Path) -> bool:
    """Whether the file has content. A power cut at the start of a game leaves an empty file."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _match_name(path: Path) -> re.Match[str] | None:
    return _NAME.fullmatch(path.stem)


def _age(path: Path) -> tuple[str, int, str]:
    match = _match_name(path)
    return (match[1], int(match[2]), "") if match else ("", 0, path.name)
