"""A short game with evidence images: a simulated table, the real reader and evidence writer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp

from controller.config.referee import EvidenceSettings
from controller.devices.factory.clocks import system_clock
from controller.devices.factory.journals import open_evidence_writer
from controller.ports.events import Pressed
from controller.ports.frames import CapturedFrame
from controller.session.board_fit import FittedBoard
from controller.session.evidence import EvidenceCaptured, evidence_body
from controller.session.journal import JournalEntry, format_entries, next_entry, recover
from controller.storage.evidence_files import evidence_folder
from tests.support.play.simulated_rigs import Table
from tests.support.play.table_play import DUEL

TIMEOUT_MS = 30_000.0
MOVES = ("j4j5xc5", "e7d7", "e1d1")  # the first captures a mirror


@dataclass(frozen=True)
class Game:
    """A played game with its frames and observations."""

    top: FittedBoard
    captures: tuple[tuple[CapturedFrame, CapturedFrame], ...]  # before and after each turn
    entries: tuple[JournalEntry, ...]  # without evidence


@lru_cache(maxsize=1)
def played_game() -> Game:
    """Played once for each process: it takes seconds."""
    return asyncio.run(_played())


async def _played() -> Game:
    folder = Path(mkdtemp(prefix="laserboard-test-"))
    table = Table(folder, position=f"{DUEL} b", control="5m+3s", camera="sim://")  # colour
    captures = []
    async with table.set_up() as simulation:
        board_reader, hands = simulation.loop.devices.board_reader, simulation.hands
        for text in MOVES:
            session = simulation.session
            game, position = session.game, session.position
            (player,) = game.to_move(position)
            turn = game.resolve(position, {player: game.read_move(position, player, text)})
            before = board_reader.last_frame()
            await hands.make_turn(turn, [player])
            await hands.wait_settled()
            after = board_reader.last_frame()
            assert before is not None
            assert after is not None
            captures.append((before, after))
            simulation.loop.dispatch(Pressed(f"fire {player}", simulation.loop.now_ms()))
            await hands.wait_idle()
            await hands.clear_board()
            assert simulation.session.history[-1].turn == turn
    entries = recover((folder / "game.journal").read_bytes()).entries
    return Game(table.plan.fitted_board, tuple(captures), entries)


def kept_game(journal: Path) -> tuple[EvidenceCaptured, ...]:
    """The game as a journal, with its images beside it."""
    game, settings = played_game(), EvidenceSettings()
    keeper = open_evidence_writer(journal, game.top, settings, system_clock())
    for number, (before, after) in enumerate(game.captures, start=1):
        keeper.capture_before(before)
        keeper.capture_turn(number, after)
    assert keeper.wait(TIMEOUT_MS)
    keeper.close()
    found = tuple(each for each in keeper.events() if isinstance(each, EvidenceCaptured))
    assert len(found) == len(game.captures)
    entries = list(game.entries)
    for each in found:
        entries.append(next_entry(entries[-1], "evidence", evidence_body(each), 1000.0))
    journal.parent.mkdir(parents=True, exist_ok=True)
    journal.write_bytes(format_entries(entries))
    assert evidence_folder(journal).is_dir()
    return found
