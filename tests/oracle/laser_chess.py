"""Reference implementation of Laser Chess: a board is a dictionary from square names to pieces.

Input and output are text: Setup Notation (SN), a side ("b" or "r") and Laser Algebraic
Notation (LAN). The SN must be valid; it is not validated here.
A direction is the direction of travel of a beam. A beam that travels up enters a piece by its
bottom side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

COLUMNS = "abcdefghij"
ROWS = "12345678"

BLUE_LASER_SQUARE = "j1"
RED_LASER_SQUARE = "a8"
RED_ONLY = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "i1", "i8"]
BLUE_ONLY = ["j2", "j3", "j4", "j5", "j6", "j7", "j8", "b1", "b8"]

# The board has 9 * 8 + 10 * 7 borders between neighbouring squares. A beam crosses each of them
# at most once, because light is reversible and a beam cannot loop.
MAX_STEPS = 142


@dataclass(frozen=True)
class Piece:
    """`kind` is K, S, D, B or L; `side` is "b" or "r"; `orientation` is 0, 90, 180 or 270."""

    kind: str
    side: str
    orientation: int


Board = dict[str, Piece]


def parse(sn: str) -> Board:
    """Read Setup Notation: rows from 8 to 1, columns from a to j."""
    board: Board = {}
    for row, text in zip("87654321", sn.split("/"), strict=True):
        if text == "*":
            continue
        column = 0
        last_square = ""
        for letter in text:
            if letter in "123456789":
                column += int(letter)
            elif letter == "+":
                rotated = board[last_square].orientation + 90
                board[last_square] = replace(board[last_square], orientation=rotated)
            else:
                side = "b" if letter.isupper() else "r"
                last_square = COLUMNS[column] + row
                board[last_square] = Piece(letter.upper(), side, 0)
                column += 1
        assert column == 10, f"row {row} of {sn} has {column} squares"
    return board


def format(board: Board) -> str:
    """Write Setup Notation; the reverse of `parse`."""
    rows = []
    for row in "87654321":
        text = ""
        empty = 0
        for column in COLUMNS:
            piece = board.get(column + row)
            if piece is None:
                empty += 1
                continue
            if empty > 0:
                text += str(empty)
                empty = 0
            text += piece.kind if piece.side == "b" else piece.kind.lower()
            text += "+" * (piece.orientation // 90)
        if empty == 10:
            text = "*"
        elif empty > 0:
            text += str(empty)
        rows.append(text)
    return "/".join(rows)


def beam(sn: str, side: str) -> tuple[list[str], str, str | None]:
    """The beam of `side`: path, "exit" | "captures" | "absorbed", and the square that it hits."""
    return trace(parse(sn), side)


def legal(sn: str, side: str) -> list[str]:
    """Every legal action of `side`, with its capture; none if a king is missing."""
    board = parse(sn)
    if count_kings(board) < 2:
        return []
    actions = []
    for action in possible_actions(board, side):
        _, ending, hit = trace(after_action(board, action), side)
        if ending == "captures":
            assert hit is not None
            actions.append(action + "x" + hit)
        else:
            actions.append(action)
    return actions


def apply(sn: str, side: str, lan: str) -> tuple[str, str, list[str], str]:
    """Play an action from `legal`: the new SN, the new side, the beam's path and the outcome."""
    action, _, expected_capture = lan.partition("x")
    board = after_action(parse(sn), action)
    path, ending, hit = trace(board, side)
    outcome = "ongoing"
    if ending == "captures":
        assert hit is not None
        assert hit == expected_capture, f"{lan} of {side} in {sn} captures {hit}"
        captured = board.pop(hit)
        if captured.kind == "K" and captured.side == "r":
            outcome = "1-0 king captured"
        if captured.kind == "K" and captured.side == "b":
            outcome = "0-1 king captured"
    else:
        assert expected_capture == "", f"{lan} of {side} in {sn} captures nothing"
    return format(board), other_side(side), path, outcome


def perft(sn: str, side: str, depth: int) -> int:
    """The number of sequences of exactly `depth` legal turns."""
    if depth == 0:
        return 1
    actions = legal(sn, side)
    if depth == 1:
        return len(actions)
    total = 0
    for lan in actions:
        new_sn, new_side, _, _ = apply(sn, side, lan)
        total += perft(new_sn, new_side, depth - 1)
    return total


def repetition_key(sn: str, side: str) -> object:
    """A key that is equal for positions that count as repeated (section Draws of the rules)."""
    arrangement = []
    for square, piece in parse(sn).items():
        orientation = piece.orientation
        if piece.kind == "K":
            orientation = 0
        if piece.kind == "S":
            orientation = orientation % 180
        arrangement.append((square, piece.kind, piece.side, orientation))
    return (tuple(sorted(arrangement)), side)


