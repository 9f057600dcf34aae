"""Photon in the compiled core agrees with the Python core: moves, evaluations and scores."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine import catalogue
from engine.game import Loss
from engine.native import NativeCoreMissing, NativeRules, load_library
from engine.native.rules import PASS_CODE, encode_move
from engine.perft import perft
from engine.photon import Photon, Position
from engine.photon.board import fire
from engine.photon.evaluation import features, piece_values
from engine.photon.pieces import GRID, HITS, apply_hits
from engine.photon.state import PIECES, apply_move
from engine.search import Limit, choose
from tests.support.engine.random_play import (
    PHOTON,
    PHOTON_RULES,
    examples,
    photon_position,
    photon_positions,
    photon_rules,
    random_turns,
)
from tests.support.engine.sentences import raises

pytestmark = pytest.mark.skipif(
    load_library() is None, reason="the compiled core is not built here"
)

WINS, LOSES, DRAWS, CAPTURES, AIMS, SHIELDS, TWIN = (1 << bit for bit in range(7))
SETUPS = [(rules, setup) for rules in sorted(PHOTON_RULES) for setup in PHOTON.setups()]


def core(game: Photon, position: Position) -> NativeRules:
    rules = game.native_rules(position)
    assert rules is not None
    return rules


def played(game: Photon, seed: int) -> Position:
    """An unfinished position from a random game, with its history."""
    setup = sorted(game.setups())[seed % 2]
    turns = [t for t in random_turns(game, seed, seed % 60 + 1, setup, 3) if t.outcome is None]
    return turns[-1].after if turns else game.start(setup)


# -- the rules -------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "setup"), SETUPS)
def test_perft_of_both_cores_is_equal_at_depth_three(rules: str, setup: str) -> None:
    game = PHOTON_RULES[rules]
    position = game.start(setup)
    compiled = core(game, position)
    for depth in (1, 2, 3):
        assert compiled.perft(position, depth) == perft(game, position, depth)


@pytest.mark.parametrize("rules", sorted(PHOTON_RULES))
def test_perft_of_both_cores_is_equal_from_random_positions(rules: str) -> None:
    game = PHOTON_RULES[rules]
    for seed in range(75):
        busy, calm = photon_position(seed), played(game, seed)
        assert core(game, busy).perft(busy, 2) == perft(game, busy, 2), f"photon_position({seed})"
        if seed % 10 == 0:
            assert core(game, calm).perft(calm, 3) == perft(game, calm, 3), f"played({seed})"


@given(photon_rules, photon_positions)
@examples(150)
def test_every_move_has_the_effect_that_the_rules_give(game: Photon, position: Position) -> None:
    if game.outcome(position) is not None:
        return
    found = {each.move: each for each in core(game, position).moves(position)}
    moves = game.legal(position, position.side)
    assert sorted(found) == sorted(map(encode_move, moves))
    for move in moves:
        turn, value = game.play(position, move), found[encode_move(move)]
        gain = sum(_worth(turn.aimed, loss) for loss in turn.losses)
        assert value.gain == (gain if position.side == 0 else -gain)
        assert bool(value.flags & CAPTURES) == bool(turn.losses)
        ends = 0
        if turn.outcome is not None:
            winner = turn.outcome.winner
            ends = DRAWS if winner is None else WINS if winner == position.side else LOSES
        assert value.flags & (WINS | LOSES | DRAWS) == ends
        assert not value.flags & TWIN


def _worth(position: Position, loss: Loss) -> int:
    """The gain of the move for Red."""
    piece = position.squares[loss.cell]
    return piece_values()[apply_hits(piece, loss.hits)] - piece_values()[piece]


@given(photon_rules, photon_positions)
@examples(150)
def test_a_move_that_neither_aims_nor_blocks_leaves_every_beam_unchanged(
    game: Photon, position: Position
) -> None:
    """Both cores therefore skip tracing the beams again after such a move."""
    if game.outcome(position) is not None:
        return

    def ways(squares: bytes, side: int) -> list[Any]:
        beams = game.standing_beams(Position(squares, position.side), side)
        return sorted([(s.cell, s.event, s.left) for s in beam.steps] for beam in beams)

    before = [ways(position.squares, side) for side in (0, 1)]
    flags = {each.move: each.flags for each in core(game, position).moves(position)}
    for move in game.legal(position, position.side):
        if not flags[encode_move(move)] & (AIMS | SHIELDS):
            after = apply_move(position.squares, move)
            assert [ways(after, side) for side in (0, 1)] == before


def test_a_player_without_an_action_passes_in_the_compiled_core() -> None:
    boxed = [position for position in map(photon_position, range(400)) if _must_pass(position)]
    assert len(boxed) > 3
    for position in boxed:
        compiled = core(PHOTON, position)
        assert [each.move for each in compiled.moves(position)] == [PASS_CODE]
        assert compiled.perft(position, 2) == perft(PHOTON, position, 2)
        choice = choose(PHOTON, position, Limit(depth=3, core="native"))
        assert encode_move(choice.move) == PASS_CODE


def _must_pass(position: Position) -> bool:
    legal = PHOTON.legal(position, position.side)
    return [encode_move(move) for move in legal] == [PASS_CODE]


# -- evaluation and search -------------------------------------------------------------------


@given(photon_rules, photon_positions)
@examples(300)
def test_evaluations_of_both_cores_are_equal(game: Photon, position: Position) -> None:
    score, found = core(game, position).evaluate(position)
    assert score == game.board(position).score()
    table = HITS[game.mirrors == "two_sided"]
    volley = fire(position.squares, table, game.beams == "annihilate")
    assert found == features(position.squares, position.side, table, volley)


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(PHOTON_RULES))
def test_full_width_searches_of_both_cores_find_the_same_score(rules: str) -> None:
    game = PHOTON_RULES[rules]
    for seed in range(12):
        busy = photon_position(seed)
        samples = [(played(game, seed), 3)]
        if game.outcome(busy) is None:
            samples.append((busy, 2))
        for position, depth in samples:
            scores = {
                choose(game, position, Limit(depth=depth, core=each, full_width=True)).score
                for each in ("native", "python")
            }
            assert len(scores) == 1, f"{rules}, seed {seed}, depth {depth}: {scores}"


def test_both_cores_score_repetitions_as_draws() -> None:
    """Every position within two quiet turns is in the history, so it is worth a draw."""
    rules = {"no_capture": "off"}
    counting, careless = (Photon.with_options({**rules, "repetition": r}) for r in ("claim", "off"))
    differing = 0
    for seed in range(6):
        position = with_full_history(played(PHOTON, seed))
        scores = [
            choose(game, position, Limit(depth=3, core=core, full_width=True)).score
            for game, core in ((counting, "native"), (counting, "python"), (careless, "native"))
        ]
        assert scores[0] == scores[1], f"seed {seed}"
        differing += scores[0] != scores[2]
    assert differing > 3


def with_full_history(position: Position) -> Position:
    """The same position, with all positions of two quiet turns in its history."""
    other = replace(position, side=1 - position.side).key
    quiet = [
        key
        for turn in PHOTON.turns(position)
        for answer in PHOTON.turns(turn.after)
        if not turn.losses and not answer.losses
        for key in (answer.after.key, other)
    ]
    return replace(position, keys_since_capture=tuple(quiet))


@pytest.mark.parametrize("rules", sorted(PHOTON_RULES))
def test_the_core_takes_wins_and_avoids_losses_in_one(rules: str) -> None:
    game = PHOTON_RULES[rules]
    seen = 0
    for seed in range(60):
        position = photon_position(seed)
        if game.outcome(position) is not None:
            continue
        turns = list(game.turns(position))
        winners = [None if t.outcome is None else t.outcome.winner for t in turns]
        choice = choose(game, position, Limit(depth=2, core="native", seed=seed))
        turn = game.play(position, choice.move)
        if position.side in winners:
            seen += 1
            assert turn.outcome is not None
            assert turn.outcome.winner == position.side
        elif any(winner != 1 - position.side for winner in winners):
            assert turn.outcome is None or turn.outcome.winner != 1 - position.side
    assert seen > 5


def test_a_board_with_too_many_pieces_is_left_to_the_python_core() -> None:
    random = Random(1)
    squares = bytearray(photon_position(3).squares)
    mirrors = [c for c, piece in enumerate(PIECES) if piece and piece.kind == "mirror"][:4]
    for at in range(GRID.size):
        if not squares[at] and random.random() < 0.8:
            squares[at] = random.choice(mirrors)
    crowded = PHOTON.read_position(PHOTON.write_position(Position(bytes(squares), 0)))
    assert PHOTON.native_rules(crowded) is None
    assert choose(PHOTON, crowded, Limit(level=1)).move in PHOTON.legal(crowded, 0)
    with raises(NativeCoreMissing, catalogue.CORE_CANNOT(game="Photon")):
        choose(PHOTON, crowded, Limit(level=1, core="native"))
