"""`laserboard see` and `scene`: reading and rendering images, and errors for bad files."""

from __future__ import annotations

import json
import shlex
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.cli.main import main
from controller.config.board_file import load_board
from controller.storage.image_files import read_colour_image, read_grey_image, save_png
from engine import games
from tests.support.board_file import GOOD
from tests.support.cli import Laserboard
from tests.support.vision.rendered_tables import Grey, RenderedTable, start
from vision.camera_model import CameraModel, Lens
from vision.scene import SCENARIOS, Hand, ScenePiece

ACE = "l++3d++kd++b+++2/2b7/3B+6/b++1B1ss+1b+++1B+/b+++1B+1S+S1b++1B/6b+++3/7B++2/2B+DKD3L"
BOARD = load_board("demo-10x8")
BARREL = Lens(0.62, (0.52, 0.27), (-0.28, 0.08, 0.001, -0.001, 0.0), calibrated=True)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two shots of two positions, and a lock image of the first without a hand."""
    folder = tmp_path_factory.mktemp("photos")

    def shot(name: str, *arguments: str) -> None:
        assert main(["scene", "--out", str(folder / name), *arguments]) == 0

    shot("ace.png", "--setup", "ace", "--shot", "3", "--truth", str(folder / "ace.json"))
    shot("curiosity.png", "--setup", "curiosity", "--shot", "4")
    shot("hand.png", "--scenario", "hand", "--shot", "2", "--truth", str(folder / "hand.json"))
    save_png(folder / "no-board.png", np.full((480, 640), 99, np.uint8))
    return folder


@cache
def photo(hands: int = 0) -> Grey:
    """An image of the setup ace on the demo board, from another viewpoint."""
    table = start(board=BOARD)
    if hands:
        table = table.seen_with(hands=(Hand(170.0, 220.0, 180.0),))
    return table.frame()


def without_corners(table: RenderedTable, grey: Grey) -> Grey:
    covered = grey.copy()
    for x, y in table.board.corner_tags_mm():
        around = np.array(
            [(x + dx, y + dy) for dx, dy in ((-22, -22), (22, -22), (22, 22), (-22, 22))]
        )
        cv2.fillConvexPoly(covered, np.round(table.view.project(around)).astype(np.int32), (90,))
    return covered


def readings(laserboard: Laserboard, *arguments: str) -> list[dict[str, Any]]:
    read = json.loads(laserboard.prints("see", "--json", *arguments))
    assert isinstance(read, list)
    return read


# -- output ------------------------------------------------------------------------------------


def test_an_image_of_a_setup_is_read_as_that_setup(laserboard: Laserboard, photos: Path) -> None:
    [seen] = readings(laserboard, str(photos / "ace.png"))
    game = games.make("laser-chess")
    assert seen["position"] == ACE == game.write_arrangement(game.start("ace"))
    assert dict(game.read_position(f"{seen['position']} b").pieces) == game.start("ace").pieces


def test_json_has_the_documented_shape_and_nothing_else(
    laserboard: Laserboard, photos: Path
) -> None:
    [seen] = readings(laserboard, str(photos / "ace.png"))
    assert list(seen) == ["image", "locked", "cells", "covered", "problems", "position"]
    assert seen["image"] == str(photos / "ace.png")
    assert seen["locked"] is True
    assert seen["covered"] == []
    assert seen["problems"] == []
    assert len(seen["cells"]) == 26, "only cells where a piece was read"
    for cell in seen["cells"].values():
        assert list(cell) == [
            "tag", "piece", "orientation", "confidence", "crooked_degrees", "offset_mm"
        ]  # fmt: skip
        assert isinstance(cell["tag"], int)
        assert cell["orientation"] in (0, 90, 180, 270)
        assert 0.9 < cell["confidence"] <= 1
        assert abs(cell["crooked_degrees"]) < 8
        assert np.hypot(*cell["offset_mm"]) < 4


def test_pieces_are_letters_and_capitals_are_the_first_player(
    laserboard: Laserboard, photos: Path
) -> None:
    [seen] = readings(laserboard, str(photos / "ace.png"))
    assert {name: (cell["piece"], cell["orientation"]) for name, cell in seen["cells"].items()} == {
        "a8": ("l", 180), "e8": ("d", 180), "f8": ("k", 0), "g8": ("d", 180), "h8": ("b", 270),
        "c7": ("b", 0), "d6": ("B", 90), "a5": ("b", 180), "c5": ("B", 0), "e5": ("s", 0),
        "f5": ("s", 90), "h5": ("b", 270), "j5": ("B", 90), "a4": ("b", 270), "c4": ("B", 90),
        "e4": ("S", 90), "f4": ("S", 0), "h4": ("b", 180), "j4": ("B", 0), "g3": ("b", 270),
        "h2": ("B", 180), "c1": ("B", 90), "d1": ("D", 0), "e1": ("K", 0), "f1": ("D", 0),
        "j1": ("L", 0),
    }  # fmt: skip


def test_several_images_are_separate_json_objects(laserboard: Laserboard, photos: Path) -> None:
    first, second = str(photos / "ace.png"), str(photos / "curiosity.png")
    both = readings(laserboard, first, second, first)
    assert [each["image"] for each in both] == [first, second, first]
    game = games.make("laser-chess")
    curiosity = game.write_arrangement(game.start("curiosity"))
    assert [each["position"] for each in both] == [ACE, curiosity, ACE]
    assert both[0] == both[2], "what came before makes no difference"


def test_cells_under_a_hand_are_covered_and_there_is_no_position(
    laserboard: Laserboard, photos: Path
) -> None:
    [seen] = readings(laserboard, str(photos / "hand.png"))
    real = json.loads((photos / "hand.json").read_text("utf-8"))
    assert seen["covered"]
    assert not set(seen["covered"]) & set(seen["cells"])
    hidden = {each["cell"] for each in real["tags"] if each["visible_fraction"] < 0.4}
    assert len(hidden) >= 2
    assert hidden <= set(seen["covered"])
    truth = {each["cell"]: each["tag"] for each in real["tags"]}
    assert {name: cell["tag"] for name, cell in seen["cells"].items()}.items() <= truth.items()


def test_the_text_has_a_count_a_board_a_position_and_the_problems(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    table = start(board=BOARD).shifted(BOARD.grid.cell("h2"), 17.0)
    save_png(tmp_path / "a.png", table.frame())
    lines = laserboard.prints("see", str(tmp_path / "a.png")).splitlines()
    assert lines[0].startswith(f"{tmp_path / 'a.png'}: 25 pieces read, ")
    assert lines[0].endswith(" cells covered (?)")
    assert lines[-1] == (
        "! tag 23 (blue deflector) stands between h2 and i2: put it in the middle of one"
    )
    assert lines[-2] == ACE.replace("7B++2", "*")
    board = "\n".join(lines[1:-2])
    assert "a    b    c" in board
    assert "k♚" in board


def test_strays_and_the_readers_own_problems_are_both_reported(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    table = start(board=BOARD).shifted(BOARD.grid.cell("j1"), 0, 0, 20)
    piece = table.scene.pieces[0].piece
    table = table.with_pieces(*table.scene.pieces, ScenePiece(40, piece, 180, 220))
    grey = table.frame()
    outline = table.view.project(
        np.array([-24, 344]) + 20 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    )
    cv2.fillConvexPoly(grey, np.round(outline).astype(np.int32), (90,))
    save_png(tmp_path / "a.png", grey)
    [seen] = readings(laserboard, str(tmp_path / "a.png"))
    corner, crooked, foreign = seen["problems"]
    assert corner == "corner tag 29 is hidden: move the hand or the lamp at a1"
    assert crooked.startswith("j1: the piece stands ")
    assert foreign == "e3: tag 40 (no piece of Laser Chess): take it off"


# -- the lock ----------------------------------------------------------------------------------


def test_the_lock_image_is_used_only_to_find_the_board(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    table = start(board=BOARD)
    lock, hidden = str(tmp_path / "lock.png"), str(tmp_path / "hidden.png")
    save_png(lock, table.with_pieces().frame())
    save_png(hidden, without_corners(table, table.frame()))
    alone = laserboard("see", "--json", hidden)
    assert alone.status == 1
    assert json.loads(alone.out)[0]["locked"] is False
    [seen] = readings(laserboard, "--lock", lock, hidden)
    assert seen["locked"] is True
    assert seen["position"] == ACE
    [problem] = seen["problems"]
    assert problem.startswith("no corner tag is seen: reading on where the board was")


def test_pieces_and_a_nudged_camera_in_the_lock_image_change_nothing(
    laserboard: Laserboard, photos: Path, tmp_path: Path
) -> None:
    lock, other = str(tmp_path / "lock.png"), str(tmp_path / "other.png")
    arguments = ["--setup", "ace", "--shot", "3"]
    laserboard.prints("scene", *arguments, "--scenario", "nudge_10", "--lock-out", lock)
    laserboard.prints("scene", "--position", few(), *arguments[2:], "--out", other)
    seen = readings(laserboard, "--lock", lock, other, str(photos / "ace.png"))
    assert [each["position"] for each in seen] == [few().split()[0], ACE]


def test_pieces_in_the_lock_image_improve_the_guessed_lens(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    """From straight above, four corners alone do not determine the lens."""
    table = start(board=BOARD)
    wide = CameraModel.looking_down(BOARD.size_mm, 1280, 720, 0.6, 0.0, 3.0, Lens(0.45))
    table, names = replace(table, view=wide), (str(tmp_path / "all.png"), str(tmp_path / "one.png"))
    laser = table.piece_on(BOARD.grid.cell("j1"))
    save_png(names[0], table.frame())
    save_png(names[1], table.with_pieces(laser).frame())
    [alone], [by_lock] = readings(laserboard, names[1]), readings(laserboard, "--lock", *names)
    off_mm = [np.hypot(*each["cells"]["j1"]["offset_mm"]) for each in (alone, by_lock)]
    assert off_mm[0] > 4
    assert off_mm[1] < 0.7 * off_mm[0]


def few() -> str:
    return "l++9/*/*/*/4k5/*/*/4K4L b"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (np.full((720, 1280), 99, np.uint8), "no board is seen: none of the corner tags 26 to 29"),
        (None, "No such file or directory"),
    ],
)
def test_a_lock_without_a_board_is_refused(
    laserboard: Laserboard, photos: Path, tmp_path: Path, content: Any, sentence: str
) -> None:
    lock = tmp_path / "lock.png"
    if content is not None:
        save_png(lock, content)
    refusal = laserboard.refuses("see", "--lock", str(lock), str(photos / "ace.png"))
    assert str(lock) in refusal
    assert sentence in refusal


def test_a_lock_of_another_size_is_refused(
    laserboard: Laserboard, photos: Path, tmp_path: Path
) -> None:
    lock, ace = str(tmp_path / "lock.png"), str(photos / "ace.png")
    laserboard.prints("scene", "--size", "960x540", "--shot", "3", "--lock-out", lock)
    ran = laserboard("see", "--json", "--lock", lock, ace, ace)
    assert ran.status == 2
    line = (
        f"laserboard: {ace} has 1280 x 720 pixels, the image to lock by 960 x 540: they must"
        " show the same view"
    )
    assert ran.err.splitlines() == [line, line]
    assert [each["locked"] for each in json.loads(ran.out)] == [False, False]


# -- overlays ----------------------------------------------------------------------------------


def test_overlays_are_written_and_numbered(
    laserboard: Laserboard, photos: Path, tmp_path: Path
) -> None:
    images = [str(photos / name) for name in ("ace.png", "no-board.png", "curiosity.png")]
    assert laserboard("see", *images, "--overlay", str(tmp_path / "seen.png")).status == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "seen-2.png",
        "seen-3.png",
        "seen.png",
    ]
    for image, drawn in zip(images, ("seen.png", "seen-2.png", "seen-3.png"), strict=True):
        before, after = read_colour_image(image), read_colour_image(tmp_path / drawn)
        assert after.shape[0] >= before.shape[0]
        assert after.shape[1] >= before.shape[1]
        under = after[: before.shape[0], : before.shape[1]]
        assert np.array_equal(under, before) == ("no-board" in image)


def test_an_overlay_keeps_its_number_after_a_bad_image(
    laserboard: Laserboard, photos: Path, tmp_path: Path
) -> None:
    ran = laserboard(
        "see", "none.png", str(photos / "ace.png"), "--overlay", str(tmp_path / "o.png")
    )
    assert ran.status == 2
    assert [each.name for each in tmp_path.iterdir()] == ["o-2.png"]


@pytest.mark.parametrize(
    ("out", "sentence"),
    [("o.jpg", "images are saved as .png"), ("none/o.png", "No such file or directory")],
)
def test_an_overlay_that_cannot_be_written_is_reported_in_one_line(
    laserboard: Laserboard, photos: Path, tmp_path: Path, out: str, sentence: str
) -> None:
    out = str(tmp_path / out)
    refusal = laserboard.refuses("see", str(photos / "ace.png"), "--overlay", out)
    assert refusal == f"laserboard: cannot write {out}: {sentence}\n"


@pytest.mark.parametrize("size", [(16, 16), (24, 300)])
def test_the_smallest_image_has_an_overlay(
    laserboard: Laserboard, tmp_path: Path, size: tuple[int, int]
) -> None:
    width, height = size
    save_png(tmp_path / "tiny.png", np.full((height, width), 99, np.uint8))
    ran = laserboard("see", str(tmp_path / "tiny.png"), "--overlay", str(tmp_path / "o.png"))
    assert ran.status == 1
    assert read_grey_image(tmp_path / "o.png").shape[1] >= width


# -- bad images ------------------------------------------------------------------------------


def png(width: int, height: int) -> bytes:
    """A PNG with header and end but no image data."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def packed(suffix: str, image: Grey) -> bytes:
    return bytes(cv2.imencode(suffix, image)[1].tobytes())


