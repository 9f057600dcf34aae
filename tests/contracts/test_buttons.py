"""The contract of all buttons: mock pins, a keyboard on a pty, a pipe, a script."""

from __future__ import annotations

import os
import pty
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from controller.config.buttons import BUTTON_BY_KEY, DEFAULT_PINS
from controller.devices.buttons import GpioButtons, KeyboardButtons, NullButtons, ScriptedButtons
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.debounce import DEBOUNCE_WINDOW_MS
from controller.ports.buttons import BUTTONS, LONG_PRESS_MS
from controller.ports.devices import Buttons
from controller.ports.events import Pressed
from tests.support.devices.fake_pins import Pins

TIMEOUT_MS = 20_000.0
Script = tuple[tuple[float, str], ...]  # time and button, at least 1 s apart

ALL: Script = tuple((1000.0 + 5000 * number, button) for number, button in enumerate(BUTTONS))
TURNS: Script = ((500.0, "fire 0"), (2000.0, "fire 1"), (4000.0, "fire 0"), (6000.0, "referee"))


@dataclass
class Table:
    """Buttons, and a way to press them by a script."""

    buttons: Buttons
    clock: ManualClock
    play: Callable[[str], None]  # presses a button now

    def wait_until(self, at_ms: float) -> None:
        self.clock.wait_ms(at_ms - self.clock.now_ms())

    def run(self, script: Script, look_ms: float = 50.0) -> list[Pressed]:
        """All presses while the script is played."""
        received: list[Pressed] = []
        for at_ms, button in script:
            while self.clock.now_ms() + look_ms < at_ms:
                self.clock.wait_ms(look_ms)
                received += self.buttons.pressed()
            self.wait_until(at_ms)
            self.play(button)
            received += self.arrived()
        self.clock.wait_ms(1000)
        return received + self.buttons.pressed()

    def arrived(self) -> list[Pressed]:
        """The presses now. A pty delivers keys in real time, not on our clock."""
        real = SystemClock()
        end_ms = real.now_ms() + (TIMEOUT_MS if isinstance(self.buttons, KeyboardButtons) else 0)
        while not (received := self.buttons.pressed()) and real.now_ms() < end_ms:
            real.wait_ms(1)
        return received


def on_pins(_: Script) -> Iterator[Table]:
    clock = ManualClock()
    pins = Pins(clock)
    buttons = GpioButtons(DEFAULT_PINS, clock, pins)

    def play(button: str) -> None:
        pin = pins.pin(DEFAULT_PINS[button])
        for change in (pin.drive_low, pin.drive_high, pin.drive_low):  # bounces
            change()
            clock.wait_ms(2)
        clock.wait_ms(LONG_PRESS_MS if button == "power" else 80)
        pin.drive_high()
        clock.wait_ms(DEBOUNCE_WINDOW_MS)

    yield Table(buttons, clock, play)
    buttons.close()


def on_a_terminal(_: Script) -> Iterator[Table]:
    keyboard, terminal = pty.openpty()
    buttons = KeyboardButtons(terminal, clock := ManualClock())
    keys = {button: key.encode() for key, button in BUTTON_BY_KEY.items()}
    yield Table(buttons, clock, lambda button: void(os.write(keyboard, keys[button])))
    buttons.close()
    for file in (keyboard, terminal):
        os.close(file)


def on_a_pipe(_: Script) -> Iterator[Table]:
    reading, writing = os.pipe()
    buttons = KeyboardButtons(reading, clock := ManualClock())
    yield Table(buttons, clock, lambda button: void(os.write(writing, f"{button}\n".encode())))
    buttons.close()
    for file in (reading, writing):
        os.close(file)


def in_a_script(script: Script) -> Iterator[Table]:
    clock = ManualClock()
    yield Table(ScriptedButtons(script, clock), clock, lambda _: None)


def void(_: object) -> None:
    """Discards a result in lambdas."""


KINDS = {"pins": on_pins, "terminal": on_a_terminal, "pipe": on_a_pipe, "script": in_a_script}
Opened = Callable[[Script], Table]


@pytest.fixture(params=KINDS)
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    tables = []

    def opening(script: Script) -> Table:
        made = KINDS[request.param](script)
        tables.append(made)
        return next(made)

    yield opening
    for made in tables:
        next(made, None)


def test_every_button_arrives_once_with_its_name(opened: Opened) -> None:
    table = opened(ALL)
    assert table.buttons.names == BUTTONS
    assert [each.button for each in table.run(ALL)] == list(BUTTONS)
    assert table.buttons.events() == []


def test_presses_arrive_in_order_with_their_time(opened: Opened) -> None:
    table = opened(TURNS)
    received = table.run(TURNS)
    assert [each.button for each in received] == [button for _, button in TURNS]
    for each, (at_ms, _) in zip(received, TURNS, strict=True):
        assert at_ms <= each.at_ms <= at_ms + 50


def test_without_a_press_polling_returns_no_event_and_does_not_block(opened: Opened) -> None:
    table = opened(())
    assert table.buttons.pressed() == []
    assert table.clock.now_ms() == 0
    table.clock.wait_ms(100_000)
    assert table.buttons.pressed() == []
    assert table.buttons.events() == []


def test_a_press_is_reported_once(opened: Opened) -> None:
    table = opened(TURNS[:1])
    assert len(table.run(TURNS[:1])) == 1
    assert table.buttons.pressed() == []


def test_a_press_is_kept_until_it_is_fetched(opened: Opened) -> None:
    table = opened(TURNS)
    for at_ms, button in TURNS:
        table.wait_until(at_ms)
        table.play(button)
    table.clock.wait_ms(10_000)
    real = SystemClock()
    received: list[Pressed] = []
    end_ms = real.now_ms() + TIMEOUT_MS
    while len(received) < len(TURNS) and real.now_ms() < end_ms:
        received += table.buttons.pressed()
    assert [each.button for each in received] == [button for _, button in TURNS]


def test_closed_buttons_report_nothing_and_may_be_closed_again(opened: Opened) -> None:
    table = opened(TURNS)
    table.wait_until(500)
    table.play("fire 0")
    table.buttons.close()
    table.buttons.close()
    table.clock.wait_ms(100_000)
    assert table.buttons.pressed() == []


def test_a_board_without_buttons_satisfies_the_contract() -> None:
    buttons: Buttons = NullButtons()
    assert (buttons.names, buttons.pressed(), buttons.events()) == ((), [], [])
    buttons.close()
