"""Evidence: images of turns, as values and as journal entries.

An image has two files, a JPEG and a JSON with what was read in it, both named by their SHA-256.
`controller.storage.evidence_image` makes them, `controller.storage.evidence_files` finds them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from controller.ports.events import DeviceRemark
from controller.session import sentences
from controller.session.journal import JournalEntry
from engine import strict_json
from engine.catalogue import AT_LINE
from engine.errors import LaserboardError, excerpt
from engine.sentences import Sentence

if TYPE_CHECKING:
    from controller.ports.frames import CapturedFrame

EVIDENCE = "evidence"  # kind of a journal entry
MAX_TURNS = 1_000_000
_HASH = re.compile(r"[0-9a-f]{64}")


class BadEvidence(LaserboardError, ValueError):
    """An invalid evidence entry, or a file that does not match its hash."""


@dataclass(frozen=True, slots=True)
class EvidenceImage:
    """One image of the table, identified by the SHA-256 of its two files."""

    image_hash: str  # JPEG
    reading_hash: str  # JSON

    def file_names(self) -> tuple[str, str]:
        return f"{self.image_hash}.jpg", f"{self.reading_hash}.json"


@dataclass(frozen=True, slots=True)
class EvidenceCaptured:
    """The images of a turn are on disk."""

    turn: int  # from 1
    before: EvidenceImage | None  # at the start of the turn
    after: EvidenceImage | None  # at its end
    at_ms: float
    proposal: int | None = None  # number of the proposal that the image belongs to

    @property
    def images(self) -> tuple[EvidenceImage, ...]:
        return tuple(each for each in (self.before, self.after) if each is not None)


@dataclass(frozen=True, slots=True)
class EvidenceFailed:
    """Images could not be stored; later ones are not, either, until one succeeds."""

    turn: int
    sentence: Sentence  # the problem, and what a person can do
    at_ms: float


EvidenceEvent = EvidenceCaptured | EvidenceFailed | DeviceRemark


class EvidenceWriter(Protocol):
    """Stores images of every turn. Never blocks; `events` reports what is on disk."""

    @property
    def name(self) -> str:
        """The folder, for sentences."""

    def capture_before(self, captured: CapturedFrame | None) -> None:
        """Take the image at the start of a turn; a second call replaces it."""

    def capture_turn(self, number: int, captured: CapturedFrame | None) -> None:
        """Take the image at the end of a turn; `EvidenceCaptured` or `EvidenceFailed` follows."""

    def capture_proposal(self, number: int, turn: int, captured: CapturedFrame | None) -> None:
        """Take the image for a proposal during a turn. The same events follow; the image from
        the start of the turn is kept for the turn itself."""

    def events(self) -> list[EvidenceEvent]:
        """Events since the last call."""

    def wait(self, timeout_ms: float) -> bool:
        """Wait until everything is stored or has failed; False after the timeout."""

    def close(self) -> None:
        """Store what is queued and stop; may be called again."""


# -- the journal entry ---------------------------------------------------------------------------


def evidence_body(captured: EvidenceCaptured) -> dict[str, Any]:
    body: dict[str, Any] = {"turn": captured.turn}
    for name, each in (("before", captured.before), ("after", captured.after)):
        if each is not None:
            body[name] = {"picture": each.image_hash, "seen": each.reading_hash}
    return body if captured.proposal is None else {**body, "matter": captured.proposal}


def read_evidence(body: Mapping[str, Any], at_ms: float = 0.0) -> EvidenceCaptured:
    """The reverse of `evidence_body`; other keys are ignored."""
    turn = strict_json.require_int(
        body.get("turn"), "the turn of an image", BadEvidence, 1, MAX_TURNS
    )
    proposal = body.get("matter")
    if proposal is not None:
        proposal = strict_json.require_int(
            proposal, "the matter of an image", BadEvidence, 1, 10**9
        )
    return EvidenceCaptured(
        turn, _read_image(body, "before"), _read_image(body, "after"), at_ms, proposal
    )


def iter_evidence(entries: Iterable[JournalEntry]) -> Iterator[EvidenceCaptured]:
    """All evidence entries of a journal, in order; `BadEvidence` names the line of an invalid one.

    A turn that was taken back and played again has two entries: the later one counts.
    """
    for entry in entries:
        if entry.kind == EVIDENCE:
            try:
                yield read_evidence(entry.body, entry.at_ms)
            except BadEvidence as error:
                raise BadEvidence(AT_LINE(line=entry.number, message=error.sentence)) from error


def canonical_json(value: Any) -> bytes:
    """Canonical JSON: ASCII, sorted keys, no spaces."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return text.encode("ascii")


def is_sha256(text: Any) -> bool:
    return isinstance(text, str) and _HASH.fullmatch(text) is not None


def _read_image(body: Mapping[str, Any], name: str) -> EvidenceImage | None:
    if name not in body:
        return None
    found = strict_json.require_object(body[name], name, BadEvidence, ("picture", "seen"))
    for key, value in found.items():
        if not is_sha256(value):
            raise BadEvidence(sentences.BAD_HASH(name=name, key=key, value=excerpt(value)))
    return EvidenceImage(found["picture"], found["seen"])
