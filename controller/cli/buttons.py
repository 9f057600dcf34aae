"""`laserboard buttons test`: press each button once and see that it arrives."""

from __future__ import annotations

import argparse

from controller.button_settings import BUTTON_EXAMPLES, KEYS_SHOWN
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.cli.console import Console
from controller.cli.positions import seconds_number
from controller.ports import Buttons, DeviceBack, DeviceLost, DeviceRemark
from controller.press import LONG_MS
from controller.wiring import open_buttons

LOOK_MS = 20.0
DEFAULT_URL = "gpio://"


def add(commands: Subcommands) -> None:
    buttons = add_command(
        commands,
        "buttons",
        _buttons,
        "press each button once and see that it arrives",
        "  laserboard buttons test\n"
        "  laserboard buttons test --board ./mine.yaml --seconds 30\n"
        "  laserboard buttons test --buttons keyboard://",
        "It ends when every button was pressed, or by Ctrl-C. On the Pi a button is a switch"
        " between its pin and ground; `buttons.pins` in a board file says which pin is whose:"
        " fire 0 lies in front of whoever sits at the near side (row 1), or at the left where"
        " players sit left and right, fire 1 opposite. Referee calls the referee, in a game that"
        f" has one. Power is pause, or a button of its own, held for {LONG_MS / 1000:g} s: in a"
        " game the table says goodbye, the program ends, and the Pi is switched off where it runs"
        " as a service (docs/installing.md); here it is only told."
        f" On a keyboard: {KEYS_SHOWN}.",
    )
    buttons.add_argument("what", metavar="test", choices=["test"])
    add_buttons(buttons)
    buttons.add_argument(
        "--seconds", metavar="S", type=seconds_number, default=60.0, help="how long (default: 60)"
    )


def add_buttons(parser: argparse.ArgumentParser) -> None:
    """The arguments by which a command is told its buttons."""
    parser.add_argument(
        "--buttons",
        metavar="URL",
        help=f"{BUTTON_EXAMPLES} (default: the board's, else {DEFAULT_URL})",
    )
    add_own_board(parser)


def buttons_from(args: argparse.Namespace, console: Console) -> Buttons:
    """The buttons that the arguments name."""
    from controller.config import load_board_file, usual_board

    settings = load_board_file(args.board or usual_board()).buttons
    url = args.buttons or settings.url or DEFAULT_URL
    return open_buttons(url, console.clock, settings)


def _buttons(args: argparse.Namespace, console: Console) -> int:
    buttons = buttons_from(args, console)
    try:
        return _test(buttons, args.seconds, console)
    finally:
        buttons.close()


def _test(buttons: Buttons, seconds: float, console: Console) -> int:
    """0: every button was pressed, 1: some were not."""
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
            console.clock.wait_ms(LOOK_MS)
    if unseen:
        console.note(f"not pressed: {', '.join(unseen)}")
    return 1 if unseen else 0


def _note_events(buttons: Buttons, console: Console) -> bool:
    """Tell what happened; whether nothing more will come."""
    over = False
    for event in buttons.events():
        match event:
            case DeviceRemark():
                console.note(f"{event.device}: {event.sentence}")
            case DeviceLost():
                console.note(f"{event.device}: {event.reason}")
                over = over or event.for_good
            case DeviceBack():
                console.note(f"{event.device}: works again")
    return over
