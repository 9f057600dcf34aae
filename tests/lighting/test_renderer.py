"""The light renderer on a simulated table, and its dark periods."""

from __future__ import annotations

import asyncio
from pathlib import Path

from controller.session.state import Phase
from engine.game import Piece
from tests.support.play.simulated_rigs import Table


def glowing(table: Table) -> bool:
    shown = table.simulation.loop.devices.lights.last_picture
    return shown is not None and bool(shown.any())


def test_the_lights_go_out_at_intervals_while_the_table_does_not_settle(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            loop, world = simulation.loop, simulation.hands.world
            cells = sorted(simulation.session.position.pieces)
            dark = light = 0
            for number in range(400):  # a hand that moves around
                if number % 6 == 0:
                    world.reach_to(cells[number // 6 % len(cells)])
                await loop.next_tick()
                if loop.session.table.settled is None:
                    dark, light = dark + (not glowing(table)), light + glowing(table)
            assert dark > 20, "now and then"
            assert light > 20, "but not all the time"
            world.withdraw_hand()
            await simulation.hands.wait_settled()
            await loop.wait_until(lambda: False, 1_000.0)
            assert simulation.session.phase is Phase.TURN
            assert glowing(table)

    asyncio.run(play())


def test_the_lights_stay_on_while_the_table_is_settled(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            cell, piece = min(simulation.session.position.pieces.items())
            others = dict(simulation.session.position.pieces)
            others[cell] = Piece(piece.kind, piece.owner, (piece.orientation + 1) % 4)
            simulation.hands.world.lay_out(others)
            await simulation.hands.wait_settled()
            await simulation.loop.wait_until(lambda: False, 1_000.0)
            lit = 0
            for _ in range(300):
                await simulation.loop.next_tick()
                lit += bool(
                    simulation.loop.devices.lights.possibly_lit_cells(simulation.loop.now_ms())
                )
            assert lit == 300

    asyncio.run(play())