def broken_jpeg() -> bytes:
    content = bytearray(packed(".jpg", photo()))
    content[2:4] = b"no"
    return bytes(content)


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "broken.jpg": (broken_jpeg, "damaged, it is no JPEG after byte 2"),
    "cut.jpg": (lambda: packed(".jpg", photo())[:-500], "cut off, the end of the file is missing"),
    "cut.png": (lambda: packed(".png", photo())[:9000], "cut off, the end of the file is missing"),
    "hollow.png": (lambda: png(640, 480), "damaged, it cannot be unpacked"),
    "dot.png": (lambda: png(1, 1), "1 x 1 pixels are too few to see anything"),
    "huge.png": (lambda: png(10_000, 5_000), "10000 x 5000 are 50 million pixels, at most 40 are"),
    "text.jpg": (lambda: b"Dear Sir,\n", "neither JPEG nor PNG"),
    "empty.png": (lambda: b"", "the file is empty"),
}


@pytest.mark.parametrize("name", [*BAD, "folder", "missing.png"])
def test_a_bad_file_is_one_line_and_the_other_images_are_read(
    laserboard: Laserboard, photos: Path, tmp_path: Path, name: str
) -> None:
    bad, ace = tmp_path / name, str(photos / "ace.png")
    sentence = {"folder": "Is a directory", "missing.png": "No such file or directory"}.get(name)
    if name == "folder":
        bad.mkdir()
    elif name in BAD:
        content, sentence = BAD[name]
        bad.write_bytes(content())
    assert sentence is not None
    ran = laserboard("see", "--json", str(bad), ace)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("laserboard: ")
    assert str(bad) in ran.err
    assert sentence in ran.err
    refused, read = json.loads(ran.out)
    assert refused == {
        "image": str(bad),
        "locked": False,
        "cells": {},
        "covered": [],
        "problems": [ran.err.removeprefix("laserboard: ").rstrip("\n")],
        "position": None,
    }
    assert read["position"] == ACE


