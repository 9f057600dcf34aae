"""Hypotheses about a table: no change, any legal turn, or a known turn and one more.

`Hypotheses` is built once for a position and compared with many frames (`vision.infer`). Turns
are distinguishable if hands leave different tables before the laser fires. Captured pieces may
stand or be gone in the same hypothesis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.game import AnyGame, AnyTurn, ExpectedPiece, Piece, Player
from engine.grid import Cell, Grid
from vision.observation import CellState, Evidence, Sighting

Turns = tuple[AnyTurn, ...]
Reals = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

# The allowed contents of a cell as a bit set: bit 0 is nothing, the other bits are pieces.
Contents = int
NOTHING: Contents = 1
Table = Mapping[Cell, Contents]  # cells that are not listed are empty


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Numbers for the contents of a cell: 0 is nothing, then each piece type in each
    orientation."""

    piece_types: tuple[tuple[str, Player], ...]
    headings: int

    def contents(self, standing: ExpectedPiece) -> Contents:
        first = self.first(standing.kind, standing.owner)
        return sum(1 << first + orientation for orientation in standing.orientations)

    def first(self, kind: str, owner: Player) -> int:
        return 1 + self.headings * self.piece_types.index((kind, owner))

    def piece(self, number: int) -> Piece | None:
        if number == 0:
            return None
        type_index, orientation = divmod(number - 1, self.headings)
        return Piece(*self.piece_types[type_index], orientation)

    def expected_piece(self, contents: Contents) -> ExpectedPiece | None:
        """The piece that must be there, or None where an empty cell is acceptable."""
        if contents & NOTHING:
            return None
        pieces = [self.piece(n) for n in range(1, contents.bit_length()) if contents >> n & 1]
        kinds = {(piece.kind, piece.owner) for piece in pieces if piece}
        assert len(kinds) == 1, "a cell expects one type of piece"
        orientations = frozenset(piece.orientation for piece in pieces if piece)
        return ExpectedPiece(*kinds.pop(), orientations)

    def scores(self, evidence: Evidence, meanings: Mapping[int, Piece]) -> Reals:
        """The evidence by cell and content number; a piece scores by the best of its tags."""
        scores = np.full((len(evidence.empty), 1 + len(self.piece_types) * self.headings), -np.inf)
        scores[:, 0] = evidence.empty
        for index, tag in enumerate(evidence.tags):
            piece = meanings.get(tag)
            if piece is not None and (piece.kind, piece.owner) in self.piece_types:
                first = self.first(piece.kind, piece.owner)
                block = scores[:, first : first + self.headings]
                turned = np.roll(evidence.tagged[:, index], piece.orientation, axis=1)
                np.maximum(block, turned, out=block)
        return scores


