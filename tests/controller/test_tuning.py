"""Learning to judge: runs that go on, a fit that finds what is there, numbers that come back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from controller.tuning import fit as fits
from controller.tuning import selfplay
from controller.tuning.fit import Fit, Lessons, fit, lessons, loss
from controller.tuning.proof import Contest
from controller.tuning.selfplay import Played, SelfPlay, kept_games, play_games, play_one
from engine.laser_chess import judgement as laser_judgement
from engine.laser_chess.board import Board
from engine.laser_chess.compiled import LaserJudgement
from tests.controller.cli import Laserboard
from tests.play import LASER_CHESS, laser_chess_position

PLAN = SelfPlay("laser-chess", seed=3, nodes=60)


@pytest.fixture
def short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "LONGEST", 14)


def in_turn(task: Callable[[int], Played], numbers: Sequence[int], _: int) -> Iterator[Played]:
    return map(task, numbers)


@pytest.mark.usefixtures("short_games")
def test_a_run_that_was_broken_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "side_by_side", in_turn)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert [each.number for each in play_games(PLAN, whole, 4, 1)] == [0, 1, 2, 3]
    list(play_games(PLAN, broken, 2, 1))
    torn = broken.read_bytes() + b'[2, 0.5, [["l+'
    broken.write_bytes(torn)
    assert [each.number for each in play_games(PLAN, broken, 4, 1)] == [2, 3]
    assert broken.read_bytes() == whole.read_bytes()
    assert not list(play_games(PLAN, broken, 4, 1))
    assert [each.number for each in kept_games(whole)] == [0, 1, 2, 3]


@pytest.mark.usefixtures("short_games")
def test_a_run_that_was_broken_off_in_its_first_game_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "side_by_side", in_turn)
    file = tmp_path / "games"
    file.write_text('[0, 0.5, [["l+', "utf-8")
    assert [each.number for each in play_games(PLAN, file, 1, 1)] == [0]
    assert [each.number for each in kept_games(file)] == [0]


@pytest.mark.usefixtures("short_games")
def test_what_is_kept_of_a_game_can_be_read_again() -> None:
    played = play_one(PLAN, 5)
    assert Played.read(played.line()) == played
    assert played.positions
    for text, score in played.positions:
        position = LASER_CHESS.read_position(text)
        assert LASER_CHESS.outcome(position) is None
        assert abs(score) < selfplay.LOPSIDED


def test_terms_and_numbers_make_the_score() -> None:
    judgement = LaserJudgement()
    numbers = judgement.numbers()
    assert len(numbers) == len(judgement.names) == len(judgement.groups)
    for seed in range(60):
        position = laser_chess_position(seed)
        score = sum(numbers[which] * times for which, times in judgement.terms(position))
        assert score == Board(position).score() * (1 if position.side == 0 else -1)


def test_written_numbers_are_those_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judgement = LaserJudgement()
    wanted = [n % 97 - 40 for n in range(len(judgement.names))]
    file = tmp_path / judgement.file
    file.write_text(judgement.write(wanted, {"by": "a test"}), "utf-8")
    monkeypatch.setattr(laser_judgement, "FILE", file)
    for cached in (laser_judgement.numbers, laser_judgement.weights, laser_judgement.worth):
        cached.cache_clear()
    try:
        assert judgement.numbers() == wanted
        assert laser_judgement.numbers()["run"] == {"by": "a test"}
    finally:
        monkeypatch.undo()
        for cached in (laser_judgement.numbers, laser_judgement.weights, laser_judgement.worth):
            cached.cache_clear()


def test_the_numbers_in_use_say_which_run_they_come_from() -> None:
    run_of = json.loads(laser_judgement.FILE.read_text("utf-8"))["run"]
    assert {"by", "games", "positions", "nodes", "seed", "proof"} <= run_of.keys()


def test_a_fit_finds_what_decides_games() -> None:
    """Where a beam that crosses the way to the king decides, the fit says so."""
    judgement = LaserJudgement()
    crossed = judgement.names.index("crossed")
    played = []
    for number in range(400):
        position = laser_chess_position(number)
        if LASER_CHESS.outcome(position) is None:
            often = dict(judgement.terms(position)).get(crossed, 0)
            result = 1.0 if often > 0 else 0.0 if often < 0 else 0.5
            played.append(Played(number, result, ((LASER_CHESS.write_position(position), 0),)))
    given = lessons(LASER_CHESS, judgement, played)
    before = judgement.numbers()
    *_, found = fit(judgement, given, steps=150)
    assert found.numbers[crossed] > before[crossed] + 5
    for now, held_back in ((found.learnt, False), (found.held_back, True)):
        then = loss(given, before, held_back)
        assert now is not None
        assert then is not None
        assert now < then


def test_games_of_every_setup_are_held_back_and_learnt_from() -> None:
    text = LASER_CHESS.write_position(laser_chess_position(1))
    setups = len(LASER_CHESS.setups())
    played = [Played(number, 0.5, ((text, 0),)) for number in range(20 * setups)]
    held = lessons(LASER_CHESS, LaserJudgement(), played).held_back.reshape(20, setups)
    assert held.sum(axis=0).tolist() == [2] * setups


def test_what_a_fit_tells_is_true_of_the_numbers_that_are_written() -> None:
    judgement = LaserJudgement()
    played = [
        Played(n, n % 3 / 2, ((LASER_CHESS.write_position(laser_chess_position(n)), 0),))
        for n in range(100)
    ]
    given = lessons(LASER_CHESS, judgement, played)
    for found in fit(judgement, given, steps=50):
        assert found.learnt == loss(given, found.numbers, False)
        assert found.held_back == loss(given, found.numbers, True)


def test_a_number_that_never_counts_stays_with_its_group() -> None:
    judgement = LaserJudgement()
    given = Lessons(
        np.zeros(1, np.int32), np.zeros(1, np.int32), np.ones(1), np.ones(1), np.zeros(1, np.bool_)
    )
    *_, found = fit(judgement, given, steps=60)
    deflectors = [
        n for n, group in zip(found.numbers, judgement.groups, strict=True) if group == "deflector"
    ]
    assert round(sum(deflectors) / len(deflectors)) == 100
    assert len(set(deflectors[1:])) <= 12


@pytest.mark.usefixtures("short_games")
def test_equal_numbers_are_equally_good() -> None:
    numbers = tuple(LaserJudgement().numbers())
    contest = Contest(PLAN, numbers, numbers)
    assert contest.play(0) + contest.play(1) == 1.0


def test_the_command_plays_fits_proves_and_writes(laserboard: Laserboard, tmp_path: Path) -> None:
    options = ("--games", "2", "--nodes", "30", "--proof", "2", "--jobs", "1")
    done = laserboard("tune", "--folder", str(tmp_path), *options)
    assert done.status == 0, done.err
    assert "positions of 2 games" in done.out
    assert "of 2 points against the numbers before: too few to tell" in done.out
    first = (tmp_path / "laser-chess.json").read_text("utf-8")
    assert json.loads(first)["run"]["games"] == 2
    again = laserboard("tune", "--folder", str(tmp_path), *options[:-4], "--proof", "0")
    assert f"written: {tmp_path / 'laser-chess-2.json'}" in again.out
    assert (tmp_path / "laser-chess.json").read_text("utf-8") == first


def fitting(monkeypatch: pytest.MonkeyPatch, held_back: float | None) -> None:
    """One game is kept, and a fit leaves that much surprise at what was held back."""
    text = LASER_CHESS.write_position(laser_chess_position(1))
    played = [
        Played(number, 0.5, ((text, 0),)) for number in ((1,) if held_back is None else (0, 1))
    ]
    numbers = tuple(LaserJudgement().numbers())
    monkeypatch.setattr(selfplay, "play_games", lambda *_: iter(()))
    monkeypatch.setattr(selfplay, "kept_games", lambda _: played)
    monkeypatch.setattr(fits, "fit", lambda *_: iter([Fit(numbers, 0.1, held_back)]))


@pytest.mark.parametrize(
    ("held_back", "said"),
    [
        (9.0, "at games that were held back, the surprise rose from "),
        (None, "nothing was held back: whether it holds for other games is not known"),
        (0.0, ""),
    ],
)
def test_numbers_that_hold_for_no_other_games_are_told(
    held_back: float | None,
    said: str,
    laserboard: Laserboard,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fitting(monkeypatch, held_back)
    done = laserboard("tune", "--folder", str(tmp_path), "--games", "2", "--proof", "0")
    assert done.status == 0, done
    notes = [line for line in done.err.splitlines() if "surprise" in line or "held back" in line]
    assert notes == [] if not said else notes[0].startswith(said)
    assert ("held back -" in done.out) == (held_back is None)


def test_games_that_are_all_held_back_teach_nothing(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = LASER_CHESS.write_position(laser_chess_position(1))
    monkeypatch.setattr(selfplay, "play_games", lambda *_: iter(()))
    monkeypatch.setattr(selfplay, "kept_games", lambda _: [Played(0, 0.5, ((text, 0),))])
    ran = laserboard("tune", "--folder", str(tmp_path), "--games", "1", "--proof", "0")
    assert ran.status == 2
    assert "no position to learn from" in ran.err


def test_a_run_that_is_stopped_says_what_is_kept(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*_: object) -> Iterator[Played]:
        yield Played(0, 0.5, ())
        raise KeyboardInterrupt

    monkeypatch.setattr(selfplay, "play_games", broken_off)
    monkeypatch.setattr(selfplay, "kept_games", lambda _: [Played(0, 0.5, ())])
    ran = laserboard("tune", "--folder", str(tmp_path))
    assert ran.status == 130
    kept = r"stopped: 1 game is kept in \S+/laser-chess-1-4000-[0-9a-f]{8}\.jsonl, no numbers"
    assert re.search(kept, ran.err), ran.err


def test_games_of_other_numbers_are_not_learnt_from(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--folder", str(tmp_path), "--games", "2", "--nodes", "30", "--proof", "0")
    laserboard("tune", *options)
    numbers = LaserJudgement().numbers()
    monkeypatch.setattr(LaserJudgement, "numbers", lambda _: [n + 1 for n in numbers])
    laserboard("tune", *options)
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_a_game_that_learns_nothing_is_told(laserboard: Laserboard, tmp_path: Path) -> None:
    said = laserboard.refuses("tune", "--folder", str(tmp_path), "--game", "spaceships")
    assert "can be learnt" in said
