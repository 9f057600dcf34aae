"""Sentences of camera calibration and of `laserboard watch`.

`sentences` has those about brightness and sharpness, which the doctor uses, too.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("builder")

# -- calibration -------------------------------------------------------------------------------

BOARD_NOT_FOUND_YET = _catalogue("board_not_found_yet", "the board is not found yet")
POSITION_GOOD = _catalogue(
    "position_good", "all four corners are seen, the board fills {percent} % of the image"
)
MOVE_CAMERA_NEARER = _catalogue(
    "move_camera_nearer",
    "the board fills {percent} % of the image: move the camera nearer, or zoom in",
)
MOVE_CAMERA_HIGHER = _catalogue(
    "move_camera_higher",
    "the board fills {percent} % of the image: move the camera higher, or zoom out",
)
CAMERA_TILTED = _catalogue(
    "camera_tilted",
    "the camera looks from the side, {degrees} degrees off straight down: move it {direction}",
)
TOO_DARK_TO_FIND = _catalogue(
    "too_dark_to_find", "too dark to find the board: more light, or a longer exposure"
)
TOO_BRIGHT_TO_FIND = _catalogue(
    "too_bright_to_find", "too bright to find the board: a shorter exposure, or less light"
)
TOO_BLURRED_TO_FIND = _catalogue(
    "too_blurred_to_find",
    "too blurred to find the board: turn the lens ring until the image is sharp",
)
NO_CORNER_IN_VIEW = _catalogue(
    "no_corner_in_view",
    "pieces are seen, but no corner of the board: move the camera higher, or zoom out",
)
NO_BOARD_IN_VIEW = _catalogue("no_board_in_view", "no board is seen")
BOARD_TOO_LARGE = _catalogue(
    "board_too_large",
    "the board does not fit into the image: move the camera higher, or zoom out",
)
BOARD_CUT_OFF = _catalogue(
    "board_cut_off", "the board is cut off at {corners}: move the camera {direction}"
)
DIRECTION = _catalogue("direction", "{directions} (seen from row 1)")
TO_THE_RIGHT = _catalogue("to_the_right", "to the right")
TO_THE_LEFT = _catalogue("to_the_left", "to the left")
TOWARDS_ROW = _catalogue("towards_row", "towards row {row}")
RIGHT_OR_LEFT_AND_ROW = _catalogue("right_or_left_and_row", "{across} and {along}")
NO_EDGES_TO_FOCUS = _catalogue(
    "no_edges_to_focus", "no strong edges in view: put the board under the camera, in good light"
)
TURN_LENS_RING = _catalogue(
    "turn_lens_ring", "turn the lens ring until the number stops rising: it is {points}"
)
TURN_LENS_RING_BACK = _catalogue(
    "turn_lens_ring_back",
    "turn the lens ring until the number stops rising: it is {points}, the best so far was {best}",
)
FOCUS_GOOD = _catalogue("focus_good", "sharp: blurred by {blur_px} px only")
LIGHT_NOT_MEASURED = _catalogue(
    "light_not_measured", "the board is not found yet: the light on it cannot be judged"
)
LIGHT_GOOD = _catalogue("light_good", "even and bright enough: paper is at {level} of 255")
LIGHT_DARK = _catalogue("light_dark", "it is dark: more light on the board, or a longer exposure")
LIGHT_TOO_BRIGHT = _catalogue(
    "light_too_bright",
    "too bright: {percent} % of the tags are as white as the camera can see; a shorter exposure,"
    " or less light",
)
LAMP_REFLECTS = _catalogue(
    "lamp_reflects",
    "a lamp reflects at {cells}: move it, or hang thin white cloth before it",
)
LAMPS_REFLECT = _catalogue(
    "lamps_reflect",
    "lamps reflect at {cells}: move them, or hang thin white cloth before them",
)
LIGHT_UNEVEN = _catalogue(
    "light_uneven",
    "it is much darker around {cell} than elsewhere: move what throws the shadow, or add a lamp"
    " on that side",
)
TAGS_PALE = _catalogue(
    "tags_pale",
    "the tags are pale, black is nearly as bright as white: let no lamp shine into the lens, and"
    " wipe it",
)
LIGHT_FLICKERS = _catalogue(
    "light_flickers",
    "the light flickers by {percent} %: use another lamp, or an exposure of 10 or 20 ms (where"
    " mains have 60 Hz, 8.3 or 16.7)",
)
EXPOSURE_CHANGES = _catalogue(
    "exposure_changes",
    "the camera changes its exposure by itself: add ?exposure_ms=10 to its URL",
)
READING_GOOD = _catalogue("reading_good", "{pieces} pieces and {empty} empty cells read")
IMAGE_SHAKES = _catalogue(
    "image_shakes", "the image shakes by {shift_mm} mm: fasten the camera and the board"
)
CELLS_NOT_SEEN = _catalogue(
    "cells_not_seen",
    "{cells} cannot be seen: take hands and things away, or move the lamp that shines there",
)
NO_PIECE_READ = _catalogue("no_piece_read", "no piece is read: set the pieces up, as for a game")
PIECE_READ_BADLY = _catalogue(
    "piece_read_badly", "{cell} is read by {percent} % only: wipe its tag, or print it again"
)
LENS_FITS = _catalogue("lens_fits", "calibrated, the corner tags fit to {error_px} px: good")
LENS_FITS_UNCALIBRATED = _catalogue(
    "lens_fits_uncalibrated", "not calibrated, the corner tags fit to {error_px} px: good"
)
CALIBRATE_LENS = _catalogue(
    "calibrate_lens",
    "the corner tags fit to {error_px} px only: calibrate it with `laserboard calibrate lens`",
)
CALIBRATE_LENS_AGAIN = _catalogue(
    "calibrate_lens_again",
    "the corner tags fit to {error_px} px only: calibrate it again with `laserboard calibrate"
    " lens`",
)

# -- watching a table --------------------------------------------------------------------------

HAND_OVER_BOARD = _catalogue("hand_over_board", "a hand is over the board")
WARNING = _catalogue("warning", "! {warning}")
COVERED = _catalogue("covered", "! covered: {cells}")
ON_THE_BOARD = _catalogue("on_the_board", "on the board: {pieces}")
NO_SETUP = _catalogue(
    "no_setup", "this is not a setup of the game: moves are followed only from a --position"
)
PLAYERS_TO_MOVE = _catalogue("players_to_move", "{players} to move")
TURN_MADE = _catalogue("turn_made", "{moves}: {headline}")
TAKE_OFF = _catalogue("take_off", "take the {piece} off {cell}")
MOVE_UNCLEAR = _catalogue(
    "move_unclear", "unclear: one of {count} moves, or none; hands off, please"
)
CELL_CHANGED = _catalogue("cell_changed", "{cell}: {before} -> {after}")
EMPTY = _catalogue("empty", "empty")
PIECE = _catalogue("piece", "{player} {piece}, turned {orientation}")
