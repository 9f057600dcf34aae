"""The simulated hands at a live table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.agreement import Seat
from controller.ports import NotOnTable, Pressed
from controller.session_values import Asked, Phase, Session, Wish
from controller.simulated.attendant import Attendant
from controller.simulated.simulation import Simulation
from controller.simulated.touches import Shove
from controller.terminal.intents import Make, PutBack, PutRight
from tests.controller.rooms import Table
from vision.infer import Exact, NoChange

PATIENCE_MS = 60_000.0


def make(table: Table, text: str) -> Make:
    game, position = table.plan.start.game, table.simulation.session.position
    return Make(0, game.read_move(position, 0, text))


async def shown(simulation: Simulation, attendant: Attendant) -> str:
    """The turn that the table shows, or what it shows else."""
    assert await simulation.loop.until(lambda: not attendant.busy, PATIENCE_MS)
    await simulation.hands.rest()
    session = simulation.session
    match session.inference:
        case Exact((turn,)):
            ((player, move),) = turn.moves
            return session.table.game.write_move(session.position, player, move)
        case NoChange():
            return "nothing"
        case other:
            return type(other).__name__


def test_a_second_move_takes_the_place_of_the_first_and_none_is_none(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            attendant = Attendant(simulation.hands)
            serving = asyncio.create_task(attendant.serve())
            attendant.want(make(table, "j4j3"))
            assert await shown(simulation, attendant) == "j4j3"
            attendant.want(make(table, "h2-"))
            assert await shown(simulation, attendant) == "h2-"
            attendant.want(make(table, "h2+"))
            assert await shown(simulation, attendant) == "h2+"
            attendant.want(PutBack(0))
            assert await shown(simulation, attendant) == "nothing"
            serving.cancel()

    asyncio.run(play())


def test_what_was_captured_is_taken_off_and_what_was_taken_back_is_put_back(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            loop, before = simulation.loop, simulation.session.position
            attendant = Attendant(simulation.hands)
            serving = asyncio.create_task(attendant.serve())
            attendant.want(make(table, "j4i4"))
            assert await shown(simulation, attendant) == "j4i4xj5"
            loop.happens(Pressed("fire 0", loop.now_ms()))
            assert await loop.until(lambda: simulation.session.phase is Phase.CLEARING, PATIENCE_MS)
            assert await loop.until(lambda: simulation.session.phase is Phase.TURN, PATIENCE_MS)
            loop.happens(Asked(Wish.TAKE_BACK, 0, loop.now_ms()))
            loop.happens(Asked(Wish.ACCEPT, 1, loop.now_ms()))
            assert simulation.session.phase is Phase.SETTING_UP
            assert await loop.until(lambda: simulation.session.phase is Phase.TURN, PATIENCE_MS)
            assert simulation.session.position == before
            serving.cancel()

    asyncio.run(play())


def test_the_computer_s_moves_are_made_for_it(tmp_path: Path) -> None:
    table = Table(tmp_path, seats=(Seat("one", 1), Seat("two", 1)))

    async def play() -> None:
        async with table.simulation as simulation:
            serving = asyncio.create_task(Attendant(simulation.hands).serve())
            done = lambda: len(simulation.session.history) >= 2  # noqa: E731
            assert await simulation.loop.until(done, 3 * PATIENCE_MS)
            serving.cancel()

    asyncio.run(play())


def test_a_table_that_is_left_to_people_is_put_right_by_them_and_later_by_hands(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.simulation as simulation:
            loop = simulation.loop

            def session() -> Session:
                return simulation.session

            world = simulation.hands.world
            thing, stood = next(iter(world.things().items()))
            world.move(thing, stood.x_mm + 50.0, stood.y_mm)
            attendant = Attendant(simulation.hands, sets_up=False)
            serving = asyncio.create_task(attendant.serve())
            left = world.things()
            asked = lambda: bool(session().differences and session().settled)  # noqa: E731
            assert await loop.until(asked, PATIENCE_MS)
            await loop.until(lambda: False, 2000.0)
            assert world.things() == left, "nobody put anything right"
            assert session().phase is Phase.SETTING_UP
            attendant.want(Shove(thing, stood.x_mm, stood.y_mm))
            assert await loop.until(lambda: session().phase is Phase.TURN, PATIENCE_MS)
            attendant.want(make(table, "j4j3"))
            assert await shown(simulation, attendant) == "j4j3"
            loop.happens(Pressed("fire 0", loop.now_ms()))
            assert await loop.until(lambda: len(session().history) == 1, PATIENCE_MS)
            assert await loop.until(lambda: session().phase is Phase.TURN, PATIENCE_MS)
            loop.happens(Asked(Wish.TAKE_BACK, 0, loop.now_ms()))
            loop.happens(Asked(Wish.ACCEPT, 1, loop.now_ms()))
            assert session().phase is Phase.SETTING_UP
            assert await loop.until(lambda: session().phase is Phase.TURN, PATIENCE_MS)
            serving.cancel()

    asyncio.run(play())


def test_hands_that_find_no_piece_say_so(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            hands, session = simulation.hands, simulation.session
            game, cell = session.table.game, session.table.board.grid.cell("j4")
            turn = game.resolve(session.position, {0: game.read_move(session.position, 0, "j4j3")})
            await hands.take(cell)
            await hands.rest()
            assert cell not in simulation.session.facing
            with pytest.raises(NotOnTable, match="nothing stands on j4"):
                await hands.make(turn)

    asyncio.run(play())


def test_who_serves_the_table_goes_on_when_a_piece_is_gone(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            attendant = Attendant(simulation.hands)
            serving = asyncio.create_task(attendant.serve())
            await simulation.hands.take(simulation.session.table.board.grid.cell("j4"))
            attendant.want(make(table, "j4j3"))
            assert await shown(simulation, attendant) in ("Mismatch", "Ambiguous")
            attendant.want(PutRight())
            assert await shown(simulation, attendant) == "nothing"
            attendant.want(make(table, "j4j3"))
            assert await shown(simulation, attendant) == "j4j3"
            assert not serving.done()
            serving.cancel()

    asyncio.run(play())
