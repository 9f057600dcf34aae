"""Board files: YAML -> frozen values, and back. `load_board("demo-10x8")` is a shipped board.

A section is a function that reads one `Place`, and `read_board` names them all: a further section
is a function, its name there and a field of `BoardFile`. Unknown keys are errors, with file, line
and suggestion.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.button_settings import (
    BUTTON_KEYS,
    SPEAKER_KEYS,
    ButtonSettings,
    SpeakerSettings,
    read_buttons,
    read_speaker,
    write_buttons,
    write_speaker,
)
from controller.camera_address import HEIGHT, WIDTH, BadCamera, read_address
from controller.event_settings import EVENT_KEYS, EventSettings, read_event, write_event
from controller.led_settings import LED_KEYS, LedSettings, read_leds, written_leds
from controller.play_settings import PLAY_KEYS, PlaySettings, read_play, write_play
from controller.referee_settings import (
    REFEREE_KEYS,
    RefereeSettings,
    read_referee,
    write_referee,
)
from controller.yaml_tree import BadConfig, Place, read_file, read_tree, write_number
from engine.errors import UnknownName, did_you_mean, excerpt
from engine.grid import Grid, HexGrid, SquareGrid
from vision.board import PhysicalBoard
from vision.tags import CORNERS, SPARES, TAGS
from vision.view import Lens

BOARDS = Path(__file__).parent.parent / "hardware" / "boards"

# Sizes that someone may mean. Names of cells end at z, and those of hexagons at radius 12.
MOST_COLUMNS, LARGEST_RADIUS = 26, 12
CELL_MM = (10, 200)
TAG_MM = (4, 200)
HEIGHT_MM = (0, 200)
OFFSET_MM = (0, 500)
FOCAL = (0.2, 10)
DISTORTION = (-1000, 1000)
TAG_SIZES = ("tag_mm", "cap_mm", "cap_height_mm", "corner_mm", "corner_offset_mm")
# What each section knows.
KEYS = {
    "board": ("kind", "columns", "rows", "cell_mm", "hex", "play_area"),
    "tags": (*TAG_SIZES, "spares"),
    "camera": ("url", "width", "height", "lens"),
    "leds": LED_KEYS,
    "buttons": BUTTON_KEYS,
    "speaker": SPEAKER_KEYS,
    "play": PLAY_KEYS,
    "referee": REFEREE_KEYS,
    "event": EVENT_KEYS,
}


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What a board file says about its camera; None is left to the program."""

    url: str | None = None
    width: int | None = None
    height: int | None = None
    lens: Lens | None = None


@dataclass(frozen=True)
class BoardFile:
    """All that a board file says."""

    board: PhysicalBoard
    camera: CameraSettings = field(default_factory=CameraSettings)
    leds: LedSettings | None = None  # None: it has none
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    speaker: SpeakerSettings = field(default_factory=SpeakerSettings)
    play: PlaySettings = field(default_factory=PlaySettings)
    referee: RefereeSettings = field(default_factory=RefereeSettings)
    event: EventSettings = field(default_factory=EventSettings)


def own_board() -> str | None:
    """The file of the table at hand: as the environment says, else that of this folder, if any."""
    from controller.wiring import BOARD_VARIABLE, OWN_BOARD

    named = os.environ.get(BOARD_VARIABLE)
    return named or (OWN_BOARD if Path(OWN_BOARD).is_file() else None)


def usual_board() -> str:
    """Where nobody names a board: that of the table at hand, else a shipped one."""
    from controller.wiring import DEFAULT_BOARD

    return own_board() or DEFAULT_BOARD


def board_place(name_or_path: str) -> str:
    """The same board, by a name that holds in any folder."""
    mine = name_or_path not in shipped_boards() and Path(name_or_path).is_file()
    return str(Path(name_or_path).resolve()) if mine else name_or_path


def load_board(name_or_path: str) -> PhysicalBoard:
    """The geometry of a shipped board, by name, or of a board file, by path."""
    return load_board_file(name_or_path).board


def load_board_file(name_or_path: str) -> BoardFile:
    """Everything in a shipped board, by name, or in a board file, by path."""
    path = _board_path(name_or_path)
    return read_board(read_file(path, "board file"), str(path))


def shipped_boards() -> list[str]:
    """The names of the boards that come with the program."""
    return sorted(path.stem for path in BOARDS.glob("*.yaml"))


def read_board(text: str, file: str) -> BoardFile:
    """A board from the text of its file, whose name without the ending is the board's."""
    try:
        return _read_board(text, file)
    except BadConfig as bad:
        raise BadConfig(f"{bad}{_astray(text, bad)}") from None


def _read_board(text: str, file: str) -> BoardFile:
    sections = read_tree(text, file).section(*KEYS)
    shape = _board(sections["board"])
    board = PhysicalBoard(Path(file).stem, **shape, **_tags(sections["tags"], **shape))
    leds, buttons = sections.get("leds"), read_buttons(sections.get("buttons"))
    return BoardFile(
        board,
        _camera(sections.get("camera")),
        None if leds is None else read_leds(leds, shape["grid"]),
        buttons,
        read_speaker(sections.get("speaker"), buttons),
        read_play(sections.get("play"), board),
        read_referee(sections.get("referee")),
        read_event(sections.get("event")),
    )


