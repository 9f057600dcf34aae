"""Which legal turn was made on the table: the most likely one, or why none can be named.

In come `Hypotheses` (what the table may show, made once for a position) and the evidence of
settled frames; out comes `Exact`, `NoChange`, `Ambiguous` or `Mismatch`. A cell that nobody saw
speaks for nothing: where such cells would decide, the answer is a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.game import AnyGame, AnyTurn, Piece, Standing
from engine.grid import Cell
from vision.hypotheses import Hypotheses, Ints, Reals, Turns
from vision.observation import Evidence


@dataclass(frozen=True, slots=True)
class Demands:
    """How sure is sure, in nats. One frame that reads a cell well is worth 7 to 24 of them."""

    # The likeliest hypothesis must beat every other by this: odds of 400 to 1, since there are a
    # hundred others.
    margin: float = 6.0
    # A piece must be seen where a turn brings it or turns it to, so much better than anything
    # else; and a cell that speaks as much against a hypothesis makes it doubtful. Less than the
    # margin, because other cells speak for the same hypothesis.
    lead: float = 4.0
    # So much for something else on a cell is a mismatch: the reader takes as read what leads by
    # 7 nats. In pictures without hands, what was really there never trailed by 3.
    contrary: float = 7.0
    # And it must speak for itself: where nothing fits, the least bad is not what is there, and
    # the smooth inside of a hand looks a little (1.8 nats) like an empty cell.
    support: float = 2.0
    # What a cell can cost a hypothesis at most. A cell misread with all confidence shall cost
    # less than two that are seen well, or it would make the turn that hides it the likeliest.
    most: float = 15.0


DEMANDS = Demands()


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that looks otherwise than it should; None is nothing there."""

    cell: Cell
    expected: Standing | None
    seen: Piece | None
    nats: float  # by how much what is seen is likelier than what was expected
    sentence: str


@dataclass(frozen=True, slots=True)
class Exact:
    """Those turns were made, one after the other, and nothing else comes near."""

    turns: Turns
    margin: float

    @property
    def turn(self) -> AnyTurn:
        """The last of them."""
        return self.turns[-1]


@dataclass(frozen=True, slots=True)
class NoChange:
    """The table still shows what it showed."""

    margin: float


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Not enough is seen to be sure. The likeliest come first; () stands for no change.

    A single choice is the only one that fits, but not well enough seen to be relied on.
    """

    choices: tuple[Turns, ...]
    margin: float
    cells: tuple[Cell, ...]  # that would decide if they were seen better


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Nothing that may be on the table looks like this.

    The differences are told from the table after the turns in `nearest`, mostly none.
    """

    differences: tuple[Difference, ...]
    nearest: Turns


Inference = Exact | NoChange | Ambiguous | Mismatch


@dataclass(frozen=True, slots=True)
class Checked:
    """How a table differs from a position, and which cells are not seen well enough to tell."""

    differences: tuple[Difference, ...]
    unseen: tuple[Cell, ...]


def infer(
    hypotheses: Hypotheses,
    evidence: Evidence,
    meanings: Mapping[int, Piece],
    demands: Demands = DEMANDS,
) -> Inference:
    """The turns that were made, if they explain all that is seen and nothing else comes near.

    `meanings` says what each tag is, as `vision.tags.pieces` has it.
    """
    seen = _weighed(hypotheses, evidence, meanings, demands)
    # Compared with the table at rest: only the cells count in which a hypothesis differs.
    totals = hypotheses.instead @ (seen.losses - seen.losses[hypotheses.cells])
    order = np.argsort(totals, kind="stable")  # among equals, no change comes first
    best = int(order[0])
    ranked = hypotheses.choice[order]
    rivals = order[ranked != ranked[0]]
    margin = float(totals[rivals[0]] - totals[best]) if len(rivals) else demands.most
    near = order[totals[order] - totals[best] < demands.margin]

    turns, expected = hypotheses.choices[ranked[0]], _expected(hypotheses, best)
    if differences := _differences(hypotheses, seen, expected, demands):
        # People are told from where they started, unless a turn explains clearly more.
        unlike = _differences(hypotheses, seen, np.arange(hypotheses.grid.size), demands)
        if unlike and totals[best] > -demands.margin:
            return Mismatch(unlike, ())
        return Mismatch(differences, turns)

    faint = seen.leads < demands.lead
    doubts = expected[seen.losses[expected] >= demands.lead]
    if margin < demands.margin or len(doubts) or (hypotheses.decisive[best] & faint).any():
        undecided = np.append(np.flatnonzero(hypotheses.instead[near].any(axis=0) & faint), doubts)
        return Ambiguous(
            tuple(hypotheses.choices[i] for i in dict.fromkeys(hypotheses.choice[near].tolist())),
            margin,
            tuple(sorted(set(hypotheses.cells[undecided].tolist()))),
        )
    return Exact(turns, margin) if turns else NoChange(margin)