def test_in_text_a_bad_file_is_reported_in_the_same_line(
    laserboard: Laserboard, photos: Path
) -> None:
    ran = laserboard("see", "none.png", str(photos / "ace.png"))
    assert ran.status == 2
    assert ran.err == ("laserboard: cannot read the image none.png: No such file or directory\n")
    assert ACE in ran.lines


def test_an_image_without_a_board_has_another_exit_status(
    laserboard: Laserboard, photos: Path
) -> None:
    empty, ace = str(photos / "no-board.png"), str(photos / "ace.png")
    ran = laserboard("see", "--json", empty, ace)
    assert ran.status == 1
    assert ran.err.startswith(f"laserboard: {empty}: no board is seen: none of the corner tags")
    assert ran.err.count("\n") == 1
    unseen, read = json.loads(ran.out)
    assert (unseen["locked"], unseen["cells"], unseen["position"]) == (False, {}, None)
    assert unseen["problems"] == [ran.err.partition(f"{empty}: ")[2].rstrip("\n")]
    assert read["position"] == ACE
    assert laserboard("see", empty, ace, "none.png").status == 2, "the worst of all counts"


def test_a_file_with_a_strange_name_is_reported_on_one_line(laserboard: Laserboard) -> None:
    ran = laserboard("see", "a\nb.png")
    assert ran.status == 2
    assert ran.err.count("\n") == 1


