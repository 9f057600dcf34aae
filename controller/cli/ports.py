"""`laserboard ports`: which serial ports there are, and which of them is a board of ours."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console
from controller.wiring import find_ports

NONE = (
    "no serial port found: plug the board in with a USB cable that carries data, not power alone;"
    " without a board, use --leds terminal:// or sim://"
)


def add(commands: Subcommands) -> None:
    add_command(
        commands,
        "ports",
        _ports,
        "list the serial ports and say which answers as a board of ours",
        "  laserboard ports\n  laserboard leds test --leds serial:///dev/ttyACM0",
        "Each port is opened and greeted. A port that another program holds says so.",
    )


def _ports(args: argparse.Namespace, console: Console) -> int:  # noqa: ARG001
    found = find_ports()
    for port in found:
        console.print(f"{'*' if port.board else ' '} serial://{port.path}  {port.said}")
    if not found:
        console.note(NONE)
    elif not any(port.board for port in found):
        console.note("no board of ours answers: is the firmware on it? see firmware/README.md")
    return 0
