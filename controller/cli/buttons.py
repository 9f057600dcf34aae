"""`laserboard buttons test`: waits until each button was pressed once, and prints the presses."""

from __future__ import annotations

import argparse

from controller.cli.args.position import seconds_number
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.config import sentences
from controller.config.buttons import KEYS_HELP
from controller.devices.factory.inputs import open_buttons
from controller.ports.buttons import LONG_PRESS_MS
from controller.ports.devices import Buttons
from controller.ports.events import DeviceBack, DeviceLost, DeviceRemark
from controller.ui.console import Console

POLL_MS = 20.0
DEFAULT_URL = "gpio://"


def add(commands: Subcommands) -> None:
    buttons = add_command(
        commands,
        "buttons",
        _buttons,
        "test the buttons: press each once",
        "  laserboard buttons test\n"
        "  laserboard buttons test --board ./mine.yaml --seconds 30\n"
        "  laserboard buttons test --buttons keyboard://",
        "The test ends when every button was pressed, or with Ctrl-C. On the Pi a button is a"
        " switch between its pin and ground; `buttons.pins` in the board file sets the pins."
        " fire 0 belongs to the player at the near side (row 1), or at the left, if the players sit"
        " left and right; fire 1 to the other player. The referee button calls the referee. Pause,"
        f" or the power button, held for {LONG_PRESS_MS / 1000:g} s ends a game: as a service,"
        " the program then switches the Pi off (docs/installing.md). This test only prints it."
        f" On a keyboard: {KEYS_HELP}.",
    )
    buttons.add_argument("what", metavar="test", choices=["test"])
    add_buttons(buttons)
    buttons.add_argument(
        "--seconds",
        metavar="S",
        type=seconds_number,
        default=60.0,
        help="time limit of the test (default 60)",
    )


def add_buttons(parser: argparse.ArgumentParser) -> None:
    """`--buttons` and `--board`."""
    parser.add_argument(
        "--buttons",
        metavar="URL",
        help=f"{sentences.BUTTON_URLS()} (default: the board's, else {DEFAULT_URL})",
    )
    add_own_board(parser)


def buttons_from(args: argparse.Namespace, console: Console) -> Buttons:
    """Open the buttons of the command line, else of the board file."""
    from controller.config.board_file import default_board, load_board_file

    settings = load_board_file(args.board or default_board()).buttons
    url = args.buttons or settings.url or DEFAULT_URL
    return open_buttons(url, console.clock, settings)


def _buttons(args: argparse.Namespace, console: Console) -> int:
    buttons = buttons_from(args, console)
    try:
        return _test(buttons, args.seconds, console)
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
