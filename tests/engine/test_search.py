"""The computer player: levels from 3 on avoid losses in one; seeds, limits and correct scores.

Wins and losses in one are verified by brute force through the public contract of the games.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from engine import catalogue
from engine.board import DRAWN
from engine.errors import BadOption
from engine.game import AnyGame
from engine.games import GAMES
from engine.laser_chess import LaserChess
from engine.photon import Photon
from engine.search import DEEPEST, STRONGEST, WIN, Limit, NoComputer, choose
from engine.spaceships import Spaceships
from tests.support.engine.random_play import (
    LASER_CHESS,
    PHOTON,
    PHOTON_RULES,
    laser_chess_position,
    photon_position,
    random_turns,
)
from tests.support.engine.sentences import raises
from tests.support.engine.wins_in_one import allows_a_loss, assert_safe, can_win

POSITIONS: dict[str, Callable[[int], Any]] = {
    "laser-chess": laser_chess_position,
    "photon": photon_position,
}
# The first positions always, the others in the slow tests.
CHUNKS = [0, *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in range(1, 4))]
both_games = pytest.mark.parametrize("game", [LASER_CHESS, PHOTON], ids=list(POSITIONS))


@pytest.fixture(params=["native", "python"], autouse=True)
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test runs with both cores."""
    if request.param == "python":
        for game in (LaserChess, Photon):
            monkeypatch.setattr(game, "native_rules", lambda *_: None)


def ongoing(game: AnyGame, first: int, count: int) -> Iterator[Any]:
    """Random positions of unfinished games."""
    made = (POSITIONS[game.name](seed) for seed in range(first, first + 10 * count))
    return islice((p for p in made if game.outcome(p) is None), count)


# -- wins and losses in one ------------------------------------------------------------------


def stop_at_once() -> bool:
    return True


def never() -> bool:
    return False


SAFE = [
    (Limit(level=3), never),
    (Limit(level=3, depth=1, nodes=1, seed=5), stop_at_once),
    (Limit(level=4), never),
    (Limit(level=5, nodes=1), never),
    (Limit(level=8), stop_at_once),
    (Limit(level=8, depth=1), never),
    (Limit(level=6, nodes=700, seed=9), never),
]


@both_games
@pytest.mark.parametrize("chunk", CHUNKS)
def test_from_level_3_on_a_win_is_taken_and_a_loss_avoided(game: AnyGame, chunk: int) -> None:
    winning = threatened = 0
    for n, position in enumerate(ongoing(game, 1000 * chunk, 42)):
        limit, stop = SAFE[n % len(SAFE)]
        assert_safe(game, position, choose(game, position, limit, stop))
        winning += can_win(game, position)
        threatened += can_win(game, replace(position, side=1 - position.side))
    assert winning >= 2
    assert threatened >= 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", [LASER_CHESS, *PHOTON_RULES.values()], ids=range(5))
