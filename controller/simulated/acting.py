"""Acts carried out on a simulated table: what people do there, and what happens to them.

The same for a script that tells them line by line, for a fault that somebody asks for, and for
chaos: whoever has an `Act` has it done here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from controller.ports import Pressed
from controller.session_values import CAMERA, LEDS, Asked, Wish
from controller.simulated.hands import Gone, Hands
from controller.simulated.script import EVENTS, Act
from controller.simulated.stage import Scenery
from engine.errors import LaserboardError, did_you_mean
from engine.grid import Cell
from vision.scene import Thing
from vision.tags import TAGS

NOTICE_MS = 30_000.0
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
    "the LED cable is sound again": (LEDS, False),
}


class Acting:
    """Does what acts say, in one place."""

    def __init__(self, scenery: Scenery) -> None:
        self._scenery = scenery

    @property
    def _hands(self) -> Hands:
        return self._scenery.simulation.hands

    async def do(self, act: Act) -> None:
        """Carry it out, and wait until it is noticed where it must be."""
        if act.sentence in EVENTS:
            await self._happens(act)
            return
        self._scenery.player(act, act.words[0])
        self._scenery.tell(str(act))
        if act.sentence in WISHES:
            await self._wish(act, WISHES[act.sentence])
        else:
            await PEOPLE[act.sentence](self, act, *act.words)

    # -- what happens --------------------------------------------------------------------------

    async def _happens(self, act: Act) -> None:
        scenery, loop = self._scenery, self._hands.loop
        if act.sentence == "wait MS":
            await loop.until(lambda: False, float(act.words[0]))
            return
        scenery.tell(str(act))
        if act.sentence in ("power cut", "the program is killed"):
            await (scenery.power_cut() if act.sentence == "power cut" else scenery.killed())
            return
        told = [
            scenery.cell(act, word) if "CELL" in act.sentence else float(word) for word in act.words
        ]
        try:
            scenery.room.faults.happen(act.sentence, *told)
        except LaserboardError as bad:
            raise scenery.script.error(act, str(bad)) from None
        if act.sentence in NOTICED:
            device, away = NOTICED[act.sentence]
            faults = scenery.room.faults
            if not away and (faults.blind if device == CAMERA else faults.unplugged):
                return  # something else still keeps it away
            noticed = await loop.until(lambda: (device in scenery.session.lost) is away, NOTICE_MS)
            if loop.is_over:
                raise Gone("the program is gone")
            if not noticed:
                scenery.unmet(act, "nobody noticed")

    # -- what people do ------------------------------------------------------------------------

    async def _wish(self, act: Act, wish: Wish) -> None:
        loop, player = self._hands.loop, self._scenery.player(act, act.words[0])
        choice = int(float(act.words[1])) - 1 if wish is Wish.CHOOSE else 0
        loop.happens(Asked(wish, player, loop.now_ms(), choice))
        await loop.until(lambda: loop.session.question is None, NOTICE_MS)
        await self._hands.calm()

    async def _moves(self, act: Act, _: str, source: str, target: str) -> None:
        cell, table = self._scenery.cell(act, target), self._scenery.room.table
        held = self._scenery.held(act, source)
        await self._by_hand(cell, lambda: table.move_to(table.at(held), cell))

    async def _turns_right(self, act: Act, who: str, name: str) -> None:
        await self._turns(act, who, name, str(self._step))

    async def _turns_left(self, act: Act, who: str, name: str) -> None:
        await self._turns(act, who, name, str(-self._step))

    @property
    def _step(self) -> float:
        """Degrees from one way of standing to the next."""
        headings: int = self._scenery.session.position.grid.headings
        return 360 / headings

    async def _turns(self, act: Act, _: str, name: str, degrees: str) -> None:
        cell, table = self._scenery.held(act, name), self._scenery.room.table
        await self._by_hand(cell, lambda: table.turn(table.at(cell), float(degrees)))

    async def _swaps(self, act: Act, _: str, first: str, second: str) -> None:
        cell, other = self._scenery.held(act, first), self._scenery.held(act, second)
        table = self._scenery.room.table

        def swap() -> None:
            one, two = table.at(cell), table.at(other)
            table.move_to(one, other)
            table.move_to(two, cell)

        await self._by_hand(cell, swap)

    async def _swaps_tags(self, act: Act, _: str, first: str, second: str) -> None:
        cell, other = self._scenery.held(act, first), self._scenery.held(act, second)
        table = self._scenery.room.table
        await self._by_hand(cell, lambda: table.swap_tags(table.at(cell), table.at(other)))

    async def _makes(self, act: Act, _: str) -> None:
        session = self._scenery.session
        turn = session.known or session.hint
        if turn is None:
            self._scenery.unmet(act, "the lights show none")
        await self._hands.make(turn)

    async def _takes(self, act: Act, _: str, name: str) -> None:
        cell, table = self._scenery.held(act, name), self._scenery.room.table
        await self._by_hand(cell, lambda: table.remove(table.at(cell)))

    async def _puts(self, act: Act, who: str, kind: str, name: str) -> None:
        """A piece from beside the board, facing as the game has it there."""
        scenery, table = self._scenery, self._scenery.room.table
        cell, owner = scenery.cell(act, name), scenery.player(act, who)
        meanings, used = (
            scenery.session.table.meanings,
            {each.tag for each in table.things.values()},
        )
        own = {tag: piece for tag, piece in meanings.items() if piece.owner == owner}
        free = [tag for tag, piece in own.items() if piece.kind == kind and tag not in used]
        if not free:
            kinds = sorted({piece.kind for piece in own.values()})
            raise scenery.script.error(
                act, f"{who} has no {kind} to put{did_you_mean(kind, kinds)}"
            )
        piece = own[free[0]]
        wanted = scenery.session.position.pieces.get(cell, piece)
        heading = (wanted.orientation - piece.orientation) % table.board.grid.headings
        await self._by_hand(cell, lambda: table.stand(free[0], cell, heading))

    async def _puts_right(self, act: Act, _: str) -> None:
        scenery = self._scenery
        wrong, pieces = scenery.session.differences, scenery.session.position.pieces
        cell = wrong[0].cell if wrong else 0
        await self._by_hand(cell, lambda: scenery.room.table.lay_out(pieces))

    async def _bumps(self, act: Act, _: str, name: str) -> None:
        """Pushed a little aside and most of the way round to where it should not point."""
        cell, table = self._scenery.held(act, name), self._scenery.room.table
        board = table.board

        def bump() -> None:
            handle, (x_mm, y_mm) = table.at(cell), board.centre_mm(cell)
            table.move(handle, x_mm + BUMP_CELLS * board.cell_mm, y_mm)
            table.turn(handle, BUMP_HEADINGS * 360 / board.grid.headings)

        await self._by_hand(cell, bump)

    async def _pushes(self, act: Act, _: str, source: str, target: str) -> None:
        """Half way."""
        scenery, table = self._scenery, self._scenery.room.table
        cell, other = scenery.held(act, source), scenery.cell(act, target)
        (x1, y1), (x2, y2) = table.board.centre_mm(cell), table.board.centre_mm(other)
        middle_mm = (x1 + x2) / 2, (y1 + y2) / 2
        await self._by_hand(cell, lambda: table.move(table.at(cell), *middle_mm))

    async def _lays_tag(self, act: Act, _: str, tag: str, name: str) -> None:
        """Any tag of the sheet, on a body like those of the game."""
        scenery, table = self._scenery, self._scenery.room.table
        cell, number = scenery.cell(act, name), int(float(tag))
        if number not in TAGS:
            raise scenery.script.error(act, f"there is no tag {tag}: they are 0 to {TAGS[-1]}")
        body = next(iter(scenery.session.table.meanings.values()))
        thing = Thing(number, body, *table.board.centre_mm(cell))
        await self._by_hand(cell, lambda: table.put(thing))

    async def _covers(self, act: Act, _: str, name: str) -> None:
        self._hands.world.reach_to(self._scenery.cell(act, name), lingers=True)
        self._scenery.hand_stays = True
        await self._hands.frames(2)

    async def _leaves(self, act: Act, _: str) -> None:
        self._hands.world.away(lingers=True)
        self._scenery.hand_stays = False

    async def _presses_fire(self, act: Act, who: str) -> None:
        await self._hands.press(self._scenery.player(act, who))

    async def _presses_at_once(self, act: Act, who: str) -> None:
        self._press(f"fire {self._scenery.player(act, who)}")

    async def _presses_pause(self, act: Act, _: str) -> None:
        self._press("pause")

    def _press(self, button: str) -> None:
        self._hands.loop.happens(Pressed(button, self._hands.loop.now_ms()))

    async def _by_hand(self, cell: Cell, action: Callable[[], object]) -> None:
        if self._scenery.room.faults.blind:  # nobody sees the hand
            action()
        else:
            await self._hands.by_hand(cell, action)


PEOPLE: Mapping[str, Callable[..., Awaitable[None]]] = {
    "WHO moves CELL CELL": Acting._moves,
    "WHO turns CELL right": Acting._turns_right,
    "WHO turns CELL left": Acting._turns_left,
    "WHO turns CELL DEGREES": Acting._turns,
    "WHO swaps CELL CELL": Acting._swaps,
    "WHO swaps the tags of CELL CELL": Acting._swaps_tags,
    "WHO makes that move": Acting._makes,
    "WHO takes CELL": Acting._takes,
    "WHO puts PIECE on CELL": Acting._puts,
    "WHO puts everything right": Acting._puts_right,
    "WHO bumps CELL": Acting._bumps,
    "WHO pushes CELL towards CELL": Acting._pushes,
    "WHO lays tag NUMBER on CELL": Acting._lays_tag,
    "WHO covers CELL": Acting._covers,
    "WHO leaves": Acting._leaves,
    "WHO presses fire": Acting._presses_fire,
    "WHO presses fire at once": Acting._presses_at_once,
    "WHO presses pause": Acting._presses_pause,
}
