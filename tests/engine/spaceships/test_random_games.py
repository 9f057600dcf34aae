"""Invariants of random Spaceships games on random maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.beam import BeamEvent
from engine.game import MAX_SEED, Turn
from engine.grid import Cube, HexGrid
from engine.spaceships import Action, Position, Spaceships, Status, Terrain
from tests.support.engine.random_play import examples

GAME = Spaceships()
Played = Turn[Position, Action]

ACTIONS = st.sampled_from([*GAME.legal(GAME.start(), 0), Action.noop("late"), Action.noop("x")])
SEEDS = st.integers(-MAX_SEED, MAX_SEED)
ROUNDS = st.lists(st.tuples(ACTIONS, ACTIONS), max_size=30)
# Small maps and few hit points make every event frequent.
GAMES = st.builds(
    Spaceships,
    radius=st.integers(1, 3),
    hit_points=st.sampled_from([5, 30, 100]),
    rounds=st.integers(1, 30),
    reach=st.sampled_from([1, 2, 12]),
)


def play(position: Position, one: Action, two: Action, game: Spaceships = GAME) -> Played:
    return game.resolve(position, {0: one, 1: two})


def played(game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]) -> list[Played]:
    position, turns = game.start(seed=seed), list[Played]()
    for one, two in rounds:
        if game.outcome(position) is not None:
            break
        turns.append(play(position, one, two, game))
        position = turns[-1].after
    return turns


@examples(100)
@given(GAMES, SEEDS, ROUNDS)
def test_every_position_of_a_game_round_trips(
    game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]
) -> None:
    for turn in played(game, seed, rounds):
        for position in (turn.before, turn.aimed, turn.after):
            text = game.write_position(position)
            assert game.read_position(text) == position
            assert game.write_position(game.read_position(text)) == text


@examples(100)
@given(GAMES, SEEDS, ROUNDS)
def test_hit_points_only_fall_and_never_below_zero(
    game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]
) -> None:
    for turn in played(game, seed, rounds):
        for before, after in zip(turn.before.ships, turn.after.ships, strict=True):
            assert 0 <= after.hit_points <= before.hit_points


@examples(100)
@given(GAMES, SEEDS, ROUNDS)
def test_events_name_the_hit_points_that_were_lost(
    game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]
) -> None:
    for turn in played(game, seed, rounds):
        for before, after in zip(turn.before.ships, turn.after.ships, strict=True):
            mine = [event for event in turn.events if event["nick"] == before.nick]
            lost = sum(event.get("hitpoints", 0) for event in mine)
            assert before.hit_points - after.hit_points == lost


@examples(100)
@given(GAMES, SEEDS, ROUNDS)
def test_ships_stand_on_different_tiles_of_land(
    game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]
) -> None:
    for turn in played(game, seed, rounds):
        first, second = turn.after.ships
        assert first.cell != second.cell
        assert turn.after.terrain[first.cell] is turn.after.terrain[second.cell] is Terrain.LAND


@examples(100)
@given(GAMES, SEEDS, ROUNDS)
def test_losses_equal_the_damage_of_beams_and_collisions(
    game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]
) -> None:
    for turn in played(game, seed, rounds):
        struck = {
            b.end.cell for b in turn.beams if b.end.event in (BeamEvent.DAMAGE, BeamEvent.CAPTURE)
        }
        collided = {
            ship.cell
            for ship in turn.aimed.ships
            for event in turn.events
            if event["type"] == "collision" and event["nick"] == ship.nick and event["hitpoints"]
        }
        assert {loss.cell for loss in turn.losses} == struck | collided
        removed = {loss.cell for loss in turn.removed}
        assert removed >= {b.end.cell for b in turn.beams if b.end.event is BeamEvent.CAPTURE}
        left = {cell: p for cell, p in turn.aimed.pieces.items() if cell not in removed}
        assert set(turn.after.pieces) == set(left)


@examples(100)
@given(GAMES, SEEDS, ROUNDS)
def test_resolve_does_not_change_its_input(
    game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]
) -> None:
    position = game.start(seed=seed)
    for one, two in rounds:
        if game.outcome(position) is not None:
            break
        written, orders = game.write_position(position), {0: one, 1: two}
        turn = game.resolve(position, orders)
        assert game.write_position(position) == written
        assert orders == {0: one, 1: two}
        assert game.resolve(position, orders) == turn
        position = turn.after


def opposite_tile(each: Cube) -> Cube:
    q, r, s = each
    return -q, -r, -s


def rotated(position: Position) -> Position:
    """The position rotated by 180 degrees, with the players swapped."""
    tiles = tuple(map(opposite_tile, position.grid.tiles))
    first, second = position.ships
    return replace(position, grid=HexGrid(tiles), ships=(second, first), events=())


def rotated_event(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event without the tile in its reason."""
    flat: dict[str, Any] = {
        k: [-n for n in v] if isinstance(v, list) else v for k, v in event.items()
    }
    if "reason" in flat:
        flat["reason"] = flat["reason"].partition("[")[0]
    return flat


@examples(100)
@given(GAMES, SEEDS, ROUNDS)
def test_a_rotated_map_with_swapped_players_rotates_the_round(
    game: Spaceships, seed: int, rounds: list[tuple[Action, Action]]
) -> None:
    def rotated_action(action: Action) -> Action:
        if action.heading is None:
            return action
        return replace(action, heading=(action.heading + 3) % 6)

    for turn in played(game, seed, rounds):
        (_, one), (_, two) = turn.moves
        mirrored = play(rotated(turn.before), rotated_action(two), rotated_action(one), game)
        assert rotated(mirrored.after) == replace(turn.after, events=())
        assert sorted(map(str, map(rotated_event, mirrored.events))) == sorted(
            str(rotated_event(rotated_event(event))) for event in turn.events
        )


@examples(25)
@given(SEEDS, st.randoms(use_true_random=False))
def test_random_games_end_within_the_round_limit(seed: int, rng: Any) -> None:
    position, count = GAME.start(seed=seed), 0
    while GAME.outcome(position) is None:
        one, two = (rng.choice(GAME.legal(position, player)) for player in (0, 1))
        position, count = play(position, one, two).after, count + 1
        assert count <= 150
    assert position.status is Status.OVER
