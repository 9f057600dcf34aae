"""The whole way: a rendered table, the real reader, the real driver, the firmware's own core."""

from __future__ import annotations

import io
import subprocess
import sys
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


# -- without a script ------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games are kept here, and not where people keep theirs."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "laserboard" / "games"


def journal(kept: Path) -> Path:
    (file,) = kept.glob("*.journal")
    return file


@pytest.mark.parametrize(
    ("game", "board"), [("laser-chess", "demo-10x8"), ("photon", "photon-10x10")]
)
def test_computers_play_and_every_turn_is_written(
    laserboard: Laserboard, kept: Path, game: str, board: str
) -> None:
    which = ("--game", game, "--board", board, "--leds", "memory://", "--turns", "2")
    ran = laserboard("simulate", *which, "--blue", "computer:1", "--red", "computer:2")
    assert ran.status == 0, ran
    assert laserboard("games", "verify", str(journal(kept))).status == 0
    assert "2 turns  unfinished" in laserboard("games", "list").out


@pytest.mark.usefixtures("kept")
def test_a_person_types_a_move_and_another_one_if_that_is_none(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("j4j9\ne4e6\nj4j3\n\n"))
    ran = laserboard("simulate", "--setup", "ace", "--leds", "memory://", "--turns", "2")
    assert ran.status == 0, ran
    assert "is not a move" in ran.out
    assert "a piece moves one square" in ran.out
    assert "blue j4 to j3" in ran.out
    assert "1 turn  unfinished" in laserboard("games", "list").out


@pytest.mark.usefixtures("kept")
def test_a_game_is_played_to_its_end(laserboard: Laserboard) -> None:
    position = ("--position", "l++9/*/*/*/*/5k4/9B/4K4L", "--blue", "computer:4")
    ran = laserboard("simulate", *position, "--leds", "memory://")
    assert ran.status == 0, ran
    assert ran.lines.count("1-0 king captured") == 1
    assert "1-0 king captured" in laserboard("games", "list").out


@pytest.mark.parametrize("who", ["nobody", "computer:9", "computer:"])
def test_who_cannot_play_is_refused(laserboard: Laserboard, who: str) -> None:
    assert "is nobody who plays" in laserboard.refuses("simulate", "--red", who)


def test_a_killed_game_goes_on_where_it_was(laserboard: Laserboard, kept: Path) -> None:
    players = ("--blue", "computer:1", "--red", "computer:1", "--leds", "memory://")
    program = (sys.executable, "-m", "controller.cli.main", "simulate", *players)
    running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    fired = 0
    for line in running.stdout:
        fired += "pictures shown" in line
        if fired == 2:
            break
    running.kill()
    running.wait()
    running.stdout.close()
    verified = laserboard("games", "verify", str(journal(kept))).out
    turns = int(verified.split(" turns")[0].split()[-1])
    assert turns >= 2, "what was shown was on the disk before"
    ran = laserboard("simulate", "--resume", "last", "--turns", "1", "--leds", "memory://")
    assert ran.status == 0, ran
    assert f"{turns + 1} turns" in laserboard("games", "verify", str(journal(kept))).out


@pytest.mark.usefixtures("kept")
def test_a_game_is_either_new_or_goes_on(laserboard: Laserboard) -> None:
    assert "give one" in laserboard.refuses("simulate", "--resume", "last", "--setup", "ace")
    assert "laserboard" in laserboard.refuses("simulate", "--resume", "last")
