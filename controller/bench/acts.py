"""What hands do on a table: any legal turn, or something that is none.

In comes a position of a random game with every piece under a tag of its own; out come tables on
which hands have acted. Which turns a table shows is told by the rules alone (`Game.carried_out`),
not by the inference that is measured with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np

from engine.game import AnyGame, AnyTurn, Piece, Standing
from engine.grid import Cell
from vision.tags import CORNERS, TAGS

MOST_TURNS = 40  # that a random game is played for
AGAIN = 8  # times that a turn which would end the game is thought over
NEIGHBOURS, NOT_FAR = 1.5, 2.9  # cells between the middles of two


class Tagged(NamedTuple):
    """A tag on a cell, and the orientation of the piece under it."""

    tag: int
    orientation: int


Layout = Mapping[Cell, Tagged]


@dataclass(frozen=True)
class Act:
    """A table as hands left it; `turn` is what they played, None if that is no turn."""

    name: str
    after: Layout
    turn: AnyTurn | None = None
    changed: bool = True  # whether it is another table than before, as the rules see it


@dataclass(frozen=True)
class Table:
    """A position, and how its pieces stand: a king is turned anyhow, a switch perhaps by half."""

    game: AnyGame
    position: Any
    before: Layout

    @classmethod
    def in_a_random_game(cls, game: AnyGame, random: Random) -> Table:
        position = _played(game, random)
        free: dict[tuple[str, int], list[int]] = {}
        for tag, piece in sorted(game.tags.items()):
            free.setdefault((piece.kind, piece.owner), []).append(tag)
        layout = {}
        for cell, piece in sorted(position.pieces.items()):
            ways = sorted(game.alike(piece))
            tags = free[piece.kind, piece.owner]
            layout[cell] = Tagged(tags.pop(random.randrange(len(tags))), random.choice(ways))
        return cls(game, position, layout)

    def piece(self, tagged: Tagged) -> Piece:
        """What a tag means here; one that is of no piece of the game is something foreign."""
        meant = self.game.tags.get(tagged.tag)
        if meant is None:
            return Piece("foreign", 0, tagged.orientation)
        return Piece(meant.kind, meant.owner, tagged.orientation)

    def turns(self, layout: Layout) -> list[AnyTurn]:
        """The turns that such a table shows, if nobody minds what is no piece of the game."""
        known = {cell: tagged for cell, tagged in layout.items() if tagged.tag in self.game.tags}
        pieces = {cell: self.piece(tagged) for cell, tagged in known.items()}
        return [
            turn
            for turn, shown in self.shown
            if _fits(shown, pieces, frozenset(self._taken_off(turn, shown)))
        ]

    def at_rest(self, layout: Layout) -> bool:
        """Whether it is still the position before."""
        pieces = {cell: self.piece(tagged) for cell, tagged in layout.items()}
        return _fits(self._standing, pieces, frozenset())

    def legal(self, random: Random) -> Act:
        """Any legal turn that a table can show; rare kinds of pieces act as often as others."""
        by_sort: dict[object, list[tuple[AnyTurn, Mapping[Cell, Standing]]]] = {}
        for turn, shown in self.shown:
            by_sort.setdefault((self._mover(turn), bool(turn.removed)), []).append((turn, shown))
        sorts = sorted(by_sort, key=repr)
        while True:
            turn, shown = random.choice(by_sort[random.choice(sorts)])
            after = self._carried_out(shown, random)
            for cell in self._taken_off(turn, shown):
                if random.random() < 0.5:
                    after.pop(cell, None)
            if self.turns(after) == [turn]:
                return Act("turn", after, turn)

    def no_turn(self, number: int, random: Random) -> Act:
        """Something that is no turn: of the kinds there are, the one of that number if it can
        be, or else the next one that can."""
        kinds = list(_KINDS.items())
        while True:
            for offset in range(len(kinds)):
                name, make = kinds[(number + offset) % len(kinds)]
                for _ in range(AGAIN):
                    after = make(self, random)
                    if after is not None and not self.turns(after):
                        return Act(name, after, None, not self.at_rest(after))

    @cached_property
    def shown(self) -> list[tuple[AnyTurn, Mapping[Cell, Standing]]]:
        facing = {cell: tagged.orientation for cell, tagged in self.before.items()}
        tables = (
            (turn, self.game.carried_out(turn, facing)) for turn in self.game.turns(self.position)
        )
        return [(turn, shown) for turn, shown in tables if shown is not None]

    @cached_property
    def _standing(self) -> Mapping[Cell, Standing]:
        return self.game.standing(self.position)

    def _taken_off(self, turn: AnyTurn, shown: Mapping[Cell, Standing]) -> list[Cell]:
        """Where the turn captures what no hand has touched, and a hand may have been quick."""
        cells = [loss.cell for loss in turn.removed]
        return [cell for cell in cells if shown.get(cell) == self._standing.get(cell)]

    def _mover(self, turn: AnyTurn) -> object:
        """The kind of piece that acts, and what is on its cell then: nothing, itself or another."""
        player, move = turn.moves[0]
        origin = self.game.origin(self.position, player, move)
        if origin is None:
            return None
        was, now = self.position.pieces[origin], turn.aimed.pieces.get(origin)
        return was.kind, now and _sort(now) == _sort(was)

    def _carried_out(self, shown: Mapping[Cell, Standing], random: Random) -> dict[Cell, Tagged]:
        """Hands bring the pieces to where a turn wants them."""
        after = {
            cell: tagged
            for cell, tagged in self.before.items()
            if cell in shown and shown[cell].fits(self.piece(tagged))
        }
        lifted = {cell: tagged for cell, tagged in self.before.items() if cell not in after}
        for cell, standing in shown.items():
            if cell in after:
                continue
            sources = [
                source
                for source, tagged in lifted.items()
                if (standing.kind, standing.owner) == _sort(self.piece(tagged))
            ]
            tag = lifted.pop(cell if cell in sources else sources[0]).tag
            after[cell] = Tagged(tag, random.choice(sorted(standing.orientations)))
        return after

    # -- what is no turn -------------------------------------------------------------------

    def own(self, random: Random, player: int | None = None) -> Cell:
        """A cell with a piece of that player, or of one who is to move."""
        players = self.game.to_move(self.position) if player is None else (player,)
        pieces: Mapping[Cell, Piece] = self.position.pieces
        return random.choice([cell for cell, each in pieces.items() if each.owner in players])

    def free(self, cell: Cell, least: float, most: float, random: Random) -> Cell | None:
        """An empty cell whose middle is so many cells away."""
        grid = self.position.grid
        x, y = grid.centre(cell)
        away = [np.hypot(u - x, v - y) for u, v in map(grid.centre, range(grid.size))]
        cells = [c for c, far in enumerate(away) if least < far < most and c not in self.before]
        return random.choice(cells) if cells else None

    def moved(self, cell: Cell, target: Cell | None, turned: int = 0) -> dict[Cell, Tagged] | None:
        if target is None:
            return None
        after = dict(self.before)
        tag, orientation = after.pop(cell)
        after[target] = Tagged(tag, (orientation + turned) % self.position.grid.headings)
        return after


def _too_far(table: Table, random: Random) -> Layout | None:
    cell = table.own(random)
    return table.moved(cell, table.free(cell, NEIGHBOURS, NOT_FAR, random))


def _two_pieces(table: Table, random: Random) -> Layout | None:
    first = table.own(random)
    after = table.moved(first, table.free(first, 0, NEIGHBOURS, random))
    second = table.own(random)
    target = table.free(second, 0, NEIGHBOURS, random)
    if after is None or second == first or target is None or target in after:
        return None
    after[target] = after.pop(second)
    return after


def _other_side(table: Table, random: Random) -> Layout | None:
    idle = [p for p in (0, 1) if p not in table.game.to_move(table.position)]
    if not idle:
        return None
    cell = table.own(random, idle[0])
    return table.moved(cell, table.free(cell, 0, NEIGHBOURS, random))


def _moved_and_turned(table: Table, random: Random) -> Layout | None:
    cell = table.own(random)
    return table.moved(cell, table.free(cell, 0, NEIGHBOURS, random), random.choice((1, -1)))


def _turned_too_far(table: Table, random: Random) -> Layout | None:
    cell = table.own(random)
    if len(table.game.alike(table.position.pieces[cell])) > 1:
        return None
    return table.moved(cell, cell, 2)


def _missing(table: Table, random: Random) -> Layout:
    gone = random.choice(sorted(table.before))
    return {cell: tagged for cell, tagged in table.before.items() if cell != gone}


def _added(table: Table, random: Random) -> Layout | None:
    """A captured piece put back, or one more of a kind."""
    return _with_one_more(table, random, sorted(table.game.tags))


def _foreign(table: Table, random: Random) -> Layout | None:
    tags = [tag for tag in TAGS if tag not in table.game.tags and tag not in CORNERS]
    return _with_one_more(table, random, tags)


def _with_one_more(table: Table, random: Random, tags: list[int]) -> Layout | None:
    grid, used = table.position.grid, {tagged.tag for tagged in table.before.values()}
    spare = [tag for tag in tags if tag not in used]
    if not spare:
        return None
    cell = random.choice([cell for cell in range(grid.size) if cell not in table.before])
    tagged = Tagged(random.choice(spare), random.randrange(grid.headings))
    return {**table.before, cell: tagged}


def _swapped(table: Table, random: Random) -> Layout | None:
    first, second = random.sample(sorted(table.before), 2)
    pieces = table.position.pieces
    if _sort(pieces[first]) == _sort(pieces[second]):
        return None
    return {**table.before, first: table.before[second], second: table.before[first]}


def _alike(table: Table, random: Random) -> Layout | None:
    """A piece turned so that it is as good as before."""
    cell = random.choice(sorted(table.before))
    tag, orientation = table.before[cell]
    ways = table.game.alike(table.position.pieces[cell]) - {orientation}
    if not ways:
        return None
    return {**table.before, cell: Tagged(tag, random.choice(sorted(ways)))}


def _nothing(table: Table, random: Random) -> Layout:  # noqa: ARG001
    return dict(table.before)


_KINDS: Mapping[str, Callable[[Table, Random], Layout | None]] = {
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
KINDS = tuple(_KINDS)


def _fits(
    shown: Mapping[Cell, Standing], pieces: Mapping[Cell, Piece], optional: frozenset[Cell]
) -> bool:
    if not pieces.keys() <= shown.keys() or not shown.keys() - pieces.keys() <= optional:
        return False
    return all(shown[cell].fits(piece) for cell, piece in pieces.items())


def _sort(piece: Piece) -> tuple[str, int]:
    return piece.kind, piece.owner


def _played(game: AnyGame, random: Random) -> Any:
    """A position of a random game that goes on."""
    setups = sorted(game.setups())
    if setups:
        position = game.start(random.choice(setups))
    else:
        position = game.start(seed=random.randrange(10**6))
    for turn in _turns(game, position, random):
        position = turn.after
    return position


def _turns(game: AnyGame, position: Any, random: Random) -> Iterator[AnyTurn]:
    for _ in range(random.randrange(MOST_TURNS)):
        for _ in range(AGAIN):
            moves = {p: random.choice(game.legal(position, p)) for p in game.to_move(position)}
            turn = game.resolve(position, moves)
            if turn.outcome is None:
                break
        else:
            return
        yield turn
        position = turn.after
