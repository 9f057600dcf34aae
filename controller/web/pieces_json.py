"""Grids, pieces and turns as the page gets them: cells by name, players by number, angles in
degrees clockwise from straight up. Pure, and the same for live games and for replays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.agreement import Occasion, Start
from controller.layout import Layout
from controller.spoken import turn_words
from engine.draw.palette import paints
from engine.draw.pieces import facing
from engine.draw.words import action, changed, headline
from engine.game import AnyGame, AnyTurn, Mark, Outcome, Piece, Player
from engine.grid import Cell, Grid
from engine.turn_json import step_json

Json = dict[str, Any]


def grid_json(grid: Grid) -> Json:
    """Every cell with its middle, neighbours one unit apart, x to the right and y down."""
    return {
        "headings": grid.headings,
        "degrees": [grid.degrees(heading) for heading in range(grid.headings)],
        "cells": [
            [grid.name(cell), *(round(part, 4) for part in grid.centre(cell))]
            for cell in range(grid.size)
        ],
    }


def leds_json(layout: Layout, grid: Grid) -> list[list[float] | None]:
    """Where every LED lies, in the same units; null where it lies under no cell."""
    board = layout.board
    (x_mm, y_mm), (x, y) = board.centre_mm(0), grid.centre(0)
    places = (layout.places_mm() - (x_mm, y_mm)) / board.cell_mm + (x, y)
    return [
        [round(left, 3), round(top, 3)] if left == left else None  # not a number is not itself
        for left, top in places.tolist()
    ]


def players_json(game: AnyGame, start: Start) -> list[Json]:
    return [
        {
            "side": side,
            "name": seat.name or side,
            "kind": "program" if seat.program else "computer" if seat.computer else "human",
            "level": seat.level,
            "shape": paint.form.value,
            "colours": {
                "deep": paint.deep,
                "body": paint.body,
                "bright": paint.bright,
                "light": paint.light,
                "beam": paint.beam,
            },
        }
        for side, seat, paint in zip(game.players, start.seats, paints(game.players), strict=True)
    ]


def ground_json(grid: Grid, marks: Mapping[Cell, Mark]) -> dict[str, list[str]]:
    """The cells of every mark there is, by what it means."""
    found: dict[str, list[str]] = {}
    for cell, mark in sorted(marks.items()):
        found.setdefault(mark.value, []).append(grid.name(cell))
    return found


def pieces_json(grid: Grid, pieces: Mapping[Cell, Piece]) -> list[Json]:
    return [
        {"cell": grid.name(cell), **piece_json(grid, piece)}
        for cell, piece in sorted(pieces.items())
    ]


def piece_json(grid: Grid, piece: Piece) -> Json:
    return {
        "kind": piece.kind,
        "owner": piece.owner,
        "degrees": grid.degrees(piece.orientation),
        "hit_points": piece.hit_points,
    }


def turn_json(game: AnyGame, turn: AnyTurn) -> Json:
    """A turn with all that is needed to show it: the pieces as its beams find and leave them."""
    grid = turn.aimed.grid
    name = grid.name
    return {
        "moves": [
            {"player": player, "text": game.write_move(turn.before, player, move)}
            for player, move in turn.moves
        ],
        "told": told(game, turn),
        "words": turn_words(game, turn),
        "changed": [name(cell) for cell in changed(turn.before, turn.aimed)],
        "aimed": pieces_json(grid, facing(turn.aimed.pieces, turn.beams)),
        "beams": [
            {"player": beam.owner, "steps": [step_json(grid, step) for step in beam.steps]}
            for beam in turn.beams
        ],
        "losses": [
            {
                "cell": name(loss.cell),
                "kind": loss.piece.kind,
                "owner": loss.piece.owner,
                "hits": loss.hits,
                "removed": loss.removed,
            }
            for loss in turn.losses
        ],
        "after": pieces_json(grid, turn.after.pieces),
        "outcome": outcome_json(turn.outcome),
    }


def told(game: AnyGame, turn: AnyTurn) -> str:
    """A turn in a list of moves: as its game writes it where that is text for people."""
    if game.record_form == "text":
        return " ".join(game.write_move(turn.before, *made) for made in turn.moves)
    words = " / ".join(action(game, turn, player) for player, _ in turn.moves)
    name = turn.aimed.grid.name
    return words + "".join(
        f" ×{name(loss.cell)}" if loss.removed else f" {name(loss.cell)} -{loss.hits}"
        for loss in turn.losses
    )


def outcome_json(outcome: Outcome | None) -> Json | None:
    if outcome is None:
        return None
    return {"result": outcome.result, "reason": outcome.reason, "winner": outcome.winner}


def occasion_json(occasion: Occasion | None) -> Json | None:
    """The event that a game is part of."""
    if occasion is None:
        return None
    return {"event": occasion.event, "round": occasion.round, "table": occasion.table}


def proposed_json(game: AnyGame, turn: AnyTurn | None, words: str = "") -> Json | None:
    """A turn that is not played yet: a hint, what the computer wants, what lies on the table."""
    if turn is None:
        return None
    name = turn.aimed.grid.name
    return {
        "words": words or headline(game, turn),
        "moves": [
            {"player": player, "text": game.write_move(turn.before, player, move)}
            for player, move in turn.moves
        ],
        "changed": [name(cell) for cell in changed(turn.before, turn.aimed)],
    }


def owned(pieces: Mapping[Cell, Piece], players: tuple[Player, ...]) -> list[Cell]:
    return [cell for cell, piece in sorted(pieces.items()) if piece.owner in players]
