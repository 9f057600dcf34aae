"""The rules of Spaceships: rounds, start and end of a game.

Most maps here are small hexagons of land; each case lists only the tiles that are not land.
Headings are numbered as in `engine.grid.CUBE_STEPS`, clockwise from NE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine import catalogue
from engine.beam import BeamEvent
from engine.errors import BadMove, BadOption, BadPosition, IllegalMove, UnknownName
from engine.game import MAX_SEED, Mark, Outcome, Piece, Turn
from engine.grid import Cube, HexGrid
from engine.spaceships import Action, Position, Ship, Spaceships, Status, Terrain
from engine.spaceships.state import MAX_SCORE
from engine.spaceships.terrain import draw_map
from tests.support.engine.sentences import raises

NE, E, SE, SW, W, NW = range(6)
GAME = Spaceships()
LEFT, MIDDLE, RIGHT = (-1, 0, 1), (0, 0, 0), (1, 0, -1)

Played = Turn[Position, Action]


def arena(
    first: Cube,
    second: Cube,
    *,
    mountains: tuple[Cube, ...] = (),
    voids: tuple[Cube, ...] = (),
    radius: int = 3,
    hit_points: tuple[int, int] = (100, 100),
    scores: tuple[int, int] = (0, 0),
) -> Position:
    """A game in progress on a hexagon of land with these obstacles and these two ships."""
    grid = HexGrid.hexagon(radius)
    kinds = dict.fromkeys(mountains, Terrain.MOUNTAIN) | dict.fromkeys(voids, Terrain.VOID)
    terrain = tuple(kinds.get(tile, Terrain.LAND) for tile in grid.tiles)
    one, two = (
        Ship(nick, hp, grid.tiles.index(tile), score)
        for nick, hp, tile, score in zip(
            ("ann", "bob"), hit_points, (first, second), scores, strict=True
        )
    )
    return Position(grid, terrain, (one, two), status=Status.PLAY)


def play(position: Position, one: Action, two: Action, game: Spaceships = GAME) -> Played:
    return game.resolve(position, {0: one, 1: two})


def tile(position: Position, player: int) -> Cube:
    return position.grid.tiles[position.ships[player].cell]


def hit_points(position: Position) -> tuple[int, ...]:
    return tuple(ship.hit_points for ship in position.ships)


def scores(position: Position) -> tuple[int, ...]:
    return tuple(ship.score for ship in position.ships)


def event_types(turn: Played) -> list[tuple[str, str]]:
    return [(event["type"], event["nick"]) for event in turn.events]


REST = Action.noop("resting")


# -- moves -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "tile_reached"),
    [
        (NE, (1, -1, 0)),
        (E, (1, 0, -1)),
        (SE, (0, 1, -1)),
        (SW, (-1, 1, 0)),
        (W, (-1, 0, 1)),
        (NW, (0, -1, 1)),
    ],
)
def test_a_move_goes_one_tile_in_its_direction(heading: int, tile_reached: Cube) -> None:
    turn = play(arena(MIDDLE, (3, -3, 0)), Action.move(heading), REST)
    assert tile(turn.after, 0) == tile_reached
    assert turn.events[0] == {"type": "move", "nick": "ann", "coordinates": list(tile_reached)}
    assert hit_points(turn.after) == (100, 100)
    assert scores(turn.after) == (5, -5)


COLLISIONS = [
    ("mountain", E, "mountain at [1, 0, -1]"),
    ("void", W, "void at [-1, 0, 1]"),
    ("the tile that the other ship held", SE, "the other ship held [0, 1, -1]"),
]


@pytest.mark.parametrize(("_what", "heading", "reason"), COLLISIONS)
def test_a_blocked_ship_stays_and_only_the_mover_is_damaged(
    _what: str, heading: int, reason: str
) -> None:
    position = arena(MIDDLE, (0, 1, -1), mountains=(RIGHT,), voids=(LEFT,))
    turn = play(position, Action.move(heading), REST)
    assert tile(turn.after, 0) == MIDDLE
    assert hit_points(turn.after) == (95, 100)
    assert scores(turn.after) == (-5, -5)
    assert turn.events[0] == {
        "type": "collision",
        "nick": "ann",
        "coordinates": [0, 0, 0],
        "hitpoints": 5,
        "reason": reason,
    }


def test_leaving_the_grid_is_a_collision() -> None:
    turn = play(arena((3, 0, -3), MIDDLE), Action.move(E), REST)
    assert tile(turn.after, 0) == (3, 0, -3)
    assert turn.events[0]["reason"] == "off the grid at [4, 0, -4]"
    assert hit_points(turn.after) == (95, 100)


def test_moving_into_a_hole_in_the_grid_is_a_collision() -> None:
    position = arena(MIDDLE, (3, 0, -3))
    holed = tuple(each for each in position.grid.tiles if each != RIGHT)
    grid = HexGrid(holed)
    ships = tuple(
        replace(ship, cell=holed.index(position.grid.tiles[ship.cell])) for ship in position.ships
    )
    holed_position = replace(
        position, grid=grid, terrain=(Terrain.LAND,) * grid.size, ships=(ships[0], ships[1])
    )
    assert "off the grid" in play(holed_position, Action.move(E), REST).events[0]["reason"]
    shot = play(holed_position, Action.laser(E), REST)
    assert shot.events[0]["end"] == shot.events[0]["start"] == [0, 0, 0]
    assert hit_points(shot.after) == (100, 100)


def test_the_tile_of_a_ship_that_leaves_is_still_a_collision() -> None:
    turn = play(arena(LEFT, MIDDLE), Action.move(E), Action.move(E))
    assert (tile(turn.after, 0), tile(turn.after, 1)) == (LEFT, RIGHT)
    assert event_types(turn) == [("collision", "ann"), ("move", "bob")]
    assert turn.events[0]["reason"] == "the other ship held [0, 0, 0]"
    assert hit_points(turn.after) == (95, 100)


def test_ships_that_would_swap_places_both_collide() -> None:
    turn = play(arena(LEFT, MIDDLE), Action.move(E), Action.move(W))
    assert (tile(turn.after, 0), tile(turn.after, 1)) == (LEFT, MIDDLE)
    assert event_types(turn) == [("collision", "ann"), ("collision", "bob")]
    assert hit_points(turn.after) == (95, 95)


def test_ships_that_move_to_one_tile_both_collide() -> None:
    turn = play(arena(LEFT, RIGHT), Action.move(E), Action.move(W))
    assert (tile(turn.after, 0), tile(turn.after, 1)) == (LEFT, RIGHT)
    assert [event["reason"] for event in turn.events] == ["both moved to [0, 0, 0]"] * 2
    assert hit_points(turn.after) == (95, 95)
    assert scores(turn.after) == (-5, -5)


def test_two_ships_moving_to_one_mountain_both_collide_with_it() -> None:
    turn = play(arena(LEFT, RIGHT, mountains=(MIDDLE,)), Action.move(E), Action.move(W))
    assert [event["reason"] for event in turn.events] == ["mountain at [0, 0, 0]"] * 2


def test_a_laser_at_a_tile_is_not_a_move_to_it() -> None:
    turn = play(arena(LEFT, RIGHT), Action.move(E), Action.laser(NE))
    assert event_types(turn) == [("move", "ann"), ("laser", "bob")]


def test_a_collision_takes_at_most_the_remaining_hit_points() -> None:
    turn = play(arena((3, 0, -3), MIDDLE, hit_points=(3, 100)), Action.move(E), REST)
    assert turn.events[0]["hitpoints"] == 3
    assert hit_points(turn.after) == (0, 100)
    assert turn.outcome == Outcome("0-1", catalogue.SHIP_DESTROYED())


# -- lasers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("distance", "hit"), [(1, True), (11, True), (12, True), (13, False)])
def test_a_laser_reaches_twelve_tiles(distance: int, hit: bool) -> None:
    position = arena((-7, 0, 7), (-7 + distance, 0, 7 - distance), radius=7)
    turn = play(position, Action.laser(E), REST)
    end = min(distance, 12)
    assert turn.events[0]["end"] == [-7 + end, 0, 7 - end]
    assert hit_points(turn.after) == (100, 80 if hit else 100)
    assert turn.beams[0].end.event is (BeamEvent.DAMAGE if hit else BeamEvent.FADE)


def test_a_laser_ends_at_a_mountain() -> None:
    turn = play(arena(LEFT, RIGHT, mountains=(MIDDLE,)), Action.laser(E), REST)
    assert turn.events[0]["end"] == [0, 0, 0]
    assert turn.beams[0].end.event is BeamEvent.ABSORB
    assert hit_points(turn.after) == (100, 100)


def test_a_laser_passes_void_and_land() -> None:
    turn = play(arena((-2, 0, 2), RIGHT, voids=(MIDDLE,)), Action.laser(E), REST)
    assert hit_points(turn.after) == (100, 80)
    assert scores(turn.after) == (8, -5)
    assert turn.events[:2] == (
        {"type": "laser", "nick": "ann", "start": [-2, 0, 2], "end": [1, 0, -1]},
        {"type": "laser-hit", "nick": "bob", "hitpoints": 20},
    )


def test_a_laser_that_leaves_at_once_ends_where_it_starts() -> None:
    turn = play(arena((3, 0, -3), MIDDLE), Action.laser(E), REST)
    assert turn.events[0] == {
        "type": "laser",
        "nick": "ann",
        "start": [3, 0, -3],
        "end": [3, 0, -3],
    }


def test_a_laser_that_leaves_ends_on_the_last_tile() -> None:
    turn = play(arena(MIDDLE, LEFT), Action.laser(E), REST)
    assert turn.events[0]["end"] == [3, 0, -3]


def test_a_ship_that_moves_into_a_beam_is_hit() -> None:
    turn = play(arena(LEFT, (2, -1, -1)), Action.laser(E), Action.move(SW))
    assert tile(turn.after, 1) == RIGHT
    assert event_types(turn) == [("move", "bob"), ("laser", "ann"), ("laser-hit", "bob")]
    assert hit_points(turn.after) == (100, 80)


def test_a_ship_that_moves_out_of_a_beam_is_not_hit() -> None:
    turn = play(arena(LEFT, RIGHT), Action.laser(E), Action.move(NE))
    assert hit_points(turn.after) == (100, 100)


def test_a_ship_that_collides_is_hit_where_it_stays() -> None:
    turn = play(arena(LEFT, (3, 0, -3)), Action.laser(E), Action.move(E))
    assert event_types(turn) == [("collision", "bob"), ("laser", "ann"), ("laser-hit", "bob")]
    assert hit_points(turn.after) == (100, 75)
    assert turn.aimed.ships[1].hit_points == 100, "the beams have not been fired yet"


def test_beams_never_meet_and_both_hit() -> None:
    turn = play(arena(LEFT, RIGHT), Action.laser(E), Action.laser(W))
    assert hit_points(turn.after) == (80, 80)
    assert scores(turn.after) == (8, 8)
    assert [beam.end.event for beam in turn.beams] == [BeamEvent.DAMAGE, BeamEvent.DAMAGE]


def test_only_ships_that_fire_have_beams() -> None:
    turn = play(arena(LEFT, RIGHT), Action.move(NE), Action.laser(W))
    assert [beam.owner for beam in turn.beams] == [1]


def test_a_beam_starts_at_its_ship() -> None:
    turn = play(arena(LEFT, RIGHT), Action.laser(E), REST)
    assert turn.beams[0].path[0] == turn.aimed.ships[0].cell


def test_a_ship_destroyed_in_a_round_still_fires_in_it() -> None:
    turn = play(arena(LEFT, RIGHT, hit_points=(100, 20)), Action.laser(E), Action.laser(W))
    assert hit_points(turn.after) == (80, 0)
    assert [beam.end.event for beam in turn.beams] == [BeamEvent.CAPTURE, BeamEvent.DAMAGE]
    assert turn.outcome == Outcome("1-0", catalogue.SHIP_DESTROYED())


def test_a_hit_takes_at_most_the_remaining_hit_points() -> None:
    turn = play(arena(LEFT, RIGHT, hit_points=(100, 7)), Action.laser(E), REST)
    assert turn.events[1] == {"type": "laser-hit", "nick": "bob", "hitpoints": 7}
    assert hit_points(turn.after) == (100, 0)


def test_losses_are_the_damage_of_collision_and_laser() -> None:
    turn = play(arena(LEFT, (3, 0, -3), hit_points=(100, 25)), Action.laser(E), Action.move(E))
    (loss,) = turn.losses
    assert loss.piece == Piece("ship", 1, hit_points=25)
    assert loss.piece == turn.aimed.pieces[loss.cell]
    assert loss.hits == 25
    assert turn.removed == (loss,)


def test_a_ship_that_is_only_damaged_is_not_removed() -> None:
    turn = play(arena(LEFT, RIGHT), Action.laser(E), REST)
    assert [loss.hits for loss in turn.losses] == [20]
    assert turn.removed == ()


def test_a_ship_destroyed_by_a_collision_stays_until_the_end_of_the_round() -> None:
    position = arena(LEFT, (2, 0, -2), mountains=((3, 0, -3),), hit_points=(100, 5))
    turn = play(position, Action.laser(E), Action.move(E))
    assert turn.events[1]["end"] == [2, 0, -2]
    assert turn.events[2] == {"type": "laser-hit", "nick": "bob", "hitpoints": 0}
    assert scores(turn.after) == (8, -5)
    assert turn.beams[0].end.event is BeamEvent.CAPTURE
    assert [(loss.piece.owner, loss.hits) for loss in turn.removed] == [(1, 5)]


def test_a_collision_without_a_laser_is_a_loss() -> None:
    turn = play(arena(LEFT, (3, 0, -3), hit_points=(100, 5)), REST, Action.move(E))
    assert [(loss.piece.owner, loss.hits) for loss in turn.removed] == [(1, 5)]


def test_a_destroyed_ship_is_removed() -> None:
    turn = play(arena(LEFT, RIGHT, hit_points=(100, 20)), Action.laser(E), REST)
    assert {piece.owner for piece in turn.aimed.pieces.values()} == {0, 1}
    assert {piece.owner for piece in turn.after.pieces.values()} == {0}


# -- noops and events --------------------------------------------------------------------------


def test_a_noop_costs_score_and_has_its_reason() -> None:
    turn = play(arena(LEFT, RIGHT), Action.noop("no answer in 4 s"), Action.move(NE))
    assert turn.events[-1] == {"type": "noop", "nick": "ann", "reason": "no answer in 4 s"}
    assert scores(turn.after) == (-5, 5)
    assert hit_points(turn.after) == (100, 100)


ORDERS = [
    (Action.move(NE), Action.move(NE), ["move ann", "move bob"]),
    (Action.laser(NE), Action.move(NE), ["move bob", "laser ann"]),
    (Action.noop("a"), Action.laser(NE), ["laser bob", "noop ann"]),
    (Action.noop("a"), Action.noop("b"), ["noop ann", "noop bob"]),
    (Action.noop("a"), Action.laser(W), ["laser bob", "laser-hit ann", "noop ann"]),
    (
        Action.laser(E),
        Action.laser(W),
        ["laser ann", "laser bob", "laser-hit ann", "laser-hit bob"],
    ),
]


@pytest.mark.parametrize(("one", "two", "expected"), ORDERS)
def test_events_are_moves_then_lasers_then_hits_then_noops_in_player_order(
    one: Action, two: Action, expected: list[str]
) -> None:
    turn = play(arena(LEFT, RIGHT), one, two)
    assert [" ".join(event) for event in event_types(turn)] == expected


def test_the_next_state_has_only_the_events_of_its_round() -> None:
    first = play(arena(LEFT, RIGHT), Action.move(NE), REST)
    second = play(first.after, Action.laser(W), REST)
    assert first.after.events == first.events
    assert second.after.events == second.events
    assert event_types(second) == [("laser", "ann"), ("noop", "bob")]


def test_a_round_adds_one_to_the_round_and_the_game_is_in_play() -> None:
    turn = play(GAME.start(), Action.laser(NW), Action.laser(SE))
    assert (turn.before.round, turn.before.status) == (1, Status.INIT)
    assert (turn.after.round, turn.after.status) == (2, Status.PLAY)
    assert turn.outcome is None


def test_the_aimed_position_contains_the_moves_but_not_the_hits() -> None:
    turn = play(arena(LEFT, (2, -1, -1)), Action.laser(E), Action.move(SW))
    assert tile(turn.aimed, 1) == RIGHT
    assert hit_points(turn.aimed) == (100, 100)
    assert turn.aimed.round == turn.before.round


# -- players to move ---------------------------------------------------------------------------


def test_a_player_can_move_and_fire_in_six_directions() -> None:
    position = arena((3, 0, -3), MIDDLE)
    legal = GAME.legal(position, 0)
    assert set(legal) == {make(h) for make in (Action.move, Action.laser) for h in range(6)}
    assert len(legal) == 12
    assert GAME.legal(position, 2) == ()


@pytest.mark.parametrize("movers", [(), (0,), (1,), (0, 1, 2)])
def test_only_the_two_players_act_in_a_round(movers: tuple[int, ...]) -> None:
    with raises(IllegalMove, catalogue.WRONG_MOVERS):
        GAME.resolve(GAME.start(), dict.fromkeys(movers, REST))


def test_no_ship_acts_in_a_paused_game() -> None:
    with raises(IllegalMove, catalogue.GAME_PAUSED()):
        play(replace(GAME.start(), status=Status.PAUSE), REST, REST)


def test_no_ship_acts_after_the_end() -> None:
    over = arena(LEFT, RIGHT, hit_points=(0, 5))
    assert GAME.legal(over, 0) == ()
    destroyed = Outcome.win(1, catalogue.SHIP_DESTROYED()).sentence
    with raises(IllegalMove, catalogue.GAME_OVER(outcome=destroyed)):
        play(over, REST, REST)
    with raises(IllegalMove, catalogue.GAME_OVER):
        GAME.read_move(over, 0, '{"type":"move","direction":[1,0,-1]}')


def test_a_third_player_has_no_actions() -> None:
    with raises(IllegalMove, catalogue.NO_SUCH_PLAYER(player=2)):
        GAME.read_move(GAME.start(), 2, '{"type":"move","direction":[1,0,-1]}')


@pytest.mark.parametrize(
    "make",
    [
        lambda: Action.move(6),
        lambda: Action.laser(-1),
        lambda: replace(Action.move(1), reason="x"),
        lambda: replace(Action.noop("x"), heading=1),
        lambda: replace(Action.noop("x"), reason="two\nlines"),
    ],
)
def test_an_illegal_action_is_not_generated(make: Callable[[], Action]) -> None:
    with pytest.raises(BadMove):
        make()


# -- end of a game -----------------------------------------------------------------------------

ENDS = [
    ((0, 100), (9, 0), 7, Status.PLAY, Outcome("0-1", catalogue.SHIP_DESTROYED())),
    ((1, 0), (0, 9), 7, Status.PLAY, Outcome("1-0", catalogue.SHIP_DESTROYED())),
    ((0, 0), (9, 8), 7, Status.PLAY, Outcome("1-0", catalogue.BOTH_SHIPS_MORE_SCORE())),
    ((0, 0), (-9, -8), 7, Status.PLAY, Outcome("0-1", catalogue.BOTH_SHIPS_MORE_SCORE())),
    ((0, 0), (8, 8), 7, Status.PLAY, Outcome("1/2-1/2", catalogue.BOTH_SHIPS_EQUAL_SCORE())),
    ((60, 40), (0, 99), 151, Status.PLAY, Outcome("1-0", catalogue.MORE_HIT_POINTS(count=150))),
    ((40, 60), (99, 0), 151, Status.PAUSE, Outcome("0-1", catalogue.MORE_HIT_POINTS(count=150))),
    ((60, 60), (1, 0), 151, Status.PLAY, Outcome("1-0", catalogue.MORE_SCORE(count=150))),
    ((60, 60), (0, 1), 151, Status.OVER, Outcome("0-1", catalogue.MORE_SCORE(count=150))),
    ((60, 60), (1, 1), 151, Status.INIT, Outcome("1/2-1/2", catalogue.EQUAL_AFTER(count=150))),
    ((0, 60), (1, 1), 151, Status.OVER, Outcome("0-1", catalogue.SHIP_DESTROYED())),
    ((60, 40), (0, 0), 2, Status.OVER, Outcome("1-0", catalogue.MORE_HIT_POINTS_1(count=1))),
    ((60, 60), (0, 0), 1, Status.OVER, Outcome("1/2-1/2", catalogue.EQUAL_AFTER(count=0))),
]


@pytest.mark.parametrize(("left", "points", "number", "status", "expected"), ENDS)
def test_the_outcome_follows_from_the_position_alone(
    left: tuple[int, int],
    points: tuple[int, int],
    number: int,
    status: Status,
    expected: Outcome,
) -> None:
    position = replace(
        arena(LEFT, RIGHT, hit_points=left, scores=points), round=number, status=status
    )
    assert GAME.outcome(position) == expected
    assert GAME.outcome(GAME.read_position(GAME.write_position(position))) == GAME.outcome(position)


@pytest.mark.parametrize("status", [Status.INIT, Status.PLAY, Status.PAUSE])
def test_the_last_round_can_be_played(status: Status) -> None:
    assert GAME.outcome(replace(arena(LEFT, RIGHT), round=150, status=status)) is None


def test_the_game_is_over_after_its_last_round() -> None:
    turn = play(replace(arena(LEFT, RIGHT), round=150), Action.laser(E), REST)
    assert turn.outcome == Outcome("1-0", catalogue.MORE_HIT_POINTS(count=150))
    assert (turn.after.status, turn.after.round) == (Status.OVER, 151)


def test_both_ships_can_be_destroyed_at_once() -> None:
    position = arena(LEFT, RIGHT, hit_points=(20, 20), scores=(0, 1))
    turn = play(position, Action.laser(E), Action.laser(W))
    assert turn.outcome == Outcome("0-1", catalogue.BOTH_SHIPS_MORE_SCORE())
    assert turn.after.status is Status.OVER
    assert [beam.end.event for beam in turn.beams] == [BeamEvent.CAPTURE, BeamEvent.CAPTURE]
    assert len(turn.removed) == 2
    assert turn.after.pieces == {}


# -- options -----------------------------------------------------------------------------------

OPTIONS: list[tuple[dict[str, int], Action, Action, tuple[int, int], tuple[int, int]]] = [
    ({"collision_hp": 7}, Action.move(W), Action.move(NE), (93, 100), (-5, 5)),
    ({"collision_hp": 0}, Action.move(W), Action.move(NE), (100, 100), (-5, 5)),
    ({"collision_score": -9}, Action.move(W), Action.move(NE), (95, 100), (-9, 5)),
    ({"hit_hp": 33}, Action.laser(E), Action.noop("x"), (100, 67), (8, -5)),
    ({"hit_score": 50}, Action.laser(E), Action.noop("x"), (100, 80), (50, -5)),
    ({"move_score": 1}, Action.noop("x"), Action.move(NE), (100, 100), (-5, 1)),
    ({"noop_score": 0}, Action.noop("x"), Action.move(NE), (100, 100), (0, 5)),
    ({"reach": 3}, Action.laser(E), Action.laser(W), (100, 100), (0, 0)),
    ({"reach": 4}, Action.laser(E), Action.laser(W), (80, 80), (8, 8)),
]


@pytest.mark.parametrize(("options", "one", "two", "left", "points"), OPTIONS)
def test_an_option_changes_its_rule(
    options: Mapping[str, int],
    one: Action,
    two: Action,
    left: tuple[int, int],
    points: tuple[int, int],
) -> None:
    turn = play(arena((-3, 0, 3), RIGHT), one, two, Spaceships.with_options(options))
    assert (hit_points(turn.after), scores(turn.after)) == (left, points)


def test_the_options_of_the_start_are_its_size_and_hit_points() -> None:
    start = Spaceships(radius=2, hit_points=7).start()
    assert start.grid == HexGrid.hexagon(2)
    assert hit_points(start) == (7, 7)


def test_a_game_of_three_rounds_has_three() -> None:
    game = Spaceships(rounds=3)
    position, played = game.start(), 0
    while game.outcome(position) is None:
        position, played = play(position, REST, REST, game).after, played + 1
    assert played == 3


@pytest.mark.parametrize(
    "options",
    [
        {"radius": 0}, {"radius": 13}, {"rounds": 0}, {"rounds": 10_001}, {"reach": 0},
        {"hit_points": 0}, {"hit_points": 1001}, {"hit_hp": 0}, {"collision_hp": -1},
        {"collision_score": -1001}, {"move_score": 1001}, {"reach": True}, {"speed": 1},
    ],
)  # fmt: skip
def test_an_option_out_of_its_range_is_refused(options: Mapping[str, Any]) -> None:
    with pytest.raises(BadOption):
        Spaceships.with_options(options)


# -- starting ----------------------------------------------------------------------------------


def test_a_game_starts_on_the_map_of_its_seed_with_undamaged_ships() -> None:
    start = GAME.start(seed=7)
    drawn = draw_map(7, 5)
    assert (start.grid, start.terrain) == (drawn.grid, drawn.terrain)
    assert start.ships == (
        Ship("first", 100, drawn.starts[0], 0),
        Ship("second", 100, drawn.starts[1], 0),
    )
    assert (start.round, start.status, start.events, start.seed) == (1, Status.INIT, (), 7)
    assert GAME.outcome(start) is None


def test_without_a_seed_the_seed_is_one_and_recorded() -> None:
    assert GAME.start() == GAME.start(seed=1)
    assert GAME.start().seed == 1


def test_a_game_can_start_with_the_names_of_its_players() -> None:
    start = GAME.start_with(3, ("Snorre", "Ørjan"))
    assert [ship.nick for ship in start.ships] == ["Snorre", "Ørjan"]
    assert replace(start, ships=GAME.start(seed=3).ships) == GAME.start(seed=3)


@pytest.mark.parametrize("nicks", [("a", "a"), ("", "b"), ("a", "b" * 41), ("a", "b\n")])
def test_a_game_with_names_that_cannot_be_written_is_refused(nicks: tuple[str, str]) -> None:
    with pytest.raises(BadPosition):
        GAME.start_with(1, nicks)


def test_spaceships_has_no_setups() -> None:
    assert GAME.setups() == {}
    with raises(UnknownName, catalogue.NO_SETUP_BUT_SEED):
        GAME.start("ace")
    with raises(UnknownName, catalogue.NO_SETUPS):
        GAME.default_setup  # noqa: B018


def test_a_seed_too_long_to_be_recorded_is_refused() -> None:
    for seed in (MAX_SEED + 1, -MAX_SEED - 1, 10**5000):
        with raises(BadOption, catalogue.SEED_TOO_LONG):
            GAME.start(seed=seed)


@pytest.mark.parametrize("seed", [MAX_SEED, -MAX_SEED])
def test_the_largest_seeds_are_written_and_read(seed: int) -> None:
    start = GAME.start(seed=seed)
    assert GAME.read_position(GAME.write_position(start)) == start


def test_a_noop_uses_no_piece_and_every_other_action_uses_the_ship() -> None:
    position = arena(LEFT, RIGHT)
    for player, ship in enumerate(position.ships):
        assert GAME.origin(position, player, Action.move(E)) == ship.cell
        assert GAME.origin(position, player, Action.laser(E)) == ship.cell
        assert GAME.origin(position, player, REST) is None


def test_the_marks_of_a_position_are_its_terrain() -> None:
    position = arena(LEFT, RIGHT, mountains=(MIDDLE,), voids=((0, 1, -1),))
    marks = GAME.marks(position)
    tiles = position.grid.tiles
    assert len(marks) == position.grid.size
    assert marks[tiles.index(MIDDLE)] is Mark.MOUNTAIN
    assert marks[tiles.index((0, 1, -1))] is Mark.VOID
    assert marks[tiles.index(LEFT)] is Mark.LAND


def test_a_score_stays_in_the_range_that_can_be_read_back() -> None:
    position = arena(LEFT, RIGHT, scores=(MAX_SCORE, -MAX_SCORE))
    after = play(position, Action.move(NE), Action.noop("x")).after
    assert scores(after) == (MAX_SCORE, -MAX_SCORE)
    assert GAME.read_position(GAME.write_position(after)) == after
