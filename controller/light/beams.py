"""A turn as light: its beams grow in lockstep, bounce, meet and hit; then they fade.

A step of a beam is a cell's time. A beam reaches the middle of a cell at the time of the step,
and the edge half a step before or after. What was captured pulses after the last beam has ended,
and stays lit as `remove` begins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from controller.layout import Layout
from controller.light.animation import Animation, Colour, Effects, Sketch, colour
from controller.light.figures import Figure, draw, level
from controller.light.spots import Spot, Spots, outermost, spots
from engine.beam import Beam, Step, What
from engine.draw import palette
from engine.draw.palette import Paint
from engine.game import AnyTurn, Loss
from engine.grid import Cell, Grid, Heading

WHITE: Colour = (1.0, 1.0, 1.0)
EMBER, FLAME, HOT = (colour(name) for name in palette.FIRE)


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast it all goes, and how bright."""

    cell_ms: float  # a beam takes so long for a cell,
    travel_ms: float  # unless its whole way would take longer than this
    rise_ms: float
    stay_ms: float  # how long the beams are seen when the last has ended
    fade_ms: float
    pulses: int  # of a captured piece
    pulse_ms: float
    sparkle: float  # how white the head of a beam, a mirror and a spark are; 0 in calm light
    body: float  # the beam behind its head


TEMPO = {
    Effects.NORMAL: Tempo(70, 3300, 60, 700, 900, 3, 800, 1.0, 0.8),
    Effects.CALM: Tempo(120, 3600, 400, 900, 1500, 0, 0, 0.0, 1.0),
}
# Flashes of one cell that come closer than this are one: nothing flickers.
CLOSE_MS = 700.0


def fired(
    layout: Layout, turn: AnyTurn, paints: Sequence[Paint], effects: Effects = Effects.NORMAL
) -> Animation:
    """Every beam of the turn, what it did on its way and at its end, and the losses."""
    return beams_fired(layout, turn.aimed.grid, turn.beams, turn.losses, paints, effects)


def beams_fired(
    layout: Layout,
    grid: Grid,
    beams: Sequence[Beam],
    losses: Sequence[Loss],
    paints: Sequence[Paint],
    effects: Effects = Effects.NORMAL,
) -> Animation:
    """Beams that belong to no turn, as they would be if the lasers fired now, say."""
    lit = spots(layout.playing(grid))
    tempo = TEMPO[effects]
    step_ms = _pace_ms(beams, tempo)
    end_ms = max((_end(beam) for beam in beams), default=0.0) * step_ms
    show = _Show(
        lit,
        beams,
        losses,
        [colour(paint.beam) for paint in paints],
        tempo,
        Sketch(lit.leds, level(effects)),
        step_ms,
        end_ms,
        end_ms + tempo.stay_ms,
    )
    return show.draw(effects)


def rays(
    layout: Layout,
    grid: Grid,
    beams: Sequence[Beam],
    paints: Sequence[Paint],
    effects: Effects = Effects.NORMAL,
) -> Animation:
    """Beams at their full length that stay: a still picture."""
    lit = spots(layout.playing(grid))
    sketch = Sketch(lit.leds, level(effects))
    levels: dict[tuple[int, int], float] = defaultdict(float)
    for beam in beams:
        for passage in passages(lit, beam):
            key = beam.owner, passage.spot.led
            levels[key] = max(levels[key], passage.level)
    for (owner, led), strength in levels.items():
        sketch.steady(led, colour(paints[owner].beam), TEMPO[effects].body * strength)
    return sketch.animation()


def pace_ms(turn: AnyTurn, effects: Effects = Effects.NORMAL) -> float:
    """How long the beams of a turn take for one cell."""
    return _pace_ms(turn.beams, TEMPO[effects])


def _pace_ms(beams: Sequence[Beam], tempo: Tempo) -> float:
    longest = max((len(beam.steps) for beam in beams), default=1)
    return min(tempo.cell_ms, tempo.travel_ms / longest)


@dataclass(frozen=True, slots=True)
class Passage:
    """A beam's head on one LED."""

    spot: Spot
    cell: Cell
    at: float  # in steps
    level: float


def passages(lit: Spots, beam: Beam) -> Iterator[Passage]:
    """The LEDs that a beam lights, in the order of its way."""
    for number, step in enumerate(beam.steps):
        if step.on_edge:
            continue
        following = beam.steps[number + 1] if number + 1 < len(beam.steps) else None
        found = {
            spot.led: Passage(spot, step.cell, number + place, 1.0)
            for spot, place in _entering(lit, step)
        }
        for spot, place in _leaving(lit, step):
            faint = _level(lit, step, following, place)
            found[spot.led] = Passage(spot, step.cell, number + place, faint)
        yield from sorted(found.values(), key=lambda each: each.at)


