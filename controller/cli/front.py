"""Where people sit: the screen and the keyboard of a terminal beside a running loop."""

from __future__ import annotations

import math
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import assert_never

from controller.beginning import going_on
from controller.calibrating.half_blocks import as_text, fitted
from controller.cli.console import Console, called
from controller.game_store import NoSuchGame, read
from controller.journal import recover
from controller.led_picture import led_picture
from controller.light import Effects
from controller.light.beams import pace_ms
from controller.loop import Loop
from controller.ports import Pressed
from controller.ports_keys import Keys
from controller.session_values import Asked
from controller.simulated.attendant import Attendant
from controller.terminal.intents import Again, Fire, Make, PutBack, PutRight, Quit, Say, Want
from controller.terminal.keyboard import Keyboard
from controller.terminal.sayings import Sayings
from controller.terminal.screen import ENTER, LEAVE, View, redraw, screen
from controller.wiring import open_play_keys
from engine.errors import LaserboardError

DRAW_MS = 80.0
CAMERA_MS = 250.0  # between two pictures of the camera
WIDEST = 180  # columns of such a picture: more takes the loop too long
BESIDE, BELOW = 26, 8  # columns and rows that a picture leaves free


def ending(path: Path | None) -> str:
    """Where the game that somebody leaves is, and how to see it again; what was not played is not
    kept."""
    if path is None:
        return ""
    try:
        going_on(path)
        if len(recover(read(path)).entries) == 1:  # a referee may have ruled before the first turn
            path.unlink()
            return "nothing was played, so nothing is kept"
        then = "resume` goes on with it"
    except NoSuchGame as gone:
        return f"the game is not kept: {gone}"
    except LaserboardError:  # it is over, or can only be looked at
        then = f"games show {path.stem}` shows it"
    return f"kept in {_short(path)}\n`{called()} {then}"


def _short(path: Path) -> str:
    """With ~ for one's own folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def farewell(path: Path | None, console: Console) -> None:
    """Tell whoever leaves."""
    told = ending(path)
    if told:
        console.note(told)


@asynccontextmanager
async def seated(console: Console, hands: bool) -> AsyncIterator[Front]:
    """A person at the terminal, which is as it was when they leave or stop the program."""
    front = Front(console, hands)
    front.keys = open_play_keys(console.clock, front.away, front.back)
    try:
        yield front
    finally:
        front.keys.close()


class Front:
    """One person's terminal; with an attendant, moves can be made from here."""

    keys: Keys

    def __init__(self, console: Console, hands: bool) -> None:
        self._console, self._keyboard = console, Keyboard(hands=hands)
        self._sight = 0  # the board, the LEDs, or the camera's picture
        self._photo: tuple[float, tuple[int, int], str] = (-math.inf, (0, 0), "")
        self._sayings = Sayings()
        self._drawn: list[str] = []
        self.notes: tuple[str, ...] = ()  # for whoever asks for help

    def away(self) -> None:
        """The terminal is somebody else's for a while."""
        self._console.out.write(LEAVE)
        self._console.out.flush()

    def back(self) -> None:
        self._drawn = []
        self._console.out.write(ENTER)

    def heard(self, sentence: str) -> None:
        self._sayings.hear(sentence)

    async def sit(
        self,
        loop: Loop,
        attendant: Attendant | None = None,
        over: Callable[[], bool] = lambda: False,
        again: Callable[[], None] = lambda: None,
    ) -> None:
        """Until the person leaves, or something else is over; that is asked at every beat."""
        self.back()
        try:
            due_ms = 0.0
            while await loop.next_beat():
                if over():
                    return
                self._sayings.at(loop.session)
                keys = self.keys.pressed()
                for key in keys:
                    if not self._pressed(key, loop, attendant, again):
                        return
                self._sayings.at(loop.session)
                now_ms = loop.now_ms()
                if keys or now_ms >= due_ms:
                    due_ms = now_ms + DRAW_MS
                    self._draw(loop, now_ms)
        finally:
            self.away()

    def _pressed(
        self, key: str, loop: Loop, attendant: Attendant | None, again: Callable[[], None]
    ) -> bool:
        """Whether the person stays."""
        if key == "redraw":
            self._drawn = []
            return True
        if key == "V":
            self._sight = (self._sight + 1) % 3
            return True
        self._keyboard, intents = self._keyboard.press(key, loop.session)
        for intent in intents:
            now_ms = loop.now_ms()
            match intent:
                case Say(sentence):
                    self.heard(sentence)
                case Fire(player):
                    loop.happens(Pressed(f"fire {player}", now_ms))
                case Want(wish, player, choice):
                    loop.happens(Asked(wish, player, now_ms, choice))
                case Make() | PutBack() | PutRight():
                    if attendant is not None:
                        attendant.want(intent)
                case Again():
                    again()
                case Quit():
                    return False
                case _:
                    assert_never(intent)
        return True

    def _draw(self, loop: Loop, now_ms: float) -> None:
        lights = loop.devices.lights
        beam = None
        if lights.turn is not None:
            steps = lights.elapsed_ms(now_ms) / pace_ms(lights.turn, Effects.NORMAL)
            beam = lights.turn, 1 + int(steps)
        columns, rows = shutil.get_terminal_size()
        sight = self._seen(loop, columns, rows, now_ms)
        said = self._sayings.said
        view = View(loop.session, self._keyboard, said, now_ms, beam, sight, self.notes)
        lines = screen(view, (columns, rows), self._console.colour)
        if lines != self._drawn:
            self._drawn = lines
            self._console.out.write(redraw(lines))
            self._console.out.flush()

    def _seen(self, loop: Loop, columns: int, rows: int, now_ms: float) -> str:
        """What is to be seen in place of the board; nothing: the board."""
        lights, camera, colour = loop.devices.lights, loop.devices.camera, self._console.colour
        if self._sight == 1 and (shown := lights.leds.shown()) is not None:
            return led_picture(shown, lights.layout, colour=colour, gamma=lights.gamma)
        frame = camera.latest()
        if self._sight == 2 and frame is not None:
            room = (min(columns - BESIDE, WIDEST), rows - BELOW)
            taken_ms, size, text = self._photo
            if room != size or now_ms - taken_ms >= CAMERA_MS:
                small = fitted(frame.grey if frame.bgr is None else frame.bgr, *room)
                text = "\n".join(as_text(small, colour=colour))
                self._photo = now_ms, room, text
            return text
        return ""
