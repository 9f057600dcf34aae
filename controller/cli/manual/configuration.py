"""`docs/configuration.md`: every key of a board file, and every address of a device.

What a key is for stands in the file that `laserboard init` writes. What it may be is asked of the
one who reads board files: it is given something impossible, and says what it wants instead.
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
from controller.config.template import FULLY_COMMENTED_BOARD, board_file_template
from controller.config.yaml_tree import BadConfig, format_number

SQUARES, HEXAGONS = "demo-10x8", "hex-r5"
# What no board of squares has, or few boards need: an example and what it is for.
RARE_KEYS = {
    "board.hex": ("", "instead of columns and rows, for kind hex"),
    "board.hex.radius": ("5", "rings around the middle cell"),
    "board.hex.orientation": ("pointy", "every hexagon stands on a tip; the games know no other"),
    "board.play_area": ("[2]", "how many rows stay free above a game of fewer rows; otherwise it"
                        " lies in the middle"),
    "camera.lens.focal": ("0.93", "the lens in place of its file: its focal length"),
    "camera.lens.centre": ("[0.5, 0.28]", "where its axis meets the picture"),
    "camera.lens.distortion": ("[0.05, -0.1, 0, 0]", "how it bends lines"),
    "camera.lens.calibrated": ("true", "these were measured; false: a guess"),
    "event.ca_file": ("ca.pem", "who vouches for an mqtts:// broker, if this computer does not"
                      " know; beside this file"),
}  # fmt: skip
# Without these, some keys have no meaning.
REQUIRED_CONTEXT = {
    "camera": {"lens": {"focal": 0.9}},
    "event": {"broker": "mqtts://club@127.0.0.1"},
}
INVALID_VALUES: tuple[Any, ...] = ([[]], {"?": "?"}, "?")
WANT_MARKER = ", want "
INDEX = re.compile(r"\[[0-9]+\]")
SECTIONS = {
    "board": "The playing field.",
    "tags": "What is printed on the pieces and in the corners.",
    "leds": "The LEDs under the board. Without this section there are none.",
    "camera": "Without this section, the first camera that is found is used.",
    "buttons": "What people press. Without this section: keys.",
    "speaker": "A lamp and a buzzer.",
    "play": "How to play, unless the command line says otherwise.",
    "referee": "Games with a referee: see [referee policies](referee-policy.md) and"
    " [evidence](evidence.md).",
    "event": "Events of several boards: see [tournaments](tournament.md).",
}


def page() -> str:
    parts = [
        "# Board files\n",
        "A board file is YAML: everything about one table. `laserboard init` writes one to start"
        " from, with the same remarks as here; unknown keys are errors that name the file, the"
        " line and what may have been meant. `laserboard doctor` tries all of it.\n",
    ]
    known = key_comments() | RARE_KEYS
    for section, about in SECTIONS.items():
        parts.append(f"## {section}\n\n{about}\n\n| key | what it may be | e.g. | what it is for |")
        parts.append("|---|---|---|---|")
        for path, (example, remark) in known.items():
            if path.startswith(f"{section}."):
                key = path.removeprefix(f"{section}.")
                shown = f"`{example}`" if example else ""
                parts.append(
                    f"| `{key}` | {_cell(expected_value(path))} | {shown} | {_cell(remark)} |"
                )
        parts.append("")
    parts += _addresses("Addresses of cameras", CAMERA_FAMILY)
    parts += _addresses("Addresses of LEDs", LED_FAMILY)
    return "\n".join(parts)


def expected_value(path: str) -> str:
    """What the reader of board files wants there, in its own words."""
    base = HEXAGONS if path.startswith("board.hex") else SQUARES
    for value in INVALID_VALUES:
        tree = yaml.safe_load(
            (SHIPPED_BOARDS_FOLDER / f"{base}.yaml").read_text("utf-8")
        ) | deepcopy(REQUIRED_CONTEXT)
        _put(tree, path.split("."), value)
        try:
            read_board(yaml.safe_dump(tree, sort_keys=False), "asked.yaml")
        except BadConfig as complaint:
            where, found, want = str(complaint).partition(WANT_MARKER)
            place = where.split(": ")[1]
            if found and INDEX.sub("", place) == path:
                listed = "a list, each " if place.endswith("]") else ""
                return listed + want.replace("a section of `key: value` lines", "a section")
    return ""


def _put(tree: Any, keys: list[str], value: Any) -> None:
    """Set the value at the end of that path; of a list, in its first entry."""
    for key in keys[:-1]:
        below = tree.setdefault(key, {})
        tree = below[0] if isinstance(below, list) else below
    tree[keys[-1]] = value


def _addresses(title: str, family: AddressFamily[Any]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"Such as {family.examples}. Options follow a `?`, with `&` between them.\n"
    yield "| address | what it is | options |"
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
    usual = "" if option.default in (None, MISSING, "") else f", usually {_plain(option.default)}"
    return f"`{option.name}`: {may_be}{usual}"


def _plain(value: Any) -> str:
    return format_number(value) if isinstance(value, int | float) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# A section or key, in use or not: how far it is indented, a dash before it, its name, its value.
LINE = re.compile(
    r"(?P<off># )?(?P<indent> *)(?P<dash>- )?(?P<key>[a-z][a-z_ ]*):(?P<rest>(?: .*)?)"
)
VALUE = re.compile(r" ?(?P<value>(?:\[[^\]]*\]|\{[^}]*\}|[^#])*?) *(?:# (?P<remark>.*))?")
MORE = re.compile(r"(?:# )? {20,}# ?(?P<remark>.*)")


def key_comments(text: str | None = None) -> dict[str, tuple[str, str]]:
    """For every key that a board file explains, an example and what is said of it."""
    found: dict[str, tuple[str, str]] = {}
    parents: list[tuple[int, str]] = []
    last = ""
    for line in (text or board_file_template(FULLY_COMMENTED_BOARD)).splitlines():
        if more := MORE.fullmatch(line):
            example, said = found[last]
            found[last] = example, f"{said} {more['remark']}".strip()
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
    """The line as it would be if its key were used."""
    if re.match(r"# [a-z]+:$|#  +[a-z]", line):
        line = line[2:]
    return re.sub(r"^( +)# (?=[a-z_]+: )", r"\1", line)