@dataclass(frozen=True)
class Hypotheses:
    """Every allowed next state of the table, as arrays to compare with evidence."""

    game: AnyGame
    grid: Grid
    vocabulary: Vocabulary
    choices: tuple[Turns, ...]  # () is no change
    choice: Ints  # index into `choices` of each hypothesis: one turn may have several looks
    # An expectation is a cell with its allowed contents. The first ones, by cell, are those of the
    # unchanged table.
    cells: Ints
    contents: tuple[Contents, ...]
    masks: Flags  # by expectation and content number
    # By hypothesis and expectation. `instead` marks the expectations that replace those of the
    # unchanged table. `decisive` marks, among these, pieces that arrived or turned: they must be
    # seen. The cell that a piece has left may be hidden.
    instead: Flags
    decisive: Flags

    @classmethod
    def at_rest(cls, game: AnyGame, position: Any) -> Hypotheses:
        """Only the hypothesis that nothing changed."""
        vocabulary = _vocabulary(game, position)
        unchanged_table = _table(vocabulary, game.expected_pieces(position))
        return _build_hypotheses(
            game, vocabulary, position.grid, unchanged_table, [[((), unchanged_table)]]
        )

    @classmethod
    def for_position(
        cls,
        game: AnyGame,
        position: Any,
        seen_orientations: Mapping[Cell, int],
        given: Mapping[Player, Any] | None = None,
    ) -> Hypotheses:
        """No change, or any one turn. `seen_orientations` comes from `update_seen_orientations`.

        `given` holds moves that were not made on the table, such as a computer's simultaneous
        move.
        """
        given = given or {}
        moved_by_hand = [player for player in game.to_move(position) if player not in given]
        turns = game.turns(position, given)
        vocabulary = _vocabulary(game, position)
        unchanged_table = _table(vocabulary, game.expected_pieces(position))
        made = [
            ((turn,), _allow_captured_gone(table, turn, unchanged_table))
            for turn, table in _visible_turns(
                game, vocabulary, turns, seen_orientations, moved_by_hand
            )
        ]
        return _build_hypotheses(
            game, vocabulary, position.grid, unchanged_table, [[((), unchanged_table)], made]
        )

    @classmethod
    def after_known_turn(
        cls, game: AnyGame, known: AnyTurn, seen_orientations: Mapping[Cell, int]
    ) -> Hypotheses:
        """No change, or the known turn carried out, or the known turn and another one after it.

        A piece that the known turn captured may stand or be gone.
        """
        vocabulary, moved_by_hand = _vocabulary(game, known.before), (0, 1)
        unchanged_table = _table(vocabulary, game.expected_pieces(known.before))
        # For a turn that cannot be seen on a table, the position after it.
        first = next(
            (
                table
                for _, table in _visible_turns(
                    game, vocabulary, [known], seen_orientations, moved_by_hand
                )
            ),
            _table(vocabulary, game.expected_pieces(known.after)),
        )
        aimed, between = (
            game.expected_pieces(known.aimed),
            _table(vocabulary, game.expected_pieces(known.after)),
        )
        gone = {
            loss.cell: NOTHING | vocabulary.contents(aimed[loss.cell]) for loss in known.removed
        }
        seen_after = _orientations_after(game, known, seen_orientations)
        made = [
            ((known, turn), {**gone, **_allow_captured_gone(table, turn, between)})
            for turn, table in _visible_turns(
                game, vocabulary, game.turns(known.after), seen_after, moved_by_hand
            )
        ]
        carried_out = [((known,), {**first, **gone})]
        return _build_hypotheses(
            game,
            vocabulary,
            known.before.grid,
            unchanged_table,
            [[((), unchanged_table)], carried_out, made],
        )


def update_seen_orientations(
    before: Mapping[Cell, int],
    sightings: Sequence[Sighting],
    meanings: Mapping[int, Piece],
    headings: int,
) -> dict[Cell, int]:
    """The orientation of every piece as seen now, or, where a cell is covered, as seen before."""
    seen_orientations = {}
    for cell, seen in enumerate(sightings):
        if seen.state is CellState.OCCUPIED and seen.tag in meanings:
            seen_orientations[cell] = (meanings[seen.tag].orientation + seen.orientation) % headings
        elif seen.state is CellState.COVERED and cell in before:
            seen_orientations[cell] = before[cell]
    return seen_orientations


def _vocabulary(game: AnyGame, position: Any) -> Vocabulary:
    pieces = (*game.tags.values(), *position.pieces.values())
    return Vocabulary(tuple(sorted({(p.kind, p.owner) for p in pieces})), position.grid.headings)


def _table(vocabulary: Vocabulary, standing: Mapping[Cell, ExpectedPiece]) -> dict[Cell, Contents]:
    return {cell: vocabulary.contents(each) for cell, each in standing.items()}


def _visible_turns(
    game: AnyGame,
    vocabulary: Vocabulary,
    turns: Iterable[AnyTurn],
    seen_orientations: Mapping[Cell, int],
    moved_by_hand: Collection[Player],
) -> Iterator[tuple[AnyTurn, dict[Cell, Contents]]]:
    """The turns that leave a visible table, each with that table."""

    @cache  # most pieces stand alike after every turn
    def contents(kind: str, owner: Player, orientations: frozenset[int]) -> Contents:
        return vocabulary.contents(ExpectedPiece(kind, owner, orientations))

    for turn in turns:
        standing = game.expected_after_moves(turn, seen_orientations, moved_by_hand)
        if standing is not None:
            yield (
                turn,
                {
                    cell: contents(each.kind, each.owner, each.orientations)
                    for cell, each in standing.items()
                },
            )


