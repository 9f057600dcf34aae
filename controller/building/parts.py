"""The bill of materials: hardware/parts.yaml says what a part is, the board file how many."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from controller.bodies.assembled import MIRRORED
from controller.bodies.estimate import MAST_G, grid_g, piece_g
from controller.bodies.mast import CAMERAS, mast
from controller.bodies.parts import piece_parts
from controller.bodies.sizes import GRID_MM, NoBody
from controller.building.copper import SIGNAL
from controller.building.hookup import Driver, Hookup, hookup
from controller.building.lines import SPARE, fitting_strip, lines
from controller.building.pictures import typical_ma
from controller.config import BoardFile
from controller.tabletop import fitted
from engine.errors import LaserboardError
from vision.board import DoesNotFit, PhysicalBoard

FILE = Path(__file__).parent.parent.parent / "hardware" / "parts.yaml"
SPOOL_G = 10  # filament is counted in steps of so much
PRINTABLE_MM = (194.0, 281.0)
FUSE_BOXES, TERMINALS_A = (2, 4, 6, 8, 10, 12), (30, 100)
RIM_MM = 6.0  # beyond the corner tags
RULES_SHEETS = 1
TITLES = {"": "to buy", "optional": "optional", "have": "if you do not have it"}


class BadParts(LaserboardError, ValueError):
    """A list of parts that cannot be used."""


@dataclass(frozen=True, slots=True)
class Part:
    """One entry of the file."""

    key: str
    name: str
    what_for: str
    eur: Mapping[float, float]  # by size; a size of 0 is the only one
    unit: str = ""
    group: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class BillLine:
    """So many of a part."""

    key: str
    name: str
    what_for: str
    quantity: float
    unit: str
    eur_each: float
    group: str
    note: str

    @property
    def eur(self) -> float:
        return round(self.quantity * self.eur_each, 2)

    @property
    def quantity_text(self) -> str:
        return f"{self.quantity:g} {self.unit}".strip()


@dataclass(frozen=True)
class Bill:
    """All that a board needs."""

    name: str
    lines: tuple[BillLine, ...]
    hookup: Hookup | None  # None: no LEDs
    typical_ma: Mapping[str, int] = field(default_factory=dict)

    def total_eur(self, group: str = "") -> float:
        return round(sum(line.eur for line in self.lines if line.group == group), 2)


def bill(file: BoardFile, driver: Driver | None = None) -> Bill:
    hooked = None if file.leds is None else hookup(file, driver)
    known = read_parts(FILE.read_text("utf-8"))
    made = []
    for key, size, quantity in (*_table(file, hooked), *_electric(hooked)):
        part = known[key]
        dimension = f"{size:g}" if isinstance(size, float) else str(size)
        price = part.eur[size if isinstance(size, float) else 0.0]
        made.append(
            BillLine(
                key, part.name.replace("{size}", dimension), part.what_for, quantity, part.unit,
                price, part.group, part.note,
            )
        )  # fmt: skip
    if hooked is None or file.leds is None:
        return Bill(file.board.name, tuple(made), None)
    measured = typical_ma(file, file.leds, hooked.layout)
    return Bill(file.board.name, tuple(made), hooked, measured)


def rim_mm(board: PhysicalBoard) -> float:
    """From the squares out to the edge of plate and base: room for the corner tags."""
    return board.corner_offset_mm + board.corner_mm / 2 + RIM_MM


def read_parts(text: str) -> Mapping[str, Part]:
    parts = {}
    for key, entry in yaml.safe_load(text).items():
        parts[key] = _part(key, entry)
    return parts


def _part(key: str, entry: Mapping[str, Any]) -> Part:
    unknown = entry.keys() - {"name", "for", "eur", "unit", "group", "note"}
    if unknown or not {"name", "for", "eur"} <= entry.keys():
        raise BadParts(f"parts.yaml: {key}: wants name, for and eur; knows unit, group and note")
    if entry.get("group", "") not in TITLES:
        raise BadParts(f"parts.yaml: {key}: group is have or optional, or left out")
    price = entry["eur"]
    sizes = price if isinstance(price, dict) else {0: price}
    return Part(
        key, entry["name"], entry["for"], {float(k): float(v) for k, v in sizes.items()},
        entry.get("unit", ""), entry.get("group", ""), entry.get("note", ""),
    )  # fmt: skip


# -- how many ----------------------------------------------------------------------------------

Wanted = tuple[str, float | str, float]  # key, size, quantity


def _table(file: BoardFile, hooked: Hookup | None) -> Iterator[Wanted]:
    """What one sees: camera, board and pieces."""
    board, pieces = file.board, _pieces(file)
    yield ("pi" if hooked else "computer"), "", 1
    yield "camera", "", 1
    rim = rim_mm(board)
    width, height = (side + 2 * rim for side in board.size_mm)
    if hooked is None:
        yield "mast", "", 1
        sheets = _sheets(width, height) + _tag_sheets(pieces, board.cap_mm)
        yield "paper", "", sheets + RULES_SHEETS
        yield "card", "", 1
        return
    yield from _mast(board)
    size, area = f"{ceil(width)} x {ceil(height)}", ceil(width * height / 1e4) / 100
    yield "tags", "", _tag_sheets(pieces, board.cap_mm)
    yield from _bodies(board)
    yield "plate", size, area
    yield "base", size, area
    sides = board.grid.headings / 2 * board.grid.size  # each wall belongs to two cells
    shape = 1.0 if board.grid.headings == 4 else 1 / np.sqrt(3)
    yield "walls", f"{GRID_MM:g}", float(ceil(SPARE * sides * shape * board.cell_mm / 1000))
    if grid := grid_g(board):
        yield "grid", "", _spooled(grid)


def _mast(board: PhysicalBoard) -> Iterator[Wanted]:
    """The printed one, for the camera that must hang highest."""
    tallest = max((mast(board, each) for each in CAMERAS.values()), key=lambda m: m.upright_mm)
    lengths = tallest.upright_mm, tallest.arm_mm
    yield "tubes", " + ".join(f"{mm:g}" for mm in lengths), ceil(sum(lengths) / 100) / 10
    yield "mast_filament", "", _spooled(MAST_G)
    yield "mast_screws", "", 1


def _bodies(board: PhysicalBoard) -> Iterator[Wanted]:
    """What the pieces of every game on this board stand on; flat ones stand on nothing."""
    try:
        printed = piece_parts(board)
    except NoBody:
        return
    trays = sum(part.count for part in printed if dict(part.values)["part"] == "tray")
    if trays:
        yield "filament", "", _spooled(trays * piece_g(board))
        yield "glue", "", 1
    if any(dict(part.values).get("kind") in MIRRORED for part in printed):
        yield "foil", "", 1


def _spooled(grams: float) -> float:
    return float(SPOOL_G * ceil(grams / SPOOL_G))


def _electric(hooked: Hookup | None) -> Iterator[Wanted]:
    if hooked is None:
        return
    spi = hooked.driver is Driver.SPI
    density, metres = fitting_strip(hooked.layout)
    if density:
        yield ("clocked_strip" if spi else "strip"), float(density), metres
    else:
        yield ("clocked_leds" if spi else "single_leds"), "", float(hooked.layout.leds)
    if hooked.driver is Driver.WLED:
        yield "wled", "", 1
    else:
        if hooked.driver is Driver.PICO:
            yield "pico", "", 1
        yield from (("shifter", "", 1), ("perfboard", "", 1), ("small_capacitor", "", 1))
    yield "resistor", "", len(hooked.data)
    yield from _power(hooked)
    kinds = Counter(switch.kind for switch in hooked.switches)
    for kind in ("button", "lamp", "buzzer"):
        if kinds[kind]:
            yield kind, "", kinds[kind]


def _power(hooked: Hookup) -> Iterator[Wanted]:
    power = hooked.power
    yield "supply", float(power.supply_a), power.supplies
    ways = len(power.feeds) + 1
    while ways > 0:
        way = next((size for size in FUSE_BOXES if size >= ways), FUSE_BOXES[-1])
        yield "fuse_box", float(way), 1
        ways -= way
    fuses = Counter([1.0, *(feed.fuse_a for feed in power.feeds)])
    for size, count in sorted(fuses.items()):
        yield "fuse", size, count
    most_a = power.supply_a * power.supplies
    bar = next((size for size in TERMINALS_A if size >= most_a), TERMINALS_A[-1])
    yield "terminals", float(bar), ceil(most_a / bar)
    yield "capacitor", "", len(power.feeds)
    for mm2, metres in sorted(_wires(hooked).items()):
        key = ("signal_wire", "") if mm2 == SIGNAL.mm2 else ("power_wire", mm2)
        yield key[0], key[1], metres


def _wires(hooked: Hookup) -> dict[float, float]:
    """Metres of each size, a tenth to spare."""
    lengths: dict[float, float] = defaultdict(float)
    for each in hooked.connections():
        if each.wire is not None and each.length_mm is not None:
            both = 2 if " and " in each.colour else 1
            lengths[each.wire.mm2] += both * each.length_mm
    lengths[SIGNAL.mm2] += sum(line.length_mm for line in hooked.data)  # the ground beside it
    board = hooked.layout.board
    density, _ = fitting_strip(hooked.layout)
    joins = len(lines(hooked.layout)) - 1 if density else hooked.layout.leds - 1
    reach = board.cell_mm / (min(hooked.layout.per_cell) if density else 1)
    lengths[hooked.power.join.mm2] += 3 * joins * (reach + 10)
    return {mm2: ceil(SPARE * mm / 100) / 10 for mm2, mm in lengths.items()}


def _pieces(file: BoardFile) -> int:
    """Of the game that the board is for; none if it is for no game that we know."""
    try:
        return len(fitted(file.board).meanings)
    except DoesNotFit:
        return 0


def _sheets(width: float, height: float) -> int:
    short, long = PRINTABLE_MM
    upright = ceil(width / short) * ceil(height / long)
    return min(upright, ceil(width / long) * ceil(height / short))


def _tag_sheets(pieces: int, cap_mm: float) -> int:
    """With the four corner tags."""
    short, long = PRINTABLE_MM
    return ceil((pieces + 4) / (int(short / (cap_mm + 2)) * int(long / (cap_mm + 2))))
