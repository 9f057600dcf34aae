"""Drawings of positions and turns, parsed as XML and compared with the rules.

Expected coordinates are computed by hand or from the grid, never with `engine.draw`'s own geometry.
"""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, dist, radians, sin
from types import SimpleNamespace
from typing import cast

import pytest

from engine import games
from engine.beam import Beam, BeamEvent, Emitter, Reaction, trace
from engine.draw import position_svg, turn_svg
from engine.draw.pieces import GLYPHS
from engine.draw.words import headline
from engine.game import AnyGame, AnyTurn, Loss, Mark, Piece
from engine.grid import Cell, Grid, Heading, HexGrid, SquareGrid
from engine.spaceships import Spaceships
from engine.spaceships.state import Action
from tests.support.engine.random_play import endless_turns

SVG = "{http://www.w3.org/2000/svg}"
GAMES = sorted(games.GAMES)
SQUARES = SquareGrid(6, 5)
HEXAGONS = HexGrid.hexagon(3)


@dataclass(frozen=True)
class FakePosition:
    grid: Grid
    pieces: Mapping[Cell, Piece]


def fake_game(
    marks: Mapping[Cell, Mark] | None = None, players: Sequence[str] = ("one", "two")
) -> AnyGame:
    letters = {"wizard": "W", "ship": "S", "block": "B", "mirror": "M", "shooter": "G"}
    game = SimpleNamespace(
        title="A fourth game", players=players, letters=letters, marks=lambda _: marks or {}
    )
    return cast(AnyGame, game)


def squares(**pieces: Piece) -> FakePosition:
    return FakePosition(SQUARES, {SQUARES.cell(name): piece for name, piece in pieces.items()})


def fire(grid: Grid, *emitters: tuple[str, Heading, int], meeting: bool = True,
         reactions: Mapping[str, Reaction] | None = None, reach: int | None = None
         ) -> tuple[Beam, ...]:  # fmt: skip
    by_cell = {grid.cell(name): reaction for name, reaction in (reactions or {}).items()}
    at = [Emitter(grid.cell(name), heading, owner) for name, heading, owner in emitters]
    return trace(grid, at, lambda cell, _: by_cell.get(cell), meeting=meeting, reach=reach)


def turns(name: str, most: int = 30) -> Iterator[tuple[AnyGame, AnyTurn]]:
    game = games.make(name)
    return ((game, turn) for turn in endless_turns(game, seed=7, most=most))


# -- reading a picture ---------------------------------------------------------------------------


def parse(text: str) -> ET.Element:
    return ET.fromstring(text)


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if element.get("class") == name]


def numbers(text: str | None) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text or "")]


def pairs(text: str | None) -> list[tuple[float, float]]:
    flat = numbers(text)
    return list(zip(flat[::2], flat[1::2], strict=True))


def rotation(element: ET.Element) -> float:
    transform = element.get("transform", "")
    return numbers(transform)[0] if transform.startswith("rotate") else 0.0


def turned(point: tuple[float, float], degrees: float) -> tuple[float, float]:
    x, y = point
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return x * c - y * s, x * s + y * c


def centre_of(piece: ET.Element, part: str) -> tuple[float, float]:
    """The centre of the named part, relative to the centre of the piece."""

    def search(element: ET.Element, degrees: float) -> Iterator[tuple[float, float]]:
        degrees += rotation(element)
        if element.get("class") == part:
            for point in pairs(element.get("points") or element.get("d")):
                yield turned(point, degrees)
        for child in element:
            yield from search(child, degrees)

    found = list(search(piece, 0))
    return sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)


def piece_on(root: ET.Element, name: str) -> ET.Element:
    (piece,) = (p for p in of_class(root, "piece") if p.get("data-cell") == name)
    return piece


def rays(root: ET.Element) -> list[list[tuple[float, float]]]:
    return [pairs(ray.get("points")) for ray in of_class(root, "ray")]