def _astray(text: str, bad: BadConfig) -> str:
    """Where a key belongs that stands under another section: its own may be a remark still."""
    *above, key = bad.path.split(".")
    homes = [section for section, keys in KEYS.items() if key in keys and [section] != above]
    if len(above) > 1 or not homes:
        return ""
    before = list(enumerate(text.splitlines()[: bad.line - 1], start=1))
    for number, line in reversed(before):
        remark = re.match(r"#+ ?([a-z]+):", line)
        if remark and remark[1] in homes:
            begins = f"and line {number} still begins with a #"
            return f"; `{key}` belongs under `{remark[1]}:`, {begins}"
        if re.match("[a-z]", line):
            break
    if not bad.unknown:
        return ""
    named = " or ".join(f"`{section}:`" for section in homes)
    return f"; `{key}` belongs under {named}: is the # still before that line?"


def write_board(
    board: PhysicalBoard,
    camera: CameraSettings | None = None,
    leds: LedSettings | None = None,
    buttons: ButtonSettings | None = None,
    speaker: SpeakerSettings | None = None,
    play: PlaySettings | None = None,
    referee: RefereeSettings | None = None,
    event: EventSettings | None = None,
) -> str:
    """A board file that reads back as the same board, if it is given the same name."""
    plain = PhysicalBoard(board.name, board.grid, board.cell_mm)
    if (plain.origin_mm, plain.size_mm) != (board.origin_mm, board.size_mm):
        raise BadConfig(
            f"the board {board.name!r} has a game laid out on it: write the board alone"
        )
    lines = ["board:", *_written_grid(board.grid), f"  cell_mm: {write_number(board.cell_mm)}"]
    if board.play_row is not None:
        lines.append(f"  play_area: [{board.play_row}]")
    lines.append("tags:")
    for key in TAG_SIZES:
        lines.append(f"  {key}: {write_number(getattr(board, key))}")
    if board.spares:
        lines.append(f"  spares: {{{', '.join(f'{spare}: {tag}' for spare, tag in board.spares)}}}")
    lines += _written_camera(camera or CameraSettings())
    lines += written_leds(leds)
    lines += write_buttons(buttons or ButtonSettings())
    lines += write_speaker(speaker or SpeakerSettings())
    lines += write_play(play or PlaySettings())
    lines += write_referee(referee or RefereeSettings())
    lines += write_event(event or EventSettings())
    return "\n".join(lines) + "\n"


def load_lens(path: str) -> Lens:
    """A lens file, as `laserboard calibrate lens` writes it."""
    return _lens(read_tree(read_file(Path(path), "lens file"), path))


def write_lens(lens: Lens, remarks: tuple[str, ...] = ()) -> str:
    """A lens file; the remarks become comments at its top."""
    return "".join(f"# {remark}\n" for remark in remarks) + "\n".join(_written_lens(lens)) + "\n"


def _board_path(name_or_path: str) -> Path:
    shipped = shipped_boards()
    if name_or_path in shipped:
        return BOARDS / f"{name_or_path}.yaml"
    if any(sign in name_or_path for sign in "/\\.\0") or Path(name_or_path).exists():
        return Path(name_or_path)
    hint = did_you_mean(name_or_path, shipped)
    every = "" if "known:" in hint else f" (shipped: {', '.join(shipped)})"
    raise UnknownName(
        f"there is no board {excerpt(name_or_path)}{hint}{every}; name a file of your own by its"
        " path, such as ./mine.yaml"
    )


def _board(place: Place) -> dict[str, Any]:
    keys = place.section(*KEYS["board"])
    kind = keys["kind"].choice("square", "hex")
    read: dict[str, Any] = {"cell_mm": keys["cell_mm"].number(*CELL_MM, "mm")}
    if kind == "hex":
        for key in ("columns", "rows", "play_area"):
            keys.refuse(
                key, "only a board of kind square has this; the size of this one is hex.radius"
            )
        return read | {"grid": _hexagon(keys["hex"])}
    keys.refuse("hex", "only a board of kind hex has this")
    columns, rows = (keys[key].whole(2, MOST_COLUMNS) for key in ("columns", "rows"))
    play_area = keys.get("play_area")
    if play_area is not None:
        (row,) = play_area.items(1, 1, "a list of one number, how many rows are left free above")
        read["play_row"] = row.whole(0, rows - 1)
    return read | {"grid": SquareGrid(columns, rows)}


def _hexagon(place: Place) -> HexGrid:
    keys = place.section("radius", "orientation")
    orientation = keys.get("orientation")
    if orientation is not None and orientation.choice("pointy", "flat") == "flat":
        raise orientation.error(
            "flat is not supported, the games know hexagons that stand on a tip: write pointy"
            " and turn the board by 30 degrees"
        )
    return HexGrid.hexagon(keys["radius"].whole(1, LARGEST_RADIUS))


