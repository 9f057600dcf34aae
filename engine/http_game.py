"""Games that programs play over HTTP: the requests they get and the answers they may give.

Both players act simultaneously. A missing or invalid answer counts as a move, so no program can
stop the game. `engine.games.HTTP_GAMES` lists these games.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import Game, M, P, Player, Turn
from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Tally:
    """The standing of one player, for spectators."""

    name: str
    hit_points: int
    most_hit_points: int
    score: int


@dataclass(frozen=True, slots=True)
class RoundEvent:
    """An action or a loss of a player in a turn. The sentence does not name the player."""

    player: Player
    sentence: Sentence
    failed: bool = False  # the player did nothing, or collided
    hit: bool = False


class HttpGame(Game[P, M]):
    """A game for programs, who know the players by nicknames."""

    @abstractmethod
    def start_with(self, seed: int | None, nicks: tuple[str, str]) -> P:
        """The first position, with players of these names."""

    @abstractmethod
    def request_body(self, position: P) -> str:
        """The request to every program before a turn: one line of JSON, the same for all."""

    @abstractmethod
    def read_answer(self, text: str) -> M:
        """The move in a program's answer. Raises `BadMove`.

        The error quotes little of the answer: the opponent's program will read it.
        """

    @abstractmethod
    def no_answer(self, reason: str) -> M:
        """The move of a program that gave no valid answer."""

    @abstractmethod
    def tallies(self, position: P) -> tuple[Tally, Tally]: ...

    @abstractmethod
    def round_name(self, position: P) -> Sentence:
        """`round 3`"""

    @abstractmethod
    def progress(self, position: P) -> Sentence:
        """`round 3 of 150`"""

    @abstractmethod
    def round_events(self, turn: Turn[P, M]) -> Sequence[RoundEvent]: ...


AnyHttpGame = HttpGame[Any, Any]
