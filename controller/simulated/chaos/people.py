"""People to whom things happen: they follow what the table asks for, wait for what is away, answer
truthfully, begin anew after a power cut, and keep their own book.

What goes into the book is what really stood on the table when it fired: a turn that is recorded
and does not stand there is wrong, whatever anybody meant.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from random import Random
from typing import Any

from controller.ports import NotOnTable, Pressed
from controller.room import SimulatedRoom
from controller.session_values import Asked, Phase, Session, Wish
from controller.simulated.chaos.endings import completed
from controller.simulated.chaos.truth import Stood, by_the_session, rests, shows
from controller.simulated.hands import Gone, Unexpected
from controller.simulated.mover import Mover
from controller.simulated.simulation import Simulation
from engine.game import AnyTurn, Outcome, Player
from engine.grid import Cell
from vision.observation import State
from vision.steady import Settled

THINK_MS, LETS_GO_MS = (300, 2_500), (150, 1_200)  # before they move, and before they press
LOOKS_MS = 9_000.0  # until they look whether something came of what they did
BACK_MS = 2_000.0  # until they try to go on
MOST_STEPS = 60  # for one turn
_BUSY = (Phase.FIRING, Phase.COMPUTER_THINKING)
_READY = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.COMPUTER_TO_MOVE, Phase.OVER)

Decide = Callable[[Session], Awaitable[AnyTurn | None]]


class Stuck(Unexpected):
    """Nobody gets any further, whatever they do: a hang."""


class NoMore(Exception):
    """Nobody wants to go on."""


class People(Mover):
    """All people at one table where anything may happen."""

    def __init__(
        self,
        simulation: Simulation,
        room: SimulatedRoom,
        first: Any,
        rng: Random,
        made: Sequence[AnyTurn] = (),
        intends: Callable[[AnyTurn], None] = lambda _: None,
        decide: Decide | None = None,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(simulation, first, rng, made, intends)
        self._room, self._decide = room, decide
        self._alive = alive  # told whenever they get on with something
        self._judged = len(made)  # turns of the session that were held against the table
        self._hidden: Collection[Cell] = ()  # when the table last came to rest
        self._before: dict[int, int] = {}  # how pieces faced before this turn
        self._faced: object = None  # the position that is about
        self.wrong: list[str] = []
        self.unseen = 0  # turns beside which something stood wrong where nobody could see it
        self.accepted = 0  # turns that stood on the table, though nobody had meant them
        self._meant: AnyTurn | None = None
        self._tried = False
        self._resigned: Outcome | None = None

    async def play(self, most_turns: int | None) -> None:
        while True:
            try:
                await self._through(most_turns)
                return
            except NoMore:
                return
            except Gone:
                await self._simulation.awake()
                if self._simulation.ended:
                    self._keep_book()
                    self.made += self.unfired()  # it was the last one, and is in the journal
                    self.outcome = self._game.outcome(self.position) or self._resigned
                    return
                if self._simulation.loop.is_over:
                    raise  # nobody has killed it: whoever waits for the loop learns why
                self._begin_anew()

    async def _through(self, most_turns: int | None) -> None:
        while self._game.outcome(self.position) is None and len(self.made) != most_turns:
            await self.turn()
        for _ in range(MOST_STEPS):
            self._keep_book()
            self.outcome = self._game.outcome(self.position) or self._resigned
            if self._is_over():
                return
            if self.outcome is None and self._session.beneath is not Phase.FIRING:
                if self._decide is not None:
                    return
                self._resigned = self._resign()
            await self._step()
        raise Stuck(f"the game should be over, and is not: {self._stands()}")

    async def turn(self) -> None:
        """Whatever it takes until one more turn has been fired, and the table is clear again."""
        before = len(self.made)
        self._meant, self._tried = None, False
        for _ in range(MOST_STEPS):
            self._keep_book()
            if len(self.made) > before and self._session.phase in _READY:
                return
            await self._step()
        raise Stuck(f"nobody gets any further: {self._stands()}")

    def _keep_book(self) -> None:
        """Write down what has been fired."""
        self.judge()
        if self.wrong:
            raise Unexpected(self.wrong[0])
        done = completed(self._session)
        if done < len(self.made):
            raise Unexpected(f"turn {len(self.made)} was fired, and is gone: {self._stands()}")
        for past in self._session.history[len(self.made) : done]:
            meant = self._meant is None or past.turn.moves == self._meant.moves
            self.accepted += not meant
            self.made.append(past.turn)
            self._meant = None

    def unfired(self) -> list[AnyTurn]:
        """What hands have made, and nobody has seen fired yet."""
        return [past.turn for past in self._session.history[len(self.made) :]]

    # -- what they do --------------------------------------------------------------------------

    async def _step(self) -> None:
        """Look at what the table asks for, and do it."""
        self._alive()
        session = self._session
        match session.phase:
            case Phase.FIRING | Phase.COMPUTER_THINKING:
                await self._wait(lambda: self._session.phase not in _BUSY, LOOKS_MS)
            case Phase.PAUSED:
                await self._go_on(session)
            case Phase.SETTING_UP | Phase.CLEARING | Phase.MISMATCH:
                await self._as_asked(session)
            case Phase.CONFIRMING:
                await self._tell_which(session)
            case Phase.TURN | Phase.WAITING_FOR_OTHER:
                await self._act_out(session)
            case Phase.COMPUTER_TO_MOVE:
                await self._for_it(session)
            case Phase.OVER:
                await self._wait(self._is_over, LOOKS_MS)

    async def _go_on(self, session: Session) -> None:
        """Wait for what is away; where somebody must say so, go on."""
        await self._wait(lambda: self._session.phase is not Phase.PAUSED, BACK_MS)
        if self._session.phase is Phase.PAUSED and not self._session.away:
            self._happens(Asked(Wish.CONTINUE, 0, self._now_ms()))

    async def _as_asked(self, session: Session) -> None:
        """Put right what is told to be wrong; what cannot be seen is waited for, or sworn to."""
        phase = session.phase
        await self._wait(
            lambda: self._session.settled is not None or self._session.phase is not phase, LOOKS_MS
        )
        session = self._session
        if session.phase is not phase:
            return
        if session.settled is None or not session.differences:
            await self._unsure(phase)
            return
        pieces, cell = session.position.pieces, session.differences[0].cell
        hands = self._simulation.hands
        await hands.by_hand(cell, lambda: hands.world.lay_out(pieces))
        if phase is Phase.MISMATCH:
            self._tried = False  # the move is to be made again
        await self._wait(lambda: self._session.phase is not phase, LOOKS_MS)

    async def _unsure(self, phase: Phase) -> None:
        """Something cannot be seen: wait, and if all is well, say so."""
        if await self._wait(lambda: self._session.phase is not phase, LOOKS_MS):
            return
        right = rests(self._game, self._session.position, self._stood())
        if right and phase is Phase.CLEARING:
            self._happens(Pressed("fire 0", self._now_ms()))
        elif not right and not self._session.differences:
            await self._lay_out()

    async def _tell_which(self, session: Session) -> None:
        """The truth: one of them, or none."""
        await self._wait(lambda: False, self._rng.randint(*LETS_GO_MS))
        session = self._session
        if session.phase is not Phase.CONFIRMING:
            return
        now, player = self._stood(), session.people[0] if session.people else 0
        real = [
            number for number, turns in enumerate(session.choices) if self._shows(turns[-1], now)
        ]
        meant = [
            number
            for number in real
            if self._meant is not None and session.choices[number][-1].moves == self._meant.moves
        ]
        if real:
            choice = (meant or real)[0]
            self._happens(Asked(Wish.CHOOSE, player, self._now_ms(), choice))
        else:
            self._happens(Asked(Wish.DECLINE, player, self._now_ms()))
        await self._wait(lambda: self._session.phase is not Phase.CONFIRMING, LOOKS_MS)

    async def _act_out(self, session: Session) -> None:
        """Make a move, and press; if nothing came of it the last time, see whether it stands."""
        if self._meant is None:
            await self._wait(lambda: False, self._rng.randint(*THINK_MS))
            if self._session.phase is not Phase.TURN:
                return
            self._meant = await self._made_up(session)
            self._intends(self._meant)
        if not self._tried:
            self._tried = True
            people = [p for p, _ in self._meant.moves if not session.seats[p].computer]
            if not await self._made(self._meant, people):
                return
        elif not self._shows(self._meant, self._stood()):
            await self._lay_out()
            return
        for player, _ in self._meant.moves:
            await self._press(player)

    async def _made(self, turn: AnyTurn, people: Collection[Player]) -> bool:
        """Carry a turn out; whether that could be done."""
        try:
            await self._simulation.hands.make(turn, people)
        except NotOnTable:  # somebody has taken the piece
            await self._lay_out()
            return False
        return True

    async def _lay_out(self) -> None:
        """Put everything where the game has it; the move is to be made again."""
        hands, pieces = self._simulation.hands, self._session.position.pieces
        await hands.by_hand(0, lambda: hands.world.lay_out(pieces))
        self._tried = False
        await self._wait(lambda: self._session.settled is not None, LOOKS_MS)

    async def _made_up(self, session: Session) -> AnyTurn:
        if self._decide is None:
            return self.choose()
        turn = await self._decide(session)
        if turn is None:
            raise NoMore
        return turn

    async def _press(self, player: Player) -> None:
        """A moment after the hand is gone, as people do, whatever the camera has seen by then."""
        await self._wait(lambda: False, self._rng.randint(*LETS_GO_MS))
        session = self._session
        if session.phase not in (Phase.TURN, Phase.WAITING_FOR_OTHER) or player in session.pressed:
            return
        if session.seats[player].computer:
            return
        turns, phase = len(session.history), session.phase
        self._happens(Pressed(f"fire {player}", self._now_ms()))

        def came() -> bool:
            now = self._session
            pressed = player in now.pressed and bool(now.thinkers)
            return len(now.history) != turns or now.phase is not phase or pressed

        await self._wait(came, LOOKS_MS)
        await self._wait(lambda: self._session.phase not in _BUSY, LOOKS_MS)

    async def _for_it(self, session: Session) -> None:
        """Make the computer's move, once; if nothing comes of it, begin anew."""
        assert session.known is not None
        if self._meant is None or self._meant.moves != session.known.moves:
            self._meant = self._game.resolve(session.position, dict(session.known.moves))
            self._intends(self._meant)
            self._tried = False
        if not self._tried:
            self._tried = True
            await self._made(self._meant, (0, 1))
        elif not self._shows(self._meant, self._stood()):
            await self._lay_out()
        await self._wait(lambda: self._session.phase is not Phase.COMPUTER_TO_MOVE, LOOKS_MS)

    # -- the book ------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Count what people are asked, and hold every turn against the table as it is made."""
        simulation = self._simulation
        before = self._session.phase
        while not simulation.ended:
            if not await simulation.loop.next_beat():
                await simulation.awake()
                if simulation.loop.is_over:
                    return
                continue
            now = self._session.phase
            self.asked += now is Phase.CONFIRMING and before is not now
            self.mismatches += now is Phase.MISMATCH and before is not now
            before = now
            self.judge()

    def judge(self) -> None:
        """Hold turns that are new against what stands on the table now."""
        session = self._session
        if session.settled is not None:
            self._hidden = _unseen(session.settled)
        self._judged = min(self._judged, len(session.history))
        for past in session.history[self._judged :]:
            self._judged += 1
            now = self._stood()
            if self._shows(past.turn, now):
                continue
            if self._shows(past.turn, now, self._hidden):
                self.unseen += 1
                continue
            self.wrong.append(f"turn {self._judged} is not on the table: {self._told(past)}")
        ready = session.phase in (Phase.TURN, Phase.COMPUTER_THINKING, Phase.COMPUTER_TO_MOVE)
        if ready and session.position is not self._faced:
            self._faced, self._before = session.position, self._stood().facing

    def _told(self, past: Any) -> str:
        moves = " ".join(self._game.write_move(past.turn.before, *each) for each in past.turn.moves)
        meant = self._meant
        wanted = (
            "nothing"
            if meant is None
            else " ".join(self._game.write_move(meant.before, *each) for each in meant.moves)
        )
        return f"{moves}, where {wanted} was meant, on {self._stood().pieces}"

    def _begin_anew(self) -> None:
        """The program was started again: what was not written, and so not fired, is not made."""
        self._meant, self._tried = None, False
        told = len(self._session.history)
        if told < len(self.made):
            raise Unexpected(f"turn {told + 1} was fired, and is gone")
        self._judged = min(self._judged, told)
        self._keep_book()

    # -- small things --------------------------------------------------------------------------

    def _shows(self, turn: AnyTurn, now: Stood, unseen: Collection[Cell] = ()) -> bool:
        seats = self._session.seats
        alone = len(turn.moves) == 1  # then people move for a computer, too, before it fires
        hands = [each for each in (0, 1) if alone or not seats[each].computer]
        return shows(self._game, turn, self._before, now, hands, unseen)

    def _stood(self) -> Stood:
        return by_the_session(self._session, self._room.table.things.values())

    def _happens(self, event: Pressed | Asked) -> None:
        self._simulation.loop.happens(event)

    def _now_ms(self) -> float:
        return self._simulation.loop.now_ms()

    async def _wait(self, met: Callable[[], bool], within_ms: float) -> bool:
        loop = self._simulation.loop
        came = await loop.until(met, within_ms)
        if loop.is_over:
            raise Gone("the program is gone")
        return came


def _unseen(report: Settled) -> set[Cell]:
    """The cells that the camera could not see."""
    sightings = report.sightings
    return {cell for cell, each in enumerate(sightings) if each.state is State.COVERED}
