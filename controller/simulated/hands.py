"""Simulated people at a simulated table: they reach in, carry, turn, take off and press.

They live beside the loop, and wait for it as people do: for the table to be seen, for the beam.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

from controller.loop import Loop
from controller.ports import Pressed, World
from controller.session_values import Phase
from controller.simulated.deeds import Carry, Deed, Swap, Twist, deeds
from controller.terminal.ways import seen_facing
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player
from engine.grid import Cell

HAND_FRAMES = 3  # pictures in which a hand is over the board, before and after what it does
PATIENCE_MS = 60_000.0
LONGEST_HAND_MS = 1_500.0  # where the camera takes no pictures
MOST_ATTEMPTS = 10  # to clear the board
UNSEEN_MS = 20_000.0


class Unexpected(LaserboardError, AssertionError):
    """Something that must not happen on a simulated table, or that a script did not expect."""


class Gone(Unexpected):
    """The loop that hands were waiting for is no more: the program was killed, or has ended."""


Slip = Callable[[Sequence[Deed]], Awaitable[None]]


class Hands:
    """All hands at one table; one after the other, they reach in.

    A `slip` is what else happens to hands that have just done something.
    """

    def __init__(self, loop: Loop, world: World, patience_ms: float = PATIENCE_MS) -> None:
        self.loop, self.world = loop, world
        self.slip: Slip | None = None
        self._patience_ms = patience_ms
        self._over_the_board = asyncio.Lock()

    # -- what they do --------------------------------------------------------------------------

    async def make(self, turn: AnyTurn, players: Collection[Player] = (0, 1)) -> tuple[Deed, ...]:
        """Everything that a turn needs of those players before its beams are fired."""
        session, game = self.loop.session, self.loop.session.table.game
        facing = seen_facing(game, turn.before, session.facing)  # also of what nobody sees now
        done = deeds(game, turn, facing, players)
        if done is None:
            raise Unexpected("no hands can show this turn on a table")
        await self.do_all(done)
        return done

    async def do_all(self, done: Sequence[Deed]) -> None:
        """One deed after the other, and whatever befalls hands on the way."""
        for deed in done:
            await self.do(deed)
        if self.slip is not None:
            await self.slip(done)

    async def do(self, deed: Deed) -> None:
        world = self.world
        match deed:
            case Carry(source, target):
                await self.by_hand(target, lambda: world.move_to(world.at(source), target))
            case Swap(first, second):

                def swap() -> None:
                    one, other = world.at(first), world.at(second)
                    world.move_to(one, second)
                    world.move_to(other, first)

                await self.by_hand(first, swap)
            case Twist(cell, degrees):
                await self.by_hand(cell, lambda: world.turn(world.at(cell), degrees))

    async def take(self, cell: Cell) -> None:
        """Take a piece off the board."""
        await self.by_hand(cell, lambda: self.world.remove(self.world.at(cell)))

    async def by_hand(self, cell: Cell, action: Callable[[], object]) -> None:
        """A hand comes, does it, and goes."""
        async with self._over_the_board:
            self.world.reach_to(cell)
            try:
                await self._linger()
                action()
                await self._linger()
            finally:
                self.world.away()

    async def put_right(self) -> None:
        """Put every piece where the game has it, and take the others off."""
        session = self.loop.session
        cell = session.differences[0].cell if session.differences else 0
        await self.by_hand(cell, lambda: self.world.lay_out(session.position.pieces))

    async def press(self, player: Player) -> None:
        """Press fire once the table has come to rest, and watch what comes of it."""
        await self.rest()
        self.loop.happens(Pressed(f"fire {player}", self.loop.now_ms()))
        await self.calm()

    async def clear(self) -> None:
        """Take off whatever the lights ask for, and put the rest as they ask."""
        await self.rest()
        for _ in range(MOST_ATTEMPTS):
            session = self.loop.session
            if session.phase is not Phase.CLEARING:
                return
            if not session.differences:  # a square cannot be seen yet
                await self.seen()
            elif all(each.expected is None for each in session.differences):
                for each in session.differences:
                    await self.take(each.cell)
            else:
                await self.put_right()
            await self.rest()
        raise Unexpected("the board cannot be cleared")

    # -- what they wait for --------------------------------------------------------------------

    async def frames(self, count: int) -> None:
        """Until the camera has taken so many more pictures."""
        enough = self.loop.observed + count
        await self._wait(lambda: self.loop.observed >= enough, "the camera gives no picture")

    async def _linger(self) -> None:
        """As long as a hand is over the board, whether a camera sees it or not."""
        enough = self.loop.observed + HAND_FRAMES
        await self.loop.until(lambda: self.loop.observed >= enough, LONGEST_HAND_MS)
        if self.loop.is_over:
            raise Gone("the program is gone")

    async def rest(self) -> None:
        """Until the table has come to rest, as the session sees it."""
        await self.calm()
        await self.frames(2)  # the first may have been on its way already
        await self._wait(
            lambda: self.loop.session.settled is not None, "the table does not come to rest"
        )
        await self.calm()

    async def seen(self) -> None:
        """Until what could not be seen is, or is wrong; after a while, say that all is well."""
        before = self.loop.session.phase

        def told() -> bool:
            session = self.loop.session
            return bool(session.differences) or session.phase is not before

        if not await self.loop.until(told, UNSEEN_MS):
            self.loop.happens(Pressed("fire 0", self.loop.now_ms()))

    async def calm(self) -> None:
        """Until the laser has fired and the computer has thought."""
        busy = (Phase.FIRING, Phase.COMPUTER_THINKING)
        await self._wait(lambda: self.loop.session.phase not in busy, "laser or computer never end")

    async def _wait(self, met: Callable[[], bool], complaint: str) -> None:
        if not await self.loop.until(met, self._patience_ms):
            raise Gone("the program is gone") if self.loop.is_over else Unexpected(complaint)
