"""Random valid positions of Laser Chess and Photon, reproducible by the seed of `rng`.

Positions have many reflections: mirrors stand in beams and reflect them, and shooters of Photon
often aim at each other or at one square from equal distances.
"""

from __future__ import annotations

import random
from typing import Any

from .laser_chess import (
    BLUE_LASER_SQUARE,
    COLUMNS,
    RED_LASER_SQUARE,
    ROWS,
    Board,
    Piece,
    allowed,
    trace,
)
from .laser_chess import format as setup_notation


def laser_chess(rng: random.Random) -> tuple[str, str]:
    """A valid position as (SN, side to move). About one in twenty lacks a king."""
    board: Board = {
        BLUE_LASER_SQUARE: Piece("L", "b", rng.choice([0, 270])),
        RED_LASER_SQUARE: Piece("L", "r", rng.choice([90, 180])),
    }
    without_king = rng.choice(["b", "r"]) if rng.random() < 0.05 else ""
    fullness = rng.choice([0.1, 0.4, 0.7, 1.0, 1.0])
    share_in_beams = rng.choice([0.2, 0.7, 0.95])

    anywhere = []
    in_beams = []
    for side in ["b", "r"]:
        if side != without_king:
            anywhere.append(("K", side))
        for kind, most in [("S", 2), ("D", 2), ("B", 7)]:
            for _ in range(most):
                if rng.random() < fullness:
                    if kind != "D" and rng.random() < share_in_beams:
                        in_beams.append((kind, side))
                    else:
                        anywhere.append((kind, side))
    rng.shuffle(in_beams)

    for kind, side in anywhere:
        square = rng.choice(free_squares(board, side, all_squares()))
        board[square] = Piece(kind, side, rng.choice([0, 90, 180, 270]))
    for kind, side in in_beams:
        place_in_a_beam(rng, board, kind, side)
    return setup_notation(board), rng.choice(["b", "r"])


def place_in_a_beam(rng: random.Random, board: Board, kind: str, side: str) -> None:
    """Place a mirror on the last leg of a beam, in an orientation that reflects the beam."""
    lasers = ["b", "r"]
    rng.shuffle(lasers)
    for laser in lasers:
        free = free_squares(board, side, last_leg(board, laser))
        if free:
            square = rng.choice(free)
            orientations = [0, 90, 180, 270]
            rng.shuffle(orientations)
            for orientation in orientations:
                board[square] = Piece(kind, side, orientation)
                if trace(board, laser)[2] != square:
                    break
            return
    square = rng.choice(free_squares(board, side, all_squares()))
    board[square] = Piece(kind, side, rng.choice([0, 90, 180, 270]))


def last_leg(board: Board, laser: str) -> list[str]:
    """The empty squares of a beam after its last mirror."""
    leg: list[str] = []
    path, _, _ = trace(board, laser)
    for square in path[:-1]:
        if square in board:
            leg = []
        else:
            leg.append(square)
    if path[-1] not in board:
        leg.append(path[-1])
    return leg


def all_squares() -> list[str]:
    return [column + row for column in COLUMNS for row in ROWS]


def free_squares(board: Board, side: str, squares: list[str]) -> list[str]:
    return [square for square in squares if square not in board and allowed(side, square)]


