"""The computer player: iterative deepening alpha-beta over a game's fast board."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeVar

A = TypeVar("A")  # a board's own compact form of a move
M_co = TypeVar("M_co", covariant=True)


class Board(Protocol[A, M_co]):
    """A position that can be played on and taken back, fast."""

    side: int

    @property
    def winner(self) -> int | None:
        """Who has won by the last turn; None while nobody has, `DRAWN` if nobody will."""

    def actions(self) -> list[A]: ...

    def play(self, action: A) -> None: ...

    def take_back(self) -> None: ...

    def perft(self, depth: int) -> int: ...

    def key(self) -> Hashable:
        """Equal for positions that play alike."""

    def score(self) -> int:
        """How good it is for the side to move, in hundredths of a common piece."""

    def move(self, action: A) -> M_co: ...


DRAWN = 2
