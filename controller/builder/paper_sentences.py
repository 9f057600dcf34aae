"""Sentences about printed bodies, parts to buy, connections, power and sheets.

`sentences` names the other catalogue modules of the package. Sheets print the text, drawings
measure it.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("builder")

# -- printed bodies and the mast ---------------------------------------------------------------

TAGS_LIE_FLAT = _catalogue(
    "tags_lie_flat",
    "{board}: its tags lie flat on the board (tags.cap_height_mm is 0), so that its pieces need no"
    " bodies; choose a board with a height, such as demo-10x8",
)
BODY_TOO_LOW = _catalogue(
    "body_too_low",
    "{board}: a body is {minimum_mm} mm high at least, and tags.cap_height_mm is {height_mm}:"
    " raise it, or glue the tags on discs of that height",
)
CAPS_TOO_WIDE = _catalogue(
    "caps_too_wide",
    "{board}: with caps of {cap_mm} mm (tags.cap_mm) no finger comes between pieces {cell_mm} mm"
    " apart (board.cell_mm): want caps of {maximum_mm} mm or less",
)
NO_BOARD_FOR_GAME = _catalogue("no_board_for_game", "no shipped board has room for {game}")
UNKNOWN_CAMERA = _catalogue("unknown_camera", "there is no camera {name}{suggestion}")
BAD_STL = _catalogue(
    "bad_stl", "{file}: no binary STL, or not all of it: remove it and render it again"
)
OPENSCAD_MISSING = _catalogue(
    "openscad_missing",
    "OpenSCAD is not installed: `sudo apt install openscad`, or `make -C hardware`, which"
    " installs it",
)
OPENSCAD_TIMED_OUT = _catalogue(
    "openscad_timed_out", "{part}: OpenSCAD took longer than {seconds} s"
)
EXIT_STATUS = _catalogue("exit_status", "exit status {status}")
OPENSCAD_FAILED = _catalogue(
    "openscad_failed", "{part} ({file}): OpenSCAD makes no solid of it\n{output}"
)
MAST_FOOT = _catalogue("mast_foot", "screwed or clamped down beside the board")
MAST_ELBOW = _catalogue("mast_elbow", "joins the upright tube and the arm")
MAST_HEAD = _catalogue("mast_head", "on the end of the arm")
MAST_PI = _catalogue("mast_pi", "holds a Raspberry Pi camera module")
MAST_WEBCAM = _catalogue(
    "mast_webcam", "instead of it: holds a webcam by its tripod thread, 1/4 inch"
)
GRID_TILE = _catalogue("grid_tile", "{columns} x {rows} squares of the light grid")
PIECES_OF = _catalogue("pieces_of", "{players}")

# -- labels in the pictures of the build guide -------------------------------------------------

PIECES_FOR = _catalogue("pieces_for", "{count} for {player}")
TAG_IN_SEAT = _catalogue("tag_in_seat", "the tag, cut out, glued into the seat")
TRAY_WITH_ARROW = _catalogue("tray_with_arrow", "the tray: the arrow shows the front")
BODY_ON_TRAY = _catalogue("body_on_tray", "the body, glued to the tray")
CAMERA_HEIGHT = _catalogue("camera_height", "camera {camera}: {height_mm} mm up")
TUBE_LENGTH = _catalogue("tube_length", "tube {length_mm} mm")

# -- parts and power ---------------------------------------------------------------------------

BAD_PART_KEYS = _catalogue(
    "bad_part_keys", "parts.yaml: {part}: wants name, for and eur; knows unit, group and note"
)
BAD_PART_GROUP = _catalogue(
    "bad_part_group", "parts.yaml: {part}: group is have or optional, or left out"
)
NO_WIRE_CARRIES = _catalogue(
    "no_wire_carries",
    "{amps} A over {metres} m are too much for any wire here: bring the supply nearer, or lower"
    " leds.ma_limit",
)
NO_FUSE_CARRIES = _catalogue(
    "no_fuse_carries", "no fuse for {amps} A: the largest has {largest_a} A"
)
NO_SUPPLY_GIVES = _catalogue(
    "no_supply_gives", "no supply for {amps} A: the largest has {largest_a} A"
)
SUPPLY_NOTE = _catalogue(
    "supply_note",
    "Supply: 5 V, {supply_a} A; main wires {wire}, {metres} m, which lose {drop_v} V.",
)
SUPPLIES_NOTE = _catalogue(
    "supplies_note",
    "{count} supplies of 5 V, {supply_a} A; main wires {wire}, {metres} m, which lose {drop_v} V.",
)
LIMIT_NOTE = _catalogue(
    "limit_note",
    "{leds} LEDs take {worst_a} A if all are white; the limit of leds.ma_limit keeps them to"
    " {limit_a} A. Dark they take {dark_ma} mA.",
)
MEASURED_NOTE = _catalogue(
    "measured_note", "Measured on real pictures, at their brightest: {pictures}."
)
PICTURE_MA = _catalogue("picture_ma", "{picture} {ma} mA")
PICTURE_NO_GAME = _catalogue("picture_no_game", "no game")
PICTURE_WINNER = _catalogue("picture_winner", "the winner")
PICTURE_BEAM = _catalogue("picture_beam", "a beam")
DROP_NOTE = _catalogue(
    "drop_note",
    "On the way to the worst placed feed {drop_v} V are lost ({percent} % of 5 V; 5 % are"
    " allowed): copper at 20 degrees, there and back.",
)
FUSE_NOTE = _catalogue(
    "fuse_note",
    "A fuse is loaded to 80 % at most, and every wire carries more than its fuse lets through.",
)

# -- list of parts -----------------------------------------------------------------------------

TO_BUY = _catalogue("to_buy", "to buy")
OPTIONAL = _catalogue("optional", "optional")
IF_NOT_AT_HAND = _catalogue("if_not_at_hand", "if you do not have it")

# -- connections -------------------------------------------------------------------------------

NO_LEDS_TO_WIRE = _catalogue(
    "no_leds_to_wire",
    "the board {board} has no LEDs, so there is nothing to wire: name a board with a `leds`"
    " section, such as demo-10x8",
)
UNKNOWN_SPI_BUS = _catalogue(
    "unknown_spi_bus", "leds.url: SPI {bus}: only the pins of SPI 0 are known, write gpio://spi"
)
PIN_TAKEN = _catalogue(
    "pin_taken",
    "{device} is on GPIO {gpio}, which SPI needs for the LEDs: give it another pin in the board"
    " file",
)
USB_CABLE = _catalogue("usb_cable", "USB cable")
USB_CABLE_WITH_POWER = _catalogue("usb_cable_with_power", "USB cable, also its power")
NETWORK = _catalogue("network", "network (Wi-Fi)")
FEED_REMARK = _catalogue("feed_remark", "for LEDs {first} to {last}; 1000 µF across")
FOUR_WIRES = _catalogue("four_wires", "four wires")
THREE_WIRES = _catalogue("three_wires", "three wires")
EACH_LED_REMARK = _catalogue("each_led_remark", "{wires}, {pitch_mm} mm, {count} times")
RUN_END_REMARK = _catalogue("run_end_remark", "{wires}; no +5 V after LED {leds}")
DATA_REMARK = _catalogue("data_remark", "through 330 ohm; ground beside it")
WLED_DATA_REMARK = _catalogue(
    "wled_data_remark", "through 330 ohm; ground beside it; set {leds} LEDs for this output"
)
CHAIN_REMARK = _catalogue("chain_remark", "and ground beside them")
COMMON_GROUND = _catalogue("common_ground", "common ground: never leave it out")
SHIFTER_CAPACITOR = _catalogue("shifter_capacitor", "100 nF between pins {plus} and {ground}")
SHIFTER_GROUNDS = _catalogue("shifter_grounds", "GND, all OE")
SHIFTER_GROUNDS_AND_INPUTS = _catalogue("shifter_grounds_and_inputs", "GND, all OE, unused inputs")
LAMP_RESISTOR = _catalogue("lamp_resistor", "LED, through {resistor}")
BUZZER_RESISTOR = _catalogue("buzzer_resistor", "piezo, through {resistor}")
OHM = _catalogue("ohm", "{ohm} ohm")
BUTTON_HELD = _catalogue("button_held", "held {seconds} s")
LEFT_SIDE = _catalogue("left_side", "left side")
RIGHT_SIDE = _catalogue("right_side", "right side")
NEAR_SIDE = _catalogue("near_side", "near side")
FAR_SIDE = _catalogue("far_side", "far side")

# -- ends and colours of wires -----------------------------------------------------------------

LED_NAME = _catalogue("led_name", "LED {led} ({cell})")
UNDER_NO_CELL = _catalogue("under_no_cell", "under no cell")
LED_PINS = _catalogue("led_pins", "{led} {pins}")
LED_POWER = _catalogue("led_power", "{led} +5 V and GND")
EACH_LED = _catalogue("each_led", "each LED")
NEXT_LED = _catalogue("next_led", "the next LED of its line")
RUN_END = _catalogue("run_end", "end of each line of LEDs")
NEXT_RUN = _catalogue("next_run", "start of the next line")
LANE = _catalogue("lane", "lane {lane}")
DATA_LINE = _catalogue("data_line", "data")
CLOCK_LINE = _catalogue("clock_line", "clock")
PI = _catalogue("pi", "Pi")
PI_PIN = _catalogue("pi_pin", "Pi pin {pin} (GPIO {gpio})")
PI_GROUND_PIN = _catalogue("pi_ground_pin", "Pi pin {pin} (GND)")
PICO = _catalogue("pico", "Pico")
PICO_PIN = _catalogue("pico_pin", "Pico pin {pin} (GP{gpio})")
PICO_GROUND_PIN = _catalogue("pico_ground_pin", "Pico pin {pin} (GND)")
WLED_CONTROLLER = _catalogue("wled_controller", "WLED controller")
WLED_OUTPUT = _catalogue("wled_output", "WLED output {number}")
WLED_POWER = _catalogue("wled_power", "WLED controller 5 V and GND")
SHIFTER_PIN = _catalogue("shifter_pin", "74AHCT125 pin {pin}")
SHIFTER_PINS = _catalogue("shifter_pins", "74AHCT125 pins {pins}")
SHIFTER_POWER_PIN = _catalogue("shifter_power_pin", "74AHCT125 pin {pin} (VCC)")
SUPPLY = _catalogue("supply", "supply")
NUMBERED_SUPPLY = _catalogue("numbered_supply", "supply {number}")
SUPPLY_PLUS = _catalogue("supply_plus", "{supply} +5 V")
SUPPLY_MINUS = _catalogue("supply_minus", "{supply} 0 V")
FUSE = _catalogue("fuse", "fuse {fuse} ({amps} A)")
FUSE_AND_GROUND = _catalogue("fuse_and_ground", "fuse {fuse} ({amps} A) and ground bus")
FUSE_BOX = _catalogue("fuse_box", "fuse box")
GROUND_BUS = _catalogue("ground_bus", "ground bus")
BUTTON_AND_GROUND = _catalogue("button_and_ground", "button {button}, then a Pi GND")
DEVICE_AND_GROUND = _catalogue("device_and_ground", "{device}, then a Pi GND")
CABLE = _catalogue("cable", "cable")
RED = _catalogue("red", "red")
BLACK = _catalogue("black", "black")
WHITE = _catalogue("white", "white")
GREEN = _catalogue("green", "green")
BLUE = _catalogue("blue", "blue")
YELLOW = _catalogue("yellow", "yellow")
VIOLET = _catalogue("violet", "violet")
COLOUR_PAIR = _catalogue("colour_pair", "{one} and {other}")
COLOURS = _catalogue("colours", "{colours}")

# -- printed sheets ----------------------------------------------------------------------------

PDF_UNAVAILABLE = _catalogue(
    "pdf_unavailable",
    "PDFs need fpdf2: `pip install fpdf2` where Laserboard is installed, on a Pi"
    " `sudo ./install.sh`; or write SVG: --out sheet.svg",
)
CAP_TOO_LARGE = _catalogue(
    "cap_too_large", "a cap of {cap_mm} mm does not fit on {paper}: take larger paper"
)
TOO_MANY_PAGES = _catalogue(
    "too_many_pages", "{pages} pages of {paper}: print it as one sheet (--paper sheet)"
)
PAGE_CUT = _catalogue(
    "page_cut",
    "Print at 100 %. Cut along the dashed lines; the grey strips stay, for glue.",
)
PAGE_GLUE_TO_ONE = _catalogue(
    "page_glue_to_one",
    "Print at 100 %. Cut along the dashed lines. Glue it onto the grey strip of {page}:"
    " the crosses meet.",
)
PAGE_GLUE_TO_TWO = _catalogue(
    "page_glue_to_two",
    "Print at 100 %. Cut along the dashed lines. Glue it onto the grey strip of {page} and"
    " {other}: the crosses meet.",
)
TAGS_TAB = _catalogue(
    "tags_tab",
    "Print at 100 % on white, matte paper. Cut along the coloured lines. The tab is the front:"
    " it points where the piece points.",
)
TAGS_ARROW = _catalogue(
    "tags_arrow",
    "Print at 100 % on white, matte paper. Cut along the coloured lines. The arrow is the front:"
    " it points where the piece points.",
)
LENS_SHEET = _catalogue(
    "lens_sheet",
    "Glue it on something flat: laserboard calibrate lens --camera usb://0 --out lens.yaml",
)
RULER = _catalogue("ruler", '100 mm: measure it. If not, print again at 100 % ("actual size").')
STRIPS_FROM_ABOVE = _catalogue(
    "strips_from_above",
    "as you lay the strips: glued face up on the base, solder pads towards you",
)
STRIPS_FROM_BELOW = _catalogue(
    "strips_from_below",
    "MIRRORED: the board turned over like a page. Here the feed wires come through",
)
CONNECTIONS_SUBTITLE = _catalogue(
    "connections_subtitle",
    "tick off what is done; lengths are from the fuse box, with some to spare",
)
POWER_SUBTITLE = _catalogue(
    "power_subtitle", "computed by the code that keeps every picture to the limit"
)
PARTS_SUBTITLE = _catalogue(
    "parts_subtitle",
    "quantities for this board file; prices are rough, of 2026, without postage",
)

# -- titles and columns of sheets --------------------------------------------------------------

PAGE_OF = _catalogue("page_of", "{title}, page {page} of {pages}")
BOARD_AND_GAME = _catalogue("board_and_game", "{board}: {game}")
CALIBRATION_SHEET = _catalogue("calibration_sheet", "Calibration sheet")
TAGS_TITLE = _catalogue("tags_title", "Tags for {games}")
SPARE_TAG = _catalogue("spare_tag", "Spare {tag}")
CORNER_TAG = _catalogue("corner_tag", "Corner {tag}: at {cell}")
STAND_IN = _catalogue("stand_in", "{piece} {tag} for {replaced}")
PLAN_TITLE = _catalogue("plan_title", "{board}: how it is wired")
STRIPS_ABOVE_TITLE = _catalogue("strips_above_title", "{board}: strips, seen from above")
STRIPS_BELOW_TITLE = _catalogue("strips_below_title", "{board}: strips, seen from BELOW")
CONNECTIONS_TITLE = _catalogue("connections_title", "{board}: connections")
POWER_TITLE = _catalogue("power_title", "{board}: power")
PARTS_TITLE = _catalogue("parts_title", "{board}: parts")
TOTAL_BELOW = _catalogue("total_below", "EUR, all of the following")
LED_RANGE = _catalogue("led_range", "{first} to {last}")
COLUMN_FROM = _catalogue("column_from", "from")
COLUMN_TO = _catalogue("column_to", "to")
COLUMN_COLOUR = _catalogue("column_colour", "colour")
COLUMN_WIRE = _catalogue("column_wire", "wire")
COLUMN_LENGTH = _catalogue("column_length", "length")
COLUMN_PART = _catalogue("column_part", "part")
COLUMN_PURPOSE = _catalogue("column_purpose", "what for")
COLUMN_EACH = _catalogue("column_each", "each")
COLUMN_EUR = _catalogue("column_eur", "EUR")
COLUMN_FEED = _catalogue("column_feed", "feed")
COLUMN_AT = _catalogue("column_at", "at")
COLUMN_LEDS = _catalogue("column_leds", "for LEDs")
COLUMN_MAXIMUM = _catalogue("column_maximum", "at most")
COLUMN_FUSE = _catalogue("column_fuse", "fuse")
COLUMN_DROP = _catalogue("column_drop", "lost on the way")

# -- the wiring plan; a line break is one on the sheet -----------------------------------------

PLAN_SUBTITLE = _catalogue(
    "plan_subtitle", "{leds}; driven by {driver}; {supply}; limit {limit_ma} mA"
)
DRIVER_PICO = _catalogue("driver_pico", "a Raspberry Pi Pico")
DRIVER_SPI = _catalogue("driver_spi", "the Pi's SPI pins (APA102, SK9822)")
DRIVER_WLED = _catalogue("driver_wled", "a WLED controller")
ONE_SUPPLY_OF = _catalogue("one_supply_of", "supply {volts} V, {amps} A")
SUPPLIES_OF = _catalogue("supplies_of", "{count} supplies of {volts} V, {amps} A")
SUPPLIES = _catalogue("supplies", "{count} supplies")
SUPPLY_RATING = _catalogue("supply_rating", "{volts} V, {amps} A")
MAIN_WIRES = _catalogue("main_wires", "main wires {mm2} mm²")
LINE_INPUT = _catalogue("line_input", "{line}: {pin} of {led}")
LINE_PIN = _catalogue("line_pin", "{line}: pin {pin}")
LINE_IN = _catalogue("line_in", "{line} in")
GROUND_PIN = _catalogue("ground_pin", "GND: pin {pin}")
ONE_CHAIN = _catalogue("one_chain", "one chain of {leds} LEDs")
LANE_LEDS = _catalogue("lane_leds", "LEDs {first} to {last}; line: {style}")
SOLID = _catalogue("solid", "solid")
DASHED = _catalogue("dashed", "dashed")
DOTTED = _catalogue("dotted", "dotted")
DASH_DOTTED = _catalogue("dash_dotted", "dash-dotted")
GROUNDS_BESIDE_DATA = _catalogue(
    "grounds_beside_data", "ground of every feed and beside every data line"
)
FEED_CAPACITORS = _catalogue("feed_capacitors", "1000 µF at every feed")
FUSE_LABEL = _catalogue("fuse_label", "{fuse} {amps} A")
FEED_LEDS = _catalogue("feed_leds", "{led}, for {first} to {last}; {wire}")
MORE_FEEDS = _catalogue("more_feeds", "and {count} more alike, to {last}: see the table")
PLUS_FROM_FUSE = _catalogue("plus_from_fuse", "+5 V from fuse {fuse} ({amps} A)")
ALSO_TO_GROUND = _catalogue("also_to_ground", "also to ground: {pins}")
CAPACITOR_FROM_TO = _catalogue("capacitor_from_to", "100 nF from {plus} to {ground}")
SHIFTER_FROM_ABOVE = _catalogue("shifter_from_above", "74AHCT125 from above")
SHIFTER_IN_WLED = _catalogue("shifter_in_wled", "level shifter\ninside, as\nmost have")
OUTPUT = _catalogue("output", "output {number}")
PI_SUPPLY = _catalogue("pi_supply", "its own 5.1 V supply")
LAMP_SYMBOL = _catalogue("lamp_symbol", "LED")
BUZZER_SYMBOL = _catalogue("buzzer_symbol", "piezo")
GPIO_OPTIONAL = _catalogue(
    "gpio_optional",
    "Buttons, lamp and buzzer are up to you: the board file switches\n"
    "them on with buttons: {{url: gpio://}} and speaker: {{url: gpio://}}",
)
SAFETY_TITLE = _catalogue("safety_title", "Before you switch on")
SAFETY_PINS = _catalogue("safety_pins", "LEDs get nothing from the pins of the Pi or the Pico.")
SAFETY_GROUNDS = _catalogue(
    "safety_grounds", "All grounds are joined: supply, strips, shifter, Pi."
)
SAFETY_SHORTS = _catalogue(
    "safety_shorts",
    "No fuse in: no short between any feed and ground,\nand 4.9 to 5.2 V at the fuse box.",
)
SAFETY_FUSES = _catalogue("safety_fuses", "One fuse after the other: nothing may get hot.")
SAFETY_WALK = _catalogue(
    "safety_walk",
    "laserboard leds walk --board {board}\n--leds {url}: each LED where it says?",
)

# -- the legend of the LED strips --------------------------------------------------------------

LANE_LEGEND = _catalogue("lane_legend", "lane {lane} ({style}): LEDs {first} to {last}")
RUN_BEGINS = _catalogue("run_begins", "a line begins")
FEED_LEGEND = _catalogue(
    "feed_legend", "5 V and ground come in here, through the fuse of that name"
)
JOIN_LEGEND = _catalogue("join_legend", "join ground and data here, not 5 V")
HIDDEN_LEDS = _catalogue("hidden_leds", "under no cell: {count} in all")
