"""Fits a game to a physical board: its grid, the tags of its pieces, and the players' seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from controller.session import sentences
from engine import games
from engine.game import AnyGame, Piece, Player
from engine.grid import Grid
from engine.sentences import Sentence
from vision import tags
from vision.board import BoardDoesNotFit, PhysicalBoard
from vision.camera_model import Lens

if TYPE_CHECKING:  # slow to load
    from vision.reader import Reader

Side = tuple[int, int]  # direction from the board to a player: right, towards row 1
NEAR, LEFT = (0, 1), (-1, 0)


@dataclass(frozen=True)
class FittedBoard:
    """A game on a board that has room for it."""

    game: AnyGame
    board: PhysicalBoard  # with the game's own grid on it
    lens: Lens

    @cached_property
    def pieces_by_tag(self) -> Mapping[int, Piece]:
        """The piece of each tag in play."""
        return tags.pieces_by_tag(self.game, self.board)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """The side of each player: where most of their pieces stand in the game's first setup, so
        that seats do not depend on the position."""
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

    def player_at_seat(self, seat: int) -> Player:
        """The player at a seat: seat 0 is the near side, or the left one."""
        first = 0 if self.sides[0] in (NEAR, LEFT) else 1
        return first if seat == 0 else 1 - first

    def make_reader(self) -> Reader:
        """A reader for this table. Call `prepare` before the first frame."""
        from vision.reader import Reader

        return Reader(self.board, self.pieces_by_tag, self.lens)

    def describe_tag(self, tag: int) -> Sentence:
        return tags.describe_tag(tag, self.game, self.board)


def fit_board(
    board: PhysicalBoard,
    game: AnyGame | None = None,
    lens: Lens | None = None,
    grid: Grid | None = None,
) -> FittedBoard:
    """Fit a game to a board; without a game, the first one with the same grid, or that fits.

    `grid` defaults to the grid of the game's first position.
    """
    lens = lens or Lens()
    if game is not None:
        return FittedBoard(game, board.with_grid(grid or game.start().grid), lens)
    known = [(each, each.start().grid) for each in map(games.make, games.GAMES)]
    known.sort(key=lambda pair: pair[1] != board.grid)
    for each, grid in known:
        try:
            return FittedBoard(each, board.with_grid(grid), lens)
        except BoardDoesNotFit:
            continue
    raise BoardDoesNotFit(sentences.NO_BOARD_FITS(board=board.name))
