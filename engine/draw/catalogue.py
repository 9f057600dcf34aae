"""Sentences about turns, positions and rules: on screen, spoken, and on paper."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("engine.draw")

# -- a turn in a headline or a list ----------------------------------------------------------------

PLAYER_ACTS = _catalogue("player_acts", "{player} {action}")
GOES = _catalogue("goes", "{start} to {end}")
SWAPS = _catalogue("swaps", "swaps {one} and {other}")
TURNS_RIGHT = _catalogue("turns_right", "{cell} turns right")
TURNS_LEFT = _catalogue("turns_left", "{cell} turns left")
FIRES_TOWARD = _catalogue("fires_toward", "fires toward {cells}")
FIRES_OFF_BOARD = _catalogue("fires_off_board", "fires off the board")
COLLIDES = _catalogue("collides", "collides")
PASSES = _catalogue("passes", "passes")
CAPTURES_IN_LIST = _catalogue("captures_in_list", "{turn} ×{cell}")
DAMAGES_IN_LIST = _catalogue("damages_in_list", "{turn} {cell} -{hits}")
CAPTURED = _catalogue("captured", "{cells} captured")
LOSES_POINTS = _catalogue("loses_points", "{cell} loses {hits}")

# -- a spoken turn ---------------------------------------------------------------------------------

TURNS_CLOCKWISE = _catalogue("turns_clockwise", "turns {cell} clockwise")
TURNS_COUNTERCLOCKWISE = _catalogue("turns_counterclockwise", "turns {cell} counterclockwise")
TAKES = _catalogue("takes", "takes {cells}")
LOSES_OWN = _catalogue("loses_own", "loses its own {cells}")
PLAYER_LOSES = _catalogue("player_loses", "{player} loses {cells}")
LOSES_ONE_HIT_POINT = _catalogue("loses_one_hit_point", "{cell} loses 1 hit point, {left} left")
LOSES_HIT_POINTS = _catalogue("loses_hit_points", "{cell} loses {hits} hit points, {left} left")
TURN_ENDS_GAME = _catalogue("turn_ends_game", "{turn}. {outcome}")
WINS_BY = _catalogue("wins_by", "{reason}: {player} wins")
DRAWN_BY = _catalogue("drawn_by", "{reason}: a draw")
PIECE_IS_HIT = _catalogue("piece_is_hit", "{player}'s {kind} on {cell} is hit")
PIECE_IS_LOST = _catalogue("piece_is_lost", "{player}'s {kind} on {cell} is lost")

# -- descriptions of pictures ----------------------------------------------------------------------

PIECE_ON = _catalogue("piece_on", "{player} {kind} on {cell}")
PLAYER_HAS = _catalogue("player_has", "{player}: {pieces}.")
PLAYER_HAS_NONE = _catalogue("player_has_none", "{player}: no pieces.")
PIECE_TURNED = _catalogue("piece_turned", "{kind} {cell} at {degrees} degrees")
PIECE_TURNED_HEALTH = _catalogue(
    "piece_turned_health", "{kind} {cell} at {degrees} degrees with {hit_points} hit points"
)
BEAM_STOPPED = _catalogue("beam_stopped", "The beam of {player} from {start} is stopped on {end}.")
BEAM_DAMAGES = _catalogue("beam_damages", "The beam of {player} from {start} damages {end}.")
BEAM_CAPTURES = _catalogue("beam_captures", "The beam of {player} from {start} captures {end}.")
BEAM_MEETS = _catalogue(
    "beam_meets", "The beam of {player} from {start} meets another beam on {end}."
)
BEAM_LEAVES = _catalogue(
    "beam_leaves", "The beam of {player} from {start} leaves the board at {end}."
)
BEAM_FADES = _catalogue("beam_fades", "The beam of {player} from {start} fades at {end}.")
BEAM_GOES = _catalogue("beam_goes", "The beam of {player} from {start} goes as far as {end}.")

# -- the score graph -------------------------------------------------------------------------------

GRAPH_CAPTION = _catalogue(
    "graph_caption", "the score after each turn, in pieces: up is good for {player}"
)
GRAPH_NO_MARKS = _catalogue("graph_no_marks", "no slips, no mistakes")
GRAPH_MARK = _catalogue("graph_mark", "turn {number}, {player}: {verdict}")
GRAPH_TURN = _catalogue("graph_turn", "{number}. {player}, {verdict}, {score}")
PLAYER_AS_SIDE = _catalogue("player_as_side", "{name} ({side})")

# -- the page of rules -----------------------------------------------------------------------------

RULES_DO_NOT_FIT = _catalogue(
    "rules_do_not_fit",
    "the rules of {game} do not fit on one {paper} page: shorten engine/data/rules/{file}",
)
PIECES_TITLE = _catalogue("pieces_title", "The pieces, and what a beam does to them")
PIECES_KEY = _catalogue(
    "pieces_key", "black arrows: where it may go and turn; coloured arrow: a beam"
)
LESSONS_TITLE = _catalogue("lessons_title", "Good to know")
ANY_SIDE = _catalogue("any_side", "any side")
BOUNCES = _catalogue("bounces", "bounces")
IS_STOPPED = _catalogue("is_stopped", "is stopped")
IS_OUT = _catalogue("is_out", "out!")
BEAMS_END = _catalogue("beams_end", "beams end")
GOES_ON = _catalogue("goes_on", "goes on")
LOSES = _catalogue("loses", "loses {hits}")
