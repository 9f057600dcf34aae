"""Tuning: runs that continue, a fit that finds what decides, weights that are read back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from controller.computer.tuning import selfplay
from controller.computer.tuning.fit import (
    FitResult,
    TrainingSet,
    build_training_set,
    cross_entropy,
    fit_weights,
)
from controller.computer.tuning.selfplay import (
    SelfPlayGame,
    SelfPlaySettings,
    load_games,
    play_games,
    play_self_game,
)
from controller.computer.tuning.validation import ValidationMatch
from controller.ui.commands import tuning
from engine.laser_chess import evaluation as laser_evaluation
from engine.laser_chess.board import Board
from engine.laser_chess.native_tables import LaserEvaluation
from tests.support.cli import Laserboard
from tests.support.engine.random_play import LASER_CHESS, laser_chess_position

PLAN = SelfPlaySettings("laser-chess", seed=3, nodes=60)


@pytest.fixture
def short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "MAX_TURNS", 14)


def in_turn(
    task: Callable[[int], SelfPlayGame], numbers: Sequence[int], _: int
) -> Iterator[SelfPlayGame]:
    return map(task, numbers)


@pytest.mark.usefixtures("short_games")
def test_an_interrupted_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "run_in_processes", in_turn)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert [each.number for each in play_games(PLAN, whole, 4, 1)] == [0, 1, 2, 3]
    list(play_games(PLAN, broken, 2, 1))
    torn = broken.read_bytes() + b'[2, 0.5, [["l+'
    broken.write_bytes(torn)
    assert [each.number for each in play_games(PLAN, broken, 4, 1)] == [2, 3]
    assert broken.read_bytes() == whole.read_bytes()
    assert not list(play_games(PLAN, broken, 4, 1))
    assert [each.number for each in load_games(whole)] == [0, 1, 2, 3]


@pytest.mark.usefixtures("short_games")
def test_a_run_interrupted_in_its_first_game_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "run_in_processes", in_turn)
    file = tmp_path / "games"
    file.write_text('[0, 0.5, [["l+', "utf-8")
    assert [each.number for each in play_games(PLAN, file, 1, 1)] == [0]
    assert [each.number for each in load_games(file)] == [0]


@pytest.mark.usefixtures("short_games")
def test_a_stored_game_can_be_read_again() -> None:
    played = play_self_game(PLAN, 5)
    assert SelfPlayGame.from_json_line(played.to_json_line()) == played
    assert played.positions
    for text, score in played.positions:
        position = LASER_CHESS.read_position(text)
        assert LASER_CHESS.outcome(position) is None
        assert abs(score) < selfplay.MAX_KEPT_SCORE


def test_the_score_is_the_sum_of_features_times_weights() -> None:
    evaluation = LaserEvaluation()
    numbers = evaluation.parameters()
    assert len(numbers) == len(evaluation.names) == len(evaluation.groups)
    for seed in range(60):
        position = laser_chess_position(seed)
        score = sum(numbers[which] * times for which, times in evaluation.terms(position))
        assert score == Board(position).score() * (1 if position.side == 0 else -1)


def test_written_weights_are_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = LaserEvaluation()
    wanted = [n % 97 - 40 for n in range(len(evaluation.names))]
    file = tmp_path / evaluation.file
    file.write_text(evaluation.write(wanted, {"by": "a test"}), "utf-8")
    monkeypatch.setattr(laser_evaluation, "PARAMETERS_FILE", file)
    for cached in (
        laser_evaluation.load_parameters,
        laser_evaluation.feature_weights,
        laser_evaluation.piece_values,
    ):
        cached.cache_clear()
    try:
        assert evaluation.parameters() == wanted
        assert laser_evaluation.load_parameters()["run"] == {"by": "a test"}
    finally:
        monkeypatch.undo()
        for cached in (
            laser_evaluation.load_parameters,
            laser_evaluation.feature_weights,
            laser_evaluation.piece_values,
        ):
            cached.cache_clear()


def test_the_shipped_weights_name_their_run() -> None:
    run_of = json.loads(laser_evaluation.PARAMETERS_FILE.read_text("utf-8"))["run"]
    assert {"by", "games", "positions", "nodes", "seed", "proof"} <= run_of.keys()


def test_a_fit_finds_the_decisive_feature() -> None:
    """Where a beam across the king's path decides games, the fit finds it."""
    evaluation = LaserEvaluation()
    crossed = evaluation.names.index("crossed")
    played = []
    for number in range(400):
        position = laser_chess_position(number)
        if LASER_CHESS.outcome(position) is None:
            often = dict(evaluation.terms(position)).get(crossed, 0)
            result = 1.0 if often > 0 else 0.0 if often < 0 else 0.5
            played.append(
                SelfPlayGame(number, result, ((LASER_CHESS.write_position(position), 0),))
            )
    given = build_training_set(LASER_CHESS, evaluation, played)
    before = evaluation.parameters()
    *_, found = fit_weights(evaluation, given, steps=150)
    assert found.weights[crossed] > before[crossed] + 5
    for now, held_back in ((found.training_loss, False), (found.validation_loss, True)):
        then = cross_entropy(given, before, held_back)
        assert now is not None
        assert then is not None
        assert now < then


def test_games_of_every_setup_are_in_both_training_and_held_out_sets() -> None:
    text = LASER_CHESS.write_position(laser_chess_position(1))
    setups = len(LASER_CHESS.setups())
    played = [SelfPlayGame(number, 0.5, ((text, 0),)) for number in range(20 * setups)]
    held = build_training_set(LASER_CHESS, LaserEvaluation(), played).is_validation.reshape(
        20, setups
    )
    assert held.sum(axis=0).tolist() == [2] * setups


