"""What the LEDs show from moment to moment, and when they leave the reader in peace."""

from __future__ import annotations

import asyncio
from pathlib import Path

from controller.session_values import Phase
from engine.game import Piece
from tests.controller.rooms import Table


def glowing(table: Table) -> bool:
    shown = table.simulation.loop.devices.lights.picture
    return shown is not None and bool(shown.any())


def test_a_table_that_does_not_settle_is_left_in_the_dark_for_a_while(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            loop, world = simulation.loop, simulation.hands.world
            cells = sorted(simulation.session.position.pieces)
            dark = light = 0
            for number in range(400):  # a hand that wanders about
                if number % 6 == 0:
                    world.reach_to(cells[number // 6 % len(cells)])
                await loop.next_beat()
                if loop.session.settled is None:
                    dark, light = dark + (not glowing(table)), light + glowing(table)
            assert dark > 20, "now and then"
            assert light > 20, "but not all the time"
            world.away()
            await simulation.hands.rest()
            await loop.until(lambda: False, 1_000.0)
            assert simulation.session.phase is Phase.TURN
            assert glowing(table)

    asyncio.run(play())


def test_while_the_table_rests_the_lights_stay_on(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            cell, piece = min(simulation.session.position.pieces.items())
            others = dict(simulation.session.position.pieces)
            others[cell] = Piece(piece.kind, piece.owner, (piece.orientation + 1) % 4)
            simulation.hands.world.lay_out(others)
            await simulation.hands.rest()
            await simulation.loop.until(lambda: False, 1_000.0)
            lit = 0
            for _ in range(300):
                await simulation.loop.next_beat()
                lit += bool(simulation.loop.devices.lights.lit(simulation.loop.now_ms()))
            assert lit == 300

    asyncio.run(play())
