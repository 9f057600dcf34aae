"""The whole way: a rendered table, the real reader, the real driver, the firmware's own core."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controller.cli import Laserboard

GAMES = Path(__file__).parent.parent / "games"


@pytest.fixture
def laserboard(capsys: pytest.CaptureFixture[str]) -> Laserboard:
    return Laserboard(capsys)


def script(folder: Path, text: str) -> str:
    file = folder / "a.game"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("file", sorted(GAMES.glob("*.game")), ids=lambda file: file.stem)
def test_a_game_goes_as_its_script_says(laserboard: Laserboard, file: Path) -> None:
    ran = laserboard("simulate", "--script", str(file))
    assert (ran.status, ran.err) == (0, ""), ran


def test_a_bad_cable_changes_nothing_that_people_see(laserboard: Laserboard) -> None:
    faults = "sim://?drop=0.02&flip=0.02&insert=0.02&seed=3"
    ran = laserboard("simulate", "--script", str(GAMES / "one-turn.game"), "--leds", faults)
    assert (ran.status, ran.err) == (0, ""), ran


@pytest.mark.parametrize(
    ("acts", "complaint"),
    [
        (
            "blue moves j4 j3\nblue presses fire\nexpect turn j4j5",
            "expect turn j4j5: the turn is j4j3",
        ),
        (
            "blue moves j4 j3\nblue presses fire\nexpect dark j2",
            "expect dark j2: j2 did not stay dark",
        ),
        ("blue moves j4 j3\nblue presses fire\nexpect lit a8", "expect lit a8: a8 stayed dark"),
        (
            "blue presses fire\nexpect says checkmate",
            "expect says checkmate: it says no move made yet",
        ),
        ("blue presses fire\nexpect captured a1", "expect captured a1: captured: nothing"),
    ],
)
def test_what_is_not_met_is_told_with_its_line(
    laserboard: Laserboard, tmp_path: Path, acts: str, complaint: str
) -> None:
    file = script(tmp_path, f"setup ace\n{acts}\n")
    ran = laserboard("simulate", "--script", file, "--leds", "memory://")
    assert ran.status == 1
    line = 1 + len(acts.splitlines())
    assert f"{file}:{line}: {complaint}" in ran.err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("board paper-10x8\nwait 1", "has no LEDs to show beams on"),
        ("setup nowhere\nwait 1", "has no setup 'nowhere'"),
        ("seed x\nwait 1", "seed: 'x' is no whole number"),
        (f"seed {'9' * 5000}\nwait 1", "is no whole number"),
        ("setup ace\nblue moves z9 a1", ":2: blue moves z9 a1: the board has no cell 'z9'"),
        ("setup ace\ngreen leaves", ":2: green leaves: nobody here is called that"),
        ("setup ace\nblue moves a2 a3", ":2: blue moves a2 a3: nothing stands on a2"),
    ],
)
def test_a_script_that_cannot_be_played_is_refused(
    laserboard: Laserboard, tmp_path: Path, text: str, complaint: str
) -> None:
    ran = laserboard("simulate", "--script", script(tmp_path, text), "--leds", "memory://")
    assert ran.status == 2
    assert complaint in ran.err


def test_calm_light_is_calm_here_too(laserboard: Laserboard, tmp_path: Path) -> None:
    shipped = (Path("hardware/boards") / "demo-10x8.yaml").read_text("utf-8")
    for effects in ("normal", "calm"):
        text = shipped.replace("effects: normal", f"effects: {effects}")
        (tmp_path / f"{effects}.yaml").write_text(text)
    shown = []
    for effects in ("normal", "calm"):
        board = tmp_path / f"{effects}.yaml"
        acts = f"board {board}\nsetup ace\nblue moves j4 j3\nblue presses fire\n"
        ran = laserboard("simulate", "--script", script(tmp_path, acts), "--leds", "memory://")
        (line,) = [line for line in ran.lines if "pictures shown" in line]
        shown.append(int(line.split()[0]))
    assert shown[1] > shown[0]
