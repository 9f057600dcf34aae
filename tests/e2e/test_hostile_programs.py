"""200 programs that behave as badly as they can, each in a match against one that plays fair."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

import pytest

from tests.controller.arenas import Watched, memory_mib, plan, watched, without_processes
from tests.controller.hostile_ai import GOOD, Behaviour, Server, answer, behaviours, request

MATCHES = 200
AT_ONCE = 25
ROUNDS = 2
LONGEST_MS = 4500.0
MOST_MIB = 48.0
# A fair program may use nearly all of its time.
PATIENT_S, EVERY = 3.0, 4


def fair(think_s: float) -> Behaviour:
    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        while True:
            request(conn)
            threading.Event().wait(think_s)
            conn.sendall(answer(GOOD))

    return Behaviour("fair", act)


async def match(number: int, behaviour: Behaviour, seed: int, folder: Path) -> Watched:
    """Mallory against Ada, who sits on either side in turn."""
    slow = PATIENT_S if number % EVERY == 0 else 0.0
    hostile, honest = Server(behaviour, seed), Server(fair(slow))
    try:
        return await watched(
            plan(rounds=ROUNDS, seed=number),
            {0: hostile.url, 1: honest.url},
            folder / f"{number}.journal",
        )
    finally:
        hostile.close()
        honest.close()


@pytest.mark.slow
def test_no_program_holds_up_a_round_or_harms_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_processes(monkeypatch)
    cast = list(behaviours(MATCHES))
    seen: list[Watched] = []
    rss: list[float] = []

    async def some(first: int) -> None:
        batch = list(enumerate(cast))[first : first + AT_ONCE]
        seen.extend(
            await asyncio.gather(*(match(n, kind, seed, tmp_path) for n, (kind, seed) in batch))
        )
        rss.append(memory_mib())

    for first in range(0, MATCHES, AT_ONCE):
        asyncio.run(some(first))

    worst: dict[str, float] = defaultdict(float)
    for (behaviour, _), found in zip(cast, seen, strict=True):
        worst[behaviour.kind] = max(worst[behaviour.kind], *found.round_ms)
        assert len(found.round_ms) == ROUNDS
        assert found.of("Ada") == ["laser"] * ROUNDS, f"{behaviour}: {found.events}"
        expected = "laser" if behaviour.counts else "noop"
        assert found.of("Mallory") == [expected] * ROUNDS, f"{behaviour}: {found.events}"
        for event in found.events:
            assert "127.0.0.1" not in str(event)
            assert "secret" not in str(event)
    counts = Counter(behaviour.kind for behaviour, _ in cast)
    print()
    for kind, count in counts.items():
        print(f"| {kind} | {count} | {worst[kind] / 1000:.2f} s |")
    print(f"worst {max(worst.values()) / 1000:.2f} s, memory {rss[0]:.0f} to {max(rss):.0f} MiB")
    assert max(worst.values()) <= LONGEST_MS, worst
    assert max(rss) - rss[0] < MOST_MIB, rss
