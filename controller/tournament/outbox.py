"""The outbox of results, stored as journal entries: results, and acknowledgements of the broker.

Sent results are kept, because a restarted broker has lost them and gets them again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.session.journal import JournalEntry, format_entries, next_entry
from controller.tournament.messages import BadMessage, GameResult, read_result

log = logging.getLogger(__name__)

RESULT_KIND, SENT_KIND = "result", "sent"
MAX_RESULTS_KEPT = 100
MAX_ENTRIES_PER_RESULT = 10  # a file with more entries is compacted
ResultKey = tuple[int, int, str]


@dataclass(frozen=True)
class QueuedResult:
    """A result, and whether the broker has acknowledged it."""

    body: Mapping[str, Any]
    result: GameResult
    sent: bool = False


@dataclass(frozen=True)
class Outbox:
    """The newest result of every game, oldest first."""

    results: Mapping[ResultKey, QueuedResult] = field(default_factory=dict)
    max_results: int = MAX_RESULTS_KEPT

    @property
    def unsent_count(self) -> int:
        return sum(not each.sent for each in self.results.values())

    def contains(self, result: GameResult) -> bool:
        """Whether this or a newer result of the same game is stored."""
        known = self.results.get(result_key(result))
        return known is not None and known.result.entries >= result.entries

    def with_result(self, body: Mapping[str, Any]) -> Outbox:
        """The outbox with one more result; raises `BadMessage` if it is invalid."""
        result = read_result(body)
        if self.contains(result):
            return self
        others = {key: each for key, each in self.results.items() if key != result_key(result)}
        results = {**others, result_key(result): QueuedResult(body, result)}
        sent = [key for key, each in results.items() if each.sent]
        # Drop acknowledged results first.
        for key in [*sent, *results][: max(0, len(results) - self.max_results)]:
            results.pop(key, None)
        return replace(self, results=results)

    def with_delivered(self, game_id: str, entries: int) -> Outbox:
        """Mark a result as acknowledged; a newer one of the same game stays unsent."""
        marked = {
            key: replace(each, sent=True)
            if (each.result.game_id, each.result.entries) == (game_id, entries)
            else each
            for key, each in self.results.items()
        }
        return replace(self, results=marked)


def result_key(result: GameResult) -> ResultKey:
    return result.round, result.table, result.game_id


def read_outbox(entries: Iterable[JournalEntry], max_results: int = MAX_RESULTS_KEPT) -> Outbox:
    """Read an outbox from its journal; invalid results are skipped."""
    outbox = Outbox(max_results=max_results)
    for entry in entries:
        if entry.kind == RESULT_KIND:
            try:
                outbox = outbox.with_result(entry.body)
            except BadMessage:
                log.warning("skips an invalid result in the outbox", exc_info=True)
        elif entry.kind == SENT_KIND:
            outbox = outbox.with_delivered(
                str(entry.body.get("game_id")), entry.body.get("entries", 0)
            )
    return outbox


def write_compact(outbox: Outbox) -> bytes:
    """The shortest journal that reads back as the same outbox."""
    entries: list[JournalEntry] = []
    for each in outbox.results.values():
        before = entries[-1] if entries else None
        entries.append(next_entry(before, RESULT_KIND, each.body, 0.0))
        if each.sent:
            entries.append(next_entry(entries[-1], SENT_KIND, sent_entry_body(each.result), 0.0))
    return format_entries(entries)


def sent_entry_body(result: GameResult) -> dict[str, Any]:
    return {"game_id": result.game_id, "entries": result.entries}
