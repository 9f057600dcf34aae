"""Sentences of the page: log in, permissions, requests, commands and rulings."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("ui.web")

# -- log in and permissions ----------------------------------------------------------------------

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

# -- requests ------------------------------------------------------------------------------------

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

# -- commands ------------------------------------------------------------------------------------

NOT_A_COMMAND = _catalogue("not_a_command", "a command must be an object, not {value}")
COMMAND_TOO_LONG = _catalogue(
    "command_too_long", "a command is JSON text of at most {most} characters"
)
TOO_FAST = _catalogue("too_fast", "too fast: some commands were dropped")
TOO_SLOW = _catalogue("too_slow", "this page takes too long")
TOO_MANY_PAGES = _catalogue("too_many_pages", "too many pages are open: try again later")
GAME_BUSY = _catalogue("game_busy", "the game is busy: try again")
UNKNOWN_COMMAND = _catalogue("unknown_command", "do: there is no {name}{known}")
UNKNOWN_REQUEST = _catalogue("unknown_request", "request: {name} is not one of {names}")
TOO_MANY_ARGS = _catalogue("too_many_args", "args: at most {most} values, not {count}")
BAD_PIECES = _catalogue("bad_pieces", "pieces must be an object of at most {most} cells")
BAD_SEAT = _catalogue("bad_seat", "seats: {seat} is not a player: human, or computer:3")
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

# -- rulings -------------------------------------------------------------------------------------

PLAYS_CHOSEN_TURN = _catalogue("plays_chosen_turn", "the turn that you choose is played")
ENDS_GAME = _catalogue("ends_game", "the game ends: {outcome}")
WINS = _catalogue("wins", "{player} wins")
DRAW = _catalogue("draw", "a draw")
PENALTY_LOSS = _catalogue("penalty_loss", "loss")
PENALTY_TIME = _catalogue("penalty_time", "{time}")
LOSES_GAME = _catalogue("loses_game", "{player} loses the game")
GETS_TIME = _catalogue("gets_time", "{player} gets {time}")
IS_WARNED = _catalogue("is_warned", "{player} is warned")
CALL_ACCEPTED = _catalogue("call_accepted", "the call was justified, and is recorded")
INCIDENT_ACCEPTED = _catalogue("incident_accepted", "it is recorded; correct the board")
MOVE_MADE_AGAIN = _catalogue("move_made_again", "the move is made again, so that it can be seen")
CALL_DISMISSED = _catalogue("call_dismissed", "the call has no effect")
INCIDENT_DISMISSED = _catalogue("incident_dismissed", "nothing changes")

# -- stored logins -------------------------------------------------------------------------------

BAD_STORE_FORMAT = _catalogue("bad_store_format", "format {value} is not 1 or {format}")
BAD_STORED_SESSION = _catalogue("bad_stored_session", "entered: {reason}")
