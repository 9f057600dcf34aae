"""Photon on one mutable board, for the computer player: make and unmake, all beams in lockstep.

This is the tracer of `engine.beam` written out for small numbers; a property test proves that
both agree. What the beams do is read from the squares they come to: while none of them changes,
they stay as they are, and are not fired again. An action is `(src, dst, what src becomes, what
dst becomes)`, as in Laser Chess; the pass writes a square that does not change.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.board import DRAWN
from engine.codes import KIND, ORIENTATION, OWNER, rotated
from engine.photon.judgement import Volley, promise, worth
from engine.photon.pieces import AHEAD, GRID, HIT, KING, NEAR, RED, SHOOTER, TURNABLE, damaged
from engine.photon.state import PASS, Move, Position

Action = tuple[int, int, int, int]

_ROTATIONS = (
    (),
    *((rotated(c, 1), rotated(c, -1)) if KIND[c] in TURNABLE else () for c in range(1, 41)),
)
_SHOOTERS = tuple(KIND[c] == SHOOTER for c in range(41))


def fire(squares: bytes | bytearray, table: Sequence[Sequence[int]], meeting: bool) -> Volley:
    """Every shooter at once; a square is struck once for each beam that hits what is there."""
    beams = [(s, ORIENTATION[c], OWNER[c]) for s, c in enumerate(squares) if _SHOOTERS[c]]
    struck: list[int] = []
    touched = [0, 0]
    for at, _, owner in beams:
        touched[owner] |= 1 << at
    while beams:
        moving = []
        for at, heading, owner in beams:
            to = AHEAD[heading][at]
            if to >= 0:
                moving.append((at, to, heading, owner))
        if meeting and len(moving) > 1:
            crossing = {(at, to) for at, to, _, _ in moving}
            moving = [m for m in moving if (m[1], m[0]) not in crossing]
        for _, to, _, owner in moving:
            touched[owner] |= 1 << to
        if meeting and len({to for _, to, _, _ in moving}) < len(moving):
            moving = _met(squares, table, moving)
        beams = []
        for _, to, heading, owner in moving:
            piece = squares[to]
            if not piece:
                beams.append((to, heading, owner))
                continue
            onward = table[heading][piece]
            if onward == HIT:
                struck.append(to)
            else:
                beams.append((to, onward, owner))
    return Volley(struck, (touched[0], touched[1]))


def _met(
    squares: bytes | bytearray,
    table: Sequence[Sequence[int]],
    moving: list[tuple[int, int, int, int]],
) -> list[tuple[int, int, int, int]]:
    """What is left when several beams come to one square in the same step."""
    left = []
    for beam in moving:
        _, to, heading, _ = beam
        others = {h for _, t, h, _ in moving if t == to and h != heading}
        if others:
            piece = squares[to]
            if not piece:
                continue
            onward = table[heading][piece]
            if onward != HIT and (onward + 2) % 4 in others:
                continue
        left.append(beam)
    return left


class Board:
    """A position that can be played on and taken back."""

    __slots__ = (
        *("_meeting", "_table", "_undo", "_volley", "_worth"),
        *("balance", "quiet", "side", "squares", "winner"),
    )

    def __init__(self, position: Position, table: Sequence[Sequence[int]], meeting: bool) -> None:
        self.squares = bytearray(position.squares)
        self.side = position.side
        self.winner: int | None = None
        self._worth = worth()
        self.balance = sum(self._worth[c] for c in self.squares)  # seen from Red
        self._table, self._meeting = table, meeting
        self.quiet = len(position.quiet)
        self._undo: list[tuple[Action, list[tuple[int, int]], int, Volley | None]] = []
        self._volley: Volley | None = None  # of the board as it is, once it has been fired
        self._judge()

    def position(self) -> Position:
        """The same, frozen, without what only the draw rules remember."""
        return Position(bytes(self.squares), self.side)

    def actions(self) -> list[Action]:
        """Every legal action of the side to move; a pass if there is none."""
        squares, side = self.squares, self.side
        first, last = 1 + 20 * side, 20 + 20 * side
        found: list[Action] = []
        for at, piece in enumerate(squares):
            if first <= piece <= last:
                found += [(at, at, piece, turned) for turned in _ROTATIONS[piece]]
                found += [(at, to, 0, piece) for to in NEAR[at] if not squares[to]]
        return found or [(0, 0, squares[0], squares[0])]

    def play(self, action: Action) -> None:
        """Make the action, fire every shooter, take the damage off."""
        src, dst, src_after, dst_after = action
        squares = self.squares
        before = self._volley
        self._undo.append((action, [], self.quiet, before))
        self.quiet += 1
        squares[src] = src_after
        squares[dst] = dst_after
        if before is None or (before.touched[0] | before.touched[1]) & (1 << src | 1 << dst):
            self._volley = None
        struck = self._fired().struck
        if struck:
            self._volley = None
            self._damage(struck)
        self.side ^= 1

    def _fired(self) -> Volley:
        if self._volley is None:
            self._volley = fire(self.squares, self._table, self._meeting)
        return self._volley

    def _damage(self, struck: list[int]) -> None:
        squares, losses = self.squares, self._undo[-1][1]
        self.quiet = 0
        for at in set(struck):
            before = squares[at]
            after = damaged(before, struck.count(at))
            losses.append((at, before))
            squares[at] = after
            self.balance += self._worth[after] - self._worth[before]
        self._judge()

    def _judge(self) -> None:
        alive = {OWNER[c] for c in self.squares if KIND[c] == KING}
        if len(alive) == 1:
            (self.winner,) = alive
        elif not alive or not any(_SHOOTERS[c] for c in self.squares):
            self.winner = DRAWN

    def take_back(self) -> None:
        """Undo the last `play`."""
        (src, dst, src_after, dst_after), losses, self.quiet, self._volley = self._undo.pop()
        squares = self.squares
        for at, before in losses:
            self.balance += self._worth[before] - self._worth[squares[at]]
            squares[at] = before
        squares[src] = dst_after
        squares[dst] = src_after
        self.winner = None
        self.side ^= 1

    def perft(self, depth: int) -> int:
        """Play every sequence of `depth` turns to its last beam, and count them."""
        count = 0
        for action in self.actions():
            self.play(action)
            if depth == 1:
                count += 1
            elif self.winner is None:
                count += self.perft(depth - 1)
            self.take_back()
        return count

    # -- for the computer player ---------------------------------------------------------------

    def key(self) -> bytes:
        return bytes(self.squares) + bytes((self.side,))

    def score(self) -> int:
        """How good it is for the side to move, in hundredths of a mirror."""
        score = self.balance + promise(self.squares, self.side, self._table, self._fired())
        return score if self.side == RED else -score

    def guess(self) -> int:
        """The same by what the pieces are worth, and no beam."""
        return self.balance if self.side == RED else -self.balance

    def move(self, action: Action) -> Move:
        src, dst, src_after, dst_after = action
        if src != dst:
            return Move(src, dst)
        turn = (ORIENTATION[dst_after] - ORIENTATION[src_after] + 1) % 4 - 1
        return Move(src, src, turn) if turn else PASS

    def action(self, move: Move) -> Action | None:
        src, dst, squares = move.src, move.dst, self.squares
        if move == PASS:
            return 0, 0, squares[0], squares[0]
        if not (0 <= src < GRID.size and 0 <= dst < GRID.size):
            return None
        if move.turn:
            if move.turn not in (1, -1) or src != dst:
                return None
            turned = rotated(squares[src], move.turn) if squares[src] else 0
            return src, src, squares[src], turned
        return src, dst, squares[dst], squares[src]
