"""`laserboard puzzles` with a file of own puzzles, and errors in such files."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config.board_file import load_board_file
from controller.session.state import TablePreferences
from controller.table.next_game import NewGame
from controller.table.puzzle_series import (
    ProgressRecorder,
    PuzzleProgress,
    ScheduledPuzzle,
    plan_puzzle,
)
from engine import puzzle_finder
from engine.puzzles import Puzzle, PuzzleBook, load_puzzles, write_puzzle_book
from tests.support.cli import Laserboard

ANYTHING = NewGame()


@pytest.fixture
def own() -> tuple[Puzzle, ...]:
    """A puzzle file, sorted by number of turns."""
    return tuple(next(each for each in load_puzzles() if each.turns == turns) for turns in (1, 2))


@pytest.fixture
def file(own: tuple[Puzzle, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "my own.json"
    path.write_text(write_puzzle_book(PuzzleBook("laser-chess", 3, 7, own)))
    return path


def test_puzzles_of_a_file_are_listed_and_shown_by_number(
    laserboard: Laserboard, file: Path, own: tuple[Puzzle, ...]
) -> None:
    ran = laserboard("puzzles", "list", "--from", str(file))
    assert [line[4:7].strip() for line in ran.lines] == ["1", "2"]
    assert all(str(puzzle.task) in line for puzzle, line in zip(own, ran.lines, strict=True))
    assert f"0 of 2 solved; `laserboard puzzles play --from '{file}' --simulate`" in ran.err
    shown = laserboard.prints("puzzles", "show", "2", "--from", str(file))
    assert shown.endswith(f"puzzle 2: {own[1].task}\n")
    refused = laserboard.refuses("puzzles", "show", "3", "--from", str(file))
    assert "there is no puzzle 3: they go from 1 to 2" in refused
    refused = laserboard.refuses("puzzles", "list", "--turns", "3", "--from", str(file))
    assert "no puzzle is won in 3 turns: there are 1 and 2" in refused


def test_puzzles_of_a_file_are_played_in_order(own: tuple[Puzzle, ...]) -> None:
    board, keeper = "demo-10x8", ProgressRecorder(PuzzleProgress(), lambda _: None, str)
    plan = plan_puzzle(1, board, load_board_file(board), True, TablePreferences(), own=own)
    first = ScheduledPuzzle(board, plan, 1, keeper, own)
    second = first.next_game(ANYTHING)
    again = second.next_game(ANYTHING)
    for hosted, puzzle in zip((first, second, again), (*own, own[0]), strict=True):
        assert hosted.plan.setup.first_position() == puzzle.start_position
        assert hosted.plan.setup.puzzle_goal is not None
        assert hosted.plan.setup.puzzle_goal.line == puzzle.line


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ('{"format":1,"game":"las', "not JSON: "),
        ("{}", "lacks 'format'"),
        (
            '{"format":1,"game":"laser-chess","seed":1,"games":0,"puzzles":[]}',
            "no puzzles in it yet",
        ),
    ],
)
def test_a_file_without_puzzles_is_refused_by_name(
    broken: str, said: str, laserboard: Laserboard, file: Path
) -> None:
    file.write_text(broken)
    refused = laserboard.refuses("puzzles", "show", "1", "--from", str(file))
    assert f"{file}: " in refused
    assert said in refused
    if said.startswith("not"):
        assert f"{file}: not JSON" in laserboard.refuses("puzzles", "make", "--to", str(file))


def test_a_puzzle_with_a_wrong_solution_is_refused_with_its_number(
    laserboard: Laserboard, file: Path, own: tuple[Puzzle, ...]
) -> None:
    text = file.read_text()
    last = f'"{own[1].line[-1]}"'
    for line, said in (('"a1a9"', "puzzle 2: "), ("", "its line does not win in 2 turns")):
        spoilt = text.replace(f",{last}" if not line else last, line)
        assert spoilt != text
        file.write_text(spoilt)
        refused = laserboard.refuses("puzzles", "list", "--from", str(file))
        assert said in refused
        assert str(file) in refused


def test_show_writes_a_drawing_and_prints_the_solution(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    drawn = tmp_path / "p.svg"
    printed = laserboard.prints("puzzles", "show", "101", "--svg", str(drawn), "--solution")
    assert "<svg" in drawn.read_text()
    assert printed.startswith("puzzle 101: ")
    assert "king captured" in printed
    both = laserboard("puzzles", "show", "101", "--svg", "-", "--solution")
    assert both.out == drawn.read_text()
    assert both.err == printed


def test_find_checks_that_its_file_can_be_written_first(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzle_finder, "find_puzzles", lambda *_: pytest.fail("it went to work"))
    refused = laserboard.refuses("puzzles", "make", "--to", str(tmp_path / "nope" / "x.json"))
    assert "nope/x.json: No such file or directory" in refused


def test_find_prints_how_many_puzzles_it_found(
    laserboard: Laserboard, file: Path, own: tuple[Puzzle, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        puzzle_finder, "find_puzzles", lambda *_: PuzzleBook("laser-chess", 3, 1, own[1:])
    )
    call = ("puzzles", "make", "--seed", "3", "--turns", "2", "--to", str(file))
    printed = laserboard.prints(*call)
    assert printed == "puzzles found in 1 game: 0 won in 1 turn, 1 won in 2 turns\n"
