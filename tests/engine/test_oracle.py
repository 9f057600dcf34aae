"""The engine agrees with the reference implementation `tests.oracle` on every move and beam.

A normal run compares the first positions of every chunk, `pytest -m long` all 2,000 of each game.
Chunks let pytest-xdist distribute the positions.
"""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine.beam import Beam, BeamEvent
from engine.game import Outcome
from engine.photon import Photon
from tests.oracle import laser_chess as slow_chess
from tests.oracle import photon as slow_photon
from tests.oracle import positions
from tests.support.engine.random_play import LASER_CHESS, PHOTON_RULES

CHUNKS = [*range(6), *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in range(6, 20))]
POSITIONS, QUICK = 100, 10  # in each chunk
SIZES = [
    pytest.param(range(QUICK), id="some"),
    pytest.param(range(POSITIONS), id="all", marks=pytest.mark.long),
]
SIDES = "br"


def seeds(chunk: int, numbers: range) -> list[int]:
    return [POSITIONS * chunk + number for number in numbers]


def outcome_text(outcome: Outcome | None) -> str:
    return "ongoing" if outcome is None else str(outcome)


# -- Laser Chess -----------------------------------------------------------------------------


def compare_laser_chess(sn: str, side: str) -> int:
    """Compare every legal move of one position; returns their number."""
    game, player = LASER_CHESS, SIDES.index(side)
    position = game.read_position(f"{sn} {side}")
    assert game.write_position(position) == f"{sn} {side}"
    moves = {game.write_move(position, player, m): m for m in game.legal(position, player)}
    legal = slow_chess.legal(sn, side)
    assert sorted(moves) == sorted(legal)
    for text in legal:
        turn = game.resolve(position, {player: moves[text]})
        after, then, path, outcome = slow_chess.apply(sn, side, text)
        (beam,) = turn.beams
        assert [position.grid.name(cell) for cell in beam.path] == path
        assert game.write_position(turn.after) == f"{after} {then}"
        assert outcome_text(turn.outcome) == outcome
        assert game.read_move(position, player, text) == moves[text]
    for laser in SIDES:
        assert standing(sn, laser) == slow_chess.beam(sn, laser)
    return len(legal)


def standing(sn: str, side: str) -> tuple[list[str], str, str | None]:
    """The engine's beam in the format of the oracle."""
    position = LASER_CHESS.read_position(sn)
    (beam,) = LASER_CHESS.standing_beams(position, SIDES.index(side))
    path, last = [position.grid.name(cell) for cell in beam.path], position.grid.name(beam.end.cell)
    endings = {
        BeamEvent.LEAVE: ("exit", None),
        BeamEvent.CAPTURE: ("captures", last),
        BeamEvent.ABSORB: ("absorbed", last),
    }
    return path, *endings[beam.end.event]


@pytest.mark.parametrize("numbers", SIZES)
@pytest.mark.parametrize("chunk", CHUNKS)
def test_laser_chess_agrees_with_the_oracle(chunk: int, numbers: range) -> None:
    moves = 0
    for seed in seeds(chunk, numbers):
        moves += compare_laser_chess(*positions.laser_chess(Random(seed)))
    assert moves > 20 * len(numbers)


@pytest.mark.parametrize("name", LASER_CHESS.setups())
def test_laser_chess_agrees_with_the_oracle_on_the_setups(name: str) -> None:
    for side in SIDES:
        assert compare_laser_chess(LASER_CHESS.setup(name).text, side) > 70


# -- Photon ----------------------------------------------------------------------------------


