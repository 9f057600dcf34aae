"""`laserboard analyse`: the table, the files that it writes, its errors, and Ctrl-C."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import build_parser
from controller.devices.clock import ManualClock
from controller.ui.console import Console
from controller.ui.terminal.sparkline import EMPTY_BLOCK, ROWS, render_sparkline
from engine.analysis import Annotation, analyse
from engine.puzzles import load_puzzles
from engine.record import Record, make_record, read_games, read_record, write_record
from tests.support.cli import Laserboard
from tests.support.play.stored_games import store_game

GAME = """\
[Blue "Ada"]
[Red "Bob"]
[Result "1-0"]
[Setup "ace"]
[Termination "king captured"]

1. c5b6 {[%clk 0:09:51] ouch} 1... e5e6xf8 1-0
"""
QUICK = ("--depth", "3")


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    file = tmp_path / "game.pgn"
    file.write_text(GAME)
    return file


def test_every_turn_has_its_score_verdict_and_better_move(
    laserboard: Laserboard, game_file: Path
) -> None:
    lines = laserboard.prints("analyse", str(game_file), *QUICK).splitlines()
    assert lines[0] == "game 1: Ada - Bob, Laser Chess"
    assert lines[1] == "scores in pieces: + is good for blue, - for red"
    assert lines[3].split()[:3] == ["1", "blue", "c5b6?"]
    assert float(lines[3].split()[3]) < -0.5
    assert "e5e6xf8??" in lines[4]
    assert "blue has won" in lines[4]
    assert "blunder" in lines[4]
    assert "better " in lines[4]
    assert lines[-2].startswith("blue: accuracy ")
    assert lines[-1].endswith("1 blunder")


def test_a_win_is_counted_in_remaining_turns(laserboard: Laserboard, tmp_path: Path) -> None:
    puzzle = next(each for each in load_puzzles() if each.turns == 2 and each.solver == 0)
    file, drawn = tmp_path / "won.pgn", tmp_path / "won.svg"
    file.write_text(
        write_record(make_record(puzzle.rules, puzzle.start_position, puzzle.solution_turns()))
    )
    rows = laserboard("analyse", str(file), *QUICK, "--svg", str(drawn)).lines[3:6]
    verdicts = ["blue wins in 2", "blue wins in 1", "blue has won"]
    assert [words in row for words, row in zip(verdicts, rows, strict=True)] == [True] * 3, rows
    assert all(f", {words}" in drawn.read_text() for words in verdicts)


def test_the_annotated_record_reads_back_and_keeps_old_comments(
    laserboard: Laserboard, game_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.pgn"
    laserboard.prints("analyse", str(game_file), *QUICK, "--output", str(out))
    found = read_record(out.read_text())
    assert [entry.annotation.verdict for entry in found.turns if entry.annotation] == [
        "mistake",
        "blunder",
    ]
    assert (found.turns[0].comment, found.turns[0].clock_ms) == ("ouch", 591_000)
    assert laserboard.prints("convert", str(out), "--to", "text") == out.read_text()
    again = tmp_path / "again.pgn"
    laserboard.prints("analyse", str(out), *QUICK, "--output", str(again))
    assert again.read_text() == out.read_text()


def test_json_has_the_same_content_and_the_drawing_is_svg(
    laserboard: Laserboard, game_file: Path, tmp_path: Path
) -> None:
    drawn = tmp_path / "score.svg"
    ran = laserboard("analyse", str(game_file), *QUICK, "--json", "--svg", str(drawn))
    assert ran.status == 0
    report = json.loads(ran.out)
    assert report["scores_for"] == "blue"
    assert [turn["verdict"] for turn in report["turns"]] == ["mistake", "blunder"]
    assert [each["side"] for each in report["summary"]] == ["blue", "red"]
    assert ET.parse(drawn).getroot().tag.endswith("svg")


def test_turns_can_be_chosen_and_missing_turns_are_refused(
    laserboard: Laserboard, game_file: Path
) -> None:
    out = laserboard.prints("analyse", str(game_file), *QUICK, "--from", "2", "--to", "9")
    assert "c5b6" not in out
    assert "e5e6xf8" in out
    assert "no turn in between" in laserboard.refuses(
        "analyse", str(game_file), "--from", "2", "--to", "1"
    )
    assert "has 2 turns" in laserboard.refuses("analyse", str(game_file), "--from", "3")
    assert "at least 3 turns" in laserboard.refuses("analyse", str(game_file), "--depth", "2")


def test_a_game_with_fewer_turns_is_noted_and_the_others_are_analysed(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    file, out = tmp_path / "three.pgn", tmp_path / "out.pgn"
    short = GAME.replace("1... e5e6xf8 1-0", "*").replace("1-0", "*")
    file.write_text(f"{short}\n{GAME}\n{short}")
    call = ("analyse", str(file), *QUICK, "--output", str(out))
    ran = laserboard(*call, "--from", "2")
    assert ran.status == 0
    assert ran.err == "--from 2: game 1 has 1 turn\n--from 2: game 3 has 1 turn\n"
    assert "e5e6xf8??" in ran.out
    annotated = [
        [entry.annotation is not None for entry in each.turns]
        for each in read_games(out.read_text())
        if isinstance(each, Record)
    ]
    assert annotated == [[False], [False, True], [False]]
    out.unlink()
    ran = laserboard(*call, "--from", "3")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("--from 3: game 3 has 1 turn\n")
    assert not out.exists()


@pytest.mark.parametrize("option", ["--svg", "--output"])
def test_a_file_that_cannot_be_written_is_refused_before_the_analysis(
    option: str, laserboard: Laserboard, game_file: Path, tmp_path: Path
) -> None:
    call = ("analyse", str(game_file), *QUICK, option)
    refused = laserboard.refuses(*call, str(tmp_path / "nowhere" / "x"))
    assert "nowhere/x: No such file or directory" in refused
    assert "it is a folder" in laserboard.refuses(*call, str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["game.pgn"]


@pytest.mark.parametrize("columns", [120, 80, 50, 40])
def test_the_better_move_is_printed_in_full_in_a_narrow_terminal(
    columns: int, game_file: Path
) -> None:
    out = StringIO()
    args = build_parser().parse_args(["analyse", str(game_file), *QUICK])
    assert args.run(args, Console(out, StringIO(), False, (columns, 24), ManualClock())) == 0
    rows = out.getvalue().partition("\n\n")[0].splitlines()[2:]
    assert all(len(row) <= columns for row in rows)
    assert not any("…" in row for row in rows)
    args = build_parser().parse_args(["analyse", str(game_file), *QUICK])
    wide = StringIO()
    args.run(args, Console(wide, StringIO(), False, None, ManualClock()))
    (line_of_move,) = (line for line in wide.getvalue().splitlines() if "c5b6?" in line)
    remark = line_of_move[line_of_move.index("better ") :].split()
    assert " ".join(remark) in " ".join(out.getvalue().split())


def test_a_broken_game_is_reported_and_the_others_are_analysed(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    file, out = tmp_path / "three.pgn", tmp_path / "out.pgn"
    file.write_text(f"{GAME}\n{GAME.replace('c5b6', 'c5c8')}\n{GAME}")
    ran = laserboard("analyse", str(file), *QUICK, "--output", str(out))
    assert ran.status == 2
    assert f"{file}:15: game 2: " in ran.err
    assert len(list(read_games(out.read_text()))) == 2
    before = file.read_text()
    ran = laserboard("analyse", str(file), *QUICK, "--output", str(file))
    assert "its broken games would be lost" in ran.err
    assert file.read_text() == before


def test_stored_games_are_found_by_name_and_other_names_are_refused(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "no game" in laserboard.refuses("analyse", "nothing.pgn")
    name = store_game("photon", turns=2)
    assert "Photon" in laserboard.prints("analyse", name, *QUICK)
    assert "Photon" in laserboard.prints("analyse", "last", *QUICK)
    store_game("spaceships", turns=2)
    assert "both players move simultaneously" in laserboard.refuses("analyse", "last")


def test_a_game_that_cannot_be_analysed_is_reported_and_still_written(
    laserboard: Laserboard, game_file: Path, tmp_path: Path
) -> None:
    file, out = tmp_path / "two.json", tmp_path / "out.json"
    ships = '{"game":"spaceships","seed":7,"turns":[],"result":"*"}\n'
    file.write_text(ships + laserboard.prints("convert", str(game_file)))
    ran = laserboard("analyse", str(file), *QUICK, "--output", str(out))
    assert ran.status == 2
    assert "game 1: Spaceships cannot be analysed" in ran.err
    first, second = out.read_text().splitlines()
    assert first + "\n" == ships
    assert '"judged"' in second


def test_ctrl_c_keeps_the_finished_turns(
    laserboard: Laserboard, game_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.pgn"

    def cut(*arguments: Any) -> Iterator[Annotation]:
        yield next(analyse(*arguments))
        raise KeyboardInterrupt

    game_file.write_text(f"{GAME}\n{GAME}")
    monkeypatch.setattr("controller.ui.commands.analysis.analyse", cut)
    ran = laserboard("analyse", str(game_file), *QUICK, "--output", str(out))
    assert ran.status == 130
    assert "the evaluated turns are stored" in ran.err
    begun, other = (each for each in read_games(out.read_text()) if isinstance(each, Record))
    first, second = begun.turns
    assert first.annotation is not None
    assert second.annotation is None
    assert [entry.annotation for entry in other.turns] == [None, None], "as it was"
    assert "blue: accuracy" in ran.out


def test_a_curve_has_the_maximum_width_and_is_full_for_a_win() -> None:
    drawn = render_sparkline(
        [1.0] * 50 + [0.0] * 50, 20, "#000000", "#ffffff", colour=False
    ).splitlines()
    assert drawn == ["█" * 10 + EMPTY_BLOCK * 10] * ROWS
    even = render_sparkline([0.5], 1, "#000000", "#ffffff", colour=False)
    assert even.splitlines() == [EMPTY_BLOCK, EMPTY_BLOCK, "█", "█"]
    assert "\x1b[" in render_sparkline([0.5], 1, "#000000", "#ffffff", colour=True)
