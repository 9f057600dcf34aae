"""Sentences of the doctor, of camera calibration and of `laserboard watch`.

`paper_sentences` has those of printed parts, wiring and sheets. Slots hold names, numbers and
further sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import Catalogue, Sentence, plain

_catalogue = Catalogue("builder")

# -- lists -------------------------------------------------------------------------------------

NAMES_AND_LAST = _catalogue("names_and_last", "{names} and {last}")
NAMES_AND_MORE = _catalogue("names_and_more", "{names} and {count} more")
AND_MORE = _catalogue("and_more", "and {count} more")


def join_names(names: Sequence[str], most: int = 3) -> Sentence:
    """`a1, b2 and c3`, or `a1, b2, c3 and 4 more`."""
    if len(names) > most:
        return NAMES_AND_MORE(names=tuple(names[:most]), count=len(names) - most)
    if len(names) > 1:
        return NAMES_AND_LAST(names=tuple(names[:-1]), last=names[-1])
    return plain("".join(names))


# -- the doctor's findings ---------------------------------------------------------------------

NOT_CHECKED = _catalogue("not_checked", "not checked: {reason}")
NEEDS_BOARD_FILE = _catalogue("needs_board_file", "the board file cannot be read")
NEEDS_PICTURE = _catalogue("needs_picture", "there is no picture")
NEEDS_BOARD_IN_PICTURE = _catalogue(
    "needs_board_in_picture", "the board is not found in the picture"
)
NO_LEDS_TO_FEED = _catalogue("no_leds_to_feed", "there are no LEDs to feed")
CHECK_TIMED_OUT = _catalogue("check_timed_out", "no answer in {seconds} s")
DEFECT = _catalogue("defect", "{error}: {message}")
DEVICE_SILENT = _catalogue("device_silent", "{device}: no answer in {seconds} s")
DEVICE_LOST = _catalogue("device_lost", "{device}: {reason}")

LIBRARIES_FOUND = _catalogue("libraries_found", "{libraries}")
LIBRARIES_MISSING = _catalogue("libraries_missing", "not installed: {missing}; there is {found}")
LIBRARIES_TOO_OLD = _catalogue("libraries_too_old", "too old: {libraries}")
LIBRARY_TOO_OLD = _catalogue("library_too_old", "{name} {version} (needs {minimum})")
BOARD_FILE_READ = _catalogue("board_file_read", "{game} on {board}; {leds}")
NO_LEDS = _catalogue("no_leds", "no LEDs")
DEVICES_FORBIDDEN = _catalogue("devices_forbidden", "you may not use {devices}")
DEVICES_ALLOWED = _catalogue("devices_allowed", "you may use every device ({devices})")
NO_DEVICES = _catalogue("no_devices", "no device needs any")

NO_CAMERA_FOUND = _catalogue("no_camera_found", "no camera found")
CAMERA_FORMAT = _catalogue("camera_format", "{camera}: {width} x {height}")
FRAME_RATE = _catalogue("frame_rate", "{rate_hz} pictures a second")
EXPOSURE_LOCKED = _catalogue("exposure_locked", "exposure locked")
EXPOSURE_NOT_LOCKED = _catalogue("exposure_not_locked", "exposure NOT locked")
WHITE_LEVEL = _catalogue("white_level", "white is {level} of 255: {verdict}")
BOARD_NOT_FOUND = _catalogue("board_not_found", "not found in the picture")
BOARD_FOUND = _catalogue(
    "board_found",
    "found by {corners} corner tags, {error_px} px off; tags are {tag_px} px wide; {lens}",
)
LENS_CALIBRATED = _catalogue("lens_calibrated", "lens calibrated")
LENS_NOT_CALIBRATED = _catalogue(
    "lens_not_calibrated", "lens not calibrated (most need no calibration)"
)
PIECES_READ = _catalogue("pieces_read", "{read} of the {total} pieces of {game} read")
PIECES_SET_UP = _catalogue(
    "pieces_set_up", "{read} of the {total} pieces of {game} read, set up as {setup}"
)
SETUP_DIFFERS = _catalogue(
    "setup_differs", "for {setup}: {differences} (`laserboard play` guides you through it)"
)
FIRST_MAP = _catalogue("first_map", "the first map")
BOARD_SIZE_DIFFERS = _catalogue("board_size_differs", "its board has another size")

NO_LEDS_IN_FILE = _catalogue(
    "no_leds_in_file", "the board file has none: beams are shown on the screen only"
)
LEDS_NOT_NAMED = _catalogue(
    "leds_not_named", "the board file names none, and no Laserboard firmware answers on USB"
)
LEDS_FOUND = _catalogue("leds_found", "{url}: {description}, {count} LEDs")
LEDS_MISCOUNTED = _catalogue("leds_miscounted", "{leds}, but the board file has {expected}")
LEDS_UNCONFIRMED = _catalogue("leds_unconfirmed", "{leds}; a picture was not confirmed")
LEDS_NEVER_CONFIRM = _catalogue(
    "leds_never_confirm", "{leds}; they confirm nothing: check them with `laserboard leds walk`"
)
LEDS_CONFIRMED = _catalogue("leds_confirmed", "{leds}, a picture shown and confirmed")
ERROR_COUNT = _catalogue("error_count", "{count} {counter}")
CURRENT_WITHIN_LIMIT = _catalogue(
    "current_within_limit", "full white takes {full_ma} mA, the limit is {limit_ma} mA"
)
CURRENT_LIMITED = _catalogue(
    "current_limited",
    "full white would take {full_ma} mA: held to {limit_ma} mA, which is {percent} % of it",
)
NO_BUTTONS_IN_FILE = _catalogue(
    "no_buttons_in_file", "the board file names none: people press keys"
)
BUTTONS_FOUND = _catalogue("buttons_found", "{url}: {buttons}")
BUTTONS_FOUND_WITH_HINT = _catalogue("buttons_found_with_hint", "{url}: {buttons} ({hint})")
NOTHING_TO_PRESS = _catalogue("nothing_to_press", "nothing to press")
NO_SPEAKER_IN_FILE = _catalogue("no_speaker_in_file", "the board file names none")
SPEAKER_TRIED = _catalogue("speaker_tried", "{url}: it gave a signal just now")
ESPEAK_MISSING = _catalogue(
    "espeak_missing", "turns are not spoken: espeak-ng is not on this machine"
)
VOICE_OFF = _catalogue("voice_off", "nothing is spoken")
VOICE_PRINTED = _catalogue("voice_printed", "turns are printed, not spoken")
VOICE_SPEAKS = _catalogue("voice_speaks", "{url} speaks the turns")
COMPUTER_CANNOT_PLAY = _catalogue("computer_cannot_play", "it does not play {game} yet")
COMPUTER_NOT_NEEDED = _catalogue(
    "computer_not_needed", "it does not play {game} yet, and has no side in this game"
)
COMPUTER_ANSWERS = _catalogue("computer_answers", "it starts and answers in {seconds} s")
COMPUTER_IS_SLOW = _catalogue(
    "computer_is_slow",
    "it starts and answers in {seconds} s, but searches slowly: its compiled core is missing",
)

DISK_WRITTEN = _catalogue(
    "disk_written", "games are kept in {folder}: {free} free, written in {time}"
)
DISK_TAKES_NOTHING = _catalogue("disk_takes_nothing", "{folder} cannot be written to")
MILLISECONDS = _catalogue("milliseconds", "{ms} ms")
UNDER_1_MS = _catalogue("under_1_ms", "under 1 ms")
CLOCK_RUNS_WRONG = _catalogue(
    "clock_runs_wrong", "{waited_ms} ms of waiting took {passed_ms} ms: game clocks would be wrong"
)
CLOCK_YEAR_WRONG = _catalogue("clock_year_wrong", "{wall} cannot be right")
CLOCK_BEHIND_GAME = _catalogue(
    "clock_behind_game", "it says {wall}, but a game was played on {day}"
)
CLOCK_SHOWS = _catalogue("clock_shows", "{wall}")
NO_GAMES_STORED = _catalogue("no_games_stored", "none kept yet")
GAMES_STORED = _catalogue("games_stored", "{count} kept")
ONE_RESUMABLE = _catalogue("one_resumable", "one can be resumed: {games} (`laserboard resume`)")
SEVERAL_RESUMABLE = _catalogue(
    "several_resumable", "{count} can be resumed: {games} (`laserboard resume`)"
)
GAME_DAMAGED = _catalogue("game_damaged", "{game}: {damage}")
MORE_DAMAGED = _catalogue("more_damaged", "{count} more: `laserboard games verify`")

# -- the doctor's remedies ---------------------------------------------------------------------

REMEDY_LIBRARY_MISSING = _catalogue(
    "remedy_library_missing",
    "in Laserboard's folder run `rm -rf .venv && make venv`, on a Pi `sudo ./install.sh`",
)
REMEDY_LIBRARY_TOO_OLD = _catalogue(
    "remedy_library_too_old",
    "in Laserboard's folder run `rm -rf .venv && make venv`, on a Pi `sudo ./install.sh`",
)
REMEDY_PROGRAM_DEFECT = _catalogue(
    "remedy_program_defect", "this is a defect of Laserboard: please report it, with this line"
)
REMEDY_NO_BOARD_FILE = _catalogue(
    "remedy_no_board_file",
    "name a board file that exists; `laserboard init` writes one",
)
REMEDY_BAD_BOARD_FILE = _catalogue(
    "remedy_bad_board_file", "correct that line; `laserboard init` writes a new file"
)
REMEDY_PERMISSION_DENIED = _catalogue(
    "remedy_permission_denied", "`sudo usermod -aG {groups} $USER`, then log out and in again"
)
REMEDY_ROOT_ONLY = _catalogue(
    "remedy_root_only", "only root may use them: add a udev rule that gives them to your group"
)
REMEDY_NO_CAMERA = _catalogue(
    "remedy_no_camera",
    "plug in a USB camera, or connect one to the Pi (then `sudo apt install python3-picamera2`)",
)
REMEDY_DEVICE_SILENT = _catalogue(
    "remedy_device_silent", "unplug it, plug it in again, and try once more"
)
REMEDY_EXPOSURE_NOT_LOCKED = _catalogue(
    "remedy_exposure_not_locked", "name an exposure: ?exposure_ms=8 at the end of the camera's URL"
)
REMEDY_SLOW_CAMERA = _catalogue(
    "remedy_slow_camera",
    "too slow to follow hands: more light, or a smaller picture (?width=1280)",
)
REMEDY_GLARE = _catalogue(
    "remedy_glare", "less light, or a shorter exposure (?exposure_ms=5 after the camera's URL)"
)
REMEDY_BOARD_NOT_IN_VIEW = _catalogue(
    "remedy_board_not_in_view", "put the whole board under the camera"
)
REMEDY_BOARD_MISMEASURED = _catalogue(
    "remedy_board_mismeasured",
    "measure the board file's cell_mm and corner_offset_mm again; if they are right,"
    " `laserboard calibrate lens`",
)
REMEDY_TAGS_TOO_SMALL = _catalogue(
    "remedy_tags_too_small",
    "more light; or bring the camera nearer, or ask it for larger pictures: ?width=1920",
)
REMEDY_CELLS_COVERED = _catalogue(
    "remedy_cells_covered", "something covers {cells}: take it away, or move the lamp"
)
REMEDY_LEDS_MISCOUNTED = _catalogue(
    "remedy_leds_miscounted",
    "correct `leds.strips` in the board file; `laserboard leds walk` shows where each LED is",
)
REMEDY_LEDS_SILENT = _catalogue(
    "remedy_leds_silent",
    "check the cable and the power supply; `laserboard leds stats` counts what is lost",
)
REMEDY_LEDS_DAMAGED = _catalogue(
    "remedy_leds_damaged",
    "messages were damaged ({counts}): use a shorter or better cable",
)
REMEDY_LEDS_NOT_FOUND = _catalogue(
    "remedy_leds_not_found",
    "plug it in; `laserboard ports` shows what answers; or `leds.url: sim://`",
)
REMEDY_LEDS_DIM = _catalogue(
    "remedy_leds_dim", "use a stronger power supply, and then a higher `leds.ma_limit`"
)
REMEDY_NO_ESPEAK = _catalogue(
    "remedy_no_espeak", "`sudo apt install espeak-ng`, or `voice: none` under `play`"
)
REMEDY_VOICE_STOPPED = _catalogue("remedy_voice_stopped", "`voice: none` under `play`")
REMEDY_COMPUTER_CANNOT_PLAY = _catalogue(
    "remedy_computer_cannot_play", "write `players: [human, human]`"
)
REMEDY_NO_COMPILED_CORE = _catalogue(
    "remedy_no_compiled_core",
    "install a C compiler (`sudo apt install gcc libc6-dev`), then Laserboard again",
)
REMEDY_DISK_FULL = _catalogue(
    "remedy_disk_full", "free some space: every turn is written before its beam is shown"
)
REMEDY_SLOW_DISK = _catalogue(
    "remedy_slow_disk", "every beam waits for this disk: use a faster card or stick"
)
REMEDY_MACHINE_BUSY = _catalogue(
    "remedy_machine_busy", "stop other programs, and run the doctor again"
)
REMEDY_WRONG_DATE = _catalogue(
    "remedy_wrong_date",
    "let the machine set its clock (`timedatectl`): games are named by their day",
)

# -- brightness and sharpness of a picture -----------------------------------------------------

VERDICT_AND_ADVICE = _catalogue("verdict_and_advice", "{verdict}: {advice}")
SATURATED = _catalogue("saturated", "{percent} % of the picture is saturated")
EXPOSE_LOWER = _catalogue("expose_lower", "expose lower")
TOO_DARK = _catalogue("too_dark", "too dark")
MORE_LIGHT = _catalogue("more_light", "more light, or a longer exposure")
DARK_BUT_READABLE = _catalogue("dark_but_readable", "dark, but it can be read")
BRIGHTNESS_GOOD = _catalogue("brightness_good", "good")
SHARP = _catalogue("sharp", "sharp")
SOFT = _catalogue("soft", "a little soft")
FOCUS_ON_CAPS = _catalogue("focus_on_caps", "focus the lens on the caps")
BLURRED = _catalogue("blurred", "blurred")
FOCUS_AND_HOLD = _catalogue(
    "focus_and_hold", "focus the lens on the caps, and see that the camera does not shake"
)
SHARPNESS_UNKNOWN = _catalogue("sharpness_unknown", "sharpness cannot be measured")
NO_EDGES = _catalogue("no_edges", "no strong edges in view, put the board under the camera")

# -- calibration -------------------------------------------------------------------------------

BOARD_NOT_FOUND_YET = _catalogue("board_not_found_yet", "the board is not found yet")
POSITION_GOOD = _catalogue(
    "position_good", "all four corners are seen, the board fills {percent} % of the picture"
)
MOVE_CAMERA_NEARER = _catalogue(
    "move_camera_nearer",
    "the board fills {percent} % of the picture: move the camera nearer, or zoom in",
)
MOVE_CAMERA_HIGHER = _catalogue(
    "move_camera_higher",
    "the board fills {percent} % of the picture: move the camera higher, or zoom out",
)
CAMERA_TILTED = _catalogue(
    "camera_tilted",
    "the camera looks from the side, {degrees} degrees off straight down: move it {direction}",
)
TOO_DARK_TO_FIND = _catalogue(
    "too_dark_to_find", "too dark to find the board: more light, or a longer exposure"
)
TOO_BRIGHT_TO_FIND = _catalogue(
    "too_bright_to_find", "too bright to find the board: a shorter exposure, or less light"
)
TOO_BLURRED_TO_FIND = _catalogue(
    "too_blurred_to_find",
    "too blurred to find the board: turn the lens ring until the picture is sharp",
)
NO_CORNER_IN_VIEW = _catalogue(
    "no_corner_in_view",
    "pieces are seen, but no corner of the board: move the camera higher, or zoom out",
)
NO_BOARD_IN_VIEW = _catalogue("no_board_in_view", "no board is seen")
BOARD_TOO_LARGE = _catalogue(
    "board_too_large",
    "the board does not fit into the picture: move the camera higher, or zoom out",
)
BOARD_CUT_OFF = _catalogue(
    "board_cut_off", "the board is cut off at {corners}: move the camera {direction}"
)
DIRECTION = _catalogue("direction", "{directions} (seen from row 1)")
TO_THE_RIGHT = _catalogue("to_the_right", "to the right")
TO_THE_LEFT = _catalogue("to_the_left", "to the left")
TOWARDS_ROW = _catalogue("towards_row", "towards row {row}")
RIGHT_OR_LEFT_AND_ROW = _catalogue("right_or_left_and_row", "{across} and {along}")
NO_EDGES_TO_FOCUS = _catalogue(
    "no_edges_to_focus", "no strong edges in view: put the board under the camera, in good light"
)
TURN_LENS_RING = _catalogue(
    "turn_lens_ring", "turn the lens ring until the number stops rising: it is {points}"
)
TURN_LENS_RING_BACK = _catalogue(
    "turn_lens_ring_back",
    "turn the lens ring until the number stops rising: it is {points}, the best so far was {best}",
)
FOCUS_GOOD = _catalogue("focus_good", "sharp: blurred by {blur_px} px only")
LIGHT_NOT_MEASURED = _catalogue(
    "light_not_measured", "the board is not found yet: the light on it cannot be judged"
)
LIGHT_GOOD = _catalogue("light_good", "even and bright enough: paper is at {level} of 255")
LIGHT_DARK = _catalogue("light_dark", "it is dark: more light on the board, or a longer exposure")
LIGHT_TOO_BRIGHT = _catalogue(
    "light_too_bright",
    "too bright: {percent} % of the tags are as white as the camera can see; a shorter exposure,"
    " or less light",
)
LAMP_REFLECTS = _catalogue(
    "lamp_reflects",
    "a lamp reflects at {cells}: move it, or hang thin white cloth before it",
)
LAMPS_REFLECT = _catalogue(
    "lamps_reflect",
    "lamps reflect at {cells}: move them, or hang thin white cloth before them",
)
LIGHT_UNEVEN = _catalogue(
    "light_uneven",
    "it is much darker around {cell} than elsewhere: move what throws the shadow, or add a lamp"
    " on that side",
)
TAGS_PALE = _catalogue(
    "tags_pale",
    "the tags are pale, black is nearly as bright as white: let no lamp shine into the lens, and"
    " wipe it",
)
LIGHT_FLICKERS = _catalogue(
    "light_flickers",
    "the light flickers by {percent} %: use another lamp, or an exposure of 10 or 20 ms (where"
    " mains have 60 Hz, 8.3 or 16.7)",
)
EXPOSURE_CHANGES = _catalogue(
    "exposure_changes",
    "the camera changes its exposure by itself: add ?exposure_ms=10 to its URL",
)
READING_GOOD = _catalogue("reading_good", "{pieces} pieces and {empty} empty cells read")
PICTURE_SHAKES = _catalogue(
    "picture_shakes", "the picture shakes by {shift_mm} mm: fasten the camera and the board"
)
CELLS_NOT_SEEN = _catalogue(
    "cells_not_seen",
    "{cells} cannot be seen: take hands and things away, or move the lamp that shines there",
)
NO_PIECE_READ = _catalogue("no_piece_read", "no piece is read: set the pieces up, as for a game")
PIECE_READ_BADLY = _catalogue(
    "piece_read_badly", "{cell} is read by {percent} % only: wipe its tag, or print it anew"
)
LENS_FITS = _catalogue("lens_fits", "calibrated, the corner tags fit to {error_px} px: good")
LENS_FITS_UNCALIBRATED = _catalogue(
    "lens_fits_uncalibrated", "not calibrated, the corner tags fit to {error_px} px: good"
)
CALIBRATE_LENS = _catalogue(
    "calibrate_lens",
    "the corner tags fit to {error_px} px only: calibrate it with `laserboard calibrate lens`",
)
CALIBRATE_LENS_AGAIN = _catalogue(
    "calibrate_lens_again",
    "the corner tags fit to {error_px} px only: calibrate it again with `laserboard calibrate"
    " lens`",
)

# -- watching a table --------------------------------------------------------------------------

HAND_OVER_BOARD = _catalogue("hand_over_board", "a hand is over the board")
WARNING = _catalogue("warning", "! {warning}")
COVERED = _catalogue("covered", "! covered: {cells}")
ON_THE_BOARD = _catalogue("on_the_board", "on the board: {pieces}")
NO_SETUP = _catalogue(
    "no_setup", "this is not a setup of the game: moves are followed only from a --position"
)
PLAYERS_TO_MOVE = _catalogue("players_to_move", "{players} to move")
TURN_MADE = _catalogue("turn_made", "{moves}: {headline}")
TAKE_OFF = _catalogue("take_off", "take the {piece} off {cell}")
MOVE_UNCLEAR = _catalogue(
    "move_unclear", "unclear: one of {count} moves, or none; hands off, please"
)
CELL_CHANGED = _catalogue("cell_changed", "{cell}: {before} -> {after}")
EMPTY = _catalogue("empty", "empty")
PIECE = _catalogue("piece", "{player} {piece}, turned {orientation}")
