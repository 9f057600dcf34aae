"""Board files are read and written back, and every error names its file, line and key."""

from __future__ import annotations

import contextlib
import math
import re
import tracemalloc
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config import sentences
from controller.config.addresses.camera import (
    BadCamera,
    CameraAddress,
    ImageFolderAddress,
    PiCameraAddress,
    SimulatedCameraAddress,
    UsbCameraAddress,
    VideoFileAddress,
    format_camera_url,
    parse_camera_url,
)
from controller.config.board_file import (
    SECTION_KEYS,
    BoardFile,
    CameraSettings,
    load_board,
    load_board_file,
    load_lens,
    read_board,
    shipped_boards,
    write_board,
    write_lens,
)
from controller.config.template import board_file_template
from controller.config.yaml_tree import BadConfig
from engine import catalogue, games
from engine.errors import LaserboardError, UnknownName
from engine.grid import HexGrid, SquareGrid
from engine.sentences import Sentence, Slot
from tests.support.board_file import GOOD
from tests.support.config.sentences import (
    at_key,
    got,
    got_list,
    known,
    missing,
    near,
    number,
    number_of,
    one_of,
    option,
    unknown_key,
    whole,
)
from tests.support.engine.sentences import Expected, mentions, parts, raises
from vision.board import PhysicalBoard
from vision.camera_model import Lens
from vision.tags import CORNERS

at = partial(at_key, "boards/demo.yaml")

LIT = f"""\
{GOOD}\
leds:
  per_cell: [2, 1]
  strips:
    - {{lane: 0, cells: [a8, j5], origin_corner: lower_left, axis: rows, skip: [3, 7]}}
    - {{lane: 1, start: 2, cells: [a4, j1], serpentine: false, gaps: {{turn: 1}}}}
  overrides: {{a5: [2, 4], b5: [0, 1]}}
  ma_limit: 3000
"""
HEX = GOOD.replace("kind: square\n  columns: 10\n  rows: 8", "kind: hex\n  hex: {radius: 5}")


def read(text: str) -> BoardFile:
    return read_board(text, "boards/demo.yaml")


def refusal(text: str) -> Sentence:
    with pytest.raises(BadConfig) as caught:
        read(text)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return caught.value.sentence


# --- reading -----------------------------------------------------------------------------


def test_a_board_file_becomes_a_physical_board() -> None:
    assert read(GOOD).board == PhysicalBoard("demo", SquareGrid(10, 8))
    assert read(HEX).board.grid == HexGrid.hexagon(5)
    assert read(GOOD).leds is None
    lit = read(LIT).leds
    assert lit is not None
    assert lit.leds_per_lane == (82, 85)


def test_the_shipped_boards_are_those_of_the_guide() -> None:
    assert shipped_boards() == [
        *("demo-10x8", "full-10x8", "hex-r5", "paper-10x8", "photon-10x10", "wled-10x8")
    ]
    assert load_board("demo-10x8") == PhysicalBoard("demo-10x8", SquareGrid(10, 8))
    assert load_board("photon-10x10") == PhysicalBoard("photon-10x10", SquareGrid(10, 10))
    assert load_board("hex-r5") == PhysicalBoard("hex-r5", HexGrid.hexagon(5))
    paper = PhysicalBoard("paper-10x8", SquareGrid(10, 8), cap_height_mm=0)
    assert load_board("paper-10x8") == paper
    assert load_board("full-10x8") == PhysicalBoard(
        "full-10x8", SquareGrid(10, 8), 50, 32, 42, corner_mm=32, corner_offset_mm=30
    )
    assert load_board("wled-10x8") == PhysicalBoard("wled-10x8", SquareGrid(10, 8))


@pytest.mark.parametrize("game", games.GAMES)
def test_every_game_can_be_played_on_a_shipped_board(game: str) -> None:
    made = games.make(game)
    grid = made.start(None, None if made.setups() else 1).grid
    fitting = []
    for name in shipped_boards():
        try:
            fitting.append(load_board(name).with_grid(grid))
        except LaserboardError:
            continue
    assert fitting


