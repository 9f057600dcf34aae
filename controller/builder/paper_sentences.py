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
    "bad_stl", "{file}: no binary STL, or not all of it: remove it and render it anew"
)
OPENSCAD_MISSING = _catalogue(
    "openscad_missing",
    "OpenSCAD is not installed: `sudo apt install openscad`, or `make -C hardware`, which"
    " installs it",
)
OPENSCAD_TIMED_OUT = _catalogue(
    "openscad_timed_out", "{part}: OpenSCAD took longer than {seconds} s"
)
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
DROP_NOTE = _catalogue(
    "drop_note",
    "On the way to the worst placed feed {drop_v} V are lost ({percent} % of 5 V; 5 % are"
    " allowed): copper at 20 degrees, there and back.",
)
FUSE_NOTE = _catalogue(
    "fuse_note",
    "A fuse is loaded to 80 % at most, and every wire carries more than its fuse lets through.",
)

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
LINE_NAME = _catalogue("line_name", "{line}")
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
