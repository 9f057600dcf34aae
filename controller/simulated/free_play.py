"""A game on a simulated table without a script: people say their moves, the computer its own.

Whoever decides, simulated hands carry it out, press fire and take off what was captured.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from controller.session_values import Phase, Session
from controller.simulated.hands import Unexpected
from controller.simulated.simulation import Simulation
from engine.game import AnyTurn

Ask = Callable[[Session], Awaitable[AnyTurn | None]]  # None: no more


class FreePlay:
    """One game, turn by turn."""

    def __init__(self, simulation: Simulation, ask: Ask) -> None:
        self.simulation, self._ask = simulation, ask

    async def play(self, most_turns: int | None = None) -> None:
        """Until the game is over, nobody says any more, or so many turns were played."""
        hands, before = self.simulation.hands, len(self._session().history)

        def enough() -> bool:
            return most_turns is not None and len(self._session().history) >= before + most_turns

        await self._rest(enough)
        while self._session().phase is not Phase.OVER and not enough():
            session = self._session()
            match session.phase:
                case Phase.TURN:
                    turn = await self._ask(session)
                    if turn is None:
                        return
                    await hands.make(turn, session.people)
                    for player in session.people:
                        await hands.press(player)
                case Phase.COMPUTER_TO_MOVE:
                    assert session.known is not None
                    turn = session.known
                    await hands.make(turn)
                    await hands.rest()
                case Phase.CLEARING if session.history:  # two computers have acted at once
                    await hands.put_right()
                    await self._rest(enough)
                    continue
                case phase:
                    raise Unexpected(f"the game stands still: {phase}")
            if self._session().position is session.position:
                raise Unexpected("the turn that was made was not recognised")
            await hands.clear()
        if self._session().phase is Phase.CLEARING:
            await hands.put_right()

    async def _rest(self, enough: Callable[[], bool]) -> None:
        """Until the table has come to rest, or enough was played: two computers that act at once
        go on by themselves as long as nothing is to be moved."""
        resting = asyncio.ensure_future(self.simulation.hands.rest())
        resting.add_done_callback(_looked_at)
        try:
            while not resting.done() and not (
                enough() and self._session().phase is not Phase.FIRING
            ):
                if not await self.simulation.loop.next_beat():
                    break
            if not enough():
                await resting
        finally:
            resting.cancel()  # not waited for: meanwhile they would act once more

    def _session(self) -> Session:
        return self.simulation.session


def _looked_at(resting: asyncio.Future[None]) -> None:
    """What it raises while nobody waits for it, because the program ends, is no complaint."""
    if not resting.cancelled():
        resting.exception()
