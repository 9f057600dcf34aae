"""Computes the current of typical light animations, after gamma, brightness and current limit."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from itertools import islice
from typing import Any

import numpy as np

from controller.config.board_file import BoardFile
from controller.config.leds import LedSettings
from controller.lighting import animation as light
from controller.lighting import output
from controller.lighting.layout import LedLayout
from controller.lighting.output import estimate_current_ma
from controller.session.board_fit import fit_board
from engine.beam import Beam
from engine.draw.palette import player_paints
from engine.game import AnyGame
from vision.board import BoardDoesNotFit

SAMPLE_COUNT, ENDLESS_SAMPLE_MS = 60, 9_000.0
MAX_TURNS_SEARCHED = 400  # for a turn with a beam


class TypicalPicture(StrEnum):
    """An animation whose current is computed; its value is the key in JSON."""

    NO_GAME = "no game"
    WINNER = "the winner"
    BEAM = "a beam"


def typical_ma(
    file: BoardFile, settings: LedSettings, layout: LedLayout
) -> Mapping[TypicalPicture, int]:
    """The peak current of some animations."""
    game = _game(file)
    effects = light.LightEffects(settings.effects)
    owners = player_paints(("blue", "red") if game is None else game.players)
    animations = {
        TypicalPicture.NO_GAME: light.animate_idle(layout, owners, effects),
        TypicalPicture.WINNER: light.animate_winner(layout, 0, owners, effects),
    }
    if game is not None:
        position = game.start()
        animations[TypicalPicture.BEAM] = light.animate_beams(
            layout, position.grid, _beams(game, position), (), owners, effects
        )
    return {name: _peak_ma(animation, settings) for name, animation in animations.items()}


def _game(file: BoardFile) -> AnyGame | None:
    """The default game of the board; None if no game fits."""
    try:
        return fit_board(file.board).game
    except BoardDoesNotFit:
        return None


def _beams(game: Any, position: Any) -> tuple[Beam, ...]:
    """The beams of the starting position, or of the first turn that has some."""
    for player in range(len(game.players)):
        if beams := game.standing_beams(position, player):
            return tuple(beams)
    turns = islice(game.turns(position), MAX_TURNS_SEARCHED)
    return next((turn.beams for turn in turns if turn.beams), ())


def _peak_ma(animation: light.Animation, settings: LedSettings) -> int:
    stage = output.for_settings(settings)
    duration_ms = animation.duration_ms or ENDLESS_SAMPLE_MS
    return max(
        estimate_current_ma(stage(animation.at(ms)), settings.ma_per_led)
        for ms in np.linspace(0, duration_ms, SAMPLE_COUNT)
    )
