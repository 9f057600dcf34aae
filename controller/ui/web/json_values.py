"""Values that several parts of the page protocol share, as JSON: LEDs, players, sentences."""

from __future__ import annotations

import math

from controller.lighting.layout import LedLayout
from controller.session.setup import GameSetup, TournamentEntry
from engine.draw.board_json import Json
from engine.draw.palette import player_paints
from engine.game import AnyGame
from engine.grid import Grid
from engine.sentences import Sentence, sentence_json


def optional_sentence_json(sentence: Sentence | None) -> Json | None:
    return None if sentence is None else sentence_json(sentence)


def leds_json(layout: LedLayout, grid: Grid) -> list[list[float] | None]:
    """The position of every LED, in cells; null for one that is under no cell."""
    board = layout.board
    (x_mm, y_mm), (x, y) = board.centre_mm(0), grid.centre(0)
    positions = (layout.led_positions_mm() - (x_mm, y_mm)) / board.cell_mm + (x, y)
    return [
        None if math.isnan(led_x) else [round(led_x, 3), round(led_y, 3)]
        for led_x, led_y in positions.tolist()
    ]


def players_json(game: AnyGame, setup: GameSetup) -> list[Json]:
    return [
        {
            "side": side,
            "name": seat.name or side,
            "kind": "program" if seat.is_program else "computer" if seat.is_automated else "human",
            "level": seat.level,
            "shape": paint.shape.value,
            "colours": {
                "deep": paint.deep,
                "body": paint.body,
                "bright": paint.bright,
                "light": paint.light,
                "beam": paint.beam,
            },
        }
        for side, seat, paint in zip(
            game.players, setup.seats, player_paints(game.players), strict=True
        )
    ]


def tournament_entry_json(entry: TournamentEntry | None) -> Json | None:
    """The place of a game in its tournament; null for other games."""
    if entry is None:
        return None
    return {"event": entry.event, "round": entry.round, "table": entry.table}
