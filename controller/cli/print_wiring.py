"""`laserboard print wiring`, `laserboard print parts` and `laserboard parts`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.paper import add_paper, sheet_output
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.config.board_names import default_board
from controller.ui.console import BadInput, Console
from engine.errors import did_you_mean, excerpt

if TYPE_CHECKING:
    from controller.ui.commands.wiring import WiredBoard

DRIVERS = ("pico", "spi", "wled")
SHEETS = ("plan", "above", "below", "connections", "power", "parts")


def add(commands: Subcommands) -> None:
    parts = add_command(
        commands,
        "parts",
        _parts,
        "list the parts of a board, their cost, and the power that it needs",
        "  laserboard parts --board demo-10x8\n  laserboard parts --board ./mine.yaml --json",
        "Quantities, supply, fuses and wires are computed from the board file. Prices are "
        "estimates.",
    )
    _add_board(parts)
    parts.add_argument("--json", action="store_true", help="print JSON")


def add_sheets(sheets: Subcommands) -> None:
    wiring = add_command(
        sheets,
        "wiring",
        _print_wiring,
        "print the wiring of a board: plan, strips from both sides, connections, power, parts",
        "  laserboard print wiring --board full-10x8\n"
        "  laserboard print wiring --board ./mine.yaml --driver spi --out wiring.svg",
        "LEDs have the numbers of the driver; `laserboard leds walk` shows the same on the board.",
    )
    _add_board(wiring)
    wiring.add_argument(
        "--only",
        metavar="SHEET,SHEET",
        default=",".join(SHEETS),
        help=f"the sheets to print (default {','.join(SHEETS)})",
    )
    add_paper(wiring, "wiring.pdf")
    parts = add_command(
        sheets,
        "parts",
        _print_parts,
        "print the list of `laserboard parts`",
        "  laserboard print parts --board paper-10x8",
    )
    _add_board(parts)
    add_paper(parts, "parts.pdf")


def _add_board(parser: argparse.ArgumentParser) -> None:
    add_own_board(parser)
    parser.add_argument(
        "--driver",
        choices=DRIVERS,
        help="device that drives the LEDs: a Pico, the Pi's SPI pins, or a WLED controller"
        " (default: by the LED URL of the board file, else a Pico)",
    )


def _print_wiring(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.wiring import print_wiring

    only = args.only.split(",")
    for name in only:
        if name not in SHEETS:
            raise BadInput(f"--only: there is no sheet {excerpt(name)}{did_you_mean(name, SHEETS)}")
    return print_wiring(_wired_board(args), only, sheet_output(args), console)


def _print_parts(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.wiring import print_parts

    return print_parts(_wired_board(args), sheet_output(args), console)


def _parts(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.wiring import list_parts

    return list_parts(_wired_board(args), console, as_json=args.json)


def _wired_board(args: argparse.Namespace) -> WiredBoard:
    from controller.ui.commands.wiring import WiredBoard

    return WiredBoard(args.board or default_board(), args.driver)
