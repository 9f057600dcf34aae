"""What a script expects, held against what there is: the game, the LEDs, the journal, the words."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from controller.session.clocks import ClockKind, format_clock
from controller.session.guidance import guidance_for
from controller.session.journal import pluralise, recover
from controller.session.state import Phase
from controller.simulation.script import ScriptLine
from controller.simulation.script_context import PersistedState, ScriptContext
from controller.storage.games import read_journal
from engine.errors import did_you_mean, excerpt
from engine.grid import Cell

CLOCK_TOLERANCE_MS = 2_000.0
REASON_TIMEOUT_MS = 4_000.0  # what puzzles is looked at more closely, now and then
GLOW_TIMEOUT_MS = 2_000.0  # what blinks has shone by then
_FACE = re.compile("([0-9]{1,3}):([0-5][0-9])")


class ScriptExpectations:
    """Of one script on one stage."""

    def __init__(self, context: ScriptContext) -> None:
        self._context = context

    async def check(self, act: ScriptLine) -> None:
        """Complain unless it is as expected."""
        stage = self._context
        if stage.end_reason and act.sentence not in ("expect says TEXT", "expect over TEXT"):
            raise stage.script.make_error(act, stage.end_reason)
        await EXPECTATION_CHECKS[act.sentence](self, act)

    def _expect_equal(self, act: ScriptLine, wanted: str, got: str, before: str) -> None:
        if got != wanted:
            self._context.fail(act, f"{before} {got or 'nothing'}")

    def _expect_cells(self, act: ScriptLine, got: list[Cell], before: str) -> None:
        """The same cells, whatever their order."""
        wanted = {self._context.cell(act, name) for name in act.arguments}
        if wanted != set(got):
            names = " ".join(map(self._context.name, got))
            self._context.fail(act, f"{before} {names or 'nothing'}")

    # -- the last turn -------------------------------------------------------------------------

    async def _turn(self, act: ScriptLine) -> None:
        game, turn = self._context.session.game, self._context.rig.pacing.turn
        moves = () if turn is None else turn.moves
        got = " ".join(game.write_move(turn.before, *move) for move in moves) if turn else "none"
        self._expect_equal(act, " ".join(act.arguments), got, "the turn is")

    async def _captured(self, act: ScriptLine) -> None:
        turn = self._context.rig.pacing.turn
        gone = () if turn is None else turn.removed
        self._expect_cells(act, [loss.cell for loss in gone], "captured:")

    async def _beam(self, act: ScriptLine) -> None:
        got = " ".join(map(self._context.name, self._context.rig.pacing.lit_cells))
        self._expect_equal(act, " ".join(act.arguments), got, "the LEDs lit")

    async def _lit(self, act: ScriptLine) -> None:
        lit = self._context.rig.pacing.lit_cells
        dark = [name for name in act.arguments if self._context.cell(act, name) not in lit]
        if dark or not act.arguments:
            names = " ".join(map(self._context.name, lit))
            self._context.fail(act, f"{' '.join(dark)} stayed dark; lit: {names or 'nothing'}")

    async def _dark(self, act: ScriptLine) -> None:
        lit = self._context.rig.pacing.lit_cells
        bright = [name for name in act.arguments if self._context.cell(act, name) in lit]
        if bright:
            self._context.fail(act, f"{' '.join(bright)} did not stay dark")

    # -- the table now -------------------------------------------------------------------------

    async def _glowing(self, act: ScriptLine) -> None:
        """What the LEDs really show, watched for a while."""
        stage, glowing = self._context, set[Cell]()
        wanted = {stage.cell(act, name) for name in act.arguments}

        def seen() -> bool:
            latched = stage.rig.world.latched()
            for cell, leds in enumerate(stage.rig.layout.cells):
                if latched is not None and latched[list(leds)].any():
                    glowing.add(cell)
            return wanted <= glowing

        if not await stage.simulation.loop.wait_until(seen, GLOW_TIMEOUT_MS):
            names = " ".join(map(stage.name, sorted(glowing)))
            stage.fail(act, f"there glows {names or 'nothing'}")

    async def _wrong(self, act: ScriptLine) -> None:
        cells = [each.cell for each in self._context.session.table.differences]
        self._expect_cells(act, cells, "to be put right:")

    async def _mismatch(self, act: ScriptLine) -> None:
        self._expect_equal(act, str(Phase.MISMATCH), str(self._context.session.phase), "it is")
        await self._wrong(act)

    async def _missing(self, act: ScriptLine) -> None:
        lost = self._context.session.pause.lost_devices
        if " ".join(act.arguments) not in lost:
            self._context.fail(act, f"missing: {', '.join(lost) or 'nothing'}")

    # -- the game now --------------------------------------------------------------------------

    async def _position(self, act: ScriptLine) -> None:
        session = self._context.session
        got = session.game.write_position(session.position)
        self._expect_equal(act, " ".join(act.arguments), got, "it is")

    async def _to_move(self, act: ScriptLine) -> None:
        movers = self._context.session.to_move
        if self._context.player(act, act.arguments[0]) not in movers:
            names = [self._context.session.game.players[each] for each in movers]
            self._context.fail(act, f"it is {' and '.join(names)}")

    async def _phase(self, act: ScriptLine) -> None:
        self._expect_equal(act, self._phase_named(act), str(self._context.session.phase), "it is")

    async def _meanwhile(self, act: ScriptLine) -> None:
        wanted, phases = self._phase_named(act), self._context.rig.pacing.phases
        if wanted not in phases:
            self._context.fail(act, f"it was {', then '.join(phases)}")

    def _phase_named(self, act: ScriptLine) -> str:
        wanted, known = " ".join(act.arguments), [str(each) for each in Phase]
        if wanted not in known:
            hint = did_you_mean(wanted, known)
            raise self._context.script.make_error(act, f"there is no phase {excerpt(wanted)}{hint}")
        return wanted

    async def _hint(self, act: ScriptLine) -> None:
        if self._context.session.turn.hint_turn is None:
            self._context.fail(act, "there is none")

    async def _asked(self, act: ScriptLine) -> None:
        offer, player = self._context.session.offer, self._context.player(act, act.arguments[0])
        if offer is None or offer[1] == player:
            self._context.fail(act, "nobody has")

    async def _over(self, act: ScriptLine) -> None:
        outcome, wanted = self._context.session.outcome, " ".join(act.arguments)
        self._expect_equal(act, str(Phase.OVER), str(self._context.session.phase), "it is")
        if outcome is None or wanted not in (outcome.result, str(outcome)):
            self._context.fail(act, f"it is {outcome}")

    # -- clocks --------------------------------------------------------------------------------

    async def _clock_shows(self, act: ScriptLine) -> None:
        stage, (who, face) = self._context, act.arguments
        found = _FACE.fullmatch(face)
        if found is None:
            raise stage.script.make_error(act, f"{excerpt(face)} is no time: write 4:57")
        left = stage.session.clocks.remaining_ms(
            stage.player(act, who), stage.simulation.loop.now_ms()
        )
        wanted_ms = 1000.0 * (60 * int(found[1]) + int(found[2]))
        if left is None or abs(left - wanted_ms) > CLOCK_TOLERANCE_MS:
            stage.fail(act, f"it shows {format_clock(left)}")

    async def _clock_runs(self, act: ScriptLine) -> None:
        clocks, player = self._context.session.clocks, self._context.player(act, act.arguments[0])
        if clocks.control.kind is ClockKind.NONE:
            self._context.fail(act, "there is no clock")
        if player not in clocks.running:
            self._context.fail(act, "it stands still")

    async def _clocks_stopped(self, act: ScriptLine) -> None:
        players = self._context.session.game.players
        running = [players[each] for each in self._context.session.clocks.running]
        if running:
            self._context.fail(act, f"{' and '.join(running)}: it runs")

    # -- what is said and kept -----------------------------------------------------------------

    async def _guide(self, act: ScriptLine) -> None:
        got = str(guidance_for(self._context.session).sentence)
        self._expect_equal(act, " ".join(act.arguments), got, "the guide says:")

    async def _reason(self, act: ScriptLine) -> None:
        wanted = " ".join(act.arguments)
        await self._context.simulation.loop.wait_until(
            lambda: any(wanted in each for each in self._reasons()),
            REASON_TIMEOUT_MS,
        )
        reasons = self._reasons()
        if not any(wanted in each for each in reasons):
            self._context.fail(act, f"the reasons are: {'; '.join(reasons) or 'none'}")

    def _reasons(self) -> list[str]:
        return [str(each) for each in guidance_for(self._context.session).reasons]

    async def _says(self, act: ScriptLine) -> None:
        wanted, said = " ".join(act.arguments), self._context.messages
        if not any(wanted in each for each in said):
            self._context.fail(act, f"it says {'; '.join(said) or 'nothing'}")

    async def _silence(self, act: ScriptLine) -> None:
        if self._context.messages:
            self._context.fail(act, f"it says {'; '.join(self._context.messages)}")

    async def _spoken(self, act: ScriptLine) -> None:
        spoken = self._context.spoken
        if " ".join(act.arguments) not in spoken:
            spoken_text = "; ".join(spoken.split("\n")).strip("; ")
            self._context.fail(act, f"spoken: {spoken_text or 'nothing'}")

    async def _journal(self, act: ScriptLine) -> None:
        path = Path(self._context.simulation.loop.devices.journal.name)
        kept = len(recover(read_journal(path)).entries)
        if kept != float(act.arguments[0]):
            self._context.fail(act, f"it holds {pluralise(kept, 'entry', 'entries')}")

    async def _resumed(self, act: ScriptLine) -> None:
        """As before the power cut, and nothing runs until the table was looked at."""
        before, woken = self._context.state_before_cut, self._context.session_after_restart
        now = PersistedState.from_session(self._context.session)
        if before is None or woken is None:
            raise self._context.script.make_error(act, "there was no power cut")
        if now != before:
            self._context.fail(act, f"it was {before}, and now it is {now}")
        if woken.phase is not Phase.SETTING_UP or woken.clocks.running:
            self._context.fail(act, f"it went on with {woken.phase} before the table was seen")


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
