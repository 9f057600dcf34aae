"""Sentences of the commands: what they print, and why arguments and files are rejected.

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
    "there is no shipped board {value}{hint} (`laserboard init --board list` lists them)",
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

# -- counts --------------------------------------------------------------------------------------

ONE_GAME = _catalogue("one_game", "{count} game")
GAMES = _catalogue("games", "{count} games")
ONE_FILE = _catalogue("one_file", "{count} file")
FILES = _catalogue("files", "{count} files")
ONE_DRAWING = _catalogue("one_drawing", "{count} drawing")
DRAWINGS = _catalogue("drawings", "{count} drawings")
ONE_POSITION = _catalogue("one_position", "{count} position")
POSITIONS = _catalogue("positions", "{count} positions")

# -- positions, as they are printed --------------------------------------------------------------

BOTH_TO_MOVE = _catalogue("both_to_move", "both to move")
NO_MOVES_GAME_OVER = _catalogue("no_moves_game_over", "no moves: the game is over, {outcome}")
NO_MOVES_EMPTY_CELL = _catalogue("no_moves_empty_cell", "no moves: {cell} is empty")
NO_MOVES_OTHER_PIECE = _catalogue(
    "no_moves_other_piece", "no moves: on {cell} stands {owner}'s {piece}"
)
MAP_FROM_SEED = _catalogue("map_from_seed", "a map drawn from a number")

# -- games, as they are printed ------------------------------------------------------------------

OLDER_GAMES = _catalogue("older_games", "and {count} older: `laserboard games list --all`")
GAME_UNREADABLE = _catalogue("game_unreadable", "cannot be read: {reason}")
RESULT_TORN = _catalogue("result_torn", "{result} (torn at line {line})")
RESULT_DAMAGED = _catalogue("result_damaged", "{result} (damaged at line {line})")
STORED_GAME = _catalogue("stored_game", "{file}: {players}, {game} from {start}")
RECORDED_GAME = _catalogue("recorded_game", "game {number}: {players}, {game} from {start}")
OWN_POSITION = _catalogue("own_position", "its own position")
FROM_SEED = _catalogue("from_seed", "seed {seed}")
STARTED_AT = _catalogue("started_at", "started {time}")
TIME_CONTROL = _catalogue("time_control", "time {time_control}")
TAKEN_BACK = _catalogue("taken_back", "taken back: {turns}")
CORRECTED = _catalogue("corrected", "corrected by the referee: {position}")
DRAWN_INTO = _catalogue("drawn_into", "{drawings} in {folder}")
ANALYSING_TURN = _catalogue("analysing_turn", "turn {number} of {last} ...")

GOOD_GAME = _catalogue("good_game", "good: {entries}, {turns}, {outcome}")
DAMAGED_GAME = _catalogue("damaged_game", "damaged: {reason}")
TORN_GAME = _catalogue("torn_game", "torn: {reason}")
WRONG_GAME = _catalogue("wrong_game", "wrong: {reason}")
CONSISTENT_EXPORT = _catalogue("consistent_export", "consistent: {summary}")
GOOD_EXPORT = _catalogue(
    "good_export", "good, complete and unchanged since its hash was published: {summary}"
)
NOT_PROVEN = _catalogue("not_proven", "not proven: {reason}")
NOT_EXPORTED = _catalogue("not_exported", "{name}: {damage}; it is not exported")
EXPORTED = _catalogue("exported", "wrote {name}: {files}, {megabytes}")
HASH = _catalogue("hash", "hash {hash}")
MISSING = _catalogue("missing", "missing: {reason}")

# -- stored images of refereed games -------------------------------------------------------------

ONE_DAY_OLD = _catalogue("one_day_old", "{count} day old")
DAYS_OLD = _catalogue("days_old", "{count} days old")
NOT_OVER = _catalogue("not_over", "not over")
OF_NO_GAME = _catalogue("of_no_game", "of no game")
EVIDENCE_QUOTA = _catalogue("evidence_quota", "{megabytes} of {quota} MB, stored for {days} days")
EVIDENCE_EXPIRED = _catalogue("evidence_expired", "{game}: older than {days} days")
EVIDENCE_OVER_QUOTA = _catalogue("evidence_over_quota", "{game}: the quota of {quota} MB is full")
NOTHING_TO_REMOVE = _catalogue("nothing_to_remove", "nothing to remove")
EVIDENCE_STILL_OVER_QUOTA = _catalogue(
    "evidence_still_over_quota",
    "{megabytes} remain, which is more than the quota: images of unfinished games are kept; raise"
    " referee.evidence.quota_mb, or end them",
)

# -- puzzles, as they are printed ----------------------------------------------------------------

PUZZLES_SOLVED = _catalogue(
    "puzzles_solved", "{solved} of {count} solved; `{command} --simulate` plays the next"
)
PUZZLE = _catalogue("puzzle", "puzzle {number}: {task}")
PUZZLES_FOUND = _catalogue("puzzles_found", "puzzles found in {games}: {counts}")
WON_IN = _catalogue("won_in", "{count} won in {turns}")

# -- boards and printed parts, as they are printed -----------------------------------------------

FOUND_AT_START = _catalogue("found_at_start", "searched for when a game begins")
BOARD_WRITTEN = _catalogue("board_written", "wrote {name}, made from {board}")
CAMERA_OF_BOARD = _catalogue("camera_of_board", "camera: {remark}")
LEDS_OF_BOARD = _catalogue("leds_of_board", "LEDs: {remark}")
AS_BOARD_HAS_THEM = _catalogue("as_board_has_them", "{url}, as {board} has them")
EDIT_BOARD = _catalogue("edit_board", "edit it to match your table, then run:")

PIECES_OF_GAME = _catalogue("pieces_of_game", "{game} on {board}: {count} pieces")
TAGS = _catalogue("tags", "tags {tags}")
MAST_CAMERA = _catalogue(
    "mast_camera", "{board}: the camera over the middle of the board, looking straight down"
)
MAST_LENGTHS = _catalogue(
    "mast_lengths",
    "lens {lens_mm} mm above the squares; upright tube {upright_mm} mm, arm {arm_mm} mm",
)
MAST_SURFACE = _catalogue(
    "mast_surface", "the squares are {surface_mm} mm above the mast's foot (--surface)"
)
PARTS_RENDERED = _catalogue("parts_rendered", "{files} in {folder}, {fresh} of them new")
PICTURE_DRAWN = _catalogue("picture_drawn", "drew {name}")
PICTURES_UP_TO_DATE = _catalogue("pictures_up_to_date", "all pictures in {folder} are up to date")

CALIBRATION_SHEET = _catalogue("calibration_sheet", "Laserboard calibration sheet")
BOARD_SHEET = _catalogue("board_sheet", "Board {board}")
TAG_SHEET = _catalogue("tag_sheet", "Tags for {board}")
RULES_SHEET = _catalogue("rules_sheet", "How to play")
WIRING_SHEET = _catalogue("wiring_sheet", "Wiring of {board}")
PARTS_SHEET = _catalogue("parts_sheet", "Parts of {board}")
ONE_PAGE_WRITTEN = _catalogue("one_page_written", "{name}: {count} page")
PAGES_WRITTEN = _catalogue("pages_written", "{name}: {count} pages")
NO_PARTS = _catalogue("no_parts", "{board}, {group}: nothing")
PARTS = _catalogue("parts", "{board}, {group}:")
FEED = _catalogue(
    "feed",
    "{name:>3}: {fuse_a} A fuse, {wire}, {length_m} m, to {led} for LEDs {first} to {last}",
)

# -- tests of devices ----------------------------------------------------------------------------

DOCTOR_NOT_READY = _catalogue("doctor_not_ready", "not ready: fix {checks}")
DOCTOR_WARNINGS = _catalogue("doctor_warnings", "ready to play; better with a look at {checks}")
DOCTOR_READY = _catalogue("doctor_ready", "ready to play: `laserboard play`")

NO_BUTTONS = _catalogue("no_buttons", "{device}: there are no buttons to test")
PRESS_BUTTONS = _catalogue("press_buttons", "{device}: press {buttons}")
PRESS_BUTTONS_HINT = _catalogue("press_buttons_hint", "{device}: press {buttons} ({hint})")
STILL_TO_PRESS = _catalogue("still_to_press", "still to press: {buttons}")
ALL_BUTTONS_WORK = _catalogue("all_buttons_work", "every button works")
NOT_PRESSED = _catalogue("not_pressed", "not pressed: {buttons}")

TOO_FEW_IMAGES = _catalogue("too_few_images", "too few images to tell")
LOCKED = _catalogue("locked", "locked")
NOT_LOCKED = _catalogue("not_locked", "NOT locked")
NOTHING_TO_LOCK = _catalogue("nothing_to_lock", "nothing to lock")
BRIGHTNESS = _catalogue("brightness", "mean {mean}, white {white} of 255: {verdict}")
EDGES_BLURRED = _catalogue("edges_blurred", "edges blurred by {blur_px} px, {verdict}")

NO_SERIAL_PORT = _catalogue(
    "no_serial_port",
    "no serial port found: plug the board in with a USB cable that carries data, not power alone;"
    " without a board, use --leds terminal:// or sim://",
)
NO_FIRMWARE = _catalogue(
    "no_firmware", "no Laserboard firmware answers: is it flashed? see firmware/README.md"
)
LED_AT = _catalogue("led_at", "LED {led:>4}, lane {lane}: {place}")
COLOUR_CURRENT = _catalogue("colour_current", "{colour:15} {current_ma:>6} mA")
COLOUR_CURRENT_LIMITED = _catalogue(
    "colour_current_limited", "{colour:15} {current_ma:>6} mA (at the limit)"
)
LED_LIMIT = _catalogue("led_limit", "{layout}; limit {limit_ma} mA")
LED_BOARD_COUNTED = _catalogue("led_board_counted", "the board counted {counts}")

# -- calibration of a lens -----------------------------------------------------------------------

VIEW_LEFT_OUT = _catalogue("view_left_out", "left out: {reason}")
VIEW_DISAGREES = _catalogue("view_disagrees", "left out: {name}: it does not agree with the others")
VIEW_NAME = _catalogue("view_name", "view {number}")
VIEW_TAKEN = _catalogue("view_taken", "view {number} taken; {advice}")
HOLD_STILL = _catalogue("hold_still", "hold it still, elsewhere")
SHEET_DRAWN = _catalogue(
    "sheet_drawn", "{name}: print it as large as the paper allows, glue it to something flat"
)
LENS_ORIGIN = _catalogue(
    "lens_origin",
    "From {images} images of {width} x {height}, by `laserboard calibrate lens`; holds for any"
    " size of the same shape.",
)
LENS_ERROR = _catalogue("lens_error", "Corners are off by {error_px} px: {verdict}.")
FOCAL_LENGTH = _catalogue("focal_length", "focal length   {focal} image widths")
REPROJECTION_ERROR = _catalogue("reprojection_error", "error          {error_px} px: {verdict}")
LENS_FILE = _catalogue("lens_file", "lens           {name}")

# -- long runs: progress, soak, tuning -----------------------------------------------------------

TIME_LEFT = _catalogue("time_left", "{progress}, {minutes} min to go")
BEGINNING = _catalogue("beginning", "{progress}, beginning")
PERCENT_LEFT = _catalogue("percent_left", "{progress}, {percent} %, {minutes} min to go")

ONE_GAME_FINISHED = _catalogue("one_game_finished", "{folder}: {count} game is finished already")
GAMES_FINISHED = _catalogue("games_finished", "{folder}: {count} games are finished already")
SOAK_PROGRESS = _catalogue("soak_progress", "{games}, {turns}, {wrong} wrong, {rate_hz} turns/s")
SOAK_FAILURE = _catalogue("soak_failure", "game {number} ({game}, {journal}): {reasons}")
SOAK_WRONG = _catalogue("soak_wrong", "{count} wrong")
SOAK_LOST = _catalogue("soak_lost", "{count} lost")
SOAK_JOURNALS = _catalogue("soak_journals", "journals are in {folder}")

TUNING_STOPPED_AT_ONE = _catalogue(
    "tuning_stopped_at_one",
    "stopped: {count} game is stored in {file}, no numbers are written; run the command again to"
    " continue",
)
TUNING_STOPPED = _catalogue(
    "tuning_stopped",
    "stopped: {count} games are stored in {file}, no numbers are written; run the command again to"
    " continue",
)
ONE_GAME_THERE = _catalogue("one_game_there", "{count} game is there already")
GAMES_THERE = _catalogue("games_there", "{count} games are there already")
GAMES_PLAYED = _catalogue("games_played", "{count} of {total} games")
READING_POSITIONS = _catalogue("reading_positions", "reading positions")
TUNING_START = _catalogue(
    "tuning_start", "{positions} of {games}; loss {loss}, held back {held_back}"
)
TUNING_FIT = _catalogue("tuning_fit", "  fitted: {loss}, held back {held_back}")
NOTHING_HELD_BACK = _catalogue(
    "nothing_held_back", "nothing was held back: whether it holds for other games is not known"
)
FIT_IS_WORSE = _catalogue(
    "fit_is_worse",
    "at games that were held back, the loss rose from {before} to {after}: the new numbers are"
    " worse there; play more --games",
)
VALIDATION_PROGRESS = _catalogue(
    "validation_progress", "against the old numbers: {points} of {games}"
)
VALIDATION_POINTS = _catalogue(
    "validation_points", "{points} of {games} points against the numbers before"
)
VALIDATION_ELO = _catalogue("validation_elo", "{result}, Elo {elo} [{low}, {high}]")
TOO_FEW_TO_TELL = _catalogue("too_few_to_tell", "{result}: too few to tell")
NOT_SHOWN_BETTER = _catalogue("not_shown_better", "{result}: not shown to be better")
WEIGHTS_WRITTEN = _catalogue("weights_written", "written: {name}")
NOTHING_TO_TUNE = _catalogue("nothing_to_tune", "{game} has no evaluation that can be tuned yet")
TUNING_TOO_SLOW = _catalogue("tuning_too_slow", "{reason}; without it this would take weeks")
NO_POSITIONS = _catalogue("no_positions", "no position to learn from in {file}: play more --games")

# -- files ---------------------------------------------------------------------------------------

IN_FILE = _catalogue("in_file", "{name}: {reason}")
NO_GAME_IN_FILE = _catalogue("no_game_in_file", "{name}: there is no game in it")
AT_GAME = _catalogue("at_game", "{place}: game {number}: {reason}")

# -- devices -------------------------------------------------------------------------------------

WORKS_AGAIN = _catalogue("works_again", "{device}: works again")
CAMERA_WORKS_AGAIN = _catalogue("camera_works_again", "the camera works again")
NO_CAMERA_FOUND = _catalogue(
    "no_camera_found",
    "no camera found: plug in a USB camera, or connect one to the Pi (then"
    " `sudo apt install python3-picamera2`); sim:// needs none",
)
NO_IMAGE_IN = _catalogue("no_image_in", "{camera}: no image in {seconds} s")

# -- LED tests -----------------------------------------------------------------------------------

BOARD_HAS_NO_LEDS = _catalogue(
    "board_has_no_leds",
    "the board {board!r} has no LEDs: add a `leds` section to its file, as in"
    " demo-10x8, or name another board",
)
LEDS_DRAWN_HERE = _catalogue(
    "leds_drawn_here",
    "no LEDs are named, so they are drawn here: `--leds serial://auto` lights yours",
)
PICTURE_NEEDS_TERMINAL = _catalogue(
    "picture_needs_terminal",
    "the picture moves in a terminal of {columns} x {rows} characters or more",
)
NAME_A_PICTURE = _catalogue("name_a_picture", "name a --picture, or another --game and --position")
LEGAL_NEEDS_CELL = _catalogue(
    "legal_needs_cell", "show --picture legal: name the piece's cell with --square"
)
NO_LED_COUNTERS = _catalogue("no_led_counters", "these LEDs have no counters of their own")

# -- images and calibration ----------------------------------------------------------------------

OTHER_VIEW = _catalogue(
    "other_view",
    "{name} has {width} x {height} pixels, the image to lock by"
    " {lock_width} x {lock_height}: they must show the same view",
)
PIECES_READ = _catalogue("pieces_read", "{name}: {pieces} pieces read, {covered} cells covered (?)")
IMAGE_NOT_PNG = _catalogue("image_not_png", "--picture {name}: images are saved as .png")
LIVE_NEEDS_TERMINAL = _catalogue(
    "live_needs_terminal",
    "for a live image, the terminal must be {columns} x {rows}; it is {own_columns} x {own_rows}",
)

# -- records: analysis, matches, conversion ------------------------------------------------------

ANALYSIS_DEPTH = _catalogue(
    "analysis_depth", "--depth {depth}: an analysis looks at least {least} turns ahead"
)
GAME_HAS_ONE_TURN = _catalogue("game_has_one_turn", "--from {first}: game {number} has 1 turn")
GAME_HAS_TURNS = _catalogue("game_has_turns", "--from {first}: game {number} has {turns} turns")
BROKEN_GAMES_LOST = _catalogue(
    "broken_games_lost",
    "{name} is left as it is: its broken games would be lost; name another output",
)
CONVERT_TO_JSON = _catalogue("convert_to_json", "{reason} (--to json)")
ANALYSIS_INTERRUPTED = _catalogue("analysis_interrupted", "stopped: the evaluated turns are stored")
SCORE_DRAWN = _catalogue("score_drawn", "the score is drawn in {name}")
OTHER_MATCH = _catalogue(
    "other_match", "{name} has a game of another match: name another file, or folder"
)
GAMES_PLAYED_ALREADY = _catalogue(
    "games_played_already", "{name}: {played} of {total} games are played already"
)
MORE_GAMES_PLAYED_ALREADY = _catalogue(
    "more_games_played_already",
    "{name}: {played} of {total} games are played already"
    " (--games {games}, and those beyond count, too)",
)
PLAYER_MOVED = _catalogue("player_moved", "{player} {move}")
PIECE_CAPTURED = _catalogue("piece_captured", "{player}'s {kind} on {cell} captured")
PIECE_HIT = _catalogue("piece_hit", "{player}'s {kind} on {cell} hit")
