"""Wiring sheets of a board: plan, LED strips from both sides, and tables."""

from __future__ import annotations

from collections.abc import Sequence

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.bill_of_materials import GROUP_TITLES, BillOfMaterials
from controller.builder.electrics.connections import BoardWiring
from controller.builder.electrics.power import MAIN_WIRE_MM, percent_of_supply
from controller.builder.electrics.typical_load import TypicalPicture
from controller.builder.printables.led_strips import led_strips_page
from controller.builder.printables.table import Column, table_pages
from controller.builder.printables.wiring_plan import wiring_plan_page
from engine.draw.page import Page, Paper
from engine.sentences import Sentence, plain

CONNECTION_COLUMNS = (
    Column(plain(""), 0.3, "end"),
    Column(sentences.COLUMN_FROM(), 2.3),
    Column(sentences.COLUMN_TO(), 2.3),
    Column(sentences.COLUMN_COLOUR(), 1.25),
    Column(sentences.COLUMN_WIRE(), 1.3),
    Column(sentences.COLUMN_LENGTH(), 0.7, "end"),
    Column(plain(""), 2.6),
)
PART_COLUMNS = (
    Column(plain(""), 0.7, "end"),
    Column(sentences.COLUMN_PART(), 3.6),
    Column(sentences.COLUMN_PURPOSE(), 2.7),
    Column(sentences.COLUMN_EACH(), 0.7, "end"),
    Column(sentences.COLUMN_EUR(), 0.7, "end"),
    Column(plain(""), 3.4),
)
_PICTURE_NAMES = {
    TypicalPicture.NO_GAME: sentences.PICTURE_NO_GAME(),
    TypicalPicture.WINNER: sentences.PICTURE_WINNER(),
    TypicalPicture.BEAM: sentences.PICTURE_BEAM(),
}


def wiring_pages(
    wiring: BoardWiring, bill: BillOfMaterials, paper: Paper, only: Sequence[str]
) -> list[Page]:
    """The sheets named in `only`: plan, above, below, connections, power, parts."""
    pages: list[Page] = []
    for name in only:
        match name:
            case "plan":
                pages.append(wiring_plan_page(wiring, paper))
            case "above" | "below":
                pages.append(led_strips_page(wiring, paper, below=name == "below"))
            case "connections":
                pages += connection_pages(wiring, paper)
            case "power":
                pages += power_pages(bill, paper)
            case "parts":
                pages += parts_pages(bill, paper)
            case _:
                raise ValueError(f"no sheet is called {name!r}")
    return pages


def connection_pages(wiring: BoardWiring, paper: Paper) -> list[Page]:
    rows = []
    for number, each in enumerate(wiring.connections(), 1):
        length = "" if each.length_mm is None else f"{each.length_mm / 1000:.2f} m"
        size = "" if each.wire is None else str(each.wire)
        remark = "" if each.remark is None else str(each.remark)
        ends = str(each.start), str(each.end), str(each.colour)
        rows.append([str(number), *ends, size, length, remark])
    title = sentences.CONNECTIONS_TITLE(board=wiring.layout.board.name)
    subtitle = sentences.CONNECTIONS_SUBTITLE()
    return table_pages(str(title), str(subtitle), CONNECTION_COLUMNS, rows, paper)


def power_pages(bill: BillOfMaterials, paper: Paper) -> list[Page]:
    wiring = bill.wiring
    if wiring is None:
        return []
    columns = (
        Column(sentences.COLUMN_FEED(), 0.6),
        Column(sentences.COLUMN_AT(), 1.2),
        Column(sentences.COLUMN_LEDS(), 1.2),
        Column(sentences.COLUMN_MAXIMUM(), 1, "end"),
        Column(sentences.COLUMN_FUSE(), 0.8, "end"),
        Column(sentences.COLUMN_WIRE(), 1.4, "end"),
        Column(sentences.COLUMN_LENGTH(), 0.9, "end"),
        Column(sentences.COLUMN_DROP(), 1.4, "end"),
    )
    rows = [
        [
            feed.name,
            str(wiring.led_name(feed.at)),
            str(sentences.LED_RANGE(first=feed.first, last=feed.last)),
            f"{feed.ma / 1000:.2f} A",
            f"{feed.fuse_a:g} A",
            str(feed.wire),
            f"{feed.length_mm / 1000:.2f} m",
            f"{feed.drop_v:.2f} V ({percent_of_supply(feed.drop_v):.1f} %)",
        ]
        for feed in wiring.power.feeds
    ]
    return table_pages(
        str(sentences.POWER_TITLE(board=wiring.layout.board.name)),
        str(sentences.POWER_SUBTITLE()),
        columns,
        rows,
        paper,
        notes=[str(note) for note in power_notes(bill)],
    )


def power_notes(bill: BillOfMaterials) -> list[Sentence]:
    """The power budget in sentences."""
    assert bill.wiring is not None
    power = bill.wiring.power
    main: dict[str, str | int] = {
        "supply_a": power.supply_a,
        "wire": str(power.main_wire),
        "metres": f"{MAIN_WIRE_MM / 1000:g}",
        "drop_v": f"{power.main_drop_v:.2f}",
    }
    return [
        sentences.SUPPLY_NOTE(**main)
        if power.supplies == 1
        else sentences.SUPPLIES_NOTE(count=power.supplies, **main),
        sentences.LIMIT_NOTE(
            leds=power.leds,
            worst_a=f"{power.worst_ma / 1000:.1f}",
            limit_a=power.limit_ma / 1000,
            dark_ma=power.dark_ma,
        ),
        sentences.MEASURED_NOTE(
            pictures=tuple(
                sentences.PICTURE_MA(picture=_PICTURE_NAMES[picture], ma=ma)
                for picture, ma in bill.typical_ma.items()
            )
        ),
        sentences.DROP_NOTE(
            drop_v=f"{power.drop_v:.2f}", percent=f"{percent_of_supply(power.drop_v):.1f}"
        ),
        sentences.FUSE_NOTE(),
    ]


def parts_pages(bill: BillOfMaterials, paper: Paper) -> list[Page]:
    rows: list[list[str]] = []
    headings = set()
    for group, group_title in GROUP_TITLES.items():
        lines = [line for line in bill.lines if line.group == group]
        if lines:
            total = f"{bill.total_eur(group):.2f}"
            headings.add(len(rows))
            rows.append(["", str(group_title).upper(), "", "", total, str(sentences.TOTAL_BELOW())])
        for line in lines:
            each = f"{line.eur_each:.3g}" if 0 < line.eur_each < 0.1 else f"{line.eur_each:.2f}"
            rows.append([
                line.quantity_text, line.name, line.what_for, each, f"{line.eur:.2f}", line.note,
            ])  # fmt: skip
    title, subtitle = sentences.PARTS_TITLE(board=bill.name), sentences.PARTS_SUBTITLE()
    return table_pages(str(title), str(subtitle), PART_COLUMNS, rows, paper, headings=headings)
