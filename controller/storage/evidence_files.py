"""The evidence folder beside the journals: images and readings, each file named by its SHA-256.

`plan_pruning` selects files to delete and `prune` deletes them. A file that a journal references
belongs to that game, even if the journal is damaged.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from controller.config.referee import EvidenceSettings
from controller.session.evidence import BadEvidence
from controller.session.journal import recover
from controller.session.replay import replay
from controller.storage import sentences
from controller.storage.games import NoSuchGame, list_journals, read_journal
from engine.errors import LaserboardError
from engine.sentences import Sentence, Template, joined

log = logging.getLogger(__name__)

EVIDENCE_FOLDER = "evidence"
MAX_FILE_BYTES = 32 * 1024 * 1024
MB = 1_000_000
DAY_S = 86_400.0
# A file may be this old before its journal entry references it.
GRACE_S = 600.0
_NAME = re.compile(r"([0-9a-f]{64})\.(?:jpg|json)")
_PART = re.compile(r"\.[0-9a-f]{64}\.(?:jpg|json)\.[0-9]+\.part")
_LINK = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def evidence_folder(journal: Path) -> Path:
    """The evidence folder of a journal, shared by all journals beside it."""
    return journal.parent / EVIDENCE_FOLDER


def read_evidence_file(folder: Path, name: str) -> bytes:
    """Read a file and check its hash; `BadEvidence` if it is missing or changed."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise BadEvidence(sentences.NOT_AN_IMAGE_NAME(name=repr(name)))
    try:
        with (folder / name).open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError as error:
        raise BadEvidence(sentences.IMAGE_GONE(name=name, folder=str(folder))) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadEvidence(
            sentences.IMAGE_UNREADABLE(folder=str(folder), name=name, reason=reason)
        ) from error
    if sha256(content).hexdigest() != found[1]:
        raise BadEvidence(sentences.IMAGE_CHANGED(folder=str(folder), name=name))
    return content


# -- inventory -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameFiles:
    """The files of one game."""

    game: str
    names: frozenset[str]
    age_s: float  # since its journal was last written
    finished: bool  # false also for an unreadable journal, or one not checked


@dataclass(frozen=True, slots=True)
class EvidenceInventory:
    """All files with size and age, and the games that reference them, oldest first."""

    sizes_bytes: Mapping[str, int]
    ages_s: Mapping[str, float]
    games: tuple[GameFiles, ...] = ()

    @property
    def total_bytes(self) -> int:
        return sum(self.sizes_bytes.values())

    def size_of(self, names: frozenset[str]) -> int:
        return sum(self.sizes_bytes[name] for name in names)

    @property
    def unreferenced(self) -> frozenset[str]:
        """Files of deleted games, and files whose entry a power cut lost."""
        return frozenset(self.sizes_bytes).difference(*(each.names for each in self.games))


def take_inventory(
    folder: Path, now_s: float, check_finished_above_bytes: int = 0
) -> EvidenceInventory:
    """List the evidence folder; `now_s` is Unix time.

    Only the quota needs to know which games are finished. Finding out replays every game, which is
    slow, so it is done only if the folder has more than `check_finished_above_bytes`.
    """
    sizes: dict[str, int] = {}
    ages: dict[str, float] = {}
    try:
        for path in folder.iterdir():
            if _NAME.fullmatch(path.name) or _PART.fullmatch(path.name):
                try:
                    found = path.stat()
                except FileNotFoundError:
                    continue  # another process has just removed it
                sizes[path.name], ages[path.name] = found.st_size, now_s - found.st_mtime
    except FileNotFoundError:
        return EvidenceInventory({}, {})
    except OSError as error:
        raise NoSuchGame(
            sentences.CANNOT_READ(path=str(folder), reason=error.strerror or str(error))
        ) from error
    if not sizes:
        return EvidenceInventory({}, {})
    should_check = sum(sizes.values()) > check_finished_above_bytes
    is_finished = _is_finished if should_check else _assume_unfinished
    games = [
        game
        for journal in list_journals(folder.parent)
        if (game := _files_of_game(journal, frozenset(sizes), now_s, is_finished)).names
    ]
    return EvidenceInventory(sizes, ages, tuple(sorted(games, key=lambda each: -each.age_s)))


