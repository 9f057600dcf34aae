"""200 hostile programs, each in a match against a correct program."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.devices.hostile_programs import (
    GOOD,
    Behaviour,
    Server,
    answer,
    behaviours,
    request,
)
from tests.support.play.program_matches import Watched, memory_mib, plan, watched, without_processes

MATCHES = 200
AT_ONCE = 25
ROUNDS = 2
# The limit of a program is 4 s. A host that waits until the connection ends needs 8 s.
MAX_MS = 7000.0
MAX_MIB = 48.0
# A correct program may be slow, and 50 programs and their matches share this machine.
PATIENT_S, EVERY = 1.5, 4
MAX_S = 900.0  # for all matches


def correct(think_s: float) -> Behaviour:
    def act(conn: socket.socket, rng: Random) -> None:  # noqa: ARG001
        while True:
            request(conn)
            threading.Event().wait(think_s)
            conn.sendall(answer(GOOD))

    return Behaviour("fair", act)


async def match(number: int, behaviour: Behaviour, seed: int, folder: Path) -> Watched:
    """Play Mallory, the hostile program, against Ada, the correct one."""
    slow = PATIENT_S if number % EVERY == 0 else 0.0
    hostile, correct_server = Server(behaviour, seed), Server(correct(slow))
    try:
        return await watched(
            plan(rounds=ROUNDS, seed=number),
            {0: hostile.url, 1: correct_server.url},
            folder / f"{number}.journal",
        )
    finally:
        hostile.close()
        correct_server.close()


def measure(folder: Path) -> dict[str, Any]:
    """The results of all matches, and the memory of this process after each batch."""
    programs = list(behaviours(MATCHES))
    seen: list[Watched] = []
    rss: list[float] = []

    async def play_batch(first: int) -> None:
        batch = list(enumerate(programs))[first : first + AT_ONCE]
        seen.extend(
            await asyncio.gather(*(match(n, kind, seed, folder) for n, (kind, seed) in batch))
        )
        rss.append(memory_mib())

    for first in range(0, MATCHES, AT_ONCE):
        asyncio.run(play_batch(first))
    matches = [
        {
            "kind": behaviour.kind,
            "counts": behaviour.counts,
            "round_ms": found.round_ms,
            "Ada": found.of("Ada"),
            "Mallory": found.of("Mallory"),
            "events": str(found.events),
        }
        for (behaviour, _), found in zip(programs, seen, strict=True)
    ]
    return {"matches": matches, "rss": rss}


@pytest.mark.slow
def test_no_program_delays_a_round_or_harms_the_other_player(tmp_path: Path) -> None:
    # A new process, because its memory is measured.
    ran = subprocess.run(
        [sys.executable, "-m", __name__, str(tmp_path)],
        env=os.environ
        | {"MALLOC_ARENA_MAX": "2"},  # otherwise the memory depends on the number of cores
        stdout=subprocess.PIPE,
        timeout=MAX_S,
        check=True,
    )
    reported = json.loads(ran.stdout)
    rss = reported["rss"]
    worst: dict[str, float] = defaultdict(float)
    for found in reported["matches"]:
        kind, events = found["kind"], found["events"]
        worst[kind] = max(worst[kind], *found["round_ms"])
        assert len(found["round_ms"]) == ROUNDS
        assert found["Ada"] == ["laser"] * ROUNDS, f"{kind}: {events}"
        expected = "laser" if found["counts"] else "noop"
        assert found["Mallory"] == [expected] * ROUNDS, f"{kind}: {events}"
        assert "127.0.0.1" not in events
        assert "secret" not in events
    counts = Counter(found["kind"] for found in reported["matches"])
    assert counts.total() == MATCHES
    print()
    for kind, count in counts.items():
        print(f"| {kind} | {count} | {worst[kind] / 1000:.2f} s |")
    print(f"worst {max(worst.values()) / 1000:.2f} s, memory {rss[0]:.0f} to {max(rss):.0f} MiB")
    assert max(worst.values()) <= MAX_MS, worst
    assert max(rss) - rss[0] < MAX_MIB, rss


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        without_processes(patch)
        print(json.dumps(measure(Path(sys.argv[1]))))
