"""Seeded random play through the public contract, random positions, and rotated positions.

A rotated position is rotated by 180 degrees and has its colours swapped. Positions come from
`tests.oracle.positions` and are rotated as text (Laser Chess) or JSON (Photon), without tables of
the engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine.beam import Beam, Step
from engine.game import AnyGame, AnyTurn, Outcome
from engine.grid import Cell, Grid, Heading
from engine.laser_chess import LaserChess
from engine.laser_chess import Move as LaserChessMove
from engine.laser_chess import Position as LaserChessPosition
from engine.photon import Move as PhotonMove
from engine.photon import Photon
from engine.photon import Position as PhotonPosition
from tests.oracle import laser_chess as slow_chess
from tests.oracle import positions

LASER_CHESS = LaserChess()
PHOTON = Photon()
PHOTON_RULES = {
    f"{mirrors} {beams}": Photon(mirrors=mirrors, beams=beams)
    for mirrors in ("one_sided", "two_sided")
    for beams in ("annihilate", "independent")
}

AnyMove = TypeVar("AnyMove", LaserChessMove, PhotonMove)


def examples(count: int) -> settings:
    """Hypothesis settings: `count` examples, the same ones in every run, no deadline."""
    return settings(max_examples=count, deadline=None, derandomize=True, database=None)


# -- play ------------------------------------------------------------------------------------


def start(game: AnyGame, seed: int, setup: str | None = None) -> Any:
    """The starting position of a setup, or of a seed for a game without setups."""
    return game.start(setup) if game.setups() else game.start(seed=seed)


def random_turn(game: AnyGame, position: Any, random: Random) -> AnyTurn:
    """One turn in which each player to move plays a random legal move."""
    moves = {p: random.choice(game.legal(position, p)) for p in game.to_move(position)}
    return game.resolve(position, moves)


def random_turns(
    game: AnyGame, seed: int, most: int, setup: str | None = None, retries: int = 0
) -> Iterator[AnyTurn]:
    """The turns of a random game, until it ends or `most` turns are played.

    A turn that ends the game is replaced up to `retries` times, which makes games longer.
    """
    random = Random(seed)
    position = start(game, seed, setup)
    for _ in range(most):
        if game.outcome(position) is not None:
            return
        for _ in range(retries + 1):
            turn = random_turn(game, position, random)
            if turn.outcome is None:
                break
        yield turn
        position = turn.after


def endless_turns(game: AnyGame, seed: int, most: int) -> Iterator[AnyTurn]:
    """`most` turns of consecutive random games."""
    random = Random(seed)
    position = game.start()
    for _ in range(most):
        if game.outcome(position) is not None:
            position = game.start()
        turn = random_turn(game, position, random)
        yield turn
        position = turn.after


# -- random positions ------------------------------------------------------------------------


def laser_chess_position(seed: int) -> LaserChessPosition:
    """A position with many reflections. It may lack a king."""
    sn, side = positions.laser_chess(Random(seed))
    return LASER_CHESS.read_position(f"{sn} {side}")


def photon_position(seed: int) -> PhotonPosition:
    """A position with many reflections. It may lack a king or all shooters."""
    return PHOTON.read_position(json.dumps(positions.photon(Random(seed))))


seeds: SearchStrategy[int] = st.integers(0, 2**32 - 1)
laser_chess_positions: SearchStrategy[LaserChessPosition] = seeds.map(laser_chess_position)
photon_positions: SearchStrategy[PhotonPosition] = seeds.map(photon_position)
photon_rules: SearchStrategy[Photon] = st.sampled_from(sorted(PHOTON_RULES)).map(
    PHOTON_RULES.__getitem__
)
any_positions: SearchStrategy[tuple[AnyGame, Any]] = st.one_of(
    laser_chess_positions.map(lambda position: (LASER_CHESS, position)),
    st.tuples(photon_rules, photon_positions),
)


# -- rotation by 180 degrees with swapped colours --------------------------------------------


def turn_laser_chess(position: LaserChessPosition) -> LaserChessPosition:
    """The position rotated by 180 degrees, with Blue and Red swapped."""
    sn, side = LASER_CHESS.write_position(position).split()
    turned = {
        slow_chess.COLUMNS[9 - slow_chess.COLUMNS.index(square[0])]
        + slow_chess.ROWS[7 - slow_chess.ROWS.index(square[1])]: slow_chess.Piece(
            piece.kind, slow_chess.other_side(piece.side), (piece.orientation + 180) % 360
        )
        for square, piece in slow_chess.parse(sn).items()
    }
    text = f"{slow_chess.format(turned)} {slow_chess.other_side(side)}"
    return LASER_CHESS.read_position(text)


def turn_photon(position: PhotonPosition) -> PhotonPosition:
    """As `turn_laser_chess`, for Photon. The orientation of kings and blocks stays 0."""
    state = json.loads(PHOTON.write_position(position))
    board = [row[::-1] for row in reversed(state["board"])]
    for piece in (piece for row in board for piece in row if piece):
        piece["player"] = 1 - piece["player"]
        if piece["type"] in ("S", "M"):
            piece["orientation"] = (piece["orientation"] + 2) % 4
    history = [turn_photon_json(move) for move in state["history"]]
    turned = {"board": board, "turn": 1 - state["turn"], "history": history}
    return PHOTON.read_position(json.dumps(turned))


def turn_photon_json(move: dict[str, Any]) -> dict[str, Any]:
    return {
        key: [9 - n for n in value] if key in ("src", "dst") else value
        for key, value in move.items()
    }


def turn_move(grid: Grid, move: AnyMove) -> AnyMove:
    """A move on the rotated board. Its sense of rotation is unchanged; a pass has no squares."""
    if move.src < 0:
        return move
    return replace(move, src=turn_cell(grid, move.src), dst=turn_cell(grid, move.dst))


def turn_cell(grid: Grid, cell: Cell) -> Cell:
    return grid.size - 1 - cell


def turn_beam(grid: Grid, beam: Beam) -> Beam:
    """A beam on the rotated board; its owner is the other player."""

    def heading(old: Heading | None) -> Heading | None:
        return None if old is None else (old + grid.headings // 2) % grid.headings

    steps = (
        Step(turn_cell(grid, s.cell), s.event, heading(s.entered), heading(s.left))
        for s in beam.steps
    )
    return Beam(1 - beam.owner, tuple(steps))


def turn_outcome(outcome: Outcome | None) -> Outcome | None:
    if outcome is None or outcome.winner is None:
        return outcome
    return Outcome.win(1 - outcome.winner, outcome.reason)
