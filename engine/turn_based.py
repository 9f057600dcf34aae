"""Games in which the players take turns: who moves, what is legal, and the draws they share.

A position carries the keys of all earlier arrangements since the last capture (`quiet`); a
capture makes every earlier arrangement unreachable, so the same tuple counts both draw rules.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from engine.board import Board
from engine.errors import IllegalMove
from engine.game import Game, M, Outcome, Player, Position, Turn, option
from engine.grid import Cell

if TYPE_CHECKING:
    from engine.judging import Judgement
    from engine.native import CompiledRules

THIRD_TIME = 3
_UNCLAIMED = {"claim": "automatic"}


class TurnPosition(Position, Protocol):
    """A position in which one side is to move."""

    @property
    def side(self) -> Player: ...

    @property
    def key(self) -> Hashable:
        """What repetition compares: the arrangement and the side to move."""

    @property
    def quiet(self) -> tuple[Hashable, ...]: ...


T = TypeVar("T", bound=TurnPosition)


@dataclass(frozen=True)
class TurnBased(Game[T, M]):
    """A game of one move a turn, with draws by repetition and by play without captures."""

    repetition: str = option(
        "claim", "the same arrangement for the third time", "claim", "automatic", "off"
    )
    no_capture: str = option("claim", "many turns without a capture", "claim", "automatic", "off")
    no_capture_turns: int = option(100, "how many single turns without a capture", least=1)

    # -- what a game adds --------------------------------------------------------------------

    @abstractmethod
    def decided(self, position: T) -> Outcome | None:
        """How the game has ended on the board, the shared draw rules aside."""

    @abstractmethod
    def play(self, position: T, move: M) -> Turn[T, M]:
        """One turn with a legal move."""

    def turns(self, position: T, given: Mapping[Player, M] | None = None) -> Iterator[Turn[T, M]]:
        """Every legal move, played: none of them needs to be checked again."""
        if given:
            return super().turns(position, given)
        return (self.play(position, move) for move in self.legal(position, position.side))

    @abstractmethod
    def board(self, position: T) -> Board[Any, M]: ...

    def compiled(self, position: T) -> CompiledRules | None:
        """The same rules in the compiled core, if that is built and knows them."""
        return None

    def turns_left(self, position: T) -> int | None:
        """In how many single turns it is a draw, whatever happens; None: never."""
        return None

    def judgement(self) -> Judgement | None:
        """How positions are judged, where that can be learnt."""
        return None

    @abstractmethod
    def why_not(self, position: T, move: M) -> str:
        """The rule that an illegal move breaks, in words."""

    @abstractmethod
    def step(self, source: Cell, target: Cell) -> M:
        """The move of carrying a piece there, legal or not."""

    # -- what they share ---------------------------------------------------------------------

    def outcome(self, position: T) -> Outcome | None:
        return self.decided(position) or self._draw(position, "automatic")

    def claimable(self, position: T) -> Outcome | None:
        return None if self.outcome(position) else self._draw(position, "claim")

    def _draw(self, position: T, policy: str) -> Outcome | None:
        """The draw that has come about under the rules set to `policy`."""
        repeated = self.repetition == policy and position.quiet.count(position.key)
        if repeated and repeated + 1 >= THIRD_TIME:
            return Outcome.draw("threefold repetition")
        if self.no_capture == policy and len(position.quiet) >= self.no_capture_turns:
            return Outcome.draw(f"{self.no_capture_turns} turns without a capture")
        return None

    def for_computers(self) -> Self:
        """The same rules where nobody is there to claim: claims become automatic."""
        return replace(
            self,
            repetition=_UNCLAIMED.get(self.repetition, self.repetition),
            no_capture=_UNCLAIMED.get(self.no_capture, self.no_capture),
        )

    def to_move(self, position: T) -> tuple[Player, ...]:
        return (position.side,)

    def legal(self, position: T, player: Player) -> Sequence[M]:
        if player != position.side or self.outcome(position) is not None:
            return ()
        board = self.board(position)
        return [board.move(action) for action in board.actions()]

    def resolve(self, position: T, moves: Mapping[Player, M]) -> Turn[T, M]:
        self.check_movers(position, moves)
        move = moves[position.side]
        self.check_legal(position, position.side, move)
        return self.play(position, move)

    def check_legal(self, position: T, player: Player, move: M) -> None:
        """Refuse an illegal move, and say why."""
        mover, ended = self.players[position.side], self.outcome(position)
        board = self.board(position)
        action = board.action(move)
        if player != position.side:
            raise IllegalMove(f"illegal move {self.called(move)}: it is {mover}'s turn")
        if ended is not None:
            reason = f"the game is over: {ended}"
        elif action is None:
            reason = "there is no such move on any board"
        elif action not in board.actions() or board.move(action) != move:
            reason = self.why_not(position, move)
        else:
            return
        raise IllegalMove(f"illegal move {self.called(move)} for {mover}: {reason}")

    def why_not_carried(self, position: T, source: Cell, target: Cell) -> str:
        move = self.step(source, target)
        if move in self.legal(position, position.side):
            return ""
        return self.why_not(position, move)

    def called(self, move: M) -> str:
        """A move that need not be legal, as an error names it."""
        return str(move)
