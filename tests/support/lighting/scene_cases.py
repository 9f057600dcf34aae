"""Helpers for scene tests: games after some turns, and a session for every scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from controller.config.board_file import load_board_file
from controller.lighting.animation import LightEffects
from controller.lighting.layout import LedLayout, led_layout
from controller.lighting.scenes import LightScene, lit_cells, scene_of
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.sentences import AGREED, RESIGNED
from controller.session.setup import Seat
from controller.session.state import Hint, Phase, PlayedTurn, Session, SessionSetup
from engine import games
from engine.game import AnyTurn, Outcome, Piece
from engine.grid import Cell
from engine.sentences import plain
from tests.support.engine.random_play import random_turns
from vision.infer import Difference, Exact

BOARDS = {
    "demo-10x8": "laser-chess",
    "full-10x8": "laser-chess",
    "photon-10x10": "photon",
    "hex-r5": "spaceships",
}


@cache
def laid(board: str) -> LedLayout:
    found = led_layout(load_board_file(board))
    assert found is not None
    return found


def missing(session: Session, cell: Cell) -> Difference:
    return Difference(
        cell, session.game.expected_pieces(session.position)[cell], None, 9.0, plain("")
    )


def extra(cell: Cell, piece: Piece) -> Difference:
    return Difference(cell, None, piece, 9.0, plain(""))


@cache
def in_play(board: str, turns: int = 6) -> Session:
    """A session after some random turns."""
    game = games.make(BOARDS[board])
    played = list(random_turns(game, 3, turns, retries=4))
    clocks = Clocks.for_control(TimeControl.parse("5m"))
    return Session(
        setup=SessionSetup(
            fitted_board=fit_board(load_board_file(board).board, game),
            seats=(Seat("Ann"), Seat("Ben")),
        ),
        position=played[-1].after,
        clocks=clocks,
        phase=Phase.TURN,
        history=tuple(PlayedTurn(turn.before, clocks, turn) for turn in played),
    )


def some_turn(session: Session, number: int) -> AnyTurn:
    game, position = session.game, session.position
    moves: dict[int, Any] = {}
    for player in session.to_move:
        legal = game.legal(position, player)
        moves[player] = legal[number * 7 % len(legal)]
    return game.resolve(position, moves)


def moments(board: str) -> Mapping[str, Session]:
    """A session for every scene, by name."""
    session = in_play(board)
    position = session.position
    pieces = position.pieces
    free = [cell for cell in range(position.grid.size) if cell not in pieces]
    own = [cell for cell in sorted(pieces) if pieces[cell].owner == session.to_move[0]]
    lost = missing(session, own[0])
    faults = (lost, extra(free[len(free) // 2], Piece("thing", 1)))
    carried = (lost, extra(free[5], replace(pieces[own[0]], orientation=0)))
    known = some_turn(session, 3)
    mismatch = replace(session, phase=Phase.MISMATCH)
    over = replace(session, phase=Phase.OVER)
    return {
        "setting up": replace(
            session, phase=Phase.SETTING_UP, table=replace(session.table, differences=faults)
        ),
        "turn": session,
        "ready": replace(
            session, table=replace(session.table, inference=Exact((some_turn(session, 1),), 9.0))
        ),
        "hint": replace(session, turn=replace(session.turn, hint=Hint(some_turn(session, 2)))),
        "waiting": replace(
            session,
            phase=Phase.WAITING_FOR_OTHER,
            turn=replace(session.turn, pressed=frozenset({0})),
        ),
        "mismatch": replace(mismatch, table=replace(mismatch.table, differences=faults)),
        "carried": replace(mismatch, table=replace(mismatch.table, differences=carried)),
        "lifted": replace(mismatch, table=replace(mismatch.table, differences=carried[:1])),
        "choosing turn": replace(
            session,
            phase=Phase.CHOOSING_TURN,
            turn=replace(
                session.turn, choices=((some_turn(session, 1),), (some_turn(session, 4),))
            ),
        ),
        "thinking": replace(session, phase=Phase.COMPUTER_THINKING),
        "to move": replace(
            session, phase=Phase.COMPUTER_TO_MOVE, computer=replace(session.computer, turn=known)
        ),
        "clearing": replace(
            session, phase=Phase.CLEARING, table=replace(session.table, differences=faults[1:])
        ),
        "paused": replace(session, phase=Phase.PAUSED),
        "won": replace(over, outcome=Outcome.win(1, RESIGNED())),
        "drawn": replace(over, outcome=Outcome.draw(AGREED())),
    }


def scene(session: Session, board: str, effects: LightEffects = LightEffects.NORMAL) -> LightScene:
    return scene_of(session, laid(board), effects, 0.0)


def shown(session: Session, board: str) -> frozenset[Cell]:
    """The lit cells in front of the background scene."""
    quiet = replace(session, phase=Phase.FIRING)
    layout = on_board(session, board)
    return lit_cells(layout, scene(session, board)) - lit_cells(layout, scene(quiet, board))


def on_board(session: Session, board: str) -> LedLayout:
    return laid(board).for_grid(session.position.grid)
