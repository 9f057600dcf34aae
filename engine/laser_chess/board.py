"""The fast mutable board of Laser Chess in pure Python, for the computer player and perft.

All other code uses `Position`. A property test proves that both agree. An action is
`(src, dst, new src, new dst)`: writing both makes it, writing them exchanged unmakes it. A step or
a swap exchanges the contents of two squares, a rotation exchanges a piece with its turned self.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.laser_chess.evaluation import beam_score, piece_values
from engine.laser_chess.pieces import (
    ABSORBED,
    BLUE,
    CAPTURED,
    DEFENDER,
    DEFLECTOR,
    GRID,
    HITS,
    KING,
    LASER_SQUARE,
    MAY_STAND,
    RAYS,
    ROTATIONS,
    STEPS,
    SWITCH,
)
from engine.laser_chess.position import Move, Position, repetition_key
from engine.piece_codes import KIND, ORIENTATION, OWNER, rotate_piece

Action = tuple[int, int, int, int]

# _TURNS[piece][square]: the rotations of a piece there, as actions.
_TURNS = [
    [[(s, s, piece, turned) for turned in turns] for s in range(GRID.size)]
    for piece, turns in enumerate(ROTATIONS)
]
_IS_SWAPPABLE = tuple(KIND[c] in (DEFLECTOR, DEFENDER) for c in range(41))
_IS_KING = tuple(KIND[c] == KING for c in range(41))
# A beam table is (rays, next): rays[square] lists the squares ahead, next[piece] is the table to
# continue with after the beam hits that piece. A final table has no rays; its second part is True
# if the piece is captured.
BeamTable = tuple[Sequence[tuple[int, ...]], Any]
_CAPTURED_TABLE: BeamTable = ((), True)
_ABSORBED_TABLE: BeamTable = ((), False)


def _beam_tables() -> list[BeamTable]:
    """The first table of a beam, by the code of its laser."""
    turns: list[list[BeamTable]] = [[_ABSORBED_TABLE] * 41 for _ in range(4)]
    tables: list[BeamTable] = [(RAYS[heading], turns[heading]) for heading in range(4)]
    ends = {CAPTURED: _CAPTURED_TABLE, ABSORBED: _ABSORBED_TABLE}
    for heading in range(4):
        for piece in range(1, 41):
            hit = HITS[heading][piece]
            turns[heading][piece] = ends[hit] if hit in ends else tables[hit]
    return [_ABSORBED_TABLE, *(tables[ORIENTATION[piece]] for piece in range(1, 41))]


_BEAM_TABLES = _beam_tables()


def fire(squares: Sequence[int], laser: int) -> int:
    """The square of the piece that the laser captures, or -1."""
    at = laser
    rays, turns = _BEAM_TABLES[squares[laser]]
    while rays:
        for at in rays[at]:  # noqa: B020 - the beam continues from there
            piece = squares[at]
            if piece:
                rays, turns = turns[piece]
                break
        else:
            return -1
    return at if turns else -1


class Board:
    """A position with `play` and `take_back`."""

    __slots__ = ("_undo", "_worth", "balance", "fallen", "side", "squares", "turns_since_capture")

    def __init__(self, position: Position) -> None:
        self.squares = list(position.squares)
        self.side = position.side
        self.turns_since_capture = len(position.keys_since_capture)
        self._worth = piece_values()
        # Piece values, for Blue.
        self.balance = sum(self._worth[c][s] for s, c in enumerate(self.squares))
        self.fallen = position.king_missing()
        self._undo: list[tuple[Action, int, int, int, int]] = []

    def position(self) -> Position:
        """The same as a frozen value, without the history for the draw rules."""
        return Position(bytes(self.squares), self.side)

    def actions(self) -> list[Action]:
        """All legal actions of the side to move, even without a king."""
        squares, side = self.squares, self.side
        steps = STEPS[side]
        first, last = 1 + 20 * side, 20 + 20 * side
        first_switch, first_king = first + 4 * SWITCH, first + 4 * KING
        found: list[Action] = []
        add = found.append
        for at, piece in enumerate(squares):
            if piece and first <= piece <= last:
                found += _TURNS[piece][at]
                if first_switch <= piece < first_king:
                    for to in steps[at]:
                        other = squares[to]
                        if not other or (_IS_SWAPPABLE[other] and MAY_STAND[OWNER[other]][at]):
                            add((at, to, other, piece))
                else:
                    for to in steps[at]:
                        if not squares[to]:
                            add((at, to, 0, piece))
        return found

    def play(self, action: Action) -> None:
        """Make the action, fire the mover's laser, remove a captured piece."""
        src, dst, src_after, dst_after = action
        squares, balance, table = self.squares, self.balance, self._worth
        turns_since_capture = self.turns_since_capture
        squares[src] = src_after
        squares[dst] = dst_after
        if src != dst:
            stayed, moved = table[src_after], table[dst_after]
            self.balance += stayed[src] - stayed[dst] + moved[dst] - moved[src]
        else:
            self.balance += table[dst_after][dst] - table[src_after][src]
        self.turns_since_capture += 1
        hit = fire(squares, LASER_SQUARE[self.side])
        victim = 0
        if hit >= 0:
            victim = squares[hit]
            squares[hit] = 0
            self.balance -= table[victim][hit]
            self.turns_since_capture = 0
            if _IS_KING[victim]:
                self.fallen = OWNER[victim]
        self._undo.append((action, hit, victim, balance, turns_since_capture))
        self.side ^= 1

    def take_back(self) -> None:
        """Undo the last `play`."""
        action, hit, victim, self.balance, self.turns_since_capture = self._undo.pop()
        src, dst, src_after, dst_after = action
        squares = self.squares
        if hit >= 0:
            squares[hit] = victim
            self.fallen = None
        squares[src] = dst_after
        squares[dst] = src_after
        self.side ^= 1

    def perft(self, depth: int) -> int:
        """Count all sequences of `depth` turns, with every beam played."""
        if depth == 1:
            return self._leaves()
        count = 0
        for action in self.actions():
            self.play(action)
            if self.fallen is None:
                count += self.perft(depth - 1)
            self.take_back()
        return count

    def _leaves(self) -> int:
        """Make, fire and unmake every action. Returns their number.

        Inlines `play`, `fire` and `take_back` for speed.
        """
        squares, laser, tables = self.squares, LASER_SQUARE[self.side], _BEAM_TABLES
        actions = self.actions()
        for src, dst, src_after, dst_after in actions:
            squares[src] = src_after
            squares[dst] = dst_after
            at = laser
            rays, turns = tables[squares[laser]]
            while rays:
                for at in rays[at]:  # noqa: B020
                    piece = squares[at]
                    if piece:
                        rays, turns = turns[piece]
                        break
                else:
                    break
            else:
                if turns:
                    victim = squares[at]
                    squares[at] = 0
                    squares[at] = victim
            squares[src] = dst_after
            squares[dst] = src_after
        return len(actions)

    # -- for the computer player ---------------------------------------------------------------

    @property
    def winner(self) -> int | None:
        """The winner. No turn of Laser Chess is a draw by itself."""
        return None if self.fallen is None else 1 - self.fallen

    def key(self) -> bytes:
        return repetition_key(bytes(self.squares), self.side)

    def score(self) -> int:
        """The evaluation for the side to move, in hundredths of a deflector."""
        score = self.balance + beam_score(self.squares, self.side)
        return score if self.side == BLUE else -score

    def guess(self) -> int:
        """The evaluation of the pieces alone, without beams."""
        return self.balance if self.side == BLUE else -self.balance

    def move(self, action: Action) -> Move:
        src, dst, src_after, dst_after = action
        if src == dst:
            turn = (ORIENTATION[dst_after] - ORIENTATION[src_after] + 1) % 4 - 1
            return Move(src, src, turn=turn)
        return Move(src, dst, swap=src_after != 0)

    def action(self, move: Move) -> Action | None:
        src, dst, squares = move.src, move.dst, self.squares
        if not (0 <= src < GRID.size and 0 <= dst < GRID.size):
            return None
        if move.turn:
            if move.turn not in (1, -1) or move.swap or src != dst:
                return None
            turned = rotate_piece(squares[src], move.turn) if squares[src] else 0
            return src, src, squares[src], turned
        return src, dst, squares[dst], squares[src]
