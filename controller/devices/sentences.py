"""Sentences of the drivers: why a device is lost, what it did not accept, and what to do about it.

`{reason}`, `{error}` and `{message}` hold the words of the operating system or of a library. A
problem that has a remedy is reported with `controller.ports.sentences`, which keeps the two apart.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("devices")

# -- every device --------------------------------------------------------------------------------

DEFECT = _catalogue("defect", "{error}: {message}")
DEFECT_IN = _catalogue("defect_in", "{name}: {error}: {message}")
FAULT = _catalogue("fault", "{device}: {reason}")
NOT_OPEN = _catalogue("not_open", "not open")
DEVICE_NOT_OPEN = _catalogue("device_not_open", "{device} is not open")
HOST_UNREACHABLE = _catalogue("host_unreachable", "{host} cannot be reached: {reason}")
CANNOT_OPEN = _catalogue("cannot_open", "{device} cannot be opened: {reason}")
UNPLUGGED = _catalogue("unplugged", "{path} was unplugged")
PLUG_IN_AGAIN = _catalogue("plug_in_again", "plug it in again")
NO_SUCH_DEVICE = _catalogue("no_such_device", "there is no {path}")
NOT_A_PI = _catalogue("not_a_pi", "not a Raspberry Pi: use {alternative}")
PINS_UNUSABLE = _catalogue("pins_unusable", "cannot use the pins: {reason}")
INSTALL_LGPIO = _catalogue(
    "install_lgpio", "`sudo apt install python3-lgpio`, or use {alternative}"
)
JOIN_GPIO_GROUP = _catalogue(
    "join_gpio_group",
    "your user must be in the group gpio (`sudo adduser $USER gpio`, then log in again) and the"
    " current folder writable, or use {alternative}",
)

# -- cameras -------------------------------------------------------------------------------------

CAMERA_FAULT = _catalogue("camera_fault", "camera {camera}: {reason}")
NO_CAMERA = _catalogue("no_camera", "there is none")
PLUG_ONE_IN = _catalogue("plug_one_in", "plug one in")
PLUG_CAMERA_IN = _catalogue(
    "plug_camera_in", "plug the camera in; `laserboard camera list` shows them all"
)
CAMERA_FORBIDDEN = _catalogue("camera_forbidden", "you may not use {path}")
THIS_FORBIDDEN = _catalogue("this_forbidden", "you may not use it")
JOIN_VIDEO_GROUP = _catalogue(
    "join_video_group", "run `sudo usermod -aG video $USER` and log in again"
)
CAMERA_DOES_NOT_OPEN = _catalogue("camera_does_not_open", "{path} does not open")
IN_USE_OR_NO_CAMERA = _catalogue(
    "in_use_or_no_camera", "another program uses it, or it is not a camera"
)
CAMERA_SILENT = _catalogue("camera_silent", "does not answer: {reason}")
CAMERA_GONE = _catalogue("camera_gone", "{path} is gone")
WAS_IT_UNPLUGGED = _catalogue("was_it_unplugged", "was it unplugged?")
IMAGES_STOPPED = _catalogue("images_stopped", "it has stopped sending images")
DOES_NOT_START = _catalogue("does_not_start", "it does not start")
CHECK_RIBBON = _catalogue("check_ribbon", "check the ribbon cable")
NO_GOOD_IMAGE = _catalogue("no_good_image", "no good image for {seconds} s")
ONLY_DAMAGED_IMAGES = _catalogue("only_damaged_images", "it sends nothing but damaged images")
IMAGES_UNREADABLE = _catalogue("images_unreadable", "its images cannot be read: {error}: {message}")
NO_PICAMERA2 = _catalogue("no_picamera2", "picamera2 is not installed")
INSTALL_PICAMERA2 = _catalogue(
    "install_picamera2",
    "run `sudo apt install python3-picamera2` and make the virtual environment with"
    " --system-site-packages",
)
PICAMERA2_DOES_NOT_LOAD = _catalogue("picamera2_does_not_load", "picamera2 does not load: {reason}")
PI_SEES_NONE = _catalogue("pi_sees_none", "the Pi sees no cameras")
PI_SEES_ONE = _catalogue("pi_sees_one", "the Pi sees 1 camera")
PI_SEES = _catalogue("pi_sees", "the Pi sees {count} cameras")
CHECK_PI_CAMERA = _catalogue(
    "check_pi_camera",
    "switch it off, check the ribbon cable; `rpicam-hello --list-cameras` shows what it sees",
)
CAMERA_SENDS = _catalogue("camera_sends", "no MJPG: the camera sends {format}, which makes it slow")
RAW_IMAGES = _catalogue("raw_images", "raw images")
OTHER_SIZE = _catalogue(
    "other_size",
    "asked for {width} x {height}, the camera gives {given_width} x {given_height}",
)
OTHER_RATE = _catalogue("other_rate", "asked for {asked} images a second, the camera gives {given}")
OTHER_EXPOSURE = _catalogue(
    "other_exposure", "asked for an exposure of {asked} ms, the camera took {taken} ms"
)
OTHER_GAIN = _catalogue("other_gain", "asked for a gain of {asked}, the camera took {taken}")
OTHER_WHITE_BALANCE = _catalogue(
    "other_white_balance", "asked for a white balance of {asked} K, the camera took {taken} K"
)
OTHER_FOCUS = _catalogue("other_focus", "asked for a focus of {asked}, the camera did not take it")
EXPOSURE_NOT_LOCKED = _catalogue(
    "exposure_not_locked", "the exposure cannot be locked: the camera keeps choosing it"
)
WHITE_BALANCE_NOT_LOCKED = _catalogue(
    "white_balance_not_locked", "the white balance cannot be locked: the camera keeps choosing it"
)
FOCUS_NOT_LOCKED = _catalogue(
    "focus_not_locked", "the focus cannot be locked: a hand over the board will blur the image"
)
NO_SUCH_FILE = _catalogue("no_such_file", "there is no such file")
NO_SUCH_FOLDER = _catalogue("no_such_folder", "there is no such folder")
IS_A_FOLDER = _catalogue("is_a_folder", "this is a folder, not a file")
IS_A_FILE = _catalogue("is_a_file", "this is a file, not a folder")
NOT_A_VIDEO = _catalogue("not_a_video", "{file} is not a video that can be played")
VIDEO_HAS_NO_IMAGE = _catalogue("video_has_no_image", "{file} has no image that can be shown")
VIDEO_ENDED_AFTER_ONE = _catalogue("video_ended_after_one", "{file} has ended after 1 image")
VIDEO_ENDED = _catalogue("video_ended", "{file} has ended after {count} images")
NO_IMAGES = _catalogue("no_images", "no {suffixes} in this folder")
NO_IMAGE_LEFT = _catalogue("no_image_left", "there is no image left that can be read")
IMAGES_ENDED = _catalogue("images_ended", "all images were shown, {count} of them")
IMAGE_LEFT_OUT = _catalogue("image_left_out", "left out: {reason}")
SIMULATED_CAMERA_AWAY = _catalogue("simulated_camera_away", "the simulated camera is unplugged")
SIMULATED_CAMERA_UNPLUGGED = _catalogue(
    "simulated_camera_unplugged", "the simulated camera was unplugged"
)

# -- LEDs ----------------------------------------------------------------------------------------

NO_LEDS = _catalogue("no_leds", "no LEDs")
LEDS_IN_MEMORY = _catalogue("leds_in_memory", "LEDs in memory")
TERMINAL_PICTURE = _catalogue("terminal_picture", "a picture in the terminal")
DDP_HOST = _catalogue("ddp_host", "DDP at {host} port {port}")
ADALIGHT = _catalogue("adalight", "Adalight at {baud} baud")
SPI_LEDS = _catalogue("spi_leds", "{kind} on SPI at {mhz} MHz")
SPI_LEDS_BY_SOFTWARE = _catalogue(
    "spi_leds_by_software", "{kind} on SPI by software, as fast as it can"
)
FIRMWARE = _catalogue("firmware", "Laserboard firmware {version} on board {board}")
NO_TERMINAL = _catalogue("no_terminal", "terminal://: there is no terminal to draw in here")
TERMINAL_GONE = _catalogue("terminal_gone", "cannot write to the terminal: {reason}")
WRONG_PICTURE = _catalogue(
    "wrong_picture",
    "{leds}: got a picture of {shape} {type}, want ({count}, 3) uint8: as many LEDs as the board"
    " file says",
)
NO_ANSWER_WITHIN = _catalogue("no_answer_within", "{leds} gave no answer within {ms} ms")
UNKNOWN_HOST = _catalogue("unknown_host", "the host name {host} cannot be resolved")
IS_HOST_ON = _catalogue(
    "is_host_on",
    "is it switched on and in the same network? Its number works too, such as ddp://192.168.1.40",
)
DDP_REFUSED = _catalogue("ddp_refused", "no program listens on port {port} of {host}")
IS_DDP_ON = _catalogue("is_ddp_on", "is DDP on? (WLED: Config, Sync Interfaces, Realtime)")
SPI_CANNOT_OPEN = _catalogue("spi_cannot_open", "SPI {bus}.{device} cannot be opened: {reason}")
SWITCH_SPI_ON = _catalogue(
    "switch_spi_on",
    "switch SPI on (`sudo raspi-config nonint do_spi 0`), install laserboard[pi], and join the"
    " groups gpio and spi",
)
SPI_FAULT = _catalogue("spi_fault", "SPI {bus}.{device}: {reason}")
STAYS_DARK = _catalogue("stays_dark", "the board acknowledged the picture but stays dark")
NOT_GOING_DARK = _catalogue("not_going_dark", "the board does not go dark: {refusal}")
NO_BOARD_STATS = _catalogue("no_board_stats", "the board sends no statistics: {refusal}")
NOT_BOARD_STATS = _catalogue("not_board_stats", "the board answered STATS with {answer}")
OTHER_PROTOCOL = _catalogue(
    "other_protocol", "the board on {path} speaks protocol {version}, this program {known}"
)
FLASH_FIRMWARE = _catalogue(
    "flash_firmware",
    "flash the firmware that belongs to this program: hold BOOTSEL while you plug the Pico in,"
    " then copy laserboard-pico.uf2 onto the drive that appears",
)
TOO_MANY_LEDS = _catalogue(
    "too_many_leds",
    "the board on {path} drives {max_leds} LEDs on {max_lanes} lanes at most, the board file has"
    " {leds} on {lanes}",
)
SETTINGS_REFUSED = _catalogue(
    "settings_refused",
    "the board on {path} refuses the settings of the board file, {refusal}: {limit_ma} mA,"
    " {watchdog_ms} ms, LEDs {leds}",
)
PICTURE_REFUSED = _catalogue("picture_refused", "the board refuses the picture: {refusal}")
HELLO_REFUSED = _catalogue("hello_refused", "the board on {path} refuses HELLO: {refusal}")
HELLO_UNKNOWN = _catalogue("hello_unknown", "{path} does not know the message HELLO")
BOARD_SILENT = _catalogue(
    "board_silent", "{path} does not answer: there is no board, or none with our firmware"
)
TRY_PORTS = _catalogue("try_ports", "`laserboard ports` tries them all")
LIST_PORTS = _catalogue("list_ports", "`laserboard ports` lists what is there")
EXPLAIN_PORTS = _catalogue("explain_ports", "`laserboard ports` says why for each")
SEVERAL_BOARDS = _catalogue("several_boards", "boards answer on {paths}")
NAME_ONE = _catalogue("name_one", "name one, such as {url}")
NO_PORT = _catalogue("no_port", "this machine has no serial port")
PLUG_BOARD_IN = _catalogue("plug_board_in", "plug the board in")
NO_BOARD_ANSWERS = _catalogue("no_board_answers", "no board answers on {paths}")
PORT_FULL = _catalogue("port_full", "{path} does not accept data")
IS_BOARD_RUNNING = _catalogue("is_board_running", "is the board running?")
PORT_FORBIDDEN = _catalogue("port_forbidden", "no permission for {path}")
JOIN_PORT_GROUP = _catalogue(
    "join_port_group", "`sudo usermod -aG {group} $USER`, then log in again"
)
PORT_HELD = _catalogue("port_held", "another program holds {path}")
CLOSE_HOLDER = _catalogue("close_holder", "close it (`fuser {path}` names it)")
NOT_A_PORT = _catalogue("not_a_port", "{path} is not a serial port")

# -- the firmware on this machine ----------------------------------------------------------------

NO_SOURCES = _catalogue("no_sources", "no {name} sources in {folder}")
INSTALL_AGAIN = _catalogue("install_again", "install laserboard again, or use --leds memory://")
FIRMWARE_NOT_STORED = _catalogue(
    "firmware_not_stored", "the firmware cannot be stored in {folder}: {reason}"
)
SET_CACHE_HOME = _catalogue(
    "set_cache_home", "set XDG_CACHE_HOME to a folder of yours, or use --leds memory://"
)
USE_MEMORY_LEDS = _catalogue("use_memory_leds", "use --leds memory://")
COMPILE_FAILED = _catalogue("compile_failed", "{command} failed; use --leds memory://\n{errors}")
NO_COMPILER = _catalogue("no_compiler", "no C compiler")
NAMED_COMPILER_MISSING = _catalogue("named_compiler_missing", "$CC is {name}, which is not there")
INSTALL_GCC = _catalogue("install_gcc", "install gcc, or use --leds memory://")

# -- buttons, keys, lamp, buzzer and voice -------------------------------------------------------

BUTTON_FAULT = _catalogue("button_fault", "button {button!r} on pin {pin}: {reason}")
IS_BUTTON_PIN_USED = _catalogue(
    "is_button_pin_used",
    "is another program using the pin? `buttons.pins` in the board file names another",
)
BUTTON_DOWN = _catalogue(
    "button_down",
    "{button!r} is down already and counts once it was released: does it stick, or is pin {pin}"
    " wired to something else?",
)
POWER_HELD = _catalogue("power_held", "power = {buttons} held for {seconds} s")
NOT_A_BUTTON = _catalogue("not_a_button", "{word} is not a button: {known}")
INPUT_ENDED = _catalogue("input_ended", "the input has ended")
INPUT_UNREADABLE = _catalogue("input_unreadable", "cannot read the input: {reason}")
NO_KEYS = _catalogue("no_keys", "no keys can be read: standard input is closed")
KEYBOARD_CLOSED = _catalogue("keyboard_closed", "buttons 'keyboard://': standard input is closed")
LAMP_FAULT = _catalogue("lamp_fault", "the lamp on pin {pin}: {reason}")
BUZZER_FAULT = _catalogue("buzzer_fault", "the buzzer on pin {pin}: {reason}")
IS_SPEAKER_PIN_USED = _catalogue(
    "is_speaker_pin_used",
    "is another program using the pin? `speaker` in the board file names another",
)
NOT_SPOKEN = _catalogue("not_spoken", "turns are not spoken: {program}: {reason}")
NO_ESPEAK = _catalogue("no_espeak", "turns are not spoken: {program} is not on this machine")
INSTALL_ESPEAK = _catalogue("install_espeak", "`sudo apt install {program}`, or do without")
CHECK_LOUDSPEAKER = _catalogue("check_loudspeaker", "is there a loudspeaker? `aplay -l` lists them")
SPEECH_TIMED_OUT = _catalogue("speech_timed_out", "error: it did not come to an end")
ENDED_WITH = _catalogue("ended_with", "it ended with {code}")
NO_SUCH_VOICE = _catalogue("no_such_voice", "there is no voice {value}{suggestion}")

# -- journals and images of turns ----------------------------------------------------------------

JOURNAL_CLOSED = _catalogue("journal_closed", "{journal} is closed: open it again to write on")
JOURNAL_EXISTS = _catalogue(
    "journal_exists", "{journal} is there already: a new game needs a new name"
)
JOURNAL_JUST_CREATED = _catalogue(
    "journal_just_created", "{journal} is there already: it was created just now"
)
JOURNAL_CHANGED = _catalogue(
    "journal_changed",
    "{journal} was changed by something else: move it away, and the next try writes the game again"
    " from memory",
)
JOURNAL_IN_USE = _catalogue(
    "journal_in_use",
    "{journal} is being written by another laserboard: end that one first, or begin a new game",
)
JOURNAL_FAULT = _catalogue("journal_fault", "{journal}: {damage}")
KEEP_INTACT_LINES = _catalogue(
    "keep_intact_lines", "to continue from there: head -n {lines} {journal} > NEW.journal"
)
BEGIN_NEW_GAME = _catalogue("begin_new_game", "begin a new game, and keep this file for a repair")
BYTE_CUT_OFF = _catalogue(
    "byte_cut_off",
    "{journal}: {damage}. A power cut causes this: 1 byte was cut off and stored in {file}",
)
BYTES_CUT_OFF = _catalogue(
    "bytes_cut_off",
    "{journal}: {damage}. A power cut causes this: {count} bytes were cut off and stored in {file}",
)
CANNOT_WRITE = _catalogue("cannot_write", "cannot write {file}: {reason}")
DISK_ACCEPTS_NOTHING = _catalogue("disk_accepts_nothing", "the disk accepts no data")
FILE_REPLACED = _catalogue("file_replaced", "another file has taken its place")
MAKE_ROOM = _catalogue(
    "make_room", "make room on the disk (`df -h {folder}` shows it), then continue"
)
ALLOW_WRITING = _catalogue(
    "allow_writing", "let yourself write in {folder}, or set XDG_DATA_HOME to a folder of yours"
)
PUT_DISK_BACK = _catalogue(
    "put_disk_back",
    "if its disk was taken out, put it back, then continue: lost entries are written again",
)
COPY_FOLDER = _catalogue(
    "copy_folder", "the disk fails: copy {folder} to another one soon, then continue"
)
CORRECT_FOLDER = _catalogue("correct_folder", "correct this in {folder}, then continue")
DISK_TOO_SLOW = _catalogue(
    "disk_too_slow", "the disk of {folder} is too slow for images of every turn"
)
OLD_IMAGES_STAY = _catalogue("old_images_stay", "old images stay: {reason}")
NO_TURN_IMAGE = _catalogue(
    "no_turn_image", "no image of this turn: {reason}; {remedy}; play continues without"
)
MAKE_ROOM_FOR_IMAGES = _catalogue(
    "make_room_for_images", "make room on the disk, or `laserboard games evidence prune`"
)
ALLOW_WRITING_IMAGES = _catalogue("allow_writing_images", "let yourself write in {folder}")
CORRECT_IMAGE_FOLDER = _catalogue("correct_image_folder", "correct this in {folder}")
QUOTA_EXCEEDED = _catalogue(
    "quota_exceeded",
    "no image of this turn: {size} of images are stored of games that are not over, and the"
    " quota is {quota_mb} MB; raise referee.evidence.quota_mb in the board file",
)

# -- computer players and programs ---------------------------------------------------------------

CANNOT_START = _catalogue("cannot_start", "cannot start {program}: {reason}")
COMPUTER_PLAYER = _catalogue("computer_player", "the computer player")
THE_PROGRAM = _catalogue("the_program", "the program")
PLAYER_ENDED = _catalogue("player_ended", "{player} ended with {code}")
PLAYER_KILLED = _catalogue("player_killed", "{player} was ended by signal {signal}")
PLAYER_NOT_STARTED = _catalogue(
    "player_not_started", "{player} did not start in time, and was ended"
)
PLAYER_TOO_LATE = _catalogue("player_too_late", "{player} did not answer in time, and was ended")
LINE_TOO_LONG = _catalogue(
    "line_too_long", "a line of more than {bytes} bytes: no position needs that many"
)
ENDLESS_WAIT = _catalogue("endless_wait", "wait would never end: only stop ends this search")
REQUESTS_HANG = _catalogue("requests_hang", "earlier requests still hang")
NO_ANSWER_IN_TIME = _catalogue("no_answer_in_time", "no answer within {seconds} s")
ANSWER_UNREADABLE = _catalogue("answer_unreadable", "an answer that cannot be read ({error})")
ANSWER_NOT_HTTP = _catalogue("answer_not_http", "an answer that is not HTTP/1.1, or breaks off")
ANSWER_TOO_LONG = _catalogue("answer_too_long", "an answer of more than {kib} KiB")
ANSWER_NOT_UTF8 = _catalogue("answer_not_utf8", "an answer that is not UTF-8")
ANSWER_REDIRECTS = _catalogue("answer_redirects", "status {status}: redirects are not followed")
ANSWER_STATUS = _catalogue("answer_status", "status {status} instead of 200")
ANSWER_COMPRESSED = _catalogue("answer_compressed", "a compressed answer: send it as it is")
ANSWER_NOT_JSON = _catalogue("answer_not_json", "an answer that is not application/json")
ANSWER_CHARSET = _catalogue("answer_charset", "an answer in another charset than UTF-8")
PROGRAM_HOST_UNKNOWN = _catalogue(
    "program_host_unknown", "cannot be reached: the name of its host is not known"
)
PROGRAM_UNTRUSTED = _catalogue(
    "program_untrusted", "cannot be trusted: its certificate is not valid"
)
PROGRAM_TLS_FAILED = _catalogue("program_tls_failed", "no secure connection: TLS failed")
PROGRAM_REFUSED = _catalogue("program_refused", "cannot be reached: no program listens there")
CONNECTION_BROKE = _catalogue("connection_broke", "the connection broke")
CONNECTION_BROKE_BY = _catalogue("connection_broke_by", "the connection broke: {reason}")

# -- the MQTT broker -----------------------------------------------------------------------------

NO_PAHO = _catalogue(
    "no_paho",
    "events need paho-mqtt: `pip install paho-mqtt` where Laserboard is installed, on a Pi"
    " `sudo ./install.sh`",
)
BROKER_LOST = _catalogue("broker_lost", "the connection to {broker} was lost: trying again")
NOT_A_BROKER = _catalogue("not_a_broker", "{broker} does not answer as a broker does")
BROKER_NEEDS_USER = _catalogue(
    "broker_needs_user", "{broker} requires a user name: write mqtt://USER@HOST"
)
BROKER_NEEDS_PASSWORD = _catalogue(
    "broker_needs_password", "{broker} requires a password for {user}"
)
BROKER_REJECTS_USER = _catalogue(
    "broker_rejects_user", "{broker} rejects {user}: is the password right?"
)
BROKER_REJECTS = _catalogue("broker_rejects", "{broker} rejects the connection: {reason}")
BROKER_UNTRUSTED = _catalogue(
    "broker_untrusted", "{broker}: its certificate is not trusted ({reason}): name its CA file"
)
BROKER_NO_TLS = _catalogue(
    "broker_no_tls", "{broker}: no TLS there ({reason}): is it mqtt:// or another port?"
)
BROKER_UNKNOWN = _catalogue("broker_unknown", "{broker}: there is no host of that name")
NO_BROKER = _catalogue("no_broker", "no broker answers at {broker}: is it running?")
BROKER_SILENT = _catalogue("broker_silent", "{broker} does not answer")

# -- the simulated table -------------------------------------------------------------------------

TAG_UNKNOWN = _catalogue("tag_unknown", "tag {tag} is not a piece of this game")
NOTHING_THERE = _catalogue("nothing_there", "nothing stands on {cell}")
PIECE_GONE = _catalogue("piece_gone", "there is no piece {handle} on the table any more")
NO_SUCH_FAULT = _catalogue("no_such_fault", "no fault is called {name!r}")
NO_CABLE = _catalogue("no_cable", "the LEDs have no cable to pull: play with sim://")
CLOCK_FORWARD_ONLY = _catalogue("clock_forward_only", "a clock is only set forward while it runs")
