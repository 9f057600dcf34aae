"""What every game is to everyone else: positions, moves, turns, and the `Game` that ties them.

A `Game` is a frozen value: its fields are the rule options. Players are numbers, 0 is the one
who moves first and whose win is `1-0`. Nobody outside a game's own module looks into its
positions or moves: the camera, the lights, the pages and the records use what is declared here.
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

from engine.beam import Beam
from engine.board import Board
from engine.errors import BadOption, IllegalMove, UnknownName, did_you_mean, excerpt
from engine.grid import Cell, Grid

if TYPE_CHECKING:
    from engine.primer import AnyPrimer

Player = int
LARGEST_SEED = 10**30


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing on a cell. `orientation` counts turns clockwise: quarters or sixths."""

    kind: str
    owner: Player
    orientation: int = 0
    hit_points: int = 1


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece as it may stand on a table: any of these orientations is as good as another."""

    kind: str
    owner: Player
    orientations: frozenset[int]

    def fits(self, piece: Piece) -> bool:
        same = (piece.kind, piece.owner) == (self.kind, self.owner)
        return same and piece.orientation in self.orientations


class Mark(StrEnum):
    """What a cell is, whoever stands on it."""

    FIRST_ONLY = "reserved for the first player"
    SECOND_ONLY = "reserved for the second player"
    FIRST_LASER = "the first player's laser"
    SECOND_LASER = "the second player's laser"
    LAND = "land"
    VOID = "void"
    MOUNTAIN = "mountain"


class Position(Protocol):
    """The frozen value that a game is in between two turns."""

    @property
    def grid(self) -> Grid: ...

    @property
    def pieces(self) -> Mapping[Cell, Piece]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `1-0`, `0-1` or `1/2-1/2`, and why."""

    result: str
    reason: str

    def __str__(self) -> str:
        return f"{self.result} {self.reason}"

    @classmethod
    def win(cls, winner: Player, reason: str) -> Self:
        return cls(("1-0", "0-1")[winner], reason)

    @classmethod
    def draw(cls, reason: str) -> Self:
        return cls("1/2-1/2", reason)

    @property
    def winner(self) -> Player | None:
        return {"1-0": 0, "0-1": 1}.get(self.result)


@dataclass(frozen=True, slots=True)
class Loss:
    """A piece that lost hit points in a turn; it is gone if none are left."""

    cell: Cell
    piece: Piece  # as it stood in the turn's `aimed`
    hits: int  # hit points that were taken from it; may be more than it had

    @property
    def removed(self) -> bool:
        return self.hits >= self.piece.hit_points


@dataclass(frozen=True, slots=True)
class Setup:
    """A named starting position; `remark` is what a player should know before choosing it."""

    name: str
    text: str
    remark: str = ""


P = TypeVar("P", bound=Position)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Turn(Generic[P, M]):
    """Everything that happened in one turn. Lights, pages and records read this."""

    before: P
    moves: tuple[tuple[Player, M], ...]
    aimed: P  # the moves made, the beams not yet fired: captured pieces still stand
    beams: tuple[Beam, ...]
    losses: tuple[Loss, ...]
    after: P
    outcome: Outcome | None
    events: tuple[Mapping[str, Any], ...] = ()  # what the game itself has to tell, as JSON

    @property
    def removed(self) -> tuple[Loss, ...]:
        return tuple(loss for loss in self.losses if loss.removed)


