"""What the LEDs show: the guide's picture, or the beams of a turn while they run."""

from __future__ import annotations

import numpy as np

from controller import light
from controller.finish import Finish
from controller.guide import READ
from controller.guide_light import (
    AFTERGLOW_MS,
    Flow,
    Layer,
    Scene,
    background,
    lit_cells,
    picture,
)
from controller.layout import Layout
from controller.light import Animation, Effects
from controller.ports import LedMatrix, Pixels
from controller.session_values import Phase, Session
from engine.draw.palette import paints
from engine.game import AnyTurn
from engine.grid import Cell

PICTURE_MS = 1000 / 30
FILM_STEP_MS, FILM_END_MS = 35.0, 150.0
# While the table does not come to rest; in the dark, what is covered for good is known for it.
SHOWN_MS, DARK_MS = 3_500.0, 5_500.0
SET_UP_SHOWN_MS = 12_000.0  # people are busy with many pieces, and need the lights


class Lights:
    """The LEDs under one board, asked for the picture of each moment."""

    def __init__(self, leds: LedMatrix, finish: Finish, layout: Layout, effects: Effects) -> None:
        self.leds, self.layout = leds, layout
        self.gamma = finish.gamma
        self._finish, self._effects = finish, effects
        self._flow = Flow()
        self._told: Session | None = None
        self._dark = False
        self._rested_ms = 0.0  # when the table was last at rest, or nobody cared
        self._beam: Animation | None = None
        self._length_ms = 0.0
        self._begun_ms = self._due_ms = self._ended_ms = 0.0
        self.struck: frozenset[Cell] = frozenset()  # cells that the last beams lit
        self.turn: AnyTurn | None = None  # whose beams run
        self._spelt, self._spelt_ms = "", 0.0  # digits, and until when
        self._spelling = ""
        self.picture: Pixels | None = None  # the newest that was asked for, and its number
        self.number = 0

    def fire(self, turn: AnyTurn, session: Session, at_ms: float) -> None:
        """Let the beams of a turn run from now on, over what is light all the time."""
        owners = paints(session.table.game.players)
        beams = light.fired(self.layout, turn, owners, self._effects)
        self.struck = lit_cells(self.layout, beams)
        assert beams.duration_ms is not None
        self._length_ms = beams.duration_ms
        self._beam = light.over(beams, background(session, self.layout, self._effects))
        self.turn, self._due_ms = turn, at_ms
        # A picture stands until the next one comes: the first shows what is lit by then.
        self._begun_ms = at_ms - PICTURE_MS

    def spell(self, digits: str, session: Session, until_ms: float) -> None:
        """Show a number in place of the guide's picture until then; `CannotDraw` if it cannot be
        shown on this board."""
        light.number(self.layout.playing(session.position.grid), digits)  # now, or not at all
        self._spelt, self._spelt_ms = digits, until_ms

    def shine(self, session: Session, at_ms: float) -> bool:
        """Ask for the picture of this moment; whether beams have just come to their end."""
        if at_ms < self._due_ms and session is self._told:
            return False
        self._due_ms = at_ms + PICTURE_MS / 2
        if self._beam is not None:
            elapsed_ms = min(at_ms - self._begun_ms, self._length_ms)
            self._show(self._finish(self._beam.at(elapsed_ms)))
            if elapsed_ms < self._length_ms:
                return False
            self._beam = self.turn = None
            self._ended_ms = at_ms
            return True
        dark = self._restless(session, at_ms)
        spelling = self._spelt if at_ms < self._spelt_ms else ""
        if session is not self._told or dark is not self._dark or spelling != self._spelling:
            self._told, self._dark, self._spelling = session, dark, spelling
            if spelling:
                scene = self._number(spelling, session)
            elif dark:
                scene = background(session, self.layout, self._effects)
            else:
                scene = picture(session, self.layout, self._effects, at_ms)
            self._flow = self._flow.next(scene, at_ms)
        self._show(self._finish(self._flow.at(at_ms)))
        return False

    def _number(self, digits: str, session: Session) -> Scene:
        layer = Layer(light.number, (digits,), (digits,))
        return Scene(self.layout, session.position.grid, self._effects, (layer,))

    def _restless(self, session: Session, at_ms: float) -> bool:
        """Whether the lights go out for a moment: they may be why the table does not settle."""
        if (session.settled is not None and not session.unseen) or session.phase not in READ:
            self._rested_ms = at_ms
        shown_ms = SET_UP_SHOWN_MS if session.phase is Phase.SETTING_UP else SHOWN_MS
        return (at_ms - self._rested_ms) % (shown_ms + DARK_MS) >= shown_ms

    def lit(self, at_ms: float) -> frozenset[Cell]:
        """The cells that a camera may see lit now."""
        shown = self._flow.lit(at_ms) if self._flow.scenes else frozenset()
        return shown | self.struck if at_ms < self._ended_ms + AFTERGLOW_MS else shown

    def elapsed_ms(self, at_ms: float) -> float:
        """How long the beams have run."""
        return at_ms - self._begun_ms

    def _show(self, wanted: Pixels) -> None:
        if self.picture is None or not np.array_equal(wanted, self.picture):
            self.picture = wanted
            self.number = self.leds.show(wanted)


class Film(Lights):
    """Without LEDs the beams of a turn take a short time, so that a screen can show them."""

    most_ms = 0.0  # that it takes

    def fire(self, turn: AnyTurn, session: Session, at_ms: float) -> None:
        longest = max((len(beam.steps) for beam in turn.beams), default=0)
        self.turn, self._begun_ms = turn, at_ms
        self._length_ms = min(self.most_ms, FILM_STEP_MS * longest + FILM_END_MS)

    def shine(self, session: Session, at_ms: float) -> bool:
        if self.turn is None or at_ms < self._begun_ms + self._length_ms:
            return False
        self.turn = None
        return True
