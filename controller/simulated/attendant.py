"""The simulated hands at a live table: they make the moves that somebody chooses, and the
computer's, take off what was captured and put back what was taken back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import assert_never

from controller.ports import Pressed
from controller.session_values import Phase
from controller.simulated.hands import Hands
from controller.simulated.touches import Cover, Press, Shove, Snatch, Touch
from controller.terminal.intents import Make, PutBack, PutRight
from controller.terminal.ways import deeds_for
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player

TO_BE_PUT_RIGHT = (Phase.SETTING_UP, Phase.CLEARING)
SETTLE_MS = 10_000.0  # a press does not wait for longer

Wanted = Make | PutBack | PutRight | Touch


class Attendant:
    """Serves one table, one thing after the other; `tell` hears what could not be done."""

    def __init__(
        self,
        hands: Hands,
        tell: Callable[[str], None] = lambda _: None,
        blind: Callable[[], bool] = lambda: False,
        *,
        sets_up: bool = True,
    ) -> None:
        self._hands, self._loop, self._tell = hands, hands.loop, tell
        self._blind = blind  # whether no camera would see a hand
        self._sets_up = sets_up  # or leaves that to people, once
        self._wanted: deque[Wanted] = deque()
        self._made: dict[Player, object] = {}  # moves, in this turn
        self.busy = False
        self._covering = False  # somebody's hand stays over the board
        self._about: object = None  # the position that this is about
        self._carried: AnyTurn | None = None  # of the computer's

    def want(self, intent: Wanted) -> None:
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
                if self._wanted:
                    await self._do(self._wanted.popleft())
                elif not self._covering:
                    await self._by_itself()
            except LaserboardError as cannot:  # somebody has moved what it was about
                self._tell(str(cannot))

    async def _by_itself(self) -> None:
        """What the table asks for."""
        session = self._loop.session
        if session.settled is None:
            return
        self._sets_up |= session.phase is not Phase.SETTING_UP
        if session.phase is Phase.COMPUTER_TO_MOVE and session.known is not self._carried:
            self._carried = session.known
            assert session.known is not None
            await self._hands.make(session.known)
        elif session.phase in TO_BE_PUT_RIGHT and session.differences and self._sets_up:
            await self._hands.put_right()

    async def _do(self, wanted: Wanted) -> None:
        world = self._hands.world
        match wanted:
            case Make() | PutBack():
                await self._play(wanted)
            case Press(player):
                await self._press(player)
            case Cover(cell):
                self._covering = cell is not None
                world.away() if cell is None else world.reach_to(cell)
            case PutRight():
                self._made, self._carried = {}, None
                pieces = self._loop.session.position.pieces
                await self._reach(0, lambda: world.lay_out(pieces))
            case Snatch(thing):
                await self._reach(0, lambda: world.remove(thing))
            case Shove(thing, x_mm, y_mm, degrees):

                def shove() -> None:
                    world.move(thing, x_mm, y_mm)
                    world.turn(thing, degrees)

                await self._reach(self._below(x_mm, y_mm), shove)
            case _:
                assert_never(wanted)

    def _below(self, x_mm: float, y_mm: float) -> int:
        """The cell that is nearest to a place."""
        board = self._loop.session.table.board
        away = [(x - x_mm) ** 2 + (y - y_mm) ** 2 for x, y in board.centres_mm().tolist()]
        return away.index(min(away))

    async def _reach(self, cell: int, action: Callable[[], object]) -> None:
        """With a hand, unless nobody could see it."""
        self._covering = False
        if self._blind():
            action()
        else:
            await self._hands.by_hand(cell, action)

    async def _press(self, player: Player) -> None:
        """Once the table is seen as it now is."""
        await self._loop.until(self._still, SETTLE_MS)
        self._loop.happens(Pressed(f"fire {player}", self._loop.now_ms()))

    def _still(self) -> bool:
        return self._loop.session.settled is not None

    async def _play(self, intent: Make | PutBack) -> None:
        await self._hands.calm()
        session, player = self._loop.session, intent.player
        if session.position is not self._about:
            return  # too late: the turn is over
        move = intent.move if isinstance(intent, Make) else None
        game, before = session.table.game, self._made.get(player)
        done = deeds_for(game, session.position, session.facing, player, move, before)
        await self._hands.do_all(done)
        self._made[player] = move
