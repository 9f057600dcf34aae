"""The computer player of simultaneous games: mixed strategies, reproducible, beats random play."""

from __future__ import annotations

from random import Random

import pytest

from engine.matrix_game import solve
from engine.search import Limit, choose
from engine.spaceships import Action, ActionKind, Spaceships, Terrain
from engine.spaceships.fast_state import HEADINGS, FastSpaceships
from engine.spaceships.state import Position
from tests.support.engine.random_play import random_turns

USUAL_LEVEL = 3  # of `laserboard`

# -- matrices ----------------------------------------------------------------------------------


def test_rock_paper_scissors_has_the_uniform_equilibrium() -> None:
    mixture, worth = solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 500)
    assert mixture == pytest.approx([1 / 3] * 3, abs=0.03)
    assert worth == pytest.approx(0, abs=0.05)


def test_weighted_matching_pennies_has_the_known_equilibrium() -> None:
    mixture, worth = solve([[3, -1], [-1, 1]], 2000)
    assert mixture == pytest.approx([1 / 3, 2 / 3], abs=0.03)
    assert worth == pytest.approx(1 / 3, abs=0.05)


def test_a_dominant_action_is_played_alone() -> None:
    assert solve([[1, 2], [3, 4], [0, 9]], 1) == ([0.0, 1.0, 0.0], 3)


def test_of_two_safe_actions_the_one_that_gains_from_mistakes_is_played() -> None:
    assert solve([[1, 1], [1, 5]], 1) == ([0.0, 1.0], 1)


# -- the fast round ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_the_fast_round_agrees_with_the_rules(seed: int) -> None:
    random = Random(seed)
    game = Spaceships(
        rounds=random.choice([5, 150]), reach=random.choice([1, 3, 12]), hit_points=30
    )
    for turn in random_turns(game, seed, 60):
        duel = FastSpaceships(game, turn.before)
        state = duel.start
        for _ in range(8):
            actions = random.randrange(2 * HEADINGS), random.randrange(2 * HEADINGS)
            real = game.resolve(turn.before, dict(enumerate(map(duel.move, actions))))
            after = duel.play(state, actions)
            assert after == FastSpaceships(game, real.after).start
            ended = duel.winner(after)
            assert (ended is None) == (real.outcome is None)
            if real.outcome is not None:
                assert ended == (2 if real.outcome.winner is None else real.outcome.winner)


# -- tactics -----------------------------------------------------------------------------------


def facing_each_other(hit_points: int = 100) -> tuple[Spaceships, Position]:
    """Two ships in one row on land, three tiles apart."""
    game = Spaceships()
    start = game.start(seed=1)
    land = tuple(Terrain.LAND for _ in start.terrain)
    cells = [start.grid.find((0, 0, 0)), start.grid.find((3, 0, -3))]
    first, second = (
        type(ship)(ship.nick, hit_points, cell or 0)
        for ship, cell in zip(start.ships, cells, strict=True)
    )
    return game, Position(start.grid, land, (first, second))


def test_the_computer_never_collides_if_it_can_avoid_it() -> None:
    game = Spaceships()
    for turn in random_turns(game, 4, 80):
        duel = FastSpaceships(game, turn.before)
        for player in (0, 1):
            for action in duel.actions(duel.start, player):
                flown = duel.play(
                    duel.start, (action, HEADINGS) if player == 0 else (HEADINGS, action)
                )
                if action < HEADINGS:
                    assert flown.cells[player] != duel.start.cells[player]


def test_a_winning_shot_is_taken() -> None:
    """A shot that wins against every action of the other player is taken."""
    game, position = facing_each_other()
    first, second = position.ships
    shut_in = position.grid.find((5, 0, -5))
    assert shut_in is not None
    walls = [
        position.grid.ahead(shut_in, heading)
        for heading in range(HEADINGS)
        if position.grid.ahead(shut_in, heading) is not None
    ]
    terrain = list(position.terrain)
    open_way = position.grid.find((4, 0, -4))
    for cell in walls:
        if cell is not None and cell != open_way:
            terrain[cell] = Terrain.MOUNTAIN
    weak = type(second)(second.nick, 20, shut_in)
    cornered = Position(position.grid, tuple(terrain), (first, weak))
    for seed in range(10):
        choice = choose(game, cornered, Limit(level=4, seed=seed), player=0)
        assert choice.move.kind is ActionKind.LASER


def test_in_the_line_of_fire_the_computer_fires_or_leaves() -> None:
    game, position = facing_each_other()
    in_line = {Action.move(1), Action.move(4)}
    for seed in range(10):
        move = choose(game, position, Limit(level=4, seed=seed), player=0).move
        assert move == Action.laser(1) or (move.kind is ActionKind.MOVE and move not in in_line)


def test_the_same_seed_gives_the_same_choice() -> None:
    game, position = facing_each_other()
    for seed in range(5):
        limit = Limit(level=4, seed=seed)
        assert choose(game, position, limit, player=1) == choose(game, position, limit, player=1)


def test_a_stopped_search_plays_its_best_action_so_far() -> None:
    game, position = facing_each_other()
    choice = choose(game, position, Limit(level=8), lambda: True, player=0)
    assert choice.depth == 1
    assert choice.move in game.legal(position, 0)


# -- against random play -----------------------------------------------------------------------


def beats_random_play(seed: int, level: int) -> bool:
    """Play one whole game; the side depends on the seed."""
    game, random, side = Spaceships(), Random(seed), seed % 2
    position = game.start(seed=seed)
    while game.outcome(position) is None:
        limit = Limit(level, seed=1000 * seed + position.round)
        moves: dict[int, Action] = {
            side: choose(game, position, limit, player=side).move,
            1 - side: random.choice(game.legal(position, 1 - side)),
        }
        position = game.resolve(position, moves).after
    outcome = game.outcome(position)
    return outcome is not None and outcome.winner == side


@pytest.mark.slow
@pytest.mark.parametrize("tens", range(5))
def test_the_computer_always_beats_random_play(tens: int) -> None:
    seeds = range(10 * tens, 10 * tens + 10)
    assert [seed for seed in seeds if not beats_random_play(seed, USUAL_LEVEL)] == []


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2, 4, 5])
def test_every_level_always_beats_random_play(level: int) -> None:
    assert [seed for seed in range(50) if not beats_random_play(seed, level)] == []
