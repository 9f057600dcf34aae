"""The fast mutable board of Photon in pure Python, for the computer player and perft.

It inlines the tracer of `engine.beam`. A property test proves that both agree. The beams depend
only on the squares they touch, so they are fired again only when one of those changes. An action
is `(src, dst, new src, new dst)`, as in Laser Chess. A pass writes a square that does not change.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.board import DRAWN
from engine.photon.evaluation import Volley, beam_score, piece_values
from engine.photon.pieces import AHEAD, GRID, HIT, KING, NEAR, RED, SHOOTER, TURNABLE, apply_hits
from engine.photon.state import PASS, Move, Position
from engine.piece_codes import KIND, ORIENTATION, OWNER, rotate_piece

Action = tuple[int, int, int, int]

_ROTATIONS = (
    (),
    *(
        (rotate_piece(c, 1), rotate_piece(c, -1)) if KIND[c] in TURNABLE else ()
        for c in range(1, 41)
    ),
)
_SHOOTERS = tuple(KIND[c] == SHOOTER for c in range(41))


def fire(squares: bytes | bytearray, table: Sequence[Sequence[int]], meeting: bool) -> Volley:
    """Fire all shooters simultaneously. `struck` has a square once for each beam that hits it."""
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
            moving = _without_met(squares, table, moving)
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


def _without_met(
    squares: bytes | bytearray,
    table: Sequence[Sequence[int]],
    moving: list[tuple[int, int, int, int]],
) -> list[tuple[int, int, int, int]]:
    """The beams that go on when several arrive at one square in the same step."""
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
    """A position with `play` and `take_back`."""

    __slots__ = (
        *("_meeting", "_table", "_undo", "_volley", "_worth"),
        *("balance", "side", "squares", "turns_since_capture", "winner"),
    )

    def __init__(self, position: Position, table: Sequence[Sequence[int]], meeting: bool) -> None:
        self.squares = bytearray(position.squares)
        self.side = position.side
        self.winner: int | None = None
        self._worth = piece_values()
        self.balance = sum(self._worth[c] for c in self.squares)  # piece values, for Red
        self._table, self._meeting = table, meeting
        self.turns_since_capture = len(position.keys_since_capture)
        self._undo: list[tuple[Action, list[tuple[int, int]], int, Volley | None]] = []
        self._volley: Volley | None = None  # of the present squares; None if not fired yet
        self._update_winner()

    def position(self) -> Position:
        """The same as a frozen value, without the history for the draw rules."""
        return Position(bytes(self.squares), self.side)

    def actions(self) -> list[Action]:
        """All legal actions of the side to move, or a pass if there is none."""
        squares, side = self.squares, self.side
        first, last = 1 + 20 * side, 20 + 20 * side
        found: list[Action] = []
        for at, piece in enumerate(squares):
            if first <= piece <= last:
                found += [(at, at, piece, turned) for turned in _ROTATIONS[piece]]
                found += [(at, to, 0, piece) for to in NEAR[at] if not squares[to]]
        return found or [(0, 0, squares[0], squares[0])]

    def play(self, action: Action) -> None:
        """Make the action, fire all shooters, apply the damage."""
        src, dst, src_after, dst_after = action
        squares = self.squares
        before = self._volley
        self._undo.append((action, [], self.turns_since_capture, before))
        self.turns_since_capture += 1
        squares[src] = src_after
        squares[dst] = dst_after
        if before is None or (before.touched[0] | before.touched[1]) & (1 << src | 1 << dst):
            self._volley = None
        struck = self._current_volley().struck
        if struck:
            self._volley = None
            self._damage(struck)
        self.side ^= 1

    def _current_volley(self) -> Volley:
        if self._volley is None:
            self._volley = fire(self.squares, self._table, self._meeting)
        return self._volley

    def _damage(self, struck: list[int]) -> None:
        squares, losses = self.squares, self._undo[-1][1]
        self.turns_since_capture = 0
        for at in set(struck):
            before = squares[at]
            after = apply_hits(before, struck.count(at))
            losses.append((at, before))
            squares[at] = after
            self.balance += self._worth[after] - self._worth[before]
        self._update_winner()

    def _update_winner(self) -> None:
        alive = {OWNER[c] for c in self.squares if KIND[c] == KING}
        if len(alive) == 1:
            (self.winner,) = alive
        elif not alive or not any(_SHOOTERS[c] for c in self.squares):
            self.winner = DRAWN

    def take_back(self) -> None:
        """Undo the last `play`."""
        action, losses, self.turns_since_capture, self._volley = self._undo.pop()
        src, dst, src_after, dst_after = action
        squares = self.squares
        for at, before in losses:
            self.balance += self._worth[before] - self._worth[squares[at]]
            squares[at] = before
        squares[src] = dst_after
        squares[dst] = src_after
        self.winner = None
        self.side ^= 1

    def perft(self, depth: int) -> int:
        """Count all sequences of `depth` turns, with every beam played."""
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
        """The evaluation for the side to move, in hundredths of a mirror."""
        score = self.balance + beam_score(
            self.squares, self.side, self._table, self._current_volley()
        )
        return score if self.side == RED else -score

    def guess(self) -> int:
        """The evaluation of the pieces alone, without beams."""
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
            turned = rotate_piece(squares[src], move.turn) if squares[src] else 0
            return src, src, squares[src], turned
        return src, dst, squares[dst], squares[src]