def option(
    default: Any, help_text: str, *choices: str, least: int = 0, most: int = 1_000_000
) -> Any:
    """A rule option: one of `choices`, or without any, a whole number; None only as default."""
    metadata = {"help": help_text, "choices": choices, "least": least, "most": most}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Game(ABC, Generic[P, M]):
    """The rules of one game with its options. Adding a game is one subclass, registered."""

    name: ClassVar[str]
    title: ClassVar[str]
    goal: ClassVar[str]  # what it is all about, in a sentence
    players: ClassVar[tuple[str, str]]
    letters: ClassVar[Mapping[str, str]]  # a capital for each kind of piece
    # The piece that carries each printed tag, as it stands when the tag's upper edge points up.
    tags: ClassVar[Mapping[int, Piece]]
    # "text" if positions and moves are words for a PGN-like record; "json" if they are JSON.
    record_form: ClassVar[Literal["text", "json"]] = "json"

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_option(self.name, each, getattr(self, each.name))

    # -- options ---------------------------------------------------------------------------

    @classmethod
    def with_options(cls, options: Mapping[str, Any]) -> Self:
        """The game under these options; text such as `"120"` or `"none"` is understood."""
        known = {each.name: each for each in fields(cls)}
        for name in options:
            if name not in known:
                raise BadOption(
                    f"{cls.name} has no option {excerpt(name)}{did_you_mean(name, known)}"
                )
        return cls(**{name: _read_option(value) for name, value in options.items()})

    def options(self) -> dict[str, Any]:
        """The options that are not at their default."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != each.default
        }

    # -- starting --------------------------------------------------------------------------

    @abstractmethod
    def setups(self) -> Mapping[str, Setup]:
        """The named starting positions; empty for a game that starts from a seed."""

    @property
    def default_setup(self) -> str:
        return next(iter(self.setups()))

    @property
    def default_seed(self) -> int | None:
        """Where a game without setups starts if nobody says."""
        return None

    def start(self, setup: str | None = None, seed: int | None = None) -> P:
        """A starting position, by its name; or by its seed, where the game draws a map."""
        if seed is not None:
            raise UnknownName(f"{self.name} starts from a setup, not from a seed")
        return self.read_position(self.setup(self.default_setup if setup is None else setup).text)

    def warning(self, setup: str | None) -> str:
        """What a player should know before starting from that setup under these options."""
        return ""

    def setup(self, name: str) -> Setup:
        setups = self.setups()
        if name not in setups:
            raise UnknownName(
                f"{self.name} has no setup {excerpt(name)}{did_you_mean(name, setups)}"
            )
        return setups[name]

    # -- playing ---------------------------------------------------------------------------

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """How the game has ended, or None while it goes on."""

    def claimable(self, position: P) -> Outcome | None:
        """The draw that the player to move may claim now."""
        return None

    def for_computers(self) -> Self:
        """The rules for a game without people: one that ends by itself."""
        return self

    @abstractmethod
    def to_move(self, position: P) -> tuple[Player, ...]:
        """Who acts in this turn: one player, or both in a simultaneous game."""

    @abstractmethod
    def legal(self, position: P, player: Player) -> Sequence[M]:
        """Every move of that player; none once the game is over, and else at least one."""

    @abstractmethod
    def resolve(self, position: P, moves: Mapping[Player, M]) -> Turn[P, M]:
        """Play one turn: the moves of all players to move, then the beams."""

    def turns(self, position: P, given: Mapping[Player, M] | None = None) -> Iterator[Turn[P, M]]:
        """Every turn that can be played: the legal moves of those to move, in all combinations.
        Whose move is `given` makes that one."""
        movers, known = self.to_move(position), given or {}
        choices = ([known[p]] if p in known else self.legal(position, p) for p in movers)
        for moves in product(*choices):
            yield self.resolve(position, dict(zip(movers, moves, strict=True)))

    @abstractmethod
    def origin(self, position: P, player: Player, move: M) -> Cell | None:
        """The cell of the piece that a move is made with; None for a pass."""

    def standing_beams(self, position: P, player: Player) -> tuple[Beam, ...]:
        """The beams of that player's lasers if all fired now, nobody having moved."""
        return ()

    def marks(self, position: P) -> Mapping[Cell, Mark]:
        """The cells that are something of their own."""
        return {}

    def board(self, position: P) -> Board[Any, M] | None:
        """A fast mutable copy for the computer player, if there is one for this game."""
        return None

    def duel(self, position: P) -> Any:
        """The same where both players act at once: an `engine.duels.Duel`."""
        return None

    def computer_plays(self, position: P) -> bool:
        """Whether there is a computer player for this game."""
        return self.board(position) is not None or self.duel(position) is not None

    @abstractmethod
    def primer(self) -> AnyPrimer:
        """The game explained to people who have never played it."""

    # -- on a table ------------------------------------------------------------------------

    def unhurt(self, kind: str) -> int:
        """The hit points of such a piece that nothing has struck yet."""
        return max((each.hit_points for each in self.tags.values() if each.kind == kind), default=1)

    def alike(self, piece: Piece) -> frozenset[int]:
        """The orientations in which a piece that merely stands there is as good as it is."""
        return frozenset({piece.orientation})

    def standing(self, position: P) -> Mapping[Cell, Standing]:
        """How a table at rest shows the position."""
        return {cell: _stands(self, piece) for cell, piece in position.pieces.items()}

    def carried_out(
        self, turn: Turn[P, M], facing: Mapping[Cell, int], hands: Collection[Player] = (0, 1)
    ) -> Mapping[Cell, Standing] | None:
        """How a table shows the turn when hands have acted and no beam has been fired yet.

        `facing` is the orientation in which each piece was last seen: it may be another than
        the position's where they are alike, and a piece turned in place has turned from there.
        Only the players in `hands` have acted. None if no table can show that. A game where
        both players act at once says itself what the one looks like without the other.
        """
        if not any(player in hands for player, _ in turn.moves):
            return self.standing(turn.before)
        before, aimed, headings = turn.before.pieces, turn.aimed.pieces, turn.before.grid.headings
        shown = dict(self.standing(turn.aimed))
        for player, move in turn.moves:
            cell = self.origin(turn.before, player, move)
            if cell is None or cell not in aimed:
                continue
            was, now = before[cell], aimed[cell]
            turned = now.orientation - was.orientation
            if turned and (was.kind, was.owner) == (now.kind, now.owner):
                seen = facing.get(cell, was.orientation)
                stood = seen if seen in self.alike(was) else was.orientation
                exactly = frozenset({(stood + turned) % headings})
                shown[cell] = Standing(now.kind, now.owner, exactly)
        return shown

    def why_not_carried(self, position: P, source: Cell, target: Cell) -> str:
        """Why the piece on `source` may not be carried to `target`; nothing where it may, or
        where the game has no more to say than that."""
        return ""

    # -- text ------------------------------------------------------------------------------

    @abstractmethod
    def read_position(self, text: str) -> P: ...

    @abstractmethod
    def write_position(self, position: P) -> str: ...

    def write_arrangement(self, position: P) -> str:
        """The position without the side to move, where the notation keeps them apart."""
        return self.write_position(position)

    def write_pieces(self, grid: Grid, pieces: Mapping[Cell, Piece]) -> str:
        """What stands on a table, in one line, even where no game can have come to it.

        The notation of the game's arrangements where it has one; else JSON, each piece by the
        name of its cell.
        """
        from engine import strict_json  # not before it is needed: starting must be quick

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
    def arranged(self, position: P, pieces: Mapping[Cell, Piece], mover: Player) -> P:
        """The position as if these pieces stood there and that player were to move, where one is.

        `BadPosition` for pieces that the game has not, or that no position of it can have.
        """

    @abstractmethod
    def read_move(self, position: P, player: Player, text: str) -> M:
        """A legal move from its text; `IllegalMove` says why it is not."""

    @abstractmethod
    def write_move(self, position: P, player: Player, move: M) -> str: ...

    # -- for every game --------------------------------------------------------------------

    def check_movers(self, position: P, moves: Mapping[Player, M]) -> None:
        """Refuse a turn of a finished game, or one where the wrong players move."""
        ended = self.outcome(position)
        if ended is not None:
            raise IllegalMove(f"the game is over: {ended}")
        expected = self.to_move(position)
        if set(moves) != set(expected):
            who = " and ".join(self.players[player] for player in expected)
            raise IllegalMove(f"in this turn {who} must move, and nobody else")


def _read_option(value: Any) -> Any:
    if value == "none":
        return None
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
        return int(value)
    return value


def _check_option(game: str, option: Field[Any], value: Any) -> None:
    choices, least, most = (option.metadata[key] for key in ("choices", "least", "most"))
    if choices:
        fits, wanted = value in choices, f"one of {', '.join(choices)}"
    else:
        fits = type(value) is int and least <= value <= most
        wanted = f"a whole number from {least} to {most}"
        if option.default is None:
            fits, wanted = fits or value is None, f"{wanted}, or none"
    if not fits:
        raise BadOption(f"{game} option {option.name}: {excerpt(value)} is not {wanted}")


@lru_cache(maxsize=4096)
def _stands(game: Game[Any, Any], piece: Piece) -> Standing:
    return Standing(piece.kind, piece.owner, game.alike(piece))


AnyGame = Game[Any, Any]
AnyTurn = Turn[Any, Any]
