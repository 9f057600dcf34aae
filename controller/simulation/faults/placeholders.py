"""A fault's sentences with names in the place of capitals, as the table stands at that moment."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from controller.session.hand_actions import Carry, HandAction, Rotate, Swap
from controller.session.state import Session
from controller.simulation.faults.ground_truth import TableState
from engine.grid import Cell
from vision.tags import CORNERS, TAGS

CROOKED_DEGREES = 25, 38
SHIFT_PX = 4, 16


class NoFittingTarget(ValueError):
    """There is nothing here that it could happen to."""


def fill_placeholders(
    sentences: Sequence[str],
    session: Session,
    table_state: TableState,
    rng: Random,
    done: Sequence[HandAction] = (),
) -> list[str]:
    """Those sentences for that table; `done` is what hands have just done."""
    game, grid = session.game, session.setup.board.board.grid
    cells = list(range(grid.size))
    rng.shuffle(cells)
    moved = _target_cell(done) or _own_piece_cell(session, table_state, cells)
    held = [cell for cell in cells if cell in table_state.pieces and cell != moved]
    free = [cell for cell in cells if cell not in table_state.pieces]
    words: dict[str, str] = {"WHO": rng.choice(game.players)}
    if moved is not None:
        words["MOVED"] = grid.name(moved)
        beside = [n for h in range(grid.headings) if (n := grid.ahead(moved, h)) is not None]
        words["NEAR"] = grid.name(rng.choice(beside))
    if held:
        words["PIECE"] = grid.name(held[0])
        one = table_state.pieces[held[0]]
        sort = (one.kind, one.owner)
        others = [
            c for c in held if (table_state.pieces[c].kind, table_state.pieces[c].owner) != sort
        ]
        if others:
            words["OTHER"] = grid.name(others[0])
    if free:
        words["FREE"] = grid.name(free[0])
    strange = [
        tag for tag in TAGS if tag not in CORNERS and tag not in session.setup.board.pieces_by_tag
    ]
    if strange:
        words["TAG"] = str(rng.choice(strange))
    words["CROOKED"] = str(rng.choice((-1, 1)) * rng.randint(*CROOKED_DEGREES))
    words["SHIFT"] = str(rng.randint(*SHIFT_PX))
    return [_fill_sentence(sentence, words) for sentence in sentences]


def _fill_sentence(sentence: str, words: dict[str, str]) -> str:
    filled_words = []
    for word in sentence.split():
        if word.isupper() and word != "LED":
            if word not in words:
                raise NoFittingTarget(f"{sentence}: there is no {word} on this table")
            word = words[word]
        filled_words.append(word)
    return " ".join(filled_words)


def _target_cell(done: Sequence[HandAction]) -> Cell | None:
    match done[-1] if done else None:
        case Carry(_, target):
            return target
        case Swap(_, second):
            return second
        case Rotate(cell, _):
            return cell
        case None:
            return None


def _own_piece_cell(session: Session, stood: TableState, cells: Sequence[Cell]) -> Cell | None:
    """A piece of whoever is to move."""
    pieces = stood.pieces
    return next((c for c in cells if c in pieces and pieces[c].owner in session.to_move), None)