def test_optional_keys_are_read() -> None:
    text = GOOD.replace("cell_mm: 40", "cell_mm: 40.5\n  play_area: [1]")
    text += "  spares: {34: 5, 49: 18}\n"
    text += 'camera:\n  url: "usb://0?fps=25"\n  width: 1920\n  height: 1080\n'
    text += "  lens: {focal: 0.9, centre: [0.51, 0.28], distortion: [0.1, -0.2, 0, 0, 1e-3]}\n"
    seen = read(text)
    assert (seen.board.cell_mm, seen.board.play_row) == (40.5, 1)
    assert seen.board.spares == ((34, 5), (49, 18))
    lens = Lens(0.9, (0.51, 0.28), (0.1, -0.2, 0.0, 0.0, 0.001))
    assert seen.camera == CameraSettings("usb://0?fps=25", 1920, 1080, lens)


def test_a_board_file_is_loaded_by_its_path_and_named_after_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("\ufeff" + GOOD, "utf-8")  # some editors write a byte order mark
    assert load_board(str(file)).name == "mine"


def test_a_shipped_board_is_found_in_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo-10x8").mkdir()
    assert load_board("demo-10x8").name == "demo-10x8"
    (tmp_path / "mine").write_text(GOOD, "utf-8")
    assert load_board("mine").name == "mine"


def test_a_lens_file_lies_beside_the_board_file(tmp_path: Path) -> None:
    lens = Lens(0.91, (0.5, 0.281), (0.1, -0.05, 0.001, -0.001, 0.0), calibrated=True)
    (tmp_path / "lens.yaml").write_text(write_lens(lens, ("12 pictures",)), "utf-8")
    board = tmp_path / "mine.yaml"
    board.write_text(GOOD + "camera:\n  lens: lens.yaml\n", "utf-8")
    assert load_board_file(str(board)).camera.lens == lens
    assert load_lens(str(tmp_path / "lens.yaml")) == lens
    board.write_text(GOOD + "camera:\n  lens: lenz.yaml\n", "utf-8")
    missing = unreadable(sentences.LENS_FILE(), tmp_path / "lenz.yaml", "No such file or directory")
    where = sentences.AT_KEY(file=str(board), line=13, key="camera.lens", complaint=missing)
    with raises(BadConfig, where):
        load_board_file(str(board))


# --- round trips --------------------------------------------------------------------------------

sizes = st.floats(10, 30)
grids = st.one_of(
    st.builds(SquareGrid, st.integers(2, 26), st.integers(2, 26)),
    st.builds(HexGrid.hexagon, st.integers(1, 12)),
)
lenses = st.builds(
    Lens,
    st.floats(0.2, 10),
    st.none() | st.tuples(st.floats(0, 1), st.floats(0, 2)),
    st.just(()) | st.tuples(*[st.floats(-1000, 1000)] * 5),
    st.booleans(),
)
pieces = sorted(set(range(34)) - set(CORNERS))


@st.composite
def boards(draw: st.DrawFn) -> PhysicalBoard:
    grid = draw(grids)
    tag, cap, cell = sorted((draw(sizes), draw(sizes), draw(sizes)))
    spares = draw(st.lists(st.integers(34, 49), unique=True, max_size=5))
    stand_ins = draw(st.permutations(pieces))
    rows = grid.rows if isinstance(grid, SquareGrid) else 0
    return PhysicalBoard(
        "x",
        grid,
        cell,
        tag,
        cap,
        draw(st.floats(0, 200)),
        draw(sizes),
        draw(st.floats(15, 500)),
        tuple(zip(spares, stand_ins, strict=False)),
        draw(st.none() | st.integers(0, rows - 1)) if rows else None,
    )


