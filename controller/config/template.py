"""The board file that `laserboard init` writes: a shipped one, with a comment on every key.

The comments on board, tags and LEDs come from `demo-10x8.yaml`. The sections for devices, players
and referee are added here.
"""

from __future__ import annotations

import json
import re

from controller.config.board_file import SHIPPED_BOARDS_FOLDER, load_board_file
from controller.config.buttons import DEFAULT_PINS, SpeakerSettings
from controller.config.play import FIRE_AFTER_S_RANGE, PlaySettings
from controller.config.referee import RefereeSettings
from controller.session.board_fit import fit_board
from controller.session.clocks import CLOCK_FORMS
from controller.session.referee.policy import Incident
from engine import games
from engine.search import STRONGEST
from vision.board import BoardDoesNotFit, PhysicalBoard

FULLY_COMMENTED_BOARD = "demo-10x8"
COMPLETED_SECTIONS = ("tags", "leds")  # missing keys are added as comments
# Comments on the size of the demo board, and their general form.
GENERIC_COMMENTS = {
    "or hex, see hex-r5.yaml": "square or hex",
    "a to j, from the left": "a, b, c ... from the left",
    "1 to 8, from the near side": "1, 2, 3 ... from the near side",
    "from the corner at a8": "from the upper left",
    "upper_left (a8)": "upper_left",
}
COMMENT_COLUMN = 24
KEY_LINE = re.compile(r"  (?:# )?([a-z_]+): ?")
SEE_DEMO_COMMENT = re.compile(
    r";?\s#?\s?demo-10x8\.yaml explains the (?:other )?keys one by one\.( (?=\S))?"
)

NO_LEDS_COMMENT = """\
# This board has no LEDs: the screen shows the beams. To add some, copy the section `leds` from
# the output of `laserboard init - --board demo-10x8`.
"""


def board_file_template(name: str, camera: str | None = None, leds: str | None = None) -> str:
    """The text of a board file for a shipped board, with the URLs of detected devices."""
    board = load_board_file(name).board
    shipped = (SHIPPED_BOARDS_FOLDER / f"{name}.yaml").read_text("utf-8")
    text = _without_camera(shipped)
    if name != FULLY_COMMENTED_BOARD:
        text = _with_comments(
            SEE_DEMO_COMMENT.sub(lambda end: ".\n# " if end[1] else ".", text), _generic_comments()
        )
    if leds is not None:
        text = _with_led_url(text, leds)
    header = (
        f"# Laserboard at this table, made from {name}. `laserboard doctor` checks it, `laserboard"
        " play`\n# plays with it. A line that begins with # is a comment, or a key that is not"
        " used.\n#\n"
    )
    parts = [header + text.rstrip("\n") + "\n"]
    if "\nleds:" not in text:
        parts.append(NO_LEDS_COMMENT)
    machine = (
        _camera_section(camera),
        _buttons_section(),
        _speaker_section(),
        _play_section(board),
        _referee_section(),
        _event_section(),
    )
    return "\n".join([*parts, *machine])


# -- comments ------------------------------------------------------------------------------------


def _generic_comments() -> str:
    """The text of the demo board, with comments that hold for any size."""
    text = _without_camera(
        (SHIPPED_BOARDS_FOLDER / f"{FULLY_COMMENTED_BOARD}.yaml").read_text("utf-8")
    )
    for own, general in GENERIC_COMMENTS.items():
        text = text.replace(own, general)
    return text


def _without_camera(text: str) -> str:
    return re.sub(r"# The camera\..*?\n\n", "", text, flags=re.DOTALL)


def _lines_by_key(text: str) -> dict[str, dict[str, list[str]]]:
    """The lines of each key by section, with their comments."""
    sections: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if found := re.fullmatch(r"([a-z]+):.*", line):
            section = sections.setdefault(found[1], {})
            lines = []
        elif found := KEY_LINE.match(line):
            lines = section.setdefault(found[1], [line])
        elif line.startswith("   "):
            lines.append(line)
    return sections


