"""Pieces that a referee puts back: as they stood before they were struck, and never stronger."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.session_values import Past, Session
from controller.web.arranging import meant
from controller.web.commands import Arrange, BadCommand
from controller.web.desk import told
from controller.web.pieces_json import piece_json
from engine.games import GAMES
from tests.controller.sat_down import session
from tests.play import random_turns

games = pytest.mark.parametrize("name", list(GAMES))


def played(name: str, seed: int) -> Session:
    """A game until something was struck off the board, and some turns more."""
    now = session(name, 1, computer=None)
    turns = tuple(random_turns(now.table.game, seed, 200))
    history = tuple(Past(turn.before, now.clocks, turn) for turn in turns)
    return replace(now, history=history, position=turns[-1].after)


@games
def test_what_was_struck_is_told_as_it_stood_the_last_first(name: str) -> None:
    found = 0
    for seed in range(1, 6):
        now = played(name, seed)
        grid = now.position.grid
        gone = [loss.piece for past in now.history for loss in past.turn.removed]
        found += len(gone)
        assert told(now, 0)["lost"] == [piece_json(grid, piece) for piece in reversed(gone)]
        assert told(now, len(now.history))["lost"] == [], "nothing was lost before the first turn"
    assert found


def test_a_block_that_was_cracked_before_it_was_lost_comes_back_cracked() -> None:
    points = {
        each["hit_points"]
        for seed in range(1, 9)
        for each in told(played("photon", seed), 0)["lost"]
        if each["kind"] == "block"
    }
    assert 1 in points


@games
def test_all_that_a_tray_needs_is_told(name: str) -> None:
    now = played(name, 3)
    game = now.table.game
    for each in told(now, 0)["set"]:
        assert each["unhurt"] == game.unhurt(each["kind"])
        assert each["count"] >= sum(
            (piece.kind, piece.owner) == (each["kind"], each["owner"])
            for piece in now.position.pieces.values()
        )


@games
def test_nothing_comes_back_stronger_than_it_began(name: str) -> None:
    now = session(name, 1, computer=None)
    grid, pieces = now.position.grid, now.position.pieces
    for extra in (0, 1):
        cell, piece = next(iter(pieces.items()))
        most = now.table.game.unhurt(piece.kind)
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
        command = Arrange(put, 0, 0, "", False)
        if extra:
            with pytest.raises(BadCommand, match=f"has up to {most} hit points, not {most + 1}"):
                meant(now, command)
        else:
            meant(now, command)
