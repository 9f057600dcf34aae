"""Map generation of Spaceships: fair, connected and reproducible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.grid import Cube
from engine.spaceships import Action, Position, Ship, Spaceships, Terrain
from engine.spaceships.terrain import Map, draw_map
from tests.support.engine.random_play import examples

SEEDS = st.integers() | st.integers(-(10**400), 10**400)
MAPS = st.builds(draw_map, SEEDS, st.integers(1, 12))

# `^` is a mountain, `~` void, `.` land; 1 and 2 are the ships.
MAP_OF_SEED_1 = """\
     . . ^ ^ . .
    . ~ . . . ^ .
   . . . . . . ~ ^
  ^ . ~ . . . . ~ ^
 . ^ . . . ~ . . . .
1 . . . . ^ . . . . 2
 . . . . ~ . . . ^ .
  ^ ~ . . . . ~ . ^
   ^ ~ . . . . . .
    . ^ . . . ~ .
     . . ^ ^ . ."""


def picture(drawn: Map) -> str:
    letters = {Terrain.LAND: ".", Terrain.VOID: "~", Terrain.MOUNTAIN: "^"}
    words = [letters[kind] for kind in drawn.terrain]
    words[drawn.starts[0]], words[drawn.starts[1]] = "1", "2"
    rows = {r: " " * abs(r) for _, r, _ in drawn.grid.tiles}
    for word, (_, r, _) in zip(words, drawn.grid.tiles, strict=True):
        rows[r] += f"{word} "
    return "\n".join(row.rstrip() for row in rows.values())


def test_a_seed_always_gives_the_same_map() -> None:
    assert picture(draw_map(1, 5)) == MAP_OF_SEED_1


def test_different_seeds_give_different_maps() -> None:
    assert len({draw_map(seed, 5).terrain for seed in range(-50, 51)}) == 101


def opposite_tile(each: Cube) -> Cube:
    q, r, s = each
    return -q, -r, -s


@examples(100)
@given(MAPS)
def test_a_map_is_point_symmetric(drawn: Map) -> None:
    for each, kind in zip(drawn.grid.tiles, drawn.terrain, strict=True):
        cell = drawn.grid.find(opposite_tile(each))
        assert cell is not None
        assert drawn.terrain[cell] is kind


@examples(100)
@given(MAPS)
def test_the_first_player_starts_leftmost_and_the_second_opposite(drawn: Map) -> None:
    tiles = drawn.grid.tiles
    land = [t for t, kind in zip(tiles, drawn.terrain, strict=True) if kind is Terrain.LAND]
    first, second = (tiles[cell] for cell in drawn.starts)
    assert first == min(land, key=lambda t: (t[0] + t[1] / 2, t[1]))
    assert second == opposite_tile(first)


@examples(100)
@given(MAPS)
def test_all_land_of_a_map_is_connected(drawn: Map) -> None:
    grid = drawn.grid
    land = {cell for cell in range(grid.size) if drawn.terrain[cell] is Terrain.LAND}
    reached, grown = set[int](), {drawn.starts[0]}
    while grown != reached:
        reached = grown
        grown = reached | {
            ahead for cell in reached for h in range(6)
            if (ahead := grid.ahead(cell, h)) is not None and ahead in land
        }  # fmt: skip
    assert reached == land
    assert drawn.starts[1] in reached


@examples(100)
@given(MAPS)
def test_the_ships_start_far_apart_and_out_of_the_line_of_fire(drawn: Map) -> None:
    q, r, s = drawn.grid.tiles[drawn.starts[0]]
    assert 2 * max(abs(q), abs(r), abs(s)) > drawn.grid.radius
    game = Spaceships(reach=100)
    first, second = (Ship(nick, 100, cell) for nick, cell in zip("ab", drawn.starts, strict=True))
    position = Position(drawn.grid, drawn.terrain, (first, second))
    for heading in range(6):
        shots = {0: Action.laser(heading), 1: Action.laser((heading + 3) % 6)}
        assert game.resolve(position, shots).losses == ()


@examples(100)
@given(st.builds(draw_map, SEEDS, st.just(5)))
def test_a_map_is_mostly_land_with_some_mountains_and_some_void(drawn: Map) -> None:
    count = {kind: drawn.terrain.count(kind) for kind in Terrain}
    assert count[Terrain.MOUNTAIN] == 15
    assert count[Terrain.VOID] >= 10
    assert count[Terrain.LAND] >= 46


def test_generating_a_map_always_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nearly all tiles become mountains or void, so the generator must remove some of them.
    monkeypatch.setattr("engine.spaceships.terrain.MOUNTAINS_PERCENT", 88)
    for radius in range(1, 13):
        drawn = draw_map(1, radius)
        assert 2 * drawn.terrain.count(Terrain.LAND) > drawn.grid.size