def _with_comments(text: str, model: str) -> str:
    """Copy comments from `model` to keys of `text` without one."""
    theirs, ours = _lines_by_key(model), _lines_by_key(text)
    out: list[str] = []
    for block in re.split(r"(?m)^(?=[a-z]+:)", text):
        section = block.partition(":")[0]
        if section not in ours or not out:
            out.append(block)
            continue
        lines = [block.partition("\n")[0]]
        for key, entry in ours[section].items():
            lines += _with_comment(key, entry, theirs.get(section, {}).get(key))
        if section in COMPLETED_SECTIONS:
            for key, entry in theirs[section].items():
                lines += [] if key in ours[section] else _commented_out(entry)
        _, gap, rest = block.partition("\n\n")  # text after the section
        out.append("\n".join(lines) + (gap or "\n") + rest)
    return "".join(out)


def _with_comment(key: str, entry: list[str], model: list[str] | None) -> list[str]:
    if model is None or entry == model:
        return entry
    if key == "strips":
        heading = ["    # All that a strip can have:"]
        return [
            *entry,
            *heading,
            *(_align_comment(f"    # {line[6:].removeprefix('# ')}") for line in model[1:]),
        ]
    if "#" in entry[0] or "#" not in model[0]:
        return entry
    remark = model[0][model[0].index("#") :]
    return [f"{entry[0]:{COMMENT_COLUMN}}{remark}", *model[1:], *entry[1:]]


def _commented_out(entry: list[str]) -> list[str]:
    first = entry[0] if entry[0].startswith("  #") else _align_comment(f"  # {entry[0][2:]}")
    return [first, *entry[1:]]


def _align_comment(line: str) -> str:
    """Align the comment of a key that was commented out."""
    key, sign, remark = line.rpartition(" # ")
    return f"{key.rstrip() + ' ':{COMMENT_COLUMN}}{sign.lstrip()}{remark}"


def _with_led_url(text: str, url: str) -> str:
    """Insert the URL of detected LEDs, unless the file has one."""
    if "\nleds:" not in text or re.search(r"(?m)^  url:", text):
        return text
    line = f"  url: {json.dumps(url)}"
    return re.sub(r"(?m)^  # url: \S+", lambda _: line, text)


# -- devices, players, referee ------------------------------------------------------------------


def _camera_section(url: str | None) -> str:
    lines = [
        ("# The camera. Without this section the first camera found is used.", None),
        ("camera:", ""),
        (
            f"  url: {json.dumps(url) if url else 'usb://0'}",
            "or pi://, or sim:// if there is none;",
        ),
        ("", "`laserboard camera list` lists the cameras"),
        ("  # width: 1280", "requested size: larger images are read better and slower"),
        ("  # height: 720", ""),
        ("  # lens: lens.yaml", "beside this file; `laserboard calibrate lens` writes it"),
    ]
    return _format_section(lines, used=url is not None)


def _buttons_section() -> str:
    pins = ", ".join(f"{button}: {pin}" for button, pin in DEFAULT_PINS.items())
    lines = [
        ("# Buttons: `laserboard buttons test` waits until each is pressed.", None),
        ("buttons:", ""),
        ("  url: gpio://", "switches on the Pi's pins; or keyboard://, or none://"),
        (f"  pins: {{{pins}}}", None),
        ("", "each connects its pin (the number after GPIO) to ground;"),
        ("", "leave out one that you do not have. fire 0: the near side"),
        ("", "(row 1) or the left, fire 1: opposite; hold power to act"),
    ]
    return _format_section(lines, used=False)


