"""Sentences of hosted games: headlines, addresses, and why arguments of a new game are rejected.

Slots called `value` hold an excerpt that is quoted already.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("ui.hosting")

# -- a table at work -----------------------------------------------------------------------------

GAME_WITH_LEDS = _catalogue("game_with_leds", "{game} on {board}, LEDs {leds}")
RESUME_QUESTION = _catalogue("resume_question", "continue it? [Y/n] ")
MOVE_QUESTION = _catalogue("move_question", "{player}: ")
PAGE_ADDRESS = _catalogue("page_address", "the page: {url}")
CONSOLE_ADDRESS = _catalogue("console_address", "the referee's console: {url}")
ADDRESS_FOR_OTHERS = _catalogue("address_for_others", "for others: {urls} with the PIN {pin}")
STAYS_ON = _catalogue(
    "stays_on", "this computer stays on: as a service, Laserboard would have it switched off now"
)
ASKED_TO_LEAVE = _catalogue("asked_to_leave", "asked to leave")
STATUS = _catalogue("status", "{guidance} ({reasons})")

# -- players and tournaments ---------------------------------------------------------------------

NOT_A_PLAYER_OF = _catalogue("not_a_player_of", "--{side}: the players of {game} are {players}")
SAME_PLAYER = _catalogue(
    "same_player", "--{first} and --{second} are the same player of {game}: give one"
)
BAD_PLAYER_NAME = _catalogue(
    "bad_player_name", "--names: {value} is not a name of up to {most} characters"
)
FLAG_NEEDS_EVENT = _catalogue("flag_needs_event", "{flag} needs --event NAME")

# -- simulated games -----------------------------------------------------------------------------

SCRIPT_HAS_FAULTS = _catalogue(
    "script_has_faults", "--script has its own faults: leave --chaos and --fault out"
)
SCRIPT_AND_RESUME = _catalogue(
    "script_and_resume", "--script and --resume: a script begins its own game, give one"
)
BAD_SCRIPT_SEED = _catalogue("bad_script_seed", "{file}: seed: {value} is not a whole number")
INITIAL_POSITION_NEEDS_PAGE = _catalogue(
    "initial_position_needs_page",
    "--initial-position: play on the page, where you can set it up",
)
RESUMED_GAME_KEEPS = _catalogue(
    "resumed_game_keeps", "--resume and {flag}: a resumed game keeps its settings, give one"
)
FAULT_NEEDS_CABLE = _catalogue(
    "fault_needs_cable", "--fault {fault} cannot happen here: play with --leds sim://"
)
FAULT_NEEDS_COMPUTER = _catalogue(
    "fault_needs_computer", "--fault {fault} cannot happen here: let a computer play"
)
UNKNOWN_TAKE_BACK = _catalogue("unknown_take_back", "{file}: take_back: there is no {value}{hint}")
NO_BEAM_FIRED = _catalogue("no_beam_fired", "no beam was fired, so there is no image of one")
STORED_IN = _catalogue("stored_in", "stored in {path}: see `laserboard games`")

# -- matches of programs -------------------------------------------------------------------------

TWO_PLAYERS_NEEDED = _catalogue(
    "two_players_needed", "two players are needed, not {count}: give --player twice"
)
PERSON_NEEDS_BOARD = _catalogue(
    "person_needs_board",
    "a person plays at a board: name it (--board hex-r5 --camera sim:// is a simulated one)",
)
PLAYER_NEEDS_SEAT = _catalogue(
    "player_needs_seat", "--player {value}: write NICK=URL, NICK=board or NICK=computer:3"
)
BAD_PLAYER = _catalogue("bad_player", "--player {nick}: {reason}")
NEEDS_TERMINAL_OR_PAGE = _catalogue(
    "needs_terminal_or_page",
    "a person at a simulated table needs a terminal to play in, or --page",
)

# -- devices -------------------------------------------------------------------------------------

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
GAME_UNFINISHED = _catalogue("game_unfinished", "the game {game} is unfinished after {turns} turns")
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
