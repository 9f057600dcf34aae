"""Sentences about starting and resuming games at a table, and about puzzles that were solved."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("table")

# -- starting and resuming -------------------------------------------------------------------------

COMPUTER_DOES_NOT_PLAY = _catalogue(
    "computer_does_not_play", "the computer does not play {game} yet: two people do"
)
NO_BOARD_MADE = _catalogue("no_board_made", "no board is made for {game}")
CANNOT_RESUME = _catalogue("cannot_resume", "cannot resume {name}: {reason}")
CANNOT_RESUME_SEE_LIST = _catalogue(
    "cannot_resume_see_list",
    "cannot resume {name}: {reason}; `laserboard games list` shows the others",
)
CANNOT_RESUME_PROGRAM = _catalogue(
    "cannot_resume_program",
    "cannot resume {name}: the URL of {programs}'s program is not stored; `laserboard games show"
    " {name}` shows the game",
)
GAME_IS_OVER = _catalogue("game_is_over", "{name} is over: {outcome}")

# -- puzzles ---------------------------------------------------------------------------------------

ONE_TRY = _catalogue("one_try", "{count} try")
TRIES = _catalogue("tries", "{count} tries")
SOLVED = _catalogue("solved", "solved {day}, {tries}")
OTHER_PROGRESS_FORMAT = _catalogue(
    "other_progress_format", "not a progress file of this Laserboard version: {value}"
)
NOT_A_SOLVED_TIME = _catalogue("not_a_solved_time", "solved must be a day and time, not {value}")
PROGRESS_UNREADABLE = _catalogue(
    "progress_unreadable",
    "cannot read which puzzles were solved: {reason}; correct {path}, or move it away",
)