def _speaker_section() -> str:
    defaults = SpeakerSettings()
    lines = [
        ("# A lamp and a buzzer.", None),
        ("speaker:", ""),
        ("  url: gpio://", "on the Pi's pins; or terminal:// for its bell, or none://"),
        (f"  lamp: {defaults.lamp}", "its pin, or none"),
        (f"  buzzer: {defaults.buzzer}", "its pin, or none"),
        ("  tones: true", "false: an active buzzer with one fixed tone"),
    ]
    return _format_section(lines, used=False)


def _play_section(board: PhysicalBoard) -> str:
    defaults, game = PlaySettings(), fit_board(board).game
    lines: list[tuple[str, str | None]] = [
        ("# Game, players, clock and fire mode. The command line overrides it.", None),
        ("play:", ""),
        (f"  game: {game.name}", f"on this board: {', '.join(_games_that_fit(board))}"),
    ]
    if game.setups():
        lines.append((f"  setup: {game.default_setup}", f"or {', '.join(list(game.setups())[1:])}"))
    forms = CLOCK_FORMS.split("; ")
    lines += [
        ("  players: [human, human]", f"first and second: human, or computer:1 to {STRONGEST}"),
        ("  # names: [Ada, Grace]", "names of the players"),
        (f"  clock: {defaults.clock}", f"{forms[0]}, or one of"),
        *(("", form) for form in forms[1:]),
        (f"  fire: {defaults.fire}", "auto: fire when a turn has stood for fire_after_s"),
        (
            f"  fire_after_s: {defaults.fire_after_s:g}",
            "for fire: auto, {} to {} s".format(*FIRE_AFTER_S_RANGE),
        ),
        (
            f"  take_back: {defaults.take_back}",
            "ask: the other player may allow it; never: not possible",
        ),
        (
            f"  voice: {defaults.voice}",
            "auto: speak turns if espeak-ng is installed; espeak: require",
        ),
        ("", "it; terminal: print them; none"),
    ]
    return _format_section(lines, used=True)


def _event_section() -> str:
    lines = [
        (
            "# Tournaments: games with `--event NAME` are published here; see docs/tournament.md.",
            None,
        ),
        ("event:", ""),
        ("  broker: mqtt://club@127.0.0.1", "user, host, port; mqtts:// for TLS"),
        (
            "  password_file: broker.password",
            "beside this file, mode 0600; no password here",
        ),
        ("  table: 1", "the number of this table"),
    ]
    return _format_section(lines, used=False)


def _referee_section() -> str:
    defaults = RefereeSettings()
    policies = defaults.policies
    lines: list[tuple[str, str | None]] = [
        ("# Games with a referee.", None),
        ("referee:", ""),
        ("  policies:", "accept: the table decides; propose: the referee decides;"),
        ("", "log: the players decide, and the journal records it"),
        *((f"    {each}: {policies.policy_for(each)}", "") for each in Incident),
        (
            f"  penalties: [{', '.join(map(str, policies.penalties))}]",
            "for illegal moves, in order:",
        ),
        ("", "time for the opponent, loss or none; the last one repeats"),
        (f"  result_confirmed: {policies.result_confirmed}", "players; or referee"),
        ("  evidence:", "images of every turn"),
        (f"    keep_days: {defaults.evidence.keep_days}", "then they are deleted"),
        (
            f"    quota_mb: {defaults.evidence.quota_mb}",
            "above that, images of the oldest games are deleted",
        ),
    ]
    return _format_section(lines, used=False)


def _games_that_fit(board: PhysicalBoard) -> list[str]:
    names = []
    for name in games.GAMES:
        try:
            names.append(fit_board(board, games.make(name)).game.name)
        except BoardDoesNotFit:
            continue
    return names


def _format_section(lines: list[tuple[str, str | None]], used: bool) -> str:
    """Format lines with comments; a section that is not used is commented out."""
    out = []
    for text, remark in lines:
        plain = text if used else text.replace("  # ", "  ")
        line = f"{plain + ' ':{COMMENT_COLUMN}}# {remark}" if remark else plain
        out.append(line if used or line.startswith("#") else f"# {line}")
    return "\n".join(out) + "\n"
