"""What the tests of the guide's light share: a game of every kind somewhere in its middle, and a
session for every moment of play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from controller.agreement import Seat
from controller.clocks import Clocks, TimeControl
from controller.config import load_board_file
from controller.layout import Layout, layout
from controller.session_values import Past, Phase, Session
from controller.tabletop import fitted
from engine import games
from engine.game import AnyTurn, Outcome, Piece
from engine.grid import Cell
from tests.play import random_turns
from vision.infer import Difference, Exact

BOARDS = {
    "demo-10x8": "laser-chess",
    "full-10x8": "laser-chess",
    "photon-10x10": "photon",
    "hex-r5": "spaceships",
}


@cache
def laid(board: str) -> Layout:
    found = layout(load_board_file(board))
    assert found is not None
    return found


def missing(session: Session, cell: Cell) -> Difference:
    return Difference(cell, session.table.game.standing(session.position)[cell], None, 9.0, "")


def extra(cell: Cell, piece: Piece) -> Difference:
    return Difference(cell, None, piece, 9.0, "")


@cache
def in_play(board: str, turns: int = 6) -> Session:
    """After so many turns, chosen by chance."""
    game = games.make(BOARDS[board])
    played = list(random_turns(game, 3, turns, patience=4))
    clocks = Clocks.of(TimeControl.read("5m"))
    return Session(
        fitted(load_board_file(board).board, game),
        (Seat("Ann"), Seat("Ben")),
        played[-1].after,
        clocks,
        Phase.TURN,
        history=tuple(Past(turn.before, clocks, turn) for turn in played),
    )


def some_turn(session: Session, number: int) -> AnyTurn:
    game, position = session.table.game, session.position
    moves: dict[int, Any] = {}
    for player in session.movers:
        legal = game.legal(position, player)
        moves[player] = legal[number * 7 % len(legal)]
    return game.resolve(position, moves)


def moments(board: str) -> Mapping[str, Session]:
    """A session for every picture that there is."""
    session = in_play(board)
    position = session.position
    pieces = position.pieces
    free = [cell for cell in range(position.grid.size) if cell not in pieces]
    own = [cell for cell in sorted(pieces) if pieces[cell].owner == session.movers[0]]
    lost = missing(session, own[0])
    faults = (lost, extra(free[len(free) // 2], Piece("thing", 1)))
    carried = (lost, extra(free[5], replace(pieces[own[0]], orientation=0)))
    known = some_turn(session, 3)
    mismatch = replace(session, phase=Phase.MISMATCH)
    over = replace(session, phase=Phase.OVER)
    return {
        "setting up": replace(session, phase=Phase.SETTING_UP, differences=faults),
        "turn": session,
        "ready": replace(session, inference=Exact((some_turn(session, 1),), 9.0)),
        "hint": replace(session, hint=some_turn(session, 2)),
        "waiting": replace(session, phase=Phase.WAITING_FOR_OTHER, pressed=frozenset({0})),
        "mismatch": replace(mismatch, differences=faults),
        "carried": replace(mismatch, differences=carried),
        "lifted": replace(mismatch, differences=carried[:1]),
        "confirming": replace(
            session,
            phase=Phase.CONFIRMING,
            choices=((some_turn(session, 1),), (some_turn(session, 4),)),
        ),
        "thinking": replace(session, phase=Phase.COMPUTER_THINKING),
        "to move": replace(session, phase=Phase.COMPUTER_TO_MOVE, known=known),
        "clearing": replace(session, phase=Phase.CLEARING, differences=faults[1:]),
        "paused": replace(session, phase=Phase.PAUSED),
        "won": replace(over, outcome=Outcome.win(1, "resigned")),
        "drawn": replace(over, outcome=Outcome.draw("agreed")),
    }
