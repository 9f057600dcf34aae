"""A game on a physical board: the two, fitted to each other, which tag is which piece, and who
sits where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from engine import games
from engine.game import AnyGame, Piece, Player
from engine.grid import Grid
from vision import tags
from vision.board import DoesNotFit, PhysicalBoard
from vision.view import Lens

if TYPE_CHECKING:  # slow to load
    from vision.reader import Reader

Side = tuple[int, int]  # of the board, as the way out of it: to the right, towards row 1
NEAR, LEFT = (0, 1), (-1, 0)


@dataclass(frozen=True)
class Tabletop:
    """What is played, and on what."""

    game: AnyGame
    board: PhysicalBoard  # with the game's own grid on it
    lens: Lens

    @cached_property
    def meanings(self) -> Mapping[int, Piece]:
        """The piece that each tag in play stands for."""
        return tags.pieces(self.game, self.board)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """Where the players sit: each on the side where most of their pieces begin. By the game's
        first set-up, whatever is played: nobody changes seats with the position."""
        first = self.game.start()
        middles = []
        for player in range(2):
            own = [
                first.grid.centre(cell)
                for cell, piece in first.pieces.items()
                if piece.owner == player
            ]
            middles.append([sum(each) / len(own) for each in zip(*own, strict=True)])
        x, y = (one - other for one, other in zip(*middles, strict=True))
        side = (1 if x > 0 else -1, 0) if abs(x) > abs(y) else (0, 1 if y > 0 else -1)
        return side, (-side[0], -side[1])

    def seated(self, seat: int) -> Player:
        """Who sits there: 0 is the near side, or the left one where players sit left and right."""
        first = 0 if self.sides[0] in (NEAR, LEFT) else 1
        return first if seat == 0 else 1 - first

    def reader(self) -> Reader:
        """A reader of this table; who is to read with it prepares it before the first picture."""
        from vision.reader import Reader

        return Reader(self.board, self.meanings, self.lens)

    def described(self, tag: int) -> str:
        """A tag in words."""
        return tags.described(tag, self.game, self.board)


def fitted(
    board: PhysicalBoard,
    game: AnyGame | None = None,
    lens: Lens | None = None,
    grid: Grid | None = None,
) -> Tabletop:
    """That game on that board; without one, the first whose board it is, or that has room.

    The grid is the one that the game starts on, unless another is given.
    """
    lens = lens or Lens()
    if game is not None:
        return Tabletop(game, board.playing(grid or game.start().grid), lens)
    known = [(each, each.start().grid) for each in map(games.make, games.GAMES)]
    known.sort(key=lambda pair: pair[1] != board.grid)
    for each, grid in known:
        try:
            return Tabletop(each, board.playing(grid), lens)
        except DoesNotFit:
            continue
    raise DoesNotFit(f"no game fits on the board {board.name!r}")
