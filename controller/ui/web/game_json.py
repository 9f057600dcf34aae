"""The state of a game as JSON, in the parts of docs/page-protocol.md.

`state_diff` sends a part when it changes. No part may depend on the current time: an unchanged one
must compare equal.
"""

from __future__ import annotations

from typing import Any

from controller.lighting.animation.signals import pattern_for_difference
from controller.session import puzzle
from controller.session.clocks import ClockKind, Clocks
from controller.session.guidance import describe_hint, guidance_for
from controller.session.move_options import (
    MoveOption,
    cell_before_turn,
    move_options,
    unfired_turn,
    without_computer_moves,
)
from controller.session.state import Phase, Session
from controller.ui.actors import MOVING_PHASES
from controller.ui.web.game_view import FiredTurn, GameSummary, GameView, Message
from controller.ui.web.json_values import (
    leds_json,
    optional_sentence_json,
    players_json,
    tournament_entry_json,
)
from engine.draw.board_json import (
    Json,
    animated_turn_json,
    cells_owned_by,
    grid_json,
    outcome_json,
    pieces_json,
    terrain_json,
    turn_notation,
    unplayed_turn_json,
)
from engine.draw.words import changed_cells
from engine.game import AnyGame, AnyTurn, ExpectedPiece, Piece
from engine.grid import Cell, Grid
from engine.sentences import sentence_json
from vision.infer import Difference


def game_part(summary: GameSummary, session: Session) -> Json:
    """The part that stays the same for a whole game."""
    setup, game, grid = summary.setup, summary.setup.game, session.position.grid
    return {
        "number": summary.number,
        "id": summary.name,
        "name": game.name,
        "title": game.title,
        "goal": sentence_json(game.goal),
        "board": summary.board,
        "setup": setup.setup_name,
        "seed": setup.seed,
        "options": game.options(),
        "time_control": setup.time_control or "none",
        "players": players_json(game, setup),
        "tournament_entry": tournament_entry_json(setup.tournament_entry),
        "puzzle": None if setup.puzzle_goal is None else setup.puzzle_goal.name,
        "simultaneous": len(game.to_move(setup.first_position())) > 1,
        "letters": dict(game.letters),
        "grid": grid_json(grid),
        "leds": leds_json(summary.layout, grid),
        "simulated_hands": summary.simulated_hands,
        "faults": list(summary.fault_names),
    }


def terrain_part(session: Session) -> dict[str, list[str]]:
    return terrain_json(session.position.grid, session.game.marks(session.position))


def board_part(session: Session) -> Json:
    """The pieces, with the unfired turn."""
    game, position = session.game, session.position
    grid, turn = position.grid, _unfired_hand_turn(session)
    shown = position if turn is None else turn.aimed
    if session.phase is Phase.FIRING and session.firing.turns:
        shown = session.firing.turns[0].aimed
    origins = _moved_origins(session)
    return {
        "turns": len(session.history),
        "pieces": pieces_json(grid, shown.pieces),
        "to_move": list(session.to_move),
        "unfired_turn": None
        if turn is None
        else {
            **(unplayed_turn_json(game, turn) or {}),
            # `legal_moves` names a piece by its cell before the turn.
            "origins": {grid.name(cell): grid.name(origin) for cell, origin in origins.items()},
        },
        "last_turn_cells": sorted(grid.name(cell) for cell in _last_turn_cells(session)),
    }


def _unfired_hand_turn(session: Session) -> AnyTurn | None:
    """The unfired turn, without the hidden moves of a computer or program."""
    turn = unfired_turn(session)
    return None if turn is None else without_computer_moves(session, turn)


def _moved_origins(session: Session) -> dict[Cell, Cell]:
    """The cells where the pieces moved by the unfired turn stood before it, by their cells now."""
    turn = _unfired_hand_turn(session)
    if turn is None:
        return {}
    cells = changed_cells(turn.before, turn.aimed)
    return {
        cell: origin
        for cell in cells
        if cell in turn.aimed.pieces and (origin := cell_before_turn(session, cell)) != cell
    }


def _last_turn_cells(session: Session) -> set[Cell]:
    """The cells that the unfired turn has changed; without one, those of the last turn played."""
    turn = _unfired_hand_turn(session) or (session.history[-1].turn if session.history else None)
    if turn is None:
        return set()
    return {*changed_cells(turn.before, turn.aimed), *(loss.cell for loss in turn.removed)}


def table_part(game_view: GameView) -> Json:
    """The phase, the guidance, and what keeps play from continuing."""
    session = game_view.session
    game, grid, guidance = session.game, session.position.grid, guidance_for(session)
    hint = session.turn.hint
    return {
        "phase": session.phase.value,
        "paused_phase": session.underlying_phase.value,
        "guidance": sentence_json(guidance.sentence),
        "reasons": [sentence_json(each) for each in guidance.reasons],
        "differences": [_difference_json(grid, each) for each in session.table.differences],
        "unseen": [grid.name(cell) for cell in session.table.unseen_cells],
        "problems": [
            {
                "trouble": each.kind.value,
                "sentence": sentence_json(each.sentence),
                "cells": [grid.name(cell) for cell in each.cells],
            }
            for each in session.table.problems
        ],
        "settled": session.table.settled is not None,
        "hand_over_board": session.table.settle_detector.hand_present,
        "hands_busy": game_view.hands_busy,
        "can_move": can_move_from_page(game_view.game, session),
        "pressed": sorted(session.turn.pressed),
        "programs_decided": sorted(session.computer.moves),
        "choices": [unplayed_turn_json(game, turns[-1]) for turns in session.turn.choices],
        "hint": unplayed_turn_json(game, session.turn.hinted_turn, describe_hint(session)),
        "left_solution": session.phase is not Phase.OVER and puzzle.first_move_is_wrong(session),
        "hint_piece": None if hint is None or hint.cell is None else grid.name(hint.cell),
        "computer_turn": unplayed_turn_json(game, session.computer.turn),
        "offer": None
        if session.offer is None
        else {"request": session.offer[0].value, "player": session.offer[1]},
        "claimable": session.phase is not Phase.OVER
        and game.claimable(session.position) is not None,
        "thinking": None if session.computer.thinking is None else session.computer.thinking.player,
        "lost_devices": {
            device: sentence_json(reason) for device, reason in session.pause.lost_devices.items()
        },
        "trouble": optional_sentence_json(session.pause.trouble),
        "outcome": outcome_json(session.outcome),
    }


