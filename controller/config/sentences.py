"""Sentences about board files and URLs of devices and services: what is wrong and what to write.

Slots called `value`, `url`, `name` or `part` hold an excerpt that is quoted already. A slot `want`
holds what the reader accepts: `docs/configuration.md` is made from it.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("config")

# -- places of a file ------------------------------------------------------------------------------

AT_KEY = _catalogue("at_key", "{file}:{line}: {key}: {complaint}")
AT_LINE = _catalogue("at_line", "{file}:{line}: {complaint}")
MISPLACED_KEY = _catalogue(
    "misplaced_key", "{error}; `{key}` belongs under {sections}: is the # still before that line?"
)
MISPLACED_KEY_AT = _catalogue(
    "misplaced_key_at",
    "{error}; `{key}` belongs under `{section}:`, and line {line} still begins with a #",
)

# -- files -----------------------------------------------------------------------------------------

BOARD_FILE = _catalogue("board_file", "board file")
LENS_FILE = _catalogue("lens_file", "lens file")
FILE_UNREADABLE = _catalogue("file_unreadable", "cannot read the {what} {path}: {reason}")
FILE_TOO_LARGE = _catalogue("file_too_large", "{path}: larger than {kib} KiB: this is no {what}")
FILE_NOT_UTF8 = _catalogue("file_not_utf8", "{path}:{line}: not UTF-8 text (byte {byte})")
TEXT_TOO_LONG = _catalogue("text_too_long", "{file}: longer than {kib} KiB: no file of settings")
TEXT_EMPTY = _catalogue("text_empty", "{file}: is empty")
NOT_YAML = _catalogue("not_yaml", "{file}:{line}: not YAML: {problem}")
CONTROL_CHARACTER = _catalogue("control_character", "it has a control character")
NO_ALIASES = _catalogue(
    "no_aliases", "anchors (&) and aliases (*) are not allowed: write the value itself"
)
NESTED_TOO_DEEPLY = _catalogue("nested_too_deeply", "nested deeper than {most} levels")
NO_SUCH_BOARD = _catalogue("no_such_board", "there is no board {name}{hint}")
NO_SUCH_BOARD_NEAR = _catalogue(
    "no_such_board_near", "there is no board {name}{hint} (shipped: {boards})"
)
NAME_A_BOARD_FILE = _catalogue(
    "name_a_board_file", "name a file of your own by its path, such as ./mine.yaml"
)
BOARD_HAS_GAME = _catalogue(
    "board_has_game", "the board {board!r} has a game laid out on it: write the board alone"
)
GRID_WITHOUT_FILE = _catalogue(
    "grid_without_file", "only boards of squares and regular hexagons have a file"
)

# -- values ----------------------------------------------------------------------------------------

UNKNOWN_KEY = _catalogue("unknown_key", "unknown key{hint}")
KEY_TWICE = _catalogue("key_twice", "given twice, first on line {line}")
KEY_MISSING = _catalogue("key_missing", "{key!r} is missing")
GOT_WANT = _catalogue("got_want", "got {value}, want {want}")
GOT_LIST_WANT = _catalogue("got_list_want", "got a list of {count}, want {want}")
A_SECTION = _catalogue("a_section", "a section")
A_LIST = _catalogue("a_list", "a list")
NOTHING = _catalogue("nothing", "nothing")
SECTION_LINES = _catalogue("section_lines", "a section of `key: value` lines")
PLAIN_KEY = _catalogue("plain_key", "a plain key")
NUMBER_RANGE = _catalogue("number_range", "a number from {low} to {high}")
NUMBER_RANGE_UNIT = _catalogue("number_range_unit", "a number from {low} to {high} {unit}")
WHOLE_NUMBER_RANGE = _catalogue("whole_number_range", "a whole number from {low} to {high}")
SECONDS = _catalogue("seconds", "seconds")
IMAGE_WIDTHS = _catalogue("image_widths", "widths of the image")
TRUE_OR_FALSE = _catalogue("true_or_false", "true or false")

# -- the board -------------------------------------------------------------------------------------

SQUARE_ONLY = _catalogue(
    "square_only", "only a board of kind square has this; the size of this one is hex.radius"
)
HEX_ONLY = _catalogue("hex_only", "only a board of kind hex has this")
FREE_ROWS = _catalogue("free_rows", "a list of one number, how many rows are left free above")
FLAT_HEXAGONS = _catalogue(
    "flat_hexagons",
    "flat is not supported, all games use pointy-top hexagons: write pointy and turn the"
    " board by 30 degrees",
)
TAG_TOO_WIDE = _catalogue(
    "tag_too_wide", "a tag of {tag_mm} mm does not fit on a cap of {cap_mm} mm (cap_mm)"
)
CAP_TOO_WIDE = _catalogue(
    "cap_too_wide", "a cap of {cap_mm} mm does not fit on a cell of {cell_mm} mm (board.cell_mm)"
)
CORNER_ON_BOARD = _catalogue(
    "corner_on_board",
    "a corner tag of {corner_mm} mm would lie on the board: want {least_mm} mm or more",
)
SPARE_OF_SPARE = _catalogue(
    "spare_of_spare", "{tag} is a spare itself: name the tag of the piece that is replaced"
)
SPARE_OF_CORNER = _catalogue("spare_of_corner", "{tag} is a corner tag: a spare stands for a piece")
SPARE_TWICE = _catalogue("spare_twice", "{spare} already stands for {tag}")
CAMERA_URL = _catalogue("camera_url", 'a camera, such as "usb://0"')
LENS_OR_FILE = _catalogue("lens_or_file", "a lens file, or its values")
LENS_CENTRE = _catalogue("lens_centre", "a list of two numbers, in widths of the image")
LENS_TERMS = _catalogue("lens_terms", "a list of 4 or 5 numbers: k1, k2, p1, p2, k3")

# -- LEDs ------------------------------------------------------------------------------------------

POWER_TOO_LOW = _catalogue(
    "power_too_low",
    "{leds} LEDs take {leds} mA when they are dark: want more, up to what the power supply gives",
)
LED_PLACE = _catalogue("led_place", 'where the LEDs are, such as "serial:///dev/ttyACM0"')
LEDS_PER_CELL = _catalogue(
    "leds_per_cell", "a list of two numbers, columns and rows of LEDs in a cell"
)
TOO_MANY_LEDS_IN_CELL = _catalogue(
    "too_many_leds_in_cell", "{columns} x {rows} are {count} LEDs in a cell: at most {most}"
)
HEXAGON_HAS_ONE_LED = _catalogue(
    "hexagon_has_one_led", "a hexagon has one LED, in its middle: write [1, 1]"
)
LIST_OF_STRIPS = _catalogue("list_of_strips", "a list of strips, at least one")
LEDS_OF_OTHER_STRIP = _catalogue(
    "leds_of_other_strip",
    "LEDs {first} to {last} of lane {lane} belong to strips[{strip}] already: start at {free}, or"
    " leave `start` out",
)
LANE_SKIPPED = _catalogue(
    "lane_skipped", "lane {lane} is used, but lane {before} is not: count lanes from 0"
)
TOO_MANY_LEDS = _catalogue("too_many_leds", "{count} LEDs in all: at most {most}")
HEXAGONS_HAVE_NO_COLUMNS = _catalogue(
    "hexagons_have_no_columns",
    "hexagons have no straight columns: lay the strip along the rows",
)
STRIP_UNDER_NO_CELL = _catalogue(
    "strip_under_no_cell", "a strip under no cell (cells: []) has only lane, start and count"
)
SKIP_BEYOND_STRIP = _catalogue(
    "skip_beyond_strip", "{led} is beyond the strip, whose {count} LEDs are 0 to {last}"
)
STRIP_TOO_LONG = _catalogue("strip_too_long", "its cells need {count} LEDs: at most {most}")
WRONG_LED_COUNT = _catalogue(
    "wrong_led_count",
    "got {count}, but its cells need {needed} LEDs, with `skip` and `gaps`: correct these, or the"
    " cells; LEDs after the last cell do not count",
)
CELL_RECTANGLE = _catalogue(
    "cell_rectangle", "a list of two cells, opposite corners of a rectangle"
)
TWO_CELLS = _catalogue("two_cells", "two cells: for one alone write it twice")
CELL_NAME = _catalogue("cell_name", "the name of a cell, such as a1")
SKIPPED_LEDS = _catalogue("skipped_leds", "a list of numbers, LEDs of the strip under no cell")
NUMBER_TWICE = _catalogue("number_twice", "{number} is in the list twice")
LEDS_UNDER_CELL = _catalogue("leds_under_cell", "a list of {count}: the LEDs under {cell}")
LED_TWICE = _catalogue("led_twice", "LED {led} is in the list twice")
LED_UNDER_BOTH = _catalogue(
    "led_under_both",
    "LED {led} lies under both {other} and {cell}: name another LED, or override {other} too",
)
CELL_HAS_LEDS = _catalogue(
    "cell_has_leds",
    "{cell} has its LEDs from strips[{strip}] already: say with `cells` which rectangle each strip"
    " lies under",
)
DARK_CELLS = _catalogue(
    "dark_cells", "no LED lies under {cells}: add a strip, or list the LEDs in overrides"
)
DARK_CELLS_AND_MORE = _catalogue(
    "dark_cells_and_more",
    "no LED lies under {cells} and {count} more: add a strip, or list the LEDs in overrides",
)

# -- buttons and speaker ---------------------------------------------------------------------------

BUTTON_URL = _catalogue("button_url", 'buttons, such as "gpio://"')
SPEAKER_URL = _catalogue("speaker_url", 'a speaker, such as "gpio://"')
PIN_TAKEN = _catalogue("pin_taken", "pin {pin} is {button!r} already")
NO_BUTTON = _catalogue("no_button", "no button at all: leave out `pins` for the default ones")
NOTHING_AFTER_SCHEME = _catalogue("nothing_after_scheme", "nothing comes after {scheme}://")
NOT_A_PRESS = _catalogue("not_a_press", "{part}: want BUTTON@MILLISECONDS{hint}")
NOT_MILLISECONDS = _catalogue(
    "not_milliseconds", "{part} is not a time in milliseconds, 0 to {most_ms}"
)
PRESS_TOO_EARLY = _catalogue(
    "press_too_early",
    "{part} comes after {last_ms} ms: write presses in the order of their time, 0 to {most_ms}",
)

# -- play, referee and event -----------------------------------------------------------------------

NOT_A_SEAT = _catalogue(
    "not_a_seat", "{value} is not a player: write human, or computer:1 to computer:{strongest}"
)
NOT_A_SEAT_NEAR = _catalogue("not_a_seat_near", "{value} is not a player{hint}")
GAME_NAME = _catalogue("game_name", "the name of a game")
SETUP_NAME = _catalogue("setup_name", "the name of a setup")
GAME_WITHOUT_SETUPS = _catalogue(
    "game_without_setups", "{game} has no setups, it draws its own map: leave this out"
)
TWO_NAMES = _catalogue("two_names", "a list of two names, the first player's and the second's")
TWO_SEATS = _catalogue("two_seats", "a list of two, such as [human, computer:3]")
SEAT = _catalogue("seat", "human, or computer:3")
PLAYER_NAME = _catalogue("player_name", 'a name of up to {most} characters, or "" for none')
PLAYER_NAME_LINE = _catalogue("player_name_line", "a name of up to {most} characters on one line")
TIME_CONTROL = _catalogue("time_control", "a time control, such as 10m or 5m+3s")
PENALTIES = _catalogue(
    "penalties", "a list such as [2m, loss]: time for the opponent, loss or none"
)
PENALTY = _catalogue("penalty", "2m, loss or none")
BROKER_URL = _catalogue("broker_url", 'a broker, such as "mqtt://club@192.168.1.5"')
FILE_NAME = _catalogue("file_name", "the name of a file")
PASSWORD_IN_FILE = _catalogue(
    "password_in_file",
    "a password does not belong in this file: put it in one of its own, mode 0600, and name that"
    " one with password_file",
)
CA_FILE_WITHOUT_TLS = _catalogue(
    "ca_file_without_tls", "only a broker with TLS has this: write mqtts://"
)
PASSWORD_WITHOUT_BROKER = _catalogue("password_without_broker", "only valid with a broker")

# -- URLs of devices -------------------------------------------------------------------------------

BAD_URL = _catalogue("bad_url", "{device} {url}: {complaint}")
WRITE_URL = _catalogue("write_url", "write a URL such as {examples}")
LED_URLS = _catalogue("led_urls", "serial://auto, ddp://wled.local, terminal:// or sim://")
CAMERA_URLS = _catalogue(
    "camera_urls", "usb://0, pi://, auto://, file://game.mp4, folder://pictures or sim://"
)
BUTTON_URLS = _catalogue(
    "button_urls", 'gpio://, keyboard://, "script://fire 0@1500,pause@3000" or none://'
)
SPEAKER_URLS = _catalogue("speaker_urls", "gpio://, terminal:// or none://")
UNKNOWN_KIND = _catalogue("unknown_kind", "unknown kind{hint}")
AFTER_SCHEME = _catalogue("after_scheme", "after {scheme}:// comes {want}")
NOT_AN_OPTION = _catalogue("not_an_option", "{part} is not key=value")
UNKNOWN_OPTION = _catalogue("unknown_option", "unknown option {name}{hint}")
SCHEME_HAS_NO_OPTION = _catalogue(
    "scheme_has_no_option", "unknown option {name}; {scheme}:// has none"
)
OPTION_TWICE = _catalogue("option_twice", "{option} is given twice")
OPTION_WANT = _catalogue("option_want", "{option}: got {value}, want {want}")
OPTION_UNKNOWN_VALUE = _catalogue("option_unknown_value", "{option}: got {value}{hint}")
NOT_A_HOST = _catalogue("not_a_host", "LEDs {value}: not a host, or a host and a port")
SERIAL_PORT = _catalogue(
    "serial_port",
    "auto or a path, such as serial:///dev/ttyACM0; `laserboard ports` lists them",
)
ADALIGHT_PORT = _catalogue(
    "adalight_port", "a path, such as adalight:///dev/ttyUSB0; `laserboard ports` lists them"
)
DDP_HOST = _catalogue("ddp_host", "a host, such as ddp://wled.local or ddp://192.168.1.40:4048")
SPI_PINS = _catalogue("spi_pins", "spi: other pins cannot keep the pace that LEDs want")
ONLY_OPTIONS = _catalogue("only_options", "nothing, or ? and options")
USB_CAMERA = _catalogue("usb_camera", "a number or a path, such as usb://0 or usb:///dev/video2")
PI_CONNECTOR = _catalogue("pi_connector", "nothing or the number of a connector, such as pi://1")
ANY_CAMERA = _catalogue("any_camera", "nothing: it takes the camera that is connected")
RECORDING_PATH = _catalogue("recording_path", "a path, such as {scheme}://recordings/monday")
A_PATH = _catalogue("a_path", "a path")

# -- URLs of brokers and programs ------------------------------------------------------------------

_BROKER_FORM = "write mqtt://USER@HOST:PORT, or mqtts:// for TLS"
BROKER_NOT_A_WORD = _catalogue(
    "broker_not_a_word", f"a broker's URL is one short printable word: {_BROKER_FORM}"
)
BROKER_FORM = _catalogue("broker_form", f"broker {{url}}: {_BROKER_FORM}")
BROKER_UNKNOWN_KIND = _catalogue("broker_unknown_kind", "broker {url}: unknown kind{hint}")
BROKER_PASSWORD_IN_URL = _catalogue(
    "broker_password_in_url",
    "broker {url}: a password does not belong in a URL: put it in {variable}, or in a file of your"
    " own that is named with --password-file",
)
BROKER_WITHOUT_HOST = _catalogue(
    "broker_without_host", f"broker {{url}}: names no host: {_BROKER_FORM}"
)
BROKER_PATH = _catalogue(
    "broker_path", f"broker {{url}}: nothing may stand behind the host: {_BROKER_FORM}"
)
BROKER_WITHOUT_USER = _catalogue(
    "broker_without_user",
    f"broker {{url}}: there is a password, but for which user? {_BROKER_FORM}",
)
BROKER_WITHOUT_TLS = _catalogue(
    "broker_without_tls", "broker {url}: a CA file is for TLS: write mqtts://"
)
NO_CA_FILE = _catalogue("no_ca_file", "there is no CA file {path}")
NO_HOST_NAME = _catalogue("no_host_name", "{name} is not the name of a host")
PASSWORD_FILE_OPEN = _catalogue(
    "password_file_open",
    "the password file {path} can be read by others (mode {mode}): `chmod 600 {path}`",
)
PASSWORD_FILE_UNREADABLE = _catalogue(
    "password_file_unreadable", "cannot read the password file {path}: {reason}"
)
PASSWORD_FILE_NOT_TEXT = _catalogue(
    "password_file_not_text", "the password file {path} is not text"
)
PASSWORD_FILE_CONTENT = _catalogue(
    "password_file_content", "the password file {path} should hold the password, and nothing else"
)
PROGRAM_NOT_A_WORD = _catalogue(
    "program_not_a_word", "a program's URL is one printable word, such as http://127.0.0.1:8001"
)
PROGRAM_NOT_A_URL = _catalogue("program_not_a_url", "{url} is no URL: write http://HOST:PORT/PATH")
PROGRAM_SCHEME = _catalogue(
    "program_scheme",
    "{url}: a program is reached by http:// or https://, a person sits at the `board`, and the"
    " computer is `computer` or `computer:3`",
)
PROGRAM_WITHOUT_HOST = _catalogue(
    "program_without_host", "{url} names no host: write http://HOST:PORT/PATH"
)
