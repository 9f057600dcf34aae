"""What a script expects, held against what there is: the game, the LEDs, the journal, the words."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from controller.clocks import Kind, clock_face
from controller.game_store import read
from controller.guide import guide
from controller.journal import count, recover
from controller.session_values import Phase
from controller.simulated.script import Act
from controller.simulated.stage import Memory, Stage
from engine.errors import did_you_mean, excerpt
from engine.grid import Cell

ABOUT_MS = 2_000.0
REASON_MS = 4_000.0  # what puzzles is looked at more closely, now and then
GLOW_MS = 2_000.0  # what blinks has shone by then
_FACE = re.compile("([0-9]{1,3}):([0-5][0-9])")


class Expectations:
    """Of one script on one stage."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    async def check(self, act: Act) -> None:
        """Complain unless it is as expected."""
        stage = self._stage
        if stage.ended and act.sentence not in ("expect says TEXT", "expect over TEXT"):
            raise stage.script.error(act, stage.ended)
        await CHECKS[act.sentence](self, act)

    def _same(self, act: Act, wanted: str, got: str, before: str) -> None:
        if got != wanted:
            self._stage.unmet(act, f"{before} {got or 'nothing'}")

    def _cells(self, act: Act, got: list[Cell], before: str) -> None:
        """The same cells, whatever their order."""
        wanted = {self._stage.cell(act, name) for name in act.words}
        if wanted != set(got):
            names = " ".join(map(self._stage.name, got))
            self._stage.unmet(act, f"{before} {names or 'nothing'}")

    # -- the last turn -------------------------------------------------------------------------

    async def _turn(self, act: Act) -> None:
        game, turn = self._stage.session.table.game, self._stage.room.pace.turn
        moves = () if turn is None else turn.moves
        got = " ".join(game.write_move(turn.before, *move) for move in moves) if turn else "none"
        self._same(act, " ".join(act.words), got, "the turn is")

    async def _captured(self, act: Act) -> None:
        turn = self._stage.room.pace.turn
        gone = () if turn is None else turn.removed
        self._cells(act, [loss.cell for loss in gone], "captured:")

    async def _beam(self, act: Act) -> None:
        got = " ".join(map(self._stage.name, self._stage.room.pace.lit))
        self._same(act, " ".join(act.words), got, "the LEDs lit")

    async def _lit(self, act: Act) -> None:
        lit = self._stage.room.pace.lit
        dark = [name for name in act.words if self._stage.cell(act, name) not in lit]
        if dark or not act.words:
            names = " ".join(map(self._stage.name, lit))
            self._stage.unmet(act, f"{' '.join(dark)} stayed dark; lit: {names or 'nothing'}")

    async def _dark(self, act: Act) -> None:
        lit = self._stage.room.pace.lit
        bright = [name for name in act.words if self._stage.cell(act, name) in lit]
        if bright:
            self._stage.unmet(act, f"{' '.join(bright)} did not stay dark")

    # -- the table now -------------------------------------------------------------------------

    async def _glowing(self, act: Act) -> None:
        """What the LEDs really show, watched for a while."""
        stage, glowing = self._stage, set[Cell]()
        wanted = {stage.cell(act, name) for name in act.words}

        def seen() -> bool:
            latched = stage.room.world.latched()
            for cell, leds in enumerate(stage.room.layout.cells):
                if latched is not None and latched[list(leds)].any():
                    glowing.add(cell)
            return wanted <= glowing

        if not await stage.simulation.loop.until(seen, GLOW_MS):
            names = " ".join(map(stage.name, sorted(glowing)))
            stage.unmet(act, f"there glows {names or 'nothing'}")

    async def _wrong(self, act: Act) -> None:
        cells = [each.cell for each in self._stage.session.differences]
        self._cells(act, cells, "to be put right:")

    async def _mismatch(self, act: Act) -> None:
        self._same(act, str(Phase.MISMATCH), str(self._stage.session.phase), "it is")
        await self._wrong(act)

    async def _missing(self, act: Act) -> None:
        lost = self._stage.session.lost
        if " ".join(act.words) not in lost:
            self._stage.unmet(act, f"missing: {', '.join(lost) or 'nothing'}")

    # -- the game now --------------------------------------------------------------------------

    async def _position(self, act: Act) -> None:
        session = self._stage.session
        got = session.table.game.write_position(session.position)
        self._same(act, " ".join(act.words), got, "it is")

    async def _to_move(self, act: Act) -> None:
        movers = self._stage.session.movers
        if self._stage.player(act, act.words[0]) not in movers:
            names = [self._stage.session.table.game.players[each] for each in movers]
            self._stage.unmet(act, f"it is {' and '.join(names)}")

    async def _phase(self, act: Act) -> None:
        self._same(act, self._phase_named(act), str(self._stage.session.phase), "it is")

    async def _meanwhile(self, act: Act) -> None:
        wanted, phases = self._phase_named(act), self._stage.room.pace.phases
        if wanted not in phases:
            self._stage.unmet(act, f"it was {', then '.join(phases)}")

    def _phase_named(self, act: Act) -> str:
        wanted, known = " ".join(act.words), [str(each) for each in Phase]
        if wanted not in known:
            hint = did_you_mean(wanted, known)
            raise self._stage.script.error(act, f"there is no phase {excerpt(wanted)}{hint}")
        return wanted

    async def _hint(self, act: Act) -> None:
        if self._stage.session.hint is None:
            self._stage.unmet(act, "there is none")

    async def _asked(self, act: Act) -> None:
        offer, player = self._stage.session.offer, self._stage.player(act, act.words[0])
        if offer is None or offer[1] == player:
            self._stage.unmet(act, "nobody has")

    async def _over(self, act: Act) -> None:
        outcome, wanted = self._stage.session.outcome, " ".join(act.words)
        self._same(act, str(Phase.OVER), str(self._stage.session.phase), "it is")
        if outcome is None or wanted not in (outcome.result, str(outcome)):
            self._stage.unmet(act, f"it is {outcome}")

    # -- clocks --------------------------------------------------------------------------------

    async def _clock_shows(self, act: Act) -> None:
        stage, (who, face) = self._stage, act.words
        found = _FACE.fullmatch(face)
        if found is None:
            raise stage.script.error(act, f"{excerpt(face)} is no time: write 4:57")
        left = stage.session.clocks.remaining_ms(
            stage.player(act, who), stage.simulation.loop.now_ms()
        )
        wanted_ms = 1000.0 * (60 * int(found[1]) + int(found[2]))
        if left is None or abs(left - wanted_ms) > ABOUT_MS:
            stage.unmet(act, f"it shows {clock_face(left)}")

    async def _clock_runs(self, act: Act) -> None:
        clocks, player = self._stage.session.clocks, self._stage.player(act, act.words[0])
        if clocks.control.kind is Kind.NONE:
            self._stage.unmet(act, "there is no clock")
        if player not in clocks.running:
            self._stage.unmet(act, "it stands still")

    async def _clocks_stopped(self, act: Act) -> None:
        players = self._stage.session.table.game.players
        running = [players[each] for each in self._stage.session.clocks.running]
        if running:
            self._stage.unmet(act, f"{' and '.join(running)}: it runs")

    # -- what is said and kept -----------------------------------------------------------------

    async def _guide(self, act: Act) -> None:
        got = guide(self._stage.session).sentence
        self._same(act, " ".join(act.words), got, "the guide says:")

    async def _reason(self, act: Act) -> None:
        wanted = " ".join(act.words)
        await self._stage.simulation.loop.until(
            lambda: any(wanted in each for each in guide(self._stage.session).reasons), REASON_MS
        )
        reasons = guide(self._stage.session).reasons
        if not any(wanted in each for each in reasons):
            self._stage.unmet(act, f"the reasons are: {'; '.join(reasons) or 'none'}")

    async def _says(self, act: Act) -> None:
        wanted, said = " ".join(act.words), self._stage.said
        if not any(wanted in each for each in said):
            self._stage.unmet(act, f"it says {'; '.join(said) or 'nothing'}")

    async def _silence(self, act: Act) -> None:
        if self._stage.said:
            self._stage.unmet(act, f"it says {'; '.join(self._stage.said)}")

    async def _spoken(self, act: Act) -> None:
        spoken = self._stage.spoken
        if " ".join(act.words) not in spoken:
            told = "; ".join(spoken.split("\n")).strip("; ")
            self._stage.unmet(act, f"spoken: {told or 'nothing'}")

    async def _journal(self, act: Act) -> None:
        path = Path(self._stage.simulation.loop.devices.journal.name)
        kept = len(recover(read(path)).entries)
        if kept != float(act.words[0]):
            self._stage.unmet(act, f"it holds {count(kept, 'entry', 'entries')}")

    async def _resumed(self, act: Act) -> None:
        """As before the power cut, and nothing runs until the table was looked at."""
        before, woken = self._stage.remembered, self._stage.woken
        now = Memory.of(self._stage.session)
        if before is None or woken is None:
            raise self._stage.script.error(act, "there was no power cut")
        if now != before:
            self._stage.unmet(act, f"it was {before}, and now it is {now}")
        if woken.phase is not Phase.SETTING_UP or woken.clocks.running:
            self._stage.unmet(act, f"it went on with {woken.phase} before the table was seen")


