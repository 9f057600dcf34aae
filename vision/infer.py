"""Infers which legal turn was made on the table.

In: `Hypotheses` (built once per position) and the evidence of settled frames. Out: `Exact`,
`NoChange`, `Ambiguous` or `Mismatch`. A covered cell is no evidence: where covered cells would
decide, the result is `Ambiguous`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.game import AnyGame, AnyTurn, ExpectedPiece, Piece
from engine.grid import Cell
from engine.sentences import Sentence, Template
from vision import sentences
from vision.hypotheses import Hypotheses, Ints, Reals, Turns
from vision.observation import Evidence


@dataclass(frozen=True, slots=True)
class InferenceThresholds:
    """Thresholds in nats. One good reading of a cell is worth 7 to 24 nats."""

    # The best hypothesis must beat every other by this: odds of 400 to 1, for about a hundred
    # rivals.
    margin: float = 6.0
    # A piece must be seen at its new cell or orientation by this lead over anything else. A cell
    # that contradicts a hypothesis by as much makes it doubtful. Lower than the margin, because
    # other cells are evidence for the same hypothesis.
    lead: float = 4.0
    # A contradiction of this size on a cell is a mismatch: the reader accepts a tag at 7 nats. In
    # images without hands, the true content never trailed by 3.
    contradiction: float = 7.0
    # The contradicting content must also have at least this much evidence. The smooth inside of a
    # hand gives 1.8 nats for an empty cell.
    support: float = 2.0
    # The most that one cell can cost a hypothesis. A cell misread with full confidence must cost
    # less than two cells that are seen well, or the turn that explains it away would win.
    max_cell_loss: float = 15.0


DEFAULT_THRESHOLDS = InferenceThresholds()


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that does not show what it should; None is an empty cell."""

    cell: Cell
    expected: ExpectedPiece | None
    seen: Piece | None
    nats: float  # by which the seen content is likelier than the expected one
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Exact:
    """These turns were made in this order, and no other hypothesis comes near."""

    turns: Turns
    margin: float

    @property
    def turn(self) -> AnyTurn:
        """The last turn."""
        return self.turns[-1]


@dataclass(frozen=True, slots=True)
class NoChange:
    """The table is unchanged."""

    margin: float


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The evidence is insufficient. The likeliest choices come first; () is no change.

    A single choice is the only one that fits, but it is not seen well enough.
    """

    choices: tuple[Turns, ...]
    margin: float
    cells: tuple[Cell, ...]  # cells that would decide if they were seen better


@dataclass(frozen=True, slots=True)
class Mismatch:
    """No hypothesis fits the table.

    The differences are relative to the table after the turns in `nearest`, usually none.
    """

    differences: tuple[Difference, ...]
    nearest: Turns


Inference = Exact | NoChange | Ambiguous | Mismatch


@dataclass(frozen=True, slots=True)
class PositionCheck:
    """How the table differs from a position, and the cells that are not seen well enough."""

    differences: tuple[Difference, ...]
    unseen: tuple[Cell, ...]


def infer(
    hypotheses: Hypotheses,
    evidence: Evidence,
    meanings: Mapping[int, Piece],
    thresholds: InferenceThresholds = DEFAULT_THRESHOLDS,
) -> Inference:
    """Infer the turns that explain all evidence when no other hypothesis comes near.

    `meanings` is the piece of each tag, from `vision.tags.pieces_by_tag`.
    """
    seen = _fit_expectations(hypotheses, evidence, meanings, thresholds)
    # Relative to the table at rest: only the cells in which a hypothesis differs count.
    totals = hypotheses.instead @ (seen.losses - seen.losses[hypotheses.cells])
    order = np.argsort(totals, kind="stable")  # among equals, no change comes first
    best = int(order[0])
    ranked = hypotheses.choice[order]
    rivals = order[ranked != ranked[0]]
    margin = float(totals[rivals[0]] - totals[best]) if len(rivals) else thresholds.max_cell_loss
    near = order[totals[order] - totals[best] < thresholds.margin]

    turns, expected = hypotheses.choices[ranked[0]], _expected_cells(hypotheses, best)
    if differences := _differences(hypotheses, seen, expected, thresholds):
        # Report differences from the table at rest, unless a turn explains clearly more.
        unlike = _differences(hypotheses, seen, np.arange(hypotheses.grid.size), thresholds)
        if unlike and totals[best] > -thresholds.margin:
            return Mismatch(unlike, ())
        return Mismatch(differences, turns)

    faint = seen.leads < thresholds.lead
    doubts = expected[seen.losses[expected] >= thresholds.lead]
    if margin < thresholds.margin or len(doubts) or (hypotheses.decisive[best] & faint).any():
        undecided = np.append(np.flatnonzero(hypotheses.instead[near].any(axis=0) & faint), doubts)
        return Ambiguous(
            tuple(hypotheses.choices[i] for i in dict.fromkeys(hypotheses.choice[near].tolist())),
            margin,
            tuple(sorted(set(hypotheses.cells[undecided].tolist()))),
        )
    return Exact(turns, margin) if turns else NoChange(margin)


def check_position(
    game: AnyGame,
    position: Any,
    evidence: Evidence,
    meanings: Mapping[int, Piece],
    thresholds: InferenceThresholds = DEFAULT_THRESHOLDS,
) -> PositionCheck:
    """Compare the table with a position at rest, for setting up and after a turn."""
    hypotheses = Hypotheses.at_rest(game, position)
    seen = _fit_expectations(hypotheses, evidence, meanings, thresholds)
    differences = _differences(hypotheses, seen, np.arange(position.grid.size), thresholds)
    faint = set(np.flatnonzero(seen.leads < thresholds.lead).tolist())
    return PositionCheck(differences, tuple(sorted(faint - {each.cell for each in differences})))


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well each expectation fits the evidence."""

    scores: Reals  # by cell and content number
    others: Reals  # best score of any other content
    leads: Reals  # score of the expectation minus `others`
    losses: Reals  # `others` minus the score of the expectation, limited