# -- every game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_has_every_cell_and_every_piece(name: str) -> None:
    for game, turn in turns(name, most=10):
        position = turn.after
        root = parse(position_svg(game, position))
        grid = position.grid
        cells = [cell.get("data-cell") for cell in of_class(root, "cell")]
        assert sorted(cells, key=str) == sorted(grid.name(c) for c in range(grid.size))
        drawn = {
            (p.get("data-cell"), p.get("data-kind"), p.get("data-owner"))
            for p in of_class(root, "piece")
        }
        assert len(of_class(root, "piece")) == len(position.pieces)
        assert drawn == {
            (grid.name(cell), piece.kind, game.players[piece.owner])
            for cell, piece in position.pieces.items()
        }


@pytest.mark.parametrize("name", GAMES)
def test_a_piece_is_centred_in_its_cell(name: str) -> None:
    game = games.make(name)
    position = game.start()
    root = parse(position_svg(game, position))
    for cell in position.pieces:
        x, y = position.grid.centre(cell)
        placed = numbers(piece_on(root, position.grid.name(cell)).get("transform"))
        assert placed == pytest.approx([100 * x, 100 * y], abs=0.01)


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_is_self_contained(name: str) -> None:
    """A picture has no scripts, styles, ids or links, so one page can embed several pictures."""
    for game, turn in turns(name, most=25):
        text = turn_svg(game, turn)
        root = parse(text)
        assert root.tag == f"{SVG}svg"
        assert len(numbers(root.get("viewBox"))) == 4
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        for element in root.iter():
            assert element.tag.removeprefix(SVG) not in {"script", "style", "image", "use"}
            for attribute, value in element.attrib.items():
                assert attribute not in {"id", "style", "href"}
                assert not attribute.startswith("on")
                assert "url(" not in value
                assert "nan" not in value
        assert text.count("http") == 1, "the name of the format is the only address"


@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_deterministic(name: str) -> None:
    for (game, turn), (again, twin) in zip(turns(name, most=5), turns(name, most=5), strict=True):
        assert turn_svg(game, turn) == turn_svg(again, twin)


@pytest.mark.parametrize("name", GAMES)
def test_everything_is_inside_the_frame(name: str) -> None:
    for game, turn in turns(name, most=25):
        root = parse(turn_svg(game, turn))
        left, top, width, height = numbers(root.get("viewBox"))
        spots = [spot for line in rays(root) for spot in line]
        spots += [spot for cell in of_class(root, "cell") for spot in pairs(cell.get("transform"))]
        for text in root.iter(f"{SVG}text"):
            if text.get("class") in ("name", "heading"):
                spots.append((float(text.get("x", "")), float(text.get("y", ""))))
        assert spots
        for x, y in spots:
            assert left < x < left + width
            assert top < y < top + height


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_a_registered_game_has_a_glyph(name: str) -> None:
    assert set(games.GAMES[name].letters) <= set(GLYPHS)


@pytest.mark.parametrize("name", GAMES)
def test_every_beam_runs_through_the_centres_of_its_cells(name: str) -> None:
    """Beams that share a line are drawn apart, by no more than a tenth of a cell."""
    seen = 0
    for game, turn in turns(name):
        grid = turn.aimed.grid
        for beam, line in zip(turn.beams, rays(parse(turn_svg(game, turn))), strict=True):
            assert len(line) == len(beam.steps)
            for step, point in zip(beam.steps[:-1], line, strict=False):
                x, y = grid.centre(step.cell)
                assert dist(point, (100 * x, 100 * y)) <= 10
                seen += 1
    assert seen > 50


def faces(name: str, *kinds: str) -> Iterator[tuple[ET.Element, tuple[float, float], BeamEvent]]:
    """Every piece of these kinds that a beam reaches, its side, and the effect."""
    for game, turn in turns(name, most=500):
        grid, pieces = turn.aimed.grid, turn.aimed.pieces
        met = [
            step
            for beam in turn.beams
            for step in beam.steps[1:]
            if step.cell in pieces and pieces[step.cell].kind in kinds and not step.on_edge
        ]
        root = parse(turn_svg(game, turn)) if met else None
        for step in met:
            assert root is not None
            assert step.entered is not None
            way = radians(grid.degrees(step.entered))
            yield piece_on(root, grid.name(step.cell)), (-sin(way), cos(way)), step.event