CHECKS: Mapping[str, Callable[..., Awaitable[None]]] = {
    "expect turn TEXT": Expectations._turn,
    "expect captured CELLS": Expectations._captured,
    "expect beam CELLS": Expectations._beam,
    "expect lit CELLS": Expectations._lit,
    "expect dark CELLS": Expectations._dark,
    "expect glowing CELLS": Expectations._glowing,
    "expect position TEXT": Expectations._position,
    "expect to move WHO": Expectations._to_move,
    "expect phase TEXT": Expectations._phase,
    "expect meanwhile TEXT": Expectations._meanwhile,
    "expect wrong CELLS": Expectations._wrong,
    "expect mismatch CELLS": Expectations._mismatch,
    "expect missing TEXT": Expectations._missing,
    "expect guide TEXT": Expectations._guide,
    "expect reason TEXT": Expectations._reason,
    "expect says TEXT": Expectations._says,
    "expect silence": Expectations._silence,
    "expect spoken TEXT": Expectations._spoken,
    "expect hint": Expectations._hint,
    "expect asked WHO": Expectations._asked,
    "expect clock WHO about TIME": Expectations._clock_shows,
    "expect clock WHO runs": Expectations._clock_runs,
    "expect clocks stopped": Expectations._clocks_stopped,
    "expect journal NUMBER entries": Expectations._journal,
    "expect resumed": Expectations._resumed,
    "expect over TEXT": Expectations._over,
}
