"""People who play quickly at a simulated table, and keep a book of their own.

They make up their minds by the rules alone, never by what the session believes: what their hands
did can so be held against the journal. Only a computer's moves are taken as the table tells them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from controller.guide import guide
from controller.session_values import Asked, Phase, Session, Wish
from controller.simulated.hands import PATIENCE_MS, Unexpected
from controller.simulated.simulation import Simulation
from controller.terminal.ways import can_be_shown
from engine.game import AnyTurn, Outcome, Player

EAGER = 0.5  # how often they look for something to strike
SAMPLED = 16  # turns among which they look
KING = 1000  # worth more than all else
PATIENT = 4  # times that they put the table right before they give up

_TO_PUT_RIGHT = (Phase.SETTING_UP, Phase.CLEARING, Phase.MISMATCH)


class Mover:
    """All people at one table."""

    def __init__(
        self,
        simulation: Simulation,
        first: Any,
        rng: Random,
        made: Sequence[AnyTurn] = (),
        intends: Callable[[AnyTurn], None] = lambda _: None,
    ) -> None:
        self._simulation, self._first, self._rng = simulation, first, rng
        self._game = simulation.session.table.game
        self._intends = intends  # told of a turn before hands begin with it
        self.made = list(made)
        self.outcome: Outcome | None = None
        self.asked = self.mismatches = 0  # how often it came to that

    @property
    def position(self) -> Any:
        return self.made[-1].after if self.made else self._first

    async def play(self, most_turns: int) -> None:
        """To the end of the game; whoever is to move after so many turns resigns."""
        await self.put_right()
        while (ended := self._game.outcome(self.position)) is None and len(self.made) < most_turns:
            await self.turn()
        self.outcome = ended or self._resign()
        if not await self._simulation.loop.until(self._is_over, PATIENCE_MS):
            raise Unexpected(f"the game should be over, and is not: {self._stands()}")

    async def watch(self) -> None:
        """Count what people are asked, beat by beat."""
        loop, before = self._simulation.loop, self._session.phase
        while await loop.next_beat():
            now = self._session.phase
            self.asked += now is Phase.CONFIRMING and before is not now
            self.mismatches += now is Phase.MISMATCH and before is not now
            before = now

    async def turn(self) -> None:
        """One turn, whoever makes it up, until the table is ready for the next."""
        session = self._session
        match session.phase:
            case Phase.COMPUTER_TO_MOVE:
                turn = await self._for_the_computer(session)
            case Phase.TURN | Phase.WAITING_FOR_OTHER:
                turn = await self._of_people(session)
            case _:
                raise Unexpected(f"nobody can move: {self._stands()}")
        self.made.append(turn)
        if len(self._session.history) != len(self.made):
            raise Unexpected(f"a turn that was made was not recognised: {self._stands()}")
        await self.put_right()

    async def put_right(self) -> None:
        """Take off and put back what the lights ask for, until nothing is asked any more."""
        hands = self._simulation.hands
        for _ in range(PATIENT):
            await hands.rest()
            differences = self._session.differences
            if self._session.phase not in _TO_PUT_RIGHT:
                return
            if not differences:  # a square cannot be seen yet
                await hands.seen()
                continue
            pieces = self.position.pieces
            if all(each.cell not in pieces for each in differences):
                for each in differences:
                    await hands.take(each.cell)
            else:
                cell = differences[0].cell
                await hands.by_hand(cell, lambda: hands.world.lay_out(self.position.pieces))
        raise Unexpected(f"the table cannot be put right: {self._stands()}")

    # -- a turn --------------------------------------------------------------------------------

    async def _for_the_computer(self, session: Session) -> AnyTurn:
        assert session.known is not None
        turn = self._game.resolve(self.position, dict(session.known.moves))
        self._intends(turn)
        await self._simulation.hands.make(turn)
        await self._simulation.hands.rest()
        return turn

    async def _of_people(self, session: Session) -> AnyTurn:
        hands, turn = self._simulation.hands, self.choose()
        people = [each for each, _ in turn.moves if not session.seats[each].computer]
        self._intends(turn)
        await hands.make(turn, people)
        for player in people:
            await hands.press(player)
        if self._session.phase is Phase.CONFIRMING:
            await self._answer(turn, people[0])
        if len(people) == len(turn.moves) or len(self._session.history) == len(self.made):
            return turn
        beside = dict(self._session.history[-1].turn.moves)
        moves = {each: move if each in people else beside[each] for each, move in turn.moves}
        return self._game.resolve(self.position, moves)

    async def _answer(self, turn: AnyTurn, player: Player) -> None:
        """Several turns would look like this one: say which it was."""
        loop = self._simulation.loop
        for choice, turns in enumerate(self._session.choices):
            if turns[-1].moves == turn.moves:
                loop.happens(Asked(Wish.CHOOSE, player, loop.now_ms(), choice))
                await self._simulation.hands.calm()
                return
        raise Unexpected("the turn that was made is none of those to choose from")

    def choose(self) -> AnyTurn:
        """Any turn that hands can show; often the best of a few, so that games come to an end."""
        sampled = SAMPLED if self._rng.random() < EAGER else 1
        return max((self._any() for _ in range(sampled)), key=self._worth)

    def _any(self) -> AnyTurn:
        movers = self._game.to_move(self.position)
        return self._game.resolve(self.position, {each: self._move(each) for each in movers})

    def _move(self, player: Player) -> Any:
        legal = self._game.legal(self.position, player)
        for move in self._rng.sample(legal, len(legal)):
            if can_be_shown(self._game, self.position, player, move):
                return move
        raise Unexpected(f"no hands can show any move of {self._game.players[player]}")

    def _worth(self, turn: AnyTurn) -> int:
        """For those who make it; where both do, the more is struck the better."""
        movers = [player for player, _ in turn.moves]
        if turn.outcome is not None and turn.outcome.winner is not None:
            return KING if turn.outcome.winner in movers else -KING
        return sum(
            loss.hits if len(movers) > 1 or loss.piece.owner not in movers else -2 * loss.hits
            for loss in turn.losses
        )

    # -- the end -------------------------------------------------------------------------------

    def _resign(self) -> Outcome:
        loop, seats = self._simulation.loop, self._session.seats
        movers = self._game.to_move(self.position)
        player = next((each for each in movers if not seats[each].computer), 1 - movers[0])
        loop.happens(Asked(Wish.RESIGN, player, loop.now_ms()))
        return Outcome.win(1 - player, "resigned")

    def _is_over(self) -> bool:
        session = self._session
        return session.phase is Phase.OVER and not session.unwritten

    def _stands(self) -> str:
        now = guide(self._session)
        reasons = "; ".join((now.sentence, *now.reasons))
        return f"{self._session.phase} after {len(self.made)} turns ({reasons})"

    @property
    def _session(self) -> Session:
        return self._simulation.session
