"""`laserboard buttons test`: waits until each button was pressed once, and prints the presses."""

from __future__ import annotations

import argparse

from controller.cli.args.position import seconds_number
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.config import sentences
from controller.config.board_names import default_board
from controller.config.buttons import KEYS_HELP, TESTED_URL
from controller.ports.buttons import LONG_PRESS_MS
from controller.ui.console import Console


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
        f" or the power button, held for {LONG_PRESS_MS / 1000:g} s ends the program; the game is"
        " stored. As a service it then switches the Pi off (docs/installing.md). This test only"
        " prints it."
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
        help=f"{sentences.BUTTON_URLS()} (default: the board's, else {TESTED_URL})",
    )
    add_own_board(parser)


def _buttons(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.buttons import test_buttons

    return test_buttons(args.board or default_board(), args.buttons, args.seconds, console)
