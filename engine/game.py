"""The interface of every game: positions, moves, turns, and `Game`, which ties them together.

A `Game` is a frozen value whose fields are the rule options. Players are numbers: 0 moves first,
and its win is `1-0`. Code outside a game's own package must not look into its positions and
moves: camera, lights, pages and records use only what this module declares.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar

from engine import catalogue
from engine.beam import Beam
from engine.board import Board
from engine.errors import BadOption, IllegalMove, UnknownName, did_you_mean, excerpt
from engine.grid import Cell, Grid
from engine.sentences import Sentence

if TYPE_CHECKING:
    from engine.tutorial import AnyTutorial

Player = int
MAX_SEED = 10**30


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece. `orientation` counts clockwise in quarter turns, or in sixths on hexagons."""

    kind: str
    owner: Player
    orientation: int = 0
    hit_points: int = 1


@dataclass(frozen=True, slots=True)
class ExpectedPiece:
    """A piece as it may stand on a table, in any of these equivalent orientations."""

    kind: str
    owner: Player
    orientations: frozenset[int]

    def accepts(self, piece: Piece) -> bool:
        same = (piece.kind, piece.owner) == (self.kind, self.owner)
        return same and piece.orientation in self.orientations


class Mark(StrEnum):
    """A property of a cell itself, independent of the piece on it."""

    FIRST_ONLY = "reserved for the first player"
    SECOND_ONLY = "reserved for the second player"
    FIRST_LASER = "the first player's laser"
    SECOND_LASER = "the second player's laser"
    LAND = "land"
    VOID = "void"
    MOUNTAIN = "mountain"


