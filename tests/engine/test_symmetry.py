"""Symmetry: rotating the board by 180 degrees and swapping colours rotates every move and result.
Also checks that `resolve` does not change its input.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given

from engine.beam import Beam
from engine.game import AnyGame, Loss, Piece
from engine.grid import Grid
from engine.laser_chess import Position as LaserChessPosition
from engine.photon import Photon
from engine.photon import Position as PhotonPosition
from tests.support.engine.random_play import (
    LASER_CHESS,
    any_positions,
    examples,
    laser_chess_position,
    laser_chess_positions,
    photon_position,
    photon_positions,
    photon_rules,
    turn_beam,
    turn_cell,
    turn_laser_chess,
    turn_move,
    turn_outcome,
    turn_photon,
)


def by_emitter(beams: tuple[Beam, ...]) -> list[Beam]:
    return sorted(beams, key=lambda beam: beam.path[0])


def turn_losses(grid: Grid, losses: tuple[Loss, ...], kinds_that_turn: set[str]) -> list[Loss]:
    turned = []
    for loss in losses:
        piece = loss.piece
        quarters = 2 if piece.kind in kinds_that_turn else 0
        orientation = (piece.orientation + quarters) % 4
        twin = Piece(piece.kind, 1 - piece.owner, orientation, piece.hit_points)
        turned.append(Loss(turn_cell(grid, loss.cell), twin, loss.hits))
    return sorted(turned, key=lambda loss: loss.cell)


CHESS_PIECES = {"laser", "deflector", "defender", "switch", "king"}


@given(laser_chess_positions)
@examples(60)
def test_rotated_laser_chess_positions_play_the_same(position: LaserChessPosition) -> None:
    game, side, twin = LASER_CHESS, position.side, turn_laser_chess(position)
    assert twin.side == 1 - side
    assert turn_outcome(game.outcome(position)) == game.outcome(twin)
    moves, twin_moves = game.legal(position, side), game.legal(twin, 1 - side)
    assert {turn_move(position.grid, move) for move in moves} == set(twin_moves)
    for move in moves:
        turn = game.resolve(position, {side: move})
        twin_move = turn_move(position.grid, move)
        twin_turn = game.resolve(twin, {1 - side: twin_move})
        assert twin_turn.after == turn_laser_chess(turn.after)
        assert twin_turn.aimed == turn_laser_chess(turn.aimed)
        assert twin_turn.beams == (turn_beam(position.grid, turn.beams[0]),)
        assert list(twin_turn.losses) == turn_losses(position.grid, turn.losses, CHESS_PIECES)
        assert twin_turn.outcome == turn_outcome(turn.outcome)
        # In text, only the names of the squares change.
        text, twin_text = (
            game.write_move(position, side, move),
            game.write_move(twin, 1 - side, twin_move),
        )
        assert twin_text == turn_lan(text)


def turn_lan(text: str) -> str:
    """A move in LAN on the rotated board: a1 becomes j8, and so on."""
    columns, rows = "abcdefghij", "12345678"
    turned = str.maketrans(columns + rows, columns[::-1] + rows[::-1])
    return text.translate(turned)


@given(photon_positions, photon_rules)
@examples(80)
def test_rotated_photon_positions_play_the_same(position: PhotonPosition, game: Photon) -> None:
    grid, side, twin = position.grid, position.side, turn_photon(position)
    assert twin.side == 1 - side
    assert turn_outcome(game.outcome(position)) == game.outcome(twin)
    moves, twin_moves = game.legal(position, side), game.legal(twin, 1 - side)
    assert {turn_move(grid, move) for move in moves} == set(twin_moves)
    for move in moves:
        turn = game.resolve(position, {side: move})
        twin_turn = game.resolve(twin, {1 - side: turn_move(grid, move)})
        assert twin_turn.after == turn_photon(turn.after)
        assert twin_turn.aimed == turn_photon(turn.aimed)
        turned_beams = tuple(turn_beam(grid, beam) for beam in turn.beams)
        assert by_emitter(twin_turn.beams) == by_emitter(turned_beams)
        turned_losses = turn_losses(grid, turn.losses, {"shooter", "mirror"})
        assert list(twin_turn.losses) == turned_losses
        assert twin_turn.outcome == turn_outcome(turn.outcome)


@given(any_positions)
@examples(100)
def test_two_half_turns_are_the_identity(sample: tuple[AnyGame, Any]) -> None:
    game, position = sample
    turn: Any = turn_laser_chess if game is LASER_CHESS else turn_photon
    assert turn(turn(position)) == position
    assert turn(position) != position


@given(any_positions)
@examples(100)
def test_a_rotated_board_has_the_same_score_for_the_player_to_move(
    sample: tuple[AnyGame, Any],
) -> None:
    game, position = sample
    twin = (turn_laser_chess if game is LASER_CHESS else turn_photon)(position)
    board, twin_board = game.board(position), game.board(twin)
    assert board is not None
    assert twin_board is not None
    assert board.score() == twin_board.score()


# -- resolve and its input -------------------------------------------------------------------


@given(any_positions)
@examples(60)
def test_resolve_never_changes_its_input(sample: tuple[AnyGame, Any]) -> None:
    game, position = sample
    kept, frozen, number = copy.deepcopy(position), pickle.dumps(position), hash(position)
    for move in game.legal(position, position.side):
        moves = {position.side: move}
        turn = game.resolve(position, moves)
        assert turn.before is position
        assert moves == {position.side: move}
        again = game.resolve(position, moves)
        assert again == turn
        assert again.after.keys_since_capture == turn.after.keys_since_capture
    assert position == kept
    assert position.keys_since_capture == kept.keys_since_capture
    assert pickle.dumps(position) == frozen
    assert hash(position) == hash(kept) == number


@pytest.mark.parametrize("seed", range(20))
def test_queries_never_change_a_position(seed: int) -> None:
    samples: list[tuple[AnyGame, Any]] = [
        (LASER_CHESS, laser_chess_position(seed)),
        (Photon(), photon_position(seed)),
    ]
    for game, position in samples:
        frozen = pickle.dumps(position)
        board = game.board(position)
        assert board is not None
        if game.outcome(position) is None:
            board.perft(2)
        for player in (0, 1):
            game.legal(position, player)
            game.standing_beams(position, player)
        game.claimable(position)
        game.marks(position)
        game.write_position(position)
        assert pickle.dumps(position) == frozen
