"""Fills the placeholders of a fault's sentences with cells, players and numbers."""

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
    """The table has no target for a placeholder."""


def fill_placeholders(
    sentences: Sequence[str],
    session: Session,
    table_state: TableState,
    rng: Random,
    actions: Sequence[HandAction] = (),
) -> list[str]:
    """Fill the placeholders for this table; `actions` are the last actions of the hands."""
    game, grid = session.game, session.setup.fitted_board.board.grid
    cells = list(range(grid.size))
    rng.shuffle(cells)
    moved = _target_cell(actions) or _own_piece_cell(session, table_state, cells)
    held = [cell for cell in cells if cell in table_state.pieces and cell != moved]
    free = [cell for cell in cells if cell not in table_state.pieces]
    words: dict[str, str] = {"WHO": rng.choice(game.players)}
    if moved is not None:
        words["MOVED"] = grid.name(moved)
        neighbours = [n for h in range(grid.headings) if (n := grid.ahead(moved, h)) is not None]
        words["NEAR"] = grid.name(rng.choice(neighbours))
    if held:
        words["PIECE"] = grid.name(held[0])
        pieces = table_state.pieces
        first = pieces[held[0]]
        others = [c for c in held if (pieces[c].kind, pieces[c].owner) != (first.kind, first.owner)]
        if others:
            words["OTHER"] = grid.name(others[0])
    if free:
        words["FREE"] = grid.name(free[0])
    foreign = [
        tag
        for tag in TAGS
        if tag not in CORNERS and tag not in session.setup.fitted_board.pieces_by_tag
    ]
    if foreign:
        words["TAG"] = str(rng.choice(foreign))
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


def _target_cell(actions: Sequence[HandAction]) -> Cell | None:
    match actions[-1] if actions else None:
        case Carry(_, target):
            return target
        case Swap(_, second):
            return second
        case Rotate(cell, _):
            return cell
        case None:
            return None


def _own_piece_cell(session: Session, state: TableState, cells: Sequence[Cell]) -> Cell | None:
    """The first of the cells with a piece of the player to move."""
    pieces = state.pieces
    return next((c for c in cells if c in pieces and pieces[c].owner in session.to_move), None)