class Position(Protocol):
    """The state of a game between two turns, a frozen value."""

    @property
    def grid(self) -> Grid: ...

    @property
    def pieces(self) -> Mapping[Cell, Piece]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `1-0`, `0-1` or `1/2-1/2`, and why."""

    result: str
    reason: Sentence

    @property
    def sentence(self) -> Sentence:
        return catalogue.OUTCOME(result=self.result, reason=self.reason)

    def __str__(self) -> str:
        return str(self.sentence)

    @classmethod
    def win(cls, winner: Player, reason: Sentence) -> Self:
        return cls(("1-0", "0-1")[winner], reason)

    @classmethod
    def draw(cls, reason: Sentence) -> Self:
        return cls("1/2-1/2", reason)

    @property
    def winner(self) -> Player | None:
        return {"1-0": 0, "0-1": 1}.get(self.result)


@dataclass(frozen=True, slots=True)
class Loss:
    """A piece that lost hit points in a turn."""

    cell: Cell
    piece: Piece  # as in `Turn.aimed`
    hits: int  # hit points lost; may be more than the piece had

    @property
    def removed(self) -> bool:
        return self.hits >= self.piece.hit_points


@dataclass(frozen=True, slots=True)
class Setup:
    """A named starting position. `remark` warns or informs players who choose it."""

    name: str
    text: str
    remark: Sentence | None = None


P = TypeVar("P", bound=Position)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Turn(Generic[P, M]):
    """Everything that happened in one turn, for lights, pages and records."""

    before: P
    moves: tuple[tuple[Player, M], ...]
    aimed: P  # after the moves and before the beams: captured pieces still stand
    beams: tuple[Beam, ...]
    losses: tuple[Loss, ...]
    after: P
    outcome: Outcome | None
    events: tuple[Mapping[str, Any], ...] = ()  # in the game's own JSON

    @property
    def removed(self) -> tuple[Loss, ...]:
        return tuple(loss for loss in self.losses if loss.removed)


def option(
    default: Any, help_text: str, *choices: str, least: int = 0, most: int = 1_000_000
) -> Any:
    """A rule option: one of `choices`, or a whole number. None is allowed only as the default."""
    metadata = {"help": help_text, "choices": choices, "least": least, "most": most}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Game(ABC, Generic[P, M]):
    """The rules of one game with its options. To add a game, subclass it and register that."""

    name: ClassVar[str]
    title: ClassVar[str]
    goal: ClassVar[Sentence]
    players: ClassVar[tuple[str, str]]
    letters: ClassVar[Mapping[str, str]]  # a capital letter by kind of piece
    # The piece of each printed tag, in the orientation it has when the tag's upper edge is up.
    tags: ClassVar[Mapping[int, Piece]]
    # "text" if positions and moves are words for a PGN-like record, "json" if they are JSON.
    record_form: ClassVar[Literal["text", "json"]] = "json"

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_option(self.name, each, getattr(self, each.name))

    # -- options ---------------------------------------------------------------------------

    @classmethod
    def with_options(cls, options: Mapping[str, Any]) -> Self:
        """The game with these options. Values may be text, such as `"120"` or `"none"`."""
        known = {each.name: each for each in fields(cls)}
        for name in options:
            if name not in known:
                raise BadOption(
                    catalogue.NO_SUCH_OPTION(
                        game=cls.name, name=excerpt(name), hint=did_you_mean(name, known)
                    )
                )
        return cls(**{name: _read_option(value) for name, value in options.items()})

    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != each.default
        }

    # -- starting --------------------------------------------------------------------------

    @abstractmethod
    def setups(self) -> Mapping[str, Setup]:
        """The named starting positions. Empty for a game that starts from a seed."""

    @property
    def default_setup(self) -> str:
        return next(iter(self.setups()))

    @property
    def default_seed(self) -> int | None:
        """The seed for a game without setups when the caller gives none."""
        return None

    def start(self, setup: str | None = None, seed: int | None = None) -> P:
        """The starting position of a setup, or of a seed in games that draw a map."""
        if seed is not None:
            raise UnknownName(catalogue.NO_SEED_BUT_SETUP(game=self.name))
        return self.read_position(self.setup(self.default_setup if setup is None else setup).text)

    def warning(self, setup: str | None) -> Sentence | None:
        """A warning for players who start from that setup under these options."""
        return None

    def setup(self, name: str) -> Setup:
        setups = self.setups()
        if name not in setups:
            raise UnknownName(
                catalogue.NO_SUCH_SETUP(
                    game=self.name, name=excerpt(name), hint=did_you_mean(name, setups)
                )
            )
        return setups[name]

    # -- playing ---------------------------------------------------------------------------

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """The outcome, or None while the game goes on."""

    def claimable(self, position: P) -> Outcome | None:
        """The draw that the player to move may claim now."""
        return None

    def for_computers(self) -> Self:
        """The same rules for a game without people: draws need no claim."""
        return self

    @abstractmethod
    def to_move(self, position: P) -> tuple[Player, ...]:
        """The players who act in this turn: one, or both in a simultaneous game."""

    @abstractmethod
    def legal(self, position: P, player: Player) -> Sequence[M]:
        """All legal moves of that player: at least one while the game goes on, then none."""

    @abstractmethod
    def resolve(self, position: P, moves: Mapping[Player, M]) -> Turn[P, M]:
        """Play one turn: the moves of all players to move, then the beams."""

    def turns(self, position: P, fixed: Mapping[Player, M] | None = None) -> Iterator[Turn[P, M]]:
        """All possible turns: the legal moves of all players to move, in all combinations.

        A player in `fixed` makes only that move.
        """
        movers, known = self.to_move(position), fixed or {}
        choices = ([known[p]] if p in known else self.legal(position, p) for p in movers)
        for moves in product(*choices):
            yield self.resolve(position, dict(zip(movers, moves, strict=True)))

    @abstractmethod
    def origin(self, position: P, player: Player, move: M) -> Cell | None:
        """The cell of the piece that makes the move. None for a pass."""

    def standing_beams(self, position: P, player: Player) -> tuple[Beam, ...]:
        """The beams of that player's lasers if all lasers fired now, before any move."""
        return ()

    def marks(self, position: P) -> Mapping[Cell, Mark]:
        """The cells with a property of their own, such as reserved squares or mountains."""
        return {}

    def board(self, position: P) -> Board[Any, M] | None:
        """A fast mutable copy for the computer player, or None if the game has none."""
        return None

    def simultaneous_game(self, position: P) -> Any:
        """An `engine.matrix_game.SimultaneousGame` if both act simultaneously, else None."""
        return None

    def computer_plays(self, position: P) -> bool:
        """Whether the computer can play this game."""
        return self.board(position) is not None or self.simultaneous_game(position) is not None

    @abstractmethod
    def tutorial(self) -> AnyTutorial:
        """The explanation of the game for beginners."""

    # -- on a table ------------------------------------------------------------------------

    def full_hit_points(self, kind: str) -> int:
        """The hit points of an undamaged piece of that kind."""
        return max((each.hit_points for each in self.tags.values() if each.kind == kind), default=1)

    def equivalent_orientations(self, piece: Piece) -> frozenset[int]:
        """The orientations that make no difference while the piece stands still."""
        return frozenset({piece.orientation})

    def expected_pieces(self, position: P) -> Mapping[Cell, ExpectedPiece]:
        """The pieces that a table at rest should show."""
        return {cell: _expected_piece(self, piece) for cell, piece in position.pieces.items()}

    def expected_after_moves(
        self,
        turn: Turn[P, M],
        seen_orientations: Mapping[Cell, int],
        moved_by_hand: Collection[Player] = (0, 1),
    ) -> Mapping[Cell, ExpectedPiece] | None:
        """The pieces that a table should show after the moves and before the beams.

        `seen_orientations` has the orientation in which each piece was last seen. It may be an
        equivalent of the position's, and a piece that is turned in place turns from there. Only the
        players in `moved_by_hand` have moved. None if no table can show the turn. Simultaneous
        games override this.
        """
        if not any(player in moved_by_hand for player, _ in turn.moves):
            return self.expected_pieces(turn.before)
        before, aimed, headings = turn.before.pieces, turn.aimed.pieces, turn.before.grid.headings
        shown = dict(self.expected_pieces(turn.aimed))
        for player, move in turn.moves:
            cell = self.origin(turn.before, player, move)
            if cell is None or cell not in aimed:
                continue
            was, now = before[cell], aimed[cell]
            turned = now.orientation - was.orientation
            if turned and (was.kind, was.owner) == (now.kind, now.owner):
                seen = seen_orientations.get(cell, was.orientation)
                stood = seen if seen in self.equivalent_orientations(was) else was.orientation
                exactly = frozenset({(stood + turned) % headings})
                shown[cell] = ExpectedPiece(now.kind, now.owner, exactly)
        return shown

    def illegal_step_reason(self, position: P, source: Cell, target: Cell) -> Sentence | None:
        """Why the piece on `source` may not move to `target`. None if it may, or if the game
        gives no reason."""
        return None

    # -- text ------------------------------------------------------------------------------

    @abstractmethod
    def read_position(self, text: str) -> P: ...

    @abstractmethod
    def write_position(self, position: P) -> str: ...

    def write_arrangement(self, position: P) -> str:
        """The position without the side to move, if the notation separates them."""
        return self.write_position(position)

    def write_pieces(self, grid: Grid, pieces: Mapping[Cell, Piece]) -> str:
        """Any pieces on a table in one line of text, even if no game can reach that position.

        Uses the game's notation of arrangements, or else JSON with pieces by cell name.
        """
        from engine import strict_json  # lazy, for a quick start

        return strict_json.write(
            {
                grid.name(cell): {
                    "type": piece.kind,
                    "player": piece.owner,
                    "orientation": piece.orientation,
                }
                for cell, piece in sorted(pieces.items())
            }
        )

    @abstractmethod
    def with_pieces(self, position: P, pieces: Mapping[Cell, Piece], mover: Player) -> P:
        """The position with these pieces instead, and that player to move if players take turns.

        Raises `BadPosition` for pieces that no position of the game can have.
        """

    @abstractmethod
    def read_move(self, position: P, player: Player, text: str) -> M:
        """A legal move from its text. Raises `BadMove` or `IllegalMove`."""

    @abstractmethod
    def write_move(self, position: P, player: Player, move: M) -> str: ...

    # -- for every game --------------------------------------------------------------------

    def check_movers(self, position: P, moves: Mapping[Player, M]) -> None:
        """Raise `IllegalMove` if the game is over or the wrong players move."""
        ended = self.outcome(position)
        if ended is not None:
            raise IllegalMove(catalogue.GAME_OVER(outcome=ended.sentence))
        expected = self.to_move(position)
        if set(moves) != set(expected):
            names = catalogue.list_of([self.players[player] for player in expected])
            raise IllegalMove(catalogue.WRONG_MOVERS(players=names))


def _read_option(value: Any) -> Any:
    if value == "none":
        return None
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
        return int(value)
    return value


def _check_option(game: str, option: Field[Any], value: Any) -> None:
    choices, least, most = (option.metadata[key] for key in ("choices", "least", "most"))
    named = {"game": game, "option": option.name, "value": excerpt(value)}
    if choices:
        if value not in choices:
            raise BadOption(catalogue.BAD_OPTION_CHOICE(**named, choices=choices))
    elif value is None and option.default is None:
        return
    elif type(value) is not int or not least <= value <= most:
        optional = option.default is None
        template = catalogue.BAD_OPTION_NUMBER_OR_NONE if optional else catalogue.BAD_OPTION_NUMBER
        raise BadOption(template(**named, least=least, most=most))


@lru_cache(maxsize=4096)
def _expected_piece(game: Game[Any, Any], piece: Piece) -> ExpectedPiece:
    return ExpectedPiece(piece.kind, piece.owner, game.equivalent_orientations(piece))


AnyGame = Game[Any, Any]
AnyTurn = Turn[Any, Any]
