"""How games at a table begin, and how an unfinished one is found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.agreement import GAME, BadGame, Seat, Start, game_body
from controller.beginning import going_on, unfinished
from controller.config import board_place, load_board_file, shipped_boards
from controller.game_store import find, games_folder
from controller.journal import Entry, following, write_line
from controller.played import RESULT, TURN, result_body, turn_body
from engine import games
from engine.game import Outcome

RULES = games.make()
SEATS = (Seat("Ada"), Seat("Bob"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    games_folder().mkdir(parents=True)
    return games_folder()


def kept(folder: Path, name: str, turns: int, *, over: bool = False, **start: object) -> Path:
    """A journal with so many turns."""
    begun = Start(RULES, SEATS, setup="ace", **start)  # type: ignore[arg-type]
    position = begun.first()
    entries: list[Entry] = [following(None, GAME, game_body(begun), 0)]
    for _ in range(turns):
        turn = next(iter(RULES.turns(position)))
        entries.append(following(entries[-1], TURN, turn_body(RULES, turn), 0))
        position = turn.after
    if over:
        entries.append(following(entries[-1], RESULT, result_body(Outcome.draw("agreed")), 0))
    path = folder / f"{name}.journal"
    path.write_bytes(b"".join(write_line(entry) for entry in entries))
    return path


def test_the_newest_game_of_a_board_is_offered(folder: Path) -> None:
    kept(folder, "2026-03-01-1", 5, board="demo-10x8")
    newest = kept(folder, "2026-03-02-1", 2, board="demo-10x8")
    found = unfinished("demo-10x8", simulated=False)
    assert found is not None
    assert (found[0], len(found[1].turns)) == (newest, 2)


@pytest.mark.parametrize(
    ("turns", "over", "start"),
    [
        (2, True, {"board": "demo-10x8"}),
        (0, False, {"board": "demo-10x8"}),
        (2, False, {"board": "full-10x8"}),
        (2, False, {"board": "demo-10x8", "simulated": True}),
    ],
    ids=["over", "not begun", "another board", "simulated"],
)
def test_nothing_else_is_offered(
    folder: Path, turns: int, over: bool, start: dict[str, object]
) -> None:
    kept(folder, "2026-03-01-1", turns, over=over, **start)
    assert unfinished("demo-10x8", simulated=False) is None


def test_a_damaged_game_is_not_offered(folder: Path) -> None:
    path = kept(folder, "2026-03-01-1", 2, board="demo-10x8")
    path.write_bytes(b"x" + path.read_bytes())
    assert unfinished("demo-10x8", simulated=False) is None


def test_one_cannot_go_on_with_a_game_that_is_over(folder: Path) -> None:
    path = kept(folder, "2026-03-01-1", 2, over=True)
    with pytest.raises(BadGame, match="2026-03-01-1 is over"):
        going_on(path)


def test_where_a_game_was_played_is_kept(folder: Path) -> None:
    path = kept(folder, "2026-03-01-1", 1, board="full-10x8", simulated=True)
    start = going_on(path).start
    assert (start.board, start.simulated) == ("full-10x8", True)


def test_a_board_file_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = shipped_boards()[0]
    source = Path(__file__).parents[2] / "hardware" / "boards" / f"{name}.yaml"
    (tmp_path / "mine.yaml").write_text(source.read_text())
    place = board_place("mine.yaml")
    monkeypatch.chdir("/")
    assert load_board_file(place).board.name == "mine"
    assert board_place(name) == name


def test_an_empty_file_is_not_the_last_game(folder: Path) -> None:
    played = kept(folder, "2026-03-01-1", 2)
    (folder / "2026-03-02-1.journal").touch()
    assert find(folder, "last") == played