def strike(piece: Piece, travel: str) -> str:
    """The effect of a beam on a piece: its new direction of travel, "absorbed" or "captures"."""
    entered_by = opposite(travel)

    if piece.kind == "L":
        return "absorbed"

    if piece.kind == "K":
        return "captures"

    if piece.kind == "D":
        shield = rotated("up", piece.orientation)
        return "absorbed" if entered_by == shield else "captures"

    # Switch and deflector at 0 degrees, seen from above. The corner below the line touches the
    # left and the bottom side. The corner above the line touches the upper and the right side.
    #
    #          up
    #        +----+
    #        |\   |
    #   left | \  | right     a beam that enters by one side of a corner
    #        |  \ |           leaves by the other side of that corner
    #        |   \|
    #        +----+
    #         down
    #
    lower_left_corner = [rotated("left", piece.orientation), rotated("down", piece.orientation)]
    upper_right_corner = [rotated("up", piece.orientation), rotated("right", piece.orientation)]

    if entered_by in lower_left_corner:
        lower_left_corner.remove(entered_by)
        return lower_left_corner[0]

    if piece.kind == "B":
        return "captures"

    assert piece.kind == "S"
    upper_right_corner.remove(entered_by)
    return upper_right_corner[0]


def trace(board: Board, side: str) -> tuple[list[str], str, str | None]:
    """Trace the beam of `side` on a board; the result is that of `beam`."""
    square = BLUE_LASER_SQUARE if side == "b" else RED_LASER_SQUARE
    travel = rotated("up", board[square].orientation)
    path = [square]
    while True:
        next_square = neighbour(square, travel)
        if next_square is None:
            return path, "exit", None
        square = next_square
        path.append(square)
        assert len(path) - 1 <= MAX_STEPS, "a beam cannot loop"
        if square in board:
            result = strike(board[square], travel)
            if result in ("absorbed", "captures"):
                return path, result, square
            travel = result


def possible_actions(board: Board, side: str) -> list[str]:
    """Every action of `side` by the movement rules, written without captures."""
    actions = []
    for square in sorted(board):
        piece = board[square]
        if piece.side != side:
            continue

        if piece.kind == "L":
            actions.append(square + laser_turn(piece))
            continue

        for target in neighbours_of_eight(square):
            if not allowed(side, target):
                continue
            if target not in board:
                actions.append(square + target)
            elif (
                piece.kind == "S"
                and board[target].kind in ("B", "D")
                and allowed(board[target].side, square)
            ):
                actions.append(square + "u" + target)

        actions.append(square + "+")
        actions.append(square + "-")
    return actions


def laser_turn(laser: Piece) -> str:
    """The only rotation after which this laser still points into the board."""
    pointing = rotated("up", laser.orientation)
    if laser.side == "b":
        if pointing == "up":
            return "-"
        assert pointing == "left"
        return "+"
    if pointing == "down":
        return "-"
    assert pointing == "right"
    return "+"


def after_action(board: Board, action: str) -> Board:
    """A copy of the board with the action applied, before the laser fires."""
    new_board = dict(board)
    square = action[:2]
    rest = action[2:]
    if rest == "+":
        piece = board[square]
        new_board[square] = replace(piece, orientation=(piece.orientation + 90) % 360)
    elif rest == "-":
        piece = board[square]
        new_board[square] = replace(piece, orientation=(piece.orientation + 270) % 360)
    elif rest.startswith("u"):
        target = rest[1:]
        new_board[target] = board[square]
        new_board[square] = board[target]
    else:
        target = rest
        assert target not in board
        new_board[target] = board[square]
        del new_board[square]
    return new_board


def allowed(side: str, square: str) -> bool:
    """Whether a piece of `side` other than a laser may stand on this square."""
    if square in (BLUE_LASER_SQUARE, RED_LASER_SQUARE):
        return False
    if side == "b":
        return square not in RED_ONLY
    return square not in BLUE_ONLY


def count_kings(board: Board) -> int:
    return sum(1 for piece in board.values() if piece.kind == "K")


def other_side(side: str) -> str:
    return "r" if side == "b" else "b"


def opposite(direction: str) -> str:
    return rotated(direction, 180)


def rotated(direction: str, degrees: int) -> str:
    """The direction, rotated clockwise."""
    assert degrees in (0, 90, 180, 270)
    for _ in range(degrees // 90):
        if direction == "up":
            direction = "right"
        elif direction == "right":
            direction = "down"
        elif direction == "down":
            direction = "left"
        else:
            assert direction == "left"
            direction = "up"
    return direction


def neighbour(square: str, direction: str) -> str | None:
    """The next square in this direction, or None at the edge of the board."""
    if direction == "up":
        return shifted(square, 0, 1)
    if direction == "right":
        return shifted(square, 1, 0)
    if direction == "down":
        return shifted(square, 0, -1)
    assert direction == "left"
    return shifted(square, -1, 0)


def neighbours_of_eight(square: str) -> list[str]:
    """The adjacent squares, including the diagonal ones."""
    around = []
    for right in (-1, 0, 1):
        for up in (-1, 0, 1):
            if right == 0 and up == 0:
                continue
            target = shifted(square, right, up)
            if target is not None:
                around.append(target)
    return around


def shifted(square: str, right: int, up: int) -> str | None:
    column = COLUMNS.index(square[0]) + right
    row = ROWS.index(square[1]) + up
    if 0 <= column < 10 and 0 <= row < 8:
        return COLUMNS[column] + ROWS[row]
    return None
