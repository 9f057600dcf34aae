"""Sentences of the page, the terminal and the hosting of games for people."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("ui")

# -- the page: log in and permissions --------------------------------------------------------------

LOGIN_REQUIRED = _catalogue("login_required", "log in with the PIN first")
NOT_LOGGED_IN = _catalogue("not_logged_in", "you are not logged in: log in with the PIN first")
LOGGED_OUT = _catalogue("logged_out", "you have been logged out")
NO_PIN_NEEDED = _catalogue(
    "no_pin_needed", "no PIN is needed here: all users of this computer may watch"
)
WRONG_PIN = _catalogue("wrong_pin", "that is not the PIN: the terminal shows it")
WRONG_KEY = _catalogue("wrong_key", "that is not the key: the terminal shows it")
NOT_A_SECRET = _catalogue("not_a_secret", "that is neither a key nor a PIN")
TOO_MANY_TRIES = _catalogue("too_many_tries", "too many tries: wait {seconds} s")
LOGIN_BODY = _catalogue("login_body", "login: give either {pin} or {key}")
NOT_YOUR_SEAT = _catalogue("not_your_seat", "that is not your seat")
SPECTATORS_CANNOT = _catalogue("spectators_cannot", "you are watching: take a seat to play")
HOST_ONLY = _catalogue(
    "host_only", "that is for the host: open the page with the address that the terminal shows"
)
REFEREE_ONLY = _catalogue(
    "referee_only",
    "that is for the referee: open the page with the address that the terminal shows",
)
SEAT_TAKEN = _catalogue("seat_taken", "that seat is taken: ask the player or the host to leave it")
COMPUTER_SEAT = _catalogue("computer_seat", "the computer sits there")
SEATS_CLOSED = _catalogue(
    "seats_closed", "spectators see this game later: take a seat before its first turn"
)

CANNOT_LISTEN = _catalogue(
    "cannot_listen", "no page on port {port}: {reason}; name another with --port"
)
CANNOT_SERVE = _catalogue("cannot_serve", "the page cannot be served: {reason}")
DOES_NOT_START = _catalogue("does_not_start", "it does not start")

# -- the page: requests ----------------------------------------------------------------------------

FOREIGN_HOST = _catalogue("foreign_host", "this page is not served under that name")
URL_TOO_LONG = _catalogue("url_too_long", "that address is too long")
METHOD_NOT_ALLOWED = _catalogue("method_not_allowed", "{method} does nothing here")
FOREIGN_ORIGIN = _catalogue("foreign_origin", "only this page itself may ask for that")
NOT_JSON_BODY = _catalogue("not_json_body", "send JSON (Content-Type: application/json)")
LENGTH_REQUIRED = _catalogue("length_required", "say how long it is (Content-Length)")
BODY_TOO_LONG = _catalogue("body_too_long", "too long: at most {most} bytes")
NO_SUCH_FILE = _catalogue("no_such_file", "there is no such file")
NO_GAME_YET = _catalogue("no_game_yet", "no game has begun yet")
NO_CAMERA_IMAGE = _catalogue("no_camera_image", "the camera has given no image yet")
GAME_IS_DELAYED = _catalogue(
    "game_is_delayed", "spectators see this game later: it is being played"
)
TURN_NOT_A_NUMBER = _catalogue("turn_not_a_number", "a turn is a whole number")
AFTER_NOT_A_NUMBER = _catalogue("after_not_a_number", "after: a whole number of turns")
TURNS_PLAYED = _catalogue("turns_played", "{turns} turns were played")
EVIDENCE_NOT_ALLOWED = _catalogue(
    "evidence_not_allowed", "images of turns are for the players and the referee"
)
THE_FOLDER = _catalogue("the_folder", "the folder")
NO_EVIDENCE_IMAGE = _catalogue("no_evidence_image", "this game links no such image")
UNKNOWN_FORM = _catalogue("unknown_form", "there is no such form: {forms}")
CANNOT_EXPORT = _catalogue("cannot_export", "this game cannot be exported: {reason}")
JOURNAL_DAMAGED = _catalogue("journal_damaged", "the journal is damaged: {reason}")
UNKNOWN_RECORD_FORM = _catalogue(
    "unknown_record_form", "there is no record as {form}: text or json"
)
NO_SUCH_GAME = _catalogue("no_such_game", "there is no game {name}")
NO_SUCH_TURN = _catalogue("no_such_turn", "that game has turns 0 to {turns}, not {turn}")
GAME_IN_PROGRESS = _catalogue(
    "game_in_progress", "a game is being played here: it can be analysed when that is over"
)
NO_COMPUTER_PLAYER = _catalogue(
    "no_computer_player", "there is no computer player here to analyse a game"
)
ANALYSIS_RUNNING = _catalogue(
    "analysis_running", "another game is being analysed: wait until that is done"
)
NOT_YOUR_ANALYSIS = _catalogue(
    "not_your_analysis", "another user started this analysis: they or the host can stop it"
)
TOO_MANY_TURNS = _catalogue(
    "too_many_turns", "{turns} turns are too many here: `laserboard analyse {name}`"
)
TOO_MANY_ANALYSES = _catalogue("too_many_analyses", "too many analyses: wait a moment")
ANALYSIS_REPLACED = _catalogue("analysis_replaced", "the host has another game analysed")
ANALYSIS_STOPPED = _catalogue("analysis_stopped", "stopped")
PAGE_CLOSED = _catalogue("page_closed", "the page was closed")
BOARD_CHANGED = _catalogue("board_changed", "the board does not look like that any more")
CANNOT_DRAW = _catalogue("cannot_draw", "that position cannot be drawn")
NOTHING_READ = _catalogue("nothing_read", "the camera is not being read now")

# -- the page: commands ----------------------------------------------------------------------------

NOT_A_COMMAND = _catalogue("not_a_command", "a command must be an object, not {value}")
COMMAND_TOO_LONG = _catalogue(
    "command_too_long", "a command is JSON text of at most {most} characters"
)
TOO_FAST = _catalogue("too_fast", "too fast: some commands were dropped")
TOO_SLOW = _catalogue("too_slow", "this page takes too long")
TOO_MANY_PAGES = _catalogue("too_many_pages", "too many pages are open: try again later")
GAME_BUSY = _catalogue("game_busy", "the game is busy: try again")
UNKNOWN_COMMAND = _catalogue("unknown_command", "do: there is no {name}{known}")
KNOWN_COMMANDS = _catalogue("known_commands", "; known: {names}")
UNKNOWN_REQUEST = _catalogue("unknown_request", "request: {name} is none of {names}")
TOO_MANY_ARGS = _catalogue("too_many_args", "args: at most {most} values, not {count}")
BAD_PIECES = _catalogue("bad_pieces", "pieces must be an object of at most {most} cells")
BAD_SEAT = _catalogue("bad_seat", "seats: {seat} is not a player: human, or computer:3")
BAD_TEXT = _catalogue(
    "bad_text", "{field} must be text of 1 to {longest} characters on one line, not {value}"
)
BAD_NUMBER = _catalogue(
    "bad_number", "{field} must be a number from {least} to {most}, not {value}"
)
BAD_FLAG = _catalogue("bad_flag", "{field} must be true or false, not {value}")
BAD_HEADING = _catalogue(
    "bad_heading", "{cell}: a piece cannot face {degrees} degrees on this board"
)
TOO_MANY_HIT_POINTS = _catalogue(
    "too_many_hit_points", "{cell}: a {piece} has up to {most} hit points, not {points}"
)
NO_PIN = _catalogue("no_pin", "there is no PIN: the page is for this computer alone")
REAL_TABLE = _catalogue("real_table", "this is a real table: use your hands")
WHICH_MOVE = _catalogue("which_move", "which is meant: {moves}?")
NOT_ON_TABLE = _catalogue("not_on_table", "that is not on the table any more")
UNKNOWN_FAULT = _catalogue("unknown_fault", "there is no fault {name}")
FAULT_ARGUMENTS = _catalogue("fault_arguments", "{fault}: give {expected} args, not {count}")
NOT_A_NUMBER = _catalogue("not_a_number", "{name} must be a number, not {value}")
PAGE_COMMAND = _catalogue("page_command", "only the page itself can do that")
PROGRAM_DEFECT = _catalogue("program_defect", "a defect of the program: {error}; its log says more")

# -- the page: rulings -----------------------------------------------------------------------------

PLAYS_CHOSEN_TURN = _catalogue("plays_chosen_turn", "the turn that you choose is played")
ENDS_GAME = _catalogue("ends_game", "the game ends: {outcome}")
WINS = _catalogue("wins", "{player} wins")
WINS_BECAUSE = _catalogue("wins_because", "{player} wins ({reason})")
DRAW = _catalogue("draw", "a draw")
DRAW_BECAUSE = _catalogue("draw_because", "a draw ({reason})")
PENALTY_LOSS = _catalogue("penalty_loss", "loss")
PENALTY_TIME = _catalogue("penalty_time", "{time}")
LOSES_GAME = _catalogue("loses_game", "{player} loses the game")
GETS_TIME = _catalogue("gets_time", "{player} gets {time}")
IS_WARNED = _catalogue("is_warned", "{player} is warned")
CALL_ACCEPTED = _catalogue("call_accepted", "the call was right, and is written down so")
INCIDENT_ACCEPTED = _catalogue(
    "incident_accepted", "it is written down; the board is to be put right"
)
MOVE_MADE_AGAIN = _catalogue("move_made_again", "the move is made again, so that it can be seen")
CALL_DISMISSED = _catalogue("call_dismissed", "the call has no effect")
INCIDENT_DISMISSED = _catalogue("incident_dismissed", "nothing changes")

# -- moves that are typed or pointed at ------------------------------------------------------------

MOVE_BY_HAND = _catalogue("move_by_hand", "make the move on the board, then fire")
NO_ONE_CAN_MOVE = _catalogue("no_one_can_move", "no one can move now")
MUST_DO_SOMETHING = _catalogue("must_do_something", "a player has to do something")
CANNOT_BE_SHOWN = _catalogue("cannot_be_shown", "that move cannot be made by hand")
CANNOT_FIRE_AT = _catalogue("cannot_fire_at", "{cell} cannot fire at {target}")
CANNOT_TURN_SO = _catalogue("cannot_turn_so", "{cell} cannot be turned like that")
CANNOT_TURN_RIGHT = _catalogue("cannot_turn_right", "{cell} cannot be turned right")
CANNOT_TURN_LEFT = _catalogue("cannot_turn_left", "{cell} cannot be turned left")
NOTHING_TO_DO = _catalogue("nothing_to_do", "nothing can be done with {cell} now")
CHOOSE_PIECE_OF = _catalogue("choose_piece_of", "{cell} is empty: choose a piece of {players}")
PIECES_OF = _catalogue("pieces_of", "{player}'s")

# -- games and positions that arguments name -------------------------------------------------------

OPTION_NEEDS_VALUE = _catalogue("option_needs_value", "--option {text!r}: write KEY=VALUE")
TWO_POSITIONS = _catalogue(
    "two_positions", "--{first} and --{second} both name a position: give one of them"
)
POSITION_WARNING = _catalogue("position_warning", "warning: {warning}")
UNKNOWN_SIDE = _catalogue("unknown_side", "there is no side {side!r}{hint}")

# -- the keyboard ----------------------------------------------------------------------------------

GAME_KEPT = _catalogue("game_kept", "the game is kept: you can resume it later")
NO_RESIGNATION = _catalogue("no_resignation", "you have not resigned")
PUT_PIECES_RIGHT = _catalogue(
    "put_pieces_right", "put the pieces right on the board, as the lights show"
)
NOTHING_ASKED = _catalogue("nothing_asked", "there is no question to answer")

# -- files -----------------------------------------------------------------------------------------

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
IN_FILE = _catalogue("in_file", "{name}: {reason}")
NO_GAME_IN_FILE = _catalogue("no_game_in_file", "{name}: there is no game in it")
AT_GAME = _catalogue("at_game", "{place}: game {number}: {reason}")

# -- devices ---------------------------------------------------------------------------------------

WORKS_AGAIN = _catalogue("works_again", "{device}: works again")
CAMERA_WORKS_AGAIN = _catalogue("camera_works_again", "the camera works again")
NO_CAMERA_FOUND = _catalogue(
    "no_camera_found",
    "no camera found: plug in a USB camera, or connect one to the Pi (then"
    " `sudo apt install python3-picamera2`); sim:// needs none",
)
NO_IMAGE_IN = _catalogue("no_image_in", "{camera}: no image in {seconds} s")
NO_CAMERA = _catalogue(
    "no_camera",
    "there is no camera: plug one in, or name one (`laserboard camera list`);"
    " `laserboard simulate` needs none",
)
NO_FIRE = _catalogue(
    "no_fire",
    "there is no fire button: name buttons (--buttons gpio://), let moves fire by themselves"
    " (--fire auto:3), or play in a terminal",
)
UNKNOWN_FIRE = _catalogue(
    "unknown_fire", "--fire {given}: write button, or auto:3 for 3 seconds after a move"
)
SIMULATED_NEEDS_HANDS = _catalogue(
    "simulated_needs_hands",
    "a simulated table has no hands here: `laserboard simulate` plays on one",
)
GAME_DOES_NOT_FIT = _catalogue(
    "game_does_not_fit", "the game {game} does not fit on this board any more"
)
GAME_ON_BOARD = _catalogue("game_on_board", "{game} on {board}")
GAME_UNFINISHED = _catalogue("game_unfinished", "the game {game} is unfinished after {turns} turns")
DEVICE_IS = _catalogue("device_is", "{device}: {details}")
CAMERA_DETAILS = _catalogue("camera_details", "{camera}, {width} x {height}")
CAMERA_DETAILS_RATE = _catalogue(
    "camera_details_rate", "{camera}, {width} x {height}, {rate} images a second"
)
LED_DETAILS = _catalogue("led_details", "{leds}, {count} of them, {description}")
NO_LEDS_BUT_SCREEN = _catalogue("no_leds_but_screen", "none, beams are on the screen")
NONE = _catalogue("none", "none")
BUTTONS_WITH_HINT = _catalogue("buttons_with_hint", "{buttons} ({hint})")
NO_BUTTONS_AUTO_FIRE = _catalogue("no_buttons_auto_fire", "none: moves fire by themselves")
NO_BUTTONS_BUT = _catalogue("no_buttons_but", "none: fire {screens}")
WITH_KEYBOARD = _catalogue("with_keyboard", "with the keyboard")
ON_PAGE = _catalogue("on_page", "on the page")

# -- LED tests -------------------------------------------------------------------------------------

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
NO_ANSWER_IN = _catalogue("no_answer_in", "{device}: no answer in {seconds} s")
NO_FIXED_LASER = _catalogue(
    "no_fixed_laser",
    "{player} has no laser with a fixed direction here: name a"
    " --picture, or another --game and --position",
)
LEGAL_NEEDS_CELL = _catalogue(
    "legal_needs_cell", "show --picture legal: name the piece's cell with --square"
)
NO_LED_COUNTERS = _catalogue("no_led_counters", "these LEDs have no counters of their own")

# -- images and calibration ------------------------------------------------------------------------

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

# -- analysis, matches, tuning, simulated games ----------------------------------------------------

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
ANALYSIS_INTERRUPTED = _catalogue("analysis_interrupted", "stopped: the evaluated turns are kept")
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
NEEDS_TERMINAL_OR_PAGE = _catalogue(
    "needs_terminal_or_page",
    "a person at a simulated table needs a terminal to play in, or --page",
)
UNKNOWN_TAKE_BACK = _catalogue("unknown_take_back", "{file}: take_back: there is no {value}{hint}")
NO_BEAM_FIRED = _catalogue("no_beam_fired", "no beam was fired, so there is no image of one")
KEPT_IN = _catalogue("kept_in", "kept in {path}: see `laserboard games`")
NOTHING_TO_TUNE = _catalogue("nothing_to_tune", "{game} has no evaluation that can be tuned yet")
TUNING_TOO_SLOW = _catalogue("tuning_too_slow", "{reason}; without it this would take weeks")
NO_POSITIONS = _catalogue("no_positions", "no position to learn from in {file}: play more --games")
PLAYER_MOVED = _catalogue("player_moved", "{player} {move}")
PIECE_CAPTURED = _catalogue("piece_captured", "{player}'s {kind} on {cell} captured")
PIECE_HIT = _catalogue("piece_hit", "{player}'s {kind} on {cell} hit")

# -- stored logins ---------------------------------------------------------------------------------

BAD_STORE_FORMAT = _catalogue("bad_store_format", "format {value} is not 1 or {format}")
BAD_STORED_SESSION = _catalogue("bad_stored_session", "entered: {reason}")