urls = st.sampled_from(
    [None, "usb://0", "folder://a folder/b?fps=3", 'file://"x": y.mp4', "sim://"]
)


@given(boards(), st.builds(CameraSettings, urls, st.none() | st.integers(160, 8192), st.none()))
def test_a_board_is_written_and_read_back_the_same(
    board: PhysicalBoard, camera: CameraSettings
) -> None:
    assert read_board(write_board(board, camera), "x.yaml") == BoardFile(board, camera)


@given(lenses)
def test_a_lens_is_written_and_read_back_the_same(lens: Lens) -> None:
    text = (
        GOOD + "camera:\n  lens:\n" + "".join(f"    {x}\n" for x in write_lens(lens).splitlines())
    )
    assert read(text).camera.lens == lens
    assert read(write_board(read(text).board, CameraSettings(lens=lens))).camera.lens == lens


def test_a_board_fitted_to_a_smaller_game_is_not_written() -> None:
    smaller = load_board("photon-10x10").with_grid(SquareGrid(10, 8))
    with raises(BadConfig, sentences.BOARD_HAS_GAME(board="photon-10x10")):
        write_board(smaller)


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "cap_height_mm",
            "cap_heigth_mm",
            at(9, "tags.cap_heigth_mm", unknown_key(near("cap_height_mm"))),
        ),
        ("board:", "bord:", at(1, "bord", unknown_key(near("board")))),
        ("rows: 8", "raws: 8", at(4, "board.raws", unknown_key(near("rows")))),
        ("  rows: 8\n", "", at(2, "board", missing("rows"))),
        ("  tag_mm: 26\n", "", at(7, "tags", missing("tag_mm"))),
        (
            "rows: 8",
            "columns: 8",
            at(4, "board.columns", sentences.KEY_TWICE(line=3)),
        ),
        (
            "kind: square",
            "kind: round",
            at(2, "board.kind", got("'round'", one_of("square", "hex"))),
        ),
        (
            "cell_mm: 40",
            "cell_mm: forty",
            at(5, "board.cell_mm", got("'forty'", number_of("mm", 10, 200))),
        ),
        (
            "columns: 10",
            "columns: 10.5",
            at(3, "board.columns", got("'10.5'", whole(2, 26))),
        ),
        (
            "tag_mm: 26",
            "tag_mm:",
            at(7, "tags.tag_mm", got(sentences.NOTHING(), number_of("mm", 4, 200))),
        ),
        (
            "tag_mm: 26",
            "tag_mm: [26]",
            at(7, "tags.tag_mm", got(sentences.A_LIST(), number_of("mm", 4, 200))),
        ),
        (
            "tag_mm: 26",
            "tag_mm: {a: 1}",
            at(7, "tags.tag_mm", got(sentences.A_SECTION(), number_of("mm", 4, 200))),
        ),
        (
            "kind: square",
            "kind: [square]",
            at(2, "board.kind", got(sentences.A_LIST(), one_of("square", "hex"))),
        ),
        (
            "cap_mm: 34",
            "cap_mm: 24",
            at(7, "tags.tag_mm", sentences.TAG_TOO_WIDE(tag_mm=26, cap_mm=24)),
        ),
        (
            "cap_mm: 34",
            "cap_mm: 41",
            at(8, "tags.cap_mm", sentences.CAP_TOO_WIDE(cap_mm=41, cell_mm=40)),
        ),
        (
            "offset_mm: 24",
            "offset_mm: 12",
            at(11, "tags.corner_offset_mm", sentences.CORNER_ON_BOARD(corner_mm=26, least_mm=13)),
        ),
        ("kind: square", "kind: hex", at(3, "board.columns", sentences.SQUARE_ONLY())),
        (
            "kind: square",
            "kind: square\n  hex: {radius: 5}",
            at(3, "board.hex", sentences.HEX_ONLY()),
        ),
        (
            "cell_mm: 40",
            "cell_mm: 40\n  play_area: 1",
            at(6, "board.play_area", got("'1'", sentences.FREE_ROWS())),
        ),
        (
            "cell_mm: 40",
            "cell_mm: 40\n  play_area: [1, 2]",
            at(6, "board.play_area", got_list(2, sentences.FREE_ROWS())),
        ),
        (
            "cell_mm: 40",
            "cell_mm: 40\n  play_area: [8]",
            at(6, "board.play_area[0]", got("'8'", whole(0, 7))),
        ),
    ],
)
def test_an_error_names_its_line(old: str, new: str, expected: Sentence) -> None:
    assert refusal(GOOD.replace(old, new, 1)) == expected


