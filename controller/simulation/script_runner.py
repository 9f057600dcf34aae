"""Runs a script on a simulated table: actions, events and expectations.

An expectation that is not met raises `SimulationFailed` with the script's file and line.
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
    """Runs one script once; `on_line` receives actions and messages, line by line."""

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
        context = self.context
        context.simulation = simulation
        for line in context.script.lines:
            try:
                if line.is_expectation:
                    await self._wait_settled()
                    await self._expectations.check(line)
                    continue
                if self._last_line is None:
                    await self.hands.wait_settled()
                if context.end_reason:
                    raise context.script.make_error(line, context.end_reason)
                self._last_line = line
                context.begin_line()
                await self._actions.perform(line)
            except SimulationFailed as error:
                if str(error).startswith(context.script.file):
                    raise
                context.fail(line, str(error))

    async def _wait_settled(self) -> None:
        """Before an expectation, wait until the table has settled, if it can settle."""
        context = self.context
        at_once = self._last_line is not None and self._last_line.sentence.endswith("at once")
        if context.end_reason or at_once:
            return
        await self.hands.wait_idle()
        if context.hand_over_board or context.rig.faults.camera_blind:
            return
        await self.hands.wait_frames(2)
        await self.hands.loop.wait_until(self._is_settled, SETTLE_TIMEOUT_MS)
        await self.hands.wait_idle()

    def _is_settled(self) -> bool:
        """Settled; while the board is set up or cleared, also with known differences, because
        cells that were lit a moment ago are read late."""
        session = self.context.session
        if session.phase in (Phase.SETTING_UP, Phase.CLEARING) and not session.table.differences:
            return False
        return session.table.settled is not None
