"""A turn as what hands do on a table: carry a piece, swap two, turn one. Pure.

For simulated people; a real one is shown the same by light (`controller.light.to_be_made`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engine.game import AnyGame, AnyTurn, Player, Standing
from engine.grid import Cell


@dataclass(frozen=True, slots=True)
class Carry:
    """A piece from one cell to another that is free."""

    source: Cell
    target: Cell


@dataclass(frozen=True, slots=True)
class Swap:
    """Two pieces change places."""

    first: Cell
    second: Cell


@dataclass(frozen=True, slots=True)
class Twist:
    """A piece is turned where it stands, clockwise."""

    cell: Cell
    degrees: float


Deed = Carry | Swap | Twist


def deeds(
    game: AnyGame, turn: AnyTurn, facing: Mapping[Cell, int], hands: Collection[Player] = (0, 1)
) -> tuple[Deed, ...] | None:
    """What those hands must do for the turn, before a beam is fired; None if no table shows it.

    `facing` is how each piece stands now.
    """
    wanted = game.carried_out(turn, facing, hands)
    if wanted is None:
        return None
    before, headings = game.standing(turn.before), turn.before.grid.headings
    left = {cell: each for cell, each in before.items() if _other(wanted.get(cell), each)}
    came = {cell: each for cell, each in wanted.items() if _other(before.get(cell), each)}
    done: list[Deed] = []
    faced = dict(facing)
    while left:
        source, piece = left.popitem()
        target = next(cell for cell, each in came.items() if not _other(each, piece))
        del came[target]
        faced[target], other = facing[source], before.get(target)
        if other is None:
            done.append(Carry(source, target))
            continue
        done.append(Swap(source, target))
        left.pop(target)
        came.pop(source)
        faced[source] = facing[target]
    for cell, each in wanted.items():
        if faced[cell] not in each.orientations:
            ways = [(way - faced[cell]) % headings for way in each.orientations]
            steps = min((way if 2 * way <= headings else way - headings for way in ways), key=abs)
            done.append(Twist(cell, 360 / headings * steps))
    return tuple(done)


def _other(one: Standing | None, two: Standing) -> bool:
    """Whether another sort of piece stands there, or none."""
    return one is None or (one.kind, one.owner) != (two.kind, two.owner)
