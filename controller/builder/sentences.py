"""Sentences of the doctor, of the search for devices, and about brightness and sharpness.

Other themes are in `calibration_sentences` (also `laserboard watch`) and `paper_sentences` (printed
parts, wiring, sheets): one module would be too long. All keys start with `builder.`.
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
NEEDS_IMAGE = _catalogue("needs_image", "there is no image")
NEEDS_BOARD_IN_IMAGE = _catalogue("needs_board_in_image", "the board is not found in the image")
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
UNKNOWN_VERSION = _catalogue("unknown_version", "of an unknown version")
NO_LEDS = _catalogue("no_leds", "no LEDs")
DEVICES_FORBIDDEN = _catalogue("devices_forbidden", "you may not use {devices}")
DEVICES_ALLOWED = _catalogue("devices_allowed", "you may use every device ({devices})")
NO_DEVICES = _catalogue("no_devices", "no device needs any")

NO_CAMERA_FOUND = _catalogue("no_camera_found", "no camera found")
CAMERA_FORMAT = _catalogue("camera_format", "{camera}: {width} x {height}")
FRAME_RATE = _catalogue("frame_rate", "{rate_hz} images a second")
EXPOSURE_LOCKED = _catalogue("exposure_locked", "exposure locked")
EXPOSURE_NOT_LOCKED = _catalogue("exposure_not_locked", "exposure NOT locked")
WHITE_LEVEL = _catalogue("white_level", "white is {level} of 255: {verdict}")
BOARD_NOT_FOUND = _catalogue("board_not_found", "not found in the image")
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
VOICE_READY = _catalogue("voice_ready", "ready")
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
    "disk_written", "games are stored in {folder}: {free} free, written in {time}"
)
DISK_ACCEPTS_NOTHING = _catalogue("disk_accepts_nothing", "{folder} cannot be written to")
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
NO_GAMES_STORED = _catalogue("no_games_stored", "none stored yet")
GAMES_STORED = _catalogue("games_stored", "{count} stored")
ONE_RESUMABLE = _catalogue("one_resumable", "one can be resumed: {games} (`laserboard resume`)")
SEVERAL_RESUMABLE = _catalogue(
    "several_resumable", "{count} can be resumed: {games} (`laserboard resume`)"
)
GAME_DAMAGED = _catalogue("game_damaged", "{game}: {damage}")
MORE_DAMAGED = _catalogue("more_damaged", "{count} more: `laserboard games verify`")

# -- devices found for a new board file -----------------------------------------------------------

DEVICE_FOUND = _catalogue("device_found", "{url} ({name})")
CAMERA_NOT_FOUND = _catalogue("camera_not_found", "not found ({reason}); name it under `camera`")
NO_CAMERA_DETECTED = _catalogue(
    "no_camera_detected",
    "none found; plug one in and name it under `camera`, or write sim:// there",
)
LEDS_NOT_DETECTED = _catalogue("leds_not_detected", "not found ({reason}); name them under `leds`")
NO_BOARD_ON_USB = _catalogue(
    "no_board_on_usb",
    "no board answers on USB; plug it in and name it under `leds`, or write sim://",
)

# -- symptoms of the problems that the doctor knows ------------------------------------------------

SYMPTOM_LIBRARY_MISSING = _catalogue(
    "symptom_library_missing", "A command ends with `ModuleNotFoundError`."
)
SYMPTOM_LIBRARY_TOO_OLD = _catalogue(
    "symptom_library_too_old", "New errors after an update of the system."
)
SYMPTOM_PROGRAM_DEFECT = _catalogue(
    "symptom_program_defect", "A line of the doctor names a Python error."
)
SYMPTOM_NO_BOARD_FILE = _catalogue("symptom_no_board_file", "The board file is not found.")
SYMPTOM_BAD_BOARD_FILE = _catalogue(
    "symptom_bad_board_file", "The board file was edited, and now nothing starts."
)
SYMPTOM_PERMISSION_DENIED = _catalogue(
    "symptom_permission_denied", "A camera or a serial port is there, but permission is denied."
)
SYMPTOM_ROOT_ONLY = _catalogue("symptom_root_only", "Only root may use a device.")
SYMPTOM_NO_CAMERA = _catalogue("symptom_no_camera", "No camera is found.")
SYMPTOM_DEVICE_SILENT = _catalogue(
    "symptom_device_silent", "A device was there a moment ago and does not answer any more."
)
SYMPTOM_EXPOSURE_NOT_LOCKED = _catalogue(
    "symptom_exposure_not_locked",
    "The image gets brighter and darker by itself, and pieces flicker.",
)
SYMPTOM_SLOW_CAMERA = _catalogue(
    "symptom_slow_camera", "A move is seen seconds after the hand is gone."
)
SYMPTOM_GLARE = _catalogue("symptom_glare", "Pieces near a lamp or window are not read.")
SYMPTOM_BOARD_NOT_IN_VIEW = _catalogue(
    "symptom_board_not_in_view", "The board is not found in the image."
)
SYMPTOM_BOARD_MISMEASURED = _catalogue(
    "symptom_board_mismeasured",
    "Pieces on one side of the board are read, those on the other are not.",
)
SYMPTOM_TAGS_TOO_SMALL = _catalogue(
    "symptom_tags_too_small", "Pieces are read by day, but not in the evening."
)
SYMPTOM_CELLS_COVERED = _catalogue(
    "symptom_cells_covered", "A square counts as covered although no hand is near."
)
SYMPTOM_LEDS_MISCOUNTED = _catalogue(
    "symptom_leds_miscounted",
    "The beam runs beside the pieces, or ends in the middle of the board.",
)
SYMPTOM_LEDS_SILENT = _catalogue("symptom_leds_silent", "The LEDs stay dark, or freeze.")
SYMPTOM_LEDS_DAMAGED = _catalogue("symptom_leds_damaged", "Single LEDs flash in wrong colours.")
SYMPTOM_LEDS_NOT_FOUND = _catalogue(
    "symptom_leds_not_found", "The LEDs are plugged in, but stay dark from the start."
)
SYMPTOM_LEDS_DIM = _catalogue("symptom_leds_dim", "The beam is hard to see by day.")
SYMPTOM_NO_ESPEAK = _catalogue("symptom_no_espeak", "Turns are not spoken.")
SYMPTOM_VOICE_STOPPED = _catalogue("symptom_voice_stopped", "The voice has stopped.")
SYMPTOM_COMPUTER_CANNOT_PLAY = _catalogue(
    "symptom_computer_cannot_play", "The computer has a seat in a game that it cannot play."
)
SYMPTOM_NO_COMPILED_CORE = _catalogue(
    "symptom_no_compiled_core", "The computer plays weakly, or thinks for long."
)
SYMPTOM_DISK_FULL = _catalogue(
    "symptom_disk_full", "The laser does not fire: the turn cannot be written."
)
SYMPTOM_SLOW_DISK = _catalogue(
    "symptom_slow_disk", "There is a pause between the press and the beam."
)
SYMPTOM_MACHINE_BUSY = _catalogue("symptom_machine_busy", "Game clocks jump.")
SYMPTOM_WRONG_DATE = _catalogue("symptom_wrong_date", "Games are stored under a wrong date.")

# -- the doctor's remedies ---------------------------------------------------------------------

REMEDY_LIBRARIES = _catalogue(
    "remedy_libraries",
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
    "too slow to follow hands: more light, or a smaller image (?width=1280)",
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
    "more light; or bring the camera nearer, or ask it for larger images: ?width=1920",
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

# -- brightness and sharpness of an image -----------------------------------------------------

VERDICT_AND_ADVICE = _catalogue("verdict_and_advice", "{verdict}: {advice}")
SATURATED = _catalogue("saturated", "{percent} % of the image is saturated")
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
