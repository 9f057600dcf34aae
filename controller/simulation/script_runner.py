"""A script played on a simulated table: what people do, what happens to them, what is expected.

An expectation that is not met is an error with the script's line.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.session.state import Phase
from controller.simulation.game import SimulatedGame
from controller.simulation.hands import Hands, SimulationFailed
from controller.simulation.rig import SteppedSimulatedRig
from controller.simulation.script import Script, ScriptLine
from controller.simulation.script_actions import ScriptActions
from controller.simulation.script_context import ScriptContext
from controller.simulation.script_expectations import ScriptExpectations

SETTLE_TIMEOUT_MS = 8_000.0


class ScriptRunner:
    """One script, played once; `on_line` is given what people do and hear, line by line."""

    def __init__(
        self, script: Script, rig: SteppedSimulatedRig, on_line: Callable[[str], None]
    ) -> None:
        self.context = ScriptContext(script, rig, on_line)
        self._expectations, self._actions = (
            ScriptExpectations(self.context),
            ScriptActions(self.context),
        )
        self.on_message = self.context.on_message
        self._last_line: ScriptLine | None = None

    @property
    def hands(self) -> Hands:
        return self.context.simulation.hands

    async def run(self, simulation: SimulatedGame) -> None:
        """Line by line what happens."""
        stage = self.context
        stage.simulation = simulation
        for act in stage.script.lines:
            try:
                if act.is_expectation:
                    await self._wait_settled()
                    await self._expectations.check(act)
                    continue
                if self._last_line is None:
                    await self.hands.wait_settled()
                if stage.end_reason:
                    raise stage.script.make_error(act, stage.end_reason)
                self._last_line = act
                stage.begin_line()
                await self._actions.perform(act)
            except SimulationFailed as trouble:
                if str(trouble).startswith(stage.script.file):
                    raise
                stage.fail(act, str(trouble))

    async def _wait_settled(self) -> None:
        """Before something is expected: until the table has come to rest, where it can."""
        stage = self.context
        at_once = self._last_line is not None and self._last_line.sentence.endswith("at once")
        if stage.end_reason or at_once:
            return
        await self.hands.wait_idle()
        if stage.hand_over_board or stage.rig.faults.camera_blind:
            return
        await self.hands.wait_frames(2)
        await self.hands.loop.wait_until(self._is_settled, SETTLE_TIMEOUT_MS)
        await self.hands.wait_idle()

    def _is_settled(self) -> bool:
        """Whether it is known what the table shows; what shone a moment ago is seen badly."""
        session = self.context.session
        looks = session.phase in (Phase.SETTING_UP, Phase.CLEARING)
        return session.table.settled is not None and not (looks and not session.table.differences)
