"""What the computer player needs of a game: a position that is played on and taken back, fast."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol, TypeVar

A = TypeVar("A")  # a board's own compact form of a move
M_co = TypeVar("M_co", covariant=True)

DRAWN = 2


class Board(Protocol[A, M_co]):
    """A position that can be played on and taken back, fast."""

    side: int
    quiet: int  # single turns since something was last captured

    @property
    def winner(self) -> int | None:
        """Who has won by the last turn; None while nobody has, `DRAWN` if nobody will."""

    def actions(self) -> list[A]: ...

    def play(self, action: A) -> None: ...

    def take_back(self) -> None: ...

    def perft(self, depth: int) -> int:
        """Play every sequence of `depth` turns to its last beam, and count them."""

    def key(self) -> Hashable:
        """Equal for positions that play alike; the same key that the draw rules compare."""

    def score(self) -> int:
        """How good it is for the side to move, in hundredths of a common piece."""

    def guess(self) -> int:
        """The same at a glance, to begin with what promises most."""

    def move(self, action: A) -> M_co:
        """The move that an action stands for, on the board as it is before the action."""

    def action(self, move: Any) -> A | None:
        """The action that a move stands for, legal or not; None if it is no move anywhere."""