def _tags(place: Place, grid: Grid, cell_mm: float, **_: Any) -> dict[str, Any]:
    limits = (TAG_MM, TAG_MM, HEIGHT_MM, TAG_MM, OFFSET_MM)
    keys = place.section(*KEYS["tags"])
    read: dict[str, Any] = {
        size: keys[size].number(*limit, "mm") for size, limit in zip(TAG_SIZES, limits, strict=True)
    }
    tag, cap, _height, corner, offset = read.values()
    if tag > cap:
        raise keys["tag_mm"].error(
            f"a tag of {tag:g} mm does not fit on a cap of {cap:g} mm (cap_mm)"
        )
    if cap > cell_mm:
        raise keys["cap_mm"].error(
            f"a cap of {cap:g} mm does not fit on a cell of {cell_mm:g} mm (board.cell_mm)"
        )
    # The corners of the box around hexagons are free, those of squares are not.
    if grid.headings == 4 and offset < corner / 2:
        raise keys["corner_offset_mm"].error(
            f"a corner tag of {corner:g} mm would lie on the board: want {corner / 2:g} mm or more"
        )
    spares = keys.get("spares")
    return read | {"spares": () if spares is None else tuple(_spares(spares))}


def _spares(place: Place) -> Iterator[tuple[int, int]]:
    stand_ins: dict[int, int] = {}
    for key, value in place.pairs():
        spare = key.whole(SPARES[0], SPARES[-1])
        tag = value.whole(TAGS[0], TAGS[-1])
        if tag in SPARES:
            raise value.error(
                f"{tag} is a spare itself: name the tag of the piece that is replaced"
            )
        if tag in CORNERS:
            raise value.error(f"{tag} is a corner tag: a spare stands for a piece")
        if tag in stand_ins:
            raise value.error(f"{stand_ins[tag]} already stands for {tag}")
        stand_ins[tag] = spare
        yield spare, tag


def _camera(place: Place | None) -> CameraSettings:
    if place is None:
        return CameraSettings()
    keys = place.section(*KEYS["camera"])
    url, width, height, lens = (keys.get(key) for key in KEYS["camera"])
    text = None if url is None else url.text('a camera, such as "usb://0"')
    if url is not None and text is not None:
        try:
            read_address(text)
        except BadCamera as bad:
            raise url.error(str(bad)) from None
    return CameraSettings(
        text,
        None if width is None else width.whole(*WIDTH),
        None if height is None else height.whole(*HEIGHT),
        None if lens is None else _lens_or_file(lens),
    )


def _lens_or_file(place: Place) -> Lens:
    if not place.is_text():
        return _lens(place)
    path = Path(place.file).parent / place.text("a lens file, or its values")
    try:
        return load_lens(str(path))
    except BadConfig as bad:
        raise place.error(str(bad)) from None


def _lens(place: Place) -> Lens:
    keys = place.section("focal", "centre", "distortion", "calibrated")
    centre, distortion = keys.get("centre"), keys.get("distortion")
    calibrated = keys.get("calibrated")
    middle: tuple[float, float] | None = None
    if centre is not None:
        x, y = centre.items(2, 2, "a list of two numbers, in widths of the picture")
        middle = x.number(0, 1), y.number(0, 2)
    terms: tuple[float, ...] = ()
    if distortion is not None:
        wanted = "a list of 4 or 5 numbers: k1, k2, p1, p2, k3"
        terms = tuple(term.number(*DISTORTION) for term in distortion.items(4, 5, wanted))
    return Lens(
        keys["focal"].number(*FOCAL, "widths of the picture"),
        middle,
        terms,
        calibrated is not None and calibrated.yes_or_no(),
    )


def _written_grid(grid: Grid) -> list[str]:
    match grid:
        case SquareGrid(columns, rows):
            return ["  kind: square", f"  columns: {columns}", f"  rows: {rows}"]
        case HexGrid() if grid == HexGrid.hexagon(grid.radius):
            return ["  kind: hex", f"  hex: {{radius: {grid.radius}, orientation: pointy}}"]
        case _:
            raise BadConfig("only boards of squares and regular hexagons have a file")


def _written_camera(camera: CameraSettings) -> list[str]:
    lines = []
    if camera.url is not None:
        lines.append(f"  url: {json.dumps(camera.url, ensure_ascii=False)}")
    for key in ("width", "height"):
        if getattr(camera, key) is not None:
            lines.append(f"  {key}: {getattr(camera, key)}")
    if camera.lens is not None:
        lines += ["  lens:", *(f"    {line}" for line in _written_lens(camera.lens))]
    return ["camera:", *lines] if lines else []


def _written_lens(lens: Lens) -> list[str]:
    lines = [f"focal: {write_number(lens.focal)}"]
    for key, values in (("centre", lens.centre), ("distortion", lens.distortion)):
        if values:
            lines.append(f"{key}: [{', '.join(map(write_number, values))}]")
    return [*lines, f"calibrated: {'true' if lens.calibrated else 'false'}"]
