"""A board file to start from: a shipped one, with every key explained in place.

The shipped `demo-10x8.yaml` explains the board, its tags and its LEDs; a board whose own file says
less borrows its remarks. What is about this machine and its players is added here.
"""

from __future__ import annotations

import json
import re

from controller.button_settings import DEFAULT_PINS, SpeakerSettings
from controller.clocks import FORMS
from controller.config import BOARDS, load_board_file
from controller.laws import Happening
from controller.play_settings import FIRE_AFTER_S, PlaySettings
from controller.referee_settings import RefereeSettings
from controller.tabletop import fitted
from engine import games
from engine.search import STRONGEST
from vision.board import DoesNotFit, PhysicalBoard

MODEL = "demo-10x8"  # its remarks are the fullest
BORROWED = ("tags", "leds")  # sections whose missing keys are shown, too
# What the model says of its own size, said of any.
OF_ANY_SIZE = {
    "or hex, see hex-r5.yaml": "square or hex",
    "a to j, from the left": "a, b, c ... from the left",
    "1 to 8, from the near side": "1, 2, 3 ... from the near side",
    "from the corner at a8": "from the upper left",
    "upper_left (a8)": "upper_left",
}
REMARK_COLUMN = 24
ENTRY = re.compile(r"  (?:# )?([a-z_]+): ?")
POINTER = re.compile(
    r";?\s#?\s?demo-10x8\.yaml explains the (?:other )?keys one by one\.( (?=\S))?"
)

NO_LEDS = """\
# This board has no LEDs: the screen shows the beams. To add some, take over the section `leds` of
# what `laserboard init - --board demo-10x8` prints.
"""


def starting_file(name: str, camera: str | None = None, leds: str | None = None) -> str:
    """The text of a file for that shipped board, with the devices that were found."""
    board = load_board_file(name).board
    shipped = (BOARDS / f"{name}.yaml").read_text("utf-8")
    text = _without_camera(shipped)
    if name != MODEL:
        text = _explained(POINTER.sub(lambda end: ".\n# " if end[1] else ".", text), _general())
    if leds is not None:
        text = _with_led_url(text, leds)
    header = (
        f"# Laserboard at this table, begun as {name}. `laserboard doctor` checks it, `laserboard"
        " play`\n# plays with it. A line that begins with # is a remark, or a key that is not"
        " used.\n#\n"
    )
    parts = [header + text.rstrip("\n") + "\n"]
    if "\nleds:" not in text:
        parts.append(NO_LEDS)
    machine = (_camera(camera), _buttons(), _speaker(), _play(board), _referee(), _event())
    return "\n".join([*parts, *machine])


# -- remarks -------------------------------------------------------------------------------------


def _general() -> str:
    """The model, without what holds for its own size alone."""
    text = _without_camera((BOARDS / f"{MODEL}.yaml").read_text("utf-8"))
    for own, general in OF_ANY_SIZE.items():
        text = text.replace(own, general)
    return text


def _without_camera(text: str) -> str:
    return re.sub(r"# The camera, if .*?\n\n", "", text, flags=re.DOTALL)


def _entries(text: str) -> dict[str, dict[str, list[str]]]:
    """The lines of every key of every section, remarks behind it included."""
    sections: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if found := re.fullmatch(r"([a-z]+):.*", line):
            section = sections.setdefault(found[1], {})
            lines = []
        elif found := ENTRY.match(line):
            lines = section.setdefault(found[1], [line])
        elif line.startswith("   "):
            lines.append(line)
    return sections


def _explained(text: str, model: str) -> str:
    """The text, with the model's remark behind every key that has none."""
    theirs, ours = _entries(model), _entries(text)
    out: list[str] = []
    for block in re.split(r"(?m)^(?=[a-z]+:)", text):
        section = block.partition(":")[0]
        if section not in ours or not out:
            out.append(block)
            continue
        lines = [block.partition("\n")[0]]
        for key, entry in ours[section].items():
            lines += _with_remark(key, entry, theirs.get(section, {}).get(key))
        if section in BORROWED:
            for key, entry in theirs[section].items():
                lines += [] if key in ours[section] else _unused(entry)
        _, gap, rest = block.partition("\n\n")  # what stands after the section
        out.append("\n".join(lines) + (gap or "\n") + rest)
    return "".join(out)


def _with_remark(key: str, entry: list[str], model: list[str] | None) -> list[str]:
    if model is None or entry == model:
        return entry
    if key == "strips":
        told = ["    # All that a strip can have:"]
        return [
            *entry,
            *told,
            *(_aligned(f"    # {line[6:].removeprefix('# ')}") for line in model[1:]),
        ]
    if "#" in entry[0] or "#" not in model[0]:
        return entry
    remark = model[0][model[0].index("#") :]
    return [f"{entry[0]:{REMARK_COLUMN}}{remark}", *model[1:], *entry[1:]]


def _unused(entry: list[str]) -> list[str]:
    first = entry[0] if entry[0].startswith("  #") else _aligned(f"  # {entry[0][2:]}")
    return [first, *entry[1:]]


def _aligned(line: str) -> str:
    """A key that became a remark, with what is said of it where it was."""
    key, sign, remark = line.rpartition(" # ")
    return f"{key.rstrip() + ' ':{REMARK_COLUMN}}{sign.lstrip()}{remark}"