def test_an_error_is_shown_with_file_line_and_key() -> None:
    shown = "boards/demo.yaml:4: board.raws: unknown key, did you mean 'rows'?"
    assert str(refusal(GOOD.replace("rows: 8", "raws: 8"))) == shown


@pytest.mark.parametrize("key", ["cell_mm", "tag_mm", "cap_mm", "cap_height_mm", "corner_mm"])
@pytest.mark.parametrize(
    "value",
    [
        "-5",
        "-1",
        "1e6",
        "1e999",
        ".nan",
        ".inf",
        "nan",
        "true",
        "yes",
        "'26'",
        '"26"',
        "0x1a",
        "026",
        "1:30",
        "2_6",
        "26,5",
        "26mm",
        "~",
        "٢٦",
    ],
)
def test_a_size_is_a_sane_decimal_number(key: str, value: str) -> None:
    text = re.sub(rf"\b{key}: \d+", f"{key}: {value}", GOOD)
    assert text != GOOD
    sentence = refusal(text)
    assert str(sentence.slots["key"]).endswith(f".{key}")
    assert mentions(sentence, sentences.GOT_WANT)


@pytest.mark.parametrize("value", ["0", "1", "27", "-8", "1e2", "true", "8.5", ".inf", "1e400"])
def test_a_board_has_a_sane_number_of_columns(value: str) -> None:
    assert mentions(refusal(GOOD.replace(": 10", f": {value}", 1)), whole(2, 26))


def test_sizes_may_be_written_with_a_point_or_an_exponent() -> None:
    assert read(GOOD.replace("cell_mm: 40", "cell_mm: 4.1e1")).board.cell_mm == 41


@pytest.mark.parametrize(
    ("spares", "expected"),
    [
        ("{33: 5}", at(12, "tags.spares.33", got("'33'", whole(34, 49)))),
        ("{50: 5}", at(12, "tags.spares.50", got("'50'", whole(34, 49)))),
        ("{34: 35}", at(12, "tags.spares.34", sentences.SPARE_OF_SPARE(tag=35))),
        ("{34: 26}", at(12, "tags.spares.34", sentences.SPARE_OF_CORNER(tag=26))),
        ("{34: 50}", at(12, "tags.spares.34", got("'50'", whole(0, 49)))),
        ("{34: -1}", at(12, "tags.spares.34", got("'-1'", whole(0, 49)))),
        ("{34: 5, 34: 6}", at(12, "tags.spares.34", sentences.KEY_TWICE(line=12))),
        ("{34: 5, 35: 5}", at(12, "tags.spares.35", sentences.SPARE_TWICE(spare=34, tag=5))),
        ("{king: 5}", at(12, "tags.spares.king", got("'king'", whole(34, 49)))),
        ("[34, 5]", at(12, "tags.spares", got(sentences.A_LIST(), sentences.SECTION_LINES()))),
        ("{[34]: 5}", at(12, "tags.spares", got(sentences.A_LIST(), sentences.PLAIN_KEY()))),
    ],
)
def test_an_invalid_spare_tag_is_refused(spares: str, expected: Sentence) -> None:
    assert refusal(GOOD + f"  spares: {spares}\n") == expected


