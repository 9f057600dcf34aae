"""Laser Chess, played the slow way: a dictionary from square names to pieces.

Comes in: Setup Notation (SN), a side ("b" or "r") and Laser Algebraic Notation (LAN).
Goes out: the same kinds of text. SN is assumed to be valid.
Directions are how a beam travels; a beam that travels up comes in by a piece's bottom side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

COLUMNS = "abcdefghij"
ROWS = "12345678"

BLUE_LASER_SQUARE = "j1"
RED_LASER_SQUARE = "a8"
RED_ONLY = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "i1", "i8"]
BLUE_ONLY = ["j2", "j3", "j4", "j5", "j6", "j7", "j8", "b1", "b8"]

# There are 9 * 8 + 10 * 7 borders between neighbouring squares, and a beam crosses each of them
# at most once: to cross one again it would have to be in a loop or on its way back.
MOST_STEPS = 142


@dataclass(frozen=True)
class Piece:
    """`kind` is K, S, D, B or L; `side` is "b" or "r"; `orientation` is 0, 90, 180 or 270."""

    kind: str
    side: str
    orientation: int


Board = dict[str, Piece]


def parse(sn: str) -> Board:
    """Read Setup Notation; row 8 comes first, and column a comes first in each row."""
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
                turned = board[last_square].orientation + 90
                board[last_square] = replace(board[last_square], orientation=turned)
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
    """Where the laser of `side` shines: path, "exit" | "captures" | "absorbed", and on whom."""
    return shine(parse(sn), side)


def legal(sn: str, side: str) -> list[str]:
    """Every legal action of `side`, with its capture; none if a king is missing."""
    board = parse(sn)
    if count_kings(board) < 2:
        return []
    actions = []
    for action in possible_actions(board, side):
        _, ending, hit = shine(after_action(board, action), side)
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
    path, ending, hit = shine(board, side)
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
    return format(board), other(side), path, outcome


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
    """Equal for positions that count as the same: see Draws in the rules."""
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
    """What a beam that travels up, right, down or left does at this piece.

    Either it travels on ("up", "right", "down", "left"), or it is "absorbed", or it "captures".
    """
    came_in_by = opposite(travel)

    if piece.kind == "L":
        return "absorbed"

    if piece.kind == "K":
        return "captures"

    if piece.kind == "D":
        shield = turned("up", piece.orientation)
        return "absorbed" if came_in_by == shield else "captures"

    # Both mirrors at 0 degrees lie like this, seen from above. The corner below the line touches
    # the left and the bottom side, the corner above it touches the upper and the right side:
    #
    #          up
    #        +----+
    #        |\   |
    #   left | \  | right     light that comes in by one side of a corner
    #        |  \ |           goes out by the other side of that corner
    #        |   \|
    #        +----+
    #         down
    #
    lower_left_corner = [turned("left", piece.orientation), turned("down", piece.orientation)]
    upper_right_corner = [turned("up", piece.orientation), turned("right", piece.orientation)]

    if came_in_by in lower_left_corner:
        lower_left_corner.remove(came_in_by)
        return lower_left_corner[0]

    if piece.kind == "B":
        return "captures"

    assert piece.kind == "S"
    upper_right_corner.remove(came_in_by)
    return upper_right_corner[0]


def shine(board: Board, side: str) -> tuple[list[str], str, str | None]:
    """As `beam`, on a board."""
    square = BLUE_LASER_SQUARE if side == "b" else RED_LASER_SQUARE
    travel = turned("up", board[square].orientation)
    path = [square]
    while True:
        next_square = neighbour(square, travel)
        if next_square is None:
            return path, "exit", None
        square = next_square
        path.append(square)
        assert len(path) - 1 <= MOST_STEPS, "a beam cannot loop"
        if square in board:
            result = strike(board[square], travel)
            if result in ("absorbed", "captures"):
                return path, result, square
            travel = result


def possible_actions(board: Board, side: str) -> list[str]:
    """Every action that the movement rules allow `side`, without captures."""
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
    """The one way this laser may turn and still point into the board."""
    pointing = turned("up", laser.orientation)
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
    """A new board on which the action (without a capture) is done and no laser has fired."""
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
    """May a piece of `side` other than a laser stand here?"""
    if square in (BLUE_LASER_SQUARE, RED_LASER_SQUARE):
        return False
    if side == "b":
        return square not in RED_ONLY
    return square not in BLUE_ONLY


def count_kings(board: Board) -> int:
    return sum(1 for piece in board.values() if piece.kind == "K")


def other(side: str) -> str:
    return "r" if side == "b" else "b"


def opposite(direction: str) -> str:
    return turned(direction, 180)


def turned(direction: str, degrees: int) -> str:
    """The direction after a clockwise turn."""
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
    """The next square in this direction, None if the board ends here."""
    if direction == "up":
        return shifted(square, 0, 1)
    if direction == "right":
        return shifted(square, 1, 0)
    if direction == "down":
        return shifted(square, 0, -1)
    assert direction == "left"
    return shifted(square, -1, 0)


def neighbours_of_eight(square: str) -> list[str]:
    """The squares around this one, diagonals too."""
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
