"""Simulated people at a simulated table: they reach in, carry, turn, take off and press.

They live beside the loop, and wait for it as people do: for the table to be seen, for the beam.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

from controller.ports.events import Pressed
from controller.ports.world import World
from controller.session.hand_actions import Carry, HandAction, Rotate, Swap, plan_hand_actions
from controller.session.move_options import facing_before_turn
from controller.session.state import Phase
from controller.table.loop import Loop
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player
from engine.grid import Cell

HAND_FRAMES = 3  # pictures in which a hand is over the board, before and after what it does
HANDS_TIMEOUT_MS = 60_000.0
MAX_HAND_MS = 1_500.0  # where the camera takes no pictures
MAX_CLEAR_ATTEMPTS = 10  # to clear the board
UNSEEN_TIMEOUT_MS = 20_000.0


class SimulationFailed(LaserboardError, AssertionError):
    """Something that must not happen on a simulated table, or that a script did not expect."""


class ProgramGone(SimulationFailed):
    """The loop that hands were waiting for is no more: the program was killed, or has ended."""


AfterActions = Callable[[Sequence[HandAction]], Awaitable[None]]


class Hands:
    """All hands at one table; one after the other, they reach in.

    A `after_actions` is what else happens to hands that have just done something.
    """

    def __init__(self, loop: Loop, world: World, timeout_ms: float = HANDS_TIMEOUT_MS) -> None:
        self.loop, self.world = loop, world
        self.after_actions: AfterActions | None = None
        self._timeout_ms = timeout_ms
        self._reach_lock = asyncio.Lock()

    # -- what they do --------------------------------------------------------------------------

    async def make_turn(
        self, turn: AnyTurn, players: Collection[Player] = (0, 1)
    ) -> tuple[HandAction, ...]:
        """Everything that a turn needs of those players before its beams are fired."""
        session, game = self.loop.session, self.loop.session.game
        facing = facing_before_turn(
            game, turn.before, session.table.last_facing
        )  # also of what nobody sees now
        done = plan_hand_actions(game, turn, facing, players)
        if done is None:
            raise SimulationFailed("no hands can show this turn on a table")
        await self.perform_all(done)
        return done

    async def perform_all(self, done: Sequence[HandAction]) -> None:
        """One deed after the other, and whatever befalls hands on the way."""
        for deed in done:
            await self.perform(deed)
        if self.after_actions is not None:
            await self.after_actions(done)

    async def perform(self, deed: HandAction) -> None:
        world = self.world
        match deed:
            case Carry(source, target):
                await self.reach_in(target, lambda: world.move_to(world.piece_at(source), target))
            case Swap(first, second):

                def swap() -> None:
                    one, other = world.piece_at(first), world.piece_at(second)
                    world.move_to(one, second)
                    world.move_to(other, first)

                await self.reach_in(first, swap)
            case Rotate(cell, degrees):
                await self.reach_in(cell, lambda: world.turn(world.piece_at(cell), degrees))

    async def take_off(self, cell: Cell) -> None:
        """Take a piece off the board."""
        await self.reach_in(cell, lambda: self.world.remove(self.world.piece_at(cell)))

    async def reach_in(self, cell: Cell, action: Callable[[], object]) -> None:
        """A hand comes, does it, and goes."""
        async with self._reach_lock:
            self.world.reach_to(cell)
            try:
                await self._linger()
                action()
                await self._linger()
            finally:
                self.world.away()

    async def correct_board(self) -> None:
        """Put every piece where the game has it, and take the others off."""
        session = self.loop.session
        cell = session.table.differences[0].cell if session.table.differences else 0
        await self.reach_in(cell, lambda: self.world.lay_out(session.position.pieces))

    async def press_fire(self, player: Player) -> None:
        """Press fire once the table has come to rest, and watch what comes of it."""
        await self.wait_settled()
        self.loop.dispatch(Pressed(f"fire {player}", self.loop.now_ms()))
        await self.wait_idle()

    async def clear_board(self) -> None:
        """Take off whatever the lights ask for, and put the rest as they ask."""
        await self.wait_settled()
        for _ in range(MAX_CLEAR_ATTEMPTS):
            session = self.loop.session
            if session.phase is not Phase.CLEARING:
                return
            if not session.table.differences:  # a square cannot be seen yet
                await self.wait_seen()
            elif all(each.expected is None for each in session.table.differences):
                for each in session.table.differences:
                    await self.take_off(each.cell)
            else:
                await self.correct_board()
            await self.wait_settled()
        raise SimulationFailed("the board cannot be cleared")

    # -- what they wait for --------------------------------------------------------------------

    async def wait_frames(self, count: int) -> None:
        """Until the camera has taken so many more pictures."""
        enough = self.loop.observation_count + count
        await self._wait(
            lambda: self.loop.observation_count >= enough, "the camera gives no picture"
        )

    async def _linger(self) -> None:
        """As long as a hand is over the board, whether a camera sees it or not."""
        enough = self.loop.observation_count + HAND_FRAMES
        await self.loop.wait_until(lambda: self.loop.observation_count >= enough, MAX_HAND_MS)
        if self.loop.is_over:
            raise ProgramGone("the program is gone")

    async def wait_settled(self) -> None:
        """Until the table has come to rest, as the session sees it."""
        await self.wait_idle()
        await self.wait_frames(2)  # the first may have been on its way already
        await self._wait(
            lambda: self.loop.session.table.settled is not None, "the table does not come to rest"
        )
        await self.wait_idle()

    async def wait_seen(self) -> None:
        """Until what could not be seen is, or is wrong; after a while, say that all is well."""
        before = self.loop.session.phase

        def is_known() -> bool:
            session = self.loop.session
            return bool(session.table.differences) or session.phase is not before

        if not await self.loop.wait_until(is_known, UNSEEN_TIMEOUT_MS):
            self.loop.dispatch(Pressed("fire 0", self.loop.now_ms()))

    async def wait_idle(self) -> None:
        """Until the laser has fired and the computer has thought."""
        busy = (Phase.FIRING, Phase.COMPUTER_THINKING)
        await self._wait(lambda: self.loop.session.phase not in busy, "laser or computer never end")

    async def _wait(self, met: Callable[[], bool], complaint: str) -> None:
        if not await self.loop.wait_until(met, self._timeout_ms):
            raise (
                ProgramGone("the program is gone")
                if self.loop.is_over
                else SimulationFailed(complaint)
            )