@pytest.mark.parametrize(
    ("camera", "expected"),
    [
        ("usb://0", at(12, "camera", got("'usb://0'", sentences.SECTION_LINES()))),
        ("{url: 0}", at(12, "camera.url", got("'0'", sentences.CAMERA_URL()))),
        (
            "{url: 'ubs://0'}",
            at(
                12,
                "camera.url",
                sentences.BAD_URL(
                    device="camera",
                    url="'ubs://0'",
                    complaint=sentences.UNKNOWN_KIND(hint=near("usb")),
                ),
            ),
        ),
        (
            "{url: 'usb://0?fsp=3'}",
            at(
                12,
                "camera.url",
                sentences.BAD_URL(
                    device="camera",
                    url="'usb://0?fsp=3'",
                    complaint=sentences.UNKNOWN_OPTION(name="'fsp'", hint=near("fps")),
                ),
            ),
        ),
        ("{width: 10}", at(12, "camera.width", got("'10'", whole(160, 8192)))),
        (
            "{lens: {focal: 0}}",
            at(12, "camera.lens.focal", got("'0'", number_of(sentences.IMAGE_WIDTHS(), 0.2, 10))),
        ),
        ("{lens: {centre: [0.5, 0.3]}}", at(12, "camera.lens", missing("focal"))),
        (
            "{lens: {focal: 1, centre: [0.5]}}",
            at(12, "camera.lens.centre", got_list(1, sentences.LENS_CENTRE())),
        ),
        (
            "{lens: {focal: 1, distortion: [1, 2]}}",
            at(12, "camera.lens.distortion", got_list(2, sentences.LENS_TERMS())),
        ),
        (
            "{lens: {focal: 1, calibrated: 1}}",
            at(12, "camera.lens.calibrated", got("'1'", sentences.TRUE_OR_FALSE())),
        ),
        ("{lens: [1]}", at(12, "camera.lens", got(sentences.A_LIST(), sentences.SECTION_LINES()))),
        ("{lens: 7}", at(12, "camera.lens", got("'7'", sentences.LENS_OR_FILE()))),
    ],
)
def test_a_camera_error_names_its_line(camera: str, expected: Sentence) -> None:
    assert refusal(GOOD + f"camera: {camera}\n") == expected


def test_flat_hexagons_are_refused() -> None:
    text = HEX.replace("radius: 5", "radius: 5, orientation: flat")
    assert refusal(text) == at(3, "board.hex.orientation", sentences.FLAT_HEXAGONS())


@pytest.mark.parametrize("radius", ["0", "13", "-5", "5.5", "five"])
def test_a_hexagon_has_a_sane_radius(radius: str) -> None:
    refused = refusal(HEX.replace("radius: 5", f"radius: {radius}"))
    assert refused == at(3, "board.hex.radius", got(repr(radius), whole(1, 12)))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark\n", "---\n"])
def test_an_empty_file_is_reported_as_empty(text: str) -> None:
    empty, nothing = sentences.TEXT_EMPTY(file="boards/demo.yaml"), sentences.NOTHING()
    sentence = refusal(text)
    assert sentence == empty or mentions(sentence, nothing)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("board: [", sentences.NOT_YAML),
        ("a: b: c", sentences.NOT_YAML),
        ("\tboard:\n", sentences.NOT_YAML),
        (
            "just a word",
            sentences.AT_LINE(
                file="boards/demo.yaml",
                line=1,
                complaint=got("'just a word'", sentences.SECTION_LINES()),
            ),
        ),
        (
            "- 1\n- 2",
            sentences.AT_LINE(
                file="boards/demo.yaml",
                line=1,
                complaint=got(sentences.A_LIST(), sentences.SECTION_LINES()),
            ),
        ),
        ("a: 1\n---\nb: 2", sentences.NOT_YAML),
        (
            "board: \x07",
            sentences.NOT_YAML(
                file="boards/demo.yaml", line=1, problem=sentences.CONTROL_CHARACTER()
            ),
        ),
        ("%TAG ! x", sentences.NOT_YAML),
        ("board: !!python/object:os.system {}\ntags: {}", at(1, "board", missing("kind"))),
    ],
)
def test_a_file_of_another_kind_is_refused(text: str, expected: Expected) -> None:
    assert mentions(refusal(text), expected)


