"""Lets faults happen to a simulated game when they are due and the moment suits them, undoes them
in time, and watches how each ends. Acts are those of scripts: `controller.simulated.acting`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from controller.ports import NotOnTable
from controller.room import SimulatedRoom
from controller.session_values import Phase, Session
from controller.simulated.acting import Acting
from controller.simulated.chaos.catalogue import Fault, Moment
from controller.simulated.chaos.endings import Befallen, Ending, Endings
from controller.simulated.chaos.filling import Unfitting, filled
from controller.simulated.chaos.schedule import Due
from controller.simulated.chaos.truth import by_the_session
from controller.simulated.deeds import Deed
from controller.simulated.hands import Gone
from controller.simulated.script import BadScript, Script, read_act
from controller.simulated.simulation import Simulation
from controller.simulated.stage import Scenery
from vision.infer import NoChange

KILL = "kill"
ENDS_THE_PROCESS = (KILL, "power-cut")
MOST_WAITING = 6  # faults that are due and find no moment: the oldest is given up
LATEST_MS = 60_000.0  # after which one is given up


class Disturber:
    """Chaos at one table. `die` ends this process, where that is wanted of a kill."""

    def __init__(
        self,
        room: SimulatedRoom,
        dues: Iterator[Due],
        seed: int | str,
        tell: Callable[[str], None],
        endings: Endings | None = None,
        begun_ms: float = 0.0,
        die: Callable[[Disturber], None] | None = None,
    ) -> None:
        self._room, self._dues, self._seed = room, dues, seed
        self._scenery = Scenery(Script("chaos"), room, tell)
        self._acting = Acting(self._scenery)
        self.endings = endings or Endings()
        self.begun_ms, self._origin_ms, self._die = begun_ms, 0.0, die
        self._next = next(dues, None)
        self._waiting: list[Due] = []
        self._to_undo: list[tuple[float, Fault, Sequence[str], Befallen]] = []
        self.happened = 0  # the number of the newest that was begun with

    async def disturb(self, simulation: Simulation) -> None:
        """As long as the game goes on, through all its lives."""
        self._scenery.simulation = simulation
        self._origin_ms = simulation.loop.now_ms()
        while not simulation.ended:
            simulation.hands.slip = self._slips
            if not await simulation.loop.next_beat():
                await simulation.awake()
                if simulation.loop.is_over:
                    return  # it has ended for good
                continue
            self.endings.watch(simulation.session, simulation.lives)
            try:
                await self._beat(simulation)
            except Gone:
                continue

    def now_ms(self) -> float:
        """Since the game began, whatever its process."""
        return self.begun_ms + self._scenery.simulation.loop.now_ms() - self._origin_ms

    async def _beat(self, simulation: Simulation) -> None:
        now_ms, session = self.now_ms(), simulation.session
        for each in [one for one in self._to_undo if one[0] <= now_ms]:
            self._to_undo.remove(each)
            await self._undo(*each[1:])
        if session.beneath is Phase.OVER:
            return
        while self._next is not None and self._next.at_ms <= now_ms:
            self._waiting.append(self._next)
            self._next = next(self._dues, None)
        late = [due for due in self._waiting if due.at_ms < now_ms - LATEST_MS]
        self._waiting = [due for due in self._waiting if due not in late][-MOST_WAITING:]
        moments = _moments(session)
        for due in self._waiting:
            if moments.intersection(due.fault.when):
                self._waiting.remove(due)
                await self._happen(due)
                return

    async def _slips(self, done: Sequence[Deed]) -> None:
        """Hands have just made a move."""
        for due in self._waiting:
            if Moment.MOVING in due.fault.when:
                self._waiting.remove(due)
                await self._happen(due, done)
                return

    async def _happen(self, due: Due, done: Sequence[Deed] = ()) -> None:
        simulation, fault = self._scenery.simulation, due.fault
        session, rng = simulation.session, Random(f"{self._seed}/{due.number}")
        stood = by_the_session(session, self._room.table.things.values())
        try:
            said = filled((*fault.happens, *fault.undone), session, stood, rng, done)
        except Unfitting:
            return
        self.happened = due.number
        one = self.endings.begins(fault.name, session, self.now_ms(), simulation.lives)
        if fault.undone:
            one.undone = False
            undo = said[len(fault.happens) :]
            self._to_undo.append((self.now_ms() + 1000 * fault.lasts_s, fault, undo, one))
        if fault.name in ENDS_THE_PROCESS:
            one.worse(Ending.RESUMED)
        if fault.name == KILL and self._die is not None:
            self._die(self)
        for sentence in said[: len(fault.happens)]:
            await self._act(sentence)

    async def _undo(self, fault: Fault, sentences: Sequence[str], one: Befallen) -> None:
        one.undone = True
        if fault.cable and one.lives != self._scenery.simulation.lives:
            return  # other LEDs are in use since the program was started again
        for sentence in sentences:
            await self._act(sentence)

    async def _act(self, sentence: str) -> None:
        try:
            await self._acting.do(read_act(sentence.split(), "chaos", self.happened))
        except (NotOnTable, BadScript):  # another hand was quicker
            self._scenery.tell("(there was nothing any more)")


def _moments(session: Session) -> set[Moment]:
    """What this moment is. With a move: that is up to the hands."""
    found = {Moment.ANY}
    match session.phase:
        case Phase.SETTING_UP:
            found.add(Moment.SET_UP)
        case Phase.TURN if session.settled is not None and not session.pressed:
            if isinstance(session.inference, NoChange):
                found.add(Moment.BEFORE)
        case Phase.FIRING if session.beam_runs:
            found.add(Moment.FIRING)
        case Phase.COMPUTER_THINKING | Phase.COMPUTER_TO_MOVE:
            found.add(Moment.THINKING)
        case _:
            pass
    return found
