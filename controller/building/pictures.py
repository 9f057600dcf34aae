"""What a board takes while it is used: real pictures, finished as they are sent, and measured."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np

from controller import light
from controller.config import BoardFile
from controller.finish import milliamps
from controller.layout import Layout
from controller.led_settings import LedSettings
from controller.tabletop import fitted
from engine.beam import Beam
from engine.draw.palette import paints
from engine.game import AnyGame
from vision.board import DoesNotFit

MOMENTS, UNENDING_MS = 60, 9_000.0
MOST_TURNS = 400  # looked through for one with a beam


def typical_ma(file: BoardFile, settings: LedSettings, layout: Layout) -> Mapping[str, int]:
    """The most that each of some pictures takes at any moment, by its name."""
    game = _game(file)
    effects = light.Effects(settings.effects)
    owners = paints(("blue", "red") if game is None else game.players)
    shown = {
        "nobody plays": light.idle(layout, owners, effects),
        "the winner": light.winner(layout, 0, owners, effects),
    }
    if game is not None:
        position = game.start()
        shown["a beam"] = light.beams_fired(
            layout, position.grid, _beams(game, position), (), owners, effects
        )
    return {name: _most_ma(animation, settings) for name, animation in shown.items()}


def _game(file: BoardFile) -> AnyGame | None:
    """The game that the board is for, if we know one."""
    try:
        return fitted(file.board).game
    except DoesNotFit:
        return None


def _beams(game: Any, position: Any) -> tuple[Beam, ...]:
    """The beams as the lasers stand at first, or of the first turn that has some."""
    for player in range(len(game.players)):
        if beams := game.standing_beams(position, player):
            return tuple(beams)
    turns = islice(game.turns(position), MOST_TURNS)
    return next((turn.beams for turn in turns if turn.beams), ())


def _most_ma(animation: light.Animation, settings: LedSettings) -> int:
    finish, length_ms = settings.finish(), animation.duration_ms or UNENDING_MS
    return max(
        milliamps(finish(animation.at(ms)), settings.ma_per_led)
        for ms in np.linspace(0, length_ms, MOMENTS)
    )
