"""What a table may show next: no change, every legal turn, or a known turn and one more.

Made once for a position and then compared with frame after frame (`vision.infer`). Turns are
told apart by how hands leave the table before a beam is fired; a piece that a turn captures may
still stand or be gone already, which is the same turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.game import AnyGame, AnyTurn, Piece, Player, Standing
from engine.grid import Cell, Grid
from vision.observation import Evidence, Sighting, State

Turns = tuple[AnyTurn, ...]
Reals = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

# What may be on a cell, as a set of bits: bit 0 is nothing, the others are pieces.
Contents = int
NOTHING: Contents = 1
Table = Mapping[Cell, Contents]  # cells that are not listed hold nothing


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Numbers for all that can be on a cell: 0 is nothing, then each sort each way round."""

    sorts: tuple[tuple[str, Player], ...]
    headings: int

    def contents(self, standing: Standing) -> Contents:
        first = self.first(standing.kind, standing.owner)
        return sum(1 << first + orientation for orientation in standing.orientations)

    def first(self, kind: str, owner: Player) -> int:
        return 1 + self.headings * self.sorts.index((kind, owner))

    def piece(self, number: int) -> Piece | None:
        if number == 0:
            return None
        sort, orientation = divmod(number - 1, self.headings)
        return Piece(*self.sorts[sort], orientation)

    def standing(self, contents: Contents) -> Standing | None:
        """What should be there; nothing, where nothing is good enough."""
        if contents & NOTHING:
            return None
        pieces = [self.piece(n) for n in range(1, contents.bit_length()) if contents >> n & 1]
        kinds = {(piece.kind, piece.owner) for piece in pieces if piece}
        assert len(kinds) == 1, "a cell is for one sort of piece, or for that or nothing"
        ways = frozenset(piece.orientation for piece in pieces if piece)
        return Standing(*kinds.pop(), ways)

    def scores(self, evidence: Evidence, meanings: Mapping[int, Piece]) -> Reals:
        """The evidence by cell and number: a piece counts by the best of its tags."""
        scores = np.full((len(evidence.empty), 1 + len(self.sorts) * self.headings), -np.inf)
        scores[:, 0] = evidence.empty
        for index, tag in enumerate(evidence.tags):
            meant = meanings.get(tag)
            if meant is not None and (meant.kind, meant.owner) in self.sorts:
                first = self.first(meant.kind, meant.owner)
                block = scores[:, first : first + self.headings]
                turned = np.roll(evidence.tagged[:, index], meant.orientation, axis=1)
                np.maximum(block, turned, out=block)
        return scores


@dataclass(frozen=True)
class Hypotheses:
    """All that a table may show next, ready to be compared with what is seen on it."""

    game: AnyGame
    grid: Grid
    vocabulary: Vocabulary
    choices: tuple[Turns, ...]  # () is no change
    choice: Ints  # which of them each hypothesis is: several looks may be the same turns
    # An expectation is what may be on a cell. Those of the table at rest are first, by cell.
    cells: Ints
    contents: tuple[Contents, ...]
    masks: Flags  # by expectation and number of the vocabulary
    # By hypothesis and expectation: which ones it has instead of those at rest, and which of
    # these are pieces newly come or turned. Where one came from may stay unseen: it is here.
    instead: Flags
    decisive: Flags

    @classmethod
    def at_rest(cls, game: AnyGame, position: Any) -> Hypotheses:
        """No change, and nothing else."""
        words = _vocabulary(game, position)
        rest = _table(words, game.standing(position))
        return _numbered(game, words, position.grid, rest, [[((), rest)]])

    @classmethod
    def of(
        cls,
        game: AnyGame,
        position: Any,
        facing: Mapping[Cell, int],
        given: Mapping[Player, Any] | None = None,
    ) -> Hypotheses:
        """No change, or any one turn. `facing` is how each piece was seen (`last_seen`).

        `given` are moves that were made elsewhere: who made them has not touched the table.
        """
        given = given or {}
        hands = [player for player in game.to_move(position) if player not in given]
        turns = game.turns(position, given)
        words = _vocabulary(game, position)
        rest = _table(words, game.standing(position))
        made = [
            ((turn,), _thinned(table, turn, rest))
            for turn, table in _shown(game, words, turns, facing, hands)
        ]
        return _numbered(game, words, position.grid, rest, [[((), rest)], made])

    @classmethod
    def after(cls, game: AnyGame, known: AnyTurn, facing: Mapping[Cell, int]) -> Hypotheses:
        """No change; or a turn that people were shown is carried out; or it is, and they have
        made a turn of their own. What the known turn captured may stand or be gone."""
        words, hands = _vocabulary(game, known.before), (0, 1)
        rest = _table(words, game.standing(known.before))
        # A turn that no table can show is carried out where it leads to.
        first = next(
            (table for _, table in _shown(game, words, [known], facing, hands)),
            _table(words, game.standing(known.after)),
        )
        aimed, between = game.standing(known.aimed), _table(words, game.standing(known.after))
        gone = {loss.cell: NOTHING | words.contents(aimed[loss.cell]) for loss in known.removed}
        faced = _faced(game, known, facing)
        made = [
            ((known, turn), {**gone, **_thinned(table, turn, between)})
            for turn, table in _shown(game, words, game.turns(known.after), faced, hands)
        ]
        carried_out = [((known,), {**first, **gone})]
        return _numbered(game, words, known.before.grid, rest, [[((), rest)], carried_out, made])


