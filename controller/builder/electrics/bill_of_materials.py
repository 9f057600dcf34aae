"""Bill of materials: parts from `hardware/parts.yaml`, quantities from the board file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.assembly import MIRRORED
from controller.builder.bodies.dimensions import GRID_WALL_HEIGHT_MM, BodyDoesNotFit
from controller.builder.bodies.mast import CAMERAS, compute_mast
from controller.builder.bodies.parts import piece_parts
from controller.builder.bodies.print_estimate import MAST_G, grid_g, piece_g
from controller.builder.electrics.connections import BoardWiring, LedDriver, plan_wiring
from controller.builder.electrics.led_runs import SPARE_FACTOR, find_strip, led_runs
from controller.builder.electrics.typical_load import TypicalPicture, typical_ma
from controller.builder.electrics.wire_sizes import SIGNAL_WIRE
from controller.config.board_file import BoardFile
from controller.session.board_fit import fit_board
from engine.errors import LaserboardError
from engine.sentences import Sentence
from vision.board import BoardDoesNotFit, PhysicalBoard

PARTS_FILE = Path(__file__).parents[3] / "hardware" / "parts.yaml"
FILAMENT_STEP_G = 10
PRINTABLE_AREA_MM = (194.0, 281.0)
FUSE_BOX_SIZES, TERMINALS_A = (2, 4, 6, 8, 10, 12), (30, 100)
RIM_MM = 6.0  # outside the corner tags
RULES_SHEETS = 1
GROUP_TITLES: Mapping[str, Sentence] = {
    "": sentences.TO_BUY(),
    "optional": sentences.OPTIONAL(),
    "have": sentences.IF_NOT_AT_HAND(),
}


class BadParts(LaserboardError, ValueError):
    """`parts.yaml` has unknown or missing keys."""


@dataclass(frozen=True, slots=True)
class PartSpec:
    """One entry of `parts.yaml`."""

    key: str
    name: str
    what_for: str
    eur: Mapping[float, float]  # price by size; size 0: the part has one size
    unit: str = ""
    group: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class BillLine:
    """A part with its quantity and price."""

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
class BillOfMaterials:
    """All parts of a board, with its wiring and typical currents."""

    name: str
    lines: tuple[BillLine, ...]
    wiring: BoardWiring | None  # None: no LEDs
    typical_ma: Mapping[TypicalPicture, int] = field(default_factory=dict)

    def total_eur(self, group: str = "") -> float:
        return round(sum(line.eur for line in self.lines if line.group == group), 2)


def make_bill(file: BoardFile, driver: LedDriver | None = None) -> BillOfMaterials:
    wiring = None if file.leds is None else plan_wiring(file, driver)
    specs = read_parts(PARTS_FILE.read_text("utf-8"))
    lines = []
    for key, size, quantity in (*_board_parts(file, wiring), *_electric_parts(wiring)):
        part = specs[key]
        dimension = f"{size:g}" if isinstance(size, float) else str(size)
        price = part.eur[size if isinstance(size, float) else 0.0]
        lines.append(
            BillLine(
                key, part.name.replace("{size}", dimension), part.what_for, quantity, part.unit,
                price, part.group, part.note,
            )
        )  # fmt: skip
    if wiring is None or file.leds is None:
        return BillOfMaterials(file.board.name, tuple(lines), None)
    currents = typical_ma(file, file.leds, wiring.layout)
    return BillOfMaterials(file.board.name, tuple(lines), wiring, currents)


def rim_mm(board: PhysicalBoard) -> float:
    """Width of the rim around the squares, with room for the corner tags."""
    return board.corner_offset_mm + board.corner_mm / 2 + RIM_MM


def read_parts(text: str) -> Mapping[str, PartSpec]:
    parts = {}
    for key, entry in yaml.safe_load(text).items():
        parts[key] = _part(key, entry)
    return parts


def _part(key: str, entry: Mapping[str, Any]) -> PartSpec:
    unknown = entry.keys() - {"name", "for", "eur", "unit", "group", "note"}
    if unknown or not {"name", "for", "eur"} <= entry.keys():
        raise BadParts(sentences.BAD_PART_KEYS(part=key))
    if entry.get("group", "") not in GROUP_TITLES:
        raise BadParts(sentences.BAD_PART_GROUP(part=key))
    price = entry["eur"]
    sizes = price if isinstance(price, dict) else {0: price}
    return PartSpec(
        key, entry["name"], entry["for"], {float(k): float(v) for k, v in sizes.items()},
        entry.get("unit", ""), entry.get("group", ""), entry.get("note", ""),
    )  # fmt: skip


# -- quantities --------------------------------------------------------------------------------

PartQuantity = tuple[str, float | str, float]  # key, size, quantity


def _board_parts(file: BoardFile, wiring: BoardWiring | None) -> Iterator[PartQuantity]:
    """Computer, camera, board, mast and pieces."""
    board, pieces = file.board, _piece_count(file)
    yield ("pi" if wiring else "computer"), "", 1
    yield "camera", "", 1
    rim = rim_mm(board)
    width, height = (side + 2 * rim for side in board.size_mm)
    if wiring is None:
        yield "mast", "", 1
        sheets = _board_sheets(width, height) + _tag_sheets(pieces, board.cap_mm)
        yield "paper", "", sheets + RULES_SHEETS
        yield "card", "", 1
        return
    yield from _mast_parts(board)
    size, area = f"{ceil(width)} x {ceil(height)}", ceil(width * height / 1e4) / 100
    yield "tags", "", _tag_sheets(pieces, board.cap_mm)
    yield from _body_parts(board)
    yield "plate", size, area
    yield "base", size, area
    sides = board.grid.headings / 2 * board.grid.size  # each wall belongs to two cells
    shape = 1.0 if board.grid.headings == 4 else 1 / np.sqrt(3)
    yield (
        "walls",
        f"{GRID_WALL_HEIGHT_MM:g}",
        float(ceil(SPARE_FACTOR * sides * shape * board.cell_mm / 1000)),
    )
    if grid := grid_g(board):
        yield "grid", "", _round_filament_g(grid)


def _mast_parts(board: PhysicalBoard) -> Iterator[PartQuantity]:
    """The printed mast, for the camera that needs the greatest height."""
    tallest = max(
        (compute_mast(board, each) for each in CAMERAS.values()), key=lambda m: m.upright_mm
    )
    lengths = tallest.upright_mm, tallest.arm_mm
    yield "tubes", " + ".join(f"{mm:g}" for mm in lengths), ceil(sum(lengths) / 100) / 10
    yield "mast_filament", "", _round_filament_g(MAST_G)
    yield "mast_screws", "", 1


def _body_parts(board: PhysicalBoard) -> Iterator[PartQuantity]:
    """Bodies for the pieces of all games on this board; flat pieces have none."""
    try:
        printed = piece_parts(board)
    except BodyDoesNotFit:
        return
    trays = sum(part.count for part in printed if dict(part.variables)["part"] == "tray")
    if trays:
        yield "filament", "", _round_filament_g(trays * piece_g(board))
        yield "glue", "", 1
    if any(dict(part.variables).get("kind") in MIRRORED for part in printed):
        yield "foil", "", 1


def _round_filament_g(grams: float) -> float:
    return float(FILAMENT_STEP_G * ceil(grams / FILAMENT_STEP_G))


def _electric_parts(wiring: BoardWiring | None) -> Iterator[PartQuantity]:
    if wiring is None:
        return
    spi = wiring.driver is LedDriver.SPI
    density, metres = find_strip(wiring.layout)
    if density:
        yield ("clocked_strip" if spi else "strip"), float(density), metres
    else:
        yield ("clocked_leds" if spi else "single_leds"), "", float(wiring.layout.led_count)
    if wiring.driver is LedDriver.WLED:
        yield "wled", "", 1
    else:
        if wiring.driver is LedDriver.PICO:
            yield "pico", "", 1
        yield from (("shifter", "", 1), ("perfboard", "", 1), ("small_capacitor", "", 1))
    yield "resistor", "", len(wiring.data_lines)
    yield from _power_parts(wiring)
    kinds = Counter(switch.kind for switch in wiring.gpio_devices)
    for kind in ("button", "lamp", "buzzer"):
        if kinds[kind]:
            yield kind, "", kinds[kind]


def _power_parts(wiring: BoardWiring) -> Iterator[PartQuantity]:
    power = wiring.power
    yield "supply", float(power.supply_a), power.supplies
    ways = len(power.feeds) + 1
    while ways > 0:
        way = next((size for size in FUSE_BOX_SIZES if size >= ways), FUSE_BOX_SIZES[-1])
        yield "fuse_box", float(way), 1
        ways -= way
    fuses = Counter([1.0, *(feed.fuse_a for feed in power.feeds)])
    for size, count in sorted(fuses.items()):
        yield "fuse", size, count
    most_a = power.supply_a * power.supplies
    bar = next((size for size in TERMINALS_A if size >= most_a), TERMINALS_A[-1])
    yield "terminals", float(bar), ceil(most_a / bar)
    yield "capacitor", "", len(power.feeds)
    for mm2, metres in sorted(_wire_metres(wiring).items()):
        key = ("signal_wire", "") if mm2 == SIGNAL_WIRE.mm2 else ("power_wire", mm2)
        yield key[0], key[1], metres


def _wire_metres(wiring: BoardWiring) -> dict[float, float]:
    """Metres of wire by size, with 10 % spare."""
    lengths: dict[float, float] = defaultdict(float)
    for each in wiring.connections():
        if each.wire is not None and each.length_mm is not None:
            lengths[each.wire.mm2] += each.conductors * each.length_mm
    # A ground wire runs beside each data line.
    lengths[SIGNAL_WIRE.mm2] += sum(line.length_mm for line in wiring.data_lines)
    board = wiring.layout.board
    density, _ = find_strip(wiring.layout)
    joins = len(led_runs(wiring.layout)) - 1 if density else wiring.layout.led_count - 1
    reach = board.cell_mm / (min(wiring.layout.per_cell) if density else 1)
    lengths[wiring.power.join_wire.mm2] += 3 * joins * (reach + 10)
    return {mm2: ceil(SPARE_FACTOR * mm / 100) / 10 for mm2, mm in lengths.items()}


def _piece_count(file: BoardFile) -> int:
    """Number of tagged pieces of the board's game; 0 if no game fits."""
    try:
        return len(fit_board(file.board).pieces_by_tag)
    except BoardDoesNotFit:
        return 0