def dot(a: tuple[float, float], b: tuple[float, float]) -> float:
    return a[0] * b[0] + a[1] * b[1]


def games_with(*kinds: str) -> list[str]:
    return [name for name in GAMES if set(kinds) & set(games.GAMES[name].letters)]


@pytest.mark.parametrize("name", games_with("deflector", "mirror"))
def test_a_drawn_prism_turns_beams_on_its_open_side_only(name: str) -> None:
    """The drawing agrees with the rules: no beam is reflected by the side with the prism's body."""
    seen = set()
    for piece, side, what in faces(name, "deflector", "mirror"):
        hits_the_body = dot(centre_of(piece, "prism"), side) > 0
        assert hits_the_body == (what is BeamEvent.CAPTURE)
        seen.add((what, rotation(of_class(piece, "turning")[0])))
    assert {degrees for what, degrees in seen if what is BeamEvent.TURN} == {0, 90, 180, 270}
    assert BeamEvent.CAPTURE in {what for what, _ in seen}


@pytest.mark.parametrize("name", games_with("defender"))
def test_beams_are_absorbed_on_the_drawn_side_of_a_shield(name: str) -> None:
    seen = set()
    for piece, side, what in faces(name, "defender"):
        on_the_shield = dot(centre_of(piece, "shield"), side) > 10
        assert on_the_shield == (what is BeamEvent.ABSORB)
        seen.add(what)
    assert seen == {BeamEvent.ABSORB, BeamEvent.CAPTURE}


@pytest.mark.parametrize("name", GAMES)
def test_emitters_point_in_their_firing_direction(name: str) -> None:
    for game, turn in turns(name):
        root, grid = parse(turn_svg(game, turn)), turn.aimed.grid
        for beam in turn.beams:
            heading = beam.steps[0].left
            assert heading is not None
            piece = piece_on(root, grid.name(beam.steps[0].cell))
            assert rotation(of_class(piece, "turning")[0]) == grid.degrees(heading)


# -- pieces --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*GLYPHS, "wizard"])
def test_rotating_a_piece_only_rotates_its_drawing(kind: str) -> None:
    drawn = set()
    for orientation in range(4):
        root = parse(position_svg(fake_game(), squares(c3=Piece(kind, 0, orientation))))
        piece = piece_on(root, "c3")
        for turning in of_class(piece, "turning"):
            assert turning.attrib.pop("transform") == f"rotate({90 * orientation})"
        drawn.add(ET.tostring(piece))
    assert len(drawn) == 1


@pytest.mark.parametrize("orientation", range(6))
def test_on_hexagons_a_piece_faces_the_neighbour_of_its_orientation(orientation: int) -> None:
    cell = HEXAGONS.cell("d4")
    position = FakePosition(HEXAGONS, {cell: Piece("ship", 1, orientation, 50)})
    (turning,) = of_class(parse(position_svg(fake_game(), position)), "turning")
    ahead = HEXAGONS.ahead(cell, orientation)
    assert ahead is not None
    (x, y), (to_x, to_y) = HEXAGONS.centre(cell), HEXAGONS.centre(ahead)
    assert turned((0, -1), rotation(turning)) == pytest.approx((to_x - x, to_y - y))


