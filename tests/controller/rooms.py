"""Simulated rooms for tests: the whole program around a table that is not there, in steps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from controller.agreement import Seat, Start
from controller.beginning import Keeping, Plan
from controller.config import load_board_file
from controller.room import Furniture, SteppedRoom
from controller.session_values import Habits
from controller.simulated.simulation import Simulation
from engine import games

HUMANS = (Seat("Ada"), Seat("Bob"))


class Table:
    """One simulated game, its room and what people heard."""

    def __init__(
        self,
        folder: Path,
        board: str = "demo-10x8",
        seats: tuple[Seat, Seat] = HUMANS,
        *,
        game: str | None = None,
        position: str | None = None,
        control: str = "",
        habits: Habits | None = None,
        leds: str = "memory://",
        mends: bool = False,
    ) -> None:
        rules, file = games.make(game or games.DEFAULT), load_board_file(board)
        at = None if position is None else rules.read_position(position)
        start = Start(rules, seats, position=at, time_control=control, board=board)
        self.plan = Plan(start, file, habits or Habits())
        self.keeping = Keeping(folder / "game.journal")
        furniture = Furniture(board, file, self.plan.top, leds)
        self.room = SteppedRoom(furniture, start.first().pieces, self.keeping)
        self.heard: list[str] = []
        self.simulation = Simulation(
            self.room, self.plan.begin, self.heard.append, self.room.make_room if mends else None
        )

    @asynccontextmanager
    async def set_up(self) -> AsyncIterator[Simulation]:
        """The game, once the board is found to be right."""
        async with self.simulation as simulation:
            await simulation.hands.rest()
            yield simulation
