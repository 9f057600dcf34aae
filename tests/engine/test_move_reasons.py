"""Reasons for a move: what it wins, captures, saves or prepares, from the expected line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import games
from engine.move_reasons import MovePurpose, find_reason, read_line, standing_threat, worst_threat
from engine.search import WIN, Limit, choose
from tests.support.engine.random_play import laser_chess_position, photon_position

CHESS = games.make()
POSITIONS: dict[str, Callable[[int], Any]] = {
    "laser-chess": laser_chess_position,
    "photon": photon_position,
}


def test_a_capture_is_named_with_its_cell() -> None:
    line = ["c4d5", "a5a6", "j4j3", "c7c6xc5", "h2h3xh4"]
    turns = read_line(CHESS, CHESS.start("ace"), line)
    why = find_reason(CHESS, turns[-1:], 0)
    assert why is not None
    assert why.piece is not None
    assert (why.purpose, why.piece.owner, why.piece.kind) == (MovePurpose.CAPTURES, 1, "deflector")
    assert why.cell == CHESS.start().grid.cell("h4")


def test_a_win_is_counted_in_turns_of_the_winner() -> None:
    position = CHESS.start("ace")
    turns = read_line(CHESS, position, ["c5b6", "e5e6"])
    assert turns[-1].outcome is not None
    why = find_reason(CHESS, turns, WIN - 3)
    assert why is not None
    assert (why.purpose, why.turns, why.piece) == (MovePurpose.WINS, 2, None), (
        "the line does not reach it"
    )


def test_the_reason_of_a_move_in_a_lost_position_is_holding_out() -> None:
    turns = read_line(CHESS, CHESS.start("ace"), ["c5b6"])
    why = find_reason(CHESS, turns, 4 - WIN)
    assert why is not None
    assert (why.purpose, why.turns) == (MovePurpose.HOLDS_OUT, 2)


@pytest.mark.parametrize("name", ["laser-chess", "photon"])
def test_every_reason_holds_on_the_board(name: str) -> None:
    game = games.make(name)
    positions = POSITIONS[name]
    said: set[MovePurpose] = set()
    for seed in range(40):
        position = positions(seed)
        if game.outcome(position) is not None:
            continue
        choice = choose(game, position, Limit(depth=3))
        texts, at = [], position
        for move in choice.line:
            texts.append(game.write_move(at, at.side, move))
            at = game.resolve(at, {at.side: move}).after
            if game.outcome(at) is not None:
                break
        turns = read_line(game, position, texts)
        for threat in (standing_threat, worst_threat):
            why = find_reason(game, turns, choice.score, threat)
            if why is None:
                continue
            said.add(why.purpose)
            mover = position.side
            removed = [loss for loss in turns[0].removed if loss.piece.owner != mover]
            match why.purpose:
                case MovePurpose.WINS:
                    assert choice.score > 0
                    assert choice.turns_to_end is not None
                    assert choice.turns_to_end % 2 == 1
                    assert why.turns == (choice.turns_to_end + 1) // 2
                case MovePurpose.CAPTURES:
                    assert (why.piece, why.cell) in [(each.piece, each.cell) for each in removed]
                case MovePurpose.SAVES:
                    assert why.piece is not None
                    assert why.cell is not None
                    assert why.piece.owner == mover
                    assert position.pieces[why.cell].kind == why.piece.kind
                case MovePurpose.PREPARES:
                    assert any(each.cell == why.cell for each in turns[2].removed)
                case MovePurpose.HOLDS_OUT:
                    assert choice.score < 0
    assert {MovePurpose.WINS, MovePurpose.CAPTURES} <= said


def test_a_line_ends_at_its_first_illegal_move() -> None:
    position = CHESS.start("ace")
    assert len(read_line(CHESS, position, ["c5b6", "a1a2", "c5b6"])) == 1
    assert find_reason(CHESS, [], 0) is None
    ships = games.make("spaceships")
    assert read_line(ships, ships.start(seed=1), ["{}"]) == []
