"""Operates the simulated hands at a live table.

Requests come from the terminal or the page. Without a request the hands make the computer's moves
and correct the board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, assert_never

from controller.ports.events import Pressed
from controller.session.move_options import hand_actions_for_move
from controller.session.state import Phase
from controller.simulation.hands import Hands
from controller.simulation.requests import MakeMove, ResetPieces
from controller.simulation.rough_actions import Cover, Press, Push, RoughAction, TakeOff
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player

CORRECTION_PHASES = (Phase.SETTING_UP, Phase.CLEARING)
SETTLE_TIMEOUT_MS = 10_000.0  # before a press

HandRequest = MakeMove | ResetPieces | RoughAction


class HandOperator:
    """Performs requests one at a time; `on_failure` is called with the error of a failed one."""

    def __init__(
        self,
        hands: Hands,
        on_failure: Callable[[str], None] = lambda _: None,
        camera_is_blind: Callable[[], bool] = lambda: False,
        *,
        sets_up: bool = True,
    ) -> None:
        self._hands, self._loop, self._on_failure = hands, hands.loop, on_failure
        self._camera_is_blind = camera_is_blind
        self._sets_up = sets_up  # False: people set up the first position
        self._queue: deque[HandRequest] = deque()
        self._moves_made: dict[Player, object] = {}  # in this turn
        self.busy = False
        self._covering = False  # a hand stays over the board
        self._current_position: object = None  # to which `_moves_made` belongs
        self._carried_turn: AnyTurn | None = None  # the computer's turn that was carried out

    def enqueue(self, request: HandRequest) -> None:
        self._queue.append(request)
        self.busy = True

    async def run(self) -> None:
        """Serve requests until the loop ends."""
        while await self._loop.next_tick():
            session = self._loop.session
            if session.position is not self._current_position:
                self._current_position, self._moves_made = session.position, {}
            self.busy = bool(self._queue)
            try:
                if self._queue:
                    await self._perform(self._queue.popleft())
                elif not self._covering:
                    await self._serve_table()
            except LaserboardError as error:  # such as a piece that was taken off meanwhile
                self._on_failure(str(error))

    async def _serve_table(self) -> None:
        """Make the computer's move, or correct the board, if the session asks for it."""
        session = self._loop.session
        if session.table.settled is None:
            return
        self._sets_up |= session.phase is not Phase.SETTING_UP
        if (
            session.phase is Phase.COMPUTER_TO_MOVE
            and session.computer.turn is not self._carried_turn
        ):
            self._carried_turn = session.computer.turn
            assert session.computer.turn is not None
            await self._hands.make_turn(session.computer.turn)
        elif session.phase in CORRECTION_PHASES and session.table.differences and self._sets_up:
            await self._hands.correct_board()

    async def _perform(self, request: HandRequest) -> None:
        world = self._hands.world
        match request:
            case MakeMove(player, move):
                await self._play(player, move)
            case Press(player):
                await self._press(player)
            case Cover(cell):
                self._covering = cell is not None
                world.withdraw_hand() if cell is None else world.reach_to(cell)
            case ResetPieces():
                self._moves_made, self._carried_turn = {}, None
                pieces = self._loop.session.position.pieces
                await self._reach_in(0, lambda: world.lay_out(pieces))
            case TakeOff(handle):
                await self._reach_in(0, lambda: world.remove(handle))
            case Push(handle, x_mm, y_mm, degrees):

                def push() -> None:
                    world.move(handle, x_mm, y_mm)
                    world.turn(handle, degrees)

                await self._reach_in(self._nearest_cell(x_mm, y_mm), push)
            case _:
                assert_never(request)

    def _nearest_cell(self, x_mm: float, y_mm: float) -> int:
        board = self._loop.session.setup.fitted_board.board
        squared_mm2 = [(x - x_mm) ** 2 + (y - y_mm) ** 2 for x, y in board.centres_mm().tolist()]
        return squared_mm2.index(min(squared_mm2))

    async def _reach_in(self, cell: int, action: Callable[[], object]) -> None:
        """Act with a hand over the cell; without a working camera, act immediately."""
        self._covering = False
        if self._camera_is_blind():
            action()
        else:
            await self._hands.reach_in(cell, action)

    async def _press(self, player: Player) -> None:
        """Press fire when the table has settled."""
        await self._loop.wait_until(self._is_settled, SETTLE_TIMEOUT_MS)
        self._loop.dispatch(Pressed(f"fire {player}", self._loop.now_ms()))

    def _is_settled(self) -> bool:
        return self._loop.session.table.settled is not None

    async def _play(self, player: Player, move: Any) -> None:
        await self._hands.wait_idle()
        session = self._loop.session
        if session.position is not self._current_position:
            return  # too late: the turn is over
        game, before = session.game, self._moves_made.get(player)
        actions = hand_actions_for_move(
            game, session.position, session.table.last_seen_orientations, player, move, before
        )
        await self._hands.perform_all(actions)
        self._moves_made[player] = move
