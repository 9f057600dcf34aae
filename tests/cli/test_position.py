"""`laserboard setups`, `show`, `legal` and `beam`: their output is used in scripts."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.cli import Laserboard

ACE = "l++3d++kd++b+++2/2b7/3B+6/b++1B1ss+1b+++1B+/b+++1B+1S+S1b++1B/6b+++3/7B++2/2B+DKD3L"


def test_setups_are_listed_under_their_game(laserboard: Laserboard) -> None:
    lines = laserboard.prints("setups").splitlines()
    games = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert games == ["laser-chess", "photon", "spaceships"]
    names = [line.split()[0] for line in lines if line.startswith("  ")]
    assert names[:8] == [
        "ace",
        "curiosity",
        "grail",
        "mercury",
        "mercury-horizontal",
        "sophie",
        "standard",
        "offset",
    ]
    (mercury,) = (line for line in lines if line.split()[0] == "mercury")
    assert "68 of the 72" in mercury


def test_rule_options_are_listed_with_their_values(laserboard: Laserboard) -> None:
    text = laserboard.prints("setups", "--options")
    assert "mirrors=one_sided|two_sided" in text
    assert "(default claim)" in text


def test_show_draws_the_board_and_names_the_side_to_move(laserboard: Laserboard) -> None:
    lines = laserboard.prints("show", "--setup", "ace").splitlines()
    assert lines[-2:] == [f"{ACE} b", "blue to move"]
    assert lines == [line.rstrip() for line in lines]
    assert "\x1b" not in "".join(lines), "no colour outside a terminal"


@pytest.mark.parametrize(
    "arguments",
    [("--setup", "sophie"), ("--game", "photon"), ("--game", "spaceships", "--seed", "3")],
)
def test_show_writes_a_drawing(
    laserboard: Laserboard, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    file = tmp_path / "position.svg"
    assert laserboard.prints("show", *arguments, "--svg", str(file)) == ""
    assert ET.fromstring(file.read_text("utf-8")).tag.endswith("svg")
    assert laserboard.prints("show", *arguments, "--svg", "-") == file.read_text("utf-8")


def test_legal_lists_one_move_a_line_with_captures(laserboard: Laserboard) -> None:
    assert len(laserboard.prints("legal").splitlines()) == 81
    burnt = laserboard.prints("legal", "--setup", "mercury").splitlines()
    assert sum("x" in line for line in burnt) == 68
    assert laserboard.prints("legal", "--square", "j1") == "j1-xf1\n"


def test_legal_moves_of_photon_are_compact_json(laserboard: Laserboard) -> None:
    lines = laserboard.prints("legal", "--game", "photon").splitlines()
    assert len(lines) == 29
    assert '{"type":"move","src":[4,0],"dst":[3,0]}' in lines
    assert '{"type":"rotate","src":[2,1],"dir":1}' in lines


def test_an_empty_result_is_explained_on_stderr(laserboard: Laserboard) -> None:
    ran = laserboard("legal", "--square", "e6")
    assert (ran.status, ran.out) == (0, "")
    assert "e6 is empty" in ran.err
    ran = laserboard("legal", "--square", "a8")
    assert (ran.status, ran.out) == (0, "")
    assert "red's laser" in ran.err


@pytest.mark.parametrize(
    ("position", "side", "text"),
    [
        (ACE, "blue", "j1 j2 j3 j4 i4 h4 h5 i5 j5 j6 j7 j8 exit"),
        ("l++9/5k4/*/*/*/9B+/*/4K4L", "blue", "j1 j2 j3 captures j3"),
        ("l++9/5k4/*/4d++4B/9B/*/*/4K4L", "b", "j1 j2 j3 j4 i4 h4 g4 f4 e4 d4 c4 b4 a4 exit"),
        (
            "l++9/*/*/4d++5/*/9K/2k7/4B++4L+++",
            "blue",
            "j1 i1 h1 g1 f1 e1 e2 e3 e4 e5 absorbed by e5",
        ),
        ("l++9/9B/*/*/*/*/2k1K5/9L r", "red", "a8 a7 a6 a5 a4 a3 a2 a1 exit"),
    ],
)
def test_beam_prints_the_path_and_how_it_ends(
    laserboard: Laserboard, position: str, side: str, text: str
) -> None:
    assert laserboard.prints("beam", "--position", position, "--side", side) == text + "\n"


@pytest.mark.parametrize(
    ("position", "end", "square"),
    [
        (ACE, "exit", None),
        ("l++9/5k4/*/*/*/9B+/*/4K4L", "captures", "j3"),
        ("l++9/*/*/4d++5/*/9K/2k7/4B++4L+++", "absorbed", "e5"),
    ],
)
def test_beam_as_json(laserboard: Laserboard, position: str, end: str, square: str | None) -> None:
    beam = json.loads(laserboard.prints("beam", "--position", position, "--json"))
    assert set(beam) == {"path", "end", "square"}
    assert (beam["path"][0], beam["end"], beam["square"]) == ("j1", end, square)


def test_beam_prints_one_line_for_each_shooter(laserboard: Laserboard) -> None:
    lines = laserboard.prints("beam", "--game", "photon", "--side", "red").splitlines()
    assert [line.split()[0] for line in lines] == ["c9", "h9"]


def test_beam_says_if_no_laser_is_aimed(laserboard: Laserboard) -> None:
    assert "no laser" in laserboard.refuses("beam", "--game", "spaceships")
