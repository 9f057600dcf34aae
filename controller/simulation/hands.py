"""Simulated hands: move, rotate and take off pieces on a simulated table, and press buttons.

They run in their own task next to the loop, and wait for the camera and the session as people do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

from controller.ports.events import Pressed
from controller.ports.world import World
from controller.session.hand_actions import Carry, HandAction, Rotate, Swap, plan_hand_actions
from controller.session.move_options import orientations_before_turn
from controller.session.state import Phase
from controller.table.loop import Loop
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player
from engine.grid import Cell

HAND_FRAMES = 3  # frames in which a hand covers the board, before and after its action
HANDS_TIMEOUT_MS = 60_000.0
MAX_HAND_MS = 1_500.0  # time for these frames, if the camera delivers none
MAX_CLEAR_ATTEMPTS = 10
UNSEEN_TIMEOUT_MS = 20_000.0


class SimulationFailed(LaserboardError, AssertionError):
    """A simulated game went wrong, or did not meet an expectation of its script."""


class ProgramGone(SimulationFailed):
    """The loop has ended while hands waited: the program was killed, or is done."""


AfterActions = Callable[[Sequence[HandAction]], Awaitable[None]]


class Hands:
    """All hands at one table. Only one reaches in at a time.

    Fault injection sets `after_actions`, which is called after each move.
    """

    def __init__(self, loop: Loop, world: World, timeout_ms: float = HANDS_TIMEOUT_MS) -> None:
        self.loop, self.world = loop, world
        self.after_actions: AfterActions | None = None
        self._timeout_ms = timeout_ms
        self._reach_lock = asyncio.Lock()

    # -- actions -------------------------------------------------------------------------------

    async def make_turn(
        self, turn: AnyTurn, players: Collection[Player] = (0, 1)
    ) -> tuple[HandAction, ...]:
        """Carry out the players' part of a turn, up to the press of fire."""
        session, game = self.loop.session, self.loop.session.game
        orientations = orientations_before_turn(
            game, turn.before, session.table.last_seen_orientations
        )
        actions = plan_hand_actions(game, turn, orientations, players)
        if actions is None:
            raise SimulationFailed("this turn cannot be made by hand")
        await self.perform_all(actions)
        return actions

    async def perform_all(self, actions: Sequence[HandAction]) -> None:
        for action in actions:
            await self.perform(action)
        if self.after_actions is not None:
            await self.after_actions(actions)

    async def perform(self, action: HandAction) -> None:
        world = self.world
        match action:
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
        await self.reach_in(cell, lambda: self.world.remove(self.world.piece_at(cell)))

    async def reach_in(self, cell: Cell, action: Callable[[], object]) -> None:
        """Cover the cell with a hand, act, and take the hand away."""
        async with self._reach_lock:
            self.world.reach_to(cell)
            try:
                await self._linger()
                action()
                await self._linger()
            finally:
                self.world.withdraw_hand()

    async def correct_board(self) -> None:
        """Make the board equal to the session's position."""
        session = self.loop.session
        cell = session.table.differences[0].cell if session.table.differences else 0
        await self.reach_in(cell, lambda: self.world.lay_out(session.position.pieces))

    async def press_fire(self, player: Player) -> None:
        """Press fire when the table has settled, and wait for the result."""
        await self.wait_settled()
        self.loop.dispatch(Pressed(f"fire {player}", self.loop.now_ms()))
        await self.wait_idle()

    async def clear_board(self) -> None:
        """Take off captured pieces and correct the board until the session is satisfied."""
        await self.wait_settled()
        for _ in range(MAX_CLEAR_ATTEMPTS):
            session = self.loop.session
            if session.phase is not Phase.CLEARING:
                return
            if not session.table.differences:  # a cell is covered
                await self.wait_seen()
            elif all(each.expected is None for each in session.table.differences):
                for each in session.table.differences:
                    await self.take_off(each.cell)
            else:
                await self.correct_board()
            await self.wait_settled()
        raise SimulationFailed("the board cannot be cleared")

    # -- waiting -------------------------------------------------------------------------------

    async def wait_frames(self, count: int) -> None:
        """Wait for `count` more observations."""
        enough = self.loop.observation_count + count
        await self._wait(lambda: self.loop.observation_count >= enough, "the camera gives no image")

    async def _linger(self) -> None:
        """Wait for `HAND_FRAMES` frames, or `MAX_HAND_MS` without a working camera."""
        enough = self.loop.observation_count + HAND_FRAMES
        await self.loop.wait_until(lambda: self.loop.observation_count >= enough, MAX_HAND_MS)
        if self.loop.is_over:
            raise ProgramGone("the program is gone")

    async def wait_settled(self) -> None:
        """Wait until the session reports that the table has settled."""
        await self.wait_idle()
        await self.wait_frames(2)  # the first may have been captured before
        await self._wait(
            lambda: self.loop.session.table.settled is not None, "the table does not come to rest"
        )
        await self.wait_idle()

    async def wait_seen(self) -> None:
        """Wait until covered cells are read; after a timeout press fire to confirm them."""
        before = self.loop.session.phase

        def is_known() -> bool:
            session = self.loop.session
            return bool(session.table.differences) or session.phase is not before

        if not await self.loop.wait_until(is_known, UNSEEN_TIMEOUT_MS):
            self.loop.dispatch(Pressed("fire 0", self.loop.now_ms()))

    async def wait_idle(self) -> None:
        """Wait until no beam runs and the computer does not think."""
        busy = (Phase.FIRING, Phase.COMPUTER_THINKING)
        await self._wait(lambda: self.loop.session.phase not in busy, "laser or computer never end")

    async def _wait(self, met: Callable[[], bool], complaint: str) -> None:
        if not await self.loop.wait_until(met, self._timeout_ms):
            raise (
                ProgramGone("the program is gone")
                if self.loop.is_over
                else SimulationFailed(complaint)
            )
