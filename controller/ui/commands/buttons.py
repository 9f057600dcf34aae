"""Waits until each button was pressed once, and prints the presses."""

from __future__ import annotations

from controller.config.board_file import load_board_file
from controller.config.buttons import TESTED_URL
from controller.devices.factory.inputs import open_buttons
from controller.ports.devices import Buttons
from controller.ports.events import DeviceBack, DeviceLost, DeviceRemark
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
        console.note(f"{buttons.name}: there are no buttons to test")
        return 1
    hint = f" ({buttons.hint})" if buttons.hint else ""
    console.print(f"{buttons.name}: press {', '.join(unseen)}{hint}")
    console.out.flush()
    start_ms = console.clock.now_ms()
    ended = False
    while unseen and not ended:
        ended = console.clock.now_ms() - start_ms >= 1000 * seconds
        for press in buttons.pressed():
            if press.button in unseen:
                unseen.remove(press.button)
            left = f"still to press: {', '.join(unseen)}" if unseen else "every button works"
            seconds_in = (press.at_ms - start_ms) / 1000
            console.print(f"{seconds_in:8.3f} s  {press.button:8}  {left}")
            console.out.flush()
        ended = _note_events(buttons, console) or ended
        if unseen and not ended:
            console.clock.wait_ms(POLL_MS)
    if unseen:
        console.note(f"not pressed: {', '.join(unseen)}")
    return 1 if unseen else 0


def _note_events(buttons: Buttons, console: Console) -> bool:
    """Print device events; returns whether the buttons are permanently lost."""
    over = False
    for event in buttons.events():
        match event:
            case DeviceRemark():
                console.note(f"{event.device}: {event.sentence}")
            case DeviceLost():
                console.note(f"{event.device}: {event.reason}")
                over = over or event.is_permanent
            case DeviceBack():
                console.note(f"{event.device}: works again")
    return over
