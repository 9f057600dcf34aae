"""Changes that hands make on a table: legal turns, and changes that are no legal turn.

Takes a position of a random game in which each piece has a tag of its own, and makes the tables
after such changes. The turns that a table shows are computed from the rules
(`Game.expected_after_moves`), not by the inference that is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np

from engine.game import AnyGame, AnyTurn, ExpectedPiece, Piece
from engine.grid import Cell
from vision.tags import CORNERS, TAGS

MAX_TURNS = 40  # longest random game
MAX_RETRIES = 8  # attempts to find a turn that does not end the game
NEIGHBOUR_CELLS, NEAR_CELLS = 1.5, 2.9  # distance of cell centres


class TaggedPiece(NamedTuple):
    """A tag on a cell, and the orientation of the piece under it."""

    tag: int
    orientation: int


TagLayout = Mapping[Cell, TaggedPiece]


@dataclass(frozen=True)
class TableChange:
    """A table as hands left it; `turn` is what they played, or None for no turn."""

    name: str
    after: TagLayout
    turn: AnyTurn | None = None
    changed: bool = True  # whether the rules distinguish it from the table before


@dataclass(frozen=True)
class TaggedPosition:
    """A position with its tags. A king has a random orientation, a switch a random half turn."""

    game: AnyGame
    position: Any
    before: TagLayout

    @classmethod
    def from_random_game(cls, game: AnyGame, random: Random) -> TaggedPosition:
        position = _random_position(game, random)
        free: dict[tuple[str, int], list[int]] = {}
        for tag, piece in sorted(game.tags.items()):
            free.setdefault((piece.kind, piece.owner), []).append(tag)
        layout = {}
        for cell, piece in sorted(position.pieces.items()):
            orientations = sorted(game.equivalent_orientations(piece))
            tags = free[piece.kind, piece.owner]
            layout[cell] = TaggedPiece(
                tags.pop(random.randrange(len(tags))), random.choice(orientations)
            )
        return cls(game, position, layout)

    def piece_under(self, tagged: TaggedPiece) -> Piece:
        """The piece under a tag; a tag without a piece of the game gives a foreign piece."""
        piece = self.game.tags.get(tagged.tag)
        if piece is None:
            return Piece("foreign", 0, tagged.orientation)
        return Piece(piece.kind, piece.owner, tagged.orientation)

    def turns_shown_by(self, layout: TagLayout) -> list[AnyTurn]:
        """The turns that this table shows, ignoring foreign pieces."""
        known = {cell: tagged for cell, tagged in layout.items() if tagged.tag in self.game.tags}
        pieces = {cell: self.piece_under(tagged) for cell, tagged in known.items()}
        return [
            turn
            for turn, shown in self.shown_turns
            if _fits(shown, pieces, frozenset(self._taken_off(turn, shown)))
        ]

    def is_unchanged(self, layout: TagLayout) -> bool:
        """Whether this table still shows the position before."""
        pieces = {cell: self.piece_under(tagged) for cell, tagged in layout.items()}
        return _fits(self._standing, pieces, frozenset())

    def legal_change(self, random: Random) -> TableChange:
        """A random legal turn that a table can show. All kinds of pieces act equally often."""
        by_mover: dict[object, list[tuple[AnyTurn, Mapping[Cell, ExpectedPiece]]]] = {}
        for turn, shown in self.shown_turns:
            by_mover.setdefault((self._mover(turn), bool(turn.removed)), []).append((turn, shown))
        movers = sorted(by_mover, key=repr)
        while True:
            turn, shown = random.choice(by_mover[random.choice(movers)])
            after = self._carry_out(shown, random)
            for cell in self._taken_off(turn, shown):
                if random.random() < 0.5:
                    after.pop(cell, None)
            if self.turns_shown_by(after) == [turn]:
                return TableChange("turn", after, turn)

    def illegal_change(self, number: int, random: Random) -> TableChange:
        """A change that is not a turn: the kind with this number, or the next kind that is
        possible."""
        kinds = list(_ILLEGAL_CHANGES.items())
        while True:
            for offset in range(len(kinds)):
                name, make = kinds[(number + offset) % len(kinds)]
                for _ in range(MAX_RETRIES):
                    after = make(self, random)
                    if after is not None and not self.turns_shown_by(after):
                        return TableChange(name, after, None, not self.is_unchanged(after))

    @cached_property
    def shown_turns(self) -> list[tuple[AnyTurn, Mapping[Cell, ExpectedPiece]]]:
        facing = {cell: tagged.orientation for cell, tagged in self.before.items()}
        tables = (
            (turn, self.game.expected_after_moves(turn, facing))
            for turn in self.game.turns(self.position)
        )
        return [(turn, shown) for turn, shown in tables if shown is not None]

    @cached_property
    def _standing(self) -> Mapping[Cell, ExpectedPiece]:
        return self.game.expected_pieces(self.position)

    def _taken_off(self, turn: AnyTurn, shown: Mapping[Cell, ExpectedPiece]) -> list[Cell]:
        """The cells of untouched captured pieces, which a hand may already have taken off."""
        cells = [loss.cell for loss in turn.removed]
        return [cell for cell in cells if shown.get(cell) == self._standing.get(cell)]

    def _mover(self, turn: AnyTurn) -> object:
        """The kind of piece that acts, and whether it stays on its cell."""
        player, move = turn.moves[0]
        origin = self.game.origin(self.position, player, move)
        if origin is None:
            return None
        was, now = self.position.pieces[origin], turn.aimed.pieces.get(origin)
        return was.kind, now and _kind_and_owner(now) == _kind_and_owner(was)

    def _carry_out(
        self, shown: Mapping[Cell, ExpectedPiece], random: Random
    ) -> dict[Cell, TaggedPiece]:
        """Hands carry the pieces to where a turn expects them."""
        after = {
            cell: tagged
            for cell, tagged in self.before.items()
            if cell in shown and shown[cell].accepts(self.piece_under(tagged))
        }
        lifted = {cell: tagged for cell, tagged in self.before.items() if cell not in after}
        for cell, standing in shown.items():
            if cell in after:
                continue
            sources = [
                source
                for source, tagged in lifted.items()
                if (standing.kind, standing.owner) == _kind_and_owner(self.piece_under(tagged))
            ]
            tag = lifted.pop(cell if cell in sources else sources[0]).tag
            after[cell] = TaggedPiece(tag, random.choice(sorted(standing.orientations)))
        return after

    # -- illegal changes -------------------------------------------------------------------

    def random_own_cell(self, random: Random, player: int | None = None) -> Cell:
        """A cell with a piece of this player, or of a player to move."""
        players = self.game.to_move(self.position) if player is None else (player,)
        pieces: Mapping[Cell, Piece] = self.position.pieces
        return random.choice([cell for cell, each in pieces.items() if each.owner in players])

    def random_free_cell(
        self, cell: Cell, least: float, most: float, random: Random
    ) -> Cell | None:
        """A random empty cell at this distance from a cell."""
        grid = self.position.grid
        x, y = grid.centre(cell)
        away = [np.hypot(u - x, v - y) for u, v in map(grid.centre, range(grid.size))]
        cells = [c for c, far in enumerate(away) if least < far < most and c not in self.before]
        return random.choice(cells) if cells else None

    def layout_after_move(
        self, cell: Cell, target: Cell | None, turned: int = 0
    ) -> dict[Cell, TaggedPiece] | None:
        if target is None:
            return None
        after = dict(self.before)
        tag, orientation = after.pop(cell)
        after[target] = TaggedPiece(tag, (orientation + turned) % self.position.grid.headings)
        return after


def _too_far(table: TaggedPosition, random: Random) -> TagLayout | None:
    cell = table.random_own_cell(random)
    return table.layout_after_move(
        cell, table.random_free_cell(cell, NEIGHBOUR_CELLS, NEAR_CELLS, random)
    )


def _two_pieces(table: TaggedPosition, random: Random) -> TagLayout | None:
    first = table.random_own_cell(random)
    after = table.layout_after_move(
        first, table.random_free_cell(first, 0, NEIGHBOUR_CELLS, random)
    )
    second = table.random_own_cell(random)
    target = table.random_free_cell(second, 0, NEIGHBOUR_CELLS, random)
    if after is None or second == first or target is None or target in after:
        return None
    after[target] = after.pop(second)
    return after


def _other_side(table: TaggedPosition, random: Random) -> TagLayout | None:
    idle = [p for p in (0, 1) if p not in table.game.to_move(table.position)]
    if not idle:
        return None
    cell = table.random_own_cell(random, idle[0])
    return table.layout_after_move(cell, table.random_free_cell(cell, 0, NEIGHBOUR_CELLS, random))


def _moved_and_turned(table: TaggedPosition, random: Random) -> TagLayout | None:
    cell = table.random_own_cell(random)
    return table.layout_after_move(
        cell, table.random_free_cell(cell, 0, NEIGHBOUR_CELLS, random), random.choice((1, -1))
    )


def _turned_too_far(table: TaggedPosition, random: Random) -> TagLayout | None:
    cell = table.random_own_cell(random)
    if len(table.game.equivalent_orientations(table.position.pieces[cell])) > 1:
        return None
    return table.layout_after_move(cell, cell, 2)


def _missing(table: TaggedPosition, random: Random) -> TagLayout:
    gone = random.choice(sorted(table.before))
    return {cell: tagged for cell, tagged in table.before.items() if cell != gone}


def _added(table: TaggedPosition, random: Random) -> TagLayout | None:
    """A captured piece put back, or one more of a kind."""
    return _with_one_more(table, random, sorted(table.game.tags))


def _foreign(table: TaggedPosition, random: Random) -> TagLayout | None:
    tags = [tag for tag in TAGS if tag not in table.game.tags and tag not in CORNERS]
    return _with_one_more(table, random, tags)


def _with_one_more(table: TaggedPosition, random: Random, tags: list[int]) -> TagLayout | None:
    grid, used = table.position.grid, {tagged.tag for tagged in table.before.values()}
    spare = [tag for tag in tags if tag not in used]
    if not spare:
        return None
    cell = random.choice([cell for cell in range(grid.size) if cell not in table.before])
    tagged = TaggedPiece(random.choice(spare), random.randrange(grid.headings))
    return {**table.before, cell: tagged}


def _swapped(table: TaggedPosition, random: Random) -> TagLayout | None:
    first, second = random.sample(sorted(table.before), 2)
    pieces = table.position.pieces
    if _kind_and_owner(pieces[first]) == _kind_and_owner(pieces[second]):
        return None
    return {**table.before, first: table.before[second], second: table.before[first]}


def _alike(table: TaggedPosition, random: Random) -> TagLayout | None:
    """A piece rotated to an equivalent orientation."""
    cell = random.choice(sorted(table.before))
    tag, orientation = table.before[cell]
    orientations = table.game.equivalent_orientations(table.position.pieces[cell]) - {orientation}
    if not orientations:
        return None
    return {**table.before, cell: TaggedPiece(tag, random.choice(sorted(orientations)))}


def _nothing(table: TaggedPosition, random: Random) -> TagLayout:  # noqa: ARG001
    return dict(table.before)


_ILLEGAL_CHANGES: Mapping[str, Callable[[TaggedPosition, Random], TagLayout | None]] = {
    "moved too far": _too_far,
    "two pieces moved": _two_pieces,
    "piece of the other side": _other_side,
    "moved and turned": _moved_and_turned,
    "turned too far": _turned_too_far,
    "piece missing": _missing,
    "piece too many": _added,
    "foreign piece": _foreign,
    "pieces swapped": _swapped,
    "turned, but alike": _alike,
    "only a hand": _nothing,
}


def _fits(
    shown: Mapping[Cell, ExpectedPiece], pieces: Mapping[Cell, Piece], optional: frozenset[Cell]
) -> bool:
    if not pieces.keys() <= shown.keys() or not shown.keys() - pieces.keys() <= optional:
        return False
    return all(shown[cell].accepts(piece) for cell, piece in pieces.items())


def _kind_and_owner(piece: Piece) -> tuple[str, int]:
    return piece.kind, piece.owner


def _random_position(game: AnyGame, random: Random) -> Any:
    """A position of a random game that is not over."""
    setups = sorted(game.setups())
    if setups:
        position = game.start(random.choice(setups))
    else:
        position = game.start(seed=random.randrange(10**6))
    for turn in _random_turns(game, position, random):
        position = turn.after
    return position


def _random_turns(game: AnyGame, position: Any, random: Random) -> Iterator[AnyTurn]:
    for _ in range(random.randrange(MAX_TURNS)):
        for _ in range(MAX_RETRIES):
            moves = {p: random.choice(game.legal(position, p)) for p in game.to_move(position)}
            turn = game.resolve(position, moves)
            if turn.outcome is None:
                break
        else:
            return
        yield turn
        position = turn.after
