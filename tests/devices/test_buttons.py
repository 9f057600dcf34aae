"""Buttons on pins, keyboards and in scripts, with their failures."""

from __future__ import annotations

import os
import pty
import sys
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.config.buttons import DEFAULT_PINS, KEYS_HELP, BadButtons
from controller.devices import sentences
from controller.devices.buttons import (
    MAX_EDGE_AGE_MS,
    GpioButtons,
    KeyboardButtons,
    ScriptedButtons,
    open_gpio,
)
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.debounce import DEBOUNCE_WINDOW_MS
from controller.ports.buttons import BUTTONS, LONG_PRESS_MS
from controller.ports.events import DeviceEvent, DeviceLost, DeviceRemark, Pressed
from controller.ports.sentences import problem_and_remedy
from tests.support.devices.fake_pins import Pins
from tests.support.engine.sentences import mentions, raises

# --- pins ---------------------------------------------------------------------------------------


class Board:
    """Buttons on mock pins."""

    def __init__(self, held: str | None = None) -> None:
        self.clock = ManualClock()
        self.pins = Pins(self.clock)
        if held is not None:
            self.pins.grounded.add(f"GPIO{DEFAULT_PINS[held]}")
        self.buttons = GpioButtons(DEFAULT_PINS, self.clock, self.pins)

    def down(self, button: str) -> None:
        self.pins.pin(DEFAULT_PINS[button]).drive_low()

    def up(self, button: str) -> None:
        self.pins.pin(DEFAULT_PINS[button]).drive_high()

    def after(self, duration_ms: float) -> list[Pressed]:
        self.clock.wait_ms(duration_ms)
        return self.buttons.pressed()


def test_a_pin_is_read_with_a_pull_up_and_pressed_at_ground() -> None:
    board = Board()
    for number in DEFAULT_PINS.values():
        pin = board.pins.pin(number)
        assert (pin.function, pin.pull, pin.bounce) == ("input", "up", None)
    board.down("fire 1")
    assert board.after(DEBOUNCE_WINDOW_MS) == [Pressed("fire 1", 0)]


def test_simultaneous_presses_of_both_players_count_in_order() -> None:
    board = Board()
    board.clock.wait_ms(10)
    board.down("fire 1")
    board.down("fire 0")
    assert board.after(100) == [Pressed("fire 1", 10), Pressed("fire 0", 10)]


def test_a_held_pause_button_is_pause_and_then_power() -> None:
    board = Board()
    board.down("pause")
    assert board.after(DEBOUNCE_WINDOW_MS) == [Pressed("pause", 0)]
    assert board.after(LONG_PRESS_MS) == [Pressed("power", LONG_PRESS_MS)]


def test_a_late_edge_keeps_its_timestamp() -> None:
    board = Board()
    board.pins.held_back = []
    board.clock.wait_ms(100)
    board.down("fire 0")
    board.clock.wait_ms(60)
    board.up("fire 0")
    board.clock.wait_ms(400)
    board.pins.let_go()
    (press,) = board.after(0)
    assert press.button == "fire 0"
    assert press.at_ms == pytest.approx(100)


def test_an_edge_with_an_invalid_timestamp_gets_the_current_time() -> None:
    """Old kernels use the time of day as timestamp of edges."""
    board = Board()
    board.clock.wait_ms(5)
    board.pins.held_back = []
    board.down("fire 0")
    board.clock.wait_ms(MAX_EDGE_AGE_MS + 1)
    board.pins.let_go()
    assert board.after(DEBOUNCE_WINDOW_MS) == [Pressed("fire 0", MAX_EDGE_AGE_MS + 6)]


def test_a_lost_release_does_not_switch_the_pi_off() -> None:
    board = Board()
    board.down("pause")
    assert board.after(100) == [Pressed("pause", 0)]
    board.pins.lose_edges = True
    board.up("pause")
    board.pins.lose_edges = False
    reported = [press for _ in range(200) for press in board.after(100)]
    assert reported == []
    board.down("pause")
    assert len(board.after(100)) == 1, "and the next press counts"


