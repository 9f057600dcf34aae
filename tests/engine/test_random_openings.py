"""Random openings: turns that lose at once are left out."""

from __future__ import annotations

from random import Random
from typing import Any

from engine import games
from engine.random_openings import can_win_now, random_opening


class Unlucky(Random):
    """A random generator that puts one move first."""

    def __init__(self, first: Any) -> None:
        super().__init__(1)
        self.first = first

    def shuffle(self, x: Any) -> None:
        super().shuffle(x)
        x.sort(key=lambda moves: moves != (self.first,))


def test_a_turn_that_lets_the_other_player_win_is_left_out() -> None:
    game = games.make()
    position = game.start("sophie")
    for text in ("e3f4", "d7+"):
        move = game.read_move(position, position.side, text)
        position = game.resolve(position, {position.side: move}).after
    blunder = game.read_move(position, position.side, "f8e7")
    turn = game.resolve(position, {position.side: blunder})
    assert turn.outcome is None
    assert not turn.losses
    assert can_win_now(game, turn.after), "e1- captures the king"
    (made,) = random_opening(game, position, 1, Unlucky(blunder))
    assert not can_win_now(game, made.after)


def test_a_safe_turn_that_is_drawn_first_is_played() -> None:
    game = games.make()
    position = game.start("ace")
    quiet = game.read_move(position, position.side, "j4j3")
    (made,) = random_opening(game, position, 1, Unlucky(quiet))
    assert made.moves == ((position.side, quiet),)
    assert not can_win_now(game, made.after)
