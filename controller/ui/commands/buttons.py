"""Waits until each button was pressed once, and prints the presses."""

from __future__ import annotations

from controller.config.board_file import load_board_file
from controller.config.buttons import TESTED_URL
from controller.devices.factory.inputs import open_buttons
from controller.ports.devices import Buttons
from controller.ports.events import DeviceBack, DeviceLost, DeviceRemark
from controller.session.sentences import DEVICE_LOST, DEVICE_REMARK
from controller.ui.commands import sentences
from controller.ui.console import Console

POLL_MS = 20.0


def test_buttons(board: str, url: str | None, seconds: float, console: Console) -> int:
    """Open the buttons and wait for a press of each; 1: a button was not pressed.

    Without a URL, they are those of the board file.
    """
    settings = load_board_file(board).buttons
    buttons = open_buttons(url or settings.url or TESTED_URL, console.clock, settings)
    try:
        return _test(buttons, seconds, console)
    finally:
        buttons.close()


def _test(buttons: Buttons, seconds: float, console: Console) -> int:
    """The exit status: 0 if every button was pressed, else 1."""
    unseen = list(buttons.names)
    if not unseen:
        console.note(sentences.NO_BUTTONS(device=buttons.name))
        return 1
    names = tuple(unseen)
    if buttons.hint:
        console.print(
            sentences.PRESS_BUTTONS_HINT(device=buttons.name, buttons=names, hint=buttons.hint)
        )
    else:
        console.print(sentences.PRESS_BUTTONS(device=buttons.name, buttons=names))
    console.out.flush()
    start_ms = console.clock.now_ms()
    ended = False
    while unseen and not ended:
        ended = console.clock.now_ms() - start_ms >= 1000 * seconds
        for press in buttons.pressed():
            if press.button in unseen:
                unseen.remove(press.button)
            left = (
                sentences.STILL_TO_PRESS(buttons=tuple(unseen))
                if unseen
                else sentences.ALL_BUTTONS_WORK()
            )
            seconds_in = (press.at_ms - start_ms) / 1000
            console.print(f"{seconds_in:8.3f} s  {press.button:8}  {left}")
            console.out.flush()
        ended = _note_events(buttons, console) or ended
        if unseen and not ended:
            console.clock.wait_ms(POLL_MS)
    if unseen:
        console.note(sentences.NOT_PRESSED(buttons=tuple(unseen)))
    return 1 if unseen else 0


def _note_events(buttons: Buttons, console: Console) -> bool:
    """Print device events; returns whether the buttons are permanently lost."""
    over = False
    for event in buttons.events():
        match event:
            case DeviceRemark():
                console.note(DEVICE_REMARK(device=event.device, remark=event.sentence))
            case DeviceLost():
                console.note(DEVICE_LOST(device=event.device, reason=event.reason))
                over = over or event.is_permanent
            case DeviceBack():
                console.note(sentences.WORKS_AGAIN(device=event.device))
    return over
