"""Scripts end to end: rendered table, real reader, real LED driver, and the firmware's C core."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from controller.session.state import Phase
from controller.simulation.rig import SMALL_CAMERA_URL
from controller.simulation.script import SEAT_SETTINGS, SENTENCES, SETTINGS, ScriptLine, read_script
from tests.support import paths
from tests.support.cli import Laserboard

GAMES = paths.SCRIPTS


def script(folder: Path, text: str) -> str:
    file = folder / "a.game"
    file.write_text(text)
    return str(file)


SCRIPTS = sorted(GAMES.glob("*.game"))
LARGE = "sim://"  # the usual camera; the small grey one takes a sixth of the work
ALWAYS_LARGE = "one-turn"
IN_COLOUR = {"set-up-from-nothing": "sim://?width=960&height=540"}  # reads more cells at once
# For `make test-slow`: long ones, and those of which a similar script is in `make test`.
SLOW = {
    "bad-cable", "bumped", "camera-freezes", "camera-nudged", "camera-unplugged",
    "captured-in-glare", "captured-stays", "computer-misled", "computer-moves",
    "computer-power-cut", "computers-ship-in-glare", "crooked", "disk-read-only", "double-move",
    "draw-declined", "fine-beam", "fischer", "foreign-tag", "four-captured", "glare-on-a-move",
    "hand-in-the-beam", "hand-while-thinking", "lamp-switched-on", "led-board-restarts-in-a-beam",
    "led-cable", "led-cable-goes-bad", "led-cable-in-a-beam", "lost-piece", "none-of-them",
    "power-cut-clearing", "power-cut-mismatch", "power-cut-on-a-full-disk", "power-cut-over",
    "power-cut-paused", "power-cut-taken-back", "set-up-wrong", "ship-between", "ships-collide",
    "ships-power-cut", "slow-disk", "swapped", "swapped-tags", "taken-back", "time-over",
    "whose-piece", "wrong-side", "wrong-thing-taken",
}  # fmt: skip
SEEN = [
    *(
        pytest.param(
            file,
            IN_COLOUR.get(file.stem, SMALL_CAMERA_URL),
            id=file.stem,
            marks=pytest.mark.slow if file.stem in SLOW else (),
        )
        for file in SCRIPTS
    ),
    *(
        pytest.param(
            file,
            LARGE,
            id=f"{file.stem}-large",
            marks=() if file.stem == ALWAYS_LARGE else pytest.mark.long,
        )
        for file in SCRIPTS
    ),
]


@pytest.mark.parametrize(("file", "camera"), SEEN)
def test_a_script_passes(laserboard: Laserboard, file: Path, camera: str) -> None:
    ran = laserboard("simulate", "--script", str(file), "--camera", camera)
    said = [line for line in ran.err.splitlines() if not line.startswith("warning: ")]
    assert (ran.status, said) == (0, []), ran


def script_lines() -> list[ScriptLine]:
    return [line for file in SCRIPTS for line in read_script(file.read_text(), file.name).lines]


def test_every_sentence_is_used_by_a_script() -> None:
    assert set(SENTENCES) == {line.sentence for line in script_lines()}


def test_every_setting_is_used_by_a_script() -> None:
    scripts = [read_script(file.read_text(), file.name) for file in SCRIPTS]
    given = {key for each in scripts for key in (*each.settings, *("option" for _ in each.options))}
    assert {*SETTINGS, *SEAT_SETTINGS} - given == {"blue", "first"}, "as `red` and `second`"


def test_every_phase_occurs_in_a_script() -> None:
    named = {"expect phase TEXT", "expect meanwhile TEXT"}
    assert {" ".join(line.arguments) for line in script_lines() if line.sentence in named} == set(
        Phase
    )


def test_a_script_cuts_the_power_in_every_waiting_phase() -> None:
    """Looks at the last expectation before each power cut."""
    cut, phase = set(), ""
    for line in script_lines():
        if line.sentence == "expect phase TEXT":
            phase = " ".join(line.arguments)
        elif line.sentence.startswith("expect mismatch"):
            phase = str(Phase.MISMATCH)
        elif line.sentence.startswith("expect over"):
            phase = str(Phase.OVER)
        elif line.sentence == "power cut":
            cut.add(phase)
    assert cut >= {
        *(Phase.CLEARING, Phase.MISMATCH, Phase.PAUSED, Phase.OVER, Phase.FIRING),
        *(Phase.COMPUTER_TO_MOVE, Phase.WAITING_FOR_OTHER),
    }


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.stem)
def test_a_script_starts_with_a_comment(file: Path) -> None:
    first = file.read_text().splitlines()[0]
    assert first.startswith("# ")
    assert len(first) > 30


UNMET = [
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
    ("red takes a8\nexpect mismatch a4", "expect mismatch a4: to be put right: a8"),
    ("blue pauses\nexpect mismatch a4", "expect mismatch a4: it is paused"),
    ("blue pauses\nexpect meanwhile firing", "expect meanwhile firing: it was paused"),
    ("blue leaves\nexpect hint", "expect hint: there is none"),
    ("blue offers a draw\nexpect asked blue", "expect asked blue: no offer is open"),
    ("blue leaves\nexpect glowing e5", "expect glowing e5: there glows "),
    ("blue leaves\nexpect clock blue runs", "expect clock blue runs: there is no clock"),
    (
        "blue leaves\nexpect clock red about 0:01",
        "expect clock red about 0:01: it shows no clo",
    ),
    ("blue leaves\nexpect to move red", "expect to move red: it is blue"),
    ("blue leaves\nexpect phase confirming", "expect phase confirming: it is turn"),
    ("blue leaves\nexpect journal 2 entries", "expect journal 2 entries: it holds 1 entry"),
    ("blue leaves\nexpect missing camera", "expect missing camera: missing: nothing"),
    ("blue pauses\nexpect silence", "expect silence: it says paused"),
    ("blue leaves\nexpect spoken hello", "expect spoken hello: spoken: nothing"),
    ("red resigns\nexpect over 0-1", "expect over 0-1: it is 1-0 resigned"),
    ("blue makes that move", "blue makes that move: the LEDs show no move"),
]
FAST_UNMET = 7  # the others are in `make test-slow`


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        pytest.param(*case, marks=() if number < FAST_UNMET else pytest.mark.slow)
        for number, case in enumerate(UNMET)
    ],
)
def test_an_unmet_expectation_is_reported_with_its_line(
    laserboard: Laserboard, tmp_path: Path, lines: str, error: str
) -> None:
    file = script(tmp_path, f"setup ace\n{lines}\n")
    ran = laserboard("simulate", "--script", file, "--leds", "memory://")
    assert ran.status == 1
    line = 1 + len(lines.splitlines())
    assert f"{file}:{line}: {error}" in ran.err


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("setup nowhere\nwait 1", "has no setup 'nowhere'"),
        ("seed x\nwait 1", "seed: 'x' is not a whole number"),
        (f"seed {'9' * 5000}\nwait 1", "is not a whole number"),
        ("setup ace\nblue moves z9 a1", ":2: blue moves z9 a1: the board has no cell 'z9'"),
        ("setup ace\ngreen leaves", ":2: green leaves: no player has that name"),
        ("setup ace\nblue moves a2 a3", ":2: blue moves a2 a3: nothing stands on a2"),
        ("setup ace\nred puts kin on a2", "red has no kin to put, did you mean 'king'?"),
        ("setup ace\nred puts king on a2", "red has no king to put"),
        ("setup ace\nred lays tag 50 on a2", "there is no tag 50: they are 0 to 49"),
        ("setup ace\nexpect phase trn", "there is no phase 'trn', did you mean 'turn'?"),
        ("setup ace\nexpect clock red about 5", "'5' is not a time: write 4:57"),
        ("setup ace\nexpect resumed", "there was no power cut"),
        ("setup ace\nthe LED cable is pulled", "the LEDs have no cable to pull"),
        ("take_back sometimes\nwait 1", "take_back: there is no 'sometimes'"),
        ("blue computer:9\nwait 1", "is not a player"),
        ("setup ace\nred resigns\npower cut\nwait 1", ":4: wait 1: the game is over: 1-0 resigned"),
    ],
)
def test_a_bad_script_is_refused(
    laserboard: Laserboard, tmp_path: Path, text: str, error: str
) -> None:
    ran = laserboard("simulate", "--script", script(tmp_path, text), "--leds", "memory://")
    assert ran.status == 2
    assert error in ran.err


def test_calm_light_applies_to_scripts(laserboard: Laserboard, tmp_path: Path) -> None:
    shipped = (Path("hardware/boards") / "demo-10x8.yaml").read_text("utf-8")
    board = tmp_path / "board.yaml"
    long = "blue presses fire at once\nwait 2600\nwait 1\nexpect meanwhile firing\n"
    text = f"board {board}\nsetup ace\nblue moves j4 j3\nwait 1500\n{long}"
    statuses = []
    for effects in ("normal", "calm"):
        board.write_text(shipped.replace("effects: normal", f"effects: {effects}"))
        ran = laserboard("simulate", "--script", script(tmp_path, text), "--leds", "memory://")
        statuses.append(ran.status)
    assert statuses == [1, 0], "the calm beam takes longer"


# -- without a script ------------------------------------------------------------------------------


@pytest.fixture
def games_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games are stored here instead of in the home folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "laserboard" / "games"


def journal(games_home: Path) -> Path:
    (file,) = games_home.glob("*.journal")
    return file


@pytest.mark.parametrize(
    ("game", "board"), [("laser-chess", "demo-10x8"), ("photon", "photon-10x10")]
)
def test_computers_play_and_every_turn_is_in_the_journal(
    laserboard: Laserboard, games_home: Path, game: str, board: str
) -> None:
    which = ("--game", game, "--board", board, "--leds", "memory://", "--turns", "2")
    ran = laserboard("simulate", *which, "--blue", "computer:1", "--red", "computer:2")
    assert ran.status == 0, ran
    assert laserboard("games", "verify", str(journal(games_home))).status == 0
    assert "2 turns  unfinished" in laserboard("games", "list").out


@pytest.mark.usefixtures("games_home")
def test_an_illegal_typed_move_is_asked_for_again(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("j4j9\ne4e6\nj4j3\n\n"))
    ran = laserboard("simulate", "--setup", "ace", "--leds", "memory://", "--turns", "2")
    assert ran.status == 0, ran
    assert "is not a move" in ran.out
    assert "a piece moves one square" in ran.out
    assert "blue j4 to j3" in ran.out
    assert "1 turn  unfinished" in laserboard("games", "list").out


@pytest.mark.usefixtures("games_home")
def test_a_game_is_played_to_its_end(laserboard: Laserboard) -> None:
    position = ("--position", "l++9/*/*/*/*/5k4/9B/4K4L", "--blue", "computer:4")
    ran = laserboard("simulate", *position, "--leds", "memory://")
    assert ran.status == 0, ran
    assert ran.lines.count("1-0 king captured") == 1
    assert "1-0 king captured" in laserboard("games", "list").out


@pytest.mark.usefixtures("games_home")
def test_without_a_screen_the_first_and_the_last_position_are_printed(
    laserboard: Laserboard,
) -> None:
    setup = ("simulate", "--setup", "ace", "--leds", "memory://", "--turns", "1")
    ran = laserboard(*setup, "--blue", "computer:1", "--red", "computer:1")
    assert ran.status == 0, ran
    ends = [number for number, line in enumerate(ran.lines) if line.startswith("blue: CAPITALS")]
    assert len(ends) == 2
    first, last = (ran.lines[end - 18 : end] for end in ends)
    shown = laserboard("show", "--setup", "ace").lines
    assert first == shown[: len(first)]
    assert first != last
    (moved,) = [line for line in ran.lines if line.startswith("blue ")]
    assert ends[0] < ran.lines.index(moved) < ends[1]


@pytest.mark.parametrize("who", ["person", "computer:9", "computer:"])
def test_an_unknown_player_is_refused(laserboard: Laserboard, who: str) -> None:
    assert "is not a player" in laserboard.refuses("simulate", "--red", who)


def test_a_killed_game_is_resumed(laserboard: Laserboard, games_home: Path) -> None:
    players = ("--blue", "computer:1", "--red", "computer:1", "--leds", "memory://")
    program = (sys.executable, "-m", "controller.cli.main", "simulate", *players)
    running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    fired = 0
    for line in running.stdout:
        fired += line.startswith(("blue ", "red "))
        if fired == 2:
            break
    running.kill()
    running.wait()
    running.stdout.close()
    verified = laserboard("games", "verify", str(journal(games_home))).out
    turns = int(verified.split(" turns")[0].split()[-1])
    assert turns >= 2, "what was shown was on the disk before"
    ran = laserboard("simulate", "--resume", "last", "--turns", "1", "--leds", "memory://")
    assert ran.status == 0, ran
    assert f"{turns + 1} turns" in laserboard("games", "verify", str(journal(games_home))).out


@pytest.mark.usefixtures("games_home")
def test_options_of_a_new_game_are_refused_with_resume(laserboard: Laserboard) -> None:
    assert "give one" in laserboard.refuses("simulate", "--resume", "last", "--setup", "ace")
    assert "laserboard" in laserboard.refuses("simulate", "--resume", "last")
