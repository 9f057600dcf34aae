"""Results that are on their way, as the entries of a journal: what was told, and what the broker
has. Nothing is forgotten when it is sent: a broker that was started anew is told again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.hall.messages import BadMessage, Result, read_result
from controller.journal import Entry, following, write_lines

TOLD, SENT = "result", "sent"
MOST_KEPT = 100  # results, for whoever asks again
ENTRIES_EACH = 10  # entries for each of them, before a file is written anew
Key = tuple[int, int, str]


@dataclass(frozen=True)
class Waiting:
    """One result."""

    body: Mapping[str, Any]
    result: Result
    sent: bool = False


@dataclass(frozen=True)
class Queue:
    """The newest result of every game, oldest first."""

    results: Mapping[Key, Waiting] = field(default_factory=dict)
    most: int = MOST_KEPT

    @property
    def unsent(self) -> int:
        return sum(not each.sent for each in self.results.values())

    def knows(self, result: Result) -> bool:
        """Whether that, or something later of the same game, is here already."""
        known = self.results.get(key_of(result))
        return known is not None and known.result.entries >= result.entries

    def told(self, body: Mapping[str, Any]) -> Queue:
        """With one more; `BadMessage` if nobody could read it."""
        result = read_result(body)
        if self.knows(result):
            return self
        others = {key: each for key, each in self.results.items() if key != key_of(result)}
        every = {**others, key_of(result): Waiting(body, result)}
        sent = [key for key, each in every.items() if each.sent]
        # What the broker has goes first.
        for key in [*sent, *every][: max(0, len(every) - self.most)]:
            every.pop(key, None)
        return replace(self, results=every)

    def delivered(self, game_id: str, entries: int) -> Queue:
        """The broker has it; what was told since is still to be sent."""
        marked = {
            key: replace(each, sent=True)
            if (each.result.game_id, each.result.entries) == (game_id, entries)
            else each
            for key, each in self.results.items()
        }
        return replace(self, results=marked)


def key_of(result: Result) -> Key:
    return result.round, result.table, result.game_id


def read_queue(entries: Iterable[Entry], most: int = MOST_KEPT) -> Queue:
    """From a journal; what cannot be read is left out."""
    queue = Queue(most=most)
    for entry in entries:
        if entry.kind == TOLD:
            try:
                queue = queue.told(entry.body)
            except BadMessage:
                continue
        elif entry.kind == SENT:
            queue = queue.delivered(str(entry.body.get("game_id")), entry.body.get("entries", 0))
    return queue


def written_anew(queue: Queue) -> bytes:
    """The shortest journal that reads back as the same queue."""
    entries: list[Entry] = []
    for each in queue.results.values():
        before = entries[-1] if entries else None
        entries.append(following(before, TOLD, each.body, 0.0))
        if each.sent:
            entries.append(following(entries[-1], SENT, sent_body(each.result), 0.0))
    return write_lines(entries)


def sent_body(result: Result) -> dict[str, Any]:
    return {"game_id": result.game_id, "entries": result.entries}
