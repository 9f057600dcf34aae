"""Reads and writes the sections `buttons` and `speaker` of a board file, and their URLs.

`controller/ports/buttons.py` has the names of the buttons. Pins are BCM numbers (the number after
"GPIO"). Opens no device.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from controller.config import sentences
from controller.ports.buttons import BUTTONS, TABLE_BUTTONS
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.sentences import Sentence

if TYPE_CHECKING:  # slow import, and most commands read no board file
    from controller.config.yaml_tree import ConfigNode

PIN_RANGE = (2, 27)  # pins 0 and 1 are reserved for the EEPROM of a HAT
DEFAULT_PINS = MappingProxyType({button.name: button.pin for button in TABLE_BUTTONS})
LAMP_PIN, BUZZER_PIN = 24, 18
BUTTON_BY_KEY = MappingProxyType({button.key: button.name for button in TABLE_BUTTONS})
KEYS_HELP = ", ".join(f"{key} = {button}" for key, button in BUTTON_BY_KEY.items())
BUTTON_KEYS, SPEAKER_KEYS = ("url", "pins"), ("url", "lamp", "buzzer", "tones")
MAX_SCRIPT_MS = 86_400_000
TESTED_URL = "gpio://"  # by `laserboard buttons test`, if nothing names another
BUTTON_KINDS = ("gpio", "keyboard", "script", "none")
SPEAKER_KINDS = ("gpio", "terminal", "none")


class BadButtons(LaserboardError, ValueError):
    """An invalid URL or section of buttons."""


class BadSpeaker(LaserboardError, ValueError):
    """An invalid URL or section of a lamp and buzzer."""


@dataclass(frozen=True, slots=True)
class ButtonAddress:
    """A parsed URL of buttons."""

    kind: str  # one of BUTTON_KINDS
    script: tuple[tuple[float, str], ...] = ()  # time in ms, button


@dataclass(frozen=True)
class ButtonSettings:
    """The section `buttons`; a URL of None: the program chooses."""

    url: str | None = None
    pins: Mapping[str, int] = field(default_factory=lambda: DEFAULT_PINS)


@dataclass(frozen=True, slots=True)
class SpeakerSettings:
    """The section `speaker`; a pin of None: not connected."""

    url: str | None = None
    lamp: int | None = LAMP_PIN
    buzzer: int | None = BUZZER_PIN
    tones: bool = True  # true: a passive buzzer; false: an active one with a fixed tone


def read_buttons(node: ConfigNode | None) -> ButtonSettings:
    """Read the section `buttons`."""
    if node is None:
        return ButtonSettings()
    keys = node.section(*BUTTON_KEYS)
    url, pins = keys.get("url"), keys.get("pins")
    text = None
    if url is not None:
        text = url.text(sentences.BUTTON_URL())
        try:
            parse_button_url(text)
        except BadButtons as error:
            raise url.error(error.sentence) from error
    return ButtonSettings(text, DEFAULT_PINS if pins is None else _read_pins(pins))


def read_speaker(node: ConfigNode | None, buttons: ButtonSettings | None = None) -> SpeakerSettings:
    """Read the section `speaker`; its pins must differ from those of the buttons."""
    taken = {} if buttons is None else {pin: name for name, pin in buttons.pins.items()}
    if node is None:
        lamp, buzzer = (_read_optional_pin(None, pin, "", taken) for pin in (LAMP_PIN, BUZZER_PIN))
        return SpeakerSettings(None, lamp, buzzer)
    keys = node.section(*SPEAKER_KEYS)
    url, tones = keys.get("url"), keys.get("tones")
    text = None
    if url is not None:
        text = url.text(sentences.SPEAKER_URL())
        try:
            parse_speaker_url(text)
        except BadSpeaker as error:
            raise url.error(error.sentence) from error
    lamp = _read_optional_pin(keys.get("lamp"), LAMP_PIN, "lamp", taken)
    buzzer = _read_optional_pin(keys.get("buzzer"), BUZZER_PIN, "buzzer", taken)
    return SpeakerSettings(text, lamp, buzzer, tones is None or tones.boolean())


def write_buttons(settings: ButtonSettings) -> list[str]:
    """The lines of the section; empty for the defaults."""
    lines = _url_lines(settings.url)
    if dict(settings.pins) != dict(DEFAULT_PINS):
        pins = ", ".join(f"{button}: {pin}" for button, pin in settings.pins.items())
        lines.append(f"  pins: {{{pins}}}")
    return ["buttons:", *lines] if lines else []


def write_speaker(settings: SpeakerSettings) -> list[str]:
    """The lines of the section; empty for the defaults."""
    lines, defaults = _url_lines(settings.url), SpeakerSettings()
    for key in ("lamp", "buzzer"):
        pin = getattr(settings, key)
        if pin != getattr(defaults, key):
            lines.append(f"  {key}: {'none' if pin is None else pin}")
    if not settings.tones:
        lines.append("  tones: false")
    return ["speaker:", *lines] if lines else []


def parse_button_url(url: str) -> ButtonAddress:
    """`script://fire 0@1500,pause@3000` -> `ButtonAddress("script", ((1500.0, "fire 0"), ...))`."""
    kind, rest = _split_url(url, "buttons", BUTTON_KINDS, sentences.BUTTON_URLS(), BadButtons)
    if kind != "script":
        return ButtonAddress(kind)
    return ButtonAddress(kind, tuple(_parse_script(unquote(rest), url)))


def format_button_url(address: ButtonAddress) -> str:
    """The inverse of `parse_button_url`."""
    presses = (f"{button}@{at_ms:f}".rstrip("0").rstrip(".") for at_ms, button in address.script)
    return f"{address.kind}://{quote(','.join(presses), safe=' ,@.')}"


def parse_speaker_url(url: str) -> str:
    """The kind of speaker in a URL."""
    kind, _ = _split_url(url, "speaker", SPEAKER_KINDS, sentences.SPEAKER_URLS(), BadSpeaker)
    return kind


def _split_url(
    url: str, device: str, kinds: Iterable[str], examples: Sentence, error: type[LaserboardError]
) -> tuple[str, str]:
    kind, colon, rest = url.partition("://")
    if not colon:
        complaint = sentences.WRITE_URL(examples=examples)
    elif kind not in kinds:
        complaint = sentences.UNKNOWN_KIND(hint=did_you_mean(kind, kinds))
    elif rest and kind != "script":
        complaint = sentences.NOTHING_AFTER_SCHEME(scheme=kind)
    else:
        return kind, rest
    raise error(sentences.BAD_URL(device=device, url=excerpt(url), complaint=complaint))


def _parse_script(text: str, url: str) -> Iterable[tuple[float, str]]:
    last_ms = 0.0
    for part in text.split(",") if text else ():
        button, _, moment = part.strip().rpartition("@")
        name = button.strip().replace("_", " ")
        if name not in BUTTONS:
            hint = did_you_mean(name, BUTTONS)
            raise _bad_script(url, sentences.NOT_A_PRESS(part=excerpt(part), hint=hint))
        if not re.fullmatch(r"[0-9]{1,8}(\.[0-9]{1,6})?", moment):
            not_ms = sentences.NOT_MILLISECONDS(part=excerpt(moment), most_ms=MAX_SCRIPT_MS)
            raise _bad_script(url, not_ms)
        at_ms = float(moment)
        if not last_ms <= at_ms <= MAX_SCRIPT_MS:
            too_early = sentences.PRESS_TOO_EARLY(
                part=excerpt(part), last_ms=last_ms, most_ms=MAX_SCRIPT_MS
            )
            raise _bad_script(url, too_early)
        last_ms = at_ms
        yield at_ms, name


def _bad_script(url: str, complaint: Sentence) -> BadButtons:
    return BadButtons(sentences.BAD_URL(device="buttons", url=excerpt(url), complaint=complaint))


def _read_pins(node: ConfigNode) -> Mapping[str, int]:
    pins: dict[str, int] = {}
    for key, value in node.section(*BUTTONS).entries.items():
        pin = value.integer(*PIN_RANGE)
        for other, taken in pins.items():
            if taken == pin:
                raise value.error(sentences.PIN_TAKEN(pin=pin, button=other))
        pins[key] = pin
    if not pins:
        raise node.error(sentences.NO_BUTTON())
    return MappingProxyType(pins)


def _read_optional_pin(
    node: ConfigNode | None, default: int, what: str, taken: dict[int, str]
) -> int | None:
    if node is None:
        # A button on the default pin means that there is no lamp on it.
        pin: int | None = None if default in taken else default
    elif node.is_scalar() and node.node.value == "none":
        pin = None
    else:
        pin = node.integer(*PIN_RANGE)
        if pin in taken:
            raise node.error(sentences.PIN_TAKEN(pin=pin, button=taken[pin]))
    if pin is not None:
        taken[pin] = what
    return pin


def _url_lines(url: str | None) -> list[str]:
    return [] if url is None else [f"  url: {json.dumps(url, ensure_ascii=False)}"]
