"""Base of games in which players take turns: legality, and draws by repetition or no capture.

`position.keys_since_capture` has one key for each single turn. A capture makes earlier arrangements
unreachable, so this one tuple serves both draw rules.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from engine import catalogue
from engine.board import Board
from engine.errors import IllegalMove
from engine.game import Game, M, Outcome, Player, Position, Turn, option
from engine.grid import Cell
from engine.sentences import Sentence

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.native import NativeRules

REPETITIONS_FOR_DRAW = 3
_UNCLAIMED = {"claim": "automatic"}


class TurnPosition(Position, Protocol):
    """A position in which one side is to move."""

    @property
    def side(self) -> Player: ...

    @property
    def key(self) -> Hashable:
        """The arrangement and the side to move, as the repetition rule compares them."""

    @property
    def keys_since_capture(self) -> tuple[Hashable, ...]: ...


T = TypeVar("T", bound=TurnPosition)


@dataclass(frozen=True)
class TurnBased(Game[T, M]):
    """A game of one move per turn, with draws by repetition and by play without captures."""

    repetition: str = option(
        "claim", "the same arrangement for the third time", "claim", "automatic", "off"
    )
    no_capture: str = option("claim", "many turns without a capture", "claim", "automatic", "off")
    no_capture_turns: int = option(100, "how many single turns without a capture", least=1)

    # -- for subclasses ----------------------------------------------------------------------

    @abstractmethod
    def board_outcome(self, position: T) -> Outcome | None:
        """The outcome on the board, without the shared draw rules."""

    @abstractmethod
    def play(self, position: T, move: M) -> Turn[T, M]:
        """Play a move that is known to be legal."""

    def turns(self, position: T, fixed: Mapping[Player, M] | None = None) -> Iterator[Turn[T, M]]:
        """All legal moves, played without checking them again."""
        if fixed:
            return super().turns(position, fixed)
        return (self.play(position, move) for move in self.legal(position, position.side))

    @abstractmethod
    def board(self, position: T) -> Board[Any, M]: ...

    def native_rules(self, position: T) -> NativeRules | None:
        """These rules in the compiled core, or None if it is not built or cannot hold them."""
        return None

    def turns_left(self, position: T) -> int | None:
        """The number of single turns until a certain draw, or None if there is no such limit."""
        return None

    def evaluation(self) -> Evaluation | None:
        """The tunable evaluation, or None if it cannot be tuned."""
        return None

    @abstractmethod
    def illegal_reason(self, position: T, move: M) -> Sentence:
        """The rule that an illegal move breaks."""

    @abstractmethod
    def step_move(self, source: Cell, target: Cell) -> M:
        """The move of a piece from `source` to `target`, legal or not."""

    # -- shared by all -----------------------------------------------------------------------

    def outcome(self, position: T) -> Outcome | None:
        return self.board_outcome(position) or self._draw(position, "automatic")

    def claimable(self, position: T) -> Outcome | None:
        return None if self.outcome(position) else self._draw(position, "claim")

    def _draw(self, position: T, policy: str) -> Outcome | None:
        """The draw that the rules set to `policy` give now."""
        repeated = self.repetition == policy and position.keys_since_capture.count(position.key)
        if repeated and repeated + 1 >= REPETITIONS_FOR_DRAW:
            return Outcome.draw(catalogue.THREEFOLD_REPETITION())
        if self.no_capture == policy and len(position.keys_since_capture) >= self.no_capture_turns:
            return Outcome.draw(catalogue.TURNS_WITHOUT_CAPTURE(count=self.no_capture_turns))
        return None

    def for_computers(self) -> Self:
        """The same rules with automatic draws instead of claims."""
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
        """Raise `IllegalMove` with the reason if the move is not legal."""
        mover, ended = self.players[position.side], self.outcome(position)
        board = self.board(position)
        action = board.action(move)
        label = self.move_label(move)
        if player != position.side:
            raise IllegalMove(catalogue.NOT_YOUR_TURN(move=label, player=mover))
        if ended is not None:
            reason = catalogue.GAME_OVER(outcome=ended.sentence)
        elif action is None:
            reason = catalogue.NO_SUCH_MOVE()
        elif action not in board.actions() or board.move(action) != move:
            reason = self.illegal_reason(position, move)
        else:
            return
        raise IllegalMove(catalogue.ILLEGAL_MOVE(move=label, player=mover, reason=reason))

    def illegal_step_reason(self, position: T, source: Cell, target: Cell) -> Sentence | None:
        move = self.step_move(source, target)
        if move in self.legal(position, position.side):
            return None
        return self.illegal_reason(position, move)

    def move_label(self, move: M) -> str:
        """A move, legal or not, as errors show it."""
        return str(move)
