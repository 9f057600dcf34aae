"""What really stands on a simulated table, and whether a turn is what it shows: told from the
things themselves and the rules, never from what the camera or the session believes."""

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

ON_CELL_SHARE = 0.35  # of a cell: with its middle so near to a cell's, a piece stands on it


@dataclass(frozen=True)
class TableState:
    """Pieces by cell, as their tags say, and what else is on the board."""

    pieces: Mapping[Cell, Piece]
    misplaced: frozenset[Cell] = (
        frozenset()
    )  # nearest to which a piece is between cells, or a second
    foreign: frozenset[Cell] = frozenset()  # where something lies that is no piece of the game

    def without(self, cells: Collection[Cell]) -> TableState:
        """What stands elsewhere."""
        pieces = {cell: piece for cell, piece in self.pieces.items() if cell not in cells}
        return TableState(pieces, self.misplaced.difference(cells), self.foreign.difference(cells))

    @property
    def facing(self) -> dict[Cell, int]:
        return {cell: piece.orientation for cell, piece in self.pieces.items()}


def read_table_state(
    board: PhysicalBoard, things: Iterable[ScenePiece], meanings: Mapping[int, Piece]
) -> TableState:
    """How those things stand."""
    centres, headings = board.centres_mm(), board.grid.headings
    pieces: dict[Cell, Piece] = {}
    astray, foreign = set[Cell](), set[Cell]()
    for thing in things:
        away = [hypot(thing.x_mm - x, thing.y_mm - y) for x, y in centres.tolist()]
        cell = away.index(min(away))
        meant = meanings.get(thing.tag)
        if meant is None:
            foreign.add(cell)
            continue
        if cell in pieces or away[cell] > ON_CELL_SHARE * board.cell_mm:
            astray.add(cell)
            continue
        turned = heading_of(board.grid, thing.angle_degrees)
        pieces[cell] = replace(meant, orientation=(meant.orientation + turned) % headings)
    return TableState(pieces, frozenset(astray), frozenset(foreign))


def table_shows_turn(
    game: AnyGame,
    turn: AnyTurn,
    facing: Mapping[Cell, int],
    now: TableState,
    hands: Collection[Player] = (0, 1),
    unseen: Collection[Cell] = (),
) -> bool:
    """Whether the table shows that turn as hands leave it, what it captures there or gone.

    What is wrong on `unseen` cells does not count, unless the turn itself changes them.
    Where both act at once, `hands` are those of people: a computer's piece is moved afterwards.
    Also if the next turn was made on top of it already. What is no piece of the game may lie
    wherever none should stand: it has no part in the turn.
    """
    beside = set(unseen).difference(changed_cells(turn.before, turn.aimed))
    now = now.without(beside)
    if now.misplaced:
        return False
    gone = {loss.cell for loss in turn.removed} | beside
    wanted = game.expected_after_moves(turn, facing, hands)
    if wanted is not None and _fits(wanted, now, beside | _unmoved(turn, gone)):
        return True
    if turn.outcome is not None:
        return False
    return any(
        (both := game.expected_after_moves(then, facing, hands)) is not None
        and _fits(both, now, gone | _unmoved(then, {loss.cell for loss in then.removed}))
        for then in game.turns(turn.after)
    )


def table_shows_position(game: AnyGame, position: object, now: TableState) -> bool:
    """Whether the table shows a position at rest."""
    return not (now.misplaced or now.foreign) and _fits(game.expected_pieces(position), now, set())


def session_table_state(session: Session, things: Iterable[ScenePiece]) -> TableState:
    """How things stand on the table of that session."""
    return read_table_state(session.setup.board.board, things, session.setup.board.pieces_by_tag)


def _fits(wanted: Mapping[Cell, ExpectedPiece], now: TableState, may_be_gone: set[Cell]) -> bool:
    if now.foreign & wanted.keys():
        return False
    for cell in wanted.keys() | now.pieces.keys():
        piece, stands = now.pieces.get(cell), wanted.get(cell)
        if piece is None and cell in may_be_gone:
            continue
        if stands is None and cell in may_be_gone:
            continue  # captured, and not taken off yet
        if piece is None or stands is None or not stands.accepts(piece):
            return False
    return True


def _unmoved(turn: AnyTurn, cells: set[Cell]) -> set[Cell]:
    """Those of them on which the same piece stood before the turn."""
    before, aimed = turn.before.pieces, turn.aimed.pieces
    return {cell for cell in cells if before.get(cell) == aimed.get(cell)}
