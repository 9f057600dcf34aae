"""Buttons on GPIO pins, on a keyboard, in a script, or none: each a `ports.devices.Buttons`.

Only pins bounce, so only they are debounced (`devices/debounce.py`). gpiozero reports the edges of
a pin in its own thread with the kernel's timestamps; everything else happens in `pressed`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from controller.config.buttons import BUTTON_BY_KEY, KEYS_HELP, BadButtons
from controller.devices import sentences
from controller.devices.cbreak import CbreakMode, NonBlockingInput
from controller.devices.debounce import HELD_PRESS, ContactEdge, Debouncer, possible_presses
from controller.ports.buttons import BUTTONS, LONG_PRESS_MS
from controller.ports.devices import Clock
from controller.ports.events import DeviceEvent, DeviceLost, DeviceRemark, Pressed
from controller.ports.sentences import REMEDY
from controller.session.sentences import join_or
from engine.errors import LaserboardError, excerpt
from engine.sentences import Sentence

MAX_EDGE_AGE_MS = 1_000.0  # an older timestamp was taken from another kernel clock
MODEL_FILE = Path("/proc/device-tree/model")
ESCAPE_SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
END_OF_INPUT = "\x04"  # Ctrl-D
READ_BYTES = 4096
MAX_LINE_CHARS = 4096


def open_gpio(alternative: str, error_type: type[LaserboardError], model: Path = MODEL_FILE) -> Any:
    """The pins of the Pi, through lgpio, the only library that knows every Pi.

    `alternative` completes the error message on a machine without pins.
    """
    try:
        if "Raspberry Pi" not in model.read_text("utf-8", "replace"):
            raise error_type(sentences.NOT_A_PI(alternative=alternative))
    except OSError as error:
        raise error_type(sentences.NOT_A_PI(alternative=alternative)) from error
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]

        return LGPIOFactory()
    except ImportError as missing:
        raise error_type(
            REMEDY(
                problem=sentences.PINS_UNUSABLE(reason=str(missing)),
                remedy=sentences.INSTALL_LGPIO(alternative=alternative),
            )
        ) from missing
    except Exception as error:  # lgpio.error derives from Exception
        # On import lgpio makes a pipe in the current folder, which may be read-only.
        raise error_type(
            REMEDY(
                problem=sentences.PINS_UNUSABLE(reason=str(error)),
                remedy=sentences.JOIN_GPIO_GROUP(alternative=alternative),
            )
        ) from error


class GpioButtons:
    """Switches between a pin and ground. Owns the pin factory."""

    name = "gpio://"

    def __init__(self, pins: Mapping[str, int], clock: Clock, factory: Any) -> None:
        from gpiozero import InputDevice  # type: ignore[import-untyped]

        self._clock, self._factory = clock, factory
        self._lock = threading.Lock()
        self._devices: dict[str, Any] = {}
        self._edge_callbacks: list[Any] = []  # gpiozero itself keeps only weak references
        self._events: list[DeviceEvent] = []
        self._edge_count = 0
        try:
            for button, pin in pins.items():
                self._devices[button] = InputDevice(pin, pull_up=True, pin_factory=factory)
        except Exception as error:  # the errors of gpiozero and lgpio share no base class
            self.close()
            problem = sentences.BUTTON_FAULT(button=button, pin=pin, reason=str(error))
            raise BadButtons(
                REMEDY(problem=problem, remedy=sentences.IS_BUTTON_PIN_USED())
            ) from error
        self.names = possible_presses(pins)
        held = [button for button in pins if button in HELD_PRESS]
        self.hint: str | Sentence = (
            sentences.POWER_HELD(buttons=join_or(held), seconds=LONG_PRESS_MS / 1000)
            if held
            else ""
        )
        closed = [button for button, device in self._devices.items() if device.is_active]
        self._debouncer = Debouncer(closed)
        for button in closed:
            sentence = sentences.BUTTON_DOWN(button=button, pin=pins[button])
            self._events.append(DeviceRemark(self.name, sentence, clock.now_ms()))
        for button, device in self._devices.items():
            watcher = self._make_edge_callback(button)
            self._edge_callbacks.append(watcher)
            device.pin.edges = "both"
            device.pin.when_changed = watcher

    def pressed(self) -> list[Pressed]:
        # Outside the lock: a callback that waits for `_lock` may hold a lock of gpiozero.
        edges = self._edge_count
        active = {button: device.is_active for button, device in self._devices.items()}
        if not active:
            return []  # closed
        with self._lock:
            now_ms = self._clock.now_ms()
            if edges == self._edge_count:  # else `active` may be outdated
                for button, down in active.items():
                    # A lost edge must not keep pause down: that would switch the Pi off.
                    if self._debouncer.is_closed(button) != down:
                        self._debouncer.add_edge(ContactEdge(button, down, now_ms))
            return self._debouncer.take_presses(now_ms)

    def events(self) -> list[DeviceEvent]:
        with self._lock:
            events, self._events = self._events, []
            return events

    def close(self) -> None:
        devices, self._devices = self._devices, {}
        for device in devices.values():
            device.pin.when_changed = None
            device.close()
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    def _make_edge_callback(self, button: str) -> Any:
        factory = self._factory

        def changed(ticks: float, state: int) -> None:
            with self._lock:
                age_ms = 1000 * factory.ticks_diff(factory.ticks(), ticks)
                if not 0 <= age_ms <= MAX_EDGE_AGE_MS:
                    age_ms = 0.0
                self._edge_count += 1
                self._debouncer.add_edge(
                    ContactEdge(button, not state, self._clock.now_ms() - age_ms)
                )

        return changed


class KeyboardButtons:
    """Keys of a terminal, or lines of a pipe: a key or the name of a button on each."""

    name = "keyboard://"
    names = BUTTONS
    hint = KEYS_HELP

    def __init__(self, file: int, clock: Clock) -> None:
        self._clock, self._cbreak, self._input = clock, CbreakMode(file), NonBlockingInput(file)
        self._is_terminal = self._cbreak.is_active  # else a pipe with lines
        self._partial_line = ""  # up to the next newline
        self._ended = False
        self._events: list[DeviceEvent] = []

    def pressed(self) -> list[Pressed]:
        if self._ended:
            return []
        text, end = self._input.read()
        if self._is_terminal:
            words, stopped = _split_keys(text)
            end = sentences.INPUT_ENDED() if stopped else end
        else:
            words = self._complete_lines(text, last=end is not None)
        now_ms, pressed = self._clock.now_ms(), []
        for word in words:
            button = BUTTON_BY_KEY.get(word.lower(), word.lower())
            if button in BUTTONS:
                pressed.append(Pressed(button, now_ms))
            else:
                sentence = sentences.NOT_A_BUTTON(word=excerpt(word), known=KEYS_HELP)
                self._events.append(DeviceRemark(self.name, sentence, now_ms))
        if end is not None:
            self._ended = True
            self._events.append(DeviceLost(self.name, end, now_ms, is_permanent=True))
        return pressed

    def events(self) -> list[DeviceEvent]:
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        self._ended = True
        self._cbreak.leave()

    def _complete_lines(self, text: str, last: bool) -> list[str]:
        *lines, self._partial_line = (self._partial_line + text).split("\n")
        if last or len(self._partial_line) > MAX_LINE_CHARS:
            lines.append(self._partial_line)
            self._partial_line = ""
        return [line.strip() for line in lines if line.strip()]


def _split_keys(text: str) -> tuple[list[str], bool]:
    """The typed keys without escape sequences, and whether Ctrl-D was typed."""
    typed, end, _ = ESCAPE_SEQUENCE.sub("", text).partition(END_OF_INPUT)
    return [key for key in typed if not key.isspace()], bool(end)


class ScriptedButtons:
    """Presses at given times after the start."""

    name = "script://"
    names = BUTTONS
    hint = ""

    def __init__(self, script: Iterable[tuple[float, str]], clock: Clock) -> None:
        self._clock, start_ms = clock, clock.now_ms()
        pressed = [Pressed(button, start_ms + at_ms) for at_ms, button in script]
        self._pending = sorted(pressed, key=lambda each: each.at_ms)
        for each in pressed:
            if each.button not in BUTTONS:
                word = excerpt(each.button)
                raise BadButtons(sentences.NOT_A_BUTTON(word=word, known=tuple(BUTTONS)))

    def pressed(self) -> list[Pressed]:
        now_ms = self._clock.now_ms()
        due = [each for each in self._pending if each.at_ms <= now_ms]
        self._pending = self._pending[len(due) :]
        return due

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._pending = []


class NullButtons:
    """A board without buttons."""

    name = "none://"
    names = ()
    hint = ""

    def pressed(self) -> list[Pressed]:
        return []

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        """Does nothing."""
