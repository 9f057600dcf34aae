"""Whole games through the whole chain, and whether a soak would notice if one went wrong."""

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


# -- through the whole chain -----------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, len(NAMES) + 1))
def test_what_hands_do_is_what_the_disk_tells(number: int, tmp_path: Path) -> None:
    reported: list[int] = []
    what = make_soak_game(7, number, NAMES, max_turns=2)
    verdict = play_soak_game(
        what, "sim://", tmp_path / "a.journal", system_clock(), reported.append
    )
    assert verdict.passed, verdict
    assert (verdict.turns, reported) == (2, [0, 1])
    assert "resigned" in verdict.outcome


def test_a_game_against_the_computer_is_kept_as_well(tmp_path: Path) -> None:
    what = replace(make_soak_game(7, 1, NAMES, max_turns=2), levels=(1, None))
    verdict = play_soak_game(
        what, "memory://", tmp_path / "a.journal", system_clock(), lambda _: None
    )
    assert verdict.passed, verdict
    assert verdict.turns == 2


def test_games_are_played_in_processes_of_their_own(laserboard: Laserboard, tmp_path: Path) -> None:
    file = tmp_path / "verdicts.json"
    ran = laserboard(
        *("soak", "--games", "1", "--resign-after", "1", "--leds", "memory://"),
        *("--folder", str(tmp_path / "soak"), "--json", str(file)),
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[-1].split()[:3] == ["all", "1", "1"]
    (verdict,) = json.loads(file.read_text())["finished"]
    assert (verdict["turns"], verdict["wrong"], verdict["lost"]) == (1, 0, 0)
    assert Path(verdict["journal"]).exists()


@pytest.mark.long
def test_six_whole_games_are_kept_as_they_were_played(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    ran = laserboard("soak", "--games", "6", "--jobs", "2", "--folder", str(tmp_path))
    assert ran.status == 0, ran
    assert ran.lines[-1].split()[:2] == ["all", "6"]


# -- what a soak plays -----------------------------------------------------------------------------


def test_a_seed_plays_the_same_games_again_and_another_one_others() -> None:
    first = [make_soak_game(3, number, NAMES) for number in range(1, 40)]
    assert first == [make_soak_game(3, number, NAMES) for number in range(1, 40)]
    assert first != [make_soak_game(4, number, NAMES) for number in range(1, 40)]


def test_every_game_is_played_on_a_board_of_its_own_and_computers_where_they_can() -> None:
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


# -- what it would notice --------------------------------------------------------------------------

END = Outcome.win(0, "resigned")


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


def test_a_journal_that_tells_what_was_made_is_good(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    path = journal(tmp_path / "a", start, turns)
    assert compare_with_journal(start, turns, END, path) == (0, 0, "")


def test_another_move_in_the_journal_is_a_wrong_one(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    last, game = turns[-1], start.game
    others = (each for each in game.turns(last.before) if each.moves != last.moves)
    path = journal(tmp_path / "a", start, [*turns[:-1], next(others)])
    wrong, lost, _ = compare_with_journal(start, turns, END, path)
    assert (wrong, lost) == (1, 0)


def test_a_turn_that_nobody_made_is_a_wrong_one(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    assert compare_with_journal(start, turns[:3], END, journal(tmp_path / "a", start, turns))[
        :2
    ] == (1, 0)


def test_a_turn_that_is_not_in_the_journal_is_lost(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    assert compare_with_journal(start, turns, END, journal(tmp_path / "a", start, turns[:3]))[
        :2
    ] == (0, 1)


@pytest.mark.parametrize("reported", [None, Outcome.win(1, "resigned"), Outcome.win(0, "time")])
def test_another_end_is_reported(
    start: GameSetup, tmp_path: Path, reported: Outcome | None
) -> None:
    turns = turns_of(start, 2)
    wrong, lost, trouble = compare_with_journal(
        start, turns, END, journal(tmp_path / "a", start, turns, reported)
    )
    assert (wrong, lost) == (0, 0)
    assert "it ended 1-0 resigned, and the journal says" in trouble


def test_a_journal_that_is_cut_off_or_gone_is_reported(start: GameSetup, tmp_path: Path) -> None:
    turns = turns_of(start, 2)
    path = journal(tmp_path / "a", start, turns)
    path.write_bytes(path.read_bytes()[:-3])
    assert "is cut off" in compare_with_journal(start, turns, END, path)[2]
    path.unlink()
    assert compare_with_journal(start, turns, END, path)[1] == 2


# -- many games ------------------------------------------------------------------------------------


def nothing(_: SoakProgress) -> None:
    """Nobody watches."""


def test_what_is_finished_is_kept_and_not_played_again(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    verdicts = [SoakResult(1, NAMES[0], 12), SoakResult(2, NAMES[1], 30, asked=2)]
    write_results(tmp_path, replace(PLAN, most_turns=40), verdicts)
    assert read_results(tmp_path, replace(PLAN, most_turns=40)) == tuple(verdicts)
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


def test_a_folder_with_another_soak_is_left_alone(tmp_path: Path) -> None:
    write_results(tmp_path, PLAN, [SoakResult(1, NAMES[0], 12)])
    with pytest.raises(BadSoak, match="name another folder"):
        read_results(tmp_path, replace(PLAN, seed=2))
    (tmp_path / "soak.json").write_text("{")
    with pytest.raises(BadSoak, match="cannot resume"):
        read_results(tmp_path, PLAN)


def test_a_game_without_progress_is_a_hang_and_the_next_one_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "POLL_S", 0.002)
    soak = SoakRunner(PLAN, tmp_path, system_clock(), timeout_s=0.001)  # nobody has begun by then
    verdicts = soak.run(SoakGoal(games=2), nothing)
    assert [each.hangs for each in verdicts] == [1, 1]
    assert all("no progress for 0.001 s" in each.trouble for each in verdicts)
    assert read_results(tmp_path, PLAN) == verdicts


def test_enough_is_so_many_games_or_so_many_turns() -> None:
    assert not SoakGoal(games=2).is_reached(1, 999)
    assert SoakGoal(games=2).is_reached(2, 0)
    assert not SoakGoal(turns=100).is_reached(50, 99)
    assert SoakGoal(turns=100).is_reached(1, 100)
    half = SoakProgress((SoakResult(1, NAMES[0], 20),), turns_in_progress=5)
    assert SoakGoal(turns=50).progress_share(half) == 0.5
    assert SoakGoal(games=2).progress_share(half) == pytest.approx(1.25 / 2)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--leds", "serial:///dev/ttyACM0"), "sim:// or memory://"),
        (("--game", "checkers"), "there is no game 'checkers'"),
        (("--games", "0"), "soak --help"),
        (("--games", "1", "--turns", "2"), "not allowed with"),
    ],
)
def test_a_soak_that_cannot_be_is_refused(
    laserboard: Laserboard, arguments: tuple[str, ...], complaint: str
) -> None:
    assert complaint in laserboard.refuses("soak", *arguments)
