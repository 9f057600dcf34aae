"""Soak tests: whole games, and the detection of wrong and lost turns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.config.board_file import load_board
from controller.devices.factory.clocks import system_clock
from controller.session.board_fit import fit_board
from controller.session.journal import JournalEntry, format_entry, next_entry
from controller.session.replay import RESULT, TURN, result_body, turn_body
from controller.session.sentences import OUT_OF_TIME, RESIGNED
from controller.session.setup import GAME, GameSetup, setup_body
from controller.simulation.soak import runner
from controller.simulation.soak.game import (
    SoakResult,
    compare_with_journal,
    make_soak_game,
    play_soak_game,
)
from controller.simulation.soak.runner import (
    BadSoak,
    SoakGoal,
    SoakPlan,
    SoakProgress,
    SoakRunner,
    read_results,
    write_results,
)
from engine import games
from engine.game import AnyTurn, Outcome
from tests.support.cli import Laserboard

NAMES = tuple(games.GAMES)
PLAN = SoakPlan(1, NAMES, "memory://", most_turns=2)


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, len(NAMES) + 1))
def test_a_game_is_journaled_as_it_was_played(number: int, tmp_path: Path) -> None:
    reported: list[int] = []
    what = make_soak_game(7, number, NAMES, max_turns=2)
    result = play_soak_game(what, "sim://", tmp_path / "a.journal", system_clock(), reported.append)
    assert result.passed, result
    assert (result.turns, reported) == (2, [0, 1])
    assert "resigned" in result.outcome


def test_a_game_against_the_computer_is_journaled_as_it_was_played(tmp_path: Path) -> None:
    what = replace(make_soak_game(7, 1, NAMES, max_turns=2), levels=(1, None))
    result = play_soak_game(
        what, "memory://", tmp_path / "a.journal", system_clock(), lambda _: None
    )
    assert result.passed, result
    assert result.turns == 2


def test_each_game_runs_in_its_own_process(laserboard: Laserboard, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    ran = laserboard(
        *("soak", "--games", "1", "--resign-after", "1", "--leds", "memory://"),
        *("--folder", str(tmp_path / "soak"), "--json", str(file)),
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[-1].split()[:3] == ["all", "1", "1"]
    (result,) = json.loads(file.read_text())["finished"]
    assert (result["turns"], result["wrong"], result["lost"]) == (1, 0, 0)
    assert Path(result["journal"]).exists()


@pytest.mark.long
def test_six_games_are_journaled_as_they_were_played(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    ran = laserboard("soak", "--games", "6", "--jobs", "2", "--folder", str(tmp_path))
    assert ran.status == 0, ran
    assert ran.lines[-1].split()[:2] == ["all", "6"]


# -- the choice of games ---------------------------------------------------------------------------


def test_a_seed_determines_the_games() -> None:
    first = [make_soak_game(3, number, NAMES) for number in range(1, 40)]
    assert first == [make_soak_game(3, number, NAMES) for number in range(1, 40)]
    assert first != [make_soak_game(4, number, NAMES) for number in range(1, 40)]


def test_every_kind_of_game_is_played_and_some_against_the_computer() -> None:
    what = [make_soak_game(3, number, NAMES) for number in range(1, 61)]
    assert {each.game for each in what} == set(NAMES)
    for each in what:
        game, start = games.make(each.game), each.game_setup()
        assert fit_board(load_board(each.board)).game.name == each.game
        if each.levels != (None, None):
            assert game.computer_plays(start.first_position())
    with_computer = [each.game for each in what if each.levels != (None, None)]
    assert len(with_computer) >= 5
    assert len({each.levels for each in what}) == 3, "either side, or none"


# -- comparison with the journal -------------------------------------------------------------------

END = Outcome.win(0, RESIGNED())


def turns_of(start: GameSetup, count: int) -> list[AnyTurn]:
    rng, game, position = Random(1), start.game, start.first_position()
    turns: list[AnyTurn] = []
    for _ in range(count):
        moves = {each: rng.choice(game.legal(position, each)) for each in game.to_move(position)}
        turns.append(game.resolve(position, moves))
        position = turns[-1].after
    return turns


def journal(
    path: Path, start: GameSetup, turns: Sequence[AnyTurn], outcome: Outcome | None = END
) -> Path:
    bodies = [(GAME, setup_body(start)), *((TURN, turn_body(start.game, each)) for each in turns)]
    if outcome is not None:
        bodies.append((RESULT, result_body(outcome)))
    last: JournalEntry | None = None
    with path.open("wb") as file:
        for kind, body in bodies:
            last = next_entry(last, kind, body, 0.0)
            file.write(format_entry(last))
    return path


@pytest.fixture(params=NAMES)
def start(request: pytest.FixtureRequest) -> GameSetup:
    return make_soak_game(1, NAMES.index(request.param) + 1, NAMES).game_setup()


def test_a_correct_journal_passes(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    path = journal(tmp_path / "a", start, turns)
    assert compare_with_journal(start, turns, END, path) == (0, 0, "")


def test_another_move_in_the_journal_is_wrong(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    last, game = turns[-1], start.game
    others = (each for each in game.turns(last.before) if each.moves != last.moves)
    path = journal(tmp_path / "a", start, [*turns[:-1], next(others)])
    wrong, lost, _ = compare_with_journal(start, turns, END, path)
    assert (wrong, lost) == (1, 0)


def test_an_additional_turn_in_the_journal_is_wrong(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    assert compare_with_journal(start, turns[:3], END, journal(tmp_path / "a", start, turns))[
        :2
    ] == (1, 0)


def test_a_turn_missing_from_the_journal_is_lost(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    assert compare_with_journal(start, turns, END, journal(tmp_path / "a", start, turns[:3]))[
        :2
    ] == (0, 1)


@pytest.mark.parametrize(
    "reported", [None, Outcome.win(1, RESIGNED()), Outcome.win(0, OUT_OF_TIME())]
)
def test_another_outcome_is_reported(
    start: GameSetup, tmp_path: Path, reported: Outcome | None
) -> None:
    turns = turns_of(start, 2)
    wrong, lost, trouble = compare_with_journal(
        start, turns, END, journal(tmp_path / "a", start, turns, reported)
    )
    assert (wrong, lost) == (0, 0)
    assert "it ended 1-0 resigned, and the journal says" in trouble


def test_a_truncated_or_missing_journal_is_reported(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 2)
    path = journal(tmp_path / "a", start, turns)
    path.write_bytes(path.read_bytes()[:-3])
    assert "is cut off" in compare_with_journal(start, turns, END, path)[2]
    path.unlink()
    assert compare_with_journal(start, turns, END, path)[1] == 2


# -- many games ------------------------------------------------------------------------------------


def ignore_progress(_: SoakProgress) -> None:
    """Drop the progress."""


def test_finished_games_are_not_played_again(laserboard: Laserboard, tmp_path: Path) -> None:
    results = [SoakResult(1, NAMES[0], 12), SoakResult(2, NAMES[1], 30, asked=2)]
    write_results(tmp_path, replace(PLAN, most_turns=40), results)
    assert read_results(tmp_path, replace(PLAN, most_turns=40)) == tuple(results)
    ran = laserboard("soak", "--games", "2", "--leds", "memory://", "--folder", str(tmp_path))
    assert ran.status == 0, ran
    assert "2 games are finished already" in ran.err
    assert ran.lines[-1].split() == ["all", "2", "42", "0", "0", "0", "2", "0", "0", "0.0"]


@pytest.mark.parametrize(
    "bad",
    [
        SoakResult(2, NAMES[0], 9, wrong=1),
        SoakResult(2, NAMES[0], 9, lost=1),
        SoakResult(2, NAMES[0], 9, hangs=1, trouble="no progress"),
        SoakResult(2, NAMES[0], 9, trouble="the table does not come to rest"),
    ],
)
def test_a_single_bad_game_is_reported_and_fails(
    laserboard: Laserboard, tmp_path: Path, bad: SoakResult
) -> None:
    write_results(tmp_path, replace(PLAN, most_turns=40), [SoakResult(1, NAMES[0], 12), bad])
    ran = laserboard("soak", "--games", "2", "--leds", "memory://", "--folder", str(tmp_path))
    assert ran.status == 1
    assert ran.lines[-1].startswith("game 2 (")


def test_a_folder_of_another_soak_is_refused(tmp_path: Path) -> None:
    write_results(tmp_path, PLAN, [SoakResult(1, NAMES[0], 12)])
    with pytest.raises(BadSoak, match="name another folder"):
        read_results(tmp_path, replace(PLAN, seed=2))
    (tmp_path / "soak.json").write_text("{")
    with pytest.raises(BadSoak, match="cannot resume"):
        read_results(tmp_path, PLAN)


def test_a_game_without_progress_is_a_hang_and_the_next_one_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "POLL_S", 0.002)
    soak = SoakRunner(PLAN, tmp_path, system_clock(), timeout_s=0.001)  # less than a start takes
    results = soak.run(SoakGoal(games=2), ignore_progress)
    assert [each.hangs for each in results] == [1, 1]
    assert all("no progress for 0.001 s" in each.trouble for each in results)
    assert read_results(tmp_path, PLAN) == results


def test_a_goal_is_a_number_of_games_or_turns() -> None:
    assert not SoakGoal(games=2).is_reached(1, 999)
    assert SoakGoal(games=2).is_reached(2, 0)
    assert not SoakGoal(turns=100).is_reached(50, 99)
    assert SoakGoal(turns=100).is_reached(1, 100)
    half = SoakProgress((SoakResult(1, NAMES[0], 20),), turns_in_progress=5)
    assert SoakGoal(turns=50).progress_share(half) == 0.5
    assert SoakGoal(games=2).progress_share(half) == pytest.approx(1.25 / 2)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--leds", "serial:///dev/ttyACM0"), "sim:// or memory://"),
        (("--game", "checkers"), "there is no game 'checkers'"),
        (("--games", "0"), "soak --help"),
        (("--games", "1", "--turns", "2"), "not allowed with"),
    ],
)
def test_bad_options_are_refused(
    laserboard: Laserboard, arguments: tuple[str, ...], error: str
) -> None:
    assert error in laserboard.refuses("soak", *arguments)