def check(
    game: AnyGame,
    position: Any,
    evidence: Evidence,
    meanings: Mapping[int, Piece],
    demands: Demands = DEMANDS,
) -> Checked:
    """Whether the table shows a position at rest: to set up, and to clear up after a turn."""
    hypotheses = Hypotheses.at_rest(game, position)
    seen = _weighed(hypotheses, evidence, meanings, demands)
    differences = _differences(hypotheses, seen, np.arange(position.grid.size), demands)
    faint = set(np.flatnonzero(seen.leads < demands.lead).tolist())
    return Checked(differences, tuple(sorted(faint - {each.cell for each in differences})))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """How well each expectation fits what is seen."""

    scores: Reals  # of all that can be on a cell, by cell
    others: Reals  # how well anything else fits
    leads: Reals  # how much better than that
    losses: Reals  # how much worse than that, at most so much


def _weighed(
    hypotheses: Hypotheses, evidence: Evidence, meanings: Mapping[int, Piece], demands: Demands
) -> _Weighed:
    scores = hypotheses.vocabulary.scores(evidence, meanings)
    spread, masks = scores[hypotheses.cells], hypotheses.masks
    fits = np.where(masks, spread, -np.inf).max(axis=1)
    others = np.where(masks, -np.inf, spread).max(axis=1)
    leads = fits - others
    return _Weighed(scores, others, leads, np.clip(-leads, 0.0, demands.most))


def _expected(hypotheses: Hypotheses, hypothesis: int) -> Ints:
    """The expectations of a hypothesis, by cell."""
    expected = np.arange(hypotheses.grid.size)
    instead = np.flatnonzero(hypotheses.instead[hypothesis])
    expected[hypotheses.cells[instead]] = instead
    return expected


def _differences(
    hypotheses: Hypotheses, seen: _Weighed, expectations: Ints, demands: Demands
) -> tuple[Difference, ...]:
    """The cells where something else is much likelier than what is expected there."""
    words, found = hypotheses.vocabulary, []
    for cell, index in enumerate(expectations.tolist()):
        nats = float(seen.losses[index])
        if nats >= demands.contrary and seen.others[index] >= demands.support:
            expected = words.standing(hypotheses.contents[index])
            there = words.piece(int(seen.scores[cell].argmax()))
            sentence = f"{hypotheses.grid.name(cell)}: {_said(hypotheses, expected, there)}"
            found.append(Difference(cell, expected, there, nats, sentence))
    return tuple(found)


def _said(hypotheses: Hypotheses, expected: Standing | None, seen: Piece | None) -> str:
    def called(piece: Piece | Standing) -> str:
        return f"{piece.kind} of {hypotheses.game.players[piece.owner]}"

    if expected is None:
        return f"a {called(seen)} stands here, but nothing should" if seen else "nothing is here"
    if seen is None:
        return f"a {called(expected)} should stand here, but nothing does"
    if (seen.kind, seen.owner) != (expected.kind, expected.owner):
        return f"a {called(expected)} should stand here, not a {called(seen)}"
    turn = shortest_turn(hypotheses.grid.headings, seen.orientation, expected.orientations)
    return f"the {called(seen)} should be turned {turn}"


_SHARES = {4: ("a quarter", "half"), 6: ("a sixth", "a third", "half")}


def shortest_turn(headings: int, seen: int, expected: frozenset[int]) -> str:
    """The shortest turn that puts it right: `a quarter to the left`, `half round`."""
    right = min((way - seen) % headings for way in expected)
    left = min((seen - way) % headings for way in expected)
    share = _SHARES[headings][min(left, right) - 1]
    if left == right:
        return f"{share} round" if 2 * left == headings else f"{share} to either side"
    return f"{share} to the {'right' if right < left else 'left'}"
