"""Random board files with valid LEDs."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from controller.config.board_file import BoardFile
from controller.config.led_strips import AXES, CORNERS, LedStrip, slots_along
from controller.config.leds import LedSettings
from controller.lighting.layout import led_layout
from controller.ports.devices import COLOR_ORDERS
from engine.grid import Grid, HexGrid, SquareGrid
from vision.board import PhysicalBoard

allow_slow_examples = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SHAPES = [(across, down) for across in range(1, 10) for down in range(1, 10) if across * down < 10]


@st.composite
def led_boards(draw: st.DrawFn, plain: bool = False) -> BoardFile:
    """A board with valid LEDs; `plain`: without LEDs under no cell."""
    grid: Grid
    if draw(st.integers(0, 3)) == 0:
        hexagon = HexGrid.hexagon(draw(st.integers(1, 5)))
        grid, per_cell = hexagon, (1, 1)
        names = [grid.name(cell) for cell in range(grid.size)]
        rows = [[n for n in names if n[1:] == str(row)] for row in range(1, 2 * hexagon.radius + 2)]
    else:
        grid = SquareGrid(draw(st.integers(2, 9)), draw(st.integers(2, 9)))
        per_cell = draw(st.sampled_from(SHAPES))
        lines = draw(st.sampled_from([(grid.columns, grid.rows), (grid.rows, grid.columns)]))
        rows = [[f"{chr(97 + x)}{y}" for x in range(grid.columns)] for y in range(1, grid.rows + 1)]
        if lines != (grid.columns, grid.rows):
            rows = [list(column) for column in zip(*rows, strict=True)]
    cuts = sorted(draw(st.sets(st.integers(1, len(rows) - 1), max_size=3)))
    bands = list(zip([0, *cuts], [*cuts, len(rows)], strict=True))
    lanes = draw(st.integers(1, min(4, len(bands))))
    ends = [0] * lanes
    strips = []
    for number, (first, last) in enumerate(draw(st.permutations(bands))):
        lane = number if number < lanes else draw(st.integers(0, lanes - 1))
        corners = draw(st.permutations([rows[first][0], rows[last - 1][-1]]))
        strip = LedStrip(
            lane,
            ends[lane] + (0 if plain else draw(st.sampled_from([0, 0, 1, 5]))),
            cells=None if len(bands) == 1 and draw(st.booleans()) else tuple(corners),
            origin_corner=draw(st.sampled_from(CORNERS)),
            axis="rows" if isinstance(grid, HexGrid) else draw(st.sampled_from(AXES)),
            serpentine=draw(st.booleans()),
            reversed=draw(st.booleans()),
            skip=() if plain else tuple(sorted(draw(st.sets(st.integers(0, 6), max_size=3)))),
            cell_gap=0 if plain else draw(st.integers(0, 2)),
            turn_gap=0 if plain else draw(st.integers(0, 2)),
        )
        wire = slots_along(strip, grid, per_cell)
        strip = replace(strip, skip=tuple(n for n in strip.skip if n < len(wire)))
        strip = replace(strip, count=len(slots_along(strip, grid, per_cell)))
        ends[lane] = strip.end
        strips.append(strip)
    if not plain and draw(st.booleans()):
        strips.append(LedStrip(lanes - 1, ends[-1] + 1, draw(st.integers(1, 9)), ()))
    bare = LedSettings(tuple(strips), 65535, per_cell)
    board = PhysicalBoard("x", grid)
    overrides = () if plain else draw(_overrides(BoardFile(board, leds=bare)))
    return BoardFile(
        board,
        leds=LedSettings(
            bare.strips,
            draw(st.integers(sum(bare.leds_per_lane) + 1, 65535)),
            per_cell,
            overrides,
            draw(st.sampled_from(list(COLOR_ORDERS))),
            draw(st.floats(1, 4)),
            draw(st.integers(1, 255)),
            draw(st.integers(1, 255)),
            draw(st.integers(50, 65535)),
            draw(
                st.sampled_from(
                    [None, "ddp://wled.local", 'serial:///dev/a "b": c #d', "sim://?seed=3"]
                )
            ),
            draw(st.sampled_from(["normal", "calm"])),
        ),
    )


@st.composite
def _overrides(draw: st.DrawFn, file: BoardFile) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Swap the LEDs of some cells."""
    made = led_layout(file)
    assert made is not None
    some = draw(st.lists(st.integers(0, made.board.grid.size - 1), unique=True, max_size=4))
    leds = draw(st.permutations([led for cell in some for led in made.cells[cell]]))
    each = made.per_cell[0] * made.per_cell[1]
    return tuple(
        (made.board.grid.name(cell), tuple(leds[number * each : (number + 1) * each]))
        for number, cell in enumerate(some)
    )
