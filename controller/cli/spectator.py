"""Watching a match that plays by itself: on a screen with a few keys, or as one line a turn."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from controller.cli.console import BadInput
from controller.loop import Loop, running
from controller.ports_keys import Keys
from controller.room import Gallery
from controller.session_values import Asked, Phase, Wish
from controller.terminal.match import MatchView, match_screen, turn_line, verdict
from controller.terminal.screen import ENTER, LEAVE, redraw
from controller.wiring import open_play_keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from controller.beginning import Keeping, Plan
    from controller.cli.company import Company
    from controller.cli.console import Console
    from controller.hosting import Hosted
    from controller.record_file import RecordFile
    from controller.room import Furniture
    from controller.web.commands import NewGame

STEP_MS = 35.0  # a beam's way over one cell
DRAW_MS = 60.0
LEAVING = ("Q", "q", "eof", "ctrl-c")


async def watch(
    hosted: Hosted,
    furniture: Furniture,
    keeping: Keeping,
    record: RecordFile | None,
    people: Company,
    console: Console,
) -> bool:
    """One match; whether whoever watches wants another."""
    plan = hosted.plan
    room = Gallery(furniture, keeping, plan.habits.pace_ms)
    devices, entries = room.switch_on()
    spectator = Spectator(plan, record, console, people.opened.notes if people.opened else ())
    people.wakes(room.pace.wake)
    try:
        session = plan.begin(entries, devices)
        async with (
            running(Loop(session, devices, room.pace, people.tell)) as loop,
            people.served(loop, hosted, keeping.path, _no_other) as spectator.well,
        ):
            try:
                return await spectator.sit(loop)
            finally:
                spectator.keep(loop)
    finally:
        devices.close()


def unheard(sentence: str) -> None:
    """What is said at a table stands on the screen here, or in its lines."""
    assert sentence


def _no_other(_: NewGame) -> None:
    raise BadInput("a match begins again in the terminal: press R there")


class Spectator:
    """Somebody who looks on."""

    def __init__(
        self,
        plan: Plan,
        record: RecordFile | None,
        console: Console,
        notes: tuple[str, ...] = (),
    ) -> None:
        self._plan, self._record, self._console, self._notes = plan, record, console, notes
        self.well: Callable[[], None] = lambda: None  # called at every beat
        self._drawn: list[str] = []
        self._told = 0

    def keep(self, loop: Loop) -> None:
        if self._record is not None:
            self._record.keep(self._plan.start, loop.session)

    async def sit(self, loop: Loop) -> bool:
        if self._console.size is None:
            return await self._in_lines(loop)
        keys = open_play_keys(self._console.clock, self._away, self._back)
        self._back()
        try:
            return await self._on_screen(loop, keys)
        finally:
            self._away()
            keys.close()

    # -- without a screen ----------------------------------------------------------------------

    async def _in_lines(self, loop: Loop) -> bool:
        """Until the match is over and all of it is on the disk."""
        console, names = self._console, " against ".join(map(str, self._plan.start.seats))
        console.print(f"{self._plan.start.game.title}: {names}")
        while await loop.next_beat():
            self.well()
            self.keep(loop)
            self._tell(loop)
            session = loop.session
            if session.phase is Phase.OVER and not session.unwritten:
                console.print(verdict(session))
                return False
            if session.phase is Phase.PAUSED and session.trouble:
                console.print(f"paused: {session.trouble}")
                return False
        return False

    def _tell(self, loop: Loop) -> None:
        """Turns are told when they are on the disk."""
        session = loop.session
        if session.unwritten:
            return
        for past in session.history[self._told :]:
            self._console.print(turn_line(session, past.turn))
            self._console.out.flush()
        self._told = len(session.history)

    # -- on a screen ---------------------------------------------------------------------------

    async def _on_screen(self, loop: Loop, keys: Keys) -> bool:
        due_ms = 0.0
        while await loop.next_beat():
            self.well()
            self.keep(loop)
            pressed = keys.pressed()
            for key in pressed:
                if key in LEAVING:
                    return False
                if key in ("R", "r"):
                    return True
                self._pressed(key, loop)
            now_ms = loop.now_ms()
            if pressed or now_ms >= due_ms:
                due_ms = now_ms + DRAW_MS
                self._draw(loop, now_ms)
        return False

    def _pressed(self, key: str, loop: Loop) -> None:
        if key == "redraw":
            self._drawn = []
        elif key in ("P", "p", "space"):
            paused = loop.session.phase is Phase.PAUSED
            loop.happens(Asked(Wish.CONTINUE if paused else Wish.PAUSE, 0, loop.now_ms()))

    def _draw(self, loop: Loop, now_ms: float) -> None:
        lights, beam = loop.devices.lights, None
        if lights.turn is not None:
            beam = lights.turn, 1 + int(lights.elapsed_ms(now_ms) / STEP_MS)
        view = MatchView(loop.session, beam, self._notes)
        lines = match_screen(view, shutil.get_terminal_size(), self._console.colour)
        if lines != self._drawn:
            self._drawn = lines
            self._console.out.write(redraw(lines))
            self._console.out.flush()

    def _away(self) -> None:
        self._console.out.write(LEAVE)
        self._console.out.flush()

    def _back(self) -> None:
        self._drawn = []
        self._console.out.write(ENTER)