def _entering(lit: Spots, step: Step) -> list[tuple[Spot, float]]:
    if step.entered is None:
        return []
    return [(spot, place) for spot, place in lit.along(step.cell, step.entered) if place <= 0]


def _leaving(lit: Spots, step: Step) -> list[tuple[Spot, float]]:
    if step.left is None:
        return []
    return [(spot, place) for spot, place in lit.along(step.cell, step.left) if place >= 0]


def _level(lit: Spots, step: Step, following: Step | None, place: float) -> float:
    """A beam that goes out over the edge of a cell grows faint on its last half of it."""
    if following is None or following.what not in (What.LEAVE, What.FADE):
        return 1.0
    if max((p for _, p in _leaving(lit, step)), default=0.0) == 0:
        return 0.55
    return 1.0 - 1.5 * place


@dataclass(frozen=True, slots=True)
class _Show:
    """Beams on their way into a sketch."""

    lit: Spots
    beams: Sequence[Beam]
    losses: Sequence[Loss]
    tints: Sequence[Colour]
    tempo: Tempo
    sketch: Sketch
    step_ms: float
    end_ms: float  # the last beam has ended
    fade_ms: float  # the beams begin to fade

    def draw(self, effects: Effects) -> Animation:
        self._bodies()
        if self.tempo.sparkle:
            self._mirrors()
        self._endings()
        over_ms = self.fade_ms + self.tempo.fade_ms
        for loss in self.losses:
            hit_ms = self._hit_ms(loss.cell)
            if not loss.removed:
                over_ms = max(over_ms, self._damage(loss.cell, hit_ms))
                continue
            over_ms = max(over_ms, self._capture(loss.cell, hit_ms))
            draw(self.sketch, self.lit, loss.cell, Figure.REMOVE, EMBER, effects,
                 from_ms=hit_ms, beating=False)  # fmt: skip
        return self.sketch.animation(over_ms if self.beams or self.losses else 0.0)

    def _glow(self, led: int, tint: Colour, strength: float, *, start_ms: float, rise_ms: float,
              hold_ms: float, fall_ms: float) -> None:  # fmt: skip
        """A light for a while; in calm light all stay until the beams fade, so none flickers."""
        if not self.tempo.sparkle:
            rise_ms, fall_ms = max(rise_ms, 400.0), self.tempo.fade_ms
            hold_ms = self.fade_ms - start_ms - rise_ms
        self.sketch.light(led, tint, strength, start_ms=start_ms, rise_ms=rise_ms,
                          hold_ms=hold_ms, fall_ms=fall_ms)  # fmt: skip

    # -- on the way ----------------------------------------------------------------------------

    def _bodies(self) -> None:
        """The light of the beams: one player's beams do not add up, those of two players do."""
        tempo = self.tempo
        first: dict[tuple[int, int], Passage] = {}
        levels: dict[tuple[int, int], float] = defaultdict(float)
        heads: dict[int, Passage] = {}
        for beam in self.beams:
            for passage in passages(self.lit, beam):
                led = passage.spot.led
                key = beam.owner, led
                if key not in first or passage.at < first[key].at:
                    first[key] = passage
                if led not in heads or passage.at < heads[led].at:
                    heads[led] = passage
                levels[key] = max(levels[key], passage.level)
        lost = {loss.cell for loss in self.losses}
        for (owner, led), passage in first.items():
            start_ms = passage.at * self.step_ms
            # Where a piece is lost, the beam soon gives way to what is told about the piece.
            gone = passage.cell in lost
            until_ms = self.end_ms if gone else self.fade_ms
            self._glow(led, self.tints[owner], tempo.body * levels[owner, led], start_ms=start_ms,
                       rise_ms=tempo.rise_ms, hold_ms=until_ms - start_ms - tempo.rise_ms,
                       fall_ms=tempo.fade_ms / (2 if gone else 1))  # fmt: skip
        for led, passage in heads.items():
            self.sketch.light(led, WHITE, 0.4 * passage.level * tempo.sparkle,
                              start_ms=passage.at * self.step_ms, rise_ms=tempo.rise_ms,
                              fall_ms=260)  # fmt: skip

    def _mirrors(self) -> None:
        bounces: dict[Spot, list[float]] = defaultdict(list)
        for beam in self.beams:
            for number, step in enumerate(beam.steps):
                if step.what is What.TURN:
                    for spot, place in _entering(self.lit, step) + _leaving(self.lit, step):
                        bounces[spot].append((number + max(place, 0.0)) * self.step_ms)
        for spot, moments in bounces.items():
            near = max(0.0, 1.0 - 1.6 * spot.distance)
            for first_ms, last_ms in _together(moments):
                self.sketch.light(spot.led, WHITE, 0.9 * near, start_ms=first_ms, rise_ms=70,
                                  hold_ms=last_ms - first_ms + 60, fall_ms=480)  # fmt: skip

    # -- at the end ----------------------------------------------------------------------------

    def _endings(self) -> None:
        stopped: dict[tuple[Cell, int], list[float]] = defaultdict(list)
        met: dict[tuple[Cell, Heading | None], float] = {}
        for beam in self.beams:
            end, at_ms = beam.end, _end(beam) * self.step_ms
            if end.what is What.ANNIHILATE:
                met[end.cell, end.left if end.on_edge else None] = at_ms
            elif end.what is What.ABSORB:
                stopped[end.cell, beam.owner].append(at_ms)
        for (cell, side), at_ms in met.items():
            self._spark(cell, side, at_ms)
        for (cell, owner), moments in stopped.items():
            for first_ms, last_ms in _together(moments):
                for spot in self.lit.cells[cell]:
                    self._glow(spot.led, self.tints[owner], 0.45, start_ms=first_ms, rise_ms=90,
                               hold_ms=last_ms - first_ms + 60, fall_ms=600)  # fmt: skip

    def _spark(self, cell: Cell, side: Heading | None, at_ms: float) -> None:
        """White from where the beams met, then embers."""
        near = self.lit.cells[cell] if side is None else outermost(self.lit, cell, side)
        for spot in near:
            away = spot.distance if side is None else 0.0
            start_ms = at_ms + 120 * away
            self.sketch.light(spot.led, WHITE, self.tempo.sparkle * (1.0 - away),
                              start_ms=start_ms, rise_ms=60, hold_ms=60, fall_ms=420)  # fmt: skip
            self._glow(spot.led, FLAME, 0.6, start_ms=start_ms, rise_ms=120, hold_ms=120,
                       fall_ms=1000)  # fmt: skip

    def _hit_ms(self, cell: Cell) -> float:
        """When a lost piece was first hit; one that no beam hit is lost in the end."""
        hits = [
            _end(beam) * self.step_ms
            for beam in self.beams
            if beam.end.cell == cell and beam.end.what in (What.CAPTURE, What.DAMAGE)
        ]
        return min(hits, default=self.end_ms)

    def _capture(self, cell: Cell, hit_ms: float) -> float:
        """Glows from the hit on, and pulses when all beams have ended; returns when it is over."""
        tempo, spots_here = self.tempo, self.lit.cells[cell]
        for spot in spots_here:
            tint = FLAME if spot.distance < 0.1 and len(spots_here) > 1 else EMBER
            self._glow(spot.led, HOT if tempo.pulses else tint, 0.5, start_ms=hit_ms, rise_ms=120,
                       hold_ms=self.end_ms - hit_ms, fall_ms=400)  # fmt: skip
            for number in range(tempo.pulses):
                start_ms = self.end_ms + (number + 0.6) * tempo.pulse_ms
                self.sketch.light(spot.led, tint, 0.6, start_ms=start_ms,
                                  rise_ms=0.35 * tempo.pulse_ms, hold_ms=0.1 * tempo.pulse_ms,
                                  fall_ms=0.45 * tempo.pulse_ms)  # fmt: skip
        return self.end_ms + (tempo.pulses + 0.6) * tempo.pulse_ms

    def _damage(self, cell: Cell, hit_ms: float) -> float:
        """One long swell, paler than a capture, and nothing stays; returns when it is over."""
        for spot in self.lit.cells[cell]:
            self._glow(spot.led, FLAME, 0.55 if spot.distance > 0.1 else 0.8, start_ms=hit_ms,
                       rise_ms=150, hold_ms=self.end_ms - hit_ms + 300,
                       fall_ms=1500)  # fmt: skip
        return self.end_ms + 1950


def _end(beam: Beam) -> float:
    """When a beam ends, in steps: an edge is half a step from the middle before it."""
    last = len(beam.steps) - 1
    return last - 0.5 if beam.end.on_edge else float(last)


def _together(moments: Sequence[float]) -> list[tuple[float, float]]:
    """The first and last of those that come close after each other."""
    ordered = sorted(moments)
    cuts = [n for n, (a, b) in enumerate(pairwise(ordered), start=1) if b - a > CLOSE_MS]
    bounds = [0, *cuts, len(ordered)]
    return [(ordered[a], ordered[b - 1]) for a, b in pairwise(bounds)]