def _allow_captured_gone(table: Table, turn: AnyTurn, unchanged_table: Table) -> Table:
    """The table with the pieces captured by the turn allowed to be gone.

    The moved piece must stay: a piece lifted by a hand would otherwise match a turn that moves it
    into its own beam.
    """
    kept = [
        loss.cell for loss in turn.removed if table.get(loss.cell) == unchanged_table.get(loss.cell)
    ]
    return {**table, **{cell: table[cell] | NOTHING for cell in kept if cell in table}}


def _orientations_after(
    game: AnyGame, turn: AnyTurn, seen_orientations: Mapping[Cell, int]
) -> dict[Cell, int]:
    """The orientation of pieces after the turn, where it is certain."""
    before, shown = (
        game.expected_pieces(turn.before),
        game.expected_after_moves(turn, seen_orientations) or {},
    )
    seen_after = {}
    for cell, standing in shown.items():
        if before.get(cell) == standing and cell in seen_orientations:
            seen_after[cell] = seen_orientations[cell]
        elif len(standing.orientations) == 1:
            (seen_after[cell],) = standing.orientations
    return seen_after


def _build_hypotheses(
    game: AnyGame,
    vocabulary: Vocabulary,
    grid: Grid,
    unchanged_table: Table,
    stages: Sequence[Sequence[tuple[Turns, Table]]],
) -> Hypotheses:
    """Build the arrays of all hypotheses. Each stage has one more turn than the stage before."""
    choices, looks = list[Turns](), list[tuple[int, Table]]()
    for number, stage in enumerate(stages):
        further = [table for each in stages[number + 1 :] for _, table in each]
        for turns, table in stage:
            # A table that also fits a later stage belongs to that stage only. Example: an untouched
            # ship may have fired in the direction that it faces.
            remaining = [table]
            for narrower in further:
                remaining = [part for each in remaining for part in _subtract_table(each, narrower)]
            looks += [(len(choices), part) for part in remaining]
            choices.append(turns)
    expectations = {(cell, unchanged_table.get(cell, NOTHING)): cell for cell in range(grid.size)}
    rows = []
    for _, table in looks:
        differing = [
            (cell, table.get(cell, NOTHING)) for cell in _differing_cells(unchanged_table, table)
        ]
        rows.append([expectations.setdefault(each, len(expectations)) for each in differing])
    instead = np.zeros((len(looks), len(expectations)), np.bool_)
    for index, row in enumerate(rows):
        instead[index, row] = True
    arrived = [
        not contents & NOTHING and bool(unchanged_table.get(cell, NOTHING) & ~contents)
        for cell, contents in expectations
    ]
    numbers = range(1 + len(vocabulary.piece_types) * vocabulary.headings)
    masks = {each: [each >> n & 1 for n in numbers] for _, each in expectations}
    return Hypotheses(
        game,
        grid,
        vocabulary,
        tuple(choices),
        np.array([choice for choice, _ in looks], np.intp),
        np.array([cell for cell, _ in expectations], np.intp),
        tuple(contents for _, contents in expectations),
        np.array([masks[each] for _, each in expectations], np.bool_),
        instead,
        instead & np.array(arrived, np.bool_),
    )


def _subtract_table(table: Table, narrower: Table) -> list[Table]:
    """The looks of `table` that are not looks of `narrower`, as a list of tables."""
    cells = _differing_cells(table, narrower)
    pairs = [(cell, table.get(cell, NOTHING), narrower.get(cell, NOTHING)) for cell in cells]
    if not all(wide & narrow for _, wide, narrow in pairs):
        return [table]
    parts, common = list[Table](), dict(table)
    for cell, wide, narrow in pairs:
        if wide & ~narrow:
            parts.append({**common, cell: wide & ~narrow})
            common[cell] = wide & narrow
    return parts


def _differing_cells(one: Table, other: Table) -> list[Cell]:
    """The cells on which the two tables differ."""
    unequal = {cell for cell, _ in one.items() ^ other.items()}
    return sorted(c for c in unequal if one.get(c, NOTHING) != other.get(c, NOTHING))