@pytest.mark.parametrize("held", [False, True])
def test_a_button_that_changes_while_the_pins_are_read_is_not_misread(held: bool) -> None:
    board = Board()
    if held:
        board.down("fire 0")
        board.after(500)

    def change() -> None:
        (board.up if held else board.down)("fire 0")
        board.clock.wait_ms(2 * DEBOUNCE_WINDOW_MS)  # the reading thread is interrupted

    board.pins.meanwhile = change
    start_ms = board.clock.now_ms()
    reported = [*board.after(0), *board.after(2 * DEBOUNCE_WINDOW_MS), *board.after(100)]
    assert reported == ([] if held else [Pressed("fire 0", start_ms)])


def test_a_button_held_at_the_start_is_a_remark_and_no_press() -> None:
    board = Board(held="pause")
    (remark,) = board.buttons.events()
    assert isinstance(remark, DeviceRemark)
    assert remark.sentence == sentences.BUTTON_DOWN(button="pause", pin=22)
    assert [press for _ in range(100) for press in board.after(LONG_PRESS_MS / 50)] == []
    board.pins.grounded.clear()
    board.up("pause")
    assert board.after(100) == []
    board.down("pause")
    assert [each.button for each in board.after(100)] == ["pause"]


def test_closing_releases_the_pins() -> None:
    board = Board()
    board.buttons.close()
    assert board.pins.closed
    assert GpioButtons(DEFAULT_PINS, board.clock, Pins(board.clock)).pressed() == []


def test_a_pin_in_use_is_named_and_the_others_are_released() -> None:
    from gpiozero import LED  # type: ignore[import-untyped]

    clock = ManualClock()
    pins = Pins(clock)
    lamp = LED(22, pin_factory=pins)
    with raises(BadButtons, sentences.IS_BUTTON_PIN_USED()) as caught:
        GpioButtons(DEFAULT_PINS, clock, pins)
    problem, _ = problem_and_remedy(caught.value.sentence)
    assert (problem.slots["button"], problem.slots["pin"]) == ("pause", 22)
    assert pins.closed
    assert not lamp.closed


def test_edges_from_another_thread_are_all_counted() -> None:
    board = Board()
    count = 200

    def press() -> None:
        for _ in range(count):
            for change in (board.down, board.up):
                change("fire 0")
                board.clock.wait_ms(60)

    finger = threading.Thread(target=press)
    finger.start()
    reported: list[Pressed] = []
    while finger.is_alive():
        reported += board.buttons.pressed()
    finger.join()
    assert len(reported + board.after(100)) == count


