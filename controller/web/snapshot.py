"""A moment as JSON, part by part: each part is sent when it changes, and only then.

All of it is documented in docs/page.md, with an example for every game. Nothing here depends on
the time at which it is asked, so that a part that did not change is equal to what it was.
"""

from __future__ import annotations

from typing import Any

from controller import goals
from controller.clocks import Clocks, Kind
from controller.guide import guide, hint_words
from controller.light.catalogue import fault
from controller.session_values import Phase, Session
from controller.terminal.keyboard import MOVING
from controller.terminal.ways import Way, by_hands, lying, origin_of, ways
from controller.web.moment import Fired, Moment, Said, Sitting
from controller.web.pieces_json import (
    Json,
    grid_json,
    ground_json,
    leds_json,
    occasion_json,
    outcome_json,
    owned,
    pieces_json,
    players_json,
    proposed_json,
    told,
    turn_json,
)
from engine.draw.words import changed
from engine.game import AnyGame, AnyTurn, Piece, Standing
from engine.grid import Cell, Grid
from vision.infer import Difference


def game_part(sitting: Sitting, session: Session) -> Json:
    """What stays the same for a whole game."""
    start, game, grid = sitting.start, sitting.start.game, session.position.grid
    return {
        "number": sitting.number,
        "id": sitting.name,
        "name": game.name,
        "title": game.title,
        "goal": game.goal,
        "board": sitting.board,
        "setup": start.setup,
        "seed": start.seed,
        "options": game.options(),
        "time_control": start.time_control or "none",
        "players": players_json(game, start),
        "occasion": occasion_json(start.occasion),
        "puzzle": None if start.goal is None else start.goal.name,
        "simultaneous": len(game.to_move(start.first())) > 1,
        "letters": dict(game.letters),
        "grid": grid_json(grid),
        "leds": leds_json(sitting.layout, grid),
        "hands": sitting.hands,
        "acts": list(sitting.acts),
    }


def ground_part(session: Session) -> dict[str, list[str]]:
    return ground_json(session.position.grid, session.table.game.marks(session.position))


def board_part(session: Session) -> Json:
    """What stands on the board, with the move that is made and not fired yet."""
    game, position = session.table.game, session.position
    grid, turn = position.grid, _made(session)
    shown = position if turn is None else turn.aimed
    if session.phase is Phase.FIRING and session.pending:
        shown = session.pending[0].aimed
    moved = _moved(session)
    return {
        "turns": len(session.history),
        "pieces": pieces_json(grid, shown.pieces),
        "movers": list(session.movers),
        "lying": None
        if turn is None
        else {
            **(proposed_json(game, turn) or {}),
            # Whoever touches a piece where it now lies means the one that stood elsewhere.
            "origins": {grid.name(cell): grid.name(origin) for cell, origin in moved.items()},
        },
        "last": sorted(grid.name(cell) for cell in _last(session)),
    }


def _made(session: Session) -> AnyTurn | None:
    """The turn that lies on the table; what somebody else has in mind meanwhile is not told."""
    turn = lying(session)
    return None if turn is None else by_hands(session, turn)


def _moved(session: Session) -> dict[Cell, Cell]:
    """Where the pieces that the lying turn has moved stood before it, by where they are."""
    turn = _made(session)
    if turn is None:
        return {}
    cells = changed(turn.before, turn.aimed)
    return {
        cell: origin
        for cell in cells
        if cell in turn.aimed.pieces and (origin := origin_of(session, cell)) != cell
    }


def _last(session: Session) -> set[Cell]:
    """What the turn that lies on the table has changed, or else the last one played."""
    turn = _made(session) or (session.history[-1].turn if session.history else None)
    if turn is None:
        return set()
    return {*changed(turn.before, turn.aimed), *(loss.cell for loss in turn.removed)}


def table_part(moment: Moment) -> Json:
    """What must be done next, and why."""
    session = moment.session
    game, grid, now = session.table.game, session.position.grid, guide(session)
    return {
        "phase": session.phase.value,
        "beneath": session.beneath.value,
        "guide": now.sentence,
        "reasons": list(now.reasons),
        "differences": [_difference(grid, each) for each in session.differences],
        "unseen": [grid.name(cell) for cell in session.unseen],
        "problems": [
            {
                "trouble": each.trouble.value,
                "sentence": each.sentence,
                "cells": [grid.name(cell) for cell in each.cells],
            }
            for each in session.problems
        ],
        "settled": session.settled is not None,
        "hand": session.steady.hand,
        "busy": moment.busy,
        "can_move": sitting_moves(moment.sitting, session),
        "pressed": sorted(session.pressed),
        "chosen": sorted(session.chosen),
        "choices": [proposed_json(game, turns[-1]) for turns in session.choices],
        "hint": proposed_json(game, session.hint, hint_words(session)),
        "astray": session.phase is not Phase.OVER and goals.astray(session),
        "clue": None if session.clue is None else grid.name(session.clue),
        "known": proposed_json(game, session.known),
        "offer": None
        if session.offer is None
        else {"wish": session.offer[0].value, "player": session.offer[1]},
        "claimable": session.phase is not Phase.OVER
        and game.claimable(session.position) is not None,
        "thinking": None if session.question is None else session.question.player,
        "lost": dict(session.lost),
        "trouble": session.trouble,
        "outcome": outcome_json(session.outcome),
    }


