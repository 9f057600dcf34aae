"""A fault's sentences with names in the place of capitals, as the table stands at that moment."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from controller.session_values import Session
from controller.simulated.chaos.truth import Stood
from controller.simulated.deeds import Carry, Deed, Swap, Twist
from engine.grid import Cell
from vision.tags import CORNERS, TAGS

CROOKED_DEGREES = 25, 38
SHIFT_PX = 4, 16


class Unfitting(ValueError):
    """There is nothing here that it could happen to."""


def filled(
    sentences: Sequence[str],
    session: Session,
    stood: Stood,
    rng: Random,
    done: Sequence[Deed] = (),
) -> list[str]:
    """Those sentences for that table; `done` is what hands have just done."""
    game, grid = session.table.game, session.table.board.grid
    cells = list(range(grid.size))
    rng.shuffle(cells)
    moved = _put_down(done) or _own(session, stood, cells)
    held = [cell for cell in cells if cell in stood.pieces and cell != moved]
    free = [cell for cell in cells if cell not in stood.pieces]
    words: dict[str, str] = {"WHO": rng.choice(game.players)}
    if moved is not None:
        words["MOVED"] = grid.name(moved)
        beside = [n for h in range(grid.headings) if (n := grid.ahead(moved, h)) is not None]
        words["NEAR"] = grid.name(rng.choice(beside))
    if held:
        words["PIECE"] = grid.name(held[0])
        one = stood.pieces[held[0]]
        sort = (one.kind, one.owner)
        others = [c for c in held if (stood.pieces[c].kind, stood.pieces[c].owner) != sort]
        if others:
            words["OTHER"] = grid.name(others[0])
    if free:
        words["FREE"] = grid.name(free[0])
    strange = [tag for tag in TAGS if tag not in CORNERS and tag not in session.table.meanings]
    if strange:
        words["TAG"] = str(rng.choice(strange))
    words["CROOKED"] = str(rng.choice((-1, 1)) * rng.randint(*CROOKED_DEGREES))
    words["SHIFT"] = str(rng.randint(*SHIFT_PX))
    return [_told(sentence, words) for sentence in sentences]


def _told(sentence: str, words: dict[str, str]) -> str:
    told = []
    for word in sentence.split():
        if word.isupper() and word != "LED":
            if word not in words:
                raise Unfitting(f"{sentence}: there is no {word} on this table")
            word = words[word]
        told.append(word)
    return " ".join(told)


def _put_down(done: Sequence[Deed]) -> Cell | None:
    match done[-1] if done else None:
        case Carry(_, target):
            return target
        case Swap(_, second):
            return second
        case Twist(cell, _):
            return cell
        case None:
            return None


def _own(session: Session, stood: Stood, cells: Sequence[Cell]) -> Cell | None:
    """A piece of whoever is to move."""
    pieces = stood.pieces
    return next((c for c in cells if c in pieces and pieces[c].owner in session.movers), None)
