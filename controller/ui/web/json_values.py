"""LEDs, players and events as JSON for the page."""

from __future__ import annotations

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
    """Where every LED lies, in the same units; null where it lies under no cell."""
    board = layout.board
    (x_mm, y_mm), (x, y) = board.centre_mm(0), grid.centre(0)
    places = (layout.led_positions_mm() - (x_mm, y_mm)) / board.cell_mm + (x, y)
    return [
        [round(left, 3), round(top, 3)] if left == left else None  # not a number is not itself
        for left, top in places.tolist()
    ]


def players_json(game: AnyGame, start: GameSetup) -> list[Json]:
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
            game.players, start.seats, player_paints(game.players), strict=True
        )
    ]


def tournament_entry_json(entry: TournamentEntry | None) -> Json | None:
    """The event that a game is part of."""
    if entry is None:
        return None
    return {"event": entry.event, "round": entry.round, "table": entry.table}
