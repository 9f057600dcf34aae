"""A simulated game in stepped time: real reader, session and journal, simulated devices."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from controller.config.board_file import load_board_file
from controller.session.setup import GameSetup, Seat
from controller.session.state import TablePreferences
from controller.simulation.game import SimulatedGame
from controller.simulation.rig import SMALL_CAMERA_URL, SteppedSimulatedRig
from controller.table.plan import GamePlan, JournalOpener
from controller.table.rig import TableSpec
from engine import games
from engine.sentences import Sentence

HUMANS = (Seat("Ada"), Seat("Bob"))


class Table:
    """One simulated game, its rig and its announcements."""

    def __init__(
        self,
        folder: Path,
        board: str = "demo-10x8",
        seats: tuple[Seat, Seat] = HUMANS,
        *,
        game: str | None = None,
        position: str | None = None,
        control: str = "",
        preferences: TablePreferences | None = None,
        leds: str = "memory://",
        camera: str = SMALL_CAMERA_URL,
        frees_disk: bool = False,
    ) -> None:
        rules, file = games.make(game or games.DEFAULT), load_board_file(board)
        at = None if position is None else rules.read_position(position)
        start = GameSetup(rules, seats, position=at, time_control=control, board=board)
        self.plan = GamePlan(start, file, preferences or TablePreferences())
        self.journal_opener = JournalOpener(folder / "game.journal")
        table_spec = TableSpec(board, file, self.plan.fitted_board, leds, camera)
        self.rig = SteppedSimulatedRig(
            table_spec, start.first_position().pieces, self.journal_opener
        )
        self.messages: list[Sentence] = []
        self.simulation = SimulatedGame(
            self.rig,
            self.plan.start_session,
            self.messages.append,
            self.rig.free_disk_space if frees_disk else None,
        )

    @asynccontextmanager
    async def set_up(self) -> AsyncIterator[SimulatedGame]:
        """The running game, after the board is recognised as set up."""
        async with self.simulation as simulation:
            await simulation.hands.wait_settled()
            yield simulation
