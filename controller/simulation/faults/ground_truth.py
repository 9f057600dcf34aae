"""Ground truth of a simulated table: the pieces on it, and whether they show a given turn.

It uses only the simulated objects and the rules, never the camera or the session's reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from math import hypot

from controller.session.state import Session
from engine.draw.words import changed_cells
from engine.game import AnyGame, AnyTurn, ExpectedPiece, Piece, Player
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.scene import ScenePiece
from vision.scene.table import heading_of

ON_CELL_SHARE = 0.35  # a piece stands on a cell if it is off-centre by less, in cells


@dataclass(frozen=True)
class TableState:
    """Pieces by cell, according to their tags, and other objects on the board."""

    pieces: Mapping[Cell, Piece]
    misplaced: frozenset[Cell] = frozenset()  # with a piece between cells, or a second piece
    foreign: frozenset[Cell] = frozenset()  # with an object that is not a piece of the game

    def without(self, cells: Collection[Cell]) -> TableState:
        """The state of all other cells."""
        pieces = {cell: piece for cell, piece in self.pieces.items() if cell not in cells}
        return TableState(pieces, self.misplaced.difference(cells), self.foreign.difference(cells))

    @property
    def facing(self) -> dict[Cell, int]:
        return {cell: piece.orientation for cell, piece in self.pieces.items()}


def read_table_state(
    board: PhysicalBoard, objects: Iterable[ScenePiece], pieces_by_tag: Mapping[int, Piece]
) -> TableState:
    """The state of a board with these objects; `pieces_by_tag` names the pieces of the game."""
    centres, headings = board.centres_mm(), board.grid.headings
    pieces: dict[Cell, Piece] = {}
    misplaced, foreign = set[Cell](), set[Cell]()
    for each in objects:
        distances_mm = [hypot(each.x_mm - x, each.y_mm - y) for x, y in centres.tolist()]
        cell = distances_mm.index(min(distances_mm))
        piece = pieces_by_tag.get(each.tag)
        if piece is None:
            foreign.add(cell)
            continue
        if cell in pieces or distances_mm[cell] > ON_CELL_SHARE * board.cell_mm:
            misplaced.add(cell)
            continue
        turned = heading_of(board.grid, each.angle_degrees)
        pieces[cell] = replace(piece, orientation=(piece.orientation + turned) % headings)
    return TableState(pieces, frozenset(misplaced), frozenset(foreign))


def table_shows_turn(
    game: AnyGame,
    turn: AnyTurn,
    facing: Mapping[Cell, int],
    now: TableState,
    moved_by_hand: Collection[Player] = (0, 1),
    unseen: Collection[Cell] = (),
) -> bool:
    """Whether the table shows that turn, with captured pieces on it or taken off.

    Differences on `unseen` cells do not count, unless the turn changes these cells. If both
    players move simultaneously, `moved_by_hand` names the people: the computer's piece is moved
    later. The next turn may already have been made, too. Foreign objects on empty cells do not
    count.
    """
    ignored = set(unseen).difference(changed_cells(turn.before, turn.aimed))
    now = now.without(ignored)
    if now.misplaced:
        return False
    gone = {loss.cell for loss in turn.removed} | ignored
    expected = game.expected_after_moves(turn, facing, moved_by_hand)
    if expected is not None and _fits(expected, now, ignored | _unmoved(turn, gone)):
        return True
    if turn.outcome is not None:
        return False
    return any(
        (both := game.expected_after_moves(then, facing, moved_by_hand)) is not None
        and _fits(both, now, gone | _unmoved(then, {loss.cell for loss in then.removed}))
        for then in game.turns(turn.after)
    )


def table_shows_position(game: AnyGame, position: object, now: TableState) -> bool:
    """Whether the table shows exactly that position."""
    return not (now.misplaced or now.foreign) and _fits(game.expected_pieces(position), now, set())


def session_table_state(session: Session, objects: Iterable[ScenePiece]) -> TableState:
    """The state of that session's board with these objects."""
    return read_table_state(
        session.setup.fitted_board.board, objects, session.setup.fitted_board.pieces_by_tag
    )


def _fits(expected: Mapping[Cell, ExpectedPiece], now: TableState, may_be_gone: set[Cell]) -> bool:
    if now.foreign & expected.keys():
        return False
    for cell in expected.keys() | now.pieces.keys():
        piece, wanted = now.pieces.get(cell), expected.get(cell)
        if piece is None and cell in may_be_gone:
            continue
        if wanted is None and cell in may_be_gone:
            continue  # captured, and not taken off yet
        if piece is None or wanted is None or not wanted.accepts(piece):
            return False
    return True


def _unmoved(turn: AnyTurn, cells: set[Cell]) -> set[Cell]:
    """The given cells whose piece does not change before the beams."""
    before, aimed = turn.before.pieces, turn.aimed.pieces
    return {cell for cell in cells if before.get(cell) == aimed.get(cell)}