def _with_led_url(text: str, url: str) -> str:
    """LEDs that were found, unless the file names some already."""
    if "\nleds:" not in text or re.search(r"(?m)^  url:", text):
        return text
    line = f"  url: {json.dumps(url)}"
    return re.sub(r"(?m)^  # url: \S+", lambda _: line, text)


# -- this machine and its players ----------------------------------------------------------------


def _camera(url: str | None) -> str:
    lines = [
        ("# Without a camera named here, the first that is found is used.", None),
        ("camera:", ""),
        (
            f"  url: {json.dumps(url) if url else 'usb://0'}",
            "or pi://, or sim:// if there is none;",
        ),
        ("", "`laserboard camera list` shows what there is"),
        ("  # width: 1280", "what to ask it for: more pixels see more, and take longer"),
        ("  # height: 720", ""),
        ("  # lens: lens.yaml", "beside this file; `laserboard calibrate lens` writes it"),
    ]
    return _section(lines, used=url is not None)


def _buttons() -> str:
    pins = ", ".join(f"{button}: {pin}" for button, pin in DEFAULT_PINS.items())
    lines = [
        ("# Buttons: `laserboard buttons test` waits until each was pressed.", None),
        ("buttons:", ""),
        ("  url: gpio://", "switches on the Pi's pins; or keyboard://, or none://"),
        (f"  pins: {{{pins}}}", None),
        ("", "each lies between its pin (the number after GPIO) and ground;"),
        ("", "one that is left out is not there. fire 0 is at the near side"),
        ("", "(row 1) or the left, fire 1 opposite; power is to be held"),
    ]
    return _section(lines, used=False)


def _speaker() -> str:
    usual = SpeakerSettings()
    lines = [
        ("# A lamp and a buzzer.", None),
        ("speaker:", ""),
        ("  url: gpio://", "on the Pi's pins; or terminal:// for its bell, or none://"),
        (f"  lamp: {usual.lamp}", "its pin, or none"),
        (f"  buzzer: {usual.buzzer}", "its pin, or none"),
        ("  tones: true", "false: a buzzer that can only hum its own tone"),
    ]
    return _section(lines, used=False)


def _play(board: PhysicalBoard) -> str:
    usual, game = PlaySettings(), fitted(board).game
    lines: list[tuple[str, str | None]] = [
        ("# How to play, unless the command line says otherwise.", None),
        ("play:", ""),
        (f"  game: {game.name}", f"on this board: {', '.join(_fitting(board))}"),
    ]
    if game.setups():
        lines.append((f"  setup: {game.default_setup}", f"or {', '.join(list(game.setups())[1:])}"))
    forms = FORMS.split("; ")
    lines += [
        ("  players: [human, human]", f"first and second: human, or computer:1 to {STRONGEST}"),
        ("  # names: [Ada, Grace]", "what to call them"),
        (f"  clock: {usual.clock}", f"{forms[0]}, or one of"),
        *(("", form) for form in forms[1:]),
        (f"  fire: {usual.fire}", "auto: the laser fires by itself when the board was at rest"),
        (
            f"  fire_after_s: {usual.fire_after_s:g}",
            "for so long: {} to {} s".format(*FIRE_AFTER_S),
        ),
        (f"  take_back: {usual.take_back}", "the other player may allow it; never: nobody may"),
        (f"  voice: {usual.voice}", "turns are spoken where espeak-ng is installed; espeak: they"),
        ("", "must be; terminal: they are printed; none"),
    ]
    return _section(lines, used=True)


def _event() -> str:
    lines = [
        ("# Events: games of one (`--event NAME`) are published here; see docs/hall.md.", None),
        ("event:", ""),
        ("  broker: mqtt://club@127.0.0.1", "user, host, port; mqtts:// is with TLS"),
        (
            "  password_file: broker.password",
            "beside this file, mode 0600; no password here",
        ),
        ("  table: 1", "the number of this table"),
    ]
    return _section(lines, used=False)


def _referee() -> str:
    usual = RefereeSettings()
    laws = usual.laws
    lines: list[tuple[str, str | None]] = [
        ("# With a referee in charge.", None),
        ("referee:", ""),
        ("  policies:", "accept: the table judges; propose: it asks the referee;"),
        ("", "log: people at the table do, and it is written down"),
        *((f"    {each}: {laws.policy(each)}", "") for each in Happening),
        (f"  penalties: [{', '.join(map(str, laws.penalties))}]", "for illegal moves, in order:"),
        ("", "time for the opponent, loss or none; the last for all further"),
        (f"  result_confirmed: {laws.result_confirmed}", "players; or referee"),
        ("  evidence:", "pictures of every turn"),
        (f"    keep_days: {usual.evidence.keep_days}", "and then they are removed"),
        (f"    quota_mb: {usual.evidence.quota_mb}", "beyond that the oldest games lose theirs"),
    ]
    return _section(lines, used=False)


def _fitting(board: PhysicalBoard) -> list[str]:
    names = []
    for name in games.GAMES:
        try:
            names.append(fitted(board, games.make(name)).game.name)
        except DoesNotFit:
            continue
    return names


def _section(lines: list[tuple[str, str | None]], used: bool) -> str:
    """Lines with their remarks; all of them remarks, if the section is not used."""
    out = []
    for text, remark in lines:
        plain = text if used else text.replace("  # ", "  ")
        line = f"{plain + ' ':{REMARK_COLUMN}}# {remark}" if remark else plain
        out.append(line if used or line.startswith("#") else f"# {line}")
    return "\n".join(out) + "\n"
