"""Renders a session to the LEDs: its scene, or the beams of a turn while they run."""

from __future__ import annotations

import numpy as np

from controller.lighting import animation
from controller.lighting.animation import Animation, LightEffects
from controller.lighting.animation.beams import turn_step_ms
from controller.lighting.layout import LedLayout
from controller.lighting.output import OutputStage
from controller.lighting.scenes import (
    AFTERGLOW_MS,
    LightLayer,
    LightScene,
    SceneSequence,
    background_scene,
    lit_cells,
    scene_of,
)
from controller.ports.devices import LedMatrix, Pixels
from controller.session.state import Session
from engine.draw.palette import player_paints
from engine.game import AnyTurn
from engine.grid import Cell

PICTURE_INTERVAL_MS = 1000 / 30
SCREEN_STEP_MS, SCREEN_END_MS = 35.0, 150.0


class LightRenderer:
    """Shows the picture of each moment on the LEDs of one board."""

    def __init__(
        self, leds: LedMatrix, output_stage: OutputStage, layout: LedLayout, effects: LightEffects
    ) -> None:
        self.leds, self.layout = leds, layout
        self.gamma = output_stage.gamma
        self._output_stage, self._effects = output_stage, effects
        self._scenes = SceneSequence()
        self._rendered_session: Session | None = None
        self._is_dark = False
        self._beam_animation: Animation | None = None
        self._beams_length_ms = 0.0
        self._beams_started_ms = self._due_ms = self._beams_ended_ms = 0.0
        self.beam_cells: frozenset[Cell] = frozenset()  # lit by the last beams
        self.beam_turn: AnyTurn | None = None  # the turn whose beams run
        self._digits, self._digits_until_ms = "", 0.0
        self._rendered_digits = ""
        self.last_picture: Pixels | None = None
        self.last_number = 0  # of `last_picture`

    def show_beams(self, turn: AnyTurn, session: Session, at_ms: float) -> None:
        """Start the beams of a turn, over the background scene."""
        paints = player_paints(session.game.players)
        beams = animation.animate_turn(self.layout, turn, paints, self._effects)
        self.beam_cells = lit_cells(self.layout, beams)
        assert beams.duration_ms is not None
        self._beams_length_ms = beams.duration_ms
        self._beam_animation = animation.overlay(
            beams, background_scene(session, self.layout, self._effects)
        )
        self.beam_turn, self._due_ms = turn, at_ms
        # A picture stays until the next one, so it shows the light of that time.
        self._beams_started_ms = at_ms - PICTURE_INTERVAL_MS

    def show_digits(self, digits: str, session: Session, until_ms: float) -> None:
        """Show a number instead of the scene. Raises `CannotDraw` if the board is too small."""
        animation.animate_digits(self.layout.for_grid(session.position.grid), digits)  # may raise
        self._digits, self._digits_until_ms = digits, until_ms

    def render(self, session: Session, at_ms: float) -> bool:
        """Show the picture of this moment; True when beams have just ended."""
        if at_ms < self._due_ms and session is self._rendered_session:
            return False
        # Half an interval: ticks come a little early or late, and none may be left out for it.
        self._due_ms = at_ms + PICTURE_INTERVAL_MS / 2
        if self._beam_animation is not None:
            elapsed_ms = min(at_ms - self._beams_started_ms, self._beams_length_ms)
            self._show(self._output_stage(self._beam_animation.at(elapsed_ms)))
            if elapsed_ms < self._beams_length_ms:
                return False
            self._beam_animation = self.beam_turn = None
            self._beams_ended_ms = at_ms
            return True
        dark = session.lights_out
        digits = self._digits if at_ms < self._digits_until_ms else ""
        if (
            session is not self._rendered_session
            or dark is not self._is_dark
            or digits != self._rendered_digits
        ):
            self._rendered_session, self._is_dark, self._rendered_digits = session, dark, digits
            if digits:
                scene = self._digits_scene(digits, session)
            elif dark:
                scene = background_scene(session, self.layout, self._effects)
            else:
                scene = scene_of(session, self.layout, self._effects, at_ms)
            self._scenes = self._scenes.followed_by(scene, at_ms)
        self._show(self._output_stage(self._scenes.at(at_ms)))
        return False

    def _digits_scene(self, digits: str, session: Session) -> LightScene:
        layer = LightLayer(animation.animate_digits, (digits,), (digits,))
        return LightScene(self.layout, session.position.grid, self._effects, (layer,))

    def possibly_lit_cells(self, at_ms: float) -> frozenset[Cell]:
        """The cells that the camera may see lit now."""
        shown = self._scenes.possibly_lit_cells(at_ms) if self._scenes.scenes else frozenset()
        return shown | self.beam_cells if at_ms < self._beams_ended_ms + AFTERGLOW_MS else shown

    def beams_elapsed_ms(self, at_ms: float) -> float:
        """Time since the beams started."""
        return at_ms - self._beams_started_ms

    def step_ms(self, turn: AnyTurn) -> float:
        """How long the beams of a turn take through one cell."""
        return turn_step_ms(turn, self._effects)

    def _show(self, picture: Pixels) -> None:
        if self.last_picture is None or not np.array_equal(picture, self.last_picture):
            self.last_picture = picture
            self.last_number = self.leds.show(picture)


class ScreenRenderer(LightRenderer):
    """For a match without LEDs: lights nothing, and gives a screen time to show the beams."""

    max_beams_ms = 0.0

    def show_beams(self, turn: AnyTurn, session: Session, at_ms: float) -> None:
        longest = max((len(beam.steps) for beam in turn.beams), default=0)
        self.beam_turn, self._beams_started_ms = turn, at_ms
        self._beams_length_ms = min(self.max_beams_ms, SCREEN_STEP_MS * longest + SCREEN_END_MS)

    def step_ms(self, turn: AnyTurn) -> float:
        return SCREEN_STEP_MS

    def render(self, session: Session, at_ms: float) -> bool:
        if self.beam_turn is None or at_ms < self._beams_started_ms + self._beams_length_ms:
            return False
        self.beam_turn = None
        return True
