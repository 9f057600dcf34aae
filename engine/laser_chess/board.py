"""Laser Chess as fast as plain Python goes: one mutable board, make and unmake, fire by rays.

The computer player and perft live here; everyone else uses `Position`. The two are one truth,
proved by a property test. An action is `(src, dst, what src becomes, what dst becomes)`: writing
both makes it, writing them the other way round unmakes it. A step or a swap exchanges what stands
on two squares; a rotation, on one square, exchanges a piece with its turned self.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.codes import KIND, ORIENTATION, OWNER, rotated
from engine.laser_chess.judgement import promise, worth
from engine.laser_chess.pieces import (
    BLUE,
    DEFENDER,
    DEFLECTOR,
    GRID,
    HITS,
    HOME,
    KILL,
    KING,
    LASER_SQUARE,
    NOTHING,
    RAYS,
    ROTATIONS,
    STEPS,
    SWITCH,
)
from engine.laser_chess.position import Move, Position, arrangement

Action = tuple[int, int, int, int]

# _TURNS[piece][square]: the rotations of a piece there, as actions.
_TURNS = [
    [[(s, s, piece, turned) for turned in turns] for s in range(GRID.size)]
    for piece, turns in enumerate(ROTATIONS)
]
_SWAPS = tuple(KIND[c] in (DEFLECTOR, DEFENDER) for c in range(41))
_KINGS = tuple(KIND[c] == KING for c in range(41))
# A beam's way is a pair: the ray that it follows from each square, and the way that each piece
# turns it into. A way without rays is the end, with or without a capture.
Way = tuple[Sequence[tuple[int, ...]], Any]
_CAPTURED: Way = ((), True)
_ABSORBED: Way = ((), False)


def _ways() -> list[Way]:
    """The way on which each laser sends its beam, by the laser's code."""
    turns: list[list[Way]] = [[_ABSORBED] * 41 for _ in range(4)]
    ways: list[Way] = [(RAYS[heading], turns[heading]) for heading in range(4)]
    ends = {KILL: _CAPTURED, NOTHING: _ABSORBED}
    for heading in range(4):
        for piece in range(1, 41):
            hit = HITS[heading][piece]
            turns[heading][piece] = ends[hit] if hit in ends else ways[hit]
    return [_ABSORBED, *(ways[ORIENTATION[piece]] for piece in range(1, 41))]


_WAYS = _ways()


def fire(squares: Sequence[int], laser: int) -> int:
    """The square of the piece that the laser captures, or -1."""
    at = laser
    rays, turns = _WAYS[squares[laser]]
    while rays:
        for at in rays[at]:  # noqa: B020 - the beam goes on from where it is
            piece = squares[at]
            if piece:
                rays, turns = turns[piece]
                break
        else:
            return -1
    return at if turns else -1


class Board:
    """A position that can be played on and taken back."""

    __slots__ = ("_undo", "_worth", "balance", "fallen", "quiet", "side", "squares")

    def __init__(self, position: Position) -> None:
        self.squares = list(position.squares)
        self.side = position.side
        self.quiet = len(position.quiet)
        self._worth = worth()
        self.balance = sum(self._worth[c][s] for s, c in enumerate(self.squares))  # for Blue
        self.fallen = position.king_missing()
        self._undo: list[tuple[Action, int, int, int, int]] = []

    def position(self) -> Position:
        """The same, frozen. What only the draw rules remember is not known here."""
        return Position(bytes(self.squares), self.side)

    def actions(self) -> list[Action]:
        """Every legal action of the side to move, whether or not a king is still there."""
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
                        if not other or (_SWAPS[other] and HOME[OWNER[other]][at]):
                            add((at, to, other, piece))
                else:
                    for to in steps[at]:
                        if not squares[to]:
                            add((at, to, 0, piece))
        return found

    def play(self, action: Action) -> None:
        """Make the action, fire the mover's laser, remove what it captures."""
        src, dst, src_after, dst_after = action
        squares, balance, quiet, table = self.squares, self.balance, self.quiet, self._worth
        squares[src] = src_after
        squares[dst] = dst_after
        if src != dst:
            stayed, moved = table[src_after], table[dst_after]
            self.balance += stayed[src] - stayed[dst] + moved[dst] - moved[src]
        else:
            self.balance += table[dst_after][dst] - table[src_after][src]
        self.quiet += 1
        hit = fire(squares, LASER_SQUARE[self.side])
        victim = 0
        if hit >= 0:
            victim = squares[hit]
            squares[hit] = 0
            self.balance -= table[victim][hit]
            self.quiet = 0
            if _KINGS[victim]:
                self.fallen = OWNER[victim]
        self._undo.append((action, hit, victim, balance, quiet))
        self.side ^= 1

    def take_back(self) -> None:
        """Undo the last `play`."""
        (src, dst, src_after, dst_after), hit, victim, self.balance, self.quiet = self._undo.pop()
        squares = self.squares
        if hit >= 0:
            squares[hit] = victim
            self.fallen = None
        squares[src] = dst_after
        squares[dst] = src_after
        self.side ^= 1

    def perft(self, depth: int) -> int:
        """Play every sequence of `depth` turns to its last beam, and count them."""
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
        """Make every action, fire, unmake it; returns how many there were.

        `play`, `fire` and `take_back` written out, for the sake of speed alone.
        """
        squares, laser, ways = self.squares, LASER_SQUARE[self.side], _WAYS
        actions = self.actions()
        for src, dst, src_after, dst_after in actions:
            squares[src] = src_after
            squares[dst] = dst_after
            at = laser
            rays, turns = ways[squares[laser]]
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
        """Who has won; no turn of Laser Chess ends in a draw of itself."""
        return None if self.fallen is None else 1 - self.fallen

    def key(self) -> bytes:
        return arrangement(bytes(self.squares), self.side)

    def score(self) -> int:
        """How good it is for the side to move, in hundredths of a deflector."""
        score = self.balance + promise(self.squares, self.side)
        return score if self.side == BLUE else -score

    def guess(self) -> int:
        """The same by what the pieces are worth where they stand, and no beam."""
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
            turned = rotated(squares[src], move.turn) if squares[src] else 0
            return src, src, squares[src], turned
        return src, dst, squares[dst], squares[src]
