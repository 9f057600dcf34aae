"""The fast mutable board that the computer player searches on, with make and unmake."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol, TypeVar

A = TypeVar("A")  # a board's own compact form of a move
M_co = TypeVar("M_co", covariant=True)

DRAWN = 2


class Board(Protocol[A, M_co]):
    """A position with `play` and `take_back`. `A` is its own compact form of a move."""

    side: int
    turns_since_capture: int  # single turns

    @property
    def winner(self) -> int | None:
        """The winner after the last turn, `DRAWN` for a draw, None while the game goes on."""

    def actions(self) -> list[A]: ...

    def play(self, action: A) -> None: ...

    def take_back(self) -> None: ...

    def perft(self, depth: int) -> int:
        """Count all sequences of `depth` turns, with every beam played."""

    def key(self) -> Hashable:
        """Equal for equivalent positions. The draw rules compare the same key."""

    def score(self) -> int:
        """The evaluation for the side to move, in hundredths of a common piece."""

    def guess(self) -> int:
        """A cheap evaluation without beams, for move ordering."""

    def move(self, action: A) -> M_co:
        """The move for an action. Call it before the action is played."""

    def action(self, move: Any) -> A | None:
        """The action for a move, legal or not. None if the move fits no board."""
