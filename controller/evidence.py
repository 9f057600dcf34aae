"""Pictures of turns as values: what a journal says of them, written and read. Pure.

A picture is known by the hash of its file and of another, which tells what was read in it. What
is in those two files is made in `controller.evidence_picture`, where they are is in
`controller.evidence_store`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from controller.journal import Entry
from controller.ports import DeviceRemark
from engine import strict_json
from engine.errors import LaserboardError, excerpt

if TYPE_CHECKING:
    from controller.sight import Glimpse

EVIDENCE = "evidence"  # the kind of a journal's entry
MOST_TURNS = 1_000_000
_HASH = re.compile(r"[0-9a-f]{64}")


class BadEvidence(LaserboardError, ValueError):
    """An entry that links no pictures, or a file that is not what it is called."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of the table, by the SHA-256 of its two files."""

    picture: str  # JPEG
    seen: str  # JSON

    def names(self) -> tuple[str, str]:
        """What its files are called."""
        return f"{self.picture}.jpg", f"{self.seen}.json"


@dataclass(frozen=True, slots=True)
class Photographed:
    """The pictures of a turn are on the disk."""

    turn: int  # from 1
    before: Picture | None  # as the table stood when it began; None: there is no such picture
    after: Picture | None  # and when it was made
    at_ms: float
    matter: int | None = None  # the entry that asks the referee about it, before it counts

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(each for each in (self.before, self.after) if each is not None)


@dataclass(frozen=True, slots=True)
class EvidenceFailed:
    """Pictures are not on the disk, and neither are those after them until one is again."""

    turn: int
    sentence: str  # what is wrong, and what a person can do
    at_ms: float


EvidenceEvent = Photographed | EvidenceFailed | DeviceRemark


class EvidenceKeeper(Protocol):
    """Keeps pictures of every turn. Never blocks; what is asked for is done when events say so."""

    @property
    def name(self) -> str:
        """What to call it in a sentence: its folder."""

    def before(self, glimpse: Glimpse | None) -> None:
        """So the table stands as a turn begins. Again: so it stands by now."""

    def turn(self, number: int, glimpse: Glimpse | None) -> None:
        """So it stands after the turn of that number; `Photographed` or a failure comes back."""

    def matter(self, number: int, turn: int, glimpse: Glimpse | None) -> None:
        """So it stands as the referee is asked about the turn that is being made; the same comes
        back, and its picture from before is kept for the turn itself."""

    def events(self) -> list[EvidenceEvent]:
        """What happened since this was last asked."""

    def wait(self, timeout_ms: float) -> bool:
        """Whether all that was asked for has been done, or has failed; waits for it so long."""

    def close(self) -> None:
        """Keep what can be kept; may be called again."""


# -- the journal's entry -------------------------------------------------------------------------


def evidence_body(photographed: Photographed) -> dict[str, Any]:
    body: dict[str, Any] = {"turn": photographed.turn}
    for name, each in (("before", photographed.before), ("after", photographed.after)):
        if each is not None:
            body[name] = {"picture": each.picture, "seen": each.seen}
    return body if photographed.matter is None else {**body, "matter": photographed.matter}


def read_evidence(body: Mapping[str, Any], at_ms: float = 0.0) -> Photographed:
    """The other way; other keys are for others to know."""
    turn = strict_json.whole(body.get("turn"), "the turn of a picture", BadEvidence, 1, MOST_TURNS)
    matter = body.get("matter")
    if matter is not None:
        matter = strict_json.whole(matter, "the matter of a picture", BadEvidence, 1, 10**9)
    return Photographed(turn, _picture(body, "before"), _picture(body, "after"), at_ms, matter)


def evidence_of(entries: Iterable[Entry]) -> Iterator[Photographed]:
    """All pictures that a journal links, in order; `BadEvidence` says which entry links none.

    A turn that was taken back and played again has pictures of both: the later ones count.
    """
    for entry in entries:
        if entry.kind == EVIDENCE:
            try:
                yield read_evidence(entry.body, entry.at_ms)
            except BadEvidence as bad:
                raise BadEvidence(f"line {entry.number}: {bad}") from None


def canonical(value: Any) -> bytes:
    """JSON in the one way in which it is kept: ASCII, keys sorted, no spaces."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return text.encode("ascii")


def is_hash(text: Any) -> bool:
    return isinstance(text, str) and _HASH.fullmatch(text) is not None


def _picture(body: Mapping[str, Any], name: str) -> Picture | None:
    if name not in body:
        return None
    found = strict_json.fields(body[name], name, BadEvidence, ("picture", "seen"))
    for key, value in found.items():
        if not is_hash(value):
            raise BadEvidence(f"{name}: {key} must be a SHA-256, not {excerpt(value)}")
    return Picture(found["picture"], found["seen"])
