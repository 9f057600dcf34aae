"""The compiled core agrees with the Python core: moves, evaluations and search scores."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine import catalogue, native
from engine.errors import BadOption, LaserboardError
from engine.laser_chess.board import Board
from engine.laser_chess.evaluation import features
from engine.laser_chess.native_tables import native_rules
from engine.laser_chess.position import Position
from engine.native.binding import LASER_FEATURES
from engine.native.rules import NativeRules, encode_move
from engine.search import Limit, choose
from engine.solver import winning_moves
from tests.support.engine.random_play import (
    LASER_CHESS,
    examples,
    laser_chess_position,
    laser_chess_positions,
    random_turns,
)
from tests.support.engine.sentences import raises

WINS, LOSES, CAPTURES, TWIN = 1, 2, 8, 64


@pytest.fixture(scope="module")
def core() -> NativeRules:
    found = native_rules()
    assert found is not None, native.missing_reason()
    return found


def ongoing(first: int, count: int) -> Iterator[Position]:
    """Positions from random arrangements and from random play, alternately."""
    return islice(_endless(first), count)


def _endless(seed: int) -> Iterator[Position]:
    setups = list(LASER_CHESS.setups())
    while True:
        arranged = laser_chess_position(seed)
        if LASER_CHESS.outcome(arranged) is None:
            yield arranged
        turns = list(random_turns(LASER_CHESS, seed, 60, setups[seed % len(setups)]))
        yield turns[Random(seed).randrange(len(turns))].before
        seed += 1


# -- rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", LASER_CHESS.setups())
def test_perft_of_both_cores_is_equal_from_every_setup(core: NativeRules, setup: str) -> None:
    start = LASER_CHESS.start(setup)
    for depth in (1, 2):
        assert core.perft(start, depth) == Board(start).perft(depth)


@pytest.mark.slow
@pytest.mark.parametrize("setup", LASER_CHESS.setups())
def test_perft_of_both_cores_is_equal_at_depth_four(core: NativeRules, setup: str) -> None:
    start = LASER_CHESS.start(setup)
    for depth in (3, 4):
        assert core.perft(start, depth) == Board(start).perft(depth)


def test_perft_of_both_cores_is_equal_from_random_positions(core: NativeRules) -> None:
    for position in ongoing(0, 150):
        assert core.perft(position, 2) == Board(position).perft(2)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(5))
def test_perft_of_both_cores_is_equal_from_thousands_of_positions(
    core: NativeRules, chunk: int
) -> None:
    for position in ongoing(10_000 * (chunk + 1), 1000):
        assert core.perft(position, 2) == Board(position).perft(2)


def test_every_move_has_the_effect_that_the_rules_give(core: NativeRules) -> None:
    for position in ongoing(500, 60):
        found = {each.move: each for each in core.moves(position)}
        legal = LASER_CHESS.legal(position, position.side)
        assert found.keys() == {encode_move(move) for move in legal}
        after: dict[Any, int] = {}
        for move in sorted(legal, key=lambda each: bool(found[encode_move(each)].flags & TWIN)):
            value = found[encode_move(move)]
            turn = LASER_CHESS.play(position, move)
            won = turn.outcome is not None and turn.outcome.winner == position.side
            lost = turn.outcome is not None and turn.outcome.winner == 1 - position.side
            assert bool(value.flags & WINS) == won
            assert bool(value.flags & LOSES) == lost
            assert bool(value.flags & CAPTURES) == bool(turn.losses)
            if turn.losses:
                theirs = turn.losses[0].piece.owner != position.side
                if turn.losses[0].piece.kind in ("deflector", "defender"):
                    assert (value.gain > 0) == theirs
            else:
                assert value.gain == 0
            # A twin leads to the same position as another move.
            assert bool(value.flags & TWIN) <= (turn.after.key in after)
            after[turn.after.key] = value.move


# -- evaluation ----------------------------------------------------------------------------------


@given(laser_chess_positions)
@examples(200)
def test_evaluations_of_both_cores_are_equal(position: Position) -> None:
    found = native_rules()
    assert found is not None
    score, counted = found.evaluate(position)
    assert counted == features(position.squares, position.side)
    assert score == Board(position).score()
    assert len(counted) == LASER_FEATURES


def test_a_king_near_a_beam_lowers_the_evaluation() -> None:
    """The same mirror, once where it sends the beam near the king and once elsewhere."""
    near = LASER_CHESS.read_position("l++9/9B/*/4k5/*/*/4K4B+/9L b")
    far = LASER_CHESS.read_position("l++9/9B/*/*/*/4k5/4K4B+/9L b")
    crossing = features(near.squares, near.side)
    assert crossing != features(far.squares, far.side)


# -- search --------------------------------------------------------------------------------------


def full_width(position: Position, depth: int, core: str) -> int:
    limit = Limit(depth=depth, core=core, full_width=True)
    return choose(LASER_CHESS, position, limit).score


def compare_scores(first: int, count: int, deep: int) -> None:
    for n, position in enumerate(ongoing(first, count)):
        few = len(LASER_CHESS.legal(position, position.side)) < 40
        depth = deep if few else 2
        if n % 5 == 0:  # close to both draw rules
            turns = list(random_turns(LASER_CHESS, first + n, 8, "ace"))
            position = turns[-1].after
            position = replace(
                position, keys_since_capture=(*(95 * (b"",)), *position.keys_since_capture)
            )
            position = replace(
                position,
                keys_since_capture=tuple(k or position.key for k in position.keys_since_capture),
            )
        if LASER_CHESS.outcome(position) is None:
            assert full_width(position, depth, "native") == full_width(position, depth, "python")


def test_searches_of_both_cores_find_the_same_scores() -> None:
    compare_scores(3000, 30, 3)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(5))
def test_searches_of_both_cores_find_the_same_scores_of_hundreds_of_positions(chunk: int) -> None:
    compare_scores(20_000 + 1000 * chunk, 100, 3)


def test_an_exception_in_stop_ends_the_search() -> None:
    def stop() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        choose(LASER_CHESS, LASER_CHESS.start(), Limit(core="native"), stop)


def test_an_exception_in_enough_ends_the_search() -> None:
    def enough(_: Any) -> bool:
        raise ValueError("enough is enough")

    with pytest.raises(ValueError, match="enough is enough"):
        choose(LASER_CHESS, LASER_CHESS.start(), Limit(depth=9, core="native"), enough=enough)


def test_enough_ends_a_search() -> None:
    shown = []

    def enough(choice: Any) -> bool:
        shown.append(choice.depth)
        return bool(choice.depth == 4)

    choice = choose(LASER_CHESS, LASER_CHESS.start(), Limit(depth=20), enough=enough)
    assert choice.depth == 4
    assert shown == [1, 2, 3, 4]


def test_the_search_releases_the_gil() -> None:
    """Another thread counts while the search runs."""
    counted = 0
    over = threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    core = native_rules()
    assert core is not None
    core.perft(LASER_CHESS.start(), 4)
    after = counted
    over.set()
    thread.join()
    assert after - before > 10_000


def test_without_the_compiled_core_the_python_core_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(LASER_CHESS), "native_rules", lambda *_: None)
    monkeypatch.setattr(native, "missing_reason", catalogue.CORE_NOT_BUILT)
    start = LASER_CHESS.start()
    assert choose(LASER_CHESS, start, Limit(depth=2)).depth == 2
    with raises(LaserboardError, catalogue.CORE_NOT_BUILT()):
        choose(LASER_CHESS, start, Limit(depth=2, core="native"))


@pytest.mark.parametrize(
    ("text", "nodes", "seed"),
    [
        ("l++1d++1kB+b+++2B+++/*/b++7s+B+/6S+3/2S7/b1s+7/4D+++B++3B/b+2B+b+++K3L r", 1000, 62),
        (
            "l++3k1b+++2S+/9B/b++8B+/2Sb6/7s+++2/b+++3B+B++3B/b++1s++1D+++b+++4/3B+1K+++3L b",
            300,
            55,
        ),
        ("l++4kb2S+/4s+5/*/b++5b++3/1b++2B2S++B1/4D5/3B+D5/s+2B++K+B++3L r", 300, 81),
    ],
)
def test_a_stopped_search_claims_no_loss_that_it_has_not_proven(
    text: str, nodes: int, seed: int
) -> None:
    position = LASER_CHESS.read_position(text)
    assert not is_lost(position)
    choice = choose(LASER_CHESS, position, Limit(nodes=nodes, seed=seed, core="native"))
    assert choice.turns_to_end is None


def is_lost(position: Position, turns: int = 3) -> bool:
    """Whether every move loses within this many turns of the other side."""
    moves = LASER_CHESS.legal(position, position.side)
    after = (LASER_CHESS.play(position, move) for move in moves)
    return all(
        winning_moves(LASER_CHESS, turn.after, turns)
        if turn.outcome is None
        else turn.outcome.winner == 1 - position.side
        for turn in after
    )


INTERRUPTED = """
import os, signal, threading
from engine.laser_chess import LaserChess
from engine.search import Limit, choose
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the shell has said
begun = threading.Event()
def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)
def go_on():
    begun.set()
    return False
threading.Thread(target=interrupt, daemon=True).start()
game = LaserChess()
try:
    choose(game, game.start(), Limit(nodes=200_000_000, core="native"), go_on)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_interrupts_a_search_at_once() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60, check=True
    )
    assert (ran.stdout, ran.stderr) == ("interrupted\n", "")


def test_depths_out_of_range_are_refused(core: NativeRules) -> None:
    start = LASER_CHESS.start()
    for depth in (0, 65):
        with raises(BadOption, catalogue.BAD_PERFT_DEPTH):
            core.perft(start, depth)
    for turns in (0, 16):
        with raises(BadOption, catalogue.BAD_PROOF_TURNS):
            core.solve(start, turns, lambda: False)