def test_a_photograph_of_many_pixels_is_scaled_down_and_read(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    size = (1280 * 3 + 1, 720 * 3 + 1)
    large = cv2.resize(photo(), size, interpolation=cv2.INTER_LINEAR)
    (tmp_path / "large.jpg").write_bytes(packed(".jpg", np.asarray(large, np.uint8)))
    [seen] = readings(laserboard, str(tmp_path / "large.jpg"), "--overlay", str(tmp_path / "o.png"))
    assert seen["position"] == ACE
    assert read_grey_image(tmp_path / "o.png").shape[1] <= 2400


# -- boards and games --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "game", "pieces"),
    [
        ("demo-10x8", None, 26),
        ("paper-10x8", None, 26),
        ("photon-10x10", None, 24),
        ("photon-10x10", "laser-chess", 26),
        ("hex-r5", None, 2),
    ],
)
def test_a_scene_is_read_as_it_was_rendered(
    laserboard: Laserboard, tmp_path: Path, board: str, game: str | None, pieces: int
) -> None:
    image, real = str(tmp_path / "a.png"), tmp_path / "a.json"
    which = ["--board", board, *([] if game is None else ["--game", game])]
    laserboard.prints("scene", *which, "--out", image, "--truth", str(real))
    [seen] = readings(laserboard, *which, image)
    truth = json.loads(real.read_text("utf-8"))
    assert len(truth["tags"]) == pieces
    assert {each["cell"]: (each["tag"], each["orientation"]) for each in truth["tags"]} == {
        name: (cell["tag"], cell["orientation"]) for name, cell in seen["cells"].items()
    }
    assert seen["problems"] == []
    assert truth["covered"] == []
    assert all(each["visible"] for each in truth["tags"])
    for each in truth["tags"]:
        cell = seen["cells"][each["cell"]]
        assert cell["crooked_degrees"] == pytest.approx(crooked(each, board), abs=2.5)