def photon(rng: random.Random) -> dict[str, Any]:
    """A valid state with an empty history. About one in twenty lacks a king."""
    builder = PhotonBoard(rng)
    if rng.random() < 0.05:
        builder.enclose_a_king()
    elif rng.random() < 0.05:
        builder.ring_of_mirrors()
    else:
        without_king = rng.choice([0, 1]) if rng.random() < 0.05 else -1
        shooters = {0: rng.randint(0, 4), 1: rng.randint(0, 4)}
        if rng.random() < 0.7:
            builder.aim_at_one_square(shooters)
        if rng.random() < 0.5:
            builder.aim_at_each_other(shooters)
        for player in (0, 1):
            if player != without_king:
                builder.place_anywhere("K", player)
            for _ in range(shooters[player]):
                builder.place_anywhere("S", player)
        most = rng.choice([0, 2, 6, 16])
        for player in (0, 1):
            for _ in range(rng.randint(0, most)):
                builder.place_anywhere("M", player)
            for _ in range(rng.randint(0, most // 2)):
                builder.place_anywhere("B", player)
    return {"board": builder.rows, "turn": rng.choice([0, 1]), "history": []}


class PhotonBoard:
    """Builder of a Photon board."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.rows: list[list[dict[str, Any] | None]] = [[None] * 10 for _ in range(10)]

    def put(self, kind: str, player: int, x: int, y: int, orientation: int) -> None:
        hp = self.rng.choice([1, 2]) if kind == "B" else 1
        if kind in ("K", "B"):
            orientation = 0
        assert self.is_empty(x, y)
        self.rows[y][x] = {"type": kind, "player": player, "hp": hp, "orientation": orientation}

    def is_empty(self, x: int, y: int) -> bool:
        return 0 <= x <= 9 and 0 <= y <= 9 and self.rows[y][x] is None

    def place_anywhere(self, kind: str, player: int) -> None:
        empty = [(x, y) for y in range(10) for x in range(10) if self.is_empty(x, y)]
        x, y = self.rng.choice(empty)
        self.put(kind, player, x, y, self.rng.randint(0, 3))

    def aim_at_one_square(self, shooters: dict[int, int]) -> None:
        """Place up to four shooters at one distance from a square, which may hold a piece."""
        centre_x, centre_y = self.rng.randint(1, 8), self.rng.randint(1, 8)
        distance = self.rng.randint(1, 4)
        kind = self.rng.choice(["", "", "M", "M", "B"])
        if kind:
            self.put(kind, self.rng.choice([0, 1]), centre_x, centre_y, self.rng.randint(0, 3))
        places = [
            (centre_x, centre_y + distance, 0),
            (centre_x - distance, centre_y, 1),
            (centre_x, centre_y - distance, 2),
            (centre_x + distance, centre_y, 3),
        ]
        self.rng.shuffle(places)
        for x, y, orientation in places:
            self.take_shooter(shooters, x, y, orientation)

    def aim_at_each_other(self, shooters: dict[int, int]) -> None:
        """Place two shooters whose beams swap squares or meet on one square.

        Both stand in one row, or a mirror in that row reflects the beam of the second one.
        """
        y = self.rng.randint(0, 9)
        left = self.rng.randint(0, 4)
        right = self.rng.randint(left + 1, 9)
        self.take_shooter(shooters, left, y, 1)
        if self.rng.random() < 0.5:
            self.take_shooter(shooters, right, y, 3)
        elif self.is_empty(right, y):
            # A mirror that faces SW reflects beams from the west and from the south.
            self.put("M", self.rng.choice([0, 1]), right, y, 2)
            self.take_shooter(shooters, right, y + self.rng.randint(1, 6), 0)

    def take_shooter(self, shooters: dict[int, int], x: int, y: int, orientation: int) -> None:
        player = self.rng.choice([0, 1])
        if shooters[player] > 0 and self.is_empty(x, y):
            shooters[player] -= 1
            self.put("S", player, x, y, orientation)

    def enclose_a_king(self) -> None:
        """Give one player only a king, enclosed in a corner by blocks: this player must pass."""
        boxed = self.rng.choice([0, 1])
        self.put("K", boxed, 0, 0, 0)
        self.put("B", 1 - boxed, 1, 0, 0)
        self.put("B", 1 - boxed, 0, 1, 0)
        self.place_anywhere("K", 1 - boxed)
        for _ in range(self.rng.randint(1, 4)):
            self.place_anywhere("S", 1 - boxed)
        for _ in range(self.rng.randint(0, 8)):
            self.place_anywhere("M", 1 - boxed)

    def ring_of_mirrors(self) -> None:
        """Place the only shooter in a ring of four mirrors, so that it destroys itself."""
        left, top = self.rng.randint(0, 6), self.rng.randint(0, 6)
        right, bottom = self.rng.randint(left + 2, 9), self.rng.randint(top + 2, 9)
        facing_ne, facing_se, facing_sw, facing_nw = 0, 1, 2, 3
        self.put("M", self.rng.choice([0, 1]), left, top, facing_se)
        self.put("M", self.rng.choice([0, 1]), right, top, facing_sw)
        self.put("M", self.rng.choice([0, 1]), right, bottom, facing_nw)
        self.put("M", self.rng.choice([0, 1]), left, bottom, facing_ne)
        self.put("S", self.rng.choice([0, 1]), left + 1, top, self.rng.choice([1, 3]))
        self.place_anywhere("K", 0)
        self.place_anywhere("K", 1)
