"""A short game with pictures for tests: a simulated table, the real reader, the real keeper."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp

from controller.evidence import Photographed, evidence_body
from controller.evidence_store import evidence_folder
from controller.journal import Entry, following, recover, write_lines
from controller.ports import Pressed
from controller.referee_settings import EvidenceSettings
from controller.sight import Glimpse
from controller.tabletop import Tabletop
from controller.wiring import open_evidence, system_clock
from tests.controller.playing import DUEL
from tests.controller.rooms import Table

PATIENCE_MS = 30_000.0
MOVES = ("j4j5xc5", "e7d7", "e1d1")  # the first takes a mirror


@dataclass(frozen=True)
class Game:
    """What was played, and what was seen of it."""

    top: Tabletop
    glimpses: tuple[tuple[Glimpse, Glimpse], ...]  # before and after each turn
    entries: tuple[Entry, ...]  # without evidence


@lru_cache(maxsize=1)
def played_game() -> Game:
    """Once for all tests of a process: it takes seconds."""
    return asyncio.run(_played())


async def _played() -> Game:
    folder = Path(mkdtemp(prefix="laserboard-test-"))
    table = Table(folder, position=f"{DUEL} b", control="5m+3s")
    glimpses = []
    async with table.set_up() as simulation:
        eyes, hands = simulation.loop.devices.eyes, simulation.hands
        for text in MOVES:
            session = simulation.session
            game, position = session.table.game, session.position
            (player,) = game.to_move(position)
            turn = game.resolve(position, {player: game.read_move(position, player, text)})
            before = eyes.glimpse()
            await hands.make(turn, [player])
            await hands.rest()
            after = eyes.glimpse()
            assert before is not None
            assert after is not None
            glimpses.append((before, after))
            simulation.loop.happens(Pressed(f"fire {player}", simulation.loop.now_ms()))
            await hands.calm()
            await hands.clear()
            assert simulation.session.history[-1].turn == turn
    entries = recover((folder / "game.journal").read_bytes()).entries
    return Game(table.plan.top, tuple(glimpses), entries)


def kept_game(journal: Path) -> tuple[Photographed, ...]:
    """That game in a journal, with its pictures beside it."""
    game, settings = played_game(), EvidenceSettings()
    keeper = open_evidence(journal, game.top, settings, system_clock())
    for number, (before, after) in enumerate(game.glimpses, start=1):
        keeper.before(before)
        keeper.turn(number, after)
    assert keeper.wait(PATIENCE_MS)
    keeper.close()
    found = tuple(each for each in keeper.events() if isinstance(each, Photographed))
    assert len(found) == len(game.glimpses)
    entries = list(game.entries)
    for each in found:
        entries.append(following(entries[-1], "evidence", evidence_body(each), 1000.0))
    journal.parent.mkdir(parents=True, exist_ok=True)
    journal.write_bytes(write_lines(entries))
    assert evidence_folder(journal).is_dir()
    return found
