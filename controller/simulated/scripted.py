"""A script played on a simulated table: what people do, what happens to them, what is expected.

An expectation that is not met is an error with the script's line.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from controller.ports import Pressed
from controller.room import SteppedRoom
from controller.session_values import CAMERA, LEDS, Asked, Phase, Wish
from controller.simulated.expectations import Expectations
from controller.simulated.hands import Hands, Unexpected
from controller.simulated.script import EVENTS, Act, Script
from controller.simulated.simulation import Simulation
from controller.simulated.stage import Stage
from engine.errors import LaserboardError, did_you_mean
from engine.grid import Cell
from vision.scene import Thing
from vision.tags import TAGS

SETTLE_MS, NOTICE_MS = 8_000.0, 30_000.0
BUMP_CELLS, BUMP_HEADINGS = 0.15, 0.8  # aside, and round

WISHES: Mapping[str, Wish] = {
    "WHO asks for a hint": Wish.HINT,
    "WHO asks to take back": Wish.TAKE_BACK,
    "WHO offers a draw": Wish.OFFER_DRAW,
    "WHO claims a draw": Wish.CLAIM_DRAW,
    "WHO accepts": Wish.ACCEPT,
    "WHO declines": Wish.DECLINE,
    "WHO chooses NUMBER": Wish.CHOOSE,
    "WHO resigns": Wish.RESIGN,
    "WHO pauses": Wish.PAUSE,
    "WHO continues": Wish.CONTINUE,
}
# After these the game must notice that a device is away, or back.
NOTICED = {
    "the camera is unplugged": (CAMERA, True),
    "the camera is plugged in": (CAMERA, False),
    "the camera freezes": (CAMERA, True),
    "the camera goes on": (CAMERA, False),
    "the LED cable is pulled": (LEDS, True),
    "the LED cable is plugged in": (LEDS, False),
}


class Scripted:
    """One script, played once; `tell` is given what people do and hear, line by line."""

    def __init__(self, script: Script, room: SteppedRoom, tell: Callable[[str], None]) -> None:
        self.stage = Stage(script, room, tell)
        self._expectations = Expectations(self.stage)
        self.heard = self.stage.heard
        self._last: Act | None = None

    @property
    def hands(self) -> Hands:
        return self.stage.simulation.hands

    async def play(self, simulation: Simulation) -> None:
        """Line by line what happens."""
        stage = self.stage
        stage.simulation = simulation
        for act in stage.script.acts:
            try:
                if act.expects:
                    await self._settle()
                    await self._expectations.check(act)
                    continue
                if self._last is None:
                    await self.hands.rest()
                if stage.ended:
                    raise stage.script.error(act, stage.ended)
                self._last = act
                stage.forget()
                await self._do(act)
            except Unexpected as trouble:
                if str(trouble).startswith(stage.script.file):
                    raise
                stage.unmet(act, str(trouble))

    async def _settle(self) -> None:
        """Before something is expected: until the table has come to rest, where it can."""
        stage = self.stage
        at_once = self._last is not None and self._last.sentence.endswith("at once")
        if stage.ended or at_once:
            return
        await self.hands.calm()
        if stage.hand_stays or stage.room.faults.blind:
            return
        await self.hands.frames(2)
        await self.hands.loop.until(self._judged, SETTLE_MS)
        await self.hands.calm()

    def _judged(self) -> bool:
        """Whether it is known what the table shows; what shone a moment ago is seen badly."""
        session = self.stage.session
        looks = session.phase in (Phase.SETTING_UP, Phase.CLEARING)
        return session.settled is not None and not (looks and not session.differences)

    async def _do(self, act: Act) -> None:
        if act.sentence in EVENTS:
            await self._happens(act)
            return
        self.stage.player(act, act.words[0])
        self.stage.tell(str(act))
        if act.sentence in WISHES:
            await self._wish(act, WISHES[act.sentence])
        else:
            await PEOPLE[act.sentence](self, act, *act.words)

    # -- what happens --------------------------------------------------------------------------

    async def _happens(self, act: Act) -> None:
        stage, loop = self.stage, self.hands.loop
        if act.sentence == "wait MS":
            await loop.until(lambda: False, float(act.words[0]))
            return
        stage.tell(str(act))
        if act.sentence == "power cut":
            await stage.power_cut()
            return
        told = [
            stage.cell(act, word) if "CELL" in act.sentence else float(word) for word in act.words
        ]
        try:
            stage.room.faults.happen(act.sentence, *told)
        except LaserboardError as bad:
            raise stage.script.error(act, str(bad)) from None
        if act.sentence in NOTICED:
            device, away = NOTICED[act.sentence]
            noticed = await loop.until(lambda: (device in stage.session.lost) is away, NOTICE_MS)
            if not noticed:
                stage.unmet(act, "nobody noticed")

    # -- what people do ------------------------------------------------------------------------

    async def _wish(self, act: Act, wish: Wish) -> None:
        loop, player = self.hands.loop, self.stage.player(act, act.words[0])
        choice = int(float(act.words[1])) - 1 if wish is Wish.CHOOSE else 0
        loop.happens(Asked(wish, player, loop.now_ms(), choice))
        await loop.until(lambda: loop.session.question is None, NOTICE_MS)
        await self.hands.calm()

    async def _moves(self, act: Act, _: str, source: str, target: str) -> None:
        cell, table = self.stage.cell(act, target), self.stage.room.table
        handle = table.at(self.stage.held(act, source))
        await self._by_hand(cell, lambda: table.move_to(handle, cell))

    async def _turns(self, act: Act, _: str, name: str, degrees: str) -> None:
        cell, table = self.stage.held(act, name), self.stage.room.table
        handle = table.at(cell)
        await self._by_hand(cell, lambda: table.turn(handle, float(degrees)))

    async def _swaps(self, act: Act, _: str, first: str, second: str) -> None:
        cell, other = self.stage.held(act, first), self.stage.held(act, second)
        table = self.stage.room.table
        one, two = table.at(cell), table.at(other)

        def swap() -> None:
            table.move_to(one, other)
            table.move_to(two, cell)

        await self._by_hand(cell, swap)

    async def _makes(self, act: Act, _: str) -> None:
        session = self.stage.session
        turn = session.known or session.hint
        if turn is None:
            self.stage.unmet(act, "the lights show none")
        await self.hands.make(turn)

    async def _takes(self, act: Act, _: str, name: str) -> None:
        cell, table = self.stage.held(act, name), self.stage.room.table
        await self._by_hand(cell, lambda: table.remove(table.at(cell)))

    async def _puts(self, act: Act, who: str, kind: str, name: str) -> None:
        """A piece from beside the board, facing as the game has it there."""
        stage, table = self.stage, self.stage.room.table
        cell, owner = stage.cell(act, name), stage.player(act, who)
        meanings, used = stage.session.table.meanings, {each.tag for each in table.things.values()}
        own = {tag: piece for tag, piece in meanings.items() if piece.owner == owner}
        free = [tag for tag, piece in own.items() if piece.kind == kind and tag not in used]
        if not free:
            kinds = sorted({piece.kind for piece in own.values()})
            raise stage.script.error(act, f"{who} has no {kind} to put{did_you_mean(kind, kinds)}")
        piece = own[free[0]]
        wanted = stage.session.position.pieces.get(cell, piece)
        heading = (wanted.orientation - piece.orientation) % table.board.grid.headings
        await self._by_hand(cell, lambda: table.stand(free[0], cell, heading))

    async def _puts_right(self, act: Act, _: str) -> None:
        stage = self.stage
        wrong, pieces = stage.session.differences, stage.session.position.pieces
        cell = wrong[0].cell if wrong else 0
        await self._by_hand(cell, lambda: stage.room.table.lay_out(pieces))

    async def _bumps(self, act: Act, _: str, name: str) -> None:
        """Pushed a little aside and most of the way round to where it should not point."""
        cell, table = self.stage.held(act, name), self.stage.room.table
        handle, board = table.at(cell), table.board

        def bump() -> None:
            x_mm, y_mm = board.centre_mm(cell)
            table.move(handle, x_mm + BUMP_CELLS * board.cell_mm, y_mm)
            table.turn(handle, BUMP_HEADINGS * 360 / board.grid.headings)

        await self._by_hand(cell, bump)

    async def _pushes(self, act: Act, _: str, source: str, target: str) -> None:
        """Half way."""
        stage, table = self.stage, self.stage.room.table
        cell, other = stage.held(act, source), stage.cell(act, target)
        (x1, y1), (x2, y2) = table.board.centre_mm(cell), table.board.centre_mm(other)
        handle = table.at(cell)
        await self._by_hand(cell, lambda: table.move(handle, (x1 + x2) / 2, (y1 + y2) / 2))

    async def _lays_tag(self, act: Act, _: str, tag: str, name: str) -> None:
        """Any tag of the sheet, on a body like those of the game."""
        stage, table = self.stage, self.stage.room.table
        cell, number = stage.cell(act, name), int(float(tag))
        if number not in TAGS:
            raise stage.script.error(act, f"there is no tag {tag}: they are 0 to {TAGS[-1]}")
        body = next(iter(stage.session.table.meanings.values()))
        thing = Thing(number, body, *table.board.centre_mm(cell))
        await self._by_hand(cell, lambda: table.put(thing))

    async def _covers(self, act: Act, _: str, name: str) -> None:
        self.hands.world.reach_to(self.stage.cell(act, name))
        self.stage.hand_stays = True
        await self.hands.frames(2)

    async def _leaves(self, act: Act, _: str) -> None:
        self.hands.world.away()
        self.stage.hand_stays = False

    async def _presses_fire(self, act: Act, who: str) -> None:
        await self.hands.press(self.stage.player(act, who))

    async def _presses_at_once(self, act: Act, who: str) -> None:
        self._press(f"fire {self.stage.player(act, who)}")

    async def _presses_pause(self, act: Act, _: str) -> None:
        self._press("pause")

    def _press(self, button: str) -> None:
        self.hands.loop.happens(Pressed(button, self.hands.loop.now_ms()))

    async def _by_hand(self, cell: Cell, action: Callable[[], object]) -> None:
        if self.stage.room.faults.blind:  # nobody sees the hand
            action()
        else:
            await self.hands.by_hand(cell, action)


PEOPLE: Mapping[str, Callable[..., Awaitable[None]]] = {
    "WHO moves CELL CELL": Scripted._moves,
    "WHO turns CELL DEGREES": Scripted._turns,
    "WHO swaps CELL CELL": Scripted._swaps,
    "WHO makes that move": Scripted._makes,
    "WHO takes CELL": Scripted._takes,
    "WHO puts PIECE on CELL": Scripted._puts,
    "WHO puts everything right": Scripted._puts_right,
    "WHO bumps CELL": Scripted._bumps,
    "WHO pushes CELL towards CELL": Scripted._pushes,
    "WHO lays tag NUMBER on CELL": Scripted._lays_tag,
    "WHO covers CELL": Scripted._covers,
    "WHO leaves": Scripted._leaves,
    "WHO presses fire": Scripted._presses_fire,
    "WHO presses fire at once": Scripted._presses_at_once,
    "WHO presses pause": Scripted._presses_pause,
}
