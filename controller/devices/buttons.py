"""Buttons on pins, on a keyboard, in a script, or none: each a `controller.ports.Buttons`.

Only the pins bounce, so only they go through `controller.press`. A pin's edges come on a thread of
its library, with the kernel's time of each; everything else happens inside `pressed`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from controller.button_settings import KEYS, KEYS_SHOWN, BadButtons
from controller.devices.character_mode import CharacterMode, Waiting
from controller.ports import Clock, DeviceEvent, DeviceLost, DeviceRemark, Pressed
from controller.press import BUTTONS, HELD, LONG_MS, Edge, Presses, pressed_by
from engine.errors import LaserboardError, excerpt

OLDEST_EDGE_MS = 1_000.0  # an edge cannot be older: then the kernel counts from another moment
MODEL = Path("/proc/device-tree/model")
ESCAPE_SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
END_OF_INPUT = "\x04"  # Ctrl-D
READ_BYTES = 4096
LONGEST_LINE = 4096


def open_pins(instead: str, error: type[LaserboardError], model: Path = MODEL) -> Any:
    """The Pi's pins, through lgpio alone: other libraries do not know every Pi.

    `instead` is what to use where there are none.
    """
    try:
        if "Raspberry Pi" not in model.read_text("utf-8", "replace"):
            raise error(f"not a Raspberry Pi: use {instead}")
    except OSError:
        raise error(f"not a Raspberry Pi: use {instead}") from None
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]

        return LGPIOFactory()
    except ImportError as missing:
        raise error(
            f"cannot use the pins: {missing}; `sudo apt install python3-lgpio`, or use {instead}"
        ) from None
    except Exception as bad:  # lgpio's own error has no base of its own
        # On import it makes a pipe in the current folder.
        raise error(
            f"cannot use the pins: {bad}; your user must be in the group gpio (`sudo adduser $USER"
            f" gpio`, then log in again) and the current folder writable, or use {instead}"
        ) from None


class GpioButtons:
    """Switches from a pin to ground each, on gpiozero's pins. The factory is given away."""

    name = "gpio://"

    def __init__(self, pins: Mapping[str, int], clock: Clock, factory: Any) -> None:
        from gpiozero import InputDevice  # type: ignore[import-untyped]

        self._clock, self._factory = clock, factory
        self._lock = threading.Lock()
        self._devices: dict[str, Any] = {}
        self._watchers: list[Any] = []  # gpiozero keeps only weak references
        self._events: list[DeviceEvent] = []
        self._edges = 0
        try:
            for button, pin in pins.items():
                self._devices[button] = InputDevice(pin, pull_up=True, pin_factory=factory)
        except Exception as bad:  # of gpiozero or of lgpio, which share no base
            self.close()
            raise BadButtons(
                f"button {button!r} on pin {pin}: {bad}; is another program using the pin?"
                " `buttons.pins` in the board file names another"
            ) from None
        self.names = pressed_by(pins)
        held = " or ".join(button for button in pins if button in HELD)
        self.hint = held and f"power = {held} held for {LONG_MS / 1000:g} s"
        closed = [button for button, device in self._devices.items() if device.is_active]
        self._presses = Presses(closed)
        for button in closed:
            sentence = (
                f"{button!r} is down already and counts once it was released: does it stick,"
                f" or is pin {pins[button]} wired to something else?"
            )
            self._events.append(DeviceRemark(self.name, sentence, clock.now_ms()))
        for button, device in self._devices.items():
            watcher = self._watcher(button)
            self._watchers.append(watcher)
            device.pin.edges = "both"
            device.pin.when_changed = watcher

    def pressed(self) -> list[Pressed]:
        # Read outside the lock: a callback that waits for it may hold a lock of gpiozero's.
        edges = self._edges
        active = {button: device.is_active for button, device in self._devices.items()}
        if not active:
            return []  # closed
        with self._lock:
            now_ms = self._clock.now_ms()
            if edges == self._edges:  # else what was read may be out of date
                for button, down in active.items():
                    # An edge that got lost must not leave pause down, and the Pi switched off.
                    if self._presses.closed(button) != down:
                        self._presses.edge(Edge(button, down, now_ms))
            return self._presses.told(now_ms)

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

    def _watcher(self, button: str) -> Any:
        factory = self._factory

        def changed(ticks: float, state: int) -> None:
            with self._lock:
                age_ms = 1000 * factory.ticks_diff(factory.ticks(), ticks)
                if not 0 <= age_ms <= OLDEST_EDGE_MS:
                    age_ms = 0.0
                self._edges += 1
                self._presses.edge(Edge(button, not state, self._clock.now_ms() - age_ms))

        return changed