def test_aliases_are_refused_before_they_expand() -> None:
    bomb = "a: &a [x, x]\n"
    for one, two in zip("abcdefghijkl", "bcdefghijklm", strict=True):
        bomb += f"{two}: &{two} [{', '.join([f'*{one}'] * 9)}]\n"
    tracemalloc.start()
    sentence = refusal(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    no_aliases = sentences.NO_ALIASES()
    assert sentence == sentences.NOT_YAML(file="boards/demo.yaml", line=1, problem=no_aliases)
    assert peak < 4e6
    assert mentions(refusal(GOOD + "camera: *x\n"), no_aliases)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused(opening: str) -> None:
    too_deep = sentences.NESTED_TOO_DEEPLY(most=8)
    assert mentions(refusal("board:\n  " + opening * 5000), too_deep)


def unreadable(what: Sentence, path: Path, reason: str) -> Sentence:
    return sentences.FILE_UNREADABLE(what=what, path=str(path), reason=reason)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.yaml"
    with file.open("wb") as out:
        out.truncate(10 * 2**30)
    tracemalloc.start()
    with raises(
        BadConfig, sentences.FILE_TOO_LARGE(path=str(file), kib=64, what=sentences.BOARD_FILE())
    ):
        load_board(str(file))
    assert tracemalloc.get_traced_memory()[1] < 4e6
    tracemalloc.stop()
    with raises(BadConfig, sentences.TEXT_TOO_LONG):
        read("#" * 70_000)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    what, none = sentences.BOARD_FILE(), tmp_path / "none.yaml"
    with raises(BadConfig, unreadable(what, none, "No such file or directory")):
        load_board(str(none))
    with raises(BadConfig, unreadable(what, tmp_path, "Is a directory")):
        load_board(str(tmp_path))
    with raises(BadConfig, sentences.FILE_UNREADABLE):
        load_board("a/\0")
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"board:\n  kind: \xe4\n")
    with raises(BadConfig, sentences.FILE_NOT_UTF8(path=str(latin), line=2, byte=15)):
        load_board(str(latin))
    (tmp_path / "bytes.yaml").write_bytes(bytes(range(256)))
    with raises(BadConfig, sentences.FILE_NOT_UTF8):
        load_board(str(tmp_path / "bytes.yaml"))


def test_an_unknown_board_suggests_near_ones_and_lists_all() -> None:
    near, boards = catalogue.DID_YOU_MEAN(name="demo-10x8"), tuple(shipped_boards())
    missing = sentences.NO_SUCH_BOARD_NEAR(name="'demo-8x10'", hint=near, boards=boards)
    with raises(UnknownName, missing) as caught:
        load_board("demo-8x10")
    assert mentions(caught.value.sentence, sentences.NAME_A_BOARD_FILE())
    known = catalogue.KNOWN_NAMES(names=boards)
    with raises(UnknownName, sentences.NO_SUCH_BOARD(name="'q'", hint=known)) as caught:
        load_board("q")
    assert mentions(caught.value.sentence, sentences.NAME_A_BOARD_FILE())


@given(
    st.text(max_size=200)
    | st.from_regex(r"(board|tags|leds|[-:{}\[\]&*!| \n\"'x1])*", fullmatch=True)
)
def test_any_text_is_read_or_refused_with_a_laserboard_error(text: str) -> None:
    with contextlib.suppress(BadConfig):
        read(text)


