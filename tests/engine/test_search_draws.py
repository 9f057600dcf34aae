"""Draws in the search of the computer player: repetitions, claims and the turn limit."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import catalogue
from engine.errors import BadOption
from engine.game import AnyGame
from engine.laser_chess import LaserChess
from engine.photon import Photon
from engine.puzzles import load_puzzles
from engine.search import Limit, choose
from engine.turn_based import TurnBased
from tests.support.engine.random_play import laser_chess_position, photon_position, random_turns
from tests.support.engine.sentences import raises
from tests.support.engine.wins_in_one import assert_safe

POSITIONS = {LaserChess: laser_chess_position, Photon: photon_position}
RULES: list[dict[str, Any]] = [
    {},
    {"repetition": "automatic"},
    {"repetition": "automatic", "no_capture": "automatic", "no_capture_turns": 4},
    {"no_capture_turns": 2},
]
LIMITS = [
    Limit(level=3, seed=5),
    Limit(level=5),
    Limit(level=8, depth=3),
    Limit(level=7, nodes=3000),
]


def with_history(game: AnyGame, position: Any, random: Random) -> Any:
    """The position with a history that contains some of the possible next positions."""
    following = [
        game.resolve(position, {position.side: move}).after.key
        for move in game.legal(position, position.side)
    ]
    past = random.choices(following, k=random.choice([1, 2, 4, 30]))
    return replace(position, keys_since_capture=tuple(past) * random.choice([1, 2]))


@pytest.mark.parametrize("kind", POSITIONS)
@pytest.mark.parametrize(
    "chunk", [0, *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in range(1, 4))]
)
def test_with_any_history_wins_are_taken_and_losses_avoided(
    kind: type[TurnBased[Any, Any]], chunk: int
) -> None:
    random = Random(chunk)
    checked = 0
    for seed in range(1000 * chunk, 1000 * chunk + 25):
        bare = POSITIONS[kind](seed)
        if kind().outcome(bare) is not None:
            continue
        position = with_history(kind(), bare, random)
        for options in RULES:
            game = kind.with_options(options)
            if game.outcome(position) is None:
                assert_safe(game, position, choose(game, position, random.choice(LIMITS)))
                checked += 1
    assert checked > 30


def test_a_draw_is_claimed_if_the_score_is_negative() -> None:
    game = LaserChess()
    # Blue is behind by a deflector, and no piece can be captured.
    behind = game.read_position("l++3d++kd++b+++2/2b7/*/*/*/*/*/3DKD3L b")
    claimable = replace(behind, keys_since_capture=(behind.key,) * 2)
    assert game.claimable(claimable) is not None
    assert choose(game, claimable, Limit(depth=2)).claim
    assert not choose(game, behind, Limit(depth=2)).claim, "there is nothing to claim"
    ahead = replace(behind, side=1)
    assert not choose(
        game, replace(ahead, keys_since_capture=(ahead.key,) * 2), Limit(depth=2)
    ).claim


def test_games_between_computers_have_automatic_draws() -> None:
    game = LaserChess(no_capture_turns=7)
    assert game.for_computers().options() == {
        "repetition": "automatic",
        "no_capture": "automatic",
        "no_capture_turns": 7,
    }
    strict = LaserChess(repetition="off", no_capture="off")
    assert strict.for_computers() == strict
    shuffled = list(random_turns(game.for_computers(), seed=3, most=300, retries=20))
    assert shuffled[-1].outcome is not None


def test_a_search_without_any_limit_is_refused() -> None:
    game = LaserChess()
    with raises(BadOption, catalogue.ENDLESS_SEARCH()):
        choose(game, game.start(), Limit())
    assert choose(game, game.start(), Limit(), stop=lambda: True).move is not None


def test_returning_to_an_earlier_position_counts_as_a_draw() -> None:
    """Every position within two turns is in the history, so the score is a draw."""
    ahead = 0
    for seed in range(12):
        position = photon_position(seed)
        if Photon().outcome(position) is not None:
            continue
        answers = [
            Photon().resolve(after, {after.side: answer}).after.key
            for move in Photon().legal(position, position.side)
            for after in [Photon().resolve(position, {position.side: move}).after]
            for answer in Photon().legal(after, after.side)
        ]
        seen = replace(position, keys_since_capture=tuple(answers))
        rules = {"no_capture": "off"}
        # Impossible in a real game: the compiled core assumes that the history has no captures.
        limit = Limit(depth=3, core="python")
        counting = choose(Photon.with_options(rules), seen, limit)
        assert counting.score == 0 or counting.turns_to_end is not None
        careless = choose(Photon.with_options({**rules, "repetition": "off"}), seen, limit)
        ahead += careless.score != 0 and careless.turns_to_end is None
    assert ahead > 3


TWO_TURNS = [puzzle for puzzle in load_puzzles() if puzzle.turns == 2][:5]


@pytest.mark.parametrize("core", ["native", "python"])
def test_a_winning_move_is_preferred_to_a_draw_claim(core: str) -> None:
    claimed, automatic = LaserChess(), LaserChess(no_capture="automatic")
    for puzzle in TWO_TURNS:
        position = puzzle.start_position
        elsewhere = tuple(bytes((n % 40 + 1,)) * 81 for n in range(claimed.no_capture_turns - 2))
        late = replace(position, keys_since_capture=elsewhere)
        limit = Limit(depth=3, core=core)
        assert choose(claimed, late, limit).turns_to_end == 3
        assert choose(automatic, late, limit).turns_to_end is None


@pytest.mark.parametrize("core", ["native", "python"])
def test_a_win_in_a_repeated_position_is_still_found(core: str) -> None:
    for puzzle in TWO_TURNS:
        _, answer, _ = puzzle.solution_turns()
        position = replace(puzzle.start_position, keys_since_capture=(answer.after.key,) * 4)
        assert choose(LaserChess(), position, Limit(depth=3, core=core)).turns_to_end == 3


@pytest.mark.parametrize("core", ["native", "python"])
@pytest.mark.parametrize("seed", [51, 117, 151])
def test_a_win_after_the_turn_limit_does_not_count(seed: int, core: str) -> None:
    """Each of these is won in three single turns and drawn in two."""
    position = photon_position(seed)
    found = {
        turns: choose(Photon(max_turns=turns), position, Limit(depth=5, core=core)).turns_to_end
        for turns in (2, 3, 300)
    }
    assert found == {2: None, 3: 3, 300: 3}
