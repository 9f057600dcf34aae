"""Sentences about players of a match, its results, and an analysed game.

Answers of the engine protocol are text for programs: see `controller/computer/protocol.py`.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("computer")

# -- players of a match ----------------------------------------------------------------------------

_PLAYER_FORMS = (
    "write a level (3 or level:3), native, python, native:level=7, or cmd:PROGRAM ARGUMENT ..."
)
NO_SUCH_PLAYER = _catalogue("no_such_player", f"there is no player {{value}}: {_PLAYER_FORMS}")
NO_SUCH_SETTING = _catalogue("no_such_setting", "{value} has no {key}{hint}")
SETTING_RANGE = _catalogue(
    "setting_range", "{value}: {key} is a whole number from 1 to {most}, not {number}"
)
COMMAND_UNREADABLE = _catalogue(
    "command_unreadable", "cmd:{command}: {reason}; quote it as in a shell"
)
COMMAND_EMPTY = _catalogue("command_empty", f"cmd: names no program: {_PLAYER_FORMS}")
NO_SUCH_PROGRAM = _catalogue(
    "no_such_program", "there is no program {name} here: write its whole path, or ./NAME"
)
CANNOT_PLAY = _catalogue("cannot_play", "{player} cannot play: {reason}")
GAVE_NO_MOVE = _catalogue("gave_no_move", "{player} gave no move: {reason}")
PLAYED_NO_LEGAL_MOVE = _catalogue("played_no_legal_move", "{player} played no legal move: {reason}")
MATCH_LEFT = _catalogue("match_left", "the match was left")
TURN_LIMIT = _catalogue("turn_limit", "{count} turns")

# -- results of a match ----------------------------------------------------------------------------

PROGRESS = _catalogue(
    "progress", "{played} of {planned} games: A won {won}, drew {drawn}, lost {lost}"
)
PROGRESS_WITH_ELO = _catalogue("progress_with_elo", "{progress}, {elo}")
MATCH = _catalogue("match", "{game}, {limits}, {games}")
ONE_GAME = _catalogue("one_game", "{count} game")
GAMES = _catalogue("games", "{count} games")
ONE_PAIR = _catalogue("one_pair", "{count} pair of games")
PAIRS = _catalogue("pairs", "{count} pairs of games")
COLUMNS = _catalogue(
    "columns", "   won  drawn  lost   points  mean depth     nodes/s  longest overrun"
)
ENDED_BY = _catalogue("ended_by", "{count} by {reason}")
ENDED_BY_FAILURE = _catalogue("ended_by_failure", "{count} by a player that failed")
GAMES_ENDED = _catalogue("games_ended", "games ended: {ends}")
FORFEITED_GAME = _catalogue("forfeited_game", "game {number}: {reason}")
MORE_FORFEITS = _catalogue("more_forfeits", "and {count} more such games")
COMPARED = _catalogue("compared", "A against B: {elo} (95 %, pentanomial over {pairs})")
TOO_FEW_PAIRS = _catalogue(
    "too_few_pairs", "A against B: {pairs}, too few to tell (from {least} pairs on)"
)
ELO = _catalogue("elo", "Elo {elo}, {low} to {high}")
LIKELIHOOD = _catalogue("likelihood", "A is the better one with a likelihood of {likelihood}")
LIKELIHOOD_HIGHEST = _catalogue("likelihood_highest", "more than 99.9 %")
LIKELIHOOD_LOWEST = _catalogue("likelihood_lowest", "less than 0.1 %")
PERCENT = _catalogue("percent", "{percent} %")

# -- an analysed game ------------------------------------------------------------------------------

SUMMARY = _catalogue(
    "summary",
    "{player}: accuracy {accuracy} %, {pieces} of a piece lost a turn; {verdicts}",
)
BEST = _catalogue("best", "{count} best")
GOOD = _catalogue("good", "{count} good")
ONE_SLIP = _catalogue("one_slip", "{count} slip")
SLIPS = _catalogue("slips", "{count} slips")
ONE_MISTAKE = _catalogue("one_mistake", "{count} mistake")
MISTAKES = _catalogue("mistakes", "{count} mistakes")
ONE_BLUNDER = _catalogue("one_blunder", "{count} blunder")
BLUNDERS = _catalogue("blunders", "{count} blunders")
ONE_MISSED_WIN = _catalogue("one_missed_win", "{count} missed win")
MISSED_WINS = _catalogue("missed_wins", "{count} missed wins")
SCORE_LEGEND = _catalogue("score_legend", "scores in pieces: + is good for {first}, - for {second}")
