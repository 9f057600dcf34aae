"""Games that programs play over HTTP: what they are sent, what they may answer, how they stand.

All players act at once, and nobody is waited for: an answer that does not come, or makes no sense,
is a move too. `engine.games.OVER_HTTP` names them; each is a command of its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import Game, M, P, Player, Turn


@dataclass(frozen=True, slots=True)
class Tally:
    """How one player stands, for people who watch."""

    name: str
    hit_points: int
    most_hit_points: int
    score: int


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that a player did or suffered in a turn, in words without his name."""

    player: Player
    words: str
    amiss: bool = False  # nothing was done, or something was run into
    hit: bool = False


class Arena(Game[P, M]):
    """A game for programs. Names are those that their programs know them by."""

    @abstractmethod
    def start_with(self, seed: int | None, nicks: tuple[str, str]) -> P:
        """The first position, by players of these names."""

    @abstractmethod
    def request(self, position: P) -> str:
        """What every program is sent before a turn: one line of JSON, the same for all."""

    @abstractmethod
    def read_answer(self, text: str) -> M:
        """The move that a program answered; `BadMove` says what is wrong with it, and holds no
        more of the answer than that takes: the other player's program reads it."""

    @abstractmethod
    def no_answer(self, reason: str) -> M:
        """The move of a program that has answered nothing of use."""

    @abstractmethod
    def tallies(self, position: P) -> tuple[Tally, Tally]: ...

    @abstractmethod
    def clock(self, position: P) -> str:
        """How far the game is: `round 3 of 150`."""

    @abstractmethod
    def happenings(self, turn: Turn[P, M]) -> Sequence[Happening]: ...


AnyArena = Arena[Any, Any]