def _board_sheets(width: float, height: float) -> int:
    short, long = PRINTABLE_AREA_MM
    upright = ceil(width / short) * ceil(height / long)
    return min(upright, ceil(width / long) * ceil(height / short))


def _tag_sheets(pieces: int, cap_mm: float) -> int:
    """Sheets for the caps and the four corner tags."""
    short, long = PRINTABLE_AREA_MM
    return ceil((pieces + 4) / (int(short / (cap_mm + 2)) * int(long / (cap_mm + 2))))


def bill_json(bill: BillOfMaterials) -> dict[str, Any]:
    """The parts, their cost, and the power that the board needs."""
    made: dict[str, Any] = {
        "board": bill.name,
        "parts": [asdict(line) | {"eur": line.eur} for line in bill.lines],
        "eur": {group or "buy": bill.total_eur(group) for group in GROUP_TITLES},
        "power": None,
    }
    if bill.wiring is not None:
        power = bill.wiring.power
        made["driver"] = str(bill.wiring.driver)
        made["power"] = {
            **{
                key: getattr(power, key)
                for key in ("leds", "dark_ma", "worst_ma", "limit_ma", "supplies", "supply_a")
            },
            "typical_ma": {str(picture): ma for picture, ma in bill.typical_ma.items()},
            "drop_v": round(power.drop_v, 3),
            "main": asdict(power.main_wire),
            "feeds": [asdict(feed) for feed in power.feeds],
        }
    return made
