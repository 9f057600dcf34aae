"""Sentences of the user interface that several of its packages use."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("ui")

# -- moves that are typed or pointed at ----------------------------------------------------------

MOVE_BY_HAND = _catalogue("move_by_hand", "make the move on the board, then fire")
NO_ONE_CAN_MOVE = _catalogue("no_one_can_move", "no one can move now")
MUST_DO_SOMETHING = _catalogue("must_do_something", "a player has to do something")
CANNOT_BE_SHOWN = _catalogue("cannot_be_shown", "that move cannot be made by hand")
CANNOT_FIRE_AT = _catalogue("cannot_fire_at", "{cell} cannot fire at {target}")
CANNOT_TURN_SO = _catalogue("cannot_turn_so", "{cell} cannot be turned like that")

# -- games and positions that arguments name -----------------------------------------------------

OPTION_NEEDS_VALUE = _catalogue("option_needs_value", "--option {text!r}: write KEY=VALUE")
TWO_POSITIONS = _catalogue(
    "two_positions", "--{first} and --{second} both name a position: give one of them"
)
POSITION_WARNING = _catalogue("position_warning", "warning: {warning}")
UNKNOWN_SIDE = _catalogue("unknown_side", "there is no side {side!r}{hint}")

# -- files ---------------------------------------------------------------------------------------

CANNOT_READ = _catalogue("cannot_read", "cannot read {name}: {reason}")
CANNOT_WRITE = _catalogue("cannot_write", "cannot write {name}: {reason}")
CANNOT_MAKE = _catalogue("cannot_make", "cannot make {name}: {reason}")
STANDARD_INPUT = _catalogue("standard_input", "standard input")
IS_CLOSED = _catalogue("is_closed", "it is closed")
IS_FOLDER = _catalogue("is_folder", "it is a folder")
FILE_TOO_LARGE = _catalogue("file_too_large", "{name}: larger than {most} MiB")
NOT_A_TEXT_FILE = _catalogue(
    "not_a_text_file", "{name}: not a text file (byte {byte} is not UTF-8)"
)
HAS_DRAWINGS = _catalogue("has_drawings", "{name} has drawings already: name another folder")

# -- devices -------------------------------------------------------------------------------------

GAME_ON_BOARD = _catalogue("game_on_board", "{game} on {board}")
DEVICE_IS = _catalogue("device_is", "{device}: {details}")
