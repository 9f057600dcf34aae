"""Plays a game on a simulated table without a script.

A callback (a person at the terminal) and the computer choose the turns. Simulated hands carry them
out, press fire and take off captured pieces.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from controller.session.state import Phase, Session
from controller.simulation.game import SimulatedGame
from controller.simulation.hands import SimulationFailed
from engine.game import AnyTurn

AskForTurn = Callable[[Session], Awaitable[AnyTurn | None]]  # None: stop playing


class AutoPlay:
    """Plays one game, turn by turn."""

    def __init__(self, simulation: SimulatedGame, ask_for_turn: AskForTurn) -> None:
        self.simulation, self._ask_for_turn = simulation, ask_for_turn

    async def play(self, max_turns: int | None = None) -> None:
        """Play until the game is over, the callback returns None, or `max_turns` are played."""
        hands, before = self.simulation.hands, len(self._session().history)

        def enough() -> bool:
            return max_turns is not None and len(self._session().history) >= before + max_turns

        await self._wait_settled(enough)
        while self._session().phase is not Phase.OVER and not enough():
            session = self._session()
            match session.phase:
                case Phase.TURN:
                    turn = await self._ask_for_turn(session)
                    if turn is None:
                        return
                    await hands.make_turn(turn, session.humans_to_move)
                    for player in session.humans_to_move:
                        await hands.press_fire(player)
                case Phase.COMPUTER_TO_MOVE:
                    assert session.computer.turn is not None
                    turn = session.computer.turn
                    await hands.make_turn(turn)
                    await hands.wait_settled()
                case Phase.CLEARING if session.history:  # two computers have moved simultaneously
                    await hands.correct_board()
                    await self._wait_settled(enough)
                    continue
                case phase:
                    raise SimulationFailed(f"the game does not go on: {phase}")
            if self._session().position is session.position:
                raise SimulationFailed("the turn that was made was not recognised")
            await hands.clear_board()
        if self._session().phase is Phase.CLEARING:
            await hands.correct_board()

    async def _wait_settled(self, enough: Callable[[], bool]) -> None:
        """Wait until the table has settled or `enough` holds.

        Two computers that move simultaneously play on by themselves while no piece has to be moved.
        """
        settled = asyncio.ensure_future(self.simulation.hands.wait_settled())
        settled.add_done_callback(_consume_exception)
        try:
            while not settled.done() and not (
                enough() and self._session().phase is not Phase.FIRING
            ):
                if not await self.simulation.loop.next_tick():
                    break
            if not enough():
                await settled
        finally:
            settled.cancel()  # not awaited: the computers would play another turn meanwhile

    def _session(self) -> Session:
        return self.simulation.session


def _consume_exception(settled: asyncio.Future[None]) -> None:
    """Retrieve the exception, or asyncio would log it when the program ends meanwhile."""
    if not settled.cancelled():
        settled.exception()
