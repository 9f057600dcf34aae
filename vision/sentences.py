"""Sentences of the reader, the inference and the lens calibration for people."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("vision")

# -- differences between the table and a position ----------------------------------------------

UNEXPECTED_PIECE = _catalogue(
    "unexpected_piece", "{cell}: a {piece} of {player} stands here, but nothing should"
)
NOTHING_HERE = _catalogue("nothing_here", "{cell}: nothing is here")
MISSING_PIECE = _catalogue(
    "missing_piece", "{cell}: a {piece} of {player} should stand here, but nothing does"
)
WRONG_PIECE = _catalogue(
    "wrong_piece",
    "{cell}: a {piece} of {player} should stand here, not a {seen_piece} of {seen_player}",
)
TURN_PIECE = _catalogue("turn_piece", "{cell}: the {piece} of {player} should be turned {turn}")
TURN_LEFT = _catalogue("turn_left", "{share} to the left")
TURN_RIGHT = _catalogue("turn_right", "{share} to the right")
TURN_EITHER_WAY = _catalogue("turn_either_way", "{share} to either side")
TURN_ROUND = _catalogue("turn_round", "half round")
QUARTER = _catalogue("quarter", "a quarter")
SIXTH = _catalogue("sixth", "a sixth")
THIRD = _catalogue("third", "a third")

# -- tags ----------------------------------------------------------------------------------------

CORNER_TAG = _catalogue("corner_tag", "corner tag {tag}")
UNUSED_TAG = _catalogue("unused_tag", "tag {tag} (no piece of {game})")
PIECE_TAG = _catalogue("piece_tag", "tag {tag} ({player} {piece})")
BESIDE_BOARD = _catalogue("beside_board", "{tag} lies beside the board, near {cell}")
FOREIGN_TAG = _catalogue("foreign_tag", "{cell}: {tag}: take it off")
ON_EDGE = _catalogue(
    "on_edge", "{tag} stands on the edge of the board at {cell}: put it in the middle of a cell"
)
BETWEEN_CELLS = _catalogue(
    "between_cells", "{tag} stands between {cell} and {other}: put it in the middle of one"
)
ASKEW = _catalogue("askew", "{cell}: {tag} stands {degrees} degrees askew: straighten it")
OFF_CENTRE = _catalogue("off_centre", "{cell}: {tag} stands {mm} mm off the middle: straighten it")
HARD_TO_READ = _catalogue(
    "hard_to_read",
    "{cell}: {tag} is there, but hard to read: free it of hands, shadow and glare",
)
PIECE_CLOCKWISE = _catalogue(
    "piece_clockwise", "{cell}: the piece stands {degrees} degrees clockwise: straighten it"
)
PIECE_COUNTER_CLOCKWISE = _catalogue(
    "piece_counter_clockwise",
    "{cell}: the piece stands {degrees} degrees counter-clockwise: straighten it",
)
PIECE_OFF_CENTRE = _catalogue(
    "piece_off_centre", "{cell}: the piece stands {mm} mm off the middle: straighten it"
)
DUPLICATE_TAG = _catalogue(
    "duplicate_tag", "tag {tag} is seen twice, on {cells}: one of them is the wrong piece"
)

# -- the board in the image ----------------------------------------------------------------------

NO_BOARD = _catalogue(
    "no_board",
    "no board is seen: none of the corner tags 26 to 29 was found; put the whole board into the "
    "image, in focus and without glare",
)
ONE_CORNER = _catalogue(
    "one_corner",
    "only corner tag {tag} was found; at least two are needed, better all four: {hidden} are "
    "hidden or outside the image",
)
TOO_FEW_CORNERS = _catalogue(
    "too_few_corners",
    "the corner tags {tags} alone do not say where the squares are: free {hidden}, or put the "
    "whole board into the image",
)
CORNER_AT = _catalogue("corner_at", "{tag} (at {cell})")
WRONG_BOARD = _catalogue(
    "wrong_board",
    "corner tags {tags} are seen, but not where those of the board {board!r} would be: is it the "
    "right board file?",
)
CORNER_HIDDEN = _catalogue(
    "corner_hidden", "corner tag {tag} is hidden: move the hand or the lamp at {cell}"
)
CORNER_TWICE = _catalogue(
    "corner_twice", "corner tag {tags} is there twice: take the second one away"
)
NO_CORNER = _catalogue(
    "no_corner", "no corner tag is seen: reading on where the board was; free its corners"
)
BOARD_MOVED = _catalogue("board_moved", "the board was turned around or moved: looking for it")
NO_ROOM = _catalogue("no_room", "the board {board!r} ({size}) has no room for {wanted}")
NO_ROOM_BELOW = _catalogue(
    "no_room_below",
    "the board {board!r} ({size}) has no room for {wanted} below {rows} free rows (play_area)",
)
SQUARES = _catalogue("squares", "{columns} x {rows} squares")
HEXAGONS = _catalogue("hexagons", "hexagons of radius {radius}")
CELLS = _catalogue("cells", "{cells} cells")

# -- lens calibration ----------------------------------------------------------------------------

NO_SHEET = _catalogue("no_sheet", "no calibration sheet in it")
TOO_LITTLE_SHEET = _catalogue("too_little_sheet", "too little of the sheet in it")
BAD_SHEET = _catalogue(
    "bad_sheet",
    "a sheet of {columns} x {rows} squares cannot be used: from 4 x 4 up to {most} squares in all",
)
TILT_MORE = _catalogue(
    "tilt_more",
    "tilt the sheet more: {steep} of {needed} views are steeper than {degrees} degrees",
)
TILT_OTHER_SIDES = _catalogue("tilt_other_sides", "tilt the sheet to other sides as well")
VARY_DISTANCE = _catalogue(
    "vary_distance", "hold the sheet closer in some views and farther away in others"
)
ZONE_UNSEEN = _catalogue("zone_unseen", "no view of the {zone} yet")
MORE_VIEWS = _catalogue("more_views", "more views: {views} of {needed}")
# The ninths of an image, by row and column.
ZONES = (
    (
        _catalogue("zone_upper_left", "upper left"),
        _catalogue("zone_upper_middle", "upper middle"),
        _catalogue("zone_upper_right", "upper right"),
    ),
    (
        _catalogue("zone_middle_left", "middle left"),
        _catalogue("zone_middle", "middle"),
        _catalogue("zone_middle_right", "middle right"),
    ),
    (
        _catalogue("zone_lower_left", "lower left"),
        _catalogue("zone_lower_middle", "lower middle"),
        _catalogue("zone_lower_right", "lower right"),
    ),
)
FOCAL_UNCERTAIN = _catalogue(
    "focal_uncertain", "uncertain: the focal length is a guess, tilt the sheet more"
)
LENS_VERY_GOOD = _catalogue("lens_very_good", "very good")
LENS_GOOD = _catalogue("lens_good", "good")
LENS_USABLE = _catalogue("lens_usable", "usable: a flatter sheet or sharper images would do better")
LENS_POOR = _catalogue("lens_poor", "poor: glue the sheet to something flat, and keep it still")
VIEWS_DISAGREE = _catalogue(
    "views_disagree",
    "the views do not agree: corners are off by {px} px on average. Is the sheet flat, and does "
    "it have the given number of squares?",
)
VIEW_SIZE = _catalogue("view_size", "{name} is {width} x {height}")
VIEW_SIZES_DIFFER = _catalogue(
    "view_sizes_differ", "all images must be of one size: {first}, {second}"
)
TOO_FEW_VIEWS = _catalogue(
    "too_few_views",
    "too few views of the sheet: {views} of at least {needed}; {enough} or more are good",
)
VIEWS_TOO_ALIKE = _catalogue(
    "views_too_alike",
    "all views are from nearly the same angle, so focal length and distance cannot be told apart: "
    "tilt the sheet, by {degrees} degrees or more and to different sides",
)
NO_LENS = _catalogue("no_lens", "no lens explains these views: {reason}")

# -- rendered scenes -----------------------------------------------------------------------------

PRINTS_UNREADABLE = _catalogue("prints_unreadable", "{file}: {reason}; name a folder of prints")
PRINTS_INVALID = _catalogue("prints_invalid", "{file}: not as prints are described ({reason})")
PRINTS_SCALE = _catalogue("prints_scale", "{file}: px_per_mm: got {px_per_mm}, want more than 0")
NO_TAG_LEFT = _catalogue("no_tag_left", "there is no tag left for another {piece} of {player}")
NO_SCENARIO = _catalogue("no_scenario", "there is no scenario {name}{suggestion}")
