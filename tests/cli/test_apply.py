"""`laserboard apply`, `perft` and `computer`: their output, and errors in their arguments."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.main import build_parser
from controller.cli.manual.commands import commands_below
from tests.support.cli import Laserboard

ACE = "l++3d++kd++b+++2/2b7/3B+6/b++1B1ss+1b+++1B+/b+++1B+1S+S1b++1B/6b+++3/7B++2/2B+DKD3L"
WON = "l++9/*/*/*/*/*/9B/4K4L"  # red's king is gone


def test_apply_prints_position_side_and_outcome(laserboard: Laserboard) -> None:
    assert laserboard.prints("apply").splitlines() == [ACE, "blue", "ongoing"]
    moved = laserboard.prints("apply", "--setup", "ace", "j4j3").splitlines()
    assert moved[1:] == ["red", "ongoing"]
    assert moved[0].split("/")[5].endswith("2B"), "the deflector is on j3 now"


def test_apply_accepts_a_capture_written_or_not_and_refuses_a_wrong_one(
    laserboard: Laserboard,
) -> None:
    plain = laserboard.prints("apply", "--setup", "mercury", "j4i4")
    assert laserboard.prints("apply", "--setup", "mercury", "j4i4xj3") == plain
    assert "captures j3" in laserboard.refuses("apply", "--setup", "mercury", "j4i4xj2")


def test_apply_names_the_winner(laserboard: Laserboard) -> None:
    lines = laserboard.prints("apply", "--position", "l++9/*/*/*/*/5k3B/*/4K4L", "e1e2")
    assert lines.splitlines()[1:] == ["red", "1-0 king captured"]
    assert "over" in laserboard.refuses("apply", "--position", WON, "e1e2")
    assert laserboard.prints("apply", "--position", WON).splitlines()[2] == "1-0 king captured"


def test_apply_gives_the_turns_as_json(laserboard: Laserboard) -> None:
    document = json.loads(laserboard.prints("apply", "--setup", "mercury", "--json", "j4i4"))
    (turn,) = document["turns"]
    assert turn["moves"] == {"blue": "j4i4xj3"}
    (beam,) = turn["beams"]
    assert [step["what"] for step in beam["steps"]] == ["fire", "pass", "capture"]
    assert turn["losses"] == [
        {"cell": "j3", "kind": "deflector", "player": "blue", "hits": 1, "removed": True}
    ]
    assert (document["side"], document["outcome"]) == ("red", "ongoing")


def test_photon_is_played_in_json(laserboard: Laserboard) -> None:
    move = '{"type":"rotate","src":[2,1],"dir":1}'
    lines = laserboard.prints("apply", "--game", "photon", move).splitlines()
    state = json.loads(lines[0])
    assert state["history"] == [json.loads(move)]
    assert lines[1:] == ["blue", "ongoing"]
    again = laserboard.prints("apply", "--game", "photon", "--position", lines[0])
    assert again.splitlines()[0] == lines[0]


def test_both_players_of_a_simultaneous_game_move(laserboard: Laserboard) -> None:
    laser = '{"type":"laser","direction":[1,0,-1]}'
    lines = laserboard.prints("apply", "--game", "spaceships", laser, laser).splitlines()
    assert json.loads(lines[0])["round"] == 2
    assert lines[1] == "both"
    assert "half a turn" in laserboard.refuses("apply", "--game", "spaceships", laser)


def test_perft_counts_sequences_of_n_turns(laserboard: Laserboard) -> None:
    assert laserboard.prints("perft", "--depth", "3") == "1 81\n2 6552\n3 526446\n"
    assert laserboard.prints("perft", "--position", WON, "--depth", "2") == "1 0\n2 0\n"
    assert laserboard.prints("perft", "--game", "spaceships", "--depth", "1") == "1 144\n"


def test_perft_divides_by_root_move(laserboard: Laserboard) -> None:
    lines = laserboard.prints("perft", "--depth", "2", "--divide").splitlines()
    assert lines[-2:] == ["1 81", "2 6552"]
    counts = dict(line.split() for line in lines[:-2])
    assert len(counts) == 81
    assert sum(map(int, counts.values())) == 6552


def test_the_computer_answers_with_a_legal_move_on_the_first_line(laserboard: Laserboard) -> None:
    for arguments in (
        ("--depth", "2"),
        ("--seconds", "0.05"),
        ("--nodes", "500"),
        ("--level", "1"),
    ):
        lines = laserboard.prints("computer", *arguments).splitlines()
        assert lines[0] in laserboard.prints("legal").splitlines()
        assert "nodes" in lines[1]
    assert laserboard.prints("computer", "--depth", "2") == laserboard.prints(
        "computer", "--depth", "2"
    )


def test_the_computer_takes_a_win(laserboard: Laserboard) -> None:
    lines = laserboard.prints("computer", "--position", "l++9/*/*/*/*/5k4/9B/4K4L", "--depth", "2")
    move, explanation = lines.splitlines()
    assert move.endswith("xf3")
    assert explanation.startswith("wins in 1")


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("apply", "e4e6"), "illegal move 'e4e6' for blue: a piece moves one square"),
        (("apply", "j4j3", "e4e6"), "see `laserboard legal --position '"),
        (("show", "--setup", ""), "no setup ''"),
        (("show", "--svg", ""), "cannot write ''"),
        (("show", "--svg", "no/such/folder/x.svg"), "cannot write no/such/folder/x.svg"),
        (("show", "--set", "ace"), "unrecognized arguments"),
        (("show", "--seed", "9" * 5000), "is not a whole number"),
        (("bench", "engine", "--seconds", "-1"), "time in seconds"),
        (("replay", "/dev/zero"), "larger than"),
        (("replay", "two\nlines"), "cannot read 'two\\nlines'"),
        (("apply", "z9"), "is not a move"),
        (("apply", "--position", "nonsense"), "is not Setup Notation"),
        (("apply", "--position", ACE + " x"), "the side to move is 'b' or 'r'"),
        (("apply", "--position", "@/nowhere/at/all"), "cannot read /nowhere/at/all"),
        (("apply", "--position", "@"), "cannot read"),
        (("apply", "--setup", "acee"), "did you mean 'ace'?"),
        (("apply", "--setup", "ace", "--position", ACE), "give one of them"),
        (("apply", "--seed", "1"), "not from a seed"),
        (("show", "--game", "foton"), "did you mean 'photon'?"),
        (("show", "--game", "photon", "--option", "mirror=two_sided"), "did you mean 'mirrors'?"),
        (("show", "--game", "photon", "--option", "mirrors=three"), "one of one_sided, two_sided"),
        (("show", "--option", "repetition"), "KEY=VALUE"),
        (("show", "--svg", "/proc/no/such.svg"), "cannot write"),
        (("legal", "--square", "k9"), "a1 to j8"),
        (("legal", "--side", "green"), "no side 'green'"),
        (("legal", "--side", "red"), "it is blue's turn"),
        (("beam", "--side", "x"), "no side 'x'"),
        (("perft", "--depth", "0"), "from 1 up"),
        (("perft", "--depth", "two"), "from 1 up"),
        (("computer", "--level", "9"), "levels go from 1 to 8"),
        (("computer", "--depth", "99"), "1 to 40"),
        (("computer", "--seconds", "-1"), "time in seconds"),
        (("computer", "--seconds", "1", "--depth", "2"), "not allowed with"),
        (("computer", "--position", WON), "the game is over"),
        (("apply", "--game", "photon", "--position", "{"), "not JSON"),
        (("apply", "--game", "photon", "{}"), "type"),
        (("demo", "--levels", "6"), "two levels"),
        (("demo", "--speed", "0"), "speed"),
        (("bench", "nothing"), "invalid choice"),
        (("nonsense",), "invalid choice"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_2(
    laserboard: Laserboard, arguments: tuple[str, ...], fragment: str
) -> None:
    assert fragment in laserboard.refuses(*arguments)


def test_a_position_can_come_from_a_file(laserboard: Laserboard, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(f"{ACE} r\n")
    assert laserboard.prints("apply", "--position", f"@{file}").splitlines()[1] == "red"
    file.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in laserboard.refuses("apply", "--position", f"@{file}")
    assert "cannot read" in laserboard.refuses("apply", "--position", f"@{tmp_path}")


def commands() -> list[str]:
    return [each.prog.split()[-1] for each in commands_below(build_parser())]


@pytest.mark.parametrize("command", commands())
def test_the_help_of_every_command_has_an_example(laserboard: Laserboard, command: str) -> None:
    text = laserboard.prints(command, "--help")
    assert f"laserboard {command}" in text.partition("example")[2]


def test_a_pipe_closed_by_head_is_no_error() -> None:
    ran = subprocess.run(
        f"{sys.executable} -m controller.cli.main legal --game photon | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.count("\n") == 1
    assert ran.stderr == ""


def shell(command: str) -> tuple[int, str]:
    """Run a command line in a shell; returns its status and stderr."""
    program = f"{sys.executable} -m controller.cli.main"
    ran = subprocess.run(
        command.replace("laserboard", program),
        shell=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("laserboard show >&-", "standard output is closed"),
        ("laserboard show >/dev/full", "cannot write the output"),
        ("laserboard show --position @- <&-", "standard input: it is closed"),
    ],
)
def test_closed_or_full_output_streams_are_reported_in_one_line(
    command: str, complaint: str
) -> None:
    status, errors = shell(command)
    assert (status, errors.count("\n")) == (2, 1), errors
    assert complaint in errors


def test_a_setup_that_ends_at_once_is_allowed_with_a_warning(laserboard: Laserboard) -> None:
    arguments = ("--game", "photon", "--option", "beams=independent")
    ran = laserboard("show", *arguments, "--setup", "standard")
    assert ran.status == 0
    assert ran.err.startswith("warning: ")
    laserboard.prints("show", *arguments)


def test_without_a_command_the_program_prints_its_help(laserboard: Laserboard) -> None:
    assert "laserboard simulate" in laserboard.prints()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--game", "photon", "--first", "human", "--red", "human"), "the same player"),
        (("--board", "hex-r5", "--blue", "human"), "the players of Spaceships are --first"),
    ],
)
def test_an_unknown_or_repeated_side_is_refused(
    laserboard: Laserboard, given: tuple[str, ...], says: str
) -> None:
    board = () if "--board" in given else ("--board", "photon-10x10")
    assert says in laserboard.refuses("simulate", "--fast", *board, *given)


@pytest.mark.parametrize("flag", ["--blue", "--second"])
def test_a_player_is_named_by_side_or_by_order(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    ran = laserboard(
        "simulate", "--fast", "--board", "photon-10x10", "--leds", "memory://", "--turns", "1",
        flag, "computer:1",
    )  # fmt: skip
    assert "\nred: \n" in ran.out, "red is a person, and begins"
