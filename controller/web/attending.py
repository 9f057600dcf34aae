"""Beside one running game: shows it to the page, and carries out what people want there.

It lives on the game's loop, looks at every beat, and does nothing that takes long: what it hands
over is frozen, and others make JSON of it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, assert_never

from controller.flow.rulings import why_not
from controller.flow.wishes import refusal
from controller.guide import guide
from controller.light import Effects
from controller.light.beams import pace_ms
from controller.loop import Loop
from controller.ports import Pressed, World
from controller.session_values import Asked, Ruled, Session, Wish
from controller.simulated.attendant import Attendant
from controller.simulated.script import NUMBERS
from controller.simulated.touches import Cover, Press, Shove, Snatch
from controller.terminal.intents import Make, PutRight
from controller.terminal.intents import PutBack as Restore
from controller.terminal.keyboard import BY_HAND, MOVING, actor, for_whom, last_mover
from controller.terminal.typed import Typed, Unclear, read_typed
from controller.web import commands
from controller.web.arranging import meant
from controller.web.moment import Fired, Moment, Said, Sitting
from controller.web.server import Page, Wanted
from controller.web.sights import Sights
from engine.errors import LaserboardError
from engine.game import Player

REMEMBERED = 30  # sentences
AT_ONCE = 8  # commands in one beat
PIN_MS = 25_000.0  # long enough to be read three times
NO_TABLE = "this is a real table: use your hands"


class Faults(Protocol):
    """What may befall a simulated table, by name; see `controller.devices.faults`."""

    @property
    def names(self) -> Any: ...

    @property
    def blind(self) -> bool: ...

    def happen(self, name: str, *told: float) -> None: ...


@dataclass(frozen=True)
class Simulated:
    """What a simulated table has and a real one has not."""

    attendant: Attendant
    world: World
    faults: Faults


class Telling:
    """What was said at the table, numbered; it outlives a game."""

    def __init__(self, heard: Callable[[str], None], now_ms: Callable[[], float]) -> None:
        self._heard, self._now_ms = heard, now_ms
        self._said: deque[Said] = deque(maxlen=REMEMBERED)
        self.said: tuple[Said, ...] = ()

    def __call__(self, sentence: str) -> None:
        self._heard(sentence)
        number = self._said[-1].number + 1 if self._said else 1
        self._said.append(Said(number, sentence, self._now_ms()))
        self.said = tuple(self._said)


class Attending:
    """The page's hands and eyes at one table."""

    def __init__(
        self,
        page: Page,
        sitting: Sitting,
        loop: Loop,
        telling: Telling,
        new_game: Callable[[commands.NewGame], None],
        simulated: Simulated | None = None,
        pin: str | None = None,
    ) -> None:
        self._page, self._sitting, self._loop = page, sitting, loop
        self._telling, self._simulated = telling, simulated
        self._new_game, self._pin = new_game, pin
        self._fired: Fired | None = None
        self._shown: tuple[Any, ...] = ()
        self._things: tuple[Mapping[int, Any], tuple[Any, ...]] = ({}, ())
        self._tasks: set[asyncio.Task[None]] = set()
        devices, table = loop.devices, loop.session.table
        lights, eyes = devices.lights, devices.eyes
        page.look_at(Sights(lights.leds, lights.gamma, devices.camera, eyes.glimpse, table))

    async def serve(self) -> None:
        """As long as the loop runs."""
        try:
            while await self._loop.next_beat():
                self._look()
                for wanted in self._page.wanted(AT_ONCE):
                    self._carry_out(wanted)
                self._page.beaten()
        finally:
            self._page.look_at(None)
            for task in self._tasks:
                task.cancel()

    def show_pin(self) -> str:
        """On the board, for a while; why not."""
        if self._pin is None:
            return "there is no PIN: the page is for this computer alone"
        loop = self._loop
        loop.devices.lights.spell(self._pin, loop.session, loop.now_ms() + PIN_MS)
        return ""

    # -- what is to be seen --------------------------------------------------------------------

    def _look(self) -> None:
        loop, lights = self._loop, self._loop.devices.lights
        turn = lights.turn
        if turn is not None and (self._fired is None or self._fired.turn is not turn):
            begun_ms = loop.now_ms() - lights.elapsed_ms(loop.now_ms())
            number = self._page.next_fired()
            self._fired = Fired(number, turn, begun_ms, pace_ms(turn, Effects.NORMAL))
        busy = self._simulated is not None and self._simulated.attendant.busy
        head = loop.devices.journal.head
        now = (loop.session, self._telling.said, self._fired, busy, self._standing(), head)
        if len(now) == len(self._shown) and all(
            one is other for one, other in zip(now, self._shown, strict=True)
        ):
            return
        self._shown = now
        self._page.publish(Moment(self._sitting, *now))

    def _standing(self) -> tuple[Any, ...]:
        """What stands on a simulated table, by handles; the same object while nothing moves."""
        if self._simulated is None:
            return ()
        things = self._simulated.world.things()
        if things != self._things[0]:
            self._things = things, tuple(things.items())
        return self._things[1]

    # -- what is wanted ------------------------------------------------------------------------

    def _carry_out(self, wanted: Wanted) -> None:
        try:
            sentence = self._done(wanted)
        except LaserboardError as cannot:
            sentence = str(cannot)
        if sentence is not None:
            self._page.answer(wanted, sentence)

    def _done(self, wanted: Wanted) -> str | None:
        """Why it cannot be done; empty: it is done; None: that will be told later."""
        command, session = wanted.command, self._loop.session
        match command:
            case commands.Move():
                return self._move(command, session)
            case commands.PutBack(player):
                return self._by_hands(lambda: Restore(self._who(player)))
            case commands.Fire(player):
                return self._fire(self._who(player))
            case commands.Want():
                return self._want(command, session)
            case commands.NewGame():
                self._new_game(command)
                return ""
            case commands.ShowPin():
                return self.show_pin()
            case commands.Rule() | commands.Arrange():
                return self._rule(command, session)
            case commands.Befall():
                return self._befall(wanted, command)
            case commands.Drag(thing, x, y, degrees):
                return self._by_hands(lambda: Shove(thing, *self._place_mm(x, y), degrees))
            case commands.Take(thing):
                return self._by_hands(lambda: Snatch(thing))
            case commands.Hand(cell):
                return self._by_hands(lambda: Cover(None if cell is None else self._cell(cell)))
            case commands.PutRight():
                return self._by_hands(PutRight)
            case commands.Watch() | commands.Sit() | commands.Stand():
                return "that is the page's own affair"
            case _:
                assert_never(command)

    def _who(self, player: Player | None) -> Player:
        return actor(self._loop.session) if player is None else player

    def _move(self, command: commands.Move, session: Session) -> str:
        if self._simulated is None:
            return BY_HAND
        if session.phase not in MOVING or session.known is not None:
            return guide(session).sentence
        players = for_whom(session) if command.player is None else (command.player,)
        if not set(players) <= set(session.people):
            return guide(session).sentence
        match read_typed(session, players, command.text):
            case Typed(player, move):
                self._simulated.attendant.want(Make(player, move))
                if command.fire:
                    self._simulated.attendant.want(Press(player))
                return ""
            case Unclear(choices):
                return f"which is meant: {', '.join(way.words for way in choices)}?"
            case str(sentence):
                return sentence

    def _fire(self, player: Player) -> str:
        """Behind whatever hands still do."""
        if self._simulated is not None and self._simulated.attendant.busy:
            self._simulated.attendant.want(Press(player))
        else:
            self._loop.happens(Pressed(f"fire {player}", self._loop.now_ms()))
        return ""

    def _want(self, command: commands.Want, session: Session) -> str:
        player = command.player
        if player is None:
            match command.wish:
                case Wish.TAKE_BACK:
                    player = last_mover(session)
                case Wish.ACCEPT | Wish.DECLINE if session.offer is not None:
                    player = 1 - session.offer[1]
                case _:
                    player = actor(session)
        asked = Asked(command.wish, player, self._loop.now_ms(), command.choice)
        self._loop.happens(asked)
        return refusal(session, asked)

    def _rule(self, command: commands.Rule | commands.Arrange, session: Session) -> str:
        ruling = meant(session, command)
        refusal = why_not(session, ruling)
        if not refusal and not command.tried:
            self._loop.happens(Ruled(ruling, self._loop.now_ms()))
        return refusal

    # -- rudeness ------------------------------------------------------------------------------

    def _by_hands(self, make: Callable[[], Any]) -> str:
        if self._simulated is None:
            return NO_TABLE
        wanted = make()
        if isinstance(wanted, Shove | Snatch) and wanted.thing not in self._things[0]:
            return "that is not on the table any more"
        self._simulated.attendant.want(wanted)
        return ""

    def _cell(self, name: str) -> int:
        cell: int = self._loop.session.position.grid.cell(name)
        return cell

    def _place_mm(self, x: float, y: float) -> tuple[float, float]:
        """A place on the page, in cells, as one on the table."""
        board = self._loop.session.table.board
        (x0_mm, y0_mm), (x0, y0) = board.centre_mm(0), board.grid.centre(0)
        return x0_mm + (x - x0) * board.cell_mm, y0_mm + (y - y0) * board.cell_mm

    def _befall(self, wanted: Wanted, command: commands.Befall) -> str | None:
        """In a thread: a cable that is plugged in takes its time to be found."""
        if self._simulated is None:
            return NO_TABLE
        faults = self._simulated.faults
        if command.act not in faults.names:
            return f"nothing here is called {command.act!r}"
        asked = [word for word in command.act.split() if word in ("CELL", *NUMBERS)]
        if len(asked) != len(command.told):
            return f"{command.act}: tell {len(asked)} things, not {len(command.told)}"
        told = [self._told(word, value) for word, value in zip(asked, command.told, strict=True)]

        async def happen() -> None:
            try:
                await asyncio.to_thread(faults.happen, command.act, *told)
            except LaserboardError as cannot:
                self._page.answer(wanted, str(cannot))
            else:
                self._page.answer(wanted)

        task = asyncio.create_task(happen())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return None

    def _told(self, word: str, value: str | float) -> float:
        if word == "CELL":
            return float(self._cell(str(value)))
        if isinstance(value, str):
            raise commands.BadCommand(f"{word} must be a number, not {value!r}")
        return value
