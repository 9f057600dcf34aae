"""The fast mutable `Board` agrees with the frozen `Position`, in both games.

Make and unmake on the board are compared with the public contract of the game.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.beam import BeamEvent
from engine.board import DRAWN
from engine.game import AnyGame, Outcome
from engine.laser_chess import Position as LaserChessPosition
from engine.laser_chess.board import fire
from engine.laser_chess.pieces import LASER_SQUARE
from engine.perft import divide, perft
from engine.photon import Photon
from engine.photon import Position as PhotonPosition
from engine.photon.board import fire as fire_all
from engine.photon.pieces import HITS
from tests.support.engine.random_play import (
    LASER_CHESS,
    PHOTON_RULES,
    any_positions,
    examples,
    laser_chess_position,
    laser_chess_positions,
    photon_position,
    photon_positions,
    photon_rules,
    seeds,
    turn_laser_chess,
    turn_photon,
)

Sample = tuple[AnyGame, Any]


def fast(game: AnyGame, position: Any) -> Any:
    board = game.board(position)
    assert board is not None
    return board


def standing(board: Any) -> tuple[Any, ...]:
    """All observable state of a board."""
    return bytes(board.squares), board.side, board.balance, board.winner, board.key(), board.score()


def verdict(outcome: Outcome | None) -> int | None:
    """An outcome in the form of `Board.winner`."""
    if outcome is None:
        return None
    return DRAWN if outcome.winner is None else outcome.winner


@given(any_positions)
@examples(150)
def test_playing_an_action_equals_resolving_its_move(sample: Sample) -> None:
    game, position = sample
    board, player = fast(game, position), position.side
    for action in board.actions() if game.outcome(position) is None else ():
        turn = game.resolve(position, {player: board.move(action)})
        board.play(action)
        frozen = board.position()
        assert (frozen.squares, frozen.side) == (turn.after.squares, turn.after.side)
        assert board.winner == verdict(turn.outcome)
        assert board.key() == turn.after.key
        board.take_back()


@given(any_positions)
@examples(150)
def test_taking_back_restores_everything(sample: Sample) -> None:
    game, position = sample
    board = fast(game, position)
    before = standing(board)
    assert board.position().squares == position.squares
    assert board.position().side == position.side
    for action in board.actions() if game.outcome(position) is None else ():
        board.play(action)
        assert board.side == 1 - position.side
        board.take_back()
        assert standing(board) == before


@given(any_positions, seeds)
@examples(200)
def test_any_sequence_of_actions_is_undone_exactly(sample: Sample, seed: int) -> None:
    game, position = sample
    board, random = fast(game, position), Random(seed)
    history: list[tuple[Any, ...]] = []
    while board.winner is None and len(history) < 30:
        history.append(standing(board))
        board.play(random.choice(board.actions()))
        assert standing(board) == standing(fast(game, board.position()))
    while history:
        board.take_back()
        assert standing(board) == history.pop()


@given(any_positions)
@examples(200)
def test_actions_and_moves_are_the_same_in_the_same_order(sample: Sample) -> None:
    game, position = sample
    board, player = fast(game, position), position.side
    moves = [board.move(action) for action in board.actions()]
    legal = list(game.legal(position, player))
    assert legal == (moves if game.outcome(position) is None else [])
    assert len(set(moves)) == len(moves) > 0
    assert [board.action(move) for move in moves] == board.actions()
    assert (game.outcome(position) is None) == (board.winner is None)


@given(any_positions)
@examples(300)
def test_the_key_of_a_board_is_the_key_of_its_position(sample: Sample) -> None:
    game, position = sample
    assert fast(game, position).key() == position.key


@given(any_positions)
@examples(300)
def test_a_rotated_board_has_the_same_score_for_the_other_side(sample: Sample) -> None:
    game, position = sample
    turned = turn_laser_chess(position) if game.name == LASER_CHESS.name else turn_photon(position)
    assert fast(game, turned).score() == fast(game, position).score()


# -- perft -----------------------------------------------------------------------------------


def slow_perft(game: AnyGame, position: Any, depth: int) -> int:
    """Perft through the public contract; moves of the last turn are not resolved."""
    player = position.side
    moves = game.legal(position, player)
    if depth == 1:
        return len(moves)
    afters = [game.resolve(position, {player: move}).after for move in moves]
    return sum(slow_perft(game, after, depth - 1) for after in afters)


@pytest.mark.parametrize("seed", range(40))
def test_perft_by_the_board_is_perft_by_the_contract(seed: int) -> None:
    samples: list[Sample] = [(LASER_CHESS, laser_chess_position(seed))]
    rules = sorted(PHOTON_RULES)[seed % 4]
    samples.append((PHOTON_RULES[rules], photon_position(seed)))
    for game, position in samples:
        counts = [slow_perft(game, position, depth) for depth in (1, 2)]
        assert [perft(game, position, depth) for depth in (1, 2)] == counts
        if game.outcome(position) is None:
            assert [fast(game, position).perft(depth) for depth in (1, 2)] == counts
        divided = divide(game, position, 2)
        assert [moves for moves, _ in divided] == [
            (m,) for m in game.legal(position, position.side)
        ]
        assert sum(count for _, count in divided) == counts[1]


@given(any_positions)
@examples(30)
def test_perft_leaves_the_board_as_it_was(sample: Sample) -> None:
    game, position = sample
    board = fast(game, position)
    if game.outcome(position) is None:
        before = standing(board)
        board.perft(2)
        assert standing(board) == before


# -- the board's own beams -------------------------------------------------------------------


@given(laser_chess_positions)
@examples(500)
def test_firing_on_the_board_captures_what_the_tracer_captures(
    position: LaserChessPosition,
) -> None:
    for player, square in enumerate(LASER_SQUARE):
        (beam,) = LASER_CHESS.standing_beams(position, player)
        captured = beam.end.cell if beam.end.event is BeamEvent.CAPTURE else -1
        assert fire(position.squares, square) == captured


@given(photon_rules, photon_positions)
@examples(600)
def test_photon_hits_are_the_hits_of_the_tracer(game: Photon, position: PhotonPosition) -> None:
    beams = (*game.standing_beams(position, 0), *game.standing_beams(position, 1))
    traced = Counter(
        b.end.cell for b in beams if b.end.event in (BeamEvent.DAMAGE, BeamEvent.CAPTURE)
    )
    table = HITS[game.mirrors == "two_sided"]
    volley = fire_all(position.squares, table, game.beams == "annihilate")
    assert Counter(volley.struck) == traced


@given(st.integers(0, 400), photon_rules)
@examples(100)
def test_a_finished_position_has_a_winner_on_its_board(seed: int, game: Photon) -> None:
    pairs: list[Sample] = [(LASER_CHESS, laser_chess_position(seed)), (game, photon_position(seed))]
    for each, position in pairs:
        assert fast(each, position).winner == verdict(each.outcome(position))
