"""A script played on a simulated table: what people do, what happens to them, what is expected.

An expectation that is not met is an error with the script's line.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.room import SteppedRoom
from controller.session_values import Phase
from controller.simulated.acting import Acting
from controller.simulated.expectations import Expectations
from controller.simulated.hands import Hands, Unexpected
from controller.simulated.script import Act, Script
from controller.simulated.simulation import Simulation
from controller.simulated.stage import Stage

SETTLE_MS = 8_000.0


class Scripted:
    """One script, played once; `tell` is given what people do and hear, line by line."""

    def __init__(self, script: Script, room: SteppedRoom, tell: Callable[[str], None]) -> None:
        self.stage = Stage(script, room, tell)
        self._expectations, self._acting = Expectations(self.stage), Acting(self.stage)
        self.heard = self.stage.heard
        self._last: Act | None = None

    @property
    def hands(self) -> Hands:
        return self.stage.simulation.hands

    async def play(self, simulation: Simulation) -> None:
        """Line by line what happens."""
        stage = self.stage
        stage.simulation = simulation
        for act in stage.script.acts:
            try:
                if act.expects:
                    await self._settle()
                    await self._expectations.check(act)
                    continue
                if self._last is None:
                    await self.hands.rest()
                if stage.ended:
                    raise stage.script.error(act, stage.ended)
                self._last = act
                stage.forget()
                await self._acting.do(act)
            except Unexpected as trouble:
                if str(trouble).startswith(stage.script.file):
                    raise
                stage.unmet(act, str(trouble))

    async def _settle(self) -> None:
        """Before something is expected: until the table has come to rest, where it can."""
        stage = self.stage
        at_once = self._last is not None and self._last.sentence.endswith("at once")
        if stage.ended or at_once:
            return
        await self.hands.calm()
        if stage.hand_stays or stage.room.faults.blind:
            return
        await self.hands.frames(2)
        await self.hands.loop.until(self._judged, SETTLE_MS)
        await self.hands.calm()

    def _judged(self) -> bool:
        """Whether it is known what the table shows; what shone a moment ago is seen badly."""
        session = self.stage.session
        looks = session.phase in (Phase.SETTING_UP, Phase.CLEARING)
        return session.settled is not None and not (looks and not session.differences)
