"""A turn as actions of hands on a table: carry a piece, swap two, rotate one.

Simulated hands carry them out; `controller.lighting.animation` shows them to people.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engine.game import AnyGame, AnyTurn, ExpectedPiece, Player
from engine.grid import Cell


@dataclass(frozen=True, slots=True)
class Carry:
    """Carry a piece to a free cell."""

    source: Cell
    target: Cell


@dataclass(frozen=True, slots=True)
class Swap:
    """Swap two pieces."""

    first: Cell
    second: Cell


@dataclass(frozen=True, slots=True)
class Rotate:
    """Rotate a piece on its cell, clockwise."""

    cell: Cell
    degrees: float


HandAction = Carry | Swap | Rotate


def plan_hand_actions(
    game: AnyGame,
    turn: AnyTurn,
    orientations: Mapping[Cell, int],
    moved_by_hand: Collection[Player] = (0, 1),
) -> tuple[HandAction, ...] | None:
    """The actions for the moves before the beams; None if a table cannot show them.

    `moved_by_hand` names the players whose moves are made, `orientations` is the present
    orientation of each piece.
    """
    expected = game.expected_after_moves(turn, orientations, moved_by_hand)
    if expected is None:
        return None
    before, headings = game.expected_pieces(turn.before), turn.before.grid.headings
    left = {
        cell: each for cell, each in before.items() if _is_other_piece(expected.get(cell), each)
    }
    arrived = {
        cell: each for cell, each in expected.items() if _is_other_piece(before.get(cell), each)
    }
    done: list[HandAction] = []
    faced = dict(orientations)
    while left:
        source, piece = left.popitem()
        target = next(cell for cell, each in arrived.items() if not _is_other_piece(each, piece))
        del arrived[target]
        faced[target], other = orientations[source], before.get(target)
        if other is None:
            done.append(Carry(source, target))
            continue
        done.append(Swap(source, target))
        left.pop(target)
        arrived.pop(source)
        faced[source] = orientations[target]
    for cell, each in expected.items():
        if faced[cell] not in each.orientations:
            ways = [(way - faced[cell]) % headings for way in each.orientations]
            steps = min((way if 2 * way <= headings else way - headings for way in ways), key=abs)
            done.append(Rotate(cell, 360 / headings * steps))
    return tuple(done)


def _is_other_piece(one: ExpectedPiece | None, two: ExpectedPiece) -> bool:
    """Whether the two differ in kind or owner."""
    return one is None or (one.kind, one.owner) != (two.kind, two.owner)
