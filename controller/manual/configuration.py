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

from controller.address import Family
from controller.camera_address import CAMERAS
from controller.config import BOARDS, read_board
from controller.led_address import LEDS
from controller.manual.remarks import remarks
from controller.yaml_tree import BadConfig, write_number

SQUARES, HEXAGONS = "demo-10x8", "hex-r5"
# What no board of squares has, or few boards need: an example and what it is for.
RARE = {
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
COMPANY = {"camera": {"lens": {"focal": 0.9}}, "event": {"broker": "mqtts://club@127.0.0.1"}}
IMPOSSIBLE: tuple[Any, ...] = ([[]], {"?": "?"}, "?")
WANT = ", want "
INDEX = re.compile(r"\[[0-9]+\]")
SECTIONS = {
    "board": "The playing field.",
    "tags": "What is printed on the pieces and in the corners.",
    "leds": "The LEDs under the board. Without this section there are none.",
    "camera": "Without this section, the first camera that is found is used.",
    "buttons": "What people press. Without this section: keys.",
    "speaker": "A lamp and a buzzer.",
    "play": "How to play, unless the command line says otherwise.",
    "referee": "With a referee in charge: see [the laws](laws.md) and [evidence](evidence.md).",
    "event": "Events of several boards: see [the hall](hall.md).",
}


def page() -> str:
    parts = [
        "# Board files\n",
        "A board file is YAML: everything about one table. `laserboard init` writes one to start"
        " from, with the same remarks as here; unknown keys are errors that name the file, the"
        " line and what may have been meant. `laserboard doctor` tries all of it.\n",
    ]
    known = remarks() | RARE
    for section, about in SECTIONS.items():
        parts.append(f"## {section}\n\n{about}\n\n| key | what it may be | e.g. | what it is for |")
        parts.append("|---|---|---|---|")
        for path, (example, remark) in known.items():
            if path.startswith(f"{section}."):
                key = path.removeprefix(f"{section}.")
                shown = f"`{example}`" if example else ""
                parts.append(f"| `{key}` | {_cell(wanted(path))} | {shown} | {_cell(remark)} |")
        parts.append("")
    parts += _addresses("Addresses of cameras", CAMERAS)
    parts += _addresses("Addresses of LEDs", LEDS)
    return "\n".join(parts)


def wanted(path: str) -> str:
    """What the reader of board files wants there, in its own words."""
    base = HEXAGONS if path.startswith("board.hex") else SQUARES
    for value in IMPOSSIBLE:
        tree = yaml.safe_load((BOARDS / f"{base}.yaml").read_text("utf-8")) | deepcopy(COMPANY)
        _put(tree, path.split("."), value)
        try:
            read_board(yaml.safe_dump(tree, sort_keys=False), "asked.yaml")
        except BadConfig as complaint:
            where, found, want = str(complaint).partition(WANT)
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


def _addresses(title: str, family: Family[Any]) -> Iterator[str]:
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
    return write_number(value) if isinstance(value, int | float) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
