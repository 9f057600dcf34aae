"""`laserboard print wiring`, `laserboard print parts` and `laserboard parts`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from controller.cli.command import Subcommands, add_command, add_own_board
from controller.ui.console import BadInput, Console
from engine.errors import did_you_mean, excerpt

if TYPE_CHECKING:
    from controller.builder.electrics.bill_of_materials import BillOfMaterials

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
    from controller.cli.args.paper import add_paper

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
    from controller.builder.electrics.connections import plan_wiring
    from controller.builder.printables.wiring import wiring_pages
    from controller.cli.args.paper import paper_from
    from controller.ui.commands.pages import write_pages

    file, driver = _board(args)
    only = args.only.split(",")
    for name in only:
        if name not in SHEETS:
            raise BadInput(f"--only: there is no sheet {excerpt(name)}{did_you_mean(name, SHEETS)}")
    wiring = plan_wiring(file, driver)
    pages = wiring_pages(wiring, _bill(args), paper_from(args), only)
    write_pages(pages, args.out, f"Wiring of {file.board.name}", console)
    return 0


def _print_parts(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.printables.wiring import parts_pages, power_pages
    from controller.cli.args.paper import paper_from
    from controller.ui.commands.pages import write_pages

    bill = _bill(args)
    paper = paper_from(args)
    pages = [*parts_pages(bill, paper), *power_pages(bill, paper)]
    write_pages(pages, args.out, f"Parts of {bill.name}", console)
    return 0


def _board(args: argparse.Namespace) -> tuple[Any, Any]:
    from controller.builder.electrics.connections import LedDriver
    from controller.config.board_file import load_board_file
    from controller.config.board_names import default_board

    driver = None if args.driver is None else LedDriver(args.driver)
    return load_board_file(args.board or default_board()), driver


def _bill(args: argparse.Namespace) -> BillOfMaterials:
    from controller.builder.electrics.bill_of_materials import make_bill

    return make_bill(*_board(args))


def _parts(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.bodies import list_parts

    return list_parts(_bill(args), console, as_json=args.json)
