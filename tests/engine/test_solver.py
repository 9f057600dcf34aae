"""The solver: proofs of wins against every defence, equal in both cores."""

from __future__ import annotations

from typing import Any

import pytest

from engine import catalogue, games, native
from engine.errors import BadOption
from engine.game import AnyGame
from engine.search import NoComputer
from engine.solver import (
    ProofStopped,
    group_equivalent,
    prove_in_python,
    prove_natively,
    select_prover,
    winning_moves,
)
from tests.support.engine.random_play import random_turns
from tests.support.engine.sentences import raises

CHESS = games.make()
BUILT = native.load_library() is not None
# Few pieces, so that brute force ends.
SMALL = [
    "l++9/4k5/*/2b7/9B/*/*/4K4L b",
    "l++4k4/9B/*/*/*/*/4K5/9L b",
    "l++4k4/8B1/*/*/*/*/4K5/9L b",
    "l++3k5/*/9B/*/*/4S5/4K5/9L b",
    "l++9/*/5k4/*/b++9/*/b+++3K5/9L r",
]


def brute_force(game: AnyGame, position: Any, turns: int) -> list[Any]:
    """Brute force over the rules of the game."""
    (mover,) = game.to_move(position)

    def loses(position: Any, left: int) -> bool:
        for answer in game.turns(position):
            if answer.outcome is not None and answer.outcome.winner != mover:
                return False
            if answer.outcome is None and (left == 0 or not wins(answer.after, left)):
                return False
        return True

    def won(turn: Any, left: int) -> bool:
        if turn.outcome is not None:
            return bool(turn.outcome.winner == mover)
        return left > 1 and loses(turn.after, left - 1)

    def wins(position: Any, left: int) -> bool:
        return any(won(turn, left) for turn in game.turns(position))

    return [turn.moves[0][1] for turn in game.turns(position) if won(turn, turns)]


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("turns", [1, 2])
def test_proven_wins_agree_with_a_brute_force_search(text: str, turns: int) -> None:
    position = CHESS.read_position(text)
    expected = brute_force(CHESS, position, turns)
    assert prove_in_python(CHESS, position, turns) == expected
    assert winning_moves(CHESS, position, turns) == expected


def test_the_compared_positions_include_wins_and_non_wins() -> None:
    counts = [len(prove_in_python(CHESS, CHESS.read_position(text), 2)) for text in SMALL]
    assert min(counts) == 0 < max(counts)


@pytest.mark.skipif(not BUILT, reason="the compiled core is not built here")
def test_both_cores_prove_the_same_moves() -> None:
    found = 0
    for seed in range(8):
        for turn in [*random_turns(CHESS, seed, 30, retries=3)][10::3]:
            if turn.outcome is not None:
                break
            for turns in (1, 2):
                moves = prove_natively(CHESS, turn.after, turns)
                assert moves == prove_in_python(CHESS, turn.after, turns), turn.after
                found += bool(moves)
    assert found > 3


@pytest.mark.skipif(not BUILT, reason="the compiled core is not built here")
def test_the_compiled_core_is_used_for_games_that_it_supports() -> None:
    assert select_prover(CHESS, CHESS.start()) is prove_natively


def test_wins_of_other_turn_based_games_are_proven() -> None:
    photon = games.make("photon")
    position = [*random_turns(photon, 3, 12, retries=3)][-1].after
    assert winning_moves(photon, position, 1) == brute_force(photon, position, 1)


def test_simultaneous_games_are_refused() -> None:
    ships = games.make("spaceships")
    with raises(NoComputer, catalogue.NO_PROOFS):
        winning_moves(ships, ships.start(), 1)


@pytest.mark.parametrize("turns", [0, 5])
def test_the_number_of_turns_is_limited(turns: int) -> None:
    with raises(BadOption, catalogue.BAD_PROOF_TURNS):
        winning_moves(CHESS, CHESS.start(), turns)


def test_a_stopped_proof_raises() -> None:
    with raises(ProofStopped, catalogue.PROOF_STOPPED()):
        prove_in_python(CHESS, CHESS.start(), 3, lambda: True)


@pytest.mark.skipif(not BUILT, reason="the compiled core is not built here")
def test_a_stopped_compiled_proof_raises() -> None:
    with raises(ProofStopped, catalogue.PROOF_STOPPED()):
        prove_natively(CHESS, CHESS.start(), 3, lambda: True)


def test_a_finished_game_has_no_winning_moves() -> None:
    assert winning_moves(CHESS, CHESS.read_position("l++9/*/*/*/*/*/4K5/9L b"), 1) == []


def test_rotating_a_switch_either_way_counts_as_one_move() -> None:
    position = CHESS.start("ace")
    texts = ("e4+", "e4-", "h2+", "h2-")
    moves = [CHESS.read_move(position, 0, text) for text in texts]
    groups = group_equivalent(CHESS, position, moves)
    assert [[CHESS.write_move(position, 0, move)[:3] for move in each] for each in groups] == [
        ["e4+", "e4-"], ["h2+"], ["h2-"]
    ]  # fmt: skip
