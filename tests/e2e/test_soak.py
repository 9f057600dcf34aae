"""Whole games through the whole chain, and whether a soak would notice if one went wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.agreement import GAME, Start, game_body
from controller.config import load_board
from controller.journal import Entry, following, write_line
from controller.played import RESULT, TURN, result_body, turn_body
from controller.simulated import soaking
from controller.simulated.soak import Verdict, compare, fixture, play
from controller.simulated.soaking import BadSoak, Enough, Plan, Progress, Soak, finished, keep
from controller.tabletop import fitted
from controller.wiring import system_clock
from engine import games
from engine.game import AnyTurn, Outcome
from tests.controller.cli import Laserboard

NAMES = tuple(games.GAMES)
PLAN = Plan(1, NAMES, "memory://", most_turns=2)


@pytest.fixture
def laserboard(capsys: pytest.CaptureFixture[str]) -> Laserboard:
    return Laserboard(capsys)


# -- through the whole chain -----------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, len(NAMES) + 1))
def test_what_hands_do_is_what_the_disk_tells(number: int, tmp_path: Path) -> None:
    told: list[int] = []
    what = fixture(7, number, NAMES, most_turns=2)
    verdict = play(what, "sim://", tmp_path / "a.journal", system_clock(), told.append)
    assert verdict.good, verdict
    assert (verdict.turns, told) == (2, [0, 1])
    assert "resigned" in verdict.outcome


def test_a_game_against_the_computer_is_kept_as_well(tmp_path: Path) -> None:
    what = replace(fixture(7, 1, NAMES, most_turns=2), levels=(1, None))
    verdict = play(what, "memory://", tmp_path / "a.journal", system_clock(), lambda _: None)
    assert verdict.good, verdict
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
    first = [fixture(3, number, NAMES) for number in range(1, 40)]
    assert first == [fixture(3, number, NAMES) for number in range(1, 40)]
    assert first != [fixture(4, number, NAMES) for number in range(1, 40)]


def test_every_game_is_played_on_a_board_of_its_own_and_computers_where_they_can() -> None:
    what = [fixture(3, number, NAMES) for number in range(1, 61)]
    assert {each.game for each in what} == set(NAMES)
    for each in what:
        game, start = games.make(each.game), each.start()
        assert fitted(load_board(each.board)).game.name == each.game
        if each.levels != (None, None):
            assert game.computer_plays(start.first())
    with_computer = [each.game for each in what if each.levels != (None, None)]
    assert len(with_computer) >= 5
    assert len({each.levels for each in what}) == 3, "either side, or none"


# -- what it would notice --------------------------------------------------------------------------

END = Outcome.win(0, "resigned")


def turns_of(start: Start, count: int) -> list[AnyTurn]:
    rng, game, position = Random(1), start.game, start.first()
    turns: list[AnyTurn] = []
    for _ in range(count):
        moves = {each: rng.choice(game.legal(position, each)) for each in game.to_move(position)}
        turns.append(game.resolve(position, moves))
        position = turns[-1].after
    return turns


def journal(
    path: Path, start: Start, turns: Sequence[AnyTurn], outcome: Outcome | None = END
) -> Path:
    bodies = [(GAME, game_body(start)), *((TURN, turn_body(start.game, each)) for each in turns)]
    if outcome is not None:
        bodies.append((RESULT, result_body(outcome)))
    last: Entry | None = None
    with path.open("wb") as file:
        for kind, body in bodies:
            last = following(last, kind, body, 0.0)
            file.write(write_line(last))
    return path


@pytest.fixture(params=NAMES)
def start(request: pytest.FixtureRequest) -> Start:
    return fixture(1, NAMES.index(request.param) + 1, NAMES).start()


def test_a_journal_that_tells_what_was_made_is_good(start: Start, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    path = journal(tmp_path / "a", start, turns)
    assert compare(start, turns, END, path) == (0, 0, "")


def test_another_move_in_the_journal_is_a_wrong_one(start: Start, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    last, game = turns[-1], start.game
    others = (each for each in game.turns(last.before) if each.moves != last.moves)
    path = journal(tmp_path / "a", start, [*turns[:-1], next(others)])
    wrong, lost, _ = compare(start, turns, END, path)
    assert (wrong, lost) == (1, 0)


def test_a_turn_that_nobody_made_is_a_wrong_one(start: Start, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    assert compare(start, turns[:3], END, journal(tmp_path / "a", start, turns))[:2] == (1, 0)


def test_a_turn_that_is_not_in_the_journal_is_lost(start: Start, tmp_path: Path) -> None:
    turns = turns_of(start, 4)
    assert compare(start, turns, END, journal(tmp_path / "a", start, turns[:3]))[:2] == (0, 1)


@pytest.mark.parametrize("told", [None, Outcome.win(1, "resigned"), Outcome.win(0, "time")])
def test_another_end_is_told(start: Start, tmp_path: Path, told: Outcome | None) -> None:
    turns = turns_of(start, 2)
    wrong, lost, trouble = compare(start, turns, END, journal(tmp_path / "a", start, turns, told))
    assert (wrong, lost) == (0, 0)
    assert "it ended 1-0 resigned, and the journal says" in trouble


def test_a_journal_that_is_cut_off_or_gone_is_told(start: Start, tmp_path: Path) -> None:
    turns = turns_of(start, 2)
    path = journal(tmp_path / "a", start, turns)
    path.write_bytes(path.read_bytes()[:-3])
    assert "is cut off" in compare(start, turns, END, path)[2]
    path.unlink()
    assert compare(start, turns, END, path)[1] == 2


# -- many games ------------------------------------------------------------------------------------


def nothing(_: Progress) -> None:
    """Nobody watches."""


def test_what_is_finished_is_kept_and_not_played_again(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    verdicts = [Verdict(1, NAMES[0], 12), Verdict(2, NAMES[1], 30, asked=2)]
    keep(tmp_path, replace(PLAN, most_turns=40), verdicts)
    assert finished(tmp_path, replace(PLAN, most_turns=40)) == tuple(verdicts)
    ran = laserboard("soak", "--games", "2", "--leds", "memory://", "--folder", str(tmp_path))
    assert ran.status == 0, ran
    assert "2 games are finished already" in ran.err
    assert ran.lines[-1].split() == ["all", "2", "42", "0", "0", "0", "2", "0", "0", "0.0"]


@pytest.mark.parametrize(
    "bad",
    [
        Verdict(2, NAMES[0], 9, wrong=1),
        Verdict(2, NAMES[0], 9, lost=1),
        Verdict(2, NAMES[0], 9, hangs=1, trouble="no progress"),
        Verdict(2, NAMES[0], 9, trouble="the table does not come to rest"),
    ],
)
def test_a_single_bad_game_is_told_and_fails(
    laserboard: Laserboard, tmp_path: Path, bad: Verdict
) -> None:
    keep(tmp_path, replace(PLAN, most_turns=40), [Verdict(1, NAMES[0], 12), bad])
    ran = laserboard("soak", "--games", "2", "--leds", "memory://", "--folder", str(tmp_path))
    assert ran.status == 1
    assert ran.lines[-1].startswith("game 2 (")


def test_a_folder_with_another_soak_is_left_alone(tmp_path: Path) -> None:
    keep(tmp_path, PLAN, [Verdict(1, NAMES[0], 12)])
    with pytest.raises(BadSoak, match="name another folder"):
        finished(tmp_path, replace(PLAN, seed=2))
    (tmp_path / "soak.json").write_text("{")
    with pytest.raises(BadSoak, match="cannot be gone on with"):
        finished(tmp_path, PLAN)


def test_a_game_without_progress_is_a_hang_and_the_next_one_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soaking, "LOOK_S", 0.002)
    soak = Soak(PLAN, tmp_path, system_clock(), patience_s=0.001)  # nobody has begun by then
    verdicts = soak.run(Enough(games=2), nothing)
    assert [each.hangs for each in verdicts] == [1, 1]
    assert all("no progress for 0.001 s" in each.trouble for each in verdicts)
    assert finished(tmp_path, PLAN) == verdicts


def test_enough_is_so_many_games_or_so_many_turns() -> None:
    assert not Enough(games=2).reached(1, 999)
    assert Enough(games=2).reached(2, 0)
    assert not Enough(turns=100).reached(50, 99)
    assert Enough(turns=100).reached(1, 100)
    half = Progress((Verdict(1, NAMES[0], 20),), playing=5)
    assert Enough(turns=50).part(half) == 0.5
    assert Enough(games=2).part(half) == pytest.approx(1.25 / 2)


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
