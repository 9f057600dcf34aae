"""Pieces that a referee restores have their last hit points, and never more than at the start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.session.state import PlayedTurn, Session
from controller.ui.web import sentences
from controller.ui.web.bridge import ruling_from_command
from controller.ui.web.commands import BadCommand, SetPositionCommand
from controller.ui.web.referee_routes import ruling_position_json
from engine.draw.board_json import piece_json
from engine.games import GAMES
from tests.support.engine.random_play import random_turns
from tests.support.engine.sentences import raises
from tests.support.play.keyboard_sessions import session

games = pytest.mark.parametrize("name", list(GAMES))


def played(name: str, seed: int) -> Session:
    """A game with a removed piece, and some turns after it."""
    now = session(name, 1, computer=None)
    turns = tuple(random_turns(now.game, seed, 200))
    history = tuple(PlayedTurn(turn.before, now.clocks, turn) for turn in turns)
    return replace(now, history=history, position=turns[-1].after)


@games
def test_captured_pieces_are_listed_newest_first_with_their_last_state(name: str) -> None:
    found = 0
    for seed in range(1, 6):
        now = played(name, seed)
        grid = now.position.grid
        gone = [loss.piece for past in now.history for loss in past.turn.removed]
        found += len(gone)
        assert ruling_position_json(now, 0)["captured"] == [
            piece_json(grid, piece) for piece in reversed(gone)
        ]
        assert ruling_position_json(now, len(now.history))["captured"] == [], (
            "nothing was lost before the first turn"
        )
    assert found


def test_a_damaged_block_is_listed_with_its_remaining_hit_points() -> None:
    points = {
        each["hit_points"]
        for seed in range(1, 9)
        for each in ruling_position_json(played("photon", seed), 0)["captured"]
        if each["kind"] == "block"
    }
    assert 1 in points


@games
def test_the_response_contains_all_tray_fields(name: str) -> None:
    now = played(name, 3)
    game = now.game
    for each in ruling_position_json(now, 0)["piece_set"]:
        assert each["full_hit_points"] == game.full_hit_points(each["kind"])
        assert each["count"] >= sum(
            (piece.kind, piece.owner) == (each["kind"], each["owner"])
            for piece in now.position.pieces.values()
        )


@games
def test_no_piece_is_restored_with_more_hit_points_than_at_the_start(name: str) -> None:
    now = session(name, 1, computer=None)
    grid, pieces = now.position.grid, now.position.pieces
    for extra in (0, 1):
        cell, piece = next(iter(pieces.items()))
        most = now.game.full_hit_points(piece.kind)
        put = tuple(
            (
                grid.name(each),
                stands.kind,
                stands.owner,
                grid.degrees(stands.orientation),
                most + extra if each == cell else stands.hit_points,
            )
            for each, stands in pieces.items()
        )
        command = SetPositionCommand(put, 0, 0, "", False)
        if extra:
            expected = sentences.TOO_MANY_HIT_POINTS(
                cell=grid.name(cell), piece=piece.kind, most=most, points=most + 1
            )
            with raises(BadCommand, expected):
                ruling_from_command(now, command)
        else:
            ruling_from_command(now, command)
