"""A game on a simulated table without a script: people say their moves, the computer its own.

Whoever decides, simulated hands carry it out, press fire and take off what was captured.
"""

from __future__ import annotations

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
        self.made: list[AnyTurn] = []  # by hands, whatever the journal says

    async def play(self, most_turns: int | None = None) -> None:
        """Until the game is over, nobody says any more, or so many turns were played."""
        hands = self.simulation.hands
        await hands.rest()
        while self._session().phase is not Phase.OVER and len(self.made) != most_turns:
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
                    turn = session.history[-1].turn
                    await hands.put_right()
                    await hands.rest()
                    self.made.append(turn)
                    continue
                case phase:
                    raise Unexpected(f"the game stands still: {phase}")
            if self._session().position is session.position:
                raise Unexpected("the turn that was made was not recognised")
            self.made.append(turn)
            await hands.clear()

    def _session(self) -> Session:
        return self.simulation.session
