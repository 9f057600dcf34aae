"""The wiring of a board as sheets: the plan, the strips from both sides, tables of it all."""

from __future__ import annotations

from collections.abc import Sequence

from controller.building.hookup import Hookup
from controller.building.parts import TITLES, Bill
from controller.building.power import MAIN_MM, percent
from controller.sheets.page import Page, Paper
from controller.sheets.plan import plan_page
from controller.sheets.strips import strips_page
from controller.sheets.table import Column, table_pages

CONNECTIONS = (
    Column("", 0.3, "end"),
    Column("from", 2.3),
    Column("to", 2.3),
    Column("colour", 1.25),
    Column("wire", 1.3),
    Column("length", 0.7, "end"),
    Column("", 2.6),
)
PARTS = (
    Column("", 0.7, "end"),
    Column("part", 3.6),
    Column("what for", 2.7),
    Column("each", 0.7, "end"),
    Column("EUR", 0.7, "end"),
    Column("", 3.4),
)


def wiring_pages(hooked: Hookup, bill: Bill, paper: Paper, only: Sequence[str]) -> list[Page]:
    """The sheets of these names: plan, above, below, connections, power, parts."""
    pages: list[Page] = []
    for name in only:
        match name:
            case "plan":
                pages.append(plan_page(hooked, paper))
            case "above" | "below":
                pages.append(strips_page(hooked, paper, below=name == "below"))
            case "connections":
                pages += connection_pages(hooked, paper)
            case "power":
                pages += power_pages(bill, paper)
            case "parts":
                pages += parts_pages(bill, paper)
            case _:
                raise ValueError(f"no sheet is called {name!r}")
    return pages


def connection_pages(hooked: Hookup, paper: Paper) -> list[Page]:
    rows = []
    for number, each in enumerate(hooked.connections(), 1):
        length = "" if each.length_mm is None else f"{each.length_mm / 1000:.2f} m"
        size = "" if each.wire is None else str(each.wire)
        rows.append([str(number), each.start, each.end, each.colour, size, length, each.remark])
    below = "tick off what is done; lengths are from the fuse box, with some to spare"
    return table_pages(f"{hooked.layout.board.name}: connections", below, CONNECTIONS, rows, paper)


def power_pages(bill: Bill, paper: Paper) -> list[Page]:
    hooked = bill.hookup
    if hooked is None:
        return []
    power = hooked.power
    columns = (
        Column("feed", 0.6),
        Column("at", 1.2),
        Column("for LEDs", 1.2),
        Column("at most", 1, "end"),
        Column("fuse", 0.8, "end"),
        Column("wire", 1.4, "end"),
        Column("length", 0.9, "end"),
        Column("lost on the way", 1.4, "end"),
    )
    rows = [
        [
            feed.name,
            hooked.led_name(feed.at),
            f"{feed.first} to {feed.last}",
            f"{feed.ma / 1000:.2f} A",
            f"{feed.fuse_a:g} A",
            str(feed.wire),
            f"{feed.length_mm / 1000:.2f} m",
            f"{feed.drop_v:.2f} V ({percent(feed.drop_v):.1f} %)",
        ]
        for feed in power.feeds
    ]
    below = "computed by the code that keeps every picture to the limit"
    return table_pages(
        f"{hooked.layout.board.name}: power", below, columns, rows, paper, last=power_lines(bill)
    )


def power_lines(bill: Bill) -> list[str]:
    """The budget in sentences."""
    assert bill.hookup is not None
    power = bill.hookup.power
    many = f"{power.supplies} supplies of " if power.supplies > 1 else "Supply: "
    measured = ", ".join(f"{name} {ma} mA" for name, ma in bill.typical_ma.items())
    return [
        f"{many}5 V, {power.supply_a} A; main wires {power.main}, {MAIN_MM / 1000:g} m, which lose"
        f" {power.main_drop_v:.2f} V.",
        f"{power.leds} LEDs take {power.worst_ma / 1000:.1f} A if all are white; the limit of"
        f" leds.ma_limit keeps them to {power.limit_ma / 1000:g} A. Dark they take"
        f" {power.dark_ma} mA.",
        f"Measured on real pictures, at their brightest: {measured}.",
        f"On the way to the worst placed feed {power.drop_v:.2f} V are lost"
        f" ({percent(power.drop_v):.1f} % of 5 V; 5 % are allowed): copper at 20 degrees, there and"
        " back.",
        "A fuse is loaded to 80 % at most, and every wire carries more than its fuse lets through.",
    ]


def parts_pages(bill: Bill, paper: Paper) -> list[Page]:
    rows: list[list[str]] = []
    headings = set()
    for group, title in TITLES.items():
        lines = [line for line in bill.lines if line.group == group]
        if lines:
            total = f"{bill.total_eur(group):.2f}"
            headings.add(len(rows))
            rows.append(["", title.upper(), "", "", total, "EUR, all of the following"])
        for line in lines:
            each = f"{line.eur_each:.3g}" if 0 < line.eur_each < 0.1 else f"{line.eur_each:.2f}"
            rows.append([
                line.quantity_text, line.name, line.what_for, each, f"{line.eur:.2f}", line.note,
            ])  # fmt: skip
    below = "quantities for this board file; prices are rough, of 2026, without postage"
    return table_pages(f"{bill.name}: parts", below, PARTS, rows, paper, headings=headings)
