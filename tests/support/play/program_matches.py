"""Matches of programs with real sessions, loops and sockets, and journals on disk."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.config.board_file import BoardFile
from controller.devices.clock import SystemClock
from controller.devices.players.process_player import InProcessPlayer
from controller.session.setup import GameSetup, Seat
from controller.session.state import Phase, Session, TablePreferences
from controller.table import rig
from controller.table.loop import Loop, running_loop
from controller.table.plan import GamePlan
from controller.table.rig import NO_LEDS_URL, LedOnlyRig, TableSpec
from engine import games
from vision.board import PhysicalBoard

NICKS = ("Mallory", "Ada")


def plan(rounds: int = 3, seed: int = 7, seats: tuple[Seat, Seat] | None = None) -> GamePlan:
    """A plan for two programs, or for other seats."""
    game = games.make_http_game("spaceships", {"rounds": rounds})
    first, second = seats or (Seat(NICKS[0], is_program=True), Seat(NICKS[1], is_program=True))
    position = game.start_with(seed, (first.name, second.name))
    start = GameSetup(game, (first, second), position=position)
    return GamePlan(
        start,
        BoardFile(PhysicalBoard("none", position.grid)),
        TablePreferences(),
        moved_by_hand=False,
    )


@dataclass
class Watched:
    """The observed events of a match."""

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
    made: GamePlan,
    programs: dict[int, str],
    path: Path,
    on_tick: Callable[[Loop], None] = lambda _: None,
) -> Watched:
    """Play a whole match, from the first request to the last journal entry."""
    table_spec = TableSpec(
        "", made.board_file, made.fitted_board, NO_LEDS_URL, program_urls=programs
    )
    light_rig = LedOnlyRig(
        table_spec, lambda clock, on_event, at: at(path, clock, on_event), max_beam_ms=0.0
    )
    devices, entries = light_rig.open()
    try:
        session = made.start_session(entries, devices)
        seen = Watched(session)
        async with running_loop(Loop(session, devices, light_rig.pacing, lambda _: None)) as loop:
            while loop.session.phase is not Phase.OVER or loop.session.writing.unwritten:
                assert await loop.next_tick()
                on_tick(loop)
                played = len(loop.session.history)
                if played > len(seen.round_ms):
                    seen.round_ms.append(loop.now_ms() - loop.session.turn.since_ms)
                seen.session = loop.session
        seen.session = loop.session
        return seen
    finally:
        devices.close()


def play(made: GamePlan, programs: dict[int, str], path: Path) -> Watched:
    return asyncio.run(watched(made, programs, path))


def without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the computer player in this process: hundreds of matches would be slow otherwise."""
    monkeypatch.setattr(rig, "open_computer_player", lambda _: InProcessPlayer(SystemClock()))


def memory_mib() -> float:
    """The resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20
