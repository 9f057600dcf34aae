"""The simulated hands at a running table."""

from __future__ import annotations

import asyncio
from pathlib import Path

from controller.devices.sentences import NOTHING_THERE
from controller.ports.events import Pressed
from controller.ports.world import NotOnTable
from controller.session.events import Request, Requested
from controller.session.setup import Seat
from controller.session.state import Phase, Session
from controller.simulation.game import SimulatedGame
from controller.simulation.hand_operator import HandOperator
from controller.simulation.requests import MakeMove, ResetPieces
from controller.simulation.rough_actions import Push
from tests.support.engine.sentences import raises
from tests.support.play.simulated_rigs import Table
from vision.infer import Exact, NoChange

TIMEOUT_MS = 60_000.0


def make(table: Table, text: str) -> MakeMove:
    game, position = table.plan.setup.game, table.simulation.session.position
    return MakeMove(0, game.read_move(position, 0, text))


async def shown(simulation: SimulatedGame, operator: HandOperator) -> str:
    """The turn on the table, or the name of the inference's result."""
    assert await simulation.loop.wait_until(lambda: not operator.busy, TIMEOUT_MS)
    await simulation.hands.wait_settled()
    session = simulation.session
    match session.table.inference:
        case Exact((turn,)):
            ((player, move),) = turn.moves
            return session.game.write_move(session.position, player, move)
        case NoChange():
            return "nothing"
        case other:
            return type(other).__name__


def test_a_second_move_replaces_the_first_and_can_be_put_back(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            operator = HandOperator(simulation.hands)
            serving = asyncio.create_task(operator.run())
            operator.enqueue(make(table, "j4j3"))
            assert await shown(simulation, operator) == "j4j3"
            operator.enqueue(make(table, "h2-"))
            assert await shown(simulation, operator) == "h2-"
            operator.enqueue(make(table, "h2+"))
            assert await shown(simulation, operator) == "h2+"
            operator.enqueue(MakeMove(0, None))
            assert await shown(simulation, operator) == "nothing"
            serving.cancel()

    asyncio.run(play())


def test_captured_pieces_are_taken_off_and_put_back_after_a_take_back(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            loop, before = simulation.loop, simulation.session.position
            operator = HandOperator(simulation.hands)
            serving = asyncio.create_task(operator.run())
            operator.enqueue(make(table, "j4i4"))
            assert await shown(simulation, operator) == "j4i4xj5"
            loop.dispatch(Pressed("fire 0", loop.now_ms()))
            assert await loop.wait_until(
                lambda: simulation.session.phase is Phase.CLEARING, TIMEOUT_MS
            )
            assert await loop.wait_until(lambda: simulation.session.phase is Phase.TURN, TIMEOUT_MS)
            loop.dispatch(Requested(Request.TAKE_BACK, 0, loop.now_ms()))
            loop.dispatch(Requested(Request.ACCEPT, 1, loop.now_ms()))
            assert simulation.session.phase is Phase.SETTING_UP
            assert await loop.wait_until(lambda: simulation.session.phase is Phase.TURN, TIMEOUT_MS)
            assert simulation.session.position == before
            serving.cancel()

    asyncio.run(play())


def test_the_computers_moves_are_carried_out(tmp_path: Path) -> None:
    table = Table(tmp_path, seats=(Seat("one", 1), Seat("two", 1)))

    async def play() -> None:
        async with table.simulation as simulation:
            serving = asyncio.create_task(HandOperator(simulation.hands).run())
            done = lambda: len(simulation.session.history) >= 2  # noqa: E731
            assert await simulation.loop.wait_until(done, 3 * TIMEOUT_MS)
            serving.cancel()

    asyncio.run(play())


def test_people_set_up_the_first_position_and_hands_correct_later_ones(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.simulation as simulation:
            loop = simulation.loop

            def session() -> Session:
                return simulation.session

            world = simulation.hands.world
            thing, stood = next(iter(world.objects().items()))
            world.move(thing, stood.x_mm + 50.0, stood.y_mm)
            operator = HandOperator(simulation.hands, sets_up=False)
            serving = asyncio.create_task(operator.run())
            left = world.objects()
            asked = lambda: bool(session().table.differences and session().table.settled)  # noqa: E731
            assert await loop.wait_until(asked, TIMEOUT_MS)
            await loop.wait_until(lambda: False, 2000.0)
            assert world.objects() == left, "the hands did not correct the board"
            assert session().phase is Phase.SETTING_UP
            operator.enqueue(Push(thing, stood.x_mm, stood.y_mm))
            assert await loop.wait_until(lambda: session().phase is Phase.TURN, TIMEOUT_MS)
            operator.enqueue(make(table, "j4j3"))
            assert await shown(simulation, operator) == "j4j3"
            loop.dispatch(Pressed("fire 0", loop.now_ms()))
            assert await loop.wait_until(lambda: len(session().history) == 1, TIMEOUT_MS)
            assert await loop.wait_until(lambda: session().phase is Phase.TURN, TIMEOUT_MS)
            loop.dispatch(Requested(Request.TAKE_BACK, 0, loop.now_ms()))
            loop.dispatch(Requested(Request.ACCEPT, 1, loop.now_ms()))
            assert session().phase is Phase.SETTING_UP
            assert await loop.wait_until(lambda: session().phase is Phase.TURN, TIMEOUT_MS)
            serving.cancel()

    asyncio.run(play())


def test_a_missing_piece_is_reported_as_a_failure(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            hands, session = simulation.hands, simulation.session
            game, cell = session.game, session.setup.fitted_board.board.grid.cell("j4")
            turn = game.resolve(session.position, {0: game.read_move(session.position, 0, "j4j3")})
            await hands.take_off(cell)
            await hands.wait_settled()
            assert cell not in simulation.session.table.last_seen_orientations
            with raises(NotOnTable, NOTHING_THERE(cell="j4")):
                await hands.make_turn(turn)

    asyncio.run(play())


def test_the_operator_continues_after_a_missing_piece(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            operator = HandOperator(simulation.hands)
            serving = asyncio.create_task(operator.run())
            await simulation.hands.take_off(
                simulation.session.setup.fitted_board.board.grid.cell("j4")
            )
            operator.enqueue(make(table, "j4j3"))
            assert await shown(simulation, operator) in ("Mismatch", "Ambiguous")
            operator.enqueue(ResetPieces())
            assert await shown(simulation, operator) == "nothing"
            operator.enqueue(make(table, "j4j3"))
            assert await shown(simulation, operator) == "j4j3"
            assert not serving.done()
            serving.cancel()

    asyncio.run(play())
