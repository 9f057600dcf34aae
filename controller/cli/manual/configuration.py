"""Writes `docs/configuration.md`: every key of a board file, and every URL of a device.

The purpose of a key comes from the comments in the file that `laserboard init` writes. Its allowed
values come from the error that the reader of board files raises for an invalid value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import MISSING, Field, fields
from typing import Any

import yaml

from controller.config.addresses.camera import CAMERA_FAMILY
from controller.config.addresses.leds import LED_FAMILY
from controller.config.addresses.url import AddressFamily
from controller.config.board_file import SHIPPED_BOARDS_FOLDER, read_board
from controller.config.sentences import A_SECTION, SECTION_LINES
from controller.config.template import FULLY_COMMENTED_BOARD, board_file_template
from controller.config.yaml_tree import BadConfig, format_number

SQUARES, HEXAGONS = "demo-10x8", "hex-r5"
# Keys that the template does not have: an example and the purpose of each.
RARE_KEYS = {
    "board.hex": ("", "instead of columns and rows, for kind hex"),
    "board.hex.radius": ("5", "rings around the middle cell"),
    "board.hex.orientation": ("pointy", "hexagons stand on a tip; no game has another grid"),
    "board.play_area": ("[2]", "free rows above a game with fewer rows; default: the game is"
                        " centred"),
    "camera.lens.focal": ("0.93", "focal length in image widths, instead of a lens file"),
    "camera.lens.centre": ("[0.5, 0.28]", "point where the optical axis meets the image"),
    "camera.lens.distortion": ("[0.05, -0.1, 0, 0]", "distortion coefficients"),
    "camera.lens.calibrated": ("true", "true: measured; false: a guess"),
    "event.ca_file": ("ca.pem", "certificate authority of an mqtts:// broker, relative to this"
                      " file; default: those of this computer"),
}  # fmt: skip
# Other keys that must be present for some keys to be valid.
REQUIRED_CONTEXT = {
    "camera": {"lens": {"focal": 0.9}},
    "event": {"broker": "mqtts://club@127.0.0.1"},
}
INVALID_VALUES: tuple[Any, ...] = ([[]], {"?": "?"}, "?")
INDEX = re.compile(r"\[[0-9]+\]")
SECTIONS = {
    "board": "The playing field.",
    "tags": "The printed tags on the pieces and in the corners.",
    "leds": "The LEDs under the board. Without this section the board has none.",
    "camera": "The camera. Without this section the first camera found is used.",
    "buttons": "The buttons. Without this section: keys of the keyboard.",
    "speaker": "A lamp and a buzzer.",
    "play": "Game, players, clock and fire mode. The command line overrides it.",
    "referee": "Games with a referee: see [referee policies](referee-policy.md) and"
    " [evidence](evidence.md).",
    "event": "Events of several boards: see [tournaments](tournament.md).",
}


def page() -> str:
    parts = [
        "# Board files\n",
        "A board file describes one table in YAML. `laserboard init` writes one with the same"
        " comments as on this page. An unknown key is an error with file, line and suggestion."
        " `laserboard doctor` checks the file and all devices in it.\n",
    ]
    known = key_comments() | RARE_KEYS
    for section, about in SECTIONS.items():
        parts.append(f"## {section}\n\n{about}\n\n| key | values | example | purpose |")
        parts.append("|---|---|---|---|")
        for path, (example, remark) in known.items():
            if path.startswith(f"{section}."):
                key = path.removeprefix(f"{section}.")
                shown = f"`{example}`" if example else ""
                parts.append(
                    f"| `{key}` | {_cell(expected_value(path))} | {shown} | {_cell(remark)} |"
                )
        parts.append("")
    parts += _addresses("URLs of cameras", CAMERA_FAMILY)
    parts += _addresses("URLs of LEDs", LED_FAMILY)
    return "\n".join(parts)


def expected_value(path: str) -> str:
    """The allowed values of a key, as the reader of board files describes them in an error."""
    base = HEXAGONS if path.startswith("board.hex") else SQUARES
    for value in INVALID_VALUES:
        tree = yaml.safe_load(
            (SHIPPED_BOARDS_FOLDER / f"{base}.yaml").read_text("utf-8")
        ) | deepcopy(REQUIRED_CONTEXT)
        _put(tree, path.split("."), value)
        try:
            read_board(yaml.safe_dump(tree, sort_keys=False), "asked.yaml")
        except BadConfig as error:
            want = error.complaint.slots.get("want")
            if want is not None and INDEX.sub("", error.path) == path:
                listed = "a list, each " if error.path.endswith("]") else ""
                return f"{listed}{A_SECTION() if want == SECTION_LINES() else want}"
    return ""


def _put(tree: Any, keys: list[str], value: Any) -> None:
    """Set the value at a path of keys; of a list, in its first entry."""
    for key in keys[:-1]:
        below = tree.setdefault(key, {})
        tree = below[0] if isinstance(below, list) else below
    tree[keys[-1]] = value


def _addresses(title: str, family: AddressFamily[Any]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"Such as {family.examples}. Options follow a `?`, separated by `&`.\n"
    yield "| URL | device | options |"
    yield "|---|---|---|"
    for scheme, kind in family.schemes.items():
        options = "<br>".join(_option(each) for each in fields(kind) if each.metadata)
        about = (kind.__doc__ or "").replace("\n", " ")
        yield f"| `{scheme}://` | {_cell(about)} | {options} |"
    yield ""


def _option(option: Field[Any]) -> str:
    match option.metadata:
        case {"range": (_, low, high)}:
            may_be = f"{_plain(low)} to {_plain(high)}"
        case {"choice": known}:
            may_be = ", ".join(map(str, known))
        case _:
            may_be = "a name"
    usual = "" if option.default in (None, MISSING, "") else f", default {_plain(option.default)}"
    return f"`{option.name}`: {may_be}{usual}"


def _plain(value: Any) -> str:
    return format_number(value) if isinstance(value, int | float) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# A section or key, commented out or not: its indent, a dash before it, its name, its value.
LINE = re.compile(
    r"(?P<off># )?(?P<indent> *)(?P<dash>- )?(?P<key>[a-z][a-z_ ]*):(?P<rest>(?: .*)?)"
)
VALUE = re.compile(r" ?(?P<value>(?:\[[^\]]*\]|\{[^}]*\}|[^#])*?) *(?:# (?P<remark>.*))?")
MORE = re.compile(r"(?:# )? {20,}# ?(?P<remark>.*)")


def key_comments(text: str | None = None) -> dict[str, tuple[str, str]]:
    """The example and the comment of every key in a board file."""
    found: dict[str, tuple[str, str]] = {}
    parents: list[tuple[int, str]] = []
    last = ""
    for line in (text or board_file_template(FULLY_COMMENTED_BOARD)).splitlines():
        if more := MORE.fullmatch(line):
            example, remark_so_far = found[last]
            found[last] = example, f"{remark_so_far} {more['remark']}".strip()
            continue
        key = LINE.fullmatch(_in_use(line))
        if key is None:
            continue
        depth = len(key["indent"]) + 2 * bool(key["dash"])
        parents = [parent for parent in parents if parent[0] < depth]
        last = ".".join([*(name for _, name in parents), key["key"]])
        value = VALUE.fullmatch(key["rest"])
        assert value is not None, line
        found[last] = value["value"], value["remark"] or ""
        parents.append((depth, key["key"]))
    return found


def _in_use(line: str) -> str:
    """The line of a key without the `#` that comments it out."""
    if re.match(r"# [a-z]+:$|#  +[a-z]", line):
        line = line[2:]
    return re.sub(r"^( +)# (?=[a-z_]+: )", r"\1", line)
