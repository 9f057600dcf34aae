"""Grids, pieces and turns as JSON for the page, for live games and replays.

Cells are names, players are numbers, angles are degrees clockwise from straight up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.draw import catalogue
from engine.draw.pieces import turn_to_fire
from engine.draw.spoken import turn_speech
from engine.draw.words import changed_cells, describe_action, headline
from engine.game import AnyGame, AnyTurn, Mark, Outcome, Piece, Player
from engine.grid import Cell, Grid
from engine.sentences import Sentence, joined, plain, sentence_json
from engine.turn_json import step_json

Json = dict[str, Any]


def grid_json(grid: Grid) -> Json:
    """All cells with their middles: x to the right, y down, neighbours one unit apart."""
    return {
        "headings": grid.headings,
        "degrees": [grid.degrees(heading) for heading in range(grid.headings)],
        "cells": [
            [grid.name(cell), *(round(part, 4) for part in grid.centre(cell))]
            for cell in range(grid.size)
        ],
    }


def terrain_json(grid: Grid, marks: Mapping[Cell, Mark]) -> dict[str, list[str]]:
    """The cells of each mark, by its value."""
    cells: dict[str, list[str]] = {}
    for cell, mark in sorted(marks.items()):
        cells.setdefault(mark.value, []).append(grid.name(cell))
    return cells


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


def unplayed_turn_json(
    game: AnyGame, turn: AnyTurn | None, words: Sentence | None = None
) -> Json | None:
    """A turn that is not played yet: a hint, the computer's move, or the moves on the table."""
    if turn is None:
        return None
    name = turn.aimed.grid.name
    return {
        "words": sentence_json(words or headline(game, turn)),
        "moves": [
            {"player": player, "text": game.write_move(turn.before, player, move)}
            for player, move in turn.moves
        ],
        "changed": [name(cell) for cell in changed_cells(turn.before, turn.aimed)],
    }


def cells_owned_by(pieces: Mapping[Cell, Piece], players: tuple[Player, ...]) -> list[Cell]:
    return [cell for cell, piece in sorted(pieces.items()) if piece.owner in players]


def animated_turn_json(game: AnyGame, turn: AnyTurn) -> Json:
    """A turn with everything needed to animate it: the pieces before and after the beams."""
    grid = turn.aimed.grid
    name = grid.name
    return {
        "moves": [
            {"player": player, "text": game.write_move(turn.before, player, move)}
            for player, move in turn.moves
        ],
        "notation": sentence_json(turn_notation(game, turn)),
        "words": sentence_json(turn_speech(game, turn)),
        "changed": [name(cell) for cell in changed_cells(turn.before, turn.aimed)],
        "aimed": pieces_json(grid, turn_to_fire(turn.aimed.pieces, turn.beams)),
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


def turn_notation(game: AnyGame, turn: AnyTurn) -> Sentence:
    """A turn in a list of moves: in the game's notation if that is text, else in few words."""
    if game.record_form == "text":
        # Notation is the same in all languages.
        return plain(" ".join(game.write_move(turn.before, *move) for move in turn.moves))
    words = joined((describe_action(game, turn, player) for player, _ in turn.moves), " / ")
    for loss in turn.losses:
        cell = turn.aimed.grid.name(loss.cell)
        if loss.removed:
            words = catalogue.CAPTURES_IN_LIST(turn=words, cell=cell)
        else:
            words = catalogue.DAMAGES_IN_LIST(turn=words, cell=cell, hits=loss.hits)
    return words


def outcome_json(outcome: Outcome | None) -> Json | None:
    if outcome is None:
        return None
    return {
        "result": outcome.result,
        "reason": sentence_json(outcome.reason),
        "winner": outcome.winner,
    }
