"""Commands for building use the board file in the working folder, as `play` does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.config.board_file import SHIPPED_BOARDS_FOLDER
from tests.support.cli import Laserboard


@pytest.fixture
def laserboard(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Laserboard:
    """Runs in a folder whose board file has a missing camera, no buttons and no LEDs."""
    monkeypatch.chdir(tmp_path)
    text = (SHIPPED_BOARDS_FOLDER / "paper-10x8.yaml").read_text("utf-8")
    mine = "camera: {url: folder://nowhere}\nbuttons: {url: none://}\n"
    Path("laserboard.yaml").write_text(text + mine, "utf-8")
    return Laserboard(capsys)


@pytest.mark.parametrize(
    "command", ["camera test", "calibrate --once", "calibrate lens --out l", "watch"]
)
def test_camera_test_uses_the_camera_of_the_file(laserboard: Laserboard, command: str) -> None:
    said = laserboard(*command.split())
    assert said.status == 2
    assert "folder://nowhere: there is no such folder" in said.err


def test_leds_uses_the_leds_of_the_file(laserboard: Laserboard) -> None:
    assert "the board 'laserboard' has no LEDs" in laserboard.refuses("leds", "test")


def test_buttons_test_uses_the_buttons_of_the_file(laserboard: Laserboard) -> None:
    assert "none://: there are no buttons to test" in laserboard("buttons", "test").err


@pytest.mark.parametrize("sheet", ["tags", "board"])
def test_print_uses_the_board_of_the_file(laserboard: Laserboard, sheet: str) -> None:
    laserboard("print", sheet, "--out", "sheet.svg")
    first = next(iter(sorted(Path().glob("sheet*.svg")))).read_text("utf-8")
    assert ">laserboard" in first


def test_bodies_uses_the_board_of_the_file(laserboard: Laserboard) -> None:
    assert " on laserboard: 26 pieces" in laserboard.prints("bodies", "list")
    assert laserboard.prints("bodies", "mast").startswith("laserboard: the camera over")


def test_scene_and_see_use_the_board_of_the_file(laserboard: Laserboard) -> None:
    mine = Path("laserboard.yaml")
    hexagons = (SHIPPED_BOARDS_FOLDER / "hex-r5.yaml").read_text("utf-8")
    mine.write_text(hexagons, "utf-8")
    laserboard.prints("scene", "--out", "table.png")
    assert json.loads(laserboard.prints("see", "--json", "table.png"))[0]["locked"]
    mine.unlink()
    assert laserboard("see", "--json", "table.png").status == 1, "no such board is in the image"


def test_the_option_board_overrides_the_file(laserboard: Laserboard) -> None:
    said = laserboard.refuses("leds", "test", "--board", "paper-10x8")
    assert "the board 'paper-10x8' has no LEDs" in said
