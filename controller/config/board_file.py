"""Reads and writes board files: YAML text <-> `BoardFile`. `load_board("demo-10x8")` is shipped.

One function reads each section from a `ConfigNode`. To add a section, write such a function, call
it in `read_board` and add a field to `BoardFile`. Unknown keys are errors with file, line and
suggestion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.config import sentences
from controller.config.addresses.camera import (
    HEIGHT_RANGE_PX,
    WIDTH_RANGE_PX,
    BadCamera,
    parse_camera_url,
)
from controller.config.buttons import (
    BUTTON_KEYS,
    SPEAKER_KEYS,
    ButtonSettings,
    SpeakerSettings,
    read_buttons,
    read_speaker,
    write_buttons,
    write_speaker,
)
from controller.config.event import EVENT_KEYS, EventSettings, read_event, write_event
from controller.config.leds import LED_KEYS, LedSettings, read_leds, write_leds
from controller.config.play import PLAY_KEYS, PlaySettings, read_play, write_play
from controller.config.referee import REFEREE_KEYS, RefereeSettings, read_referee, write_referee
from controller.config.yaml_tree import (
    BadConfig,
    ConfigNode,
    format_number,
    parse_yaml,
    read_config_text,
)
from controller.ports.sentences import REMEDY
from controller.session.sentences import join_or
from engine import catalogue
from engine.errors import UnknownName, did_you_mean, excerpt
from engine.grid import Grid, HexGrid, SquareGrid
from engine.sentences import Sentence
from vision.board import PhysicalBoard
from vision.camera_model import Lens
from vision.tags import CORNERS, SPARES, TAGS

SHIPPED_BOARDS_FOLDER = Path(__file__).parents[2] / "hardware" / "boards"

# Limits of sizes. Names of cells end at z, those of hexagons at radius 12.
MAX_COLUMNS, MAX_RADIUS = 26, 12
CELL_MM_RANGE = (10, 200)
TAG_MM_RANGE = (4, 200)
HEIGHT_MM_RANGE = (0, 200)
OFFSET_MM_RANGE = (0, 500)
FOCAL_RANGE = (0.2, 10)
DISTORTION_RANGE = (-1000, 1000)
TAG_SIZE_KEYS = ("tag_mm", "cap_mm", "cap_height_mm", "corner_mm", "corner_offset_mm")
# The keys of each section.
SECTION_KEYS = {
    "board": ("kind", "columns", "rows", "cell_mm", "hex", "play_area"),
    "tags": (*TAG_SIZE_KEYS, "spares"),
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
    """The section `camera`; None: the program chooses."""

    url: str | None = None
    width: int | None = None
    height: int | None = None
    lens: Lens | None = None


@dataclass(frozen=True)
class BoardFile:
    """All sections of a board file."""

    board: PhysicalBoard
    camera: CameraSettings = field(default_factory=CameraSettings)
    leds: LedSettings | None = None  # None: a board without LEDs
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    speaker: SpeakerSettings = field(default_factory=SpeakerSettings)
    play: PlaySettings = field(default_factory=PlaySettings)
    referee: RefereeSettings = field(default_factory=RefereeSettings)
    event: EventSettings = field(default_factory=EventSettings)


def absolute_board_name(name_or_path: str) -> str:
    """The name of a shipped board, or the absolute path of a board file."""
    mine = name_or_path not in shipped_boards() and Path(name_or_path).is_file()
    return str(Path(name_or_path).resolve()) if mine else name_or_path


def load_board(name_or_path: str) -> PhysicalBoard:
    """Read the geometry of a shipped board (by name) or a board file (by path)."""
    return load_board_file(name_or_path).board


def load_board_file(name_or_path: str) -> BoardFile:
    """Read a shipped board (by name) or a board file (by path)."""
    path = _board_path(name_or_path)
    return read_board(read_config_text(path, sentences.BOARD_FILE()), str(path))


def shipped_boards() -> list[str]:
    """The names of the shipped boards."""
    return sorted(path.stem for path in SHIPPED_BOARDS_FOLDER.glob("*.yaml"))


def read_board(text: str, file: str) -> BoardFile:
    """Read the text of a board file; the stem of `file` is the name of the board."""
    try:
        return _read_board(text, file)
    except BadConfig as error:
        sentence = _with_misplaced_key_hint(text, error)
        raise BadConfig(sentence, error.path, error.line, error.complaint) from error


def _read_board(text: str, file: str) -> BoardFile:
    sections = parse_yaml(text, file).section(*SECTION_KEYS)
    shape = _read_board_section(sections["board"])
    board = PhysicalBoard(Path(file).stem, **shape, **_read_tags(sections["tags"], **shape))
    leds, buttons = sections.get("leds"), read_buttons(sections.get("buttons"))
    return BoardFile(
        board,
        _read_camera(sections.get("camera")),
        None if leds is None else read_leds(leds, shape["grid"]),
        buttons,
        read_speaker(sections.get("speaker"), buttons),
        read_play(sections.get("play"), board),
        read_referee(sections.get("referee")),
        read_event(sections.get("event")),
    )


def _with_misplaced_key_hint(text: str, bad: BadConfig) -> Sentence:
    """The error, with the section of a misplaced key, which may still be commented out."""
    *above, key = bad.path.split(".")
    homes = [
        section for section, keys in SECTION_KEYS.items() if key in keys and [section] != above
    ]
    if len(above) > 1 or not homes:
        return bad.sentence
    before = list(enumerate(text.splitlines()[: bad.line - 1], start=1))
    for number, line in reversed(before):
        remark = re.match(r"#+ ?([a-z]+):", line)
        if remark and remark[1] in homes:
            return sentences.MISPLACED_KEY_AT(
                error=bad.sentence, key=key, section=remark[1], line=number
            )
        if re.match("[a-z]", line):
            break
    if not bad.is_unknown_key:
        return bad.sentence
    named = join_or([f"`{section}:`" for section in homes])
    return sentences.MISPLACED_KEY(error=bad.sentence, key=key, sections=named)


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
    """The text of a board file that reads back the same under the same file name."""
    plain = PhysicalBoard(board.name, board.grid, board.cell_mm)
    if (plain.origin_mm, plain.size_mm) != (board.origin_mm, board.size_mm):
        raise BadConfig(sentences.BOARD_HAS_GAME(board=board.name))
    lines = ["board:", *_grid_lines(board.grid), f"  cell_mm: {format_number(board.cell_mm)}"]
    if board.play_row is not None:
        lines.append(f"  play_area: [{board.play_row}]")
    lines.append("tags:")
    for key in TAG_SIZE_KEYS:
        lines.append(f"  {key}: {format_number(getattr(board, key))}")
    if board.spares:
        lines.append(f"  spares: {{{', '.join(f'{spare}: {tag}' for spare, tag in board.spares)}}}")
    lines += _camera_lines(camera or CameraSettings())
    lines += write_leds(leds)
    lines += write_buttons(buttons or ButtonSettings())
    lines += write_speaker(speaker or SpeakerSettings())
    lines += write_play(play or PlaySettings())
    lines += write_referee(referee or RefereeSettings())
    lines += write_event(event or EventSettings())
    return "\n".join(lines) + "\n"


def load_lens(path: str) -> Lens:
    """Read a lens file of `laserboard calibrate lens`."""
    return _read_lens(parse_yaml(read_config_text(Path(path), sentences.LENS_FILE()), path))


def write_lens(lens: Lens, remarks: tuple[str, ...] = ()) -> str:
    """The text of a lens file; `remarks` become comments at its top."""
    return "".join(f"# {remark}\n" for remark in remarks) + "\n".join(_lens_lines(lens)) + "\n"


def _board_path(name_or_path: str) -> Path:
    shipped = shipped_boards()
    if name_or_path in shipped:
        return SHIPPED_BOARDS_FOLDER / f"{name_or_path}.yaml"
    if any(sign in name_or_path for sign in "/\\.\0") or Path(name_or_path).exists():
        return Path(name_or_path)
    name, hint = excerpt(name_or_path), did_you_mean(name_or_path, shipped)
    if hint.key == catalogue.DID_YOU_MEAN.key:
        problem = sentences.NO_SUCH_BOARD_NEAR(name=name, hint=hint, boards=tuple(shipped))
    else:
        problem = sentences.NO_SUCH_BOARD(name=name, hint=hint)
    raise UnknownName(REMEDY(problem=problem, remedy=sentences.NAME_A_BOARD_FILE()))


def _read_board_section(node: ConfigNode) -> dict[str, Any]:
    keys = node.section(*SECTION_KEYS["board"])
    kind = keys["kind"].choice("square", "hex")
    read: dict[str, Any] = {"cell_mm": keys["cell_mm"].number(*CELL_MM_RANGE, "mm")}
    if kind == "hex":
        for key in ("columns", "rows", "play_area"):
            keys.refuse(key, sentences.SQUARE_ONLY())
        return read | {"grid": _read_hexagon(keys["hex"])}
    keys.refuse("hex", sentences.HEX_ONLY())
    columns, rows = (keys[key].integer(2, MAX_COLUMNS) for key in ("columns", "rows"))
    play_area = keys.get("play_area")
    if play_area is not None:
        (row,) = play_area.items(1, 1, sentences.FREE_ROWS())
        read["play_row"] = row.integer(0, rows - 1)
    return read | {"grid": SquareGrid(columns, rows)}


def _read_hexagon(node: ConfigNode) -> HexGrid:
    keys = node.section("radius", "orientation")
    orientation = keys.get("orientation")
    if orientation is not None and orientation.choice("pointy", "flat") == "flat":
        raise orientation.error(sentences.FLAT_HEXAGONS())
    return HexGrid.hexagon(keys["radius"].integer(1, MAX_RADIUS))


def _read_tags(node: ConfigNode, grid: Grid, cell_mm: float, **_: Any) -> dict[str, Any]:
    limits = (TAG_MM_RANGE, TAG_MM_RANGE, HEIGHT_MM_RANGE, TAG_MM_RANGE, OFFSET_MM_RANGE)
    keys = node.section(*SECTION_KEYS["tags"])
    read: dict[str, Any] = {
        size: keys[size].number(*limit, "mm")
        for size, limit in zip(TAG_SIZE_KEYS, limits, strict=True)
    }
    tag, cap, _height, corner, offset = read.values()
    if tag > cap:
        raise keys["tag_mm"].error(sentences.TAG_TOO_WIDE(tag_mm=tag, cap_mm=cap))
    if cap > cell_mm:
        raise keys["cap_mm"].error(sentences.CAP_TOO_WIDE(cap_mm=cap, cell_mm=cell_mm))
    # Corner tags may lie in the free corners of a hexagonal board, not on a square one.
    if grid.headings == 4 and offset < corner / 2:
        raise keys["corner_offset_mm"].error(
            sentences.CORNER_ON_BOARD(corner_mm=corner, least_mm=corner / 2)
        )
    spares = keys.get("spares")
    return read | {"spares": () if spares is None else tuple(_read_spares(spares))}


def _read_spares(node: ConfigNode) -> Iterator[tuple[int, int]]:
    stand_ins: dict[int, int] = {}
    for key, value in node.pairs():
        spare = key.integer(SPARES[0], SPARES[-1])
        tag = value.integer(TAGS[0], TAGS[-1])
        if tag in SPARES:
            raise value.error(sentences.SPARE_OF_SPARE(tag=tag))
        if tag in CORNERS:
            raise value.error(sentences.SPARE_OF_CORNER(tag=tag))
        if tag in stand_ins:
            raise value.error(sentences.SPARE_TWICE(spare=stand_ins[tag], tag=tag))
        stand_ins[tag] = spare
        yield spare, tag


def _read_camera(node: ConfigNode | None) -> CameraSettings:
    if node is None:
        return CameraSettings()
    keys = node.section(*SECTION_KEYS["camera"])
    url, width, height, lens = (keys.get(key) for key in SECTION_KEYS["camera"])
    text = None if url is None else url.text(sentences.CAMERA_URL())
    if url is not None and text is not None:
        try:
            parse_camera_url(text)
        except BadCamera as error:
            raise url.error(error.sentence) from error
    return CameraSettings(
        text,
        None if width is None else width.integer(*WIDTH_RANGE_PX),
        None if height is None else height.integer(*HEIGHT_RANGE_PX),
        None if lens is None else _read_lens_or_file(lens),
    )


def _read_lens_or_file(node: ConfigNode) -> Lens:
    if not node.is_scalar():
        return _read_lens(node)
    path = Path(node.file).parent / node.text(sentences.LENS_OR_FILE())
    try:
        return load_lens(str(path))
    except BadConfig as error:
        raise node.error(error.sentence) from error


def _read_lens(node: ConfigNode) -> Lens:
    keys = node.section("focal", "centre", "distortion", "calibrated")
    centre, distortion = keys.get("centre"), keys.get("distortion")
    calibrated = keys.get("calibrated")
    middle: tuple[float, float] | None = None
    if centre is not None:
        x, y = centre.items(2, 2, sentences.LENS_CENTRE())
        middle = x.number(0, 1), y.number(0, 2)
    terms: tuple[float, ...] = ()
    if distortion is not None:
        numbers = distortion.items(4, 5, sentences.LENS_TERMS())
        terms = tuple(number.number(*DISTORTION_RANGE) for number in numbers)
    return Lens(
        keys["focal"].number(*FOCAL_RANGE, sentences.IMAGE_WIDTHS()),
        middle,
        terms,
        calibrated is not None and calibrated.boolean(),
    )


def _grid_lines(grid: Grid) -> list[str]:
    match grid:
        case SquareGrid(columns, rows):
            return ["  kind: square", f"  columns: {columns}", f"  rows: {rows}"]
        case HexGrid() if grid == HexGrid.hexagon(grid.radius):
            return ["  kind: hex", f"  hex: {{radius: {grid.radius}, orientation: pointy}}"]
        case _:
            raise BadConfig(sentences.GRID_WITHOUT_FILE())


def _camera_lines(camera: CameraSettings) -> list[str]:
    lines = []
    if camera.url is not None:
        lines.append(f"  url: {json.dumps(camera.url, ensure_ascii=False)}")
    for key in ("width", "height"):
        if getattr(camera, key) is not None:
            lines.append(f"  {key}: {getattr(camera, key)}")
    if camera.lens is not None:
        lines += ["  lens:", *(f"    {line}" for line in _lens_lines(camera.lens))]
    return ["camera:", *lines] if lines else []


def _lens_lines(lens: Lens) -> list[str]:
    lines = [f"focal: {format_number(lens.focal)}"]
    for key, values in (("centre", lens.centre), ("distortion", lens.distortion)):
        if values:
            lines.append(f"{key}: [{', '.join(map(format_number, values))}]")
    return [*lines, f"calibrated: {'true' if lens.calibrated else 'false'}"]
