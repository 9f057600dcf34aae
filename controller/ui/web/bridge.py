"""Connects one running game with the page: publishes its state, and executes the page's commands.

The bridge runs on the game's loop once a tick and must not block. It publishes frozen values; the
page's thread writes them as JSON.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, assert_never

from controller.ports.world import World
from controller.session.events import Ruled
from controller.session.guidance import guidance_for
from controller.session.referee.rulings import CorrectPosition, Ruling
from controller.session.state import Session
from controller.session.step import dry_run
from controller.simulation.hand_operator import HandOperator
from controller.simulation.requests import MakeMove, ResetPieces
from controller.simulation.rough_actions import Cover, Press, Push, TakeOff
from controller.simulation.script import NUMBER_SLOTS
from controller.table.loop import Loop
from controller.ui.actors import (
    MOVING_PHASES,
    acting_player,
    players_allowed_to_move,
)
from controller.ui.intents import (
    MakeRequest,
    NewGame,
    PressFire,
    PutBack,
    intent_event,
    put_back_request,
)
from controller.ui.sentences import MOVE_BY_HAND
from controller.ui.typed_input import AmbiguousMove, TypedMove, parse_typed_move
from controller.ui.web import commands, sentences
from controller.ui.web.camera_view import CameraView
from controller.ui.web.commands import BadCommand, RulingCommand, SetPositionCommand
from controller.ui.web.game_view import FiredTurn, GameSummary, GameView, Message
from controller.ui.web.page_server import PageServer, PendingCommand
from engine.errors import LaserboardError
from engine.game import Piece, Player
from engine.grid import Cell
from engine.sentences import Sentence, as_sentence

log = logging.getLogger(__name__)

MAX_MESSAGES = 30
COMMANDS_PER_TICK = 8
PIN_SHOWN_MS = 25_000.0  # enough to read the PIN three times


class FaultControls(Protocol):
    """Faults of a simulated table, by name; see `controller.devices.simulated.faults`."""

    @property
    def fault_names(self) -> Any: ...

    @property
    def camera_blind(self) -> bool: ...

    def inject_fault(self, name: str, *args: float) -> None: ...


@dataclass(frozen=True)
class SimulationControls:
    """Controls that only a simulated table has."""

    hand_operator: HandOperator
    world: World
    faults: FaultControls


class MessageLog:
    """The newest messages, numbered; one log for all games of the program."""

    def __init__(
        self, on_message: Callable[[str | Sentence], None], now_ms: Callable[[], float]
    ) -> None:
        self._on_message, self._now_ms = on_message, now_ms
        self._messages: deque[Message] = deque(maxlen=MAX_MESSAGES)
        self.messages: tuple[Message, ...] = ()

    def __call__(self, sentence: str | Sentence) -> None:
        self._on_message(sentence)
        number = self._messages[-1].number + 1 if self._messages else 1
        self._messages.append(Message(number, as_sentence(sentence), self._now_ms()))
        self.messages = tuple(self._messages)


class GameBridge:
    """Publishes one game to the page, and executes the page's commands."""

    def __init__(
        self,
        page: PageServer,
        summary: GameSummary,
        loop: Loop,
        message_log: MessageLog,
        new_game: Callable[[NewGame], None],
        simulated: SimulationControls | None = None,
        pin: str | None = None,
    ) -> None:
        self._page, self._summary, self._loop = page, summary, loop
        self._message_log, self._simulated = message_log, simulated
        self._new_game, self._pin = new_game, pin
        self._fired_turn: FiredTurn | None = None
        self._published: tuple[Any, ...] = ()
        self._objects: tuple[Mapping[int, Any], tuple[Any, ...]] = ({}, ())
        self._tasks: set[asyncio.Task[None]] = set()
        devices, board = loop.devices, loop.session.setup.fitted_board
        lights, reader = devices.lights, devices.board_reader
        page.set_camera_view(
            CameraView(lights.leds, lights.gamma, devices.camera, reader.last_frame, board)
        )

    async def serve(self) -> None:
        """Publish changes and execute commands at every tick, until the loop ends."""
        try:
            while await self._loop.next_tick():
                self._publish_if_changed()
                for pending in self._page.take_commands(COMMANDS_PER_TICK):
                    self._execute(pending)
                self._page.mark_tick()
        finally:
            self._page.set_camera_view(None)
            for task in self._tasks:
                task.cancel()

    def show_pin(self) -> Sentence | None:
        """Show the PIN on the board for a while; return the reason if that is refused."""
        if self._pin is None:
            return sentences.NO_PIN()
        loop = self._loop
        loop.devices.lights.show_digits(self._pin, loop.session, loop.now_ms() + PIN_SHOWN_MS)
        return None

    # -- publishing ----------------------------------------------------------------------------

    def _publish_if_changed(self) -> None:
        loop, lights = self._loop, self._loop.devices.lights
        turn = lights.beam_turn
        if turn is not None and (self._fired_turn is None or self._fired_turn.turn is not turn):
            started_ms = loop.now_ms() - lights.beams_elapsed_ms(loop.now_ms())
            number = self._page.next_firing_number()
            self._fired_turn = FiredTurn(number, turn, started_ms, lights.step_ms(turn))
        busy = self._simulated is not None and self._simulated.hand_operator.busy
        values = (
            loop.session,
            self._message_log.messages,
            self._fired_turn,
            busy,
            self._objects_on_table(),
            loop.entries,
        )
        if len(values) == len(self._published) and all(
            one is other for one, other in zip(values, self._published, strict=True)
        ):
            return
        self._published = values
        self._page.publish(GameView(self._summary, *values))

    def _objects_on_table(self) -> tuple[Any, ...]:
        """The objects on a simulated table; the same tuple while nothing moves."""
        if self._simulated is None:
            return ()
        objects = self._simulated.world.objects()
        if objects != self._objects[0]:
            self._objects = objects, tuple(objects.items())
        return self._objects[1]

    # -- commands ------------------------------------------------------------------------------

    def _execute(self, pending: PendingCommand) -> None:
        if isinstance(pending.command, commands.InjectFault):
            self._inject_fault(pending, pending.command)
            return
        try:
            refusal = self._dispatch_command(pending)
        except LaserboardError as error:
            log.debug("refused", exc_info=True)
            refusal = error.sentence
        self._page.answer(pending, refusal)

    def _dispatch_command(self, pending: PendingCommand) -> Sentence | None:
        """Execute a command; return the reason if it is refused."""
        command, session = pending.command, self._loop.session
        match command:
            case commands.MoveCommand():
                return self._move(command, session)
            case PutBack():
                return self._use_hands(lambda: put_back_request(command, session))
            case PressFire(player) if self._simulated and self._simulated.hand_operator.busy:
                # Fire after the actions that the simulated hands have not finished.
                return self._use_hands(lambda: Press(self._player_or_acting(player)))
            case PressFire() | MakeRequest():
                return self._loop.request(intent_event(command, session, self._loop.now_ms()))
            case NewGame():
                self._new_game(command)
                return None
            case commands.ShowPinCommand():
                return self.show_pin()
            case commands.RulingCommand() | commands.SetPositionCommand():
                return self._apply_ruling(command, session)
            case commands.DragCommand(handle, x, y, degrees):
                return self._use_hands(lambda: Push(handle, *self._position_mm(x, y), degrees))
            case TakeOff():
                return self._use_hands(lambda: command)
            case commands.CoverCellCommand(cell):
                return self._use_hands(lambda: Cover(None if cell is None else self._cell(cell)))
            case ResetPieces():
                return self._use_hands(ResetPieces)
            case (
                commands.WatchLedsCommand()
                | commands.TakeSeatCommand()
                | commands.LeaveSeatCommand()
                | commands.InjectFault()
            ):
                return sentences.PAGE_COMMAND()
            case _:
                assert_never(command)

    def _player_or_acting(self, player: Player | None) -> Player:
        return acting_player(self._loop.session) if player is None else player

    def _move(self, command: commands.MoveCommand, session: Session) -> Sentence | None:
        if self._simulated is None:
            return MOVE_BY_HAND()
        if session.phase not in MOVING_PHASES or session.computer.turn is not None:
            return guidance_for(session).sentence
        players = players_allowed_to_move(session) if command.player is None else (command.player,)
        if not set(players) <= set(session.humans_to_move):
            return guidance_for(session).sentence
        match parse_typed_move(session, players, command.text):
            case TypedMove(player, move):
                self._simulated.hand_operator.enqueue(MakeMove(player, move))
                if command.fire:
                    self._simulated.hand_operator.enqueue(Press(player))
                return None
            case AmbiguousMove(options):
                labels = tuple(option.label for option in options)
                return sentences.WHICH_MOVE(moves=labels)
            case Sentence() as refusal:
                return refusal

    def _apply_ruling(
        self, command: commands.RulingCommand | commands.SetPositionCommand, session: Session
    ) -> Sentence | None:
        event = Ruled(ruling_from_command(session, command), self._loop.now_ms())
        return dry_run(session, event) if command.dry_run else self._loop.request(event)

    # -- simulated hands and faults ------------------------------------------------------------

    def _use_hands(self, make_request: Callable[[], Any]) -> Sentence | None:
        if self._simulated is None:
            return sentences.REAL_TABLE()
        request = make_request()
        if isinstance(request, Push | TakeOff) and request.handle not in self._objects[0]:
            return sentences.NOT_ON_TABLE()
        self._simulated.hand_operator.enqueue(request)
        return None

    def _cell(self, name: str) -> int:
        cell: int = self._loop.session.position.grid.cell(name)
        return cell

    def _position_mm(self, x: float, y: float) -> tuple[float, float]:
        """Convert a position on the page, in cells, to one on the table."""
        board = self._loop.session.setup.fitted_board.board
        (x0_mm, y0_mm), (x0, y0) = board.centre_mm(0), board.grid.centre(0)
        return x0_mm + (x - x0) * board.cell_mm, y0_mm + (y - y0) * board.cell_mm

    def _inject_fault(self, pending: PendingCommand, command: commands.InjectFault) -> None:
        """Inject a fault in a thread, because reconnecting a device is slow; answer afterwards."""
        try:
            args = self._fault_arguments(command)
        except LaserboardError as error:
            self._page.answer(pending, error.sentence)
            return
        assert self._simulated is not None
        faults = self._simulated.faults

        async def inject() -> None:
            try:
                await asyncio.to_thread(faults.inject_fault, command.fault, *args)
            except LaserboardError as error:
                log.debug("refused", exc_info=True)
                self._page.answer(pending, error.sentence)
            except Exception as defect:
                log.exception("cannot inject the fault %s", command.fault)
                self._page.answer(pending, sentences.PROGRAM_DEFECT(error=type(defect).__name__))
            else:
                self._page.answer(pending)

        task = asyncio.create_task(inject())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _fault_arguments(self, command: commands.InjectFault) -> list[float]:
        if self._simulated is None:
            raise BadCommand(sentences.REAL_TABLE())
        fault, values = command.fault, command.args
        if fault not in self._simulated.faults.fault_names:
            raise BadCommand(sentences.UNKNOWN_FAULT(name=repr(fault)))
        slots = [word for word in fault.split() if word in ("CELL", *NUMBER_SLOTS)]
        if len(slots) != len(values):
            raise BadCommand(
                sentences.FAULT_ARGUMENTS(fault=fault, expected=len(slots), count=len(values))
            )
        return [
            self._fault_argument(slot, value) for slot, value in zip(slots, values, strict=True)
        ]

    def _fault_argument(self, slot: str, value: str | float) -> float:
        if slot == "CELL":
            return float(self._cell(str(value)))
        if isinstance(value, str):
            raise BadCommand(sentences.NOT_A_NUMBER(name=slot, value=repr(value)))
        return value