def _files_of_game(
    journal: Path, present: frozenset[str], now_s: float, is_finished: Callable[[bytes], bool]
) -> GameFiles:
    content = read_journal(journal)  # raises: without reading every journal, nothing may be deleted
    hashes = {each.decode() for each in _LINK.findall(content)}
    names = present & {f"{each}.{end}" for each in hashes for end in ("jpg", "json")}
    finished = bool(names) and is_finished(content)
    return GameFiles(journal.stem, names, now_s - journal.stat().st_mtime, finished)


def _assume_unfinished(_: bytes) -> bool:
    return False


def _is_finished(content: bytes) -> bool:
    recovered = recover(content)
    try:
        played = replay(recovered.entries)
    except LaserboardError:
        log.info("takes an unreadable journal for unfinished", exc_info=True)
        return False
    return recovered.damaged_tail is None and played.fault is None and played.outcome is not None


# -- pruning -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PruningPlan:
    """The files to delete, and why."""

    names: frozenset[str] = frozenset()
    size_bytes: int = 0
    expired_games: tuple[str, ...] = ()
    over_quota_games: tuple[str, ...] = ()
    unreferenced_files: int = 0
    remaining_bytes: int = 0

    @property
    def sentence(self) -> Sentence | None:
        """What was deleted; None: nothing."""
        return self._describe(sentences.PRUNED)

    @property
    def dry_run_sentence(self) -> Sentence | None:
        """What would be deleted; None: nothing."""
        return self._describe(sentences.TO_BE_PRUNED)

    def _describe(self, template: Template) -> Sentence | None:
        counts = (
            (len(self.expired_games), sentences.ONE_EXPIRED_GAME, sentences.EXPIRED_GAMES),
            (
                len(self.over_quota_games),
                sentences.ONE_GAME_OVER_QUOTA,
                sentences.GAMES_OVER_QUOTA,
            ),
            (
                self.unreferenced_files,
                sentences.ONE_UNREFERENCED_FILE,
                sentences.UNREFERENCED_FILES,
            ),
        )
        reasons = [sentences.counted(count, one, many) for count, one, many in counts if count]
        if not reasons:
            return None
        return template(megabytes=f"{self.size_bytes / MB:.1f}", reasons=joined(reasons))


def plan_pruning(
    inventory: EvidenceInventory, settings: EvidenceSettings, extra_bytes: int = 0
) -> PruningPlan:
    """Plan deletions so that no file exceeds its age and `extra_bytes` more fit into the quota.

    Age: files of any game whose journal was not written for `keep_days`. Quota: unreferenced files
    first, then files of finished games, oldest first. Unfinished games keep their files.
    """
    old_s, quota = settings.keep_days * DAY_S, settings.quota_mb * MB
    expired = [each for each in inventory.games if each.age_s > old_s]
    to_delete = _unshared_files(inventory, expired) | {
        name for name in inventory.unreferenced if inventory.ages_s[name] > max(old_s, GRACE_S)
    }
    over_quota: list[GameFiles] = []
    if inventory.total_bytes - inventory.size_of(frozenset(to_delete)) + extra_bytes > quota:
        to_delete |= {name for name in inventory.unreferenced if inventory.ages_s[name] > GRACE_S}
    for each in inventory.games:
        if inventory.total_bytes - inventory.size_of(frozenset(to_delete)) + extra_bytes <= quota:
            break
        if each.finished and each not in expired:
            over_quota.append(each)
            to_delete |= _unshared_files(inventory, [*expired, *over_quota])
    names = frozenset(to_delete)
    return PruningPlan(
        names,
        inventory.size_of(names),
        tuple(each.game for each in expired),
        tuple(each.game for each in over_quota),
        len(names & inventory.unreferenced),
        inventory.total_bytes - inventory.size_of(names),
    )


def _unshared_files(inventory: EvidenceInventory, games: list[GameFiles]) -> set[str]:
    """Files that only these games reference and that were not written just now."""
    others = (each.names for each in inventory.games if each not in games)
    own = frozenset[str]().union(*(each.names for each in games)).difference(*others)
    return {name for name in own if inventory.ages_s[name] > GRACE_S}


def prune(folder: Path, plan: PruningPlan) -> None:
    """Delete the files of a plan."""
    for name in plan.names:
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise NoSuchGame(
                sentences.CANNOT_REMOVE(
                    path=str(folder / name), reason=error.strerror or str(error)
                )
            ) from error


def format_megabytes(size: int) -> str:
    return f"{size / MB:.1f} MB"