def sitting_moves(sitting: Sitting, session: Session) -> bool:
    """Whether moves can be made from a page now."""
    return sitting.hands and session.phase in MOVING and session.known is None


def _difference(grid: Grid, each: Difference) -> Json:
    return {
        "cell": grid.name(each.cell),
        "what": fault(each).name.lower().replace("_", " "),
        "expected": None if each.expected is None else _standing(grid, each.expected),
        "seen": None if each.seen is None else _seen(grid, each.seen),
        "sentence": each.sentence,
    }


def _standing(grid: Grid, each: Standing) -> Json:
    ways_round = sorted(each.orientations)
    return {
        "kind": each.kind,
        "owner": each.owner,
        "degrees": [grid.degrees(heading) for heading in ways_round],
    }


def _seen(grid: Grid, piece: Piece) -> Json:
    return {
        "kind": piece.kind,
        "owner": piece.owner,
        "degrees": [grid.degrees(piece.orientation)],
    }


def clocks_part(clocks: Clocks) -> Json | None:
    """What both had at `at_ms`; those who run have less since then, once their delay is over."""
    if clocks.control.kind is Kind.NONE:
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


def past_json(game: AnyGame, past: Any) -> Json:
    """One turn of the move list."""
    turn = past.turn
    return {
        "players": [player for player, _ in turn.moves],
        "text": told(game, turn),
        "losses": [turn.aimed.grid.name(loss.cell) for loss in turn.removed],
    }


def turn_part(game: AnyGame, fired: Fired | None, session: Session) -> Json | None:
    """The newest turn. One that was fired has a number: let each number's beams run once."""
    if fired is not None and session.history and session.history[-1].turn is fired.turn:
        return {
            "number": fired.number,
            "begun_ms": round(fired.begun_ms),
            "step_ms": round(fired.step_ms, 1),
            **turn_json(game, fired.turn),
        }
    if not session.history:
        return None
    last = session.history[-1].turn
    return {"number": 0, "begun_ms": None, "step_ms": None, **turn_json(game, last)}


def ways_part(session: Session) -> dict[str, list[Json]]:
    """All that may be done with every piece of those to move, by the cell where it stands."""
    if session.phase not in MOVING:
        return {}
    game, position = session.table.game, session.position
    grid, found = position.grid, {}
    for cell in owned(position.pieces, session.people):
        owner = position.pieces[cell].owner
        possible = ways(game, position, owner, cell, session.facing)
        if possible:
            found[grid.name(cell)] = [way_json(game, position, each) for each in possible]
    return found


def way_json(game: AnyGame, position: Any, way: Way) -> Json:
    name = position.grid.name
    return {
        "player": way.player,
        "text": game.write_move(position, way.player, way.move),
        "words": way.words,
        "to": None if way.target is None else name(way.target),
        "swap": way.target is not None and way.target in position.pieces,
        "turn": 360 / position.grid.headings * way.steps,
        "aims": sorted(name(cell) for cell in way.aims),
    }


def things_part(moment: Moment) -> list[Json] | None:
    """What really stands on a simulated table, crooked or not; null: the table is real."""
    if not moment.sitting.hands:
        return None
    board = moment.session.table.board
    (x_mm, y_mm), (x, y) = board.centre_mm(0), board.grid.centre(0)
    turned = 360 / board.grid.headings
    return [
        {
            "thing": handle,
            "kind": each.piece.kind,
            "owner": each.piece.owner,
            "x": round(x + (each.x_mm - x_mm) / board.cell_mm, 3),
            "y": round(y + (each.y_mm - y_mm) / board.cell_mm, 3),
            "degrees": round((each.angle_degrees + turned * each.piece.orientation) % 360, 1),
        }
        for handle, each in moment.things
    ]


def said_part(said: tuple[Said, ...]) -> list[Json]:
    return [
        {"number": each.number, "sentence": each.sentence, "at_ms": round(each.at_ms)}
        for each in said
    ]