def as_oracle_steps(beam: Beam) -> list[dict[str, Any]]:
    hit = (BeamEvent.DAMAGE, BeamEvent.CAPTURE)
    return [
        {"cell": [s.cell % 10, s.cell // 10], "what": "hit" if s.event in hit else s.event.value}
        for s in beam.steps
    ]


def compare_photon(game: Photon, state: dict[str, Any]) -> int:
    rules = {
        "two_sided": game.mirrors == "two_sided",
        "independent": game.beams == "independent",
    }
    position = game.read_position(json.dumps(state))
    player = position.side
    assert json.loads(game.write_position(position)) == state
    moves = {game.write_move(position, player, m): m for m in game.legal(position, player)}
    legal = {json.dumps(move, separators=(",", ":")): move for move in slow_photon.legal(state)}
    assert sorted(moves) == sorted(legal)
    for text, slow_move in legal.items():
        turn = game.resolve(position, {player: moves[text]})
        after, beams, outcome = slow_photon.apply(state, slow_move, **rules)
        assert [as_oracle_steps(beam) for beam in turn.beams] == beams
        assert_hits_have_the_right_event(turn.beams, state, after, text)
        assert json.loads(game.write_position(turn.after)) == after
        assert outcome_text(turn.outcome) == outcome
    standing = (*game.standing_beams(position, 0), *game.standing_beams(position, 1))
    by_cell = sorted(standing, key=lambda beam: beam.path[0])
    assert [as_oracle_steps(b) for b in by_cell] == slow_photon.beams(state, **rules)
    return len(legal)


def assert_hits_have_the_right_event(
    beams: tuple[Beam, ...], before: dict[str, Any], after: dict[str, Any], text: str
) -> None:
    """A removed piece has the event `capture`, a remaining piece the event `damage`."""
    for beam in beams:
        x, y = beam.end.cell % 10, beam.end.cell // 10
        if beam.end.event is BeamEvent.CAPTURE:
            assert after["board"][y][x] is None, (before, text)
        elif beam.end.event is BeamEvent.DAMAGE:
            assert after["board"][y][x]["type"] == "B", (before, text)


@pytest.mark.parametrize("numbers", SIZES)
@pytest.mark.parametrize("rules", PHOTON_RULES)
@pytest.mark.parametrize("chunk", CHUNKS)
def test_photon_agrees_with_the_oracle(chunk: int, rules: str, numbers: range) -> None:
    moves = 0
    for seed in seeds(chunk, numbers):
        moves += compare_photon(PHOTON_RULES[rules], positions.photon(Random(seed)))
    assert moves > 15 * len(numbers)


# -- repetition keys -------------------------------------------------------------------------


def rotated_variants(sn: str, random: Random) -> list[str]:
    """The same arrangement with random orientations of kings and switches, or of any pieces."""
    board = slow_chess.parse(sn)
    found = [sn]
    for _ in range(6):
        turned = dict(board)
        for square in random.sample(sorted(board), 3):
            piece = board[square]
            quarters = random.choice([90, 180, 180, 270])
            if piece.kind != "L" and (piece.kind in "KS" or random.random() < 0.2):
                orientation = (piece.orientation + quarters) % 360
                turned[square] = slow_chess.Piece(piece.kind, piece.side, orientation)
        found.append(slow_chess.format(turned))
    return found


def test_laser_chess_repetition_keys_agree_with_the_oracle() -> None:
    same = different = 0
    for seed in range(150):
        random = Random(seed)
        sn, _ = positions.laser_chess(random)
        pairs = pairwise(
            [(text, random.choice(SIDES)) for text in rotated_variants(sn, random)] * 2
        )
        for one, other in pairs:
            keys = [LASER_CHESS.read_position(" ".join(each)).key for each in (one, other)]
            equal = slow_chess.repetition_key(*one) == slow_chess.repetition_key(*other)
            assert (keys[0] == keys[1]) == equal, (one, other)
            same, different = same + equal, different + (not equal)
    assert min(same, different) > 200


def test_photon_repetition_keys_are_the_board_and_the_side_to_move() -> None:
    game = PHOTON_RULES["one_sided annihilate"]
    keys: dict[str, bytes] = {}
    for seed in range(150):
        state = positions.photon(Random(seed))
        for turn in (0, 1):
            text = json.dumps({**state, "turn": turn})
            keys[text] = game.read_position(text).key
            moved = {**state, "turn": turn, "history": [{"type": "pass"}]}
            assert game.read_position(json.dumps(moved)).key == keys[text]
    assert len(set(keys.values())) == len(keys) == 300
