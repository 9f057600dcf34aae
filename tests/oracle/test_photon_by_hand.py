"""The reference implementation of Photon, on small positions computed by hand.

A drawing is the top left corner of the board; all other squares are empty. Each word is a square:
`.` is empty; K0 B0 b0 are king, undamaged block and damaged block of player 0; ^0 >0 v0 <0 are
shooters by direction; NE0 SE0 SW0 NW0 are mirrors by face.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from . import photon

# ---------------------------------------------------------------- Photon: a drawing of a state


def draw(drawing: str, turn: int = 0) -> dict[str, Any]:
    board: list[list[dict[str, Any] | None]] = [[None] * 10 for _ in range(10)]
    for y, line in enumerate(drawing.strip().splitlines()):
        for x, word in enumerate(line.split()):
            if word != ".":
                board[y][x] = draw_piece(word[:-1], int(word[-1]))
    return {"board": board, "turn": turn, "history": []}


def draw_piece(what: str, player: int) -> dict[str, Any]:
    if what == "K":
        return {"type": "K", "player": player, "hp": 1, "orientation": 0}
    if what == "B":
        return {"type": "B", "player": player, "hp": 2, "orientation": 0}
    if what == "b":
        return {"type": "B", "player": player, "hp": 1, "orientation": 0}
    if what in ("^", ">", "v", "<"):
        return {"type": "S", "player": player, "hp": 1, "orientation": "^>v<".index(what)}
    face = ["NE", "SE", "SW", "NW"].index(what)
    return {"type": "M", "player": player, "hp": 1, "orientation": face}


def beams_of(drawing: str, two_sided: bool = False, independent: bool = False) -> list[str]:
    """Each beam as text: `fire 0,0 pass 1,0 ...`."""
    texts = []
    for steps in photon.beams(draw(drawing), two_sided, independent):
        words = [f"{step['what']} {step['cell'][0]},{step['cell'][1]}" for step in steps]
        texts.append(" ".join(words))
    return texts


# ---------------------------------------------------------------- Photon: beams


def test_a_beam_alone_crosses_the_board_and_leaves() -> None:
    assert beams_of(". . . . . . . >0") == ["fire 7,0 pass 8,0 pass 9,0 leave 9,0"]


def test_a_beam_may_leave_at_once() -> None:
    assert beams_of("^0") == ["fire 0,0 leave 0,0"]


def test_beams_that_swap_squares_annihilate_on_the_edge() -> None:
    # >0 . . <1    step 1: 1,0 and 2,0; then they would swap
    assert beams_of(">0 . . <1") == [
        "fire 0,0 pass 1,0 annihilate 1,0",
        "fire 3,0 pass 2,0 annihilate 2,0",
    ]


def test_adjacent_shooters_facing_each_other_both_survive() -> None:
    assert beams_of(">0 <1") == ["fire 0,0 annihilate 0,0", "fire 1,0 annihilate 1,0"]
    state = draw(">0 <1 . K0 K1")
    new_state, _, outcome = photon.apply(state, {"type": "move", "src": [3, 0], "dst": [3, 1]})
    assert outcome == "ongoing"
    assert new_state["board"][0][0] == draw_piece(">", 0)
    assert new_state["board"][0][1] == draw_piece("<", 1)


def test_a_shooter_that_faces_away_is_hit_by_its_neighbour() -> None:
    assert beams_of(">0 >1") == [
        "fire 0,0 hit 1,0",
        "fire 1,0 pass 2,0 pass 3,0 pass 4,0 pass 5,0 pass 6,0 pass 7,0 pass 8,0 pass 9,0 "
        "leave 9,0",
    ]


def test_a_swap_with_a_mirror_square_counts() -> None:
    # >0 . SW .     step 2: the beam of 0,0 turns at 2,0 and heads down to 2,1;
    # .  . .  .     the beam of 2,3 is on 2,1 and heads up to 2,0: they swap
    # .  . .  .
    # .  . ^1 .
    assert beams_of(">0 . SW0\n. . .\n. . .\n. . ^1") == [
        "fire 0,0 pass 1,0 turn 2,0 annihilate 2,0",
        "fire 2,3 pass 2,2 pass 2,1 annihilate 2,1",
    ]


def test_a_swap_between_two_mirrors_counts() -> None:
    # .  v0 .  .     1,0 shines down on NE (1,1), which sends it right;
    # .  NE SW .     2,2 shines up on SW (2,1), which sends it left: they swap at once
    # .  .  ^1 .
    assert beams_of(". v0 . .\n. NE0 SW0 .\n. . ^1 .") == [
        "fire 1,0 turn 1,1 annihilate 1,1",
        "fire 2,2 turn 2,1 annihilate 2,1",
    ]


def test_opposite_beams_on_one_empty_square_annihilate() -> None:
    assert beams_of(">0 . <1") == [
        "fire 0,0 annihilate 1,0",
        "fire 2,0 annihilate 1,0",
    ]


def test_beams_at_a_right_angle_on_one_empty_square_annihilate() -> None:
    # >0 .      both reach 1,0 in step 1
    # .  ^1
    assert beams_of(">0 .\n. ^1") == [
        "fire 0,0 annihilate 1,0",
        "fire 1,1 annihilate 1,0",
    ]


def test_three_beams_on_one_empty_square_annihilate() -> None:
    # .  v0 .
    # >0 .  <1
    assert beams_of(". v0 .\n>0 . <1") == [
        "fire 1,0 annihilate 1,1",
        "fire 0,1 annihilate 1,1",
        "fire 2,1 annihilate 1,1",
    ]


def test_beams_that_cross_at_different_steps_do_not_meet() -> None:
    # >0 .       the first is on 1,0 in step 1, the second in step 2 on its way out at the top
    # .  .
    # .  ^1
    got = beams_of(">0 .\n. .\n. ^1")
    assert got[0].endswith("pass 9,0 leave 9,0")
    assert got[1] == "fire 1,2 pass 1,1 pass 1,0 leave 1,0"


def test_an_ended_beam_does_not_affect_later_beams() -> None:
    # .  .  .  .  .      the beams of 0,1 and 2,1 meet on 1,1 in step 1;
    # >0 .  <1 .  .      the beam of 1,3 comes to 1,1 in step 2 and passes
    # .  .  .  .  .
    # .  ^0 .  .  .
    got = beams_of(". . .\n>0 . <1\n. . .\n. ^0 .")
    assert got[2] == "fire 1,3 pass 1,2 pass 1,1 pass 1,0 leave 1,0"


def test_a_swap_is_resolved_before_beams_share_a_square() -> None:
    # .  .  .  v0     step 1: 1,2  2,2 and 3,1 (from 3,0).
    # .  .  .  .      Step 2: 1,2 and 2,2 swap and end. The third comes to 3,2, a shooter's
    # >0 .  .  <1     square, and hits it: the swap has not changed that.
    assert beams_of(". . . v0\n. . . .\n>0 . . <1") == [
        "fire 3,0 pass 3,1 hit 3,2",
        "fire 0,2 pass 1,2 annihilate 1,2",
        "fire 3,2 pass 2,2 annihilate 2,2",
    ]


def test_swapped_beams_do_not_meet_a_third_on_the_square_they_would_have_reached() -> None:
    # .  v0 .  .      step 1: 1,1 (from 1,0), 1,2 (from 0,2), 2,2 (from 3,2).
    # .  .  .  .      step 2: 1,2 and 2,2 swap and end; the first comes to 1,2 alone, and passes
    # >0 .  .  <1
    got = beams_of(". v0 . .\n. . . .\n>0 . . <1")
    assert got[0].startswith("fire 1,0 pass 1,1 pass 1,2 pass 1,3 ")
    assert got[0].endswith("pass 1,9 leave 1,9")
    assert got[1] == "fire 0,2 pass 1,2 annihilate 1,2"


# Face, then the new heading of a beam with heading N, E, S, W; "" means that it hits the back.
FACES = [
    ("NE", "", "", "E", "N"),
    ("SE", "E", "", "", "S"),
    ("SW", "W", "S", "", ""),
    ("NW", "", "N", "W", ""),
]
BACKS = [
    ("NE", "W", "S", "", ""),
    ("SE", "", "N", "W", ""),
    ("SW", "", "", "E", "N"),
    ("NW", "E", "", "", "S"),
]


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("incoming", range(4))
def test_the_effect_of_a_mirror_by_its_face(row: int, incoming: int, two_sided: bool) -> None:
    # The mirror is on 1,1; the shooter stands beside it and fires at it.
    shooter_x, shooter_y = [(1, 2), (0, 1), (1, 0), (2, 1)][incoming]
    state = draw("")
    state["board"][1][1] = draw_piece(FACES[row][0], 0)
    state["board"][shooter_y][shooter_x] = draw_piece("^>v<"[incoming], 1)
    steps = photon.beams(state, two_sided=two_sided)[0]
    outgoing = FACES[row][1 + incoming]
    if two_sided and outgoing == "":
        outgoing = BACKS[row][1 + incoming]
    if outgoing == "":
        assert steps[1:] == [{"cell": [1, 1], "what": "hit"}]
    else:
        next_cell = {"N": [1, 0], "E": [2, 1], "S": [1, 2], "W": [0, 1]}[outgoing]
        assert steps[1] == {"cell": [1, 1], "what": "turn"}
        assert steps[2]["cell"] == next_cell


def test_beams_on_the_same_face_of_a_mirror_annihilate() -> None:
    # .  v0 .
    # .  NE <1      NE reflects beams from above and from the right
    assert beams_of(". v0 .\n. NE0 <1") == [
        "fire 1,0 annihilate 1,1",
        "fire 2,1 annihilate 1,1",
    ]


def test_beams_on_the_same_face_do_not_protect_the_back_of_a_mirror() -> None:
    # .  v0 .
    # >0 NE <1      0,1 hits the back, and all three are at the mirror in step 1
    assert beams_of(". v0 .\n>0 NE0 <1") == [
        "fire 1,0 annihilate 1,1",
        "fire 0,1 hit 1,1",
        "fire 2,1 annihilate 1,1",
    ]


def test_two_beams_on_the_back_of_a_mirror_both_hit() -> None:
    # >0 NE .      SW of this mirror is its back, not a face: no beam annihilates
    # .  ^1 .
    assert beams_of(">0 NE0\n. ^1") == ["fire 0,0 hit 1,0", "fire 1,1 hit 1,0"]


def test_beams_on_different_sides_of_a_mirror_are_independent() -> None:
    # .  v0 .      one-sided: the second hits the back; two-sided: it turns down
    # >1 NE .
    one_sided = beams_of(". v0 .\n>1 NE0 .")
    assert one_sided[0].startswith("fire 1,0 turn 1,1 pass 2,1 ")
    assert one_sided[1] == "fire 0,1 hit 1,1"
    both = beams_of(". v0 .\n>1 NE0 .", two_sided=True)
    assert both[0].startswith("fire 1,0 turn 1,1 pass 2,1 ")
    assert both[1].startswith("fire 0,1 turn 1,1 pass 1,2 ")


def test_beams_on_the_same_back_of_a_two_sided_mirror_annihilate() -> None:
    assert beams_of(">0 NE0\n. ^1", two_sided=True) == [
        "fire 0,0 annihilate 1,0",
        "fire 1,1 annihilate 1,0",
    ]


def test_every_beam_that_hits_a_piece_takes_one_point() -> None:
    # >0 B1 <0     two points in one turn destroy the block
    state = draw(">0 B1 <0 K0 . K1")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [3, 0], "dst": [4, 0]})
    assert [steps[-1] for steps in shots] == [{"cell": [1, 0], "what": "hit"}] * 2
    assert new_state["board"][0][1] is None
    assert outcome == "ongoing"


def test_a_block_loses_one_point_to_one_beam() -> None:
    state = draw(">0 B1 . K0 . K1")
    move = {"type": "move", "src": [3, 0], "dst": [4, 0]}
    state, _, _ = photon.apply(state, move)
    assert state["board"][0][1] == draw_piece("b", 1)
    state, _, _ = photon.apply(state, {"type": "move", "src": [5, 0], "dst": [6, 0]})
    assert state["board"][0][1] is None


def test_a_piece_destroyed_this_turn_still_stops_every_beam() -> None:
    # >0 b1 . K1      the block is hit in step 1; the beam of 1,2 arrives in step 2 and stops too
    # .  .  . .
    # .  ^0 . K0
    state = draw(">0 b1 . K1\n. . . .\n. ^0 . K0")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [3, 2], "dst": [4, 2]})
    assert [steps[-1] for steps in shots] == [{"cell": [1, 0], "what": "hit"}] * 2
    assert new_state["board"][0][1] is None
    assert outcome == "ongoing"


def test_a_mirror_destroyed_this_turn_still_reflects() -> None:
    # .  v0 .  .      >1 on 0,1 hits the back of NE on 1,1; the other beam is still reflected
    # >1 NE .  K1
    # K0
    state = draw(". v0 . .\n>1 NE0 . K1\nK0 . . .")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [0, 2], "dst": [0, 3]})
    assert shots[0][-1] == {"cell": [3, 1], "what": "hit"}
    assert new_state["board"][1][1] is None
    assert outcome == "1-0 king captured"


def test_a_beam_may_return_and_destroy_its_own_shooter() -> None:
    # SE . SW      from 1,2 left to 0,2; NE sends it up, SE right, SW down, NW left to 1,2
    # .  . .
    # NE <0 NW
    assert beams_of("SE0 . SW0\n. . .\nNE0 <0 NW0") == [
        "fire 1,2 turn 0,2 pass 0,1 turn 0,0 pass 1,0 turn 2,0 pass 2,1 turn 2,2 hit 1,2"
    ]


def test_independent_beams_pass_through_each_other() -> None:
    assert beams_of(">0 <1", independent=True) == ["fire 0,0 hit 1,0", "fire 1,0 hit 0,0"]
    assert beams_of(">0 . <1", independent=True) == [
        "fire 0,0 pass 1,0 hit 2,0",
        "fire 2,0 pass 1,0 hit 0,0",
    ]
    # v0 on 1,0 turns right and hits the shooter on 2,1; <1 turns up and hits the one on 1,0.
    assert beams_of(". v0 .\n. NE0 <1", independent=True) == [
        "fire 1,0 turn 1,1 hit 2,1",
        "fire 2,1 turn 1,1 hit 1,0",
    ]


def test_beams_are_ordered_by_row_then_column() -> None:
    got = photon.beams(draw(". . ^0\n<0 . .\n. v1 ."))
    assert [steps[0]["cell"] for steps in got] == [[2, 0], [0, 1], [1, 2]]


# ---------------------------------------------------------------- Photon: actions and ends


def test_the_standard_setup_has_29_first_moves() -> None:
    # King 2, block 3, each of two shooters and two mirrors 4 moves and 2 turns: 2 + 3 + 24.
    assert len(photon.legal(photon.standard())) == 29


def test_the_standard_setup_is_point_symmetric() -> None:
    board = photon.standard()["board"]
    for y in range(10):
        for x in range(10):
            piece, twin = board[y][x], board[9 - y][9 - x]
            if piece is None:
                assert twin is None
                continue
            assert twin["type"] == piece["type"]
            assert twin["player"] == 1 - piece["player"]
            half_turn = 2 if piece["type"] in ("S", "M") else 0
            assert twin["orientation"] == (piece["orientation"] + half_turn) % 4


def test_kings_and_blocks_do_not_turn_and_no_piece_moves_diagonally() -> None:
    # K0 B0 .      K0 can only go down; B0 right and down; the shooter is Blue's
    # .  .  ^1
    # K1
    state = draw("K0 B0 .\n. . ^1\nK1 . .")
    assert photon.legal(state) == [
        {"type": "move", "src": [0, 0], "dst": [0, 1]},
        {"type": "move", "src": [1, 0], "dst": [2, 0]},
        {"type": "move", "src": [1, 0], "dst": [1, 1]},
    ]


def test_a_rotation_by_1_is_clockwise_and_wraps() -> None:
    state = draw("^0 . NW0 . K0 . . K1")
    turned, _, _ = photon.apply(state, {"type": "rotate", "src": [0, 0], "dir": -1})
    assert turned["board"][0][0] == draw_piece("<", 0)
    turned, _, _ = photon.apply(state, {"type": "rotate", "src": [2, 0], "dir": 1})
    assert turned["board"][0][2] == draw_piece("NE", 0)


def test_a_player_without_an_action_passes_and_the_beams_fire() -> None:
    # K0 B1 <1      Red has no move; the beam of 2,0 hits Blue's own block
    # B1 .  .
    # .  K1 .
    state = draw("K0 B1 <1\nB1 . .\n. K1 .")
    assert photon.legal(state) == [{"type": "pass"}]
    new_state, shots, outcome = photon.apply(state, {"type": "pass"})
    assert new_state["board"][0][1] == draw_piece("b", 1)
    assert len(shots) == 1
    assert outcome == "ongoing"
    assert new_state["turn"] == 1
    assert new_state["history"] == [{"type": "pass"}]


OUTCOMES = [
    (">0 . . K1 . . . . . K0", "1-0 king captured"),
    (">0 . . K0 . . . . . K1", "0-1 king captured"),
    ("K0 <1 . . . . K1 <0", "1/2-1/2 both kings captured"),
    (">0 . . B1 K1 . . . . K0", "ongoing"),
]


@pytest.mark.parametrize(("drawing", "expected"), OUTCOMES)
def test_the_outcome_follows_from_the_remaining_kings(drawing: str, expected: str) -> None:
    state = draw(drawing)
    # The move turns a distant mirror, so that the beams are those of the drawing.
    state["board"][9][0] = draw_piece("NE", 0)
    _, _, outcome = photon.apply(state, {"type": "rotate", "src": [0, 9], "dir": 1})
    assert outcome == expected


def test_no_shooter_left_is_a_draw_and_ends_the_game() -> None:
    # >0 .  SW      the only beam turns down at 2,0, left at 2,2, up at 0,2 and hits its shooter
    # .  .  .
    # NE .  NW
    state = draw(">0 . SW0\n. . .\nNE0 . NW0\n. . . . . K0 . K1")
    new_state, shots, outcome = photon.apply(state, {"type": "move", "src": [5, 3], "dst": [5, 4]})
    assert shots[0][-1] == {"cell": [0, 0], "what": "hit"}
    assert outcome == "1/2-1/2 no shooter left"
    assert photon.legal(new_state) == []


def test_a_state_without_a_king_has_no_legal_action() -> None:
    assert photon.legal(draw("K0 . >0")) == []
    assert photon.legal(draw("K1 . >0")) == []


def test_apply_does_not_change_its_input() -> None:
    state = draw(">0 B1 . K0 . K1")
    move = {"type": "move", "src": [3, 0], "dst": [3, 1]}
    state_before, move_before = copy.deepcopy(state), copy.deepcopy(move)
    new_state, _, _ = photon.apply(state, move)
    assert (state, move) == (state_before, move_before)
    assert new_state["history"] == [move]
    assert new_state["turn"] == 1
