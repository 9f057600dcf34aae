"""Sentences of the commands: why arguments and files are rejected.

Slots called `value` hold an excerpt that is quoted already.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("ui.commands")

# -- positions -----------------------------------------------------------------------------------

GAME_IS_OVER = _catalogue("game_is_over", "no move {move!r}: the game is over, {outcome}")
HALF_A_TURN = _catalogue(
    "half_a_turn", "{move!r} is half a turn: both players move, give two moves"
)
SEE_LEGAL_MOVES = _catalogue("see_legal_moves", "{reason}; see `laserboard legal{options}`")
OTHER_PLAYERS_TURN = _catalogue("other_players_turn", "it is {mover}'s turn, not {player}'s")
NO_FIXED_LASER = _catalogue("no_fixed_laser", "{player} has no laser with a fixed direction here")
STANDARD_INPUT_CLOSED = _catalogue(
    "standard_input_closed", "the engine reads commands from standard input, which is closed"
)

# -- stored games --------------------------------------------------------------------------------

TO_IS_JOURNAL = _catalogue(
    "to_is_journal", "--to {name}: that is a journal's name; a record is another file"
)
UNKNOWN_TO = _catalogue("unknown_to", "--to {name}: say {forms}, or name a file such as {stem}.pgn")
HASH_OF_ONE_GAME = _catalogue("hash_of_one_game", "--hash is the hash of one game: name that one")

# -- puzzles -------------------------------------------------------------------------------------

NO_PUZZLE_IN_TURNS = _catalogue(
    "no_puzzle_in_turns", "no puzzle is won in {turns} turns: there are {others}"
)
TOO_MANY_PUZZLE_TURNS = _catalogue(
    "too_many_puzzle_turns", "--turns {turns}: puzzles are won in at most {most} turns"
)
NO_PUZZLES_OF_GAME = _catalogue(
    "no_puzzles_of_game", "--game {game}: there are puzzles only where players take turns"
)
OTHER_SEARCH = _catalogue(
    "other_search",
    "{name} holds puzzles of {game} with seed {seed}: give --game and --seed as they were,"
    " or name another file",
)
NO_PUZZLES_IN_FILE = _catalogue(
    "no_puzzles_in_file", "{name}: there are no puzzles in it yet: `puzzles make` finds some"
)
AT_PUZZLE = _catalogue("at_puzzle", "{name}: puzzle {number}: {reason}")
LINE_DOES_NOT_WIN = _catalogue("line_does_not_win", "its line does not win in {turns} turns")

# -- boards and printed parts --------------------------------------------------------------------

UNKNOWN_BOARD = _catalogue(
    "unknown_board",
    "there is no shipped board {value}{hint} (`laserboard init --board list` tells about them)",
)
NOT_A_BOARD_FILE = _catalogue(
    "not_a_board_file", "{value}: a board file ends with .yaml, such as ./mine.yaml"
)
BOARD_FILE_EXISTS = _catalogue(
    "board_file_exists", "{name} is there already: name another file, or add --force"
)
BOARD_FITS_NO_GAME = _catalogue(
    "board_fits_no_game", "the board {board!r} has no room for any game"
)
NOTHING_TO_RENDER = _catalogue(
    "nothing_to_render", "{board}: there is nothing to render with --only {group}"
)
CANNOT_WRITE_INTO = _catalogue("cannot_write_into", "cannot write into {name}: {reason}")
HIGH_PIECES_ON_PAPER = _catalogue(
    "high_pieces_on_paper",
    "note: pieces {height_mm} mm high throw sharp shadows on white paper, and the camera may take"
    " shaded squares for covered ones: hang it straight above, and light the table from several"
    " sides",
)
NOT_A_PAGE_FILE = _catalogue("not_a_page_file", "--out {name}: name a .pdf or an .svg")
