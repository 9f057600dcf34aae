"""The players' screen and keyboard in a terminal, next to a running loop."""

from __future__ import annotations

import math
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import assert_never

from controller.devices.factory.inputs import open_terminal_keys
from controller.ports.keyboard import Keys
from controller.simulation.hand_operator import HandOperator
from controller.simulation.requests import MakeMove, ResetPieces
from controller.storage.games import NoSuchGame, discard_if_empty
from controller.table.loop import Loop
from controller.table.plan import load_resumable
from controller.ui.console import Console, program_name
from controller.ui.intents import (
    MakeRequest,
    NewGame,
    PressFire,
    PutBack,
    Quit,
    Reply,
    intent_event,
    put_back_request,
)
from controller.ui.terminal import sentences
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
CAMERA_INTERVAL_MS = 250.0  # between two camera images
MAX_IMAGE_COLUMNS = 180  # of a camera image; more would delay the loop
FREE_COLUMNS, FREE_ROWS = 26, 8  # beside and below a camera image


def kept_game_note(path: Path | None) -> Sentence | None:
    """Where the game is stored and how to resume it; deletes a journal without turns."""
    if path is None:
        return None
    try:
        load_resumable(path)
        if discard_if_empty(path):
            return sentences.NOTHING_STORED()
        return sentences.STORED_TO_RESUME(path=_short(path), program=program_name())
    except NoSuchGame as gone:
        return sentences.NOT_STORED(reason=gone.sentence)
    except LaserboardError:  # it is over, or cannot be resumed
        return sentences.STORED_TO_SHOW(path=_short(path), program=program_name(), game=path.stem)


def _short(path: Path) -> str:
    """The path with ~ for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def print_kept_game(path: Path | None, console: Console) -> None:
    note = kept_game_note(path)
    if note is not None:
        console.note(note)


@asynccontextmanager
async def open_player_screen(
    console: Console, simulated_hands: bool
) -> AsyncIterator[PlayerScreen]:
    """A screen with its keyboard; restores the terminal at the end and on Ctrl-Z."""
    screen = PlayerScreen(console, simulated_hands)
    screen.keys = open_terminal_keys(console.clock, screen.leave_screen, screen.enter_screen)
    try:
        yield screen
    finally:
        screen.keys.close()


class PlayerScreen:
    """One terminal. With simulated hands, moves can be made from here."""

    keys: Keys

    def __init__(self, console: Console, simulated_hands: bool) -> None:
        self._console, self._keyboard = console, Keyboard(simulated_hands=simulated_hands)
        self._view_number = 0  # 0: board, 1: LEDs, 2: camera image
        self._camera_text: tuple[float, tuple[int, int], str] = (-math.inf, (0, 0), "")
        self._messages = ScreenMessages()
        self._drawn: list[str] = []
        self.notes: tuple[Sentence, ...] = ()  # on the help page

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
        new_game: Callable[[NewGame], None] = lambda _: None,
    ) -> None:
        """Run until the player leaves or `is_over` returns True; it is called at every tick."""
        self.enter_screen()
        try:
            due_ms = 0.0
            while await loop.next_tick():
                if is_over():
                    return
                self._messages.update(loop.session)
                keys = self.keys.pressed()
                for key in keys:
                    if not self._press_key(key, loop, hand_operator, new_game):
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
        new_game: Callable[[NewGame], None],
    ) -> bool:
        """Handle a key; False if the player leaves."""
        if key == "redraw":
            self._drawn = []
            return True
        if key == "V":
            self._view_number = (self._view_number + 1) % 3
            return True
        self._keyboard, intents = self._keyboard.press(key, loop.session)
        for intent in intents:
            match intent:
                case Reply(sentence):
                    self.add_message(sentence)
                case PressFire() | MakeRequest():
                    loop.dispatch(intent_event(intent, loop.session, loop.now_ms()))
                case PutBack():
                    if hand_operator is not None:
                        hand_operator.enqueue(put_back_request(intent, loop.session))
                case MakeMove() | ResetPieces():
                    if hand_operator is not None:
                        hand_operator.enqueue(intent)
                case NewGame():
                    new_game(intent)
                case Quit():
                    return False
                case _:
                    assert_never(intent)
        return True

    def _draw(self, loop: Loop, now_ms: float) -> None:
        lights = loop.devices.lights
        beam = None
        if lights.beam_turn is not None:
            steps = lights.beams_elapsed_ms(now_ms) / lights.step_ms(lights.beam_turn)
            beam = lights.beam_turn, 1 + int(steps)
        columns, rows = shutil.get_terminal_size()
        replacement = self._board_replacement(loop, columns, rows, now_ms)
        messages = self._messages.messages
        view = ScreenView(
            loop.session, self._keyboard, messages, now_ms, beam, replacement, self.notes
        )
        lines = render_screen(view, (columns, rows), self._console.colour)
        if lines != self._drawn:
            self._drawn = lines
            self._console.out.write(redraw(lines))
            self._console.out.flush()

    def _board_replacement(self, loop: Loop, columns: int, rows: int, now_ms: float) -> str:
        """The LEDs or the camera image as text; empty to show the board."""
        lights, camera, colour = loop.devices.lights, loop.devices.camera, self._console.colour
        if self._view_number == 1 and (shown := lights.leds.shown()) is not None:
            return render_leds(shown, lights.layout, colour=colour, gamma=lights.gamma)
        frame = camera.latest()
        if self._view_number == 2 and frame is not None:
            size = (min(columns - FREE_COLUMNS, MAX_IMAGE_COLUMNS), rows - FREE_ROWS)
            rendered_ms, rendered_size, text = self._camera_text
            if size != rendered_size or now_ms - rendered_ms >= CAMERA_INTERVAL_MS:
                small = fit_to_terminal(frame.grey if frame.bgr is None else frame.bgr, *size)
                text = "\n".join(image_lines(small, colour=colour))
                self._camera_text = now_ms, size, text
            return text
        return ""
