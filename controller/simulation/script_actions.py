"""Carries out the actions and events of scripts on a simulated table.

Scripts and fault injection both use it: faults are written as script lines.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from controller.ports.events import Pressed
from controller.session.events import Request, Requested
from controller.session.state import CAMERA, LEDS
from controller.simulation import sentences
from controller.simulation.hands import Hands, ProgramGone
from controller.simulation.script import EVENT_SENTENCES, ScriptLine
from controller.simulation.script_context import ActionContext
from engine.errors import LaserboardError, did_you_mean
from engine.grid import Cell
from vision.scene import ScenePiece
from vision.tags import TAGS

NOTICE_TIMEOUT_MS = 30_000.0
BUMP_CELLS, BUMP_HEADINGS = 0.15, 0.8  # shift in cells, rotation in steps

REQUEST_SENTENCES: Mapping[str, Request] = {
    "WHO asks for a hint": Request.HINT,
    "WHO asks to take back": Request.TAKE_BACK,
    "WHO offers a draw": Request.OFFER_DRAW,
    "WHO claims a draw": Request.CLAIM_DRAW,
    "WHO accepts": Request.ACCEPT,
    "WHO declines": Request.DECLINE,
    "WHO chooses NUMBER": Request.CHOOSE,
    "WHO resigns": Request.RESIGN,
    "WHO pauses": Request.PAUSE,
    "WHO continues": Request.CONTINUE,
}
# The session must notice these: the device, and whether it is lost.
DEVICE_SENTENCES = {
    "the camera is unplugged": (CAMERA, True),
    "the camera is plugged in": (CAMERA, False),
    "the camera freezes": (CAMERA, True),
    "the camera goes on": (CAMERA, False),
    "the LED cable is pulled": (LEDS, True),
    "the LED cable is plugged in": (LEDS, False),
    "the LED cable is sound again": (LEDS, False),
}


class ScriptActions:
    """Carries out script lines."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context

    @property
    def _hands(self) -> Hands:
        return self._context.simulation.hands

    async def perform(self, line: ScriptLine) -> None:
        """Carry out a line; after a device fault, wait until the session has noticed."""
        if line.sentence in EVENT_SENTENCES:
            await self._perform_event(line)
            return
        self._context.player(line, line.arguments[0])
        self._context.on_line(str(line))
        if line.sentence in REQUEST_SENTENCES:
            await self._make_request(line, REQUEST_SENTENCES[line.sentence])
        else:
            await PLAYER_ACTIONS[line.sentence](self, line, *line.arguments)

    # -- events --------------------------------------------------------------------------------

    async def _perform_event(self, line: ScriptLine) -> None:
        context, loop = self._context, self._hands.loop
        if line.sentence == "wait MS":
            await loop.wait_until(lambda: False, float(line.arguments[0]))
            return
        context.on_line(str(line))
        if line.sentence in ("power cut", "the program is killed"):
            await (context.cut_power() if line.sentence == "power cut" else context.kill_program())
            return
        arguments = [
            context.cell(line, word) if "CELL" in line.sentence else float(word)
            for word in line.arguments
        ]
        try:
            context.rig.faults.inject_fault(line.sentence, *arguments)
        except LaserboardError as error:
            raise context.script.make_error(line, error.sentence) from error
        if line.sentence in DEVICE_SENTENCES:
            device, away = DEVICE_SENTENCES[line.sentence]
            faults = context.rig.faults
            if not away and (faults.camera_blind if device == CAMERA else faults.leds_unplugged):
                return  # another fault still disables it
            noticed = await loop.wait_until(
                lambda: (device in context.session.pause.lost_devices) is away, NOTICE_TIMEOUT_MS
            )
            if loop.is_over:
                raise ProgramGone("the program is gone")
            if not noticed:
                context.fail(line, "the session did not notice")

    # -- players -------------------------------------------------------------------------------

    async def _make_request(self, line: ScriptLine, request: Request) -> None:
        loop, player = self._hands.loop, self._context.player(line, line.arguments[0])
        choice = int(float(line.arguments[1])) - 1 if request is Request.CHOOSE else 0
        loop.dispatch(Requested(request, player, loop.now_ms(), choice))
        await loop.wait_until(lambda: loop.session.computer.thinking is None, NOTICE_TIMEOUT_MS)
        await self._hands.wait_idle()

    async def _moves(self, line: ScriptLine, _: str, source: str, target: str) -> None:
        cell, table = self._context.cell(line, target), self._context.rig.table
        held = self._context.occupied_cell(line, source)
        await self._reach_in(cell, lambda: table.move_to(table.handle_at(held), cell))

    async def _turns_right(self, line: ScriptLine, who: str, name: str) -> None:
        await self._turns(line, who, name, str(self._step))

    async def _turns_left(self, line: ScriptLine, who: str, name: str) -> None:
        await self._turns(line, who, name, str(-self._step))

    @property
    def _step(self) -> float:
        """Degrees between two orientations of a piece."""
        headings: int = self._context.session.position.grid.headings
        return 360 / headings

    async def _turns(self, line: ScriptLine, _: str, name: str, degrees: str) -> None:
        cell, table = self._context.occupied_cell(line, name), self._context.rig.table
        await self._reach_in(cell, lambda: table.rotate(table.handle_at(cell), float(degrees)))

    async def _swaps(self, line: ScriptLine, _: str, first: str, second: str) -> None:
        cell, other = (
            self._context.occupied_cell(line, first),
            self._context.occupied_cell(line, second),
        )
        table = self._context.rig.table

        def swap() -> None:
            one, two = table.handle_at(cell), table.handle_at(other)
            table.move_to(one, other)
            table.move_to(two, cell)

        await self._reach_in(cell, swap)

    async def _swaps_tags(self, line: ScriptLine, _: str, first: str, second: str) -> None:
        cell, other = (
            self._context.occupied_cell(line, first),
            self._context.occupied_cell(line, second),
        )
        table = self._context.rig.table
        await self._reach_in(
            cell, lambda: table.swap_tags(table.handle_at(cell), table.handle_at(other))
        )

    async def _makes(self, line: ScriptLine, _: str) -> None:
        session = self._context.session
        turn = session.computer.turn or session.turn.hinted_turn
        if turn is None:
            self._context.fail(line, "the LEDs show no move")
        await self._hands.make_turn(turn)

    async def _takes(self, line: ScriptLine, _: str, name: str) -> None:
        cell, table = self._context.occupied_cell(line, name), self._context.rig.table
        await self._reach_in(cell, lambda: table.remove(table.handle_at(cell)))

    async def _puts(self, line: ScriptLine, who: str, kind: str, name: str) -> None:
        """Put an unused piece on the board, with the orientation that the position has there."""
        context, table = self._context, self._context.rig.table
        cell, owner = context.cell(line, name), context.player(line, who)
        meanings, used = (
            context.session.setup.fitted_board.pieces_by_tag,
            {each.tag for each in table.objects.values()},
        )
        own = {tag: piece for tag, piece in meanings.items() if piece.owner == owner}
        free = [tag for tag, piece in own.items() if piece.kind == kind and tag not in used]
        if not free:
            kinds = sorted({piece.kind for piece in own.values()})
            raise context.script.make_error(
                line,
                sentences.NO_PIECE_TO_PUT(player=who, kind=kind, hint=did_you_mean(kind, kinds)),
            )
        piece = own[free[0]]
        wanted = context.session.position.pieces.get(cell, piece)
        heading = (wanted.orientation - piece.orientation) % table.board.grid.headings
        await self._reach_in(cell, lambda: table.place_piece(free[0], cell, heading))

    async def _puts_right(self, line: ScriptLine, _: str) -> None:
        context = self._context
        wrong, pieces = context.session.table.differences, context.session.position.pieces
        cell = wrong[0].cell if wrong else 0
        await self._reach_in(cell, lambda: context.rig.table.set_pieces(pieces))

    async def _bumps(self, line: ScriptLine, _: str, name: str) -> None:
        """Shift a piece a little and rotate it most of one step."""
        cell, table = self._context.occupied_cell(line, name), self._context.rig.table
        board = table.board

        def bump() -> None:
            handle, (x_mm, y_mm) = table.handle_at(cell), board.centre_mm(cell)
            table.move(handle, x_mm + BUMP_CELLS * board.cell_mm, y_mm)
            table.rotate(handle, BUMP_HEADINGS * 360 / board.grid.headings)

        await self._reach_in(cell, bump)

    async def _pushes(self, line: ScriptLine, _: str, source: str, target: str) -> None:
        """Push a piece half way to another cell."""
        context, table = self._context, self._context.rig.table
        cell, other = context.occupied_cell(line, source), context.cell(line, target)
        (x1, y1), (x2, y2) = table.board.centre_mm(cell), table.board.centre_mm(other)
        middle_mm = (x1 + x2) / 2, (y1 + y2) / 2
        await self._reach_in(cell, lambda: table.move(table.handle_at(cell), *middle_mm))

    async def _lays_tag(self, line: ScriptLine, _: str, tag: str, name: str) -> None:
        """Put a piece with any tag of the sheet on the board."""
        context, table = self._context, self._context.rig.table
        cell, number = context.cell(line, name), int(float(tag))
        if number not in TAGS:
            raise context.script.make_error(line, sentences.NO_SUCH_TAG(tag=tag, last=TAGS[-1]))
        body = next(iter(context.session.setup.fitted_board.pieces_by_tag.values()))
        thing = ScenePiece(number, body, *table.board.centre_mm(cell))
        await self._reach_in(cell, lambda: table.place(thing))

    async def _covers(self, line: ScriptLine, _: str, name: str) -> None:
        self._hands.world.reach_to(self._context.cell(line, name), lingers=True)
        self._context.hand_over_board = True
        await self._hands.wait_frames(2)

    async def _leaves(self, line: ScriptLine, _: str) -> None:
        self._hands.world.withdraw_hand(lingers=True)
        self._context.hand_over_board = False

    async def _presses_fire(self, line: ScriptLine, who: str) -> None:
        await self._hands.press_fire(self._context.player(line, who))

    async def _presses_at_once(self, line: ScriptLine, who: str) -> None:
        self._press(f"fire {self._context.player(line, who)}")

    async def _presses_pause(self, line: ScriptLine, _: str) -> None:
        self._press("pause")

    def _press(self, button: str) -> None:
        self._hands.loop.dispatch(Pressed(button, self._hands.loop.now_ms()))

    async def _reach_in(self, cell: Cell, action: Callable[[], object]) -> None:
        if self._context.rig.faults.camera_blind:  # a hand would wait for frames
            action()
        else:
            await self._hands.reach_in(cell, action)


PLAYER_ACTIONS: Mapping[str, Callable[..., Awaitable[None]]] = {
    "WHO moves CELL CELL": ScriptActions._moves,
    "WHO turns CELL right": ScriptActions._turns_right,
    "WHO turns CELL left": ScriptActions._turns_left,
    "WHO turns CELL DEGREES": ScriptActions._turns,
    "WHO swaps CELL CELL": ScriptActions._swaps,
    "WHO swaps the tags of CELL CELL": ScriptActions._swaps_tags,
    "WHO makes that move": ScriptActions._makes,
    "WHO takes CELL": ScriptActions._takes,
    "WHO puts PIECE on CELL": ScriptActions._puts,
    "WHO puts everything right": ScriptActions._puts_right,
    "WHO bumps CELL": ScriptActions._bumps,
    "WHO pushes CELL towards CELL": ScriptActions._pushes,
    "WHO lays tag NUMBER on CELL": ScriptActions._lays_tag,
    "WHO covers CELL": ScriptActions._covers,
    "WHO leaves": ScriptActions._leaves,
    "WHO presses fire": ScriptActions._presses_fire,
    "WHO presses fire at once": ScriptActions._presses_at_once,
    "WHO presses pause": ScriptActions._presses_pause,
}
