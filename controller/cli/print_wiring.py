"""`laserboard print wiring`, `laserboard print parts` and `laserboard parts`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from controller.cli.command import Subcommands, add_command, add_own_board
from controller.cli.console import BadInput, Console
from engine.errors import did_you_mean, excerpt

if TYPE_CHECKING:
    from controller.building.parts import Bill

DRIVERS = ("pico", "spi", "wled")
SHEETS = ("plan", "above", "below", "connections", "power", "parts")


def add(commands: Subcommands) -> None:
    parts = add_command(
        commands,
        "parts",
        _parts,
        "what to buy for a board, what it costs, and the power that it needs",
        "  laserboard parts --board demo-10x8\n  laserboard parts --board ./mine.yaml --json",
        "Quantities, supply, fuses and wires are computed from the board file. Prices are rough.",
    )
    _add_board(parts)
    parts.add_argument("--json", action="store_true", help="for programs")


def add_sheets(sheets: Subcommands) -> None:
    from controller.cli.paper import add_paper

    wiring = add_command(
        sheets,
        "wiring",
        _print_wiring,
        "how a board is wired: plan, strips from above and below, every connection, power, parts",
        "  laserboard print wiring --board full-10x8\n"
        "  laserboard print wiring --board ./mine.yaml --driver spi --out wiring.svg",
        "The LEDs are numbered as the driver numbers them; `laserboard leds walk` shows the same on"
        " the board.",
    )
    _add_board(wiring)
    wiring.add_argument(
        "--only",
        metavar="SHEET,SHEET",
        default=",".join(SHEETS),
        help=f"which sheets (default {','.join(SHEETS)})",
    )
    add_paper(wiring, "wiring.pdf")
    parts = add_command(
        sheets,
        "parts",
        _print_parts,
        "what to buy for a board, as `laserboard parts` lists it",
        "  laserboard print parts --board paper-10x8",
    )
    _add_board(parts)
    add_paper(parts, "parts.pdf")


def _add_board(parser: argparse.ArgumentParser) -> None:
    add_own_board(parser)
    parser.add_argument(
        "--driver",
        choices=DRIVERS,
        help="what the LEDs hang on: a Pico, the Pi's SPI pins, or a WLED controller"
        " (default: by the url of the board's LEDs, else a Pico)",
    )


def _print_wiring(args: argparse.Namespace, console: Console) -> int:
    from controller.building.hookup import hookup
    from controller.cli.paper import paper_of, write_pages
    from controller.sheets.wiring import wiring_pages

    file, driver = _board(args)
    only = args.only.split(",")
    for name in only:
        if name not in SHEETS:
            raise BadInput(f"--only: there is no sheet {excerpt(name)}{did_you_mean(name, SHEETS)}")
    hooked = hookup(file, driver)
    pages = wiring_pages(hooked, _bill(args), paper_of(args), only)
    write_pages(pages, args, f"Wiring of {file.board.name}", console)
    return 0


def _print_parts(args: argparse.Namespace, console: Console) -> int:
    from controller.cli.paper import paper_of, write_pages
    from controller.sheets.wiring import parts_pages, power_pages

    bill = _bill(args)
    paper = paper_of(args)
    pages = [*parts_pages(bill, paper), *power_pages(bill, paper)]
    write_pages(pages, args, f"Parts of {bill.name}", console)
    return 0


def _parts(args: argparse.Namespace, console: Console) -> int:
    bill = _bill(args)
    console.print(json.dumps(_as_json(bill), indent=2) if args.json else _as_text(bill))
    return 0


def _board(args: argparse.Namespace) -> tuple[Any, Any]:
    from controller.building.hookup import Driver
    from controller.config import load_board_file, usual_board

    driver = None if args.driver is None else Driver(args.driver)
    return load_board_file(args.board or usual_board()), driver


def _bill(args: argparse.Namespace) -> Bill:
    from controller.building.parts import bill

    return bill(*_board(args))


def _as_text(bill: Bill) -> str:
    from controller.building.parts import TITLES
    from controller.sheets.wiring import power_lines

    told = []
    for group, title in TITLES.items():
        lines = [line for line in bill.lines if line.group == group]
        if not lines:
            told += [f"{bill.name}, {title}: nothing", ""]
            continue
        told += [f"{bill.name}, {title}:"]
        told += [f"  {each.quantity_text:>8}  {each.eur:7.2f} EUR  {each.name}" for each in lines]
        told += [f"  {'':8}  {bill.total_eur(group):7.2f} EUR", ""]
    if bill.hookup is not None:
        told += power_lines(bill)
        feeds = bill.hookup.power.feeds
        told += [
            f"  {feed.name:>3}: {feed.fuse_a:g} A fuse, {feed.wire}, {feed.length_mm / 1000:.2f} m,"
            f" to {bill.hookup.led_name(feed.at)} for LEDs {feed.first} to {feed.last}"
            for feed in feeds
        ]
    return "\n".join(told).rstrip()


def _as_json(bill: Bill) -> dict[str, Any]:
    from controller.building.parts import TITLES

    made: dict[str, Any] = {
        "board": bill.name,
        "parts": [asdict(line) | {"eur": line.eur} for line in bill.lines],
        "eur": {group or "buy": bill.total_eur(group) for group in TITLES},
        "power": None,
    }
    if bill.hookup is not None:
        power = bill.hookup.power
        made["driver"] = str(bill.hookup.driver)
        made["power"] = {
            **{
                key: getattr(power, key)
                for key in ("leds", "dark_ma", "worst_ma", "limit_ma", "supplies", "supply_a")
            },
            "typical_ma": dict(bill.typical_ma),
            "drop_v": round(power.drop_v, 3),
            "main": asdict(power.main),
            "feeds": [asdict(feed) for feed in power.feeds],
        }
    return made
