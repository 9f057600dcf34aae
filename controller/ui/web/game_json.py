"""A moment as JSON, part by part: each part is sent when it changes, and only then.

docs/page-protocol.md documents all of it, with an example for every game. Nothing here depends on
the current time, so an unchanged part compares equal.
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
    move_list_text,
    outcome_json,
    pieces_json,
    terrain_json,
    unplayed_turn_json,
)
from engine.draw.words import changed_cells
from engine.game import AnyGame, AnyTurn, ExpectedPiece, Piece
from engine.grid import Cell, Grid
from engine.sentences import sentence_json
from vision.infer import Difference


def game_part(summary: GameSummary, session: Session) -> Json:
    """What stays the same for a whole game."""
    start, game, grid = summary.setup, summary.setup.game, session.position.grid
    return {
        "number": summary.number,
        "id": summary.name,
        "name": game.name,
        "title": game.title,
        "goal": game.goal,
        "board": summary.board,
        "setup": start.setup_name,
        "seed": start.seed,
        "options": game.options(),
        "time_control": start.time_control or "none",
        "players": players_json(game, start),
        "tournament_entry": tournament_entry_json(start.tournament_entry),
        "puzzle": None if start.puzzle_goal is None else start.puzzle_goal.name,
        "simultaneous": len(game.to_move(start.first_position())) > 1,
        "letters": dict(game.letters),
        "grid": grid_json(grid),
        "leds": leds_json(summary.layout, grid),
        "simulated_hands": summary.simulated_hands,
        "faults": list(summary.fault_names),
    }


def terrain_part(session: Session) -> dict[str, list[str]]:
    return terrain_json(session.position.grid, session.game.marks(session.position))


def board_part(session: Session) -> Json:
    """What stands on the board, with the move that is made and not fired yet."""
    game, position = session.game, session.position
    grid, turn = position.grid, _unfired_hand_turn(session)
    shown = position if turn is None else turn.aimed
    if session.phase is Phase.FIRING and session.firing.turns:
        shown = session.firing.turns[0].aimed
    moved = _moved_origins(session)
    return {
        "turns": len(session.history),
        "pieces": pieces_json(grid, shown.pieces),
        "to_move": list(session.to_move),
        "unfired_turn": None
        if turn is None
        else {
            **(unplayed_turn_json(game, turn) or {}),
            # Whoever touches a piece where it now lies means the one that stood elsewhere.
            "origins": {grid.name(cell): grid.name(origin) for cell, origin in moved.items()},
        },
        "last_turn_cells": sorted(grid.name(cell) for cell in _last_turn_cells(session)),
    }


def _unfired_hand_turn(session: Session) -> AnyTurn | None:
    """The turn that lies on the table; what somebody else has in mind meanwhile is not told."""
    turn = unfired_turn(session)
    return None if turn is None else without_computer_moves(session, turn)


def _moved_origins(session: Session) -> dict[Cell, Cell]:
    """Where the pieces that the lying turn has moved stood before it, by where they are."""
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
    """What the turn that lies on the table has changed, or else the last one played."""
    turn = _unfired_hand_turn(session) or (session.history[-1].turn if session.history else None)
    if turn is None:
        return set()
    return {*changed_cells(turn.before, turn.aimed), *(loss.cell for loss in turn.removed)}


def table_part(game_view: GameView) -> Json:
    """What must be done next, and why."""
    session = game_view.session
    game, grid, now = session.game, session.position.grid, guidance_for(session)
    return {
        "phase": session.phase.value,
        "paused_phase": session.underlying_phase.value,
        "guidance": sentence_json(now.sentence),
        "reasons": [sentence_json(each) for each in now.reasons],
        "differences": [_difference(grid, each) for each in session.table.differences],
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
        "hint": unplayed_turn_json(game, session.turn.hint_turn, describe_hint(session)),
        "left_solution": session.phase is not Phase.OVER and puzzle.first_move_is_wrong(session),
        "hint_piece": None if session.turn.hint_cell is None else grid.name(session.turn.hint_cell),
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
    """Whether moves can be made from a page now."""
    return (
        summary.simulated_hands and session.phase in MOVING_PHASES and session.computer.turn is None
    )


def _difference(grid: Grid, each: Difference) -> Json:
    return {
        "cell": grid.name(each.cell),
        "what": pattern_for_difference(each).name.lower().replace("_", " "),
        "expected": None if each.expected is None else _expected_json(grid, each.expected),
        "seen": None if each.seen is None else _seen_json(grid, each.seen),
        "sentence": sentence_json(each.sentence),
    }


def _expected_json(grid: Grid, each: ExpectedPiece) -> Json:
    ways_round = sorted(each.orientations)
    return {
        "kind": each.kind,
        "owner": each.owner,
        "degrees": [grid.degrees(heading) for heading in ways_round],
    }


def _seen_json(grid: Grid, piece: Piece) -> Json:
    return {
        "kind": piece.kind,
        "owner": piece.owner,
        "degrees": [grid.degrees(piece.orientation)],
    }


def clocks_part(clocks: Clocks) -> Json | None:
    """What both had at `at_ms`; those who run have less since then, once their delay is over."""
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
    """One turn of the move list."""
    turn = played_turn.turn
    return {
        "players": [player for player, _ in turn.moves],
        "text": move_list_text(game, turn),
        "losses": [turn.aimed.grid.name(loss.cell) for loss in turn.removed],
    }


def turn_part(game: AnyGame, fired_turn: FiredTurn | None, session: Session) -> Json | None:
    """The newest turn. One that was fired has a number: let each number's beams run once."""
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
    """All that may be done with every piece of those to move, by the cell where it stands."""
    if session.phase not in MOVING_PHASES:
        return {}
    game, position = session.game, session.position
    grid, found = position.grid, {}
    for cell in cells_owned_by(position.pieces, session.humans_to_move):
        owner = position.pieces[cell].owner
        possible = move_options(game, position, owner, cell, session.table.last_facing)
        if possible:
            found[grid.name(cell)] = [legal_move_json(game, position, each) for each in possible]
    return found


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
    """What really stands on a simulated table, crooked or not; null: the table is real."""
    if not game_view.game.simulated_hands:
        return None
    board = game_view.session.setup.board.board
    (x_mm, y_mm), (x, y) = board.centre_mm(0), board.grid.centre(0)
    turned = 360 / board.grid.headings
    return [
        {
            "object": handle,
            "kind": each.piece.kind,
            "owner": each.piece.owner,
            "x": round(x + (each.x_mm - x_mm) / board.cell_mm, 3),
            "y": round(y + (each.y_mm - y_mm) / board.cell_mm, 3),
            "degrees": round((each.angle_degrees + turned * each.piece.orientation) % 360, 1),
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