def crooked(each: dict[str, Any], board: str) -> float:
    step = 60 if board.startswith("hex") else 90
    off = (each["angle_degrees"] - (30 if step == 60 else 0) + step / 2) % step - step / 2
    return float(off)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--board", "demo-10x9"), "no board 'demo-10x9', did you mean 'demo-10x8'?"),
        (("--board", "./none.yaml"), "cannot read the board file none.yaml: No such file"),
        (("--game", "laser-ches"), "there is no game 'laser-ches', did you mean 'laser-chess'?"),
        (("--game", "photon"),
         "the board 'demo-10x8' (10 x 8 squares) has no room for 10 x 10 squares"),
        (("--board", "hex-r5", "--game", "laser-chess"),
         "the board 'hex-r5' (hexagons of radius 5) has no room for 10 x 8 squares"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["see", "scene"])
def test_an_invalid_board_or_game_is_refused_in_one_line(
    laserboard: Laserboard, tmp_path: Path, command: str, arguments: tuple[str, ...], message: str
) -> None:
    rest = ["a.png"] if command == "see" else ["--out", str(tmp_path / "a.png")]
    assert message in laserboard.refuses(command, *arguments, *rest)


def test_a_board_too_small_for_any_game_is_reported(laserboard: Laserboard, tmp_path: Path) -> None:
    board = tmp_path / "tiny.yaml"
    board.write_text(GOOD.replace("10", "5").replace("rows: 8", "rows: 5"), "utf-8")
    assert laserboard.refuses("see", "--board", str(board), "a.png") == (
        "laserboard: no game fits on the board 'tiny'\n"
    )