class KeyboardButtons:
    """Keys of a terminal, or lines from anything else: a key or the name of a button in each."""

    name = "keyboard://"
    names = BUTTONS
    hint = KEYS_SHOWN

    def __init__(self, file: int, clock: Clock) -> None:
        self._clock, self._mode, self._waiting = clock, CharacterMode(file), Waiting(file)
        self._keys = self._mode.entered  # else lines
        self._begun = ""  # a line that has not ended
        self._ended = False
        self._events: list[DeviceEvent] = []

    def pressed(self) -> list[Pressed]:
        if self._ended:
            return []
        text, end = self._waiting.read()
        if self._keys:
            words, stopped = _keys(text)
            end = "the input has ended" if stopped else end
        else:
            words = self._lines(text, last=end is not None)
        now_ms, pressed = self._clock.now_ms(), []
        for word in words:
            button = KEYS.get(word.lower(), word.lower())
            if button in BUTTONS:
                pressed.append(Pressed(button, now_ms))
            else:
                self._events.append(
                    DeviceRemark(self.name, f"{excerpt(word)} is no button: {KEYS_SHOWN}", now_ms)
                )
        if end is not None:
            self._ended = True
            self._events.append(DeviceLost(self.name, end, now_ms, for_good=True))
        return pressed

    def events(self) -> list[DeviceEvent]:
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        self._ended = True
        self._mode.leave()

    def _lines(self, text: str, last: bool) -> list[str]:
        *lines, self._begun = (self._begun + text).split("\n")
        if last or len(self._begun) > LONGEST_LINE:
            lines.append(self._begun)
            self._begun = ""
        return [line.strip() for line in lines if line.strip()]


def _keys(text: str) -> tuple[list[str], bool]:
    """The keys that were typed, and whether Ctrl-D was. An arrow key is no letter."""
    typed, end, _ = ESCAPE_SEQUENCE.sub("", text).partition(END_OF_INPUT)
    return [key for key in typed if not key.isspace()], bool(end)


class ScriptedButtons:
    """Presses at moments that were written down, counted from when this was made."""

    name = "script://"
    names = BUTTONS
    hint = ""

    def __init__(self, script: Iterable[tuple[float, str]], clock: Clock) -> None:
        self._clock, start_ms = clock, clock.now_ms()
        pressed = [Pressed(button, start_ms + at_ms) for at_ms, button in script]
        self._left = sorted(pressed, key=lambda each: each.at_ms)
        for each in pressed:
            if each.button not in BUTTONS:
                raise BadButtons(f"{excerpt(each.button)} is no button: {', '.join(BUTTONS)}")

    def pressed(self) -> list[Pressed]:
        now_ms = self._clock.now_ms()
        due = [each for each in self._left if each.at_ms <= now_ms]
        self._left = self._left[len(due) :]
        return due

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        self._left = []


class NoButtons:
    """A board without buttons."""

    name = "none://"
    names = ()
    hint = ""

    def pressed(self) -> list[Pressed]:
        return []

    def events(self) -> list[DeviceEvent]:
        return []

    def close(self) -> None:
        """There is nothing to let go."""