@pytest.mark.parametrize("model", [None, "Some other computer\0"])
def test_on_a_machine_without_gpio_the_error_names_the_alternative(
    model: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "model"
    if model is not None:
        path.write_text(model)
    with raises(BadButtons, sentences.NOT_A_PI(alternative="--buttons keyboard://")):
        open_gpio("--buttons keyboard://", BadButtons, path)


def test_a_pi_without_the_library_gets_installation_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model"
    path.write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with raises(BadButtons, sentences.INSTALL_LGPIO(alternative="--buttons keyboard://")):
        open_gpio("--buttons keyboard://", BadButtons, path)


# --- keyboard -----------------------------------------------------------------------------------


class Typist:
    """A pty with a keyboard; keys arrive with a delay."""

    def __init__(self) -> None:
        self.keyboard, self.terminal = pty.openpty()
        self.before = termios.tcgetattr(self.terminal)
        self.clock = ManualClock()
        self.buttons = KeyboardButtons(self.terminal, self.clock)

    def types(self, keys: bytes, fewest: int) -> tuple[list[str], list[DeviceEvent]]:
        """Type keys; returns presses and events once there are `fewest` in total."""
        os.write(self.keyboard, keys)
        real = SystemClock()
        reported: list[str] = []
        events: list[DeviceEvent] = []
        end_ms = real.now_ms() + 20_000
        while len(reported) + len(events) < fewest and real.now_ms() < end_ms:
            reported += [each.button for each in self.buttons.pressed()]
            events += self.buttons.events()
            real.wait_ms(1)
        return reported, events


@pytest.fixture
def typist() -> Iterator[Typist]:
    made = Typist()
    yield made
    made.buttons.close()
    for file in (made.keyboard, made.terminal):
        os.close(file)


def test_keys_count_without_return_in_upper_or_lower_case(typist: Typist) -> None:
    assert typist.types(b"aLp", 3) == (["fire 0", "fire 1", "pause"], [])


def test_arrow_keys_are_not_read_as_letters(typist: Typist) -> None:
    reported, events = typist.types(b"\x1b[A\x1bOA\x1b[1;5Ar", 1)
    assert (reported, events) == (["referee"], [])


def test_an_unknown_key_is_refused_with_the_list_of_keys(typist: Typist) -> None:
    reported, (remark,) = typist.types(b"x", 1)
    assert reported == []
    assert isinstance(remark, DeviceRemark)
    assert remark.sentence == sentences.NOT_A_BUTTON(word="'x'", known=KEYS_HELP)


def test_the_terminal_does_not_echo_accepts_ctrl_c_and_is_restored(typist: Typist) -> None:
    flags = termios.tcgetattr(typist.terminal)[3]
    assert not flags & (termios.ECHO | termios.ICANON)
    assert flags & termios.ISIG
    typist.buttons.close()
    assert termios.tcgetattr(typist.terminal) == typist.before


def test_ctrl_d_is_a_permanent_loss_of_the_keyboard(typist: Typist) -> None:
    reported, (lost,) = typist.types(b"a\x04p", 2)
    assert reported == ["fire 0"]
    assert isinstance(lost, DeviceLost)
    assert lost.is_permanent
    assert typist.buttons.pressed() == []


def piped(text: bytes, *more: bytes) -> tuple[list[str], list[DeviceEvent]]:
    reading, writing = os.pipe()
    buttons = KeyboardButtons(reading, ManualClock())
    reported = []
    for part in (text, *more):
        os.write(writing, part)
        reported += [each.button for each in buttons.pressed()]
    os.close(writing)
    reported += [each.button for each in buttons.pressed()]
    reported += [each.button for each in buttons.pressed()]
    events = buttons.events()
    buttons.close()
    os.close(reading)
    return reported, events


def test_lines_name_buttons_or_keys_and_the_end_of_the_input_is_reported_once() -> None:
    reported, events = piped(b"fire 1\n\n  A \npa", b"use\nreferee")
    assert reported == ["fire 1", "fire 0", "pause", "referee"]
    (lost,) = events
    assert isinstance(lost, DeviceLost)
    assert lost.is_permanent
    assert lost.reason == sentences.INPUT_ENDED()


def test_invalid_input_is_reported_and_ignored() -> None:
    reported, events = piped(b"\xff\xfe\n" + b"y" * 9000 + b"\n", b"p\n")
    assert reported == ["pause"]
    assert all(isinstance(event, DeviceRemark) for event in events[:-1])
    assert all(
        len(str(event.sentence)) < 200 for event in events if isinstance(event, DeviceRemark)
    )


def test_a_continuous_input_is_read_in_parts() -> None:
    with Path("/dev/zero").open("rb") as zeros:
        buttons = KeyboardButtons(zeros.fileno(), ManualClock())
        assert buttons.pressed() == []
        buttons.close()


def test_a_closed_input_is_a_permanent_loss() -> None:
    reading, writing = os.pipe()
    buttons = KeyboardButtons(reading, ManualClock())
    os.close(reading)
    os.close(writing)
    assert buttons.pressed() == []
    (lost,) = buttons.events()
    assert isinstance(lost, DeviceLost)
    assert lost.is_permanent
    assert mentions(lost.reason, sentences.INPUT_UNREADABLE)


# --- script -------------------------------------------------------------------------------------


def test_a_script_is_played_in_order_from_its_opening() -> None:
    clock = ManualClock()
    clock.wait_ms(500)
    buttons = ScriptedButtons([(20, "pause"), (10, "fire 1"), (10, "fire 0")], clock)
    clock.wait_ms(9.5)
    assert buttons.pressed() == []
    clock.wait_ms(0.5)
    assert buttons.pressed() == [Pressed("fire 1", 510), Pressed("fire 0", 510)]
    clock.wait_ms(1000)
    assert buttons.pressed() == [Pressed("pause", 520)]


def test_a_script_with_an_unknown_button_is_refused() -> None:
    with raises(BadButtons, sentences.NOT_A_BUTTON(word="'fire 7'", known=BUTTONS)):
        ScriptedButtons([(10, "fire 7")], ManualClock())