def test_a_spare_of_the_board_file_is_read_as_its_piece(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    board, image = tmp_path / "mine.yaml", str(tmp_path / "a.png")
    board.write_text(GOOD + "  spares: {34: 13}\n", "utf-8")
    table = start(board=BOARD)
    king = table.piece_on(BOARD.grid.cell("e1"))
    others = [thing for thing in table.scene.pieces if thing is not king]
    save_png(image, table.with_pieces(*others, replace(king, tag=34)).frame())
    [seen] = readings(laserboard, "--board", str(board), image)
    assert seen["cells"]["e1"]["tag"] == 34
    assert seen["cells"]["e1"]["piece"] == "K"
    assert seen["position"] == ACE
    [unknown] = readings(laserboard, image)
    assert "e1" not in unknown["cells"]
    assert "e1: tag 34 (no piece of Laser Chess): take it off" in unknown["problems"]


def test_the_lens_of_the_board_file_is_used(laserboard: Laserboard, tmp_path: Path) -> None:
    board, image = tmp_path / "mine.yaml", str(tmp_path / "a.png")
    board.write_text(
        GOOD + "camera:\n  lens: {focal: 0.62, centre: [0.52, 0.27], "
        "distortion: [-0.28, 0.08, 0.001, -0.001, 0.0], calibrated: true}\n",
        "utf-8",
    )
    view = CameraModel.looking_down(BOARD.size_mm, 1280, 720, 0.5, 28.0, 7.0, BARREL)
    save_png(image, replace(start(board=BOARD), view=view).frame())
    [seen] = readings(laserboard, "--board", str(board), image)
    assert (seen["position"], seen["problems"]) == (ACE, [])
    offsets = [np.hypot(*cell["offset_mm"]) for cell in seen["cells"].values()]
    assert max(offsets) < 1.5, "the lens is corrected"


# -- scenes ------------------------------------------------------------------------------------


def test_a_scene_has_the_requested_size(laserboard: Laserboard, tmp_path: Path) -> None:
    for size in ("320x240", "240x480", "64x64"):
        laserboard.prints("scene", "--size", size, "--out", str(tmp_path / "a.png"))
        height, width = read_grey_image(tmp_path / "a.png").shape
        assert f"{width}x{height}" == size


@pytest.mark.parametrize(
    "size",
    ["1280", "1280x", "x720", "1280X720", "-5x720", "1e3x720", "١٢٨٠x720", "12.5x720", " 640x480",
     "640x480x3", "9" * 5000 + "x720"],
    ids=range(11),
)  # fmt: skip
def test_an_invalid_size_is_refused(laserboard: Laserboard, size: str) -> None:
    refusal = laserboard.refuses("scene", f"--size={size}", "--out", "a.png")
    assert "--size" in refusal
    assert "write it as 1280x720" in refusal
    assert len(refusal) < 200


@pytest.mark.parametrize("size", ["63x64", "64x63", "4097x2000", "2000x4097", "0x0", "99999x100"])
def test_a_size_that_is_too_small_or_large_is_refused(laserboard: Laserboard, size: str) -> None:
    refusal = laserboard.refuses("scene", "--size", size, "--out", "a.png")
    assert refusal == f"laserboard: --size {size}: each side from 64 to 4096\n"


@pytest.mark.parametrize("size", ["64x4096", "4096x64", "100x401"])
def test_a_very_narrow_image_is_refused(laserboard: Laserboard, size: str) -> None:
    """The camera would have to be infinitely far away."""
    refusal = laserboard.refuses("scene", "--size", size, "--out", "a.png")
    assert refusal == f"laserboard: --size {size}: no side more than 4 times the other\n"


def test_a_shot_is_reproducible_and_differs_from_others(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    files = []
    for name, shot in (("a", "7"), ("b", "7"), ("c", "8")):
        out, truth = tmp_path / f"{name}.png", tmp_path / f"{name}.json"
        laserboard.prints(
            "scene", "--scenario", "mixed_lo", "--shot", shot, "--size", "320x180", "--out",
            str(out), "--truth", str(truth),
        )  # fmt: skip
        files.append((out.read_bytes(), truth.read_text("utf-8")))
    assert files[0] == files[1]
    assert files[0][0] != files[2][0]
    assert files[0][1] != files[2][1]


def test_the_truth_can_be_printed(laserboard: Laserboard) -> None:
    real = json.loads(
        laserboard.prints("scene", "--position", few(), "--size", "320x180", "--truth", "-")
    )
    assert list(real) == ["tags", "covered", "game"]
    assert real["game"] == "laser-chess"
    assert {(each["tag"], each["cell"]) for each in real["tags"]} == {
        (12, "a8"), (0, "e4"), (13, "e1"), (25, "j1")
    }  # fmt: skip
    assert list(real["tags"][0]) == [
        "tag", "cell", "orientation", "angle_degrees", "x_mm", "y_mm", "visible",
        "visible_fraction",
    ]  # fmt: skip


def test_a_position_may_come_from_a_file(laserboard: Laserboard, tmp_path: Path) -> None:
    (tmp_path / "sn.txt").write_text(few() + "\n", "utf-8")
    position = ["--position", f"@{tmp_path / 'sn.txt'}", "--size", "320x180"]
    out = laserboard.prints("scene", *position, "--truth", "-")
    assert len(json.loads(out)["tags"]) == 4


def test_a_spaceships_map_comes_from_its_seed(laserboard: Laserboard) -> None:
    tags = []
    for seed in ("5", "6", "5"):
        out = laserboard.prints(
            "scene", "--board", "hex-r5", "--seed", seed, "--size", "320x240", "--truth", "-"
        )
        tags.append([each["cell"] for each in json.loads(out)["tags"]])
    assert tags[0] == tags[2]
    assert {len(each) for each in tags} == {2}


def test_a_rule_option_is_used(laserboard: Laserboard) -> None:
    real = laserboard.prints(
        "scene", "--option", "no-capture=off", "--size", "320x180", "--truth", "-"
    )
    assert len(json.loads(real)["tags"]) == 26


def test_scenarios_are_listed(laserboard: Laserboard) -> None:
    assert laserboard.prints("scene", "--scenario", "list").splitlines() == list(SCENARIOS)


def test_a_lock_image_has_no_hand_and_good_light(laserboard: Laserboard, tmp_path: Path) -> None:
    dark, lock = str(tmp_path / "dark.png"), str(tmp_path / "lock.png")
    laserboard.prints("scene", "--scenario", "very_dim", "--out", dark, "--lock-out", lock)
    assert read_grey_image(dark).mean() < 0.4 * read_grey_image(lock).mean()
    alone, by_lock = (
        readings_of_failed_run(laserboard, dark),
        readings(laserboard, "--lock", lock, dark),
    )
    assert len(by_lock[0]["cells"]) >= 24
    assert len(by_lock[0]["cells"]) >= len(alone[0]["cells"])


def readings_of_failed_run(laserboard: Laserboard, *arguments: str) -> list[dict[str, Any]]:
    read = json.loads(laserboard("see", "--json", *arguments).out)
    assert isinstance(read, list)
    return read


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--scenario", "motion_5", "--out", "a.png"), "did you mean 'motion_"),
        (("--scenario", "dimm", "--out", "a.png"), "no scenario 'dimm', did you mean 'dim'?"),
        (("--scenario", "x" * 500, "--out", "a.png"), "known: plain, motion_4"),
        ((), "name a file: --out FILE.png for the image, --truth FILE.json"),
        (("--shot", "-5", "--out", "a.png"), "--shot -5: from 0 up"),
        (("--shot", "many", "--out", "a.png"), "'many' is not a whole number"),
        (("--size", "64x64", "--out", "a.jpg"), "cannot write a.jpg: images are saved as .png"),
        (("--size", "64x64", "--out", "none/a.png"), "cannot write none/a.png: No such file"),
        (("--size", "64x64", "--truth", "none/a.json"), "cannot write none/a.json: No such file"),
        (("--size", "64x64", "--lock-out", "a.bmp"), "cannot write a.bmp: images are saved as"),
        (("--setup", "ace", "--seed", "3", "--out", "a.png"), "--setup and --seed both name"),
        (("--setup", "nice", "--out", "a.png"), "laser-chess has no setup 'nice'"),
        (("--seed", "3", "--out", "a.png"), "laser-chess starts from a setup, not from a seed"),
        (("--option", "speed=3", "--out", "a.png"), "laser-chess has no option 'speed'"),
        (("--position", "nonsense", "--out", "a.png"), "'nonsense' is not Setup Notation"),
        (("--position", "@none", "--out", "a.png"), "cannot read none: No such file"),
    ],
)
def test_an_invalid_scene_is_refused_in_one_line(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert message in laserboard.refuses("scene", *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["see", "scene"])
def test_the_examples_of_the_help_work(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("board.jpg", "empty.jpg", "move1.jpg", "move2.jpg"):
        Path(name).write_bytes(packed(".jpg", photo()))
    Path("large.yaml").write_text(GOOD, "utf-8")
    help_text = laserboard.prints(command, "--help")
    examples = [
        shlex.split(line) for line in help_text.splitlines() if line.startswith("  laserboard ")
    ]
    assert len(examples) == 3
    for program, *arguments in examples:
        assert program == "laserboard"
        laserboard.prints(*arguments)
