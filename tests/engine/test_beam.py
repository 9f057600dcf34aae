r"""The beam tracer on small boards that are drawn as text.

Symbols: `^ > v <` emitters (they absorb beams), `/ \` two-sided mirrors, `0 1 2 3` one-sided
mirrors facing NE, SE, SW, NW, `#` absorbs, `o` is captured, `.` is empty. Beams are ordered like
their emitters, row by row. A beam is written `fire a1 pass b1 leave b1`; `|` marks a step on the
edge of a cell.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given

from engine.beam import Beam, BeamEvent, Emitter, Reaction, Step, Surface, relabel, trace
from engine.game import Position
from engine.grid import Cell, Grid, Heading, HexGrid, SquareGrid, opposite
from tests.support.engine.random_play import (
    LASER_CHESS,
    PHOTON_RULES,
    any_positions,
    examples,
    seeds,
)

UP, RIGHT, DOWN, LEFT = range(4)
SLASHES = {"/": {UP: RIGHT, RIGHT: UP, DOWN: LEFT, LEFT: DOWN}}
SLASHES["\\"] = {UP: LEFT, LEFT: UP, DOWN: RIGHT, RIGHT: DOWN}
# One-sided: light from the two sides of the face is reflected, other light hits the back.
FACES = {
    "0": {DOWN: RIGHT, LEFT: UP},
    "1": {LEFT: DOWN, UP: RIGHT},
    "2": {UP: LEFT, RIGHT: DOWN},
    "3": {RIGHT: UP, DOWN: LEFT},
}


class Table(NamedTuple):
    grid: Grid
    emitters: list[Emitter]
    surface: Surface


def draw(text: str) -> Table:
    rows = [line.split() for line in text.strip().splitlines()]
    grid = SquareGrid(len(rows[0]), len(rows))
    things = [thing for row in rows for thing in row]
    emitters = [Emitter(c, "^>v<".index(t), c) for c, t in enumerate(things) if t in "^>v<"]

    def surface(cell: Cell, heading: Heading) -> Reaction | None:
        thing = things[cell]
        if thing == ".":
            return None
        if thing in "/\\":
            return Reaction(BeamEvent.TURN, SLASHES[thing][heading])
        if thing in FACES and heading in FACES[thing]:
            return Reaction(BeamEvent.TURN, FACES[thing][heading])
        return Reaction(BeamEvent.ABSORB if thing == "#" else BeamEvent.CAPTURE)

    return Table(grid, emitters, surface)


def as_text(grid: Grid, beam: Beam) -> str:
    return " ".join(f"{s.event} {grid.name(s.cell)}{'|' * s.on_edge}" for s in beam.steps)


def beams_of(text: str, meeting: bool = True, reach: int | None = None) -> list[str]:
    table = draw(text)
    beams = trace(table.grid, table.emitters, table.surface, meeting=meeting, reach=reach)
    return [as_text(table.grid, beam) for beam in beams]


# -- one beam --------------------------------------------------------------------------------

ALONE = [
    ("> . .", "fire a1 pass b1 pass c1 leave c1|"),
    (". . >", "fire c1 leave c1|"),  # the beam has only the cell of its emitter
    ("> . #", "fire a1 pass b1 absorb c1"),
    ("> . o", "fire a1 pass b1 capture c1"),
    ("> / .", "fire a1 turn b1 leave b1|"),
    (". . .\n> / .", "fire a1 turn b1 pass b2 leave b2|"),
    ("> \\ .\n. . .", "fire a2 turn b2 pass b1 leave b1|"),
    ("/ . \\ .\n\\ < . .", "fire b1 turn a1 turn a2 pass b2 turn c2 pass c1 leave c1|"),
    ("/ \\ .\n\\ < .", "fire b1 turn a1 turn a2 turn b2 capture b1"),  # returns to its emitter
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ALONE)
def test_a_beam_follows_the_drawn_path(text: str, expected: str) -> None:
    assert beams_of(text) == beams_of(text, meeting=False) == [expected]


@pytest.mark.parametrize("heading", range(4))
def test_each_face_of_each_mirror_reflects_or_is_hit(heading: Heading) -> None:
    rows = [[".", ".", "."], [".", "", "."], [".", ".", "."]]
    x, y = [(1, 2), (0, 1), (1, 0), (2, 1)][heading]
    rows[y][x] = "^>v<"[heading]
    for thing, ways in (*SLASHES.items(), *FACES.items()):
        rows[1][1] = thing
        (beam,) = trace(*draw("\n".join(" ".join(row) for row in rows)))
        mirror = beam.steps[1]
        assert (mirror.cell, mirror.entered, mirror.left) == (4, heading, ways.get(heading))
        assert mirror.event is (BeamEvent.TURN if heading in ways else BeamEvent.CAPTURE)


def test_a_beam_has_a_path_and_an_end() -> None:
    (beam,) = trace(*draw("> . ."))
    assert beam.path == (0, 1, 2)
    assert beam.end == Step(2, BeamEvent.LEAVE, None, RIGHT)
    assert beam.end.on_edge
    assert beam.steps[0] == Step(0, BeamEvent.FIRE, None, RIGHT)
    assert beam.steps[1] == Step(1, BeamEvent.PASS, RIGHT, RIGHT)


def test_relabelling_changes_only_the_last_step() -> None:
    beams = trace(*draw("> . o <"))
    seen = []

    def relabelled_end(end: Step) -> BeamEvent:
        seen.append(end.cell)
        return BeamEvent.DAMAGE

    named = relabel(beams, relabelled_end)
    assert seen == [2, 2]
    for before, after in zip(beams, named, strict=True):
        assert (after.owner, after.steps[:-1]) == (before.owner, before.steps[:-1])
        assert after.end == Step(before.end.cell, BeamEvent.DAMAGE, before.end.entered, None)


def test_an_endless_loop_of_a_beam_is_an_error() -> None:
    # A ring of mirrors, with an emitter that does not stop the beam.
    grid, emitters, surface = draw("/ \\\n\\ <")
    with pytest.raises(AssertionError, match="circles"):
        trace(
            grid, emitters, lambda c, h: Reaction(BeamEvent.TURN, UP) if c == 3 else surface(c, h)
        )


# -- reach -----------------------------------------------------------------------------------

REACHES = [
    (1, "fire a1 pass b1 fade b1|"),
    (3, "fire a1 pass b1 pass c1 pass d1 fade d1|"),
    (4, "fire a1 pass b1 pass c1 pass d1 leave d1|"),
]


@pytest.mark.parametrize(("reach", "expected"), REACHES)
def test_a_beam_fades_at_the_end_of_its_reach(reach: int, expected: str) -> None:
    assert beams_of("> . . .", reach=reach) == [expected]


def test_a_beam_hits_at_the_end_of_its_reach_and_not_beyond() -> None:
    assert beams_of(". . .", reach=2) == []
    assert beams_of("> . o .", reach=2) == ["fire a1 pass b1 capture c1"]
    assert beams_of("> . o .", reach=1) == ["fire a1 pass b1 fade b1|"]
    assert beams_of("o . < / .", reach=1) == ["fire c1 pass b1 fade b1|"]


# -- several beams ---------------------------------------------------------------------------


def after_one_step(names: str, what: str) -> list[str]:
    return [f"fire {name} {what}" for name in names.split()]


TOGETHER = {
    "face to face": ("> <", ["fire a1 annihilate a1|", "fire b1 annihilate b1|"]),
    "a swap of cells": (
        "> . . <",
        ["fire a1 pass b1 annihilate b1|", "fire d1 pass c1 annihilate c1|"],
    ),
    "two head-on in one cell": ("> . <", ["fire a1 annihilate b1", "fire c1 annihilate b1"]),
    "two at a right angle": ("> .\n. ^", ["fire a2 annihilate b2", "fire b1 annihilate b2"]),
    "three in one cell": (". v .\n> . <", after_one_step("b2 a1 c1", "annihilate b1")),
    "four in one cell": (". v .\n> . <\n. ^ .", after_one_step("b3 a2 c2 b1", "annihilate b2")),
    "crossing at different times": (
        "> . .\n. . .\n. ^ .",
        ["fire a3 pass b3 pass c3 leave c3|", "fire b1 pass b2 pass b3 leave b3|"],
    ),
    "a meeting leaves nothing behind for the third": (
        "> . <\n. . .\n. ^ .",
        ["fire a3 annihilate b3", "fire c3 annihilate b3", "fire b1 pass b2 pass b3 leave b3|"],
    ),
    "swapped beams do not meet a third on the cells they never reach": (
        ". v . .\n. . . .\n> . . <\n. . . .",
        [
            "fire b4 pass b3 pass b2 pass b1 leave b1|",
            "fire a2 pass b2 annihilate b2|",
            "fire d2 pass c2 annihilate c2|",
        ],
    ),
    "a swap at a mirror": (
        "v . .\n\\ . <",
        ["fire a2 turn a1 annihilate a1|", "fire c1 pass b1 annihilate b1|"],
    ),
    "the same face of a mirror": (". v .\n. 0 <", after_one_step("b2 c1", "annihilate b1")),
    "both faces of a mirror": (
        ". v .\n> \\ .\n. . .",
        ["fire b3 turn b2 pass c2 leave c2|", "fire a2 turn b2 pass b1 leave b1|"],
    ),
    "four on two faces": (". v .\n> \\ <\n. ^ .", after_one_step("b3 a2 c2 b1", "annihilate b2")),
    "two on a face, one on the back": (
        ". v .\n> 0 <\n. . .",
        ["fire b3 annihilate b2", "fire a2 capture b2", "fire c2 annihilate b2"],
    ),
    "two on the back both hit": ("> 0 .\n. ^ .", ["fire a2 capture b2", "fire b1 capture b2"]),
    "both hit one piece": ("> o <", ["fire a1 capture b1", "fire c1 capture b1"]),
    "an absorber keeps beams apart": ("> # <", ["fire a1 absorb b1", "fire c1 absorb b1"]),
}


@pytest.mark.parametrize("name", TOGETHER)
def test_beams_that_meet_annihilate(name: str) -> None:
    text, expected = TOGETHER[name]
    assert beams_of(text) == expected


def test_beams_that_do_not_meet_are_independent() -> None:
    for text, _ in TOGETHER.values():
        grid, emitters, surface = draw(text)
        alone = [trace(grid, [emitter], surface)[0] for emitter in emitters]
        assert list(trace(grid, emitters, surface, meeting=False)) == alone


def test_beams_keep_the_order_and_the_owners_of_their_emitters() -> None:
    grid, emitters, surface = draw("> . <\n. . .\n. ^ .")
    emitters = [e._replace(owner=n) for n, e in zip((7, 8, 9), reversed(emitters), strict=True)]
    beams = trace(grid, emitters, surface)
    assert [(b.owner, b.path[0]) for b in beams] == [(7, 7), (8, 2), (9, 0)]


# -- hexagons --------------------------------------------------------------------------------

HEX = HexGrid.hexagon(3)
MIDDLE = HEX.cell("d4")


def away(cell: Cell, heading: Heading, distance: int) -> Cell:
    for _ in range(distance):
        ahead = HEX.ahead(cell, heading)
        assert ahead is not None
        cell = ahead
    return cell


def ring(count: int, distance: int) -> list[Emitter]:
    """Emitters around the middle cell, each shining through it."""
    return [Emitter(away(MIDDLE, h, distance), opposite(HEX, h), h) for h in range(count)]


@pytest.mark.parametrize("heading", range(6))
def test_a_hex_beam_goes_straight_to_the_edge(heading: Heading) -> None:
    (beam,) = trace(HEX, [Emitter(MIDDLE, heading, 0)], lambda *_: None)
    assert beam.path == tuple(away(MIDDLE, heading, n) for n in range(4))
    assert beam.end == Step(away(MIDDLE, heading, 3), BeamEvent.LEAVE, None, heading)


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("distance", [1, 2, 3])
def test_two_to_six_hex_beams_annihilate_in_one_tile(count: int, distance: int) -> None:
    beams = trace(HEX, ring(count, distance), lambda *_: None)
    assert all(b.end.event is BeamEvent.ANNIHILATE and b.end.cell == MIDDLE for b in beams)
    assert {len(b.steps) for b in beams} == {distance + 1}


def test_hex_beams_swap_tiles_on_the_shared_edge() -> None:
    ends = (away(MIDDLE, 4, 1), away(MIDDLE, 1, 2))
    first, second = trace(HEX, [Emitter(ends[0], 1, 0), Emitter(ends[1], 4, 1)], lambda *_: None)
    assert first.end == Step(MIDDLE, BeamEvent.ANNIHILATE, None, 1)
    assert second.end == Step(away(MIDDLE, 1, 1), BeamEvent.ANNIHILATE, None, 4)


# -- properties ------------------------------------------------------------------------------


def random_table(seed: int) -> Table:
    """A small board of squares or hexagons with many mirrors, absorbers and emitters."""
    random = Random(seed)
    if random.random() < 0.6:
        things = random.choices(".^>v</\\0123#o", [9, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1], k=36)
        width, height = random.randint(1, 6), random.randint(1, 6)
        return draw("\n".join(" ".join(things[6 * y : 6 * y + width]) for y in range(height)))
    grid = HexGrid.hexagon(random.randint(0, 3))
    # A mirror reflects heading h to line - h, and absorbs a beam parallel to it.
    lines = [random.choice([None, None, None, 0, 2, 4]) for _ in range(grid.size)]
    emitters = [
        Emitter(c, random.randrange(6), c) for c in range(grid.size) if random.random() < 0.15
    ]
    stops = {emitter.cell for emitter in emitters}

    def surface(cell: Cell, heading: Heading) -> Reaction | None:
        line = lines[cell]
        if cell in stops:
            return Reaction(BeamEvent.DAMAGE)
        if line is None:
            return None
        edge_on = (2 * heading - line) % 6 == 0
        return (
            Reaction(BeamEvent.ABSORB)
            if edge_on
            else Reaction(BeamEvent.TURN, (line - heading) % 6)
        )

    return Table(grid, emitters, surface)


def assert_reversible(grid: Grid, surface: Surface, beam: Beam) -> None:
    """A beam sent back from the last cell returns to the emitter over the same cells."""
    inside = [step for step in beam.steps if not step.on_edge]
    if len(inside) == 1:
        return  # the beam left the board on its first step
    last, fired = inside[-1], inside[0].left
    assert last.entered is not None
    assert fired is not None
    (back,) = trace(grid, [Emitter(last.cell, opposite(grid, last.entered), 0)], surface)
    assert back.path == beam.path[::-1]
    assert back.end.entered == opposite(grid, fired)


def met(table: Table, beams: tuple[Beam, ...], n: int, time: int) -> bool:
    """Whether beam `n` meets another one in its step at `time`, by the definition of the rules."""
    grid, _, surface = table
    before, now = beams[n].steps[time - 1 : time + 1]
    assert before.left is not None
    for other in (b for m, b in enumerate(beams) if m != n and len(b.steps) > time):
        their_before, their_now = other.steps[time - 1 : time + 1]
        assert their_before.left is not None
        towards_us = grid.ahead(their_before.cell, their_before.left) == before.cell
        if towards_us and grid.ahead(before.cell, before.left) == their_before.cell:
            return True
        if now.cell == their_now.cell and not (now.on_edge or their_now.on_edge):
            reaction = surface(now.cell, before.left)
            if reaction is None:
                return True
            if reaction.heading is not None and their_before.left == opposite(
                grid, reaction.heading
            ):
                return True
    return False


@given(seeds)
@examples(500)
def test_every_beam_ends_and_is_reversible(seed: int) -> None:
    grid, emitters, surface = random_table(seed)
    for beam in trace(grid, emitters, surface, meeting=False):
        assert all(step.left is not None for step in beam.steps[:-1])
        assert beam.end.on_edge == (beam.end.event is BeamEvent.LEAVE)
        assert beam.end.on_edge or beam.end.left is None
        assert_reversible(grid, surface, beam)


@given(seeds)
@examples(500)
def test_beams_are_annihilated_exactly_where_they_meet(seed: int) -> None:
    table = random_table(seed)
    beams, alone = trace(*table), trace(*table, meeting=False)
    for n, beam in enumerate(beams):
        whole = beam.steps[:-1] if beam.end.event is BeamEvent.ANNIHILATE else beam.steps
        assert whole == alone[n].steps[: len(whole)]
        for time in range(1, len(beam.steps)):
            assert met(table, beams, n, time) == (beam.steps[time].event is BeamEvent.ANNIHILATE)


@given(seeds)
@examples(300)
def test_a_reach_cuts_all_beams_and_changes_nothing_else(seed: int) -> None:
    table = random_table(seed)
    for meeting in (True, False):
        whole = trace(*table, meeting=meeting)
        for reach in (1, 2, 4):
            for beam, free in zip(trace(*table, meeting=meeting, reach=reach), whole, strict=True):
                held = free.steps[: reach + 1][-1]
                fade = (Step(held.cell, BeamEvent.FADE, None, held.left),)
                cut = free.steps[: reach + 1] + (fade if len(free.steps) > reach + 1 else ())
                assert beam.steps == cut


def drawing_of(position: Position, two_sided: bool) -> str:
    """A position on squares as a drawing with its mirrors."""
    facing_at_0 = {"deflector": 2, "mirror": 0}
    rows = [["."] * 10 for _ in range(position.grid.size // 10)]
    for cell, piece in position.pieces.items():
        thing = "#"
        if piece.kind == "switch" or (piece.kind == "mirror" and two_sided):
            thing = "\\/"[piece.orientation % 2]
        elif piece.kind in facing_at_0:
            thing = str((facing_at_0[piece.kind] + piece.orientation) % 4)
        rows[cell // 10][cell % 10] = thing
    return "\n".join(" ".join(row) for row in rows)


@given(any_positions)
@examples(400)
def test_beams_of_both_square_games_are_reversible_and_cross_no_border_twice(
    sample: tuple[Any, Any],
) -> None:
    game, position = sample
    two_sided = game.options().get("mirrors") == "two_sided"
    if game is not LASER_CHESS:
        game = PHOTON_RULES[f"{'two' if two_sided else 'one'}_sided independent"]
    surface = draw(drawing_of(position, two_sided)).surface
    for beam in (*game.standing_beams(position, 0), *game.standing_beams(position, 1)):
        borders = [frozenset(pair) for pair in zip(beam.path, beam.path[1:], strict=False)]
        assert len(set(borders)) == len(borders)
        assert len(borders) <= (142 if game is LASER_CHESS else 180)
        assert_reversible(position.grid, surface, beam)
