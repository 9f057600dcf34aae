"""Sentences about the LEDs of a board and what cannot be shown on them."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("lighting")

# -- errors ----------------------------------------------------------------------------------------

WRONG_CELL_COUNT = _catalogue("wrong_cell_count", "LEDs of {found} cells on a board of {expected}")
WRONG_LED_COUNT = _catalogue("wrong_led_count", "{cell} has {found} LEDs, want {expected}")
LED_BEYOND_END = _catalogue("led_beyond_end", "{cell} has LED {led}, but they are 0 to {last}")
LED_UNDER_BOTH = _catalogue("led_under_both", "LED {led} lies under both {other} and {cell}")
WRONG_CANVAS = _catalogue(
    "wrong_canvas", "a canvas of {shape} numbers for {leds} LEDs: want {leds} x 3"
)
NOT_DIGITS = _catalogue(
    "not_digits", "{value} cannot be shown: give 1 to {most} digits, nothing else"
)
BOARD_TOO_SMALL = _catalogue(
    "board_too_small",
    "this board is too small for a digit: it needs {columns} x {rows} cells",
)

# -- the layout ------------------------------------------------------------------------------------

ON_LANES = _catalogue("on_lanes", "{leds} on {lanes}")
ON_LANES_OF = _catalogue("on_lanes_of", "{leds} on {lanes} ({lengths})")
ONE_LED = _catalogue("one_led", "{count} LED")
LEDS = _catalogue("leds", "{count} LEDs")
ONE_LANE = _catalogue("one_lane", "{count} lane")
LANES = _catalogue("lanes", "{count} lanes")
ONE_PER_CELL = _catalogue("one_per_cell", "1 per cell")
PER_CELL = _catalogue("per_cell", "{columns} x {rows} per cell")
STRIPS = _catalogue("strips", "{count} strips")
SERPENTINE_ROWS = _catalogue("serpentine_rows", "serpentine along the rows")
SERPENTINE_COLUMNS = _catalogue("serpentine_columns", "serpentine along the columns")
SAME_WAY_ROWS = _catalogue("same_way_rows", "every line the same way along the rows")
SAME_WAY_COLUMNS = _catalogue("same_way_columns", "every line the same way along the columns")
FROM_UPPER_LEFT = _catalogue("from_upper_left", "{way} from the upper left")
FROM_UPPER_RIGHT = _catalogue("from_upper_right", "{way} from the upper right")
FROM_LOWER_LEFT = _catalogue("from_lower_left", "{way} from the lower left")
FROM_LOWER_RIGHT = _catalogue("from_lower_right", "{way} from the lower right")
