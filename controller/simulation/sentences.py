"""Sentences about errors in scripts of simulated games."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("simulation")

AT_SCRIPT_LINE = _catalogue("at_script_line", "{file}:{number}: {line}: {problem}")
SCRIPT_TOO_LONG = _catalogue("script_too_long", "{file}: longer than {most} lines")
SCRIPT_EMPTY = _catalogue("script_empty", "{file}: nothing happens in it")
TWO_POSITIONS = _catalogue(
    "two_positions", "{file}: {first} and {second} both name a position: give one"
)
SETTING_TOO_LATE = _catalogue(
    "setting_too_late", "{file}:{line}: {key} must come before the first action"
)
SETTING_TWICE = _catalogue("setting_twice", "{file}:{line}: {key} is given twice")
SETTING_WITHOUT_NAME = _catalogue("setting_without_name", "{file}:{line}: {key}: a name is missing")
NOT_A_NUMBER = _catalogue("not_a_number", "{value} is not a number")
NO_SUCH_PLAYER = _catalogue("no_such_player", "no player has that name{hint}")
NO_SUCH_CELL = _catalogue("no_such_cell", "the board has no cell {name}")
NO_PIECE_TO_PUT = _catalogue("no_piece_to_put", "{player} has no {kind} to put{hint}")
NO_SUCH_TAG = _catalogue("no_such_tag", "there is no tag {tag}: they are 0 to {last}")
NO_SUCH_PHASE = _catalogue("no_such_phase", "there is no phase {name}{hint}")
NOT_A_CLOCK_TIME = _catalogue("not_a_clock_time", "{value} is not a time: write 4:57")
NO_POWER_CUT = _catalogue("no_power_cut", "there was no power cut")
