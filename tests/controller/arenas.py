"""Matches of programs for tests: sessions and loops around real sockets, journals on disk."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller import room as rooms
from controller.agreement import Seat, Start
from controller.beginning import Plan
from controller.config import BoardFile
from controller.devices.clock import SystemClock
from controller.devices.player import DirectPlayer
from controller.loop import Loop, running
from controller.room import NO_LEDS, Furniture, Gallery
from controller.session_values import Habits, Phase, Session
from engine import games
from vision.board import PhysicalBoard

NICKS = ("Mallory", "Ada")


def plan(rounds: int = 3, seed: int = 7, seats: tuple[Seat, Seat] | None = None) -> Plan:
    """Two programs, unless others sit there."""
    game = games.arena("spaceships", {"rounds": rounds})
    first, second = seats or (Seat(NICKS[0], program=True), Seat(NICKS[1], program=True))
    position = game.start_with(seed, (first.name, second.name))
    start = Start(game, (first, second), position=position)
    return Plan(start, BoardFile(PhysicalBoard("none", position.grid)), Habits(), hands=False)


@dataclass
class Watched:
    """What somebody saw of a match."""

    session: Session
    round_ms: list[float] = field(default_factory=list)

    @property
    def events(self) -> list[dict[str, Any]]:
        turns = (past.turn for past in self.session.history)
        return [dict(event) for turn in turns for event in turn.events]

    def of(self, nick: str) -> list[str]:
        """The types of the events of one player, without the hits."""
        mine = (event["type"] for event in self.events if event["nick"] == nick)
        return [kind for kind in mine if kind != "laser-hit"]


async def watched(
    made: Plan,
    programs: dict[int, str],
    path: Path,
    each_beat: Callable[[Loop], None] = lambda _: None,
) -> Watched:
    """A whole match, from the first request to the last entry on disk."""
    furniture = Furniture("", made.file, made.top, NO_LEDS, programs=programs)
    gallery = Gallery(furniture, lambda clock, told, at: at(path, clock, told), film_ms=0.0)
    devices, entries = gallery.switch_on()
    try:
        session = made.begin(entries, devices)
        seen = Watched(session)
        async with running(Loop(session, devices, gallery.pace, lambda _: None)) as loop:
            while loop.session.phase is not Phase.OVER or loop.session.unwritten:
                assert await loop.next_beat()
                each_beat(loop)
                played = len(loop.session.history)
                if played > len(seen.round_ms):
                    seen.round_ms.append(loop.now_ms() - loop.session.begun_ms)
                seen.session = loop.session
        seen.session = loop.session
        return seen
    finally:
        devices.close()


def play(made: Plan, programs: dict[int, str], path: Path) -> Watched:
    return asyncio.run(watched(made, programs, path))


def without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer thinks here: hundreds of matches need no process each."""
    monkeypatch.setattr(rooms, "open_player", lambda _: DirectPlayer(SystemClock()))


def memory_mib() -> float:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20