def _fit_expectations(
    hypotheses: Hypotheses,
    evidence: Evidence,
    meanings: Mapping[int, Piece],
    thresholds: InferenceThresholds,
) -> _Fit:
    scores = hypotheses.vocabulary.scores(evidence, meanings)
    spread, masks = scores[hypotheses.cells], hypotheses.masks
    fits = np.where(masks, spread, -np.inf).max(axis=1)
    others = np.where(masks, -np.inf, spread).max(axis=1)
    leads = fits - others
    return _Fit(scores, others, leads, np.clip(-leads, 0.0, thresholds.max_cell_loss))


def _expected_cells(hypotheses: Hypotheses, hypothesis: int) -> Ints:
    """The expectations of a hypothesis, by cell."""
    expected = np.arange(hypotheses.grid.size)
    instead = np.flatnonzero(hypotheses.instead[hypothesis])
    expected[hypotheses.cells[instead]] = instead
    return expected


def _differences(
    hypotheses: Hypotheses, seen: _Fit, expectations: Ints, thresholds: InferenceThresholds
) -> tuple[Difference, ...]:
    """The cells where another content is much likelier than the expected one."""
    vocabulary, found = hypotheses.vocabulary, []
    for cell, index in enumerate(expectations.tolist()):
        nats = float(seen.losses[index])
        if nats >= thresholds.contradiction and seen.others[index] >= thresholds.support:
            expected = vocabulary.expected_piece(hypotheses.contents[index])
            there = vocabulary.piece(int(seen.scores[cell].argmax()))
            sentence = _difference_sentence(hypotheses, cell, expected, there)
            found.append(Difference(cell, expected, there, nats, sentence))
    return tuple(found)


def _difference_sentence(
    hypotheses: Hypotheses, cell: Cell, expected: ExpectedPiece | None, seen: Piece | None
) -> Sentence:
    players, square = hypotheses.game.players, hypotheses.grid.name(cell)
    if expected is None:
        if seen is None:
            return sentences.NOTHING_HERE(cell=square)
        return sentences.UNEXPECTED_PIECE(cell=square, piece=seen.kind, player=players[seen.owner])
    piece, player = expected.kind, players[expected.owner]
    if seen is None:
        return sentences.MISSING_PIECE(cell=square, piece=piece, player=player)
    if (seen.kind, seen.owner) != (expected.kind, expected.owner):
        return sentences.WRONG_PIECE(
            cell=square,
            piece=piece,
            player=player,
            seen_piece=seen.kind,
            seen_player=players[seen.owner],
        )
    turn = shortest_turn(hypotheses.grid.headings, seen.orientation, expected.orientations)
    return sentences.TURN_PIECE(cell=square, piece=piece, player=player, turn=turn)


# By headings of the grid and steps of the turn. Half a turn has its own sentence.
_TURN_SHARES: dict[int, tuple[Template, ...]] = {
    4: (sentences.QUARTER,),
    6: (sentences.SIXTH, sentences.THIRD),
}


def shortest_turn(headings: int, seen: int, expected: frozenset[int]) -> Sentence:
    """The shortest turn from `seen` to an expected heading, such as `a quarter to the left`."""
    right = min((way - seen) % headings for way in expected)
    left = min((seen - way) % headings for way in expected)
    steps = min(left, right)
    if 2 * steps == headings:
        return sentences.TURN_ROUND()
    share = _TURN_SHARES[headings][steps - 1]()
    if left == right:
        return sentences.TURN_EITHER_WAY(share=share)
    return (sentences.TURN_RIGHT if right < left else sentences.TURN_LEFT)(share=share)