@settings(deadline=None)
@given(st.integers(0, len(LIT) - 1), st.sampled_from(list(" \n:-[]{}&*'\"#9x")))
def test_any_typing_error_is_read_or_refused_with_a_laserboard_error(at: int, sign: str) -> None:
    try:
        board = read(LIT[:at] + sign + LIT[at + 1 :]).board
    except BadConfig:
        return
    assert all(math.isfinite(n) for n in board.size_mm)


# --- cameras by URL -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("usb://0", UsbCameraAddress("0")),
        ("usb://", UsbCameraAddress("0")),
        ("usb:///dev/v4l/by-id/cam", UsbCameraAddress("/dev/v4l/by-id/cam")),
        ("usb://2?width=1920&height=1080&fps=15", UsbCameraAddress("2", 1920, 1080, 15)),
        ("usb://0?exposure_ms=4.5&gain=10", UsbCameraAddress("0", exposure_ms=4.5, gain=10)),
        ("pi://", PiCameraAddress()),
        ("pi://1?exposure_ms=8&gain=2.5", PiCameraAddress("1", exposure_ms=8, gain=2.5)),
        ("file://game.mp4", VideoFileAddress("game.mp4")),
        ("file:///a/b c.mp4?fps=10", VideoFileAddress("/a/b c.mp4", 10)),
        ("folder://pictures/%3Fodd", ImageFolderAddress("pictures/?odd")),
        ("sim://", SimulatedCameraAddress()),
        ("sim://hex-r5?seed=7&fps=5", SimulatedCameraAddress("hex-r5", fps=5, seed=7)),
    ],
)
def test_a_camera_url_round_trips(url: str, address: CameraAddress) -> None:
    assert parse_camera_url(url) == address
    assert parse_camera_url(format_camera_url(address)) == address


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_any_path_round_trips(path: str) -> None:
    assert parse_camera_url(format_camera_url(ImageFolderAddress(path, 0.5))) == ImageFolderAddress(
        path, 0.5
    )


def test_the_size_in_the_board_file_applies_if_the_url_has_none() -> None:
    assert parse_camera_url("usb://0", 1920, 1080) == UsbCameraAddress("0", 1920, 1080)
    assert parse_camera_url("usb://0?width=640", 1920, 1080) == UsbCameraAddress("0", 640, 1080)
    assert parse_camera_url("file://a.mp4", 1920, 1080) == VideoFileAddress("a.mp4")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("0", sentences.WRITE_URL(examples=sentences.CAMERA_URLS())),
        ("", sentences.WRITE_URL(examples=sentences.CAMERA_URLS())),
        ("/dev/video0", sentences.WRITE_URL(examples=sentences.CAMERA_URLS())),
        ("usbb://0", sentences.UNKNOWN_KIND(hint=near("usb"))),
        (
            "http://camera",
            sentences.UNKNOWN_KIND(hint=known("usb", "pi", "auto", "file", "folder", "sim")),
        ),
        ("usb://front", sentences.AFTER_SCHEME(scheme="usb", want=sentences.USB_CAMERA())),
        ("pi://left", sentences.AFTER_SCHEME(scheme="pi", want=sentences.PI_CONNECTOR())),
        (
            "file://",
            sentences.AFTER_SCHEME(scheme="file", want=sentences.RECORDING_PATH(scheme="file")),
        ),
        (
            "folder://",
            sentences.AFTER_SCHEME(scheme="folder", want=sentences.RECORDING_PATH(scheme="folder")),
        ),
        (
            "usb://0?widht=3",
            sentences.UNKNOWN_OPTION(name="'widht'", hint=near("width")),
        ),
        (
            "usb://0?exposure=3",
            sentences.UNKNOWN_OPTION(name="'exposure'", hint=near("exposure_ms")),
        ),
        ("usb://0?fps", sentences.NOT_AN_OPTION(part="'fps'")),
        ("usb://0?fps=", sentences.NOT_AN_OPTION(part="'fps='")),
        ("usb://0?fps=3&fps=4", sentences.OPTION_TWICE(option="fps")),
        (
            "usb://0?fps=0",
            option("fps", "0", number(1, 240)),
        ),
        (
            "usb://0?width=12.5",
            option("width", "12.5", whole(160, 8192)),
        ),
        (
            "usb://0?width=nan",
            option("width", "nan", whole(160, 8192)),
        ),
        (
            "usb://0?width=1e9",
            option("width", "1e9", whole(160, 8192)),
        ),
        (
            "usb://0?width=-1280",
            option("width", "-1280", whole(160, 8192)),
        ),
        (
            "file://a.mp4?width=3",
            sentences.UNKNOWN_OPTION(name="'width'", hint=known("fps")),
        ),
    ],
)
def test_a_wrong_url_says_what_to_write(url: str, expected: Sentence) -> None:
    with raises(BadCamera, sentences.BAD_URL(device="camera", url=repr(url), complaint=expected)):
        parse_camera_url(url)