@pytest.mark.parametrize("grid", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
@pytest.mark.parametrize("kind", [*GLYPHS, "wizard"])
def test_owners_differ_in_shape_and_not_by_colour_alone(kind: str, grid: Grid) -> None:
    shapes = []
    for owner in (0, 1):
        position = FakePosition(grid, {7: Piece(kind, owner)})
        (piece,) = of_class(parse(position_svg(fake_game(), position)), "piece")
        shapes.append([(e.tag, e.get("d"), e.get("points"), e.get("r")) for e in piece.iter()])
    assert shapes[0] != shapes[1]


def test_sides_called_blue_and_red_have_these_colours_in_either_order() -> None:
    for players in (("blue", "red"), ("red", "blue")):
        root = parse(
            position_svg(fake_game(players=players), squares(), fire(SQUARES, ("a1", 0, 0)))
        )
        (ray,) = of_class(root, "ray")
        red, _, blue = (int(str(ray.get("stroke"))[i : i + 2], 16) for i in (1, 3, 5))
        assert (blue > 2 * red) if players[0] == "blue" else (red > 2 * blue)


def test_a_kind_without_a_glyph_is_drawn_as_its_letter() -> None:
    piece = piece_on(parse(position_svg(fake_game(), squares(b2=Piece("wizard", 1, 3)))), "b2")
    assert [text.text for text in piece.iter(f"{SVG}text")] == ["W"]
    assert rotation(of_class(piece, "turning")[0]) == 270


@pytest.mark.parametrize("hit_points", [1, 2])
def test_a_block_shows_its_hit_points(hit_points: int) -> None:
    root = parse(position_svg(fake_game(), squares(b2=Piece("block", 0, 0, hit_points))))
    assert len(of_class(root, "pip")) == hit_points


def test_a_ship_shows_its_hit_points_as_a_number_and_as_an_arc() -> None:
    ends = {}
    for hit_points in (25, 50, 75, 100):
        position = FakePosition(HEXAGONS, {3: Piece("ship", 0, 0, hit_points)})
        root = parse(position_svg(fake_game(), position))
        assert str(hit_points) in [text.text for text in root.iter(f"{SVG}text")]
        (arc,) = of_class(root, "health")
        ends[hit_points] = numbers(arc.get("d"))[-2:]
    radius, _ = ends[25]
    assert radius > 30
    assert ends[25] == pytest.approx([radius, 0], abs=0.01)
    assert ends[50] == pytest.approx([0, radius], abs=0.01)
    assert ends[75] == pytest.approx([-radius, 0], abs=0.01)
    assert ends[100] == [], "a full arc is a circle"


# -- the board -----------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_every_mark_has_a_different_drawing(grid: Grid) -> None:
    looks = set()
    for mark in (None, *Mark):
        root = parse(position_svg(fake_game({0: mark} if mark else {}), FakePosition(grid, {})))
        looks.add(ET.tostring(of_class(root, "cell")[0]))
    assert len(looks) == 1 + len(Mark)


def test_squares_are_named_on_the_rim_and_hexagons_on_their_tiles() -> None:
    root = parse(position_svg(fake_game(), FakePosition(SQUARES, {})))
    labels = sorted(str(text.text) for text in of_class(root, "name"))
    assert labels == sorted([*"abcdef", *"12345"] * 2)
    root = parse(position_svg(fake_game(), FakePosition(HEXAGONS, {})))
    for text in of_class(root, "name"):
        x, y = HEXAGONS.centre(HEXAGONS.cell(str(text.text)))
        assert dist((100 * x, 100 * y), (float(text.get("x", 0)), float(text.get("y", 0)))) < 50
    assert len(of_class(root, "name")) == HEXAGONS.size


def test_the_last_move_is_marked() -> None:
    last = [SQUARES.cell("b2"), SQUARES.cell("b3")]
    root = parse(position_svg(fake_game(), squares(b3=Piece("king", 0)), last_move_cells=last))
    assert {mark.get("data-cell") for mark in of_class(root, "last")} == {"b2", "b3"}


def test_text_is_escaped() -> None:
    title = 'a < b & "c" > d \x00\x1b'
    root = parse(
        position_svg(fake_game(players=("<x>", '"&')), squares(a1=Piece("king", 1)), title=title)
    )
    shown = [element.text for element in root.iter() if element.get("class") == "heading"]
    assert shown == ['a < b & "c" > d \ufffd\ufffd']
    assert piece_on(root, "a1").get("data-owner") == '"&'


# -- beams ---------------------------------------------------------------------------------------


def test_a_beam_turns_in_the_centre_of_a_mirror_and_leaves_over_the_edge() -> None:
    game = games.make("laser-chess")
    position = game.read_position("l++9/5k4/*/*/9B/*/*/4K4L b")
    root = parse(position_svg(game, position, game.standing_beams(position, 0)))
    up = [(950, y) for y in (750, 650, 550, 450)]
    left = [(x, 450) for x in range(850, 0, -100)]
    assert rays(root) == [[*up, *left, (0, 450)]]
    assert len(of_class(root, "leave")) == 1


def test_opposite_beams_on_one_line_are_both_visible() -> None:
    beams = fire(SQUARES, ("a3", 1, 0), ("f3", 3, 1), meeting=False)
    eastward, westward = rays(parse(position_svg(fake_game(), squares(), beams)))
    assert {y for _, y in eastward} == {255}
    assert {y for _, y in westward} == {245}


def test_parallel_beams_on_one_line_are_all_visible() -> None:
    beams = fire(SQUARES, ("a3", 1, 0), ("c3", 1, 1), ("d3", 1, 0), meeting=False)
    lines = rays(parse(position_svg(fake_game(), squares(), beams)))
    assert len({line[-1] for line in lines}) == 3


def test_crossing_beams_are_not_moved_aside() -> None:
    beams = fire(SQUARES, ("a3", 1, 0), ("c1", 0, 1), meeting=False)
    across, upward = rays(parse(position_svg(fake_game(), squares(), beams)))
    assert {y for _, y in across} == {250}
    assert {x for x, _ in upward} == {250}


def test_a_beam_moved_aside_keeps_its_distance_at_a_mirror() -> None:
    """Two opposite beams are reflected by the same two-sided mirrors."""
    mirror = {0: Reaction(BeamEvent.TURN, 1), 3: Reaction(BeamEvent.TURN, 2)}
    corner = SQUARES.cell("c4")
    beams = trace(
        SQUARES,
        [Emitter(SQUARES.cell("c1"), 0, 0), Emitter(SQUARES.cell("f4"), 3, 1)],
        lambda cell, heading: mirror.get(heading) if cell == corner else None,
        meeting=False,
    )
    first, second = rays(parse(position_svg(fake_game(), squares(), beams)))
    assert first[3] == (255, 155), "on its right: below and right of the middle"
    assert second[3] == (245, 145)
    assert first[0] == (255, 450)
    assert second[-1] == (245, 500)


def test_beams_that_annihilate_between_two_squares_spark_on_the_edge() -> None:
    beams = fire(SQUARES, ("b3", 1, 0), ("e3", 3, 1))
    root = parse(position_svg(fake_game(), squares(), beams))
    assert [line[-1] for line in rays(root)] == [(300, 250), (300, 250)]
    assert len(of_class(root, "spark")) == 2


def test_beams_that_annihilate_on_a_square_spark_in_its_centre() -> None:
    beams = fire(SQUARES, ("b3", 1, 0), ("d3", 3, 1), ("c4", 2, 1))
    assert beams[2].end.event is BeamEvent.ANNIHILATE
    assert [line[-1] for line in rays(parse(position_svg(fake_game(), squares(), beams)))] == [
        (250, 250)
    ] * 3


def test_a_stopped_beam_ends_on_the_face_and_flashes() -> None:
    for what in (BeamEvent.ABSORB, BeamEvent.DAMAGE):
        beams = fire(SQUARES, ("a3", 1, 0), reactions={"d3": Reaction(what)})
        root = parse(position_svg(fake_game(), squares(d3=Piece("block", 1, 0, 2)), beams))
        ((*_, end),) = rays(root)
        assert end == (320, 250)
        assert len(of_class(root, "flash")) == 1
        assert not of_class(root, "burst")


def test_a_captured_piece_bursts_and_stays_visible() -> None:
    beams = fire(SQUARES, ("a3", 1, 0), reactions={"d3": Reaction(BeamEvent.CAPTURE)})
    root = parse(position_svg(fake_game(), squares(d3=Piece("king", 1)), beams))
    assert rays(root)[0][-1] == (350, 250)
    (burst,) = of_class(root, "burst")
    assert (burst[0].get("cx"), burst[0].get("cy")) == ("350", "250")
    assert float(piece_on(root, "d3").get("opacity", 1)) < 1


def test_a_beam_at_the_end_of_its_reach_fades() -> None:
    (beam,) = fire(SQUARES, ("a3", 1, 0), reach=2)
    root = parse(position_svg(fake_game(), squares(), [beam]))
    assert rays(root) == [[(50, 250), (150, 250), (250, 250), (300, 250)]]
    assert len(of_class(root, "fade")) == 1


def test_lost_hit_points_are_written_beside_the_piece() -> None:
    ship = Piece("ship", 0, 0, 100)
    position = FakePosition(HEXAGONS, {5: ship})
    root = parse(position_svg(fake_game(), position, losses=[Loss(5, ship, 20)]))
    assert [text.text for text in of_class(root, "lost")[0].iter(f"{SVG}text")] == ["-20"]
    root = parse(position_svg(fake_game(), position, losses=[Loss(5, ship, 100)]))
    assert not of_class(root, "lost")
    assert len(of_class(root, "burst")) == 1


def test_a_beam_without_a_step_after_fire_can_be_drawn() -> None:
    (beam,) = fire(SQUARES, ("a3", 1, 0))
    parse(position_svg(fake_game(), squares(), [Beam(0, beam.steps[:1])]))


# -- text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sn", "move", "words"),
    [
        ("l++9/5k4/*/*/9B/*/*/4K4L b", "e1d2", "blue e1 to d2"),
        ("l++9/5k4/*/*/9B/*/*/4K4L b", "j4+", "blue j4 turns right · j4 captured"),
        ("l++9/5k4/*/*/9B/*/*/4K4L b", "e1-", "blue e1 turns left"),
        ("l++9/5k4/*/*/5bS3/*/*/4K4L b", "g4uf4", "blue swaps g4 and f4"),
        ("l++9/5k4/*/*/5BS3/*/*/4K4L b", "g4uf4", "blue swaps f4 and g4"),
        ("l++9/5k4/*/*/5B3B/*/*/4K4L b", "e1d1", "blue e1 to d1 · f4 captured"),
        ("l++9/*/*/*/5k3B/*/*/4K4L b", "e1d1", "blue e1 to d1 · f4 captured · 1-0 king captured"),
    ],
)  # fmt: skip
def test_a_turn_has_a_headline_in_words(sn: str, move: str, words: str) -> None:
    game = games.make("laser-chess")
    position = game.read_position(sn)
    turn = game.resolve(position, {0: game.read_move(position, 0, move)})
    assert str(headline(game, turn)) == words
    assert of_class(parse(turn_svg(game, turn)), "heading")[0].text == words


def test_the_description_names_every_piece_and_the_end_of_every_beam() -> None:
    game = games.make("laser-chess")
    position = game.read_position("l++9/5k4/*/*/5b3B/*/*/4K4L b")
    root = parse(position_svg(game, position, game.standing_beams(position, 0)))
    assert root[1].text == (
        "blue: deflector j4 at 0 degrees, king e1 at 0 degrees, laser j1 at 0 degrees. "
        "red: laser a8 at 180 degrees, king f7 at 0 degrees, deflector f4 at 0 degrees. "
        "The beam of blue from j1 captures f4."
    )


def test_the_rules_do_not_load_the_drawing() -> None:
    code = (
        "import sys, engine.games; sys.exit(any(m.startswith('engine.draw.') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_headline_names_collisions_passes_and_shots() -> None:
    game = Spaceships()
    start = game.start(seed=4)
    turn = game.resolve(start, {0: Action.move(4), 1: Action.noop("late")})
    assert str(headline(game, turn)) == "first collides · second passes · a6 loses 5"
    turn = game.resolve(start, {0: Action.laser(1), 1: Action.move(4)})
    assert str(headline(game, turn)).startswith("first fires toward b6 · second k6 to ")
