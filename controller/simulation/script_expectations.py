"""Checks the expectations of a script against the session, the LEDs, the journal and messages."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from controller.session.clocks import ClockKind, format_clock
from controller.session.guidance import guidance_for
from controller.session.journal import recover
from controller.session.state import Phase
from controller.simulation import sentences
from controller.simulation.script import ScriptLine
from controller.simulation.script_context import PersistedState, ScriptContext
from controller.storage.games import read_journal
from engine.errors import did_you_mean, excerpt
from engine.grid import Cell
from engine.sentences import pluralise

CLOCK_TOLERANCE_MS = 2_000.0
REASON_TIMEOUT_MS = 4_000.0  # the thorough reading that finds reasons runs only now and then
GLOW_TIMEOUT_MS = 2_000.0  # longer than the period of a blinking LED
RENAMED_PHASES = {"confirming": str(Phase.CHOOSING_TURN)}  # in scripts of version 0.1
_FACE = re.compile("([0-9]{1,3}):([0-5][0-9])")


class ScriptExpectations:
    """Checks the expectations of one script."""

    def __init__(self, context: ScriptContext) -> None:
        self._context = context

    async def check(self, line: ScriptLine) -> None:
        """Raise `SimulationFailed` if the expectation is not met."""
        context = self._context
        if context.end_reason and line.sentence not in ("expect says TEXT", "expect over TEXT"):
            raise context.script.make_error(line, context.end_reason)
        await EXPECTATION_CHECKS[line.sentence](self, line)

    def _expect_equal(self, line: ScriptLine, wanted: str, got: str, before: str) -> None:
        if got != wanted:
            self._context.fail(line, f"{before} {got or 'nothing'}")

    def _expect_cells(self, line: ScriptLine, got: list[Cell], before: str) -> None:
        """The same cells, in any order."""
        wanted = {self._context.cell(line, name) for name in line.arguments}
        if wanted != set(got):
            names = " ".join(map(self._context.name, got))
            self._context.fail(line, f"{before} {names or 'nothing'}")

    # -- the last turn -------------------------------------------------------------------------

    async def _turn(self, line: ScriptLine) -> None:
        game, turn = self._context.session.game, self._context.rig.pacing.turn
        moves = () if turn is None else turn.moves
        got = " ".join(game.write_move(turn.before, *move) for move in moves) if turn else "none"
        self._expect_equal(line, " ".join(line.arguments), got, "the turn is")

    async def _captured(self, line: ScriptLine) -> None:
        turn = self._context.rig.pacing.turn
        gone = () if turn is None else turn.removed
        self._expect_cells(line, [loss.cell for loss in gone], "captured:")

    async def _beam(self, line: ScriptLine) -> None:
        got = " ".join(map(self._context.name, self._context.rig.pacing.lit_cells))
        self._expect_equal(line, " ".join(line.arguments), got, "the LEDs lit")

    async def _lit(self, line: ScriptLine) -> None:
        lit = self._context.rig.pacing.lit_cells
        dark = [name for name in line.arguments if self._context.cell(line, name) not in lit]
        if dark or not line.arguments:
            names = " ".join(map(self._context.name, lit))
            self._context.fail(line, f"{' '.join(dark)} stayed dark; lit: {names or 'nothing'}")

    async def _dark(self, line: ScriptLine) -> None:
        lit = self._context.rig.pacing.lit_cells
        bright = [name for name in line.arguments if self._context.cell(line, name) in lit]
        if bright:
            self._context.fail(line, f"{' '.join(bright)} did not stay dark")

    # -- the table now -------------------------------------------------------------------------

    async def _glowing(self, line: ScriptLine) -> None:
        """Watch the LEDs for a while, because some blink."""
        context, glowing = self._context, set[Cell]()
        wanted = {context.cell(line, name) for name in line.arguments}

        def seen() -> bool:
            led_picture = context.rig.world.led_picture()
            for cell, leds in enumerate(context.rig.layout.cells):
                if led_picture is not None and led_picture[list(leds)].any():
                    glowing.add(cell)
            return wanted <= glowing

        if not await context.simulation.loop.wait_until(seen, GLOW_TIMEOUT_MS):
            names = " ".join(map(context.name, sorted(glowing)))
            context.fail(line, f"there glows {names or 'nothing'}")

    async def _wrong(self, line: ScriptLine) -> None:
        cells = [each.cell for each in self._context.session.table.differences]
        self._expect_cells(line, cells, "to be put right:")

    async def _mismatch(self, line: ScriptLine) -> None:
        self._expect_equal(line, str(Phase.MISMATCH), str(self._context.session.phase), "it is")
        await self._wrong(line)

    async def _missing(self, line: ScriptLine) -> None:
        lost = self._context.session.pause.lost_devices
        if " ".join(line.arguments) not in lost:
            self._context.fail(line, f"missing: {', '.join(lost) or 'nothing'}")

    # -- the game now --------------------------------------------------------------------------

    async def _position(self, line: ScriptLine) -> None:
        session = self._context.session
        got = session.game.write_position(session.position)
        self._expect_equal(line, " ".join(line.arguments), got, "it is")

    async def _to_move(self, line: ScriptLine) -> None:
        movers = self._context.session.to_move
        if self._context.player(line, line.arguments[0]) not in movers:
            names = [self._context.session.game.players[each] for each in movers]
            self._context.fail(line, f"it is {' and '.join(names)}")

    async def _phase(self, line: ScriptLine) -> None:
        self._expect_equal(line, self._phase_named(line), str(self._context.session.phase), "it is")

    async def _meanwhile(self, line: ScriptLine) -> None:
        wanted, phases = self._phase_named(line), self._context.rig.pacing.phases
        if wanted not in phases:
            self._context.fail(line, f"it was {', then '.join(phases)}")

    def _phase_named(self, line: ScriptLine) -> str:
        written, known = " ".join(line.arguments), [str(each) for each in Phase]
        wanted = RENAMED_PHASES.get(written, written)
        if wanted not in known:
            hint = did_you_mean(wanted, known)
            raise self._context.script.make_error(
                line, sentences.NO_SUCH_PHASE(name=excerpt(wanted), hint=hint)
            )
        return wanted

    async def _hint(self, line: ScriptLine) -> None:
        if self._context.session.turn.hinted_turn is None:
            self._context.fail(line, "there is none")

    async def _asked(self, line: ScriptLine) -> None:
        offer, player = self._context.session.offer, self._context.player(line, line.arguments[0])
        if offer is None or offer[1] == player:
            self._context.fail(line, "no offer is open")

    async def _over(self, line: ScriptLine) -> None:
        outcome, wanted = self._context.session.outcome, " ".join(line.arguments)
        self._expect_equal(line, str(Phase.OVER), str(self._context.session.phase), "it is")
        if outcome is None or wanted not in (outcome.result, str(outcome)):
            self._context.fail(line, f"it is {outcome}")

    # -- clocks --------------------------------------------------------------------------------

    async def _clock_shows(self, line: ScriptLine) -> None:
        context, (who, face) = self._context, line.arguments
        found = _FACE.fullmatch(face)
        if found is None:
            raise context.script.make_error(line, sentences.NOT_A_CLOCK_TIME(value=excerpt(face)))
        left = context.session.clocks.remaining_ms(
            context.player(line, who), context.simulation.loop.now_ms()
        )
        wanted_ms = 1000.0 * (60 * int(found[1]) + int(found[2]))
        if left is None or abs(left - wanted_ms) > CLOCK_TOLERANCE_MS:
            context.fail(line, f"it shows {format_clock(left)}")

    async def _clock_runs(self, line: ScriptLine) -> None:
        clocks, player = self._context.session.clocks, self._context.player(line, line.arguments[0])
        if clocks.control.kind is ClockKind.NONE:
            self._context.fail(line, "there is no clock")
        if player not in clocks.running:
            self._context.fail(line, "it stands still")

    async def _clocks_stopped(self, line: ScriptLine) -> None:
        players = self._context.session.game.players
        running = [players[each] for each in self._context.session.clocks.running]
        if running:
            self._context.fail(line, f"{' and '.join(running)}: it runs")

    # -- messages and journal ------------------------------------------------------------------

    async def _guide(self, line: ScriptLine) -> None:
        got = str(guidance_for(self._context.session).sentence)
        self._expect_equal(line, " ".join(line.arguments), got, "the guide says:")

    async def _reason(self, line: ScriptLine) -> None:
        wanted = " ".join(line.arguments)
        await self._context.simulation.loop.wait_until(
            lambda: any(wanted in each for each in self._reasons()),
            REASON_TIMEOUT_MS,
        )
        reasons = self._reasons()
        if not any(wanted in each for each in reasons):
            self._context.fail(line, f"the reasons are: {'; '.join(reasons) or 'none'}")

    def _reasons(self) -> list[str]:
        return [str(each) for each in guidance_for(self._context.session).reasons]

    async def _says(self, line: ScriptLine) -> None:
        wanted, messages = " ".join(line.arguments), self._context.messages
        if not any(wanted in each for each in messages):
            self._context.fail(line, f"it says {'; '.join(messages) or 'nothing'}")

    async def _silence(self, line: ScriptLine) -> None:
        if self._context.messages:
            self._context.fail(line, f"it says {'; '.join(self._context.messages)}")

    async def _spoken(self, line: ScriptLine) -> None:
        spoken = self._context.spoken
        if " ".join(line.arguments) not in spoken:
            spoken_text = "; ".join(spoken.split("\n")).strip("; ")
            self._context.fail(line, f"spoken: {spoken_text or 'nothing'}")

    async def _journal(self, line: ScriptLine) -> None:
        path = Path(self._context.simulation.loop.devices.journal.name)
        kept = len(recover(read_journal(path)).entries)
        if kept != float(line.arguments[0]):
            self._context.fail(line, f"it holds {pluralise(kept, 'entry', 'entries')}")

    async def _resumed(self, line: ScriptLine) -> None:
        """The state equals the one before the restart, and play waits for the table."""
        before, restarted = self._context.state_before_cut, self._context.session_after_restart
        now = PersistedState.from_session(self._context.session)
        if before is None or restarted is None:
            raise self._context.script.make_error(line, sentences.NO_POWER_CUT())
        if now != before:
            self._context.fail(line, f"it was {before}, and now it is {now}")
        if restarted.phase is not Phase.SETTING_UP or restarted.clocks.running:
            self._context.fail(line, f"it went on with {restarted.phase} before the table was read")


EXPECTATION_CHECKS: Mapping[str, Callable[..., Awaitable[None]]] = {
    "expect turn TEXT": ScriptExpectations._turn,
    "expect captured CELLS": ScriptExpectations._captured,
    "expect beam CELLS": ScriptExpectations._beam,
    "expect lit CELLS": ScriptExpectations._lit,
    "expect dark CELLS": ScriptExpectations._dark,
    "expect glowing CELLS": ScriptExpectations._glowing,
    "expect position TEXT": ScriptExpectations._position,
    "expect to move WHO": ScriptExpectations._to_move,
    "expect phase TEXT": ScriptExpectations._phase,
    "expect meanwhile TEXT": ScriptExpectations._meanwhile,
    "expect wrong CELLS": ScriptExpectations._wrong,
    "expect mismatch CELLS": ScriptExpectations._mismatch,
    "expect missing TEXT": ScriptExpectations._missing,
    "expect guide TEXT": ScriptExpectations._guide,
    "expect reason TEXT": ScriptExpectations._reason,
    "expect says TEXT": ScriptExpectations._says,
    "expect silence": ScriptExpectations._silence,
    "expect spoken TEXT": ScriptExpectations._spoken,
    "expect hint": ScriptExpectations._hint,
    "expect asked WHO": ScriptExpectations._asked,
    "expect clock WHO about TIME": ScriptExpectations._clock_shows,
    "expect clock WHO runs": ScriptExpectations._clock_runs,
    "expect clocks stopped": ScriptExpectations._clocks_stopped,
    "expect journal NUMBER entries": ScriptExpectations._journal,
    "expect resumed": ScriptExpectations._resumed,
    "expect over TEXT": ScriptExpectations._over,
}