# --- a key under the wrong section ------------------------------------------------------------


def uncommented(board: str, *lines: str) -> str:
    """The output of `init` without devices, with these lines uncommented."""
    text = board_file_template(board)
    for line in lines:
        assert text.count(f"\n# {line}") == 1, line
        text = text.replace(f"\n# {line}", f"\n{line}")
    return text


def line_of(text: str, line: str) -> int:
    return text.splitlines().index(line) + 1


def misplaced(text: str, key: str) -> dict[str, Slot]:
    """The slots of the hint that this key belongs elsewhere."""
    slots = dict(refusal(text).slots)
    error = slots.pop("error")
    assert isinstance(error, Sentence)
    assert error.slots["key"] == key
    return slots


def test_a_key_of_a_commented_out_section_is_reported() -> None:
    text = uncommented("paper-10x8", "  url: usb://0")
    still_a_comment = {"key": "url", "section": "camera", "line": line_of(text, "# camera:")}
    assert misplaced(text, "tags.url") == still_a_comment
    assert read_board(uncommented("paper-10x8", "camera:", "  url: usb://0"), "mine.yaml")


@pytest.mark.parametrize("before", ["", "leds:\n  url: serial://auto\n"], ids=["wrong", "twice"])
def test_a_key_known_to_the_section_above_is_reported_too(before: str) -> None:
    text = uncommented("demo-10x8", "  url: usb://0")
    if before:
        text = text.replace("\nleds:\n", f"\n{before}")
    still_a_comment = {"key": "url", "section": "camera", "line": line_of(text, "# camera:")}
    assert misplaced(text, "leds.url") == still_a_comment


def test_a_misplaced_key_names_its_section() -> None:
    homes = one_of("`camera:`", "`leds:`", "`buttons:`", "`speaker:`")
    assert misplaced(GOOD + "  url: usb://0\n", "tags.url") == {"key": "url", "sections": homes}
    home = {"key": "columns", "sections": one_of("`board:`")}
    assert misplaced(GOOD + "columns: 10\n", "columns") == home


@pytest.mark.parametrize("wrong", ["  sparse: 1\n", "camera:\n  url: eye://\n", "play: 3\n"])
def test_other_errors_get_no_hint_about_sections(wrong: str) -> None:
    assert refusal(GOOD + wrong).key == sentences.AT_KEY.key


def test_the_table_of_section_keys_is_complete() -> None:
    """Compares with the keys that the reader lists in its error message."""
    for section, keys in SECTION_KEYS.items():
        other = "" if section in ("board", "tags") else f"{section}:\n  qqqqqqqq: 1\n"
        text = GOOD.replace(f"{section}:\n", f"{section}:\n  qqqqqqqq: 1\n") + other
        (listed,) = (
            part.slots["names"]
            for part in parts(refusal(text))
            if part.key == catalogue.KNOWN_NAMES.key
        )
        assert isinstance(listed, tuple)
        assert [each for each in listed if each != "password"] == list(keys), section
