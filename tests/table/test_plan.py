"""Starting games at a table, and finding an unfinished one."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config.board_file import absolute_board_name, load_board_file, shipped_boards
from controller.session.journal import JournalEntry, format_entry, next_entry
from controller.session.replay import RESULT, TURN, result_body, turn_body
from controller.session.sentences import AGREED
from controller.session.setup import GAME, BadGame, GameSetup, Seat, setup_body
from controller.storage.games import find_journal, games_folder
from controller.table.plan import find_unfinished, load_resumable
from controller.table.sentences import GAME_IS_OVER
from engine import games
from engine.catalogue import OUTCOME
from engine.game import Outcome
from tests.support.engine.sentences import raises
from tests.support.paths import HARDWARE

RULES = games.make()
SEATS = (Seat("Ada"), Seat("Bob"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    games_folder().mkdir(parents=True)
    return games_folder()


def stored_game(
    folder: Path, name: str, turns: int, *, over: bool = False, **start: object
) -> Path:
    """Write a journal with `turns` turns."""
    begun = GameSetup(RULES, SEATS, setup_name="ace", **start)  # type: ignore[arg-type]
    position = begun.first_position()
    entries: list[JournalEntry] = [next_entry(None, GAME, setup_body(begun), 0)]
    for _ in range(turns):
        turn = next(iter(RULES.turns(position)))
        entries.append(next_entry(entries[-1], TURN, turn_body(RULES, turn), 0))
        position = turn.after
    if over:
        entries.append(next_entry(entries[-1], RESULT, result_body(Outcome.draw(AGREED())), 0))
    path = folder / f"{name}.journal"
    path.write_bytes(b"".join(format_entry(entry) for entry in entries))
    return path


def test_the_newest_game_of_a_board_is_offered(folder: Path) -> None:
    stored_game(folder, "2026-03-01-1", 5, board="demo-10x8")
    newest = stored_game(folder, "2026-03-02-1", 2, board="demo-10x8")
    found = find_unfinished("demo-10x8", simulated=False)
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
def test_other_games_are_not_offered(
    folder: Path, turns: int, over: bool, start: dict[str, object]
) -> None:
    stored_game(folder, "2026-03-01-1", turns, over=over, **start)
    assert find_unfinished("demo-10x8", simulated=False) is None


def test_a_damaged_game_is_not_offered(folder: Path) -> None:
    path = stored_game(folder, "2026-03-01-1", 2, board="demo-10x8")
    path.write_bytes(b"x" + path.read_bytes())
    assert find_unfinished("demo-10x8", simulated=False) is None


def test_a_finished_game_cannot_be_resumed(folder: Path) -> None:
    path = stored_game(folder, "2026-03-01-1", 2, over=True)
    outcome = OUTCOME(result="1/2-1/2", reason=AGREED())
    with raises(BadGame, GAME_IS_OVER(name="2026-03-01-1", outcome=outcome)):
        load_resumable(path)


def test_the_board_of_a_game_is_stored(folder: Path) -> None:
    path = stored_game(folder, "2026-03-01-1", 1, board="full-10x8", simulated=True)
    start = load_resumable(path).setup
    assert (start.board, start.simulated) == ("full-10x8", True)


def test_a_board_file_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = shipped_boards()[0]
    source = HARDWARE / "boards" / f"{name}.yaml"
    (tmp_path / "mine.yaml").write_text(source.read_text())
    place = absolute_board_name("mine.yaml")
    monkeypatch.chdir("/")
    assert load_board_file(place).board.name == "mine"
    assert absolute_board_name(name) == name


def test_an_empty_journal_is_not_offered_as_the_last_game(folder: Path) -> None:
    played = stored_game(folder, "2026-03-01-1", 2)
    (folder / "2026-03-02-1.journal").touch()
    assert find_journal(folder, "last") == played
