"""Where people sit: the screen and the keyboard of a terminal beside a running loop."""

from __future__ import annotations

import math
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import assert_never

from controller.devices.factory.inputs import open_terminal_keys
from controller.lighting.animation import LightEffects
from controller.lighting.animation.beams import turn_step_ms
from controller.ports.buttons import FIRE
from controller.ports.events import Pressed
from controller.ports.people import Keys
from controller.session.events import Requested
from controller.simulation.hand_operator import HandOperator
from controller.simulation.requests import MakeMove, PutBack, ResetPieces
from controller.storage.games import NoSuchGame, discard_if_empty
from controller.table.loop import Loop
from controller.table.plan import load_resumable
from controller.ui.actors import acting_player, player_for_request
from controller.ui.console import Console, program_name
from controller.ui.intents import Announce, MakeRequest, PlayAgain, PressFire, Quit
from controller.ui.terminal.image_text import fit_to_terminal, image_lines
from controller.ui.terminal.keyboard import Keyboard
from controller.ui.terminal.led_text import render_leds
from controller.ui.terminal.messages import ScreenMessages
from controller.ui.terminal.screen import (
    ENTER_SCREEN,
    LEAVE_SCREEN,
    ScreenView,
    redraw,
    render_screen,
)
from engine.errors import LaserboardError
from engine.sentences import Sentence

REDRAW_MS = 80.0
CAMERA_INTERVAL_MS = 250.0  # between two pictures of the camera
MOST_IMAGE_COLUMNS = 180  # columns of such a picture: more takes the loop too long
FREE_COLUMNS, FREE_ROWS = 26, 8  # columns and rows that a picture leaves free


def kept_game_note(path: Path | None) -> str:
    """Where the game is stored and how to go on with it; deletes a journal with no turn in it."""
    if path is None:
        return ""
    try:
        load_resumable(path)
        if discard_if_empty(path):
            return "nothing was played, so nothing is kept"
        then = "resume` goes on with it"
    except NoSuchGame as gone:
        return f"the game is not kept: {gone}"
    except LaserboardError:  # it is over, or cannot be resumed
        then = f"games show {path.stem}` shows it"
    return f"kept in {_short(path)}\n`{program_name()} {then}"


def _short(path: Path) -> str:
    """With ~ for one's own folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def print_kept_game(path: Path | None, console: Console) -> None:
    """Tell whoever leaves."""
    note = kept_game_note(path)
    if note:
        console.note(note)


@asynccontextmanager
async def open_player_screen(
    console: Console, simulated_hands: bool
) -> AsyncIterator[PlayerScreen]:
    """A person at the terminal, which is as it was when they leave or stop the program."""
    front = PlayerScreen(console, simulated_hands)
    front.keys = open_terminal_keys(console.clock, front.leave_screen, front.enter_screen)
    try:
        yield front
    finally:
        front.keys.close()


class PlayerScreen:
    """One person's terminal; with an attendant, moves can be made from here."""

    keys: Keys

    def __init__(self, console: Console, simulated_hands: bool) -> None:
        self._console, self._keyboard = console, Keyboard(simulated_hands=simulated_hands)
        self._view_number = 0  # the board, the LEDs, or the camera's picture
        self._camera_text: tuple[float, tuple[int, int], str] = (-math.inf, (0, 0), "")
        self._messages = ScreenMessages()
        self._drawn: list[str] = []
        self.notes: tuple[str, ...] = ()  # for whoever asks for help

    def leave_screen(self) -> None:
        """Give the terminal back: the player leaves, or Ctrl-Z stops the program."""
        self._console.out.write(LEAVE_SCREEN)
        self._console.out.flush()
        self._console.hold_log(False)

    def enter_screen(self) -> None:
        self._console.hold_log(True)
        self._drawn = []
        self._console.out.write(ENTER_SCREEN)

    def add_message(self, sentence: str | Sentence) -> None:
        self._messages.add(str(sentence))

    async def run(
        self,
        loop: Loop,
        hand_operator: HandOperator | None = None,
        is_over: Callable[[], bool] = lambda: False,
        play_again: Callable[[], None] = lambda: None,
    ) -> None:
        """Until the person leaves, or something else is over; that is asked at every beat."""
        self.enter_screen()
        try:
            due_ms = 0.0
            while await loop.next_tick():
                if is_over():
                    return
                self._messages.update(loop.session)
                keys = self.keys.pressed()
                for key in keys:
                    if not self._press_key(key, loop, hand_operator, play_again):
                        return
                self._messages.update(loop.session)
                now_ms = loop.now_ms()
                if keys or now_ms >= due_ms:
                    due_ms = now_ms + REDRAW_MS
                    self._draw(loop, now_ms)
        finally:
            self.leave_screen()

    def _press_key(
        self,
        key: str,
        loop: Loop,
        hand_operator: HandOperator | None,
        play_again: Callable[[], None],
    ) -> bool:
        """Whether the person stays."""
        if key == "redraw":
            self._drawn = []
            return True
        if key == "V":
            self._view_number = (self._view_number + 1) % 3
            return True
        self._keyboard, intents = self._keyboard.press(key, loop.session)
        for intent in intents:
            now_ms = loop.now_ms()
            match intent:
                case Announce(sentence):
                    self.add_message(sentence)
                case PressFire(player):
                    button = FIRE[acting_player(loop.session) if player is None else player]
                    loop.dispatch(Pressed(button, now_ms))
                case MakeRequest(request, player, choice):
                    if player is None:
                        player = player_for_request(loop.session, request)
                    loop.dispatch(Requested(request, player, now_ms, choice))
                case MakeMove() | PutBack() | ResetPieces():
                    if hand_operator is not None:
                        hand_operator.enqueue(intent)
                case PlayAgain():
                    play_again()
                case Quit():
                    return False
                case _:
                    assert_never(intent)
        return True

    def _draw(self, loop: Loop, now_ms: float) -> None:
        lights = loop.devices.lights
        beam = None
        if lights.beam_turn is not None:
            steps = lights.beams_elapsed_ms(now_ms) / turn_step_ms(
                lights.beam_turn, LightEffects.NORMAL
            )
            beam = lights.beam_turn, 1 + int(steps)
        columns, rows = shutil.get_terminal_size()
        sight = self._board_replacement(loop, columns, rows, now_ms)
        said = self._messages.messages
        view = ScreenView(loop.session, self._keyboard, said, now_ms, beam, sight, self.notes)
        lines = render_screen(view, (columns, rows), self._console.colour)
        if lines != self._drawn:
            self._drawn = lines
            self._console.out.write(redraw(lines))
            self._console.out.flush()

    def _board_replacement(self, loop: Loop, columns: int, rows: int, now_ms: float) -> str:
        """What is to be seen in place of the board; nothing: the board."""
        lights, camera, colour = loop.devices.lights, loop.devices.camera, self._console.colour
        if self._view_number == 1 and (shown := lights.leds.shown()) is not None:
            return render_leds(shown, lights.layout, colour=colour, gamma=lights.gamma)
        frame = camera.latest()
        if self._view_number == 2 and frame is not None:
            room = (min(columns - FREE_COLUMNS, MOST_IMAGE_COLUMNS), rows - FREE_ROWS)
            taken_ms, size, text = self._camera_text
            if room != size or now_ms - taken_ms >= CAMERA_INTERVAL_MS:
                small = fit_to_terminal(frame.grey if frame.bgr is None else frame.bgr, *room)
                text = "\n".join(image_lines(small, colour=colour))
                self._camera_text = now_ms, room, text
            return text
        return ""
