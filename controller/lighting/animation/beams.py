"""Animates the beams of a turn: they grow in lockstep, reflect, meet and hit, then fade.

A beam takes one step for a cell: it reaches the centre at the time of the step and the edges half a
step before and after. Captured pieces pulse after the last beam has ended, and stay lit for
`animate_removals`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from controller.lighting.animation.cell_patterns import CellPattern, draw_pattern, effects_level
from controller.lighting.animation.led_positions import (
    LedPosition,
    LedPositions,
    led_positions,
    outermost,
)
from controller.lighting.animation.timeline import (
    Animation,
    AnimationBuilder,
    Colour,
    LightEffects,
    parse_colour,
)
from controller.lighting.layout import LedLayout
from engine.beam import Beam, BeamEvent, Step
from engine.draw import palette
from engine.draw.palette import Paint
from engine.game import AnyTurn, Loss
from engine.grid import Cell, Grid, Heading

WHITE: Colour = (1.0, 1.0, 1.0)
EMBER, FLAME, HOT = (parse_colour(name) for name in palette.FIRE)


@dataclass(frozen=True, slots=True)
class BeamTiming:
    """Durations and levels."""

    cell_ms: float  # of a beam through one cell
    max_travel_ms: float  # shortens `cell_ms` for long beams
    rise_ms: float
    stay_ms: float  # after the last beam has ended
    fade_ms: float
    pulses: int  # of a captured piece
    pulse_ms: float
    whiteness: float  # of beam heads, mirrors and sparks; 0 in calm light
    body_level: float  # of the beam behind its head


BEAM_TIMINGS = {
    LightEffects.NORMAL: BeamTiming(70, 3300, 60, 700, 900, 3, 800, 1.0, 0.8),
    LightEffects.CALM: BeamTiming(120, 3600, 400, 900, 1500, 0, 0, 0.0, 1.0),
}
# Flashes of one cell within this time are merged, against flicker.
MERGE_FLASHES_MS = 700.0


def animate_turn(
    layout: LedLayout,
    turn: AnyTurn,
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """All beams of a turn, their reflections and hits, and the losses."""
    return animate_beams(layout, turn.aimed.grid, turn.beams, turn.losses, paints, effects)


def animate_beams(
    layout: LedLayout,
    grid: Grid,
    beams: Sequence[Beam],
    losses: Sequence[Loss],
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """Beams without a turn, for example if the lasers fired now."""
    lit = led_positions(layout.for_grid(grid))
    timing = BEAM_TIMINGS[effects]
    step_ms = _step_ms(beams, timing)
    end_ms = max((_end_step(beam) for beam in beams), default=0.0) * step_ms
    animator = _BeamAnimator(
        lit,
        beams,
        losses,
        beam_colours=[parse_colour(paint.beam) for paint in paints],
        timing=timing,
        builder=AnimationBuilder(lit.led_count, effects_level(effects)),
        step_ms=step_ms,
        end_ms=end_ms,
        fade_ms=end_ms + timing.stay_ms,
    )
    return animator.draw(effects)


def animate_still_beams(
    layout: LedLayout,
    grid: Grid,
    beams: Sequence[Beam],
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """Beams at full length, without end."""
    lit = led_positions(layout.for_grid(grid))
    builder = AnimationBuilder(lit.led_count, effects_level(effects))
    levels: dict[tuple[int, int], float] = defaultdict(float)
    for beam in beams:
        for passage in beam_passages(lit, beam):
            key = beam.owner, passage.position.led
            levels[key] = max(levels[key], passage.level)
    for (owner, led), strength in levels.items():
        builder.add_steady(
            led, parse_colour(paints[owner].beam), BEAM_TIMINGS[effects].body_level * strength
        )
    return builder.build()


def turn_step_ms(turn: AnyTurn, effects: LightEffects = LightEffects.NORMAL) -> float:
    """How long the beams of a turn take through one cell."""
    return _step_ms(turn.beams, BEAM_TIMINGS[effects])


def _step_ms(beams: Sequence[Beam], timing: BeamTiming) -> float:
    longest = max((len(beam.steps) for beam in beams), default=1)
    return min(timing.cell_ms, timing.max_travel_ms / longest)


@dataclass(frozen=True, slots=True)
class BeamPassage:
    """The head of a beam on one LED."""

    position: LedPosition
    cell: Cell
    at_step: float  # time in steps
    level: float


def beam_passages(lit: LedPositions, beam: Beam) -> Iterator[BeamPassage]:
    """The LEDs that a beam lights, in order."""
    for number, step in enumerate(beam.steps):
        if step.on_edge:
            continue
        following = beam.steps[number + 1] if number + 1 < len(beam.steps) else None
        passages = {
            position.led: BeamPassage(position, step.cell, number + place, 1.0)
            for position, place in _entry_leds(lit, step)
        }
        for position, place in _exit_leds(lit, step):
            faint = _exit_level(lit, step, following, place)
            passages[position.led] = BeamPassage(position, step.cell, number + place, faint)
        yield from sorted(passages.values(), key=lambda each: each.at_step)


def _entry_leds(lit: LedPositions, step: Step) -> list[tuple[LedPosition, float]]:
    if step.entered is None:
        return []
    return [
        (position, place) for position, place in lit.along(step.cell, step.entered) if place <= 0
    ]


def _exit_leds(lit: LedPositions, step: Step) -> list[tuple[LedPosition, float]]:
    if step.left is None:
        return []
    return [(position, place) for position, place in lit.along(step.cell, step.left) if place >= 0]


def _exit_level(lit: LedPositions, step: Step, following: Step | None, place: float) -> float:
    """Fades a beam out over the last half cell before it leaves the board."""
    if following is None or following.event not in (BeamEvent.LEAVE, BeamEvent.FADE):
        return 1.0
    if max((p for _, p in _exit_leds(lit, step)), default=0.0) == 0:
        return 0.55
    return 1.0 - 1.5 * place


@dataclass(frozen=True, slots=True)
class _BeamAnimator:
    """Draws beams into an `AnimationBuilder`."""

    lit: LedPositions
    beams: Sequence[Beam]
    losses: Sequence[Loss]
    beam_colours: Sequence[Colour]
    timing: BeamTiming
    builder: AnimationBuilder
    step_ms: float
    end_ms: float  # of the last beam
    fade_ms: float  # when the beams begin to fade

    def draw(self, effects: LightEffects) -> Animation:
        self._draw_bodies()
        if self.timing.whiteness:
            self._draw_reflections()
        self._draw_endings()
        over_ms = self.fade_ms + self.timing.fade_ms
        for loss in self.losses:
            hit_ms = self._hit_ms(loss.cell)
            if not loss.removed:
                over_ms = max(over_ms, self._draw_damage(loss.cell, hit_ms))
                continue
            over_ms = max(over_ms, self._draw_capture(loss.cell, hit_ms))
            draw_pattern(
                self.builder,
                self.lit,
                loss.cell,
                CellPattern.REMOVE,
                EMBER,
                effects,
                appears_ms=hit_ms,
                pulsing=False,
            )
        return self.builder.build(over_ms if self.beams or self.losses else 0.0)

    def _glow(self, led: int, tint: Colour, strength: float, *, start_ms: float, rise_ms: float,
              hold_ms: float, fall_ms: float) -> None:  # fmt: skip
        """A light for a while; in calm light it stays until the beams fade, against flicker."""
        if not self.timing.whiteness:
            rise_ms, fall_ms = max(rise_ms, 400.0), self.timing.fade_ms
            hold_ms = self.fade_ms - start_ms - rise_ms
        self.builder.add_pulse(
            led,
            tint,
            strength,
            start_ms=start_ms,
            rise_ms=rise_ms,
            hold_ms=hold_ms,
            fall_ms=fall_ms,
        )

    # -- paths ---------------------------------------------------------------------------------

    def _draw_bodies(self) -> None:
        """The beams themselves. Those of one player do not add up, those of two players do."""
        timing = self.timing
        first: dict[tuple[int, int], BeamPassage] = {}
        levels: dict[tuple[int, int], float] = defaultdict(float)
        heads: dict[int, BeamPassage] = {}
        for beam in self.beams:
            for passage in beam_passages(self.lit, beam):
                led = passage.position.led
                key = beam.owner, led
                if key not in first or passage.at_step < first[key].at_step:
                    first[key] = passage
                if led not in heads or passage.at_step < heads[led].at_step:
                    heads[led] = passage
                levels[key] = max(levels[key], passage.level)
        lost = {loss.cell for loss in self.losses}
        for (owner, led), passage in first.items():
            start_ms = passage.at_step * self.step_ms
            # On a lost piece the beam soon gives way to the capture or damage.
            gone = passage.cell in lost
            until_ms = self.end_ms if gone else self.fade_ms
            self._glow(
                led,
                self.beam_colours[owner],
                timing.body_level * levels[owner, led],
                start_ms=start_ms,
                rise_ms=timing.rise_ms,
                hold_ms=until_ms - start_ms - timing.rise_ms,
                fall_ms=timing.fade_ms / (2 if gone else 1),
            )
        for led, passage in heads.items():
            self.builder.add_pulse(
                led,
                WHITE,
                0.4 * passage.level * timing.whiteness,
                start_ms=passage.at_step * self.step_ms,
                rise_ms=timing.rise_ms,
                fall_ms=260,
            )

    def _draw_reflections(self) -> None:
        bounces: dict[LedPosition, list[float]] = defaultdict(list)
        for beam in self.beams:
            for number, step in enumerate(beam.steps):
                if step.event is BeamEvent.TURN:
                    for position, place in _entry_leds(self.lit, step) + _exit_leds(self.lit, step):
                        bounces[position].append((number + max(place, 0.0)) * self.step_ms)
        for position, moments in bounces.items():
            near = max(0.0, 1.0 - 1.6 * position.distance)
            for first_ms, last_ms in _merge_close(moments):
                self.builder.add_pulse(
                    position.led,
                    WHITE,
                    0.9 * near,
                    start_ms=first_ms,
                    rise_ms=70,
                    hold_ms=last_ms - first_ms + 60,
                    fall_ms=480,
                )

    # -- ends ----------------------------------------------------------------------------------

    def _draw_endings(self) -> None:
        stopped: dict[tuple[Cell, int], list[float]] = defaultdict(list)
        met: dict[tuple[Cell, Heading | None], float] = {}
        for beam in self.beams:
            end, at_ms = beam.end, _end_step(beam) * self.step_ms
            if end.event is BeamEvent.ANNIHILATE:
                met[end.cell, end.left if end.on_edge else None] = at_ms
            elif end.event is BeamEvent.ABSORB:
                stopped[end.cell, beam.owner].append(at_ms)
        for (cell, side), at_ms in met.items():
            self._draw_spark(cell, side, at_ms)
        for (cell, owner), moments in stopped.items():
            for first_ms, last_ms in _merge_close(moments):
                for position in self.lit.cells[cell]:
                    self._glow(
                        position.led,
                        self.beam_colours[owner],
                        0.45,
                        start_ms=first_ms,
                        rise_ms=90,
                        hold_ms=last_ms - first_ms + 60,
                        fall_ms=600,
                    )

    def _draw_spark(self, cell: Cell, side: Heading | None, at_ms: float) -> None:
        """A white flash where beams met, then a fading glow."""
        near = self.lit.cells[cell] if side is None else outermost(self.lit, cell, side)
        for position in near:
            away = position.distance if side is None else 0.0
            start_ms = at_ms + 120 * away
            self.builder.add_pulse(
                position.led,
                WHITE,
                self.timing.whiteness * (1.0 - away),
                start_ms=start_ms,
                rise_ms=60,
                hold_ms=60,
                fall_ms=420,
            )
            self._glow(
                position.led, FLAME, 0.6, start_ms=start_ms, rise_ms=120, hold_ms=120, fall_ms=1000
            )

    def _hit_ms(self, cell: Cell) -> float:
        """When a lost piece was first hit; the end if no beam hit it."""
        hits = [
            _end_step(beam) * self.step_ms
            for beam in self.beams
            if beam.end.cell == cell and beam.end.event in (BeamEvent.CAPTURE, BeamEvent.DAMAGE)
        ]
        return min(hits, default=self.end_ms)

    def _draw_capture(self, cell: Cell, hit_ms: float) -> float:
        """Glows from the hit on and pulses after all beams; returns the end time."""
        timing, spots_here = self.timing, self.lit.cells[cell]
        for position in spots_here:
            tint = FLAME if position.distance < 0.1 and len(spots_here) > 1 else EMBER
            self._glow(
                position.led,
                HOT if timing.pulses else tint,
                0.5,
                start_ms=hit_ms,
                rise_ms=120,
                hold_ms=self.end_ms - hit_ms,
                fall_ms=400,
            )
            for number in range(timing.pulses):
                start_ms = self.end_ms + (number + 0.6) * timing.pulse_ms
                self.builder.add_pulse(
                    position.led,
                    tint,
                    0.6,
                    start_ms=start_ms,
                    rise_ms=0.35 * timing.pulse_ms,
                    hold_ms=0.1 * timing.pulse_ms,
                    fall_ms=0.45 * timing.pulse_ms,
                )
        return self.end_ms + (timing.pulses + 0.6) * timing.pulse_ms

    def _draw_damage(self, cell: Cell, hit_ms: float) -> float:
        """One long pulse, paler than a capture; returns the end time."""
        for position in self.lit.cells[cell]:
            self._glow(
                position.led,
                FLAME,
                0.55 if position.distance > 0.1 else 0.8,
                start_ms=hit_ms,
                rise_ms=150,
                hold_ms=self.end_ms - hit_ms + 300,
                fall_ms=1500,
            )
        return self.end_ms + 1950


def _end_step(beam: Beam) -> float:
    """The end of a beam in steps; the edge is half a step after the centre."""
    last = len(beam.steps) - 1
    return last - 0.5 if beam.end.on_edge else float(last)


def _merge_close(moments: Sequence[float]) -> list[tuple[float, float]]:
    """Merge times that are close together into (first, last)."""
    ordered = sorted(moments)
    cuts = [n for n, (a, b) in enumerate(pairwise(ordered), start=1) if b - a > MERGE_FLASHES_MS]
    bounds = [0, *cuts, len(ordered)]
    return [(ordered[a], ordered[b - 1]) for a, b in pairwise(bounds)]
