"""Tables expected for positions and turns of each game: valid orientations, pieces before the beam
is fired, and tag numbers. Expected values are written by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine import games
from engine.game import AnyTurn, ExpectedPiece, Piece
from engine.grid import Cell
from engine.laser_chess import LaserChess
from engine.photon import Photon
from engine.spaceships import Spaceships
from engine.spaceships.state import Action

CHESS = LaserChess()
PHOTON = Photon()
SHIPS = Spaceships()

# Red has a laser and a king. Blue has a king on e2, a switch on e4, a deflector on g5.
QUIET = "l++9/5k4/*/6B3/4S5/*/4K5/9L b"


def turn_of(move: str, sn: str = QUIET) -> AnyTurn:
    position = CHESS.read_position(sn)
    return CHESS.resolve(position, {position.side: CHESS.read_move(position, position.side, move)})


def square(name: str) -> Cell:
    return CHESS.start().grid.cell(name)


def shown(turn: AnyTurn, **facing: int) -> Mapping[Cell, ExpectedPiece]:
    found = CHESS.expected_after_moves(turn, {square(name): seen for name, seen in facing.items()})
    assert found is not None
    return found


def orientations(standing: ExpectedPiece) -> set[int]:
    return set(standing.orientations)


# -- Laser Chess -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "alike"),
    [
        ("king", [{0, 1, 2, 3}] * 4),
        ("switch", [{0, 2}, {1, 3}, {0, 2}, {1, 3}]),
        ("deflector", [{0}, {1}, {2}, {3}]),
        ("defender", [{0}, {1}, {2}, {3}]),
        ("laser", [{0}, {1}, {2}, {3}]),
    ],
)
def test_a_king_has_four_valid_orientations_and_a_switch_two(
    kind: str, alike: list[set[int]]
) -> None:
    for owner in (0, 1):
        assert [CHESS.equivalent_orientations(Piece(kind, owner, way)) for way in range(4)] == alike


def test_the_expected_pieces_are_those_of_the_position() -> None:
    assert CHESS.expected_pieces(CHESS.read_position(QUIET)) == {
        square("a8"): ExpectedPiece("laser", 1, frozenset({2})),
        square("f7"): ExpectedPiece("king", 1, frozenset({0, 1, 2, 3})),
        square("g5"): ExpectedPiece("deflector", 0, frozenset({0})),
        square("e4"): ExpectedPiece("switch", 0, frozenset({0, 2})),
        square("e2"): ExpectedPiece("king", 0, frozenset({0, 1, 2, 3})),
        square("j1"): ExpectedPiece("laser", 0, frozenset({0})),
    }


def test_a_captured_piece_is_expected_until_the_beam_is_fired() -> None:
    turn = turn_of("j1-xe1", "l++9/5k4/*/*/*/*/3K6/4b4L b")
    assert [loss.cell for loss in turn.removed] == [square("e1")]
    assert shown(turn)[square("e1")] == ExpectedPiece("deflector", 1, frozenset({0}))


@pytest.mark.parametrize("seen", range(4))
def test_a_king_that_is_rotated_is_rotated_from_its_observed_orientation(seen: int) -> None:
    """The record has no orientation of the king; on the table it has any."""
    assert orientations(shown(turn_of("e2+"), e2=seen)[square("e2")]) == {(seen + 1) % 4}
    assert orientations(shown(turn_of("e2-"), e2=seen)[square("e2")]) == {(seen - 1) % 4}


@pytest.mark.parametrize("seen", [0, 2])
def test_a_rotated_switch_shows_its_direction_of_rotation(seen: int) -> None:
    assert orientations(shown(turn_of("e4+"), e4=seen)[square("e4")]) == {(seen + 1) % 4}
    assert orientations(shown(turn_of("e4-"), e4=seen)[square("e4")]) == {(seen - 1) % 4}


def test_a_switch_in_an_invalid_orientation_is_rotated_from_the_recorded_one() -> None:
    assert orientations(shown(turn_of("e4+"), e4=1)[square("e4")]) == {1}
    assert orientations(shown(turn_of("g5+"), g5=3)[square("g5")]) == {1}


def test_a_moved_piece_may_stand_in_any_equivalent_orientation() -> None:
    for move, target, expected in [
        ("e2e3", "e3", {0, 1, 2, 3}),
        ("e4e5", "e5", {0, 2}),
        ("g5g6", "g6", {0}),
    ]:
        table = shown(turn_of(move), e2=3, e4=2)
        assert orientations(table[square(target)]) == expected
        assert square(move[:2]) not in table
        others = {square(name) for name in ("e2", "e4", "g5")} - {square(move[:2])}
        rest = CHESS.expected_pieces(turn_of(move).before)
        assert all(table[cell] == rest[cell] for cell in others)


def test_a_swap_keeps_the_orientations_of_both_pieces() -> None:
    table = shown(turn_of("e4ue5", "l++9/5k4/*/4b++5/4S+5/*/4K5/9L b"), e4=3)
    assert table[square("e5")] == ExpectedPiece("switch", 0, frozenset({1, 3}))
    assert table[square("e4")] == ExpectedPiece("deflector", 1, frozenset({2}))


def test_sn_is_written_for_impossible_arrangements() -> None:
    pieces = {
        square("a8"): Piece("king", 0, 3),
        square("e4"): Piece("laser", 1, 2),
        square("f4"): Piece("switch", 1, 1),
    }
    assert CHESS.write_pieces(CHESS.start().grid, pieces) == "K+++9/*/*/*/4l++s+4/*/*/*"


# -- Photon ----------------------------------------------------------------------------------


def test_kings_and_blocks_of_photon_have_four_valid_orientations() -> None:
    for kind, free in [("king", True), ("block", True), ("shooter", False), ("mirror", False)]:
        for way in range(4):
            expected = set(range(4)) if free else {way}
            assert PHOTON.equivalent_orientations(Piece(kind, 1, way)) == expected


def test_a_pass_in_photon_leaves_the_table_unchanged() -> None:
    state: dict[str, Any] = {"board": [[None] * 10 for _ in range(10)], "turn": 0, "history": []}
    king = {"type": "K", "player": 0, "hp": 1, "orientation": 0}
    block = {"type": "B", "player": 1, "hp": 2, "orientation": 0}
    shooter = {"type": "S", "player": 1, "hp": 1, "orientation": 3}
    state["board"][0][:2] = [king, block]
    state["board"][1][0] = block
    state["board"][9][8:] = [{**king, "player": 1}, shooter]
    position = PHOTON.read_position(json.dumps(state))
    (turn,) = PHOTON.turns(position)
    assert PHOTON.expected_after_moves(turn, {}) == PHOTON.expected_pieces(position)


def test_the_board_is_written_in_the_form_of_the_state() -> None:
    start = PHOTON.start()
    written = json.loads(PHOTON.write_pieces(start.grid, start.pieces))
    assert written == {"board": json.loads(PHOTON.write_position(start))["board"]}
    # The record has no orientation of a king, but the hit points of a block.
    read = json.loads(
        PHOTON.write_pieces(start.grid, {0: Piece("king", 1, 3), 1: Piece("block", 0, 2, 1)})
    )
    assert read["board"][0][:3] == [
        {"type": "K", "player": 1, "hp": 1, "orientation": 0},
        {"type": "B", "player": 0, "hp": 1, "orientation": 0},
        None,
    ]


# -- Spaceships ------------------------------------------------------------------------------


def hexagons(first: str, second: str, **terrain: str) -> Any:
    """A board of radius 2 with the ships on these tiles; all tiles but `terrain` are land."""
    state = json.loads(SHIPS.write_position(Spaceships(radius=2).start()))
    grid = Spaceships(radius=2).start().grid
    for name in (grid.name(cell) for cell in range(grid.size)):
        state["grid"][grid.cell(name)]["terrain"] = terrain.get(name, "land")
    for player, name in zip(state["players"], (first, second), strict=True):
        player["coordinates"] = list(grid.tiles[grid.cell(name)])
    return SHIPS.read_position(json.dumps(state))


def table_of(
    position: Any, first: Action, second: Action, **options: Any
) -> dict[str, tuple[int, set[int]]] | None:
    turn = SHIPS.resolve(position, {0: first, 1: second})
    found = SHIPS.expected_after_moves(turn, {}, **options)
    if found is None:
        return None
    return {position.grid.name(c): (each.owner, orientations(each)) for c, each in found.items()}


ANY = set(range(6))
RIGHT, LEFT, UP_RIGHT = 1, 4, 0


def test_a_ship_that_fires_faces_its_target_direction() -> None:
    position = hexagons("b3", "d3")
    table = table_of(position, Action.laser(RIGHT), Action.laser(UP_RIGHT))
    assert table == {"b3": (0, {RIGHT}), "d3": (1, {UP_RIGHT})}


def test_a_ship_that_moves_may_stand_in_any_orientation() -> None:
    position = hexagons("b3", "d3")
    table = table_of(position, Action.move(LEFT), Action.laser(RIGHT))
    assert table == {"a3": (0, ANY), "d3": (1, {RIGHT})}


def test_a_ship_that_will_collide_is_still_put_on_the_tile() -> None:
    for terrain in ("mountain", "void"):
        position = hexagons("b3", "d3", a3=terrain)
        table = table_of(position, Action.move(LEFT), Action.laser(RIGHT))
        assert table == {"a3": (0, ANY), "d3": (1, {RIGHT})}


def test_a_ship_may_enter_the_tile_that_the_other_ship_left() -> None:
    position = hexagons("b3", "c3")
    table = table_of(position, Action.move(RIGHT), Action.move(RIGHT))
    assert table == {"c3": (0, ANY), "d3": (1, ANY)}


def test_actions_off_the_grid_or_onto_one_tile_cannot_be_shown() -> None:
    position = hexagons("a3", "c3")
    assert table_of(position, Action.move(LEFT), Action.laser(RIGHT)) is None
    assert table_of(position, Action.move(RIGHT), Action.move(LEFT)) is None
    touching = hexagons("b3", "c3")
    assert table_of(touching, Action.move(RIGHT), Action.laser(RIGHT)) is None


def test_a_ship_whose_player_has_not_acted_is_unchanged() -> None:
    position = hexagons("a3", "c3")
    actions = (Action.move(LEFT), Action.laser(RIGHT))
    assert table_of(position, *actions, moved_by_hand={1}) == {"a3": (0, ANY), "c3": (1, {RIGHT})}
    late = (Action.move(RIGHT), Action.noop("late"))
    assert table_of(position, *late) == {"b3": (0, ANY), "c3": (1, ANY)}


def test_ships_are_written_with_the_names_of_their_tiles() -> None:
    position = hexagons("b3", "d3")
    cell = position.grid.cell("b3")
    assert json.loads(SHIPS.write_pieces(position.grid, {cell: Piece("ship", 1, 4)})) == {
        "b3": {"type": "ship", "player": 1, "orientation": 4}
    }


# -- tags ------------------------------------------------------------------------------------

RED_FIRST = 0
BLUE_FIRST = 13


def test_tag_numbers_of_laser_chess_never_change() -> None:
    """Printed tags are glued to pieces, so their numbers must never change."""
    red, blue = 1, 0
    tags = LaserChess.tags
    for owner, first in ((red, RED_FIRST), (blue, BLUE_FIRST)):
        assert tags[first] == Piece("king", owner)
        assert tags[first + 1] == tags[first + 2] == Piece("switch", owner)
        assert tags[first + 3] == tags[first + 4] == Piece("defender", owner)
        for deflector in range(first + 5, first + 12):
            assert tags[deflector] == Piece("deflector", owner)
        assert tags[first + 12] == Piece("laser", owner)
    assert sorted(tags) == list(range(26))


def test_tag_numbers_of_photon_never_change() -> None:
    red, blue = 0, 1
    tags = Photon.tags
    assert tags[0] == Piece("king", red)
    assert tags[13] == Piece("king", blue)
    for numbers, owner in (((3, 4), red), ((16, 17), blue)):
        assert {tags[n] for n in numbers} == {Piece("block", owner, hit_points=2)}
    for mirrors, owner in ((range(5, 12), red), (range(18, 25), blue)):
        # A mirror at orientation 0 faces north-east, like the deflector with its tag pointing down.
        assert {tags[n] for n in mirrors} == {Piece("mirror", owner, 2)}
    for shooters, owner in (((30, 31), red), ((32, 33), blue)):
        assert {tags[n] for n in shooters} == {Piece("shooter", owner)}
    assert sorted(tags) == [0, *range(3, 12), 13, *range(16, 25), *range(30, 34)]


def test_tag_numbers_of_spaceships_never_change() -> None:
    assert Spaceships.tags == {12: Piece("ship", 0), 25: Piece("ship", 1)}


@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_a_step_is_either_legal_or_has_a_reason(name: str) -> None:
    game: Any = games.make(name)
    position = game.start()
    if len(game.to_move(position)) > 1:
        assert game.illegal_step_reason(position, 0, 1) is None, "simultaneous games give none"
        return
    (mover,) = game.to_move(position)
    legal = set(game.legal(position, mover))
    for source, piece in position.pieces.items():
        for target in range(position.grid.size):
            if target == source:
                continue
            reason = game.illegal_step_reason(position, source, target)
            legal_step = game.step_move(source, target) in legal
            assert (reason is None) == legal_step, (source, target, piece)
