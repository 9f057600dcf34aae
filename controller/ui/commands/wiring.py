"""`laserboard print wiring`, `print parts` and `parts`: the wiring of a board, and its parts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from controller.builder.electrics.bill_of_materials import (
    GROUP_TITLES,
    BillOfMaterials,
    bill_json,
    make_bill,
)
from controller.builder.electrics.connections import LedDriver, plan_wiring
from controller.builder.printables.wiring import parts_pages, power_notes, power_pages, wiring_pages
from controller.config.board_file import BoardFile, load_board_file
from controller.ui.commands import sentences
from controller.ui.commands.pages import SheetOutput, write_pages
from controller.ui.console import Console


@dataclass(frozen=True, slots=True)
class WiredBoard:
    """A board, and the device that drives its LEDs."""

    name: str
    driver_name: str | None  # of `LedDriver`; None: by the LED URL of the board file

    def load(self) -> BoardFile:
        return load_board_file(self.name)

    @property
    def driver(self) -> LedDriver | None:
        return None if self.driver_name is None else LedDriver(self.driver_name)

    def make_bill(self) -> BillOfMaterials:
        return make_bill(self.load(), self.driver)


def print_wiring(
    board: WiredBoard, only: Sequence[str], output: SheetOutput, console: Console
) -> int:
    """The named sheets: plan, strips from both sides, connections, power, parts."""
    file = board.load()
    wiring = plan_wiring(file, board.driver)
    pages = wiring_pages(wiring, board.make_bill(), output.paper, only)
    return write_pages(pages, output, str(sentences.WIRING_SHEET(board=file.board.name)), console)


def print_parts(board: WiredBoard, output: SheetOutput, console: Console) -> int:
    bill = board.make_bill()
    pages = [*parts_pages(bill, output.paper), *power_pages(bill, output.paper)]
    return write_pages(pages, output, str(sentences.PARTS_SHEET(board=bill.name)), console)


def list_parts(board: WiredBoard, console: Console, *, as_json: bool) -> int:
    """Print the bill of materials as text or JSON."""
    bill = board.make_bill()
    console.print(json.dumps(bill_json(bill), indent=2) if as_json else _as_text(bill))
    return 0


def _as_text(bill: BillOfMaterials) -> str:
    lines_of_text = []
    for group, title in GROUP_TITLES.items():
        lines = [line for line in bill.lines if line.group == group]
        if not lines:
            lines_of_text += [str(sentences.NO_PARTS(board=bill.name, group=title)), ""]
            continue
        lines_of_text += [str(sentences.PARTS(board=bill.name, group=title))]
        lines_of_text += [
            f"  {each.quantity_text:>8}  {each.eur:7.2f} EUR  {each.name}" for each in lines
        ]
        lines_of_text += [f"  {'':8}  {bill.total_eur(group):7.2f} EUR", ""]
    if bill.wiring is not None:
        lines_of_text += map(str, power_notes(bill))
        feeds = bill.wiring.power.feeds
        for feed in feeds:
            line = sentences.FEED(
                name=feed.name,
                fuse_a=float(feed.fuse_a),
                wire=str(feed.wire),
                length_m=f"{feed.length_mm / 1000:.2f}",
                led=bill.wiring.led_name(feed.at),
                first=feed.first,
                last=feed.last,
            )
            lines_of_text.append(f"  {line}")
    return "\n".join(lines_of_text).rstrip()
