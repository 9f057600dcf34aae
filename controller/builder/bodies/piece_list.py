"""Lists the pieces that a game needs: kind, side, quantity and tags.

A side has the same shape and colour in all games, those of `engine.draw.palette`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine import games
from engine.draw.palette import SideShape, player_paints
from engine.game import AnyGame, Piece, Player
from vision.board import BoardDoesNotFit, PhysicalBoard

# Kinds that use the body of another kind.
SAME_BODY = {"mirror": "deflector"}


@dataclass(frozen=True, slots=True)
class PieceSet:
    """Pieces of one kind and side; only their tags differ."""

    kind: str
    player: str
    owner: Player
    form: SideShape
    tags: tuple[int, ...]  # one per piece, ascending

    @property
    def body(self) -> str:
        """The kind whose body these pieces use."""
        return SAME_BODY.get(self.kind, self.kind)

    @property
    def name(self) -> str:
        """Name of the body's STL file."""
        return f"{self.body}-{self.form}"

    @property
    def count(self) -> int:
        return len(self.tags)


def games_for_board(board: PhysicalBoard) -> list[AnyGame]:
    """The games that fit on this board."""
    fitting = []
    for name in games.GAMES:
        game = games.make(name)
        try:
            board.with_grid(game.start().grid)
        except BoardDoesNotFit:
            continue
        fitting.append(game)
    return fitting


def list_piece_sets(game: AnyGame) -> tuple[PieceSet, ...]:
    """The most pieces of each kind in any starting position, first player first."""
    most: Counter[tuple[Player, str]] = Counter()
    for pieces in _start_positions(game):
        most |= Counter((piece.owner, piece.kind) for piece in pieces)
    sides = player_paints(game.players)
    return tuple(
        PieceSet(
            kind,
            game.players[owner],
            owner,
            sides[owner].shape,
            tuple(_tags_of_kind(game, owner, kind)[: most[owner, kind]]),
        )
        for owner in range(len(game.players))
        for kind in game.letters
        if most[owner, kind]
    )


def _start_positions(game: AnyGame) -> Iterator[tuple[Piece, ...]]:
    for setup in game.setups() or (None,):
        yield tuple(game.start(setup).pieces.values())


def _tags_of_kind(game: AnyGame, owner: Player, kind: str) -> list[int]:
    return sorted(
        tag for tag, piece in game.tags.items() if (piece.owner, piece.kind) == (owner, kind)
    )
