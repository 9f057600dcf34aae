"""Which pieces a game needs, how many of each, and with which tags.

On a table a side keeps its shape from game to game, as it keeps its colour: both are those of
`engine.draw.palette`, which the drawings have too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine import games
from engine.draw.palette import Form, paints
from engine.game import AnyGame, Piece, Player
from vision.board import DoesNotFit, PhysicalBoard

# Kinds that stand on a table as the same thing: what carries the tag is a body of this kind.
SAME_BODY = {"mirror": "deflector"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Pieces of one kind and side; they are all the same but for their tags."""

    kind: str
    player: str
    owner: Player
    form: Form
    tags: tuple[int, ...]  # one for each piece, the lowest first

    @property
    def body(self) -> str:
        """The kind whose body it has."""
        return SAME_BODY.get(self.kind, self.kind)

    @property
    def name(self) -> str:
        """Of the body's file."""
        return f"{self.body}-{self.form}"

    @property
    def count(self) -> int:
        return len(self.tags)


def games_on(board: PhysicalBoard) -> list[AnyGame]:
    """The games that this board has room for."""
    fitting = []
    for name in games.GAMES:
        game = games.make(name)
        try:
            board.playing(game.start().grid)
        except DoesNotFit:
            continue
        fitting.append(game)
    return fitting


def wanted(game: AnyGame) -> tuple[Wanted, ...]:
    """What any of the game's starting positions needs at most, first player first."""
    most: Counter[tuple[Player, str]] = Counter()
    for pieces in _starts(game):
        most |= Counter((piece.owner, piece.kind) for piece in pieces)
    sides = paints(game.players)
    return tuple(
        Wanted(
            kind,
            game.players[owner],
            owner,
            sides[owner].form,
            tuple(_tags(game, owner, kind)[: most[owner, kind]]),
        )
        for owner in range(len(game.players))
        for kind in game.letters
        if most[owner, kind]
    )


def _starts(game: AnyGame) -> Iterator[tuple[Piece, ...]]:
    for setup in game.setups() or (None,):
        yield tuple(game.start(setup).pieces.values())


def _tags(game: AnyGame, owner: Player, kind: str) -> list[int]:
    return sorted(
        tag for tag, piece in game.tags.items() if (piece.owner, piece.kind) == (owner, kind)
    )
