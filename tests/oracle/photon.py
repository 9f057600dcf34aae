"""Reference implementation of Photon: all beams advance together, one square at a time.

Input and output are the JSON states and moves of the rules. Inputs are never changed.
x grows to the right (east) and y grows DOWN (south): north is y - 1.
A beam with heading S enters a square by its north side.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

State = dict[str, Any]
Move = dict[str, Any]
Step = dict[str, Any]
Cell = tuple[int, int]
Pieces = dict[Cell, dict[str, Any]]

# The board has 2 * 9 * 10 borders between neighbouring squares. A beam crosses each of them at
# most once, and needs one more step to leave the board.
MAX_STEPS = 181


@dataclass
class Ray:
    """The front of one beam, and the steps that it has taken."""

    cell: Cell
    heading: str
    steps: list[Step]
    ended: bool = False

    def ahead(self) -> Cell:
        x, y = self.cell
        if self.heading == "N":
            return (x, y - 1)
        if self.heading == "E":
            return (x + 1, y)
        if self.heading == "S":
            return (x, y + 1)
        assert self.heading == "W"
        return (x - 1, y)

    def entered_by(self) -> str:
        """The side by which this beam entered its current square."""
        if self.heading == "N":
            return "S"
        if self.heading == "E":
            return "W"
        if self.heading == "S":
            return "N"
        assert self.heading == "W"
        return "E"

    def record(self, what: str) -> None:
        self.steps.append({"cell": [self.cell[0], self.cell[1]], "what": what})

    def end(self, what: str) -> None:
        self.record(what)
        self.ended = True


def standard() -> State:
    """The starting position `standard` of the rules; Red (player 0) is to move."""
    north, south = 0, 2
    facing_ne, facing_se, facing_sw, facing_nw = 0, 1, 2, 3
    pieces: Pieces = {
        (4, 0): {"type": "K", "player": 0, "hp": 1, "orientation": 0},
        (4, 1): {"type": "B", "player": 0, "hp": 2, "orientation": 0},
        (2, 1): {"type": "S", "player": 0, "hp": 1, "orientation": south},
        (7, 1): {"type": "S", "player": 0, "hp": 1, "orientation": south},
        (3, 2): {"type": "M", "player": 0, "hp": 1, "orientation": facing_sw},
        (6, 2): {"type": "M", "player": 0, "hp": 1, "orientation": facing_se},
        (5, 9): {"type": "K", "player": 1, "hp": 1, "orientation": 0},
        (5, 8): {"type": "B", "player": 1, "hp": 2, "orientation": 0},
        (7, 8): {"type": "S", "player": 1, "hp": 1, "orientation": north},
        (2, 8): {"type": "S", "player": 1, "hp": 1, "orientation": north},
        (6, 7): {"type": "M", "player": 1, "hp": 1, "orientation": facing_ne},
        (3, 7): {"type": "M", "player": 1, "hp": 1, "orientation": facing_nw},
    }
    return {"board": rows_from(pieces), "turn": 0, "history": []}


def legal(state: State) -> list[Move]:
    """The legal actions of the player to move: a pass if there is no other, [] after the end."""
    pieces = pieces_of(state)
    if not has(pieces, "K", 0) or not has(pieces, "K", 1):
        return []
    if not has(pieces, "S", 0) and not has(pieces, "S", 1):
        return []

    moves: list[Move] = []
    for y in range(10):
        for x in range(10):
            piece = pieces.get((x, y))
            if piece is None or piece["player"] != state["turn"]:
                continue
            for target in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]:
                if on_board(target) and target not in pieces:
                    moves.append({"type": "move", "src": [x, y], "dst": [target[0], target[1]]})
            if piece["type"] == "S" or piece["type"] == "M":
                moves.append({"type": "rotate", "src": [x, y], "dir": 1})
                moves.append({"type": "rotate", "src": [x, y], "dir": -1})

    if moves == []:
        return [{"type": "pass"}]
    return moves


def beams(state: State, two_sided: bool = False, independent: bool = False) -> list[list[Step]]:
    """The steps of every beam when all shooters fire in this state."""
    return [ray.steps for ray in fire(pieces_of(state), two_sided, independent)]


def apply(
    state: State, move: Move, two_sided: bool = False, independent: bool = False
) -> tuple[State, list[list[Step]], str]:
    """Play a move from `legal`, fire, remove destroyed pieces: new state, beams, outcome."""
    pieces = pieces_of(state)

    if move["type"] == "move":
        src = (move["src"][0], move["src"][1])
        dst = (move["dst"][0], move["dst"][1])
        assert dst not in pieces
        pieces[dst] = pieces.pop(src)
    elif move["type"] == "rotate":
        src = (move["src"][0], move["src"][1])
        pieces[src]["orientation"] = (pieces[src]["orientation"] + move["dir"]) % 4
    else:
        assert move["type"] == "pass"

    rays = fire(pieces, two_sided, independent)

    # Damage is applied after all beams have ended: one point for each beam that hit.
    for ray in rays:
        if ray.steps[-1]["what"] == "hit":
            pieces[ray.cell]["hp"] -= 1
    for cell in list(pieces):
        if pieces[cell]["hp"] <= 0:
            del pieces[cell]

    new_state: State = {
        "board": rows_from(pieces),
        "turn": 1 - state["turn"],
        "history": [*copy.deepcopy(state["history"]), copy.deepcopy(move)],
    }
    return new_state, [ray.steps for ray in rays], outcome_of(pieces)


def perft(state: State, depth: int, two_sided: bool = False, independent: bool = False) -> int:
    """The number of sequences of exactly `depth` legal turns."""
    if depth == 0:
        return 1
    moves = legal(state)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        new_state, _, _ = apply(state, move, two_sided, independent)
        total += perft(new_state, depth - 1, two_sided, independent)
    return total


def outcome_of(pieces: Pieces) -> str:
    red_king = has(pieces, "K", 0)
    blue_king = has(pieces, "K", 1)
    if not red_king and not blue_king:
        return "1/2-1/2 both kings captured"
    if not blue_king:
        return "1-0 king captured"
    if not red_king:
        return "0-1 king captured"
    if not has(pieces, "S", 0) and not has(pieces, "S", 1):
        return "1/2-1/2 no shooter left"
    return "ongoing"


def fire(pieces: Pieces, two_sided: bool, independent: bool) -> list[Ray]:
    """Trace all beams to their ends, without changing the pieces."""
    rays = []
    for y in range(10):
        for x in range(10):
            piece = pieces.get((x, y))
            if piece is not None and piece["type"] == "S":
                heading = "NESW"[piece["orientation"]]
                ray = Ray((x, y), heading, [])
                ray.record("fire")
                rays.append(ray)

    while any(not ray.ended for ray in rays):
        one_step([ray for ray in rays if not ray.ended], pieces, two_sided, independent)
    return rays


def one_step(rays: list[Ray], pieces: Pieces, two_sided: bool, independent: bool) -> None:
    """Advance these beams by one square. None of them has ended before."""
    for ray in rays:
        assert len(ray.steps) <= MAX_STEPS, "a beam cannot loop"

    # (a) Beams that swap squares annihilate on the edge between them.
    if not independent:
        swapping = [
            ray
            for ray in rays
            if any(ray.ahead() == other.cell and other.ahead() == ray.cell for other in rays)
        ]
        for ray in swapping:
            ray.end("annihilate")
        rays = [ray for ray in rays if not ray.ended]

    # (b) Beams that leave the board end.
    for ray in rays:
        if not on_board(ray.ahead()):
            ray.end("leave")
    rays = [ray for ray in rays if not ray.ended]

    for ray in rays:
        ray.cell = ray.ahead()

    # (c) Two or more beams on one empty square annihilate; a single beam passes.
    for ray in rays:
        if ray.cell not in pieces:
            meeting = [other for other in rays if other.cell == ray.cell]
            if len(meeting) >= 2 and not independent:
                ray.end("annihilate")
            else:
                ray.record("pass")

    # (d) On a piece each beam is resolved alone, except beams on the same face of one mirror.
    # All faces are determined before any beam turns.
    on_pieces = [ray for ray in rays if ray.cell in pieces]
    faces = {id(ray): face_met(ray, pieces[ray.cell], two_sided) for ray in on_pieces}
    for ray in on_pieces:
        face = faces[id(ray)]
        if face == "":
            ray.end("hit")
            continue
        meeting = [
            other for other in on_pieces if other.cell == ray.cell and faces[id(other)] == face
        ]
        if len(meeting) >= 2 and not independent:
            ray.end("annihilate")
        else:
            ray.heading = reflected(ray.entered_by(), face)
            ray.record("turn")


def face_met(ray: Ray, piece: dict[str, Any], two_sided: bool) -> str:
    r"""The reflecting face (NE, SE, SW or NW) that this beam hits, or "" if it hits none.

    A mirror that faces NE reflects beams that enter by the north side or by the east side:

        orientation 0     orientation 1     orientation 2     orientation 3
          +------+          +------+          +------+          +------+
          |\  NE |          |     /|          |\     |          | NW  /|
          |  \   |          |   /  |          |  \   |          |   /  |
          |    \ |          | / SE |          | SW \ |          | /    |
          +------+          +------+          +------+          +------+
    """
    if piece["type"] != "M":
        return ""

    side = ray.entered_by()
    if piece["orientation"] == 0:
        front, back = "NE", "SW"
    elif piece["orientation"] == 1:
        front, back = "SE", "NW"
    elif piece["orientation"] == 2:
        front, back = "SW", "NE"
    else:
        assert piece["orientation"] == 3
        front, back = "NW", "SE"

    if side in front:
        return front
    assert side in back
    if two_sided:
        return back
    return ""


def reflected(side: str, face: str) -> str:
    """The other side of the face: a beam that enters by one side leaves by the other."""
    if side == face[0]:
        return face[1]
    assert side == face[1]
    return face[0]


def pieces_of(state: State) -> Pieces:
    """A copy of the pieces, by (x, y)."""
    pieces: Pieces = {}
    for y in range(10):
        for x in range(10):
            piece = state["board"][y][x]
            if piece is not None:
                pieces[(x, y)] = dict(piece)
    return pieces


def rows_from(pieces: Pieces) -> list[list[dict[str, Any] | None]]:
    """The board of a state: board[y][x]."""
    rows: list[list[dict[str, Any] | None]] = []
    for y in range(10):
        row: list[dict[str, Any] | None] = []
        for x in range(10):
            row.append(dict(pieces[(x, y)]) if (x, y) in pieces else None)
        rows.append(row)
    return rows


def has(pieces: Pieces, kind: str, player: int) -> bool:
    return any(piece["type"] == kind and piece["player"] == player for piece in pieces.values())


def on_board(cell: Cell) -> bool:
    x, y = cell
    return 0 <= x <= 9 and 0 <= y <= 9