def test_the_reported_loss_belongs_to_the_written_weights() -> None:
    evaluation = LaserEvaluation()
    played = [
        SelfPlayGame(n, n % 3 / 2, ((LASER_CHESS.write_position(laser_chess_position(n)), 0),))
        for n in range(100)
    ]
    given = build_training_set(LASER_CHESS, evaluation, played)
    for found in fit_weights(evaluation, given, steps=50):
        assert found.training_loss == cross_entropy(given, found.weights, False)
        assert found.validation_loss == cross_entropy(given, found.weights, True)


def test_an_unused_weight_stays_with_its_group() -> None:
    evaluation = LaserEvaluation()
    given = TrainingSet(
        np.zeros(1, np.int32), np.zeros(1, np.int32), np.ones(1), np.ones(1), np.zeros(1, np.bool_)
    )
    *_, found = fit_weights(evaluation, given, steps=60)
    deflectors = [
        n for n, group in zip(found.weights, evaluation.groups, strict=True) if group == "deflector"
    ]
    assert round(sum(deflectors) / len(deflectors)) == 100
    assert len(set(deflectors[1:])) <= 12


@pytest.mark.usefixtures("short_games")
def test_equal_weights_score_one_half_in_a_validation_match() -> None:
    numbers = tuple(LaserEvaluation().parameters())
    contest = ValidationMatch(PLAN, numbers, numbers)
    assert contest.play_validation_game(0) + contest.play_validation_game(1) == 1.0


def test_the_command_plays_fits_checks_and_writes_weights(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    options = ("--games", "2", "--nodes", "30", "--validation", "2", "--jobs", "1")
    done = laserboard("tune", "--folder", str(tmp_path), *options)
    assert done.status == 0, done.err
    assert "positions of 2 games" in done.out
    assert "of 2 points against the numbers before: too few to tell" in done.out
    first = (tmp_path / "laser-chess.json").read_text("utf-8")
    assert json.loads(first)["run"]["games"] == 2
    again = laserboard("tune", "--folder", str(tmp_path), *options[:-4], "--validation", "0")
    assert f"written: {tmp_path / 'laser-chess-2.json'}" in again.out
    assert (tmp_path / "laser-chess.json").read_text("utf-8") == first


def fake_fit(monkeypatch: pytest.MonkeyPatch, held_back: float | None) -> None:
    """One game is kept, and a fit with this loss on the held-out games."""
    text = LASER_CHESS.write_position(laser_chess_position(1))
    played = [
        SelfPlayGame(number, 0.5, ((text, 0),))
        for number in ((1,) if held_back is None else (0, 1))
    ]
    numbers = tuple(LaserEvaluation().parameters())
    monkeypatch.setattr(tuning, "play_games", lambda *_: iter(()))
    monkeypatch.setattr(tuning, "load_games", lambda _: played)
    monkeypatch.setattr(
        tuning, "fit_weights", lambda *_: iter([FitResult(numbers, 0.1, held_back)])
    )


@pytest.mark.parametrize(
    ("held_back", "said"),
    [
        (9.0, "at games that were held back, the loss rose from "),
        (None, "nothing was held back: whether it holds for other games is not known"),
        (0.0, ""),
    ],
)
def test_a_higher_loss_on_held_out_games_is_reported(
    held_back: float | None,
    said: str,
    laserboard: Laserboard,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake_fit(monkeypatch, held_back)
    done = laserboard("tune", "--folder", str(tmp_path), "--games", "2", "--validation", "0")
    assert done.status == 0, done
    notes = [line for line in done.err.splitlines() if "loss" in line or "held back" in line]
    assert notes == [] if not said else notes[0].startswith(said)
    assert ("held back -" in done.out) == (held_back is None)


def test_without_training_games_the_fit_is_refused(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = LASER_CHESS.write_position(laser_chess_position(1))
    monkeypatch.setattr(tuning, "play_games", lambda *_: iter(()))
    monkeypatch.setattr(tuning, "load_games", lambda _: [SelfPlayGame(0, 0.5, ((text, 0),))])
    ran = laserboard("tune", "--folder", str(tmp_path), "--games", "1", "--validation", "0")
    assert ran.status == 2
    assert "no position to learn from" in ran.err


def test_a_stopped_run_prints_what_it_has_stored(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> Iterator[SelfPlayGame]:
        yield SelfPlayGame(0, 0.5, ())
        raise KeyboardInterrupt

    monkeypatch.setattr(tuning, "play_games", interrupted)
    monkeypatch.setattr(tuning, "load_games", lambda _: [SelfPlayGame(0, 0.5, ())])
    ran = laserboard("tune", "--folder", str(tmp_path))
    assert ran.status == 130
    kept = r"stopped: 1 game is stored in \S+/laser-chess-1-4000-[0-9a-f]{8}\.jsonl, no numbers"
    assert re.search(kept, ran.err), ran.err


def test_games_of_other_weights_are_not_used(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--folder", str(tmp_path), "--games", "2", "--nodes", "30", "--validation", "0")
    laserboard("tune", *options)
    numbers = LaserEvaluation().parameters()
    monkeypatch.setattr(LaserEvaluation, "parameters", lambda _: [n + 1 for n in numbers])
    laserboard("tune", *options)
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_tuning_a_game_without_evaluation_is_refused(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    said = laserboard.refuses("tune", "--folder", str(tmp_path), "--game", "spaceships")
    assert "no evaluation that can be tuned" in said
