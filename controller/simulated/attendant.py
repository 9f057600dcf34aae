"""The simulated hands at a live table: they make the moves that somebody chooses, and the
computer's, take off what was captured and put back what was taken back."""

from __future__ import annotations

from collections import deque

from controller.ports import NotOnTable
from controller.session_values import Phase, Session
from controller.simulated.hands import Hands
from controller.terminal.intents import Make, PutBack, PutRight
from controller.terminal.ways import deeds_for
from engine.game import AnyTurn, Player

TO_BE_PUT_RIGHT = (Phase.SETTING_UP, Phase.CLEARING)


class Attendant:
    """Serves one table, one thing after the other."""

    def __init__(self, hands: Hands) -> None:
        self._hands, self._loop = hands, hands.loop
        self._wanted: deque[Make | PutBack | PutRight] = deque()
        self._made: dict[Player, object] = {}  # moves, in this turn
        self.busy = False
        self._about: object = None  # the position that this is about
        self._carried: AnyTurn | None = None  # of the computer's

    def want(self, intent: Make | PutBack | PutRight) -> None:
        self._wanted.append(intent)
        self.busy = True

    async def serve(self) -> None:
        """As long as the loop runs."""
        while await self._loop.next_beat():
            session = self._loop.session
            if session.position is not self._about:
                self._about, self._made = session.position, {}
            self.busy = bool(self._wanted)
            try:
                await self._attend(session)
            except NotOnTable:  # somebody has taken it: the guide asks for it, now or soon
                self._made = {}

    async def _attend(self, session: Session) -> None:
        if self._wanted:
            await self._play(self._wanted.popleft())
        elif session.settled is None:
            return
        elif session.phase is Phase.COMPUTER_TO_MOVE and session.known is not self._carried:
            self._carried = session.known
            assert session.known is not None
            await self._hands.make(session.known)
        elif session.phase in TO_BE_PUT_RIGHT and session.differences:
            await self._hands.put_right()

    async def _play(self, intent: Make | PutBack | PutRight) -> None:
        await self._hands.calm()
        if isinstance(intent, PutRight):
            self._made, self._carried = {}, None
            await self._hands.put_right()
            return
        session, player = self._loop.session, intent.player
        if session.position is not self._about:
            return  # too late: the turn is over
        move = intent.move if isinstance(intent, Make) else None
        game, before = session.table.game, self._made.get(player)
        done = deeds_for(game, session.position, session.facing, player, move, before)
        await self._hands.do_all(done)
        self._made[player] = move
