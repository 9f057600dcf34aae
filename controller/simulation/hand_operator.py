"""The simulated hands at a live table: they make the moves that somebody chooses, and the
computer's, take off what was captured and put back what was taken back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import assert_never

from controller.ports.events import Pressed
from controller.session.move_options import hand_actions_for_move
from controller.session.state import Phase
from controller.simulation.hands import Hands
from controller.simulation.requests import MakeMove, PutBack, ResetPieces
from controller.simulation.rough_actions import Cover, Press, Push, RoughAction, TakeOff
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player

CORRECTION_PHASES = (Phase.SETTING_UP, Phase.CLEARING)
SETTLE_TIMEOUT_MS = 10_000.0  # a press does not wait for longer

HandRequest = MakeMove | PutBack | ResetPieces | RoughAction


class HandOperator:
    """Serves one table, one thing after the other; `on_failure` hears what could not be done."""

    def __init__(
        self,
        hands: Hands,
        on_failure: Callable[[str], None] = lambda _: None,
        camera_is_blind: Callable[[], bool] = lambda: False,
        *,
        sets_up: bool = True,
    ) -> None:
        self._hands, self._loop, self._on_failure = hands, hands.loop, on_failure
        self._camera_is_blind = camera_is_blind  # whether no camera would see a hand
        self._sets_up = sets_up  # or leaves that to people, once
        self._queue: deque[HandRequest] = deque()
        self._moves_made: dict[Player, object] = {}  # moves, in this turn
        self.busy = False
        self._covering = False  # somebody's hand stays over the board
        self._current_position: object = None  # the position that this is about
        self._carried_turn: AnyTurn | None = None  # of the computer's

    def enqueue(self, intent: HandRequest) -> None:
        self._queue.append(intent)
        self.busy = True

    async def run(self) -> None:
        """As long as the loop runs."""
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
            except LaserboardError as cannot:  # somebody has moved what it was about
                self._on_failure(str(cannot))

    async def _serve_table(self) -> None:
        """What the table asks for."""
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

    async def _perform(self, wanted: HandRequest) -> None:
        world = self._hands.world
        match wanted:
            case MakeMove() | PutBack():
                await self._play(wanted)
            case Press(player):
                await self._press(player)
            case Cover(cell):
                self._covering = cell is not None
                world.away() if cell is None else world.reach_to(cell)
            case ResetPieces():
                self._moves_made, self._carried_turn = {}, None
                pieces = self._loop.session.position.pieces
                await self._reach_in(0, lambda: world.lay_out(pieces))
            case TakeOff(thing):
                await self._reach_in(0, lambda: world.remove(thing))
            case Push(thing, x_mm, y_mm, degrees):

                def shove() -> None:
                    world.move(thing, x_mm, y_mm)
                    world.turn(thing, degrees)

                await self._reach_in(self._nearest_cell(x_mm, y_mm), shove)
            case _:
                assert_never(wanted)

    def _nearest_cell(self, x_mm: float, y_mm: float) -> int:
        """The cell that is nearest to a place."""
        board = self._loop.session.setup.board.board
        away = [(x - x_mm) ** 2 + (y - y_mm) ** 2 for x, y in board.centres_mm().tolist()]
        return away.index(min(away))

    async def _reach_in(self, cell: int, action: Callable[[], object]) -> None:
        """With a hand, unless nobody could see it."""
        self._covering = False
        if self._camera_is_blind():
            action()
        else:
            await self._hands.reach_in(cell, action)

    async def _press(self, player: Player) -> None:
        """Once the table is seen as it now is."""
        await self._loop.wait_until(self._is_settled, SETTLE_TIMEOUT_MS)
        self._loop.dispatch(Pressed(f"fire {player}", self._loop.now_ms()))

    def _is_settled(self) -> bool:
        return self._loop.session.table.settled is not None

    async def _play(self, intent: MakeMove | PutBack) -> None:
        await self._hands.wait_idle()
        session, player = self._loop.session, intent.player
        if session.position is not self._current_position:
            return  # too late: the turn is over
        move = intent.move if isinstance(intent, MakeMove) else None
        game, before = session.game, self._moves_made.get(player)
        done = hand_actions_for_move(
            game, session.position, session.table.last_facing, player, move, before
        )
        await self._hands.perform_all(done)
        self._moves_made[player] = move