def test_a_win_is_taken_and_a_loss_avoided_in_positions_from_play(game: AnyGame, seed: int) -> None:
    setup = list(game.setups())[seed % len(game.setups())]
    for n, turn in enumerate(random_turns(game, seed, 60, setup)):
        if n % 4 == 0:
            limit, stop = SAFE[(n // 4) % len(SAFE)]
            assert_safe(game, turn.before, choose(game, turn.before, limit, stop))


def test_the_last_turn_of_a_limited_photon_game_avoids_a_loss() -> None:
    game = Photon(max_turns=1)
    for position in ongoing(game, 0, 40):
        assert_safe(game, position, choose(game, position, Limit(level=4)))


# Every move allows a loss in one here. The search below verifies it again.
HOPELESS = {"laser-chess": [101, 334, 669], "photon": [129, 446, 841, 842]}


@both_games
def test_an_unavoidable_loss_is_delayed_as_long_as_possible(game: AnyGame) -> None:
    for seed in HOPELESS[game.name]:
        position = POSITIONS[game.name](seed)
        assert all(allows_a_loss(game, position, m) for m in game.legal(position, position.side))
        choice = choose(game, position, Limit(level=4))
        assert (choice.score, choice.turns_to_end) == (2 - WIN, 2)
        assert game.resolve(position, {position.side: choice.move}).outcome is None


@both_games
@pytest.mark.parametrize("level", [3, 4, 8])
def test_an_automatic_repetition_draw_avoids_a_loss(game: AnyGame, level: int) -> None:
    """Only the repeating move avoids the loss."""
    automatic = type(game).with_options({"repetition": "automatic"})
    tried = 0
    for seed in HOPELESS[game.name]:
        position = POSITIONS[game.name](seed)
        turns = [
            game.resolve(position, {position.side: m}) for m in game.legal(position, position.side)
        ]
        for turn in [t for t in turns if t.outcome is None and not t.losses][:1]:
            twice = replace(position, keys_since_capture=(turn.after.key,) * 2)
            assert_safe(
                automatic, twice, choose(automatic, twice, Limit(level=level, nodes=100, depth=3))
            )
            tried += 1
    assert tried == len(HOPELESS[game.name])


@both_games
def test_an_automatic_no_capture_draw_avoids_a_loss(game: AnyGame) -> None:
    """Only a turn without a capture avoids the loss."""
    automatic = type(game).with_options({"no_capture": "automatic", "no_capture_turns": 1})
    for seed in HOPELESS[game.name]:
        position = POSITIONS[game.name](seed)
        for n in range(4):
            choice = choose(automatic, position, Limit(level=4, seed=n))
            assert_safe(automatic, position, choice)


# -- correct scores --------------------------------------------------------------------------


def minimax(board: Any, depth: int, ply: int = 0) -> int:
    """Minimax without pruning; the score is that of the side to move."""
    best = -2 * WIN
    for action in board.actions():
        mover = board.side
        board.play(action)
        if board.winner is not None:
            score = 0 if board.winner == DRAWN else WIN - ply - 1
            score = score if board.winner in (mover, DRAWN) else ply + 1 - WIN
        else:
            score = -board.score() if depth == 1 else -minimax(board, depth - 1, ply + 1)
        board.take_back()
        best = max(best, score)
    return best


@both_games
def test_alpha_beta_finds_the_score_of_plain_minimax(game: AnyGame) -> None:
    off = type(game).with_options({"repetition": "off"})
    compared = 0
    for position in ongoing(off, 0, 20):
        moves = len(off.legal(position, position.side))
        depth = 4 if moves < 9 else 3 if moves < 25 else 2
        choice = choose(off, position, Limit(depth=depth, seed=compared, full_width=True))
        assert choice.depth == depth or choice.turns_to_end is not None
        assert choice.score == minimax(off.board(position), choice.depth)
        compared += depth > 2
    assert compared >= 2


@both_games
def test_the_line_is_legal_play_from_the_position(game: AnyGame) -> None:
    lengths = set()
    for position in ongoing(game, 50, 25):
        choice = choose(game, position, Limit(depth=3, nodes=3000))
        assert choice.line[0] == choice.move
        assert 1 <= choice.depth <= 3
        for move in choice.line:
            assert move in game.legal(position, position.side)
            position = game.resolve(position, {position.side: move}).after
        if choice.turns_to_end is not None and len(choice.line) == choice.turns_to_end:
            assert game.outcome(position) is not None
        lengths.add(len(choice.line))
    assert max(lengths) >= 3


# -- limits, seeds, stop ---------------------------------------------------------------------

LIMITS = [
    Limit(level=1, seed=3),
    Limit(level=2, seed=3),
    Limit(level=3, seed=4),
    Limit(level=8, depth=3, seed=1),
    Limit(level=6, nodes=4000, seed=2),
    Limit(level=5, seed=7),
]


@both_games
@pytest.mark.parametrize("limit", LIMITS)
def test_the_same_seed_gives_the_same_choice(game: AnyGame, limit: Limit) -> None:
    for position in (game.start(), *ongoing(game, 300, 3)):
        before = pickle.dumps(position)
        first = choose(game, position, limit)
        assert choose(game, position, limit) == first
        assert first.nodes > 0
        assert pickle.dumps(position) == before


SCRIPT = """
from engine.games import make
from engine.search import Limit, choose
for name in ("laser-chess", "photon"):
    game = make(name)
    for limit in (Limit(level=1, seed=3), Limit(depth=3, nodes=3000, seed=1)):
        print(choose(game, game.start(), limit))
"""


def test_the_choice_does_not_depend_on_the_hash_seed() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    ]
    assert said[0].count("Choice(") == 4
    assert said[0] == said[1] == said[2]


@both_games
def test_seeds_make_a_weak_player_vary(game: AnyGame) -> None:
    chosen = {choose(game, game.start(), Limit(level=1, seed=seed)).move for seed in range(12)}
    assert len(chosen) > 3


@both_games
@pytest.mark.parametrize("asks", [1, 2, 37])
def test_stop_ends_the_search_at_once(game: AnyGame, asks: int) -> None:
    calls = 0

    def stop() -> bool:
        nonlocal calls
        calls += 1
        return calls >= asks

    choice = choose(game, game.start(), Limit(), stop)
    assert calls == asks
    assert choice.move in game.legal(game.start(), 0)
    assert choice.nodes < choose(game, game.start(), Limit(level=8, depth=2)).nodes + 1200 * asks


@both_games
@pytest.mark.parametrize("nodes", [5_000, 9_000])
def test_the_node_limit_is_exceeded_by_at_most_the_moves_of_one_position(
    game: AnyGame, nodes: int
) -> None:
    left = iter(range(10 * nodes))  # so that a search without a limit ends, too
    choice = choose(game, game.start(), Limit(nodes=nodes), lambda: next(left, None) is None)
    assert choice.depth > 2
    assert nodes <= choice.nodes < nodes + 200


@both_games
def test_the_search_reaches_exactly_the_requested_depth(game: AnyGame) -> None:
    for depth in (2, 3):
        choice = choose(game, game.start(), Limit(depth=depth))
        assert (choice.depth, choice.turns_to_end) == (depth, None)
    for level, depth in [(1, 1), (2, 1), (3, 2), (4, 3)]:
        assert choose(game, game.start(), Limit(level=level)).depth == depth
    assert choose(game, game.start(), Limit(level=1, depth=1, nodes=1), stop_at_once).depth == 1


# -- strength and repetition -----------------------------------------------------------------


@pytest.mark.slow
@both_games
def test_level_4_beats_level_1(game: AnyGame) -> None:
    won = 0
    for seed in range(6):
        position, strong = game.start(), seed % 2
        for n in range(80):
            level = 4 if position.side == strong else 1
            choice = choose(game, position, Limit(level=level, seed=100 * seed + n))
            position = game.resolve(position, {position.side: choice.move}).after
            ended = game.outcome(position)
            if ended is not None:
                assert ended.winner == strong
                won += 1
                break
    assert won >= 3


# Blue is ahead by a defender and two deflectors, and no piece is threatened.
AHEAD = "l++4k4/4b5/*/*/*/3B6/2BD1K4/1B7L+++"


@pytest.mark.parametrize(("repetition", "changes"), [("claim", True), ("off", False)])
def test_a_player_ahead_avoids_the_third_repetition(repetition: str, changes: bool) -> None:
    game = LaserChess(repetition=repetition)
    position, limit = game.read_position(AHEAD), Limit(level=4, seed=1)
    first = choose(game, position, limit)
    assert 0 < first.score < 1000
    after = game.resolve(position, {0: first.move}).after
    again = choose(game, replace(position, keys_since_capture=(after.key,) * 2), limit)
    assert (again.move != first.move) == changes
    assert again.score > 0


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, -1, STRONGEST + 1])
def test_there_are_eight_levels(level: int) -> None:
    assert STRONGEST == 8
    with raises(BadOption, catalogue.NO_SUCH_LEVEL(most=8, level=level)):
        Limit(level=level)