def ruling_from_command(session: Session, command: RulingCommand | SetPositionCommand) -> Ruling:
    """Build the ruling; `LaserboardError` for an impossible position."""
    if isinstance(command, RulingCommand):
        return command.ruling
    history, turns = session.history, command.turns_back
    if turns > len(history):
        return CorrectPosition(turns, None, command.note)  # `dry_run` and `request` refuse it
    game = session.game
    base = history[-turns].position if turns else session.position
    pieces = _pieces_from_command(session, command)
    corrected = game.with_pieces(base, pieces, command.player_to_move)
    return CorrectPosition(turns, game.write_position(corrected), command.note)


def _pieces_from_command(session: Session, command: SetPositionCommand) -> dict[Cell, Piece]:
    grid = session.position.grid
    headings = {round(grid.degrees(each)) % 360: each for each in range(grid.headings)}
    pieces: dict[Cell, Piece] = {}
    for name, kind, owner, degrees, points in command.pieces:
        heading = headings.get(round(degrees) % 360)
        if heading is None:
            raise BadCommand(sentences.BAD_HEADING(cell=name, degrees=str(degrees)))
        full = session.game.full_hit_points(kind)
        if points > full:
            raise BadCommand(
                sentences.TOO_MANY_HIT_POINTS(cell=name, piece=kind, most=full, points=points)
            )
        pieces[grid.cell(name)] = Piece(kind, owner, heading, points)
    return pieces
