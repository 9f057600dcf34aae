"""Random positions are valid, and together they contain every kind of step and outcome."""

from __future__ import annotations

import random

from . import laser_chess, photon, positions


def test_random_laser_chess_positions_are_valid() -> None:
    rng = random.Random(1)
    for _ in range(300):
        sn, side = positions.laser_chess(rng)
        board = laser_chess.parse(sn)
        assert laser_chess.format(board) == sn
        assert side in ("b", "r")
        for colour, corner, headings in [("b", "j1", [0, 270]), ("r", "a8", [90, 180])]:
            mine = [(square, piece) for square, piece in board.items() if piece.side == colour]
            for kind, most in [("K", 1), ("S", 2), ("D", 2), ("B", 7), ("L", 1)]:
                assert sum(1 for _, piece in mine if piece.kind == kind) <= most
            assert board[corner].kind == "L"
            assert board[corner].orientation in headings
            for square, _ in mine:
                assert square == corner or laser_chess.allowed(colour, square)
        assert laser_chess.count_kings(board) >= 1


def test_random_photon_positions_are_valid_and_contain_every_kind_of_step() -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(600):
        state = positions.photon(rng)
        pieces = photon.pieces_of(state)
        for player in (0, 1):
            kinds = [piece["type"] for piece in pieces.values() if piece["player"] == player]
            assert kinds.count("K") <= 1
            assert kinds.count("S") <= 4
        for piece in pieces.values():
            assert piece["hp"] == 1 or (piece["type"], piece["hp"]) == ("B", 2)
            assert piece["orientation"] in range(4)
        moves = photon.legal(state)
        if moves == [{"type": "pass"}]:
            seen.add("must pass")
        if moves:
            seen.add(photon.apply(state, rng.choice(moves))[2])
        endings: dict[tuple[int, int, int], int] = {}
        for steps in photon.beams(state):
            x, y = steps[-1]["cell"]
            seen.update(step["what"] for step in steps)
            if steps[-1]["what"] == "annihilate":
                held = "a mirror" if (x, y) in pieces else "an empty square"
                if steps[-2]["cell"] == [x, y]:
                    from_start = len(steps) == 2
                    seen.add("swap from a shooter" if from_start else f"swap from {held}")
                else:
                    seen.add(f"meet on {held}")
                    when = (x, y, len(steps))
                    endings[when] = endings.get(when, 0) + 1
                    seen.add(f"{endings[when]} on {held}")
    assert seen >= {
        "fire",
        "pass",
        "turn",
        "hit",
        "annihilate",
        "leave",
        "must pass",
        "ongoing",
        "1-0 king captured",
        "0-1 king captured",
        "1/2-1/2 both kings captured",
        "1/2-1/2 no shooter left",
        "swap from a shooter",
        "swap from a mirror",
        "swap from an empty square",
        "meet on a mirror",
        "meet on an empty square",
        "3 on an empty square",
        "4 on an empty square",
    }