def last_seen(
    before: Mapping[Cell, int],
    sightings: Sequence[Sighting],
    meanings: Mapping[int, Piece],
    headings: int,
) -> dict[Cell, int]:
    """How every piece faces: as it is seen now, or where it is covered, as it was seen before."""
    facing = {}
    for cell, seen in enumerate(sightings):
        if seen.state is State.OCCUPIED and seen.tag in meanings:
            facing[cell] = (meanings[seen.tag].orientation + seen.orientation) % headings
        elif seen.state is State.COVERED and cell in before:
            facing[cell] = before[cell]
    return facing


def _vocabulary(game: AnyGame, position: Any) -> Vocabulary:
    pieces = (*game.tags.values(), *position.pieces.values())
    return Vocabulary(tuple(sorted({(p.kind, p.owner) for p in pieces})), position.grid.headings)


def _table(words: Vocabulary, standing: Mapping[Cell, Standing]) -> dict[Cell, Contents]:
    return {cell: words.contents(each) for cell, each in standing.items()}


def _shown(
    game: AnyGame,
    words: Vocabulary,
    turns: Iterable[AnyTurn],
    facing: Mapping[Cell, int],
    hands: Collection[Player],
) -> Iterator[tuple[AnyTurn, dict[Cell, Contents]]]:
    """The turns that a table can show, each with how."""

    @cache  # most pieces stand alike after every turn
    def contents(kind: str, owner: Player, orientations: frozenset[int]) -> Contents:
        return words.contents(Standing(kind, owner, orientations))

    for turn in turns:
        standing = game.carried_out(turn, facing, hands)
        if standing is not None:
            yield (
                turn,
                {
                    cell: contents(each.kind, each.owner, each.orientations)
                    for cell, each in standing.items()
                },
            )


def _thinned(table: Table, turn: AnyTurn, rest: Table) -> Table:
    """The table where what the turn captures may be gone already.

    But not the piece that the turn was made with: one that is lifted from its cell and held in
    a hand has not been moved into the beam and taken off, even where that were a legal turn.
    """
    kept = [loss.cell for loss in turn.removed if table.get(loss.cell) == rest.get(loss.cell)]
    return {**table, **{cell: table[cell] | NOTHING for cell in kept if cell in table}}


def _faced(game: AnyGame, turn: AnyTurn, facing: Mapping[Cell, int]) -> dict[Cell, int]:
    """How pieces face once the turn is carried out, as far as that is certain."""
    before, shown = game.standing(turn.before), game.carried_out(turn, facing) or {}
    faced = {}
    for cell, standing in shown.items():
        if before.get(cell) == standing and cell in facing:
            faced[cell] = facing[cell]
        elif len(standing.orientations) == 1:
            (faced[cell],) = standing.orientations
    return faced


def _numbered(
    game: AnyGame,
    words: Vocabulary,
    grid: Grid,
    rest: Table,
    stages: Sequence[Sequence[tuple[Turns, Table]]],
) -> Hypotheses:
    """All hypotheses as arrays. Each stage has one turn more than the stage before."""
    choices, looks = list[Turns](), list[tuple[int, Table]]()
    for number, stage in enumerate(stages):
        further = [table for each in stages[number + 1 :] for _, table in each]
        for turns, table in stage:
            # What looks like a further turn is that turn: a ship left alone fires where it faces.
            remaining = [table]
            for narrower in further:
                remaining = [part for each in remaining for part in _without(each, narrower)]
            looks += [(len(choices), part) for part in remaining]
            choices.append(turns)
    expectations = {(cell, rest.get(cell, NOTHING)): cell for cell in range(grid.size)}
    rows = []
    for _, table in looks:
        differing = [(cell, table.get(cell, NOTHING)) for cell in _differing(rest, table)]
        rows.append([expectations.setdefault(each, len(expectations)) for each in differing])
    instead = np.zeros((len(looks), len(expectations)), np.bool_)
    for index, row in enumerate(rows):
        instead[index, row] = True
    arrived = [
        not contents & NOTHING and bool(rest.get(cell, NOTHING) & ~contents)
        for cell, contents in expectations
    ]
    numbers = range(1 + len(words.sorts) * words.headings)
    masks = {each: [each >> n & 1 for n in numbers] for _, each in expectations}
    return Hypotheses(
        game,
        grid,
        words,
        tuple(choices),
        np.array([choice for choice, _ in looks], np.intp),
        np.array([cell for cell, _ in expectations], np.intp),
        tuple(contents for _, contents in expectations),
        np.array([masks[each] for _, each in expectations], np.bool_),
        instead,
        instead & np.array(arrived, np.bool_),
    )


def _without(table: Table, narrower: Table) -> list[Table]:
    """The table as it may be without being the narrower one: a box cut out of a box."""
    cells = _differing(table, narrower)
    pairs = [(cell, table.get(cell, NOTHING), narrower.get(cell, NOTHING)) for cell in cells]
    if not all(wide & narrow for _, wide, narrow in pairs):
        return [table]
    parts, common = list[Table](), dict(table)
    for cell, wide, narrow in pairs:
        if wide & ~narrow:
            parts.append({**common, cell: wide & ~narrow})
            common[cell] = wide & narrow
    return parts


def _differing(one: Table, other: Table) -> list[Cell]:
    """The cells that the two hold something else on."""
    unequal = {cell for cell, _ in one.items() ^ other.items()}
    return sorted(c for c in unequal if one.get(c, NOTHING) != other.get(c, NOTHING))