def can_move_from_page(summary: GameSummary, session: Session) -> bool:
    """Whether users can make moves on the page now."""
    return (
        summary.simulated_hands and session.phase in MOVING_PHASES and session.computer.turn is None
    )


def _difference_json(grid: Grid, each: Difference) -> Json:
    return {
        "cell": grid.name(each.cell),
        "what": pattern_for_difference(each).name.lower().replace("_", " "),
        "expected": None if each.expected is None else _expected_json(grid, each.expected),
        "seen": None if each.seen is None else _seen_json(grid, each.seen),
        "sentence": sentence_json(each.sentence),
    }


def _expected_json(grid: Grid, each: ExpectedPiece) -> Json:
    return {
        "kind": each.kind,
        "owner": each.owner,
        "degrees": [grid.degrees(heading) for heading in sorted(each.orientations)],
    }


def _seen_json(grid: Grid, piece: Piece) -> Json:
    return {
        "kind": piece.kind,
        "owner": piece.owner,
        "degrees": [grid.degrees(piece.orientation)],
    }


def clocks_part(clocks: Clocks) -> Json | None:
    """The clocks at `at_ms`. The page counts down the running ones itself, after their delay."""
    if clocks.control.kind is ClockKind.NONE:
        return None
    return {
        "control": str(clocks.control),
        "left_ms": [round(left) for left in clocks.left_ms],
        "delay_left_ms": [
            round(max(0.0, clocks.control.delay_ms - spent)) for spent in clocks.spent_ms
        ],
        "running": list(clocks.running),
        "fallen": list(clocks.fallen),
        "at_ms": None if clocks.at_ms is None else round(clocks.at_ms),
        "low_ms": round(clocks.control.low_ms),
    }


def history_entry_json(game: AnyGame, played_turn: Any) -> Json:
    """One row of the move list."""
    turn = played_turn.turn
    return {
        "players": [player for player, _ in turn.moves],
        "notation": sentence_json(turn_notation(game, turn)),
        "losses": [turn.aimed.grid.name(loss.cell) for loss in turn.removed],
    }


def turn_part(game: AnyGame, fired_turn: FiredTurn | None, session: Session) -> Json | None:
    """The newest turn. A turn fired since the start has a number; its beams are shown once."""
    if fired_turn is not None and session.history and session.history[-1].turn is fired_turn.turn:
        return {
            "number": fired_turn.number,
            "started_ms": round(fired_turn.started_ms),
            "step_ms": round(fired_turn.step_ms, 1),
            **animated_turn_json(game, fired_turn.turn),
        }
    if not session.history:
        return None
    last = session.history[-1].turn
    return {"number": 0, "started_ms": None, "step_ms": None, **animated_turn_json(game, last)}


def legal_moves_part(session: Session) -> dict[str, list[Json]]:
    """The legal moves of the humans to move, by the cell of the piece."""
    if session.phase not in MOVING_PHASES:
        return {}
    game, position = session.game, session.position
    grid = position.grid
    legal_moves: dict[str, list[Json]] = {}
    for cell in cells_owned_by(position.pieces, session.humans_to_move):
        owner = position.pieces[cell].owner
        options = move_options(game, position, owner, cell, session.table.last_seen_orientations)
        if options:
            legal_moves[grid.name(cell)] = [
                legal_move_json(game, position, each) for each in options
            ]
    return legal_moves


def legal_move_json(game: AnyGame, position: Any, option: MoveOption) -> Json:
    name = position.grid.name
    return {
        "player": option.player,
        "text": game.write_move(position, option.player, option.move),
        "words": sentence_json(option.label),
        "to": None if option.target is None else name(option.target),
        "swap": option.target is not None and option.target in position.pieces,
        "turn": 360 / position.grid.headings * option.rotation_steps,
        "aims": sorted(name(cell) for cell in option.aim_cells),
    }


def objects_part(game_view: GameView) -> list[Json] | None:
    """The objects on a simulated table at their exact positions; null on a real table."""
    if not game_view.game.simulated_hands:
        return None
    board = game_view.session.setup.fitted_board.board
    (x_mm, y_mm), (x, y) = board.centre_mm(0), board.grid.centre(0)
    step_degrees = 360 / board.grid.headings
    return [
        {
            "object": handle,
            "kind": each.piece.kind,
            "owner": each.piece.owner,
            "x": round(x + (each.x_mm - x_mm) / board.cell_mm, 3),
            "y": round(y + (each.y_mm - y_mm) / board.cell_mm, 3),
            "degrees": round((each.angle_degrees + step_degrees * each.piece.orientation) % 360, 1),
        }
        for handle, each in game_view.objects
    ]


def messages_part(messages: tuple[Message, ...]) -> list[Json]:
    return [
        {
            "number": each.number,
            "sentence": sentence_json(each.sentence),
            "at_ms": round(each.at_ms),
        }
        for each in messages
    ]