def test_limits_that_allow_no_search_are_refused() -> None:
    for depth in (0, -1, DEEPEST + 1):
        with raises(BadOption, catalogue.BAD_SEARCH_DEPTH(most=DEEPEST, depth=depth)):
            Limit(depth=depth)
    with raises(BadOption, catalogue.BAD_NODE_LIMIT(nodes=0)):
        Limit(nodes=0)


@both_games
def test_a_finished_game_has_no_choice(game: AnyGame) -> None:
    made = (POSITIONS[game.name](seed) for seed in range(200))
    finished = [position for position in made if game.outcome(position) is not None]
    assert finished
    for position in finished:
        with raises(NoComputer, catalogue.GAME_OVER):
            choose(game, position, Limit())


class WithoutBoard(Spaceships):
    """A game without a fast board."""

    def simultaneous_game(self, position: Any) -> Any:
        return None


def test_a_game_without_a_fast_board_is_refused_with_the_reason() -> None:
    game = WithoutBoard()
    assert not game.computer_plays(game.start())
    with raises(NoComputer, catalogue.NO_COMPUTER(game=game.title)):
        choose(game, game.start(), Limit(level=1))


def test_the_computer_plays_every_game() -> None:
    for kind in GAMES.values():
        assert kind().computer_plays(kind().start())
