"""Where pictures of turns are kept: in a folder beside the journals, each file named by its hash.

How long they are kept is decided here, as a value first (`pruning`), so that it can be told
before it is done. A file that any journal names in any way is that game's: also a damaged one's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from controller.evidence import BadEvidence, Picture
from controller.game_store import NoSuchGame, kept, read
from controller.journal import count, recover
from controller.played import replay
from controller.referee_settings import EvidenceSettings
from engine.errors import LaserboardError

FOLDER = "evidence"
LARGEST_FILE = 32 * 1024 * 1024
MB = 1_000_000
DAY_S = 86_400.0
# So long after it was written a file may wait for the entry that links it.
GRACE_S = 600.0
_NAME = re.compile(r"([0-9a-f]{64})\.(?:jpg|json)")
_PART = re.compile(r"\.[0-9a-f]{64}\.(?:jpg|json)\.[0-9]+\.part")
_LINK = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def evidence_folder(journal: Path) -> Path:
    """The pictures that belong to a journal, and to those beside it."""
    return journal.parent / FOLDER


def read_file(folder: Path, name: str) -> bytes:
    """The content of a picture's file; `BadEvidence` if it is not what its name says."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise BadEvidence(f"{name!r} is no name of a picture")
    try:
        with (folder / name).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise BadEvidence(f"{name} is not kept any more in {folder}") from None
    except OSError as bad:
        raise BadEvidence(f"cannot read {folder / name}: {bad.strerror or bad}") from None
    if sha256(content).hexdigest() != found[1]:
        raise BadEvidence(f"{folder / name} is not as it was written: its hash is another")
    return content


def read_picture(folder: Path, picture: Picture) -> tuple[bytes, bytes]:
    """A picture as JPEG, and what was read in it as JSON."""
    jpeg, seen = picture.names()
    return read_file(folder, jpeg), read_file(folder, seen)


# -- what there is -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Holding:
    """The files of one game."""

    game: str
    names: frozenset[str]
    age_s: float  # since its journal was last written
    finished: bool  # not one that cannot be read, nor one that nobody has looked at


@dataclass(frozen=True, slots=True)
class Stock:
    """All that is kept: every file with its size and age, and whose it is; oldest games first."""

    sizes: Mapping[str, int]
    ages_s: Mapping[str, float]
    holdings: tuple[Holding, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.sizes.values())

    def size(self, names: frozenset[str]) -> int:
        return sum(self.sizes[name] for name in names)

    @property
    def unowned(self) -> frozenset[str]:
        """Files that no journal names: of games that were removed, or cut off by a power cut."""
        return frozenset(self.sizes).difference(*(each.names for each in self.holdings))


def stock(folder: Path, now_s: float, judged_above: int = 0) -> Stock:
    """What is in the evidence folder; `now_s` is the time that files have.

    Whether games are over takes a while to find out, and only a quota asks for it: games are
    looked at where there are more bytes than `judged_above`.
    """
    sizes: dict[str, int] = {}
    ages: dict[str, float] = {}
    try:
        for path in folder.iterdir():
            if _NAME.fullmatch(path.name) or _PART.fullmatch(path.name):
                try:
                    found = path.stat()
                except FileNotFoundError:
                    continue  # another Laserboard has just removed it
                sizes[path.name], ages[path.name] = found.st_size, now_s - found.st_mtime
    except FileNotFoundError:
        return Stock({}, {})
    except OSError as bad:
        raise NoSuchGame(f"cannot read {folder}: {bad.strerror or bad}") from None
    if not sizes:
        return Stock({}, {})
    judge = _finished if sum(sizes.values()) > judged_above else _unjudged
    holdings = [
        holding
        for journal in kept(folder.parent)
        if (holding := _holding(journal, frozenset(sizes), now_s, judge)).names
    ]
    return Stock(sizes, ages, tuple(sorted(holdings, key=lambda each: -each.age_s)))


def _holding(
    journal: Path, present: frozenset[str], now_s: float, judge: Callable[[bytes], bool]
) -> Holding:
    content = read(journal)  # whoever cannot read every journal must not remove pictures
    hashes = {each.decode() for each in _LINK.findall(content)}
    names = present & {f"{each}.{end}" for each in hashes for end in ("jpg", "json")}
    finished = bool(names) and judge(content)
    return Holding(journal.stem, names, now_s - journal.stat().st_mtime, finished)


def _unjudged(_: bytes) -> bool:
    return False


def _finished(content: bytes) -> bool:
    recovered = recover(content)
    try:
        played = replay(recovered.entries)
    except LaserboardError:
        return False
    return recovered.torn is None and played.fault is None and played.ended is not None


# -- what is kept no longer ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pruning:
    """What is to be removed, and why."""

    names: frozenset[str] = frozenset()
    size: int = 0
    aged: tuple[str, ...] = ()  # games
    crowded: tuple[str, ...] = ()  # games, to stay below the quota
    unowned: int = 0  # files
    left: int = 0  # bytes that stay

    def __str__(self) -> str:
        """What is removed, in a sentence; empty: nothing."""
        why = []
        if self.aged:
            why.append(f"{count(len(self.aged), 'game', 'games')} past their time")
        if self.crowded:
            games = count(len(self.crowded), "oldest game", "oldest games")
            why.append(f"the {games}, to stay below the quota")
        if self.unowned:
            why.append(f"{count(self.unowned, 'file', 'files')} of no game")
        return f"pictures removed ({megabytes(self.size)}): {'; '.join(why)}" if why else ""


def pruning(stock: Stock, settings: EvidenceSettings, room: int = 0) -> Pruning:
    """What must go, so that nothing is older than its time and `room` more bytes have room.

    By age: whatever game they are of, if nothing was written in its journal for so long. By
    quota: what no game needs, then games that are over, the oldest first, and no others.
    """
    old_s, quota = settings.keep_days * DAY_S, settings.quota_mb * MB
    aged = [each for each in stock.holdings if each.age_s > old_s]
    going = _alone(stock, aged) | {
        name for name in stock.unowned if stock.ages_s[name] > max(old_s, GRACE_S)
    }
    crowded: list[Holding] = []
    if stock.total - stock.size(frozenset(going)) + room > quota:
        going |= {name for name in stock.unowned if stock.ages_s[name] > GRACE_S}
    for each in stock.holdings:
        if stock.total - stock.size(frozenset(going)) + room <= quota:
            break
        if each.finished and each not in aged:
            crowded.append(each)
            going |= _alone(stock, [*aged, *crowded])
    names = frozenset(going)
    return Pruning(
        names,
        stock.size(names),
        tuple(each.game for each in aged),
        tuple(each.game for each in crowded),
        len(names & stock.unowned),
        stock.total - stock.size(names),
    )


def _alone(stock: Stock, games: list[Holding]) -> set[str]:
    """Files of these games that no other game has, and that nobody has just written again."""
    others = (each.names for each in stock.holdings if each not in games)
    own = frozenset[str]().union(*(each.names for each in games)).difference(*others)
    return {name for name in own if stock.ages_s[name] > GRACE_S}


def prune(folder: Path, plan: Pruning) -> None:
    """Remove what a plan says."""
    for name in plan.names:
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as bad:
            raise NoSuchGame(f"cannot remove {folder / name}: {bad.strerror or bad}") from None


def megabytes(size: int) -> str:
    return f"{size / MB:.1f} MB"
